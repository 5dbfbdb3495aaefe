"""From what somebody typed to what they meant: a command with its parts, or plain text."""

import difflib
import re
from collections.abc import Mapping
from dataclasses import field
from functools import lru_cache

from bot.commands.spec import BY_NAME, COMMANDS
from bot.commands.spec.parts import CONFIRMATIONS, Command
from bot.messages.model import PARTNER, PARTNER_NAME, clean
from engine.match.commands import Player
from engine.value import value

HELLO = "hello"
"""What a platform's words for a greeting, or for being called without a word, stand for: behind a `!`."""

GREETINGS = (HELLO, "hi", "hey", "hi there", "hello there", "good morning", "good evening", "start", "hallo", "salut")
QUESTIONS = (
    *("how do i play", "how do i start", "how does this work", "how to play"),
    *("what can you do", "what do i do", "what do i do now", "what is this", "what now"),
)

LONGEST = 2_000
"""Characters that are looked at; whoever writes more is not playing."""

LONGEST_SLIP = 24
"""Characters of a text that is looked at for a slip of the finger."""
MIXED = re.compile(r"[a-zA-Z]\d|\d[a-zA-Z]|[$*~#@=]\s?[a-zA-Z]|[a-zA-Z][$*~#@=]")
"""What stands in notation and hardly in talk."""
TO_SOMEBODY = re.compile(r"@\w+")
IN_MATCH = re.compile(r"#?(\d{1,9})\s*:\s*(?![\d\s:.!?]*$)(\S.*)$", re.ASCII | re.DOTALL)
"""A turn in a match: `12: c7c5`."""
NUMBERED = re.compile(r"(\d{1,6})\.+\s*(?=\S)", re.ASCII)
"""The number in front of a turn."""
LOOK_ALIKES = (("o", "0"), ("O", "0"), ("l", "1"), ("I", "1"), ("0", "o"), ("1", "l"))
ASKS_HOW = re.compile(
    r"(so |and |but |ok,? )?(how (do|can|should|does|to)|what (do|can|should) (i|we|you))\b.*"
    r"\b(move|play|turn|write|type|go|rules?|works?|do|next|now|start|begin)\b[\s?!.]*$",
    re.IGNORECASE,
)

NAME = re.compile(r"[\w.-]{1,64}|(?!former:)[a-z]+:\S{1,255}")
"""What may follow an @: somebody on this platform, or, with a platform in front, somebody on another."""

TAKE_WORDS = ("challenge", "games", "rules", "learn", "terms", "settings", "language")
"""Commands that are followed by plain words."""
FILLERS = ("to", "a", "with", "game", "of", "at", "and", "match")
"""Words in a challenge that are skipped."""


@value(frozen=True, slots=True)
class ParsedCommand:
    """A command as somebody typed it."""

    command: Command
    match: str = ""
    """The number of the match it is about, "" if none was named."""
    ply: int | None = None
    """The turn that a button was made for."""
    rest: str = ""
    """What follows, as typed."""
    number: int | None = None
    """The number typed in front of a turn: of the ply, or of the pair that it belongs to."""

    @property
    def words(self) -> tuple[str, ...]:
        """What follows, word by word."""
        return tuple(self.rest.split())


@value(frozen=True, slots=True)
class PlainText:
    """Words without a command: a turn, or talk."""

    text: str
    typo_of: Command | None = None
    """The command that its first word resembles, or is although the other words do not fit it."""
    addressed: bool = False
    """Written with `!` or `/` in front, so meant for the bot."""


@value(frozen=True, slots=True)
class Proposal:
    """What `challenge` was given."""

    game: str = ""
    names: tuple[str, ...] = ()
    """As typed after the @."""
    terms: dict[str, str] = field(default_factory=dict)
    stray: tuple[str, ...] = ()
    """Words that are neither a name, a game nor a term."""


def read_command(text: str) -> ParsedCommand | PlainText:
    """Returns the command that a text says, or the text itself. Never fails."""
    return _read(text[:LONGEST])


@lru_cache(maxsize=16)
def _read(text: str) -> ParsedCommand | PlainText:
    """Remembered, since everybody whom a message passes on its way asks what it says."""
    line = clean(text)
    addressed = line[:1] in ("!", "/") and line[1:2].isalpha()
    first, _, rest = (line[1:] if addressed else line).partition(" ")
    command = BY_NAME.get(first.lower().rstrip(":"))
    parsed = _parsed(command, rest.strip()) if command else None
    if parsed is not None and (_explained(parsed, first.lower(), rest) or _fits(parsed, rest)):
        return parsed
    if numbered := IN_MATCH.match(line):
        return ParsedCommand(BY_NAME["move"], numbered[1], rest=numbered[2].strip())
    # Short words and other words for a command begin many a sentence: "ok, fine", "no way", "undo your shoelaces".
    long = len(first) > 3 and first.isalpha()
    close = difflib.get_close_matches(first.lower(), [c.name for c in COMMANDS], 1, 0.8) if long else []
    meant = BY_NAME[close[0]] if close else None
    if meant and not addressed and rest and not _goes_with(meant, first.lower(), rest):
        meant = None  # "bored now", "moved house yesterday"
    return PlainText(line, command if command and addressed else meant, addressed)


def write_command(command: Command, filled: Mapping[str, str], ply: int | None = None) -> str:
    """Returns the text of a command with its slots filled by name; `read_command` gives back what went in."""
    values = [(slot, filled[slot.name].strip()) for slot in command.slots if filled.get(slot.name)]
    match = next((value for slot, value in values if slot.kind == "match"), "")
    written = (
        f"{slot.key}={''.join(value.split())}" if slot.key else value for slot, value in values if slot.kind != "match"
    )
    rest = " ".join(written)
    head = f"{match} {'' if ply is None else f'@{ply}'}".strip()
    plain = f"{head} {rest}".strip()
    told = ParsedCommand(command, match, ply, rest)
    clear = _parsed(command, plain) == told and (_explained(told, command.name, plain) or _fits(told, plain))
    return f"{command.name} {plain if clear else f'{head} # {rest}'.strip()}".strip()


def read_turn(text: str) -> ParsedCommand:
    """Returns plain text as a turn; a number in front, as in `12. c7c5`, must be that of the ply or pair due."""
    numbered = NUMBERED.match(text)
    if numbered is None:
        return ParsedCommand(BY_NAME["move"], rest=text)
    return ParsedCommand(BY_NAME["move"], number=int(numbered[1]), rest=text[numbered.end() :])


def is_notation(text: str) -> bool:
    """Returns whether plain text can only be an attempt at notation: talk has whole words in it."""
    words = text.split()
    talk = any(len(word.strip("!?.,")) > 2 and word.strip("!?.,").isalpha() for word in words)
    return 0 < len(words) <= 6 and not talk and not TO_SOMEBODY.match(text) and MIXED.search(text) is not None


def slips(text: str) -> tuple[str, ...]:
    """Returns what somebody may have meant who wrote a sign too many, two the wrong way round, or a look-alike."""
    if not 2 <= len(text) <= LONGEST_SLIP:
        return ()
    bare = re.sub(r"[\s,;:.>–—→-]+", "", text)
    spots = range(len(text))
    found = [bare, *(text.replace(wrong, right) for wrong, right in LOOK_ALIKES)]
    found += [text[:at] + text[at + 1 :] for at in spots]
    found += [text[:at] + text[at + 1] + text[at] + text[at + 2 :] for at in spots[:-1]]
    return tuple(dict.fromkeys(one for one in found if one not in (text, "")))


def asks_how(text: str) -> bool:
    """Returns whether a short text asks how to play."""
    return len(text) < 60 and ASKS_HOW.match(text) is not None


def read_proposal(text: str, games: tuple[str, ...]) -> Proposal:
    """Returns the parts of a challenge, given in any order; a value with blanks stands in quotes: `start="…"`."""
    game, names, terms, stray = "", [], {}, []
    text = re.sub(r"(?<!\s)\s+=\s+", "=", text[:LONGEST])
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


def player_named(name: str, platform: str) -> Player:
    """Returns the key of a name: `ben` is somebody on this platform, `matrix:@ben:example.org` somebody elsewhere."""
    if name.lower() == PARTNER_NAME:
        return PARTNER
    elsewhere, colon, number = name.partition(":")
    return name if colon and elsewhere != platform else f"{platform}:{(number or name).lower()}"


def is_greeting(text: str) -> bool:
    """Returns whether somebody who talks to Riposte alone says hello, or asks how to begin."""
    return " ".join(re.findall(r"[^\W_]+", text[:40].lower())).removesuffix(" riposte") in (*GREETINGS, *QUESTIONS)


def is_secret(text: str) -> bool:
    """Returns whether a typed line must not be shown to others."""
    parsed = read_command(text)
    command = parsed.command if isinstance(parsed, ParsedCommand) else parsed.typo_of
    return command is not None and command.name in SECRET


SPANNED = ("pause", "moretime", "gift", "vacation", *("challenge", "play", "counter", "propose", "rematch", "wish"))
"""Commands in which people say how long: `pause 2 weeks`."""
IN_WORDS = re.compile(r"(?<![\w@])(\d{1,3})\s*(week|day|hour|minute)s?\b", re.ASCII | re.IGNORECASE)
SECRET = ("secret", "account", "if", "note", "block", "report", "apikey", "kibitz")
"""Commands whose words are for Riposte alone."""


def closest(word: str, known: tuple[str, ...]) -> str:
    """Returns the known word that a mistyped one resembles most, or ""."""
    return next(iter(difflib.get_close_matches(word.lower(), known, 1, 0.6)), "")


def fits(command: Command, word: str) -> bool:
    """Returns whether a word may follow a command, wherever it stands."""
    return command.takes is None or re.sub("(?<==).*", "", word.lower()) in command.takes


def _fits(parsed: ParsedCommand, rest: str) -> bool:
    """Returns whether a command is followed only by words that it takes, or, behind a lone #, by whatever was meant."""
    most, words = parsed.command.most, parsed.words
    if parsed.command.confirms and words and words[-1].lower() in CONFIRMATIONS:
        words = words[:-1]
    if most is not None and len(words) > most and not re.search(r"(^|\s)#\s", rest):
        return False
    holds = parsed.command.holds
    if holds and words and holds not in (word.lower() for word in words) and words != ("off",):
        return re.search(r"(^|\s)#\s", rest) is not None
    return all(fits(parsed.command, word) for word in words)


def _explained(parsed: ParsedCommand, name: str, rest: str) -> bool:
    """Returns whether a command is followed by a reason: behind its own name, for a match or behind a lone #."""
    if not parsed.command.explains or name != parsed.command.name:
        return False
    return bool(parsed.match) or re.match(r"\s*(@\d+\s+)?#\s", rest) is not None


def _goes_with(command: Command, name: str, rest: str) -> bool:
    """Returns whether what follows a mistyped command can be meant for it, so that it was no talk."""
    if command.takes is not None:
        parsed = _parsed(command, rest.strip())
        known = command.name == name and (len(parsed.words) == 1 or fits(command, parsed.words[0]))
        return known or _fits(parsed, rest)
    return command.name in TAKE_WORDS or any(sign.isdigit() or sign in "@=" for sign in rest)


def _in_letters(found: re.Match[str]) -> str:
    """`2 weeks` as it is written in terms: `14d`."""
    count, unit = int(found[1]), found[2][0].lower()
    return f"{7 * count}d" if unit == "w" else f"{count}{unit}"


def _parsed(command: Command, rest: str) -> ParsedCommand:
    if command.name in SPANNED:
        rest = IN_WORDS.sub(_in_letters, rest)
    ply: int | None = None
    match = ""
    if command.scope == "match":
        number = re.match(r"#?(\d{1,9})(?:\s*[:.])?(?:\s+|$)", rest, re.ASCII)
        if number:
            match, rest = number[1], rest[number.end() :]
        turn = re.match(r"@(\d{1,6})(?:\s+|$)", rest, re.ASCII)
        if turn:
            ply, rest = int(turn[1]), rest[turn.end() :]
    if command.scope == "match" or command.most is not None:
        rest = re.sub(r"^#\s+", "", rest)  # what follows a lone # is no number of a match or a turn
    return ParsedCommand(command, match, ply, rest.strip())
