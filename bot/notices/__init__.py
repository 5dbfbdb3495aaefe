"""Whom reminders reach, and the settings that say so."""

from collections.abc import Sequence

from bot.repository import Repository
from bot.rests.calendars import URGENT, quiet_until
from engine.match.alarms import deadline
from engine.match.commands import Player
from engine.match.state import Match

DIGEST = "digest"
"""The setting that holds the hour of somebody's daily list, and the day on which it last came."""
MUTED = "muted"
"""The setting that holds the numbers of the matches of which somebody wants no reminders."""


FOLLOWERS = "followers"
"""The setting of a match that holds who follows it without playing, a line each."""


def match_key(match: str) -> str:
    """The owner of a match's settings."""
    return f"match:{match}"


async def followers(repository: Repository, match: str) -> Sequence[Player]:
    """Returns who follows a match without playing."""
    return (await repository.setting(match_key(match), FOLLOWERS)).split()


def note_key(match: str) -> str:
    """The setting that holds somebody's note on a match."""
    return f"note {match}"


async def muted_by(repository: Repository, player: Player) -> Sequence[str]:
    """Returns the matches of which somebody wants no reminders."""
    return (await repository.setting((await repository.accounts(player))[0], MUTED)).split()


async def later_for_quiet(repository: Repository, match: Match, at: int) -> int:
    """Returns when those who are awaited can be reminded: after their quiet hours, while time allows."""
    due, later = deadline(match), at
    if due is None:
        return at
    for side in match.sides_to_act:
        later = max(later, quiet_until(await repository.calendar(match.seats[side]), later))
    return max(at, min(later, due - URGENT + 1))


async def waiting_for(repository: Repository, player: Player) -> list[Match]:
    """Returns the matches that wait for somebody, most urgent first, but for those that they have muted."""
    accounts = await repository.accounts(player)
    muted = await muted_by(repository, player)
    found = []
    for summary in await repository.matches_of(accounts, "running"):
        if summary.match in muted or set(summary.to_act).isdisjoint(accounts):
            continue
        try:
            match = await repository.match(summary.match)
        except OSError:  # damaged: the others are told
            continue
        if match is not None and any(match.seats[side] in accounts for side in match.sides_to_act):
            found.append(match)
    return sorted(found, key=lambda match: deadline(match) or 1 << 60)
