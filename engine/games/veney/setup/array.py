"""Pieces put on the board at the start; once all stand, the starter begins."""

from dataclasses import replace
from typing import Final

from engine.board import Side
from engine.games.veney.board.squares import SQUARES
from engine.games.veney.pieces import BLACK, KINDS
from engine.games.veney.position import SIDES, Position, owed
from engine.games.veney.setup.initiative import initiative


def arrayed(position: Position, homes: list[tuple[tuple[int, int], ...]]) -> Position:
    """The position with both sides' pieces on their squares."""
    cells = bytearray(position.cells)
    for side, layout in enumerate(homes):
        for kind, at in layout:
            cells[at] = kind + BLACK * side
    return replace(position, cells=bytes(cells))


def settled(position: Position, lot: Side) -> Position:
    """Everything stands: remember the layouts for resets, and let the starter begin, by lot if one is needed."""
    layouts = []
    for side in (0, 1):
        men = [(code & 15, at) for at, code in enumerate(position.cells) if code and code >> 4 == side]
        layouts.append(",".join(f"{KINDS[kind]}@{SQUARES[at]}" for kind, at in men))
    starter = _named(position)
    to = starter if starter >= 0 else SIDES.index(lot or SIDES[0])
    terms = replace(position.terms, home=(layouts[0], layouts[1]))
    return replace(position, to=to, owed=(), pending=None, terms=terms)


def lot_is_due(position: Position) -> bool:
    """Whether only a lot can tell who begins, now that everything stands."""
    return _named(position) < 0


def _named(position: Position) -> int:
    """The side that begins by agreement or initiative; -1 if a lot is to be drawn."""
    choice, _, drawn = owed(position, "first").partition(",")
    known = SIDES.index(drawn) if drawn else -1  # until 0.2 the lot was drawn with the seats
    if choice in STARTERS:
        return STARTERS[choice]
    first = initiative(position) if choice == "initiative" else -1
    return first if first >= 0 else known


STARTERS: Final = {"white": 0, "black": 1}
