"""Reads games as the author of Veney writes them: `1. SX6, eY11;  2. a+ eY6, $X9;`, with free text around."""

import re
from collections.abc import Iterator
from dataclasses import dataclass

from engine.game import NotationError
from engine.text import Text, plural

MOST_TURNS = 1_000
MOST_CHARACTERS = 100_000


@dataclass(frozen=True, slots=True)
class Ply:
    """One turn of such a record, in its own numbers and words."""

    number: int
    """Of its pair, or of the ply, whichever the record counts."""
    text: str
    open: bool = False
    """Whether free text may follow it: nothing says where it ends, or it belongs to the last pair."""
    called: str = ""
    """What being called out has cost, where the record tells."""
    alone: bool = False
    """Whether the first turn of its pair is left out."""


def read_pairs(text: str) -> tuple[Ply, ...]:
    """The turns that a text holds; none if it is no record of this form. Raises NotationError if there are too many."""
    if len(text) > MOST_CHARACTERS:
        raise NotationError(
            Text("A record has at most {count} characters.", count=MOST_CHARACTERS), Text("Send it in parts.")
        )
    numbered = [*_numbered(_ASIDE.sub(" ", text))]
    plies = tuple(
        ply for at, (number, body) in enumerate(numbered, 1) for ply in _plies(number, body, at == len(numbered))
    )
    if len(plies) > MOST_TURNS:
        because = plural("A record has at most {count} turn.", "A record has at most {count} turns.", MOST_TURNS)
        raise NotationError(because, Text("Send it in parts."))
    return plies


def first_mover(plies: tuple[Ply, ...]) -> str:
    """Who has the first turn, as the term `first` names it: White, unless the first pair lacks its first turn."""
    return "black" if plies and plies[0].alone else "white"


_ASIDE = re.compile(r"\{[^{}]*\}|\[[^][]*\]|(?<!\S)\([^()]*\)")
"""A comment in brackets; sticks in brackets follow their throw without a blank."""
_NUMBER = re.compile(r"(?<![^\s,;])(?P<number>\d{1,4})\.(?!\d)")
_AWAY = re.compile(r"\s*(?:\.{2,}|…)[\s,]*")
"""What stands where the first turn of a pair was told before, or never."""
_MISSING = re.compile(r"[.…\s]*")
GAP = 9
"""Numbers that a record may leave out at once; what is further off is no number of a turn."""


def _numbered(text: str) -> Iterator[tuple[int, str]]:
    """The numbers that count up, each with what follows it; the first is 1 if there is any.

    Of a number in a sentence and the same before a turn the latter counts; further on than `GAP` only what no number
    before it goes on from.
    """
    found = [*_NUMBER.finditer(text)]
    start = next((at for at, number in enumerate(found) if int(number["number"]) == 1), 0)
    counted: list[re.Match[str]] = []
    far: list[re.Match[str]] = []
    for number in found[start:]:
        ahead = int(number["number"]) - int(counted[-1]["number"]) if counted else 1
        told = _TOLD.match(text, number.end())
        if ahead == 0 and told and not _TOLD.match(text, counted[-1].end()):
            counted[-1] = number
        elif 0 < ahead <= GAP or (ahead == 0 and _AWAY.match(text, number.end())):
            counted.append(number)
            far.clear()
        elif ahead > GAP and told and (not far or 0 < int(number["number"]) - int(far[-1]["number"]) <= GAP):
            far.append(number)
    counted += far
    ends = [number.start() for number in counted[1:]] + [len(text)] * bool(counted)
    for number, end in zip(counted, ends, strict=True):
        yield int(number["number"]), text[number.end() : end]


_TOLD = re.compile(r"\s*(?:[Aa][WZwz+-]\s+)?(?:[A-Za-z$*~!+=-]*\d|[Aa]?[=-]|[A-Za-z]{1,3}~|\.{2}|…)")
"""What stands behind the number of a turn, not behind one in a sentence."""
_BODY = re.compile(r"(?P<first>[^,;]*)(?P<between>[,;]?)(?P<second>[^,;]*)(?P<end>[,;]?)")
_TURN = re.compile(r"\s*[A-Za-z$*~!+=-]*\d")


def _plies(number: int, body: str, last: bool) -> Iterator[Ply]:
    """The one or two turns after a number; what stands behind the second is free text.

    A comma parts them and a semicolon ends them; who mixes these up is understood where a turn follows.
    """
    away = _AWAY.match(body)
    found = _BODY.match(body, away.end() if away else 0)
    assert found is not None, "it matches any text"
    turns = [(found["first"], found["between"])]
    if found["between"] == "," or _TURN.match(found["second"]):
        turns.append((found["second"], found["end"]))
    for words, end in turns:
        told = " ".join((words if end else words.strip().partition("\n")[0]).split())
        if not _MISSING.fullmatch(told):
            yield Ply(number, told, last or not end, alone=away is not None)
