"""A position of Tokonoma: who stands where, and the line of text that says so."""

import re
from dataclasses import dataclass
from functools import lru_cache
from typing import TypeAlias

from engine.board import Side, Site
from engine.game import NotationError
from engine.games.tokonoma.board import BITS, SITES, WIDTHS
from engine.games.tokonoma.pieces import KINDS

Army: TypeAlias = tuple[int, ...]
"""The tiles of one side's Flats, Arms, Blinds and Stars. A tall on a tile of its own flats stands on that flat."""


@dataclass(frozen=True, slots=True)
class Position:
    """Who stands where, and who moves."""

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
    return next((kind for kind, standing in zip("SBAF", reversed(army), strict=True) if standing & BITS[site]), "")


@lru_cache(maxsize=1 << 12)
def indices(tiles: int) -> tuple[int, ...]:
    """The tiles of a set, as indices into `SITES`."""
    return tuple(index for index in range(len(SITES)) if tiles >> index & 1)


def sites_of(tiles: int) -> tuple[Site, ...]:
    """The tiles of a set by name."""
    return tuple(SITES[index] for index in indices(tiles))


# --- as text ----------------------------------------------------------------------------------------------


def encode(position: Position) -> str:
    """`f3A+/b+4S+/a+b+3B+A+/s+4B+/a+3F w`"""
    tiles = ["."] * len(SITES)
    for letters, army in ((KINDS, position.white), (KINDS.lower(), position.black)):
        for letter, standing in zip(letters, army, strict=True):
            for index in indices(standing):
                tiles[index] = letter if tiles[index] == "." else f"{letter}+"
    rows = "/".join("".join(tiles[first:last]) for first, last in SPANS)
    quiet = f" q{position.quiet}" if position.quiet else ""
    return f"{GAP.sub(lambda gap: str(len(gap[0])), rows)} {position.to_move.lower()}{quiet}"


def decode(text: str) -> Position:
    """The inverse of `encode`. Raises NotationError."""
    found = POSITION.fullmatch(text)
    remedy = f"The start, as an example, is `{START}`."
    if found is None:
        raise NotationError("that is no position of Tokonoma", remedy)
    rows = [TILE.findall(row) for row in NUMBER.sub(lambda number: "." * int(number[0]), found["rows"]).split("/")]
    if [len(row) for row in rows] != list(WIDTHS.values()):
        counted = "-".join(str(len(row)) for row in rows)
        raise NotationError(f"the rows have {counted} tiles, where the board has 5-6-7-6-5", remedy)
    tiles = [tile for row in rows for tile in row]
    white, black = _army(tiles, KINDS), _army(tiles, KINDS.lower())
    return Position(white, black, found["side"].upper(), int(found["quiet"] or 0))


SPANS = ((0, 5), (5, 11), (11, 18), (18, 24), (24, 29))
"""Where each row begins and ends in `SITES`."""
POSITION = re.compile(r"(?P<rows>(?:[1-7Ff/]|[ABSabs]\+?)+) (?P<side>[wb])(?: q(?P<quiet>[0-9]{1,4}))?")
NUMBER, GAP, TILE = re.compile("[1-7]"), re.compile(r"\.+"), re.compile(r"[.Ff]|[ABSabs]\+?")


def _army(tiles: list[str], letters: str) -> Army:
    """One side of a position text, taken apart into tiles."""
    standing = dict.fromkeys(letters, 0)
    for bit, tile in zip(BITS.values(), tiles, strict=True):
        if tile[0] in standing:
            standing[tile[0]] |= bit
            standing[letters[0]] |= bit if tile.endswith("+") else 0
    flats, arms, blinds, stars = standing.values()
    return flats, arms, blinds, stars
