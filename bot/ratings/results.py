"""The result of a finished match, as it is kept beside it: who played, how each did, and whether it is rated."""

from dataclasses import dataclass, field
from typing import Final

import msgspec

from engine.game import ABORTED
from engine.match.commands import Player
from engine.match.state import Match

KEY: Final = "result {game}"
"""Under which a match's result is kept, as a setting of the match."""
OWNER: Final = "match:{match}"
RATING: Final = "rating"
"""The setting of somebody who is not rated."""
OVERDUE: Final = "overdue"
"""The setting that counts in how many matches somebody has let their time run out."""
FEWEST_TURNS: Final = 2
"""Turns without which a match is not rated: nobody has played yet."""


@dataclass(frozen=True, slots=True)
class Calls:
    """What somebody called in one match."""

    upheld: int = 0
    wrong: int = 0
    missed: int = 0
    """Others' untenable turns that nobody called."""


@dataclass(frozen=True, slots=True)
class Result:
    """How a match ended for each of its players."""

    match: str
    at: int
    """When it ended."""
    players: tuple[Player, ...]
    """Each by the account that they played from."""
    winners: tuple[Player, ...]
    """All = a draw, none = all lost."""
    rated: bool
    places: tuple[str, ...] = ()
    """The servers and rooms where it was played."""
    calls: dict[Player, Calls] = field(default_factory=dict)
    """Of a match in which turns are called out; of earlier versions nothing is known."""

    @property
    def several(self) -> bool:
        """Whether three or more have played."""
        return len(self.players) > 2


def result_of(
    match: Match, *, people: bool, places: tuple[str, ...], calls: dict[Player, Calls] | None = None
) -> Result | None:
    """Returns the result of a match that is over; None for one that was called off, or is private.

    `people`: each seat is somebody else's, and all of them let themselves be rated. A match from a given start says
    nothing of strength: its sides need not have even chances. Nor does one in which a seat was handed on, or one that
    its players agreed not to have rated.
    """
    ended = match.result
    if ended is None or not match.seats or ended.rule == ABORTED.ref or match.private:
        return None
    players = tuple(match.seats.values())
    winners = tuple(match.seats[side] for side in ended.winners)
    even = match.terms.get("start", "") == "" and len(match.plies) >= FEWEST_TURNS and not match.handed
    even = even and match.terms.get("rated", "yes") == "yes" and len(set(players)) == len(players)
    return Result(match.id, ended.at, players, winners, people and even, places, calls or {})


def write_result(result: Result) -> str:
    """Returns it as JSON."""
    return msgspec.json.encode(result).decode()


def read_result(text: str) -> Result:
    """The opposite of `write_result`."""
    return msgspec.json.decode(text, type=Result)
