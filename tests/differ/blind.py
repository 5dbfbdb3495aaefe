"""A judge who objects to nothing, in the place of a game's own."""

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from engine.game import AnyGame, Examined, Ruling, Turn
from engine.games import GAMES


@contextmanager
def blind(key: str) -> Iterator[None]:
    """For a while, nobody objects to a turn of this game, and nobody can list those that are tenable."""
    sighted = GAMES[key]
    taken: dict[str, AnyGame] = GAMES._taken  # type: ignore[attr-defined]
    parts = {"judge": _judge, "tenable": _tenable, "examine": _examine, "turns": _turns, "proven": _proven}
    taken[key] = type("Blind", (type(sighted),), parts)()
    try:
        yield
    finally:
        taken[key] = sighted


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
