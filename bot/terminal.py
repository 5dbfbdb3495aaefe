"""How the command line says no: one sentence for the fact, one for the remedy, exit code 2."""

import sys
from typing import NoReturn


def fail(because: str, remedy: str = "") -> NoReturn:
    """The fact, then the remedy, to whoever typed it."""
    print(f"{because[:1].upper()}{because[1:].rstrip('.')}. {remedy}".strip(), file=sys.stderr)
    raise SystemExit(2)
