"""What an arbiter does in a match: each act begins with `Ruled`, and what it leads to follows."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TypeAlias

from engine.match.commands import Act, Player


@dataclass(frozen=True, slots=True)
class Ruled:
    """An arbiter has decided something, for a reason that the players read."""

    at: int
    by: Player
    what: Act
    reason: str
    undoes: int = 0
    """The number of the event by which they had decided what falls now; 0 = of none."""


@dataclass(frozen=True, slots=True)
class Lifted:
    """The result does not hold, and play goes on; what was told at the end can be used for no call."""

    at: int


@dataclass(frozen=True, slots=True)
class PlaceMoved:
    """The match lives in these places from now on."""

    at: int
    places: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class SeatHanded:
    """Somebody else plays a side from now on."""

    at: int
    side: str
    player: Player


ArbiterEvent: TypeAlias = Ruled | Lifted | PlaceMoved | SeatHanded


@dataclass(frozen=True, slots=True)
class ArbiterAct:
    """An act of an arbiter as a match remembers it, with what stood before: to undo it."""

    number: int
    """Of its event."""
    at: int
    by: Player
    what: Act
    places: tuple[str, ...]
    seats: Mapping[str, Player]
    result: tuple[str, str, tuple[str, ...], Player] | None
    """Rule, title, winners and who had ended it; None = it had not ended."""
    until: int
    """The end of the pause that it was in; 0 = it was in none."""
