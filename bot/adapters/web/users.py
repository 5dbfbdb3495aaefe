"""Which names users of the web room may have, and whom a typed text mentions."""

import re
import secrets
import unicodedata
from collections.abc import Iterable, Iterator, Mapping
from functools import cache
from typing import Final

from bot.messages.model import Person, Span, invisible
from engine.text import Text, plural

PLATFORM: Final = "web"

BOT: Final = "Riposte"

LONGEST_NAME: Final = 24

LONGEST_TEXT: Final = 8000
"""Characters in one message; a match record of a long game still fits."""

CHANNEL: Final = r"[a-z0-9][a-z0-9-]{0,31}"

ELSEWHERE: Final = "~"
"""The channel of matches that have no place in the room: whoever plays in one sees it there, and nobody else."""

_TRY: Final = Text("Try: {example}.", example="Anna")
MISSING: Final = (Text("A seat needs a name."), _TRY)
DISGUISED: Final = (Text("That name holds characters that cannot be seen or that turn the text around."), _TRY)
NO_WORD: Final = (
    Text("A name is one word of letters, digits, - and _, and begins with a letter or digit."),
    Text("Try: {example}.", example="Anna-Maria"),
)
LOOKS_TAKEN: Final = Text("That name looks like that of {player}, who is here already; choose another.")
TAKEN: Final = (Text("{bot} is the referee's own name.", bot=BOT), _TRY)


def user_named(name: str) -> Person | tuple[Text, ...]:
    """The user of that name, or why nobody can have it.

    A name is one word, so that `@name` always means one user, and two spellings of it are one person.
    """
    name = unicodedata.normalize("NFC", name.strip())
    match name:
        case "":
            return MISSING
        case _ if len(name) > LONGEST_NAME:
            return _too_long(len(name)), _TRY
        case _ if any(invisible(sign) for sign in name):
            return DISGUISED
        case _ if not re.fullmatch(r"[^\W_][\w-]*", name):
            return NO_WORD
    who = Person(PLATFORM, _fold(name), name)
    return TAKEN if looks_alike(name, BOT) or looks_alike(name, BOT.upper()) else who


def free_names(name: str) -> Iterator[str]:
    """Names for somebody's seat that are like the one they have elsewhere."""
    base = re.sub(r"[^\w-]+|_", "-", unicodedata.normalize("NFKC", name)).strip("-")[: LONGEST_NAME - 3] or "Guest"
    yield base
    yield from (f"{base}-{number}" for number in range(2, 100))
    yield f"Guest-{secrets.token_hex(6)}"


def looks_alike(name: str, other: str) -> bool:
    """Whether two names cannot be told apart when they are read."""
    return not skeletons(name).isdisjoint(skeletons(other))


def skeletons(name: str) -> set[str]:
    """What a name looks like (UTS #39), as it is written and in small letters: a capital I looks like a small l."""
    bare = "".join(sign for sign in unicodedata.normalize("NFKD", name) if not unicodedata.combining(sign))
    drawn = "".join(map(_prototype, bare))
    return {"".join(map(_prototype, form)) for form in (drawn.casefold(), bare.casefold())}


@cache
def _prototype(sign: str) -> str:
    """The letters that a letter looks like; of those that look like each other, always the same."""
    from confusable_homoglyphs.confusables import confusables_data  # a large table: read when the first name is asked

    found = [one["c"] for one in confusables_data.get(sign, ())]
    if len(found) != 1:  # others look like it
        return STROKED.get(sign, sign)
    (other,) = found
    mutual = [one["c"] for one in confusables_data.get(other, ())] == [sign]
    return _bare(min(sign, other) if mutual else other)


def _bare(signs: str) -> str:
    return "".join(STROKED.get(one, one) for one in signs if not unicodedata.combining(one))


STROKED: Final = dict(zip("\u0131\u0142\u00f8\u0111\u0127\u0167\u1d1b\u0138", "ilodhttk", strict=True))
"""Letters with a stroke, without a dot or as small capitals, which Unicode counts as letters of their own."""


def _too_long(length: int) -> Text:
    return plural(
        "That name has {count} character; a seat's name has at most {most}.",
        "That name has {count} characters; a seat's name has at most {most}.",
        length,
        most=LONGEST_NAME,
    )


def with_mentions(text: str, users: Mapping[str, Person]) -> tuple[Span, ...]:
    """A typed text in which `@anna` is the user of that name."""
    spans: list[Span] = []
    end = 0
    for at in re.finditer(r"(?<!\w)@([\w-]+)", text):
        if who := users.get(_fold(at[1])):
            spans += [text[end : at.start()], who]
            end = at.end()
    return tuple(span for span in (*spans, text[end:]) if span)


def complete_mention(text: str, users: Iterable[Person]) -> list[str]:
    """The text with the name it ends in written out, for each user that may be meant."""
    at = re.search(r"(?<!\w)@([\w-]*)$", text)
    if at is None:
        return []
    return [f"{text[: at.start()]}@{who.name}" for who in users if who.id.startswith(_fold(at[1]))]


def _fold(name: str) -> str:
    return unicodedata.normalize("NFKC", name).lower()
