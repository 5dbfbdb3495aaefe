"""What commands are made of, and the words that several of them take."""

from dataclasses import dataclass
from typing import Literal, TypeAlias, get_args

from engine.match.commands import Offering
from engine.text import Text
from render.theme import THEMES

Scope: TypeAlias = Literal["anywhere", "match"]
Kind: TypeAlias = Literal[
    "match",
    "tournament",
    "game",
    "person",
    "turn",
    "reason",
    "number",
    "terms",
    "command",
    "setting",
    "word",
    "place",
    "text",
]
"""What a slot is filled with: `reason` is what a call names, `number` that of another's turn, `setting` the value of a
setting, `word` one of the slot's own words, `place` a name on the board, `text` anything."""


@dataclass(frozen=True, slots=True)
class Slot:
    """One thing that follows a command's name; a platform with forms makes a field of it."""

    name: str
    kind: Kind
    shape: str
    """As help prints it, in brackets if it may be left out; "" = not in help."""
    gist: Text
    """At most 100 characters."""
    words: tuple[str, ...] = ()
    """The words allowed; empty = any."""
    key: str = ""
    """What stands in front of its value with a =, where a line has several such."""
    usual: str = ""
    """What it holds if it is left out, where a match's number without it could be taken for its value."""

    @property
    def needed(self) -> bool:
        """Whether it must be filled."""
        return self.shape != "" and not self.shape.startswith("[")


@dataclass(frozen=True, slots=True)
class Command:
    """One command."""

    name: str
    slots: tuple[Slot, ...]
    """What follows the name, in order."""
    gist: Text
    example: str
    scope: Scope = "anywhere"
    """`match`: about one match; in its thread the number may be left out."""
    aliases: tuple[str, ...] = ()
    takes: tuple[str, ...] | None = None
    """The only words that may follow the match's number, so that talk is not taken for a command; None = any.

    One that ends in = stands for every word that begins so.
    """
    most: int | None = None
    """How many words may follow it at most, for the same reason; None = any number."""
    holds: str = ""
    """A word that must stand in what follows it, if anything does but `off`, for the same reason; "" = none."""
    explains: bool = False
    """Behind its own name and a match's number, words that it does not take are a reason."""
    confirms: bool = False
    """A word that says one means it may stand behind all others."""
    group: str = "match"
    """Its group of `GROUPS`, where a platform lists few commands at the top; "" = at the top itself."""
    hosts: bool = False
    """Only for hosts: those who may change the settings of a server or room."""

    @property
    def usage(self) -> str:
        """What follows the name, as help prints it."""
        return " ".join(slot.shape for slot in self.slots if slot.shape)

    @property
    def stamped(self) -> bool:
        """Whether a button for it is out of date once the match has gone on."""
        return self.name in ("accept", "decline", "ok")


OFFERS: tuple[Offering, ...] = get_args(Offering)
CONFIRMATIONS = ("yes", "really", "sure")
LABELS = ("all", "legal")
"""Which places of a board show their names."""
BOARD_WORDS = (*THEMES, *LABELS, "text", "legal=", "near=", "from=")
DEFAULT = "usual"
"""Restores the default of a setting."""
SETTINGS = (
    *("channels", "terms", "theme", "language", "prefix", "pictures"),
    *("challengers", "most", "games", "quiet"),
    "daily",
)
"""The settings of a server or room."""

MATCH = Slot("match", "match", "[MATCH]", Text("The match's number; in its thread it may be left out."))
WHICH = "[OFFER]"
OFFER = Slot("offer", "word", WHICH, Text("Which offer is meant, if there are several."), OFFERS)
SURE = Slot("sure", "word", "[yes]", Text("That you mean it."), CONFIRMATIONS)
GAME = Slot("game", "game", "GAME", Text("The game."))
