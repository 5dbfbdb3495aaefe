"""What the command line says outside its findings: a refusal with its remedy, a recovery key, an address."""

import sys
from typing import NoReturn


def fail(because: str, remedy: str = "") -> NoReturn:
    """Say the fact, then the remedy, to whoever typed it; ends with exit code 2."""
    print(f"{because[:1].upper()}{because[1:].rstrip('.')}. {remedy}".strip(), file=sys.stderr)
    raise SystemExit(2)


def show_key(key: str) -> None:
    """Print a recovery key, once."""
    print(f"The recovery key of the bot's Matrix account, shown this once; keep it in a safe place:\n{key}", flush=True)


def announce(address: str, public: str = "") -> None:
    """Print where the web room is: on this machine, and behind a proxy if there is one."""
    behind = f"For everybody behind your proxy: {public}\n" if public else ""
    print(f"Riposte's web room is open: {address}\n{behind}(Ctrl-C closes it; nothing is lost.)", flush=True)
