"""Puzzles: positions in which one turn wins, saves or takes; found in play, proven by trying every turn and reply."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any, Literal, TypeAlias

from engine.appraisal import Appraising
from engine.board import Side
from engine.dice import Dice

Kind: TypeAlias = Literal["win", "touch", "take", "save"]
ENDS = 10_000
"""Points from which on a promise ends the game: a touch, a general."""
WORTH, LEAD = 100, 60
"""What a turn has to take, less what the best reply takes; and how much more than every other turn."""


@dataclass(frozen=True, slots=True)
class Puzzle:
    """A position in which one turn alone does what is asked for."""

    game: str
    kind: Kind
    count: int
    """In how many turns of one's own."""
    position: str
    solution: str

    def write(self) -> str:
        """As one line."""
        return "|".join((self.kind, str(self.count), self.solution, self.position))


def read_puzzle(game: str, line: str) -> Puzzle:
    """A puzzle from its line. Raises ValueError."""
    kind, count, solution, position = line.split("|", 3)
    if kind not in ("win", "touch", "take", "save"):
        raise ValueError(line)
    return Puzzle(game, kind, int(count), position, solution)  # type: ignore[arg-type]  # just looked at


def solutions(game: Appraising[Any, Any], position: Any, kind: Kind, count: int) -> list[Any]:
    """The turns that do what a puzzle asks for: its proof is that there is one."""
    side = game.to_act(position)
    turns = _turns(game, position)
    if kind == "win":
        return [turn for turn in turns if wins(game, position, turn, side, count)]
    if kind == "touch":
        return [turn for turn in turns if game.promise(position, turn) >= ENDS]
    if kind == "save":
        return [turn for turn in turns if next(refutations(game, position, turn, side), None) is None]
    gains = [(net(game, position, turn), turn) for turn in turns]
    best = max((gain for gain, _ in gains), default=0)
    return [turn for gain, turn in gains if best >= WORTH and gain > best - LEAD]


def wins(game: Appraising[Any, Any], position: Any, turn: Any, side: Side, count: int) -> bool:
    """Whether a turn wins at once, or leads to a win in so many turns whatever the others reply."""
    after = game.play(position, turn)
    end = game.outcome(after)
    if end is not None:
        return end.winners == frozenset({side})
    if count == 1:
        return False
    return next(defences(game, after, side, count - 1), None) is None


def defences(game: Appraising[Any, Any], position: Any, side: Side, count: int) -> Iterator[Any]:
    """The replies after which a side cannot win in so many turns; where it is that side's own turn, none of the others
    is asked."""
    if game.to_act(position) == side:
        if not any(wins(game, position, turn, side, count) for turn in _turns(game, position)):
            yield ()
        return
    for reply in _turns(game, position):
        after = game.play(position, reply)
        end = game.outcome(after)
        if end is not None:
            if end.winners != frozenset({side}):
                yield reply
        elif game.to_act(after) != side or not any(
            wins(game, after, turn, side, count) for turn in _turns(game, after)
        ):
            yield reply


def refutations(game: Appraising[Any, Any], position: Any, turn: Any, side: Side) -> Iterator[Any]:
    """The replies that win at once for somebody else; an end that is lost is its own refutation."""
    after = game.play(position, turn)
    end = game.outcome(after)
    if end is not None:
        if side not in end.winners:
            yield turn
        return
    actor = game.to_act(after)
    for reply in _turns(game, after) if actor != side else ():
        outcome = game.outcome(game.play(after, reply))
        if outcome is not None and side not in outcome.winners:
            yield reply


def net(game: Appraising[Any, Any], position: Any, turn: Any) -> int:
    """What a turn takes less what the dearest reply takes."""
    gain = game.promise(position, turn)
    if gain < WORTH:
        return 0
    after = game.play(position, turn)
    if game.outcome(after) is not None or game.to_act(after) == game.to_act(position):
        return 0
    return gain - max((game.promise(after, reply) for reply in _turns(game, after)), default=0)


def puzzle_at(game: Appraising[Any, Any], position: Any) -> Puzzle | None:
    """The puzzle that a position holds, if any: the end first, then what saves from one, then what takes."""
    if game.outcome(position) is not None or game.asks(position) or len(game.playing(position)) != 2:
        return None
    number = len(_turns(game, position))
    for kind, count, least, most in KINDS[game.search]:
        if not least <= number <= most or (kind == "take" and not game.captures):
            continue
        found = solutions(game, position, kind, count)
        if len(found) == 1 and not game.rolls(game.roll(position, found[0], Dice(bytes(32)))):
            return Puzzle(game.key, kind, count, game.encode(position), game.write(found[0], position))
        if found and kind != "save":
            return None  # there are several ways
    return None


KINDS: Mapping[str, tuple[tuple[Kind, int, int, int], ...]] = {
    "tree": (("win", 1, 3, 200), ("win", 2, 3, 30), ("save", 1, 3, 90), ("take", 1, 3, 120)),
    "replies": (("touch", 1, 3, 100_000),),
}
"""By search: what is looked for, in how many turns, and how many turns there may be at least and at most."""


def _turns(game: Appraising[Any, Any], position: Any) -> list[Any]:
    """The turns that are tried: all, but for those of hundreds that deserve no look."""
    return list(game.turns(position) if game.search == "tree" else game.likely(position))
