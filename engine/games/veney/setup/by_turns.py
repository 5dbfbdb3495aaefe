"""The setup in which the sides put down one piece a turn."""

from dataclasses import replace

from engine.dice import Dice
from engine.games.veney.action import Action, Turn
from engine.games.veney.board.squares import BIT, LINE, MEASURES, NUMBER, SQUARES
from engine.games.veney.pieces import BLACK, KIND, NAMES, E
from engine.games.veney.play.reset import BASELINE
from engine.games.veney.position import SIDES, Pending, Position
from engine.games.veney.setup.array import settled, undecided, unplaced
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
    left = unplaced(position, side)
    room = sum(not position.cells[at] for at in BASELINE[side])
    if room == 1 and "S" in left:
        return "S" + "e" * left.count("e")  # one place is the Self's
    return left if room else "e" * left.count("e")


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


def placed(position: Position, turn: Turn) -> Position:
    """In a setup by turns: one piece put down, and the other side's turn to place; after the last, somebody begins."""
    if not turn:
        return position
    side = position.to
    position = _with(position, turn[0])
    due = 1 - side if waiting(position, 1 - side) else side
    if not waiting(position, due):
        return settled(position, SIDES.index(turn[0].luck) if turn[0].luck else 0)
    return replace(position, to=due, pending=Pending("setup", due))


def drawn(position: Position, turn: Turn, dice: Dice) -> Turn:
    """In a setup by turns: the last piece with the lot, if that says who begins."""
    after = _with(position, turn[0])
    if any(waiting(after, side) for side in (0, 1)) or not undecided(after):
        return turn
    return (replace(turn[0], luck=SIDES[dice.roll(2)]),)


def _with(position: Position, action: Action) -> Position:
    cells = bytearray(position.cells)
    cells[NUMBER[action.target]] = KIND[action.piece] + BLACK * position.to
    return replace(position, cells=bytes(cells))
