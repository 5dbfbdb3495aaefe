"""Brings the catalogues of the languages up to date, compiles them, and says what is wrong with them.

python -m tools.languages              # after `tools.extract`: new sentences into each file, each file compiled
python -m tools.languages faults de    # what a language lacks, and what in it is wrong
python -m tools.languages tidy de      # throws away what no sentence uses any more
"""

import re
import sys
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import NamedTuple

from babel.messages.catalog import Catalog, Message
from babel.messages.pofile import read_po

from bot.messages.catalogue import DOMAIN, LOCALES
from engine.text import parts
from tools.extract import as_mo, as_po, collected, forms, new_catalog

SPOKEN = ("de", "es", "ja")
"""The languages besides English, whose own the sentences in the code are."""
COMPLETE: tuple[str, ...] = ("de", "es", "ja")
"""Those of them in which nothing may be missing: `tests/test_translations.py` holds them to it."""

CODE = re.compile(r"`[^`]*`")
OPTION = re.compile(r"(?<![\w{])[a-z]+=[\w{}-]+")
"""What is typed word for word, outside a code span."""
STOPS: Mapping[str, str] = {".": ".。!！", "?": "?？", "!": "!！", ":": ":：", "…": "…"}
"""What a sentence may end with, by what the English one ends with."""
LABELS, LABEL = "bot/commands/spec", 100
"""Where the descriptions of commands stand, and how long Discord lets them be."""


class Fault(NamedTuple):
    """What is wrong with one entry."""

    template: str
    what: str


def main(arguments: list[str]) -> int:
    """Carry out one of the commands above."""
    match arguments:
        case []:
            for code in SPOKEN:
                write(code, updated(code))
        case ["tidy", code]:
            catalog = updated(code)
            catalog.obsolete.clear()
            write(code, catalog)
        case ["faults", code]:
            found = [*faults(read(code))]
            for fault in found:
                print(f"{fault.what}: {fault.template}")
            return bool(found)
        case _:
            print(__doc__)
            return 2
    return 0


def file_of(code: str) -> Path:
    """Where a language's translations stand."""
    return LOCALES / code / "LC_MESSAGES" / f"{DOMAIN}.po"


def read(code: str) -> Catalog:
    """A language's translations as they are stored; a language that has none yet begins here."""
    if not file_of(code).exists():
        return new_catalog(code)
    with file_of(code).open("rb") as file:
        return read_po(file, locale=code, domain=DOMAIN)


def write(code: str, catalog: Catalog) -> None:
    """Store them, and what is read at run time: without the doubtful ones."""
    file_of(code).parent.mkdir(parents=True, exist_ok=True)
    file_of(code).write_bytes(as_po(catalog))
    file_of(code).with_suffix(".mo").write_bytes(as_mo(catalog))


def updated(code: str) -> Catalog:
    """A language's translations with all sentences of today.

    A sentence that was changed a little keeps its translation, marked as doubtful ("fuzzy"); one that nobody says any
    more goes to the end of the file ("obsolete"), in case it returns.
    """
    catalog = read(code)
    catalog.update(collected(), update_header_comment=False)
    catalog.creation_date = catalog.revision_date = new_catalog(code).creation_date
    return catalog


def faults(catalog: Catalog, templates: Iterable[Message] | None = None) -> Iterator[Fault]:
    """What a complete language would not have: entries that are missing, doubtful, unused or wrong."""
    wanted = {message.id: message for message in (collected() if templates is None else templates) if message.id}
    known = {message.id: message for message in catalog if message.id}
    for key, message in wanted.items():
        entry = known.get(key)
        if entry is None or not any(forms(entry.string)):
            yield Fault(forms(key)[0], "missing")
        elif entry.fuzzy:
            yield Fault(forms(key)[0], "fuzzy")
        else:
            yield from wrong(catalog, entry, sentence="sentence" in message.auto_comments)
    for key in (*(known.keys() - wanted.keys()), *catalog.obsolete):
        yield Fault(forms(key)[0], "unused")


def mistakes(catalog: Catalog) -> Iterator[Fault]:
    """What is wrong with the entries that are translated, whatever is missing."""
    for entry in catalog:
        if entry.id and any(forms(entry.string)) and not entry.fuzzy:
            yield from wrong(catalog, entry, sentence="sentence" in entry.auto_comments)


def wrong(catalog: Catalog, entry: Message, *, sentence: bool = True) -> Iterator[Fault]:
    """What is wrong with a translation that there is."""
    english, told = forms(entry.id), forms(entry.string)
    plural = len(english) > 1
    if len(told) != (catalog.num_plurals if plural else 1) or not all(told):
        yield Fault(english[0], f"{catalog.num_plurals if plural else 1} form(s) expected")
        return
    for nth, form in enumerate(told):
        # The first of several forms is that for one thing; a language with a single form says it of any number.
        template = english[0] if nth == 0 and len(told) > 1 else english[-1]
        yield from (Fault(template, what) for what in differences(template, form, sentence=sentence))
        if len(template) <= LABEL < len(form) and any(file.startswith(LABELS) for file, _ in entry.locations):
            yield Fault(template, f"at most {LABEL} characters")


def differences(template: str, told: str, *, sentence: bool = True) -> Iterator[str]:
    """What must not differ between a template and its translation, but does."""
    try:
        if fields(told) != fields(template):
            yield f"values {fields(template)} expected, not {fields(told)}"
    except ValueError as error:
        yield f"{error}"
        return
    for what, pattern in (("code spans", CODE), ("words to type", OPTION)):
        spans = [sorted(pattern.findall(text if pattern is CODE else CODE.sub("", text))) for text in (template, told)]
        if spans[0] != spans[1]:
            yield f"{what} {spans[0]} expected, not {spans[1]}"
    if told.count("**") != template.count("**") or told.count("`") % 2:
        yield "bold words or back quotes differ"
    if (told[:1].isspace(), told[-1:].isspace()) != (template[:1].isspace(), template[-1:].isspace()):
        yield "blanks at an end differ"
    if told.count("\n") != template.count("\n"):
        yield "line breaks differ"
    stops = STOPS.get(template[-1:], "") if sentence else ""
    if stops and told[-1:] not in stops:
        yield f"one of {stops} expected at the end"


def fields(template: str) -> list[str]:
    """The names of the values in a template. Raises ValueError where its braces are broken."""
    return sorted({field for _, field in parts(template) if field})


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
