"""A judge who objects to nothing, in the place of a game's own."""

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from engine.game import AnyGame, Examined, Ruling, Turn
from engine.games import GAMES


@contextmanager
def blind(key: str) -> Iterator[None]:
    """For a while, nobody objects to a turn of this game, and nobody can list those that are tenable."""
    own = GAMES[key]
    taken: dict[str, AnyGame] = GAMES._taken  # type: ignore[attr-defined]
    parts: dict[str, Any] = {
        "judge": _judge,
        "tenable": _tenable,
        "examine": _examine,
        "turns": _turns,
        "proven": _proven,
        "own": own,
    }
    taken[key] = type("Blind", (type(own),), parts)()
    try:
        yield
    finally:
        taken[key] = own


@contextmanager
def sighted(key: str) -> Iterator[None]:
    """For a while, whoever asks for the game anew finds its own judge; the matches at hand keep theirs."""
    taken: dict[str, AnyGame] = GAMES._taken  # type: ignore[attr-defined]
    before = taken[key]
    taken[key] = getattr(before, "own", before)
    try:
        yield
    finally:
        taken[key] = before


def _judge(self: AnyGame, position: Any, turn: Turn) -> Iterator[Ruling[Any]]:
    return iter(())


def _tenable(self: AnyGame, position: Any, turn: Turn) -> bool:
    return True


def _examine(self: AnyGame, position: Any, turn: Turn, written: bool = True) -> Examined[Any, Any]:
    text = self.write(turn, position) if written else ""
    return Examined(turn, (), self.play(position, turn), text)


def _turns(self: AnyGame, position: Any) -> Iterator[Turn]:
    return iter(())


def _proven(self: AnyGame, position: Any) -> None:
    return None
