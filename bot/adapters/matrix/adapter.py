"""Matrix as the bot sees it: what is said in its rooms comes in, what is to be said goes out."""

import asyncio
from collections.abc import Callable, Sequence
from functools import partial
from typing import Any

import structlog

from bot.adapters.matrix.client import Client
from bot.adapters.matrix.events import Ears
from bot.adapters.matrix.html import PLATFORM
from bot.adapters.matrix.incoming import Listener
from bot.adapters.matrix.intake import Charter
from bot.adapters.matrix.outgoing import Delivery
from bot.adapters.matrix.rooms import EVERYBODY, Rooms
from bot.adapters.matrix.signing import identify
from bot.adapters.matrix.stream import Stream, patiently
from bot.messages.model import IncomingMessage, OutgoingMessage, Place, Receive, Retry, Undeliverable
from bot.messages.serialization import message_key
from bot.runtime.inbox import Inbox

log = structlog.get_logger(__name__)


class MatrixAdapter:
    """One account on one homeserver. It lives as long as its client: who starts again, logs in again."""

    platform = PLATFORM

    def __init__(
        self,
        client: Client,
        notebook: Inbox,
        *,
        clock: Callable[[], int],
        prefix: str = "!riposte",
        invites: Sequence[str] = (EVERYBODY,),
        ignored: Sequence[str] = (),
        private: Callable[[str], bool] = lambda _text: False,
        unverified: bool = True,
        password: str = "",
        show: Callable[[str], None] = lambda _key: None,
    ):
        """`client` is logged in, `clock` tells milliseconds since 1970 UTC, `prefix` is what a command begins with.

        `invites` tells whose invitations are accepted (everybody, own-server, ids, servers), `ignored` whom we never
        hear (ids, with * for whole ranges), `private` which texts are for our ears only, and `unverified` whether
        people may read encrypted rooms with devices that nobody has verified: we know nobody in person, so nobody's
        could ever be. `show` is told the recovery key, once; some homeservers want to see the `password` for that.
        """
        charters: dict[str, Charter] = {}
        self._client = client
        self._identify = partial(identify, client, password=password, show=show)
        self._notebook = notebook
        self._rooms = Rooms(client, notebook, clock, charters, invites)
        ears = Ears(client.user_id, prefix, ignored)
        self._listener = Listener(client, notebook, ears, charters, self._rooms)
        self._private = private
        self._aloud: asyncio.Queue[tuple[str, IncomingMessage]] = asyncio.Queue()
        self._stream = Stream(client, notebook, clock, charters, interpret=self._interpret, prepare=self._rooms.prepare)
        self._delivery = Delivery(
            client, notebook, clock, self._rooms, self._stream, prefix=prefix, unverified=unverified
        )

    async def run(self, hear: Receive) -> None:
        """Read on in what is said, and have it dealt with, until cancelled.

        Raises OSError with the fact and the remedy where a person must see to it.
        """
        try:
            await self._delivery.settle_in()
            await patiently(self._identify)
            async with asyncio.TaskGroup() as tasks:
                tasks.create_task(self._stream.run(), name="news of the homeserver")
                tasks.create_task(self._rooms.tend(), name="invitations")
                tasks.create_task(self._hush(), name="what was said aloud")
                tasks.create_task(self._notebook.read_out(hear), name="messages from Matrix")
        finally:
            await self._client.close()

    async def deliver(self, post: OutgoingMessage, image: bytes | None) -> str:
        """Show a post and give its event's id. Raises Retry or Undeliverable."""
        return await self._delivery.deliver(post, image)

    async def _interpret(self, room: str, event: dict[str, Any], at: int) -> IncomingMessage | None:
        heard = await self._listener.heard(room, event, at)
        if heard is not None and self._private(heard.text) and not self._rooms.alone(room):
            self._aloud.put_nowait((room, heard))
        return heard

    async def _hush(self) -> None:
        """Tell whoever says a secret where others read along; this is a courtesy, and not made up for after a crash."""
        while True:
            room, heard = await self._aloud.get()
            try:
                deleted = await self._rooms.redact(room, heard.id.removeprefix(f"{PLATFORM}:"))
                words = SAID_ALOUD.format(deleted=" and deleted it" if deleted else "")
                key = f"{message_key(heard.id, 0)}.hush"
                post = OutgoingMessage(
                    key, Place(PLATFORM, ""), (words,), only=heard.who, answers=heard.id, at=heard.at
                )
                await patiently(partial(self._delivery.deliver, post, None))
            except (OSError, Retry, Undeliverable) as trouble:
                log.info("nobody could be told that they said a secret aloud", because=str(trouble))


SAID_ALOUD = (
    "That was for my ears only, so please do not write it where others read along. I have understood it{deleted}. "
    "Next time write to me here."
)
