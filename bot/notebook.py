"""What an adapter may keep in the house's own store: what it has been told, where it stands, what hangs where."""

import asyncio

import structlog

from bot.chat import Hear, Heard, Place, Post
from bot.codec import lane, read_heard, read_post, write_heard
from storage.store import Arrival, Change, Store

log = structlog.get_logger(__name__)

AT_ONCE = 16
"""Messages that are dealt with at the same time, each of another place."""


class Notebook:
    """Of one platform. Everything in it is on the disk before it is acknowledged, and there again after a restart."""

    def __init__(self, store: Store, platform: str):
        self._store = store
        self._platform = platform
        self._news = asyncio.Event()

    async def recall(self, key: str, where: Place | None = None) -> str:
        """What was noted under a key, of the platform as a whole or of a place; "" if nothing was."""
        return await self._store.setting(self._owner(where), key)

    async def note(self, key: str, value: str, where: Place | None = None) -> None:
        """Note something for good; "" forgets it."""
        await self._store.commit(Change(settings=((self._owner(where), key, value),)))

    async def keep(self, heard: list[Heard], **notes: str) -> None:
        """Messages, and how far the platform's stream has been read with them: in one transaction."""
        arrivals = tuple(Arrival(one.id, write_heard(one)) for one in heard)
        settings = tuple((self._owner(None), key, value) for key, value in notes.items())
        await self._store.commit(Change(arrivals=arrivals, settings=settings))
        self._news.set()

    async def read_out(self, hear: Hear) -> None:
        """Have the messages dealt with that were kept, each place's in order, until cancelled.

        A message that leads to nothing is forgotten; one that `hear` cannot deal with waits for the next start.
        """
        aside: set[str] = set()
        while True:
            self._news.clear()
            try:
                waiting = await self._store.arrived(self._platform, 100 + len(aside))
            except OSError as trouble:
                log.error("kept messages cannot be read", trouble=trouble.strerror or str(trouble))
                await asyncio.sleep(1)
                continue
            queues: dict[str, list[Arrival]] = {}
            for arrival in waiting:
                if arrival.id not in aside:
                    queues.setdefault(lane(read_heard(arrival.body).where), []).append(arrival)
            if not queues:
                await self._news.wait()
            gate = asyncio.Semaphore(AT_ONCE)
            await asyncio.gather(*(self._deal(queue, hear, gate, aside) for queue in queues.values()))

    async def post(self, remote: str) -> Post | None:
        """What we have said under the platform's id of a message; None if it is not ours."""
        for letter in await self._store.sent(remote):
            if letter.lane.startswith(f"{self._platform}/"):
                return read_post(letter.body)
        return None

    async def _deal(self, queue: list[Arrival], hear: Hear, gate: asyncio.Semaphore, aside: set[str]) -> None:
        async with gate:
            for arrival in queue:
                try:
                    await hear(read_heard(arrival.body))
                    await self._store.commit(Change(dismissed=(arrival.id,)))
                except Exception:  # the others must not wait for it
                    log.exception("a message could not be heard", id=arrival.id)
                    aside.add(arrival.id)

    def _owner(self, where: Place | None) -> str:
        return lane(where) if where else self._platform
