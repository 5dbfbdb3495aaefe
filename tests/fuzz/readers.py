"""The table of readers: all that read a text which somebody else has written, what they may raise, and examples."""

import gettext
import io
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import lru_cache, partial
from itertools import islice
from pathlib import Path
from random import Random
from typing import Any

import msgspec
from dotenv import dotenv_values
from pydantic import ValidationError

from bot.adapters.api.operations import OPERATIONS
from bot.adapters.discord.composer.state import Draft
from bot.adapters.discord.interactions.buttons import Signer
from bot.adapters.web.board.reading import _Asked
from bot.adapters.web.protocol import read_request
from bot.cli.judge import answers
from bot.commands.club.sheet import read_plan
from bot.commands.parser import is_notation, read_command, read_proposal, slips
from bot.messages.catalogue import Language
from bot.messages.model import clean
from bot.rests.calendars import Calendar
from bot.settings import Settings
from engine.dice import Dice
from engine.game import AnyGame, NotationError
from engine.games import GAMES
from engine.match.clock import read_clock, read_duration
from engine.match.record.model import FIRST_LINE
from engine.match.record.pairs import read_pairs
from engine.match.record.read import read_record
from engine.match.terms import read_terms
from engine.reading.typed import understood
from engine.text import Text, plural

RECORDS = Path(__file__).parents[1] / "games"
REFUSED = (NotationError,)
"""What a reader of notation says no with: the fact and a remedy."""
JSON = (msgspec.ValidationError, msgspec.DecodeError, UnicodeError, RecursionError)
"""What whoever asks for JSON catches, and answers with a sentence."""


@dataclass(frozen=True, slots=True)
class Reader:
    """Something that reads a text; it returns, or raises one of these."""

    name: str
    read: Callable[[str], object]
    errors: tuple[type[Exception], ...] = REFUSED
    examples: tuple[str, ...] = ()


@lru_cache(maxsize=1)
def readers() -> tuple[Reader, ...]:
    """All of them."""
    return (*of_others(), *_of_hosts())


@lru_cache(maxsize=1)
def of_others() -> tuple[Reader, ...]:
    """Those whose texts anybody may have written, and as long as they like."""
    games = [reader for game in GAMES.values() for reader in _of_game(game)]
    return (*games, *_of_records(), *_of_commands(), *_of_programs())


def _of_game(game: AnyGame) -> Iterator[Reader]:
    start = game.setup({}, Dice(bytes(32)))
    turns = tuple(game.write(turn, start) for turn in islice(game.candidates(start), 12))
    key = game.key
    yield Reader(f"{key}: a turn", lambda text: _judged_and_played(game, text, start), REFUSED, turns)
    yield Reader(f"{key}: a turn as it is typed", lambda text: understood(game, text, start), REFUSED, turns)
    yield Reader(f"{key}: turns", game.split, REFUSED, (" ".join(turns[:3]), "; ".join(turns[:3])))
    yield Reader(f"{key}: a position", lambda text: _written_again(game, text), REFUSED, (game.encode(start),))
    yield Reader(
        f"{key}: terms", lambda text: read_terms(game, {"start": text, "time": text}), REFUSED, ("3d", "5/10d", "none")
    )
    yield Reader(
        f"{key}: a line of judge", lambda text: _judge(key, text), (), (*turns[:2], "-", " ; ".join(turns[:3]))
    )
    for ask in game.asks(start)[:1]:
        answer = partial(_answered, game, start, ask)
        yield Reader(f"{key}: an answer in private", answer, REFUSED, (ask.example,))


def _judged_and_played(game: AnyGame, text: str, start: Any) -> None:
    """Whatever is read can be judged, carried out and written, and what was written is read as the same."""
    turn = game.roll(start, game.read(text, start), Dice(bytes(32)))
    list(game.judge(start, turn))
    game.play(start, turn)
    assert game.write(game.read(game.write(turn, start), start), start) == game.write(turn, start)


def _written_again(game: AnyGame, text: str) -> None:
    position = game.decode(text)
    assert game.encode(game.decode(game.encode(position))) == game.encode(position)


def _judge(key: str, text: str) -> None:
    for name in ("turn", "position"):
        _judged(msgspec.json.encode({"game": key, "turn": "-", name: as_bytes(text).decode(errors="replace")}))


def _judged(line: bytes) -> None:
    """Every line is answered by a line, and by none that tells of a bug."""
    for answer in b"".join(answers(io.BytesIO(line))).splitlines():
        told = msgspec.json.decode(answer)
        assert "which is a bug" not in told.get("error", ""), told["error"]


def as_bytes(text: str) -> bytes:
    """What comes over a wire: a lone half of a pair stands for bytes that are no text."""
    return text.encode("utf-8", "surrogatepass")


def _answered(game: AnyGame, start: Any, ask: Any, text: str) -> object:
    return game.answer(start, ask, text, Dice(bytes(32)))


def _of_records() -> Iterator[Reader]:
    head = f"{FIRST_LINE}\nGame: tokonoma\n\n"
    whole = tuple(path.read_text("utf-8")[:1500] for path in sorted(RECORDS.rglob("*.record"))[:3])
    yield Reader("a record", read_record, REFUSED, (*whole, f"{head}1. W c7c5\n"))
    yield Reader("a record's turns", lambda text: read_record(head + text), REFUSED, ("1. W c7c5\n2. B c1c3 ; note\n",))
    yield Reader("a record in pairs", read_pairs, REFUSED, ("1. SX6, eY11;  2. a+ eY6, $X9;",))
    yield Reader("a line of judge", lambda text: _judged(as_bytes(text)), (), ('{"game":"veney"}',))


def _of_commands() -> Iterator[Reader]:
    lines = ("move 1 c7c5", "challenge @ben tokonoma time=3d umpire=turn", "call 3 : 12", "settings channels here")
    plan = partial(read_plan, calendar=Calendar(), at=1_800_000_000_000, defaults=lambda game: {})
    yield Reader("a command", read_command, (), lines)
    yield Reader("a challenge", lambda text: read_proposal(text, tuple(GAMES)), REFUSED, lines)
    yield Reader("a tournament", plan, (), ("swiss tokonoma Open seats=8 time=3d begins=2d", "ladder veney ends=60d"))
    yield Reader("talk", lambda text: (is_notation(text), slips(text)), (), ("c7c5!", "nice move", "cal"))
    yield Reader("a name", clean, (), ("Anna", "\u202eAnna", "a\u0300" * 40))
    yield Reader("a duration", read_duration, REFUSED, ("3d12h", "90m", "1w"))
    yield Reader("a clock", read_clock, REFUSED, ("3d", "5/10d", "20d+1d<30d", "hourglass2d"))


def _of_programs() -> Iterator[Reader]:
    signer = Signer(bytes(32))
    step = Draft("12", 3, ("c7",)).id(signer, "pick", 1)
    say = '{"do":"say","id":"00000000-0000-0000-0000-000000000000","channel":"lounge","thread":"","text":"c7c5"}'
    look = '{"do":"look","turn":1,"channel":"lounge","thread":"1","picks":["c7"]}'
    yield Reader(
        "a message of the page's socket",
        lambda text: read_request(as_bytes(text)),
        JSON,
        (say, look, '{"do":"enter","name":"Anna"}'),
    )
    yield Reader("a question for a public board", _asked, JSON, ("shown=3&known=x&heard=2&side=white",))
    yield Reader("a button's id on Discord", signer.read, (), (step, signer.sign("b", "move 1 c7c5")))
    for operation in OPERATIONS:
        if operation.body is not None:
            read = partial(_body, operation.body)
            yield Reader(f"the API's {operation.name}", read, JSON, ('{"turn":"c7c5","sure":true}', "{}"))
        for parameter in operation.parameters:
            convert = partial(msgspec.convert, type=parameter.kind, strict=False)
            yield Reader(f"the API's {operation.name}: {parameter.name}", convert, JSON, ("1", "running", "true"))


def _body(kind: type, text: str) -> object:
    return msgspec.json.decode(as_bytes(text), type=kind)


def _asked(text: str) -> object:
    pairs = (part.partition("=") for part in text.split("&"))
    return msgspec.convert({name: value for name, _, value in pairs}, _Asked, strict=False)


def _of_hosts() -> Iterator[Reader]:
    numbers = tuple(name for name in Settings.model_fields if name != "games")
    yield Reader(
        "a setting", partial(_setting, numbers), (ValidationError, UnicodeError), ("0-3/16", "9109", "yes", "@a:b.org")
    )
    yield Reader("a file of settings", lambda text: dict(dotenv_values(stream=io.StringIO(text))), (), ("A=b\n# c\n",))
    yield Reader("a translation", _told, (), ("{player}, Ihr Zug", "*{count}* Züge", "{", "{0}", "`{player}`"))


def _setting(names: tuple[str, ...], text: str) -> None:
    name = names[Random(text).randrange(len(names))]
    Settings.model_validate({name: text})


class _Broken(gettext.NullTranslations):
    """A language file in which the same stands for every sentence."""

    def __init__(self, told: str) -> None:
        super().__init__()
        self._told = told

    def gettext(self, message: str) -> str:
        return self._told

    def ngettext(self, msgid1: str, msgid2: str, n: int) -> str:
        return self._told


def _told(text: str) -> None:
    """A language file can say anything: a sentence is told all the same, with its values."""
    spoken = Language("en", _Broken(text))
    assert "Anna" in spoken.say(Text("{player}, your turn.", player="Anna"))
    assert "3" in spoken.say(plural("{count} turn", "{count} turns", 3))
