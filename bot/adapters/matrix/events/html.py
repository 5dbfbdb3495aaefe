"""Turns spans into what Matrix shows: HTML made of typed nodes, and plain words that suffice without it.

Nothing that people or games have written is ever read as markup, turns the direction of what follows around, or
notifies anybody. The HTML is within the subset that the specification tells clients to show.
"""

import json
import re
import unicodedata
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from typing import Any, Final, TypeAlias
from urllib.parse import quote

from bot.messages.model import Page, Person, Place, Span, Strong, clean
from engine.text import Code, Instant, Phrase, Text

PLATFORM: Final = "matrix"
FORMAT: Final = "org.matrix.custom.html"
LARGEST: Final = 32_000
"""Bytes of content: a homeserver takes events of 65 kB, and encryption makes them half as large again."""
CUT: Final = Text("The rest is too long for one message.")
FOLDED: Final = Text("The position in words")
LONGEST_NAME: Final = 32
USER: Final = re.compile(r"@[^:\s]+:[^\s/]+")
ROOM: Final = re.compile(r"![^\s/]+")


def when(at: int, now: int) -> str:
    """An instant for readers in all time zones: "in 3 days, 24 Nov 22:00 UTC"."""
    # Whole minutes, so that what is due in three days is not due "in 2 days" a moment after that was written.
    ahead, size = at >= now, (abs(at - now) + MINUTE // 2) // MINUTE * MINUTE
    unit, name = next(((unit, name) for unit, name in UNITS if size >= 2 * unit), (MINUTE, "minute"))
    number = size // unit
    span = f"{number} {name}{'' if number == 1 else 's'}"
    there, here = (datetime.fromtimestamp(instant / 1000, UTC) for instant in (at, now))
    year = "" if there.year == here.year else f" {there.year}"
    date = f"{there.day} {MONTHS[there.month - 1]}{year} {there:%H:%M} UTC"
    return f"{('in ' + span) if ahead else (span + ' ago')}, {date}" if number else f"now, {date}"


@dataclass(frozen=True, slots=True)
class Wording:
    """How the adapter's own sentences, and instants, are written in one language."""

    say: Callable[[Text], str] = str
    instant: Callable[[int, int], str] = when
    """An instant as seen at another."""


ENGLISH: Final = Wording()
"""What a message without a language is written in."""


def formatted(
    spans: Sequence[Span],
    now: int,
    *,
    rings: Sequence[Person] = (),
    alt: str = "",
    most: int = LARGEST,
    wording: Wording = ENGLISH,
) -> dict[str, Any]:
    """The content of a message as people read it at the instant `now`; who is in `rings` is notified, nobody else.

    `alt` is a position in words, folded away where HTML is shown. What is too long is cut, with a note.
    """
    made = _content(spans, now, rings, alt, wording)
    keep = sum(_length(span) for span in spans) + len(alt)
    while weight(made) > most and keep:
        keep = keep * 3 // 4
        short = _cut(spans, keep)
        rest = keep - sum(_length(span) for span in short)
        cut = f"\n… {wording.say(CUT)}"
        made = _content((*short, cut), now, rings, alt[: max(0, rest)], wording)
    return made


def weight(content: dict[str, Any]) -> int:
    """The bytes that an event's content takes at most, however a client writes JSON."""
    return len(json.dumps(content).encode())


def html(spans: Sequence[Span], now: int, wording: Wording = ENGLISH) -> str:
    """A text as `formatted_body`."""
    return "".join(_html(node) for node in _nodes(spans, now, wording))


def plain(spans: Sequence[Span], now: int, wording: Wording = ENGLISH) -> str:
    """The same text as `body`, for clients and people that read no HTML."""
    return "".join(_plain(node) for node in _nodes(spans, now, wording)).strip("\n")


def name_of(person: Person) -> str:
    """A person's name on one line and short; its direction of writing stays inside of it."""
    shown = " ".join(_bare(person.name).split())
    cut = _first(shown, LONGEST_NAME)
    return f"{FSI}{cut + '…' if cut != shown else cut}{PDI}" if shown else _bare(person.id)


FSI, PDI = "\u2068", "\u2069"
"""Isolate what is between them: its direction follows from itself alone."""
MINUTE = 60_000
UNITS = ((86_400_000, "day"), (3_600_000, "hour"), (MINUTE, "minute"))
MONTHS = ("Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec")


@dataclass(frozen=True, slots=True)
class _Words:
    text: str
    strong: bool = False


@dataclass(frozen=True, slots=True)
class _Link:
    """A person's or room's name, which clients show as a pill; or a page."""

    target: str
    text: str


@dataclass(frozen=True, slots=True)
class _Verbatim:
    """Notation or a command, shown as it is; a block if it has several lines."""

    text: str


_Node: TypeAlias = _Words | _Link | _Verbatim


def _nodes(spans: Sequence[Span], now: int, wording: Wording) -> list[_Node]:
    nodes = [node for span in spans if (node := _node(span, now, wording)) is not None]
    # A block begins and ends a line by itself; a line break beside it would be an empty line.
    for at, node in enumerate(nodes):
        if isinstance(node, _Verbatim) and "\n" in node.text:
            if at and isinstance(before := nodes[at - 1], _Words):
                nodes[at - 1] = replace(before, text=before.text.removesuffix("\n"))
            if at + 1 < len(nodes) and isinstance(after := nodes[at + 1], _Words):
                nodes[at + 1] = replace(after, text=after.text.removeprefix("\n"))
    return nodes


def _node(span: Span, now: int, wording: Wording) -> _Node | None:
    match span:
        case str(text):
            return _Words(_bare(text))
        case Strong(text):
            return _Words(_bare(text), strong=bool(text.strip()))
        case Instant(at):
            return _Words(wording.instant(at, now))
        case Page(address):
            return _Link(address, address)
        case Code(text):
            shown = _bare(text).strip("\n")
            return _Verbatim(shown) if shown.strip() else None
        case Person() if _is_here(span):
            return _Link(span.id, name_of(span))
        case Person():
            return _Words(name_of(span))
        case Place() if span.platform == PLATFORM and ROOM.fullmatch(span.channel):
            return _Link(span.channel, wording.say(Phrase("that room")))
        case Place():
            return _Words(f"#{_bare(span.channel)}")


def _is_here(person: Person) -> bool:
    return person.platform == PLATFORM and USER.fullmatch(person.id) is not None


def _html(node: _Node) -> str:
    match node:
        case _Words(text, strong=True):
            return f"<strong>{_escaped(text)}</strong>"
        case _Words(text):
            return _escaped(text)
        case _Link(target, text):
            return f'<a href="{_address(target)}">{_escaped(text)}</a>'
        case _Verbatim(text):
            # Line breaks mean themselves in there.
            code = f"<code>{_letters(text)}</code>"
            return f"<pre>{code}</pre>" if "\n" in text else code


def _plain(node: _Node) -> str:
    match node:
        case _Words(text):
            return text
        case _Link(target, text):
            return text if target.startswith(("@", "http")) else _address(target)
        case _Verbatim(text):
            return f"\n{text}\n" if "\n" in text else f"`{text}`"


def _content(spans: Sequence[Span], now: int, rings: Sequence[Person], alt: str, wording: Wording) -> dict[str, Any]:
    body, markup = plain(spans, now, wording), html(spans, now, wording)
    if words := _bare(alt).strip():
        body = f"{body}\n\n{words}" if body else words
        # Old clients know no folding; without the breaks they would show it all in one line.
        markup += f"<br><details><summary>{_escaped(wording.say(FOLDED))}</summary><br>{_escaped(words)}</details>"
    # Empty, it notifies nobody, whatever names stand in the text.
    users = [person.id for person in rings if _is_here(person)]
    mentions = {"user_ids": list(dict.fromkeys(users))} if users else {}
    return {"msgtype": "m.text", "body": body, "format": FORMAT, "formatted_body": markup, "m.mentions": mentions}


def _cut(spans: Sequence[Span], keep: int) -> list[Span]:
    """The beginning of a text, about so many letters long."""
    kept: list[Span] = []
    for span in spans:
        if _length(span) > keep:
            match span:
                case str():
                    kept.append(span[:keep])
                case Code(text) | Strong(text):
                    kept.append(replace(span, text=text[:keep]))
            return kept
        kept.append(span)
        keep -= _length(span)
    return kept


def _length(span: Span) -> int:
    match span:
        case str():
            return len(span)
        case Code(text) | Strong(text):
            return len(text)
        case Page(address):
            return len(address)
        case Person() | Place() | Instant():
            return LONGEST_NAME


def _bare(text: str) -> str:
    """As `clean`, without touching the blanks at the ends: there may be more text around."""
    inner = clean(text)
    if not inner:
        return re.sub(r"[^\n ]", "", text)
    before = text[: len(text) - len(text.lstrip())]
    after = text[len(text.rstrip()) :]
    return re.sub(r"[^\n ]", "", before) + inner + re.sub(r"[^\n ]", "", after)


def _first(text: str, letters: int) -> str:
    """So many letters of a text, each with at most three marks above and below it."""
    kept, seen, marks = "", 0, 0
    for sign in text:
        mark = unicodedata.category(sign) in ("Mn", "Me")
        marks = marks + 1 if mark else 0
        seen += not mark
        if seen > letters:
            break
        if marks <= 3:
            kept += sign
    return kept


def _address(target: str) -> str:
    return target if target.startswith("http") else f"https://matrix.to/#/{quote(target, safe='@!:')}"


def _escaped(text: str) -> str:
    return _letters(text).replace("\n", "<br>")


def _letters(text: str) -> str:
    for sign, name in (("&", "amp"), ("<", "lt"), (">", "gt"), ("\u00a0", "nbsp")):
        text = text.replace(sign, f"&{name};")
    return text
