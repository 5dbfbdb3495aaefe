"""Pieces put on the board at the start; once all stand, the starter begins."""

from dataclasses import replace

from engine.games.veney.board.squares import SQUARES
from engine.games.veney.pieces import BLACK, KINDS
from engine.games.veney.position import SIDES, Position, owed
from engine.games.veney.setup.initiative import starter


def arrayed(position: Position, homes: list[tuple[tuple[int, int], ...]]) -> Position:
    """The position with both sides' pieces on their squares."""
    cells = bytearray(position.cells)
    for side, layout in enumerate(homes):
        for kind, at in layout:
            cells[at] = kind + BLACK * side
    return replace(position, cells=bytes(cells))


def settled(position: Position) -> Position:
    """Everything stands: remember the layouts for resets, and let the starter begin."""
    layouts = []
    for side in (0, 1):
        men = [(code & 15, at) for at, code in enumerate(position.cells) if code and code >> 4 == side]
        layouts.append(",".join(f"{KINDS[kind]}@{SQUARES[at]}" for kind, at in men))
    choice, _, lot = owed(position, "first").partition(",")
    number = SIDES.index(lot)
    to = {"white": 0, "black": 1, "lot": number}.get(choice, -1)
    terms = replace(position.terms, home=(layouts[0], layouts[1]))
    position = replace(position, owed=(), pending=None, terms=terms)
    return replace(position, to=to if to >= 0 else starter(position, number))
