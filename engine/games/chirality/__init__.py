"""Chirality: pieces that change with the tile they stand on, on a rosette of Penrose rhombs; take the Throne."""

from collections.abc import Hashable, Iterator, Mapping
from contextlib import suppress
from typing import ClassVar

from engine.appraisal import Appraising
from engine.board import Board, Side
from engine.composition import Menu, Pick
from engine.diagram import Colour, Diagram, Mark
from engine.dice import Dice
from engine.game import Move, NotationError, Outcome, Penalty, Ruling, Turn
from engine.games.chirality import compose, evaluate, generate, judge, notation, picture, play, setup
from engine.games.chirality.packed import Packed
from engine.games.chirality.position import NAMES, SIDES, Position, decode, encode, identity, lead
from engine.games.chirality.rules import RULES
from engine.games.chirality.teaching.entries import ENTRIES
from engine.games.chirality.teaching.lessons import LESSONS
from engine.games.chirality.teaching.overview import GOAL, WRITINGS
from engine.games.chirality.teaching.sample import SAMPLE, SAMPLE_TERMS, SCENES
from engine.place_text import Men
from engine.text import Term, Text


class Chirality(Appraising[Position, Move]):
    """The rules of Chirality, each in its own module."""

    key = "chirality"
    name = Term("Chirality")
    gist = Text(
        "Thick and Thin change with every step: muster through the Gates, hold Stars, take the Throne; for 2 to 5."
    )
    credit = Text(
        "By Modal Path Ethics (modalpathethics.com), whose rules are published for public playtest only, without "
        "reproduction or commercial rights; told here in our own words."
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
    sample_terms = SAMPLE_TERMS
    options = setup.OPTIONS

    # --- the position -------------------------------------------------------------------------------------
    def setup(self, options: Mapping[str, str], dice: Dice) -> Position:
        return setup.setup(options, dice)

    def remark(self, options: Mapping[str, str]) -> Text | None:
        return setup.remark(options)

    def under(self, position: Position, options: Mapping[str, str]) -> Position:
        return setup.under(position)

    def seats(self, options: Mapping[str, str]) -> tuple[Side, ...]:
        return SIDES[: setup.players(options)]

    def encode(self, position: Position) -> str:
        return encode(position)

    def decode(self, text: str) -> Position:
        return decode(text)

    def identity(self, position: Position) -> Hashable:
        return identity(position)

    # --- the turn -----------------------------------------------------------------------------------------
    def to_act(self, position: Position) -> Side:
        return SIDES[position.to]

    def duty(self, position: Position) -> Text | None:
        return picture.duty(position)

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
        """Exactly the tenable turns."""
        return iter(generate.turns(position))

    def turns(self, position: Position) -> Iterator[Turn]:
        return iter(generate.turns(position))

    def judge(self, position: Position, turn: Turn) -> Iterator[Ruling[Move]]:
        return judge.judge(position, turn)

    def play(self, position: Position, turn: Turn) -> Position:
        return play.play(position, turn)

    def outcome(self, position: Position, seen: int = 1) -> Outcome | None:
        return play.outcome(position, seen)

    def perft(self, position: Position, depth: int) -> int:
        return generate.perft(position, depth)

    # --- Riposte's own play -------------------------------------------------------------------------------
    levels = evaluate.LEVELS

    def evaluate(self, position: Position, side: Side) -> int:
        return evaluate.evaluate(position, side)

    def packing(self, side: Side) -> Packed:
        return Packed(self, side)

    def material(self, position: Position, side: Side) -> int | None:
        return 100 * lead(position, SIDES.index(side))

    # --- penalties and early ends -------------------------------------------------------------------------
    def pass_turn(self, position: Position, dice: Dice) -> Position:
        return play.pass_turn(position)

    def remove_piece(self, position: Position, move: Move) -> Position:
        return play.remove_piece(position, move)

    def playing(self, position: Position) -> tuple[Side, ...]:
        return play.playing(position)

    def leave(self, position: Position, side: Side) -> Position | None:
        return play.leave(position, side)

    def penalty_text(
        self,
        before: Position,
        turn: Turn,
        rulings: tuple[Ruling[Move], ...],
        penalty: Penalty,
        after: Position | Outcome,
    ) -> Text | None:
        return play.penalty_text(before, penalty) or super().penalty_text(before, turn, rulings, penalty, after)

    # --- the picture --------------------------------------------------------------------------------------
    def board(self, position: Position) -> Board:
        return position.board.geometry

    def draw(self, position: Position, viewer: Side | None) -> Diagram:
        return picture.draw(position, viewer)

    def marks(self, turn: Turn, position: Position, after: Position | None = None) -> tuple[Mark, ...]:
        return picture.marks(position, turn)

    def men(self, position: Position) -> Men:
        return picture.men(position)

    def look(self, position: Position, site: str, viewer: Side | None) -> tuple[Text, ...]:
        try:
            return picture.look(position, site)
        except NotationError:
            with suppress(NotationError):  # a zone, then
                return super().look(position, site, viewer)
            raise


GAME = Chirality()
