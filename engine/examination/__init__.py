"""Examines any game by random games and typed texts: what does not hold of it, and where to look."""

import sys
from collections.abc import Iterable, Iterator

from engine.contract import Problem, contract_problems, line_of
from engine.dice import Dice
from engine.examination.journey import Moment, journey
from engine.examination.properties import OF_GAMES, OF_POSITIONS, OF_TEXTS, A, Property
from engine.examination.texts import typed
from engine.game import AnyGame
from engine.text import Code, Text


def examine_game(game: AnyGame, seed: int = 0, examples: int = 50) -> Iterator[Problem]:
    """What is wrong with a game, as far as so many positions of random games show it: one problem for each property.

    The same seed examines the same positions.
    """
    problems = list(contract_problems(game))
    yield from problems
    if problems:  # what is missing would show again wherever it is asked for
        return
    for of_game in OF_GAMES:
        yield from _first(of_game, [game])
    try:
        moments = list(_moments(game, Dice(seed.to_bytes(32, "big")), examples))
    except Exception as error:
        told = Text("A random game can be played to its end.")
        yield _raised(game, told, error, Text("Look at `turns`, `roll` and `play`."))
        return
    for of_position in (*OF_POSITIONS, *OF_TEXTS):
        yield from _first(of_position, moments)


def _moments(game: AnyGame, dice: Dice, examples: int) -> Iterator[Moment]:
    seeds = [dice.roll(1 << 32) for _ in range(max(5, examples // 10))]
    journeys = [journey(game, seed) for seed in seeds]
    for number in range(examples):
        followed = journeys[number % len(journeys)]
        yield Moment(game, followed, dice.roll(len(followed.positions)), number, typed(dice))


def _first(told: Property[A], examined: Iterable[A]) -> Iterator[Problem]:
    """The first problem; an exception that is none of a game's own is one."""
    for one in examined:
        try:
            problem = next(told.problems(one, _text(one)), None)
        except Exception as error:  # it is somebody's own code: anything can be wrong with it
            game = one.game if isinstance(one, Moment) else one
            problem = _raised(game, told.claim, error, told.remedy)
        if problem is not None:
            yield problem
            return


def _text(examined: object) -> str:
    return examined.game.encode(examined.position) if isinstance(examined, Moment) else ""


def _raised(game: object, claim: Text, error: Exception, remedy: Text) -> Problem:
    """What was raised, and at which line of the game's own file."""
    file = getattr(sys.modules.get(type(game).__module__), "__file__", None) or ""
    line = line_of(error, file) if file else None
    if line is None:
        return Problem(claim, Text("It raised {error}.", error=Code(repr(error))), remedy)
    place = Code(f"{file.rpartition('/')[2]}:{line}")
    return Problem(claim, Text("It raised {error} at {place}.", error=Code(repr(error)), place=place), remedy)
