"""Who may sit down in the web room under which name, and whom a typed text mentions."""

import re
import unicodedata
from collections.abc import Iterable

from bot.messages.model import Person, Span, invisible

PLATFORM = "web"

BOT = "Riposte"

LONGEST_NAME = 24

LONGEST_TEXT = 8000
"""Characters in one message; a match record of a long game still fits."""

CHANNEL = r"[a-z0-9][a-z0-9-]{0,31}"


def sit(name: str) -> Person | str:
    """The person who sits down under that name, or why nobody can.

    A name is one word, so that `@name` always means one seat, and two spellings of it are one person.
    """
    name = unicodedata.normalize("NFC", name.strip())
    match name:
        case "":
            return "A seat needs a name. Try: Anna."
        case _ if len(name) > LONGEST_NAME:
            return f"That name has {len(name)} characters; a seat's name has at most {LONGEST_NAME}. Try: Anna."
        case _ if any(invisible(sign) for sign in name):
            return "That name holds characters that cannot be seen or that turn the text around. Try: Anna."
        case _ if not re.fullmatch(r"[^\W_][\w-]*", name):
            return "A name is one word of letters, digits, - and _, and begins with a letter or digit. Try: Anna-Maria."
    who = Person(PLATFORM, _fold(name), name)
    if who.id == BOT.lower():
        return f"{BOT} is the referee's own name. Try: Anna."
    return who


def with_mentions(text: str, seats: dict[str, Person]) -> tuple[Span, ...]:
    """A typed text in which `@anna` is the person who has that seat."""
    spans: list[Span] = []
    end = 0
    for at in re.finditer(r"(?<!\w)@([\w-]+)", text):
        if who := seats.get(_fold(at[1])):
            spans += [text[end : at.start()], who]
            end = at.end()
    return tuple(span for span in (*spans, text[end:]) if span)


def going_on(text: str, seats: Iterable[Person]) -> list[str]:
    """The text with the name it ends in written out, for each seat that may be meant."""
    at = re.search(r"(?<!\w)@([\w-]*)$", text)
    if at is None:
        return []
    return [f"{text[: at.start()]}@{who.name}" for who in seats if who.id.startswith(_fold(at[1]))]


def _fold(name: str) -> str:
    return unicodedata.normalize("NFKC", name).lower()
