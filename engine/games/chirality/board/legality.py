"""Checks that a board is a legal one: every clause of sections 1 and 2 of the text."""

from collections import defaultdict
from collections.abc import Iterator
from dataclasses import dataclass

from engine.game import Rule
from engine.games.chirality.board.rosette import Rosette, bits, direction, outline, rosette, sides
from engine.games.chirality.board.tiling import Rhomb, Vector, angles, facing, is_rhomb, turned
from engine.games.chirality.rules import FEATURES, OPPOSING_GATES, RINGS, THRONE_STAR, WHOLE_TILES
from engine.text import Text, plural


@dataclass(frozen=True, slots=True)
class Fault:
    """Why a board is not a legal one."""

    rule: Rule
    because: Text


def faults(tiles: tuple[Rhomb, ...]) -> Iterator[Fault]:
    """Every clause that a board breaks; nothing = legal."""
    cut = next(_cuts(tiles), None)
    if cut is not None:  # Stars and Gates mean nothing on a board that is not whole
        yield Fault(WHOLE_TILES, cut)
        return
    board = rosette("", tiles)
    if not board.throne:
        yield Fault(THRONE_STAR, Text("No Star lies in the centre."))
    if {frozenset(map(turned, tile)) for tile in tiles} != set(map(frozenset, tiles)):
        yield Fault(RINGS, Text("The board changes when it is turned by a fifth."))
    rings = {star.ring for star in board.stars if star.ring > 0}
    if len(rings) != 2:
        because = plural(
            "The Stars form {count} ring around the centre, not two.",
            "The Stars form {count} rings around the centre, not two.",
            len(rings),
        )
        yield Fault(RINGS, because)
    ways = [direction(board.rhombs, gate.tiles) for gate in board.gates]
    if not any(facing(one, other) < 0 for one in ways for other in ways):
        yield Fault(OPPOSING_GATES, Text("No two Gates oppose each other."))
    yield from (Fault(FEATURES, gap) for gap in _broken_moats(board))


def _cuts(tiles: tuple[Rhomb, ...]) -> Iterator[Text]:
    """What keeps the tiles from being one whole piece."""
    if not tiles:
        yield Text("There are no tiles.")
    taken: defaultdict[Vector, int] = defaultdict(int)
    for tile in tiles:
        if not is_rhomb(tile):
            yield Text("{corners} are not the corners of a whole Thick or Thin rhomb.", corners=str(tile))
            return
        for at, wedge in angles(tile):
            if taken[at] & wedge:
                yield Text("Two tiles overlap at {corner}.", corner=str(at))
                return
            taken[at] |= wedge
    if not outline(tiles):
        yield Text("The tiles are not joined along edges into one piece without gaps.")


def _broken_moats(board: Rosette) -> Iterator[Text]:
    """Stars whose Moat has a gap."""
    for star in board.stars:
        wet = {at for tile in bits(star.moat) for at in board.rhombs[tile]}
        within = {side for tile in bits(star.tiles) for side in sides(board.rhombs[tile])}
        if any(side[::-1] not in within and wet.isdisjoint(side) for side in within):
            yield Text("The Moat of Star {star} does not reach every outer edge.", star=star.name)
        found = star.moat & -star.moat
        while True:
            more = found
            for tile in bits(found):
                more |= (board.edge[tile] | board.corner[tile]) & star.moat
            if more == found:
                break
            found = more
        if found != star.moat:
            yield Text("The Moat of Star {star} is not contiguous.", star=star.name)
