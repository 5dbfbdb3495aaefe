"""The position of a game of Veney, frozen, and its one-line text."""

import re
from dataclasses import dataclass, field
from typing import Final, NoReturn

from engine.board import Side
from engine.game import NotationError
from engine.games.veney.piste import BIT, NUMBER, POINT_NUMBER, POINTS, SQUARES
from engine.games.veney.rulebook import BLACK, BLADES, ENDINGS, FREE, KIND, KINDS, TRAY, C

SIDES: Final = ("W", "B")
ABSENT: Final = -2
IN_PLAY: Final = -1


@dataclass(frozen=True, slots=True)
class Terms:
    """What the players agreed on that the rules must know during the game."""

    retreats: tuple[int, int] = (1, 1)
    """Allowed to White and to Black; -1 = unlimited."""
    formal: bool = False
    off: frozenset[str] = frozenset()
    """Devices that are not played."""
    support: bool = False
    """House term: a Dagger counts as the second attacker of a disarm."""
    uniform: bool = False
    """House term: a cast piece lands on any square of the measure, with no miss."""
    throw: str = "sticks"
    touch: tuple[str, str] = ("", "")
    """Further pieces of White and of Black that touch the Self (the Illusionist's)."""
    cap: tuple[int, int] = (0, 0)
    """How many Daggers White and Black may have on the board; 0 = no limit."""
    home: tuple[str, str] = ("", "")
    """White's and Black's own layout, as piece@square joined by commas; "" = the standard array."""
    dying: int = 24 * 3600
    """Seconds for a dying turn."""
    hug: bool = False
    donkey: str = ""


STANDARD: Final = Terms()


@dataclass(frozen=True, slots=True)
class Intent:
    """An intention as announced."""

    text: str
    """Its notation without the sign, halves joined by "_"."""
    kind: int
    target: int
    moved: bool = False
    """The target has left its square since."""


@dataclass(frozen=True, slots=True)
class Pending:
    """What one side still has to settle before the game goes on."""

    what: str
    """ "distraction" or "chaos": where Self and blade go; "throw": whether a throw in the glare is made."""
    side: int
    step: int = 0
    """For chaos: the step that the Cloak fell on."""
    turn: str = ""
    """For a throw: the announced turn."""


@dataclass(frozen=True, slots=True)
class Position:
    """Everything that matters to the rules."""

    cells: bytes
    """The piece on each of the 64 squares: its kind, + BLACK for Black's, FREE for the free engagement, 0 for none."""
    to: int
    """The side whose turn it is: 0 White, 1 Black."""
    caught: int = 0
    """Squares on which an opposing Cloak sits on the blade."""
    point: int = ABSENT
    """Where the free engagement waits, IN_PLAY or ABSENT."""
    reserve: tuple[str, str] = ("", "")
    discard: tuple[str, str] = ("", "")
    passes: int = 0
    passed: tuple[int, int] | None = None
    """En passant: the square that was crossed and where the pawn now stands."""
    lock: int = -1
    """A blade captured on the turn just before; it cannot be freed yet."""
    intents: tuple[Intent | None, Intent | None] = (None, None)
    dazzled: int = -1
    """The side whose Jutsu was fended by glare on the turn just before."""
    trail: tuple[int, ...] = ()
    """The last squares of the free engagement, oldest first."""
    returns: int = 0
    """Returns of the free engagement by repetition, with no other piece moving in between."""
    retreated: tuple[int, int] = (0, 0)
    roll: str = ""
    """Sticks of a given case, one colour letter each."""
    dying: tuple[int, int] | None = None
    """The side that was just touched, and where."""
    stance: int = -1
    """The side in hirakamae."""
    stanced: str = ""
    """The sides that have used hirakamae."""
    fire: tuple[tuple[int, int], ...] = ()
    chaos: tuple[tuple[int, int], ...] = ()
    """Cast-squares as (side, square)."""
    shima: tuple[int, int] | None = None
    """Shima is in force: the caster and the cast-square (-1 for either where a given case does not say)."""
    sprung: "Position | None" = None
    """A technical piece entered a chaos square on the turn just before: the position right after it did."""
    pending: Pending | None = None
    over: tuple[str, str] | None = None
    """How the game ended and who won: a key of ENDINGS, and the letters of the winners."""
    owed: tuple[tuple[str, str], ...] = ()
    """Secret layouts and picks handed in so far: (what, text)."""
    terms: Terms = field(default=STANDARD)

    @property
    def mover(self) -> Side:
        """The side whose turn it is, by its letter."""
        return SIDES[self.to]

    def find(self, side: int, kind: int) -> int:
        """Where a piece stands, or -1; a Cloak on a blade stands where the blade does."""
        at = self.cells.find(kind + BLACK * side)
        if at < 0 and kind == C and self.caught:
            return next((at for at in range(64) if self.caught & BIT[at] and (self.cells[at] < BLACK) == bool(side)), -1)
        return at

    def where(self, side: int) -> int:
        """The square of a Self, or of the body of one that was touched; -1 if there is none."""
        if self.dying is not None and self.dying[0] == side:
            return self.dying[1]
        return self.cells.find(KIND["S"] + BLACK * side)


def letter_of(code: int) -> str:
    """A piece's letter."""
    return "a" if code == FREE else KINDS[code & 15]


def in_tray(pieces: str) -> str:
    """The letters of a tray in the canonical order."""
    return pieces if len(pieces) < 2 else "".join(sorted(pieces, key=TRAY.index))


# --- text -----------------------------------------------------------------------------------------------


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
    for side in (0, 1):
        if position.reserve[side]:
            parts.append(f"r{SIDES[side]}: {' '.join(position.reserve[side])}")
    for side in (0, 1):
        if position.discard[side]:
            parts.append(f"d{SIDES[side]}: {' '.join(position.discard[side])}")
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
    flags = []
    if p.passes:
        flags.append(f"passes={p.passes}")
    if p.passed:
        flags.append(f"ep={SQUARES[p.passed[0]]}<{SQUARES[p.passed[1]]}")
    if p.lock >= 0:
        flags.append(f"lock={SQUARES[p.lock]}")
    for side in (0, 1):
        if intent := p.intents[side]:
            flags.append(f"int={SIDES[side]}:{intent.text}" + ("(moved)" if intent.moved else ""))
    if p.dazzled >= 0:
        flags.append(f"noJ={SIDES[p.dazzled]}")
    if p.trail:
        flags.append("ahist=" + ",".join(SQUARES[at] for at in p.trail))
    if p.returns:
        flags.append(f"aresets={p.returns}")
    for side in (0, 1):
        if p.retreated[side]:
            flags.append(f"ret{SIDES[side]}={p.retreated[side]}")
    if p.terms.retreats != (1, 1):
        white, black = ("unlimited" if n < 0 else str(n) for n in p.terms.retreats)
        flags.append(f"retlimit={white}" if white == black else f"retlimit={white},{black}")
    if p.roll:
        flags.append(f"roll={p.roll}")
    if p.dying:
        flags.append(f"dying={SIDES[p.dying[0]]}@{SQUARES[p.dying[1]]}")
    if p.stance >= 0:
        flags.append(f"hira={SIDES[p.stance]}")
    if p.stanced:
        flags.append(f"hiraused={p.stanced}")
    for name, cast in (("fire", p.fire), ("chaos", p.chaos)):
        flags += [f"{name}={SIDES[side]}:{SQUARES[at]}" for side, at in cast]
    if p.shima:
        flags.append("shima=1" if p.shima[0] < 0 else f"shima={SIDES[p.shima[0]]}:{SQUARES[p.shima[1]]}")
    if p.terms.formal:
        flags.append("formal=1")
    if p.sprung:
        flags.append("trap=" + encode(p.sprung).replace(" / ", "|").replace(" ", ";"))
    if p.pending:
        ask = p.pending
        flags.append(f"ask={ask.what},{SIDES[ask.side]},{ask.step},{ask.turn.replace(' ', ';')}")
    if p.over:
        flags.append(f"over={p.over[0]}:{p.over[1]}")
    flags += [f"owed={what}:{text.replace(' ', ';')}" for what, text in p.owed]
    if p.terms is not STANDARD:
        flags += _term_flags(p.terms)
    return flags


def _term_flags(terms: Terms) -> list[str]:
    flags = []
    if terms.off:
        flags.append("off=" + ",".join(sorted(terms.off)))
    flags += [f"{name}=1" for name in ("support", "uniform", "hug") if getattr(terms, name)]
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


_SITE = re.compile(r"[WXYZ]\d{1,2}")
_INTENT = re.compile(r"(?P<kind>[S$CBGDLJRea])?.*?(?P<square>[WXYZ]\d{1,2})!?$")


def read_intent(text: str, moved: bool = False) -> Intent | None:
    """An intention from its text: the attacker and the target of its last half."""
    found = _INTENT.match(text.split("_")[-1])
    if not found or found["square"] not in NUMBER:
        return None
    letter = found["kind"] or "e"
    return Intent(text, FREE if letter == "a" else KIND[letter], NUMBER[found["square"]], moved)


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
    if value == "unlimited":
        return -1
    if not value.isdecimal():
        _wrong(f"“{value}” is no number")
    return int(value)


def _counts(value: str) -> tuple[int, int]:
    white, _, black = value.partition(",")
    return _count(white), _count(black or white)


def _read_flags(rest: str) -> dict[str, object]:  # noqa: C901, PLR0912 -- one line per flag
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
            case "support" | "uniform" | "hug":
                terms[name] = True
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
