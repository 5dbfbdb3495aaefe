"""How well a side stands in Tirachen: what it has and where, and which turns deserve a look while it deploys."""

from collections.abc import Iterator, Mapping
from functools import cache
from operator import getitem

from engine.appraisal import Level
from engine.board import Side
from engine.game import Turn
from engine.games.tirachen.board import HOME_SPAN, INDEX, SITES
from engine.games.tirachen.generate import turns
from engine.games.tirachen.notation import MOBILIZE
from engine.games.tirachen.position import EMPTY, NEUTRAL, SIDES, Pool, Position, kind_of, letter, owner_of

PIECES: Mapping[str, int] = {"C": 900, "A": 450, "S": 420, "W": 400, "T": 380, "F": 150, "P": 100, "G": 10_000}
IN_RESERVE = (60, 700, 120, 330)
"""A fort, a commander, a pike, a master."""
ROAMING = "CASW"
RANK, FILE = 6, 4
"""What a step forward, or towards the middle, is worth to masters and commander."""
EXPOSED = 15
"""What each rank costs that the general is out."""
OCCUPYING = (0, 60, 180, 360)
"""By how many own pieces stand in the enemy's homeland; with three the game is over."""

DEPLOYMENT = "Pe3 Pd3 Pf3 Fe2 Cd2 Ac2 Sg2 Wf2 Wb2 Sh2 Ad1 Pc3 Pg3 Sc1 Wg1 Pb3 Ph3 Af1 Pa3 Pi3"
"""Red's order of placing: pikes and fort before the general, the commander, masters behind; White's is its mirror."""
NEXT = 3
"""How many placements of that order are considered at a time."""
ENOUGH = 8
"""Placements after which mobilizing is considered."""

LEVELS = (
    Level(1, noise=120, blunders=25),
    Level(60, noise=50, blunders=12),
    Level(400, noise=20, blunders=12),
    Level(1_500, blunders=7),
    Level(5_000, blunders=3),
    Level(16_000),
)
"""Equals draw often, however far they look: so the lower levels err."""


def evaluate(position: Position, side: Side) -> int:
    """Own points less the other side's."""
    board = position.board
    (red_pool, white_pool) = position.pools
    red = sum(map(getitem, STANDING, board)) + _kept(red_pool) - _kept(white_pool)
    red += _inside(board[HOME_SPAN[1]], 0) - _inside(board[HOME_SPAN[0]], 1)
    return red if side == SIDES[0] else -red


def promise(position: Position, turn: Turn) -> int:
    """What the first part of a turn takes, the dearest first, by the cheapest."""
    move = turn[0]
    if move.verb in ("place", "mobilize"):
        return 0
    victim = position.board[INDEX[move.target]]
    return 0 if victim == EMPTY else gain(victim, move.piece)


@cache
def gain(victim: int, kind: str) -> int:
    """What it promises to take a piece, by its byte, with one of a kind."""
    return max(1, 10 * PIECES[kind_of(victim)] - PIECES[kind] // 10) if victim != NEUTRAL else 1


def likely(position: Position) -> Iterator[Turn]:
    """Every move; while a side deploys, of its placements the next ones of the order."""
    listed = turns(position)
    mover = position.mover
    if position.mobilized[mover]:
        return iter(listed)
    placing = {(turn[0].piece, turn[0].target): turn for turn in listed if turn[0].verb == "place"}
    wanted = [placing[spot] for spot in ORDER[mover] if spot in placing][:NEXT]
    rest = [turn for turn in listed if turn[0].verb not in ("place", "mobilize")]
    if is_enough(position) or not (wanted or rest):
        rest.append(MOBILIZE)
    return iter([*(wanted or list(placing.values())[:NEXT]), *rest])


def is_enough(position: Position) -> bool:
    """Whether the side to act has placed so much that mobilizing is considered."""
    return 20 - sum(position.pools[position.mover]) >= ENOUGH


@cache
def _kept(pool: Pool) -> int:
    return sum(worth * left for worth, left in zip(IN_RESERVE, pool, strict=True))


@cache
def _inside(home: bytes, side: int) -> int:
    """What it is worth to stand on a homeland."""
    return OCCUPYING[sum(owner_of(byte) == side for byte in home)]


def _standing(square: int) -> list[int]:
    """By byte: what a piece on this square is worth to Red."""
    points = [0] * 256
    file, rank = square % 9, square // 9
    for side, sign in ((0, 1), (1, -1)):
        forward = 8 - rank if side else rank
        for kind, worth in PIECES.items():
            bonus = RANK * forward + FILE * (4 - abs(file - 4)) if kind in ROAMING else 0
            out = EXPOSED * forward if kind == "G" else 0
            points[letter(kind, side)] = sign * (worth + bonus - out)
    return points


STANDING = tuple(_standing(square) for square in range(81))
"""By square, then by byte."""


def _mirrored(spot: str, side: int) -> tuple[str, str]:
    site = spot[1:]
    return spot[0], SITES[80 - INDEX[site]] if side else site


ORDER = tuple(tuple(_mirrored(spot, side) for spot in DEPLOYMENT.split()) for side in (0, 1))
"""By side: kind and square of each placement, in order."""
