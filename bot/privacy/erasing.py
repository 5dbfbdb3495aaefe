"""Erases whoever has asked for it: leaves their matches, then forgets them in the store and on every platform."""

import asyncio
from collections.abc import Awaitable, Callable, Mapping, Sequence
from contextlib import AbstractAsyncContextManager, nullcontext
from typing import Final

import msgspec
import structlog

from bot.club.course import followed
from bot.club.events import Handed, Happening, Withdrawn
from bot.commands.club.effects import happened
from bot.commands.club.tournaments import COUNTER
from bot.commands.context import Effect
from bot.commands.people.privacy import ERASING
from bot.messages.model import Person
from bot.messages.redaction import redaction
from bot.repository import Repository
from bot.service.cause import Cause
from bot.service.transaction import Transactions
from bot.trouble import reason
from engine.match.commands import Decline, Player, Resign
from engine.match.decide import decide
from engine.match.events import Refusal
from storage.store import Change, Outgoing, Store

GRACE: Final = 3.0
"""Seconds in which the last answer to somebody is delivered before they are forgotten."""
AGAIN: Final = 60.0
"""Seconds after which it is tried again where the disk did not take it."""

log = structlog.get_logger(__name__)

UNFINISHED: Final = "erasure left to finish"
"""The setting that holds what is left of an erasure, sealed, until it is done."""

Forget = Callable[[Sequence[Person], int, Sequence[str]], Awaitable[None]]
"""Makes a platform forget people, erased at an instant, and their own words."""


class Left(msgspec.Struct, frozen=True):
    """What is left of an erasure once nobody writes of these people any more."""

    gone: Mapping[str, str]
    """From their keys to their tombstones."""
    names: tuple[str, ...]
    said: tuple[str, ...]
    """Their own words that are gone."""
    people: tuple[tuple[str, str, str], ...]
    """Platform, id and name of each account."""
    at: int


class Erasing:
    """Runs until it is cancelled. What a crash cuts off is done at the next start: who is to be erased is stored."""

    def __init__(
        self,
        repository: Repository,
        transactions: Transactions,
        now: Callable[[], int],
        forgets: Sequence[Forget] = (),
        pause: Callable[[float], Awaitable[object]] = asyncio.sleep,
        *,
        alone: Callable[[], AbstractAsyncContextManager[object]] = nullcontext,
    ):
        """Inside of `alone` no other process has anything under way."""
        self._alone = alone
        self._repository = repository
        self._store: Store = repository.store
        self._transactions = transactions
        self._now = now
        self._forgets = forgets
        self._pause = pause
        self._asked = asyncio.Event()

    def committed(self, change: Change, waiting: Sequence[Outgoing]) -> None:
        """Notice that somebody wants to be erased."""
        if any(key == ERASING for _, key, _ in change.settings):
            self._asked.set()

    async def run(self) -> None:
        """Erase those who have asked, now and whenever somebody asks."""
        self._asked.set()
        while True:
            await self._asked.wait()
            self._asked.clear()
            await self._pause(GRACE)
            try:
                await self.work()
            except OSError as error:
                log.error("somebody cannot be erased yet", error=reason(error), again_in=AGAIN)
                self._asked.set()
                await self._pause(AGAIN)

    async def restored(self) -> int:
        """Erase those again whom a restored backup has brought back; before anything else. Returns how many."""
        await self._finish()
        back = await self._store.unerased()
        for player, at in back.items():
            await self._erase((player,), at)
        return len(back)

    async def work(self) -> None:
        """Erase everybody who has asked. Raises OSError where that cannot be stored."""
        await self._finish()
        for owner, _ in await self._store.owners(ERASING):
            accounts = await self._repository.accounts(owner)
            for player in accounts:
                for status in ("open", "running"):
                    for summary in await self._store.matches(player=player, status=status):
                        await self._leave(summary.match, player)
            for number in range(1, int(await self._repository.setting(*COUNTER) or 0) + 1):
                await self._leave_tournament(f"t{number}", accounts)
            await self._erase(accounts, self._now())

    async def _leave(self, number: str, player: Player) -> None:
        """Give a match up: a challenge is off, or its seat free again; a match that has begun is resigned."""

        async def left() -> Effect:
            match = await self._repository.match(number)
            if match is None or match.status not in ("open", "running"):
                return Effect()
            leaving = Decline(player) if match.status == "open" else Resign(player)
            decided = decide(match, leaving, self._now(), self._repository.dice(match))
            return Effect() if isinstance(decided, Refusal) else Effect(decided, match=number)

        try:
            length = self._repository.length(number)
            await self._transactions.run(Cause(f"erased:{number}:{length}", self._now(), match=number), left)
        except OSError as error:  # a damaged match is nobody's to play any more
            log.warning("a match cannot be left", match=number, error=reason(error))

    async def _leave_tournament(self, id_: str, accounts: Sequence[Player]) -> None:
        """Take no part in a tournament any more, and leave organising it to the hosts of its place."""

        async def left() -> Effect:
            of, at = await self._repository.tournament(id_), self._now()
            if of is None or of.status == "over":
                return Effect()
            events: list[Happening] = [Withdrawn(at, one, one) for one in of.active if one in accounts]
            if of.organiser in accounts:
                events.append(Handed(at, of.organiser, ""))
            if not events:
                return Effect()
            return await happened(self._repository, of, await asyncio.to_thread(followed, of, *events), at)

        try:
            await self._transactions.run(Cause(f"erased:{id_}:{self._now()}", self._now()), left)
        except OSError as error:
            log.warning("a tournament cannot be left", tournament=id_, error=reason(error))

    async def _erase(self, accounts: Sequence[Player], at: int) -> None:
        people = [await self._repository.person(player) for player in accounts]
        names = [person.name for person in people]

        def unfinished(gone: Mapping[str, str], said: Sequence[str]) -> tuple[str, str, str]:
            left = Left(gone, tuple(names), tuple(said), tuple((one.platform, one.id, one.name) for one in people), at)
            return f"erasing {at}", UNFINISHED, msgspec.json.encode(left).decode()

        async with self._alone(), self._transactions.held():
            await self._store.erase(accounts, lambda gone, said: redaction(gone, names, said), at, unfinished)
            self._repository.forget_all()
        await self._finish()

    async def _finish(self) -> None:
        """Finish an erasure in the background, however long it takes."""
        for owner, noted in await self._store.owners(UNFINISHED):
            left = msgspec.json.decode(noted, type=Left)
            people = [Person(*one) for one in left.people]
            for forget in self._forgets:
                await forget(people, left.at, left.said)
            await self._store.clean(left.gone, redaction(left.gone, left.names, left.said), owner, UNFINISHED)
            log.info("somebody was erased")
