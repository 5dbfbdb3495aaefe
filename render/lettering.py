"""The bundled fonts at any size, how wide words are, and which letters there are: Latin, Greek, Cyrillic, Japanese."""

import math
import re
from functools import lru_cache
from pathlib import Path
from typing import Literal, TypeAlias

from PIL import Image, ImageDraw, ImageFont

Weight: TypeAlias = Literal["medium", "semibold"]
Face: TypeAlias = Literal["inter", "inter-more", "mplus"]

FACES: tuple[Face, ...] = ("inter", "inter-more", "mplus")
"""The first of these that has a character draws it: Latin letters and signs; Greek and Cyrillic; Japanese."""
FIRST: Face = "inter"
"""It alone has two weights."""

CJK = "\u3005\u3007\u3040-\u30fa\u30fc-\u30ff\u3400-\u9fff"
OPENING, CLOSING = (
    "（「『【〈《［",
    "、。，．・：；？！）」』】〉》］ー々ぁぃぅぇぉっゃゅょゎァィゥェォッャュョヮヵヶ…〜",
)
CHUNK = re.compile(
    rf"[{OPENING}]*(?:(?![{CLOSING}])[{CJK}]|[^{CJK}{OPENING}{CLOSING}]+|(?<![^\s])[{CLOSING}])[{CLOSING}]*|[{OPENING}]+"
)
"""What a line is not broken in: a word, or a Japanese letter with the signs that may not stand apart from it."""


@lru_cache(maxsize=96)
def font(size: int, weight: Weight = "medium", face: Face = FIRST) -> ImageFont.FreeTypeFont:
    """Returns a bundled font; never one of the machine, so that pictures are the same everywhere."""
    path = Path(__file__).parent / f"{face}-{weight if face == FIRST else 'medium'}.otf"
    return ImageFont.truetype(str(path), size, layout_engine=ImageFont.Layout.BASIC)


@lru_cache(maxsize=4096)
def width(text: str, size: int, weight: Weight = "medium") -> float:
    """Returns the width of a line of text in pixels."""
    return sum(font(size, weight, face).getlength(part) for face, part in runs(text))


def write(
    pen: ImageDraw.ImageDraw,
    at: tuple[float, float],
    text: str,
    ink: int | tuple[int, ...],
    size: int,
    *,
    weight: Weight = "medium",
    middle: bool = False,
) -> None:
    """Write a line of text with its base line's left end, or its middle, at a point."""
    left, base = at
    parts = runs(text)
    if middle and len(parts) == 1:  # to the fraction of a pixel
        pen.text(at, text, fill=ink, font=font(size, weight, parts[0][0]), anchor="ms")
        return
    left -= width(text, size, weight) / 2 if middle else 0
    for face, part in parts:
        pen.text((left, base), part, fill=ink, font=font(size, weight, face), anchor="ls")
        left += font(size, weight, face).getlength(part)


FINE = 4
"""How many fine pixels a pixel has, each way, where letters are turned."""
FIRM, SMALL = 1.25, 12
"""How much turning takes from fine lines, and the size below which it takes more."""


@lru_cache(maxsize=1024)
def turned(text: str, size: int, degrees: float, weight: Weight = "medium") -> Image.Image:
    """Returns a word as a mask with its middle in the mask's own, turned clockwise by so many degrees."""
    half = (math.ceil(width(text, size, weight) / 2) + size) * FINE
    fine = Image.new("L", (2 * half, 2 * half))
    write(ImageDraw.Draw(fine), (half, half + 0.36 * size * FINE), text, 255, size * FINE, weight=weight, middle=True)
    return fine.rotate(-degrees, Image.Resampling.BICUBIC).reduce(FINE).point(_firmer(size))


@lru_cache(maxsize=8)
def _firmer(size: int) -> list[int]:
    """What makes good what turning has taken from letters of a size."""
    by = FIRM + 0.1 * max(0, SMALL - size)
    return [min(255, round(by * value)) for value in range(256)]


@lru_cache(maxsize=4096)
def runs(text: str) -> tuple[tuple[Face, str], ...]:
    """Returns a text in parts, each with the font that has its characters."""
    found: list[tuple[Face, str]] = []
    for sign in text:
        face = _face(sign) or FIRST
        if found and (found[-1][0] == face or sign == " "):
            found[-1] = found[-1][0], found[-1][1] + sign
        else:
            found.append((face, sign))
    return tuple(found)


def breakable(text: str) -> list[str]:
    """Returns a text in pieces between which a line may be broken, those that end a word with their blank.

    Japanese has no blanks; a line may not begin with a sign that closes, nor end with one that opens.
    """
    pieces: list[str] = []
    for word in text.split():
        pieces += CHUNK.findall(word) or [word]
        pieces[-1] += " "
    return pieces


def shorten(text: str, size: int, room: float, weight: Weight = "medium") -> str:
    """Returns the text, cut with an ellipsis if it is wider than the room."""
    if width(text, size, weight) <= room:
        return text
    while text and width(text + "…", size, weight) > room:
        text = text[:-1]
    return text.rstrip() + "…" if text else ""


def printable(text: str) -> bool:
    """Returns whether the fonts have every character of the text (they have no emoji)."""
    return all(_face(sign) for sign in text)


@lru_cache(maxsize=4096)
def _face(sign: str) -> Face | None:
    return FIRST if sign == " " else next((face for face in FACES if _has(face, sign)), None)


def _has(face: Face, sign: str) -> bool:
    absent = font(32, face=face).getmask("\uffff")
    drawn = font(32, face=face).getmask(sign)
    return drawn.size != absent.size or bytes(drawn) != bytes(absent)
