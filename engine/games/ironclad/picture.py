"""What a picture of Ironclad shows: squares and intersections at once, stacks, strings, what is negated or barred."""

from collections.abc import Iterator, Mapping

from engine.board import Side
from engine.diagram import Colour, Diagram, Figure, Glyph, Link, Mark, Stroke, Throw, Tray
from engine.games.ironclad.action import Action
from engine.games.ironclad.board import (
    BIT,
    BOARD,
    INDEX,
    POINTS,
    ROWS,
    SQUARES,
    beside,
    joins,
    members,
    points,
    squares,
)
from engine.games.ironclad.generate import can_use_robots, shooters
from engine.games.ironclad.play import destroys, outcome
from engine.games.ironclad.position import (
    NAMES,
    QUIET_LIMIT,
    SIDES,
    SUPPLY,
    Position,
    cover,
    negated,
    owner_of,
    winner,
)
from engine.games.ironclad.rules import STRING
from engine.place_text import Men
from engine.text import Listing, Term, Text, plural

COLOURS: Mapping[Side, Colour] = {"W": "white", "B": "black"}

ROBOT, STONE, SLID_LAST = Term("robot"), Term("stone"), Term("stone slid last")
ROBOTS = (Term("robot of height 1"), Term("robot of height 2"), Term("robot of height 3"))
NEGATION = Term("negation")
"""What the dot on a negated intersection is called."""
COVERS = (
    Term("against a cover of 1"),
    Term("against a cover of 2"),
    Term("against a cover of 3"),
    Term("against a cover of 4"),
)

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


def draw(position: Position, viewer: Side | None) -> Diagram:
    """Everything of a position: nothing in this game is secret."""
    over = outcome(position, 1) is not None
    return Diagram(
        title=Term("Ironclad"),
        board=BOARD,
        names=dict(zip(SIDES, NAMES, strict=True)),
        colours=COLOURS,
        glyphs=GLYPHS,
        figures=(*_robots(position), *_negations(position), *_stones(position)),
        to_act=None if over else SIDES[position.actor],
        trays=tuple(
            Tray(side, Term("supply"), (("S", Term("stones"), SUPPLY - standing.bit_count()),))
            for side, standing in zip(SIDES, position.stones, strict=True)
            if standing.bit_count() < SUPPLY
        ),
        marks=_won(position),
        links=tuple(link for side in (0, 1) for link in _strings(position, side)),
        notes=_notes(position, over),
        turned=180.0 if viewer == "B" else 0.0,
        near="B" if viewer == "B" else "W",
        signs=frozenset("N"),
    )


def _won(position: Position) -> tuple[Mark, ...]:
    """The string that joins two sides, or the robots in the other's first row."""
    won = winner(position)
    if won is None:
        return ()
    rule, side = won
    if rule is STRING:
        return (Mark("won", points(joins(position.stones[side]))),)
    return (Mark("won", squares(sum(position.squads[side]) & ROWS[1 - side])),)


def half_played(before: Position, move: Action) -> Text | None:
    """For whom a turn's second half was played, where that is the other side."""
    if before.actor == before.owner or before.discourse:
        return None
    names = {"actor": NAMES[before.actor], "owner": NAMES[before.owner]}
    if move.half == "robots":
        return Text("{actor} has played the robots half for {owner}.", **names)
    return Text("{actor} has played the stones half for {owner}.", **names)


def men(position: Position) -> Men:
    """Stones stay where they are; robots of any height fall."""
    return {
        side: (("R", (ROBOT, Term("robots")), sum(squad.bit_count() for squad in squads)),)
        for side, squads in zip(SIDES, position.squads, strict=True)
    }


def _robots(position: Position) -> tuple[Figure, ...]:
    found = [
        (index, side, high)
        for side, squads in enumerate(position.squads)
        for high, squad in enumerate(squads)
        for index in members(squad)
    ]
    return tuple([_STANDING[side][high][index] for index, side, high in sorted(found)])


def _stones(position: Position) -> tuple[Figure, ...]:
    white, black = position.stones
    return tuple(
        (_SLID if index == position.last else _LAID)[int(not white & BIT[index])][index]
        for index in members(white | black)
    )


# Made once, like the lines between stones and the dots: a board has dozens of them.
_STANDING = tuple(
    tuple(
        tuple(Figure(square, side, "R", name, ("R",) * high, token=str(high + 1)) for square in SQUARES)
        for high, name in enumerate(ROBOTS)
    )
    for side in SIDES
)
_LAID, _SLID = (
    tuple(tuple(Figure(point, side, kind, name) for point in POINTS) for side in SIDES)
    for kind, name in (("S", STONE), ("L", SLID_LAST))
)


def _negations(position: Position) -> tuple[Figure, ...]:
    """Dots on the free intersections where no stone may be placed."""
    white, black = position.stones
    return tuple([_DOTS[index] for index in members(negated(position) & ~(white | black))])


_DOTS = tuple(Figure(point, "", "N", NEGATION) for point in POINTS)


def _strings(position: Position, side: int) -> list[Link]:
    """The lines between touching stones of one colour."""
    stones = position.stones[side]
    return [link for both, link in _LINES[side] if both & stones == both]


_LINES = tuple(
    tuple(
        (BIT[start] | BIT[end], Link(POINTS[start], POINTS[end], side))
        for start in range(len(POINTS))
        for end in members(beside(BIT[start]))
        if start < end
    )
    for side in SIDES
)
"""For each side the line between any two neighbours, with both of these."""


def marks(position: Position, move: Action) -> tuple[Mark, ...]:
    """What was fired on, and by whom it fell; which stones a swap took over; nothing of other actions."""
    if move.verb == "swap":
        return (Mark("moved", points(sum(position.stones))),)
    if move.verb != "fire":
        return ()
    target = INDEX[move.target]
    if not destroys(position, move):
        return (Mark("moved", (move.target,)),)
    side = SIDES[owner_of(position, target) or 0]
    fallen = Mark("taken", (move.target, *shooters(position, target)), side, "R", ROBOT)
    return (Mark("moved", (move.target,)), fallen)


def throws(before: Position, shot: Action) -> tuple[Throw, ...]:
    """The die of a shot, where one was thrown."""
    if not shot.roll:
        return ()
    return (Throw("die", (str(shot.roll),), COVERS[cover(before, INDEX[shot.target]) - 1]),)


def looked_at(position: Position, seen: tuple[Text, ...]) -> tuple[Text, ...]:
    """What a look tells, with what a negation means, which is drawn as if it were a piece, with cover and fire."""
    named = tuple(
        Text("{place} is empty but negated, as a corner of a square with a robot.", place=said.values["place"])
        if said.values.get("piece") == NEGATION
        else said
        for said in seen
    )
    robot = next((str(said.values["place"]) for said in seen if said.values.get("piece") in ROBOTS), "")
    return (*named, *_cover_and_fire(position, robot)) if len(seen) < 6 and robot else named


def _cover_and_fire(position: Position, place: str) -> Iterator[Text]:
    """What a shot at the robot on a square would meet: its cover, and those of the owner that reach it."""
    square = INDEX[place]
    count = cover(position, square)
    yield plural("{count} stone covers it.", "{count} stones cover it.", count) if count else Text("It has no cover.")
    if owner_of(position, square) != position.owner and (within := shooters(position, square)):
        yield Text("Robots in range of it: {places}.", places=Listing(within))


def duty(position: Position) -> Text | None:
    """What whoever acts has to do, and for whom."""
    owner = NAMES[position.owner]
    if position.discourse:
        return _SWAPS.get(position.swap)
    if position.half == "robots":
        return Text("Play {side}'s stones half first; then begin your own turn with robots or stones.", side=owner)
    if position.half == "stones":
        return Text("Play {side}'s robots half first; then begin your own turn with robots or stones.", side=owner)
    if not can_use_robots(position):
        return Text("You can do nothing with robots now, so you play stones alone.")
    return Text("Choose robots or stones; {side} plays the other half for you.", side=NAMES[1 - position.owner])


_SWAPS = {
    "later": Text("Place a stone; your opponent may take it over by `swap`."),
    "now": Text("Place a stone, or take the one on the board over: `swap`."),
}
"""What is due in the discourse game, by what the position says of a swap."""


def _notes(position: Position, over: bool) -> tuple[Text, ...]:
    """The same for spectators, in few words; then whose string is whole, and how far off a draw is."""
    notes = [] if over or position.discourse else [_due(position)]
    notes += [
        Text("{side}'s string joins two sides.", side=name)
        for name, stones in zip(NAMES, position.stones, strict=True)
        if joins(stones)
    ]
    if position.swap == "now":
        notes.append(Text("{side} may swap sides instead of moving.", side=NAMES[position.owner]))
    left = QUIET_LIMIT - position.quiet
    if 0 < left <= 20:
        notes.append(plural("{count} quiet turn until a draw.", "{count} quiet turns until a draw.", left))
    return tuple(notes)


def _due(position: Position) -> Text:
    owner, actor = NAMES[position.owner], NAMES[position.actor]
    if position.half == "robots":
        return Text("{actor} plays the stones half for {owner}.", actor=actor, owner=owner)
    if position.half == "stones":
        return Text("{actor} plays the robots half for {owner}.", actor=actor, owner=owner)
    if can_use_robots(position):
        return Text("{side} plays robots or stones.", side=owner)
    return Text("{side} plays stones alone.", side=owner)
