"""Writes `docs/glossary.md`: how the terms of each game are called in each complete language, from the catalogues."""

from collections.abc import Iterator
from itertools import groupby
from pathlib import Path

from babel import Locale

from engine.games import GAMES
from engine.text import Term
from tools.extract import ROOT, collected
from tools.languages import COMPLETE, read

PAGE = ROOT / "docs" / "glossary.md"
HEAD = """# Glossary

How the terms of the games are called in each language. `make texts` makes this page from the catalogues' own nouns: to
change a term, change its translation ([how](translating.md)).
"""


def main() -> None:
    """Write the page anew."""
    PAGE.write_text(glossary(), "utf-8")


def glossary() -> str:
    """The page."""
    catalogues = [read(code) for code in COMPLETE]
    names = ["English", *(str(Locale.parse(code).display_name).capitalize() for code in COMPLETE)]
    lines = [HEAD]
    for game, terms in groupby(sorted(_terms()), lambda term: term[0]):
        lines += [f"## {game}", "", f"| {' | '.join(names)} |", f"|{'---|' * len(names)}"]
        for _, term in terms:
            told = [catalogue.get(term) for catalogue in catalogues]
            lines.append(f"| {' | '.join([term, *(str(one.string) if one else '' for one in told)])} |")
        lines.append("")
    return "\n".join(lines)


def _terms() -> Iterator[tuple[str, str]]:
    """Each noun without values, and the game in whose files it stands; once for each of them."""
    found = set()
    for message in collected():
        if isinstance(message.id, str) and "noun" in message.auto_comments and "{" not in message.id:
            for file, _ in message.locations:
                parts = Path(file).parts
                if parts[:2] == ("engine", "games") and parts[2] in GAMES:
                    found.add((str(Term(GAMES[parts[2]].name)), message.id))
    yield from found


if __name__ == "__main__":
    main()
