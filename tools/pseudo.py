"""Makes the pseudo-language `xx`, which shows at a glance whatever is not translated or glued from fragments.

A sentence stands in one pair of square brackets with its parts in reverse order, a noun in single angle quotes.
"""

import re

from babel.messages.catalog import Catalog

from bot.messages.catalogue import DOMAIN, LOCALES
from tools.extract import as_mo, as_po, collected, new_catalog

CODE = "xx"
FOLDER = LOCALES / CODE / "LC_MESSAGES"

PARTS = re.compile(r"(`[^`]*`|\*\*.+?\*\*|\{\w+\})")
"""Code spans, bold words and values: what is kept whole."""


def main() -> None:
    """Write the catalogue anew."""
    FOLDER.mkdir(parents=True, exist_ok=True)
    catalog = pseudo()
    (FOLDER / f"{DOMAIN}.po").write_bytes(as_po(catalog))
    (FOLDER / f"{DOMAIN}.mo").write_bytes(as_mo(catalog))


def pseudo() -> Catalog:
    """All templates with their translations."""
    catalog = new_catalog(CODE)
    for message in collected():
        if message.id:
            say = sentence if "sentence" in message.auto_comments else noun
            told = say(message.id) if isinstance(message.id, str) else tuple(map(say, message.id))
            catalog.add(message.id, told, message.locations, message.flags, message.auto_comments)
    return catalog


def sentence(template: str) -> str:
    """`The {piece} on {place} moves.` becomes `[ moves.{place} on {piece}The ]`."""
    return f"[{_reversed(template)}]"


def noun(template: str) -> str:
    """`Arm` becomes `‹Arm›`."""
    return f"‹{_reversed(template)}›"


def _reversed(template: str) -> str:
    return "".join(
        f"**{_reversed(part[2:-2])}**" if part.startswith("**") else part for part in reversed(PARTS.split(template))
    )


if __name__ == "__main__":
    main()
