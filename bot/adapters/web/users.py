"""Which names users of the web room may have, and whom a typed text mentions."""

import re
import unicodedata
from collections.abc import Iterable, Mapping
from typing import Final

from bot.messages.model import Person, Span, invisible
from engine.text import Text, plural

PLATFORM: Final = "web"

BOT: Final = "Riposte"

LONGEST_NAME: Final = 24

LONGEST_TEXT: Final = 8000
"""Characters in one message; a match record of a long game still fits."""

CHANNEL: Final = r"[a-z0-9][a-z0-9-]{0,31}"

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
    return TAKEN if looks_alike(name, BOT) else who


def looks_alike(name: str, other: str) -> bool:
    """Whether two names cannot be told apart when they are read (after UTS #39)."""
    return not _skeletons(name).isdisjoint(_skeletons(other))


def _skeletons(name: str) -> set[str]:
    """What a name looks like as it is written, and in small letters: a capital I looks like a small l."""
    bare = "".join(sign for sign in unicodedata.normalize("NFKD", name) if not unicodedata.combining(sign))
    latin = bare.translate(LOOKS_LIKE)
    forms = {latin.casefold(), latin.replace("I", "l").casefold()}
    return {form.translate(LOOKS_LIKE).replace("rn", "m").replace("vv", "w") for form in forms}


LOOKS_LIKE: Final = str.maketrans(
    "АВСЕНІЈКМОРЅТУХаԁеһіјӏорԛѕсухѵԝгптΑΒΕΖΗΙΚΜΝΟΡΤΥΧαγικνορτυχՕՏԼսոցհօıłøđħŧ01|",
    "ABCEHIJKMOPSTYXadehijiopqscyxvwrntABEZHIKMNOPTYXayiknoptyxOSLunghoilodhtoll",
)
"""Letters of other scripts, and digits, to the Latin letters that they look like."""


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
