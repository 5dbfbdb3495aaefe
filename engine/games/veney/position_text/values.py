"""What the fields of a position text say: sides, squares, counts, intentions; each written and read."""

import re
from typing import Final, NoReturn

from engine.game import NotationError
from engine.games.veney.board.squares import NUMBER, SQUARES
from engine.games.veney.position import SIDES, Intent, read_intent
from engine.games.veney.rules import ENDINGS
from engine.text import Code, Text

EXAMPLE: Final = "W: S@Y4 $@X4 / B: S@X13 $@Y13 / a: ^XY8 / to: W"


def wrong(because: Text) -> NoReturn:
    raise NotationError(because, Text("A position reads like {example}.", example=Code(EXAMPLE)))


def read_side(value: str) -> int:
    """A side from its letter."""
    if value not in SIDES:
        wrong(Text("`{words}` is no side.", words=value))
    return SIDES.index(value)


SITE: Final = re.compile(r"[WXYZ]\d{1,2}")


def read_square(value: str) -> int:
    if value not in NUMBER:
        wrong(Text("`{words}` is no square.", words=value))
    return NUMBER[value]


def read_count(value: str) -> int:
    if value in ("unlimited", "inf", "-1"):
        return -1
    if not (value.isascii() and value.isdecimal() and len(value) < 10):
        wrong(Text("`{words}` is no number.", words=value))
    return int(value)


def read_counts(value: str) -> tuple[int, int]:
    white, _, black = value.partition(",")
    return read_count(white), read_count(black or white)


def owned(pair: tuple[int, int], sign: str = ":") -> str:
    return f"{SIDES[pair[0]]}{sign}{SQUARES[pair[1]]}"


def read_owned(text: str) -> tuple[int, int]:
    party, _, site = text.partition(":" if ":" in text else "@")
    return read_side(party), read_square(site)


def halves(text: str, sign: str = ",") -> tuple[str, str]:
    one, _, two = text.partition(sign)
    return one, two


def read_passed(text: str) -> tuple[int, int]:
    crossed, _, pawn = text.partition("<")
    return read_square(crossed), read_square(pawn)


def intents(pair: tuple[Intent | None, Intent | None]) -> tuple[str, ...]:
    return tuple(
        f"{SIDES[of]}:{intent.text}" + ("(moved)" if intent.moved else "") for of, intent in enumerate(pair) if intent
    )


def read_intents(text: str, before: tuple[Intent | None, Intent | None]) -> tuple[Intent | None, Intent | None]:
    party, _, said = text.partition(":")
    intent = read_intent(said.removesuffix("(moved)"), said.endswith("(moved)"))
    return (before[0], intent) if read_side(party) else (intent, before[1])


def limits(pair: tuple[int, int]) -> str:
    white, black = ("unlimited" if n < 0 else str(n) for n in pair)
    return white if white == black else f"{white},{black}"


def shima(cast: tuple[int, int]) -> str:
    return "1" if cast[0] < 0 else owned(cast)


def read_over(text: str) -> tuple[str, str]:
    how, winners = halves(text, ":")
    if how not in ENDINGS:
        wrong(Text("No game ends by `{words}`.", words=how))
    return how, winners


def read_owed(text: str, before: tuple[tuple[str, str], ...]) -> tuple[tuple[str, str], ...]:
    what, said = halves(text, ":")
    return (*before, (what, said.replace(";", " ")))
