"""Matrix as the bot sees it: what is said in its rooms comes in, what is to be said goes out."""

import asyncio
from collections.abc import Callable, Sequence
from functools import partial

from bot.adapters.matrix.client import Client
from bot.adapters.matrix.delivery import Delivery
from bot.adapters.matrix.hearing import Ears
from bot.adapters.matrix.html import PLATFORM
from bot.adapters.matrix.intake import Charter
from bot.adapters.matrix.listener import Listener
from bot.adapters.matrix.rooms import EVERYBODY, Rooms
from bot.adapters.matrix.signing import identify
from bot.adapters.matrix.stream import Stream, patiently
from bot.chat import Hear, Post
from bot.notebook import Notebook


class MatrixAdapter:
    """One account on one homeserver. It lives as long as its client: who starts again, logs in again."""

    platform = PLATFORM

    def __init__(
        self,
        client: Client,
        notebook: Notebook,
        *,
        clock: Callable[[], int],
        prefix: str = "!riposte",
        invites: Sequence[str] = (EVERYBODY,),
        ignored: Sequence[str] = (),
        unverified: bool = True,
        password: str = "",
        show: Callable[[str], None] = lambda _key: None,
    ):
        """`client` is logged in, `clock` tells milliseconds since 1970 UTC, `prefix` is what a command begins with.

        `invites` tells whose invitations are accepted (everybody, own-server, ids, servers), `ignored` whom we never
        hear (ids, with * for whole ranges), `unverified` whether people may read encrypted rooms with devices that
        nobody has verified: we know nobody in person, so nobody's could ever be. `show` is told the recovery key, once,
        and some homeservers want to see the `password` for that.
        """
        charters: dict[str, Charter] = {}
        self._client = client
        self._identify = partial(identify, client, password=password, show=show)
        self._notebook = notebook
        self._rooms = Rooms(client, notebook, clock, charters, invites)
        ears = Ears(client.user_id, prefix, ignored)
        listener = Listener(client, notebook, ears, charters, self._rooms)
        self._stream = Stream(client, notebook, clock, charters, interpret=listener.heard, prepare=self._rooms.prepare)
        self._delivery = Delivery(
            client, notebook, clock, self._rooms, self._stream, prefix=prefix, unverified=unverified
        )

    async def run(self, hear: Hear) -> None:
        """Read on in what is said, and have it dealt with, until cancelled.

        Raises OSError with the fact and the remedy where a person must see to it.
        """
        try:
            await self._delivery.settle_in()
            await patiently(self._identify)
            async with asyncio.TaskGroup() as tasks:
                tasks.create_task(self._stream.run(), name="news of the homeserver")
                tasks.create_task(self._rooms.tend(), name="invitations")
                tasks.create_task(self._notebook.read_out(hear), name="messages from Matrix")
        finally:
            await self._client.close()

    async def deliver(self, post: Post, image: bytes | None) -> str:
        """Show a post and give its event's id. Raises Retry or Undeliverable."""
        return await self._delivery.deliver(post, image)
