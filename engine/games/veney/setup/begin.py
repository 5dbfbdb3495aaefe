"""The position at the start of a game, or a given one under other terms."""

from collections.abc import Mapping
from dataclasses import fields, replace

from engine.dice import Dice
from engine.games.veney.board.points import START_POINT
from engine.games.veney.pieces import KINDS
from engine.games.veney.play.reset import home
from engine.games.veney.position import STANDARD, Pending, Position, Terms, in_tray
from engine.games.veney.setup import hands
from engine.games.veney.setup.armies import army
from engine.games.veney.setup.array import arrayed
from engine.games.veney.setup.initiative import starter
from engine.games.veney.setup.options import chosen, terms_of


def begin(options: Mapping[str, str], dice: Dice) -> Position:
    """The position at the start under these terms."""
    ruin = chosen(options, "ruin") == "on"
    armies = (army(chosen(options, "whiteset"), ruin), army(chosen(options, "blackset"), ruin))
    terms = terms_of(options, armies)
    style = chosen(options, "setup")
    first = chosen(options, "first")
    if first == "usual":
        first = "random" if style == "standard" else "initiative"
    by_hands = first == "hands"
    lot = 0 if style == "concealed" or (by_hands and style == "standard") else dice.roll(2)
    to = {"white": 0, "black": 1}.get(first, lot)
    donkey = "N" * bool(terms.donkey)
    reserve = (in_tray(armies[0].reserve + donkey), in_tray(armies[1].reserve + donkey))
    position = Position(bytes(64), to, point=START_POINT, reserve=reserve, terms=terms)
    if style == "standard":
        homes = [_present(home("", side), armies[side].starting) for side in (0, 1)]
        position = arrayed(position, homes)
        if by_hands:
            return replace(position, owed=hands.owing())
        return replace(position, to=starter(position, lot)) if first == "initiative" else position
    choice = {"random": "lot"}.get(first, first)
    owed = (("first", choice), ("setW", armies[0].starting), ("setB", armies[1].starting))
    if style == "turns":
        return replace(position, to=lot, owed=owed, pending=Pending("setup", lot))
    return replace(position, owed=(*owed, ("style", "concealed")))


def under(position: Position, options: Mapping[str, str]) -> Position:
    """A given position with these options in force, except where its own text says something else."""
    ruin = chosen(options, "ruin") == "on"
    armies = (army(chosen(options, "whiteset"), ruin), army(chosen(options, "blackset"), ruin))
    own = {
        one.name: said
        for one in fields(Terms)
        if (said := getattr(position.terms, one.name)) != getattr(STANDARD, one.name)
    }
    return replace(position, terms=replace(terms_of(options, armies), **own))


def _present(layout: tuple[tuple[int, int], ...], starting: str) -> tuple[tuple[int, int], ...]:
    left = list(starting)
    placed = []
    for kind, at in layout:
        if KINDS[kind] in left:
            left.remove(KINDS[kind])
            placed.append((kind, at))
    return tuple(placed)
