"""Where everything stands in a game of Tirachen, and how one line of text says it."""

import re
from collections.abc import Mapping
from itertools import compress
from typing import NamedTuple, TypeAlias

from engine.board import Side
from engine.dice import Dice
from engine.game import NotationError, Rule
from engine.games.tirachen.board import HOME_SPAN, INDEX, SITES
from engine.games.tirachen.rules import GENERAL, HOMELAND, KINDS
from engine.text import Text

SIDES: tuple[Side, Side] = ("R", "W")
"""Red and White; inside this game a side is 0 or 1."""

EMPTY = ord(".")
NEUTRAL = ord("*")
"""The traitor while it is nobody's."""

Pool: TypeAlias = tuple[int, int, int, int]
"""What a side has still to bring: forts, commanders, pikes, masters."""

POOL_SLOT: Mapping[str, int] = {"F": 0, "C": 1, "P": 2, "S": 3, "A": 3, "W": 3}
POOL_LETTERS = "FCPM"
POOL_FULL: Pool = (1, 1, 9, 9)


class Position(NamedTuple):
    """Who stands where, what is left to bring, and whose turn it is. A tuple, because counting turns makes millions."""

    board: bytes
    """A letter for each square from a1 to i9: capitals are Red's, small ones White's, `*` is the neutral traitor."""
    pools: tuple[Pool, Pool] = (POOL_FULL, POOL_FULL)
    mobilized: tuple[bool, bool] = (False, False)
    mover: int = 0
    quiet: int = 0
    """Turns since the last capture or placement."""


_OWNED = tuple(
    bytes(ord("1") if (chr(byte).isupper(), chr(byte).islower())[side] else ord("0") for byte in range(256))
    for side in (0, 1)
)


def own(board: bytes, side: int) -> int:
    """The squares that a side holds, a controlled traitor's among them."""
    return int(board.translate(_OWNED[side]), 2)


def holds(part: bytes, side: int) -> bool:
    """Whether every square of a part of the board is a side's."""
    return b"0" not in part.translate(_OWNED[side])


def letter(kind: str, side: int) -> int:
    """The byte that stands for a side's piece."""
    return ord(kind.lower() if side else kind)


def kind_of(byte: int) -> str:
    """The letter of the kind that a byte stands for; "" for an open square."""
    return "T" if byte == NEUTRAL else "" if byte == EMPTY else chr(byte).upper()


def owner_of(byte: int) -> int | None:
    """Whose piece a byte stands for; None for an open square and the neutral traitor."""
    return None if byte in (EMPTY, NEUTRAL) else int(chr(byte).islower())


def winner(position: Position) -> tuple[Rule, int] | None:
    """Who has captured the general or occupied the homeland."""
    board, next_side = position.board, position.mover
    last = 1 - next_side
    if letter("G", last) not in board:
        return GENERAL, next_side
    if letter("G", next_side) not in board:
        return GENERAL, last
    return (HOMELAND, last) if holds(board[HOME_SPAN[next_side]], last) else None


START = "R: G@e1 / W: G@e9 / T: e5 - / pR: F C P9 M9 / pW: F C P9 M9 / mob: - / to: R"

NO_POSITION = Text("That is no position of Tirachen.")
A_PIECE = Text("Write a letter and a square: `P@d2`.")
A_POOL = Text("A full pool is `F C P9 M9`; an empty one is `-`.")

_TEXT = re.compile(
    r"R: (?P<R>[^/]+) / W: (?P<W>[^/]+) / T: (?P<T>x|[a-i][1-9] [-RW]) / pR: (?P<pR>[^/]+) / pW: (?P<pW>[^/]+)"
    r" / mob: (?P<mob>-|R|W|RW) / to: (?P<to>[RW])(?: / quiet: (?P<quiet>0|[1-9][0-9]{0,5}))?"
)
_PIECES = tuple(
    {f"{kind}@{site}": (index, letter(kind, side)) for kind in KINDS if kind != "T" for site, index in INDEX.items()}
    for side in (0, 1)
)
_TRAITORS: Mapping[str, int] = {"R": ord("T"), "W": ord("t"), "-": NEUTRAL}
_WORDS: Mapping[int, tuple[int, list[str]]] = {
    **{byte: (0, [f"{chr(byte)}@{site}" for site in SITES]) for byte in b"GFCSAWP"},
    **{byte: (1, [f"{chr(byte).upper()}@{site}" for site in SITES]) for byte in b"gfcsawp"},
    **{byte: (2, [f"{site} {owner}" for site in SITES]) for owner, byte in _TRAITORS.items()},
}
"""By a board's byte: which part of the text names it (Red's, White's, the traitor's), and the words for each square."""
_POOLED = re.compile(r"F|C|[PM][1-9]")


def start(first: str, dice: Dice) -> Position:
    """The position at the start, by the option that says who plays first."""
    mover = dice.roll(2) if first == "drawn" else int(first == "white")
    return decode(START)._replace(mover=mover)


_EVERYWHERE = range(81)
_STANDING = bytes(byte != EMPTY for byte in range(256))
"""By a square's byte: whether anything stands there."""


def encode(position: Position) -> str:
    """The position as one line; `decode` is its inverse."""
    red: list[str] = []
    white: list[str] = []
    traitor: list[str] = []
    parts = (red, white, traitor)
    board = position.board
    for square in compress(_EVERYWHERE, board.translate(_STANDING)):
        part, words = _WORDS[board[square]]
        parts[part].append(words[square])
    pools = (_write_pool(pool) for pool in position.pools)
    mobilized = "".join(side for side, done in zip(SIDES, position.mobilized, strict=True) if done) or "-"
    quiet = f" / quiet: {position.quiet}" if position.quiet else ""
    standing = " / ".join(
        f"{name}: {' '.join(part) or absent}" for name, part, absent in zip("RWT", parts, "--x", strict=True)
    )
    return f"{standing} / pR: {next(pools)} / pW: {next(pools)} / mob: {mobilized} / to: {SIDES[position.mover]}{quiet}"


def decode(text: str) -> Position:
    """Read what `encode` writes, a side's pieces in any order."""
    found = _TEXT.fullmatch(text.strip())
    if found is None:
        raise NotationError(NO_POSITION, Text("The start, as an example, is `{example}`.", example=START))
    board = bytearray(b"." * 81)
    for side in (0, 1):
        for piece in _listed(found[SIDES[side]]):
            if piece not in _PIECES[side]:
                raise NotationError(Text("There is no piece `{piece}`.", piece=piece[:40]), A_PIECE)
            square, byte = _PIECES[side][piece]
            _stand(board, square, byte)
        for kind in "GF":
            if board.count(letter(kind, side)) > 1:
                raise NotationError(
                    Text("A side has one {piece} only.", piece=KINDS[kind]),
                    Text("Name `{word}` once for each side.", word=f"{kind}@"),
                )
    if found["T"] != "x":
        site, owner = found["T"].split()
        _stand(board, INDEX[site], _TRAITORS[owner])
    pools = (_read_pool(found["pR"]), _read_pool(found["pW"]))
    for side in (0, 1):
        if pools[side][POOL_SLOT["F"]] and letter("F", side) in board:
            raise NotationError(
                Text("A side has one {piece} only.", piece=KINDS["F"]),
                Text("Leave `F` out of `{pool}`: it has been placed.", pool=f"p{SIDES[side]}:"),
            )
    return Position(
        bytes(board),
        pools,
        ("R" in found["mob"], "W" in found["mob"]),
        SIDES.index(found["to"]),
        int(found["quiet"] or 0),
    )


def _stand(board: bytearray, square: int, byte: int) -> None:
    if board[square] != EMPTY:
        raise NotationError(Text("Two pieces stand on {place}.", place=SITES[square]), Text("Name every square once."))
    board[square] = byte


def _listed(text: str) -> list[str]:
    return [] if text == "-" else text.split()


def _write_pool(pool: Pool) -> str:
    forts, commanders, pikes, masters = pool
    parts = ("F" * forts, "C" * commanders, f"P{pikes}" if pikes else "", f"M{masters}" if masters else "")
    return " ".join(part for part in parts if part) or "-"


def _read_pool(text: str) -> Pool:
    pool = [0, 0, 0, 0]
    for part in _listed(text):
        if not _POOLED.fullmatch(part) or pool[POOL_LETTERS.index(part[0])]:
            raise NotationError(Text("`{word}` is not in a pool.", word=part[:40]), A_POOL)
        pool[POOL_LETTERS.index(part[0])] = int(part[1:] or 1)
    forts, commanders, pikes, masters = pool
    return (forts, commanders, pikes, masters)
