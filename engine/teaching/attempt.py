"""Whether an answer reaches the goal of a step, and what there is to say about it."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from engine.board import Site
from engine.diagram import Mark
from engine.dice import Dice
from engine.game import AnyGame, NotationError, Ruling, Turn
from engine.reading.typed import understood
from engine.teaching.lessons import Goal, Step
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

    before: Any
    turns: tuple[Turn, ...]
    rulings: tuple[Ruling[Any], ...]
    after: Any


def attempt(game: AnyGame, step: Step, text: str) -> Attempt:
    """What an answer to a step comes to. Raises NotationError for one that is none."""
    if step.turn:
        return _verdict(game, step, text)
    made = _made(game, step.position, text)
    written = game.write(made.turns[0], made.before) if len(made.turns) == 1 else ""
    told = [mistake.says for mistake in step.mistakes if _same(game, step.position, mistake.turn, made)]
    if made.rulings and not step.goal.breaks:
        first = made.rulings[0]
        says = (*told, first.because) if first.because not in told else tuple(told)
        return Attempt(False, says, tuple(mark for ruling in made.rulings for mark in ruling.marks), written)
    lacks = next(_lacking(game, step, made), None)
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


def _lacking(game: AnyGame, step: Step, made: _Made) -> Iterator[Text]:
    """What a turn has not done."""
    goal: Goal = step.goal
    moves = [move for turn in made.turns for move in turn]
    side = game.to_act(made.before)
    if goal.breaks and not any(ruling.rule.ref.startswith(goal.breaks) for ruling in made.rulings):
        yield SHOULD_BREAK
    if goal.wins:
        outcome = game.outcome(made.after)
        if outcome is None or outcome.winners != frozenset({side}):
            yield NO_WIN
    if goal.goes_on and game.outcome(made.after) is not None:
        yield ENDS_IT
    standing = game.draw(made.after, None).figures
    left = {figure.site for figure in standing if figure.side not in ("", side) and not figure.ghost}
    for site in goal.takes:
        if site in left:
            yield Text(STILL_THERE.template, place=site)
    if goal.among and not any(_same(game, step.position, text, made) for text in goal.among):
        yield NOT_ASKED
    if goal.verb and not any(move.verb == goal.verb for move in moves):
        yield NOT_ASKED
    if goal.piece and not any(move.piece == goal.piece for move in moves):
        yield NOT_ASKED
    if goal.origin and not any(move.origin == goal.origin for move in moves):
        yield NOT_ASKED
    if goal.ends and not _ends(game, made) & {*goal.ends}:
        yield NOT_ASKED
    if goal.safe and _can_win(game, made.after):
        yield NOT_SAFE


def _ends(game: AnyGame, made: _Made) -> set[Site]:
    position, found = made.before, set[Site]()
    for turn in made.turns:
        found |= game.ends(turn, position) | {move.target for move in turn}
        position = game.play(position, turn)
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
    return _Made(before, tuple(turns), tuple(rulings), at)


def _same(game: AnyGame, position: str, text: str, made: _Made) -> bool:
    return _made(game, position, text).turns == made.turns
