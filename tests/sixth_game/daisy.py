"""Daisy: two players pluck petals from one flower, and whoever plucks the last petal is loved."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from math import cos, pi, sin
from typing import ClassVar

from engine.board import Board, Side
from engine.diagram import Colour, Diagram, Figure, Stroke
from engine.dice import Dice
from engine.game import Game, Move, NotationError, Outcome, Rule, Ruling, Turn

PETALS = tuple("abcdefg")

CENTRES = {petal: (2 * sin(k * 2 * pi / 7), -2 * cos(k * 2 * pi / 7)) for k, petal in enumerate(PETALS)}
NEXT = {petal: (PETALS[k - 1], PETALS[(k + 1) % 7]) for k, petal in enumerate(PETALS)}

FLOWER = Board("daisy", {petal: (centre,) for petal, centre in CENTRES.items()}, edges=NEXT)

PLUCK = Rule("1", "Plucking", "A turn plucks one petal, or two that touch.")
TOUCH = Rule("2", "Touching", "Petals touch if they grew side by side.")
LOVED = Rule("3", "The last petal", "Whoever plucks the last petal has won.")


@dataclass(frozen=True, slots=True)
class Position:
    """The petals that are left, and whose turn it is."""

    petals: frozenset[str]
    to_move: Side


class Daisy(Game[Position]):
    """The rules."""

    key = "daisy"
    name = "Daisy"
    gist = "Pluck one petal or two that touch; the last petal wins."
    credit = "A children's game."
    sides = ("S", "M")
    names: ClassVar[Mapping[Side, str]] = {"S": "Sun", "M": "Moon"}
    colours: ClassVar[Mapping[Side, Colour]] = {"S": "gold", "M": "blue"}
    glyphs: ClassVar = {"p": (Stroke("M0 -0.9 A0.5 0.9 0 1 1 0 0.9 A0.5 0.9 0 1 1 0 -0.9 Z"),)}
    rules = (PLUCK, TOUCH, LOVED)
    example = "a b"

    def setup(self, options: Mapping[str, str], dice: Dice) -> Position:
        return Position(frozenset(PETALS), "S")

    def encode(self, position: Position) -> str:
        return f"{''.join(sorted(position.petals)) or '-'} {position.to_move}"

    def decode(self, text: str) -> Position:
        petals, _, side = text.strip().partition(" ")
        position = Position(frozenset(petals) - {"-"}, side)
        if side not in self.sides or not position.petals <= set(PETALS) or self.encode(position) != text.strip():
            raise NotationError("that is no flower", "The whole one is `abcdefg S`.")
        return position

    def to_act(self, position: Position) -> Side:
        return position.to_move

    def read(self, text: str, position: Position) -> Turn:
        petals = sorted(set(text.lower().split()))
        for petal in petals:
            if petal not in position.petals:
                raise NotationError(f"there is no petal {petal}", "Write one petal or two, like `a b`.")
        if not petals:
            raise NotationError("no petal is named", "Write one petal or two, like `a b`.")
        return tuple(Move("pluck", "p", origin=petal) for petal in petals)

    def write(self, turn: Turn, position: Position) -> str:
        return " ".join(move.origin for move in turn)

    def candidates(self, position: Position) -> Iterator[Turn]:
        for first in sorted(position.petals):
            yield self.read(first, position)
            for second in sorted(position.petals):
                if first < second:
                    yield self.read(f"{first} {second}", position)

    def judge(self, position: Position, turn: Turn) -> Iterator[Ruling]:
        if len(turn) > 2:
            yield Ruling(PLUCK, turn[2], f"{len(turn)} petals are more than two")
        if len(turn) == 2 and turn[1].origin not in NEXT[turn[0].origin]:
            yield Ruling(TOUCH, turn[1], f"{turn[0].origin} and {turn[1].origin} did not grow side by side")

    def play(self, position: Position, turn: Turn) -> Position:
        return self.pass_turn(replace(position, petals=position.petals - {move.origin for move in turn}))

    def outcome(self, position: Position, seen: int = 1) -> Outcome | None:
        return None if position.petals else Outcome(LOVED, frozenset(self.sides) - {position.to_move})

    def pass_turn(self, position: Position) -> Position:
        return replace(position, to_move="M" if position.to_move == "S" else "S")

    def remove_piece(self, position: Position, move: Move) -> Position:
        return replace(position, petals=position.petals - {move.origin})

    def board(self, position: Position) -> Board:
        return FLOWER

    def draw(self, position: Position, viewer: Side | None) -> Diagram:
        figures = tuple(Figure(petal, "", "p", "petal") for petal in sorted(position.petals))
        return Diagram(
            self.name,
            FLOWER,
            self.names,
            self.colours,
            self.glyphs,
            figures,
            to_act=position.to_move if position.petals else None,
            labels=frozenset(PETALS),
        )


GAME = Daisy()
