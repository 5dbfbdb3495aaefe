"""The newest messages, read and put into words once for all tabs: each tab picks those that it may see."""

import asyncio
from collections import OrderedDict, deque
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Final

from bot.adapters.web.history.history import History, Message, Room
from bot.messages.model import Place

KEPT: Final = 256
"""Messages at hand: a tab that has been told less reads on by itself."""
PLACES: Final = 1_000
"""Places at hand: those that were not asked for longest are read again."""
AT_ONCE: Final = 100
"""Messages read in one piece."""


@dataclass(frozen=True, slots=True)
class Told:
    """A message, and the news of it as everybody but its author gets it."""

    message: Message
    news: str


class Latest:
    """What is new in the history, and how its places stand."""

    def __init__(self, history: History, news: Callable[[Message], str]):
        self._history = history
        self._news = news
        self._kept: deque[Told] = deque()
        self._since: int | None = None
        """All messages after this number are kept; None = not known yet."""
        self._read = 0
        """The newest message that was read."""
        self._places: OrderedDict[Place, Room | None] = OrderedDict()
        self._changes = 1
        """How often the history has changed."""
        self._known = 0
        """How often it had when it was last read."""
        self._reading = asyncio.Lock()

    def changed(self, *places: Place) -> None:
        """There may be new messages, and these places have changed."""
        self._changes += 1
        for where in places:
            self._places.pop(where, None)

    async def forget(self) -> None:
        """Read everything anew: somebody has been erased from it."""
        async with self._reading:
            self._kept.clear()
            self._places.clear()
            self._since = None
            self._changes += 1

    async def after(self, user: str, number: int) -> Sequence[Told]:
        """The messages after a number that a user may see, or the first of them. Raises OSError."""
        if self._known != self._changes:
            await self._catch_up()
        if self._since is None or number < self._since:
            return [Told(one, self._news(one)) for one in await self._history.after(user, number, AT_ONCE)]
        found = []
        for told in reversed(self._kept):
            if told.message.number <= number:
                break
            if told.message.only in ("", user):
                found.append(told)
        return found[::-1]

    async def place(self, where: Place) -> Room | None:
        """One place; None where there is none. Raises OSError."""
        if where not in self._places:
            async with self._reading:
                changes = self._changes
                room = self._places[where] if where in self._places else await self._history.place(where)
                if room is None or changes != self._changes:  # it may have changed while it was read
                    return room
                self._places[where] = room
                while len(self._places) > PLACES:
                    self._places.popitem(last=False)
        self._places.move_to_end(where)
        return self._places[where]

    async def _catch_up(self) -> None:
        """Read what is new, once for all who ask meanwhile."""
        async with self._reading:
            while self._known != self._changes:
                changes = self._changes
                if self._since is None:
                    self._since = self._read = await self._history.last()
                while found := await self._history.since(self._read, AT_ONCE):
                    self._read = found[-1].number
                    self._kept.extend(Told(one, self._news(one)) for one in found)
                while len(self._kept) > KEPT:
                    self._since = self._kept.popleft().message.number
                self._known = changes
