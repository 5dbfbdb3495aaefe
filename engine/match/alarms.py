"""When the time of those whom a match waits for runs out, and when they are reminded."""

from dataclasses import dataclass

from engine.match.clock import DAY, NUDGE_AT
from engine.match.state import Match

LAST_WORD = DAY
"""How long an end that could still be called out waits for the call."""


@dataclass(frozen=True, slots=True)
class Alarm:
    """When a match wants to be woken, and for what: `nudge`, `flag`, `close`."""

    kind: str
    at: int


def deadline(match: Match) -> int | None:
    """The instant at which the awaited sides will have run out of time; None without a clock."""
    sides = match.sides_to_act
    if not sides:
        return None
    if match.ending is not None and not match.game.asks(match.position):
        return match.turn_started_at + LAST_WORD
    limit = match.game.time_limit(match.position)
    if limit is not None:
        return match.turn_started_at + limit * 1000
    if match.clock.kind == "none":
        return None
    return match.turn_started_at + min(match.time_left[side] for side in sides)


def alarms(match: Match) -> tuple[Alarm, ...]:
    """When to remind and when to stop waiting; replaced whole at every change of the match."""
    due = deadline(match)
    if due is None:
        return ()
    if match.ending is not None:
        return (Alarm("close", due),)
    nudge = match.turn_started_at + int((due - match.turn_started_at) * NUDGE_AT)
    return (Alarm("flag", due),) if match.reminded else (Alarm("nudge", nudge), Alarm("flag", due))
