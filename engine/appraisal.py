"""The optional part of a game's contract: what Riposte needs to play it, besides the rules."""

from abc import abstractmethod
from collections.abc import Hashable, Iterable, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar, Generic, Literal, TypeAlias

from engine.board import Side
from engine.dice import Dice
from engine.game import Ask, Game, M, Outcome, P

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
    """In so many of a hundred turns, any likely turn is played."""
    hasty: int = 0
    """In so many of a hundred turns, what looks best at once is played, and no reply is looked at."""


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
    margin: ClassVar[int] = 1_000_000
    """Points by which a capture may fall short of what is needed and still be searched (delta pruning)."""
    late: ClassVar[int] = 0
    """After how many steps of a node the tree looks at others one ply less deep first (late move reductions); 0: never,
    and every step is looked at in full."""
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

    def material(self, position: P, side: Side) -> int | None:
        """What a side has less what others have, in points; None where `promise` tells captures, or nothing falls."""
        return None

    def chances(self, position: P, turn: tuple[M, ...]) -> tuple[tuple[int, tuple[M, ...]], ...]:
        """What luck can make of a turn: weights, and the turn with its luck resolved."""
        return ((1, turn),)

    def packing(self, side: Side) -> "Packing[P, M]":
        """How a search for a side walks through the game. A packed form of its own has to lead through the same
        positions as `likely`, `play` and `outcome`, with the same values, which `tests/test_packing.py` proves."""
        return Packing(self, side)

    def seen_by(self, position: P, side: Side) -> P:
        """The position without what is hidden from a side."""
        return position

    def bluff(self, position: P, turn: tuple[M, ...], dice: Dice) -> tuple[M, ...] | None:
        """A tenable turn with something said to mislead that this one is; None where the game knows no such thing."""
        return None

    def secret(self, position: P, ask: Ask, dice: Dice) -> str:
        """What Riposte answers in private."""
        return ask.default or ask.example


Node: TypeAlias = Any
"""A position as a search has it; of the packing's own kind, never changed."""
Step: TypeAlias = Any
"""A turn as a search has it; the same from every node where it can be made, and cheap to compare and to hash."""


class Packing(Generic[P, M]):
    """How a search walks through a game: as its positions and turns are. One is made for each search, so whatever it
    remembers goes with it; a game overrides what it can do faster on positions of its own making."""

    luck = True
    """Whether a turn may have several `chances`."""

    def __init__(self, game: Appraising[P, M], side: Side) -> None:
        self.game = game
        self.side = side

    def pack(self, position: P) -> Node:
        """The node of a position."""
        return position

    def turn(self, step: Step) -> tuple[M, ...]:
        """The turn of a step."""
        turn: tuple[M, ...] = step
        return turn

    def identity(self, node: Node) -> Hashable:
        """The game's `identity` of the position."""
        return self.game.identity(node)

    def key(self, node: Node) -> Hashable:
        """What is equal for nodes of positions of equal identity; cheap to make and to hash."""
        return self.game.identity(node)

    def acts(self, node: Node) -> bool:
        """Whether it is the side's own turn."""
        return self.game.to_act(node) == self.side

    def ended(self, node: Node) -> Outcome | None:
        """How the game has ended, if it has."""
        return self.game.outcome(node)

    def value(self, node: Node) -> int:
        """How well the side stands, in points."""
        return self.game.evaluate(node, self.side)

    def takes(self, node: Node) -> list[tuple[int, Step]]:
        """Of the likely turns those that take something: what by `promise`, and the step; in the order of `likely`."""
        if not self.game.captures:
            return []
        promise, turns = self.game.promise, self.game.likely(node)
        return [(gain, turn) for turn in turns if (gain := promise(node, turn)) > 0]

    def steps(self, node: Node) -> tuple[list[tuple[int, Step]], Sequence[Step]]:
        """What `takes` has, and all other likely steps, in the order of `likely`."""
        turns = list(self.game.likely(node))
        if not self.game.captures:
            return [], turns
        gains = [self.game.promise(node, turn) for turn in turns]
        taking = [(gain, turn) for gain, turn in zip(gains, turns, strict=True) if gain > 0]
        return taking, [turn for gain, turn in zip(gains, turns, strict=True) if gain <= 0]

    def make(self, node: Node, step: Step) -> Node:
        """The node after a step."""
        return self.game.play(node, step)

    def chances(self, node: Node, step: Step) -> Sequence[tuple[int, Step]]:
        """What luck can make of a step: weights, and steps with their luck resolved."""
        return self.game.chances(node, step)
