"""What everybody may know of the luck in a turn, and what its player alone."""

from collections.abc import Iterator
from dataclasses import replace
from typing import Final

from engine.board import Side
from engine.games.veney.action import Action, Turn
from engine.games.veney.pieces import NAMES
from engine.games.veney.play.devices import landing, missed
from engine.games.veney.position import SIDES, Position
from engine.text import Listing, Term, Text


def veiled(turn: Turn) -> Turn:
    """The turn as everybody but its player may see it: where a cast piece fell is the caster's secret."""
    return tuple(replace(action, target="", luck="", plan="") if action.verb == "cast" else action for action in turn)


def described(before: Position, turn: Turn, after: Position, viewer: Side | None) -> Iterator[Text]:
    """What chance has decided in a turn, as one side may know it."""
    lucky = tuple(action for action in turn if action.luck)
    for action in lucky:
        if action.verb in ("throw", "allow"):
            yield _faces(before, action)
            yield _end(before, action, after)
        elif action.verb == "set":
            yield Text("The lot falls on {side}.", side=_BEGINS[action.luck])
    if viewer == before.mover:
        yield from (_fallen(before, action) for action in lucky if action.verb == "cast")


_COLOURS: Final = {SIDES[0]: Term("white"), SIDES[1]: Term("black")}
_BEGINS: Final = {SIDES[0]: Term("White"), SIDES[1]: Term("Black")}


def _faces(before: Position, action: Action) -> Text:
    if action.luck[0] in "+-":
        return Text("The die shows {face}.", face=action.luck[1:])
    faces = Listing(tuple(_COLOURS[face] for face in action.luck), "unit")
    if before.terms.throw == "coins":
        return Text("The coins fall {faces}.", faces=faces)
    return Text("The sticks fall {faces}.", faces=faces)


def _end(before: Position, action: Action, after: Position) -> Text:
    if missed(action.luck, before.to) == 0:
        return Text("The Dagger hits.")
    if after.pending is not None or action.spots:
        return Text("All but one are right: the Dagger is lost, but it distracts.")
    return Text("The Dagger misses and is lost.")


def _fallen(before: Position, action: Action) -> Text:
    site, piece = landing(action, before.terms.uniform), NAMES[action.piece]
    if site:
        return Text("Your {piece} fell on {square}.", piece=piece, square=site)
    return Text("Your {piece} fell beside the measure and is lost.", piece=piece)
