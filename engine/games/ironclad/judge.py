"""The judge of an action of Ironclad: every rule that it breaks."""

from collections.abc import Iterator

from engine.diagram import Mark
from engine.game import Ruling
from engine.games.ironclad.action import Action, Turn
from engine.games.ironclad.board import BIT, INDEX, RAYS, STEP, corners, members, points, slides, squares
from engine.games.ironclad.generate import firepower, placements, shooters
from engine.games.ironclad.play import outcome
from engine.games.ironclad.position import NAMES, Position, height, negated, robots
from engine.games.ironclad.rules import (
    CIRCULARITY,
    FIRE,
    HALVES,
    MOVEMENT,
    NEGATION,
    PLACING,
    ROBOTS,
    RULES,
    SWAP,
)
from engine.text import Listing, Text, plural

OVER = Text("The game is over.")
STILL = Text("The robots stand still in the discourse game.")


def judge(position: Position, turn: Turn) -> Iterator[Ruling[Action]]:
    """Every rule that the action breaks, in the rulebook's order."""
    over = outcome(position, 1)
    (move,) = turn
    if over is not None:
        yield Ruling(over.rule, move, OVER)
        return
    found = [*_objections(position, move), *_order(position, move)]
    yield from sorted(found, key=lambda ruling: RULES.index(ruling.rule))


def _objections(position: Position, move: Action) -> Iterator[Ruling[Action]]:
    match move.verb:
        case "place":
            return _placing(position, move)
        case "slide":
            return _sliding(position, move)
        case "robot":
            return _moving(position, move)
        case "swap":
            return _swapping(position, move)
        case _:
            return _firing(position, move)


def _order(position: Position, move: Action) -> Iterator[Ruling[Action]]:
    if position.discourse and move.half == "robots":
        yield Ruling(HALVES, move, STILL)
    elif position.half == move.half:
        owner = NAMES[position.owner]
        if move.half == "robots":
            yield Ruling(HALVES, move, Text("The robots half of {side}'s turn is played already.", side=owner))
        else:
            yield Ruling(HALVES, move, Text("The stones half of {side}'s turn is played already.", side=owner))


def _placing(position: Position, move: Action) -> Iterator[Ruling[Action]]:
    target = INDEX[move.target]
    culprit = Mark("culprit", (move.target,))
    for side, standing in enumerate(position.stones):
        if standing & BIT[target]:
            because = Text("{side} has a stone on {place} already.", side=NAMES[side], place=move.target)
            yield Ruling(PLACING, move, because, (culprit,))
    if negated(position) & BIT[target]:
        at = squares(sum(BIT[index] for index in members(robots(position)) if corners(BIT[index]) & BIT[target]))
        because = plural(
            "{place} is a corner of {squares}, where a robot stands.",
            "{place} is a corner of {squares}, where robots stand.",
            len(at),
            place=move.target,
            squares=Listing(at),
        )
        yield Ruling(NEGATION, move, because, (culprit, Mark("blocker", at)))


def _sliding(position: Position, move: Action) -> Iterator[Ruling[Action]]:
    white, black = position.stones
    origin, target = INDEX[move.origin], INDEX[move.target]
    culprit = Mark("culprit", (move.origin,))
    free = placements(position)
    if free:
        open_points = points(free)
        because = Text(
            "{side} can place a stone, on {place} for example, and so slides none.",
            side=NAMES[position.owner],
            place=open_points[0],
        )
        yield Ruling(MOVEMENT, move, because, (culprit, Mark("reach", open_points)))
    ray = next((ray for ray in RAYS[origin] if target in ray), ())
    reached = slides(origin, white | black)
    if not ray:
        because = Text("No line of the grid leads from {origin} to {target}.", origin=move.origin, target=move.target)
        yield Ruling(MOVEMENT, move, because, (culprit, Mark("reach", points(reached))))
    elif not reached & BIT[target]:
        path = sum(BIT[point] for point in ray[: ray.index(target) + 1])
        blockers = points(path & (white | black))
        because = Text(
            "The way from {origin} to {target} is blocked on {places}.",
            origin=move.origin,
            target=move.target,
            places=Listing(blockers),
        )
        yield Ruling(MOVEMENT, move, because, (culprit, Mark("reach", points(reached)), Mark("blocker", blockers)))
    if origin == position.last:
        because = Text("The stone on {place} is the one that was slid last.", place=move.origin)
        yield Ruling(CIRCULARITY, move, because, (culprit,))


def _moving(position: Position, move: Action) -> Iterator[Ruling[Action]]:
    origin, target = INDEX[move.origin], INDEX[move.target]
    culprit = Mark("culprit", (move.origin,))
    if not STEP[origin] & BIT[target]:
        near = squares(STEP[origin] & ~robots(position))
        because = Text("The robot on {origin} does not reach {target}.", target=move.target, origin=move.origin)
        yield Ruling(ROBOTS, move, because, (culprit, Mark("reach", near)))
    if robots(position) & BIT[target]:
        because = Text("A robot stands on {place} already.", place=move.target)
        yield Ruling(ROBOTS, move, because, (culprit, Mark("blocker", (move.target,))))


def _swapping(position: Position, move: Action) -> Iterator[Ruling[Action]]:
    if position.swap != "now":
        yield Ruling(SWAP, move, _NO_SWAP[position.swap])


_NO_SWAP = {
    "later": Text("No turn has been made yet, so there is nothing to take over."),
    "": Text("Sides are swapped only in place of a game's second turn, and only where the terms have it."),
}
"""By what the position says of a swap."""


def _firing(position: Position, move: Action) -> Iterator[Ruling[Action]]:
    target = INDEX[move.target]
    culprit = Mark("culprit", (move.target,))
    owner = NAMES[position.owner]
    if height(position, position.owner, target):
        because = Text("The robot on {place} is {side}'s own.", place=move.target, side=owner)
        yield Ruling(FIRE, move, because, (culprit,))
        return
    power, high = firepower(position, target), height(position, 1 - position.owner, target)
    if power < high:
        because = Text(
            "{side}'s robots in range of {place} add up to {power}, and the robot there is {height} high.",
            side=owner,
            place=move.target,
            power=power,
            height=high,
        )
        yield Ruling(FIRE, move, because, (culprit, Mark("reach", shooters(position, target))))
