"""What a program is answered, as data: the description of the API is made from these."""

from typing import Any

from msgspec import Struct


class Person(Struct):
    """Somebody."""

    key: str
    """By which they are challenged: `web:anna`."""
    name: str


class Me(Struct):
    """Whose key it is."""

    person: Person
    accounts: list[str]
    """The keys of all accounts that belong to you."""
    webhook: str
    """Where news is sent; empty = nowhere."""


class Game(Struct):
    """A game that can be played."""

    key: str
    name: str
    gist: str


class Games(Struct):
    """All of them."""

    games: list[Game]


class Listed(Struct):
    """A match in a list."""

    match: str
    game: str
    status: str
    players: list[str]
    to_act: list[str]
    due: int
    """When their time will be up, in milliseconds since 1970 UTC; 0 = never."""
    updated: int


class Matches(Struct):
    """Several matches."""

    matches: list[Listed]


class Entry(Struct):
    """A tournament in a list."""

    tournament: str
    name: str
    form: str
    game: str
    status: str
    """`open`, `running` or `over`."""
    entrants: int


class Tournaments(Struct):
    """Several tournaments."""

    tournaments: list[Entry]


class Standing(Struct):
    """How somebody stands."""

    rank: int
    player: Person
    points: float
    won: int
    drawn: int
    lost: int
    breaks: dict[str, float]
    """What decides between equals, in this order."""
    team: str
    gone: bool
    """They have withdrawn."""


class Board(Struct):
    """One match of a pairing."""

    match: str
    """Its number; empty = it has not begun, or was never played."""
    points: dict[str, float] | None
    """By the players' keys; null = it is not decided."""
    how: str
    """`played`, `time`, `aborted` or `forfeit`; empty = it is not decided."""


class Pairing(Struct):
    """Some who meet."""

    table: int
    round: int
    players: list[str]
    """Their keys; the first has the first side in the first match."""
    matches: list[Board]


class Bye(Struct):
    """Somebody who has nobody to meet in a round."""

    round: int
    player: str


class Tournament(Struct):
    """A tournament as it stands."""

    tournament: str
    name: str
    form: str
    game: str
    status: str
    called_off: bool
    terms: dict[str, str]
    """Of its matches."""
    seats: int
    rounds: int
    """Of a Swiss tournament; 0 = as many as it takes."""
    games: int
    """Matches of each pairing."""
    begins: int
    """In milliseconds since 1970 UTC; 0 = when it is full, or when its organiser says so."""
    ends: int
    """When the season of a ladder ends; 0 = not by itself."""
    organiser: Person | None
    """Null: the hosts of its place."""
    round: int
    """The last one that was paired."""
    standings: list[Standing]
    """Best first; of a ladder, its rungs. Before it begins, whoever takes part."""
    pairings: list[Pairing]
    byes: list[Bye]


class Rated(Struct):
    """Somebody's rating."""

    player: Person
    rating: int
    deviation: int
    provisional: bool
    won: int
    drawn: int
    lost: int


class Ladder(Struct):
    """The rated players of a game."""

    game: str
    rated: list[Rated]


class Side(Struct):
    """Whoever plays a side, and their time."""

    side: str
    name: str
    player: Person | None
    acts: bool
    left: int | None
    """Milliseconds that they have while their time stands."""
    until: int | None
    """The instant at which it is up while it runs."""


class Turn(Struct):
    """One turn, as you may read it."""

    number: int
    side: str
    text: str


class Piece(Struct):
    """A piece where it stands."""

    place: str
    side: str
    kind: str
    name: str
    below: str
    """What it stands on, if on anything: "on a Flat"."""


class Choice(Struct):
    """Something that can be said, or picked."""

    label: str
    command: str


class Match(Struct):
    """A match as its reader may see it."""

    match: str
    game: str
    status: str
    stamp: int
    """Grows whenever it is somebody else's to act."""
    terms: dict[str, str]
    you: str
    """Your side; empty = you look on."""
    sides: list[Side]
    to_act: list[str]
    asked: str
    """What the game awaits from you in private; empty = nothing."""
    turns: list[Turn]
    shown: int
    """After how many of them."""
    words: list[str]
    """The position in sentences."""
    pieces: list[Piece]
    can: list[Choice]
    """What else you may do."""
    result: str


class Pick(Struct):
    """A choice that is no place."""

    key: str
    name: str


class Menu(Struct):
    """What may be picked next."""

    prompt: str
    """Empty: there is nothing to compose."""
    picks: list[str]
    """Those of yours that fit."""
    places: list[str]
    choices: list[Pick]
    text: str
    """The notation so far: what `move` or `secret` takes."""
    complete: bool
    """Whether it can be sent as it stands."""
    reach: list[str]
    """Where untenable turns are refused: all that is offered, for each of it leads on to a tenable one."""


class Told(Struct):
    """One answer, in words."""

    text: str
    private: bool
    """Told to you alone."""


class Done(Struct):
    """What was done, and what was said."""

    match: str
    """The match that it is about; empty = none."""
    told: list[Told]


class Event(Struct):
    """Something that you were told about a match."""

    key: str
    """Tells this event from all others, however often it comes."""
    match: str
    at: int
    """Milliseconds since 1970 UTC."""
    text: str
    private: bool
    """Told to you alone."""
    rings: bool
    """Whether it is yours to act."""


class Problem(Struct, omit_defaults=True):
    """Why something was not done: `detail` is the sentence that a person would get."""

    title: str
    status: int
    detail: str
    type: str = "about:blank"
    errors: list[dict[str, Any]] = []
