"""Chirality: pieces that change with the tile they stand on, on a rosette of Penrose rhombs; take the Throne."""

from collections.abc import Hashable, Iterator, Mapping
from typing import ClassVar

from engine.board import Board, Side
from engine.diagram import Colour, Diagram, Mark
from engine.dice import Dice
from engine.game import Game, Move, Outcome, Penalty, Ruling, Turn
from engine.games.chirality import notation, picture, setup, umpire
from engine.games.chirality.position import (
    NAMES,
    SIDES,
    Position,
    begun,
    decode,
    encode,
    outcome,
    passed_on,
    perft,
    play,
    turns,
    without_piece,
    without_player,
)
from engine.games.chirality.rulebook import RULES


class Chirality(Game[Position]):
    """The rules of Chirality, each in its own module."""

    key = "chirality"
    name = "Chirality"
    gist = "Thick and Thin change with every step: muster through the Gates, hold Stars, take the Throne; for 2 to 5."
    credit = (
        "By Modal Path Ethics (modalpathethics.com), whose rules are published for public playtest only, without "
        "reproduction or commercial rights; told here in our own words."
    )
    sides = SIDES
    names: ClassVar[Mapping[Side, str]] = dict(zip(SIDES, NAMES, strict=True))
    colours: ClassVar[Mapping[Side, Colour]] = picture.COLOURS
    glyphs = picture.GLYPHS
    rules = RULES
    options = setup.OPTIONS
    example = "A50-A33"

    # --- the position -------------------------------------------------------------------------------------
    def setup(self, options: Mapping[str, str], dice: Dice) -> Position:
        return setup.setup(options, dice)

    def remark(self, options: Mapping[str, str]) -> str:
        return "" if options.get("start") else setup.UNEVEN.get(options.get("players", ""), "")

    def under(self, position: Position, options: Mapping[str, str]) -> Position:
        return begun(position)

    def seats(self, options: Mapping[str, str]) -> tuple[Side, ...]:
        return SIDES[: setup.players(options)]

    def encode(self, position: Position) -> str:
        return encode(position)

    def decode(self, text: str) -> Position:
        return decode(text)

    def identity(self, position: Position) -> Hashable:
        return (position.ground, position.men, position.reserves, position.to, position.out, position.gates)

    # --- the turn -----------------------------------------------------------------------------------------
    def to_act(self, position: Position) -> Side:
        return SIDES[position.to]

    def duty(self, position: Position) -> str:
        if not position.gate():
            return ""
        own = position.ground.sites(position.ground.gates[position.gate() - 1].tiles & position.empty())
        return f"{NAMES[position.to]} places the first piece on Gate {position.gate()}: {umpire.listed(own)}."

    def read(self, text: str, position: Position) -> Turn:
        return notation.read(text, position)

    def write(self, turn: Turn, position: Position) -> str:
        return notation.write(turn)

    def candidates(self, position: Position) -> Iterator[Turn]:
        """Exactly the tenable turns."""
        return iter(turns(position))

    def turns(self, position: Position) -> Iterator[Turn]:
        return iter(turns(position))

    def judge(self, position: Position, turn: Turn) -> Iterator[Ruling]:
        return umpire.judge(position, turn)

    def play(self, position: Position, turn: Turn) -> Position:
        return play(position, turn)

    def outcome(self, position: Position, seen: int = 1) -> Outcome | None:
        return outcome(position, seen)

    def perft(self, position: Position, depth: int) -> int:
        return perft(position, depth)

    # --- the end of patience ------------------------------------------------------------------------------
    def pass_turn(self, position: Position) -> Position:
        return passed_on(position)

    def remove_piece(self, position: Position, move: Move) -> Position:
        return without_piece(position, move)

    def playing(self, position: Position) -> tuple[Side, ...]:
        return tuple(SIDES[player] for player in position.left())

    def leave(self, position: Position, side: Side) -> Position | None:
        """We read: with three players or more, who gives up leaves the board and the others play on."""
        return without_player(position, SIDES.index(side)) if len(position.left()) > 2 else None

    def penalty_text(self, before: Position, turn: Turn, rulings: tuple[Ruling, ...], penalty: Penalty) -> str:
        if penalty == "sudden" and len(before.left()) > 2:
            return f"{NAMES[before.to]} is out, and the others play on."
        return super().penalty_text(before, turn, rulings, penalty)

    # --- the picture --------------------------------------------------------------------------------------
    def board(self, position: Position) -> Board:
        return position.ground.board

    def draw(self, position: Position, viewer: Side | None) -> Diagram:
        return picture.draw(position, viewer, over=outcome(position, 1) is not None)

    def marks(self, turn: Turn, position: Position) -> tuple[Mark, ...]:
        return umpire.marks(position, turn)

    def look(self, position: Position, site: str, viewer: Side | None) -> str:
        return picture.look(position, site)


GAME = Chirality()
