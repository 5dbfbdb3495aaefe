"""What a picture of Tirachen shows: a glyph for each kind of piece, the pools, and what a turn left empty."""

from collections.abc import Iterator, Mapping
from functools import cache
from operator import sub

from engine.board import Side, Site
from engine.diagram import Colour, Diagram, Figure, Glyph, Mark, Stroke, Tray
from engine.game import Turn
from engine.games.tirachen.board import BOARD, HOME, INDEX, SITES, names
from engine.games.tirachen.generate import fort_zone
from engine.games.tirachen.play import carry, outcome
from engine.games.tirachen.position import (
    EMPTY,
    POOL_FULL,
    POOL_LETTERS,
    SIDES,
    Position,
    kind_of,
    letter,
    owner_of,
    winner,
)
from engine.games.tirachen.rules import HOMELAND, KINDS, NAMES, QUIET_LIMIT
from engine.place_text import FALLEN
from engine.text import Term, Text, plural

COLOURS: Mapping[Side, Colour] = {"R": "red", "W": "white"}


def _outlined(path: str, width: float = 0.09) -> Glyph:
    return (Stroke(path), Stroke(path, "line", width))


def _rod(path: str, width: float = 0.14) -> Glyph:
    """A line in the side's colour with a rim in its contrast colour."""
    return (Stroke(path, "line", width + 0.14), Stroke(path, "body", width))


def _dot(x: float, y: float, radius: float) -> str:
    return f"M {x - radius} {y} A {radius} {radius} 0 1 1 {x + radius} {y} A {radius} {radius} 0 1 1 {x - radius} {y} Z"


GLYPHS: Mapping[str, Glyph] = {
    "G": (  # a crown
        *_outlined("M -0.62 0.66 L -0.8 -0.32 L -0.4 0.04 L 0 -0.62 L 0.4 0.04 L 0.8 -0.32 L 0.62 0.66 Z"),
        Stroke("M -0.62 0.36 L 0.62 0.36", "line", 0.09),
        *_outlined(_dot(-0.8, -0.38, 0.12), 0.07),
        *_outlined(_dot(0, -0.7, 0.14), 0.07),
        *_outlined(_dot(0.8, -0.38, 0.12), 0.07),
    ),
    "F": (  # a tower with battlements and a gate
        *_outlined(
            "M -0.58 0.8 V -0.12 H -0.74 V -0.74 H -0.44 V -0.48 H -0.15 V -0.74 H 0.15 V -0.48 H 0.44 V -0.74 H 0.74"
            " V -0.12 H 0.58 V 0.8 Z"
        ),
        Stroke("M -0.58 -0.12 L 0.58 -0.12", "line", 0.08),
        Stroke("M -0.2 0.8 V 0.36 A 0.2 0.2 0 0 1 0.2 0.36 V 0.8 Z", "line"),
    ),
    "C": (  # a banner on its staff
        *_rod("M -0.52 -0.82 L -0.52 0.86", 0.1),
        *_outlined("M -0.44 -0.72 H 0.8 L 0.5 -0.26 L 0.8 0.2 H -0.44 Z"),
        Stroke("M 0 -0.56 L 0.26 -0.26 L 0 0.04 L -0.26 -0.26 Z", "line"),
    ),
    "S": (  # crossed swords
        *_rod("M -0.56 0.56 L 0.7 -0.7"),
        *_rod("M -0.72 0.18 L -0.18 0.72", 0.1),
        *_rod("M 0.56 0.56 L -0.7 -0.7"),
        *_rod("M 0.72 0.18 L 0.18 0.72", 0.1),
        *_outlined(_dot(-0.66, 0.66, 0.13), 0.07),
        *_outlined(_dot(0.66, 0.66, 0.13), 0.07),
    ),
    "A": (  # an eight-pointed star
        *_outlined(
            "M 0 -0.88 L 0.16 -0.39 L 0.52 -0.52 L 0.39 -0.16 L 0.88 0 L 0.39 0.16 L 0.52 0.52 L 0.16 0.39"
            " L 0 0.88 L -0.16 0.39 L -0.52 0.52 L -0.39 0.16 L -0.88 0 L -0.39 -0.16 L -0.52 -0.52 L -0.16 -0.39 Z"
        ),
        Stroke(_dot(0, 0, 0.17), "line"),
    ),
    "W": (  # a bow with its arrow
        *_rod("M -0.3 -0.84 Q 0.86 0 -0.3 0.84", 0.13),
        Stroke("M -0.3 -0.84 L -0.52 0 L -0.3 0.84", "line", 0.06),
        *_rod("M -0.62 0 L 0.52 0", 0.08),
        *_outlined("M 0.88 0 L 0.46 -0.22 V 0.22 Z", 0.07),
    ),
    "P": (  # a pike head on its shaft
        *_rod("M 0 0.88 L 0 -0.1", 0.12),
        *_rod("M -0.28 0.06 L 0.28 0.06", 0.08),
        *_outlined("M 0 -0.9 L 0.3 -0.3 L 0 0 L -0.3 -0.3 Z"),
    ),
    "T": (  # a mask with two faces
        *_outlined(
            "M 0 -0.8 C 0.5 -0.8 0.78 -0.62 0.78 -0.2 C 0.78 0.4 0.34 0.86 0 0.86 C -0.34 0.86 -0.78 0.4"
            " -0.78 -0.2 C -0.78 -0.62 -0.5 -0.8 0 -0.8 Z"
        ),
        Stroke("M 0 -0.8 C 0.5 -0.8 0.78 -0.62 0.78 -0.2 C 0.78 0.4 0.34 0.86 0 0.86 Z", "line"),
        Stroke("M -0.54 -0.22 Q -0.34 -0.4 -0.16 -0.18 Q -0.36 -0.06 -0.54 -0.22 Z", "line"),
        Stroke("M 0.54 -0.22 Q 0.34 -0.4 0.16 -0.18 Q 0.36 -0.06 0.54 -0.22 Z", "body"),
        Stroke("M -0.34 0.3 Q -0.2 0.46 0 0.46", "line", 0.09),
        Stroke("M 0 0.46 Q 0.2 0.46 0.34 0.6", "body", 0.09),
    ),
    "M": (  # a master yet to be chosen: a medal
        *_outlined("M -0.42 -0.86 H 0.42 L 0.2 -0.1 H -0.2 Z", 0.08),
        *_outlined(_dot(0, 0.3, 0.52)),
        Stroke(_dot(0, 0.3, 0.2), "line"),
    ),
}
POOL = Term("pool")
POOL_NAMES = (
    (Term("fort"), Term("forts")),
    (Term("commander"), Term("commanders")),
    (Term("pike"), Term("pikes")),
    (Term("master"), Term("masters")),
)
"""One of each, and several."""
TITLE = Term("Tirachen")
PHASES = tuple((Text("{side} is deploying.", side=name), Text("{side} is mobilized.", side=name)) for name in NAMES)
"""Of each side, while it is not mobilized and once it is."""
HATCHED = (
    Text("Rising lines: beside Red's fort."),
    Text("Falling lines: beside White's fort."),
)
GUARDED = Term("beside the fort")


def draw(position: Position, viewer: Side | None) -> Diagram:
    """Everything of a position: nothing in this game is secret."""
    return Diagram(
        title=TITLE,
        board=BOARD,
        names=dict(zip(SIDES, NAMES, strict=True)),
        colours=COLOURS,
        glyphs=GLYPHS,
        figures=tuple(_figure(SITES[square], byte) for square, byte in enumerate(position.board) if byte != EMPTY),
        to_act=None if outcome(position, 1) else SIDES[position.mover],
        trays=tuple(tray for side in (0, 1) for tray in (_tray(position, side), *_fallen(position, side))),
        marks=(*_won(position), *_guarded(position)),
        notes=_notes(position),
        hatching=tuple(said for side, said in enumerate(HATCHED) if letter("F", side) in position.board),
        turned=180.0 if viewer == "W" else 0.0,
        near="W" if viewer == "W" else "R",
    )


def marks(turn: Turn, position: Position) -> tuple[Mark, ...]:
    """Where a turn took place, and what it left empty: the place of a captor given up, of a fort and its captor.

    Where it took a general, that has won.
    """
    places: dict[Site, None] = {}
    gone: list[Mark] = []
    won: list[Mark] = []
    board = bytearray(position.board)
    for move in turn:
        places.update(dict.fromkeys(site for site in (move.origin, move.target) if site))
        if move.origin:
            captor, victim = board[INDEX[move.origin]], board[INDEX[move.target]]
            carry(board, position.mover, move)
            if kind_of(victim) == "G":
                won.append(Mark("won", (move.target,)))
            if move.verb == "turn" or board[INDEX[move.target]] == EMPTY:
                gone.append(_taken(move.origin, captor))
            if board[INDEX[move.target]] == EMPTY:
                gone.append(_taken(move.target, victim))
    return (*([Mark("moved", tuple(places))] if places else []), *gone, *won)


def captures(turn: Turn, position: Position) -> Iterator[Text]:
    """What a turn took where its captor stands now, and hides it: elsewhere it is seen in a burst."""
    board = bytearray(position.board)
    for move in turn:
        if not move.origin:
            continue
        victim = board[INDEX[move.target]]
        carry(board, position.mover, move)
        if victim == EMPTY or move.verb == "turn" or board[INDEX[move.target]] == EMPTY:
            continue
        owner, piece, place = owner_of(victim), KINDS[kind_of(victim)], move.target
        if owner is None:
            yield Text("Nobody's {piece} on {place} has left the board.", piece=piece, place=place)
        else:
            yield Text("{side} {piece} on {place} has left the board.", side=NAMES[owner], piece=piece, place=place)


def _taken(site: Site, byte: int) -> Mark:
    owner, kind = owner_of(byte), kind_of(byte)
    return Mark("taken", (site,), "" if owner is None else SIDES[owner], kind, KINDS[kind])


@cache  # there are as many as pieces on all places
def _figure(site: Site, byte: int) -> Figure:
    kind, owner = kind_of(byte), owner_of(byte)
    return Figure(site, "" if owner is None else SIDES[owner], kind, KINDS[kind], token=kind)


def _tray(position: Position, side: int) -> Tray:
    pool = zip(POOL_LETTERS, POOL_NAMES, position.pools[side], strict=True)
    return Tray(SIDES[side], POOL, tuple((kind, name[left > 1], left) for kind, name, left in pool if left))


def _fallen(position: Position, side: int) -> tuple[Tray, ...]:
    """What a side has lost so far: what is neither on the board nor in its pool."""
    standing = [position.board.count(letter(kind, side)) for kind in "FCPSAW"]
    kinds = (*standing[:3], sum(standing[3:]))
    full, left = (*POOL_FULL, 1), (*position.pools[side], 0)
    gone = zip(
        (*POOL_LETTERS, "G"),
        (*POOL_NAMES, (KINDS["G"], KINDS["G"])),
        map(sub, map(sub, full, left), (*kinds, position.board.count(letter("G", side)))),
        strict=True,
    )
    pieces = tuple((kind, name[count > 1], count) for kind, name, count in gone if count > 0)
    return (Tray(SIDES[side], FALLEN, pieces),) if pieces else ()


def _guarded(position: Position) -> tuple[Mark, ...]:
    """The squares around each side's fort."""
    zones = [(side, fort_zone(position.board, side)) for side in (0, 1)]
    return tuple(Mark("zone", names(zone), SIDES[side], name=GUARDED) for side, zone in zones if zone)


def _won(position: Position) -> tuple[Mark, ...]:
    """The homeland that is occupied."""
    won = winner(position)
    return (Mark("won", names(HOME[1 - won[1]])),) if won and won[0] is HOMELAND else ()


def _notes(position: Position) -> tuple[Text, ...]:
    phases = tuple(PHASES[side][done] for side, done in enumerate(position.mobilized))
    left = QUIET_LIMIT - position.quiet
    if not 0 < left <= 20:
        return phases
    return (*phases, plural("{count} quiet turn until a draw.", "{count} quiet turns until a draw.", left))
