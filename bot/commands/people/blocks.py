"""Whom somebody does not want to hear from: `block`."""

from collections.abc import Sequence
from dataclasses import replace

from bot.commands.context import Context, Effect, whisper
from bot.commands.parser import NAME, player_named
from bot.commands.spec import BY_NAME
from bot.messages.model import PARTNER
from bot.repository import Repository
from engine.match.commands import Player
from engine.match.events import Refusal
from engine.text import Listing, Text

BLOCKED = "blocked"
"""The setting that lists whom somebody has blocked, a line for an account."""
MOST_BLOCKED = 200
OFF = ("off", "none")


async def has_blocked(repository: Repository, one: Player, other: Sequence[Player]) -> bool:
    """Returns whether somebody has blocked a person, by any account of either."""
    for player in (await repository.setting((await repository.accounts(one))[0], BLOCKED)).splitlines():
        if not set(await repository.accounts(player)).isdisjoint(other):
            return True
    return False


async def blocked_by(repository: Repository, accounts: Sequence[Player], others: Sequence[Player]) -> Player | None:
    """Returns the first of these others who has blocked the person with these accounts."""
    for other in others:
        if other not in accounts and await has_blocked(repository, other, accounts):
            return other
    return None


async def not_wanted(repository: Repository, player: Player) -> Refusal:
    """Returns why nothing can be proposed to somebody who has blocked one."""
    person = await repository.person(player)
    return Refusal(Text("{player} takes no proposals from you.", player=person), Text("Matches under way go on."))


async def block(repository: Repository, context: Context) -> Effect:
    """Blocks somebody, or no longer; alone, lists whom the author has blocked."""
    message, words, owner = context.message, context.parsed.words, context.accounts[0]
    known = (await repository.setting(owner, BLOCKED)).splitlines()
    if not words:
        people = tuple([await repository.person(player) for player in known])
        if not people:
            return whisper(message, Text("You have blocked nobody."), EXAMPLE)
        return whisper(message, Text("You have blocked {people}.", people=Listing(people)), UNDO)
    name = words[0].removeprefix("@")
    if not words[0].startswith("@") or not NAME.fullmatch(name):
        return whisper(message, Text("Say whom: `{example}`.", example=BY_NAME["block"].example))
    player = player_named(name, message.who.platform)
    if player in context.accounts or player == PARTNER:
        return whisper(message, Text("You cannot block yourself or Riposte."), EXAMPLE)
    accounts, person = await repository.accounts(player), await repository.person(player)
    kept = [one for one in known if one not in accounts]
    if len(words) > 1 and words[1].lower() in OFF:
        told = Text("{player} may challenge you again.", player=person)
        return replace(whisper(message, told), settings=((owner, BLOCKED, "\n".join(kept)),))
    listed = "\n".join((*kept[1 - MOST_BLOCKED :], player))
    told = Text("{player} can neither challenge you nor offer you anything any more.", player=person)
    return replace(
        whisper(message, told, Text("Matches that you two play go on."), UNDO), settings=((owner, BLOCKED, listed),)
    )


EXAMPLE = Text("For example: `block @ben`.")
UNDO = Text("`block @name off` undoes it.")
