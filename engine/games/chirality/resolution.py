"""What follows from an action: Garrisons, the attack map, all captures at once, and who is left to act."""

from collections.abc import Callable, Iterable

from engine.games.chirality.ground import Ground, bits

Men = tuple[int, ...]
"""Of each player: the tiles where the pieces stand."""


def resolver(ground: Ground, men: Men, to: int) -> Callable[[int, int], Men]:
    """Maps the position before a turn once, and then tells for any action of player `to` what stands after it.

    The action takes the piece from one tile (-1: none) and sets it on another (-1: none). The attack map is kept as
    "at least one, two, three sources here", so that a single piece can be lifted out of it and put back elsewhere.
    """
    reach, thick, throne, stars_of = ground.reach, ground.thick, ground.throne, ground.stars_of
    base = men[to]
    on_thin, on_thin_twice, on_thick, on_thick_twice, on_thick_thrice = _sources(ground, base)
    base_held, base_moats = garrisons(ground, base)
    enemies = []
    others_on_thin = others_on_thick = others_on_thick_twice = 0
    maps = {player: _sources(ground, tiles) for player, tiles in enumerate(men) if player != to and tiles}
    forts = {player: garrisons(ground, men[player]) for player in maps}
    for player, (thin, _, one, two, _) in maps.items():
        others_on_thin |= thin | forts[player][1]
        others_on_thick_twice |= two | others_on_thick & one
        others_on_thick |= one
        third = third_one = third_two = 0  # what the other enemies of this enemy attack, whoever moves
        for other in maps.keys() - {player}:
            third |= maps[other][0] | forts[other][1]
            third_two |= maps[other][3] | third_one & maps[other][2]
            third_one |= maps[other][2]
        enemies.append((player, men[player], forts[player][0], third, third_one, third_two))
    threatened = others_on_thick_twice | others_on_thick & throne

    def after(gone: int, came: int) -> Men:
        mine, held, moats = base, base_held, base_moats
        thin, one, two = on_thin, on_thick, on_thick_twice
        if gone >= 0:
            bit, near = 1 << gone, reach[gone]
            mine ^= bit
            if not thick & bit:
                one, two = one & ~near | two, two & ~near | on_thick_thrice
            else:
                thin = thin & ~near | on_thin_twice
                if held & bit:
                    held, moats = garrisons(ground, mine)
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
        if mine & throne == throne:  # 14.2: the game is won before anything is captured
            left[to] = mine
            return tuple(left)
        left[to] = mine & ~(others_on_thin | threatened & ~held)
        thin |= moats
        for player, tiles, safe, third, third_one, third_two in enemies:
            twice = two | third_two | one & third_one | (one | third_one) & throne
            left[player] = tiles & ~(thin | third | twice & ~safe)
        return tuple(left)

    return after


def garrisons(ground: Ground, mine: int) -> tuple[int, int]:
    """The tiles of a player's Garrisons, and their Moats."""
    held = moats = 0
    for star in ground.stars:
        if mine & star.tiles == star.tiles:
            held |= star.tiles
            moats |= star.moat
    return held, moats


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
    for star, gates in ground.remote.items():
        if mine & star.tiles == star.tiles:
            for gate in gates:
                if not (everyone ^ mine) & gate.tiles:
                    open_tiles |= gate.thick
    return open_tiles


def can_act(ground: Ground, men: Men, reserve: int, to: int, gate: int) -> bool:
    """Whether the player has a Move or a Muster; `gate` = where the first piece is still to be placed, else 0."""
    everyone = sum(men)
    if gate:
        return ground.gates[gate - 1].tiles & ~everyone != 0
    if any(ground.reach[tile] & ~everyone for tile in bits(men[to])):
        return True
    return reserve > 0 and muster_tiles(ground, men, to) & ~everyone != 0


def _sources(ground: Ground, mine: int) -> tuple[int, int, int, int, int]:
    """What a player's pieces attack: Thins by one, by two; Thicks by one, two, three."""
    reach = ground.reach
    thin, thin_twice = _counted(reach[tile] for tile in bits(mine & ground.thick))[:2]
    return thin, thin_twice, *_counted(reach[tile] for tile in bits(mine & ground.thin))


def _counted(sets: Iterable[int]) -> tuple[int, int, int]:
    """What is in at least one, two, three of the sets."""
    once = twice = thrice = 0
    for members in sets:
        thrice |= twice & members
        twice |= once & members
        once |= members
    return once, twice, thrice
