"""Tirachen as a search walks through it: its positions, turns that know their squares, captures found by themselves."""

from collections.abc import Iterator, Sequence
from functools import cache

from engine.appraisal import Packing
from engine.game import Move, Turn
from engine.games.tirachen.board import AREA, BIT, INDEX, SITES, span, squares
from engine.games.tirachen.evaluate import NEXT, ORDER, gain, is_enough
from engine.games.tirachen.generate import extra, foes_of, moves, placements, prey, turning
from engine.games.tirachen.notation import MOBILIZE
from engine.games.tirachen.position import NEUTRAL, SIDES, Position, kind_of
from engine.geometry.move_table import MoveTable, move_tables


class Line:
    """A turn; one for all nodes where it can be made, so that it is compared and hashed as what it is."""

    __slots__ = ("kind", "target", "turn")

    def __init__(self, turn: Turn) -> None:
        self.turn = turn
        self.kind = turn[0].piece
        self.target = INDEX.get(turn[0].target, -1)


class Packed(Packing[Position, Move]):
    """The positions themselves."""

    luck = False

    def turn(self, step: Line) -> Turn:
        return step.turn

    def key(self, node: Position) -> tuple[object, ...]:
        return node[:4]

    def acts(self, node: Position) -> bool:
        return SIDES[node[3]] == self.side

    def takes(self, node: Position) -> list[tuple[int, Line]]:
        board, mover = node.board, node.mover
        foes, traitor = foes_of(board, mover), prey(board, mover)
        return [
            (gain(board[line.target], line.kind), line)
            for square, targets in moves(node)
            if targets & foes
            for line in _taking(node, square, targets & foes, traitor)
        ]

    def steps(self, node: Position) -> tuple[list[tuple[int, Line]], Sequence[Line]]:
        board, mover = node.board, node.mover
        foes, traitor = foes_of(board, mover), prey(board, mover)
        taking: list[tuple[int, Line]] = []
        quiet: list[Line] = []
        for square, targets in moves(node):
            if targets & foes:
                lines = _taking(node, square, targets & foes, traitor)
                taking += [(gain(board[line.target], line.kind), line) for line in lines]
            vacant = targets & ~foes
            for part, ends in _moved(board[square], square):
                quiet += ends[vacant & part]
        brought = list(_brought(node))
        if node.mobilized[mover]:
            return taking, quiet + brought
        spots = {(line.kind, line.turn[0].target): line for line in brought}
        wanted = [spots[spot] for spot in ORDER[mover] if spot in spots][:NEXT]
        if is_enough(node) or not (wanted or quiet or taking):
            quiet.append(MOBILIZED)
        return taking, (wanted or brought[:NEXT]) + quiet

    def make(self, node: Position, step: Line) -> Position:
        return self.game.play(node, step.turn)


def _taking(node: Position, square: int, targets: int, traitor: int) -> Iterator[Line]:
    """The captures of one piece; the traitor is turned as well."""
    byte = node.board[square]
    for part, ends in _moved(byte, square):
        yield from ends[targets & part]
    if traitor >= 0 and targets & BIT[traitor]:
        turned, leaps = _turned(byte, square, traitor)
        yield turned
        leaping = extra(node, square, traitor)
        for part, ends in leaps:
            yield from ends[leaping & part]


def _brought(node: Position) -> Iterator[Line]:
    """The placements."""
    for kind, targets in placements(node):
        for part, ends in _placed(kind):
            yield from ends[targets & part]


Lines = tuple[tuple[int, MoveTable[Line]], ...]
"""Where lines end, part by part."""


def _lines(turns: dict[int, Turn]) -> Lines:
    return move_tables({end: Line(turn) for end, turn in turns.items()})


@cache
def _moved(byte: int, square: int) -> Lines:
    kind, site = kind_of(byte), SITES[square]
    return _lines({BIT[end]: (Move("move", kind, site, SITES[end]),) for end in squares(span(kind, square))})


@cache
def _placed(kind: str) -> Lines:
    return _lines({BIT[end]: (Move("place", kind, "", SITES[end]),) for end in squares(AREA[0] | AREA[1])})


@cache
def _turned(byte: int, square: int, traitor: int) -> tuple[Line, Lines]:
    """The turning of a traitor, and that with a leap after it."""
    first, site = turning(byte, square, traitor), SITES[traitor]
    ends = squares(span(kind_of(NEUTRAL), traitor))
    return Line((first,)), _lines({BIT[end]: (first, Move("move", "T", site, SITES[end])) for end in ends})


MOBILIZED = Line(MOBILIZE)
