"""Luck in Veney: sticks for a thrown Dagger, scatter for a cast piece, the Donkey's way."""

from dataclasses import replace

from engine.board import Site
from engine.dice import Dice
from engine.games.veney.action import Action, Turn
from engine.games.veney.board.squares import AHEAD, BIT, HALF, MEASURE, MEASURES, NUMBER, SQUARES, STEP, squares
from engine.games.veney.play import donkey
from engine.games.veney.play.course import walk
from engine.games.veney.play.devices import empty_after, landing, missed
from engine.games.veney.play.working_board import WorkingBoard
from engine.games.veney.position import SIDES, Position


def sticks(position: Position, board: WorkingBoard) -> int:
    """How many sticks a throw takes: two, and one more for every measure between the Selves' measures."""
    one, two = board.selves
    return 2 + abs(MEASURE[one] - MEASURE[two]) if min(one, two) >= 0 else 2


def thrown(position: Position, board: WorkingBoard, dice: Dice) -> str:
    """The throw as the match's dice decide it."""
    how = position.terms.throw
    if how not in ("sticks", "coins") and not how[1:].isdecimal():
        return ""  # decided by a guess
    if how.startswith("d") and how[1:].isdecimal():
        face = dice.roll(int(how[1:])) + 1
        return f"{'+' if face == 1 else '-'}{face}"
    return "".join(SIDES[dice.roll(2)] for _ in range(sticks(position, board)))


def roll(position: Position, turn: Turn, dice: Dice) -> Turn:
    """The turn with its luck resolved; a throw in the opponent's glare becomes a question first.

    What is part of an earlier turn brings no luck of its own: a Donkey strays with the turn, not with its rest.
    """
    if position.pending is not None:
        return turn
    actions = tuple(action for action in turn if action.verb != "stray")
    if not position.terms.donkey and not any(action.verb in ("throw", "announce", "cast") for action in actions):
        return turn
    board = WorkingBoard(position)
    done: list[Action] = []
    for _, action, _ in walk(board, actions):
        if action.verb in ("throw", "announce"):
            if not action.plan and board.in_glare(board.side):
                return tuple(replace(one, verb="announce", luck="") if one is action else one for one in actions)
            done.append(flown(action, thrown(position, board, dice), board.side))
        elif action.verb == "cast":
            aim = action.target or _aim(board, action)
            faces = "".join(SIDES[dice.roll(2)] for _ in range(4))
            done.append(_landed(position, replace(action, target=aim, luck=faces, plan=SIDES[board.side])))
        else:
            done.append(action)
    return (*done, *donkey.stray(board, dice))


def flown(action: Action, rolled: str, side: int) -> Action:
    """A throw with its luck. We read: what was written for a distraction in advance falls away where there is none."""
    return replace(
        action, verb="throw", luck=rolled, spots=action.spots if not rolled or missed(rolled, side) == 1 else ()
    )


def _landed(position: Position, cast: Action) -> Action:
    """A cast with its luck. We read: squares named in advance fall away if only the place where it fell forbids them.

    Then its caster is asked for others.
    """
    if not cast.spots:
        return cast
    site = landing(cast, position.terms.uniform)
    own, ahead = HALF[position.to], AHEAD[1 - position.to]
    spots = [BIT[NUMBER[spot]] for _, spot in cast.spots]
    here = own & ahead[STEP[NUMBER[site]]] if site else 0
    somewhere = own & ahead[4 * MEASURE[NUMBER[cast.target]] - 3 * position.to]  # behind the furthest it could fall
    fortunate = all(spot & here for spot in spots) or not all(spot & somewhere for spot in spots)
    return cast if site and fortunate else replace(cast, spots=())


def _aim(board: WorkingBoard, action: Action) -> Site:
    """Where a piece is cast whose player has named no square: the middle of the first empty measure.

    Where none is empty, it is thrown all the same: between the Selves, or else ahead of its owner's.
    """
    low, high = sorted(MEASURE[at] for at in board.selves)
    fitting = empty_after(board, action) or tuple(range(low + 1, high))
    return SQUARES[squares(MEASURES[fitting[0] if fitting else low])[5]]
