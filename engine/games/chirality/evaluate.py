"""How well a player stands in Chirality: pieces, the way to the Throne, and whether the reserve can come."""

from functools import cache

from engine.appraisal import Level
from engine.board import Side
from engine.games.chirality.actions import muster_tiles
from engine.games.chirality.board.rosette import Rosette, bits
from engine.games.chirality.position import SIDES, Position

MAN = 100
RESERVE, STUCK_RESERVE = 80, 10
"""A piece in reserve, and one that no Gate lets in."""
THRONE = (0, 25, 60, 110, 200, 2_000)
"""By how many tiles of the Throne are held."""
NEARER = 4
"""What each step towards the Throne is worth."""
FAR = 8
GAP = 8
"""What each step costs that the nearest other piece is away from an open tile of the Throne."""
MOST = 1 << 13
"""Sets of pieces whose worth is remembered at a time."""
GARRISON = 40

LEVELS = (
    Level(1, noise=150, blunders=30),
    Level(40, noise=80, blunders=15),
    Level(1_000, noise=10, hasty=36),
    Level(1_500, hasty=22),
    Level(2_500, hasty=10),
    Level(4_000),
)
"""More nodes alone make hardly stronger play here, and a turn at random seldom harms: so the lower levels are hasty."""


def evaluate(position: Position, side: Side) -> int:
    """Own points less those of the strongest opponent who is still in."""
    player = SIDES.index(side)
    others = [_points(position, other) for other in position.left() if other != player]
    own = 0 if position.out >> player & 1 else _points(position, player)
    return own - max(others, default=0)


def _points(position: Position, player: int) -> int:
    board, men, left = position.board, position.men, position.reserves[player]
    points = standings(board)[men[player]]
    if not left:
        return points
    comes = bool(position.gates and position.gates[player]) or muster_tiles(board, men, player)
    return points + left * (RESERVE if comes else STUCK_RESERVE)


class Standings(dict[int, int]):
    """What one player's pieces are worth where they stand, by the set of their tiles: the same sets come again and
    again, for a turn moves a piece or two of one player."""

    def __init__(self, board: Rosette) -> None:
        super().__init__()
        self._board = board
        self._near = _nearness(board)
        self._around = tuple((1 << tile, _around(board, tile)) for tile in bits(board.throne))

    def __missing__(self, men: int) -> int:
        board, near = self._board, self._near
        points = MAN * men.bit_count() + THRONE[(men & board.throne).bit_count()]
        points += sum([near[tile] for tile in bits(men)])
        points -= GAP * self._gaps(men)
        points += GARRISON * sum([men & star.tiles == star.tiles for star in board.stars])
        if len(self) >= MOST:
            self.clear()
        self[men] = points
        return points

    def _gaps(self, men: int) -> int:
        """How far the nearest pieces are from each open tile of the Throne, in steps from there, added up."""
        coming = men & ~self._board.throne
        return sum(
            [
                next((steps for steps, tiles in enumerate(around) if tiles & coming), FAR)
                for tile, around in self._around
                if not men & tile
            ]
        )


@cache
def standings(board: Rosette) -> Standings:
    """What is remembered of a board."""
    return Standings(board)


def _nearness(board: Rosette) -> tuple[int, ...]:
    """What standing on each tile is worth for its distance from the Throne, in the steps of a piece that leaves it: the
    way back is longer or shorter by a corner, and counting that instead has won no more matches."""
    steps, edge = dict.fromkeys(bits(board.throne), 0), board.throne
    for distance in range(1, FAR):
        beyond = 0
        for tile in bits(edge):
            beyond |= board.reach[tile]
        edge = sum(1 << tile for tile in bits(beyond) if tile not in steps)
        steps |= dict.fromkeys(bits(edge), distance)
    return tuple(NEARER * (FAR - steps.get(tile, FAR)) for tile in range(len(board.names)))


def _around(board: Rosette, tile: int) -> tuple[int, ...]:
    """The tiles to which a piece comes from this one in no step, one, two …, as if nobody stood in its way."""
    found = [seen := 1 << tile]
    while len(found) < FAR:
        beyond = 0
        for near in bits(found[-1]):
            beyond |= board.reach[near]
        found.append(beyond & ~seen)
        seen |= beyond
    return tuple(found)
