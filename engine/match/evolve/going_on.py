"""How a match goes on after something has happened on its board."""

from typing import Any, Literal

from engine.board import Side
from engine.game import Outcome
from engine.match.state import Match, Payment, has_turn

PRICE = "p"
"""Marks the luck of what a call costs."""


def moved_on(match: Match, position: Any, at: int) -> Match:
    """The match in a position that no turn led to; nothing before it can be taken back or called out."""
    assert position is not None
    assert not isinstance(position, Outcome), "a draw that ends the match is Ended"
    closed = len(match.plies)
    moved = match.but(position=position, call_window_start=closed, departed=(), takeback_floor=closed)
    return resume(moved.but(offers=(), contest=None), at)


def resume(match: Match, at: int, events: int = 1, **changes: Any) -> Match:
    """The clock runs for whoever is awaited now, after so many events; `changes` are what else has changed."""
    resumed = match.but(
        turn_started_at=at,
        runs_since=at,
        awaited_since=at,
        awaits=match.length + events,
        rests={},
        pauses=tuple(pause for pause in match.pauses if pause[1] > at),
        reminded=0,
        overrun=False,
        claimed_by="",
        acknowledged=frozenset(),
        **changes,
    )
    owing = [side for side in resumed.sides_to_act if resumed.time_owed.get(side)] if resumed.time_owed else []
    if len(owing) != 1 or not has_turn(resumed, owing[0]):
        return resumed
    (side,) = owing
    started = at - resumed.time_owed[side]
    resumed = paid(resumed, side, "time", resumed.time_owed[side])
    return resumed.but(turn_started_at=started, time_owed={**resumed.time_owed, side: 0})


def paid(match: Match, side: Side, of: Literal["turn", "time"], amount: int) -> Match:
    """The match in which a side has paid turns or milliseconds for wrong calls, now."""
    return match.but(paid=(*match.paid, Payment(_last(match), side, of, amount))) if amount else match


def restored(match: Match) -> Match:
    """The match with its line of play cut short, in which what was paid behind the cut is owed once more."""
    last = _last(match)
    undone = [payment for payment in match.paid if payment.after > last]
    match = match.but(paid=tuple(payment for payment in match.paid if payment.after <= last)) if undone else match
    for payment in undone:
        if payment.of == "time":
            match = shortened(match, payment.side, payment.amount)
        else:
            owed = match.turns_owed.get(payment.side, 0) + payment.amount
            match = match.but(turns_owed={**match.turns_owed, payment.side: owed})
    return match


def _last(match: Match) -> int:
    return match.plies[-1].number if match.plies else 0


def shortened(match: Match, side: Side, span: int) -> Match:
    """The match with so much less time for a side's next turns (less than nothing: more)."""
    if not span:
        return match
    if match.clock.kind == "turn":  # each turn has its own time: the next one is shorter
        return match.but(time_owed={**match.time_owed, side: match.time_owed.get(side, 0) + span})
    left = max(0, match.time_left[side] - span)
    if match.clock.kind == "hourglass":  # there is no more sand than that
        left = min(left, match.clock.base)
    return match.but(time_left={**match.time_left, side: left})
