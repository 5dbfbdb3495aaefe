"""The one-line text of a position of Veney, written and read."""

import re
from collections.abc import Iterator
from typing import Final, NoReturn

from engine.game import NotationError
from engine.games.veney.codes import ENDINGS
from engine.games.veney.piste import BIT, NUMBER, POINT_NUMBER, POINTS, SQUARES
from engine.games.veney.position import (
    ABSENT,
    IN_PLAY,
    SIDES,
    STANDARD,
    Intent,
    Pending,
    Position,
    Terms,
    in_tray,
    read_intent,
)
from engine.games.veney.rulebook import BLACK, BLADES, FREE, KIND, KINDS, TRAY, C


def encode(position: Position) -> str:
    """The position as one line."""
    rows: tuple[list[str], list[str]] = ([], [])
    caught = position.caught
    for at, code in enumerate(position.cells):
        if code and code != FREE:
            side = code >> 4
            rows[side].append(f"{KINDS[code & 15]}@{SQUARES[at]}")
            if caught and caught & BIT[at]:
                rows[1 - side].append(f"C@{SQUARES[at]}")
    parts = [f"W: {' '.join(rows[0])}".rstrip(), f"B: {' '.join(rows[1])}".rstrip()]
    for tray, both in (("r", position.reserve), ("d", position.discard)):
        parts += [f"{tray}{SIDES[side]}: {' '.join(both[side])}" for side in (0, 1) if both[side]]
    free = position.point
    spot = "-" if free == ABSENT else SQUARES[position.cells.index(FREE)] if free == IN_PLAY else POINTS[free]
    parts.append(f"a: {spot}")
    parts.append(f"to: {SIDES[position.to]}")
    flags = " ".join(_flags(position))
    if flags:
        parts.append(f"flags: {flags}")
    return " / ".join(parts)


def _flags(p: Position) -> list[str]:
    """Every flag that differs from its default."""
    flags = [*_given_flags(p), *_own_flags(p)]
    return flags if p.terms is STANDARD else flags + _term_flags(p.terms)


def _given_flags(p: Position) -> Iterator[str]:
    """Those that given cases use."""
    if p.passes:
        yield f"passes={p.passes}"
    if p.passed:
        yield f"ep={SQUARES[p.passed[0]]}<{SQUARES[p.passed[1]]}"
    if p.lock >= 0:
        yield f"lock={SQUARES[p.lock]}"
    for side in (0, 1):
        if intent := p.intents[side]:
            yield f"int={SIDES[side]}:{intent.text}" + ("(moved)" if intent.moved else "")
    if p.dazzled >= 0:
        yield f"noJ={SIDES[p.dazzled]}"
    if p.trail:
        yield "ahist=" + ",".join(SQUARES[at] for at in p.trail)
    if p.returns:
        yield f"aresets={p.returns}"
    for side in (0, 1):
        if p.retreated[side]:
            yield f"ret{SIDES[side]}={p.retreated[side]}"
    if p.terms.retreats != (1, 1):
        white, black = ("unlimited" if n < 0 else str(n) for n in p.terms.retreats)
        yield f"retlimit={white}" if white == black else f"retlimit={white},{black}"
    if p.roll:
        yield f"roll={p.roll}"
    if p.dying:
        yield f"dying={SIDES[p.dying[0]]}@{SQUARES[p.dying[1]]}"
    if p.stance >= 0:
        yield f"hira={SIDES[p.stance]}"
    for name, cast in (("fire", p.fire), ("chaos", p.chaos)):
        yield from (f"{name}={SIDES[side]}:{SQUARES[at]}" for side, at in cast)
    if p.shima:
        yield "shima=1" if p.shima[0] < 0 else f"shima={SIDES[p.shima[0]]}:{SQUARES[p.shima[1]]}"
    if p.terms.formal:
        yield "formal=1"


def _own_flags(p: Position) -> Iterator[str]:
    """Ours: what else a running game has to remember."""
    if p.stanced:
        yield f"hiraused={p.stanced}"
    if p.sprung:
        yield "trap=" + encode(p.sprung).replace(" / ", "|").replace(" ", ";")
    if p.pending:
        ask = p.pending
        yield f"ask={ask.what},{SIDES[ask.side]},{ask.step},{ask.turn.replace(' ', ';')}"
    if p.idle:
        yield f"idle={p.idle}"
    if p.over:
        yield f"over={p.over[0]}:{p.over[1]}"
    yield from (f"owed={what}:{text.replace(' ', ';')}" for what, text in p.owed)


def _term_flags(terms: Terms) -> list[str]:
    flags = []
    if terms.off:
        flags.append("off=" + ",".join(sorted(terms.off)))
    flags += [f"{name}=1" for name in ("support", "uniform", "hug", "asked", "abcd") if getattr(terms, name)]
    if not terms.reset:
        flags.append("noreset=1")
    if terms.throw != "sticks":
        flags.append(f"throw={terms.throw}")
    if any(terms.touch):
        flags.append(f"touch={terms.touch[0]},{terms.touch[1]}")
    if any(terms.cap):
        flags.append(f"cap={terms.cap[0]},{terms.cap[1]}")
    if any(terms.home):
        flags.append(f"home={terms.home[0]};{terms.home[1]}")
    if terms.dying != STANDARD.dying:
        flags.append(f"dyingtime={terms.dying}")
    if terms.nocontest:
        flags.append(f"nocontest={terms.nocontest}")
    if terms.donkey:
        flags.append(f"donkey={terms.donkey}")
    return flags


EXAMPLE: Final = "W: S@Y4 $@X4 / B: S@X13 $@Y13 / a: ^XY8 / to: W"


def _wrong(fact: str) -> NoReturn:
    raise NotationError(fact, f"A position reads like `{EXAMPLE}`.")


def decode(text: str) -> Position:
    """Read a position text; raises NotationError."""
    cells = bytearray(64)
    caught = 0
    trays = {"rW": "", "rB": "", "dW": "", "dB": ""}
    to, point = 0, ABSENT
    extra: dict[str, object] = {}
    seen = set()
    for part in text.split(" / "):
        name, colon, rest = part.partition(":")
        name, rest = name.strip(), rest.strip()
        if not colon or name in seen:
            _wrong(f"I cannot read “{part.strip()}” in this position")
        seen.add(name)
        if name in ("W", "B"):
            caught |= _men(cells, SIDES.index(name), rest)
        elif name in trays:
            trays[name] = in_tray(_letters(rest))
        elif name == "a":
            point = _free(cells, rest)
        elif name == "to":
            if rest not in SIDES:
                _wrong(f"“to: {rest}” names no side")
            to = SIDES.index(rest)
        elif name == "flags":
            extra = _read_flags(rest)
        else:
            _wrong(f"I know no field “{name}:” in a position")
    if "W" not in seen or "B" not in seen:
        _wrong("a position names the pieces of both sides")
    return Position(
        bytes(cells),
        to,
        caught,
        point,
        (trays["rW"], trays["rB"]),
        (trays["dW"], trays["dB"]),
        **extra,  # type: ignore[arg-type]
    )


def _letters(rest: str) -> str:
    pieces = rest.replace(" ", "").replace("-", "")
    for letter in pieces:
        if letter not in TRAY:
            _wrong(f"“{letter}” is no piece")
    return pieces


def _men(cells: bytearray, side: int, rest: str) -> int:
    """Put one side's pieces down; returns the squares where a Cloak sits on a blade."""
    caught = 0
    for word in rest.split():
        kind, at = KIND.get(word[0], 0), NUMBER.get(word[2:], -1)
        if not kind or at < 0 or word[1] != "@":
            _wrong(f"“{word}” names no piece on a square")
        there = cells[at]
        if not there:
            cells[at] = kind + BLACK * side
            continue
        if there >> 4 == side or not ({kind, there & 15} - {C} <= BLADES and C in (kind, there & 15)):
            _wrong(f"two pieces stand on {SQUARES[at]}")
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
        _wrong(f"the free engagement cannot be on “{rest}”")
    cells[at] = FREE
    return IN_PLAY


_SITE: Final = re.compile(r"[WXYZ]\d{1,2}")


def _spot(value: str) -> int:
    if value not in NUMBER:
        _wrong(f"“{value}” is no square")
    return NUMBER[value]


def _party(value: str) -> int:
    if value not in SIDES:
        _wrong(f"“{value}” is no side")
    return SIDES.index(value)


def _pair(value: str) -> tuple[int, int]:
    side, _, site = value.partition(":" if ":" in value else "@")
    return _party(side), _spot(site)


def _count(value: str) -> int:
    if value in ("unlimited", "inf", "-1"):
        return -1
    if not value.isdecimal():
        _wrong(f"“{value}” is no number")
    return int(value)


def _counts(value: str) -> tuple[int, int]:
    white, _, black = value.partition(",")
    return _count(white), _count(black or white)


def _read_flags(rest: str) -> dict[str, object]:  # noqa: C901, PLR0912, PLR0915 -- one line per flag
    extra: dict[str, object] = {}
    terms: dict[str, object] = {}
    intents: list[Intent | None] = [None, None]
    retreated = [0, 0]
    casts: dict[str, list[tuple[int, int]]] = {"fire": [], "chaos": []}
    owed: list[tuple[str, str]] = []
    for flag in rest.split():
        name, _, value = flag.partition("=")
        match name:
            case "passes":
                extra["passes"] = _count(value)
            case "ep":
                crossed, _, pawn = value.partition("<")
                extra["passed"] = (_spot(crossed), _spot(pawn))
            case "lock":
                extra["lock"] = _spot(value)
            case "int":
                side, _, said = value.partition(":")
                intents[_party(side)] = read_intent(said.removesuffix("(moved)"), said.endswith("(moved)"))
            case "noJ":
                extra["dazzled"] = _party(value)
            case "ahist":
                extra["trail"] = tuple(_spot(site) for site in _SITE.findall(value))
            case "aresets":
                extra["returns"] = _count(value)
            case "retW" | "retB":
                retreated[_party(name[3])] = _count(value)
            case "retlimit":
                terms["retreats"] = _counts(value)
            case "roll":
                extra["roll"] = value
            case "dying":
                extra["dying"] = _pair(value)
            case "hira":
                extra["stance"] = _party(value)
            case "hiraused":
                extra["stanced"] = value
            case "fire" | "chaos":
                casts[name] += [_pair(cast) for cast in value.split(",")]
            case "shima":
                extra["shima"] = _pair(value) if ":" in value else (-1, -1)
            case "formal":
                terms["formal"] = True
            case "trap":
                extra["sprung"] = decode(value.replace("|", " / ").replace(";", " "))
            case "ask":
                if value.count(",") < 3:
                    _wrong(f"“{value}” is nothing to be asked for")
                what, party, step, turn = value.split(",", 3)
                extra["pending"] = Pending(what, _party(party), _count(step), turn.replace(";", " "))
            case "over":
                how, _, winners = value.partition(":")
                if how not in ENDINGS:
                    _wrong(f"no game ends by “{how}”")
                extra["over"] = (how, winners)
            case "owed":
                what, _, said = value.partition(":")
                owed.append((what, said.replace(";", " ")))
            case "off":
                terms["off"] = frozenset(value.split(","))
            case "support" | "uniform" | "hug" | "asked" | "abcd":
                terms[name] = True
            case "noreset":
                terms["reset"] = False
            case "throw" | "donkey":
                terms[name] = value
            case "touch":
                white, _, black = value.partition(",")
                terms["touch"] = (white, black)
            case "cap":
                terms["cap"] = _counts(value)
            case "home":
                white, _, black = value.partition(";")
                terms["home"] = (white, black)
            case "dyingtime":
                terms["dying"] = _count(value)
            case "nocontest":
                terms["nocontest"] = _count(value)
            case "idle":
                extra["idle"] = _count(value)
            case _:
                _wrong(f"I know no flag “{name}” in a position")
    if any(intents):
        extra["intents"] = tuple(intents)
    if any(retreated):
        extra["retreated"] = tuple(retreated)
    for name, cast in casts.items():
        if cast:
            extra[name] = tuple(cast)
    if owed:
        extra["owed"] = tuple(owed)
    if terms:
        made = Terms(**terms)  # type: ignore[arg-type]
        extra["terms"] = STANDARD if made == STANDARD else made
    return extra
