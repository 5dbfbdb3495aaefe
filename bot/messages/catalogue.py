"""Turns sentences into a reader's language, once, by gettext catalogues; lists, numbers and times by Babel."""

import gettext
import re
from collections.abc import Callable, Iterable, Mapping
from datetime import UTC, datetime, timedelta
from functools import cache, lru_cache
from pathlib import Path
from typing import assert_never

import structlog

from bot.messages.model import FORMER, FORMER_PLAYER, WORDS_REMOVED, Lines, Page, Person, Place, Span, Strong
from engine.text import Code, Duration, Instant, Listing, Phrase, Term, Text, Value, parts

log = structlog.get_logger()

DOMAIN = "riposte"
LOCALES = Path(__file__).parent / "locales"
ENGLISH = "en"
"""Needs no catalogue: the templates are English."""
PSEUDO = "xx"
"""Made by a script, to find what is not translated: see `tools.pseudo`."""

MARKUP = re.compile(r"`([^`]*)`|\*\*((?:[^*]|\*(?!\*))*)\*\*")
"""A code span or bold words of a template."""

WIDE = ("。", "！", "？", "：", "、", "）", "」")
"""Signs that are as wide as a letter and have the blank behind them in themselves."""
BLANK = re.compile(r"(?<=\d) (?=[\u3040-\u30ff\u4e00-\u9fff])")
"""The blank that Babel puts before a unit in Japanese, where nobody writes one."""

STYLES = {"and": "standard", "or": "or", "unit": "unit"}
"""What Babel calls the ways to join a list."""

UNITS = (("day", 86_400_000), ("hour", 3_600_000), ("minute", 60_000), ("second", 1_000))
MINUTE = 60_000

Parts = tuple[tuple[str, str], ...]
"""Plain words and the name of the value that follows them, again and again."""
People = Callable[[Person], Person]
"""By which account somebody is named where something is said."""


class Language:
    """One language that Riposte speaks."""

    def __init__(self, code: str, translations: gettext.NullTranslations) -> None:
        self.code = code
        self._translations = translations
        self._plain: dict[str, Parts] = {}
        """Templates without a number, as they are told in plain words, by the English one."""
        self._sound: dict[tuple[str, str], str] = {}
        """What is told for a template and its translation: the English one where the other would lose a value."""

    def spans(self, text: Text, people: People = lambda person: person) -> tuple[Span, ...]:
        """A sentence as spans, for an adapter."""
        return _joined(self._spans(text, people))

    def lines(self, lines: Lines, people: People = lambda person: person) -> tuple[Span, ...]:
        """Lines of sentences as spans: sentences stand apart by a blank, lines by a line break."""
        spans: list[Span] = []
        for number, line in enumerate(lines):
            if number:
                spans.append("\n")
            for nth, text in enumerate(line):
                if nth and not (isinstance(spans[-1], str) and spans[-1].endswith(WIDE)):
                    spans.append(" ")
                spans += filter(None, self._spans(text, people))
        return _joined(spans)

    def say(self, text: Text | Term) -> str:
        """A sentence or a noun in plain words: for captions, labels and alt texts."""
        if isinstance(text, Term):
            return self._term(text)
        if text.told is not None and text.told[0] is self:
            return text.told[1]
        cut = None if text.many else self._plain.get(text.template)
        if cut is None:
            cut = parts(_unmarked(self._template(text)))
            if not text.many:
                self._plain[text.template] = cut
        values, words = text.values, self._words
        said = "".join([plain + words(values[field]) if field else plain for plain, field in cut])
        text.told = self, said
        return said

    def instant(self, at: int, now: int) -> str:
        """An instant as seen at another, for readers in all time zones: how far away it is, and its date."""
        from babel.dates import format_skeleton, format_timedelta

        locale = _locale(self.code)
        # Whole minutes, so that what is due in three days is not due "in 2 days" a moment after that was written.
        minutes = (abs(at - now) + MINUTE // 2) // MINUTE
        unit, size = next(
            ((unit, size) for unit, size in UNITS[:3] if minutes * MINUTE >= 2 * size), ("minute", MINUTE)
        )
        span = timedelta(milliseconds=minutes * MINUTE // size * size)
        away = format_timedelta(
            span if at >= now else -span,
            unit,  # type: ignore[arg-type]  # one of the words that it takes
            threshold=1 << 30,
            add_direction=True,
            locale=locale,
        )
        then, today = (datetime.fromtimestamp(instant / 1000, UTC) for instant in (at, now))
        away = BLANK.sub("", away)
        day = format_skeleton("MMMd" if then.year == today.year else "yMMMd", then, locale=locale)
        return f"{away}, {day} {then:%H:%M} UTC" if minutes else f"{day} {then:%H:%M} UTC"

    def texts(self, templates: Iterable[tuple[str, ...]]) -> dict[str, str]:
        """The translations of templates of which a page fills the values in; of no use in English.

        Where a number decides, a template for one thing comes with that for more; forms that English does not have
        stand under `few|` and the like before the latter.
        """
        texts: dict[str, str] = {}
        for one, *others in templates:
            if not others:
                texts[one] = self._told(one)
                continue
            (many,) = others
            forms = {form: self._counted(one, many, count) for form, count in _plural_forms(self.code)}
            texts |= {f"{form}|{many}": told for form, told in forms.items()}
            usual = forms.get("other") or forms["many"]  # some languages keep "other" for fractions
            texts |= {one: forms.get("one", usual), many: usual}
        return texts

    def _spans(self, text: Text, people: People) -> list[Span]:
        """A sentence as spans, neighbouring plain words apart."""
        spans: list[Span] = []
        values = text.values
        for kind, words, field in _marked(self._template(text)):
            if kind is not None:
                spans.append(kind(self._filled(words, values)))
                continue
            spans.append(words)
            if field:
                value = values[field]
                if type(value) is str:
                    spans.append(self._kept(value))
                else:
                    spans += self._value(value, people)
        return spans

    def _template(self, text: Text) -> str:
        if text.many:
            count = text.values["count"]
            assert isinstance(count, int), "what is counted is a number"
            return self._counted(text.template, text.many, count)
        return self._told(text.template)

    def _told(self, template: str) -> str:
        told = self._translations.gettext(template)
        return template if told is template else self._checked(template, told)

    def _counted(self, one: str, many: str, count: int) -> str:
        told = self._translations.ngettext(one, many, count)
        if told is one or told is many:
            return told
        # A language with a single form says the number of one thing, too, which English may leave out.
        return self._checked(one, told, many) if count == 1 else self._checked(many, told)

    def _checked(self, template: str, told: str, other: str = "") -> str:
        """A translation, or the English template where a language file is broken; the log says so once."""
        known = self._sound.get((template, told))
        if known is None:
            known = told if told and _fields(told) in (_fields(template), _fields(other or template)) else template
            if known is not told:
                log.warning("a translation is broken; English is spoken instead", language=self.code, template=template)
            self._sound[template, told] = known
        return known

    def _term(self, term: Term) -> str:
        return self._told(term) if term else ""

    def _kept(self, words: str) -> str:
        """A name or notation as it is; what stands for words that were erased, in this language."""
        return self._term(WORDS_REMOVED) if words == WORDS_REMOVED else words

    def _filled(self, template: str, values: Mapping[str, Value]) -> str:
        """A template without markup, its values in plain words."""
        return "".join([words + self._words(values[field]) if field else words for words, field in parts(template)])

    def _words(self, value: Value) -> str:
        """A value in plain words; by exact type, the most frequent first, since alt texts have many."""
        kind = type(value)
        if kind is str:
            return self._kept(value)  # type: ignore[arg-type]
        if kind is Term:
            return self._term(value)  # type: ignore[arg-type]
        if kind is Phrase:
            return self.say(value)  # type: ignore[arg-type]
        if isinstance(value, Listing):
            words = [item if type(item) is str else self._words(item) for item in value.items]
            if len(words) == 1:
                return words[0]
            between = _between(self.code, value.style, len(words))
            return "".join([mark + word for mark, word in zip(between, words, strict=True)])
        return "".join(map(_plain, self._value(value)))

    def _value(self, value: Value, people: People = lambda person: person) -> tuple[Span, ...]:
        match value:
            case Term():
                return (self._term(value),)
            case str():
                return (self._kept(value),)
            case Place() | Instant() | Code() | Page():
                return (value,)
            case Person(platform=platform, id=number):
                return (
                    Person(platform, number, str(self._term(FORMER_PLAYER))) if platform == FORMER else people(value),
                )
            case Phrase():
                return tuple(self._spans(value, people))
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
        said: list[tuple[Span, ...]] = []
        for unit, size in UNITS:
            count, span = divmod(span, size)
            if count:
                said.append((_unit(self.code, unit, count),))
        return "".join(map(_plain, self._listing(said or [(_unit(self.code, "minute", 0),)], "unit")))


def beside(sentences: Iterable[str]) -> str:
    """Sentences beside each other, with a blank between them, but behind a stop that has one in itself."""
    said = ""
    for sentence in sentences:
        said += sentence if not said or said.endswith(WIDE) else f" {sentence}"
    return said


def language(code: str = ENGLISH) -> Language:
    """A language by its code, `de` or `de-AT`; one that nobody has translated is English."""
    return _read(spoken(code) or ENGLISH)


def spoken(code: str) -> str:
    """The code under which Riposte speaks a language, `de` for `de-AT`; "" for one that nobody has translated."""
    for one in (code, code.partition("-")[0].partition("_")[0]):
        if one == ENGLISH or one in _catalogues():
            return one
    return ""


@cache
def languages() -> tuple[str, ...]:
    """The codes of all languages that readers can choose, English first."""
    return (ENGLISH, *sorted(_catalogues().keys() - {PSEUDO}))


@cache
def _catalogues() -> Mapping[str, Path]:
    return {file.parts[-3]: file for file in LOCALES.glob(f"*/LC_MESSAGES/{DOMAIN}.mo")}


@cache
def _read(code: str) -> Language:
    if code == ENGLISH:
        return Language(ENGLISH, gettext.NullTranslations())
    try:
        with _catalogues()[code].open("rb") as file:
            return Language(code, gettext.GNUTranslations(file))
    except Exception as error:  # whatever is in it: nobody is left without an answer by a language file
        log.warning("a language file is damaged; English is spoken instead", language=code, error=repr(error))
        return _read(ENGLISH)


def _fields(template: str) -> set[str] | None:
    """The names of the values in a template; None where its braces are broken."""
    try:
        return {field for _, field in parts(template) if field}
    except ValueError:
        return None


@lru_cache(maxsize=4096)
def _marked(template: str) -> tuple[tuple[type[Code | Strong] | None, str, str], ...]:
    """A template cut at its markup and its values: code or bold words, or plain words and the value after them."""
    cut: list[tuple[type[Code | Strong] | None, str, str]] = []
    at = 0
    for found in MARKUP.finditer(template):
        cut += [(None, words, field) for words, field in parts(template[at : found.start()])]
        cut.append((Code, found[1], "") if found[1] else (Strong, found[2] or "", ""))
        at = found.end()
    cut += [(None, words, field) for words, field in parts(template[at:])]
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

    marks = [f"\x00{nth}\x01" for nth in range(count)]
    try:
        words = format_list(marks, style=STYLES[style], locale=_locale(code))  # type: ignore[arg-type]
    except KeyError:  # Babel knows the patterns of some languages in part
        words = ", ".join(marks)
    between = tuple(words.split("\x00")[nth].partition("\x01")[2] if nth else "" for nth in range(count))
    if (
        style == "unit" and not "".join(between).strip()
    ):  # Japanese puts blanks there, where names and numbers have some
        return _between(code, "and", count)
    return between


@lru_cache(maxsize=512)
def _unit(code: str, unit: str, count: int) -> str:
    from babel.units import format_unit

    name = f"duration-{unit}"
    said = format_unit(count, name, "long", locale=_locale(code))
    if said.endswith(name):  # Babel knows no long form where it is the short one, as in Japanese
        said = format_unit(count, name, "short", locale=_locale(code))
    return BLANK.sub("", said)


@cache
def _plural_forms(code: str) -> tuple[tuple[str, int], ...]:
    """The plural forms of a language, each with a number that takes it."""
    from babel import Locale

    form = Locale.parse(_locale(code)).plural_form
    return tuple({form(count): count for count in range(200, -1, -1)}.items())


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
    words: list[str] = []
    for span in spans:
        if isinstance(span, str):
            words.append(span)
            continue
        if words:
            if said := "".join(words):
                joined.append(said)
            words.clear()
        joined.append(span)
    if said := "".join(words):
        joined.append(said)
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
        case Page(address=address):
            return address
        case Instant(at=at):
            return str(at)
        case _:
            assert_never(span)
