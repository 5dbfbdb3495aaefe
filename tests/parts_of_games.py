"""Which games have which part: what the contract leaves to a game is asked of those that have it."""

from pathlib import Path
from typing import Any

from bot.commands.learning.stock import stock
from bot.messages.catalogue import PSEUDO, language
from engine.appraisal import Appraising
from engine.dice import Dice
from engine.game import AnyGame
from engine.games import GAMES

FOLDER = Path(__file__).parent / "games"
OURS = sorted({path.parent.name for path in FOLDER.glob("*/rulings.txt")} & set(GAMES))
"""The games that come with Riposte: they have every part."""


def start(game: AnyGame) -> Any:
    """Where a match of it begins."""
    return game.setup({}, Dice(bytes(32)))


def _throws(game: AnyGame) -> bool:
    """Whether luck decides what becomes of an ordinary turn."""
    turn = game.read(game.example(start(game)), start(game))
    return bool(game.roll(start(game), turn, Dice(bytes(32))) != turn)


COMPOSED = [key for key in GAMES if GAMES[key].menu(start(GAMES[key]), ()).offered]
"""Their turns can be picked; those of the others are typed."""
TAUGHT = [key for key in GAMES if GAMES[key].entries]
"""They tell what the words of their rules mean."""
APPRAISED = [key for key in GAMES if isinstance(GAMES[key], Appraising)]
"""Riposte plays them."""
STOCKED = [key for key in GAMES if stock(key)]
"""There are puzzles of them."""
TRANSLATED = [key for key in GAMES if language(PSEUDO).say(GAMES[key].name) != str(GAMES[key].name)]
"""The catalogues know their words."""
CERTAIN = [key for key in GAMES if not _throws(GAMES[key])]
"""An ordinary turn of theirs throws nothing."""

PARTS = {
    "menus": COMPOSED,
    "entries": TAUGHT,
    "an appraisal": APPRAISED,
    "puzzles": STOCKED,
    "translations": TRANSLATED,
    "turns without luck": CERTAIN,
}
