"""Every turn that Tokonoma's rules of movement allow, and how many lines of them there are."""

from engine.board import Side
from engine.game import Turn
from engine.games.tokonoma.attack import cleared, struck
from engine.games.tokonoma.board import BITS, EVERY, HOUSES, OPPONENT, REACH, SITES
from engine.games.tokonoma.notation import turn_of
from engine.games.tokonoma.position import Army, Position, captor, indices, lone_flats, occupied, sites_of
from engine.games.tokonoma.rules import KINDS, QUIET_LIMIT
from engine.geometry.move_table import MoveTable


def turns(position: Position) -> list[Turn]:
    """Exactly the tenable turns; none once the game is over."""
    return [] if captor(position) or position.quiet >= QUIET_LIMIT else movements(position)


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


def can_move(position: Position) -> bool:
    """Whether `movements` finds any turn."""
    own, enemy = position.armies()
    lone = lone_flats(own)
    free = EVERY & ~(occupied(own) | occupied(enemy))
    for kind, reach in enumerate(REACH[position.to_move]):
        standing, open_ = (own[kind], free | lone) if kind else (lone, free)
        if any(reach[1 << index] & open_ for index in indices(standing)):
            return True
    return False


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


FANS = {
    side: tuple(
        {
            BITS[site]: (
                reach[BITS[site]],
                MoveTable({BITS[target]: turn_of(kind, site, target) for target in sites_of(reach[BITS[site]])}),
            )
            for site in SITES
        }
        for kind, reach in zip(KINDS, REACH[side], strict=True)
    )
    for side in REACH
}
"""By side and kind: a piece's tile -> the tiles it hits, and its turns for every choice among them."""
