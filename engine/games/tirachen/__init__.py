"""Tirachen: generals, masters and a traitor on 9x9 squares; take the general or occupy the homeland."""

from collections.abc import Hashable, Iterator, Mapping
from dataclasses import replace
from typing import ClassVar

from engine.appraisal import Appraising
from engine.board import Board, Side
from engine.composition import Menu, Pick
from engine.diagram import Colour, Diagram, Mark
from engine.dice import Dice
from engine.game import Move, Option, Outcome, Penalty, Ruling, Turn
from engine.games.tirachen import compose, evaluate, generate, judge, notation, picture, play
from engine.games.tirachen.board import BOARD
from engine.games.tirachen.packed import Packed
from engine.games.tirachen.position import SIDES, Position, decode, encode, start
from engine.games.tirachen.rules import NAMES, RULES
from engine.games.tirachen.teaching.entries import ENTRIES
from engine.games.tirachen.teaching.lessons import LESSONS
from engine.games.tirachen.teaching.overview import GOAL, WRITINGS
from engine.games.tirachen.teaching.sample import SAMPLE, SCENES
from engine.text import Term, Text


class Tirachen(Appraising[Position, Move]):
    """The rules of Tirachen, each in its own module."""

    key = "tirachen"
    name = Term("Tirachen")
    gist = Text("Deploy your masters, win over the traitor, take the general or occupy the homeland.")
    credit = Text(
        "Designed by Yoon Ha Lee and Joseph Betzwieser (1999), who reserve their rights; told here in our own words."
    )
    sides = SIDES
    names: ClassVar[Mapping[Side, Term]] = dict(zip(SIDES, NAMES, strict=True))
    colours: ClassVar[Mapping[Side, Colour]] = picture.COLOURS
    glyphs = picture.GLYPHS
    rules = RULES
    entries = ENTRIES
    lessons = LESSONS
    goal = GOAL
    writings = WRITINGS
    scenes = SCENES
    sample = SAMPLE
    options = (Option("first", Text("Who plays first: agreed, or drawn by lot."), "red", ("red", "white", "drawn")),)

    # --- the position -------------------------------------------------------------------------------------
    def setup(self, options: Mapping[str, str], dice: Dice) -> Position:
        return start(options.get("first", "red"), dice)

    def encode(self, position: Position) -> str:
        return encode(position)

    def decode(self, text: str) -> Position:
        return decode(text)

    def identity(self, position: Position) -> Hashable:
        return position[:-1]

    # --- the turn -----------------------------------------------------------------------------------------
    def to_act(self, position: Position) -> Side:
        return SIDES[position.mover]

    def example(self, position: Position) -> str:
        return notation.example(position)

    def read(self, text: str, position: Position) -> Turn:
        return notation.read(text, position)

    def write(self, turn: Turn, position: Position) -> str:
        return notation.write(turn, position)

    def menu(self, position: Position, picks: tuple[Pick, ...]) -> Menu:
        return compose.menu(position, picks)

    def picks(self, turn: Turn, position: Position) -> tuple[Pick, ...]:
        return compose.picks(turn, position)

    def candidates(self, position: Position) -> Iterator[Turn]:
        return iter(generate.turns(position))

    def turns(self, position: Position) -> Iterator[Turn]:
        return iter(generate.turns(position))

    def judge(self, position: Position, turn: Turn) -> Iterator[Ruling[Move]]:
        return judge.judge(position, turn)

    def play(self, position: Position, turn: Turn) -> Position:
        return play.play(position, turn)

    def outcome(self, position: Position, seen: int = 1) -> Outcome | None:
        return play.outcome(position, seen)

    # --- Riposte's own play -------------------------------------------------------------------------------
    captures = True
    levels = evaluate.LEVELS

    def evaluate(self, position: Position, side: Side) -> int:
        return evaluate.evaluate(position, side)

    def likely(self, position: Position) -> Iterator[Turn]:
        return evaluate.likely(position)

    def promise(self, position: Position, turn: Turn) -> int:
        return evaluate.promise(position, turn)

    def packing(self, side: Side) -> Packed:
        return Packed(self, side)

    # --- penalties and early ends -------------------------------------------------------------------------
    def pass_turn(self, position: Position, dice: Dice) -> Position:
        return play.pass_turn(position)

    def remove_piece(self, position: Position, move: Move) -> Position:
        return play.remove_piece(position, move)

    def penalize(
        self, before: Position, turn: Turn, rulings: tuple[Ruling[Move], ...], penalty: Penalty, dice: Dice
    ) -> Position | Outcome:
        return super().penalize(before, turn, play.blamed(rulings, turn), penalty, dice)

    def penalty_text(
        self,
        before: Position,
        turn: Turn,
        rulings: tuple[Ruling[Move], ...],
        penalty: Penalty,
        after: Position | Outcome,
    ) -> Text | None:
        return super().penalty_text(before, turn, play.blamed(rulings, turn), penalty, after)

    # --- the picture --------------------------------------------------------------------------------------
    def board(self, position: Position) -> Board:
        return BOARD

    def draw(self, position: Position, viewer: Side | None) -> Diagram:
        return picture.draw(position, viewer)

    def draw_turn(self, before: Position, turn: Turn, viewer: Side | None, after: Position | None = None) -> Diagram:
        drawn = super().draw_turn(before, turn, viewer, after)
        return replace(drawn, notes=(*picture.captures(turn, before), *drawn.notes))

    def marks(self, turn: Turn, position: Position, after: Position | None = None) -> tuple[Mark, ...]:
        return picture.marks(turn, position)


GAME = Tirachen()
