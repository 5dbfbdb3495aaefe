"""A turn of Veney cut into tokens of one spelling, and the shapes that a token can have."""

import re
from dataclasses import dataclass
from functools import lru_cache
from typing import Final

from engine.games.veney.board.points import META
from engine.games.veney.notation.refusal import refuse
from engine.games.veney.notation.words import spoken
from engine.games.veney.position import Position
from engine.text import Text

PIECE = r"(?P<piece>[S$CBGDLJRNea])?"

SQUARE = r"[WXYZ]\d{1,2}"

_PLAIN: Final = re.compile(
    PIECE + r"(?P<tilde0>~)?(?:(?P<start>[WXYZ]\d{1,2})-?(?=[tfx]?[S$CBGDLJRea]?[WXYZ])"
    r"|(?P<line>[WXYZ](?=[tfxWXYZ]))|(?P<step>\d{1,2}(?=[tfxWXYZ])))?"
    r"(?P<effect>[tfx])?(?P<kind>[S$CBGDLJRea])?(?P<square>[WXYZ]\d{1,2})?(?:t?J)?(?P<tilde>~)?"
    r"(?:\((?P<luck>[WB+\-\d]+)\))?(?P<strike>!)?(?P<asked>\?)?"
)

PLACE = re.compile(PIECE + r"\*(?P<square>" + SQUARE + ")")

WITHDRAW = re.compile(r"\*" + PIECE + r"(?P<square>" + SQUARE + ")?")

SWAP = re.compile(r"(?P<piece>[BC])(?P<one>" + SQUARE + r")~(?P<other>[$DS])(?P<two>" + SQUARE + ")")

CAST = re.compile(
    r"~(?P<piece>[LCD])(?::?(?P<square>" + SQUARE + r"|-))?(?:\((?:(?P<aim>" + SQUARE + r"):)?(?P<luck>[WB]+)\))?"
)
"""A cast with the square on which the piece fell, or `-` beside the board; thrown with sticks, where it was aimed."""

STRAY = re.compile(r"N~(?P<square>" + SQUARE + r"|-)(?:\((?P<luck>[WB]+)\))?")


@dataclass(frozen=True, slots=True)
class Plain:
    """A move of a piece to a square, taken apart as it is written; "" for what is not there."""

    piece: str
    tilde0: str
    start: str
    """The square that the piece comes from."""
    line: str
    step: str
    """The line or the step that it comes from, where one of several is meant."""
    effect: str
    kind: str
    """What is attacked."""
    square: str
    tilde: str
    luck: str
    strike: str
    asked: str


@lru_cache(1 << 12)
def plain(token: str) -> Plain | None:
    """The token as a move of a piece to a square; the same few thousand are read over and over."""
    found = _PLAIN.fullmatch(token)
    return Plain(**found.groupdict("")) if found else None


MARKER = re.compile(r"(?:\s*(?:U[tf]?|#))+$")

NUMBERED = re.compile(r"^\d+\.+\s*")

EXACT: Final = {
    "S==": "retreat",
    "==": "reset",
    "BfJ~": "control",
    "BtJ~": "control",
    "LfJ~": "glare",
    "LtJ~": "glare",
}

SIGNS: Final = frozenset((*META, "a=", *EXACT))
"""What is no move of a piece to a square, and written in one way alone."""


def tokens(text: str, position: Position) -> list[str]:
    """The text cut into tokens, whatever way it was typed."""
    known = _canonical(text) if len(text) < 80 else None  # longer ones would only fill the memory
    return _tokens(text, position) if known is None else list(known)


@lru_cache(1 << 13)
def _canonical(text: str) -> tuple[str, ...] | None:
    """The tokens of a text as `write` spells them, recognised at once: stored games are read over and over."""
    words = tuple(text.split(" "))
    return words if all(map(_is_token, words)) else None


_DIGIT: Final = re.compile("[0-9]")


@lru_cache(1 << 12)
def _is_token(word: str) -> bool:
    shapes = (_PLAIN, PLACE, WITHDRAW, SWAP, CAST, STRAY)  # the most frequent first
    named = _DIGIT.search(word) is not None and any(shape.fullmatch(word) for shape in shapes)
    return word in SIGNS or word == "--" or (named and _cased(word) == word)


def _tokens(text: str, position: Position) -> list[str]:
    cleaned = NUMBERED.sub("", text.strip().strip("`").replace("\\", "").strip())
    cleaned = MARKER.sub("", cleaned.rstrip(".,; "))
    if not cleaned:
        refuse(Text("There is no move in this message."))
    words = spoken(_GLUED.sub(r"\1 --", cleaned.replace("@", "*")), position)
    # A bare square after a cast is what it is aimed at: an engagement has no move in that turn.
    return [_SWAPPED.sub(r"\3~\1", token) for token in _AIMED.sub(":", " ".join(map(_cased, words))).split()]


_GLUED: Final = re.compile(r"(?<!\S)(a[wz+\-=])-{2,3}(?!\S)", re.IGNORECASE)
"""A meta-move and a pass in one word."""

_SWAPPED: Final = re.compile(r"^([$DS](" + SQUARE + r"))~([BC](" + SQUARE + r"))$")
"""A shift or a feign that begins with the blade or the Self."""

_AIMED: Final = re.compile(r"(?<=~[LCD]) (?=" + SQUARE + r"(?:\s|$))")

_BLANK: Final = str.maketrans({"–": "--", "—": "--", "−": "-"})


_BY_KIND: Final = re.compile(r"[A-Z]?[TFX][A-Z]", re.IGNORECASE)
"""An attack that names no square."""


@lru_cache(1 << 12)
def _cased(word: str) -> str:
    """The canonical case: lines and pieces upper, engagements, effects and meta-moves lower.

    Without a square it has to be written that way: "etc" and "TS" are no attacks on Cloak and Self.
    """
    if _BY_KIND.fullmatch(word):
        return word
    word = word.translate(_BLANK)
    if word.lower() in META or word.lower() == "a=" or word.startswith("--"):
        return word.lower()
    found = re.sub(r"[wxyz](?=\d)|[wxyz](?=[tfx]?[wxyz]\d)", lambda m: m[0].upper(), word, flags=re.IGNORECASE)
    out = []
    for at, letter in enumerate(found):
        after_piece = at > 0 and (found[at - 1].upper() in "S$CBGDLJRNAEWXYZ0123456789~-")
        if (letter in "tTfF" and after_piece) or letter in "eEaA":
            out.append(letter.lower())
        elif letter == "x" and after_piece:
            out.append(letter)
        elif letter in "uU" and at and found[at:].upper().startswith("U"):
            out.append("U")
        else:
            out.append(letter.upper())
    result = "".join(out)
    return result[:1].lower() + result[1:] if result[:1] in "TF" else result
