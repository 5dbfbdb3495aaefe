"""The table of commands and their slots, from which parser, help, forms and the README's table are made."""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Literal, TypeAlias, get_args

from bot.messages.catalogue import languages
from engine.match.commands import Offering
from engine.text import Text
from render.theme import THEMES

Scope: TypeAlias = Literal["anywhere", "match"]
Kind: TypeAlias = Literal["match", "game", "person", "turn", "terms", "command", "setting", "word", "text"]
"""What a slot is filled with: `setting` is the value of a setting, `word` one of the slot's own words, `text` anything.
"""


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
BOARD_WORDS = (*THEMES, *LABELS, "text")
DEFAULT = "usual"
"""Restores the default of a setting."""
SETTINGS = ("channels", "terms", "theme", "language", "prefix", "pictures")
"""The settings of a server or room."""

GROUPS: Mapping[str, Text] = {
    "match": Text("Matches: their terms, turns, offers and ends."),
    "riposte": Text("The games and their rules, help, and how Riposte looks and behaves."),
}
"""Groups of commands, where a platform lists few at the top."""

MATCH = Slot("match", "match", "[MATCH]", Text("The match's number; in its thread it may be left out."))
WHICH = f"[{'|'.join(OFFERS)}]"
OFFER = Slot("offer", "word", WHICH, Text("Which offer is meant, if there are several."), OFFERS)
GAME = Slot("game", "game", "GAME", Text("The game."))

COMMANDS: tuple[Command, ...] = (
    Command(
        "help",
        (Slot("command", "command", "[COMMAND]", Text("The command to explain.")),),
        Text("List the commands, or explain one."),
        "help challenge",
        aliases=("?",),
        group="riposte",
    ),
    Command(
        "games",
        (replace(GAME, shape="[GAME]"),),
        Text("List the games, or explain one: its rules, terms and notation."),
        "games tokonoma",
        group="riposte",
    ),
    Command(
        "rules",
        (GAME, Slot("rule", "text", "[WORD]", Text("A piece, a word of the rules, or how a rule's name begins."))),
        Text("Explain a word of a game's rules, with a picture; without a word, list what can be asked for."),
        "rules tokonoma arm",
        group="riposte",
    ),
    Command(
        "record",
        (Slot("record", "text", "TURNS", Text("The turns: `1. SX5, eY11; 2. eY6, eX11`, with any words around.")),),
        Text("Read a game of Veney that somebody has written down: which of its turns hold, and where they lead."),
        "record 1. SX5, eY11; 2. a+ eY6, $X9",
        group="riposte",
    ),
    Command(
        "terms",
        (GAME,),
        Text("List what can be agreed on before a match of a game."),
        "terms tokonoma",
        group="riposte",
    ),
    Command(
        "challenge",
        (
            Slot("player", "person", "[@NAME …]", Text("Whom to challenge; left out: whoever accepts first.")),
            GAME,
            Slot(
                "terms",
                "terms",
                "[TERM=VALUE …]",
                Text("Terms, such as time=3d umpire=turn; the others have their defaults."),
            ),
        ),
        Text("Propose a match; without a name, to whoever accepts first."),
        "challenge @ben tokonoma umpire=turn time=3d",
        aliases=("play",),
        group="",
    ),
    Command(
        "accept",
        (MATCH, OFFER),
        Text("Accept a challenge or an offer."),
        "accept 12",
        "match",
        ("yes",),
        (*OFFERS, "share="),
    ),
    Command(
        "decline",
        (MATCH, OFFER),
        Text("Decline a challenge or an offer."),
        "decline 12",
        "match",
        ("no",),
        OFFERS,
    ),
    Command(
        "amend",
        (MATCH, Slot("terms", "terms", "TERM=VALUE …", Text("The terms to change, such as time=5d."))),
        Text("Propose other terms for a challenge; the others must accept again."),
        "amend 12 time=5d",
        "match",
        ("counter",),
    ),
    Command(
        "matches",
        (Slot("whose", "word", "[all]", Text("Everybody's here instead of yours."), ("all",)),),
        Text("List your matches and whose turn it is; `all`: everybody's here."),
        "matches",
        takes=("all",),
        group="",
    ),
    Command(
        "move",
        (MATCH, Slot("turn", "turn", "TURN", Text("Your turn in the game's notation."))),
        Text("Make a turn. In a match's thread the turn alone will do."),
        "move 12 c7c5",
        "match",
        ("turn", "m"),
        group="",
    ),
    Command(
        "add",
        (MATCH, Slot("turn", "turn", "TURN", Text("The other half of the turn that you have just made."))),
        Text("Add the other half to your last turn, where the terms allow it."),
        "add 12 $X6",
        "match",
        most=4,
    ),
    Command(
        "board",
        (
            MATCH,
            Slot("theme", "word", "[THEME]", Text("The colours of the picture."), tuple(THEMES)),
            Slot("show", "word", "[all|legal|text]", Text("Names of places on it, or plain text."), (*LABELS, "text")),
        ),
        Text("Show the position from your side; `text`: in plain characters."),
        "board 12",
        "match",
        ("b",),
        BOARD_WORDS,
        group="",
    ),
    Command(
        "look",
        (MATCH, Slot("place", "text", "PLACE", Text("A place of the board."))),
        Text("Describe one place of the board."),
        "look a5",
        "match",
    ),
    Command("turns", (MATCH,), Text("List the turns so far."), "turns 12", "match", ("history", "log"), ()),
    Command(
        "call",
        (
            MATCH,
            Slot(
                "reason",
                "text",
                "[PIECE|PLACE|RULE]",
                Text("What is untenable: a piece, a place or a rule; only where the terms ask for it."),
            ),
        ),
        Text("Call out the standing turn as untenable: your opponent's, or your own."),
        "call 12",
        "match",
        ("callout",),
        most=1,
    ),
    Command(
        "late",
        (MATCH, Slot("number", "text", "NUMBER", Text("The number of the turn, as `turns` lists it."))),
        Text("Call out a turn that was answered long ago; if it was untenable, the board is reset."),
        "late 12 3",
        "match",
        most=1,
    ),
    Command(
        "ok",
        (MATCH,),
        Text("Let the end of a game stand, without calling its last turn out."),
        "ok 12",
        "match",
        (),
        (),
    ),
    Command(
        "secret",
        (MATCH, Slot("answer", "text", "ANSWER", Text("Your answer to what the game asks; nobody else sees it."))),
        Text("Answer in private what the game asks of you."),
        "secret 12 X4 $ Y4 S",
        "match",
        ("answer",),
        group="",
    ),
    Command("draw", (MATCH,), Text("Offer a draw, or agree to one."), "draw 12", "match", ("draw?", "=?"), ()),
    Command(
        "nocontest",
        (MATCH,),
        Text("Claim a draw because there is no contest, in games that know such a claim."),
        "nocontest 12",
        "match",
        (),
        (),
    ),
    Command(
        "contest",
        (MATCH,),
        Text("Contest such a claim: you then have three turns in which to take, fend or place."),
        "contest 12",
        "match",
        (),
        (),
    ),
    Command("takeback", (MATCH,), Text("Ask to take your last turn back."), "takeback 12", "match", ("undo",), ()),
    Command(
        "anew", (MATCH,), Text("Propose to set up the board again, in games that allow it."), "anew 12", "match", (), ()
    ),
    Command(
        "resign",
        (MATCH, Slot("sure", "word", "", Text("That you mean it."), CONFIRMATIONS)),
        Text("Resign; asks once whether you mean it."),
        "resign 12",
        "match",
        (),
        CONFIRMATIONS,
    ),
    Command("claim", (MATCH,), Text("Win against who cannot be reached for 7 days."), "claim 12", "match", (), ()),
    Command(
        "abort",
        (MATCH, Slot("sure", "word", "", Text("That you mean it."), CONFIRMATIONS)),
        Text("Call a match off before its second turn; asks once."),
        "abort 12",
        "match",
        (),
        CONFIRMATIONS,
    ),
    Command(
        "link",
        (replace(MATCH, shape="MATCH", gist=Text("The match's number.")),),
        Text("Play a match in this channel or room too, on whatever platform."),
        "link 12",
        "match",
        ("bring",),
        (),
    ),
    Command(
        "export",
        (MATCH,),
        Text("Show the record of a match, to keep or to load elsewhere."),
        "export 12",
        "match",
        (),
        (),
    ),
    Command(
        "token",
        (Slot("name", "text", "[NAME]", Text("Its name; left out: which tokens you have won and lost.")),),
        Text("Name your token for games played for keeps, or list those you have won and lost."),
        "token moon shell",
        group="riposte",
    ),
    Command(
        "account",
        (
            Slot(
                "code", "text", "[CODE|apart]", Text("The code from your other account; `apart`: unlink this account.")
            ),
        ),
        Text("Link your accounts on several platforms, so that you play from any of them."),
        "account",
        group="riposte",
    ),
    Command(
        "theme",
        (
            Slot("theme", "word", "|".join(THEMES), Text("The colours of the boards."), tuple(THEMES)),
            Slot("where", "word", "", Text("For everybody in this channel instead of for you."), ("here",)),
        ),
        Text("Choose the colours of the boards drawn for you."),
        "theme dark",
        group="riposte",
    ),
    Command(
        "language",
        (
            Slot(
                "language",
                "word",
                "[CODE]",
                Text("The language; `usual`: that of the room."),
                (*languages(), DEFAULT),
            ),
        ),
        Text("Choose the language in which Riposte answers you."),
        "language en",
        group="riposte",
    ),
    Command(
        "settings",
        (
            Slot("what", "word", f"[{'|'.join(SETTINGS)}]", Text("The setting; left out: all of them."), SETTINGS),
            Slot(
                "value", "setting", "[VALUE]", Text("Its value: here or everywhere, terms such as time=5d, a theme, …")
            ),
        ),
        Text("Show the settings of this server or room; its hosts may change them."),
        "settings channels here",
        group="",
        hosts=True,
    ),
)

BY_NAME: dict[str, Command] = {word: c for c in COMMANDS for word in (c.name, *c.aliases)}


def table() -> str:
    """The commands as the README prints them."""
    usages = [f"{c.name} {c.usage}".strip().replace("|", "\\|") for c in COMMANDS]
    rows = [f"| `{usage}` | {c.gist} | `{c.example}` |" for usage, c in zip(usages, COMMANDS, strict=True)]
    return "\n".join(
        [
            "| say | to | for example |",
            "|---|---|---|",
            *rows,
        ]
    )
