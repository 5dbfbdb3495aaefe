"""What happens in a tournament, as it is stored; and as JSON and back."""

from dataclasses import dataclass
from typing import Literal, TypeAlias, get_args

import msgspec

from engine.match.commands import Player

Form: TypeAlias = Literal["round-robin", "swiss", "knockout", "double", "teams", "ladder"]
FORMS: tuple[Form, ...] = get_args(Form)
How: TypeAlias = Literal["played", "time", "aborted", "forfeit"]
"""How a match of a tournament was decided: on the board, on time, called off, or never played."""


@dataclass(frozen=True, slots=True)
class Sheet:
    """What was settled of a tournament when it was announced."""

    seats: int
    """Entrants with which it is full; of teams, the boards."""
    rounds: int
    """Of a Swiss tournament; 0 = as many as it takes."""
    games: int
    """Matches of each pairing, played at once with sides alternating."""
    atonce: int
    """Pairings of one player in a round robin that run at once."""
    begins: int
    """When it begins, in milliseconds since 1970 UTC; 0 = when it is full, or when the organiser says so."""
    ends: int
    """When the season of a ladder ends; 0 = not by itself."""


@dataclass(frozen=True, slots=True)
class Announced:
    """Somebody has set it up; they are its organiser."""

    at: int
    id: str
    by: Player
    name: str
    form: Form
    game: str
    terms: dict[str, str]
    """Of its matches."""
    sheet: Sheet
    place: str
    """Where its news are told and its matches are played."""


@dataclass(frozen=True, slots=True)
class Entered:
    """Somebody takes part."""

    at: int
    player: Player
    team: str = ""
    """Of teams: the server or room for which they play."""
    place: str = ""
    """Of teams: the channel in which they entered."""


@dataclass(frozen=True, slots=True)
class Withdrawn:
    """Somebody has withdrawn: what they have played stands, what they have not is lost."""

    at: int
    player: Player
    by: Player


@dataclass(frozen=True, slots=True)
class Handed:
    """Somebody else is the organiser; "" = nobody, so the hosts of its place are."""

    at: int
    by: Player
    to: Player


@dataclass(frozen=True, slots=True)
class Begun:
    """Nobody can enter any more, but for a ladder."""

    at: int
    seeds: tuple[Player, ...]
    """The entrants, strongest first."""


@dataclass(frozen=True, slots=True)
class Seating:
    """Who plays at one table."""

    table: int
    """Its number in the whole tournament, from 1."""
    players: tuple[Player, ...]
    """The first has the first side in the table's first match."""


@dataclass(frozen=True, slots=True)
class Paired:
    """Who meets whom in a round; in a ladder each challenge is one."""

    at: int
    round: int
    seatings: tuple[Seating, ...]
    byes: tuple[Player, ...] = ()


@dataclass(frozen=True, slots=True)
class Opened:
    """Matches of tables begin: each by its table and its number there, from 1."""

    at: int
    boards: tuple[tuple[int, int], ...]


@dataclass(frozen=True, slots=True)
class Decided:
    """A match of a table has its points."""

    at: int
    table: int
    game: int
    match: str
    """"" = it was never played."""
    points: dict[Player, float]
    how: How


@dataclass(frozen=True, slots=True)
class Over:
    """It has ended."""

    at: int
    by: Player = ""
    """The organiser who has called it off; "" = it was played to its end."""


Happening: TypeAlias = Announced | Entered | Withdrawn | Handed | Begun | Paired | Opened | Decided | Over
KINDS: dict[str, type] = {kind.__name__: kind for kind in get_args(Happening)}


@dataclass(frozen=True, slots=True)
class Outcome:
    """What a match that has just ended says to its tournament."""

    match: str
    points: dict[Player, float]
    how: How


def write_happening(event: Happening) -> str:
    """Returns an event as a JSON object whose `event` names its kind."""
    fields = {name: getattr(event, name) for name in type(event).__dataclass_fields__}
    return msgspec.json.encode({"event": type(event).__name__, **fields}).decode()


def read_happening(text: str) -> Happening:
    """Returns the event that `write_happening` wrote."""
    fields = msgspec.json.decode(text)
    kind = KINDS[fields.pop("event")]
    event: Happening = msgspec.convert(fields, kind)
    return event


def write_outcome(outcome: Outcome) -> str:
    """Returns it as JSON."""
    return msgspec.json.encode(outcome).decode()


def read_outcome(text: str) -> Outcome:
    """The opposite of `write_outcome`."""
    return msgspec.json.decode(text, type=Outcome)
