"""What a word of Veney's notation names on a board: a square, the one piece of a kind, what is placed or withdrawn."""

import re

from engine.games.veney.act import Act
from engine.games.veney.field import Field
from engine.games.veney.piste import NUMBER, SQUARES
from engine.games.veney.rulebook import FREE, KINDS, NAMES, PIECE
from engine.games.veney.tokens import plain, refuse


def square(site: str) -> int:
    """The number of a square. Raises NotationError."""
    if site not in NUMBER:
        refuse(f"there is no square {site}", "Lines are W to Z, steps 1 to 16.")
    return NUMBER[site]


def unique(field: Field, letter: str, piece: str) -> int:
    """The square of the one opposing piece of a kind."""
    places = field.places(1 - field.side, PIECE[letter])
    if len(places) > 1:
        readings = tuple(f"{piece}f{letter}{SQUARES[at]}" for at in places)
        refuse(f"there are several opposing {NAMES[letter]}s", "Add the square.", readings)
    if not places:
        refuse(f"the opponent has no {NAMES[letter]} on the board")
    return places[0]


def plan(field: Field, tokens: list[str]) -> str:
    """An announced attack as it is remembered."""
    parts = []
    for token in tokens:
        found = plain(token)
        if not found or not (found.square or found.kind):
            refuse(f"I cannot read “{token.lower()}” as an announced attack", "Write for example `!$tX10`.")
        site = SQUARES[square(found.square) if found.square else unique(field, found.kind, found.piece or "e")]
        effect = "t" if found.effect == "x" else found.effect
        parts.append(f"{found.piece or 'e'}{effect}{site}")
    return "_".join(parts)


def placed(field: Field, found: re.Match[str]) -> Act:
    """What is set down from the reserve."""
    letter, at = found["piece"] or "e", square(found["square"])
    if field.cells[at]:
        refuse(f"{SQUARES[at]} is not empty", "Pieces are placed on empty squares.")
    reclaim = letter == "D" and "D" not in field.reserve[field.side] and field.shima is not None
    if reclaim and "D" in field.discard[field.side]:
        return Act("reclaim", "D", target=SQUARES[at])
    if letter not in field.reserve[field.side]:
        refuse(f"you have no {NAMES[letter]} in reserve", _remedy(field))
    return Act("place", letter, target=SQUARES[at])


def withdrawn(field: Field, found: re.Match[str]) -> Act:
    """What is taken off the board into the reserve."""
    letter, site = found["piece"], found["square"]
    if site is not None:
        at = square(site)
        if letter is None:
            code = field.cells[at]
            letter = "a" if code == FREE else KINDS[code & 15] if code and code >> 4 == field.side else "e"
        if at not in field.places(field.side, PIECE[letter]):
            refuse(f"you have no {NAMES[letter]} on {site}")
        return Act("withdraw", letter, site)
    if letter is None:
        refuse("which piece is withdrawn?", "Write for example `*G`.")
    places = field.places(field.side, PIECE[letter])
    if not places:
        refuse(f"you have no {NAMES[letter]} on the board")
    if len(places) > 1:
        readings = tuple(f"*{letter}{SQUARES[at]}" for at in places)
        refuse(f"you have several {NAMES[letter]}s on the board", f"Add the square: `{readings[0]}`.", readings)
    return Act("withdraw", letter, SQUARES[places[0]])


def _remedy(field: Field) -> str:
    reserve = "".join(dict.fromkeys(field.reserve[field.side]))
    return f"In reserve: {', '.join(NAMES[letter] for letter in reserve)}." if reserve else "Your reserve is empty."
