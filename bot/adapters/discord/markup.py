"""Spans as Discord's markup, in which nothing that people or games have written has an effect."""

import re
from collections.abc import Collection, Mapping, Sequence
from types import MappingProxyType
from typing import Final

from bot.adapters.discord import limits
from bot.adapters.discord.interactions.commands import as_slash_command
from bot.messages.catalogue import Language, language
from bot.messages.model import Page, Person, Place, Span, Strong, clean
from engine.text import Code, Instant, Phrase

PLATFORM: Final = "discord"
FENCE: Final = "```"
GRAVE: Final = "\u02cb"
"""Looks like a backtick and ends nothing."""
LONGEST_NAME: Final = 32


def render(
    spans: Sequence[Span],
    rings: Collection[Person] = (),
    links: Mapping[Place, str] = MappingProxyType({}),
    spoken: Language | None = None,
) -> str:
    """A text in markup. Whoever is notified is mentioned once, where they come last; everybody else is only named.

    `links` are the ids of places; others are described in the language that is spoken.
    """
    last = {span.key: n for n, span in enumerate(spans) if isinstance(span, Person)}
    mentions = {last[person.key] for person in rings if person.key in last}
    out = ""
    for n, span in enumerate(spans):
        starts = not out or out.endswith("\n")
        match span:
            case str():
                out += escaped(span, starts=starts)
            case Person():
                out += _person(span, n in mentions, starts=starts)
            case Place():
                out += (
                    f"<#{links[span]}>"
                    if span in links
                    else escaped(_elsewhere(span, spoken or language()), starts=starts)
                )
            case Strong(text=text):
                out += f"**{escaped(text, starts=False)}**" if text.strip() else escaped(text, starts=False)
            case Instant(at=at):
                out += f"<t:{at // 1000}:R>"
            case Page(address=address):
                out += f"<{address}>"
            case Code(text=text):
                block = "\n" in text or limits.length(text) > LONG_CODE
                out += _block(text, starts=starts) if block else _code(as_slash_command(text))
    unnamed = [_person(person, True, starts=False) for person in rings if person.key not in last]
    return " ".join([out.replace(f"{FENCE}\n\n", f"{FENCE}\n").strip("\n"), *unnamed])


def small(text: str) -> str:
    """A line below the others, in small print."""
    return f"\n-# {text}"


LONG_CODE: Final = 400
"""Longer notation stands in a block of its own: a span cannot be cut in two."""


def escaped(text: str, *, starts: bool = True) -> str:
    """Plain words that stay plain; `starts`: they begin a line."""
    text = _ANYWHERE.sub(r"\\\g<0>", clean_span(text))
    text = _EVERYBODY.sub("@\u200b", text)
    return _LINE_START.sub(_kept_plain, text) if starts else _LATER_LINE_START.sub(_kept_plain, text)


def name_of(person: Person) -> str:
    """A person's name without tricks, on one line and short."""
    return limits.cut(" ".join(clean(person.name).split()), LONGEST_NAME) or person.id


def clean_span(text: str) -> str:
    """As `clean`, without touching the blanks at the ends: there may be more text around."""
    inner = clean(text)
    if not inner:
        return text if text.isspace() else ""
    before = text[: len(text) - len(text.lstrip())]
    after = text[len(text.rstrip()) :]
    return before + inner + after


def split(text: str, most: int = limits.CONTENT) -> list[str]:
    """A long text in parts that fit, cut at line breaks; a block of code that is cut goes on in the next part."""
    parts: list[str] = []
    part, inside = "", False
    room = most - len(FENCE) - 1  # for closing what is open
    for line in _short_lines(text, room - len(FENCE) - 1):
        fenced = line == FENCE
        if part and limits.length(part) + 1 + limits.length(line) > (most if inside and fenced else room):
            parts.append(f"{part}\n{FENCE}" if inside else part)
            part = f"{FENCE}\n{line}" if inside else line
        else:
            part = f"{part}\n{line}" if part else line
        inside ^= fenced
    return [*parts, part]


_ANYWHERE = re.compile(r"[\\*_~`|<\[]|(?<=\w):(?=//)|:(?=\w+:)")
_EVERYBODY = re.compile(r"@(?=everyone|here)", re.IGNORECASE)
_LATER_LINE_START = re.compile(r"(?<=\n)(\s*)(#{1,3}|-#|>{1,3}|[-+]|\d+(?=[.)]))", re.MULTILINE)
_LINE_START = re.compile(r"(?:^|(?<=\n))(\s*)(#{1,3}|-#|>{1,3}|[-+]|\d+(?=[.)]))")


def _kept_plain(found: re.Match[str]) -> str:
    """A heading, quotation or list that was not meant as one; in "12." it is the full stop that makes the list."""
    blanks, sign = found[1], found[2]
    return f"{blanks}{sign}\\" if sign.isdigit() else f"{blanks}\\{sign}"


def _person(person: Person, rung: bool, *, starts: bool) -> str:
    if person.platform == PLATFORM and limits.is_id(person.id) and (rung or person.name == person.id):
        return f"<@{person.id}>"  # whom we have never met is shown by the platform; only who is rung is notified
    return escaped(name_of(person), starts=starts)


def _elsewhere(place: Place, spoken: Language) -> str:
    if place.thread:
        return spoken.say(Phrase("match {match} on {platform}", match=place.thread, platform=place.platform))
    return spoken.say(Phrase("a room on {platform}", platform=place.platform))


def _code(text: str) -> str:
    text = clean_span(text).strip()
    if not text:
        return ""
    if "`" not in text:
        return f"`{text}`"
    if "``" in text:
        return f"`{text.replace('`', GRAVE)}`"
    return f"`` {text} ``"


def _block(text: str, *, starts: bool) -> str:
    lines = clean_span(text).strip("\n").replace(FENCE, GRAVE * 3)
    return f"{'' if starts else chr(10)}{FENCE}\n{lines}\n{FENCE}\n"


def _short_lines(text: str, most: int) -> list[str]:
    lines: list[str] = []
    for line in text.split("\n"):
        rest = line
        while limits.length(rest) > most:
            head = rest[:most]
            while limits.length(head) > most:
                head = head[:-1]
            at = head.rfind(" ")
            at = at if at > most // 2 else len(head) - (head.endswith("\\"))
            lines.append(rest[:at])
            rest = rest[at:].lstrip(" ")
        lines.append(rest)
    return lines
