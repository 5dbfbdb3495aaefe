"""The file in the data folder that says as of when the bucket is, and which generations there come from this folder."""

from pathlib import Path
from typing import Final, NamedTuple

STAMP: Final = "bucket.as-of"
"""Its name."""
KEPT: Final = 100
"""Generations: those of weeks, so that a host may go back to a bucket of before."""


class Mark(NamedTuple):
    """What it says."""

    at: float | None
    """In seconds since 1970 UTC; None where nothing was sent."""
    generations: tuple[str, ...]
    """The last that were begun here, or gone on from; the newest may not have come to count."""


def marked(data: Path) -> Mark:
    """Returns what a data folder says."""
    try:
        at, *names = (data / STAMP).read_text("ascii").split()
        return Mark(float(at) or None, tuple(names))
    except (OSError, ValueError):
        return Mark(None, ())


def mark(data: Path, at: float | None, generations: tuple[str, ...]) -> None:
    """Have a data folder say this."""
    path = data / STAMP
    path.touch(mode=0o600)
    path.write_text("\n".join([f"{at or 0:.0f}", *generations[-KEPT:], ""]), "ascii")
