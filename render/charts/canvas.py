"""What tables and plots are drawn with: a sheet of paper, and words on it."""

from dataclasses import dataclass
from typing import Literal

from PIL import Image, ImageDraw

from render import lettering
from render.lettering import Weight
from render.theme import RGB, THEMES, Theme
from render.view import View

MARGIN = 28
TITLE, SUBTITLE, CELL, SMALL = 28, 17, 20, 15
"""Sizes of letters in pixels."""


@dataclass(frozen=True, slots=True)
class Canvas:
    """One sheet."""

    image: Image.Image
    pen: ImageDraw.ImageDraw
    theme: Theme

    def word(
        self,
        text: str,
        at: tuple[float, float],
        size: int,
        ink: RGB,
        *,
        align: Literal["left", "middle", "right"] = "left",
        weight: Weight = "medium",
        room: float = 0,
    ) -> None:
        """Write a line; `at`: its base line's left end, middle or right end. `room` = how wide it may be."""
        text = shown(text)
        text = lettering.shorten(text, size, room, weight) if room else text
        wide = lettering.width(text, size, weight)
        left = at[0] - {"left": 0.0, "middle": wide / 2, "right": wide}[align]
        lettering.write(self.pen, (round(left), round(at[1])), text, ink, size, weight=weight)


def sheet(width: int, height: int, view: View) -> Canvas:
    """Returns empty paper."""
    theme = THEMES[view.theme]
    image = Image.new("RGB", (width, height), theme.paper)
    return Canvas(image, ImageDraw.Draw(image), theme)


def shown(text: str) -> str:
    """Returns a text with a box for what the font lacks."""
    return text if lettering.printable(text) else "".join(sign if lettering.printable(sign) else "□" for sign in text)
