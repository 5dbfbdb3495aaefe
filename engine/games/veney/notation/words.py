"""Friendly words for Veney's notation: what people type who do not want to learn the signs."""

import re
from collections.abc import Callable, Sequence
from typing import Final

from engine.games.veney.board.squares import SQUARES
from engine.games.veney.notation.refusal import refuse, refuse_absent
from engine.games.veney.pieces import KIND, NAMES
from engine.games.veney.position import Position
from engine.text import Code, Listing, Text

PIECES: Final = {
    "self": "S",
    "sword": "$",
    "sw": "$",
    "pawn": "e",
    "p": "e",
    "e": "e",
    "engagement": "e",
    "free": "a",
    "fe": "a",
    "a": "a",
    "cloak": "C",
    "balance": "B",
    "shadow": "B",
    "guard": "G",
    "ward": "G",
    "dagger": "D",
    "lantern": "L",
    "jutsu": "J",
    "ruin": "R",
    "rien": "R",
    "runestone": "R",
    "waystone": "R",
}
"""A piece by its names in the rulebook, and by those that players have for it."""

ALONE: Final = {
    "pass": "--",
    "reset": "==",
    "impasse": "==",
    "retreat": "S==",
    "glare": "LfJ~",
    "control": "BfJ~",
    "hirakamae": "--h",
    "trap": "C~!",
}
"""Words that stand for a whole sign."""

META_WORDS: Final = {
    "+": "a+",
    "up": "a+",
    "-": "a-",
    "down": "a-",
    "w": "aw",
    "z": "az",
    "=": "a=",
    "return": "a=",
}

FILLERS: Final = frozenset({"and", "then", "with", "the", "my", "in", "concert", "on", "at", "from", "&", "+", "by"})

_TO: Final = frozenset({"to", "the", "-", ">", "->"})

_TAKES: Final = frozenset({"x", "takes", "take", "fends", "fend", "t", "f"})

_SIGNS: Final = {"cavazione": "~", "opposition": "~", "deflect": "~", "deflection": "~"}

_SQUARE: Final = re.compile(r"[wxyz]\d{1,2}", re.IGNORECASE)

_JOINED: Final = re.compile(r"([wxyz]\d{1,2})-?(x?)([wxyz]\d{1,2})", re.IGNORECASE)

_Said = tuple[list[str], int]
"""The tokens that some words stand for, and how many words those were."""


def spoken(text: str, position: Position) -> list[str]:
    """The text as notation tokens."""
    text = re.sub(r"(?<=\d)\s*(?:->|>|→)\s*(?=[a-zA-Z])", "-", text).replace("→", " > ")
    text = re.sub(r"\bfree[ -]engagement\b", "free", text, flags=re.IGNORECASE)
    words = re.sub(r"(?<!\S)!\s+", "!", text.replace(",", " ")).split()
    tokens: list[str] = []
    at = 0
    while at < len(words):
        said, used = _phrase([word.lower() for word in words[at:]], words[at], position)
        tokens += said
        at += used
    return tokens


def _phrase(words: Sequence[str], typed: str, position: Position) -> _Said:
    first = words[0]
    if first in ALONE:
        return [ALONE[first]], 1
    if first in _PHRASES:
        return _PHRASES[first](words, position)
    if first in FILLERS and len(words) > 1 and first != "+":
        return [], 1
    if first in ("fe", "free", "a", "meta") and len(words) > 1 and words[1] in META_WORDS:
        return [META_WORDS[words[1]]], 2
    letter = PIECES.get(first) or (typed if len(typed) == 1 and typed in "S$CBGDLJRea" else first.upper())
    if (first in PIECES or (len(first) == 1 and letter in "S$CBGDLJR")) and len(words) > 1:
        return _moved(letter, words)
    return [typed], 1


def _moved(letter: str, words: Sequence[str]) -> _Said:
    """A piece's name, then where it goes or what it takes: `sword x4 x7`, `sword takes cloak`, `guard y6 deflect`."""
    squares: list[str] = []
    takes, kind, sign = "", "", ""
    at = 1
    while at < len(words):
        word = words[at]
        joined = _JOINED.fullmatch(word)
        if joined and not squares:
            squares, takes = [joined[1], joined[3]], "x" if joined[2] else takes
        elif _SQUARE.fullmatch(word) and len(squares) < 2:
            squares.append(word)
        elif word in _TAKES and len(squares) < 2:
            takes = "x"
        elif takes and len(word) > 1 and word in PIECES and words[at - 1] in _TAKES | {"the"}:
            kind = PIECES[word]
        elif word in _SIGNS and squares and not _site(words, at + 1):
            sign = _SIGNS[word]
        elif (word != "from" or squares) and (word not in _TO or len(squares) > 1):
            break
        at += 1
    if not squares and not kind:
        return [letter], 1
    origin = squares[0].upper() + "-" if len(squares) == 2 else ""
    target = squares[-1].upper() if squares else ""
    return [f"{letter}{origin}{'f' if takes else ''}{kind}{target}{sign}"], at


def _like(example: str) -> Text:
    """A remedy that shows how it is written."""
    return Text("Write for example `{example}`.", example=example)


def _piece(words: Sequence[str], missing: Text, example: str) -> str:
    if len(words) < 2:
        refuse(missing, _like(example))
    letter = PIECES.get(words[1]) or (words[1].upper() if words[1].upper() in "S$CBGDLJR" else words[1])
    if letter not in "S$CBGDLJRea":
        refuse(missing, _like(example))
    return letter


def _site(words: Sequence[str], at: int) -> str:
    return words[at].upper() if len(words) > at and _SQUARE.fullmatch(words[at]) else ""


def _place(words: Sequence[str], position: Position) -> _Said:
    letter = _piece(words, Text("The piece to place is missing."), "place guard y9")
    at = 3 if len(words) > 2 and words[2] in FILLERS | _TO else 2
    site = _site(words, at)
    if not site:
        refuse(Text("The square to place it on is missing."), _like("place guard y9"))
    return [f"{letter}*{site}"], at + 1


def _withdraw(words: Sequence[str], position: Position) -> _Said:
    letter = _piece(words, Text("The piece to withdraw is missing."), "withdraw guard")
    at = 3 if len(words) > 3 and words[2] in FILLERS else 2
    site = _site(words, at)
    return [f"*{letter}{site}"], at + 1 if site else 2


def _capture(words: Sequence[str], position: Position) -> _Said:
    site = _site(words, 1)
    if not site:
        refuse(Text("The square of the blade to capture is missing."), _like("capture x10"))
    return [f"C{site}~"], 2


def _sever(words: Sequence[str], position: Position) -> _Said:
    letter = PIECES.get(words[1], "") if len(words) > 1 else ""
    if letter in ("$", "D"):
        return [f"{letter}tC~"], 2
    side = position.to
    held = [at for at in range(64) if position.caught >> at & 1 and position.cells[at] >> 4 == side]
    dagger = bool(held) and position.cells[held[0]] & 15 == KIND["D"]
    return ["DtC~" if dagger else "$tC~"], 1


def _special(words: Sequence[str], position: Position) -> _Said:
    named = PIECES.get(words[1], "") if len(words) > 1 else ""
    letter, used = (named, 2) if named in ("$", "D", "G") else (_DOES[words[0]], 1)
    site = _site(words, used)
    if not site:
        refuse(Text("The square to go to is missing."), _like(f"{words[0]} x8"))
    return [f"{letter}{site}~"], used + 1


_DOES: Final = {"cavazione": "$", "opposition": "$", "deflect": "G"}
"""Which piece does something special where none is named."""


def _throw(words: Sequence[str], position: Position) -> _Said:
    used = 2 if len(words) > 1 and words[1] == "dagger" else 1
    used += len(words) > used + 1 and words[used] in FILLERS | _TO
    site = _site(words, used)
    at = position.where(1 - position.to)
    if not site and at < 0:
        refuse(Text("There is no opposing Self to throw at."), Text("Make another turn, such as `--`."))
    return [f"Dt{site or SQUARES[at]}~"], used + bool(site)


def _standing(position: Position, letter: str) -> str:
    at = position.find(position.to, KIND[letter])
    if at < 0:
        refuse_absent(NAMES[letter], Text("`board` shows what you have."))
    return SQUARES[at]


def _feign(words: Sequence[str], position: Position) -> _Said:
    return [f"C{_standing(position, 'S')}~S{_standing(position, 'C')}"], 1


def _shift(words: Sequence[str], position: Position) -> _Said:
    letter = PIECES.get(words[1], words[1]) if len(words) > 1 else "$"
    letter = letter if letter in ("$", "D") else "$"
    return [f"B{_standing(position, letter)}~{letter}{_standing(position, 'B')}"], 2 if len(words) > 1 else 1


def _cast(words: Sequence[str], position: Position) -> _Said:
    letter = _piece(words, Text("The piece to cast is missing."), "cast lantern x6")
    at = 3 if len(words) > 3 and words[2] in FILLERS | _TO else 2
    site = _site(words, at)
    return [f"~{letter}" + (f":{site}" if site else "")], at + 1 if site else 2


def _intend(words: Sequence[str], position: Position) -> _Said:
    rest = spoken(" ".join(words[1:]), position)
    if not rest:
        refuse(Text("The intended attack is missing."), _like("intend sw x X10"))
    return ["!" + rest[0], *rest[1:]], len(words)


def _strike(words: Sequence[str], position: Position) -> _Said:
    rest = spoken(" ".join(words[1:]), position)
    if not rest:
        refuse(Text("The square to strike is missing."), _like("strike sw x X10"))
    return [*rest[:-1], rest[-1] + "!"], len(words)


def _meta(words: Sequence[str], position: Position) -> _Said:
    if len(words) < 2 or words[1] not in META_WORDS:
        ways = tuple(Code(way) for way in ("meta up", "meta down", "meta w", "meta z"))
        refuse(Text("The way of the free engagement is missing."), Text("Write {ways}.", ways=Listing(ways, "or")))
    return [META_WORDS[words[1]]], 2


_PHRASES: Final[dict[str, Callable[[Sequence[str], Position], _Said]]] = {
    "place": _place,
    "drop": _place,
    "withdraw": _withdraw,
    "capture": _capture,
    "sever": _sever,
    "cavazione": _special,
    "opposition": _special,
    "deflect": _special,
    "throw": _throw,
    "feign": _feign,
    "shift": _shift,
    "cast": _cast,
    "intend": _intend,
    "intention": _intend,
    "strike": _strike,
    "meta": _meta,
}
