"""How reminders of a match reach people: how often, and where, as each has settled by `quiet` and `mute`."""

from collections.abc import Mapping
from dataclasses import replace
from typing import Final

from bot.messages.narrator import Draft
from bot.notices import muted_by
from bot.repository import Repository
from engine.match.alarms import reminders
from engine.match.commands import Player
from engine.match.state import Match

OFTEN: Final = "reminders"
"""The setting that says which reminders ring somebody: `last` of a turn, `never`; "" = all."""
WHERE: Final = "reminded"
"""The setting that says where: `private`; "" = where the match is played."""
USUAL: Final[Mapping[str, str]] = {"all": OFTEN, "open": WHERE}
"""The words that restore what is usual, and the setting that they restore."""
WORDS: Final[Mapping[str, str]] = {"last": OFTEN, "never": OFTEN, "private": WHERE}
"""The words that settle something else, and the setting that each is a value of."""


async def addressed(repository: Repository, drafts: tuple[Draft, ...], match: Match) -> tuple[Draft, ...]:
    """Returns a reminder as those hear it who want it; `match` as it stands after it."""
    last = not reminders(match)[match.reminded :]
    told: list[Draft] = []
    for draft in drafts:
        rings = tuple([player for player in draft.rings if await _wanted(repository, player, match, last=last)])
        alone = tuple([player for player in rings if await _setting(repository, player, WHERE)])
        # Should no private message reach them, it is told where the match is played: nothing in it is a secret.
        told += [replace(draft, rings=(player,), only=player, harmless=True) for player in alone]
        if others := tuple(player for player in rings if player not in alone):
            told.append(replace(draft, rings=others))
    return tuple(told)


async def _wanted(repository: Repository, player: Player, match: Match, *, last: bool) -> bool:
    often = await _setting(repository, player, OFTEN)
    return often != "never" and (last or often != "last") and match.id not in await muted_by(repository, player)


async def _setting(repository: Repository, player: Player, key: str) -> str:
    return await repository.setting((await repository.accounts(player))[0], key)
