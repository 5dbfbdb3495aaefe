"""Sentences as data: an English template, which is also the key of every translation, and the values that fill it."""

from collections.abc import Iterable, Iterator
from functools import lru_cache
from string import Formatter
from typing import Literal, TypeAlias

from engine.value import value


class Term(str):
    """A noun with a translation of its own: a piece, a side, a game, a zone, the title of a rule."""

    __slots__ = ()


@value(frozen=True, slots=True)
class Code:
    """Notation, position text or a command: shown in a code span, never translated, never eaten by markup."""

    text: str


@value(frozen=True, slots=True)
class Duration:
    """A length of time in milliseconds."""

    span: int


@value(frozen=True, slots=True)
class Instant:
    """A point in time (milliseconds since 1970 UTC), shown relative to the reader: "in 3 days"."""

    at: int


@value(frozen=True, slots=True)
class Listing:
    """Several values in a row, joined as the reader's language joins them."""

    items: tuple["Value", ...]
    style: Literal["and", "or", "unit"] = "and"
    """`a, b and c`; `a, b or c`; `a, b, c`."""


Value: TypeAlias = object
"""What a template is filled with.

A `str` is notation or a name, shown as it is; a `Term` is translated; an `int` is a number; then `Code`, `Duration`,
`Instant`, `Listing` and `Phrase`. Whoever shows texts may know more kinds (`bot.messages` adds people and places). A
sentence is no value: sentences stand beside each other, never inside each other.
"""


class Text:
    """One whole sentence (or a label), told in any language by whoever shows it.

    In a template `{name}` stands for a value, back quotes for a code span and `**` for bold words.
    """

    __slots__ = ("many", "template", "told", "values")

    template: str
    values: dict[str, Value]
    many: str
    """The template where `values["count"]` is not one; "" where nothing is counted."""
    told: tuple[object, str] | None
    """By whom it was told last, and how: the same phrases return in one alt text after another."""

    def __init__(self, template: str, /, **values: Value) -> None:
        self.template = template
        self.values = values
        self.many = ""
        self.told = None

    def __eq__(self, other: object) -> bool:
        return (
            isinstance(other, Text)
            and self.template == other.template
            and self.values == other.values
            and self.many == other.many
        )

    def __hash__(self) -> int:
        return hash((self.template, *self.values.values()))

    def __repr__(self) -> str:
        return f"Text({str(self)!r})"

    def __str__(self) -> str:
        """The English sentence."""
        template = self.many if self.many and self.values["count"] != 1 else self.template
        if not self.values:
            return template
        said: list[str] = []
        for words, field in parts(template):
            said.append(words)
            if field:
                value = self.values[field]
                said.append(value if isinstance(value, str) else english(value))
        return "".join(said)


class Phrase(Text):
    """A noun phrase that stands in a sentence or a list as a value: "Arm on a5 and c7", "3 days a turn"."""

    __slots__ = ()


def plural(one: str, many: str, count: int, /, **values: Value) -> Text:
    """A sentence about `{count}` things: the template for one of them, and the one for every other number."""
    text = Text(one, count=count, **values)
    text.many = many
    return text


@lru_cache(maxsize=4096)
def parts(template: str) -> tuple[tuple[str, str], ...]:
    """A template as plain words and the name of the value that follows them, "" for none."""
    return tuple((words, field or "") for words, field, _, _ in Formatter().parse(template))


def english(value: Value) -> str:
    """A value in plain English, for logs, records and programs."""
    if isinstance(value, str):  # Most are, and this is quicker than the match below.
        return value
    match value:
        case Code(text=text):
            return f"`{text}`"
        case Listing(items=items, style=style):
            return _joined([item if isinstance(item, str) else english(item) for item in items], style)
        case Duration(span=span):
            return _spelled_out(span)
        case Instant(at=at):
            return f"@{at}"
        case _:
            return str(value)


def sentences(texts: Iterable[Text | None]) -> Iterator[Text]:
    """Those that there are: what has nothing to say is None."""
    return (text for text in texts if text is not None)


def _joined(items: list[str], style: str) -> str:
    if len(items) < 2 or style == "unit":
        return ", ".join(items)
    return f"{', '.join(items[:-1])} {style} {items[-1]}"


def _spelled_out(span: int) -> str:
    """`1 day, 12 hours`."""
    said = []
    for unit, size in (("day", 86_400_000), ("hour", 3_600_000), ("minute", 60_000), ("second", 1_000)):
        count, span = divmod(span, size)
        if count:
            said.append(f"{count} {unit}{'' if count == 1 else 's'}")
    return ", ".join(said) or "0 minutes"
