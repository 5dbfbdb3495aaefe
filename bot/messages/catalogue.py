"""Turns sentences into a reader's language, once, by gettext catalogues; lists, numbers and times by Babel."""

import gettext
import re
from collections.abc import Callable, Iterable, Mapping
from functools import cache, lru_cache
from pathlib import Path
from typing import assert_never

from bot.messages.model import Lines, Person, Place, Span, Strong
from engine.text import Code, Duration, Instant, Listing, Phrase, Term, Text, Value, parts

DOMAIN = "riposte"
LOCALES = Path(__file__).parent / "locales"
ENGLISH = "en"
"""Needs no catalogue: the templates are English."""

MARKUP = re.compile(r"`([^`]*)`|\*\*((?:[^*]|\*(?!\*))*)\*\*")
"""A code span or bold words of a template."""

UNITS = (("day", 86_400_000), ("hour", 3_600_000), ("minute", 60_000), ("second", 1_000))

People = Callable[[Person], Person]
"""By which account somebody is named where something is said."""


class Language:
    """One language that Riposte speaks."""

    def __init__(self, code: str, translations: gettext.NullTranslations) -> None:
        self.code = code
        self._translations = translations

    def spans(self, text: Text, people: People = lambda person: person) -> tuple[Span, ...]:
        """A sentence as spans, for an adapter."""
        spans: list[Span] = []
        for words, code, bold in _marked(self._template(text)):
            if code:
                spans.append(Code(self._filled(code, text.values)))
            elif bold:
                spans.append(Strong(self._filled(bold, text.values)))
            else:
                for plain, field in parts(words):
                    spans.append(plain)
                    if field:
                        spans += self._value(text.values[field], people)
        return _joined(spans)

    def lines(self, lines: Lines, people: People = lambda person: person) -> tuple[Span, ...]:
        """Lines of sentences as spans: sentences stand apart by a blank, lines by a line break."""
        spans: list[Span] = []
        for number, line in enumerate(lines):
            if number:
                spans.append("\n")
            for nth, text in enumerate(line):
                if nth:
                    spans.append(" ")
                spans += self.spans(text, people)
        return _joined(spans)

    def say(self, text: Text | Term) -> str:
        """A sentence or a noun in plain words: for captions, labels and alt texts."""
        if isinstance(text, Term):
            return self._term(text)
        return self._filled(_unmarked(self._template(text)), text.values)

    def _template(self, text: Text) -> str:
        if text.many:
            count = text.values["count"]
            assert isinstance(count, int), "what is counted is a number"
            return self._translations.ngettext(text.template, text.many, count)
        return self._translations.gettext(text.template)

    def _term(self, term: Term) -> str:
        return self._translations.gettext(term) if term else ""

    def _filled(self, template: str, values: Mapping[str, Value]) -> str:
        """A template without markup, its values in plain words."""
        return "".join(
            words + ("".join(map(_plain, self._value(values[field]))) if field else "")
            for words, field in parts(template)
        )

    def _value(self, value: Value, people: People = lambda person: person) -> tuple[Span, ...]:
        match value:
            case Term():
                return (self._term(value),)
            case str() | Place() | Instant() | Code():
                return (value,)
            case Person():
                return (people(value),)
            case Phrase():
                return self.spans(value, people)
            case Duration(span=span):
                return (self._duration(span),)
            case Listing(items=items, style=style):
                return self._listing([self._value(item, people) for item in items], style)
            case Text():
                raise TypeError(f"a sentence inside a sentence: {value!r}")
            case _:
                return (str(value),)

    def _listing(self, items: list[tuple[Span, ...]], style: str) -> tuple[Span, ...]:
        """The items with what stands between them in this language: one, then the rest."""
        spans: list[Span] = []
        for between, item in zip(_between(self.code, style, len(items)), items, strict=True):
            spans += (between, *item)
        return _joined(spans)

    def _duration(self, span: int) -> str:
        said = []
        for unit, size in UNITS:
            count, span = divmod(span, size)
            if count:
                said.append(_unit(self.code, unit, count))
        return ", ".join(said) or _unit(self.code, "minute", 0)


@cache
def language(code: str = ENGLISH) -> Language:
    """A language by its code; one that nobody has translated is English."""
    code = code or ENGLISH
    found = None if code == ENGLISH else gettext.find(DOMAIN, str(LOCALES), [code])
    if found is None:
        return Language(ENGLISH, gettext.NullTranslations())
    with Path(found).open("rb") as file:
        return Language(code, gettext.GNUTranslations(file))


@cache
def languages() -> tuple[str, ...]:
    """The codes of all languages that there are catalogues for, English first."""
    return (ENGLISH, *sorted(file.parts[-3] for file in LOCALES.glob(f"*/LC_MESSAGES/{DOMAIN}.mo")))


@lru_cache(maxsize=4096)
def _marked(template: str) -> tuple[tuple[str, str, str], ...]:
    """A template cut at its markup: plain words, or code, or bold words."""
    cut, at = [], 0
    for found in MARKUP.finditer(template):
        if found.start() > at:
            cut.append((template[at : found.start()], "", ""))
        cut.append(("", found[1] or "", found[2] or ""))
        at = found.end()
    if at < len(template):
        cut.append((template[at:], "", ""))
    return tuple(cut)


@lru_cache(maxsize=4096)
def _unmarked(template: str) -> str:
    return template.replace("**", "")


@lru_cache(maxsize=256)
def _between(code: str, style: str, count: int) -> tuple[str, ...]:
    """What stands in front of each of so many items of a list."""
    if count < 2:
        return ("",) * count
    from babel.lists import format_list

    styles = {"and": "standard", "or": "or", "unit": "unit"}
    marks = [f"\x00{nth}\x01" for nth in range(count)]
    words = format_list(marks, style=styles[style], locale=_locale(code))  # type: ignore[arg-type]
    return tuple(words.split("\x00")[nth].partition("\x01")[2] if nth else "" for nth in range(count))


@lru_cache(maxsize=512)
def _unit(code: str, unit: str, count: int) -> str:
    from babel.units import format_unit

    return format_unit(count, f"duration-{unit}", "long", locale=_locale(code))


@cache
def _locale(code: str) -> str:
    """The locale whose lists and units a language uses; one that Babel does not know uses English ones."""
    from babel import Locale, UnknownLocaleError

    try:
        Locale.parse(code)
    except (UnknownLocaleError, ValueError):
        return "en_GB"
    return "en_GB" if code == ENGLISH else code  # "a, b and c", without a comma before the last


def _joined(spans: Iterable[Span]) -> tuple[Span, ...]:
    """Neighbouring plain words as one."""
    joined: list[Span] = []
    for span in spans:
        if isinstance(span, str) and joined and isinstance(joined[-1], str):
            joined[-1] += span
        elif span != "":
            joined.append(span)
    return tuple(joined)


def _plain(span: Span) -> str:
    match span:
        case str():
            return span
        case Code(text=text) | Strong(text=text):
            return text
        case Person(name=name):
            return name
        case Place(channel=channel):
            return channel
        case Instant(at=at):
            return str(at)
        case _:
            assert_never(span)
