"""The games that can be played, and what can be agreed on for each, for the form that a challenge is made with."""

from typing import Any

from bot.adapters.web.board.geometry import Told, geometry
from bot.adapters.web.board.shown import pictured
from engine.dice import Dice
from engine.game import AnyGame, Option
from engine.games import GAMES
from engine.match.terms import sheet

UNROLLED = bytes(32)
"""Luck for a picture of a start: every game has one without a match."""


def games(told: Told) -> list[dict[str, str]]:
    """Every game in a sentence."""
    return [{"key": game.key, "name": told(game.name), "gist": told(game.gist)} for game in GAMES.values()]


def game_details(game: AnyGame, told: Told) -> dict[str, Any]:
    """The terms of a game, explained, and the board that it begins on."""
    drawn = game.draw(game.setup({}, Dice(UNROLLED)), None)
    return {
        "key": game.key,
        "credit": told(game.credit),
        "terms": [_term(option, told) for option in sheet(game) if option.key != "start"],
        "board": {"geometry": geometry(drawn, told), **pictured(drawn, told)},
    }


def _term(option: Option, told: Told) -> dict[str, Any]:
    return {"key": option.key, "gist": told(option.gist), "default": option.default, "values": option.values}
