"""Tirachen: generals, masters and a traitor on 9x9 squares; take the general or occupy the homeland."""

from collections.abc import Hashable, Iterator, Mapping
from typing import ClassVar

from engine.board import Board, Side
from engine.diagram import Colour, Diagram, Mark
from engine.dice import Dice
from engine.game import Game, Move, Option, Outcome, Penalty, Ruling, Turn
from engine.games.tirachen import notation, picture, rulebook, turns
from engine.games.tirachen.position import SIDES, START, Position, decode, encode


class Tirachen(Game[Position]):
    """The rules of Tirachen, each in its own module."""

    key = "tirachen"
    name = "Tirachen"
    gist = "Deploy your masters, win over the traitor, take the general or occupy the homeland."
    credit = (
        "Designed by Yoon Ha Lee and Joseph Betzwieser (1999), who reserve their rights; told here in our own words."
    )
    sides = SIDES
    names: ClassVar[Mapping[Side, str]] = dict(zip(SIDES, turns.NAMES, strict=True))
    colours: ClassVar[Mapping[Side, Colour]] = picture.COLOURS
    glyphs = picture.GLYPHS
    rules = rulebook.RULES
    options = (Option("first", "Who plays first: agreed, or drawn by lot.", "red", ("red", "white", "drawn")),)
    example = "P@d2"

    # --- the position -------------------------------------------------------------------------------------
    def setup(self, options: Mapping[str, str], dice: Dice) -> Position:
        start = decode(START)
        first = options.get("first", "red")
        return start._replace(mover=dice.roll(2) if first == "drawn" else int(first == "white"))

    def encode(self, position: Position) -> str:
        return encode(position)

    def decode(self, text: str) -> Position:
        return decode(text)

    def identity(self, position: Position) -> Hashable:
        return position[:-1]

    # --- the turn -----------------------------------------------------------------------------------------
    def to_act(self, position: Position) -> Side:
        return SIDES[position.mover]

    def read(self, text: str, position: Position) -> Turn:
        return notation.read(text, position)

    def write(self, turn: Turn, position: Position) -> str:
        return notation.write(turn, position)

    def candidates(self, position: Position) -> Iterator[Turn]:
        return self.turns(position)

    def turns(self, position: Position) -> Iterator[Turn]:
        return iter(turns.turns(position))

    def judge(self, position: Position, turn: Turn) -> Iterator[Ruling]:
        return turns.judge(position, turn)

    def play(self, position: Position, turn: Turn) -> Position:
        return turns.play(position, turn)

    def outcome(self, position: Position, seen: int = 1) -> Outcome | None:
        return turns.outcome(position, seen)

    # --- the end of patience ------------------------------------------------------------------------------
    def pass_turn(self, position: Position) -> Position:
        return position._replace(mover=1 - position.mover)

    def remove_piece(self, position: Position, move: Move) -> Position:
        return turns.without(position, move)

    def penalize(
        self, before: Position, turn: Turn, rulings: tuple[Ruling, ...], penalty: Penalty
    ) -> Position | Outcome:
        """We read: whatever part of the turn was wrong, the piece that it costs is the one that made it."""
        if penalty in ("piece", "piece-lenient", "piece-absolute"):
            return self.pass_turn(self.remove_piece(before, turn[0]))
        return super().penalize(before, turn, rulings, penalty)

    # --- the picture --------------------------------------------------------------------------------------
    def board(self, position: Position) -> Board:
        return picture.BOARD

    def draw(self, position: Position, viewer: Side | None) -> Diagram:
        over = turns.outcome(position, 1) is not None
        return picture.draw(position, viewer, over)

    def marks(self, turn: Turn, position: Position) -> tuple[Mark, ...]:
        return picture.marks(turn, position)


GAME = Tirachen()
