"""Alpha-beta, deeper and deeper until its nodes are spent: table, killers, captures to their end, chances weighed."""

from collections.abc import Callable, Hashable
from dataclasses import dataclass
from typing import Any, Generic, Literal, NamedTuple

from engine.game import M, P
from engine.search.values import WON, Task, later, mean, worth

DEEPEST = 40
CAPTURES = 6
"""Plies of captures that are followed beyond the last one of the tree."""
ENDLESS = 2 * WON
FIRST, TAKES, KILLER = 1 << 40, 1 << 30, 1 << 29
"""Where in the order of turns stand the table's, captures, and what has refuted another turn."""


class Choice(NamedTuple):
    """A turn that was found, and what it took."""

    turn: Any
    value: int
    depth: int
    nodes: int


@dataclass(frozen=True, slots=True)
class _Entry:
    """What is known of a position."""

    depth: int
    bound: Literal["exact", "least", "most"]
    value: int
    turn: Any

    def settles(self, alpha: int, beta: int) -> bool:
        """Whether that is enough between these bounds."""
        return self.bound == "exact" or (self.value >= beta if self.bound == "least" else self.value <= alpha)


class _SpentError(Exception):
    """The nodes are spent."""


class Tree(Generic[P, M]):
    """One search. Of several players all others are taken for one opponent."""

    def __init__(self, task: Task[P, M], nodes: int, noise: Callable[[], int] = lambda: 0) -> None:
        self._task = task
        self._game = task.game
        self._budget = nodes
        self._noise = noise
        self._known: dict[Hashable, _Entry] = {}
        self._killers: list[list[Any]] = [[] for _ in range(DEEPEST + 2)]
        self._history: dict[Any, int] = {}
        self._whole = True
        self.nodes = 0

    def best(self, position: P) -> Choice | None:
        """The best turn of the side that thinks, which is to act; None where there is none."""
        root = [(turn, self._noise()) for turn in self._ordered(position, None, 0)]
        if not root:
            return None
        found = Choice(root[0][0], 0, 0, 0)
        for depth in range(1, DEEPEST):
            self._whole = depth == 1  # every turn is looked at once, whatever that takes
            scored: list[tuple[int, Any, int]] = []
            try:
                alpha = -ENDLESS
                for turn, noise in root:
                    value = self._after(position, turn, depth, alpha - noise, ENDLESS, ply=0, sign=1) + noise
                    scored.append((value, turn, noise))
                    alpha = max(alpha, value)
            except _SpentError:
                if scored:  # the best one so far came first
                    value, turn, _ = max(scored, key=lambda one: one[0])
                    found = Choice(turn, value, depth, self.nodes)
                break
            scored.sort(key=lambda one: -one[0])
            found = Choice(scored[0][1], scored[0][0], depth, self.nodes)
            root = [(turn, noise) for _, turn, noise in scored]
            if len(root) == 1 or abs(found.value) > WON - DEEPEST or self.nodes >= self._budget:
                break
        return found._replace(nodes=self.nodes)

    def _after(self, position: P, turn: Any, depth: int, alpha: int, beta: int, *, ply: int, sign: int) -> int:
        """What a turn is worth to whoever makes it."""
        outcomes = self._game.chances(position, turn)
        if len(outcomes) == 1:
            return self._turned(self._game.play(position, turn), depth, alpha, beta, ply=ply, sign=sign)
        return mean(
            (weight, self._turned(self._game.play(position, rolled), depth, -ENDLESS, ENDLESS, ply=ply, sign=sign))
            for weight, rolled in outcomes
        )

    def _turned(self, after: P, depth: int, alpha: int, beta: int, *, ply: int, sign: int) -> int:
        """What a position is worth to whoever has made it: the sign changes only where the actor does."""
        game, task = self._game, self._task
        if not ply and game.identity(after) in task.stood and game.outcome(after) is None:
            return 0
        acts = 1 if game.to_act(after) == task.side else -1
        if acts == sign:
            return later(self._value(after, depth - 1, alpha, beta, ply=ply + 1, sign=sign))
        return later(-self._value(after, depth - 1, -beta, -alpha, ply=ply + 1, sign=acts))

    def _value(self, position: P, depth: int, alpha: int, beta: int, *, ply: int, sign: int) -> int:
        """What a position is worth to whoever is to act."""
        self._count()
        game = self._game
        end = game.outcome(position)
        if end is not None:
            return sign * worth(self._task, end)
        if depth <= 0 or ply >= DEEPEST:
            return self._settled(position, alpha, beta, sign, CAPTURES)
        key = game.identity(position)
        entry = self._known.get(key)
        if entry is not None and entry.depth >= depth and entry.settles(alpha, beta):
            return entry.value
        best, chosen, low = -ENDLESS, None, alpha
        for turn in self._ordered(position, entry.turn if entry else None, ply):
            value = self._after(position, turn, depth, low, beta, ply=ply, sign=sign)
            if value > best:
                best, chosen = value, turn
            low = max(low, value)
            if low >= beta:
                self._remember(turn, depth, ply)
                break
        if chosen is None:  # nothing is likely: as it stands
            return sign * game.evaluate(position, self._task.side)
        bound: Literal["exact", "least", "most"] = "least" if best >= beta else "exact" if best > alpha else "most"
        self._known[key] = _Entry(depth, bound, best, chosen)
        return best

    def _settled(self, position: P, alpha: int, beta: int, sign: int, plies: int) -> int:
        """What a position is worth once captures have come to their end."""
        game = self._game
        best = sign * game.evaluate(position, self._task.side)
        if not game.captures or best >= beta or not plies:
            return best
        taking = [(gain, turn) for turn in game.likely(position) if (gain := game.promise(position, turn)) > 0]
        taking.sort(key=lambda one: -one[0])
        for _, turn in taking:
            self._count()
            after = game.play(position, turn)
            end = game.outcome(after)
            acts = 1 if game.to_act(after) == self._task.side else -1
            low = max(alpha, best)
            if end is not None:
                value = later(sign * worth(self._task, end))
            elif acts == sign:
                value = self._settled(after, low, beta, sign, plies - 1)
            else:
                value = -self._settled(after, -beta, -low, acts, plies - 1)
            best = max(best, value)
            if best >= beta:
                break
        return best

    def _ordered(self, position: P, first: Any, ply: int) -> list[Any]:
        """The likely turns, what promises most in front."""
        game, killers, history = self._game, self._killers[ply], self._history

        def rank(turn: Any) -> int:
            if turn == first:
                return -FIRST
            gain = game.promise(position, turn) if game.captures else 0
            return -(TAKES + gain) if gain else -KILLER if turn in killers else -history.get(turn, 0)

        return sorted(game.likely(position), key=rank)

    def _remember(self, turn: Any, depth: int, ply: int) -> None:
        killers = self._killers[ply]
        if turn not in killers:
            killers.insert(0, turn)
            del killers[2:]
        self._history[turn] = min(KILLER - 1, self._history.get(turn, 0) + depth * depth)

    def _count(self) -> None:
        self.nodes += 1
        if self.nodes > self._budget and not self._whole:
            raise _SpentError
