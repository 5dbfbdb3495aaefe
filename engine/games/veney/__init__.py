"""Veney 2.0, the game of fencing by C. Persimmon: whatever can be described is played, and the judge is silent."""

from collections.abc import Iterator, Mapping
from typing import ClassVar

from engine.appraisal import Appraising
from engine.board import Board, Side, Site
from engine.composition import Menu, Pick, Ways
from engine.diagram import Colour, Diagram, Glyph, Mark
from engine.dice import Dice
from engine.game import Ask, Examined, Outcome, Penalty, Rule, Ruling
from engine.games.veney import ends, evaluate, letters, penalties, pending, picture
from engine.games.veney.action import Action, Turn
from engine.games.veney.board.piste import BOARD
from engine.games.veney.generate.turns import turns
from engine.games.veney.glyphs import GLYPHS
from engine.games.veney.judge.turn import judge
from engine.games.veney.luck import guessing
from engine.games.veney.notation.compose import intending, menu
from engine.games.veney.notation.picks import picks
from engine.games.veney.notation.read import example, read
from engine.games.veney.notation.write import write
from engine.games.veney.position import SIDES, Position
from engine.games.veney.position_text.text import decode, encode
from engine.games.veney.rules import ENDINGS, RULES, SUBTLE
from engine.games.veney.setup import surplus
from engine.games.veney.setup.answers import answer_menu
from engine.games.veney.setup.begin import begin, under
from engine.games.veney.setup.options import OPTIONS
from engine.games.veney.teaching.entries import ENTRIES
from engine.games.veney.teaching.lessons import LESSONS
from engine.games.veney.teaching.overview import GOAL, WRITINGS
from engine.games.veney.teaching.sample import SAMPLE, SCENES
from engine.games.veney.turn import describe_luck, examine, formerly, play, roll
from engine.text import Term, Text


class Veney(Appraising[Position, Action]):
    """The rules."""

    key = "veney"
    name = picture.TITLE
    gist = Text("Fencing as a chess-like game: touch the opposing Self, and know the rules better than your opponent.")
    credit = Text("Veney 2.0 by C. Persimmon; its rules are published under CC BY-NC 4.0.")
    sides = SIDES
    names: ClassVar[Mapping[Side, Term]] = picture.NAMES_OF_SIDES
    colours: ClassVar[Mapping[Side, Colour]] = picture.COLOURS
    glyphs: ClassVar[Mapping[str, Glyph]] = GLYPHS
    rules: ClassVar[tuple[Rule, ...]] = (*RULES.values(), *ENDINGS.values())
    entries = ENTRIES
    lessons = LESSONS
    goal = GOAL
    writings = WRITINGS
    scenes = SCENES
    sample = SAMPLE
    options = OPTIONS
    penalties = penalties.PENALTIES
    umpire = "piece-lenient"
    chance = True
    bearer = "S"
    shared_bearer = ("a", "freetoken")
    your_turn = Term("à toi")

    # --- the position ---------------------------------------------------------------------------------
    def setup(self, options: Mapping[str, str], dice: Dice) -> Position:
        return begin(options, dice)

    def under(self, position: Position, options: Mapping[str, str]) -> Position:
        return under(position, options)

    def encode(self, position: Position) -> str:
        return encode(position)

    def decode(self, text: str) -> Position:
        return decode(text)

    # --- the turn -------------------------------------------------------------------------------------
    def to_act(self, position: Position) -> Side:
        return pending.to_act(position)

    def duty(self, position: Position) -> Text | None:
        return letters.spoken(position, pending.duty(position))

    def continues(self, text: str, position: Position) -> bool:
        return pending.continues(text, position)

    def example(self, position: Position) -> str:
        return letters.written(position, example(position))

    def read(self, text: str, position: Position) -> Turn:
        return letters.read(text, position) if position.terms.abcd else read(text, position)

    def write(self, turn: Turn, position: Position) -> str:
        return letters.written(position, write(turn, position))

    def menu(self, position: Position, picks: tuple[Pick, ...]) -> Menu:
        return letters.offered(position, menu(position, letters.picked(position, picks)))

    def leading(self, menu: Menu, position: Position, picks: tuple[Pick, ...], ways: Ways) -> Menu:
        listed, other = super().leading(menu, position, picks, ways), intending(menu, picks)
        if not (other.offered or other.complete) or not self.tenable(position, self.read(other.text, position)):
            return listed
        return menu.only({*listed.offered, *other.offered}, listed.complete or other.complete)

    def picks(self, turn: Turn, position: Position) -> tuple[Pick, ...]:
        return tuple(letters.written(position, pick) for pick in picks(turn, position))

    def candidates(self, position: Position) -> Iterator[Turn]:
        return iter(()) if position.over is not None else turns(position)

    def turns(self, position: Position) -> Iterator[Turn]:
        return self.candidates(position)

    def judge(self, position: Position, turn: Turn) -> Iterator[Ruling[Action]]:
        return letters.ruled(position, judge(position, turn))

    def play(self, position: Position, turn: Turn) -> Position:
        return play(position, turn)

    def formerly(self, position: Position, turn: Turn) -> Iterator[tuple[Turn, Position]]:
        return formerly(position, turn)

    def examine(self, position: Position, turn: Turn, written: bool = True) -> Examined[Position, Action]:
        return letters.examined(position, examine(position, turn, written))

    def outcome(self, position: Position, seen: int = 1) -> Outcome | None:
        return ends.outcome(position)

    def caution(self, position: Position, turn: Turn, after: Position | None) -> Text | None:
        return ends.caution(position, turn, after)

    def proven(self, position: Position) -> Outcome | None:
        return ends.proven(position)

    def acceptance(self, position: Position) -> str:
        return "--" if ends.is_last_turn(position) else ""

    def reset(self, position: Position, after: Side | None = None) -> Position | None:
        return ends.reset(position, after)

    # --- luck and secrets -----------------------------------------------------------------------------
    def roll(self, position: Position, turn: Turn, dice: Dice) -> Turn:
        return roll(position, turn, dice)

    def describe_luck(
        self, turn: Turn, position: Position, viewer: Side | None, after: Position | None = None
    ) -> tuple[Text, ...]:
        return letters.told(position, describe_luck(position, turn, after))

    def rolls(self, turn: Turn) -> str:
        return " ".join(action.luck for action in turn if action.luck)

    def asks(self, position: Position) -> tuple[Ask, ...]:
        return letters.asked(position, pending.asks(position))

    def answer_menu(self, position: Position, side: Side, key: str, picks: tuple[Pick, ...]) -> Menu:
        return letters.offered(position, answer_menu(position, side, key, letters.picked(position, picks)))

    def answer(self, position: Position, ask: Ask, text: str, dice: Dice) -> Position:
        return pending.answer(position, ask, text, dice)

    def reveal_text(self, position: Position, ask: Ask, text: str) -> Text | None:
        return letters.spoken(position, pending.revealed(position, ask, text))

    # --- Riposte's own play ---------------------------------------------------------------------------
    levels = evaluate.LEVELS
    search = "replies"
    subtle = SUBTLE

    def evaluate(self, position: Position, side: Side) -> int:
        return evaluate.evaluate(position, side)

    def likely(self, position: Position) -> Iterator[Turn]:
        return evaluate.likely(position)

    def promise(self, position: Position, turn: Turn) -> int:
        return evaluate.promise(position, turn)

    def bluff(self, position: Position, turn: Turn, dice: Dice) -> Turn | None:
        return evaluate.bluff(position, turn, dice)

    def seen_by(self, position: Position, side: Side) -> Position:
        return pending.seen_by(position, side)

    def secret(self, position: Position, ask: Ask, dice: Dice) -> str:
        return guessing.any_answer(position, ask, dice) or super().secret(position, ask, dice)

    # --- penalties and early ends ---------------------------------------------------------------------
    def pass_turn(self, position: Position, dice: Dice) -> Position:
        return penalties.passed_on(position)

    def remove_piece(self, position: Position, move: Action) -> Position:
        return penalties.without(position, move)

    def penalize(
        self, before: Position, turn: Turn, rulings: tuple[Ruling[Action], ...], penalty: Penalty, dice: Dice
    ) -> Position | Outcome:
        return penalties.penalize(before, turn, rulings, penalty)

    def penalty_text(
        self,
        before: Position,
        turn: Turn,
        rulings: tuple[Ruling[Action], ...],
        penalty: Penalty,
        after: Position | Outcome,
    ) -> Text | None:
        return penalties.penalty_text(before, turn, rulings, penalty, after)

    def agree(self, position: Position) -> Position | Outcome:
        return ends.agreed(position) or super().agree(position)

    def stalled(self, position: Position) -> Outcome | None:
        return ends.stalled(position)

    def contests(self, before: Position, turn: Turn, after: Position) -> bool:
        return ends.contests(before, turn, after)

    def forfeit(self, position: Position, side: Side, rule: Rule) -> Outcome:
        """Whoever lets the dying turn go by, or yields in it, was touched."""
        return ends.touched(position, side) or super().forfeit(position, side, rule)

    def for_keeps(self, options: Mapping[str, str]) -> bool:
        return options.get("formality") == "formal"

    def token_transfers(self, position: Position, winners: frozenset[Side]) -> tuple[tuple[Side, Side], ...]:
        return ends.token_transfers(position, winners)

    def time_limit(self, position: Position) -> int | None:
        return position.terms.dying if ends.is_last_turn(position) or surplus.asks(position) else None

    # --- the picture ----------------------------------------------------------------------------------
    def board(self, position: Position) -> Board:
        return letters.LETTERED if position.terms.abcd else BOARD

    def draw(self, position: Position, viewer: Side | None) -> Diagram:
        return letters.drawn(position, picture.draw(position, viewer))

    def marks(self, turn: Turn, position: Position, after: Position | None = None) -> tuple[Mark, ...]:
        return letters.marked(position, picture.moved(turn, position))

    def look(self, position: Position, site: str, viewer: Side | None) -> tuple[Text, ...]:
        said = super().look(position, site, viewer)
        return (*said, *picture.possession(self.board(position), self.draw(position, viewer), said))

    def ends(self, turn: Turn, position: Position) -> frozenset[Site]:
        return letters.named(position, super().ends(turn, position))

    def draw_turn(self, before: Position, turn: Turn, viewer: Side | None, after: Position | None = None) -> Diagram:
        after = play(before, turn) if after is None else after
        return letters.drawn(before, picture.draw_turn(picture.draw(after, viewer), turn, before, after))

    def fades(self, turn: Turn, position: Position) -> bool:
        return not position.terms.castmark and any(action.verb == "cast" for action in turn)


GAME = Veney()
