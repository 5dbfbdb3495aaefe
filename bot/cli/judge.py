"""Judges turns for programs: a request in, an answer out, as JSON."""

from collections.abc import Hashable, Iterator
from functools import cache
from typing import Any, BinaryIO

import msgspec
from msgspec import UNSET, Struct, UnsetType

from engine.dice import Dice
from engine.game import AnyGame, Examined, NotationError, Ruling
from engine.games import GAMES
from engine.text import sentences

LONGEST = 1 << 20
"""Bytes that one request may have."""
MOST_TURNS = 2_000
"""Turns of one request: no match has as many."""
REMEMBERED = 4_000
"""Positions and turns that are remembered; then all are forgotten. A request has half as many at most."""
BETWEEN = " ; "
"""What stands between the turns of one request."""


class Request(Struct, frozen=True):
    """A question about the last of some turns, after the others were played."""

    game: str
    turn: str
    position: str | None = None
    """None = the start under the default terms."""
    id: Any = None


class End(Struct, frozen=True):
    """How the game ends."""

    rule: str
    winners: tuple[str, ...]


class Answer(Struct, frozen=True):
    """The answer about a turn."""

    id: Any
    readable: bool
    tenable: bool
    """False for what could not be read, too: nobody can make such a turn."""
    rules: tuple[str, ...]
    """The ref of the rule behind each ruling."""
    because: tuple[str, ...]
    """The fact behind each ruling; of an unreadable turn the fact and the remedy."""
    after: str | None
    outcome: End | None
    """How a tenable turn ends the game."""
    readings: tuple[str, ...] | UnsetType = UNSET
    """What an ambiguous turn can mean; absent for all others."""


class Failure(Struct, frozen=True):
    """Why a request has no answer."""

    id: Any
    error: str
    remedy: str


class Judge:
    """Reads a position once and judges a turn on it once, in however many requests they come, or how often in one."""

    def __init__(self) -> None:
        self._positions: dict[tuple[str, str | None], Any] = {}
        self._turns: dict[str, dict[Any, dict[str, Examined[Any, Any]]]] = {}
        """By game, position and text."""
        self._remembered = 0

    def answer(self, request: Request) -> Answer | Failure:
        """Returns the answer to a request."""
        game = GAMES.get(request.game)
        if game is None:
            return Failure(
                request.id, f"There is no game called {request.game[:40]}.", f"The games are {', '.join(GAMES)}."
            )
        try:
            position = self._position(game, request.position)
        except NotationError as error:
            return Failure(request.id, f"The position cannot be read. {error.because}", str(error.remedy or ""))
        rulings: tuple[Ruling[Any], ...] = ()
        reached: list[Hashable] = [game.identity(position)]
        turns = request.turn.split(BETWEEN)
        if len(turns) > MOST_TURNS:
            fact = f"The request has {len(turns)} turns; at most {MOST_TURNS} are judged."
            return Failure(request.id, fact, "Give the position after the first ones instead.")
        for text in turns:
            try:
                examined = self._turn(game, position, text)
            except NotationError as error:
                because = tuple(map(str, sentences((error.because, error.remedy))))
                return Answer(request.id, False, False, (), because, None, None, error.readings or UNSET)
            rulings, position = examined.rulings, examined.after
            reached.append(game.identity(position))
        # An untenable turn ends nothing by itself: somebody may call it out.
        outcome = None if rulings else game.outcome(position, reached.count(reached[-1]))
        winners = () if outcome is None else tuple(side for side in game.sides if side in outcome.winners)
        return Answer(
            request.id,
            readable=True,
            tenable=not rulings,
            rules=tuple(ruling.rule.ref for ruling in rulings),
            because=tuple(str(ruling.because) for ruling in rulings),
            after=game.encode(position),
            outcome=None if outcome is None else End(outcome.rule.ref, winners),
        )

    def _position(self, game: AnyGame, text: str | None) -> Any:
        position = self._positions.get((game.key, text))
        if position is None:
            position = start(game) if text is None else game.decode(text)
            self._make_room()
            self._positions[game.key, text] = position
        return position

    def _turn(self, game: AnyGame, position: Any, text: str) -> Examined[Any, Any]:
        turns = self._turns.setdefault(game.key, {}).setdefault(position, {})
        examined = turns.get(text)
        if examined is None:
            examined = game.examine(position, game.read(text, position), written=False)
            self._make_room()
            turns[text] = examined
        return examined

    def _make_room(self) -> None:
        self._remembered += 1
        if self._remembered > REMEMBERED:
            self._remembered = 0
            self._positions.clear()
            self._turns.clear()


def judge(request: Request) -> Answer | Failure:
    """Returns the answer to a request."""
    return Judge().answer(request)


@cache
def start(game: AnyGame) -> Any:
    """Returns the position at the start under the default terms."""
    return game.setup({}, Dice(bytes(32)))


def answers(lines: BinaryIO) -> Iterator[bytes]:
    """Yields the answers to requests, one a line, as many at a time as have come in: a program can wait for each."""
    rest, lost, judge = b"", False, Judge()
    while chunk := lines.read1(1 << 16):  # type: ignore[attr-defined]
        *whole, rest = (rest + chunk).split(b"\n")
        if lost:  # the rest of a line that was too long
            whole, rest, lost = whole[1:], rest if whole else b"", not whole
        if len(rest) > LONGEST:
            whole, rest, lost = [*whole, rest], b"", True
        yield b"".join(_answer(judge, line) for line in whole if line.strip())
    if rest.strip():
        yield _answer(judge, rest)


def _answer(judge: Judge, line: bytes) -> bytes:
    if len(line) > LONGEST:
        return _failure(None, f"A request has at most {LONGEST} bytes.", f"Write it like `{EXAMPLE}`.")
    try:
        return ENCODER.encode(judge.answer(DECODER.decode(line))) + b"\n"
    except UNREADABLE as error:
        return _failure(_id(line), f"This is no request: {error}.", f"Write it like `{EXAMPLE}`.")
    except Exception as error:  # a bug of one game must not cost a program the answers to its other lines
        return _failure(_id(line), f"The judge has failed, which is a bug: {error!r}.", "Please report this line.")


def _failure(request: Any, error: str, remedy: str) -> bytes:
    return ENCODER.encode(Failure(request, error, remedy)) + b"\n"


def _id(line: bytes) -> Any:
    """Returns the id in a line that is no request, None if it has none."""
    try:
        read = msgspec.json.decode(line)
    except UNREADABLE:
        return None
    return read.get("id") if isinstance(read, dict) else None


EXAMPLE = '{"id": 1, "game": "tokonoma", "turn": "c7c5"}'
UNREADABLE = (msgspec.DecodeError, UnicodeDecodeError, RecursionError)
DECODER = msgspec.json.Decoder(Request)
ENCODER = msgspec.json.Encoder()
