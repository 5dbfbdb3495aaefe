"""What an adapter stores: the messages it has received, how far it has read, which thread is which match's."""

import asyncio
from collections import deque
from collections.abc import Awaitable, Callable
from contextlib import suppress
from dataclasses import dataclass, field
from functools import partial
from typing import TypeAlias

import structlog

from bot.commands.parser import ParsedCommand, read_command
from bot.messages.model import IncomingMessage, OutgoingMessage, Place, Receive
from bot.messages.serialization import (
    address,
    message_key,
    read_address,
    read_incoming,
    read_message,
    write_incoming,
)
from bot.trouble import Trouble
from storage.store import Arrival, Change, Conflict, Store

log = structlog.get_logger(__name__)

AT_ONCE = 16
"""Messages that are dealt with at the same time, each of another place."""
BATCH = 1_000
"""Messages that are read from the store at once."""
ANSWERS = 16
"""At most so many messages answer one: those after them are not looked for."""
QUESTIONS = (
    *("help", "games", "rules", "terms", "matches", "board", "look", "turns", "replay", "export", "record", "calls"),
    *("learn", "spot", "solve", "daily", "hint", "review", "analyse", "rating", "ladder", "profile"),
)
"""Commands that change nothing for anybody else; some need seconds of thought."""


Late: TypeAlias = Callable[[IncomingMessage, OSError], Awaitable[None]]
"""Tells whoever wrote a message that it cannot be stored yet."""


class Inbox:
    """One platform's. Everything in it is stored before it is acknowledged, and still there after a restart."""

    def __init__(self, store: Store, platform: str, late: Late | None = None):
        self._store = store
        self._late = late
        self._platform = platform
        self._arrived = asyncio.Event()

    async def recall(self, key: str, where: Place | None = None) -> str:
        """Returns what was noted under a key, of the platform as a whole or of a place; "" if nothing was."""
        return await self._store.setting(self._owner(where), key)

    async def note(self, key: str, value: str, where: Place | None = None) -> None:
        """Note something for good; "" forgets it."""
        await self._store.commit(Change(settings=((self._owner(where), key, value),)))

    async def note_first(self, key: str, value: str) -> str:
        """Note something of the platform for good, unless another process was faster. Returns what is noted."""
        with suppress(Conflict):
            await self._store.commit(Change(heard=f"{self._platform}:{key}", settings=((self._platform, key, value),)))
        return await self.recall(key)

    async def everywhere(self, key: str) -> list[tuple[Place, str]]:
        """Returns what was noted under a key of any place of the platform."""
        found = [(owner, value) for owner, value in await self._store.owners(key) if "/" in owner]
        places = ((read_address(owner), value) for owner, value in found)
        return [(place, value) for place, value in places if place.platform == self._platform]

    async def recall_each(self, key: str, where: Place) -> dict[str, str]:
        """Returns what was noted of a place under keys that begin with this one, like `"key 17"`: by what follows."""
        noted = await self._store.settings(self._owner(where))
        return {name.removeprefix(f"{key} "): value for name, value in noted if name.startswith(f"{key} ")}

    async def noting(self, key: str) -> list[Place]:
        """Returns the places of the platform of which something was noted under a key, or one that begins with it."""
        owners = [owner for owner in await self._store.noting(key) if "/" in owner]
        return [place for place in map(read_address, owners) if place.platform == self._platform]

    async def keep(self, messages: list[IncomingMessage], **notes: str) -> None:
        """Store messages, and how far the platform's stream has been read with them, in one transaction."""
        arrivals = tuple(Arrival(message.id, write_incoming(message)) for message in messages)
        settings = tuple((self._owner(None), key, value) for key, value in notes.items())
        try:
            await self._store.commit(Change(arrivals=arrivals, settings=settings))
        except OSError as error:
            if self._late is not None:
                await asyncio.gather(*(self._late(message, error) for message in messages))
            raise
        self._arrived.set()

    async def known(self, id_: str) -> bool:
        """Returns whether a message was dealt with."""
        return await self._store.known(id_)

    async def answering(self, id_: str) -> bool:
        """Returns whether something that was said to a message that was dealt with has yet to arrive."""
        return await self._store.on_the_way([message_key(id_, number) for number in range(ANSWERS)])

    async def read_out(self, receive: Receive) -> None:
        """Have the stored messages dealt with, each place's in order, until cancelled.

        A message that leads to nothing is forgotten; one that `receive` fails on waits for the next start. A place
        in which much is said makes no other wait.
        """
        queues: dict[str, deque[Arrival]] = {}
        taken: set[str] = set()
        done: set[str] = set()
        """Of those taken, the ones that are no longer stored."""
        limit, unread = asyncio.Semaphore(AT_ONCE), Trouble("received messages cannot be read")
        async with asyncio.TaskGroup() as tasks:
            dealing = Dealing(receive, limit, done, tasks)
            while True:
                self._arrived.clear()
                before = set(done)
                try:
                    waiting = await self._store.arrived(self._platform, BATCH + len(taken))
                except OSError as error:
                    unread.failed(error)
                    await asyncio.sleep(1)
                    continue
                unread.works()
                fresh = [arrival for arrival in waiting if arrival.id not in taken]
                for arrival in fresh:
                    place = address(read_incoming(arrival.body).where)
                    if place in queues:
                        queues[place].append(arrival)
                    else:
                        queues[place] = deque([arrival])
                        tasks.create_task(self._deal_with(place, queues, dealing))
                taken |= {arrival.id for arrival in fresh}
                taken -= before
                done -= before
                if not fresh:
                    await self._arrived.wait()

    async def post(self, remote: str) -> OutgoingMessage | None:
        """Returns the message of ours that has this id on the platform; None if it is not ours."""
        for message in await self._store.sent(remote):
            if message.ordering_key.startswith(f"{self._platform}/"):
                return read_message(message.body)
        return None

    async def _deal_with(self, place: str, queues: dict[str, deque[Arrival]], dealing: "Dealing") -> None:
        """Deal with what was said in a place, one message after the other; the places take turns.

        Nobody waits there for what another has only asked.
        """
        queue = queues[place]
        while queue:
            arrival = queue.popleft()
            message = read_incoming(arrival.body)
            line = place, message.who.key
            work = self._dealt_with(arrival, message, dealing, dealing.asked.pop(line, None))
            if _only_asks(message):
                dealing.asked[line] = dealing.tasks.create_task(work)
                dealing.asked[line].add_done_callback(partial(dealing.forget, line))
            else:
                await work
        del queues[place]

    async def _dealt_with(
        self, arrival: Arrival, message: IncomingMessage, dealing: "Dealing", before: asyncio.Task[None] | None
    ) -> None:
        """Deal with a message, once the author's last question is dealt with."""
        if before is not None:
            await before
        async with dealing.limit:
            try:
                await dealing.receive(message)
                await self._store.commit(Change(dismissed=(arrival.id,)))
                dealing.done.add(arrival.id)
            except Exception:  # the others must not wait for it
                log.exception("a message could not be dealt with", id=arrival.id)

    def _owner(self, where: Place | None) -> str:
        return address(where) if where else self._platform


@dataclass(frozen=True, slots=True)
class Dealing:
    """What all places have in common whose messages are read out."""

    receive: Receive
    limit: asyncio.Semaphore
    done: set[str]
    tasks: asyncio.TaskGroup
    asked: dict[tuple[str, str], asyncio.Task[None]] = field(default_factory=dict)
    """The last question that is being dealt with, by place and author."""

    def forget(self, line: tuple[str, str], task: asyncio.Task[None]) -> None:
        """A question is dealt with."""
        if self.asked.get(line) is task:
            del self.asked[line]


def _only_asks(message: IncomingMessage) -> bool:
    """Whether what is said changes nothing that others say something about."""
    parsed = read_command(message.text)
    return isinstance(parsed, ParsedCommand) and parsed.command.name in QUESTIONS
