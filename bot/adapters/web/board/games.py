"""The games that can be played, and what can be agreed on for each, for the form that a challenge is made with."""

from collections.abc import Mapping
from typing import Any

from bot.adapters.web.board.geometry import Told, geometry
from bot.adapters.web.board.shown import pictured
from bot.messages.catalogue import beside
from engine.dice import Dice
from engine.game import AnyGame, NotationError, Option
from engine.games import GAMES
from engine.match.challenge import first_position
from engine.match.terms import read_terms, settled, sheet

UNROLLED = bytes(32)
"""Luck for a picture of a start: every game has one without a match."""


def games(told: Told) -> list[dict[str, str]]:
    """Every game in a sentence."""
    return [{"key": game.key, "name": told(game.name), "gist": told(game.gist)} for game in GAMES.values()]


def game_details(game: AnyGame, told: Told, given: Mapping[str, str]) -> dict[str, Any]:
    """The terms of a game, explained, and the board that a match on the given ones begins on.

    Where no match could begin on them, `fault` says why and what to write instead, and the board is the usual one.
    """
    try:
        terms, fault = settled(game, given)[0], ""
    except NotationError as error:
        terms = read_terms(game, {})
        fault = beside([told(text) for text in (error.because, error.remedy) if text is not None])
    drawn = game.draw(first_position(game, terms, Dice(UNROLLED)), None)
    return {
        "key": game.key,
        "credit": told(game.credit),
        "terms": [_term(option, told) for option in sheet(game)],
        "fault": fault,
        "board": {"geometry": geometry(drawn, told), **pictured(drawn, told)},
    }


def _term(option: Option, told: Told) -> dict[str, Any]:
    return {"key": option.key, "gist": told(option.gist), "default": option.default, "values": option.values}
