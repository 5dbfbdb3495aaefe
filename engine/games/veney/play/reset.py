"""The array of Veney and the reset: both sides back to their baselines with what they have left."""

from typing import Final

from engine.games.veney.board.points import START_POINT
from engine.games.veney.board.squares import NUMBER, squares
from engine.games.veney.pieces import FREE, KIND, C, E, N
from engine.games.veney.play.working_board import WorkingBoard
from engine.games.veney.position import ABSENT

WHITE_HOME: Final = "C@W4,$@X4,S@Y4,B@Z4,e@W5,e@X5,e@Y5,e@Z5"

BLACK_HOME: Final = "C@Z13,$@Y13,S@X13,B@W13,e@Z12,e@Y12,e@X12,e@W12"

STANDARD_HOME: Final = (WHITE_HOME, BLACK_HOME)
"""Each player from the own left: Cloak, Sword, Self, Balance, behind a row of engagements."""

BASELINE: Final = (tuple(range(12, 16)), tuple(range(51, 47, -1)))
"""The squares of each baseline from the owner's left."""


def home(layout: str, side: int) -> tuple[tuple[int, int], ...]:
    """A side's starting squares as (kind, square)."""
    words = (layout or STANDARD_HOME[side]).split(",")
    return tuple((KIND[word[0]], NUMBER[word[2:]]) for word in words)


def lay_out(board: WorkingBoard) -> None:
    """Set the board up anew: pieces on it go home, the surplus fills gaps, engagements come back from reserve.

    We read: surplus pieces fill the gaps of the baseline from the owner's left; what is left over goes to reserve.
    So does a Donkey, which is nobody's to line up.
    """
    men: tuple[list[int], list[int]] = ([], [])
    for code in board.cells:
        if code and code != FREE:
            men[code >> 4].append(code & 15)
    for side in (0, 1):
        men[side].extend(C for _ in board.capturing(side))
    board.caught = 0
    for at in squares(board.taken):
        board.clear(at)
    for side in (0, 1):
        _line_up(board, side, men[side])
    if board.point != ABSENT:
        board.point = START_POINT


def _line_up(board: WorkingBoard, side: int, men: list[int]) -> None:
    while board.draw(side, E):
        men.append(E)
    for kind, at in home(board.position.terms.home[side], side):
        if kind in men:
            men.remove(kind)
            board.put(side, kind, at)
    gaps = [at for at in BASELINE[side] if not board.cells[at]]
    for kind in sorted(men):
        if kind not in (E, N) and gaps:
            board.put(side, kind, gaps.pop(0))
        elif kind == N and board.position.terms.donkey.startswith("shared"):
            board.shelve(0, N)
            board.shelve(1, N)
        else:
            board.shelve(side, kind)
