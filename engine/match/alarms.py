"""When the time of those whom a match waits for runs out, when they are reminded, and when it stands still."""

from dataclasses import dataclass

from engine.match.clock import DAY, NUDGE_AT, SECOND
from engine.match.state import Match

LAST_WORD = DAY
"""How long an end that could still be called out waits for the call."""
PATIENCE = 7 * DAY
"""How long, in all, time stands still in a match for players who cannot be reached; then the others may claim it."""


@dataclass(frozen=True, slots=True)
class Alarm:
    """When a match wants to be woken, and for what: `expire`, `nudge`, `flag`, `close`, `claim`."""

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
    if match.status == "open":
        return (Alarm("expire", match.expires),) if match.expires else ()
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


def time_limit(match: Match) -> int | None:
    """When the time of the awaited sides runs out if it does not stand still; None without a clock."""
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


def standing_since(match: Match) -> int | None:
    """Since when nobody's time runs because somebody awaited cannot be reached; None = it runs, or there is none."""
    if not match.unreached or match.waited >= PATIENCE:
        return None
    awaited = (match.seats[side] for side in match.sides_to_act)
    since = [match.unreached[player] for player in awaited if player in match.unreached]
    if not since or time_limit(match) is None:
        return None
    return max(min(since), match.awaited_since)


def counted(match: Match, at: int) -> Match:
    """The match with the time until an instant, in which its clock stood still, taken from nobody."""
    since = standing_since(match)
    if since is None:
        return match
    stood = max(0, at - since)
    lost = {player: max(at, since) for player, since in match.unreached.items()}
    return later(match, stood).but(waited=match.waited + stood, unreached=lost, claimable=False)


def later(match: Match, span: int) -> Match:
    """The match in which the time of those who are awaited has begun so much later."""
    return match.but(turn_started_at=match.turn_started_at + span, awaited_since=match.awaited_since + span)


def patience_left(match: Match) -> int:
    """For how many more milliseconds a match waits for those who are not told, or cannot be."""
    return max(0, PATIENCE - match.waited)


def told_late(match: Match, at: int) -> bool:
    """Whether the post that tells those who are awaited arrives so late that their time begins only then.

    A second, or a hundredth of their time where that is less, is nothing: who has days needs no event for it.
    """
    limit = time_limit(match)
    if limit is None or not patience_left(match):
        return False
    return at - match.awaited_since > min(SECOND, (limit - match.turn_started_at) // 100)
