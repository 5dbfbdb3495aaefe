"""What can happen to the time of a match: it rests, is given, or is claimed."""

from dataclasses import dataclass

from engine.match.commands import Player
from engine.match.rests import Span


@dataclass(frozen=True, slots=True)
class Rested:
    """While a player is awaited this time, their time rests in these intervals."""

    at: int
    player: Player
    weekends: tuple[Span, ...] = ()
    vacation: tuple[Span, ...] = ()


@dataclass(frozen=True, slots=True)
class Paused:
    """Nobody's time runs until then, as everybody wanted."""

    at: int
    until: int
    why: str = "pause"
    """`pause`, `adjourn` or `ruling`."""


@dataclass(frozen=True, slots=True)
class PauseEnded:
    """Time runs again before that, as everybody wanted."""

    at: int


@dataclass(frozen=True, slots=True)
class TimeGiven:
    """Somebody has given a side more time."""

    at: int
    by: Player
    side: str
    span: int


@dataclass(frozen=True, slots=True)
class Overrun:
    """Those who are awaited have run out of time; under `timeout=claim` the match goes on until it is claimed."""

    at: int


@dataclass(frozen=True, slots=True)
class ClaimMade:
    """Without a clock: whoever is awaited has a last span of time from now on."""

    at: int
    by: Player


@dataclass(frozen=True, slots=True)
class TermsChanged:
    """Everybody wants other terms: they hold from the next turn on."""

    at: int
    terms: dict[str, str]
    """All of them."""
