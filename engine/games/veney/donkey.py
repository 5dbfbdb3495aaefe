"""The Donkey of 2.0.23: placed anywhere, it strays after every turn of its placer, and nobody may harm it."""

from typing import Final

from engine.dice import Dice
from engine.games.veney.act import Act
from engine.games.veney.field import Field
from engine.games.veney.piste import BIT, FORWARD, KING, LINE, NUMBER, SQUARES, STEP, square
from engine.games.veney.position import SIDES
from engine.games.veney.rulebook import BLACK, FREE, E, N, S

STICKS: Final = 5
_WAYS: Final = {1: (-1, 1), 2: (0, 1), 3: (1, 1), 4: (-1, -1), 5: (1, -1)}
"""Black sticks -> (to the right, forward) as the thrower sees it; with none it stays."""

OFF: Final = ""
"""Where a Donkey goes that leaves the board."""


def stray(field: Field, dice: Dice) -> tuple[Act, ...]:
    """The Donkey's own move after its placer's turn, with the sticks where there was a choice."""
    if not field.position.terms.donkey:
        return ()
    side = field.side
    at = field.cells.find(N + BLACK * side)
    if at < 0:
        return ()
    ways_out = [to for to, _, _ in KING[at] if not field.cells[to]]
    if len(ways_out) == 1:
        return (Act("stray", "N", SQUARES[at], SQUARES[ways_out[0]]),)
    sticks = "".join(SIDES[dice.roll(2)] for _ in range(STICKS))
    black = sticks.count("B")
    end = SQUARES[at]
    if black:
        right, forward = _WAYS[black]
        end = _end(field, at, right * FORWARD[side], forward * FORWARD[side])
    return (Act("stray", "N", SQUARES[at], end, luck=sticks),)


def _end(field: Field, at: int, across: int, up: int) -> str:
    """Where it ends in a direction; from a piece in its way it turns round, once."""
    for way in ((across, up), (-across, -up)):
        to = square(LINE[at] + way[0], STEP[at] + way[1])
        if to < 0:
            return OFF
        code = field.cells[to]
        if not code or code == FREE or code & 15 == E:
            return SQUARES[to]
        if code & 15 == S:
            behind = square(LINE[to] + way[0], STEP[to] + way[1])
            return SQUARES[to] if behind >= 0 and not field.cells[behind] else SQUARES[at]
    return SQUARES[at]


def moved(field: Field, act: Act, lifted: bool) -> None:
    """Carry a straying Donkey to where it went, with what stood there fended or pushed."""
    side, at = field.side, NUMBER[act.origin]
    if act.target == act.origin or not field.lift(side, N, at):
        return
    if act.target == OFF:
        shared, returns = field.position.terms.donkey.startswith("shared"), field.position.terms.donkey.endswith("+")
        for owner in (0, 1) if shared else (side,):
            (field.shelve if returns else field.scrap)(owner, N)
        return
    to = NUMBER[act.target]
    code = field.cells[to]
    if code:
        field.uncloak(to)
        field.clear(to)
        behind = square(2 * LINE[to] - LINE[at], 2 * STEP[to] - STEP[at])
        if code != FREE and code & 15 == S and behind >= 0 and not field.cells[behind]:
            field.put(code >> 4, S, behind)
        else:
            field.shelve(code >> 4 if code != FREE else 0, FREE if code == FREE else code & 15)
    field.put(side, N, to)


def placed(field: Field) -> None:
    """A shared Donkey that one side has placed is in nobody's reserve any more."""
    if field.position.terms.donkey.startswith("shared"):
        field.draw(1 - field.side, N)


def in_the_way(field: Field) -> int:
    """The squares of Donkeys, which nobody leaps over."""
    codes = (N, N + BLACK)
    return sum(BIT[at] for at, code in enumerate(field.cells) if code in codes) if field.position.terms.donkey else 0
