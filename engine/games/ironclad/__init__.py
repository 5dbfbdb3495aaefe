"""Ironclad: robots on the squares and stones on the lines between them; the opponent plays half of one's turn."""

from collections.abc import Hashable, Iterator, Mapping
from dataclasses import replace
from typing import ClassVar

from engine.appraisal import Appraising
from engine.board import Board, Side
from engine.composition import Menu, Pick
from engine.diagram import Colour, Diagram, Mark
from engine.dice import Dice
from engine.game import Outcome, Penalty, Ruling
from engine.games.ironclad import compose, evaluate, generate, judge, notation, picture, play, setup
from engine.games.ironclad.action import Action, Turn
from engine.games.ironclad.board import BOARD
from engine.games.ironclad.position import NAMES, SIDES, Position, decode, encode, identity
from engine.games.ironclad.rules import RULES
from engine.games.ironclad.teaching.entries import ENTRIES
from engine.games.ironclad.teaching.lessons import LESSONS
from engine.games.ironclad.teaching.overview import GOAL, WRITINGS
from engine.games.ironclad.teaching.sample import SAMPLE, SCENES
from engine.place_text import Men
from engine.text import Term, Text


class Ironclad(Appraising[Position, Action]):
    """The rules of Ironclad, each in its own module."""

    key = "ironclad"
    name = Term("Ironclad")
    gist = Text("Two games in one turn: march robots across the squares, join two sides with stones on the lines.")
    credit = Text(
        "Designed by Frank Lantz; its stones game was published in Rules of Play by Katie Salen and Eric Zimmerman. "
        "Told here in our own words, the robots' numbers are our house rule."
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
    options = setup.OPTIONS
    chance = True

    # --- the position -------------------------------------------------------------------------------------
    def setup(self, options: Mapping[str, str], dice: Dice) -> Position:
        return setup.setup(options)

    def under(self, position: Position, options: Mapping[str, str]) -> Position:
        return setup.under(position, options)

    def encode(self, position: Position) -> str:
        return encode(position)

    def decode(self, text: str) -> Position:
        return decode(text)

    def identity(self, position: Position) -> Hashable:
        return identity(position)

    # --- the turn -----------------------------------------------------------------------------------------
    def to_act(self, position: Position) -> Side:
        return SIDES[position.actor]

    def duty(self, position: Position) -> Text | None:
        return picture.duty(position)

    def split(self, text: str) -> tuple[str, ...]:
        return notation.split(text)

    def example(self, position: Position) -> str:
        return notation.example(position)

    def read(self, text: str, position: Position) -> Turn:
        return notation.read(text, position)

    def write(self, turn: Turn, position: Position) -> str:
        return notation.write(turn)

    def menu(self, position: Position, picks: tuple[Pick, ...]) -> Menu:
        return compose.menu(position, picks)

    def picks(self, turn: Turn, position: Position) -> tuple[Pick, ...]:
        return compose.picks(turn, position)

    def candidates(self, position: Position) -> Iterator[Turn]:
        """Exactly the tenable actions; shots without their rolls."""
        return iter(generate.turns(position))

    def turns(self, position: Position) -> Iterator[Turn]:
        return iter(generate.turns(position))

    def judge(self, position: Position, turn: Turn) -> Iterator[Ruling[Action]]:
        return judge.judge(position, turn)

    def play(self, position: Position, turn: Turn) -> Position:
        return play.play(position, turn)

    def outcome(self, position: Position, seen: int = 1) -> Outcome | None:
        return play.outcome(position, seen)

    # --- luck ---------------------------------------------------------------------------------------------
    def roll(self, position: Position, turn: Turn, dice: Dice) -> Turn:
        return play.roll(position, turn, dice)

    def describe_luck(
        self, turn: Turn, position: Position, viewer: Side | None, after: Position | None = None
    ) -> tuple[Text, ...]:
        return play.describe_luck(turn, position)

    def rolls(self, turn: Turn) -> str:
        return play.rolls(turn)

    # --- Riposte's own play -------------------------------------------------------------------------------
    levels = evaluate.LEVELS
    late = evaluate.LATE

    def evaluate(self, position: Position, side: Side) -> int:
        return evaluate.evaluate(position, side)

    def chances(self, position: Position, turn: Turn) -> tuple[tuple[int, Turn], ...]:
        return play.chances(position, turn)

    # --- penalties and early ends -------------------------------------------------------------------------
    def pass_turn(self, position: Position, dice: Dice) -> Position:
        return play.pass_turn(position)

    def remove_piece(self, position: Position, move: Action) -> Position:
        return play.remove_piece(position, move)

    def penalty_text(
        self,
        before: Position,
        turn: Turn,
        rulings: tuple[Ruling[Action], ...],
        penalty: Penalty,
        after: Position | Outcome,
    ) -> Text | None:
        said = play.penalty_text(before, turn, penalty)
        return said or super().penalty_text(before, turn, rulings, penalty, after)

    # --- the picture --------------------------------------------------------------------------------------
    def board(self, position: Position) -> Board:
        return BOARD

    def draw(self, position: Position, viewer: Side | None) -> Diagram:
        return picture.draw(position, viewer)

    def draw_turn(self, before: Position, turn: Turn, viewer: Side | None, after: Position | None = None) -> Diagram:
        drawn = super().draw_turn(before, turn, viewer, after)
        throws, said = picture.throws(before, turn[0]), picture.half_played(before, turn[0])
        if not (throws or said):
            return drawn
        return replace(drawn, throws=throws, notes=((said,) if said else ()) + drawn.notes)

    def look(self, position: Position, site: str, viewer: Side | None) -> tuple[Text, ...]:
        return picture.looked_at(position, super().look(position, site, viewer))

    def men(self, position: Position) -> Men:
        return picture.men(position)

    def marks(self, turn: Turn, position: Position, after: Position | None = None) -> tuple[Mark, ...]:
        (move,) = turn
        return picture.marks(position, move) or super().marks(turn, position, after)


GAME = Ironclad()
