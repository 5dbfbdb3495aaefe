"""Puzzles: positions in which one turn wins, saves or takes; found in play, proven by trying every turn and reply."""

from collections.abc import Container, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import islice
from typing import Any, Literal, TypeAlias

from engine.appraisal import Appraising
from engine.board import Side
from engine.dice import Dice

Kind: TypeAlias = Literal["win", "touch", "take", "save"]
ENDS = 10_000
"""A turn that promises so many points ends the game: a touch, a captured general."""
KINDS: Mapping[str, tuple[tuple[Kind, int, int, int], ...]] = {
    "tree": (("win", 1, 3, 200), ("win", 2, 3, 80), ("win", 3, 3, 25), ("save", 1, 3, 90), ("take", 1, 3, 120)),
    "replies": (("touch", 1, 3, 100_000),),
}
"""By search: what is looked for, in how many turns, and how many turns there may be at least and at most."""
EVERY_KIND = frozenset((kind, count) for rows in KINDS.values() for kind, count, *_ in rows)
DEEP = frozenset({("win", 2), ("win", 3), ("save", 1)})
"""What costs thousands of positions each time it is looked for."""
WORTH, LEAD = 100, 60
"""What a turn has to take, less what the best reply takes; and how much more than every other turn."""
BETWEEN = "|"
"""Separates the fields of a line; it occurs in no position and no turn."""


@dataclass(frozen=True, slots=True)
class Puzzle:
    """A position in which one turn alone does what is asked for."""

    game: str
    kind: Kind
    count: int
    """In how many turns of one's own."""
    position: str
    solution: str
    proof: str = ""
    """Why this turn and no other, as `proof` writes it; "" where it is not told."""

    def write(self) -> str:
        """As one line, without its proof."""
        return BETWEEN.join((self.kind, str(self.count), self.solution, self.position))

    def write_proven(self) -> str:
        """As one line, with its proof."""
        return BETWEEN.join((self.write(), self.proof))


def read_puzzle(game: str, line: str) -> Puzzle:
    """A puzzle from its line, with or without its proof. Raises ValueError."""
    kind, count, solution, position, *proven = line.split(BETWEEN, 4)
    if kind not in ("win", "touch", "take", "save"):
        raise ValueError(line)
    return Puzzle(game, kind, int(count), position, solution, *proven)  # type: ignore[arg-type]  # just looked at


def solutions(game: Appraising[Any, Any], position: Any, kind: Kind, count: int) -> Iterator[Any]:
    """The turns that do what a puzzle asks for: its proof is that there is one."""
    side = game.to_act(position)
    turns = _turns(game, position)
    if kind == "win":
        yield from (turn for turn in turns if wins(game, position, turn, side, count))
    elif kind == "touch":
        yield from (turn for turn in turns if game.promise(position, turn) >= ENDS)
    elif kind == "save":
        yield from (turn for turn in turns if next(refutations(game, position, turn, side), None) is None)
    else:
        gains = [(net(game, position, turn)[0], turn) for turn in turns]
        best = max((gain for gain, _ in gains), default=0)
        yield from (turn for gain, turn in gains if best >= WORTH and gain > best - LEAD)


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
    if game.to_act(after) != side:
        yield from (reply for reply in _turns(game, after) if _loses(game, after, reply, side))


def _loses(game: Appraising[Any, Any], position: Any, reply: Any, side: Side) -> bool:
    """Whether a reply wins for somebody else; of a turn in two halves, with the other half."""
    after = game.play(position, reply)
    end = game.outcome(after)
    if end is not None:
        return side not in end.winners
    actor = game.to_act(after)
    if actor == side or actor != game.to_act(position):
        return False
    return any(_loses(game, after, half, side) for half in _turns(game, after))


def gain(game: Appraising[Any, Any], position: Any, turn: Any) -> int:
    """What a turn takes at once, in points."""
    if game.captures:
        return game.promise(position, turn)
    side, after = game.to_act(position), game.play(position, turn)
    end = game.outcome(after)
    if end is not None:
        return ENDS if side in end.winners else -ENDS
    return (game.material(after, side) or 0) - (game.material(position, side) or 0)


def net(game: Appraising[Any, Any], position: Any, turn: Any) -> tuple[int, Any]:
    """What a turn takes less what the dearest reply takes, and that reply; nothing where it takes too little."""
    gained = gain(game, position, turn)
    if gained < WORTH:
        return 0, None
    after = game.play(position, turn)
    if game.outcome(after) is not None or game.to_act(after) == game.to_act(position):
        return 0, None
    lost, reply = max(((gain(game, after, reply), reply) for reply in _turns(game, after)), key=_first, default=NOTHING)
    return (gained - lost, reply) if lost > 0 else (gained, None)


def puzzle_at(
    game: Appraising[Any, Any], position: Any, kinds: Container[tuple[Kind, int]] = EVERY_KIND, *, deep: bool = True
) -> Puzzle | None:
    """The puzzle that a position holds, if any: the end first, then what saves from one, then what takes.

    Of these kinds and numbers of turns; what costs much is looked for if it is to be `deep`.
    """
    if game.outcome(position) is not None or game.asks(position) or len(game.playing(position)) != 2:
        return None
    number = len(_turns(game, position))
    for kind, count, least, most in KINDS[game.search]:
        if not least <= number <= most or (not deep and (kind, count) in DEEP):
            continue
        if kind == "take" and ((kind, count) not in kinds or not _takes(game, position)):
            continue
        found = list(islice(solutions(game, position, kind, count), 2))
        if len(found) == 1 and not game.rolls(game.roll(position, found[0], Dice(bytes(32)))):
            if (kind, count) not in kinds:
                return None
            proven = proof(game, position, kind, count, found[0])
            return Puzzle(game.key, kind, count, game.encode(position), game.write(found[0], position), proven)
        if found and kind != "save":
            return None  # there are several ways
    return None


def _takes(game: Appraising[Any, Any], position: Any) -> bool:
    """Whether it can be told what falls."""
    return game.captures or game.material(position, game.to_act(position)) is not None


# --- proofs -----------------------------------------------------------------------------------------------
def proof(game: Appraising[Any, Any], position: Any, kind: Kind, count: int, solution: Any) -> str:
    """Why a turn alone does what is asked for, so that it can be followed turn by turn.

    First how it goes on (`replies>answer`, each with the answer that wins), then what spoils the others
    (`turns>reply`), or how many were tried where each is one turn deep. Of turns that take, `turn>reply=points`.
    """
    side = game.to_act(position)
    turns = _turns(game, position)
    others = [turn for turn in turns if turn != solution]
    if kind == "touch" or (kind == "win" and count == 1):
        return f"{BETWEEN}{len(others)}"
    if kind == "take":
        first, *rest = [
            _taken(game, position, turn) for turn in (solution, *others) if gain(game, position, turn) >= WORTH
        ]
        return BETWEEN.join((first, ";".join(rest)))
    follows: list[tuple[str, str]] = []
    if kind == "win":
        spoilers = [(turn, _spoiler(game, position, turn, side, count)) for turn in others]
        follows = _answers(game, game.play(position, solution), side, count - 1)
    else:
        spoilers = [(turn, next(refutations(game, position, turn, side))) for turn in others]
    spoilt = [
        (game.write(turn, position), _written(game, game.play(position, turn), reply, turn)) for turn, reply in spoilers
    ]
    return BETWEEN.join((_grouped(follows), _grouped(spoilt)))


def _answers(game: Appraising[Any, Any], position: Any, side: Side, count: int) -> list[tuple[str, str]]:
    """Each reply, and the turn that wins after it."""
    if game.to_act(position) == side:
        best = next(turn for turn in _turns(game, position) if wins(game, position, turn, side, count))
        return [("", game.write(best, position))]
    told = []
    for reply in _turns(game, position):
        after = game.play(position, reply)
        if game.outcome(after) is None:
            best = next(turn for turn in _turns(game, after) if wins(game, after, turn, side, count))
            told.append((game.write(reply, position), game.write(best, after)))
    return told


def _spoiler(game: Appraising[Any, Any], position: Any, turn: Any, side: Side, count: int) -> Any:
    """The reply after which a turn does not win any more; the turn itself where it ends the game otherwise."""
    after = game.play(position, turn)
    return turn if game.outcome(after) is not None else next(defences(game, after, side, count - 1))


def _taken(game: Appraising[Any, Any], position: Any, turn: Any) -> str:
    points, reply = net(game, position, turn)
    answer = "" if reply is None else game.write(reply, game.play(position, turn))
    return f"{game.write(turn, position)}>{answer}={points}"


def _written(game: Appraising[Any, Any], position: Any, reply: Any, turn: Any) -> str:
    """A reply; "" where the game is over, or nobody else is asked."""
    return "" if reply in ((), turn) else game.write(reply, position)


def _grouped(pairs: Sequence[tuple[str, str]]) -> str:
    """All that has the same answer stands before it, once."""
    groups: dict[str, list[str]] = {}
    for turn, answer in pairs:
        groups.setdefault(answer, []).append(turn)
    return ";".join(f"{','.join(turns)}>{answer}" for answer, turns in groups.items())


def _turns(game: Appraising[Any, Any], position: Any) -> list[Any]:
    """The turns that are tried: all, but for those of hundreds that deserve no look."""
    return list(game.turns(position) if game.search == "tree" else game.likely(position))


def _first(pair: tuple[int, Any]) -> int:
    return pair[0]


NOTHING: tuple[int, Any] = (0, None)
