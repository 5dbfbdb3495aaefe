"""Alpha-beta, deeper and deeper until its nodes are spent: table, killers, captures to their end, chances weighed."""

from collections import defaultdict
from collections.abc import Callable, Hashable, Iterator
from operator import itemgetter
from typing import Any, Generic, NamedTuple, TypeAlias

from engine.appraisal import Node, Step
from engine.game import M, P
from engine.search.values import DECIDED, WON, Task, later, mean, worth

DEEPEST = 40
CAPTURES = 6
"""Plies of captures that are followed beyond the last one of the tree."""
ENDLESS = 2 * WON
LEAST, EXACT, MOST = 1, 0, -1
_Entry: TypeAlias = tuple[int, int, int, Step]
"""What is known of a node: to which depth, whether its value is the least, exact or the most, the value, the step."""


class Choice(NamedTuple):
    """A turn that was found, and what it took."""

    turn: Any
    value: int
    depth: int
    nodes: int


class _SpentError(Exception):
    """The nodes are spent."""


class Tree(Generic[P, M]):
    """One search. Of several players all others are taken for one opponent."""

    def __init__(
        self,
        task: Task[P, M],
        nodes: int,
        noise: Callable[[], int] = lambda: 0,
        captures: int = CAPTURES,
        *,
        scouts: bool = True,
    ) -> None:
        self._task = task
        self.packing = task.game.packing(task.side)
        self._budget = nodes
        self._noise = noise
        self._captures = captures if task.game.captures else 0
        self._margin = task.game.margin
        self._late = task.game.late if scouts else 0
        self._known: dict[Hashable, _Entry] = {}
        self._killers: list[list[Step]] = [[] for _ in range(DEEPEST + 2)]
        self._history: defaultdict[Step, int] = defaultdict(int)
        self._whole = True
        self.nodes = 0

    def best(self, position: P) -> Choice | None:
        """The best turn of the side that thinks, which is to act; None where there is none."""
        start = self.packing.pack(position)
        root = [(step, self._noise()) for step in self._ordered(start, None, 0)]
        if not root:
            return None
        found = Choice(root[0][0], 0, 0, 0)
        for depth in range(1, DEEPEST):
            self._whole = depth == 1  # every turn is looked at once, whatever that takes
            scored: list[tuple[int, Step, int]] = []
            try:
                alpha = -ENDLESS
                for number, (step, noise) in enumerate(root):
                    value = (
                        self._tried(start, step, depth, alpha - noise, ENDLESS, number=number, ply=0, sign=1) + noise
                    )
                    scored.append((value, step, noise))
                    alpha = max(alpha, value)
            except _SpentError:
                if scored:  # the best one so far came first
                    value, step, _ = max(scored, key=lambda one: one[0])
                    found = Choice(step, value, depth, self.nodes)
                break
            scored.sort(key=lambda one: -one[0])
            found = Choice(scored[0][1], scored[0][0], depth, self.nodes)
            root = [(step, noise) for _, step, noise in scored]
            if len(root) == 1 or abs(found.value) > WON - DEEPEST or self.nodes >= self._budget:
                break
        return found._replace(turn=self.packing.turn(found.turn), nodes=self.nodes)

    def _tried(
        self, node: Node, step: Step, depth: int, low: int, beta: int, *, number: int, ply: int, sign: int
    ) -> int:
        """As `_after`, where a game has late steps: all but the first are only asked whether they are better, late
        ones first one ply less deep, and those that are get looked at in full."""
        packing = self.packing
        if not (number and self._late) or (packing.luck and len(packing.chances(node, step)) > 1):
            return self._after(node, step, depth, low, beta, ply=ply, sign=sign)
        less = number >= self._late and depth > 1
        value = self._after(node, step, depth - less, low, low + 1, ply=ply, sign=sign)
        if less and value > low:
            value = self._after(node, step, depth, low, low + 1, ply=ply, sign=sign)
        if low < value < beta:
            value = self._after(node, step, depth, low, beta, ply=ply, sign=sign)
        return value

    def _after(self, node: Node, step: Step, depth: int, alpha: int, beta: int, *, ply: int, sign: int) -> int:
        """What a step is worth to whoever makes it."""
        packing = self.packing
        outcomes = packing.chances(node, step) if packing.luck else ((1, step),)
        if len(outcomes) == 1:
            return self._turned(packing.make(node, step), depth, alpha, beta, ply=ply, sign=sign)
        return mean(
            (weight, self._turned(packing.make(node, rolled), depth, -ENDLESS, ENDLESS, ply=ply, sign=sign))
            for weight, rolled in outcomes
        )

    def _turned(self, after: Node, depth: int, alpha: int, beta: int, *, ply: int, sign: int) -> int:
        """What a node is worth to whoever has made it: the sign changes only where the actor does."""
        packing, stood = self.packing, self._task.stood
        if not ply and stood and packing.identity(after) in stood and packing.ended(after) is None:
            return 0
        if packing.acts(after) == (sign > 0):
            return later(self.value(after, depth - 1, alpha, beta, ply + 1, sign=sign))
        return later(-self.value(after, depth - 1, -beta, -alpha, ply + 1, sign=-sign))

    def value(self, node: Node, depth: int, alpha: int, beta: int, ply: int, *, sign: int) -> int:
        """What a node is worth to whoever is to act; `sign` is 1 if that is the side that thinks, else -1."""
        self.nodes += 1
        if self.nodes > self._budget and not self._whole:
            raise _SpentError
        packing = self.packing
        end = packing.ended(node)
        if end is not None:
            return sign * worth(self._task, end)
        if depth <= 0 or ply >= DEEPEST:
            return self._settled(node, alpha, beta, sign, self._captures)
        key = packing.key(node)
        entry = self._known.get(key)
        if entry is not None and entry[0] >= depth:
            _, bound, value, _ = entry
            if not bound or (value >= beta if bound > 0 else value <= alpha):
                return value
        best, chosen, low = -ENDLESS, None, alpha
        for number, step in enumerate(self._ordered(node, entry[3] if entry else None, ply)):
            if packing.luck or self._late:
                value = self._tried(node, step, depth, low, beta, number=number, ply=ply, sign=sign)
            else:  # as there, without the calls
                after = packing.make(node, step)
                if packing.acts(after) == (sign > 0):
                    value = self.value(after, depth - 1, low, beta, ply + 1, sign=sign)
                else:
                    value = -self.value(after, depth - 1, -beta, -low, ply + 1, sign=-sign)
                if not -DECIDED <= value <= DECIDED:
                    value = later(value)
            if value > best:
                best, chosen = value, step
                if value > low:
                    low = value
                    if value >= beta:
                        self._remember(step, depth, ply)
                        break
        if chosen is None:  # nothing is likely: as it stands
            return sign * packing.value(node)
        self._known[key] = (depth, LEAST if best >= beta else EXACT if best > alpha else MOST, best, chosen)
        return best

    def _settled(self, node: Node, alpha: int, beta: int, sign: int, plies: int) -> int:
        """What a node is worth once captures have come to their end."""
        packing = self.packing
        best = standing = sign * packing.value(node)
        if not plies or best >= beta:
            return best
        taking = packing.takes(node)
        if len(taking) > 1:
            taking.sort(key=_gain, reverse=True)
        for gain, step in taking:
            if standing + gain + self._margin <= alpha:
                break
            self.nodes += 1
            if self.nodes > self._budget and not self._whole:
                raise _SpentError
            after = packing.make(node, step)
            end = packing.ended(after)
            low = max(alpha, best)
            if end is not None:
                value = later(sign * worth(self._task, end))
            elif packing.acts(after) == (sign > 0):
                value = self._settled(after, low, beta, sign, plies - 1)
            else:
                value = -self._settled(after, -beta, -low, -sign, plies - 1)
            if value > best:
                best = value
                if best >= beta:
                    break
        return best

    def _ordered(self, node: Node, first: Step, ply: int) -> Iterator[Step]:
        """The likely steps, what promises most in front: the table's, captures, what has refuted others, the rest."""
        if first is not None:  # it is likely here as well, where the same position was searched before
            yield first
        taking, quiet = self.packing.steps(node)
        if taking:
            if len(taking) > 1:
                taking.sort(key=_gain, reverse=True)
            for _, step in taking:
                if step != first:
                    yield step
        killers = self._killers[ply].copy()
        for step in killers:
            if step != first and step in quiet:
                yield step
        for step in sorted(quiet, key=self._history.__getitem__, reverse=True):
            if step != first and step not in killers:
                yield step

    def _remember(self, step: Step, depth: int, ply: int) -> None:
        killers = self._killers[ply]
        if step not in killers:
            killers.insert(0, step)
            del killers[2:]
        self._history[step] += depth * depth


_gain = itemgetter(0)
