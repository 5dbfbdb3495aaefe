"""When the time of those whom a match waits for runs out, when they are reminded, and when it stands still."""

from dataclasses import dataclass

from engine.match.clock import NUDGE_AT
from engine.match.state import PATIENCE, Match, standing_since, time_limit


@dataclass(frozen=True, slots=True)
class Alarm:
    """When a match wants to be woken, and for what: `nudge`, `flag`, `close`, `claim`."""

    kind: str
    at: int


def deadline(match: Match) -> int | None:
    """The instant at which the awaited sides will have run out of time; None without a clock, or while it stands."""
    return None if standing_since(match) is not None else time_limit(match)


def claim_opens(match: Match) -> int | None:
    """The instant from which the match can be claimed because somebody cannot be reached; None = time runs."""
    since = standing_since(match)
    return None if since is None else since + PATIENCE - match.waited


def alarms(match: Match) -> tuple[Alarm, ...]:
    """When to remind and when to stop waiting; replaced whole at every change of the match."""
    opens = claim_opens(match)
    if opens is not None:
        return () if match.claimable else (Alarm("claim", opens),)
    due = deadline(match)
    if due is None:
        return ()
    if match.ending is not None:
        return (Alarm("close", due),)
    nudge = match.turn_started_at + int((due - match.turn_started_at) * NUDGE_AT)
    return (Alarm("flag", due),) if match.reminded else (Alarm("nudge", nudge), Alarm("flag", due))
