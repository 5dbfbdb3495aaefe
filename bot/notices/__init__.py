"""Whom reminders reach, and the settings that say so."""

from collections.abc import Sequence

from bot.repository import Repository
from engine.match.commands import Player

DIGEST = "digest"
"""The setting that holds the hour of somebody's daily list, and the day on which it last came."""
MUTED = "muted"
"""The setting that holds the numbers of the matches of which somebody wants no reminders."""


def note_key(match: str) -> str:
    """The setting that holds somebody's note on a match."""
    return f"note {match}"


async def muted_by(repository: Repository, player: Player) -> Sequence[str]:
    """Returns the matches of which somebody wants no reminders."""
    return (await repository.setting((await repository.accounts(player))[0], MUTED)).split()
