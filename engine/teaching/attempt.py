"""Whether an answer reaches the goal of a step, and what there is to say about it."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, TypeAlias

from engine.board import Side, Site
from engine.diagram import Mark
from engine.dice import Dice
from engine.game import AnyGame, NotationError, Ruling, Turn
from engine.reading.typed import understood
from engine.teaching.lessons import Step
from engine.text import Text

CALLS = (
    "call",
    "call it out",
    "untenable",
    "callout",
    "no",
    "breaks",
    "it breaks",
    "illegal",
    "wrong",
    "it does not hold",
)
STANDS = ("ok", "okay", "let it stand", "tenable", "it holds", "holds", "hold", "yes", "fine", "legal")
"""What is answered to "does this turn hold?"."""

OFFERED, TRIED = 4, 12
"""Answers that are offered at most, and turns that are looked at for them."""

HOLDS = Text("It breaks no rule.")
HAS_NOT_HELD = Text("It is untenable.")
NOT_ASKED = Text("That turn holds, but it is not what is asked for here.")
SHOULD_BREAK = Text("That turn holds; here it is to break the rule.")
NO_WIN = Text("That turn holds, but it does not win.")
ENDS_IT = Text("That turn holds, but it ends the game, and not for you.")
NOT_SAFE = Text("That turn holds, but the other side can win at once.")
STILL_THERE = Text("That turn holds, but {place} is not cleared.")


@dataclass(frozen=True, slots=True)
class Attempt:
    """What became of an answer."""

    done: bool
    says: tuple[Text, ...]
    marks: tuple[Mark, ...] = ()
    turn: str = ""
    """The turn as it is written; "" where it had several parts, or there was none."""


@dataclass(frozen=True, slots=True)
class _Made:
    """A turn of one part or more, carried out."""

    game: AnyGame
    before: Any
    turns: tuple[Turn, ...]
    rulings: tuple[Ruling[Any], ...]
    after: Any

    @property
    def side(self) -> Side:
        """Whose turn it was."""
        return self.game.to_act(self.before)


Lack: TypeAlias = Callable[[Step, _Made, Any], Text | None]
"""What a turn lacks of something that is asked for; None = nothing."""


def attempt(game: AnyGame, step: Step, text: str) -> Attempt:
    """What an answer to a step comes to. Raises NotationError for one that is none."""
    if step.turn:
        return _verdict(game, step, text)
    made = _made(game, step.position, text)
    written = game.write(made.turns[0], made.before) if len(made.turns) == 1 else ""
    told = [mistake.says for mistake in step.mistakes if _made(game, step.position, mistake.turn).turns == made.turns]
    if made.rulings and not step.goal.breaks:
        first = made.rulings[0]
        says = (*told, first.because) if first.because not in told else tuple(told)
        return Attempt(False, says, tuple(mark for ruling in made.rulings for mark in ruling.marks), written)
    lacks = _lacking(step, made)
    if lacks is not None:
        return Attempt(False, tuple(told) or (lacks,), (), written)
    broken = tuple(ruling.because for ruling in made.rulings[:1])
    return Attempt(True, broken, (), written)


def offered(game: AnyGame, step: Step) -> tuple[str, ...]:
    """Answers to choose from by a tap: one that is right, likely mistakes and other turns, by their letters."""
    position = game.decode(step.position)
    turns = list(game.turns(position))
    known = (step.solution, *(mistake.turn for mistake in step.mistakes))
    found = dict.fromkeys(attempt(game, step, text).turn or text for text in known)  # all in one spelling
    for number in range(TRIED):
        if len(found) >= OFFERED:
            break
        other = game.write(turns[number * len(turns) // TRIED], position)
        if not attempt(game, step, other).done:
            found[other] = None
    return tuple(sorted([*found][:OFFERED]))


def rulings_of(game: AnyGame, step: Step) -> tuple[Ruling[Any], ...]:
    """What speaks against the turn that stands in a step."""
    return _made(game, step.position, step.turn).rulings


def verdict(text: str) -> str:
    """What somebody says of a turn: that they call it out, or let it stand; "" = neither."""
    said = text.strip(" .!?`").lower()
    return next((words[0] for words in (CALLS, STANDS) if said in words or said.startswith(f"{words[0]} ")), "")


def _verdict(game: AnyGame, step: Step, text: str) -> Attempt:
    said = verdict(text)
    if not said:
        raise NotationError(Text("Does this turn hold?"), Text("Answer `call` or `ok`."))
    rulings = rulings_of(game, step)
    facts = (HAS_NOT_HELD, rulings[0].because) if rulings else (HOLDS,)
    right = (said == CALLS[0]) == bool(rulings)
    # A wrong answer tells the fact as well: there are only two, so nothing is left to find.
    return Attempt(right, facts, tuple(mark for ruling in rulings for mark in ruling.marks))


def _lacking(step: Step, made: _Made) -> Text | None:
    """The first thing that a turn has not done of what is asked for."""
    for named, lacks in LACKS.items():
        asked = getattr(step.goal, named)
        said = lacks(step, made, asked) if asked else None
        if said is not None:
            return said
    return None


def _unbroken(step: Step, made: _Made, ref: str) -> Text | None:
    return None if any(ruling.rule.ref.startswith(ref) for ruling in made.rulings) else SHOULD_BREAK


def _not_won(step: Step, made: _Made, asked: object) -> Text | None:
    outcome = made.game.outcome(made.after)
    return None if outcome is not None and outcome.winners == frozenset({made.side}) else NO_WIN


def _over(step: Step, made: _Made, asked: object) -> Text | None:
    return None if made.game.outcome(made.after) is None else ENDS_IT


def _not_taken(step: Step, made: _Made, sites: tuple[Site, ...]) -> Text | None:
    standing = made.game.draw(made.after, None).figures
    left = {figure.site for figure in standing if figure.side not in ("", made.side) and not figure.ghost}
    return next((Text(STILL_THERE.template, place=site) for site in sites if site in left), None)


def _another_turn(step: Step, made: _Made, among: tuple[str, ...]) -> Text | None:
    return None if any(_made(made.game, step.position, text).turns == made.turns for text in among) else NOT_ASKED


def _another(part: str) -> Lack:
    """A check that one of the moves has this part."""
    return lambda step, made, asked: (
        None if any(getattr(move, part) == asked for turn in made.turns for move in turn) else NOT_ASKED
    )


def _elsewhere(step: Step, made: _Made, sites: tuple[Site, ...]) -> Text | None:
    return None if _ends(made) & {*sites} else NOT_ASKED


def _unsafe(step: Step, made: _Made, asked: object) -> Text | None:
    return NOT_SAFE if _can_win(made.game, made.after) else None


LACKS: Mapping[str, Lack] = {
    "breaks": _unbroken,
    "wins": _not_won,
    "goes_on": _over,
    "takes": _not_taken,
    "among": _another_turn,
    "verb": _another("verb"),
    "piece": _another("piece"),
    "origin": _another("origin"),
    "ends": _elsewhere,
    "safe": _unsafe,
}
"""What is said where a turn lacks what a field of `Goal` asks for, in the order in which it is looked for."""


def _ends(made: _Made) -> set[Site]:
    position, found = made.before, set[Site]()
    for turn in made.turns:
        found |= made.game.ends(turn, position) | {move.target for move in turn}
        position = made.game.play(position, turn)
    return found


def _can_win(game: AnyGame, position: Any) -> bool:
    side = game.to_act(position)
    for turn in game.turns(position):
        outcome = game.outcome(game.play(position, turn))
        if outcome is not None and side in outcome.winners:
            return True
    return False


def _made(game: AnyGame, position: str, text: str) -> _Made:
    """A typed turn carried out, part by part where it has several."""
    before = at = game.decode(position)
    turns: list[Turn] = []
    rulings: list[Ruling[Any]] = []
    for part in game.split(text):
        turn = game.roll(at, understood(game, part, at), Dice(bytes(32)))
        rulings += game.judge(at, turn)
        turns.append(turn)
        at = game.play(at, turn)
    return _Made(game, before, tuple(turns), tuple(rulings), at)
