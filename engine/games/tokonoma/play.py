"""What a turn of Tokonoma does, tenable or not, what a penalty takes, and when the game is over."""

from engine.game import Move, Outcome, Turn
from engine.games.tokonoma.attack import cleared, put, struck
from engine.games.tokonoma.board import BITS, OPPONENT
from engine.games.tokonoma.generate import can_move
from engine.games.tokonoma.notation import PASS, able
from engine.games.tokonoma.position import Position, captor, occupied
from engine.games.tokonoma.rules import HOUSE, KINDS, QUIET, QUIET_LIMIT, REPETITION, STALEMATE


def play(position: Position, turn: Turn) -> Position:
    """The position after a turn and the attack that follows it."""
    own, enemy = position.armies()
    landed, flat_moved = 0, False
    for move in turn:
        own = put(own, move)
        landed, flat_moved = BITS[move.target], move.piece == "F"
    left = cleared(enemy, landed | struck(own, position.to_move))
    quiet = 0 if flat_moved or left != enemy else position.quiet + 1
    white, black = (own, left) if position.to_move == "W" else (left, own)
    return Position(white, black, OPPONENT[position.to_move], quiet)


def outcome(position: Position, seen: int) -> Outcome | None:
    """The end of the game, in the order in which endings count."""
    winner = captor(position)
    if winner:
        return Outcome(HOUSE, frozenset({winner}))
    if not can_move(position):
        return Outcome(STALEMATE, frozenset({OPPONENT[position.to_move]}))
    if seen >= 3:
        return Outcome(REPETITION, frozenset(OPPONENT))
    if position.quiet >= QUIET_LIMIT:
        return Outcome(QUIET, frozenset(OPPONENT))
    return None


def pass_turn(position: Position) -> Position:
    """The position with the other side to move."""
    return position._replace(to_move=OPPONENT[position.to_move])


def remove_piece(position: Position, move: Move) -> Position:
    """The position without the piece that a move would have moved."""
    if move == PASS:
        return position
    own, enemy = position.armies()
    lifted = {move.piece: BITS[move.origin]}
    own = tuple(standing & ~lifted.get(kind, 0) for kind, standing in zip(KINDS, own, strict=True))
    white, black = (own, enemy) if position.to_move == "W" else (enemy, own)
    return position._replace(white=white, black=black)


def short(turn: Turn, position: Position) -> str:
    """The short notation of a tenable turn: `Aa3`, `Fb2*`, `Fc1#`.

    Not for a turn that may yet be called out: what it leaves away tells which moves are tenable.
    """
    (move,) = turn
    origin = move.origin if len(able(position, move.piece, move.target)) > 1 else ""
    after = play(position, turn)
    emptied = occupied(position.armies()[1]) & ~occupied(after.armies()[0])
    end = outcome(after, 1)
    won = end is not None and end.winners == {position.to_move}
    return f"{move.piece}{origin}{move.target}{'*' * emptied.bit_count()}{'#' * won}"
