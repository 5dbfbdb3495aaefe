"""The setup in which the sides put down one piece a turn."""

from dataclasses import replace

from engine.board import Side
from engine.games.veney.board.squares import BIT, LINE, MEASURES, SQUARES
from engine.games.veney.pieces import BLACK, KIND, KINDS, NAMES, E
from engine.games.veney.play.reset import BASELINE
from engine.games.veney.position import SIDES, Pending, Position, owed
from engine.games.veney.setup.array import lot_is_due, settled
from engine.text import Listing, Text


def allowed(position: Position, side: int, letter: str) -> tuple[int, ...]:
    """In a setup by turns: where a piece may be placed now."""
    cells = position.cells
    if letter != "e":
        return tuple(at for at in BASELINE[side] if not cells[at])
    used = {LINE[at] for at, code in enumerate(cells) if code == E + BLACK * side}
    second = MEASURES[2] if side == 0 else MEASURES[3]
    return tuple(at for at in range(64) if second & BIT[at] and LINE[at] not in used)


def waiting(position: Position, side: int) -> str:
    """In a setup by turns: the pieces a side has yet to place."""
    left = list(owed(position, "set" + SIDES[side]))
    for code in position.cells:
        if code and code >> 4 == side:
            left.remove(KINDS[code & 15])
    return "".join(left)


def example(position: Position) -> str:
    """The first piece that is left, on the first square for it."""
    letter = waiting(position, position.to)[0]
    return f"{letter}*{SQUARES[allowed(position, position.to, letter)[0]]}"


def duty(position: Position) -> Text:
    """In a setup by turns: what is left to place, with an example."""
    left = tuple(dict.fromkeys(waiting(position, position.to)))
    return Text(
        "Place one of your pieces ({pieces}), like `{example}`.",
        pieces=Listing(tuple(NAMES[letter] for letter in left), "unit"),
        example=example(position),
    )


def placed(position: Position, letter: str, at: int, lot: Side = "") -> Position:
    """In a setup by turns: one piece put down, and the other side's turn to place; after the last the game begins."""
    standing = _put(position, letter, at)
    side = position.to
    due = 1 - side if waiting(standing, 1 - side) else side
    if not waiting(standing, due):
        return settled(standing, lot)
    return replace(standing, to=due, pending=Pending("setup", due))


def awaits_lot(position: Position, letter: str, at: int) -> bool:
    """In a setup by turns: whether a lot is to be drawn once this piece, the last one, is put down."""
    standing = _put(position, letter, at)
    return not (waiting(standing, 0) or waiting(standing, 1)) and lot_is_due(standing)


def _put(position: Position, letter: str, at: int) -> Position:
    side = position.to
    cells = bytearray(position.cells)
    cells[at] = KIND[letter] + BLACK * side
    return replace(position, cells=bytes(cells))
