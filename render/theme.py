"""The colours of pictures in three themes, and a rim for each colour of pieces, for those who cannot tell colours."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal, TypeAlias

from engine.diagram import Colour, MarkKind

RGB: TypeAlias = tuple[int, int, int]

Rim: TypeAlias = Literal["plain", "ring", "dashes", "dots", "double", "notches", "broken"]
"""The line that runs inside a piece's edge; `broken` breaks the edge itself."""

RIMS: Mapping[Colour, Rim] = {
    "white": "plain",
    "black": "plain",
    "red": "ring",
    "blue": "dashes",
    "green": "dots",
    "gold": "double",
    "violet": "notches",
    "neutral": "broken",
}

Border: TypeAlias = Literal["none", "thin", "solid", "twin", "dots", "dashes"]
"""How the edge of a tinted zone is drawn."""


@dataclass(frozen=True, slots=True)
class ColourScheme:
    """The colours of one side's pieces."""

    fill: RGB
    rim: RGB
    sign: RGB
    """Letters and inner lines, in contrast to the fill."""


@dataclass(frozen=True, slots=True)
class Tint:
    """The tint of a zone, over the tone of its tiles."""

    colour: RGB
    strength: float
    border: Border = "none"


@dataclass(frozen=True, slots=True)
class Theme:
    """All colours of a picture."""

    key: str
    paper: RGB
    ink: RGB
    muted: RGB
    """Words of less importance."""
    line: RGB
    """Between tiles."""
    edge: RGB
    """Around the board, and the lines of a grid."""
    tones: tuple[RGB, RGB, RGB, RGB, RGB]
    """Light, middle, dark, green and grey."""
    pill: RGB
    """Behind the name of the side to act."""
    accent: RGB
    tints: Mapping[str, Tint]
    schemes: Mapping[Colour, ColourScheme]
    marks: Mapping[MarkKind, RGB]
    casing: float = 1.0
    """Width of the edge of marks, in units: wide where a mark's own colour is seen on few tiles only."""

    @property
    def shade(self) -> RGB:
        """The edge of marks: the darker of paper and ink, since no tile is as dark."""
        return min(self.paper, self.ink, key=_luminance)


def rgb(text: str) -> RGB:
    """Returns `"#8a6f4d"` as three numbers."""
    return int(text[1:3], 16), int(text[3:5], 16), int(text[5:7], 16)


def blend(below: RGB, above: RGB, share: float) -> RGB:
    """Returns the colour below with this share of the colour above."""
    return (
        round(below[0] + (above[0] - below[0]) * share),
        round(below[1] + (above[1] - below[1]) * share),
        round(below[2] + (above[2] - below[2]) * share),
    )


READABLE = 4.6
"""Contrast that printed words have at least: a little more than 4.5, since a palette rounds."""
TAKEN = "taken"
"""The tint of a place on which something was taken."""
MOVED = 0.36
"""The share of the mark's colour in a tile of the last move."""


def contrast(a: RGB, b: RGB) -> float:
    """Returns how well one colour reads on the other: 1 not at all, 21 like black on white (WCAG)."""
    low, high = sorted((_luminance(a), _luminance(b)))
    return (high + 0.05) / (low + 0.05)


def _luminance(colour: RGB) -> float:
    red, green, blue = ((c / 255 / 12.92) if c <= 10 else ((c / 255 + 0.055) / 1.055) ** 2.4 for c in colour)
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


def taken(tone: RGB, theme: "Theme") -> RGB:
    """Returns the tone of a place on which something was taken."""
    tint = theme.tints[TAKEN]
    return blend(tone, tint.colour, tint.strength)


def _scheme(fill: str, rim: str, sign: str) -> ColourScheme:
    return ColourScheme(rgb(fill), rgb(rim), rgb(sign))


LIGHT = Theme(
    key="light",
    paper=rgb("#fbf8f2"),
    ink=rgb("#2c2b2e"),
    muted=rgb("#6b655b"),
    line=rgb("#b39f7b"),
    edge=rgb("#75624a"),
    tones=(rgb("#f3e8d0"), rgb("#dfcaa2"), rgb("#c2a578"), rgb("#c3d2ad"), rgb("#cdcbc6")),
    pill=rgb("#ece2cd"),
    accent=rgb("#b5482f"),
    tints={
        "goal": Tint(rgb("#c9503f"), 0.52, "twin"),
        "home": Tint(rgb("#d08a4a"), 0.44, "solid"),
        "area": Tint(rgb("#8fa07a"), 0.24, "thin"),
        "gate": Tint(rgb("#8ac79d"), 0.62, "solid"),
        "star": Tint(rgb("#eaa544"), 0.58, "thin"),
        "moat": Tint(rgb("#6ba3cc"), 0.60, "none"),
        "rest": Tint(rgb("#8c86a8"), 0.36, "dots"),
        "danger": Tint(rgb("#b5482f"), 0.30, "dashes"),
        TAKEN: Tint(rgb("#b5482f"), 0.28),
    },
    schemes={
        "white": _scheme("#fffdf8", "#3b3833", "#3b3833"),
        "black": _scheme("#36393f", "#1c1d20", "#f3eee2"),
        "red": _scheme("#b9473c", "#571814", "#fff1e8"),
        "blue": _scheme("#3d70a8", "#16324f", "#eef5fc"),
        "green": _scheme("#3e7c4b", "#1c4126", "#f1faf1"),
        "gold": _scheme("#e3b04b", "#654708", "#3a2a08"),
        "violet": _scheme("#7d5ba6", "#372259", "#f6f0fc"),
        "neutral": _scheme("#b4b0a6", "#4e4b45", "#26241f"),
    },
    marks={
        "moved": rgb("#12706c"),
        "culprit": rgb("#c62f2f"),
        "blocker": rgb("#6d4a9c"),
        "reach": rgb("#2f7d3f"),
        "zone": rgb("#c2701c"),
        "won": rgb("#8a6d00"),
    },
)

DARK = Theme(
    key="dark",
    paper=rgb("#18191d"),
    ink=rgb("#ece8df"),
    muted=rgb("#aaa59a"),
    line=rgb("#2b3038"),
    edge=rgb("#c4c9d1"),
    tones=(rgb("#a4acb7"), rgb("#828b99"), rgb("#535b68"), rgb("#7d9a83"), rgb("#8d9299")),
    pill=rgb("#33363d"),
    accent=rgb("#e99880"),
    tints={
        "goal": Tint(rgb("#de6c5e"), 0.66, "twin"),
        "home": Tint(rgb("#b07d45"), 0.40, "solid"),
        "area": Tint(rgb("#66748c"), 0.28, "thin"),
        "gate": Tint(rgb("#62bd8a"), 0.62, "solid"),
        "star": Tint(rgb("#dc9a45"), 0.72, "thin"),
        "moat": Tint(rgb("#2a659c"), 0.75, "none"),
        "rest": Tint(rgb("#7f78a8"), 0.40, "dots"),
        "danger": Tint(rgb("#c04a3a"), 0.34, "dashes"),
        TAKEN: Tint(rgb("#e0704f"), 0.28),
    },
    schemes={
        "white": _scheme("#f3efe4", "#232326", "#232326"),
        "black": _scheme("#1b1c1f", "#c4bfb1", "#ece8df"),
        "red": _scheme("#b94636", "#2b0d0a", "#fff4ee"),
        "blue": _scheme("#386ea8", "#0d1c2e", "#f1f7fd"),
        "green": _scheme("#4c9a5e", "#0f2615", "#06140a"),
        "gold": _scheme("#e3b04b", "#33240a", "#33240a"),
        "violet": _scheme("#7a57a9", "#1f1233", "#f6f0fc"),
        "neutral": _scheme("#a9a69d", "#1f1e1b", "#1f1e1b"),
    },
    marks={
        "moved": rgb("#74e0d4"),
        "culprit": rgb("#ff8c81"),
        "blocker": rgb("#bda0e8"),
        "reach": rgb("#7fd08a"),
        "zone": rgb("#f0a048"),
        "won": rgb("#f2cf4a"),
    },
    casing=2.0,
)

COLOUR_BLIND = Theme(
    key="colour-blind",
    paper=rgb("#f4f5f6"),
    ink=rgb("#1f2124"),
    muted=rgb("#5f6368"),
    line=rgb("#9aa0a6"),
    edge=rgb("#4d5257"),
    tones=(rgb("#f1f1ee"), rgb("#d8d8d3"), rgb("#b9b9b3"), rgb("#bcd3c0"), rgb("#d0d0d0")),
    pill=rgb("#dcdfe2"),
    accent=rgb("#b34f00"),
    tints={
        "goal": Tint(rgb("#d55e00"), 0.50, "twin"),
        "home": Tint(rgb("#e69f00"), 0.38, "solid"),
        "area": Tint(rgb("#5f6468"), 0.16, "thin"),
        "gate": Tint(rgb("#4fcfa6"), 0.50, "solid"),
        "star": Tint(rgb("#f0e442"), 0.60, "thin"),
        "moat": Tint(rgb("#56b4e9"), 0.52, "none"),
        "rest": Tint(rgb("#cc79a7"), 0.36, "dots"),
        "danger": Tint(rgb("#d55e00"), 0.26, "dashes"),
        TAKEN: Tint(rgb("#b34f00"), 0.28),
    },
    schemes={
        "white": _scheme("#ffffff", "#26282b", "#26282b"),
        "black": _scheme("#26282b", "#0d0e0f", "#ffffff"),
        "red": _scheme("#d55e00", "#4a2000", "#170a00"),
        "blue": _scheme("#0072b2", "#00263b", "#ffffff"),
        "green": _scheme("#009e73", "#003325", "#001710"),
        "gold": _scheme("#f0e442", "#4d4800", "#26282b"),
        "violet": _scheme("#cc79a7", "#4a1f37", "#26282b"),
        "neutral": _scheme("#a3a7ab", "#3a3d40", "#1f2124"),
    },
    marks={
        "moved": rgb("#0072b2"),
        "culprit": rgb("#d55e00"),
        "blocker": rgb("#8a3f6b"),
        "reach": rgb("#007a59"),
        "zone": rgb("#b07a00"),
        "won": rgb("#6b5d00"),
    },
)

THEMES: Mapping[str, Theme] = {theme.key: theme for theme in (LIGHT, DARK, COLOUR_BLIND)}
