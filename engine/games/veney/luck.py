"""Luck in Veney: sticks for a thrown Dagger, scatter for a cast piece, and the question before a throw in the glare."""

from dataclasses import replace

from engine.dice import Dice
from engine.game import Turn
from engine.games.veney.act import Act
from engine.games.veney.field import Field
from engine.games.veney.piste import MEASURE
from engine.games.veney.position import SIDES, Position


def sticks(position: Position, field: Field) -> int:
    """How many sticks a throw takes: two, and one more for every measure between the Selves' measures."""
    one, two = field.selves
    return 2 + abs(MEASURE[one] - MEASURE[two]) if min(one, two) >= 0 else 2


def thrown(position: Position, field: Field, dice: Dice) -> str:
    """The throw as the match's dice decide it."""
    how = position.terms.throw
    if how.startswith("d") and how[1:].isdecimal():
        face = dice.roll(int(how[1:])) + 1
        return f"{'+' if face == 1 else '-'}{face}"
    return "".join(SIDES[dice.roll(2)] for _ in range(sticks(position, field)))


def roll(position: Position, turn: Turn, dice: Dice) -> Turn:
    """The turn with its luck resolved; a throw in the opponent's glare becomes a question first."""
    from engine.games.veney.turns import walk

    acts = tuple(act for act in turn if isinstance(act, Act))
    if not any(act.verb in ("throw", "announce", "cast") for act in acts):
        return turn
    field = Field(position)
    done: list[Act] = []
    for _, act, _ in walk(field, acts):
        if act.verb in ("throw", "announce"):
            if not act.plan and field.in_glare(field.side):
                return tuple(replace(one, verb="announce", luck="") if one is act else one for one in acts)
            done.append(replace(act, verb="throw", luck=thrown(position, field, dice)))
        elif act.verb == "cast" and act.target:
            faces = "".join(SIDES[dice.roll(2)] for _ in range(4))
            done.append(replace(act, luck=faces, plan=SIDES[field.side]))
        else:
            done.append(act)
    return tuple(done)
