"""The bundled font at any size, how wide words are, and which characters it has: Latin letters, no other script."""

from functools import lru_cache
from pathlib import Path
from typing import Literal, TypeAlias

from PIL import ImageFont

Weight: TypeAlias = Literal["medium", "semibold"]


@lru_cache(maxsize=96)
def font(size: int, weight: Weight = "medium") -> ImageFont.FreeTypeFont:
    """Returns the bundled font; never one of the machine, so that pictures are the same everywhere."""
    path = Path(__file__).parent / f"inter-{weight}.otf"
    return ImageFont.truetype(str(path), size, layout_engine=ImageFont.Layout.BASIC)


@lru_cache(maxsize=4096)
def width(text: str, size: int, weight: Weight = "medium") -> float:
    """Returns the width of a line of text in pixels."""
    return font(size, weight).getlength(text)


def shorten(text: str, size: int, room: float, weight: Weight = "medium") -> str:
    """Returns the text, cut with an ellipsis if it is wider than the room."""
    if width(text, size, weight) <= room:
        return text
    while text and width(text + "…", size, weight) > room:
        text = text[:-1]
    return text.rstrip() + "…" if text else ""


def printable(text: str) -> bool:
    """Returns whether the font has every character of the text (it has no emoji)."""
    return all(_has(sign) for sign in text)


@lru_cache(maxsize=1024)
def _has(sign: str) -> bool:
    if sign == " ":
        return True
    absent = font(32).getmask("\uffff")
    drawn = font(32).getmask(sign)
    return drawn.size != absent.size or bytes(drawn) != bytes(absent)
