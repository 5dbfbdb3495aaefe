"""Tells those who want it once a day which matches wait for them, at the hour that they have chosen."""

from dataclasses import replace
from functools import partial

from bot.commands.context import Effect
from bot.messages.events.time import needed
from bot.messages.narrator import Draft, headline
from bot.messages.prompts import turn_choices
from bot.messages.showing.match_pictures import standing
from bot.notices import DIGEST, waiting_for
from bot.notices.rounds import Rounds
from bot.repository import Repository
from bot.rests.calendars import local, zone_at
from bot.service.cause import Cause
from engine.match.commands import Player
from engine.text import Text, plural, sentences

MOST_TOLD, MOST_SHOWN = 20, 9
"""Matches in one list, and boards on its sheet."""


class Digests(Rounds):
    """Tells everybody who wants it, at their hour, which matches wait."""

    failure = "daily lists cannot be told"

    async def tell(self) -> None:
        """Tell everybody whose hour has come today. Raises OSError where that cannot be stored."""
        now = self._now()
        for owner, stored in await self._repository.store.owners(DIGEST):
            hour, _, last = stored.partition(" ")
            here = local(zone_at(await self._repository.calendar(owner)), now)
            today = here.date().isoformat()
            if last == today or not hour.isdigit() or here.hour < int(hour):
                continue
            cause = Cause(f"digest:{owner}:{today}", now)
            told = partial(digest_of, self._repository, owner, f"{hour} {today}")
            await self._transactions.run(cause, told)


async def digest_of(repository: Repository, owner: Player, stored: str) -> Effect:
    """Returns the list of somebody's matches that wait for them, most urgent first, and a note that it was told."""
    settings = ((owner, DIGEST, stored),)
    waiting = await waiting_for(repository, owner)
    if not waiting:
        return Effect(settings=settings)
    names = {player: person for match in waiting for player, person in (await repository.names(match)).items()}
    first = waiting[0]
    title = plural("**{count} match waits for you.**", "**{count} matches wait for you.**", len(waiting))
    lines = ((title,), *(tuple(sentences((*headline(match, names), needed(match)))) for match in waiting[:MOST_TOLD]))
    accounts = await repository.accounts(owner)
    boards = [
        standing(match, names, next(side for side in match.sides_to_act if match.seats[side] in accounts))
        for match in waiting[:MOST_SHOWN]
    ]
    shown = boards[0] if len(boards) == 1 else replace(boards[0], sheet=tuple(boards))
    choices = tuple(replace(choice, label=NEXT) for choice in turn_choices(first))
    draft = Draft(lines, shown, choices, only=owner)
    return Effect(drafts=(draft,), settings=settings, match=first.id)


NEXT = Text("Make the next turn")
