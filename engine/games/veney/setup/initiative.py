"""Who starts by the initiative of the own layout."""

from engine.games.veney.board.squares import LINE, STEP
from engine.games.veney.pieces import BLACK, E
from engine.games.veney.position import Position


def initiative(position: Position) -> int:
    """The side that starts by initiative; -1 if lots must be drawn.

    3, 2, 1 or 0 points for an engagement on the own step 8, 7, 6 or 5; then the engagement nearest the centre.
    """
    pawns = [[at for at, code in enumerate(position.cells) if code == E + BLACK * side] for side in (0, 1)]
    points = [sum(max(0, _own_step(side, at) - 5) for at in pawns[side] if _own_step(side, at) <= 8) for side in (0, 1)]
    if points[0] != points[1]:
        return int(points[1] > points[0])
    # Distances to the exact centre, squared and in half squares: whole numbers compare exactly.
    near = [
        min(((2 * LINE[at] - 3) ** 2 + (2 * STEP[at] - 17) ** 2 for at in pawns[side]), default=10**6)
        for side in (0, 1)
    ]
    return -1 if near[0] == near[1] else int(near[1] < near[0])


def _own_step(side: int, at: int) -> int:
    return STEP[at] if side == 0 else 17 - STEP[at]


def starter(position: Position, lot: int) -> int:
    """The side that starts by initiative, or by lot where that is equal."""
    first = initiative(position)
    return lot if first < 0 else first
