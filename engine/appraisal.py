"""The optional part of a game's contract: what Riposte needs to play it, besides the rules."""

from abc import abstractmethod
from collections.abc import Iterable
from dataclasses import dataclass
from typing import ClassVar, Generic, Literal

from engine.board import Side
from engine.dice import Dice
from engine.game import Ask, Game, M, P

WEAKEST, STRONGEST, USUAL = 1, 6, 3
"""The levels of play."""


@dataclass(frozen=True, slots=True)
class Level:
    """How well a turn is chosen."""

    nodes: int
    """Positions that the search visits at most, once every turn has been looked at."""
    noise: int = 3
    """A turn is thought to be better by up to so many points than it is."""
    blunders: int = 0
    """In so many of a hundred turns, what first comes to mind is played."""


LEVELS = (
    Level(1, noise=120, blunders=25),
    Level(60, noise=50, blunders=10),
    Level(400),
    Level(1_500),
    Level(5_000),
    Level(16_000),
)
"""From the weakest to the strongest, where a game has no table of its own."""


class Appraising(Game[P, M], Generic[P, M]):
    """A game that Riposte can play. Everything is judged by what the side that thinks may see."""

    levels: ClassVar[tuple[Level, ...]] = LEVELS
    search: ClassVar[Literal["tree", "replies"]] = "tree"
    """Alpha-beta as deep as the nodes allow; or the best turns against each reply, where a side has hundreds."""
    captures: ClassVar[bool] = False
    """Whether `promise` tells captures, which the tree follows to their end."""
    subtle: ClassVar[frozenset[str]] = frozenset()
    """The rules, by number, that even good players overlook."""

    @abstractmethod
    def evaluate(self, position: P, side: Side) -> int:
        """How well a side stands, in points; what is lost for one is won for the others."""

    def likely(self, position: P) -> Iterable[tuple[M, ...]]:
        """The tenable turns that deserve a look; at least one wherever there is any."""
        return self.turns(position)

    def promise(self, position: P, turn: tuple[M, ...]) -> int:
        """What a turn takes at once, in points, by a quick look; 0 for a quiet one."""
        return 0

    def chances(self, position: P, turn: tuple[M, ...]) -> tuple[tuple[int, tuple[M, ...]], ...]:
        """What luck can make of a turn: weights, and the turn with its luck resolved."""
        return ((1, turn),)

    def seen_by(self, position: P, side: Side) -> P:
        """The position without what is hidden from a side."""
        return position

    def secret(self, position: P, ask: Ask, dice: Dice) -> str:
        """What Riposte answers in private."""
        return ask.default or ask.example
