"""An action of Ironclad composed of picks: place, slide, robot or fire, then the places."""

from collections.abc import Mapping
from dataclasses import replace

from engine.composition import Choice, Menu, Pick, Shift
from engine.diagram import Figure
from engine.games.ironclad.action import Action, Turn
from engine.games.ironclad.board import FIELD, FULL, points, squares
from engine.games.ironclad.notation import write
from engine.games.ironclad.picture import STONE
from engine.games.ironclad.position import SIDES, SUPPLY, Position, robots
from engine.text import Term, Text

PLACE = Choice("place", Term("Place a stone"), "S")
SLIDE = Choice("slide", Term("Slide a stone"), "S")
ROBOT = Choice("robot", Term("Move a robot"))
FIRE = Choice("fire", Term("Fire"))

SWAP = Choice("swap", Term("Swap sides"))

FIRST: Mapping[Pick, Text] = {
    PLACE.key: Text("Where is the stone placed?"),
    SLIDE.key: Text("Which stone slides?"),
    ROBOT.key: Text("Which robot moves?"),
    FIRE.key: Text("Which robot is fired on?"),
}


def menu(position: Position, picks: tuple[Pick, ...]) -> Menu:
    """What may be picked next: whatever can be described with what lies on the board, in either half."""
    if not picks:
        found = tuple(
            replace(choice, side=SIDES[position.owner])
            if choice.kind
            else choice  # it may be played for the other side
            for choice in (PLACE, SLIDE, ROBOT, FIRE)
            if _first(position, choice.key)
        )
        swaps = (SWAP,) if position.discourse else ()
        return Menu(Text("What is done in this half?"), choices=(*found, *swaps))
    if picks == (SWAP.key,):
        return Menu(Text("The sides are swapped."), text=SWAP.key, complete=True)
    verb, *places = picks
    if not places:
        return Menu(FIRST[verb], _first(position, verb))
    if verb == PLACE.key:
        side = SIDES[position.owner]
        stone = Figure(places[0], side, "S", STONE)
        return Menu(
            Text("A stone is placed on {place}.", place=places[0]),
            text=places[0],
            complete=True,
            shifts=(Shift(target=places[0], figure=stone),),
        )
    if verb == FIRE.key:
        action = Action("fire", "R", "", places[0])
        prompt = Text("Every robot in range fires on {place}.", place=places[0])
        return Menu(prompt, text=write((action,)), complete=True, shifts=(Shift(places[0]),))
    origin, *targets = places
    if not targets:
        every = points(FULL) if verb == SLIDE.key else squares(FIELD)
        others = tuple(site for site in every if site != origin)
        return Menu(Text("Where does it go from {place}?", place=origin), others, text=origin, shifts=(Shift(origin),))
    return Menu(
        Text("It goes from {origin} to {target}.", origin=origin, target=targets[0]),
        text=f"{origin}-{targets[0]}",
        complete=True,
        shifts=(Shift(origin, targets[0]),),
    )


def picks(turn: Turn, position: Position) -> tuple[Pick, ...]:
    """The picks that make up an action; a shot with its roll is written by the match alone."""
    (move,) = turn
    return () if move.roll else (move.verb, *(site for site in (move.origin, move.target) if site))


def _first(position: Position, verb: Pick) -> tuple[Pick, ...]:
    """The places that an action can begin with: none where there is nothing to do it with."""
    white, black = position.stones
    match verb:
        case PLACE.key:
            return points(FULL) if position.stones[position.owner].bit_count() < SUPPLY else ()
        case SLIDE.key:
            return points(white | black)
        case ROBOT.key:
            ones, twos, threes = position.squads[position.owner]
            return squares(ones | twos | threes)
        case _:
            return squares(robots(position))
