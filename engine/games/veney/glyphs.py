"""The shapes of Veney's pieces, after those of a standard set (2.0.R6)."""

from typing import Final

from engine.diagram import Glyph, Stroke


def _outlined(path: str) -> tuple[Stroke, Stroke]:
    return Stroke(path), Stroke(path, "line", 0.1)


_PEBBLE = "M -0.5 0.1 A 0.5 0.5 0 1 1 0.5 0.1 A 0.5 0.5 0 1 1 -0.5 0.1 Z"

_ROCK = (
    "M -0.86 0.12 Q -0.9 -0.5 -0.38 -0.78 Q 0.2 -1 0.66 -0.6 Q 1 -0.2 0.86 0.36 Q 0.62 0.9 0 "
    "0.88 Q -0.8 0.86 -0.86 0.12 Z"
)

_SHARD = (
    "M 0 -1.1 L 0.24 -0.7 L 0.22 0.36 L 0.7 0.28 L 0.7 0.58 L 0.18 0.62 L 0.18 1.08 L -0.18 "
    "1.08 L -0.18 0.62 L -0.7 0.58 L -0.7 0.28 L -0.22 0.36 L -0.24 -0.7 Z"
)

_KNIFE = "M 0 0.98 L -0.5 0.16 L -0.14 -0.14 L -0.14 -0.4 L 0.14 -0.4 L 0.14 -0.14 L 0.5 0.16 Z"

_POMMEL = (
    "M -0.34 -0.64 A 0.34 0.34 0 1 1 0.34 -0.64 A 0.34 0.34 0 1 1 -0.34 -0.64 Z "
    "M -0.14 -0.64 A 0.14 0.14 0 1 0 0.14 -0.64 A 0.14 0.14 0 1 0 -0.14 -0.64 Z"
)

_HEAD = "M -0.24 -0.34 A 0.24 0.24 0 1 1 0.24 -0.34 A 0.24 0.24 0 1 1 -0.24 -0.34 Z"
_SHOULDERS = "M -0.48 0.52 Q -0.46 0.02 0 0.02 Q 0.46 0.02 0.48 0.52 Z"

_CLOTH = (
    "M -0.7 -0.62 Q -0.2 -0.92 0.1 -0.62 Q 0.5 -0.9 0.82 -0.5 Q 0.6 -0.1 0.86 0.3 Q 0.7 0.5 "
    "0.78 0.84 Q 0.4 0.62 0.16 0.88 Q -0.1 0.6 -0.4 0.8 Q -0.5 0.5 -0.86 0.5 Q -0.6 0.06 -0.84 "
    "-0.2 Q -0.6 -0.4 -0.7 -0.62 Z"
)

_POLE = "M 0.62 -0.94 L 0.9 -0.66 L -0.56 0.92 L -0.92 0.56 Z"

_DROP = (
    "M 0 -0.95 Q 0.18 -0.5 0.5 -0.06 Q 0.78 0.36 0.5 0.7 Q 0 1.06 -0.5 0.7 Q -0.78 0.36 -0.5 "
    "-0.06 Q -0.18 -0.5 0 -0.95 Z"
)

_RING = (
    "M -0.86 0 A 0.86 0.86 0 1 1 0.86 0 A 0.86 0.86 0 1 1 -0.86 0 Z "
    "M -0.34 0 A 0.34 0.34 0 1 0 0.34 0 A 0.34 0.34 0 1 0 -0.34 0 Z"
)

_PLATE = "M -0.36 -0.86 H 0.36 L 0.86 -0.36 V 0.36 L 0.36 0.86 H -0.36 L -0.86 0.36 V -0.36 Z"

_BLOCK = "M -0.9 -0.86 L -0.3 -0.94 L 0.1 -0.8 L 0.62 -0.94 L 0.94 -0.7 L 0.84 0 L 0.94 0.86 L -0.92 0.92 L -0.8 0.1 Z"

_BUTTON = "M -0.62 0 A 0.62 0.62 0 1 1 0.62 0 A 0.62 0.62 0 1 1 -0.62 0 Z"

_EARS = "M -0.5 0.9 L -0.5 -0.1 L -0.62 -0.9 L -0.2 -0.3 L 0.2 -0.3 L 0.62 -0.9 L 0.5 -0.1 L 0.5 0.9 Z"

GLYPHS: Final[dict[str, Glyph]] = {
    "e": _outlined(_PEBBLE),  # a small pebble
    "S": (*_outlined(_ROCK), Stroke(_HEAD, "line"), Stroke(_SHOULDERS, "line")),  # a big roundish rock, somebody on it
    "$": (*_outlined(_SHARD), Stroke("M 0 -0.7 V 0.36", "line", 0.08)),  # a long shard with a hilt
    "D": (*_outlined(_POMMEL), *_outlined(_KNIFE), Stroke("M 0 0.1 V 0.6", "line", 0.08)),  # short, broad, with a ring
    "C": (  # a rag with holes
        *_outlined(_CLOTH),
        Stroke("M -0.36 -0.2 A 0.14 0.18 0 1 1 -0.08 -0.2 A 0.14 0.18 0 1 1 -0.36 -0.2 Z", "line"),
        Stroke("M 0.16 0.2 A 0.17 0.12 0 1 1 0.5 0.2 A 0.17 0.12 0 1 1 0.16 0.2 Z", "line"),
    ),
    "B": (*_outlined(_POLE), Stroke("M -0.2 -0.2 L 0.2 0.2", "line", 0.12)),  # a long weight along the diagonal
    "G": (  # a flat, angular buckler
        *_outlined(_PLATE),
        Stroke("M -0.24 -0.58 H 0.24 L 0.58 -0.24 V 0.24 L 0.24 0.58 H -0.24 L -0.58 0.24 V -0.24 Z", "line", 0.09),
        Stroke("M -0.2 0 A 0.2 0.2 0 1 1 0.2 0 A 0.2 0.2 0 1 1 -0.2 0 Z", "line"),
    ),
    "L": (  # a drop with a flame in it
        *_outlined(_DROP),
        Stroke("M 0 -0.2 Q 0.3 0.24 0.16 0.5 Q 0 0.66 -0.16 0.5 Q -0.3 0.24 0 -0.2 Z", "line"),
    ),
    "J": (  # a stone with an eyehole, spiralling
        *_outlined(_RING),
        Stroke("M 0 -0.6 A 0.6 0.6 0 0 1 0.6 0 M 0 0.6 A 0.6 0.6 0 0 1 -0.6 0", "line", 0.1),
    ),
    "R": (*_outlined(_BLOCK), Stroke("M -0.84 -0.2 H 0.86 M -0.2 -0.2 V 0.88 M 0.3 -0.84 V -0.2", "line", 0.08)),
    "a": (  # a button
        *_outlined(_BUTTON),
        *(
            Stroke(f"M {x - 0.1} {y} A 0.1 0.1 0 1 1 {x + 0.1} {y} A 0.1 0.1 0 1 1 {x - 0.1} {y} Z", "line")
            for x in (-0.2, 0.2)
            for y in (-0.2, 0.2)
        ),
    ),
    "N": _outlined(_EARS),
}
"""After the shapes of a standard set (2.0.R6)."""
GLYPHS["Cloak"] = GLYPHS["C"]  # where it sits on a blade, the alt text names it by this key
