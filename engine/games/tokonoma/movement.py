"""What happens on Tokonoma's board: who can go where, what a move and the attack after it do, how often."""

from functools import lru_cache

from engine.board import Side, Site
from engine.game import Move, Turn
from engine.games.tokonoma.board import BITS, EVERY, HOUSES, OPPONENT, SITES
from engine.games.tokonoma.notation import turn_of
from engine.games.tokonoma.pieces import KINDS, REACH
from engine.games.tokonoma.position import Army, Position, indices, lone_flats, occupied, on_top, sites_of


def movements(position: Position) -> list[Turn]:
    """Every turn that the rules of movement allow: the tables read forwards, where `judge` reads them backwards."""
    own, enemy = position.armies()
    lone = lone_flats(own)
    free = EVERY & ~(occupied(own) | occupied(enemy))
    found: list[Turn] = []
    for kind, fans in enumerate(FANS[position.to_move]):
        standing, open_ = (own[kind], free | lone) if kind else (lone, free)
        while standing:
            origin = standing & -standing
            standing ^= origin
            reach, fan = fans[origin]
            found += fan[reach & open_]
    return found


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


@lru_cache(maxsize=1 << 16)
def struck(army: Army, side: Side) -> int:
    """The tiles that two or more of the army's pieces hit. A stack hits once, as its tall does."""
    once = twice = 0
    for standing, reach in zip((lone_flats(army), *army[1:]), REACH[side], strict=True):
        for index in indices(standing):
            hit = reach[1 << index]
            twice |= once & hit
            once |= hit
    return twice


def hitters(army: Army, side: Side, site: Site) -> tuple[Site, ...]:
    """Where the army's pieces stand that hit a tile."""
    return tuple(
        origin
        for origin in sites_of(occupied(army))
        if REACH[side][KINDS.index(on_top(army, origin))][BITS[origin]] & BITS[site]
    )


def cleared(army: Army, tiles: int) -> Army:
    """The army with whatever stood on these tiles captured."""
    flats, arms, blinds, stars = army
    return flats & ~tiles, arms & ~tiles, blinds & ~tiles, stars & ~tiles


def captor(position: Position) -> Side | None:
    """The side that has captured the other's house; the one that moved last is asked first."""
    own, enemy = position.armies()
    side, other = position.to_move, OPPONENT[position.to_move]
    if lone_flats(enemy) & BITS[HOUSES[side]]:
        return other
    return side if lone_flats(own) & BITS[HOUSES[other]] else None


def perft(own: Army, enemy: Army, side: Side, depth: int) -> int:
    """`movements`, `play` and `outcome` in one loop, without a Position or a Turn: for counting only."""
    if depth == 0:
        return 1
    other = OPPONENT[side]
    if lone_flats(enemy) & BITS[HOUSES[side]] or lone_flats(own) & BITS[HOUSES[other]]:
        return 0
    lines = 0
    lone, enemies = lone_flats(own), occupied(enemy)
    free = EVERY & ~(occupied(own) | enemies)
    for kind, reach in enumerate(REACH[side]):
        standing, open_ = (own[kind], free | lone) if kind else (lone, free)
        before, all_of_kind, after = own[:kind], own[kind], own[kind + 1 :]
        while standing:
            origin = standing & -standing
            standing ^= origin
            targets = reach[origin] & open_
            while targets:
                target = targets & -targets
                targets ^= target
                moved = (*before, all_of_kind ^ origin | target, *after)
                hit = struck(moved, side) & enemies
                left = cleared(enemy, hit) if hit else enemy
                lines += 1 if depth == 1 else perft(left, moved, other, depth - 1)
    return lines


class _Fan(dict[int, tuple[Turn, ...]]):
    """Tiles to go to -> the turns that take one piece there; filled as positions ask."""

    def __init__(self, kind: str, origin: Site) -> None:
        super().__init__()
        self.kind, self.origin = kind, origin

    def __missing__(self, targets: int) -> tuple[Turn, ...]:
        self[targets] = turns = tuple(turn_of(self.kind, self.origin, target) for target in sites_of(targets))
        return turns


FANS = {
    side: tuple(
        {BITS[site]: (reach[BITS[site]], _Fan(kind, site)) for site in SITES}
        for kind, reach in zip(KINDS, REACH[side], strict=True)
    )
    for side in REACH
}
"""By side and kind: a piece's tile -> the tiles it hits, and its turns for every choice among them."""
