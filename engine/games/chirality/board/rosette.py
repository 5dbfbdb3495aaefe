"""A board of Chirality: from bare rhombs to names, neighbours, Stars, Moats, Gates, rings and halves, each by its rule.

Sets of tiles are ints, one bit a tile, in the order of the names.
"""

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import cmp_to_key
from itertools import groupby
from typing import Generic, TypeAlias, TypeVar

from engine.board import Board, Legend, Point, Site, Zone
from engine.game import Move, Turn
from engine.games.chirality.board.attack import Attacks
from engine.games.chirality.board.tiling import (
    Golden,
    Rhomb,
    Vector,
    facing,
    is_thick,
    middle,
    minus,
    plus,
    point,
    sector,
    square,
    turning,
)
from engine.text import Phrase, Term

T = TypeVar("T")
Action: TypeAlias = tuple[Turn, int, int]
"""A turn with the tile that it leaves (-1: none) and the tile that it enters (-1: none)."""

SECTORS = "ABCDE"

GATE_NAMES = {
    1: Term("Gate 1"),
    2: Term("Gate 2"),
    3: Term("Gate 3"),
    4: Term("Gate 4"),
    5: Term("Gate 5"),
    6: Term("Gate 6"),
    7: Term("Gate 7"),
    8: Term("Gate 8"),
    9: Term("Gate 9"),
    10: Term("Gate 10"),
}
"""What is printed beside each Gate; on a board with more, the others have their number alone."""


@dataclass(frozen=True, slots=True)
class Star:
    """Five Thick tiles around a point."""

    name: str
    """T for the Throne, I1 … for the first ring, O1 … for the second, each clockwise from North."""
    ring: int
    """How many steps from the Throne, none longer than the one to the nearest Stars; 0 for the Throne itself."""
    tiles: int
    moat: int
    """Every Thin that touches the Star by an edge or a corner."""
    at: Vector
    """The point in its middle."""


@dataclass(frozen=True, slots=True)
class Gate:
    """Two outward Thins and the Thicks between them, at the fringe."""

    number: int
    """Clockwise from North, beginning with 1."""
    tiles: int
    thick: int


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class Rosette:
    """Everything that never changes about one board; compared by identity."""

    name: str
    names: tuple[Site, ...]
    rhombs: tuple[Rhomb, ...]
    """Of each tile, in the order of the names."""
    index: Mapping[Site, int]
    bit: Mapping[Site, int]
    """Of each name: the set of just that tile."""
    all: int
    thick: int
    thin: int
    edge: tuple[int, ...]
    """Of each tile: the tiles across its edges."""
    corner: tuple[int, ...]
    """Of each tile: the tiles that only a corner touches."""
    reach: tuple[int, ...]
    """Of each tile: where its piece moves and what it attacks (Thick: Thins by an edge; Thin: Thicks by either)."""
    stars: tuple[Star, ...]
    stars_of: tuple[tuple[Star, ...], ...]
    """Of each tile: the Stars that it is part of."""
    throne: int
    gates: tuple[Gate, ...]
    gate_of: Mapping[int, Gate]
    """Of each tile that belongs to one."""
    inner: int
    """The tiles of all Inner Stars."""
    remote: Mapping[Star, tuple[Gate, ...]]
    """Of each Inner Star: the Gates on its half of the board."""
    steps: tuple["Steps[Action]", ...]
    """Of each tile."""
    musters: tuple[Action, ...]
    """Of each tile: the action that puts a piece there."""
    sources: Attacks
    """Of each set of tiles: what pieces of one player attack from there."""
    geometry: Board
    """The board as pictures and looks know it."""

    def sites(self, tiles: int) -> tuple[Site, ...]:
        """The names of a set of tiles."""
        return tuple([self.names[tile] for tile in bits(tiles)])

    def mask(self, sites: Iterable[Site]) -> int:
        """The set of the tiles with these names."""
        return sum(self.bit[site] for site in set(sites))


class Steps(dict[int, list[T]], Generic[T]):
    """The actions from a tile, by the set of those tiles within its reach that are empty; each set is put together
    once, since the same ones come again in every game."""

    def __init__(self, steps: Mapping[int, T]):
        super().__init__()
        self._steps = steps

    def __missing__(self, empty: int) -> list[T]:
        found = self[empty] = [self._steps[to] for to in bits(empty)]
        return found


def bits(tiles: int) -> Iterator[int]:
    """The tiles of a set, lowest first."""
    while tiles:
        low = tiles & -tiles
        yield low.bit_length() - 1
        tiles ^= low


def rosette(name: str, rhombs: Iterable[Rhomb]) -> Rosette:
    """Everything about a board that follows from its tiles."""
    named = sorted(_numbered(rhombs))
    names = tuple(f"{SECTORS[wedge]}{number}" for wedge, number, _ in named)
    tiles = tuple(rhomb for _, _, rhomb in named)
    everything = (1 << len(tiles)) - 1
    thick = sum(1 << tile for tile, rhomb in enumerate(tiles) if is_thick(rhomb))
    thin = everything ^ thick
    edge, corner = neighbours(tiles)
    reach = tuple(
        edge[tile] & thin if thick >> tile & 1 else (edge[tile] | corner[tile]) & thick for tile in range(len(tiles))
    )
    stars = tuple(_stars(tiles, thin, edge, corner))
    throne = sum(star.tiles for star in stars if star.ring == 0)
    gates = tuple(_gates(tiles, thick))
    return Rosette(
        name=name,
        names=names,
        rhombs=tiles,
        index={site: tile for tile, site in enumerate(names)},
        bit={site: 1 << tile for tile, site in enumerate(names)},
        all=everything,
        thick=thick,
        thin=thin,
        edge=edge,
        corner=corner,
        reach=reach,
        stars=stars,
        stars_of=tuple(tuple(star for star in stars if star.tiles >> tile & 1) for tile in range(len(tiles))),
        throne=throne,
        gates=gates,
        gate_of={tile: gate for gate in gates for tile in bits(gate.tiles)},
        inner=sum(star.tiles for star in stars if star.ring == 1),
        remote={
            star: tuple(gate for gate in gates if facing(star.at, direction(tiles, gate.tiles)) > 0)
            for star in stars
            if star.ring == 1
        },
        steps=tuple(
            Steps({to: ((Move("move", "", site, names[to]),), tile, to) for to in bits(reach[tile])})
            for tile, site in enumerate(names)
        ),
        musters=tuple(((Move("muster", "", "", site),), -1, tile) for tile, site in enumerate(names)),
        sources=Attacks(reach, thin | throne, [(star.tiles, star.moat) for star in stars]),
        geometry=_geometry(name, names, tiles, near=(edge, corner), stars=stars, gates=gates),
    )


def neighbours(tiles: tuple[Rhomb, ...]) -> tuple[tuple[int, ...], tuple[int, ...]]:
    """Of each tile: the set across its edges, and the set that only a corner touches."""
    touching: defaultdict[Vector, int] = defaultdict(int)
    for tile, rhomb in enumerate(tiles):
        for at in rhomb:
            touching[at] |= 1 << tile
    edge, corner = [], []
    for tile, rhomb in enumerate(tiles):
        by_edge = by_corner = 0
        for at, end in sides(rhomb):
            by_corner |= touching[at]
            by_edge |= touching[at] & touching[end]
        edge.append(by_edge & ~(1 << tile))
        corner.append(by_corner & ~by_edge)
    return tuple(edge), tuple(corner)


def sides(rhomb: Rhomb) -> tuple[tuple[Vector, Vector], ...]:
    """The four edges, anticlockwise, each from corner to corner."""
    return tuple(zip(rhomb, rhomb[1:] + rhomb[:1], strict=True))


def direction(tiles: tuple[Rhomb, ...], group: int) -> Vector:
    """A vector that points to the middle of a group of tiles."""
    total: Vector = (0,) * 5
    for tile in bits(group):
        total = plus(total, middle(tiles[tile]))
    return total


def outline(tiles: tuple[Rhomb, ...]) -> list[int]:
    """The tiles along the fringe, anticlockwise, each as often as it comes to the outside; [] if that is no ring."""
    owner = {side: tile for tile, rhomb in enumerate(tiles) for side in sides(rhomb)}
    outer = {side: tile for side, tile in owner.items() if side[::-1] not in owner}
    onward = dict(outer.keys())
    if not outer or len(onward) < len(outer):
        return []
    at = first = next(iter(onward))
    walk: list[int] = []
    while not walk or at != first:
        walk.append(outer[(at, onward[at])])
        at = onward[at]
    ring = [tile for tile, _ in groupby(walk)] if len(walk) == len(outer) else []
    return ring[:-1] if len(ring) > 1 and ring[0] == ring[-1] else ring  # the walk may begin in the middle of a tile


def juts(tiles: tuple[Rhomb, ...]) -> int:
    """The Thins that jut outward: one of their sharp points belongs to no other tile."""
    users: defaultdict[Vector, int] = defaultdict(int)
    for rhomb in tiles:
        for at in rhomb:
            users[at] += 1
    return sum(
        1 << tile
        for tile, rhomb in enumerate(tiles)
        if not is_thick(rhomb) and (users[rhomb[0]] == 1 or users[rhomb[2]] == 1)
    )


_CLOCKWISE = cmp_to_key(turning)
"""Sorts vectors of one sector clockwise: `turning` is positive when the other lies anticlockwise, that is, first."""


_RING_NAMES = {1: "I", 2: "O"}


def _numbered(rhombs: Iterable[Rhomb]) -> Iterator[tuple[int, int, Rhomb]]:
    """(sector, number, tile): in each sector numbers grow with the distance from the centre, ties clockwise."""
    wedges: defaultdict[int, list[Rhomb]] = defaultdict(list)
    for rhomb in rhombs:
        wedges[sector(middle(rhomb))].append(rhomb)
    for wedge, members in wedges.items():
        members.sort(key=lambda rhomb: (square(middle(rhomb)), _CLOCKWISE(middle(rhomb))))
        for number, rhomb in enumerate(members, 1):
            yield wedge, number, rhomb


def _stars(tiles: tuple[Rhomb, ...], thin: int, edge: tuple[int, ...], corner: tuple[int, ...]) -> Iterator[Star]:
    """Every point where the 72-degree angles of five Thicks meet."""
    sharp: defaultdict[Vector, int] = defaultdict(int)
    for tile, rhomb in enumerate(tiles):
        if not thin >> tile & 1:
            for at in (rhomb[0], rhomb[2]):
                sharp[at] |= 1 << tile
    points = [at for at, group in sharp.items() if group.bit_count() == 5]
    points.sort(key=lambda at: (sector(at), _CLOCKWISE(at)) if any(at) else (0,))
    for ring, members in enumerate(_rings(points)):
        for number, at in enumerate(members, 1):
            around = 0
            for tile in bits(sharp[at]):
                around |= edge[tile] | corner[tile]
            name = f"{_RING_NAMES.get(ring, f'R{ring}-')}{number}" if ring else "T"
            yield Star(name, ring, sharp[at], around & thin, at)


def _rings(points: list[Vector]) -> list[list[Vector]]:
    """The middles of Stars by their steps from the centre, a Star or not; in each ring as they are given."""
    centre: Vector = (0,) * 5
    step = min((square(at) for at in points if any(at)), default=Golden(0, 0))
    rings = [[at for at in points if not any(at)]]
    latest, left = [centre], [at for at in points if any(at)]
    while left:
        near = [at for at in left if any(not step < square(minus(at, other)) for other in latest)]
        latest = near or left  # what no step reaches is a ring of its own
        rings.append(latest)
        left = [at for at in left if at not in latest]
    return rings


def _gates(tiles: tuple[Rhomb, ...], thick: int) -> Iterator[Gate]:
    """Every run along the fringe of one outward Thin, one to three Thicks and another outward Thin."""
    ring = outline(tiles)
    posts = juts(tiles)
    groups = []
    for start, tile in enumerate(ring):
        if not posts >> tile & 1:
            continue
        ahead = [ring[(start + step) % len(ring)] for step in range(1, 5)]
        between = next((n for n, other in enumerate(ahead) if not thick >> other & 1), 4)
        if 1 <= between <= 3 and posts >> ahead[between] & 1:
            groups.append(1 << tile | sum(1 << other for other in ahead[: between + 1]))
    groups.sort(key=lambda group: (sector(direction(tiles, group)), _CLOCKWISE(direction(tiles, group))))
    for number, group in enumerate(groups, 1):
        yield Gate(number, group, group & thick)


def _geometry(
    name: str,
    names: tuple[Site, ...],
    tiles: tuple[Rhomb, ...],
    *,
    near: tuple[tuple[int, ...], tuple[int, ...]],
    stars: tuple[Star, ...],
    gates: tuple[Gate, ...],
) -> Board:
    """The board as pictures and looks know it; a tint that comes later covers those before."""
    zones: dict[Zone, int] = {}
    tints: dict[Zone, str] = {}
    for star in stars:
        zone: Zone = Phrase("Moat {star}", star=star.name)
        zones[zone], tints[zone] = star.moat, "moat"
    for star in stars:
        zone = Term("Throne") if star.ring == 0 else Phrase("Star {star}", star=star.name)
        zones[zone], tints[zone] = star.tiles, "goal" if star.ring == 0 else "star"
    for gate in gates:
        zone = Phrase("Gate {gate}", gate=str(gate.number))
        zones[zone], tints[zone] = gate.tiles, "gate"

    def sites(group: int) -> tuple[Site, ...]:
        return tuple(names[tile] for tile in bits(group))

    return Board(
        name=name,
        outlines={site: tuple(map(point, rhomb)) for site, rhomb in zip(names, tiles, strict=True)},
        edges={site: sites(near[0][tile]) for tile, site in enumerate(names)},
        corners={site: sites(near[1][tile]) for tile, site in enumerate(names)},
        zones={zone: frozenset(sites(group)) for zone, group in zones.items()},
        tones={site: 0 if is_thick(rhomb) else 1 for site, rhomb in zip(names, tiles, strict=True)},
        tints=tints,
        legends=tuple(
            Legend(GATE_NAMES.get(gate.number, str(gate.number)), at)
            for gate, at in zip(gates, _signs(tiles, gates), strict=True)
        ),
    )


def _signs(tiles: tuple[Rhomb, ...], gates: tuple[Gate, ...]) -> Iterator[Point]:
    """Where the Gates' names are written: between the tips of the posts, or as far outward as covers no tile."""
    edges = [(point(at), point(end)) for tile in set(outline(tiles)) for at, end in sides(tiles[tile])]
    rim = [(x + (u - x) * k / 4, y + (v - y) * k / 4) for (x, y), (u, v) in edges for k in range(4)]
    half = SIGN * 2 * max((x for x, _ in rim), default=0.0)
    for gate in gates:
        x, y = _between(tiles, gate)
        while any(abs(u - x) < half and abs(v - y) < half / 3 for u, v in rim):
            x, y = x * 1.01, y * 1.01
        yield x, y


SIGN = 0.05
"""Half the width of a Gate's name, in widths of the board; it is a third as high."""


def _between(tiles: tuple[Rhomb, ...], gate: Gate) -> Point:
    """The middle between the tips of a Gate's posts."""
    tips = [
        max((point(at) for at in tiles[tile]), key=lambda p: p[0] ** 2 + p[1] ** 2)
        for tile in bits(gate.tiles & ~gate.thick)
    ]
    return (sum(x for x, _ in tips) / len(tips), sum(y for _, y in tips) / len(tips))
