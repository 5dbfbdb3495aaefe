"""Whether an object keeps the contract of a game, as far as can be seen without playing it."""

import inspect
import re
import traceback
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from engine.composition import Composing
from engine.game import Game
from engine.text import Term, Text


@dataclass(frozen=True, slots=True)
class Problem:
    """What is wrong with a game."""

    claim: Text
    """What should hold: "A position comes back from its text."."""
    because: Text
    """The fact that it does not."""
    remedy: Text
    """What to do about it."""
    position: str = ""
    """The text of the position where it showed, if it was at one."""

    def __str__(self) -> str:
        return f"{self.because} {self.remedy}"


CLAIM = Text("A game keeps the contract of `engine/game.py`.")

ATTRIBUTES: Mapping[str, tuple[type, str]] = {
    "key": (str, 'key = "daisy"'),
    "name": (Term, 'name = Term("Daisy")'),
    "gist": (Text, 'gist = Text("Pluck petals; the last one wins.")'),
    "credit": (Text, 'credit = Text("A children\'s game.")'),
    "sides": (tuple, 'sides = ("S", "M")'),
    "names": (Mapping, 'names = {"S": Term("Sun"), "M": Term("Moon")}'),
    "colours": (Mapping, 'colours = {"S": "gold", "M": "blue"}'),
    "rules": (tuple, "rules = (PLUCK, TOUCH, LOVED)"),
    "options": (tuple, "options = ()"),
    "penalties": (tuple, 'penalties = ("friendly", "turn")'),
    "your_turn": (Term, 'your_turn = Term("your turn")'),
}
"""What a game says of itself, of which type, and a line that says it."""

RENAMED: Mapping[str, str] = {
    "skip": "pass_turn",
    "without": "remove_piece",
    "price": "penalty_text",
    "told": "describe_luck",
    "luck": "rolls",
    "unsealed": "reveal_text",
    "spoils": "token_transfers",
    "grace": "time_limit",
    "phrases": "your_turn",
}
"""What older versions of the contract called its parts."""


def contract_problems(game: object) -> Iterator[Problem]:
    """Every part of a game that is missing, has an older form, or holds prose that cannot be translated."""
    if not isinstance(game, Game):
        yield Problem(
            CLAIM,
            Text("`GAME` is no game but `{kind}`.", kind=type(game).__name__),
            Text("Write `class Daisy(Game[Position, Move])`, and `GAME = Daisy()` below it."),
        )
        return
    yield from _attributes(game)
    yield from _methods(type(game))
    for old, new in RENAMED.items():
        if hasattr(game, old) and getattr(type(game), new) is getattr(Game, new):
            remedy = Text("Write `{line}`.", line=_line(new))
            yield Problem(CLAIM, Text("`{old}` is called `{new}` now.", old=old, new=new), remedy)


def _attributes(game: Any) -> Iterator[Problem]:
    for name, (kind, line) in ATTRIBUTES.items():
        remedy = Text("Write it like `{line}`.", line=line)
        if not hasattr(game, name):
            yield Problem(CLAIM, Text("`{name}` is missing.", name=name), remedy)
        elif not isinstance(getattr(game, name), kind):
            found = type(getattr(game, name)).__name__
            because = Text("`{name}` is of type `{found}`, not `{kind}`.", name=name, found=found, kind=kind.__name__)
            yield Problem(CLAIM, because, remedy)
    for name, which, wanted in _untranslatable(game):
        because = Text("What people read of `{which}` in `{name}` cannot be translated.", which=which, name=name)
        yield Problem(CLAIM, because, Text("Put it into `{kind}(…)`.", kind=wanted))


def _untranslatable(game: Any) -> Iterator[tuple[str, str, str]]:
    """Where a game's tables hold plain words: the table, the line, and what belongs there."""
    for side, name in dict(getattr(game, "names", {})).items():
        if not isinstance(name, Term):
            yield "names", side, "Term"
    for rule in getattr(game, "rules", ()):
        if not isinstance(rule.title, Term):
            yield "rules", rule.ref, "Term"
        if not isinstance(rule.gist, Text):
            yield "rules", rule.ref, "Text"
    for option in game.options:
        if not isinstance(option.gist, Text):
            yield "options", option.key, "Text"


def _methods(kind: type) -> Iterator[Problem]:
    for name, ours in (vars(Composing) | vars(Game)).items():
        if not inspect.isfunction(ours) or name.startswith("_"):
            continue
        theirs = getattr(kind, name)
        if theirs is ours:
            continue
        remedy = Text("Write `{line}`.", line=_line(name))
        if not callable(theirs):
            because = Text("`{name}` is of type `{found}`, not a method.", name=name, found=type(theirs).__name__)
            yield Problem(CLAIM, because, remedy)
        elif not _takes(theirs, ours):
            written = f"{name}({', '.join(inspect.signature(theirs).parameters)})"
            because = Text("`{written}` cannot be called as Riposte calls it.", written=written)
            yield Problem(CLAIM, because, remedy)


def _takes(theirs: Callable[..., Any], ours: Callable[..., Any]) -> bool:
    """Whether a method can be called with what the contract gives it: all of that, and all but what has a default."""
    given = inspect.signature(ours).parameters
    needed = [name for name, parameter in given.items() if parameter.default is parameter.empty]
    try:
        inspect.signature(theirs).bind(*given)
        inspect.signature(theirs).bind(*needed)
    except TypeError:
        return False
    return True


def _line(name: str) -> str:
    """How the contract writes one of its parts."""
    part = getattr(Game, name)
    if not inspect.isfunction(part):
        return ATTRIBUTES[name][1]
    return f"def {name}({', '.join(str(p).partition(':')[0] for p in inspect.signature(part).parameters.values())})"


def line_of(error: BaseException, code: str) -> int | None:
    """The line of a file, or of one in a folder, at which an error came up; None if it was elsewhere."""
    found = [step.lineno for step in traceback.extract_tb(error.__traceback__) if step.filename.startswith(code)]
    return found[-1] if found else None


def raised(error: BaseException, code: str) -> str:
    """An error as Python writes it, and its line in that file, for whoever wrote the file."""
    line = line_of(error, code)
    return repr(error) if line is None else f"{error!r} at line {line}"


def explained(error: TypeError) -> Problem | None:
    """What an error means that Python raises for a class of an older contract; None for any other."""
    said = str(error)
    if "engine.game.Game" in said and "arguments" in said:
        because = Text("`Game` is generic in the position and in the move.")
        return Problem(CLAIM, because, Text("Write `class Daisy(Game[Position, Move])`."))
    missing = sorted(name for name in Game.__abstractmethods__ if re.search(rf"\b{name}\b", said))
    if "abstract" not in said or not missing:
        return None
    because = Text("`{name}` is missing.", name=missing[0])
    return Problem(CLAIM, because, Text("Write `{line}`.", line=_line(missing[0])))
