"""From what somebody typed to what they meant: one table of commands yields the parser, the help and the README."""

import difflib
import re
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Literal, TypeAlias, get_args

from bot.messages.model import clean
from engine.match.commands import Offering
from render.theme import THEMES

Scope: TypeAlias = Literal["anywhere", "match"]
Kind: TypeAlias = Literal["match", "game", "person", "turn", "terms", "command", "custom", "word", "text"]
"""What a slot is filled with; `custom` is what a setting can be, `word` is one of the slot's own words, `text` is
anything."""

LONGEST = 2_000
"""Characters that are looked at; whoever writes more is not playing."""


@dataclass(frozen=True, slots=True)
class Slot:
    """One thing that follows a command's name; a platform with forms makes a field of it."""

    name: str
    kind: Kind
    shape: str
    """As help prints it, in brackets if it may be left out; "" = help does not speak of it."""
    gist: str
    """At most 100 characters."""
    words: tuple[str, ...] = ()
    """The words that it can be, if there are only so many."""

    @property
    def needed(self) -> bool:
        """Whether the command says nothing without it."""
        return self.shape != "" and not self.shape.startswith("[")


@dataclass(frozen=True, slots=True)
class Command:
    """One thing that people can say."""

    name: str
    slots: tuple[Slot, ...]
    """What follows the name, in order."""
    gist: str
    example: str
    scope: Scope = "anywhere"
    """`match`: about one match; in its thread the number may be left out."""
    aliases: tuple[str, ...] = ()
    takes: tuple[str, ...] | None = None
    """The only words that may follow the match's number, so that talk is not taken for a command; None = any."""
    group: str = "match"
    """Under which of `GROUPS` it stands where a platform lists few commands; "" = beside them, by itself."""

    hosts: bool = False
    """Only for those who may settle how Riposte behaves where they are."""

    @property
    def usage(self) -> str:
        """What follows the name, as help prints it."""
        return " ".join(slot.shape for slot in self.slots if slot.shape)

    @property
    def stamped(self) -> bool:
        """Whether a button for it works only as long as the match stands as it did when the button was made."""
        return self.name in ("accept", "decline", "ok")


OFFERS: tuple[Offering, ...] = get_args(Offering)
SURE = ("yes", "really", "sure")
"""How one says that one means it."""
LABELS = ("all", "legal")
"""Which places of a board show their names."""
BOARDS = (*THEMES, *LABELS, "text")
SETTLED = ("channels", "terms", "theme", "language", "prefix")
"""What a server or a room may settle for itself."""

GROUPS = {
    "match": "Matches: their terms, turns, offers and ends.",
    "riposte": "The games and their rules, help, and how Riposte looks and behaves here.",
}
"""Where a platform lists few commands, the others stand below these."""

MATCH = Slot("match", "match", "[MATCH]", "The match's number; in its thread it may be left out.")
OFFER = Slot("offer", "word", "[draw|takeback|reset]", "Which offer is meant, if there are several.", OFFERS)
GAME = Slot("game", "game", "GAME", "The game.")

COMMANDS: tuple[Command, ...] = (
    Command(
        "help",
        (Slot("command", "command", "[COMMAND]", "What you want to know more about."),),
        "What can be said, or more about one command.",
        "help challenge",
        aliases=("?",),
        group="riposte",
    ),
    Command(
        "games",
        (replace(GAME, shape="[GAME]"),),
        "The games, or more about one: its rules, terms and notation.",
        "games tokonoma",
        group="riposte",
    ),
    Command(
        "rules",
        (GAME, Slot("rule", "text", "[RULE]", "A rule's name, or how it begins.")),
        "The rules of a game in a sentence each.",
        "rules tokonoma",
        group="riposte",
    ),
    Command("terms", (GAME,), "What can be agreed on before a match of that game.", "terms tokonoma", group="riposte"),
    Command(
        "challenge",
        (
            Slot("player", "person", "[@NAME …]", "Whom to challenge; nobody: whoever accepts first."),
            GAME,
            Slot("terms", "terms", "[TERM=VALUE …]", "Terms, such as time=3d umpire=turn; what is not named is usual."),
        ),
        "Propose a match; without a name, to whoever accepts first.",
        "challenge @ben tokonoma umpire=turn time=3d",
        aliases=("play",),
        group="",
    ),
    Command(
        "accept",
        (MATCH, OFFER),
        "Agree to a challenge or an offer.",
        "accept 12",
        "match",
        ("yes",),
        OFFERS,
    ),
    Command(
        "decline",
        (MATCH, OFFER),
        "Turn a challenge or an offer down.",
        "decline 12",
        "match",
        ("no",),
        OFFERS,
    ),
    Command(
        "amend",
        (MATCH, Slot("terms", "terms", "TERM=VALUE …", "The terms to change, such as time=5d.")),
        "Propose other terms for a challenge; the others must accept again.",
        "amend 12 time=5d",
        "match",
        ("counter",),
    ),
    Command(
        "matches",
        (Slot("whose", "word", "[all]", "Everybody's here instead of yours.", ("all",)),),
        "Your matches and whose turn it is; `all`: everybody's here.",
        "matches",
        takes=("all",),
        group="",
    ),
    Command(
        "move",
        (MATCH, Slot("turn", "turn", "TURN", "Your turn in the game's notation.")),
        "Make a turn. In a match's thread the turn alone will do.",
        "move 12 c7c5",
        "match",
        ("turn", "m"),
        group="",
    ),
    Command(
        "board",
        (
            MATCH,
            Slot("theme", "word", "[THEME]", "The colours of the picture.", tuple(THEMES)),
            Slot("show", "word", "[all|legal|text]", "Names of places on it, or plain text.", (*LABELS, "text")),
        ),
        "The position, seen from your side; `text`: in plain characters.",
        "board 12",
        "match",
        ("b",),
        BOARDS,
        group="",
    ),
    Command(
        "look",
        (MATCH, Slot("place", "text", "PLACE", "A place of the board.")),
        "One place of the board in words.",
        "look a5",
        "match",
    ),
    Command("turns", (MATCH,), "The turns so far.", "turns 12", "match", ("history", "log"), ()),
    Command(
        "call",
        (MATCH,),
        "Call out the standing turn as untenable: your opponent's, or your own.",
        "call 12",
        "match",
        ("callout",),
        (),
    ),
    Command(
        "ok", (MATCH,), "Let the end of a game stand: you will not call its last turn out.", "ok 12", "match", (), ()
    ),
    Command(
        "secret",
        (MATCH, Slot("answer", "text", "ANSWER", "What the game asks of you; nobody else sees it.")),
        "Answer in private what a game asks of you.",
        "secret 12 X4 $ Y4 S",
        "match",
        ("answer",),
        group="",
    ),
    Command("draw", (MATCH,), "Offer a draw, or agree to one.", "draw 12", "match", ("draw?", "=?"), ()),
    Command("takeback", (MATCH,), "Ask to take your last turn back.", "takeback 12", "match", ("undo",), ()),
    Command(
        "anew", (MATCH,), "Propose to reset the board, where the game knows such a thing.", "anew 12", "match", (), ()
    ),
    Command(
        "resign",
        (MATCH, Slot("sure", "word", "", "That you mean it.", SURE)),
        "Give up; asks once whether you mean it.",
        "resign 12",
        "match",
        (),
        SURE,
    ),
    Command("abort", (MATCH,), "Call a match off before its second turn.", "abort 12", "match", (), ()),
    Command(
        "link",
        (replace(MATCH, shape="MATCH", gist="The match's number."),),
        "Let a match live in this channel or room too, on whatever platform.",
        "link 12",
        "match",
        ("bring",),
        (),
    ),
    Command("export", (MATCH,), "The record of a match, to keep or to load elsewhere.", "export 12", "match", (), ()),
    Command(
        "token",
        (Slot("name", "text", "[NAME]", "Its name; alone: which tokens you have won and lost."),),
        "Your token for games played for keeps; alone: which you have won and lost.",
        "token moon shell",
        group="riposte",
    ),
    Command(
        "account",
        (Slot("code", "text", "[CODE|apart]", "The code from your other account; apart: one account each again."),),
        "Your accounts; alone: a code that links one on another platform.",
        "account",
        group="riposte",
    ),
    Command(
        "theme",
        (
            Slot("theme", "word", "|".join(THEMES), "The colours of the boards.", tuple(THEMES)),
            Slot("where", "word", "", "For everybody in this channel instead of for you.", ("here",)),
        ),
        "How boards look that are drawn for you.",
        "theme dark",
        group="riposte",
    ),
    Command(
        "settings",
        (
            Slot("what", "word", f"[{'|'.join(SETTLED)}]", "What to settle; alone: how things are.", SETTLED),
            Slot("value", "custom", "[VALUE]", "here or everywhere, terms such as time=5d, a theme, …"),
        ),
        "How Riposte behaves in this server or room; its hosts may settle it.",
        "settings channels here",
        group="",
        hosts=True,
    ),
)

BY_NAME: dict[str, Command] = {word: c for c in COMMANDS for word in (c.name, *c.aliases)}


FILLERS = ("to", "a", "with", "game", "of", "at", "and", "match")
"""Words that a challenge may hold and that say nothing."""


@dataclass(frozen=True, slots=True)
class ParsedCommand:
    """A command as somebody typed it."""

    command: Command
    match: str = ""
    """The number of the match it is about, "" if none was named."""
    ply: int | None = None
    """The turn that a button was made for."""
    rest: str = ""
    """What follows, as typed."""

    @property
    def words(self) -> tuple[str, ...]:
        """What follows, word by word."""
        return tuple(self.rest.split())


@dataclass(frozen=True, slots=True)
class PlainText:
    """Words without a command: a turn, or talk."""

    text: str
    typo_of: Command | None = None
    """The command that its first word resembles, or is where the others do not fit it."""
    addressed: bool = False
    """Written with a command's sign in front: surely meant for us."""


@dataclass(frozen=True, slots=True)
class Proposal:
    """What `challenge` was given."""

    game: str = ""
    names: tuple[str, ...] = ()
    """As typed after the @."""
    terms: dict[str, str] = field(default_factory=dict)
    stray: tuple[str, ...] = ()
    """Words that are neither a name, a game nor a term."""


def read(text: str) -> ParsedCommand | PlainText:
    """What somebody meant. Never fails: what is no command is bare words."""
    line = clean(text[:LONGEST])
    addressed = line[:1] in ("!", "/") and line[1:2].isalpha()
    first, _, rest = (line[1:] if addressed else line).partition(" ")
    command = BY_NAME.get(first.lower().rstrip(":"))
    said = _said(command, rest.strip()) if command else None
    if said is not None and _fits(said):
        return said
    numbered = re.match(r"#?(\d{1,9})\s*:\s*(\S.*)$", line, re.ASCII | re.DOTALL)
    if numbered:  # "12: c7c5" is a turn in match 12
        return ParsedCommand(BY_NAME["move"], numbered[1], rest=numbered[2].strip())
    # Short words and other words for a command begin many a sentence: "ok, fine", "no way", "undo your shoelaces".
    wordy = len(first) > 3 and first.isalpha()
    close = difflib.get_close_matches(first.lower(), [c.name for c in COMMANDS], 1, 0.75) if wordy else []
    return PlainText(line, command if command and addressed else BY_NAME[close[0]] if close else None, addressed)


def text(command: Command, filled: Mapping[str, str], ply: int | None = None) -> str:
    """The words that say a command with its slots filled by name: `read` makes of them what went in."""
    values = [(slot, filled[slot.name].strip()) for slot in command.slots if filled.get(slot.name)]
    match = next((value for slot, value in values if slot.kind == "match"), "")
    rest = " ".join(value for slot, value in values if slot.kind != "match")
    head = f"{match} {'' if ply is None else f'@{ply}'}".strip()
    plain = f"{head} {rest}".strip()
    meant = _said(command, plain) == ParsedCommand(command, match, ply, rest)
    return f"{command.name} {plain if meant else f'{head} # {rest}'.strip()}".strip()


def read_turn(text: str) -> ParsedCommand:
    """Bare words as a turn; a number in front is the turn's, as in `12. c7c5`, and must be the one that is due."""
    numbered = re.match(r"(\d{1,6})\.+\s*(?=\S)", text, re.ASCII)
    if numbered is None:
        return ParsedCommand(BY_NAME["move"], rest=text)
    return ParsedCommand(BY_NAME["move"], ply=int(numbered[1]), rest=text[numbered.end() :])


def read_proposal(text: str, games: tuple[str, ...]) -> Proposal:
    """The parts of a challenge in any order; a value with blanks stands in quotes: `start="…"`."""
    game, names, terms, stray = "", [], {}, []
    text = re.sub(r"\s+=\s+", "=", text)
    for found in re.finditer(r'([^\s="“]+)=["“]([^"”]*)["”]|(\S+)', text):
        word = found[3] or ""
        key, equals, value = (found[1], "=", found[2]) if found[1] else word.partition("=")
        if equals:
            terms[key.lower()] = value
        elif word.startswith("@"):
            names.append(word[1:].rstrip(",:"))
        elif word.lower() in games and not game:
            game = word.lower()
        elif word.lower() not in FILLERS:
            stray.append(word)
    return Proposal(game, tuple(names), terms, tuple(stray))


def is_secret(text: str) -> bool:
    """Whether a typed line is for the bot's ears only."""
    said = read(text)
    meant = said.command if isinstance(said, ParsedCommand) else said.typo_of
    return meant in (BY_NAME["secret"], BY_NAME["account"])


def near(word: str, known: tuple[str, ...]) -> str:
    """The known word that a mistyped one resembles most, or ""."""
    return next(iter(difflib.get_close_matches(word.lower(), known, 1, 0.6)), "")


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


def _fits(said: ParsedCommand) -> bool:
    """Whether a command is followed by nothing but what it knows."""
    takes = said.command.takes
    return takes is None or all(word.lower() in takes for word in said.words)


def _said(command: Command, rest: str) -> ParsedCommand:
    ply: int | None = None
    match = ""
    if command.scope == "match":
        number = re.match(r"#?(\d{1,9})(?:\s*[:.])?(?:\s+|$)", rest, re.ASCII)
        if number:
            match, rest = number[1], rest[number.end() :]
        aimed = re.match(r"@(\d{1,6})(?:\s+|$)", rest, re.ASCII)
        if aimed:
            ply, rest = int(aimed[1]), rest[aimed.end() :]
        rest = re.sub(r"^#\s+", "", rest)  # what follows a lone # is no number of a match or a turn
    return ParsedCommand(command, match, ply, rest.strip())
