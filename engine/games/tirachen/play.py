"""What a turn of Tirachen does, tenable or not, what a penalty takes, and when the game is over."""

from dataclasses import replace

from engine.game import Move, Outcome, Ruling, Turn
from engine.games.tirachen.board import INDEX
from engine.games.tirachen.generate import moves, placements
from engine.games.tirachen.position import EMPTY, POOL_SLOT, SIDES, Pool, Position, letter, owner_of, winner
from engine.games.tirachen.rules import QUIET, QUIET_LIMIT, REPETITION, STUCK


def play(position: Position, turn: Turn) -> Position:
    """The position after a turn, tenable or not."""
    mover = position.mover
    board = bytearray(position.board)
    pools, mobilized = position.pools, position.mobilized
    quiet = True
    for move in turn:
        if move.verb == "mobilize":
            mobilized = _with(mobilized, mover)
        elif move.verb == "place":
            quiet = False
            board[INDEX[move.target]] = letter(move.piece, mover)
            pool = spent(pools[mover], move.piece)
            pools = (pools[0], pool) if mover else (pool, pools[1])
            if not any(pool):
                mobilized = _with(mobilized, mover)
        else:
            quiet = carry(board, mover, move) and quiet
    return Position(bytes(board), pools, mobilized, 1 - mover, position.quiet + 1 if quiet else 0)


def spent(pool: Pool, kind: str) -> Pool:
    """A pool with one piece less."""
    slot = POOL_SLOT[kind]
    forts, commanders, pikes, masters = (max(0, left - (index == slot)) for index, left in enumerate(pool))
    return (forts, commanders, pikes, masters)


def _with(mobilized: tuple[bool, bool], side: int) -> tuple[bool, bool]:
    return (mobilized[0], True) if side else (True, mobilized[1])


def carry(board: bytearray, mover: int, move: Move) -> bool:
    """Move a piece on the board; whether it captured nothing."""
    origin, target = INDEX[move.origin], INDEX[move.target]
    piece, victim = board[origin], board[target]
    board[origin] = EMPTY
    if move.verb == "turn":
        board[target] = letter("T", mover)
    elif victim == letter("F", 1 - mover):
        board[target] = EMPTY
    else:
        board[target] = piece
    return victim == EMPTY


def outcome(position: Position, seen: int) -> Outcome | None:
    """The end of the game, in the order in which endings count."""
    won = winner(position)
    if won is None and _is_stuck(position):
        won = STUCK, 1 - position.mover
    if won is not None:
        rule, side = won
        return Outcome(rule, frozenset((SIDES[side],)))
    if position.quiet >= QUIET_LIMIT:
        return Outcome(QUIET, frozenset(SIDES))
    return Outcome(REPETITION, frozenset(SIDES)) if seen >= 3 else None


def _is_stuck(position: Position) -> bool:
    return (
        position.mobilized[position.mover]
        and next(moves(position), None) is None
        and next(placements(position), None) is None
    )


def remove_piece(position: Position, move: Move) -> Position:
    """The position without the piece that a move would have moved, or brought."""
    mover = position.mover
    if move.verb == "place":
        pool = spent(position.pools[mover], move.piece)
        return position._replace(pools=(position.pools[0], pool) if mover else (pool, position.pools[1]))
    if not move.origin or owner_of(position.board[INDEX[move.origin]]) != mover:
        return position
    board = bytearray(position.board)
    board[INDEX[move.origin]] = EMPTY
    return position._replace(board=bytes(board))


def pass_turn(position: Position) -> Position:
    """The position with the other side to play."""
    return position._replace(mover=1 - position.mover)


def blamed(rulings: tuple[Ruling[Move], ...], turn: Turn) -> tuple[Ruling[Move], ...]:
    """The rulings as a penalty takes them.

    We read: whatever part of the turn was wrong, the piece that it costs is the one that made it.
    """
    return tuple(replace(ruling, move=turn[0]) for ruling in rulings)
