"""Personal links as the web page spends them, and the matches that people see there though they live elsewhere."""

from dataclasses import dataclass, replace
from functools import partial

from bot.commands.context import Effect
from bot.commands.person import links
from bot.commands.profile import MOST_ACCOUNTS, linked
from bot.messages.model import Person, Place
from bot.messages.serialization import read_address
from bot.repository import Repository
from bot.service.cause import Cause
from bot.service.transaction import Transactions
from engine.match.commands import Player
from engine.text import Text, plural
from storage.store import Summary

PLATFORM = "web"
RUNNING, OVER = 50, 5
"""How many of somebody's matches elsewhere their list shows: those under way, and the latest of the others."""


@dataclass(frozen=True, slots=True)
class Visit:
    """To whom a personal link leads, and where."""

    name: str
    seat: Person | None
    """Their account on the page; None = they have none yet."""
    where: Place
    """The place of the match there; no channel = one that they alone see."""


class Visits:
    """Who comes to the page by a personal link, and what they may see there."""

    def __init__(self, repository: Repository, transactions: Transactions):
        self._repository = repository
        self._transactions = transactions

    async def found(self, token: str, at: int) -> Visit | tuple[Text, ...]:
        """To whom a link leads that can still be used, or why it leads to nobody (nothing: there is no such link)."""
        found = await links.found(self._repository, token, at)
        if found is None:
            return ()
        accounts = await self._repository.accounts(found.player)
        mine = next((key for key in accounts if _platform(key) == PLATFORM), None)
        if mine is None and len(accounts) >= MOST_ACCOUNTS:
            return (
                plural(
                    "At most {count} account can belong together.",
                    "At most {count} accounts can belong together.",
                    MOST_ACCOUNTS,
                ),
                Text("`account apart` unlinks one."),
            )
        summary = await self._repository.store.summary(found.match)
        homes = map(read_address, summary.places if summary else ())
        home = next((place for place in homes if place.platform == PLATFORM), Place(PLATFORM, ""))
        person = await self._repository.person(found.player)
        seat = await self._repository.person(mine) if mine else None
        return Visit(person.name, seat, replace(home, thread=found.match))

    async def spent(self, token: str, seat: Person, at: int) -> bool:
        """Spend a link: from now on the seat is an account of whoever asked for it. Returns whether it was there."""
        done = False

        async def spend() -> Effect:
            nonlocal done
            found = await links.found(self._repository, token, at)
            done = found is not None
            if found is None:
                return Effect()
            accounts = await self._repository.accounts(found.player)
            joined = linked((*accounts, seat.key)) if seat.key not in accounts else ()
            return Effect(settings=(*links.forgotten(token, accounts[0]), *joined, (seat.key, "name", seat.name)))

        await self._transactions.run(Cause(f"visit:{links.hashed(token)}", at), partial(spend))
        return done

    def met(self, who: Person) -> None:
        """Know what somebody is called who has a seat, before they write anything."""
        self._repository.meet(who)

    async def accounts(self, player: Player) -> tuple[Player, ...]:
        """All accounts of whoever sits in a seat."""
        return await self._repository.accounts(player)

    async def match(self, player: Player, number: str) -> Summary | None:
        """A match that somebody plays in and that has no place on the page; None where it is none of theirs."""
        summary = await self._repository.store.summary(number)
        if summary is None or not elsewhere(summary):
            return None
        return None if set(summary.players).isdisjoint(await self._repository.accounts(player)) else summary

    async def matches(self, player: Player) -> list[Summary]:
        """Those of somebody's matches that have no place on the page."""
        accounts = await self._repository.accounts(player)
        running = await self._repository.matches_of(accounts, "running", RUNNING)
        over = await self._repository.matches_of(accounts, "over", OVER)
        return [summary for summary in (*running, *over) if elsewhere(summary)]


def elsewhere(match: Summary) -> bool:
    """Whether a match that has begun has no place on the page."""
    begun = match.status in ("running", "over")
    return begun and all(read_address(place).platform != PLATFORM for place in match.places)


def _platform(key: str) -> str:
    return key.partition(":")[0]
