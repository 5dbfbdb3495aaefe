"""Private matches: whether somebody may know of one."""

from collections.abc import Sequence

from bot.commands.people.roles import communities_of, has_role
from bot.messages.model import Place
from bot.messages.serialization import channel_address
from bot.repository import Repository
from engine.match.commands import Player
from engine.match.state import Match


async def is_hidden(repository: Repository, match: Match | None, accounts: Sequence[Player], where: Place) -> bool:
    """Returns whether a match must be treated as unknown to somebody in a place.

    Those who play in a private match know of it everywhere, everybody where it is played, and its arbiters.
    """
    if match is None or not match.private or channel_address(where) in match.places:
        return False
    for player in match.parties:
        if not set(await repository.accounts(player)).isdisjoint(accounts):
            return False
    return not await has_role(repository, "arbiter", await communities_of(repository, match), accounts)
