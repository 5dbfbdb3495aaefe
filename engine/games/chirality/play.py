"""A turn of Chirality carried out: the action, captures, who is next; what penalties leave; and the game's end."""

from engine.board import Side
from engine.game import Move, Outcome, Penalty, Turn
from engine.games.chirality.actions import can_act
from engine.games.chirality.board.captures import Men, resolved
from engine.games.chirality.board.rosette import Rosette
from engine.games.chirality.position import NAMES, QUIET_TURNS, SIDES, Position
from engine.games.chirality.rules import ALL_OUT, ELIMINATION, NO_ACTION, QUIET, THIRD_TIME, THRONE_WIN
from engine.text import Text

OCCURRENCES = 3
ROUND = [[[(to + step) % players for step in range(1, players + 1)] for to in range(players)] for players in range(6)]
"""By the number of players and who acted: all in the order in which they act next."""


def acted(position: Position, turn: Turn) -> tuple[Men, Men]:
    """Who stands where once the action is done, and again once all captures are.

    We read: a tile holds one piece, so whoever untenably enters an occupied one takes off what stood there.
    """
    board, to, stood = position.board, position.to, list(position.men)
    for action in turn:
        came = board.bit[action.target]
        gone = board.bit[action.origin] if action.verb == "move" else 0
        if sum(stood) & came:
            stood = [tiles & ~came for tiles in stood]
        stood[to] = stood[to] & ~gone | came
    men = tuple(stood)
    return men, resolved(board, men, to)


def play(position: Position, turn: Turn) -> Position:
    """The position after a turn, tenable or not: the action as written, then captures, then who is next."""
    return followed(position, acted(position, turn)[1], mustered=bool(turn) and turn[0].verb == "muster")


def pass_turn(position: Position) -> Position:
    """The position with the turn taken from the player to act."""
    return followed(position, position.men, mustered=None)


def remove_piece(position: Position, move: Move) -> Position:
    """The position without the piece that a move would have moved, on the board or in reserve."""
    if move.verb == "move":
        bit = position.board.bit[move.origin]
        men = tuple(tiles & ~bit for tiles in position.men)
        return position._replace(men=men)
    return position._replace(reserves=_less(position.reserves, position.to, int(move.verb == "muster")))


def remove_player(position: Position, player: int) -> Position:
    """The position after a player has left the game with all pieces."""
    gates = _set(position.gates, player, 0) if position.gates else ()
    after = position._replace(
        men=_set(position.men, player, 0),
        out=position.out | 1 << player,
        quiet=None if position.quiet is None else 0,
        gates=gates if any(gates) else (),
    )
    return pass_turn(after) if player == position.to else after


def playing(position: Position) -> tuple[Side, ...]:
    """The sides that are still in."""
    return tuple(SIDES[player] for player in position.left())


def leave(position: Position, side: Side) -> Position | None:
    """We read: with three players or more, who gives up leaves the board and the others play on."""
    return remove_player(position, SIDES.index(side)) if len(position.left()) > 2 else None


def penalty_text(before: Position, penalty: Penalty) -> Text | None:
    """What sudden death costs where it does not end the game."""
    if penalty != "sudden" or len(before.left()) < 3:
        return None
    return Text("{side} is out, and the others play on.", side=NAMES[before.to])


def outcome(position: Position, seen: int) -> Outcome | None:
    """The end of the game, if this is one."""
    end = decided(position)
    if end is not None:
        return end
    left = position.left()
    if is_stuck(position):
        if len(left) == 2:
            return Outcome(NO_ACTION, _sides(left) - {SIDES[position.to]})
        return outcome(remove_player(position, position.to), seen)
    if seen >= OCCURRENCES:
        return Outcome(THIRD_TIME, _sides(left))
    return Outcome(QUIET, _sides(left)) if is_quiet(position) else None


def decided(position: Position) -> Outcome | None:
    """Who has won by the Throne or as the last one in, or who fell together."""
    men, throne = position.men, position.board.throne
    if sum(men) & throne == throne:
        for player, tiles in enumerate(men):
            if tiles & throne == throne:
                return Outcome(THRONE_WIN, _sides((player,)))
    if 0 not in men:
        return None
    left = position.left()
    alive = tuple(player for player in left if men[player] or position.reserves[player])
    if not alive:
        return Outcome(ALL_OUT, _sides(left or tuple(range(len(men)))))
    if len(alive) > 1:
        return None
    # Nobody falls to captures with reserves left: if all the others have some, the last one had no action.
    stuck = all(reserve for player, reserve in enumerate(position.reserves) if player not in alive)
    return Outcome(NO_ACTION if stuck else ELIMINATION, _sides(alive))


def is_stuck(position: Position) -> bool:
    """Whether the player to act has no action: only where somebody wrote the position, for a turn passes such by."""
    board, men, to, reserve = position.board, position.men, position.to, position.reserves[position.to]
    return not can_act(board, men, position.empty(), to, reserve, gate=position.gate())


def is_quiet(position: Position) -> bool:
    """Whether nothing was captured or mustered for so long that it is a draw."""
    left = len(position.men) - position.out.bit_count()
    return position.quiet is not None and position.quiet >= QUIET_TURNS * left


def followed(before: Position, men: Men, *, mustered: bool | None) -> Position:
    """The position after captures, once whoever is eliminated or cannot act is out, and the next player is found.

    `mustered` is None where no turn was made at all.
    """
    board, _, reserves, to, were_out, quiet, gates = before
    if mustered:
        reserves, gates = _less(reserves, to, 1), _less(gates, to, before.gate())
    out = were_out
    if 0 in men and not _holds_throne(board, men[to]):
        out |= sum([1 << player for player, tiles in enumerate(men) if not (tiles or reserves[player])])
    empty = board.all ^ sum(men)
    for player in ROUND[len(men)][to]:
        if out >> player & 1:
            continue
        if (  # first what nearly always holds
            can_act(board, men, empty, player, reserves[player], gate=gates[player] if gates else 0)
            or out | 1 << player == (1 << len(men)) - 1
            or _holds_throne(board, men[to])
        ):
            to = player
            break
        out |= 1 << player
        empty |= men[player]
        men = _set(men, player, 0)
    else:  # those who fall together share the draw: who was out before does not
        out = were_out or out
    if quiet is not None:
        if mustered or out != were_out or empty.bit_count() > before.empty().bit_count():
            quiet = 0
        elif mustered is not None:
            quiet += 1
    if gates and not any(gates):
        gates = ()
    return Position._make((board, men, reserves, to, out, quiet, gates))  # takes half the time of `Position`


def _holds_throne(board: Rosette, tiles: int) -> bool:
    return tiles & board.throne == board.throne


def _less(numbers: tuple[int, ...], player: int, by: int) -> tuple[int, ...]:
    """The numbers with the player's one lowered, never below 0."""
    return _set(numbers, player, max(numbers[player] - by, 0)) if by else numbers


def _set(numbers: tuple[int, ...], player: int, number: int) -> tuple[int, ...]:
    return (*numbers[:player], number, *numbers[player + 1 :])


def _sides(players: tuple[int, ...]) -> frozenset[Side]:
    return frozenset(SIDES[player] for player in players)
