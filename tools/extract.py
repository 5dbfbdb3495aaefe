"""Collects the templates of all sentences, the page's among them, into `riposte.pot`."""

import ast
import io
from collections.abc import Iterator, Mapping
from datetime import UTC, datetime
from pathlib import Path
from typing import Literal, NamedTuple, TypeAlias

from babel.messages.catalog import Catalog
from babel.messages.mofile import write_mo
from babel.messages.pofile import write_po

from bot.adapters.web.templates import page_templates
from bot.messages.catalogue import DOMAIN, LOCALES

ROOT = Path(__file__).parent.parent
ROOMS = ("engine", "bot", "render")
TEMPLATES = LOCALES / f"{DOMAIN}.pot"

Kind: TypeAlias = Literal["sentence", "noun"]

KEYWORDS: Mapping[str, tuple[Kind, int]] = {
    "Text": ("sentence", 1),
    "plural": ("sentence", 2),
    "Term": ("noun", 1),
    "Phrase": ("noun", 1),
}
"""What is called with templates: what those are, and how many come first."""

NO_DATE = datetime(2026, 1, 1, tzinfo=UTC)
"""For the header: a file in which nothing has changed stays as it is."""


class Template(NamedTuple):
    """A template of a sentence or noun, and where it stands."""

    kind: Kind
    texts: tuple[str, ...]
    """One; where a number decides, that for one thing and that for more."""
    file: str


def main() -> None:
    """Write the file anew."""
    TEMPLATES.parent.mkdir(exist_ok=True)
    TEMPLATES.write_bytes(as_po(collected()))


def collected() -> Catalog:
    """All templates; each says whether it is a sentence or a noun."""
    catalog = new_catalog()
    for kind, texts, file in templates():
        catalog.add(texts if len(texts) > 1 else texts[0], locations=[(file, 0)], auto_comments=[kind])
    return catalog


def new_catalog(code: str | None = None) -> Catalog:
    """A catalogue without entries."""
    return Catalog(
        code,
        domain=DOMAIN,
        header_comment="# What Riposte says.",
        project="Riposte",
        version="1",
        msgid_bugs_address="-",
        last_translator="-",
        language_team="-",
        fuzzy=False,
        creation_date=NO_DATE,
        revision_date=NO_DATE,
    )


def as_po(catalog: Catalog) -> bytes:
    """A catalogue as a file, without what changes from one day or one Babel to the next."""
    file = io.BytesIO()
    write_po(file, catalog, sort_output=True, include_lineno=False, width=0)
    return b"".join(line for line in file.getvalue().splitlines(keepends=True) if b"Generated-By" not in line)


def as_mo(catalog: Catalog) -> bytes:
    """A catalogue as the file that is read at run time: without entries that are doubtful or not translated."""
    translated = Catalog(catalog.locale, domain=DOMAIN, fuzzy=False)
    translated.mime_headers = catalog.mime_headers
    for message in catalog:
        if message.id and not message.fuzzy and all(forms(message.string)):
            translated.add(message.id, message.string)
    file = io.BytesIO()
    write_mo(file, translated)
    return file.getvalue()


def forms(texts: object) -> tuple[str, ...]:
    """A template or translation as a tuple: one text, or one for each form of a plural; "" is not translated."""
    if texts is None or isinstance(texts, str):
        return (texts or "",)
    assert isinstance(texts, list | tuple)
    return tuple(map(str, texts))


def templates() -> Iterator[Template]:
    """Every template, in the order of the files."""
    for path in sources():
        for call in calls(path):
            kind, count = KEYWORDS[call.func.id]  # type: ignore[attr-defined]  # a Name: see `calls`
            found = tuple(text for given in call.args[:count] if (text := literal(given)))
            if len(found) == count:
                yield Template(kind, found, path.relative_to(ROOT).as_posix())
    for file, _, texts in page_templates():
        kind = "noun" if texts[0][:1].islower() else "sentence"  # "your turn" stands among others in a line
        yield Template(kind, texts, f"bot/adapters/web/page/{file}")


def literal(given: ast.expr) -> str:
    """The text that stands there word for word, else ""."""
    return given.value if isinstance(given, ast.Constant) and isinstance(given.value, str) else ""


def sources() -> Iterator[Path]:
    """The files that say something."""
    for room in ROOMS:
        yield from sorted((ROOT / room).rglob("*.py"))


def calls(path: Path) -> Iterator[ast.Call]:
    """Every call with a template, in the order of the file.

    Babel's own reader loses calls inside the arguments of others.
    """
    tree = ast.parse(path.read_text("utf-8"))
    found = (node for node in ast.walk(tree) if isinstance(node, ast.Call) and isinstance(node.func, ast.Name))
    mine = (call for call in found if call.func.id in KEYWORDS and call.args)  # type: ignore[attr-defined]
    return iter(sorted(mine, key=lambda call: (call.lineno, call.col_offset)))


if __name__ == "__main__":
    main()
