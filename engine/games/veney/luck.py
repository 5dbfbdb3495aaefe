"""Luck in Veney: sticks for a thrown Dagger, scatter for a cast piece, and the question before a throw in the glare."""

from dataclasses import replace

from engine.board import Side, Site
from engine.dice import Dice
from engine.game import Move, Turn
from engine.games.veney import donkey
from engine.games.veney.act import Act, acts_of
from engine.games.veney.course import walk
from engine.games.veney.devices import empty_after
from engine.games.veney.field import Field
from engine.games.veney.hand import landing, missed
from engine.games.veney.piste import AHEAD, BIT, HALF, MEASURE, MEASURES, NUMBER, SQUARES, STEP, squares
from engine.games.veney.position import SIDES, Position
from engine.games.veney.rulebook import NAMES


def sticks(position: Position, field: Field) -> int:
    """How many sticks a throw takes: two, and one more for every measure between the Selves' measures."""
    one, two = field.selves
    return 2 + abs(MEASURE[one] - MEASURE[two]) if min(one, two) >= 0 else 2


def thrown(position: Position, field: Field, dice: Dice) -> str:
    """The throw as the match's dice decide it."""
    how = position.terms.throw
    if how not in ("sticks", "coins") and not how[1:].isdecimal():
        return ""  # decided by a guess
    if how.startswith("d") and how[1:].isdecimal():
        face = dice.roll(int(how[1:])) + 1
        return f"{'+' if face == 1 else '-'}{face}"
    return "".join(SIDES[dice.roll(2)] for _ in range(sticks(position, field)))


def roll(position: Position, turn: Turn, dice: Dice) -> Turn:
    """The turn with its luck resolved; a throw in the opponent's glare becomes a question first.

    What is part of an earlier turn brings no luck of its own: a Donkey strays with the turn, not with its rest.
    """
    if position.pending is not None:
        return turn
    acts = tuple(act for act in acts_of(turn) if act.verb != "stray")
    if not position.terms.donkey and not any(act.verb in ("throw", "announce", "cast") for act in acts):
        return turn
    field = Field(position)
    done: list[Act] = []
    for _, act, _ in walk(field, acts):
        if act.verb in ("throw", "announce"):
            if not act.plan and field.in_glare(field.side):
                return tuple(replace(one, verb="announce", luck="") if one is act else one for one in acts)
            done.append(flown(act, thrown(position, field, dice), field.side))
        elif act.verb == "cast" and (aim := act.target or _aim(field, act)):
            faces = "".join(SIDES[dice.roll(2)] for _ in range(4))
            done.append(_landed(position, replace(act, target=aim, luck=faces, plan=SIDES[field.side])))
        else:
            done.append(act)
    return (*done, *donkey.stray(field, dice))


def flown(act: Act, rolled: str, side: int) -> Act:
    """A throw with its luck. We read: what was written for a distraction in advance falls away where there is none."""
    return replace(act, verb="throw", luck=rolled, spots=act.spots if not rolled or missed(rolled, side) == 1 else ())


def _landed(position: Position, cast: Act) -> Act:
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


def _aim(field: Field, act: Act) -> Site:
    """Where a piece is cast whose player has named no square: the middle of the first empty measure."""
    empty = empty_after(field, act)
    return SQUARES[squares(MEASURES[empty[0]])[5]] if empty else ""


def veiled(turn: Turn) -> Turn:
    """The turn as everybody but its player may see it: where a cast piece fell is the caster's secret."""
    return tuple(_veiled(move) for move in turn)


def _veiled(move: Move) -> Move:
    return replace(move, target="", luck="", plan="") if isinstance(move, Act) and move.verb == "cast" else move


def told(before: Position, turn: Turn, after: Position, viewer: Side | None) -> str:
    """What chance has decided in a turn, as one side may know it; "" if nothing."""
    acts = tuple(act for act in acts_of(turn) if act.luck)
    said = [_thrown(before, act, after) for act in acts if act.verb in ("throw", "allow")]
    if viewer == before.mover:
        said += [_fallen(before, act) for act in acts if act.verb == "cast"]
    return " ".join(said)


def _thrown(before: Position, act: Act, after: Position) -> str:
    off = missed(act.luck, before.to)
    if off == 0:
        end = "the Dagger hits"
    elif after.pending is not None or act.spots:
        end = "all but one; the Dagger is lost, but it distracts"
    else:
        end = "the Dagger misses and is lost"
    if act.luck[0] in "+-":
        return f"The die shows {act.luck[1:]}: {end}."
    what = "coins" if before.terms.throw == "coins" else "sticks"
    faces = ", ".join("white" if face == SIDES[0] else "black" for face in act.luck)
    return f"The {what} fall {faces}: {end}."


def _fallen(before: Position, act: Act) -> str:
    site = landing(act, before.terms.uniform)
    name = NAMES[act.piece]
    return f"your {name} fell on {site}" if site else f"your {name} fell beside the measure and is lost"
