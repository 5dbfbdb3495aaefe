"""What a picture of Ironclad shows: squares and intersections at once, stacks, strings, what is negated or barred."""

from collections.abc import Mapping

from engine.board import Board, Legend, Side
from engine.diagram import Colour, Diagram, Figure, Glyph, Link, Stroke, Throw, Tray
from engine.games.ironclad.grid import (
    BIT,
    COLUMNS,
    FIELD,
    INDEX,
    LINES,
    POINTS,
    ROWS,
    SQUARES,
    STEP,
    beside,
    joins,
    members,
    points,
    squares,
)
from engine.games.ironclad.position import SIDES, SUPPLY, Position, cover, negated, robots
from engine.games.ironclad.turns import NAMES, QUIET_LIMIT, Fire, can_use_robots, height

COLOURS: Mapping[Side, Colour] = {"W": "white", "B": "black"}

_STONE = "M -0.82 0 A 0.82 0.82 0 1 1 0.82 0 A 0.82 0.82 0 1 1 -0.82 0 Z"
_TRUNK = "M -0.82 0.86 V 0.42 Q -0.82 0.2 -0.6 0.2 H 0.6 Q 0.82 0.2 0.82 0.42 V 0.86 Z"
_DOT = "M -0.28 0 A 0.28 0.28 0 1 1 0.28 0 A 0.28 0.28 0 1 1 -0.28 0 Z"
_HEAD = "M -0.52 0.2 V -0.24 A 0.52 0.46 0 0 1 0.52 -0.24 V 0.2 Z"

GLYPHS: Mapping[str, Glyph] = {
    "R": (  # a robot seen from the front: a domed head with eyes and an aerial on a broad trunk
        Stroke("M 0 -0.66 L 0 -0.9", "line", 0.12),
        Stroke("M -0.13 -0.9 A 0.13 0.13 0 1 1 0.13 -0.9 A 0.13 0.13 0 1 1 -0.13 -0.9 Z", "line"),
        Stroke(_TRUNK),
        Stroke(_TRUNK, "line", 0.1),
        Stroke(_HEAD),
        Stroke(_HEAD, "line", 0.1),
        Stroke("M -0.36 -0.2 A 0.14 0.14 0 1 1 -0.08 -0.2 A 0.14 0.14 0 1 1 -0.36 -0.2 Z", "line"),
        Stroke("M 0.08 -0.2 A 0.14 0.14 0 1 1 0.36 -0.2 A 0.14 0.14 0 1 1 0.08 -0.2 Z", "line"),
    ),
    "S": (Stroke(_STONE), Stroke(_STONE, "line", 0.1)),
    "L": (  # the stone that was slid last, barred
        Stroke(_STONE),
        Stroke(_STONE, "line", 0.1),
        Stroke("M -0.44 -0.44 L 0.44 0.44", "line", 0.2),
        Stroke("M -0.44 0.44 L 0.44 -0.44", "line", 0.2),
    ),
    "N": (Stroke(_DOT), Stroke(_DOT, "line", 0.16)),  # a negated intersection
}


def _outline(index: int) -> tuple[tuple[float, float], ...]:
    left, top = float(index % 7), float(7 - index // 7)
    return ((left, top), (left + 1, top), (left + 1, top + 1), (left, top + 1))


def _point(index: int) -> tuple[float, float]:
    return (float(index % 7), float(8 - index // 7))


_FIELD = members(FIELD)

NEGATION = "negation"
"""What the dot on a negated intersection is called."""

BOARD = Board(
    name="ironclad",
    outlines={
        **{SQUARES[index]: _outline(index) for index in _FIELD},
        **{site: (_point(INDEX[site]),) for site in POINTS},
    },
    edges={
        **{SQUARES[index]: squares(beside(BIT[index]) & FIELD) for index in _FIELD},
        **{site: points(beside(BIT[INDEX[site]])) for site in POINTS},
    },
    corners={SQUARES[index]: squares(STEP[index] & ~beside(BIT[index])) for index in _FIELD},
    zones={
        "first row white": frozenset(squares(ROWS[0])),
        "first row black": frozenset(squares(ROWS[1])),
    },
    tones={SQUARES[index]: (index % 7 + index // 7) % 2 for index in _FIELD},
    tints={"first row white": "home", "first row black": "home"},
    legends=(
        *(Legend(line, (float(x), 8.55)) for x, line in enumerate(LINES)),
        *(Legend(str(rank), (-0.55, float(9 - rank))) for rank in range(1, 10)),
        *(Legend(column, (x + 0.5, -0.55)) for x, column in enumerate(COLUMNS)),
        *(Legend(str(row), (6.55, 8.5 - row)) for row in range(1, 9)),
    ),
    lines=(
        *(((float(x), 0.0), (float(x), 8.0)) for x in range(7)),
        *(((0.0, float(y)), (6.0, float(y))) for y in range(9)),
    ),
)


def draw(position: Position, viewer: Side | None, over: bool) -> Diagram:
    """Everything of a position: nothing in this game is secret."""
    return Diagram(
        title="Ironclad",
        board=BOARD,
        names=dict(zip(SIDES, NAMES, strict=True)),
        colours=COLOURS,
        glyphs=GLYPHS,
        figures=(*_robots(position), *_negations(position), *_stones(position)),
        to_act=None if over else SIDES[position.actor],
        trays=tuple(
            Tray(side, "supply", (("S", "stones", SUPPLY - standing.bit_count()),))
            for side, standing in zip(SIDES, position.stones, strict=True)
            if standing.bit_count() < SUPPLY
        ),
        links=tuple(link for side in (0, 1) for link in _strings(position, side)),
        notes=_notes(position, over),
        turned=180.0 if viewer == "B" else 0.0,
        near="B" if viewer == "B" else "W",
    )


def _robots(position: Position) -> tuple[Figure, ...]:
    return tuple(
        Figure(SQUARES[index], SIDES[side], "R", f"robot of height {high}", ("R",) * (high - 1), token=str(high))
        for index in members(robots(position))
        for side in (0, 1)
        if (high := height(position, side, index))
    )


def _stones(position: Position) -> tuple[Figure, ...]:
    white, black = position.stones
    return tuple(
        Figure(
            POINTS[index],
            SIDES[int(not white & BIT[index])],
            *(("L", "stone slid last") if index == position.last else ("S", "stone")),
        )
        for index in members(white | black)
    )


def _negations(position: Position) -> tuple[Figure, ...]:
    """Dots on the free intersections where no stone may be placed."""
    white, black = position.stones
    return tuple(Figure(point, "", "N", NEGATION) for point in points(negated(position) & ~(white | black)))


def _strings(position: Position, side: int) -> tuple[Link, ...]:
    """The lines between touching stones of one colour."""
    stones = position.stones[side]
    return tuple(
        Link(POINTS[start], POINTS[end], SIDES[side])
        for start in members(stones)
        for end in members(beside(BIT[start]) & stones)
        if start < end
    )


def duty(position: Position) -> str:
    """What whoever acts has to do, and for whom."""
    if position.discourse:
        return ""
    if position.half:
        owner, due = NAMES[position.owner], _due(position)
        return f"{owner}'s {due} half is yours to play, then your own turn begins: choose robots or stones."
    if not can_use_robots(position):
        return "You can do nothing with robots now, so you play stones alone."
    return f"Choose robots or stones; {NAMES[1 - position.owner]} plays the other half for you."


def _due(position: Position) -> str:
    return "stones" if position.half == "robots" else "robots"


def _notes(position: Position, over: bool) -> tuple[str, ...]:
    """The same for whoever looks on, in few words; then whose string is whole, and how far off a draw is."""
    owner, actor = NAMES[position.owner], NAMES[position.actor]
    due: tuple[str, ...] = ()
    if position.half and not over:
        due = (f"{owner}'s {_due(position)} half is {actor}'s to play",)
    elif not over and not position.discourse:
        choice = "robots or stones" if can_use_robots(position) else "stones alone"
        due = (f"{owner} plays {choice}",)
    joined = tuple(
        f"{name}'s string joins two sides" for name, stones in zip(NAMES, position.stones, strict=True) if joins(stones)
    )
    left = QUIET_LIMIT - position.quiet
    quiet = (f"{left} quiet turns until a draw",) if 0 < left <= 20 else ()
    return due + joined + quiet


def throws(shot: Fire, before: Position) -> tuple[Throw, ...]:
    """The die of a shot, where one was thrown."""
    label = f"against a cover of {cover(before, INDEX[shot.target])}"
    return (Throw("die", (str(shot.roll),), label),) if shot.roll else ()
