"""The luck in a turn, in sentences."""

from collections.abc import Iterator
from typing import Final

from engine.games.veney.action import Action, Turn
from engine.games.veney.pieces import NAMES, SIDE_NAMES
from engine.games.veney.play.devices import landing, missed
from engine.games.veney.position import SIDES, Position
from engine.text import Listing, Term, Text


def described(before: Position, turn: Turn, after: Position) -> Iterator[Text]:
    """What chance has decided in a turn."""
    for action in turn:
        if not action.luck:
            continue
        if action.verb in ("throw", "allow"):
            yield _faces(before, action)
            yield _end(before, action, after)
        elif action.verb == "cast":
            yield _fallen(before, action)
        elif action.verb == "set":
            yield Text("The lot decides: {side} begins.", side=SIDE_NAMES[SIDES.index(action.luck)])


_COLOURS: Final = {SIDES[0]: Term("white"), SIDES[1]: Term("black")}


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
        return Text("The {piece} fell on {square}.", piece=piece, square=site)
    return Text("The {piece} fell beside the measure and is lost.", piece=piece)
