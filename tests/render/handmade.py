"""Hand-made diagrams that the pictures are tested with, so that no game is needed."""

from engine.board import Board, Point
from engine.diagram import Diagram, Figure, Glyph, Mark, Stroke

ROWS = "abcde"


def hexes() -> Board:
    """Twenty-nine pointy-top hexes in rows of 5-6-7-6-5, three tones, a goal at either end."""
    outlines: dict[str, tuple[Point, ...]] = {}
    tones: dict[str, int] = {}
    for r in range(-2, 3):
        us = [u for u in range(-6, 7) if abs(u) + abs(r) <= 6 and (u - r) % 2 == 0]
        for number, u in enumerate(us, 1):
            site = f"{ROWS[r + 2]}{number}"
            x, y, s = u / 2, r * 0.8660254, 0.57735027
            outlines[site] = tuple(
                (x + dx * s, y + dy * s)
                for dx, dy in (
                    (0, -1),
                    (0.8660254, -0.5),
                    (0.8660254, 0.5),
                    (0, 1),
                    (-0.8660254, 0.5),
                    (-0.8660254, -0.5),
                )
            )
            tones[site] = (1, 0, 2)[u % 3]
    zones = {"house white": frozenset({"c7"}), "house black": frozenset({"c1"})}
    return Board("29 hexes", outlines, zones=zones, tones=tones, tints=dict.fromkeys(zones, "goal"))


HEXES = hexes()
GLYPHS: dict[str, Glyph] = {
    "F": (Stroke("M -0.9 0.1 L -0.5 -0.42 L 0.5 -0.42 L 0.9 0.1 L 0.5 0.62 L -0.5 0.62 Z"),),
    "S": (
        Stroke(
            "M 0 -0.92 L 0.23 -0.31 L 0.87 -0.28 L 0.37 0.12 L 0.54 0.74"
            " L 0 0.38 L -0.54 0.74 L -0.37 0.12 L -0.87 -0.28 L -0.23 -0.31 Z"
        ),
    ),
}


def hex_diagram(**changes: object) -> Diagram:
    """The start of a tokonoma-like game."""
    white = [("a5", "A"), ("b6", "S"), ("c6", "B"), ("c7", "A"), ("d6", "B")]
    black = [("e1", "A"), ("d1", "S"), ("c2", "B"), ("c1", "A"), ("b1", "B")]
    names = {"A": "Arm", "B": "Blind", "S": "Star", "F": "Flat"}
    figures = [Figure(s, "W", k, names[k], under=("F",), below="on a flat") for s, k in white]
    figures += [Figure(s, "B", k, names[k], under=("F",), below="on a flat") for s, k in black]
    figures += [Figure("e5", "W", "F", "Flat"), Figure("a1", "B", "F", "Flat")]
    fields: dict[str, object] = {
        "title": "Tokonoma",
        "board": HEXES,
        "names": {"W": "White", "B": "Black"},
        "colours": {"W": "white", "B": "black"},
        "glyphs": GLYPHS,
        "figures": tuple(figures),
        "to_act": "W",
        "labels": frozenset(HEXES.outlines),
        "marks": (Mark("moved", ("c3", "c5")),),
    }
    return Diagram(**{**fields, **changes})  # type: ignore[arg-type]
