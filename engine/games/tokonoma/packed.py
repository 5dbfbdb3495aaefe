"""Tokonoma as a search walks through it: what one side's army can do is found once, whatever the other side does."""

from collections.abc import Sequence
from functools import lru_cache
from typing import TypeAlias

from engine.appraisal import Appraising, Packing
from engine.board import Side
from engine.game import Move, Outcome, Turn
from engine.games.tokonoma.attack import cleared, hits, struck
from engine.games.tokonoma.board import BITS, EVERY, HOUSES, OPPONENT, REACH, SITES
from engine.games.tokonoma.evaluate import ENTERED, PIECES, points
from engine.games.tokonoma.notation import turn_of
from engine.games.tokonoma.position import Army, Position, indices, lone_flats, occupied
from engine.games.tokonoma.rules import HOUSE, KINDS, QUIET, QUIET_LIMIT, STALEMATE

Step: TypeAlias = int
"""Kind, origin and target, in that order: two bits, five, five."""
TALL = 1 << 10
"""From here on a step is not a Flat's."""


class Force:
    """One side's army, and whatever follows from it alone; never changed, but its lines are found when asked for."""

    __slots__ = ("after", "army", "entered", "lines", "occupied", "open", "points", "side")

    def __init__(self, army: Army, side: Side) -> None:
        self.army = army
        self.side = side
        self.points = points(army, side)
        self.occupied = occupied(army)
        lone = lone_flats(army)
        self.entered = bool(lone & BITS[HOUSES[OPPONENT[side]]])
        free = EVERY & ~self.occupied
        talls = reached(army[1], 1, side) | reached(army[2], 2, side) | reached(army[3], 3, side)
        self.open = reached(lone, 0, side) & free | talls & (free | lone)
        """Where any of its pieces can go if no enemy stands there."""
        self.lines: list[tuple[Step, int, int]] = []
        """Each step that no own piece forbids: its target, and what the attack after it hits."""
        self.after: dict[Step, tuple[Army, int]] = {}
        """By step: the army after it, and what that hits."""

    def found(self) -> list[tuple[Step, int, int]]:
        """The lines."""
        if not self.lines:
            self._find()
        return self.lines

    def _find(self) -> None:
        army, side = self.army, self.side
        lone = lone_flats(army)
        free = EVERY & ~self.occupied
        for kind, reach in enumerate(REACH[side]):
            standing, ends = (army[kind], free | lone) if kind else (lone, free)
            for origin in indices(standing):
                before, rest, behind = army[:kind], army[kind] ^ 1 << origin, army[kind + 1 :]
                once, twice = hits((*before, rest, *behind), side)
                for target in indices(reach[1 << origin] & ends):
                    end = 1 << target
                    moved = (*before, rest | end, *behind)
                    # A Flat that is covered hits no more: so all are counted anew.
                    hit = struck(moved, side) if end & lone else twice | once & reach[end]
                    step = kind << 10 | origin << 5 | target
                    self.lines.append((step, end, hit))
                    self.after[step] = moved, hit


@lru_cache(maxsize=1 << 12)
def reached(standing: int, kind: int, side: Side) -> int:
    """The tiles that pieces of a kind reach."""
    reach = REACH[side][kind]
    tiles = 0
    for index in indices(standing):
        tiles |= reach[1 << index]
    return tiles


class Forces(dict[Army, Force]):
    """One side's armies that a search has met."""

    def __init__(self, side: Side) -> None:
        super().__init__()
        self.side = side

    def __missing__(self, army: Army) -> Force:
        found = self[army] = Force(army, self.side)
        return found


Node: TypeAlias = tuple[Force, Force, int]
"""Who is to act, the others, and the quiet plies."""


class Packed(Packing[Position, Move]):
    """Both armies as forces, which many nodes share."""

    luck = False

    def __init__(self, game: Appraising[Position, Move], side: Side) -> None:
        super().__init__(game, side)
        self._forces = {side: Forces(side) for side in HOUSES}

    def pack(self, position: Position) -> Node:
        side = position.to_move
        own, enemy = position.armies()
        return self._forces[side][own], self._forces[OPPONENT[side]][enemy], position.quiet

    def turn(self, step: Step) -> Turn:
        return turn_of(KINDS[step >> 10], SITES[step >> 5 & 31], SITES[step & 31])

    def identity(self, node: Node) -> tuple[Army, Army, Side]:
        own, enemy, _ = node
        white, black = (own, enemy) if own.side == "W" else (enemy, own)
        return white.army, black.army, own.side

    def key(self, node: Node) -> tuple[Force, Force]:
        return node[:2]

    def acts(self, node: Node) -> bool:
        return node[0].side == self.side

    def ended(self, node: Node) -> Outcome | None:
        own, enemy, quiet = node
        if enemy.entered or own.entered:
            return WON[enemy.side if enemy.entered else own.side]
        if not own.open & ~enemy.occupied:
            return STUCK[own.side]
        return DRAWN if quiet >= QUIET_LIMIT else None

    def value(self, node: Node) -> int:
        own, enemy, _ = node
        return own.points - enemy.points if own.side == self.side else enemy.points - own.points

    def takes(self, node: Node) -> list[tuple[int, Step]]:
        own, enemy, _ = node
        theirs, entering = enemy.occupied, ENTERING[own.side]
        return [
            (ENTERED if step in entering else self._worth(enemy, hit & theirs), step)
            for step, target, hit in own.found()
            if not target & theirs and (hit & theirs or step in entering)
        ]

    def steps(self, node: Node) -> tuple[list[tuple[int, Step]], Sequence[Step]]:
        own, enemy, _ = node
        theirs, entering = enemy.occupied, ENTERING[own.side]
        return self.takes(node), [
            step for step, target, hit in own.found() if not (target & theirs or hit & theirs or step in entering)
        ]

    def _worth(self, enemy: Force, hit: int) -> int:
        return sum([worth * (standing & hit).bit_count() for worth, standing in zip(PIECES, enemy.army, strict=True)])

    def make(self, node: Node, step: Step) -> Node:
        own, enemy, quiet = node
        moved, hit = own.after[step]
        after = self._forces[own.side][moved]
        hit &= enemy.occupied
        if hit:
            return self._forces[enemy.side][cleared(enemy.army, hit)], after, 0
        return enemy, after, 0 if step < TALL else quiet + 1


def _entering(side: Side) -> frozenset[Step]:
    house = SITES.index(HOUSES[OPPONENT[side]])
    return frozenset(origin << 5 | house for origin in range(len(SITES)))


ENTERING = {side: _entering(side) for side in HOUSES}
"""By side: the steps of Flats into the other's house."""
WON = {side: Outcome(HOUSE, frozenset({side})) for side in HOUSES}
STUCK = {side: Outcome(STALEMATE, frozenset({OPPONENT[side]})) for side in HOUSES}
"""By the side that is stuck."""
DRAWN = Outcome(QUIET, frozenset(HOUSES))
