"""Lets a limited number of messages be dealt with at once, so that nobody waits behind the second one of another."""

import asyncio
from collections import deque
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field
from heapq import heappop, heappush
from itertools import count
from typing import TypeVar

T = TypeVar("T")


class FairQueue:
    """Admits people in rounds: in each round everybody once, urgent messages first; each person's in order."""

    def __init__(self, at_once: int):
        self._free = at_once
        self._round = 0
        self._numbers = count()
        self._queues: dict[str, deque[Ticket]] = {}
        """Everybody's messages; the first one is admitted or comes next."""
        self._next: list[Ticket] = []
        """A heap of the first ones that are not admitted yet."""

    def waiting(self, who: str) -> int:
        """Returns how many messages of somebody are queued or being dealt with."""
        return len(self._queues.get(who, ()))

    async def run(self, who: str, urgent: bool, work: Callable[[], Awaitable[T]]) -> T:
        """Do some work of somebody's when it is its turn."""
        admitted = asyncio.get_running_loop().create_future()
        ticket = Ticket(self._round, not urgent, next(self._numbers), admitted)
        queue = self._queues.setdefault(who, deque())
        queue.append(ticket)
        if queue[0] is ticket:
            heappush(self._next, ticket)
        self._admit()
        try:
            await admitted
            return await work()
        finally:
            self._leave(who, ticket)

    def _admit(self) -> None:
        while self._free and self._next:
            ticket = heappop(self._next)
            if not ticket.admitted.done():  # else whoever waited was cancelled
                self._free -= 1
                self._round = max(self._round, ticket.round)
                ticket.inside = True
                ticket.admitted.set_result(None)

    def _leave(self, who: str, ticket: "Ticket") -> None:
        self._free += ticket.inside
        queue = self._queues[who]
        first = queue[0] is ticket
        queue.remove(ticket)
        if not queue:
            del self._queues[who]
        elif first:
            queue[0].round = max(self._round, ticket.round + 1)
            heappush(self._next, queue[0])
        self._admit()


@dataclass(slots=True, order=True)
class Ticket:
    """One message in the queue."""

    round: int
    postponable: bool
    number: int
    admitted: "asyncio.Future[None]" = field(compare=False)
    inside: bool = field(default=False, compare=False)
