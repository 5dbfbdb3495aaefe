"""Pieces put on the board at the start; once all stand, whoever is to begin begins."""

from dataclasses import replace

from engine.games.veney.board.squares import SQUARES
from engine.games.veney.pieces import BLACK, KINDS
from engine.games.veney.position import SIDES, Position, owed
from engine.games.veney.setup.hands import HIDER, owing
from engine.games.veney.setup.initiative import initiative, starter


def arrayed(position: Position, homes: list[tuple[tuple[int, int], ...]]) -> Position:
    """The position with both sides' pieces on their squares."""
    cells = bytearray(position.cells)
    for side, layout in enumerate(homes):
        for kind, at in layout:
            cells[at] = kind + BLACK * side
    return replace(position, cells=bytes(cells))


def undecided(position: Position) -> bool:
    """Whether the lot says who begins, now that everything stands: nobody knows it before."""
    choice, _, drawn = owed(position, "first").partition(",")
    return not drawn and (choice == "lot" or (choice == "initiative" and initiative(position) < 0))


def unplaced(position: Position, side: int) -> str:
    """The pieces of a set that do not stand yet."""
    left = list(owed(position, "set" + SIDES[side]))
    for code in position.cells:
        if code and code >> 4 == side and KINDS[code & 15] in left:
            left.remove(KINDS[code & 15])
    return "".join(left)


def settled(position: Position, lot: int = 0) -> Position:
    """Everything stands: remember the layouts for resets, and let the starter begin; `lot`: whom the lot names."""
    layouts = []
    for side in (0, 1):
        men = [(code & 15, at) for at, code in enumerate(position.cells) if code and code >> 4 == side]
        layouts.append(",".join(f"{KINDS[kind]}@{SQUARES[at]}" for kind, at in men))
    choice, _, drawn = owed(position, "first").partition(",")
    lot = SIDES.index(drawn) if drawn else lot  # matches of 0.2 drew it before
    to = {"white": 0, "black": 1, "lot": lot, "hands": HIDER}.get(choice, -1)
    terms = replace(position.terms, home=(layouts[0], layouts[1]))
    left = [(f"surplus{letter}", unplaced(position, side)) for side, letter in enumerate(SIDES)]
    surplus = tuple((what, pieces) for what, pieces in left if pieces)
    position = replace(position, owed=surplus + owing() * (choice == "hands"), pending=None, terms=terms)
    return replace(position, to=to if to >= 0 else starter(position, lot))
