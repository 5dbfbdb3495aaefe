"""One action of a turn of Veney, and how the field calls each kind of action."""

from dataclasses import dataclass
from functools import lru_cache
from typing import Final, cast

from engine.board import Site
from engine.game import Move, Turn


@dataclass(frozen=True, slots=True)
class Act(Move):
    """One action. `verb` is a key of VERBS; `piece` the mover's letter."""

    other: str = ""
    """The piece it trades places with, or the device cast."""
    effect: str = ""
    """ "t" where the player wrote a take that the chart does not know; the hand then discards instead of fending."""
    luck: str = ""
    """Sticks as thrown, one colour letter each, or another die's result."""
    spots: tuple[tuple[str, Site], ...] = ()
    """Where Self and blade were put after a throw or a cast."""
    plan: str = ""
    """The announced moves of an intention, or an answer."""


VERBS: Final = {
    "move": "moves",
    "enter": "enters",
    "place": "is placed",
    "withdraw": "is withdrawn",
    "cavazione": "trades places by cavazione",
    "opposition": "pushes by opposition",
    "deflect": "deflects",
    "shift": "shifts",
    "feign": "feigns",
    "sever": "severs the Cloak",
    "throw": "is thrown",
    "strike": "strikes",
    "cast": "is cast",
    "trap": "springs the trap",
    "reclaim": "is reclaimed",
    "retreat": "retreats",
    "reset": "declares an impasse",
    "control": "controls",
    "glare": "glares",
    "intend": "announces",
    "meta": "is repositioned",
    "return": "is returned",
    "stance": "takes the stance",
    "reposition": "is put",
    "announce": "announces a throw",
    "allow": "lets the throw happen",
    "prevent": "prevents the throw",
    "set": "is set up",
    "stray": "strays",
}

IMMATERIAL: Final = frozenset({"meta", "return", "glare", "intend", "stance", "control", "stray"})
"""What leaves a turn a pass."""

ENTERING: Final = frozenset({"move", "cavazione", "opposition", "deflect"})
"""Actions by which a piece comes to a square; from a fire square it may go on."""

LEAVING: Final = frozenset({"move", "cavazione", "opposition", "deflect", "throw", "cast"})
"""Actions in which the piece is lifted off its square."""


def acts_of(turn: Turn) -> tuple[Act, ...]:
    """A turn as the actions that it consists of; Veney makes its turns of nothing else."""
    return cast("tuple[Act, ...]", turn)


@lru_cache(maxsize=1 << 16)
def move(piece: str, origin: Site, target: Site, verb: str = "move") -> Act:
    """A plain action; made once, because generation needs the same ones over and over."""
    return Act(verb, piece, origin, target)
