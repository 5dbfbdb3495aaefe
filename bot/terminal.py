"""How the command line says no: one sentence for the fact, one for the remedy, exit code 2."""

from typing import NoReturn

import typer


def fail(because: str, remedy: str = "") -> NoReturn:
    """The fact, then the remedy, to whoever typed it."""
    typer.echo(f"{because[:1].upper()}{because[1:].rstrip('.')}. {remedy}".strip(), err=True)
    raise typer.Exit(2)
