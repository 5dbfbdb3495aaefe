"""The position of a game of Veney, frozen."""

import re
from dataclasses import field
from functools import lru_cache
from typing import Final

from engine.board import Side
from engine.games.veney.board.squares import BIT, NUMBER
from engine.games.veney.pieces import BLACK, FREE, KINDS, PIECE, TRAY, C, S
from engine.value import value

SIDES: Final = ("W", "B")

ABSENT: Final = -2

IN_PLAY: Final = -1

SOMEWHERE: Final = (-1, -1)
"""Of Shima: neither the caster nor the cast-square matters."""


@value(frozen=True, slots=True)
class Terms:
    """What the players agreed on that the rules must know during the game."""

    retreats: tuple[int, int] = (1, 1)
    """Allowed to White and to Black; -1 = unlimited."""
    formal: bool = False
    off: frozenset[str] = frozenset()
    """Devices that are not played."""
    support: bool = False
    """House term: a Dagger counts as the second attacker of a disarm."""
    uniform: bool = False
    """House term: a cast piece lands on any square of the measure, with no miss."""
    castmark: bool = False
    """Cast-squares stay marked on the board."""
    throw: str = "sticks"
    touch: tuple[str, str] = ("", "")
    """Further pieces of White and of Black that touch the Self (the Illusionist's)."""
    cap: tuple[int, int] = (0, 0)
    """How many Daggers White and Black may have on the board; 0 = no limit."""
    home: tuple[str, str] = ("", "")
    """White's and Black's own layout, as piece@square joined by commas; "" = the standard array."""
    dying: int = 24 * 3600
    """Seconds for a dying turn."""
    hug: bool = False
    abcd: bool = False
    """The lines are called A to D."""
    reset: bool = True
    """Whether both may agree to reset the board for an untenable turn of long ago."""
    anew: str = ""
    """How a board that is reset is set up: `ask` where surplus pieces go, or `concealed` or `turns` once more.

    Where nothing is said (given cases, older matches) own layouts are used again, and surplus goes to reserve.
    """
    asked: bool = False
    """Before a throw in the glare the opponent is asked; where nobody can be (given cases) it is barred."""
    donkey: str = ""
    nocontest: int = 0
    """Quiet turns of each side after which a draw is one for want of a contest; 0 = they are not counted."""


STANDARD: Final = Terms()


@value(frozen=True, slots=True)
class Intent:
    """An intention as announced."""

    text: str
    """Its notation without the sign, halves joined by "_"."""
    kind: int
    target: int
    moved: bool = False
    """The target has left its square since."""


@value(frozen=True, slots=True)
class Pending:
    """What one side still has to settle before the game goes on."""

    what: str
    """ "distraction" or "chaos": where Self and blade go; "throw": whether a throw in the glare is made."""
    side: int
    step: int = 0
    """For chaos: the step that the Cloak fell on."""
    turn: str = ""
    """For a throw: the announced turn."""


@value(frozen=True, slots=True)
class Position:
    """Everything that matters to the rules."""

    cells: bytes
    """The piece on each of the 64 squares: its kind, + BLACK for Black's, FREE for the free engagement, 0 for none."""
    to: int
    """The side whose turn it is: 0 White, 1 Black."""
    caught: int = 0
    """Squares on which an opposing Cloak sits on the blade."""
    point: int = ABSENT
    """Where the free engagement waits, IN_PLAY or ABSENT."""
    reserve: tuple[str, str] = ("", "")
    discard: tuple[str, str] = ("", "")
    passes: int = 0
    passed: tuple[tuple[int, int], ...] = ()
    """En passant: each square that was crossed and where the pawn now stands; two at most, after hirakamae."""
    lock: int = -1
    """A blade captured on the turn just before; it cannot be freed yet."""
    intents: tuple[Intent | None, Intent | None] = (None, None)
    dazzled: int = -1
    """The side whose Jutsu was fended by glare on the turn just before."""
    trail: tuple[int, ...] = ()
    """The last squares of the free engagement, oldest first."""
    returns: int = 0
    """Returns of the free engagement by repetition, with no other piece moving in between."""
    retreated: tuple[int, int] = (0, 0)
    roll: str = ""
    """Sticks of a given case, one colour letter each."""
    dying: tuple[int, int] | None = None
    """The side that was just touched, and where."""
    stance: int = -1
    """The side in hirakamae."""
    stanced: str = ""
    """The sides that have used hirakamae."""
    fire: tuple[tuple[int, int], ...] = ()
    chaos: tuple[tuple[int, int], ...] = ()
    """Cast-squares as (side, square)."""
    shima: tuple[tuple[int, int], ...] = ()
    """Shima is in force: casters and cast-squares, or SOMEWHERE where no Dagger waits to be reclaimed."""
    sprung: "Position | None" = None
    """A technical piece entered a chaos square on the turn just before: the position right after it did."""
    pending: Pending | None = None
    over: tuple[str, str] | None = None
    """How the game ended and who won: a key of ENDINGS, and the letters of the winners."""
    owed: tuple[tuple[str, str], ...] = ()
    """Secret layouts and picks handed in so far: (what, text)."""
    terms: Terms = field(default=STANDARD)
    idle: int = 0
    """Turns in a row without attack, placement or a Self going forward, where the terms have them counted."""

    @property
    def mover(self) -> Side:
        """The side whose turn it is, by its letter."""
        return SIDES[self.to]

    def find(self, side: int, kind: int) -> int:
        """Where a piece stands, or -1; a Cloak on a blade stands where the blade does."""
        at = self.cells.find(kind + BLACK * side)
        if at < 0 and kind == C and self.caught:
            return next(
                (at for at in range(64) if self.caught & BIT[at] and (self.cells[at] < BLACK) == bool(side)), -1
            )
        return at

    @property
    def selves(self) -> tuple[int, int]:
        """The squares of White's and Black's Self, or of the body of one that was touched; -1 where there is none."""
        white, black = self.cells.find(S), self.cells.find(S + BLACK)
        if self.dying is None:
            return white, black
        side, at = self.dying
        return (white, at) if side else (at, black)

    def where(self, side: int) -> int:
        """The square of a Self, or of its body; -1 if there is none."""
        return self.selves[side]


def letter_of(code: int) -> str:
    """A piece's letter."""
    return "a" if code == FREE else KINDS[code & 15]


@lru_cache(maxsize=1 << 10)
def in_tray(pieces: str) -> str:
    """The letters of a tray in the canonical order."""
    return pieces if len(pieces) < 2 else "".join(sorted(pieces, key=TRAY.index))


_INTENT: Final = re.compile(r"(?P<kind>[S$CBGDLJRea])?.*?(?P<square>[WXYZ]\d{1,2})!?$")


def read_intent(text: str, moved: bool = False) -> Intent | None:
    """An intention from its text, with its sign or without: the attacker and the target of its last half."""
    text = text.removeprefix("!")
    found = _INTENT.match(text.rsplit("_", maxsplit=1)[-1])
    if not found or found["square"] not in NUMBER:
        return None
    letter = found["kind"] or "e"
    return Intent(text, PIECE[letter], NUMBER[found["square"]], moved)


def weary(position: Position) -> bool:
    """Whether both sides have waited for so long that a draw is for want of a contest."""
    return 0 < 2 * position.terms.nocontest <= position.idle


def owed(position: Position, key: str) -> str:
    """A text handed in or noted in private; "" if there is none."""
    return next((text for what, text in position.owed if what == key), "")
