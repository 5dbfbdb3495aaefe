"""Pond: two or three frogs leap as far as a die allows, and the first to catch three flies wins."""

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from typing import ClassVar, TypeAlias

from engine.board import Board, Side, Site
from engine.diagram import Colour, Diagram, Figure, Mark, Stroke, Throw, Tray
from engine.dice import Dice
from engine.game import Game, Move, NotationError, Option, Outcome, Rule, Ruling
from engine.geometry.hexagon import hexagon_board
from engine.text import Term, Text

SIDES = ("R", "G", "B")
BANKS: Mapping[Side, Site] = {"R": "a1", "G": "c5", "B": "e1"}
FLIES = frozenset({"a3", "b2", "b3", "c3", "d2", "d3", "e3"})
"""Seven: whoever shares them out among three frogs gives three to one of them."""

POND = hexagon_board(
    "pond",
    {"a": 3, "b": 4, "c": 5, "d": 4, "e": 3},
    zones={Term("banks"): frozenset(BANKS.values()), Term("lilies"): FLIES},
    tints={"banks": "home", "lilies": "star"},
)


def distances(start: Site) -> Mapping[Site, int]:
    """How many tiles it is from one to every other."""
    found, edge = {start: 0}, [start]
    for site in edge:
        for near in POND.edges[site]:
            if near not in found:
                found[near] = found[site] + 1
                edge.append(near)
    return found


DISTANCE = {site: distances(site) for site in POND.outlines}

LEAP = Rule("1", Term("Leaping"), Text("A frog leaps at least one tile, and at most as many as its die shows."))
ROOM = Rule("2", Term("Room for one"), Text("No frog leaps onto another."))
FULL = Rule("3", Term("Three flies"), Text("A frog that has caught three flies has won."))

FROG, FLY, FLY_TRAY, DIE = Term("frog"), Term("fly"), Term("caught"), Term("die")
TURN = re.compile(r"\s*(?P<target>[a-z][0-9]+)\s*(?:\[(?P<thrown>[1-3])\])?\s*", re.IGNORECASE | re.ASCII)


@dataclass(frozen=True, slots=True)
class Leap(Move):
    """A leap, and what the next frog's die shows after it."""

    thrown: int = 0
    """0 = not thrown yet."""


Turn: TypeAlias = tuple[Leap, ...]


@dataclass(frozen=True, slots=True)
class Position:
    """Where the frogs sit, which flies are left, who caught how many, and the die of the frog that is to leap."""

    frogs: Mapping[Side, Site] = field(hash=False)
    flies: frozenset[Site]
    caught: Mapping[Side, int] = field(hash=False)
    to_move: Side
    die: int
    """0 = a turn was played without a throw: then a frog leaps one tile."""

    def after(self) -> Side:
        """Whose turn is next."""
        order = [side for side in SIDES if side in self.frogs]
        return order[(order.index(self.to_move) + 1) % len(order)]


class Pond(Game[Position, Leap]):
    """The rules."""

    key = "pond"
    name = Term("Pond")
    gist = Text("Leap as far as your die allows, and be the first to catch three flies.")
    credit = Text("Made up for this guide.")
    sides = SIDES
    names: ClassVar[Mapping[Side, Term]] = {"R": Term("Red"), "G": Term("Green"), "B": Term("Blue")}
    colours: ClassVar[Mapping[Side, Colour]] = {"R": "red", "G": "green", "B": "blue"}
    glyphs: ClassVar = {
        "F": (
            Stroke("M-0.8 0.5 Q-0.7 -0.8 0 -0.5 Q0.7 -0.8 0.8 0.5 Z"),
            Stroke("M-0.5 0.2 Q0 0.5 0.5 0.2", "line", 0.1),
        ),
        "f": (Stroke("M-0.3 0 A0.3 0.3 0 1 1 0.3 0 A0.3 0.3 0 1 1 -0.3 0 Z", "accent"),),
    }
    rules = (LEAP, ROOM, FULL)
    penalties = ("friendly", "turn", "sudden")
    options = (Option("players", Text("How many frogs there are."), "2", ("2", "3")),)
    chance = True

    def seats(self, options: Mapping[str, str]) -> tuple[Side, ...]:
        return SIDES[: int(options.get("players", "2"))]

    def setup(self, options: Mapping[str, str], dice: Dice) -> Position:
        seats = self.seats(options)
        return Position({side: BANKS[side] for side in seats}, FLIES, dict.fromkeys(seats, 0), "R", thrown(dice))

    def decode(self, text: str) -> Position:
        position = super().decode(text)
        sides, places = set(position.frogs), set(position.frogs.values()) | position.flies
        whole = position.to_move in sides == set(position.caught) and len(sides) > 1 and position.die in range(4)
        if not whole or not sides <= set(SIDES) or not places <= set(POND.outlines):
            raise NotationError(Text("That is no pond."), Text("Two frogs or three sit on its tiles: `R=a1 G=c5`."))
        return position

    # --- the turn -------------------------------------------------------------------------------------
    def to_act(self, position: Position) -> Side:
        return position.to_move

    def playing(self, position: Position) -> tuple[Side, ...]:
        return tuple(side for side in SIDES if side in position.frogs)

    def example(self, position: Position) -> str:
        return POND.edges[position.frogs[position.to_move]][0]

    def read(self, text: str, position: Position) -> Turn:
        found = TURN.fullmatch(text)
        if found is None or found["target"].lower() not in POND.outlines:
            raise NotationError(
                Text("That names no tile."), Text("Write where to leap, like `{tile}`.", tile=self.example(position))
            )
        start = position.frogs[position.to_move]
        return (Leap("leap", "F", start, found["target"].lower(), int(found["thrown"] or 0)),)

    def write(self, turn: Turn, position: Position) -> str:
        (leap,) = turn
        return f"{leap.target} [{leap.thrown}]" if leap.thrown else leap.target

    def candidates(self, position: Position) -> Iterator[Turn]:
        if self.outcome(position) is None:
            start = position.frogs[position.to_move]
            yield from ((Leap("leap", "F", start, site),) for site in POND.outlines)

    def judge(self, position: Position, turn: Turn) -> Iterator[Ruling[Leap]]:
        (leap,) = turn
        if self.outcome(position) is not None:
            yield Ruling(FULL, leap, Text("The game is over already."))
            return
        far, most = DISTANCE[leap.origin][leap.target], max(1, position.die)
        if not 0 < far <= most:
            reach = tuple(site for site, tiles in DISTANCE[leap.origin].items() if 0 < tiles <= most)
            because = Text("{tile} is {far} tiles away, and the die shows {die}.", tile=leap.target, far=far, die=most)
            yield Ruling(LEAP, leap, because, (Mark("culprit", (leap.origin,)), Mark("reach", reach)))
        if leap.target in {site for side, site in position.frogs.items() if side != position.to_move}:
            because = Text("Another frog sits on {tile}.", tile=leap.target)
            yield Ruling(ROOM, leap, because, (Mark("blocker", (leap.target,)),))

    def play(self, position: Position, turn: Turn) -> Position:
        (leap,) = turn
        side, flies = position.to_move, position.flies - {leap.target}
        caught = position.caught[side] + len(position.flies - flies)
        return Position(
            {**position.frogs, side: leap.target},
            flies,
            {**position.caught, side: caught},
            position.after(),
            leap.thrown,
        )

    def outcome(self, position: Position, seen: int = 1) -> Outcome | None:
        full = frozenset(side for side, flies in position.caught.items() if flies >= 3)
        return Outcome(FULL, full) if full else None

    # --- the die --------------------------------------------------------------------------------------
    def roll(self, position: Position, turn: Turn, dice: Dice) -> Turn:
        return tuple(replace(leap, thrown=thrown(dice)) for leap in turn)

    def rolls(self, turn: Turn) -> str:
        return " ".join(str(leap.thrown) for leap in turn if leap.thrown)

    def describe_luck(
        self, turn: Turn, position: Position, viewer: Side | None, after: Position | None = None
    ) -> tuple[Text, ...]:
        side = self.names[position.after()]
        return tuple(Text("{side}'s die shows {die}.", side=side, die=leap.thrown) for leap in turn if leap.thrown)

    # --- penalties and early ends ---------------------------------------------------------------------
    def pass_turn(self, position: Position, dice: Dice) -> Position:
        return replace(position, to_move=position.after(), die=thrown(dice))

    def remove_piece(self, position: Position, move: Leap) -> Position:
        return position  # a frog is all that a player has: no penalty here takes it

    def leave(self, position: Position, side: Side) -> Position | None:
        if len(position.frogs) == 2:
            return None
        to_move = position.after() if side == position.to_move else position.to_move
        left = {other: site for other, site in position.frogs.items() if other != side}
        return replace(position, frogs=left, caught={other: position.caught[other] for other in left}, to_move=to_move)

    # --- the picture ----------------------------------------------------------------------------------
    def board(self, position: Position) -> Board:
        return POND

    def draw(self, position: Position, viewer: Side | None) -> Diagram:
        flies = tuple(Figure(site, "", "f", FLY) for site in sorted(position.flies - set(position.frogs.values())))
        frogs = tuple(Figure(position.frogs[side], side, "F", FROG) for side in self.playing(position))
        caught = ((side, position.caught[side]) for side in self.playing(position))
        return Diagram(
            self.name,
            POND,
            {side: self.names[side] for side in self.playing(position)},
            self.colours,
            self.glyphs,
            figures=flies + frogs,
            to_act=None if self.outcome(position) else position.to_move,
            trays=tuple(Tray(side, FLY_TRAY, (("f", FLY, flies),)) for side, flies in caught if flies),
            throws=(Throw("die", (str(position.die),), DIE),) if position.die else (),
            labels=frozenset(POND.outlines),
        )


def thrown(dice: Dice) -> int:
    """A die with three faces."""
    return dice.roll(3) + 1


GAME = Pond()
