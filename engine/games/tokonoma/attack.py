"""What a move and the attack after it do to Tokonoma's armies, as sets of tiles."""

from collections.abc import Mapping
from functools import lru_cache

from engine.board import Side, Site
from engine.game import Move
from engine.games.tokonoma.board import BITS, REACH
from engine.games.tokonoma.position import Army, Position, indices, lone_flats, occupied, on_top, sites_of
from engine.games.tokonoma.rules import KINDS


def put(army: Army, move: Move) -> Army:
    """The army with a piece moved, as written.

    We read: a tile has room for one Flat and one tall of a side, so whatever else stood there leaves the board.
    """
    origin, target = BITS[move.origin], BITS[move.target]
    flats, arms, blinds, stars = army
    if move.piece == "F":
        return flats & ~origin | target, arms, blinds, stars
    others = ~(origin | target)
    moved = [flats, arms & others, blinds & others, stars & others]
    moved[KINDS.index(move.piece)] |= target
    return tuple(moved)


def struck(army: Army, side: Side) -> int:
    """The tiles that two or more of the army's pieces hit."""
    return hits(army, side)[1]


@lru_cache(maxsize=1 << 16)
def hits(army: Army, side: Side) -> tuple[int, int]:
    """The tiles that one or more of the army's pieces hit, and two or more. A stack hits once, as its tall does."""
    once = twice = 0
    for standing, reach in zip((lone_flats(army), *army[1:]), REACH[side], strict=True):
        for index in indices(standing):
            hit = reach[1 << index]
            twice |= once & hit
            once |= hit
    return once, twice


def hitters(army: Army, side: Side, site: Site) -> tuple[Site, ...]:
    """Where the army's pieces stand that hit a tile."""
    return tuple(
        origin
        for origin in sites_of(occupied(army))
        if REACH[side][KINDS.index(on_top(army, origin))][BITS[origin]] & BITS[site]
    )


def hit_from(position: Position, site: Site) -> Mapping[Side, tuple[Site, ...]]:
    """Where each side's pieces stand that hit a tile; sides of which none does are left out, and who stands there."""
    armies = {"W": position.white, "B": position.black}
    found = {side: hitters(army, side, site) for side, army in armies.items() if not occupied(army) & BITS[site]}
    return {side: places for side, places in found.items() if places}


def cleared(army: Army, tiles: int) -> Army:
    """The army with whatever stood on these tiles captured."""
    flats, arms, blinds, stars = army
    return flats & ~tiles, arms & ~tiles, blinds & ~tiles, stars & ~tiles
