"""A position of Tokonoma: who stands where, and the line of text that says so."""

import re
from functools import lru_cache
from itertools import chain
from typing import NamedTuple, TypeAlias

from engine.board import Side, Site
from engine.game import NotationError
from engine.games.tokonoma.board import BITS, HOUSES, OPPONENT, SITES, WIDTHS
from engine.games.tokonoma.rules import KINDS
from engine.text import Text

Army: TypeAlias = tuple[int, ...]
"""The tiles of one side's Flats, Arms, Blinds and Stars. A tall on a tile of its own flats stands on that flat."""


class Position(NamedTuple):
    """Who stands where, and who moves. A tuple, because replays and searches make thousands of them."""

    white: Army
    black: Army
    to_move: Side = "W"
    quiet: int = 0
    """Plies since a flat moved or a tile was emptied."""

    def armies(self) -> tuple[Army, Army]:
        """The army of the side to move, then the other."""
        return (self.white, self.black) if self.to_move == "W" else (self.black, self.white)


START = "f3A+/b+4S+/a+b+3B+A+/s+4B+/a+3F w"


# --- as sets of tiles -------------------------------------------------------------------------------------


def occupied(army: Army) -> int:
    """Every tile the army stands on."""
    flats, arms, blinds, stars = army
    return flats | arms | blinds | stars


def lone_flats(army: Army) -> int:
    """Its Flats that no tall stands on."""
    flats, arms, blinds, stars = army
    return flats & ~(arms | blinds | stars)


def on_top(army: Army, site: Site) -> str:
    """The letter of the army's piece that stands on top there, if any."""
    flats, arms, blinds, stars = army
    bit = BITS[site]
    return "A" if arms & bit else "B" if blinds & bit else "S" if stars & bit else "F" if flats & bit else ""


@lru_cache(maxsize=1 << 12)
def indices(tiles: int) -> tuple[int, ...]:
    """The tiles of a set, as indices into `SITES`."""
    return tuple(index for index in range(len(SITES)) if tiles >> index & 1)


def sites_of(tiles: int) -> tuple[Site, ...]:
    """The tiles of a set by name."""
    return tuple(SITES[index] for index in indices(tiles))


def captor(position: Position) -> Side | None:
    """The side that has captured the other's house; the one that moved last is asked first."""
    own, enemy = position.armies()
    side, other = position.to_move, OPPONENT[position.to_move]
    if lone_flats(enemy) & BITS[HOUSES[side]]:
        return other
    return side if lone_flats(own) & BITS[HOUSES[other]] else None


# --- as text ----------------------------------------------------------------------------------------------


def encode(position: Position) -> str:
    """`f3A+/b+4S+/a+b+3B+A+/s+4B+/a+3F w`"""
    tiles = ["."] * len(SITES)
    for letters, army in ((KINDS, position.white), (KINDS.lower(), position.black)):
        for letter, standing in zip(letters, army, strict=True):
            for index in indices(standing):
                tiles[index] = letter if tiles[index] == "." else f"{letter}+"
    rows = "/".join("".join(tiles[first:last]) for first, last in SPANS)
    for dots, number in GAPS.items():
        rows = rows.replace(dots, number)
    return f"{rows} {position.to_move.lower()}" + (f" q{position.quiet}" if position.quiet else "")


def decode(text: str) -> Position:
    """The inverse of `encode`. Raises NotationError."""
    found = POSITION.fullmatch(text.strip())
    remedy = Text("The start, as an example, is `{example}`.", example=START)
    if found is None:
        raise NotationError(Text("That is no position of Tokonoma."), remedy)
    rows = [TILE.findall(row) for row in found["rows"].translate(DOTS).split("/")]
    if [len(row) for row in rows] != list(WIDTHS.values()):
        counted = "-".join(str(len(row)) for row in rows)
        fact = Text("The rows have {counted} tiles, where the board has {board}.", counted=counted, board="5-6-7-6-5")
        raise NotationError(fact, remedy)
    standing = dict.fromkeys(KINDS + KINDS.lower(), 0)
    for bit, tile in zip(BITS.values(), chain.from_iterable(rows), strict=True):
        if tile != ".":
            standing[tile[0]] |= bit
        if tile.endswith("+"):
            standing["F" if tile.isupper() else "f"] |= bit
    white, black = (tuple(standing[kind] for kind in kinds) for kinds in (KINDS, KINDS.lower()))
    return Position(white, black, found["side"].upper(), int(found["quiet"] or 0))


SPANS = ((0, 5), (5, 11), (11, 18), (18, 24), (24, 29))
"""Where each row begins and ends in `SITES`."""
POSITION = re.compile(r"(?P<rows>(?:[1-7Ff/]|[ABSabs]\+?)+) (?P<side>[wb])(?: q(?P<quiet>[0-9]{1,4}))?")
TILE = re.compile(r"[.Ff]|[ABSabs]\+?")
GAPS = {"." * length: str(length) for length in range(7, 0, -1)}
"""Empty tiles -> the number that stands for them, the longest run first."""
DOTS = str.maketrans({number: dots for dots, number in GAPS.items()})
