"""How strong Riposte's levels are: seeded matches against opponents that never change; what was played is kept.

python -m tests.strength [--pairs 100] [--only tokonoma] [--folder .cache/strength] [--workers 2]
"""

import argparse
import hashlib
import json
import math
import os
import random
from collections import deque
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import Future, ProcessPoolExecutor
from dataclasses import asdict, dataclass
from pathlib import Path
from time import process_time
from typing import Any

from engine.appraisal import Appraising, Level, Packing
from engine.dice import Dice
from engine.games import GAMES
from engine.games.tokonoma.position import Position as TokonomaPosition
from engine.search.partner import level_of, think
from engine.search.tree import Tree
from engine.search.values import Task

PLIES = 400
"""A match that takes longer counts half."""
ERROR = 0.05
"""How often a contest may be stopped with the wrong verdict, either way."""
BETTER = {0.5: (0.6, 0.8), 0.6: (0.7,), 0.75: (0.83,), 0.8: (0.88,), 0.85: (0.92,), 0.95: (0.985,)}
"""A score that is to be shown, and those that are told from it: between it and the first either verdict will do. The
second is for contests that are soon clear."""
OPENING = 2
"""Random plies at the start of each pair."""
AHEAD = 2
"""Matches for each worker that are asked for before the last one's score is known: none waits for a long one."""
Player = Callable[[Appraising[Any, Any], Any, frozenset[Any], bytes], Any]
"""Chooses a turn in a position, given what has stood and 32 bytes of luck."""


def at_random(game: Appraising[Any, Any], position: Any, stood: frozenset[Any], luck: bytes) -> Any:
    """Any tenable turn."""
    turns = list(game.turns(position))
    return turns[Dice(luck).roll(len(turns))]


def greedy(game: Appraising[Any, Any], position: Any, stood: frozenset[Any], luck: bytes) -> Any:
    """The best turn by a single look, with the game's own evaluation and a little noise."""
    dice = Dice(luck)
    side = game.to_act(position)
    scored: list[tuple[int, int, Any]] = []
    for turn in game.likely(position):
        after = game.play(position, game.roll(position, turn, dice))
        end = game.outcome(after)
        value = game.evaluate(after, side) if end is None else 1_000_000 * (1 if side in end.winners else -1)
        scored.append((value + dice.roll(4), len(scored), turn))
    return max(scored)[2]


class Material:
    """Tokonoma with nothing but its pieces counted, by weights that stay as they are."""

    WEIGHTS = (100, 160, 170, 200)
    captures = False

    def __init__(self, game: Appraising[Any, Any]) -> None:
        self._game = game

    def __getattr__(self, name: str) -> Any:
        return getattr(self._game, name)

    def packing(self, side: str) -> Packing[Any, Any]:
        """As the game's positions are."""
        return Packing(self, side)  # type: ignore[arg-type]  # it stands for one

    def evaluate(self, position: TokonomaPosition, side: str) -> int:
        """Own pieces less the other side's."""
        white, black = (
            sum(worth * standing.bit_count() for worth, standing in zip(self.WEIGHTS, army, strict=True))
            for army in (position.white, position.black)
        )
        return white - black if side == "W" else black - white


def plain(nodes: int) -> Player:
    """Alpha-beta on material."""

    def chosen(game: Appraising[Any, Any], position: Any, stood: frozenset[Any], luck: bytes) -> Any:
        dice, poor = Dice(luck), Material(game)
        task: Task[Any, Any] = Task(poor, game.to_act(position), stood)  # type: ignore[arg-type]  # it stands for one
        found = Tree(task, nodes, lambda: dice.roll(4)).best(position)
        assert found is not None
        return found.turn

    return chosen


def level(number: int) -> Player:
    """Riposte at a level."""

    def chosen(game: Appraising[Any, Any], position: Any, stood: frozenset[Any], luck: bytes) -> Any:
        found: Level = level_of(game, number)
        return think(Task(game, game.to_act(position), stood), position, found, luck).turn

    return chosen


@dataclass(frozen=True, slots=True)
class Contest:
    """Two players of a game."""

    game: str
    first: str
    second: str
    options: tuple[tuple[str, str], ...] = ()

    @property
    def bound(self) -> float:
        """What the first player has to score, at least."""
        if self.second in BOUNDS:
            usual, veney = BOUNDS[self.second]
            return veney if self.game == "veney" else usual
        return 0.5

    @property
    def name(self) -> str:
        """What its results are kept under."""
        return " ".join((self.game, *(f"{key}={value}" for key, value in self.options), self.first, self.second))


BOUNDS = {"random": (0.95, 0.85), "greedy": (0.8, 0.6), "plain": (0.75, 0.75)}
"""By opponent: what level 3 has to score, and what it has to in Veney."""
PLAYERS: dict[str, Player] = {
    "random": at_random,
    "greedy": greedy,
    "plain": plain(400),
    **{f"level {number}": level(number) for number in range(1, 7)},
}
SETUPS: tuple[tuple[str, tuple[tuple[str, str], ...]], ...] = (
    ("tokonoma", ()),
    ("tirachen", ()),
    ("chirality", (("setup", "quick"),)),
    ("chirality", ()),
    ("ironclad", (("mode", "discourse"),)),
    ("ironclad", ()),
    ("veney", ()),
)
CONTESTS = (
    *(Contest(game, "level 3", other, options) for game, options in SETUPS for other in ("random", "greedy")),
    Contest("tokonoma", "level 3", "plain"),
    *(
        Contest(game, f"level {number + 1}", f"level {number}", options)
        for number in range(1, 6)
        for game, options in SETUPS
    ),
)


def played(contest: Contest, number: int) -> tuple[float, int]:
    """What the first player scores in one match, and its turns; two in a row share an opening."""
    game = GAMES[contest.game]
    assert isinstance(game, Appraising)
    pair, swapped = divmod(number, 2)
    rng = random.Random(f"{contest.game} {contest.options} {pair}")
    dice = Dice(rng.randbytes(32))
    position = game.setup(dict(contest.options), dice)
    side = game.sides[swapped]
    counts: dict[Any, int] = {}
    for ply in range(PLIES):
        same = game.identity(position)
        counts[same] = counts.get(same, 0) + 1
        end = game.outcome(position, counts[same])
        if end is not None:
            return (1.0 if len(end.winners) == 1 else 0.5) if side in end.winners else 0.0, ply
        luck = hashlib.sha256(f"{contest.name} {number} {ply}".encode()).digest()
        name = contest.first if game.to_act(position) == side else contest.second
        player = at_random if ply < OPENING else PLAYERS[name]
        chance = rng.randbytes(32) if ply < OPENING else luck
        turn = player(game, position, frozenset(counts), chance)
        position = game.play(position, game.roll(position, turn, dice))
    return 0.5, PLIES


def at_least(scores: Sequence[float], bound: float) -> float:
    """The lower end of Wilson's interval at 95 %, one-sided, for the score. Against half it is made from the matches
    that were decided, with the draws added again as halves: so it lies above half where more are won than lost."""
    counted = telling(scores, bound)
    count, others = len(counted), len(scores) - len(counted)
    if not count:
        return others / 2 / len(scores)
    z = 1.645
    share = sum(counted) / count
    middle = share + z * z / (2 * count)
    spread = z * math.sqrt(share * (1 - share) / count + z * z / (4 * count * count))
    lowest = (middle - spread) / (1 + z * z / count)
    return (lowest * count + others / 2) / len(scores)


def verdict(scores: Sequence[float], bound: float) -> str:
    """Wald's sequential test of a score against its bound, the mean of what speaks for each better one; a draw that
    counts is half a win and half a loss, which errs toward playing on. "" where more has to be played."""
    counted = telling(scores, bound)
    won = sum(counted)
    lost = len(counted) - won
    said = [(better / bound) ** won * ((1 - better) / (1 - bound)) ** lost for better in BETTER[bound]]
    speaks, enough = sum(said) / len(said), (1 - ERROR) / ERROR
    return "shown" if speaks >= enough else "not shown" if speaks <= 1 / enough else ""


def telling(scores: Sequence[float], bound: float) -> list[float]:
    """The scores that say something of a bound: a draw says nothing of which of two is the better one."""
    return [score for score in scores if score != bound]


@dataclass(frozen=True, slots=True)
class Played:
    """One match: what the first player scored, how many turns were thought about, seconds of processor time."""

    score: float
    turns: int
    seconds: float


def timed(contest: Contest, number: int) -> Played:
    """A match, and what it took."""
    begun = process_time()
    score, turns = played(contest, number)
    return Played(score, turns, process_time() - begun)


def results(
    contests: tuple[Contest, ...], pairs: int, folder: Path, workers: int = 1
) -> Iterator[tuple[Contest, list[Played]]]:
    """Every contest with its matches, what is kept first and what is missing played now. Matches are counted in their
    order, whichever worker is done first, so a contest is the same with any number of them."""
    folder.mkdir(parents=True, exist_ok=True)
    with ProcessPoolExecutor(workers) as pool:
        for contest in contests:
            kept = folder / f"{contest.name.replace(' ', '_')}.jsonl"
            lines = kept.read_text("utf-8").splitlines() if kept.exists() else []
            matches = [Played(**json.loads(line)) for line in lines]
            coming: deque[Future[Played]] = deque()
            with kept.open("a", encoding="utf-8") as file:
                while not over([match.score for match in matches], contest.bound, pairs):
                    while len(coming) < AHEAD * workers:
                        coming.append(pool.submit(timed, contest, len(matches) + len(coming)))
                    matches.append(coming.popleft().result())
                    file.write(json.dumps(asdict(matches[-1])) + "\n")
                    file.flush()
            for match in coming:  # those that have begun end for nothing
                match.cancel()
            yield contest, matches


def over(scores: Sequence[float], bound: float, pairs: int) -> bool:
    """Whether a contest has ended: both matches of an opening are played, and no more are needed."""
    return len(scores) >= 2 * pairs or not (len(scores) % 2 or not verdict(scores, bound))


def main() -> None:
    """Print a line for each contest, and what all took."""
    parser = argparse.ArgumentParser()
    parser.add_argument("--pairs", type=int, default=100)
    parser.add_argument("--only", default="", help="contests whose name holds this")
    parser.add_argument("--folder", type=Path, default=Path(".cache/strength"))
    parser.add_argument("--workers", type=int, default=os.cpu_count() or 1, help="matches that are played at once")
    given = parser.parse_args()
    contests = tuple(contest for contest in CONTESTS if given.only in contest.name)
    hours = 0.0
    for contest, matches in results(contests, given.pairs, given.folder, given.workers):
        scores = [match.score for match in matches]
        taken = sum(match.seconds for match in matches) / 3600
        hours += taken
        total, count = sum(scores), len(scores)
        won, drawn = scores.count(1.0), scores.count(0.5)
        least = at_least(scores, contest.bound)
        held = "shown" if least > contest.bound and count == 2 * given.pairs else "open"
        options = " ".join(value for _, value in contest.options)
        print(
            f"| {contest.game} {options} | {contest.first} v {contest.second} | {won}-{drawn}-{count - won - drawn} "
            f"| {100 * total / count:.0f} % | {100 * least:.0f} % "
            f"| {100 * contest.bound:.0f} % | {verdict(scores, contest.bound) or held} "
            f"| {sum(match.turns for match in matches) // count} | {60 * taken:.1f} |",
            flush=True,
        )
    print(f"{hours:.1f} h of processor time: {hours / given.workers:.1f} h for {given.workers} workers")


if __name__ == "__main__":
    main()
