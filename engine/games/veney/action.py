"""One action of a turn of Veney, and the kinds of action."""

from dataclasses import dataclass
from functools import lru_cache
from typing import Final, TypeAlias

from engine.board import Site
from engine.game import Move


@dataclass(frozen=True, slots=True)
class Action(Move):
    """One action. `verb` is a key of `play.apply.APPLY`; `piece` the mover's letter."""

    other: str = ""
    """The piece it trades places with, or the device cast."""
    effect: str = ""
    """ "t" where the player wrote a take that the chart does not know; it is then discarded instead of fended."""
    luck: str = ""
    """Sticks as thrown, one colour letter each, or another die's result."""
    spots: tuple[tuple[str, Site], ...] = ()
    """Where Self and blade were put after a throw or a cast."""
    plan: str = ""
    """The announced moves of an intention, or an answer."""


Turn: TypeAlias = tuple[Action, ...]
"""All that a side does before the other acts. Empty = a pass."""

IMMATERIAL: Final = frozenset({"meta", "return", "glare", "intend", "stance", "control", "stray"})
"""What leaves a turn a pass."""

ENTERING: Final = frozenset({"move", "cavazione", "opposition", "deflect"})
"""Actions by which a piece comes to a square; from a fire square it may go on."""

LEAVING: Final = frozenset({"move", "cavazione", "opposition", "deflect", "throw", "cast"})
"""Actions in which the piece is lifted off its square."""


@lru_cache(maxsize=1 << 16)
def move(piece: str, origin: Site, target: Site, verb: str = "move") -> Action:
    """A plain action; made once, because generation needs the same ones over and over."""
    return Action(verb, piece, origin, target)
