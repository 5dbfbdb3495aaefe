"""Hand-made diagrams that the pictures are tested with, so that no game is needed."""

import math
from typing import get_args

from engine.board import Board, Legend, Point
from engine.diagram import Colour, Diagram, Figure, Glyph, Link, Mark, Stroke, Throw, Tray
from engine.text import Term, Text
from render.layout.page import Layout, arrange, plan
from render.layout.words import Flow, Wording, flows, worded
from render.view import Say

ROWS = "abcde"


def laid_out(diagram: Diagram, say: Say = str) -> tuple[Wording, Layout, tuple[Flow, ...]]:
    """A diagram's words, and where everything goes on its picture."""
    planned, wording = plan(diagram, 1024), worded(diagram, say)
    words = flows(wording, diagram.near, planned.room, planned.unit, narrow=planned.beside)
    return wording, arrange(diagram, planned, words), words


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
    names = {"A": Term("Arm"), "B": Term("Blind"), "S": Term("Star"), "F": Term("Flat")}
    on_flat = Term("on a flat")
    figures = [Figure(s, "W", k, names[k], under=("F",), below=on_flat) for s, k in white]
    figures += [Figure(s, "B", k, names[k], under=("F",), below=on_flat) for s, k in black]
    figures += [Figure("e5", "W", "F", names["F"]), Figure("a1", "B", "F", names["F"])]
    fields: dict[str, object] = {
        "title": Term("Tokonoma"),
        "board": HEXES,
        "names": {"W": Term("White"), "B": Term("Black")},
        "colours": {"W": "white", "B": "black"},
        "glyphs": GLYPHS,
        "figures": tuple(figures),
        "to_act": "W",
        "labels": frozenset(HEXES.outlines),
        "marks": (Mark("moved", ("c3", "c5")),),
    }
    return Diagram(**{**fields, **changes})  # type: ignore[arg-type]


def busy_diagram() -> Diagram:
    """The hexes with every sort of mark, link, throw and note on them."""
    return hex_diagram(
        marks=(
            Mark("moved", ("c3", "c5")),
            Mark("culprit", ("a5",)),
            Mark("blocker", ("b3",)),
            Mark("reach", ("d3", "d4", "e1")),
            Mark("zone", ("e2", "e3")),
            Mark("taken", ("c4", "c6", "b6"), "B", "F", Term("Flat")),
        ),
        links=(Link("c2", "b2", "B"), Link("a1", "b3", style="arrow"), Link("e1", "e4", "W", style="dash")),
        trays=(
            Tray("W", Term("reserve"), (("S", Term("Star"), 2), ("Q", Term("Queen"), 1))),
            Tray("B", Term("reserve"), ()),
        ),
        throws=(Throw("sticks", ("W", "B", "W"), Term("throw")), Throw("die", ("4",))),
        notes=(
            Text("2 passes."),
            Text("Shima."),
            Text("the third note is so long that it does not fit into the first line of them any more."),
        ),
    )


def grid_diagram() -> Diagram:
    """Squares and intersections together: a side of every colour, stacks, chips, badges, strings, half the tints."""
    outlines: dict[str, tuple[Point, ...]] = {
        f"{'ABCDEFGH'[x]}{4 - y}": ((x, y), (x + 1, y), (x + 1, y + 1), (x, y + 1)) for x in range(8) for y in range(4)
    }
    outlines |= {f"{'abcdefghi'[x]}{5 - y}": ((float(x), float(y)),) for x in range(9) for y in range(5)}
    tints = ("goal", "home", "area", "gate")
    board = Board(
        "grid",
        outlines,
        zones={tint: frozenset({f"{'ABCDEFGH'[i]}1", f"{'ABCDEFGH'[i]}2"}) for i, tint in enumerate(tints)},
        tones={site: sum(map(ord, site)) % 2 for site in outlines},
        tints={tint: tint for tint in tints},
        legends=tuple(Legend("ABCDEFGH"[i], (i + 0.5, 4.5)) for i in range(8)),
        lines=(((0.0, 2.0), (8.0, 2.0)),),
    )
    colours: dict[str, Colour] = {colour[:2]: colour for colour in get_args(Colour)}
    figures = [Figure(f"{'ABCDEFGH'[i]}4", side, "x", Term(colour)) for i, (side, colour) in enumerate(colours.items())]
    figures += [
        Figure("A3", "wh", "F", Term("stack"), under=("F", "F"), token="3"),
        Figure("B3", "bl", "S", Term("star"), token="2"),
        Figure("C3", "re", "S", Term("held star"), badge="F", badge_side="bl"),
        Figure("D3", "bl", "T", Term("traitor"), token="\N{PERFORMING ARTS}"),
        Figure("E3", "go", "S", Term("star"), ghost=True),
        Figure("F1", "gr", "R", Term("runner"), token="R2"),
        *(
            Figure(site, "wh" if site < "f" else "vi", "o", Term("stone"))
            for site in ("a2", "b2", "c2", "g3", "h3", "d5")
        ),
    ]
    return Diagram(
        title=Term("Everything"),
        board=board,
        names={side: Term(colour.capitalize()) for side, colour in colours.items()},
        colours=colours,
        glyphs=GLYPHS,
        figures=tuple(figures),
        to_act="re",
        marks=(Mark("moved", ("A3", "c2")), Mark("culprit", ("g3",)), Mark("zone", ("e3",)), Mark("blocker", ("h3",))),
        links=(Link("a2", "b2", "wh"), Link("b2", "c2", "wh"), Link("g3", "h3", "vi")),
        near="wh",
    )


def rhomb_diagram() -> Diagram:
    """Five thick rhombs round a point and five thin ones in the gaps, turned; names on tiles and on pieces."""
    ray = [(math.sin(i * math.pi / 5), -math.cos(i * math.pi / 5)) for i in range(10)]
    outlines: dict[str, tuple[Point, ...]] = {}
    for k in range(5):
        (ax, ay), (bx, by) = ray[2 * k], ray[2 * k + 2 - 10]
        (cx, cy) = ray[2 * k + 4 - 10]
        outlines[f"A{k + 1}"] = ((0, 0), (ax, ay), (ax + bx, ay + by), (bx, by))
        outlines[f"B{k + 11}"] = ((bx, by), (ax + bx, ay + by), (ax + bx + cx, ay + by + cy), (bx + cx, by + cy))
    disc = "M -0.9 0 A 0.9 0.9 0 1 1 0.9 0 A 0.9 0.9 0 1 1 -0.9 0 Z"
    return Diagram(
        title=Term("Rhombs"),
        board=Board(
            "rhombs",
            outlines,
            tones={site: int(site[0] == "B") for site in outlines},
            zones={
                "star": frozenset(site for site in outlines if site[0] == "A"),
                "moat": frozenset({"B11", "B12"}),
                "rest": frozenset({"B13"}),
                "danger": frozenset({"B14", "B15"}),
            },
            tints={"star": "star", "moat": "moat", "rest": "rest", "danger": "danger"},
        ),
        names={"P1": Term("Red"), "P2": Term("Blue"), "P3": Term("Gold")},
        colours={"P1": "red", "P2": "blue", "P3": "gold"},
        glyphs={"piece": (Stroke(disc), Stroke(disc, "line", 0.1))},
        figures=(
            Figure("A1", "P1", "piece", Term("piece")),
            Figure("B12", "P2", "piece", Term("piece")),
            Figure("A3", "P3", "piece", Term("piece")),
        ),
        to_act="P3",
        marks=(Mark("moved", ("A2", "B12")), Mark("reach", ("B13", "A4"))),
        turned=18.0,
        labels=frozenset(outlines),
        near="P3",
    )
