"""How a picture is shown to its reader: the theme, the size and the language."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import TypeAlias

from engine.text import Term, Text

Say: TypeAlias = Callable[[Text | Term], str]
"""Puts a sentence or a noun into the reader's language; `str` says it in English."""


@dataclass(frozen=True, slots=True)
class View:
    """A reader's choices. What the reader may see, and from which side, is in the diagram."""

    theme: str = "light"
    """A key of `render.theme.THEMES`."""
    size: int = 0
    """Longer side of the picture in pixels; 0 = the usual one."""
    say: Say = str
    room: tuple[int, ...] = ()
    """Least heights of the blocks of words, so that pictures that follow one another lie alike."""


PLAIN = View()
"""A picture of the usual size and theme, in English."""
