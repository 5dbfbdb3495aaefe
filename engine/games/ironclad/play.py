"""An action of Ironclad carried out, the die of its shots, what penalties leave, and the game's end."""

from dataclasses import replace

from engine.dice import Dice
from engine.game import Outcome, Penalty
from engine.games.ironclad.action import Action, Turn
from engine.games.ironclad.board import BIT, INDEX
from engine.games.ironclad.generate import can_use_robots, can_use_stones
from engine.games.ironclad.position import NAMES, QUIET_LIMIT, SIDES, Position, Squad, cover, owner_of, winner
from engine.games.ironclad.rules import FORFEIT, QUIET, REPETITION
from engine.text import Text


def play(position: Position, turn: Turn) -> Position:
    """The position after an action, tenable or not."""
    (move,) = turn
    squads, stones, last, loud = position.squads, position.stones, position.last, False
    half = move.half
    if move.verb == "swap":
        return position._replace(stones=(stones[1], stones[0]), owner=1 - position.owner, swap="")
    if move.verb == "fire":
        loud = destroys(position, move)
        squads = _lifted(squads, INDEX[move.target]) if loud else squads
    elif half == "robots":
        squads = _marched(squads, INDEX[move.origin], INDEX[move.target])
    else:
        stones, last = _laid(position, move)
        loud = move.verb == "place"
    quiet = 0 if loud else position.quiet
    if not position.half and not position.discourse:
        waiting = Position(squads, stones, last, False, position.owner, half, quiet)
        if half == "robots" or can_use_robots(waiting):
            return waiting
    swap = "now" if position.swap == "later" else ""
    passed = Position(squads, stones, last, position.discourse, 1 - position.owner, "", quiet, swap)
    return passed if loud or not _is_quiet(position, passed, half) else passed._replace(quiet=quiet + 1)


def _is_quiet(before: Position, after: Position, half: str) -> bool:
    """Whether a turn counts as quiet, once its last half has been neither a placement nor a robot's end.

    We read: a turn that wins by a robot or a string is no quiet one. And since a position does not tell what the first
    half of a turn was, the count starts from 0 on what is likelier: stones were placed, but robots destroyed nothing.
    """
    unknown = not before.quiet and before.half == "stones" and half == "robots"
    return not unknown and winner(after) is None


def destroys(position: Position, shot: Action) -> bool:
    """Whether a shot, once its die is thrown, destroys its target."""
    covered = cover(position, INDEX[shot.target])
    return not covered or shot.roll > covered


def _lifted(squads: tuple[Squad, Squad], square: int) -> tuple[Squad, Squad]:
    """The robots without the one on a square."""
    keep = ~BIT[square]
    (a, b, c), (d, e, f) = squads
    return ((a & keep, b & keep, c & keep), (d & keep, e & keep, f & keep))


def _marched(squads: tuple[Squad, Squad], origin: int, target: int) -> tuple[Squad, Squad]:
    """The robots after one has gone from here to there, over whatever stood there."""
    start, end = BIT[origin], BIT[target]
    keep = ~(start | end)

    def marched(squad: Squad) -> Squad:
        ones, twos, threes = squad
        return (
            ones & keep | (end if ones & start else 0),
            twos & keep | (end if twos & start else 0),
            threes & keep | (end if threes & start else 0),
        )

    return (marched(squads[0]), marched(squads[1]))


def _laid(position: Position, move: Action) -> tuple[tuple[int, int], int]:
    """The stones after one was placed or slid, and which was slid last."""
    target = INDEX[move.target]
    colour, last, gone = position.owner, position.last, BIT[target]
    if move.origin:
        origin = INDEX[move.origin]
        colour, last, gone = int(bool(position.stones[1] & BIT[origin])), target, gone | BIT[origin]
    elif last == target:
        last = -1
    white, black = position.stones
    white, black = white & ~gone, black & ~gone
    return ((white, black | BIT[target]) if colour else (white | BIT[target], black)), last


def outcome(position: Position, seen: int) -> Outcome | None:
    """The end of the game, in the order in which endings count."""
    won = winner(position)
    if won is not None:
        rule, side = won
        return Outcome(rule, frozenset((SIDES[side],)))
    helpless = position.half != "stones" and not can_use_stones(position)
    if helpless and (position.half or not can_use_robots(position)):
        return Outcome(FORFEIT, frozenset((SIDES[1 - position.owner],)))
    if position.quiet >= QUIET_LIMIT:
        return Outcome(QUIET, frozenset(SIDES))
    if seen >= 3:
        return Outcome(REPETITION, frozenset(SIDES))
    return None


# --- luck -------------------------------------------------------------------------------------------------


def roll(position: Position, turn: Turn, dice: Dice) -> Turn:
    """A shot with its die thrown, where cover makes one due."""
    (move,) = turn
    if move.verb != "fire":
        return turn
    return (replace(move, roll=dice.roll(6) + 1 if cover(position, INDEX[move.target]) else 0),)


def chances(position: Position, turn: Turn) -> tuple[tuple[int, Turn], ...]:
    """What the die can make of a shot: it strikes by any number above the cover."""
    (move,) = turn
    covered = cover(position, INDEX[move.target]) if move.verb == "fire" else 0
    if not covered:
        return ((1, turn),)
    return ((_FACES - covered, (replace(move, roll=_FACES),)), (covered, (replace(move, roll=1),)))


def describe_luck(turn: Turn, position: Position) -> tuple[Text, ...]:
    """What the die has decided."""
    (move,) = turn
    if not move.roll:
        return ()
    covered = cover(position, INDEX[move.target])
    if destroys(position, move):
        falls = Text(
            "The die shows {roll} against a cover of {cover}: the robot on {place} falls.",
            roll=move.roll,
            cover=covered,
            place=move.target,
        )
        return (falls,)
    return (Text("The die shows {roll} against a cover of {cover}: the shot is lost.", roll=move.roll, cover=covered),)


def rolls(turn: Turn) -> str:
    """The roll that a turn records."""
    return " ".join(str(move.roll) for move in turn if move.roll)


_FACES = 6


# --- penalties --------------------------------------------------------------------------------------------


def pass_turn(position: Position) -> Position:
    """The turn passed on. We read: a half that was misplayed for the owner is lost, and the owner's turn ends.

    A lost second turn was the one that could have been a swap; a lost first turn is not the first one yet.
    """
    swap = "later" if position.swap == "later" else ""
    return position._replace(owner=1 - position.owner, half="", swap=swap)


def remove_piece(position: Position, move: Action) -> Position:
    """The position without the piece that a move would have moved.

    We read: only a piece of the offender's own is a price; robots and stones of the other side stay.
    """
    offender = position.actor
    if not move.origin:
        return position
    origin = INDEX[move.origin]
    if move.verb == "robot":
        mine = owner_of(position, origin) == offender
        return position._replace(squads=_lifted(position.squads, origin)) if mine else position
    if not position.stones[offender] & BIT[origin]:
        return position
    stones = [standing & ~BIT[origin] for standing in position.stones]
    last = -1 if position.last == origin else position.last
    return position._replace(stones=(stones[0], stones[1]), last=last)


def penalty_text(before: Position, turn: Turn, penalty: Penalty) -> Text | None:
    """What a half that was misplayed for the owner costs; None where the turn was the offender's own."""
    if not before.half or penalty not in ("turn", "piece"):
        return None
    owner = NAMES[before.owner]
    if penalty == "piece" and remove_piece(before, turn[0]) != before:
        return Text("The half is taken back and lost, the piece with it; {side}'s turn is over.", side=owner)
    return Text("The half is taken back and lost; {side}'s turn is over.", side=owner)
