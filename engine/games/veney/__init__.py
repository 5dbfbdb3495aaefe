"""Veney 2.0, the game of fencing by C. Persimmon: the permissive board and the silent judge."""

from collections.abc import Iterator, Mapping
from contextlib import suppress
from dataclasses import replace
from typing import ClassVar

from engine.board import Board, Side, Site
from engine.diagram import Colour, Diagram, Glyph, Mark
from engine.dice import Dice
from engine.game import Ask, Game, Move, NotationError, Outcome, Penalty, Rule, Ruling, Turn
from engine.games.veney import (
    endings,
    generate,
    guessing,
    hug,
    letters,
    luck,
    notation,
    penalties,
    picture,
    setup,
    turns,
)
from engine.games.veney.act import Act, acts_of
from engine.games.veney.board import BOARD
from engine.games.veney.codes import ENDINGS, RULES
from engine.games.veney.field import Field
from engine.games.veney.piste import NUMBER
from engine.games.veney.position import SIDES, Pending, Position, weary
from engine.games.veney.text import decode, encode


class Veney(Game[Position]):
    """The rules."""

    key = "veney"
    name = "Veney"
    gist = "Fencing as a chess-like game: touch the opposing Self, and know the rules better than your opponent."
    credit = "Veney 2.0 by C. Persimmon; its rules are published under CC BY-NC 4.0."
    sides = SIDES
    names: ClassVar[Mapping[Side, str]] = picture.SIDE_NAMES
    colours: ClassVar[Mapping[Side, Colour]] = picture.COLOURS
    glyphs: ClassVar[Mapping[str, Glyph]] = picture.GLYPHS
    rules: ClassVar[tuple[Rule, ...]] = (*RULES.values(), *ENDINGS.values())
    options = setup.OPTIONS
    penalties = penalties.PENALTIES
    umpire = "piece-lenient"
    example = "aX8"
    chance = True
    bearer = "S"
    phrases: ClassVar[Mapping[str, str]] = {"turn": "à toi", "won": "touché"}

    def setup(self, options: Mapping[str, str], dice: Dice) -> Position:
        return setup.begin(options, dice)

    def under(self, position: Position, options: Mapping[str, str]) -> Position:
        return setup.under(position, options)

    def encode(self, position: Position) -> str:
        return encode(position)

    def decode(self, text: str) -> Position:
        return decode(text)

    def to_act(self, position: Position) -> Side:
        pending = position.pending
        return SIDES[position.to if pending is None or pending.what != "throw" else 1 - pending.side]

    def duty(self, position: Position) -> str:
        if position.pending is not None:
            duty = setup.duty(position) if position.pending.what == "setup" else _DUTIES[position.pending.what]
            return letters.told(duty) if position.terms.abcd else duty
        if position.dying is not None and position.over is None:
            return "Touché: your Self is taken. One last turn is yours; `ok` lets it stand."
        return ""

    def continues(self, text: str, position: Position) -> bool:
        """A throw let happen, and where Self and blade go then, are part of that turn; one prevented was never made."""
        return position.pending is not None and position.pending.what != "setup" and text != "prevent"

    def read(self, text: str, position: Position) -> Turn:
        if not position.terms.abcd:
            return notation.read(text, position)
        try:
            return notation.read(letters.meant(text), position)
        except NotationError as error:
            raise letters.refused(error) from None

    def write(self, turn: Turn, position: Position) -> str:
        text = notation.write(turn, position)
        return letters.told(text) if position.terms.abcd else text

    def show(self, turn: Turn, position: Position, viewer: Side | None) -> str:
        """Where a cast piece fell is told to its caster alone."""
        return self.write(turn if viewer == position.mover else luck.veiled(turn), position)

    def caution(self, position: Position, turn: Turn) -> str:
        over = self.play(position, turn).over
        if position.over is not None or over is None or over[1] == position.mover:
            return ""
        return next((_CAUTIONS[act.verb].format(act.piece) for act in turn if act.verb in _CAUTIONS), "")

    def candidates(self, position: Position) -> Iterator[Turn]:
        return iter(()) if position.over is not None else generate.turns(position)

    def turns(self, position: Position) -> Iterator[Turn]:
        return self.candidates(position)

    def judge(self, position: Position, turn: Turn) -> Iterator[Ruling]:
        rulings = turns.judge(position, turn)
        return letters.ruled(rulings) if position.terms.abcd else rulings

    def play(self, position: Position, turn: Turn) -> Position:
        pending = position.pending
        if pending is None and "announce" in [move.verb for move in turn]:
            asked = tuple(replace(move, verb="throw") if move.verb == "announce" else move for move in turn)
            return replace(position, pending=Pending("throw", position.to, turn=notation.write(asked, position)))
        if pending is not None and pending.what == "setup":
            return setup.placed(position, turn[0].piece, NUMBER[turn[0].target]) if turn else position
        if pending is None or pending.what != "throw":
            return self._made(position, turn)
        answer = next((act for act in turn if isinstance(act, Act)), None)
        before = replace(position, pending=None)
        if answer is None or answer.verb != "allow":
            return before
        announced = notation.read(pending.turn, before)
        return self._made(before, (*(_allowed(move, answer.luck, before.to) for move in announced), *turn[1:]))

    def _made(self, position: Position, turn: Turn) -> Position:
        """A turn played; where a guess decides its throw, that is awaited first."""
        if guessing.secret(position.terms.throw) and any(act.verb == "throw" and not act.luck for act in acts_of(turn)):
            return guessing.thrown(position, endings.after(Field(position), turn[:-1]), notation.write(turn, position))
        return turns.play(position, turn)

    def outcome(self, position: Position, seen: int = 1) -> Outcome | None:
        if position.over is None:
            return None
        how, winners = position.over
        return Outcome(ENDINGS[how], frozenset(winners))

    def roll(self, position: Position, turn: Turn, dice: Dice) -> Turn:
        pending = position.pending
        if pending is None or pending.what != "throw":
            return _possible(position, luck.roll(position, turn, dice))
        if not turn or turn[0].verb != "allow":
            return turn
        before = replace(position, pending=None)
        announced = tuple(_allowed(move, "", before.to) for move in notation.read(pending.turn, before))
        rolled = acts_of(luck.roll(before, announced, dice))
        faces = "".join(act.luck for act in rolled if act.verb == "throw")
        return (
            *(replace(act, luck=faces) for act in acts_of(turn[:1])),
            *(act for act in rolled if act.verb == "stray"),
        )

    def describe_luck(self, turn: Turn, position: Position, viewer: Side | None) -> str:
        text = luck.told(position, turn, self.play(position, turn), viewer)
        return letters.told(text) if position.terms.abcd else text

    def rolls(self, turn: Turn) -> str:
        return " ".join(notation.readable(turn))

    def asks(self, position: Position) -> tuple[Ask, ...]:
        asks = setup.asks(position) or hug.asks(position) or guessing.asks(position)
        return letters.asked(asks) if position.terms.abcd else asks

    def answer(self, position: Position, ask: Ask, text: str, dice: Dice) -> Position:
        if ask.key == "hug":
            return hug.answer(position, ask.side, text)
        if ask.key == "layout":
            return setup.answer(position, SIDES.index(ask.side), text)
        if position.terms.abcd:
            text = letters.meant(text)
        position = guessing.answer(position, ask, text)
        right = guessing.guessed(position)
        if right is None or position.pending is None:
            return position
        before = replace(position, pending=None, owed=())
        thrown = notation.read(position.pending.turn, before)
        return turns.play(before, tuple(_allowed(move, "+" if right else "-", before.to) for move in thrown))

    def reveal_text(self, position: Position, ask: Ask, text: str) -> str:
        if position.pending is None or position.pending.what != "guess":
            return ""
        if not position.terms.abcd:
            return guessing.told(guessing.answer(position, ask, text))
        return letters.told(guessing.told(guessing.answer(position, ask, letters.meant(text))))

    def pass_turn(self, position: Position) -> Position:
        return penalties.skip(position)

    def remove_piece(self, position: Position, move: Move) -> Position:
        offender = penalties.culprit(position, (move,), move)
        return position if offender is None else penalties.discarded(position, *offender)

    def penalize(
        self, before: Position, turn: Turn, rulings: tuple[Ruling, ...], penalty: Penalty
    ) -> Position | Outcome:
        return penalties.penalize(before, turn, rulings, penalty)

    def penalty_text(self, before: Position, turn: Turn, rulings: tuple[Ruling, ...], penalty: Penalty) -> str:
        return penalties.price(before, turn, rulings, penalty)

    def agree(self, position: Position) -> Position | Outcome:
        if position.shima is not None:
            return Outcome(ENDINGS["shima"], frozenset())
        if weary(position):
            return Outcome(ENDINGS["contest"], frozenset(SIDES))
        if position.terms.hug:
            return hug.opened(position)
        return super().agree(position)

    def for_keeps(self, options: Mapping[str, str]) -> bool:
        return options.get("formality") == "formal"

    def token_transfers(self, position: Position, winners: frozenset[Side]) -> tuple[tuple[Side, Side], ...]:
        """The loser's token goes to the winner; where both lost, the two are traded; a death spell turns it round."""
        white, black = SIDES
        if not winners:
            return ((white, black), (black, white))
        if len(winners) == len(SIDES):
            return ()
        (winner,) = winners
        loser = black if winner == white else white
        spelled = position.over is not None and position.over[0] == "spell"
        return ((winner, loser),) if spelled else ((loser, winner),)

    def acceptance(self, position: Position) -> str:
        return "--" if position.dying is not None and position.over is None else ""

    def reset(self, position: Position) -> Position | None:
        """As if by retreat, the other side to move next, without using a retreat up (2.0.22, Delayed Reset)."""
        barred = position.shima is not None or not position.terms.reset
        busy = position.pending is not None or position.dying is not None or bool(position.owed)
        return None if barred or busy else turns.play(position, notation.read("==", position))

    def time_limit(self, position: Position) -> int | None:
        return position.terms.dying if position.dying is not None and position.over is None else None

    def board(self, position: Position) -> Board:
        return letters.LETTERED if position.terms.abcd else BOARD

    def draw(self, position: Position, viewer: Side | None) -> Diagram:
        diagram = picture.draw(position, viewer, None if position.over is not None else self.to_act(position))
        return letters.drawn(diagram) if position.terms.abcd else diagram

    def marks(self, turn: Turn, position: Position) -> tuple[Mark, ...]:
        marks = picture.moved(luck.veiled(turn))
        return letters.marked(marks) if position.terms.abcd else marks

    def ends(self, turn: Turn, position: Position) -> frozenset[Site]:
        sites = super().ends(turn, position)
        return frozenset(map(letters.told, sites)) if position.terms.abcd else sites

    def draw_turn(self, before: Position, turn: Turn, viewer: Side | None) -> Diagram:
        drawn = self.draw(self.play(before, turn), viewer)
        seen = turn if viewer == before.mover else luck.veiled(turn)
        marks = picture.moved(seen)
        if before.terms.abcd:
            marks = letters.marked(marks)
        return replace(drawn, throws=picture.throws(seen) or drawn.throws).marked(marks)


_CAUTIONS: Mapping[str, str] = {
    "retreat": "this retreat is one more than was agreed on, so it gives the game up",
    "withdraw": "that is your only blade, so withdrawing it gives the game up",
    "cast": "that is your only blade, so casting it loses the game",
}

_DUTIES: Mapping[str, str] = {
    "throw": "A Dagger is to be thrown in your glare: `allow` it or `prevent` it.",
    "distraction": "A distraction: put Self and Sword elsewhere, like `SW3 $X2`, or leave them with `--`.",
    "chaos": "Chaos: put Self and one blade elsewhere, like `SW3 $X2`, or leave them with `--`.",
    "guess": "A Dagger is in the air: both answer in private.",
}


def _possible(position: Position, turn: Turn) -> Turn:
    """What was written after a throw or a cast may be impossible now that it has fallen; then it is left out."""
    fallen = [at for at, act in enumerate(turn) if isinstance(act, Act) and (act.luck or act.verb == "announce")]
    if not fallen or fallen[0] == len(turn) - 1:
        return turn
    with suppress(NotationError):
        if notation.read(notation.write(turn, position), position) == turn:
            return turn
    return turn[: fallen[0] + 1]


def _allowed(move: Move, rolled: str, side: int) -> Move:
    """A throw that the opponent has let happen."""
    if not isinstance(move, Act) or move.verb != "throw":
        return move
    return replace(luck.flown(move, rolled, side), plan="allowed")


GAME = Veney()
