"""Daisy: two players pluck petals from one flower, and whoever plucks the last petal is loved."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from math import cos, pi, sin
from typing import ClassVar

from engine.board import Board, Side
from engine.diagram import Colour, Diagram, Figure, Mark, Stroke
from engine.dice import Dice
from engine.game import Game, Move, NotationError, Outcome, Rule, Ruling, Turn
from engine.text import Listing, Term, Text

PETALS = tuple(f"p{number}" for number in range(1, 8))

CENTRES = {petal: (2 * sin(k * 2 * pi / 7), -2 * cos(k * 2 * pi / 7)) for k, petal in enumerate(PETALS)}
NEXT = {petal: (PETALS[k - 1], PETALS[(k + 1) % 7]) for k, petal in enumerate(PETALS)}

FLOWER = Board("daisy", {petal: (centre,) for petal, centre in CENTRES.items()}, edges=NEXT)

PLUCK = Rule("1", Term("Plucking"), Text("A turn plucks one petal, or two that touch."))
TOUCH = Rule("2", Term("Touching"), Text("Petals touch if they grew side by side."))
LOVED = Rule("3", Term("The last petal"), Text("Whoever plucks the last petal has won."))

PETAL = Term("petal")
OTHER = {"S": "M", "M": "S"}
REMEDY = Text("Write one petal or two, like `p1 p2`.")


@dataclass(frozen=True, slots=True)
class Position:
    """The petals that are left, and whose turn it is."""

    petals: frozenset[str]
    to_move: Side


class Daisy(Game[Position, Move]):
    """The rules."""

    key = "daisy"
    name = Term("Daisy")
    gist = Text("Pluck one petal or two that touch; the last petal wins.")
    credit = Text("A children's game.")
    sides = ("S", "M")
    names: ClassVar[Mapping[Side, Term]] = {"S": Term("Sun"), "M": Term("Moon")}
    colours: ClassVar[Mapping[Side, Colour]] = {"S": "gold", "M": "blue"}
    glyphs: ClassVar = {"p": (Stroke("M0 -0.9 A0.5 0.9 0 1 1 0 0.9 A0.5 0.9 0 1 1 0 -0.9 Z"),)}
    rules = (PLUCK, TOUCH, LOVED)

    def setup(self, options: Mapping[str, str], dice: Dice) -> Position:
        return Position(frozenset(PETALS), "S")

    def decode(self, text: str) -> Position:
        position = super().decode(text)
        if position.to_move not in self.sides or not position.petals <= set(PETALS):
            raise NotationError(Text("That is no flower."), Text("Its petals are p1 to p7, its sides are S and M."))
        return position

    def to_act(self, position: Position) -> Side:
        return position.to_move

    def example(self, position: Position) -> str:
        return " ".join(sorted(position.petals)[:2])

    def read(self, text: str, position: Position) -> Turn:
        petals = sorted(set(text.lower().split()))
        for petal in petals:
            if petal not in position.petals:
                raise NotationError(Text("There is no petal {petal}.", petal=petal[:20]), REMEDY)
        if not petals:
            raise NotationError(Text("No petal is named."), REMEDY)
        return tuple(Move("pluck", "p", origin=petal) for petal in petals)

    def write(self, turn: Turn, position: Position) -> str:
        return " ".join(move.origin for move in turn)

    def candidates(self, position: Position) -> Iterator[Turn]:
        for first in sorted(position.petals):
            yield self.read(first, position)
            for second in sorted(position.petals):
                if first < second:
                    yield self.read(f"{first} {second}", position)

    def judge(self, position: Position, turn: Turn) -> Iterator[Ruling[Move]]:
        petals = tuple(move.origin for move in turn)
        if len(turn) > 2:
            because = Text("{petals} are more than two petals.", petals=Listing(petals))
            yield Ruling(PLUCK, turn[2], because, (Mark("culprit", petals[2:]),))
        if len(turn) == 2 and petals[1] not in NEXT[petals[0]]:
            because = Text("{petals} did not grow side by side.", petals=Listing(petals))
            yield Ruling(TOUCH, turn[1], because, (Mark("culprit", petals),))

    def play(self, position: Position, turn: Turn) -> Position:
        return Position(position.petals - {move.origin for move in turn}, OTHER[position.to_move])

    def outcome(self, position: Position, seen: int = 1) -> Outcome | None:
        return None if position.petals else Outcome(LOVED, frozenset({OTHER[position.to_move]}))

    def pass_turn(self, position: Position, dice: Dice) -> Position:
        return replace(position, to_move=OTHER[position.to_move])

    def remove_piece(self, position: Position, move: Move) -> Position:
        return replace(position, petals=position.petals - {move.origin})

    def board(self, position: Position) -> Board:
        return FLOWER

    def draw(self, position: Position, viewer: Side | None) -> Diagram:
        return Diagram(
            self.name,
            FLOWER,
            self.names,
            self.colours,
            self.glyphs,
            figures=tuple(Figure(petal, "", "p", PETAL) for petal in sorted(position.petals)),
            to_act=position.to_move if position.petals else None,
            labels=frozenset(PETALS),
        )


GAME = Daisy()
