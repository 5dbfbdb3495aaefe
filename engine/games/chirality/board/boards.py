"""The boards of Chirality, each a name and a few numbers, and the checks that a board is a legal one."""

from collections import defaultdict
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cache

from engine.game import Rule
from engine.games.chirality.ground import Ground, bits, heart, outline, sides, survey
from engine.games.chirality.rulebook import FEATURES, OPPOSING_GATES, RINGS, THRONE_STAR, WHOLE_TILES
from engine.games.chirality.tiling import Golden, Rhomb, Vector, angles, facing, is_rhomb, rosette, square, turned


@dataclass(frozen=True, slots=True)
class Plan:
    """A board as data."""

    within: Golden
    """Every tile that has a corner at a smaller squared distance from the centre belongs to it."""
    standard: tuple[tuple[int, ...], ...]
    """The Gates that each of two players fills, on opposite sides of the board."""
    together: tuple[tuple[int, ...], ...]
    """The same in the other reading: each player has one side of the board."""
    quick: tuple[str, ...]
    """The Inner Stars on which two players begin."""


_FIVE_GATES = (((1, 4), (5, 2)), ((1, 2), (5, 4)), ("I2", "I5"))

PLANS: Mapping[str, Plan] = {
    "r2-255": Plan(Golden(17, 24), *_FIVE_GATES),
    "r2-265": Plan(Golden(18, 27), *_FIVE_GATES),
}
"""Another board is another line here."""

DEFAULT = "r2-255"


@cache
def ground(name: str) -> Ground:
    """The board of this name."""
    return survey(name, rosette(PLANS[name].within))


@dataclass(frozen=True, slots=True)
class Fault:
    """Why a board is not a legal one."""

    rule: Rule
    because: str


def faults(tiles: tuple[Rhomb, ...]) -> Iterator[Fault]:
    """Every clause of sections 1 and 2 that a board breaks; nothing = legal."""
    cut = next(_cuts(tiles), None)
    if cut is not None:  # Stars and Gates mean nothing on a board that is not whole
        yield Fault(WHOLE_TILES, cut)
        return
    here = survey("", tiles)
    if not here.throne:
        yield Fault(THRONE_STAR, "no Star lies in the centre")
    if {frozenset(map(turned, tile)) for tile in tiles} != set(map(frozenset, tiles)):
        yield Fault(RINGS, "the board changes when it is turned by a fifth")
    rings = {square(star.at) for star in here.stars if star.ring > 0}
    if len(rings) != 2:
        yield Fault(RINGS, f"the Stars form {len(rings)} rings around the centre, not two")
    ways = [heart(here.rhombs, gate.tiles) for gate in here.gates]
    if not any(facing(one, other) < 0 for one in ways for other in ways):
        yield Fault(OPPOSING_GATES, f"among {len(ways)} Gates no two oppose each other")
    yield from (Fault(FEATURES, because) for because in _broken_moats(here))


def _cuts(tiles: tuple[Rhomb, ...]) -> Iterator[str]:
    """What keeps the tiles from being one whole piece."""
    if not tiles:
        yield "there are no tiles"
    taken: defaultdict[Vector, int] = defaultdict(int)
    for tile in tiles:
        if not is_rhomb(tile):
            yield f"{tile} are not the corners of a whole Thick or Thin rhomb"
            return
        for at, wedge in angles(tile):
            if taken[at] & wedge:
                yield f"two tiles overlap at {at}"
                return
            taken[at] |= wedge
    if not outline(tiles):
        yield "the tiles are not joined along edges into one piece without gaps"


def _broken_moats(here: Ground) -> Iterator[str]:
    """Stars whose Moat has a gap."""
    for star in here.stars:
        wet = {at for tile in bits(star.moat) for at in here.rhombs[tile]}
        within = {side for tile in bits(star.tiles) for side in sides(here.rhombs[tile])}
        if any(side[::-1] not in within and wet.isdisjoint(side) for side in within):
            yield f"the Moat of Star {star.name} does not reach every outer edge"
        found = star.moat & -star.moat
        while True:
            more = found
            for tile in bits(found):
                more |= (here.edge[tile] | here.corner[tile]) & star.moat
            if more == found:
                break
            found = more
        if found != star.moat:
            yield f"the Moat of Star {star.name} is not contiguous"
