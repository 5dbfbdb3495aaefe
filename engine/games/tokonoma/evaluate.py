"""How well a side stands in Tokonoma: its pieces, how far its Flats have come, and what a turn takes."""

from collections.abc import Mapping
from functools import lru_cache

from engine.board import Side
from engine.game import Turn
from engine.games.tokonoma.attack import put, struck
from engine.games.tokonoma.board import FORWARD, HOUSES, OPPONENT, PLACES
from engine.games.tokonoma.position import Army, Position, indices, lone_flats, occupied

PIECES = (100, 160, 170, 200)
"""A Flat, an Arm, a Blind, a Star."""
ALONE, COVERED = 3, 1
"""What the square of a Flat's progress, in tiles, is worth."""
ENTERED = 10_000


def evaluate(position: Position, side: Side) -> int:
    """Own points less the other side's."""
    other = OPPONENT[side]
    own, enemy = (position.white, position.black) if side == "W" else (position.black, position.white)
    return points(own, side) - points(enemy, other)


def promise(position: Position, turn: Turn) -> int:
    """What the attack after a move empties, or the house that it enters."""
    own, enemy = position.armies()
    for move in turn:
        if move.piece == "F" and move.target == HOUSES[OPPONENT[position.to_move]]:
            return ENTERED
        own = put(own, move)
    hit = struck(own, position.to_move) & occupied(enemy)
    if not hit:
        return 0
    return sum(worth * (standing & hit).bit_count() for worth, standing in zip(PIECES, enemy, strict=True))


def points(army: Army, side: Side) -> int:
    """What a side's army is worth."""
    flats, arms, blinds, stars = army
    alone = lone_flats(army)
    flat, arm, blind, star = PIECES
    pieces = flat * flats.bit_count() + arm * arms.bit_count() + blind * blinds.bit_count() + star * stars.bit_count()
    return pieces + ALONE * _advanced(alone, side) + COVERED * _advanced(flats & ~alone, side)


@lru_cache(maxsize=1 << 12)
def _advanced(flats: int, side: Side) -> int:
    """The squares of these Flats' progress, added up."""
    way = PROGRESS[side]
    return sum([way[index] for index in indices(flats)])


def _progress(side: Side) -> tuple[int, ...]:
    start = PLACES[HOUSES[side]][0]
    return tuple((FORWARD[side] * (across - start)) ** 2 // 4 for across, _ in PLACES.values())


PROGRESS: Mapping[Side, tuple[int, ...]] = {side: _progress(side) for side in HOUSES}
"""By side, of each tile: the square of how many tiles it lies in front of the own house."""
