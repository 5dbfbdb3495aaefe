"""The contract of a game: what its rules can be asked about a position, and the words they answer in."""

from abc import abstractmethod
from collections.abc import Hashable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any, ClassVar, Generic, Literal, TypeAlias, TypeVar

from engine.board import Board, Side, Site
from engine.composition import Composing
from engine.diagram import Colour, Diagram, Glyph, Mark
from engine.dice import Dice
from engine.place_text import place_text
from engine.position_text import Unreadable, position_text, read_position
from engine.reading.limits import Bounded
from engine.teaching.entries import Taught
from engine.text import Term, Text

P = TypeVar("P", bound=Hashable)  # the game's own frozen Position
Penalty: TypeAlias = Literal["friendly", "time", "turn", "piece", "piece-lenient", "piece-absolute", "sudden"]


@dataclass(frozen=True, slots=True)
class Move:
    """One action. Games with more to say subclass it."""

    verb: str
    piece: str = ""
    origin: Site = ""
    target: Site = ""


M = TypeVar("M", bound=Move)  # the game's own Move, or Move itself
Turn: TypeAlias = tuple[Move, ...]
"""All that a side does before another acts. Empty = a pass. Of a game with moves of its own: `tuple[M, ...]`."""


@dataclass(frozen=True, slots=True)
class Rule:
    """A rule by its number in the rulebook, in our own words."""

    ref: str
    title: Term
    gist: Text


@dataclass(frozen=True, slots=True)
class Ruling(Generic[M]):
    """Why a turn is untenable: the rule, the part of the turn, the fact, and where to point."""

    rule: Rule
    move: M
    because: Text
    """The fact, one whole sentence: "The Arm on c7 reaches a5, c5 and d6, not c4."."""
    marks: tuple[Mark, ...] = ()


@dataclass(frozen=True, slots=True)
class Examined(Generic[P, M]):
    """A turn looked at once: what speaks against it, where it leads, and how it is written ("" if nobody asks)."""

    turn: tuple[M, ...]
    rulings: tuple[Ruling[M], ...]
    after: P
    text: str


@dataclass(frozen=True, slots=True)
class Outcome:
    """How a game ended. All sides = a draw, none = both lost."""

    rule: Rule
    winners: frozenset[Side]


@dataclass(frozen=True, slots=True)
class Option:
    """One line of a game's term sheet."""

    key: str
    gist: Text
    default: str
    values: tuple[str, ...] = ()
    """The only texts allowed; empty = see `low` and `high`, or any text that the game's `setup` accepts."""
    low: int | None = None
    high: int | None = None
    span: bool = False
    """A length of time such as `10m`, or its default; a bare number, `low` and `high` are seconds."""
    aliases: tuple[str, ...] = ()
    idle_with: tuple[tuple[str, str], ...] = ()
    """Other terms, by key and value, with which this one settles nothing: who writes its default beside them errs."""


@dataclass(frozen=True, slots=True)
class Ask:
    """Something a game awaits from one side in private before it can go on (a concealed setup, a secret pick)."""

    side: Side
    key: str
    prompt: Text
    """What is wanted, as a whole sentence that a Code span with the command can follow."""
    example: str
    default: str = ""
    """What counts as the answer once its time is over; "" = the side then loses by time."""


class NotationError(Exception):
    """A text that describes no turn (or position, or term): the fact, then the remedy. The engine's one exception."""

    def __init__(
        self, because: Text, remedy: Text | None = None, column: int | None = None, readings: tuple[str, ...] = ()
    ):
        super().__init__(because)
        self.because = because
        """The fact, a whole sentence; `remedy`: what to write instead, with an example; `column`: where, 1-based."""
        self.remedy = remedy
        self.column = column
        self.readings = readings
        """For an ambiguous text: each thing it can mean, in canonical notation."""


class Game(Composing[P, tuple[M, ...]], Bounded, Taught, Generic[P, M]):
    """The rules of one game. Stateless: every method takes the position it speaks about."""

    key: ClassVar[str]
    """Lower case, one word: what people type."""
    name: ClassVar[Term]
    version: ClassVar[int] = 1
    """Raised when a ruling changes; a match is pinned to the version it began with."""
    gist: ClassVar[Text]
    """One sentence that says what sort of game it is."""
    credit: ClassVar[Text]
    """Who made it, and under what licence its rules are published."""
    sides: ClassVar[tuple[Side, ...]]
    names: ClassVar[Mapping[Side, Term]]
    colours: ClassVar[Mapping[Side, Colour]]
    glyphs: ClassVar[Mapping[str, Glyph]] = {}
    rules: ClassVar[tuple[Rule, ...]]  # in the rulebook's order
    options: ClassVar[tuple[Option, ...]] = ()
    penalties: ClassVar[tuple[Penalty, ...]] = ("friendly", "turn", "piece", "sudden")
    """What a correct callout may cost, as terms name it (besides `refuse`)."""
    umpire: ClassVar[str] = "refuse"
    """The default of the term `umpire`: `refuse`, or one of `penalties`."""
    chance: ClassVar[bool] = False
    """Whether dice or lots matter in play: then the seed's commitment is posted at the start."""
    bearer: ClassVar[str] = ""
    """The kind of piece that bears a player's own token in games played for keeps; see `token_transfers`."""
    your_turn: ClassVar[Term] = Term("your turn")  # in the game's own words: "à toi"
    unreadable = NotationError
    shared_bearer: ClassVar[tuple[str, str]] = ("", "")
    """A piece that is nobody's, and the term that names a token for it in such a game; that never changes hands."""

    @abstractmethod
    def setup(self, options: Mapping[str, str], dice: Dice) -> P:
        """The position at the start under these options (missing ones have their default)."""

    def under(self, position: P, options: Mapping[str, str]) -> P:
        """A position that players want to begin from, with these options in force."""
        return position

    def seats(self, options: Mapping[str, str]) -> tuple[Side, ...]:
        """The sides that take part under these options, in seating order."""
        return self.sides

    def encode(self, position: P) -> str:
        """The position as one line of text, secrets included; the exact inverse of `decode`. Here: its plain fields."""
        return position_text(position)

    def decode(self, text: str) -> P:
        """Read a position text, whatever blanks are around it. Raises NotationError."""
        found = read_position(self.setup({}, Dice(bytes(32))), text)
        if isinstance(found, Unreadable):
            raise NotationError(*found)
        return found

    def identity(self, position: P) -> Hashable:
        """What must be equal for two positions to count as repeated: all but what only counts time."""
        return position

    @abstractmethod
    def to_act(self, position: P) -> Side:
        """Who plays next; not always the side whose turn it is (Ironclad's other half)."""

    def duty(self, position: P) -> Text | None:
        """What the side to act has to do, where that is not simply to make its turn; one sentence."""
        return None

    def continues(self, text: str, position: P) -> bool:
        """Whether a turn, as written, is still part of the one before, by whomever, and leaves that open to a call."""
        return False

    def split(self, text: str) -> tuple[str, ...]:
        """The turns that one message holds, where a side may have to act twice in a row."""
        return (text,)

    @abstractmethod
    def example(self, position: P) -> str:
        """A text that `read` accepts here, shown with every error; at the start it is a tenable first turn. Found by
        what can be described alone, never through `turns` or `judge`: it must not tell what is tenable."""

    @abstractmethod
    def read(self, text: str, position: P) -> tuple[M, ...]:
        """The turn that a text describes, tenable or not. Raises NotationError if it describes none."""

    @abstractmethod
    def write(self, turn: tuple[M, ...], position: P) -> str:
        """The canonical notation of a turn, everything included; `read` gives it back."""

    def show(self, turn: tuple[M, ...], position: P, viewer: Side | None) -> str:
        """The notation as one side (None = the public) may see it."""
        return self.write(turn, position)

    @abstractmethod
    def candidates(self, position: P) -> Iterator[tuple[M, ...]]:
        """Every turn worth judging: a superset of the tenable ones, each once."""

    @abstractmethod
    def judge(self, position: P, turn: tuple[M, ...]) -> Iterator[Ruling[M]]:
        """Every rule the turn breaks, in the rulebook's order. Nothing = tenable."""

    @abstractmethod
    def play(self, position: P, turn: tuple[M, ...]) -> P:
        """The position after the turn. Total: whatever `read` returns can be carried out as written."""

    def formerly(self, position: P, turn: tuple[M, ...]) -> Iterator[tuple[tuple[M, ...], P]]:
        """What earlier versions can have made of a turn's text: the turn and where it led. What was played stands."""
        return iter(())

    @abstractmethod
    def outcome(self, position: P, seen: int = 1) -> Outcome | None:
        """The end of the game, if this is one. `seen` = how often the position has now occurred."""

    def examine(self, position: P, turn: tuple[M, ...], written: bool = True) -> Examined[P, M]:
        """Judge, play and, unless nobody needs it, write a turn: in one pass where these share work."""
        text = self.write(turn, position) if written else ""
        return Examined(turn, tuple(self.judge(position, turn)), self.play(position, turn), text)

    def turns(self, position: P) -> Iterator[tuple[M, ...]]:
        """The tenable turns: the candidates that `judge` has no objection to."""
        return (turn for turn in self.candidates(position) if self.tenable(position, turn))

    def tenable(self, position: P, turn: tuple[M, ...]) -> bool:
        """Whether the turn breaks no rule."""
        return next(iter(self.judge(position, turn)), None) is None

    def perft(self, position: P, depth: int) -> int:
        """How many lines of tenable turns of this length there are, none after the end; games may count faster."""
        if depth == 0 or self.outcome(position) is not None:
            return int(depth == 0)
        if depth == 1:
            return len([*self.turns(position)])
        return sum(self.perft(self.play(position, turn), depth - 1) for turn in self.turns(position))

    def caution(self, position: P, turn: tuple[M, ...], after: P | None) -> Text | None:
        """What to know before a turn that gives the game up is final; `after` None: however the dice may fall."""
        return None

    def proven(self, position: P) -> Outcome | None:
        """The end that no tenable turn of the side to act could change any more, where it still has one; else None."""
        return None

    def acceptance(self, position: P) -> str:
        """The turn by which the side to act accepts the end that the position threatens it with, or ""."""
        return ""

    def reset(self, position: P, after: Side | None = None) -> P | None:
        """The position after a reset of the board, with who follows `after` (None: who is to act) to play; or None."""
        return None

    def roll(self, position: P, turn: tuple[M, ...], dice: Dice) -> tuple[M, ...]:
        """The turn with its luck resolved: every throw it makes is recorded in it, in place of any it had."""
        return turn

    def describe_luck(
        self, turn: tuple[M, ...], position: P, viewer: Side | None, after: P | None = None
    ) -> tuple[Text, ...]:
        """What chance has decided, as one side (None = the public) may know it; `after`: the turn, played already."""
        return ()

    def rolls(self, turn: tuple[M, ...]) -> str:
        """The rolls that a turn records, as text; "" for none. A player may not type them."""
        return ""

    def asks(self, position: P) -> tuple[Ask, ...]:
        """What the game awaits in private right now, from each side that still owes it."""
        return ()

    def answer(self, position: P, ask: Ask, text: str, dice: Dice) -> P:
        """The position once a side has answered; the answer stays sealed in it until the rules show it."""
        raise NotationError(Text("Nothing is asked of {side}.", side=self.names[ask.side]))

    def reveal_text(self, position: P, ask: Ask, text: str) -> Text | None:
        """What everybody learns once this answer opens all of them; None while others are awaited."""
        return None

    @abstractmethod
    def pass_turn(self, position: P, dice: Dice) -> P:
        """The position with the turn passed on because of a penalty: no pass, no draw count."""

    @abstractmethod
    def remove_piece(self, position: P, move: M) -> P:
        """The position without the piece that `move` would have moved: what the piece penalty costs."""

    def penalize(
        self, before: P, turn: tuple[M, ...], rulings: tuple[Ruling[M], ...], penalty: Penalty, dice: Dice
    ) -> P | Outcome:
        """The position after a correct callout, from `before` on; an Outcome where the penalty ends the game."""
        if penalty in ("friendly", "time"):
            return before
        if penalty == "turn":
            return self.pass_turn(before, dice)
        if penalty == "sudden":
            others = self.leave(before, loser := self.to_act(before))  # as whoever gives up
            return self.forfeit(before, loser, SUDDEN) if others is None else others
        return self.pass_turn(self.remove_piece(before, rulings[0].move), dice)

    def penalty_text(
        self, before: P, turn: tuple[M, ...], rulings: tuple[Ruling[M], ...], penalty: Penalty, after: P | Outcome
    ) -> Text | None:
        """What exactly this callout, which has led to `after`, costs; None = what is always said of such a penalty."""
        if penalty.startswith("piece") and self.remove_piece(before, rulings[0].move) == before:
            return Text("The turn is taken back and lost; no piece goes with it.")
        return None

    def forfeit(self, position: P, side: Side, rule: Rule) -> Outcome:
        """The end when one side gives up, is out of time or loses by penalty: the others win. See `leave`."""
        return Outcome(rule, frozenset(self.playing(position)) - {side})

    def remark(self, options: Mapping[str, str]) -> Text | None:
        """What everybody should know about these options before they agree; one sentence."""
        return None

    def for_keeps(self, options: Mapping[str, str]) -> bool:
        """Whether these options make a game in which each side stakes a token of its own."""
        return False

    def token_transfers(self, position: P, winners: frozenset[Side]) -> tuple[tuple[Side, Side], ...]:
        """Whose token changes hands in a game played for keeps: (from, to), after the end."""
        return ()

    def agree(self, position: P) -> P | Outcome:
        """What follows when everybody agrees on a draw; a position where the rules want more first."""
        return Outcome(AGREED, frozenset(self.playing(position)))

    def stalled(self, position: P) -> Outcome | None:
        """How the game ends if nobody contests a claim that there is no contest; None = none may be claimed."""
        return None

    def contests(self, before: P, turn: tuple[M, ...], after: P) -> bool:
        """Whether a turn answers such a claim: whether it takes, fends or places."""
        return True

    def playing(self, position: P) -> tuple[Side, ...]:
        """The sides still in the game."""
        return self.sides

    def leave(self, position: P, side: Side) -> P | None:
        """The position after one of several sides has gone; None = the game is over with `forfeit`."""
        return None

    def time_limit(self, position: P) -> int | None:
        """Seconds the side to act has, where the rules themselves say so (a dying turn); else None."""
        return None

    @abstractmethod
    def board(self, position: P) -> Board:
        """The board that this position is played on."""

    def marks(self, turn: tuple[M, ...], position: P, after: P | None = None) -> tuple[Mark, ...]:
        """Where the turn, just played from `position`, took place: the last move in pictures."""
        sites = tuple(dict.fromkeys(s for move in turn for s in (move.origin, move.target) if s))
        return (Mark("moved", sites),) if sites else ()

    def ends(self, turn: tuple[M, ...], position: P) -> frozenset[Site]:
        """Where the turn's moves end, by the names that the board has for people."""
        return frozenset(move.target for move in turn if move.target)

    def draw_turn(self, before: P, turn: tuple[M, ...], viewer: Side | None, after: P | None = None) -> Diagram:
        """The position after a turn with what the turn left to see: what moved, what was taken; more in an override."""
        after = self.play(before, turn) if after is None else after
        return self.draw(after, viewer).marked(self.marks(turn, before, after))

    def fades(self, turn: tuple[M, ...], position: P) -> bool:
        """Whether pictures show what a turn did right after it alone, and players have to remember it."""
        return False

    def look(self, position: P, site: str, viewer: Side | None) -> tuple[Text, ...]:
        """A place in words: what it is, who stands there, what it touches. Raises NotationError."""
        if isinstance(said := place_text(self.board(position), self.draw(position, viewer), site, viewer), Unreadable):
            raise NotationError(*said)
        return said


SUDDEN = Rule("riposte:sudden", Term("Sudden death"), Text("A turn that was rightly called out loses the game."))
RESIGNED = Rule("riposte:resign", Term("Resignation"), Text("A side that gives up has lost."))
TIMEOUT = Rule("riposte:time", Term("Time"), Text("A side that lets its time run out has lost."))
AGREED = Rule("riposte:draw", Term("Agreement"), Text("The players agreed on a draw."))
RULED = Rule("riposte:ruling", Term("Ruling"), Text("An arbiter has decided how the match ends."))
ABORTED = Rule("riposte:abort", Term("Aborted"), Text("The match was called off early; nobody wins."))

AnyGame: TypeAlias = Game[Any, Any]
