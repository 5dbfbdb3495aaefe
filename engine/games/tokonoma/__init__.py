"""Tokonoma: two attackers empty a tile, and a Flat in the other side's house wins."""

from collections.abc import Iterator, Mapping
from typing import ClassVar

from engine.appraisal import Appraising
from engine.board import Board, Side, Site
from engine.composition import Menu, Pick
from engine.diagram import Colour, Diagram, Mark
from engine.dice import Dice
from engine.game import Move, Outcome, Ruling, Turn
from engine.games.tokonoma import attack, compose, evaluate, generate, judge, notation, picture, play
from engine.games.tokonoma.board import BOARD
from engine.games.tokonoma.packed import Packed
from engine.games.tokonoma.position import START, Army, Position, decode, encode
from engine.games.tokonoma.rules import RULES
from engine.games.tokonoma.teaching.entries import ENTRIES
from engine.games.tokonoma.teaching.lessons import LESSONS
from engine.games.tokonoma.teaching.overview import GOAL, WRITINGS
from engine.games.tokonoma.teaching.sample import SAMPLE, SCENES
from engine.place_text import Men
from engine.text import Term, Text


class Tokonoma(Appraising[Position, Move]):
    """The rules of Tokonoma, each in its own module."""

    key = "tokonoma"
    name = Term("Tokonoma")
    gist = Text("Talls and Flats on 29 hexagons: two attackers empty a tile, and a Flat in the other house wins.")
    credit = Text("Designed by cancrizans; the specification is free for non-commercial use.")
    sides = ("W", "B")
    names: ClassVar[Mapping[Side, Term]] = picture.SIDES
    colours: ClassVar[Mapping[Side, Colour]] = picture.COLOURS
    glyphs = picture.GLYPHS
    rules = RULES
    entries = ENTRIES
    lessons = LESSONS
    goal = GOAL
    writings = WRITINGS
    scenes = SCENES
    sample = SAMPLE

    # --- the position -------------------------------------------------------------------------------------
    def setup(self, options: Mapping[str, str], dice: Dice) -> Position:
        return decode(START)

    def encode(self, position: Position) -> str:
        return encode(position)

    def decode(self, text: str) -> Position:
        return decode(text)

    def identity(self, position: Position) -> tuple[Army, Army, Side]:
        return position.white, position.black, position.to_move

    # --- the turn -----------------------------------------------------------------------------------------
    def to_act(self, position: Position) -> Side:
        return position.to_move

    def example(self, position: Position) -> str:
        return notation.example(position)

    def read(self, text: str, position: Position) -> Turn:
        return notation.read(text, position)

    def write(self, turn: Turn, position: Position) -> str:
        return notation.write(turn, position)

    def short(self, turn: Turn, position: Position) -> str:
        """The short notation of a tenable turn: `Aa3`, `Fb2*`, `Fc1#`."""
        return play.short(turn, position)

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

    def hits(self, position: Position, site: Site) -> Mapping[Side, tuple[Site, ...]]:
        return attack.hit_from(position, site)

    def outcome(self, position: Position, seen: int = 1) -> Outcome | None:
        return play.outcome(position, seen)

    def perft(self, position: Position, depth: int) -> int:
        """Lines of tenable turns, each carried out to the end; the draw rules are left out of the count."""
        return generate.perft(*position.armies(), position.to_move, depth)

    # --- Riposte's own play -------------------------------------------------------------------------------
    captures = True
    margin = 40

    def evaluate(self, position: Position, side: Side) -> int:
        return evaluate.evaluate(position, side)

    def promise(self, position: Position, turn: Turn) -> int:
        return evaluate.promise(position, turn)

    def packing(self, side: Side) -> Packed:
        return Packed(self, side)

    # --- penalties and early ends -------------------------------------------------------------------------
    def pass_turn(self, position: Position, dice: Dice) -> Position:
        return play.pass_turn(position)

    def remove_piece(self, position: Position, move: Move) -> Position:
        return play.remove_piece(position, move)

    # --- the picture --------------------------------------------------------------------------------------
    def board(self, position: Position) -> Board:
        return BOARD

    def draw(self, position: Position, viewer: Side | None) -> Diagram:
        return picture.draw(position, viewer)

    def men(self, position: Position) -> Men:
        return picture.men(position)

    def marks(self, turn: Turn, position: Position, after: Position | None = None) -> tuple[Mark, ...]:
        after = self.play(position, turn) if after is None else after
        return (*picture.moved(turn, after), *picture.taken(position, after))


GAME = Tokonoma()
