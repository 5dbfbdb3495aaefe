"""When the time of those who are awaited runs out, when they are reminded, and when it stands still."""

from collections.abc import Mapping

from engine.board import Side
from engine.match.clock import DAY, NUDGES, SECOND
from engine.match.rests import Span, merged, ran, reached
from engine.match.state import Match
from engine.value import value

LAST_WORD = DAY
"""How long an end that could still be called out waits for the call."""
PATIENCE = 7 * DAY
"""How long, in all, time stands still in a match for players who cannot be reached; then the others may claim it."""
UNCLAIMED = 30 * DAY
"""How long a player may still act after the match can be claimed from them, or, without a clock, was claimed."""


@value(frozen=True, slots=True)
class Alarm:
    """When a match wants to be woken, and for what: `expire`, `nudge`, `overrun`, `flag`, `close`, `claim`."""

    kind: str
    at: int


def deadline(match: Match) -> int | None:
    """The instant at which the awaited sides will have run out of time; None without a clock, or while it stands."""
    return time_limit(match) if not match.unreached or standing_since(match) is None else None


def claim_opens(match: Match) -> int | None:
    """The instant from which the match can be claimed because somebody cannot be reached; None = time runs."""
    since = standing_since(match)
    return None if since is None else since + PATIENCE - match.waited


def unclaimed(match: Match) -> int | None:
    """The instant at which a match ends that nobody has claimed of those who cannot be reached; None = time runs."""
    opens = claim_opens(match)
    return None if opens is None else opens + UNCLAIMED


def alarms(match: Match) -> tuple[Alarm, ...]:
    """When to remind and when to stop waiting; replaced whole at every change of the match."""
    if match.status == "open":
        return (Alarm("expire", match.expires),) if match.expires else ()
    opens = claim_opens(match)
    if opens is not None:
        return (Alarm("flag", opens + UNCLAIMED) if match.claimable else Alarm("claim", opens),)
    due = deadline(match)
    if due is None:
        return ()
    if match.ending is not None:
        return (Alarm("close", due),)
    left = () if match.overrun else reminders(match)[match.reminded :]
    nudge = tuple(Alarm("nudge", at) for at in left[:1])
    if not waits_for_claim(match):
        return (*nudge, Alarm("flag", due))
    over = () if match.overrun else (Alarm("overrun", due + 1),)
    return (*nudge, *over, Alarm("flag", due + UNCLAIMED))


def reminders(match: Match) -> tuple[int, ...]:
    """When those who are awaited are reminded: after given shares of the time of who has the least left."""
    allowed = _allowed(match)
    side = min(allowed, key=limits_of(match).__getitem__)
    shares = NUDGES if allowed[side] >= DAY else NUDGES[1:2]
    return tuple(_reached(match, side, int(allowed[side] * share)) for share in shares)


def waits_for_claim(match: Match) -> bool:
    """Whether time that has run out ends the match only when the opponents claim it."""
    by_clock = match.clock.kind != "none" and match.game.time_limit(match.position) is None
    return match.terms.get("timeout") == "claim" and by_clock and match.ending is None


def time_limit(match: Match) -> int | None:
    """When the time of the awaited sides runs out if it does not stand still; None without a clock."""
    known: dict[str, int | None] = vars(match)
    if "limit" not in known:
        limits = limits_of(match).values()
        known["limit"] = (max if match.ending is not None else min)(limits) if limits else None
    return known["limit"]


def limits_of(match: Match) -> Mapping[Side, int]:
    """When the time of each awaited side runs out; worked out once for each match."""
    known: Mapping[Side, int] | None = vars(match).get("limits")
    if known is None:
        known = {side: _reached(match, side, allowed) for side, allowed in _allowed(match).items()}
        vars(match)["limits"] = known
    return known


def resting(match: Match, side: Side) -> tuple[Span, ...]:
    """When a side's time rests: its player's weekends and vacation, and pauses."""
    own = match.rests.get(match.seats[side], ())
    return merged((*own, *match.pauses), match.runs_since) if own or match.pauses else ()


def used(match: Match, side: Side, at: int) -> int:
    """How much of its time a side has used for the turn that it is awaited for."""
    return ran(match.runs_since, at, resting(match, side)) - (match.turn_started_at - match.runs_since)


def _allowed(match: Match) -> dict[Side, int]:
    """How much time each awaited side has from when its time began; empty = any amount."""
    sides = match.sides_to_act
    if match.ending is not None and not match.game.asks(match.position):
        return dict.fromkeys(sides, LAST_WORD)
    limit = match.game.time_limit(match.position) if sides else None
    if limit is not None:
        return dict.fromkeys(sides, limit * 1000)
    if match.clock.kind == "none":
        return dict.fromkeys(sides, UNCLAIMED) if match.claimed_by else {}
    return {side: match.time_left[side] for side in sides}


def _reached(match: Match, side: Side, amount: int) -> int:
    ahead = match.turn_started_at - match.runs_since  # what was given or lost since
    return reached(match.runs_since, amount + ahead, resting(match, side))


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
