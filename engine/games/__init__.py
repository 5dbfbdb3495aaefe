"""Discovery: every file or folder here that holds a `GAME` is a game; nothing else needs to know of it."""

import importlib
import pkgutil
from collections.abc import Iterator, Mapping
from functools import lru_cache

from engine.contract import contract_problems, explained
from engine.game import AnyGame


class GameRegistry(Mapping[str, AnyGame]):
    """The games by key, each imported when it is first asked for."""

    def __init__(self) -> None:
        self._taken: dict[str, AnyGame] = {}

    def __getitem__(self, key: str) -> AnyGame:
        if key not in self._taken:
            if key not in set(self):
                raise KeyError(key)
            self._taken[key] = load(f"{__name__}.{key}")
        return self._taken[key]

    def __iter__(self) -> Iterator[str]:
        return iter(_found(tuple(__path__)))

    def __len__(self) -> int:
        return len(_found(tuple(__path__)))


@lru_cache
def _found(folders: tuple[str, ...]) -> tuple[str, ...]:
    """The modules in these folders that may hold a game: looked up once, not for every line that is read."""
    return tuple(sorted(found.name for found in pkgutil.iter_modules(folders) if found.name[0] != "_"))


def load(module: str) -> AnyGame:
    """The game that a module holds. Raises TypeError, with what to write instead, if it does not keep the contract."""
    try:
        found = importlib.import_module(module)
    except TypeError as error:
        problem = explained(error)
        if problem is None:
            raise
        raise TypeError(str(problem)) from error
    if not hasattr(found, "GAME"):
        raise TypeError("It holds no `GAME`. End it with a line like `GAME = Daisy()`.")
    game: AnyGame = found.GAME
    for problem in contract_problems(game):
        raise TypeError(str(problem))
    return game


GAMES: Mapping[str, AnyGame] = GameRegistry()
"""Every game by its key. A module's name is its game's key; extending `__path__` adds a folder of games."""
