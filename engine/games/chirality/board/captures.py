"""Captures: what falls at the end of a turn, all at once, and what attacks a tile."""

from collections.abc import Callable, Iterable
from typing import TypeAlias

from engine.games.chirality.board.attack import Sources
from engine.games.chirality.board.rosette import Rosette

Men: TypeAlias = tuple[int, ...]
"""Of each player: the tiles where the pieces stand."""


def resolved(board: Rosette, men: Men, to: int) -> Men:
    """Who stands where after all captures that follow from an action of player `to`."""
    throne = board.throne
    if men[to] & throne == throne:  # 14.2: the game is won before anything is captured
        return men
    if len(men) == 2:  # as below, but simpler: there is no third player whose pieces could help anybody
        red, blue = men
        reds, blues = board.sources[red], board.sources[blue]
        return (red ^ reds.exposed & blues.threat, blue ^ blues.exposed & reds.threat)
    maps = [board.sources[tiles] for tiles in men]
    threat, threat_of_two, _ = _layers([own.threat for own in maps])
    _, two, three = _layers([own.once for own in maps])
    return tuple(
        [
            tiles ^ own.exposed & (threat_of_two | threat & ~own.threat | three | two & ~own.once)
            for tiles, own in zip(men, maps, strict=True)
        ]
    )


def resolver(board: Rosette, men: Men, to: int) -> Callable[[int, int], Men]:
    """As `resolved`, for many actions of player `to`: maps the position before a turn once.

    The action takes the piece from one tile (-1: none) and sets it on another (-1: none). The attack map is kept as
    "at least one, two, three sources here", so that a single piece can be lifted out of it and put back elsewhere.
    """
    reach, throne, stars_of, sources = board.reach, board.throne, board.stars_of, board.sources
    base = men[to]
    own = sources[base]
    base_once, base_twice, base_thrice, base_held, base_moats = own.once, own.twice, own.thrice(), own.held, own.moats
    maps = [(player, sources[tiles]) for player, tiles in enumerate(men) if player != to and tiles]
    others, _ = _together(theirs for _, theirs in maps)
    enemies = [
        (player, men[player], own.exposed, *_together(theirs for other, theirs in maps if other != player))
        for player, own in maps
    ]

    def after(gone: int, came: int) -> Men:
        mine, held, moats = base, base_held, base_moats
        once, twice = base_once, base_twice
        if gone >= 0:
            bit, near = 1 << gone, reach[gone]
            mine ^= bit
            once, twice = once & ~near | twice, twice & ~near | base_thrice
            if held & bit:
                held, moats = sources.garrisons(mine)
        if came >= 0:
            near = reach[came]
            mine |= 1 << came
            once, twice = once | near, twice | once & near
            for star in stars_of[came]:
                if mine & star.tiles == star.tiles:
                    held |= star.tiles
                    moats |= star.moat
        left = list(men)
        left[to] = mine
        if mine & throne == throne:  # as in `resolved`
            return tuple(left)
        left[to] = mine & ~(others & ~held)
        threat = sources.threat(once, twice, moats)
        for player, tiles, exposed, third, third_once in enemies:
            left[player] = tiles ^ exposed & (threat | third | once & third_once)
        return tuple(left)

    return after


def attackers(board: Rosette, men: Men, tile: int, player: int) -> int:
    """The pieces of others that attack a tile, where a piece of `player` stands or might."""
    found = 0
    near = board.edge[tile] | board.corner[tile]
    for other, tiles in enumerate(men):
        if other == player:
            continue
        if board.thick >> tile & 1:
            found |= tiles & near & board.thin
            continue
        found |= tiles & board.edge[tile] & board.thick
        for star in board.stars:
            if star.moat >> tile & 1 and tiles & star.tiles == star.tiles:
                found |= star.tiles & near
    return found


def _layers(sets: Iterable[int]) -> tuple[int, int, int]:
    """What lies in at least one, two, three of these sets of tiles."""
    once = twice = thrice = 0
    for tiles in sets:
        thrice |= twice & tiles
        twice |= once & tiles
        once |= tiles
    return once, twice, thrice


def _together(maps: Iterable[Sources]) -> tuple[int, int]:
    """Where a piece falls to several players, and what at least one of their pieces attacks."""
    threat = once = 0
    for theirs in maps:
        threat |= theirs.threat | once & theirs.once
        once |= theirs.once
    return threat, once
