"""Tokonoma: talls and flats on 29 hexagons, where two attackers empty a tile and a flat in the other house wins."""

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from functools import cache, lru_cache
from math import cos, pi, sin, sqrt
from typing import ClassVar, TypeAlias

from engine.board import Board, Point, Side, Site
from engine.diagram import Colour, Diagram, Figure, Glyph, Mark, Stroke
from engine.dice import Dice
from engine.game import Game, Move, NotationError, Outcome, Rule, Ruling, Turn

# --- the board --------------------------------------------------------------------------------------------

WIDTHS = {"a": 5, "b": 6, "c": 7, "d": 6, "e": 5}
"""Tiles in each row, from the top; they are numbered from the left, from 1."""

PLACES: Mapping[Site, tuple[int, int]] = {
    f"{row}{number}": (2 * number - width - 1, down)
    for down, (row, width) in enumerate(WIDTHS.items(), start=-2)
    for number in range(1, width + 1)
}
"""Every tile and where it lies: half tiles to the right of the middle, rows below the middle."""

SITES = tuple(PLACES)
BITS: Mapping[Site, int] = {site: 1 << index for index, site in enumerate(SITES)}
"""A set of tiles is an int with one bit for each."""
EVERY = (1 << len(SITES)) - 1

HOUSES: Mapping[Side, Site] = {"W": "c7", "B": "c1"}
FORWARD: Mapping[Side, int] = {"W": -1, "B": 1}
OPPONENT: Mapping[Side, Side] = {"W": "B", "B": "W"}

# --- the pieces -------------------------------------------------------------------------------------------

KINDS = "FABS"
NAMES = {"F": "Flat", "A": "Arm", "B": "Blind", "S": "Star"}

STEPS: Mapping[str, tuple[tuple[int, int], ...]] = {
    "F": ((2, 0), (1, -1), (1, 1)),
    "A": ((4, 0), (-2, 0), (-1, -1), (-1, 1)),
    "B": ((2, -2), (2, 2), (-4, 0), (-1, -1), (-1, 1)),
    "S": ((0, -2), (0, 2), (3, -1), (3, 1), (-3, -1), (-3, 1)),
}
"""Where each kind moves and attacks, over anything: half tiles forward (negative: backward), rows down."""


def _reach(side: Side, kind: str, site: Site) -> int:
    across, down = PLACES[site]
    ends = {(across + FORWARD[side] * forward, down + rows) for forward, rows in STEPS[kind]}
    return sum(BITS[end] for end, place in PLACES.items() if place in ends)


REACH: Mapping[Side, tuple[Mapping[int, int], ...]] = {
    side: tuple({BITS[site]: _reach(side, kind, site) for site in SITES} for kind in KINDS) for side in FORWARD
}
"""By side, then by kind in the order of `KINDS`: a piece's tile -> the tiles it hits."""

# --- the position -----------------------------------------------------------------------------------------

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

# --- the rules --------------------------------------------------------------------------------------------

FLAT = Rule("flat", "Flat", "A Flat goes one tile forward, straight or to either side.")
ARM = Rule("arm", "Arm", "An Arm goes two tiles straight forward, one straight back, or one back to either side.")
BLIND = Rule(
    "blind", "Blind", "A Blind goes two tiles forward to either side, two straight back, or one back to a side."
)
STAR = Rule("star", "Star", "A Star goes to one of the six nearest tiles of its own tone.")
STACKING = Rule("stacking", "Stacking", "The only way to join an own piece is a tall moving onto a lone Flat.")
COVERED = Rule("covered", "Covered Flats", "A Flat under a tall neither moves nor attacks.")
MOVEMENT = Rule("movement", "Movement", "A side must move one of its pieces; there is no passing.")
OCCUPIED = Rule("occupied", "Occupied tiles", "No piece ends its move on an enemy piece.")
ATTACK = Rule("attack", "Attack", "After a move, every enemy tile hit by two or more of the mover's pieces is emptied.")
HOUSE = Rule("house", "House capture", "A side whose Flat stands alone in the other side's house has won.")
STALEMATE = Rule("stalemate", "Stalemate", "A side that cannot move when its turn begins has lost.")
REPETITION = Rule("repetition", "Repetition", "The third occurrence of a position is a draw.")
QUIET = Rule("quiet", "A hundred quiet plies", "A hundred plies without a Flat's move or an emptied tile are a draw.")
OVER = Rule("over", "The end", "Nobody moves once the game is over.")

PATTERNS = (FLAT, ARM, BLIND, STAR)

PASS = Move("pass")

# --- the game ---------------------------------------------------------------------------------------------


class Tokonoma(Game[Position]):
    """The rules, in the order in which a turn meets them."""

    key = "tokonoma"
    name = "Tokonoma"
    gist = "Talls and Flats on 29 hexagons: two attackers empty a tile, and a Flat in the other house wins."
    credit = "Designed by cancrizans; the specification is free for non-commercial use."
    sides = ("W", "B")
    names: ClassVar[Mapping[Side, str]] = {"W": "White", "B": "Black"}
    colours: ClassVar[Mapping[Side, Colour]] = {"W": "white", "B": "black"}
    rules = (
        *PATTERNS,
        *(STACKING, COVERED, MOVEMENT, OCCUPIED, ATTACK),
        *(HOUSE, STALEMATE, REPETITION, QUIET, OVER),
    )
    example = "c7c5"

    # --- the position -------------------------------------------------------------------------------------
    def setup(self, options: Mapping[str, str], dice: Dice) -> Position:
        return self.decode(START)

    def encode(self, position: Position) -> str:
        tiles = ["."] * len(SITES)
        for letters, army in ((KINDS, position.white), (KINDS.lower(), position.black)):
            for letter, standing in zip(letters, army, strict=True):
                for index in _indices(standing):
                    tiles[index] = letter if tiles[index] == "." else f"{letter}+"
        rows = "/".join("".join(tiles[first:last]) for first, last in SPANS)
        quiet = f" q{position.quiet}" if position.quiet else ""
        return f"{GAP.sub(lambda gap: str(len(gap[0])), rows)} {position.to_move.lower()}{quiet}"

    def decode(self, text: str) -> Position:
        found = POSITION.fullmatch(text)
        remedy = f"The start, as an example, is `{START}`."
        if found is None:
            raise NotationError("that is no position of Tokonoma", remedy)
        rows = [TILE.findall(row) for row in NUMBER.sub(lambda number: "." * int(number[0]), found["rows"]).split("/")]
        if [len(row) for row in rows] != list(WIDTHS.values()):
            held = "-".join(str(len(row)) for row in rows)
            raise NotationError(f"the rows hold {held} tiles, where the board has 5-6-7-6-5", remedy)
        tiles = [tile for row in rows for tile in row]
        white, black = _army(tiles, KINDS), _army(tiles, KINDS.lower())
        return Position(white, black, found["side"].upper(), int(found["quiet"] or 0))

    def identity(self, position: Position) -> tuple[Army, Army, Side]:
        return position.white, position.black, position.to_move

    # --- the turn -----------------------------------------------------------------------------------------
    def to_act(self, position: Position) -> Side:
        return position.to_move

    def read(self, text: str, position: Position) -> Turn:
        return _read(text, position)

    def write(self, turn: Turn, position: Position) -> str:
        if not turn:
            return PASS.verb
        (move,) = turn
        own, _ = position.armies()
        letter = "" if move.piece == _top(own, move.origin) else move.piece  # a Flat pulled from under its tall
        return f"{letter}{move.origin}{move.target}"

    def short(self, turn: Turn, position: Position) -> str:
        """The short notation of a tenable turn: `Aa3`, `Fb2*`, `Fc1#`.

        Not for a turn that may yet be called out: what it leaves away tells which moves are tenable.
        """
        (move,) = turn
        origin = move.origin if len(_able(position, move.piece, move.target)) > 1 else ""
        after = self.play(position, turn)
        emptied = _all(position.armies()[1]) & ~_all(after.armies()[0])
        end = self.outcome(after)
        won = end is not None and end.winners == {position.to_move}
        return f"{move.piece}{origin}{move.target}{'*' * emptied.bit_count()}{'#' * won}"

    def candidates(self, position: Position) -> Iterator[Turn]:
        """Exactly the tenable turns."""
        return iter(() if _captor(position) or position.quiet >= 100 else _movements(position))

    def turns(self, position: Position) -> Iterator[Turn]:
        return self.candidates(position)

    def judge(self, position: Position, turn: Turn) -> Iterator[Ruling]:
        own, enemy = position.armies()
        for move in turn:
            origin, target = BITS[move.origin], BITS[move.target]
            kind, piece = KINDS.index(move.piece), f"the {NAMES[move.piece]} on {move.origin}"
            culprit, there = Mark("culprit", (move.origin,)), Mark("blocker", (move.target,))
            reach = REACH[position.to_move][kind][origin]
            if not reach & target:
                sites = _sites(reach)
                because = f"{piece} reaches {_spoken(sites)}, not {move.target}"
                yield Ruling(PATTERNS[kind], move, because, (culprit, Mark("reach", sites)))
            if target & _all(own) and not (kind and target & _lone(own)):
                because = f"{piece} cannot join the {NAMES[_top(own, move.target)]} on {move.target}"
                yield Ruling(STACKING, move, because, (culprit, there))
            if kind == 0 and not origin & _lone(own):
                because = f"{piece} lies under the {NAMES[_top(own, move.origin)]}"
                yield Ruling(COVERED, move, because, (culprit,))
            if target & _all(enemy):
                because = f"the enemy {NAMES[_top(enemy, move.target)]} stands on {move.target}"
                yield Ruling(OCCUPIED, move, because, (culprit, there))
        if not turn:
            yield Ruling(MOVEMENT, PASS, "no piece has moved")
        if self.outcome(position) is not None:
            yield Ruling(OVER, turn[0] if turn else PASS, "the game was over before this turn")

    def play(self, position: Position, turn: Turn) -> Position:
        own, before = position.armies()
        enemy, flat_moved = before, False
        for move in turn:
            own, enemy = _put(own, move), _cleared(enemy, BITS[move.target])
            flat_moved = move.piece == "F"
        enemy = _cleared(enemy, struck(own, position.to_move))
        quiet = 0 if flat_moved or enemy != before else position.quiet + 1
        white, black = (own, enemy) if position.to_move == "W" else (enemy, own)
        return Position(white, black, OPPONENT[position.to_move], quiet)

    def outcome(self, position: Position, seen: int = 1) -> Outcome | None:
        captor = _captor(position)
        if captor:
            return Outcome(HOUSE, frozenset({captor}))
        if not _movements(position):
            return Outcome(STALEMATE, frozenset({OPPONENT[position.to_move]}))
        if seen >= 3:
            return Outcome(REPETITION, frozenset(self.sides))
        if position.quiet >= 100:
            return Outcome(QUIET, frozenset(self.sides))
        return None

    def perft(self, position: Position, depth: int) -> int:
        """Lines of tenable turns, each carried out to the end; the draw rules are left out of the count."""
        return _perft(*position.armies(), position.to_move, depth)

    # --- the end of patience ------------------------------------------------------------------------------
    def skip(self, position: Position) -> Position:
        return replace(position, to_move=OPPONENT[position.to_move])

    def without(self, position: Position, move: Move) -> Position:
        if move == PASS:
            return position
        own, enemy = position.armies()
        lifted = {move.piece: BITS[move.origin]}
        own = tuple(standing & ~lifted.get(kind, 0) for kind, standing in zip(KINDS, own, strict=True))
        white, black = (own, enemy) if position.to_move == "W" else (enemy, own)
        return replace(position, white=white, black=black)

    # --- the picture --------------------------------------------------------------------------------------
    def board(self, position: Position) -> Board:
        return BOARD

    def draw(self, position: Position, viewer: Side | None) -> Diagram:
        armies = {"W": position.white, "B": position.black}
        figures = tuple(
            Figure(
                site, side, kind, NAMES[kind], *(("F",), "on a Flat") if kind != "F" and BITS[site] & army[0] else ()
            )
            for site in SITES
            for side, army in armies.items()
            if (kind := _top(army, site))
        )
        return Diagram(
            title=self.name,
            board=BOARD,
            names=self.names,
            colours=self.colours,
            glyphs=GLYPHS,
            figures=figures,
            to_act=None if self.outcome(position) else position.to_move,
            notes=(f"{position.quiet} quiet plies; 100 are a draw",) if position.quiet >= 50 else (),
            turned=TURNED[viewer],
            labels=frozenset(SITES),
        )

    def marks(self, turn: Turn, position: Position) -> tuple[Mark, ...]:
        moved = super().marks(turn, position)
        emptied = _all(position.armies()[1]) & ~_all(self.play(position, turn).armies()[0])
        return (*moved, Mark("zone", _sites(emptied))) if emptied else moved


# --- what the rules are made of ---------------------------------------------------------------------------


def _all(army: Army) -> int:
    """Every tile the army stands on."""
    return army[0] | army[1] | army[2] | army[3]


def _lone(army: Army) -> int:
    """Its Flats that no tall stands on."""
    return army[0] & ~(army[1] | army[2] | army[3])


def _captor(position: Position) -> Side | None:
    """The side that has captured the other's house; the one that moved last is asked first."""
    armies = position.armies()
    for side, army in ((OPPONENT[position.to_move], armies[1]), (position.to_move, armies[0])):
        if _lone(army) & BITS[HOUSES[OPPONENT[side]]]:
            return side
    return None


def _movements(position: Position) -> list[Turn]:
    """Every turn that the rules of movement allow: the tables read forwards, where `judge` reads them backwards."""
    own, enemy = position.armies()
    lone = _lone(own)
    free = EVERY & ~(_all(own) | _all(enemy))
    found: list[Turn] = []
    for kind, fans in enumerate(FANS[position.to_move]):
        standing, open_ = (own[kind], free | lone) if kind else (lone, free)
        while standing:
            origin = standing & -standing
            standing ^= origin
            reach, fan = fans[origin]
            found += fan[reach & open_]
    return found


def _put(army: Army, move: Move) -> Army:
    """The army with a piece moved, as written.

    We read: a tile has room for one Flat and one tall of a side, so whatever else stood there leaves the board.
    """
    origin, target = BITS[move.origin], BITS[move.target]
    flats, arms, blinds, stars = army
    if move.piece == "F":
        return flats & ~origin | target, arms, blinds, stars
    arms, blinds, stars = (
        standing & ~origin & ~target | (target if kind == move.piece else 0)
        for kind, standing in zip("ABS", (arms, blinds, stars), strict=True)
    )
    return flats, arms, blinds, stars


@lru_cache(maxsize=1 << 16)
def struck(army: Army, side: Side) -> int:
    """The tiles that two or more of the army's pieces hit. A stack hits once, as its tall does."""
    once = twice = 0
    for standing, reach in zip((_lone(army), *army[1:]), REACH[side], strict=True):
        for index in _indices(standing):
            hit = reach[1 << index]
            twice |= once & hit
            once |= hit
    return twice


def _cleared(army: Army, tiles: int) -> Army:
    """The army with whatever stood on these tiles captured."""
    flats, arms, blinds, stars = army
    return flats & ~tiles, arms & ~tiles, blinds & ~tiles, stars & ~tiles


def _perft(own: Army, enemy: Army, side: Side, depth: int) -> int:
    """`_movements`, `play` and `outcome` in one loop, without a Position or a Turn: for counting only."""
    if depth == 0:
        return 1
    other = OPPONENT[side]
    if _lone(enemy) & BITS[HOUSES[side]] or _lone(own) & BITS[HOUSES[other]]:
        return 0
    lines = 0
    lone, enemies = _lone(own), _all(enemy)
    free = EVERY & ~(_all(own) | enemies)
    for kind, reach in enumerate(REACH[side]):
        standing, open_ = (own[kind], free | lone) if kind else (lone, free)
        before, all_of_kind, after = own[:kind], own[kind], own[kind + 1 :]
        while standing:
            origin = standing & -standing
            standing ^= origin
            targets = reach[origin] & open_
            while targets:
                target = targets & -targets
                targets ^= target
                moved = (*before, all_of_kind ^ origin | target, *after)
                hit = struck(moved, side) & enemies
                left = _cleared(enemy, hit) if hit else enemy
                lines += 1 if depth == 1 else _perft(left, moved, other, depth - 1)
    return lines


# --- places and words -------------------------------------------------------------------------------------


@lru_cache(maxsize=1 << 12)
def _indices(tiles: int) -> tuple[int, ...]:
    """The tiles of a set, as indices into `SITES`."""
    return tuple(index for index in range(len(SITES)) if tiles >> index & 1)


def _sites(tiles: int) -> tuple[Site, ...]:
    return tuple(SITES[index] for index in _indices(tiles))


def _top(army: Army, site: Site) -> str:
    """The letter of the army's piece that stands on top there, if any."""
    return next((kind for kind, standing in zip("SBAF", reversed(army), strict=True) if standing & BITS[site]), "")


def _spoken(sites: tuple[Site, ...]) -> str:
    return " and ".join(filter(None, (", ".join(sites[:-1]), *sites[-1:]))) or "no tile"


# --- notation ---------------------------------------------------------------------------------------------

SPANS = tuple((sum(list(WIDTHS.values())[:row]), sum(list(WIDTHS.values())[: row + 1])) for row in range(5))
POSITION = re.compile(r"(?P<rows>(?:[1-7Ff/]|[ABSabs]\+?)+) (?P<side>[wb])(?: q(?P<quiet>[0-9]{1,4}))?", re.ASCII)
NUMBER, GAP, TILE = re.compile("[1-7]"), re.compile(r"\.+"), re.compile(r"[.Ff]|[ABSabs]\+?")

TURN = re.compile(
    r"""\s*(?:(?P<kind>flat|arm|hand|blind|star|[fahbs])(?=\s|[a-z]\d))?    # what moves
        \s*(?:from\s+)?(?P<first>[a-z]\d+)?                               # where it stands
        \s*(?:-+>?|–|→|to\b|x)?\s*(?P<second>[a-z]\d+)?                    # where it goes
        \s*\**\#?\s*                                                       # emptied tiles and a win, if noted""",
    re.VERBOSE | re.IGNORECASE | re.ASCII,
)
REMEDY = "Write from where to where, like `c7c5`, or what goes where, like `Ac5`."


def _army(tiles: list[str], letters: str) -> Army:
    """One side of a position text, taken apart into tiles."""
    standing = dict.fromkeys(letters, 0)
    for bit, tile in zip(BITS.values(), tiles, strict=True):
        if tile[0] in standing:
            standing[tile[0]] |= bit
            standing[letters[0]] |= bit if tile.endswith("+") else 0
    flats, arms, blinds, stars = standing.values()
    return flats, arms, blinds, stars


def _read(text: str, position: Position) -> Turn:
    if text.strip().lower() == PASS.verb:
        return ()
    found = TURN.match(text)
    assert found is not None, "every part is optional"
    kind = (found["kind"] or "").upper()[:1].replace("H", "A")
    places = [group for group in ("first", "second") if found[group]]
    if found.end() < len(text) or len(places) + bool(kind) < 2:
        raise NotationError("that describes no move", REMEDY, column=found.end() + 1)
    for place in places:
        if found[place].lower() not in BITS:
            because = f"there is no tile {found[place]}"
            raise NotationError(because, "Rows a to e hold 5, 6, 7, 6 and 5 tiles.", column=found.start(place) + 1)
    *origin, target = (found[place].lower() for place in places)
    return _from_to(kind, origin[0], target, position) if origin else _what_where(kind, target, position)


def _from_to(kind: str, origin: Site, target: Site, position: Position) -> Turn:
    """The turn `c7c5`; a letter before it must fit what stands there."""
    own, enemy = position.armies()
    top = _top(own, origin)
    if not top:
        whose = "the enemy's" if BITS[origin] & _all(enemy) else "empty"
        raise NotationError(f"{origin} is {whose}", "Move a piece of your own.", column=1)
    if kind not in ("", top) and not (kind == "F" and BITS[origin] & own[0]):
        raise NotationError(f"the piece on {origin} is no {NAMES[kind]} but the {NAMES[top]}", REMEDY, column=1)
    # We read: a piece put back where it stood has not moved, so that is a pass.
    return _turn(kind or top, origin, target) if origin != target else ()


def _what_where(kind: str, target: Site, position: Position) -> Turn:
    """The turn `Ac5`; the one piece that can go there is meant, or else the only one there is."""
    own, _ = position.armies()
    standing = _lone(own) or own[0] if kind == "F" else own[KINDS.index(kind)]
    origins = _able(position, kind, target) or tuple(site for site in _sites(standing) if site != target)
    if not origins:
        raise NotationError(f"there is no {NAMES[kind]} of yours to go to {target}", REMEDY, column=1)
    if len(origins) > 1:
        readings = tuple(f"{'' if kind == _top(own, origin) else kind}{origin}{target}" for origin in origins)
        which = _spoken(origins).replace(" and ", " or ")
        raise NotationError(f"that may be the {NAMES[kind]} on {which}", f"Write `{readings[0]}`.", readings=readings)
    return _turn(kind, origins[0], target)


def _able(position: Position, kind: str, target: Site) -> tuple[Site, ...]:
    """Where the pieces of a kind stand that have a tile within reach."""
    own, _ = position.armies()
    reach = REACH[position.to_move][KINDS.index(kind)]
    standing = _lone(own) if kind == "F" else own[KINDS.index(kind)]
    return tuple(site for site in _sites(standing) if reach[BITS[site]] & BITS[target])


@cache
def _turn(kind: str, origin: Site, target: Site) -> Turn:
    """The one object for a turn, shared by whoever speaks of it."""
    return (Move("move", kind, origin, target),)


class _Fan(dict[int, tuple[Turn, ...]]):
    """Tiles to go to -> the turns that take one piece there; filled as positions ask."""

    def __init__(self, kind: str, origin: Site) -> None:
        super().__init__()
        self.kind, self.origin = kind, origin

    def __missing__(self, targets: int) -> tuple[Turn, ...]:
        self[targets] = turns = tuple(_turn(self.kind, self.origin, target) for target in _sites(targets))
        return turns


FANS = {
    side: tuple(
        {BITS[site]: (reach[BITS[site]], _Fan(kind, site)) for site in SITES}
        for kind, reach in zip(KINDS, REACH[side], strict=True)
    )
    for side in REACH
}
"""By side and kind: a piece's tile -> the tiles it hits, and its turns for every choice among them."""

# --- how it looks -----------------------------------------------------------------------------------------


def _hexagon(site: Site) -> tuple[Point, ...]:
    """The corners of a tile: one wide, standing on its point."""
    across, down = PLACES[site]
    corners = [pi / 6 + sixth * pi / 3 for sixth in range(6)]
    return tuple(((across / 2 + cos(c) / sqrt(3)), (down * sqrt(3) / 2 + sin(c) / sqrt(3))) for c in corners)


def _neighbours(site: Site) -> tuple[Site, ...]:
    x, y = PLACES[site]
    return tuple(s for s, (across, down) in PLACES.items() if (abs(across - x), abs(down - y)) in {(2, 0), (1, 1)})


BOARD = Board(
    name="tokonoma",
    outlines={site: _hexagon(site) for site in SITES},
    edges={site: _neighbours(site) for site in SITES},
    zones={"White's house": frozenset({HOUSES["W"]}), "Black's house": frozenset({HOUSES["B"]})},
    tones={site: (1, 0, 2)[across % 3] for site, (across, _) in PLACES.items()},
    tints={"White's house": "home", "Black's house": "home"},
)

TURNED: Mapping[Side | None, float] = {None: 0.0, "W": 90.0, "B": 270.0}
"""White's house lies on the right, Black's on the left: so each has its own at the bottom."""

SLAB = "M-0.85 0 L-0.45 -0.3 L0.45 -0.3 L0.85 0 L0.85 0.28 L0.45 0.6 L-0.45 0.6 L-0.85 0.28 Z"
HAND = (
    "M-0.3 0.88 C-0.34 0.6 -0.62 0.35 -0.8 0.02 C-0.9 -0.2 -0.66 -0.32 -0.54 -0.14 L-0.36 0.1"  # thumb
    " L-0.36 -0.52 Q-0.36 -0.66 -0.24 -0.66 Q-0.12 -0.66 -0.12 -0.52"
    " L-0.12 -0.72 Q-0.12 -0.88 0 -0.88 Q0.12 -0.88 0.12 -0.72"
    " L0.12 -0.6 Q0.12 -0.74 0.24 -0.74 Q0.36 -0.74 0.36 -0.6"
    " L0.36 -0.34 Q0.36 -0.47 0.47 -0.47 Q0.58 -0.47 0.58 -0.34"
    " L0.58 0.3 C0.58 0.6 0.44 0.7 0.42 0.88 Z"
)
DISC = "M-0.75 0 A0.75 0.75 0 1 1 0.75 0 A0.75 0.75 0 1 1 -0.75 0 Z"
RAYS = (
    "M0 -0.9 L0.25 -0.43 L0.78 -0.45 L0.5 0 L0.78 0.45 L0.25 0.43"
    " L0 0.9 L-0.25 0.43 L-0.78 0.45 L-0.5 0 L-0.78 -0.45 L-0.25 -0.43 Z"
)

GLYPHS: Mapping[str, Glyph] = {
    "F": (Stroke(SLAB), Stroke(SLAB, "line", 0.1), Stroke("M-0.85 0 L-0.45 0.3 L0.45 0.3 L0.85 0", "line", 0.08)),
    "A": (
        Stroke(HAND),
        Stroke(HAND, "line", 0.1),
        Stroke("M-0.12 -0.5 L-0.12 0 M0.12 -0.6 L0.12 0 M0.36 -0.36 L0.36 0.04", "line", 0.08),
    ),
    "B": (
        Stroke(DISC),
        Stroke(DISC, "line", 0.1),
        Stroke("M-0.45 -0.08 Q0 0.4 0.45 -0.08", "line", 0.12),
        Stroke("M-0.28 0.12 L-0.38 0.34 M0 0.18 L0 0.44 M0.28 0.12 L0.38 0.34", "line", 0.1),
    ),
    "S": (Stroke(RAYS), Stroke(RAYS, "line", 0.1)),
}
"""A slab; an open hand; a closed eye; the six directions."""

GAME = Tokonoma()
