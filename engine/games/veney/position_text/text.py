"""The one-line text of a position of Veney, written and read.

Fields are separated by ` / `: the pieces of both sides, reserves, discards, the free engagement, the side to move, and
last whatever differs from its default, as flags.
"""

from collections.abc import Callable
from dataclasses import dataclass
from functools import lru_cache
from itertools import compress
from operator import attrgetter, itemgetter
from typing import Any, Final

from engine.games.veney.board.points import POINT_NUMBER, POINTS
from engine.games.veney.board.squares import BIT, NUMBER, SQUARES
from engine.games.veney.pieces import BLACK, BLADES, FREE, KIND, KINDS, TRAY, C
from engine.games.veney.position import (
    ABSENT,
    IN_PLAY,
    SIDES,
    SOMEWHERE,
    STANDARD,
    Pending,
    Position,
    Terms,
    in_tray,
)
from engine.games.veney.position_text import values
from engine.games.veney.position_text.sound import check
from engine.text import Text

_EVERYWHERE: Final = range(64)
_NAMED: Final = tuple(
    tuple(f"{KINDS[code & 15]}@{site}" for site in SQUARES) if code & 15 < len(KINDS) else () for code in range(FREE)
)
"""A piece on a square, by its code and the square's number."""


def encode(position: Position) -> str:
    """The position as one line."""
    rows: tuple[list[str], list[str]] = ([], [])
    cells, caught = position.cells, position.caught
    for at in compress(_EVERYWHERE, cells):
        code = cells[at]
        if code != FREE:
            rows[code >> 4].append(_NAMED[code][at])
            if caught and caught & BIT[at]:
                rows[1 - (code >> 4)].append(f"C@{SQUARES[at]}")
    parts = [f"W: {' '.join(rows[0])}".rstrip(), f"B: {' '.join(rows[1])}".rstrip()]
    for tray, both in (("r", position.reserve), ("d", position.discard)):
        parts += [f"{tray}{SIDES[side]}: {' '.join(both[side])}" for side in (0, 1) if both[side]]
    free = position.point
    spot = "-" if free == ABSENT else SQUARES[position.cells.index(FREE)] if free == IN_PLAY else POINTS[free]
    parts.append(f"a: {spot}")
    parts.append(f"to: {SIDES[position.to]}")
    flags = _flagged(position, _OF_POSITION)
    if agreed := _agreed(position.terms):
        flags = sorted((*flags, *agreed), key=itemgetter(0))
    if flags:
        parts.append(f"flags: {' '.join([text for _, text in flags])}")
    return " / ".join(parts)


def decode(text: str) -> Position:
    """Read a position text; raises NotationError."""
    position = _read(text)
    check(position)
    return position


def _read(text: str) -> Position:
    cells = bytearray(64)
    caught = 0
    trays = {"rW": "", "rB": "", "dW": "", "dB": ""}
    to, point = 0, ABSENT
    flags = ""
    seen = set()
    for part in text.split(" / "):
        name, colon, rest = part.partition(":")
        name, rest = name.strip(), rest.strip()
        if not colon or name in seen:
            values.wrong(Text("I can't read `{words}` in this position.", words=part.strip()))
        seen.add(name)
        if name in ("W", "B"):
            caught |= _men(cells, SIDES.index(name), rest)
        elif name in trays:
            trays[name] = in_tray(_letters(rest))
            if name[0] == "r" and "S" in trays[name]:
                values.wrong(Text("A Self is never in a reserve."))
        elif name == "a":
            point = _free(cells, rest)
        elif name == "to":
            to = values.read_side(rest)
        elif name == "flags":
            flags = rest
        else:
            values.wrong(Text("There is no field `{name}:` in a position.", name=name))
    if "W" not in seen or "B" not in seen:
        values.wrong(Text("A position names the pieces of both sides."))
    reserve, discard = (trays["rW"], trays["rB"]), (trays["dW"], trays["dB"])
    return Position(bytes(cells), to, caught, point, reserve, discard, **_read_flags(flags))


def _letters(rest: str) -> str:
    pieces = rest.replace(" ", "").replace("-", "")
    for letter in pieces:
        if letter not in TRAY:
            values.wrong(Text("`{words}` is no piece.", words=letter))
    return pieces


def _men(cells: bytearray, side: int, rest: str) -> int:
    """Put one side's pieces down; returns the squares where a Cloak sits on a blade."""
    caught = 0
    for word in rest.split():
        kind, at = KIND.get(word[0], 0), NUMBER.get(word[2:], -1)
        if not kind or at < 0 or word[1] != "@":
            values.wrong(Text("`{words}` names no piece on a square.", words=word))
        there = cells[at]
        if not there:
            cells[at] = kind + BLACK * side
            continue
        if there >> 4 == side or not ({kind, there & 15} - {C} <= BLADES and C in (kind, there & 15)):
            values.wrong(Text("Two pieces stand on {square}.", square=SQUARES[at]))
        caught |= BIT[at]
        if there & 15 == C:
            cells[at] = kind + BLACK * side
    return caught


def _free(cells: bytearray, rest: str) -> int:
    if rest == "-":
        return ABSENT
    if rest in POINT_NUMBER:
        return POINT_NUMBER[rest]
    at = NUMBER.get(rest, -1)
    if at < 0 or cells[at]:
        values.wrong(Text("The free engagement cannot be on `{words}`.", words=rest))
    cells[at] = FREE
    return IN_PLAY


@lru_cache(maxsize=256)
def _agreed(terms: Terms) -> tuple[tuple[int, str], ...]:
    """The flags for what was agreed on; the same in every position of a match."""
    return tuple(_flagged(terms, _OF_TERMS))


def _flagged(values: Position | Terms, group: "_Group") -> list[tuple[int, str]]:
    """What differs from its default, with the place of its flag in the table."""
    found = group.values(values)
    if found == group.defaults:
        return []
    return [
        (place, f"{flag.name}={text}")
        for (place, flag), value, default in zip(group.flags, found, group.defaults, strict=True)
        if value is not default and value != default
        for text in flag.write(value)
    ]


def _read_flags(rest: str) -> dict[str, Any]:
    """The fields of a position that its flags name."""
    own: dict[str, Any] = {}
    terms: dict[str, Any] = {}
    for word in rest.split():
        name, _, value = word.partition("=")
        if name not in _FLAG:
            values.wrong(Text("There is no flag `{name}` in a position.", name=name))
        flag, agreed, field, default = _FLAG[name]
        found = terms if agreed else own
        found[field] = flag.read(value, found.get(field, default))
    made = Terms(**terms) if terms else STANDARD
    own["terms"] = STANDARD if made == STANDARD else made
    return own


# --- what flags there are ---------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Flag:
    """A field of the position, written `name=value` where it differs from its default."""

    name: str
    field: str
    """Its place in the position: `passes`, or `terms.hug` for what was agreed on."""
    write: Callable[[Any], tuple[str, ...]]
    """The values to write; one flag is written for each."""
    read: Callable[[str, Any], Any]
    """The field from a value, and from what was read of it before."""


def _plain(name: str, field: str, read: Callable[[str], Any], write: Callable[[Any], str] = str) -> Flag:
    """A flag with one value."""
    return Flag(name, field, lambda value: (write(value),), lambda text, before: read(text))


def _switch(name: str, field: str, on: bool = True) -> Flag:
    """A flag that is there or not."""
    return Flag(name, field, lambda value: ("1",), lambda text, before: on)


def _of_side(name: str, field: str, at: int) -> Flag:
    """A count of one side, where the position has a pair of them."""
    return Flag(
        name,
        field,
        lambda pair: (str(pair[at]),) if pair[at] else (),
        lambda text, pair: (pair[0], values.read_count(text)) if at else (values.read_count(text), pair[1]),
    )


def _casts(name: str) -> Flag:
    """Squares with the sides that cast a piece there, one flag each."""
    return Flag(
        name,
        name,
        lambda casts: tuple(values.owned(cast) for cast in casts),
        lambda text, before: (*before, *(values.read_owned(cast) for cast in text.split(","))),
    )


def _asked(pending: Pending) -> str:
    return f"{pending.what},{SIDES[pending.side]},{pending.step},{pending.turn.replace(' ', ';')}"


def _read_asked(text: str) -> Pending:
    if text.count(",") < 3:
        values.wrong(Text("`{words}` is nothing to be asked for.", words=text))
    what, party, step, turn = text.split(",", 3)
    return Pending(what, values.read_side(party), values.read_count(step), turn.replace(";", " "))


def _nested(position: Position) -> str:
    return encode(position).replace(" / ", "|").replace(" ", ";")


def _read_nested(text: str) -> Position:
    return _read(text.replace("|", " / ").replace(";", " "))


FLAGS: Final = (
    # Those that given cases use.
    _plain("passes", "passes", values.read_count),
    Flag(
        "ep",
        "passed",
        lambda passed: tuple(f"{SQUARES[crossed]}<{SQUARES[at]}" for crossed, at in passed),
        lambda text, before: (*before, values.read_passed(text)),
    ),
    _plain("lock", "lock", values.read_square, SQUARES.__getitem__),
    Flag("int", "intents", values.intents, values.read_intents),
    _plain("noJ", "dazzled", values.read_side, SIDES.__getitem__),
    _plain(
        "ahist",
        "trail",
        lambda text: tuple(values.read_square(site) for site in values.SITE.findall(text)),
        lambda trail: ",".join(SQUARES[at] for at in trail),
    ),
    _plain("aresets", "returns", values.read_count),
    _of_side("retW", "retreated", 0),
    _of_side("retB", "retreated", 1),
    _plain("retlimit", "terms.retreats", values.read_counts, values.limits),
    _plain("roll", "roll", str),
    _plain("dying", "dying", values.read_owned, lambda fallen: values.owned(fallen, "@")),
    _plain("hira", "stance", values.read_side, SIDES.__getitem__),
    _casts("fire"),
    _casts("chaos"),
    Flag(
        "shima",
        "shima",
        lambda casts: tuple(map(values.shima, casts)),
        lambda text, before: (*before, values.read_owned(text) if ":" in text else SOMEWHERE),
    ),
    _switch("formal", "terms.formal"),
    # Ours: what else a running game has to remember.
    _plain("hiraused", "stanced", str),
    _plain("trap", "sprung", _read_nested, _nested),
    _plain("ask", "pending", _read_asked, _asked),
    _plain("idle", "idle", values.read_count),
    _plain("over", "over", values.read_over, ":".join),
    Flag(
        "owed", "owed", lambda owed: tuple(f"{what}:{text.replace(' ', ';')}" for what, text in owed), values.read_owed
    ),
    # What was agreed on.
    _plain("off", "terms.off", lambda text: frozenset(text.split(",")), lambda off: ",".join(sorted(off))),
    _switch("support", "terms.support"),
    _switch("uniform", "terms.uniform"),
    _switch("castmark", "terms.castmark"),
    _switch("hug", "terms.hug"),
    _switch("asked", "terms.asked"),
    _plain("anew", "terms.anew", str),
    _switch("abcd", "terms.abcd"),
    _switch("noreset", "terms.reset", on=False),
    _plain("throw", "terms.throw", str),
    _plain("touch", "terms.touch", values.halves, ",".join),
    _plain("cap", "terms.cap", values.read_counts, lambda cap: f"{cap[0]},{cap[1]}"),
    _plain("home", "terms.home", lambda text: values.halves(text, ";"), ";".join),
    _plain("dyingtime", "terms.dying", values.read_count),
    _plain("nocontest", "terms.nocontest", values.read_count),
    _plain("donkey", "terms.donkey", str),
)
"""In the order in which they are written."""


@dataclass(frozen=True, slots=True)
class _Group:
    """The flags of the position itself, or those of its terms, so that all their fields are compared at once."""

    flags: tuple[tuple[int, Flag], ...]
    """With their places in the table."""
    values: Callable[[Any], tuple[Any, ...]]
    defaults: tuple[Any, ...]


_AGREED_ON: Final = "terms."


def _group(agreed: bool, standard: Position | Terms) -> _Group:
    flags = tuple((place, flag) for place, flag in enumerate(FLAGS) if flag.field.startswith(_AGREED_ON) is agreed)
    values = attrgetter(*(flag.field.removeprefix(_AGREED_ON) for _, flag in flags))
    return _Group(flags, values, values(standard))


_OF_POSITION: Final = _group(False, Position(bytes(64), 0))
_OF_TERMS: Final = _group(True, STANDARD)
_FLAG: Final = {
    flag.name: (flag, group is _OF_TERMS, flag.field.removeprefix(_AGREED_ON), default)
    for group in (_OF_POSITION, _OF_TERMS)
    for (_, flag), default in zip(group.flags, group.defaults, strict=True)
}
