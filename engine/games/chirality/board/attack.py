"""What a player's pieces attack in Chirality: counted tile by tile, and remembered for every set of pieces."""

from collections.abc import Iterable
from dataclasses import dataclass

MOST = 1 << 13
"""Sets of pieces that a board remembers at a time, in 4 MB."""
LATEST = 8
"""So many that were counted last are compared with a new one: the latest of each player, and some more."""
FEW = 4
"""In so many tiles may they differ: a move changes two, and each piece captured since then one."""


@dataclass(slots=True, eq=False)
class Sources:
    """What one player's pieces attack, and which of them can be captured at all.

    Never changed, but not frozen: to make a frozen one takes longer than to count what is in it.
    """

    mine: int
    """The tiles where the pieces stand."""
    ones: int
    """The number of pieces that attack a tile, in base two: this and the next two are its digits, for all tiles."""
    twos: int
    fours: int
    once: int
    """Tiles that at least one piece attacks."""
    twice: int
    held: int
    """The tiles of the player's Garrisons."""
    moats: int
    threat: int
    """Tiles where whoever stands falls to this player alone."""
    exposed: int
    """Those of the player's own pieces that no Garrison keeps safe."""

    def thrice(self) -> int:
        """Tiles that at least three pieces attack."""
        return self.ones & self.twos | self.fours


NOTHING = Sources(0, 0, 0, 0, 0, 0, 0, 0, 0, 0)


class Attacks(dict[int, Sources]):
    """The sources of a player, by the tiles where the pieces stand.

    A turn moves a piece or two of one player: so sets come again, and a new one is counted from one that is like it.
    """

    def __init__(self, reach: tuple[int, ...], weak: int, stars: Iterable[tuple[int, int]]):
        """`weak`: where one source takes a piece; `stars`: the tiles of each and those of its Moat."""
        self._reach = reach
        self._weak = weak
        self._stars = tuple(stars)
        self._starred = sum(star for star, _ in self._stars)
        self._latest: tuple[Sources, ...] = ()

    def __missing__(self, mine: int) -> Sources:
        for known in self._latest:
            if (known.mine ^ mine).bit_count() <= FEW:
                break
        else:
            known = NOTHING
        changed = known.mine ^ mine
        ones, twos, fours, held, moats = known.ones, known.twos, known.fours, known.held, known.moats
        if changed & self._starred:
            held, moats = self.garrisons(mine)
        reach = self._reach
        while changed:  # as `bits`, without its cost
            tile = changed.bit_length() - 1
            changed ^= 1 << tile
            near = reach[tile]
            if mine >> tile & 1:
                carried = near & ones
                fours ^= carried & twos
            else:  # a piece less: what a digit lacks is borrowed from the next
                carried = near & ~ones
                fours ^= carried & ~twos
            ones ^= near
            twos ^= carried
        twice = twos | fours
        once = ones | twice
        threat = self.threat(once, twice, moats)
        if len(self) >= MOST:
            self.clear()
        found = self[mine] = Sources(mine, ones, twos, fours, once, twice, held, moats, threat, mine & ~held)
        self._latest = (found, *self._latest[: LATEST - 1])
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
