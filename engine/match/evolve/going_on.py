"""How a match goes on after something has happened on its board."""

from typing import Any

from engine.game import Outcome
from engine.match.state import Match, has_turn

PRICE = "p"
"""Marks the luck of what a call costs."""


def moved_on(match: Match, position: Any, at: int) -> Match:
    """The match in a position that no turn led to; nothing before it can be taken back or called out."""
    assert position is not None
    assert not isinstance(position, Outcome), "a draw that ends the match is Ended"
    closed = len(match.plies)
    moved = match.but(position=position, call_window_start=closed, departed=(), takeback_floor=closed)
    return resume(moved.but(offers=(), contest=None), at)


def resume(match: Match, at: int) -> Match:
    """The clock runs for whoever is awaited now."""
    resumed = match.but(
        turn_started_at=at, awaited_since=at, awaits=match.length + 1, reminded=False, acknowledged=frozenset()
    )
    owing = [side for side in resumed.sides_to_act if resumed.time_owed.get(side)] if resumed.time_owed else []
    if len(owing) != 1 or not has_turn(resumed, owing[0]):
        return resumed
    (side,) = owing
    started = at - resumed.time_owed[side]
    return resumed.but(turn_started_at=started, time_owed={**resumed.time_owed, side: 0})
