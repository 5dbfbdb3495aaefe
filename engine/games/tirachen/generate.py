"""Every turn that a side can make in Tirachen, and where its pieces can go or be brought."""

from collections.abc import Iterator
from functools import cache

from engine.game import Move, Turn
from engine.games.tirachen.board import AREA, BESIDE, BIT, FULL, HOME, LEAP, REACH, SITES, span, squares
from engine.games.tirachen.notation import MOBILIZE
from engine.games.tirachen.position import NEUTRAL, POOL_SLOT, Position, kind_of, letter, own, winner
from engine.games.tirachen.rules import QUIET_LIMIT
from engine.geometry.move_table import MoveTable, move_tables


def turns(position: Position) -> list[Turn]:
    """Every tenable turn; none once the game is over."""
    if winner(position) is not None or position.quiet >= QUIET_LIMIT:
        return []
    board, mover = position.board, position.mover
    traitor = prey(board, mover)
    found: list[Turn] = []
    for square, targets in moves(position):
        for part, moved in _moves_of(board[square], square):
            found += moved[targets & part]
        if traitor >= 0 and targets & BIT[traitor]:
            turned = turning(board[square], square, traitor)
            found.append((turned,))
            leaping = extra(position, square, traitor)
            for part, leaps in _moves_of(NEUTRAL, traitor):
                found += [(turned, leap) for (leap,) in leaps[leaping & part]]
    for kind, targets in placements(position):
        for part, placed in _placings_of(kind):
            found += placed[targets & part]
    if not position.mobilized[mover]:
        found.append(MOBILIZE)
    return found


def moves(position: Position) -> Iterator[tuple[int, int]]:
    """Each piece that can move, and the squares that it can end on."""
    board, mover = position.board, position.mover
    mine = own(board, mover)
    foes = foes_of(board, mover)
    occupied = mine | foes
    limit = _limit(position) & ~mine
    for square in squares(mine if position.mobilized[mover] else mine & AREA[mover]):
        targets = REACH[board[square]](square, occupied, foes) & limit
        if targets:
            yield square, targets


def placements(position: Position) -> Iterator[tuple[str, int]]:
    """Each kind that can be brought, and the squares that it can be brought to."""
    board, mover = position.board, position.mover
    pool = position.pools[mover]
    if not any(pool):
        return
    vacant = FULL & ~(own(board, mover) | foes_of(board, mover))
    for kind, slot in POOL_SLOT.items():
        if pool[slot]:
            targets = vacant & bringing(position, kind)
            if targets:
                yield kind, targets


def bringing(position: Position, kind: str) -> int:
    """Where a piece of this kind may be brought, whatever stands there."""
    mover = position.mover
    return AREA[mover] if kind == "F" or not position.mobilized[mover] else HOME[mover]


def _limit(position: Position) -> int:
    """The squares on which a move may end, whoever stands there."""
    zone = fort_zone(position.board, 1 - position.mover)
    return ~zone & (FULL if position.mobilized[position.mover] else AREA[position.mover])


def extra(position: Position, captor: int, traitor: int) -> int:
    """Where the traitor may go at once after this captor was given up for it."""
    if kind_of(position.board[captor]) == "G":
        return 0
    mine = own(position.board, position.mover) & ~BIT[captor]
    return LEAP[traitor] & ~mine & _limit(position)


def foes_of(board: bytes, side: int) -> int:
    """What a side can capture: the other side's pieces and the traitor while it is nobody's."""
    foes = own(board, 1 - side)
    neutral = board.find(NEUTRAL)
    return foes if neutral < 0 else foes | BIT[neutral]


def prey(board: bytes, side: int) -> int:
    """Where the traitor stands, if this side could turn it; else -1."""
    return max(board.find(NEUTRAL), board.find(letter("T", 1 - side)))


def fort_zone(board: bytes, side: int) -> int:
    """The squares around a side's fort."""
    fort = board.find(letter("F", side))
    return 0 if fort < 0 else BESIDE[fort]


@cache
def _moves_of(byte: int, square: int) -> tuple[tuple[int, MoveTable[Turn]], ...]:
    """Where a piece could ever go, part by part, and its moves there."""
    kind = kind_of(byte)
    return move_tables(
        {BIT[end]: (Move("move", kind, SITES[square], SITES[end]),) for end in squares(span(kind, square))}
    )


@cache
def _placings_of(kind: str) -> tuple[tuple[int, MoveTable[Turn]], ...]:
    """Where pieces are brought, part by part, and the turns that bring one of this kind."""
    return move_tables({BIT[end]: (Move("place", kind, "", SITES[end]),) for end in squares(AREA[0] | AREA[1])})


@cache
def turning(byte: int, square: int, traitor: int) -> Move:
    """The first part of a turn that gives a piece up for the traitor."""
    return Move("turn", kind_of(byte), SITES[square], SITES[traitor])
