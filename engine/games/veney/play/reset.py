"""The array of Veney and the reset: both sides back to their baselines with what they have left."""

from typing import Final

from engine.games.veney.board.points import START_POINT
from engine.games.veney.board.squares import NUMBER, squares
from engine.games.veney.pieces import FREE, KIND, KINDS, C, E, N
from engine.games.veney.play.working_board import WorkingBoard
from engine.games.veney.position import ABSENT, SIDES, Pending, in_tray

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


BEHIND: Final = (tuple(range(8, 12)), tuple(range(55, 51, -1)))
"""The squares one step behind each baseline, from the owner's left."""

Owed = tuple[tuple[str, str], ...]
"""What is to be settled before the game goes on."""


def lay_out(board: WorkingBoard) -> Owed:
    """Set the board up anew: pieces on it go home, the surplus fills gaps, engagements come back from reserve.

    We read: surplus pieces fill the gaps of the baseline from the owner's left; what is left over goes to reserve, or
    where its owner wants it. A Donkey, which is nobody's to line up, goes to reserve. Where the board was set up by its
    players, they do so once more with what is left; whoever moves next places first.
    """
    men: tuple[list[int], list[int]] = ([], [])
    for code in board.cells:
        if code and code != FREE:
            men[code >> 4].append(code & 15)
    for side in (0, 1):
        men[side].extend(C for _ in board.capturing(side))
        while board.draw(side, E):
            men[side].append(E)
    board.caught = 0
    for at in squares(board.taken):
        board.clear(at)
    if board.point != ABSENT:
        board.point = START_POINT
    _stable(board, men)
    anew, due = board.position.terms.anew, 1 - board.side
    if anew not in ("concealed", "turns"):
        left = [_line_up(board, side, men[side]) for side in (0, 1)]
        return tuple((f"surplus{SIDES[side]}", letters(left[side])) for side in (0, 1) if left[side])
    if anew == "turns":
        board.pending = Pending("setup", due)
    sets = tuple((f"set{SIDES[side]}", letters(men[side])) for side in (0, 1))
    return (("first", ("white", "black")[due]), *sets, *((("style", anew),) if anew == "concealed" else ()))


def letters(men: list[int]) -> str:
    """Pieces in the order of a reserve."""
    return in_tray("".join(KINDS[kind] for kind in men))


def _stable(board: WorkingBoard, men: tuple[list[int], list[int]]) -> None:
    """Put Donkeys back into reserve."""
    for side in (0, 1):
        while N in men[side]:
            men[side].remove(N)
            for owner in (0, 1) if board.position.terms.donkey.startswith("shared") else (side,):
                board.shelve(owner, N)


def _line_up(board: WorkingBoard, side: int, men: list[int]) -> list[int]:
    """Put a side's pieces home; returns those whose owner is to say where they go."""
    for kind, at in home(board.position.terms.home[side], side):
        if kind in men:
            men.remove(kind)
            board.put(side, kind, at)
    gaps = [at for at in BASELINE[side] if not board.cells[at]]
    left = []
    for kind in sorted(men):
        if kind != E and gaps:
            board.put(side, kind, gaps.pop(0))
        elif kind != E and board.position.terms.anew:
            left.append(kind)
        else:
            board.shelve(side, kind)
    return left
