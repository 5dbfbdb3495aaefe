"""Loads a host's own games from a folder, beside those that come with Riposte."""

import pkgutil
from pathlib import Path

import engine.games
from engine.contract import raised
from engine.games import GAMES


def add_games(folder: Path | None) -> tuple[str, str] | None:
    """Adds a host's own games to those that come with Riposte. Returns the fact and the remedy if one does not work."""
    if folder is None:
        return None
    if not folder.is_dir():
        return f"RIPOSTE_GAMES is {folder}, and there is no such folder", "Make it, or leave the setting empty."
    if str(folder.absolute()) not in engine.games.__path__:
        engine.games.__path__.append(str(folder.absolute()))
    for name in (found.name for found in pkgutil.iter_modules([str(folder)]) if found.name[0] != "_"):
        game = folder / name
        try:
            key = GAMES[name].key
        except Exception as error:  # it is somebody's own code: anything can be wrong with it
            told = raised(error, str(game.absolute()))
            return f"the game {game} does not work: {told}", "docs/adding-a-game.md shows one that does."
        if key != name:
            return f"the game in {game} calls itself {key}", "Name the file like its key."
    return None
