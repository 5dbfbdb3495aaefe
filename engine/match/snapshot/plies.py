"""Plies of long ago: their positions are texts until somebody asks for them."""

from collections.abc import Callable, Sequence
from dataclasses import fields
from typing import Any

from engine.game import AnyGame, NotationError, Turn
from engine.match.state import Ply

EVERY = tuple(one.name for one in fields(Ply))
PLAIN = tuple(name for name in EVERY if name not in ("before", "after", "turn"))
"""The fields that are written as they are."""


class StoredPly(Ply):
    """A ply as a snapshot has it. Equal to the ply that it was made from."""

    __slots__ = ("_after", "_before", "_game", "_texts", "_turn")
    _game: AnyGame
    _texts: tuple[str, str]

    @classmethod
    def stored(cls, game: AnyGame, texts: tuple[str, str], row: Sequence[Any]) -> "StoredPly":
        """Returns the ply with these `PLAIN` values between two positions as texts."""
        ply = object.__new__(cls)
        put = object.__setattr__
        for name, value in zip(PLAIN, row, strict=True):
            put(ply, name, value)
        put(ply, "_game", game)
        put(ply, "_texts", texts)
        return ply

    @property
    def before(self) -> Any:
        """The position before it."""
        return self._known("_before", lambda: self._game.decode(self._texts[0]))

    @before.setter
    def before(self, position: Any) -> None:
        object.__setattr__(self, "_before", position)

    @property
    def after(self) -> Any:
        """The position after it."""
        return self._known("_after", lambda: self._game.decode(self._texts[1]))

    @after.setter
    def after(self, position: Any) -> None:
        object.__setattr__(self, "_after", position)

    @property
    def turn(self) -> Any:
        """What its text says."""
        return self._known("_turn", self._read)

    @turn.setter
    def turn(self, turn: Turn) -> None:
        object.__setattr__(self, "_turn", turn)

    @property
    def texts(self) -> tuple[str, str]:
        """Both positions as texts."""
        return self._texts

    def _known(self, name: str, work: Callable[[], Any]) -> Any:
        """What is asked for, worked out once."""
        try:
            return object.__getattribute__(self, name)
        except AttributeError:
            found = work()
            object.__setattr__(self, name, found)
            return found

    def _read(self) -> Turn:
        if self.kind != "turn":
            return ()
        try:
            return self._game.read(self.text, self.before)
        except NotationError as error:  # an older notation: what has led to the position behind it
            turns = (self._game.read(text, self.before) for text in error.readings)
            return next(turn for turn in turns if self._game.play(self.before, turn) == self.after)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Ply) and all(getattr(self, one) == getattr(other, one) for one in EVERY)

    __hash__ = Ply.__hash__
