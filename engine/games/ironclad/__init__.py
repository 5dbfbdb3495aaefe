"""Ironclad: robots on the squares and stones on the lines between them; the opponent plays half of one's turn."""

from collections.abc import Hashable, Iterator, Mapping
from dataclasses import replace
from typing import ClassVar

from engine.board import Board, Side
from engine.diagram import Colour, Diagram, Mark
from engine.dice import Dice
from engine.game import Game, Move, Option, Outcome, Penalty, Ruling, Turn
from engine.games.ironclad import notation, picture, rulebook, turns
from engine.games.ironclad.grid import INDEX
from engine.games.ironclad.position import SIDES, START, Position, cover, decode, encode


class Ironclad(Game[Position]):
    """The rules of Ironclad, each in its own module."""

    key = "ironclad"
    name = "Ironclad"
    gist = "Two games in one turn: march robots across the squares, join two sides with stones on the lines."
    credit = (
        "Designed by Frank Lantz; its stones game was published in Rules of Play by Katie Salen and Eric Zimmerman. "
        "Told here in our own words, the robots' numbers are our house rule."
    )
    sides = SIDES
    names: ClassVar[Mapping[Side, str]] = dict(zip(SIDES, turns.NAMES, strict=True))
    colours: ClassVar[Mapping[Side, Colour]] = picture.COLOURS
    glyphs = picture.GLYPHS
    rules = rulebook.RULES
    options = (
        Option(
            "mode",
            "Both games at once, or the stones alone among robots that stand still.",
            "full",
            ("full", "discourse"),
        ),
    )
    example = "d5"
    chance = True

    # --- the position -------------------------------------------------------------------------------------
    def setup(self, options: Mapping[str, str], dice: Dice) -> Position:
        return decode(START)._replace(discourse=options.get("mode", "full") == "discourse")

    def under(self, position: Position, options: Mapping[str, str]) -> Position:
        """We read: as in play, a half that the owner's robots can do nothing in is skipped; so is any in discourse."""
        if options.get("mode") == "discourse":
            return position._replace(discourse=True, half="")
        idle = position.half == "stones" and not turns.can_use_robots(position)
        return turns.skip(position) if idle else position

    def encode(self, position: Position) -> str:
        return encode(position)

    def decode(self, text: str) -> Position:
        return decode(text)

    def identity(self, position: Position) -> Hashable:
        return position[:-1]

    # --- the turn -----------------------------------------------------------------------------------------
    def to_act(self, position: Position) -> Side:
        return SIDES[position.actor]

    def duty(self, position: Position) -> str:
        return picture.duty(position)

    def split(self, text: str) -> tuple[str, ...]:
        return notation.split(text)

    def read(self, text: str, position: Position) -> Turn:
        return notation.read(text, position)

    def write(self, turn: Turn, position: Position) -> str:
        return notation.write(turn, position)

    def candidates(self, position: Position) -> Iterator[Turn]:
        """Exactly the tenable actions; shots without their rolls."""
        return self.turns(position)

    def turns(self, position: Position) -> Iterator[Turn]:
        return iter(turns.turns(position))

    def judge(self, position: Position, turn: Turn) -> Iterator[Ruling]:
        return turns.judge(position, turn)

    def play(self, position: Position, turn: Turn) -> Position:
        return turns.play(position, turn)

    def outcome(self, position: Position, seen: int = 1) -> Outcome | None:
        return turns.outcome(position, seen)

    # --- luck ---------------------------------------------------------------------------------------------
    def roll(self, position: Position, turn: Turn, dice: Dice) -> Turn:
        (move,) = turn
        if not isinstance(move, turns.Fire):
            return turn
        thrown = dice.roll(6) + 1 if cover(position, INDEX[move.target]) else 0
        return (replace(move, roll=thrown),)

    def describe_luck(self, turn: Turn, position: Position, viewer: Side | None) -> str:
        (move,) = turn
        if not isinstance(move, turns.Fire) or not move.roll:
            return ""
        end = f"the robot on {move.target} falls" if turns.destroys(position, move) else "the shot is lost"
        return f"The die shows {move.roll} against a cover of {cover(position, INDEX[move.target])}: {end}."

    def rolls(self, turn: Turn) -> str:
        return " ".join(str(move.roll) for move in turn if isinstance(move, turns.Fire) and move.roll)

    # --- the end of patience ------------------------------------------------------------------------------
    def pass_turn(self, position: Position) -> Position:
        return turns.skip(position)

    def remove_piece(self, position: Position, move: Move) -> Position:
        return turns.without(position, move)

    def penalty_text(self, before: Position, turn: Turn, rulings: tuple[Ruling, ...], penalty: Penalty) -> str:
        if before.half and penalty in ("turn", "piece"):
            return turns.price(before, turn, penalty)
        return super().penalty_text(before, turn, rulings, penalty)

    # --- the picture --------------------------------------------------------------------------------------
    def board(self, position: Position) -> Board:
        return picture.BOARD

    def draw(self, position: Position, viewer: Side | None) -> Diagram:
        return picture.draw(position, viewer, turns.outcome(position, 1) is not None)

    def draw_turn(self, before: Position, turn: Turn, viewer: Side | None) -> Diagram:
        (move,) = turn
        diagram = super().draw_turn(before, turn, viewer)
        return replace(diagram, throws=picture.throws(move, before)) if isinstance(move, turns.Fire) else diagram

    def look(self, position: Position, site: str, viewer: Side | None) -> str:
        seen = super().look(position, site, viewer)
        return seen.replace(f": {picture.NEGATION}.", ": empty, but negated: it is a corner of a square with a robot.")

    def marks(self, turn: Turn, position: Position) -> tuple[Mark, ...]:
        """What moved, or what was fired on by whom."""
        (move,) = turn
        if not isinstance(move, turns.Fire):
            return super().marks(turn, position)
        target = INDEX[move.target]
        shooters = turns.shooters(position, target)
        if not turns.destroys(position, move):
            return (Mark("moved", (move.target,)),)
        side = SIDES[turns.owner_of(position, target) or 0]
        return (Mark("moved", (move.target,)), Mark("taken", (move.target, *shooters), side, "R", "robot"))


GAME = Ironclad()
