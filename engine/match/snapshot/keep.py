"""A match as bytes and back. The log stays the truth: what another program has written is not read.

First how the match stands, with its latest plies; then, in a stream of its own, those of long ago, which are read only
when somebody asks for them. So reading takes as long for a long match as for a short one.
"""

import hashlib
import zlib
from collections.abc import Mapping, Sequence
from dataclasses import fields
from functools import cache, lru_cache, partial
from pathlib import Path
from sys import modules
from typing import Any, TypeAlias, get_type_hints

import msgspec

import engine
from engine.game import AnyGame
from engine.games import GAMES
from engine.match.snapshot.line import Line, Old
from engine.match.snapshot.plies import PLAIN, StoredPly
from engine.match.state import Match, Ply, encoded

APART = ("game", "terms", "plies", "counts", "start", "position", "position_text", "asked")
"""The fields of a match that are written otherwise than as they are."""
AS_THEY_ARE = tuple(one.name for one in fields(Match) if one.name not in APART)
FASTEST = 1
"""The level at which a snapshot is deflated: positions of one match are much alike."""
LATELY = 4
"""The plies that are at hand at once: a turn hardly ever asks for those before."""
MOST_LATELY = 40
"""Those that may stand behind the plies of long ago, before these are written anew."""
LENGTH = 4
"""Bytes that tell where the plies of long ago begin."""


_hints = get_type_hints(Match)
_Kept: Any = msgspec.defstruct(
    "_Kept",
    [
        ("last", int),
        ("texts", tuple[str, ...]),
        ("start", int),
        ("position", int),
        ("terms", dict[str, str]),
        ("rows", list[list[Any]]),
        ("old", tuple[int, int]),
        ("counts", dict[int, int]),
        ("asked", list[tuple[str, str, int]]),
        *((f"_{name}", _hints[name]) for name in AS_THEY_ARE),
    ],
    array_like=True,
)
_encode = msgspec.json.Encoder().encode
_decode = msgspec.json.Decoder(_Kept).decode
_Rows: TypeAlias = tuple[list[str], list[list[Any]]]
"""Positions as texts, and a row for each ply: its `PLAIN` values, and the numbers of the positions around it."""
_read_rows = msgspec.json.Decoder(_Rows).decode


class _Texts:
    """Positions as texts, each once and by its number."""

    def __init__(self, game: AnyGame) -> None:
        self._game = game
        self._known: dict[int, str] = {}
        self.numbers: dict[str, int] = {}

    def of(self, position: Any) -> str:
        """The text of a position."""
        if id(position) not in self._known:
            self._known[id(position)] = self._game.encode(position)
        return self._known[id(position)]

    def number(self, text: str) -> int:
        """The number of a text."""
        return self.numbers.setdefault(text, len(self.numbers))

    def rows(self, plies: Sequence[Ply]) -> list[list[Any]] | None:
        """A row for each ply; None if one of them could not be read back."""
        rows = []
        for ply in plies:
            plain = [getattr(ply, name) for name in PLAIN]
            if isinstance(ply, StoredPly):
                between = ply.texts
            else:
                between = self.of(ply.before), self.of(ply.after)
                if StoredPly.stored(self._game, between, plain) != ply:
                    return None
            rows.append([*plain, *map(self.number, between)])
        return rows


def write(match: Match, last: int) -> bytes | None:
    """Returns a running match as bytes; None for one that could not be read back. `last` is when its last event was."""
    game, plies = match.game, match.plies
    if match.status != "running" or not all(isinstance(one, int) for one in match.counts):
        return None
    texts = _Texts(game)
    start, position = texts.number(texts.of(match.start)), texts.number(encoded(match))
    if isinstance(plies, Line) and len(plies.lately) <= MOST_LATELY:
        old, lately = plies.old, plies.lately
    else:
        made, lately = _old(game, plies[:-LATELY]), tuple(plies[-LATELY:])
        if made is None:
            return None
        old = made
    rows = texts.rows(lately)
    if rows is None:
        return None
    if game.decode(texts.of(match.start)) != match.start or game.decode(encoded(match)) != match.position:
        return None
    counts, asked = dict(match.counts), [(*key, count) for key, count in match.asked.items()]
    rest = (getattr(match, name) for name in AS_THEY_ARE)
    known, before = tuple(texts.numbers), (old.count, old.turns)
    kept = _Kept(last, known, start, position, dict(match.terms), rows, before, counts, asked, *rest)
    stands = zlib.compress(_encode(kept), FASTEST)
    return b"".join((_written_by(game), len(stands).to_bytes(LENGTH), stands, old.data))


def _written_by(game: AnyGame) -> bytes:
    """What comes first: the game, and the program that has followed the match."""
    return f"{game.key} {_program(game)}\n".encode()


def _old(game: AnyGame, plies: Sequence[Ply]) -> Old[Ply] | None:
    """Plies of long ago; None if one of them could not be read back."""
    texts = _Texts(game)
    rows = texts.rows(plies)
    if rows is None:
        return None
    turns = [ply.kind for ply in plies].count("turn")
    data = zlib.compress(_encode((list(texts.numbers), rows)), FASTEST) if plies else b""
    return Old(data, len(plies), turns, partial(_read_old, game))


def _read_old(game: AnyGame, data: bytes) -> tuple[Ply, ...]:
    return _plies(game, *_read_rows(zlib.decompress(data)))


def _plies(game: AnyGame, texts: Sequence[str], rows: Sequence[Sequence[Any]]) -> tuple[Ply, ...]:
    return tuple([StoredPly.stored(game, (texts[row[-2]], texts[row[-1]]), row[:-2]) for row in rows])


def read(data: bytes) -> tuple[Match, int] | None:
    """Returns a match and when its last event was; None for what this very program has not written.

    Raises ValueError for what is damaged.
    """
    key = data[: max(0, data.find(b" "))].decode("ascii", "replace")
    if key not in GAMES or not data.startswith(first := _written_by(GAMES[key])):
        return None
    begins = len(first) + LENGTH
    ends = begins + int.from_bytes(data[len(first) : begins])
    try:
        kept = _decode(zlib.decompress(data[begins:ends]))
    except zlib.error as error:
        raise ValueError(f"a snapshot is damaged: {error}") from error
    game, texts = GAMES[key], kept.texts
    count, turns = kept.old
    lately = _plies(game, texts, kept.rows)
    plies = Line(Old(data[ends:], count, turns, partial(_read_old, game)), lately) if count else lately
    match = Match(
        game=game,
        terms=_terms(tuple(kept.terms.items())),
        plies=plies,
        counts=kept.counts,
        start=_start(game, texts[kept.start]),
        position=game.decode(texts[kept.position]),
        position_text=texts[kept.position],
        asked={(what, by): count for what, by, count in kept.asked},
        **dict(zip(AS_THEY_ARE, msgspec.structs.astuple(kept)[-len(AS_THEY_ARE) :], strict=True)),
    )
    return match, kept.last


@lru_cache(maxsize=256)
def _terms(items: tuple[tuple[str, str], ...]) -> Mapping[str, str]:
    """Most matches are played by the same terms."""
    return dict(items)


@lru_cache(maxsize=256)
def _start(game: AnyGame, text: str) -> Any:
    """Many matches begin alike."""
    return game.decode(text)


@cache
def _program(game: AnyGame) -> str:
    """A digest of all that a match follows from: one that another program has followed may stand elsewhere here."""
    told = hashlib.sha256(_engine())
    source = modules[type(game).__module__].__file__
    if source is not None and not Path(source).is_relative_to(_ENGINE):
        told.update(Path(source).read_bytes())
    return told.hexdigest()


_ENGINE = Path(engine.__file__).parent


@cache
def _engine() -> bytes:
    told = hashlib.sha256()
    for file in sorted(_ENGINE.rglob("*.py")):
        told.update(file.read_bytes())
    return told.digest()
