"""The games that can be played, and what can be agreed on for each, for the form that a challenge is made with."""

from collections.abc import Mapping
from functools import cache
from typing import Any

from bot.adapters.web.board.geometry import Told, geometry
from bot.adapters.web.board.shown import pictured
from bot.messages.catalogue import beside
from engine.appraisal import Appraising
from engine.dice import Dice
from engine.game import AnyGame, NotationError, Option
from engine.games import GAMES
from engine.match.challenge import first_position
from engine.match.terms import read_terms, settled, sheet

UNROLLED = bytes(32)
"""Luck for a picture of a start: every game has one without a match."""


def games(told: Told, partner: bool) -> list[dict[str, Any]]:
    """Every game in a sentence, and whether Riposte itself can be challenged to it; `partner`: whether it plays."""
    return [
        {
            "key": game.key,
            "name": told(game.name),
            "gist": told(game.gist),
            "partner": partner and isinstance(game, Appraising),
        }
        for game in GAMES.values()
    ]


def game_details(game: AnyGame, told: Told, given: Mapping[str, str]) -> dict[str, Any]:
    """The terms of a game, explained, for how many a match on the given ones is, and the board that it begins on.

    Where no match could begin on them, `fault` says why and what to write instead, `at` which term to change, and
    the board is the usual one, for nobody.
    """
    try:
        (terms, seats), fault, at = settled(game, given), "", ""
    except NotationError as error:
        terms, seats, at = read_terms(game, {}), (), _at_fault(game, given)
        fault = beside([told(text) for text in (error.because, error.remedy) if text is not None])
    drawn = game.draw(first_position(game, terms, Dice(UNROLLED)), None)
    return {
        "key": game.key,
        "credit": told(game.credit),
        "terms": [_term(game, option, told) for option in sheet(game)],
        "seats": len(seats),
        "fault": fault,
        "at": at,
        "board": {"geometry": geometry(drawn, told), **pictured(drawn, told)},
    }


def _at_fault(game: AnyGame, given: Mapping[str, str]) -> str:
    """The term without which a match could begin, of several that which was given last; where none helps, the last."""
    for term in reversed(list(given)):
        if _fits(game, {key: value for key, value in given.items() if key != term}):
            return term
    return next(reversed(list(given)), "")


def _fits(game: AnyGame, given: Mapping[str, str]) -> bool:
    try:
        settled(game, given)
    except NotationError:
        return False
    return True


def _term(game: AnyGame, option: Option, told: Told) -> dict[str, Any]:
    values = option.values or _numbers(game.key, option.key)
    return {"key": option.key, "gist": told(option.gist), "default": option.default, "values": values}


FEW = 10
"""So many numbers are chosen from; more are written."""


@cache
def _numbers(key: str, term: str) -> tuple[str, ...]:
    """The values of a term that can be one of a few numbers, such as how many play."""
    option = next(option for option in sheet(GAMES[key]) if option.key == term)
    if option.low is None or option.span:
        return ()
    numbers = [str(number) for number in range(option.low, option.low + FEW + 1)]
    fitting = tuple(number for number in numbers if _fits(GAMES[key], {term: number}))
    return fitting if len(fitting) < len(numbers) else ()
