"""What a picture of Ironclad shows: squares and intersections at once, stacks, strings, what is negated or barred."""

from collections.abc import Mapping

from engine.board import Board, Legend, Side
from engine.diagram import Colour, Diagram, Figure, Glyph, Link, Mark, Stroke, Throw, Tray
from engine.games.ironclad.grid import (
    BIT,
    COLUMNS,
    FIELD,
    FULL,
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
from engine.games.ironclad.position import SIDES, SUPPLY, Position, negated, robots
from engine.games.ironclad.turns import NAMES, QUIET_LIMIT, can_use_robots, height

COLOURS: Mapping[Side, Colour] = {"W": "white", "B": "black"}

GLYPHS: Mapping[str, Glyph] = {
    "R": (  # a robot seen from the front: a head with a visor on broad shoulders
        Stroke("M -0.8 0.8 V 0.3 Q -0.8 0.06 -0.52 0.06 H 0.52 Q 0.8 0.06 0.8 0.3 V 0.8 Z"),
        Stroke("M -0.8 0.8 V 0.3 Q -0.8 0.06 -0.52 0.06 H 0.52 Q 0.8 0.06 0.8 0.3 V 0.8 Z", "line", 0.09),
        Stroke("M -0.5 -0.78 H 0.5 V 0.06 H -0.5 Z"),
        Stroke("M -0.5 -0.78 H 0.5 V 0.06 H -0.5 Z", "line", 0.09),
        Stroke("M -0.34 -0.5 H 0.34 V -0.24 H -0.34 Z", "line"),
        Stroke("M -0.3 0.44 H 0.3", "line", 0.1),
    ),
    "S": (  # a stone
        Stroke("M -0.82 0 A 0.82 0.82 0 1 1 0.82 0 A 0.82 0.82 0 1 1 -0.82 0 Z"),
        Stroke("M -0.82 0 A 0.82 0.82 0 1 1 0.82 0 A 0.82 0.82 0 1 1 -0.82 0 Z", "line", 0.1),
    ),
}
WORDS = ("", "one high", "two high", "three high")


def _outline(index: int) -> tuple[tuple[float, float], ...]:
    left, top = float(index % 7), float(7 - index // 7)
    return ((left, top), (left + 1, top), (left + 1, top + 1), (left, top + 1))


def _point(index: int) -> tuple[float, float]:
    return (float(index % 7), float(8 - index // 7))


_FIELD = members(FIELD)

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
        *(Legend(line, (float(x), 8.75)) for x, line in enumerate(LINES)),
        *(Legend(str(rank), (-0.75, float(9 - rank))) for rank in range(1, 10)),
        *(Legend(column, (x + 0.5, -0.75)) for x, column in enumerate(COLUMNS)),
        *(Legend(str(row), (6.75, 8.5 - row)) for row in range(1, 9)),
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
        figures=(*_robots(position), *_stones(position)),
        to_act=None if over else SIDES[position.actor],
        trays=tuple(
            Tray(side, "supply", (("S", "stone", SUPPLY - standing.bit_count()),))
            for side, standing in zip(SIDES, position.stones, strict=True)
            if standing.bit_count() < SUPPLY
        ),
        marks=_marks(position),
        links=tuple(link for side in (0, 1) for link in _strings(position, side)),
        notes=_notes(position, over),
        turned=180.0 if viewer == "B" else 0.0,
        near="B" if viewer == "B" else "W",
    )


def _robots(position: Position) -> tuple[Figure, ...]:
    return tuple(
        Figure(SQUARES[index], SIDES[side], "R", "robot", ("R",) * (high - 1), WORDS[high], token=str(high))
        for index in members(robots(position))
        for side in (0, 1)
        if (high := height(position, side, index))
    )


def _stones(position: Position) -> tuple[Figure, ...]:
    white, black = position.stones
    return tuple(
        Figure(
            POINTS[index], SIDES[int(not white & BIT[index])], "S", "stone", token="×" if index == position.last else ""
        )
        for index in members(white | black)
    )


def _marks(position: Position) -> tuple[Mark, ...]:
    white, black = position.stones
    barred = points(negated(position) & ~(white | black) & FULL)
    return (Mark("zone", barred),) if barred else ()


def _strings(position: Position, side: int) -> tuple[Link, ...]:
    """The lines between touching stones of one colour; a string that joins two sides has a name."""
    stones = position.stones[side]
    whole = joins(stones)
    return tuple(
        Link(POINTS[start], POINTS[end], SIDES[side], "string", "winning string" if whole & BIT[start] else "")
        for start in members(stones)
        for end in members(beside(BIT[start]) & stones)
        if start < end
    )


def duty(position: Position) -> str:
    """What is due, in plain words: whose half, and who plays it."""
    owner, actor = NAMES[position.owner], NAMES[position.actor]
    if position.discourse:
        return ""
    if position.half:
        due = "stones" if position.half == "robots" else "robots"
        return f"{owner}'s {due} half is {actor}'s to play."
    if not can_use_robots(position):
        return f"{owner} can do nothing with robots this turn, and plays stones alone."
    return f"{owner} chooses: robots or stones; {NAMES[1 - position.owner]} plays the other half for {owner}."


def _notes(position: Position, over: bool) -> tuple[str, ...]:
    due = () if over or position.discourse else (duty(position).rstrip("."),)
    last = (f"the stone on {POINTS[position.last]} was slid last and stays",) if position.last >= 0 else ()
    left = QUIET_LIMIT - position.quiet
    quiet = (f"{left} quiet turns until a draw",) if 0 < left <= 20 else ()
    return due + last + quiet


def throws(move_roll: int) -> tuple[Throw, ...]:
    """The die of a shot, where one was thrown."""
    return (Throw("die", (str(move_roll),), "cover"),) if move_roll else ()
