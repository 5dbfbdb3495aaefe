"""People and what they have settled, at hand: names, accounts, matches and calendars."""

from collections import OrderedDict
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import TypeVar

from bot.messages.model import FORMER, FORMER_NAME, Person
from bot.rests.calendars import Calendar
from engine.match.commands import Player
from engine.match.state import Match
from storage.store import Store, Summary

REMEMBERED = 2_000
"""Settings kept in memory."""
MOST = 500
"""Matches of one person that are looked through at once: nobody's list makes others wait."""
CALENDAR = ("zone", "vacations", "quiet")
"""The settings that hold somebody's calendar."""
CALENDAR_AND_AUTO = (*CALENDAR, "auto vacation")
"""The same, and whether a vacation begins by itself."""

K = TypeVar("K")
V = TypeVar("V")


class People:
    """Read-only: what it remembers is a copy of what is committed."""

    def __init__(self, store: Store) -> None:
        self.store = store
        self._settings: OrderedDict[tuple[str, str], str] = OrderedDict()
        self._met: OrderedDict[Player, str] = OrderedDict()

    async def setting(self, owner: str, key: str) -> str:
        """Returns a setting or a name, "" if it was never set."""
        settings, name = self._settings, (owner, key)  # what is forgotten meanwhile is not remembered again
        if (known := settings.get(name)) is None:
            asked = await self.store.setting(owner, key)
            if (known := settings.get(name)) is None:
                return put(settings, name, asked)
        return known

    async def settled(self, owner: str, keys: Sequence[str]) -> list[str]:
        """Returns several settings of one owner: those at hand without a coroutine for each, as nearly all are."""
        known = [self._settings.get((owner, key)) for key in keys]
        return [await self.setting(owner, key) if one is None else one for key, one in zip(keys, known, strict=True)]

    async def calendar(self, player: Player) -> Calendar:
        """Returns what a person has settled about their time."""
        zone, vacations, quiet, auto = await self.settled((await self.accounts(player))[0], CALENDAR_AND_AUTO)
        return Calendar(zone, vacations, quiet, auto == "on")

    async def accounts(self, player: Player) -> tuple[Player, ...]:
        """Returns all accounts of the person behind one; most people have one. The first owns their settings."""
        known = self._settings.get((player, "accounts"))
        if known is None:
            known = await self.setting(player, "accounts")
        return tuple(known.splitlines()) if known else (player,)

    async def plays(self, player: Player, number: str) -> bool:
        """Returns whether somebody takes part in a match."""
        summary = await self.store.summary(number)
        return summary is not None and not set(summary.players).isdisjoint(await self.accounts(player))

    async def on(self, platform: str, person: Person) -> Person:
        """Returns a person by their account on a platform, if they have one there."""
        if person.platform == platform:
            return person
        keys = await self.accounts(person.key)
        here = next((key for key in keys if key.partition(":")[0] == platform), None)
        return person if here is None else replace(await self.person(here), name=person.name)

    async def account_on(self, platform: str, player: Player) -> Person:
        """Returns the person behind a player's key, by their account on a platform if they have one there."""
        return await self.on(platform, await self.person(player))

    async def matches_of(self, accounts: tuple[Player, ...], status: str = "", limit: int = MOST) -> list[Summary]:
        """Returns the latest matches of these accounts, most recently changed first."""
        pages = [await self.store.matches(player=key, status=status, limit=limit) for key in accounts]
        found = [match for page in pages for match in page]
        if len(accounts) > 1:
            found = sorted({match.match: match for match in found}.values(), key=lambda match: -match.updated)
        return found[:limit]

    async def person(self, player: Player) -> Person:
        """Returns the person behind a player's key, by the name last seen."""
        platform, _, number = player.partition(":")
        if platform == FORMER:
            return Person(platform, number, FORMER_NAME)
        name = self._settings.get((player, "name"))
        if name is None:
            name = await self.setting(player, "name")
        return Person(platform, number, name or self._met.get(player) or number)

    def meet(self, who: Person) -> None:
        """Know the name of somebody of whom none is kept yet: who writes for the first time, or has only sat down."""
        put(self._met, who.key, who.name)

    async def names(self, match: Match | None, who: Person | None = None) -> Mapping[Player, Person]:
        """Returns everybody who takes part in a match."""
        known = {player: await self.person(player) for player in (match.parties if match else ())}
        return known | ({who.key: who} if who else {})


def put(cache: OrderedDict[K, V], key: K, value: V) -> V:
    """Put a value in front; what was not asked for longest falls out."""
    cache[key] = value
    cache.move_to_end(key)
    if len(cache) > REMEMBERED:
        cache.popitem(last=False)
    return value
