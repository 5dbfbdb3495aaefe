"""What follows from an action: Garrisons, the attack map, all captures at once, and who is left to act."""

from collections.abc import Callable, Iterable
from functools import lru_cache
from typing import NamedTuple

from engine.games.chirality.ground import Ground

Men = tuple[int, ...]
"""Of each player: the tiles where the pieces stand."""


class Attack(NamedTuple):
    """What is attacked, by one player's pieces or by those of several together."""

    thin: int
    """Thins that at least one piece or a Garrison attacks."""
    one: int
    """Thicks that at least one piece attacks."""
    two: int


class Sources(NamedTuple):
    """What one player's pieces attack, and what follows from it if one of them is lifted."""

    attack: Attack
    thin_by_piece: int
    thin_by_two: int
    """Thins that at least two pieces attack."""
    three: int
    held: int
    """The tiles of the player's Garrisons."""
    moats: int


def resolved(ground: Ground, men: Men, to: int) -> Men:
    """Who stands where after all captures that follow from an action of player `to`."""
    throne = ground.throne
    if men[to] & throne == throne:  # 14.2: the game is won before anything is captured
        return men
    if len(men) == 2:
        (red, blue), (reds, blues) = men, (sources(ground, men[0]), sources(ground, men[1]))
        return (_survivors(red, reds.held, blues.attack, throne), _survivors(blue, blues.held, reds.attack, throne))
    maps = [sources(ground, tiles) for tiles in men]
    return tuple(
        _survivors(tiles, own.held, _together(maps[:player] + maps[player + 1 :]), throne)
        for player, (tiles, own) in enumerate(zip(men, maps, strict=True))
    )


def _survivors(tiles: int, held: int, attack: tuple[int, int, int], throne: int) -> int:
    """Which of a player's pieces no capture takes: one source does for a Thin, and on the Throne; two for other Thicks.

    A Thick of one's own Garrison is safe.
    """
    thin, one, two = attack
    return tiles & ~(thin | (two | one & throne) & ~held)


def resolver(ground: Ground, men: Men, to: int) -> Callable[[int, int], Men]:
    """As `resolved`, for many actions of player `to`: maps the position before a turn once.

    The action takes the piece from one tile (-1: none) and sets it on another (-1: none). The attack map is kept as
    "at least one, two, three sources here", so that a single piece can be lifted out of it and put back elsewhere.
    """
    reach, thick, throne, stars_of = ground.reach, ground.thick, ground.throne, ground.stars_of
    base = men[to]
    (_, base_one, base_two), base_thin, base_thin_two, base_three, base_held, base_moats = sources(ground, base)
    maps = [(player, sources(ground, tiles)) for player, tiles in enumerate(men) if player != to and tiles]
    others = _together(theirs for _, theirs in maps)
    enemies = [
        (player, men[player], own.held, *_together(theirs for other, theirs in maps if other != player))
        for player, own in maps
    ]

    def after(gone: int, came: int) -> Men:
        mine, held, moats = base, base_held, base_moats
        thin, one, two = base_thin, base_one, base_two
        if gone >= 0:
            bit, near = 1 << gone, reach[gone]
            mine ^= bit
            if not thick & bit:
                one, two = one & ~near | two, two & ~near | base_three
            else:
                thin = thin & ~near | base_thin_two
                if held & bit:
                    held, moats = _garrisons(ground, mine)
        if came >= 0:
            bit, near = 1 << came, reach[came]
            mine |= bit
            if not thick & bit:
                one, two = one | near, two | one & near
            else:
                thin |= near
                for star in stars_of[came]:
                    if mine & star.tiles == star.tiles:
                        held |= star.tiles
                        moats |= star.moat
        left = list(men)
        left[to] = mine
        if mine & throne == throne:  # as above
            return tuple(left)
        left[to] = _survivors(mine, held, others, throne)
        thin |= moats
        for player, tiles, safe, third, third_one, third_two in enemies:
            twice = two | third_two | one & third_one
            left[player] = _survivors(tiles, safe, (thin | third, one | third_one, twice), throne)
        return tuple(left)

    return after


@lru_cache(maxsize=1 << 13)
def sources(ground: Ground, mine: int) -> Sources:
    """What a player with these pieces attacks; remembered, because in a turn only one player's pieces move."""
    thin, thin_two, _ = _counted(ground.reach, mine & ground.thick)
    one, two, three = _counted(ground.reach, mine & ground.thin)
    held, moats = _garrisons(ground, mine)
    return Sources(Attack(thin | moats, one, two), thin, thin_two, three, held, moats)


def attackers(ground: Ground, men: Men, tile: int, player: int) -> int:
    """The pieces of others that attack a tile, where a piece of `player` stands or might."""
    found = 0
    near = ground.edge[tile] | ground.corner[tile]
    for other, tiles in enumerate(men):
        if other == player:
            continue
        if ground.thick >> tile & 1:
            found |= tiles & near & ground.thin
            continue
        found |= tiles & ground.edge[tile] & ground.thick
        for star in ground.stars:
            if star.moat >> tile & 1 and tiles & star.tiles == star.tiles:
                found |= star.tiles & near
    return found


def muster_tiles(ground: Ground, men: Men, to: int) -> int:
    """The tiles where the player may Muster if they are empty, at a Gate or from afar."""
    mine, everyone = men[to], sum(men)
    open_tiles = 0
    for gate in ground.gates:
        if mine & gate.tiles:
            open_tiles |= gate.tiles
    if mine & ground.inner:
        for star, gates in ground.remote.items():
            if mine & star.tiles == star.tiles:
                for gate in gates:
                    if not (everyone ^ mine) & gate.tiles:
                        open_tiles |= gate.thick
    return open_tiles


def can_act(ground: Ground, men: Men, reserve: int, to: int, gate: int) -> bool:
    """Whether the player has a Move or a Muster; `gate` = where the first piece is still to be placed, else 0."""
    empty = ~sum(men)
    if gate:
        return ground.gates[gate - 1].tiles & empty != 0
    left, reach = men[to], ground.reach
    while left:  # as `bits`, without its cost: mostly the first piece can move
        low = left & -left
        if reach[low.bit_length() - 1] & empty:
            return True
        left ^= low
    return reserve > 0 and muster_tiles(ground, men, to) & empty != 0


def _counted(reach: tuple[int, ...], tiles: int) -> tuple[int, int, int]:
    """What at least one, two, three of the pieces on these tiles reach."""
    once = twice = thrice = 0
    while tiles:  # as `bits`, without its cost: this loop is half of what a turn takes
        low = tiles & -tiles
        tiles ^= low
        near = reach[low.bit_length() - 1]
        thrice |= twice & near
        twice |= once & near
        once |= near
    return once, twice, thrice


def _garrisons(ground: Ground, mine: int) -> tuple[int, int]:
    """The tiles of a player's Garrisons, and their Moats."""
    held = moats = 0
    for star in ground.stars:
        if mine & star.tiles == star.tiles:
            held |= star.tiles
            moats |= star.moat
    return held, moats


def _together(maps: Iterable[Sources]) -> Attack:
    """What several players attack."""
    thin = one = two = 0
    for theirs in maps:
        their_thin, their_one, their_two = theirs.attack
        thin |= their_thin
        two |= their_two | one & their_one
        one |= their_one
    return Attack(thin, one, two)
