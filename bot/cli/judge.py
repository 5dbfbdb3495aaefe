"""Judges turns for programs: a request in, an answer out, as JSON."""

from collections import Counter
from collections.abc import Hashable, Iterator
from functools import cache
from typing import Any, BinaryIO

import msgspec
from msgspec import UNSET, Struct, UnsetType

from engine.dice import Dice
from engine.game import AnyGame, NotationError, Ruling
from engine.games import GAMES
from engine.text import sentences

LONGEST = 1 << 20
"""Bytes that one request may have."""
MOST_TURNS = 2_000
"""Turns of one request: no match has as many."""
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


def judge(request: Request) -> Answer | Failure:
    """Returns the answer to a request."""
    game = GAMES.get(request.game)
    if game is None:
        return Failure(
            request.id, f"There is no game called {request.game[:40]}.", f"The games are {', '.join(GAMES)}."
        )
    try:
        position = start(game) if request.position is None else game.decode(request.position)
    except NotationError as error:
        return Failure(request.id, f"The position cannot be read. {error.because}", str(error.remedy or ""))
    rulings: tuple[Ruling[Any], ...] = ()
    seen = Counter[Hashable]((game.identity(position),))
    turns = request.turn.split(BETWEEN)
    if len(turns) > MOST_TURNS:
        fact = f"The request has {len(turns)} turns; at most {MOST_TURNS} are judged."
        return Failure(request.id, fact, "Give the position after the first ones instead.")
    for text in turns:
        try:
            turn = game.read(text, position)
        except NotationError as error:
            because = tuple(map(str, sentences((error.because, error.remedy))))
            return Answer(request.id, False, False, (), because, None, None, error.readings or UNSET)
        examined = game.examine(position, turn, written=False)
        rulings, position = examined.rulings, examined.after
        seen[game.identity(position)] += 1
    # An untenable turn ends nothing by itself: somebody may call it out.
    outcome = None if rulings else game.outcome(position, seen[game.identity(position)])
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


@cache
def start(game: AnyGame) -> Any:
    """Returns the position at the start under the default terms."""
    return game.setup({}, Dice(bytes(32)))


def answers(lines: BinaryIO) -> Iterator[bytes]:
    """Yields the answers to requests, one a line, as many at a time as have come in: a program can wait for each."""
    rest, lost = b"", False
    while chunk := lines.read1(1 << 16):  # type: ignore[attr-defined]
        *whole, rest = (rest + chunk).split(b"\n")
        if lost:  # the rest of a line that was too long
            whole, rest, lost = whole[1:], rest if whole else b"", not whole
        if len(rest) > LONGEST:
            whole, rest, lost = [*whole, rest], b"", True
        yield b"".join(map(_answer, filter(bytes.strip, whole)))
    if rest.strip():
        yield _answer(rest)


def _answer(line: bytes) -> bytes:
    if len(line) > LONGEST:
        return _failure(None, f"A request has at most {LONGEST} bytes.", f"Write it like `{EXAMPLE}`.")
    try:
        return ENCODER.encode(judge(DECODER.decode(line))) + b"\n"
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
