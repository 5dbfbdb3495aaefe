"""A match as bytes and back. The log stays the truth: what another program has written is not read."""

import hashlib
import zlib
from dataclasses import fields
from functools import cache, lru_cache
from pathlib import Path
from sys import modules
from typing import Any, get_type_hints

import msgspec

import engine
from engine.game import AnyGame
from engine.games import GAMES
from engine.match.snapshot.plies import PLAIN, StoredPly
from engine.match.state import Match, encoded

APART = ("game", "plies", "counts", "start", "position", "position_text", "asked")
"""The fields of a match that are written otherwise than as they are."""
AS_THEY_ARE = tuple(one.name for one in fields(Match) if one.name not in APART)
FASTEST = 1
"""The level at which a snapshot is deflated: positions of one match are much alike."""


class _Head(msgspec.Struct, array_like=True):
    """What comes first, whoever has written the rest."""

    program: str
    key: str


_hints = get_type_hints(Match)
_Kept: Any = msgspec.defstruct(
    "_Kept",
    [
        ("program", str),
        ("key", str),
        ("last", int),
        ("texts", tuple[str, ...]),
        ("start", int),
        ("position", int),
        ("rows", list[list[Any]]),
        ("counts", dict[str, int]),
        ("asked", list[tuple[str, str, int]]),
        *((f"_{name}", _hints[name]) for name in AS_THEY_ARE),
    ],
    array_like=True,
)
_encode = msgspec.json.Encoder().encode
_decode = msgspec.json.Decoder(_Kept).decode


def write(match: Match, last: int) -> bytes | None:
    """Returns a running match as bytes; None for one that could not be read back. `last` is when its last event was."""
    game = match.game
    if match.status != "running" or not all(isinstance(one, str) for one in match.counts):
        return None
    known: dict[int, str] = {}
    texts: dict[str, int] = {}

    def text(position: Any) -> str:
        if id(position) not in known:
            known[id(position)] = game.encode(position)
        return known[id(position)]

    def number(text: str) -> int:
        return texts.setdefault(text, len(texts))

    start, position = number(text(match.start)), number(encoded(match))
    rows = []
    for ply in match.plies:
        plain = [getattr(ply, name) for name in PLAIN]
        if isinstance(ply, StoredPly):
            between = ply.texts
        else:
            between = text(ply.before), text(ply.after)
            if StoredPly.stored(game, between, plain) != ply:
                return None
        rows.append([*plain, *map(number, between)])
    if game.decode(text(match.start)) != match.start or game.decode(encoded(match)) != match.position:
        return None
    counts, asked = dict(match.counts), [(*key, count) for key, count in match.asked.items()]
    rest = (getattr(match, name) for name in AS_THEY_ARE)
    kept = _Kept(_program(game), game.key, last, tuple(texts), start, position, rows, counts, asked, *rest)
    return zlib.compress(_encode(kept), FASTEST)


def read(data: bytes) -> tuple[Match, int] | None:
    """Returns a match and when its last event was; None for what this very program has not written.

    Raises ValueError for what is damaged.
    """
    try:
        plain = zlib.decompress(data)
    except zlib.error as error:
        raise ValueError(f"a snapshot is damaged: {error}") from error
    head = msgspec.json.decode(plain, type=_Head)
    if head.key not in GAMES or head.program != _program(GAMES[head.key]):
        return None
    kept = _decode(plain)
    game, texts = GAMES[kept.key], kept.texts
    plies = tuple(StoredPly.stored(game, (texts[row[-2]], texts[row[-1]]), row[:-2]) for row in kept.rows)
    match = Match(
        game=game,
        plies=plies,
        counts=kept.counts,
        start=_start(game, texts[kept.start]),
        position=game.decode(texts[kept.position]),
        position_text=texts[kept.position],
        asked={(what, by): count for what, by, count in kept.asked},
        **{name: getattr(kept, f"_{name}") for name in AS_THEY_ARE},
    )
    return match, kept.last


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
