"""The table of what a program can ask for: routes, their description and docs/api.md are made from it."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Annotated, Any, Final, Literal

import msgspec
from msgspec import Meta

from bot.adapters.api import shapes
from bot.commands.spec import BY_NAME
from bot.commands.spec.parts import Command, Slot
from engine.games import GAMES

ROOT: Final = "/api/v1"
LONGEST: Final = 1_000
"""Characters of one field: more than any turn has, and less than a message may have."""
LONGEST_BODY: Final = 8_192
"""Bytes of a request."""
STAMPS: Final = 999_999
Seen = Annotated[str, Meta(min_length=1, max_length=LONGEST, pattern=r"^[^\x00-\x1f\x7f]*\S[^\x00-\x1f\x7f]*$")]
"""What a field of a command may hold: one line that is not blank."""
Number = Annotated[str, Meta(pattern=r"^[1-9][0-9]{0,8}$")]
NUMBER: Final = re.compile(r"[1-9][0-9]{0,8}")


@dataclass(frozen=True, slots=True)
class Parameter:
    """One thing in a path, behind it, or among the headers."""

    name: str
    where: Literal["path", "query", "header"]
    kind: Any
    gist: str
    many: bool = False


@dataclass(frozen=True, slots=True)
class Operation:
    """Something that a program can ask for."""

    name: str
    method: Literal["GET", "POST"]
    path: str
    gist: str
    answer: type
    parameters: Sequence[Parameter] = ()
    command: Command | None = None
    """The command that it stands for; None = it only reads."""
    body: type | None = None
    """What the command's slots are filled from."""
    stream: bool = False

    @property
    def route(self) -> str:
        """The path as the server knows it."""
        return ROOT + self.path


MATCH: Final = Parameter("match", "path", Number, "The match's number.")
STATUS: Final = Parameter(
    "status", "query", Literal["open", "running", "over", "declined"], "Only matches that stand so."
)
LIMIT: Final = Parameter("limit", "query", Annotated[int, Meta(ge=1, le=100)], "At most so many; 50 if left out.")
PICKS: Final = Parameter(
    "pick",
    "query",
    list[Annotated[str, Meta(max_length=40)]],
    "What has been picked so far, in order: a place, or a choice's key. At most 16.",
    many=True,
)
SHOWN: Final = Parameter(
    "shown", "query", Annotated[int, Meta(ge=0, le=100_000)], "After so many turns; left out: as it stands."
)
LAST: Final = Parameter(
    "Last-Event-ID", "header", Annotated[int, Meta(ge=0, le=2**53)], "Go on behind this event; left out: from now on."
)
AGAIN: Final = Parameter(
    "Idempotency-Key",
    "header",
    Annotated[str, Meta(pattern=r"^[!-~]{1,100}$")],
    "The same one with the same request again does nothing twice and gets the same answer.",
)

TOURNAMENT: Final = Parameter("tournament", "path", Number, "The tournament's number.")
PLAYERS: Final = Parameter(
    "players",
    "query",
    Literal["two", "several"],
    "By which matches: those of two, or those of three and more; `two` if left out.",
)
GAME: Final = Parameter("game", "path", Literal[tuple(GAMES)], "The game's key.")

READING: Final = (
    Operation("me", "GET", "/me", "Whose key it is.", shapes.Me),
    Operation("games", "GET", "/games", "The games that can be played.", shapes.Games),
    Operation("matches", "GET", "/matches", "Your matches, last changed first.", shapes.Matches, (STATUS, LIMIT)),
    Operation("match", "GET", "/matches/{match}", "A match as you may see it.", shapes.Match, (MATCH, SHOWN)),
    Operation(
        "menu",
        "GET",
        "/matches/{match}/menu",
        "What may be picked next to compose a turn, or an answer that the game awaits from you.",
        shapes.Menu,
        (MATCH, PICKS),
    ),
    Operation(
        "tournaments", "GET", "/tournaments", "The web room's tournaments, latest first.", shapes.Tournaments, (LIMIT,)
    ),
    Operation(
        "tournament",
        "GET",
        "/tournaments/{tournament}",
        "A tournament: who takes part, how they stand, and every match of it.",
        shapes.Tournament,
        (TOURNAMENT,),
    ),
    Operation(
        "ladder",
        "GET",
        "/ladders/{game}",
        "The rated players of a game, best first.",
        shapes.Ladder,
        (GAME, PLAYERS, LIMIT),
    ),
    Operation(
        "events",
        "GET",
        "/events",
        "News of your matches as they come, as Server-Sent Events: `id` is the event's number, `data` an Event.",
        shapes.Event,
        (LAST,),
        stream=True,
    ),
)

DEEDS: Final[Mapping[str, str]] = {
    "challenge": "/matches",
    **{
        name: f"/matches/{{match}}/{name}"
        for name in (
            *("accept", "decline", "counter", "rematch", "move", "add", "call", "late", "ok", "secret"),
            *("draw", "takeback", "anew", "nocontest", "contest", "pause", "resume", "moretime", "gift", "propose"),
            *("resign", "abort", "claim"),
        )
    },
}
"""The operations that carry out a command."""


def _field(slot: Slot) -> tuple[Any, ...]:
    kind: Any = Seen
    if slot.words:
        kind = Literal[slot.words]
    described = Annotated[kind, Meta(description=str(slot.gist))]
    return (slot.name, described) if slot.needed else (slot.name, described, "")


def _body(command: Command) -> type:
    fields = [_field(slot) for slot in command.slots if slot.kind != "match" and slot.shape]
    if command.stamped:
        stamp = Annotated[int, Meta(ge=0, le=STAMPS, description="The match's `stamp`: refused if it has gone on.")]
        fields.append(("stamp", stamp | None, None))
    needed = [field for field in fields if len(field) == 2]
    optional = [field for field in fields if len(field) == 3]
    return msgspec.defstruct(
        f"{command.name.capitalize()}Body", [*needed, *optional], forbid_unknown_fields=True, kw_only=True
    )


def _deed(name: str, path: str) -> Operation:
    command = BY_NAME[name]
    parameters = (MATCH, AGAIN) if "{match}" in path else (AGAIN,)
    return Operation(name, "POST", path, str(command.gist), shapes.Done, parameters, command, _body(command))


WEBHOOK: Final = Operation(
    "webhook",
    "POST",
    "/webhook",
    "Have the news of your matches sent to an address, or, with `off`, nowhere.",
    shapes.Done,
    (AGAIN,),
    BY_NAME["apikey"],
    msgspec.defstruct("WebhookBody", [("address", Seen)], forbid_unknown_fields=True),
)

OPERATIONS: Final = (*READING, *(_deed(name, path) for name, path in DEEDS.items()), WEBHOOK)
