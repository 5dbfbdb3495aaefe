"""What an adapter may keep in the house's own store: what it has been told, where it stands, what hangs where."""

import asyncio
from collections import deque

import structlog

from bot.messages.model import IncomingMessage, OutgoingMessage, Place, Receive
from bot.messages.serialization import lane, read_incoming, read_message, write_incoming
from storage.store import Arrival, Change, Store

log = structlog.get_logger(__name__)

AT_ONCE = 16
"""Messages that are dealt with at the same time, each of another place."""
AT_A_LOOK = 1_000
"""Messages that are read from the store at once."""


class Inbox:
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

    async def keep(self, heard: list[IncomingMessage], **notes: str) -> None:
        """Messages, and how far the platform's stream has been read with them: in one transaction."""
        arrivals = tuple(Arrival(one.id, write_incoming(one)) for one in heard)
        settings = tuple((self._owner(None), key, value) for key, value in notes.items())
        await self._store.commit(Change(arrivals=arrivals, settings=settings))
        self._news.set()

    async def read_out(self, hear: Receive) -> None:
        """Have the messages dealt with that were kept, each place's in order, until cancelled.

        A message that leads to nothing is forgotten; one that `hear` cannot deal with waits for the next start. A place
        in which much is said keeps no other waiting.
        """
        queues: dict[str, deque[Arrival]] = {}
        taken: set[str] = set()
        gone: set[str] = set()
        """Of those taken, the ones that whoever looks from now on finds no more."""
        gate = asyncio.Semaphore(AT_ONCE)
        async with asyncio.TaskGroup() as tasks:
            while True:
                self._news.clear()
                before = set(gone)
                try:
                    waiting = await self._store.arrived(self._platform, AT_A_LOOK + len(taken))
                except OSError as trouble:
                    log.error("kept messages cannot be read", trouble=trouble.strerror or str(trouble))
                    await asyncio.sleep(1)
                    continue
                fresh = [arrival for arrival in waiting if arrival.id not in taken]
                for arrival in fresh:
                    place = lane(read_incoming(arrival.body).where)
                    if place in queues:
                        queues[place].append(arrival)
                    else:
                        queues[place] = deque([arrival])
                        tasks.create_task(self._deal(place, queues, hear, gate, gone))
                taken |= {arrival.id for arrival in fresh}
                taken -= before
                gone -= before
                if not fresh:
                    await self._news.wait()

    async def post(self, remote: str) -> OutgoingMessage | None:
        """What we have said under the platform's id of a message; None if it is not ours."""
        for letter in await self._store.sent(remote):
            if letter.lane.startswith(f"{self._platform}/"):
                return read_message(letter.body)
        return None

    async def _deal(
        self, place: str, queues: dict[str, deque[Arrival]], hear: Receive, gate: asyncio.Semaphore, gone: set[str]
    ) -> None:
        """Deal with what was said in a place, one after the other; the places take turns."""
        queue = queues[place]
        while queue:
            arrival = queue.popleft()
            async with gate:
                try:
                    await hear(read_incoming(arrival.body))
                    await self._store.commit(Change(dismissed=(arrival.id,)))
                    gone.add(arrival.id)
                except Exception:  # the others must not wait for it
                    log.exception("a message could not be heard", id=arrival.id)
        del queues[place]

    def _owner(self, where: Place | None) -> str:
        return lane(where) if where else self._platform
