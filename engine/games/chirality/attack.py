"""What pieces of Chirality attack, counted once for every set of pieces and remembered."""

from collections.abc import Iterable
from typing import NamedTuple

MOST = 1 << 13
"""Sets of pieces to remember: a few long matches of them, in some 4 MB."""


class Sources(NamedTuple):
    """What one player's pieces attack, and which of them can be captured at all."""

    once: int
    """Tiles that at least one piece attacks."""
    twice: int
    thrice: int
    held: int
    """The tiles of the player's Garrisons."""
    moats: int
    threat: int
    """Tiles where whoever stands falls to this player alone."""
    exposed: int
    """Those of the player's own pieces that no Garrison keeps safe."""


class Attacks(dict[int, Sources]):
    """The sources of one player, by the tiles where the pieces stand; in a turn only one player's pieces move."""

    def __init__(self, reach: tuple[int, ...], weak: int, stars: Iterable[tuple[int, int]]):
        self._reach = reach
        self._weak = weak
        self._stars = tuple(stars)

    def __missing__(self, mine: int) -> Sources:
        if len(self) >= MOST:
            self.clear()
        reach, left, near = self._reach, mine, []
        while left:  # as `bits`, without its cost
            low = left & -left
            near.append(reach[low.bit_length() - 1])
            left ^= low
        once, twice, thrice = layers(near)
        held, moats = self.garrisons(mine)
        found = self[mine] = Sources(
            once, twice, thrice, held, moats, self.threat(once, twice, moats), mine & ~held
        )
        return found

    def threat(self, once: int, twice: int, moats: int) -> int:
        """Where a piece falls: one source does for a Thin, and on the Throne; it takes two for other Thicks."""
        return moats | twice | once & self._weak

    def garrisons(self, mine: int) -> tuple[int, int]:
        """The tiles of a player's Garrisons, and their Moats."""
        held = moats = 0
        for star, moat in self._stars:
            if mine & star == star:
                held |= star
                moats |= moat
        return held, moats


def layers(sets: Iterable[int]) -> tuple[int, int, int]:
    """What lies in at least one, two, three of these sets of tiles."""
    once = twice = thrice = 0
    for tiles in sets:
        thrice |= twice & tiles
        twice |= once & tiles
        once |= tiles
    return once, twice, thrice
