"""What strangers read of matches: from a replica where it has all that this process knows of them, else where all is
written."""

import asyncio
from collections import OrderedDict
from collections.abc import Callable, Sequence
from time import monotonic
from typing import Final

from bot.repository import Repository
from bot.runtime.wake import Wait, wait
from bot.service.composing import Board, Glance
from bot.service.page.looks import public_board
from bot.trouble import Trouble
from storage.store import Change, Outgoing, Replica

LATE: Final = 10.0
"""Seconds by which a replica may be behind."""
LOOKS: Final = 1.0
"""Seconds between two looks at it."""
KNOWN: Final = 10_000
"""Matches of which it is known how far they have come."""
BEHIND: Final = "the replica is more than {seconds} seconds behind"


class Strangers:
    """Whoever has a seat, or writes, is never served from here."""

    def __init__(self, repository: Repository, replica: Replica | None, clock: Callable[[], float] = monotonic):
        self._repository = repository
        self._replica = replica
        self._clock = clock
        self._copy = Repository(replica, repository.seed, repository.opponents, repository.public) if replica else None
        self._reached = -1.0
        """Up to which moment the replica has everything; -1 = it is not asked."""
        self._since = clock()
        """What was written before that has to be there: somebody may have been erased."""
        self._known: OrderedDict[str, tuple[int, float]] = OrderedDict()
        """By match, how many events it has at least (0 = more than before), and when that was so."""
        self._trouble = Trouble("readers of the page are not served from the replica")
        repository.forgotten.append(self._forget)

    async def board(self, number: str, glance: Glance) -> Board | None:
        """What everybody may see of a match in the web room."""
        copy = self._copy
        if copy is not None and self._is_used:
            try:
                if await self._has(number):
                    copy.afresh()
                    return await public_board(copy, number, glance)
            except OSError as error:  # if it is the match that cannot be read, that is told below
                self._fail(error)
        found = await public_board(self._repository, number, glance)
        if copy is not None and found is not None:
            self._note(number, found.match.length - len(await self._repository.uncredited(number)))
        return found

    def committed(self, change: Change, _waiting: Sequence[Outgoing]) -> None:
        """Hear what has just been committed, here or by another process."""
        if self._copy is not None and change.match:
            self._note(change.match, change.expected + len(change.events) if change.events else 0)

    def behind(self) -> float | None:
        """Returns by how many seconds the replica is behind; None = it is not used."""
        return self._clock() - self._reached if self._is_used else None

    async def run(self, wait: Wait = wait) -> None:
        """Look how far the replica has come until cancelled."""
        if self._replica is None:
            return
        try:
            while True:
                await self.look()
                await wait(asyncio.Event(), LOOKS)
        finally:
            await self._replica.close()

    async def look(self) -> None:
        """Look once."""
        assert self._replica is not None
        try:
            self._reached = await self._replica.reached()
        except OSError as error:
            self._fail(error)
            return
        if self._is_used:
            self._trouble.works()
        elif 0 <= self._reached < self._clock() - LATE:
            self._trouble.failed(BEHIND.format(seconds=round(LATE)))

    @property
    def _is_used(self) -> bool:
        return self._reached >= self._since and self._clock() - self._reached <= LATE

    async def _has(self, number: str) -> bool:
        """Whether the replica has of a match what is known of it here."""
        length, moment = self._known.get(number, (0, self._since))
        if moment < self._clock() - LATE:
            self._known.pop(number, None)
        if self._reached >= moment:
            return True
        return length > 0 and self._replica is not None and await self._replica.length(number) >= length

    def _note(self, number: str, length: int) -> None:
        self._known[number] = length, self._clock()
        self._known.move_to_end(number)
        if len(self._known) > KNOWN:
            _, (_, self._since) = self._known.popitem(last=False)

    def _fail(self, error: OSError) -> None:
        self._reached = -1.0
        self._trouble.failed(error)

    def _forget(self) -> None:
        self._since = self._clock()
        self._known.clear()
        if self._copy is not None:
            self._copy.forget_all()
