"""How long texts may be that a game reads: whatever is longer is refused before it is looked at."""

from collections.abc import Callable
from functools import wraps
from typing import Any, ClassVar

from engine.text import Text

LONGEST_TURN = 500
"""Characters of a turn or an answer; no game needs a tenth of it."""
LONGEST_POSITION = 100_000
"""Characters of a position text; the longest of real matches have some thousand."""

LIMITS = {
    "read": (LONGEST_TURN, Text("A turn has at most {most} characters.", most=LONGEST_TURN)),
    "answer": (LONGEST_TURN, Text("An answer has at most {most} characters.", most=LONGEST_TURN)),
    "decode": (LONGEST_POSITION, Text("A position has at most {most} characters.", most=LONGEST_POSITION)),
    "look": (LONGEST_TURN, Text("Name a place of the board.")),
}
"""By method of a game: how long its text may be, and what is said otherwise."""


class Bounded:
    """Whatever a subclass reads has a length that it can read in a moment."""

    unreadable: ClassVar[Callable[..., Exception]]
    """Makes the error for a text that is too long, of the fact and the remedy."""

    def __init_subclass__(cls) -> None:
        for name in LIMITS.keys() & vars(cls).keys():
            setattr(cls, name, _bounded(vars(cls)[name], *LIMITS[name]))


def _bounded(method: Callable[..., Any], longest: int, remedy: Text) -> Callable[..., Any]:
    @wraps(method)
    def bounded(self: Bounded, *given: Any, **named: Any) -> Any:
        for text in given:
            if isinstance(text, str) and len(text) > longest:
                raise type(self).unreadable(
                    Text("That has {count} characters, which is far too long.", count=len(text)), remedy
                )
        return method(self, *given, **named)

    return bounded
