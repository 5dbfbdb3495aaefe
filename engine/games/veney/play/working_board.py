"""A board in the middle of a turn: what stands where, what it means to the rules, how pieces come and go."""

from typing import Final

from engine.games.veney.board.points import START_POINT
from engine.games.veney.board.squares import (
    BETWEEN,
    BIT,
    FORWARD,
    HALF,
    LIGHT,
    MEASURE,
    MEASURES,
    NOT_IN_LINE,
    RAYS,
    WAY,
    WAYS,
)
from engine.games.veney.pieces import (
    BLACK,
    BLADES,
    FREE,
    KIND,
    KINDS,
    SWORD,
    C,
    D,
    E,
    G,
    S,
)
from engine.games.veney.position import IN_PLAY, Position, in_tray


def _table(codes: range) -> bytes:
    """For the codes of pieces the digit 1, for all others 0."""
    return bytes(49 if code in codes else 48 for code in range(256))


_ANYTHING: Final = _table(range(1, FREE + 1))

_OF_SIDE: Final = (_table(range(1, BLACK)), _table(range(BLACK + 1, FREE)))

_OF_CODE: Final = tuple(_table(range(code, code + 1)) for code in range(FREE + 1))


def _squares(cells: bytearray, table: bytes) -> int:
    """The squares with pieces for which a table has a 1, as a mask: the board is read as one binary number."""
    return int(cells[::-1].translate(table), 2)


class WorkingBoard:
    """A board in the middle of a turn."""

    former = False
    """Whether turns go as earlier versions carried them out."""

    __slots__ = (
        "caught",
        "cells",
        "chaos",
        "discard",
        "fire",
        "free",
        "over",
        "passed",
        "pending",
        "point",
        "position",
        "reserve",
        "returns",
        "selves",
        "shima",
        "side",
        "spell",
        "touched",
        "watched",
    )

    def __init__(self, position: Position, side: int | None = None):
        self.position = position
        self.side = position.to if side is None else side
        self.cells = bytearray(position.cells)
        self.caught = position.caught
        self.point = position.point
        self.free = position.cells.find(FREE) if position.point == IN_PLAY else -1
        self.reserve = position.reserve
        self.discard = position.discard
        self.passed = position.passed
        self.fire = position.fire
        self.chaos = position.chaos
        self.shima = position.shima
        self.pending = None if position.pending is None or position.pending.what == "throw" else position.pending
        self.selves = position.selves
        """Where the Selves stand, or lie."""
        self.touched: tuple[int, int] | None = None
        """A Self taken in this turn: whose, and where."""
        self.over: tuple[str, str] | None = position.over
        self.spell = False
        """Jutsu has taken Jutsu in this turn."""
        self.watched = -1 if (intent := position.intents[1 - self.side]) is None else intent.target
        """A square that an announced attack aims at; -1 once its piece has stirred."""
        self.returns = position.returns

    def copy(self) -> "WorkingBoard":
        """Another board in the same state; written out, because a listing takes hundreds of them."""
        twin = WorkingBoard.__new__(WorkingBoard)
        twin.position = self.position
        twin.side = self.side
        twin.cells = self.cells[:]
        twin.caught = self.caught
        twin.point = self.point
        twin.free = self.free
        twin.reserve = self.reserve
        twin.discard = self.discard
        twin.passed = self.passed
        twin.fire = self.fire
        twin.chaos = self.chaos
        twin.shima = self.shima
        twin.pending = self.pending
        twin.selves = self.selves
        twin.touched = self.touched
        twin.over = self.over
        twin.spell = self.spell
        twin.watched = self.watched
        twin.returns = self.returns
        return twin

    # --- asking ---------------------------------------------------------------------------------------
    @property
    def taken(self) -> int:
        """Every square on which something stands."""
        return _squares(self.cells, _ANYTHING)

    def men(self, side: int) -> int:
        """The squares of a side's pieces; a Cloak on a blade is not among them."""
        return _squares(self.cells, _OF_SIDE[side])

    def find(self, side: int, kind: int) -> int:
        """Where a piece stands, or -1; a Cloak on a blade stands where the blade does."""
        at = self.cells.find(kind + BLACK * side)
        if at < 0 and kind == C and self.caught:
            return next(iter(self.capturing(side)), -1)
        return at

    def capturing(self, side: int) -> tuple[int, ...]:
        """The squares on which a side's Cloaks sit on opposing blades."""
        if not self.caught:
            return ()
        return tuple(at for at in range(64) if self.caught & BIT[at] and self.cells[at] >> 4 != side)

    def places(self, side: int, kind: int) -> tuple[int, ...]:
        """Every square on which a side has a piece of a kind."""
        if kind == FREE:
            return (self.free,) if self.free >= 0 else ()
        code = kind + BLACK * side
        found = []
        at = self.cells.find(code)
        while at >= 0:
            found.append(at)
            at = self.cells.find(code, at + 1)
        return (*found, *self.capturing(side)) if kind == C else tuple(found)

    def mask(self, side: int, kind: int) -> int:
        """The squares of a side's pieces of a kind (without Cloaks on blades)."""
        return _squares(self.cells, _OF_CODE[kind + BLACK * side])

    def holds(self, side: int, at: int) -> bool:
        """Whether the free engagement on this square belongs to this side."""
        return bool(LIGHT & BIT[at]) is (side == 0)

    def is_dead(self, side: int) -> bool:
        """Whether a side's Self was touched, so that its turn is a dying one."""
        dying = self.position.dying
        return dying is not None and dying[0] == side

    def stone(self, side: int, at: int) -> bool:
        """Whether a square holds a stepping stone of this side."""
        code = self.cells[at]
        return code == E + BLACK * side or (code == FREE and self.holds(side, at))

    def pinned(self, at: int) -> bool:
        """Whether a captured blade stands here."""
        return bool(self.caught & BIT[at])

    def armed(self, side: int) -> bool:
        """Whether a side still has its Sword."""
        return (SWORD + BLACK * side) in self.cells or "$" in self.reserve[side]

    def bladeless(self, side: int) -> bool:
        """Whether a side has no blade on the board, and nothing else that could touch a Self."""
        blades = (SWORD + BLACK * side, D + BLACK * side)
        return not self.position.terms.touch[side] and not any(blade in self.cells for blade in blades)

    def empty_measures(self, lifted: int = 0) -> tuple[int, ...]:
        """The measures strictly between the Selves in which nobody stands but perhaps the free engagement.

        `lifted`: the square of a piece that is in the hand, if one is.
        """
        if min(self.selves) < 0:
            return ()
        low, high = sorted(MEASURE[at] for at in self.selves)
        men = (self.men(0) | self.men(1)) & ~lifted
        return tuple(m for m in range(low + 1, high) if not men & MEASURES[m])

    def in_glare(self, side: int) -> bool:
        """Whether a side's Self stands in the opposing Lantern's light."""
        at, other = self.selves[side], 1 - side
        if at < 0:
            return False
        for lamp in self.places(other, KIND["L"]):
            if WAY[lamp][at] == NOT_IN_LINE:
                continue
            between = BETWEEN[lamp][at]
            if not between:
                return True
            screens = self.mask(0, G) | self.mask(1, G) | self.mask(0, C) | self.mask(1, C) | self.caught
            if self.selves[other] >= 0:
                screens |= BIT[self.selves[other]]
            if not between & screens:
                return True
        return False

    def together(self, side: int, kind: int) -> int:
        """The measure that a side's Self shares with its piece of this kind; 0 for none."""
        at = self.selves[side]
        if at >= 0:
            for place in self.places(side, kind):
                if MEASURE[place] == MEASURE[at]:
                    return MEASURE[at]
        return 0

    def pushed(self, side: int, origin: int, target: int) -> int:
        """The first opposing blade on the ray from a blade over its target and on; -1 for none."""
        way = WAY[origin][target]
        if way != NOT_IN_LINE:
            for at in RAYS[origin][way]:
                if self.cells[at] >> 4 == 1 - side and self.cells[at] & 15 in BLADES and self.cells[at] != FREE:
                    return at
        return -1

    def deflected_to(self, side: int, at: int, way: int) -> int:
        """Where a piece on this square ends when a Guard of this side pushes it; the square itself if it cannot go."""
        up = WAYS[way][1] * FORWARD[side]
        own = bool(HALF[side] & BIT[at])
        end = at
        for to in RAYS[at][way]:
            if self.cells[to]:
                break
            end = to
            if not own or up < 0 or (up > 0 and not HALF[side] & BIT[to]):
                break
        return end

    # --- doing ----------------------------------------------------------------------------------------
    def put(self, side: int, kind: int, at: int) -> None:
        """Set a piece on a square that is empty."""
        if kind == FREE:
            self.cells[at] = FREE
            self.free, self.point = at, IN_PLAY
            return
        self.cells[at] = kind + BLACK * side
        if kind == S:
            self.selves = (self.selves[0], at) if side else (at, self.selves[1])

    def clear(self, at: int) -> None:
        """Take whatever stands on a square off it."""
        code = self.cells[at]
        self.cells[at] = 0
        if at == self.watched:
            self.watched = -1
        if code == FREE:
            self.free = -1

    def lift(self, side: int, kind: int, at: int) -> bool:
        """Pick a piece up; False if it is not there. A Cloak that sat on it stays on the square."""
        code = self.cells[at]
        if code == (FREE if kind == FREE else kind + BLACK * side):
            self.clear(at)
            if self.caught & BIT[at]:
                self.caught &= ~BIT[at]
                self.put(1 - side, C, at)
            return True
        if kind == C and self.caught & BIT[at] and code >> 4 != side:
            self.caught &= ~BIT[at]
            return True
        return False

    def shelve(self, side: int, kind: int) -> None:
        """Into reserve; the free engagement goes to its start, and a Self, which has no place there, is taken."""
        if kind == FREE:
            self.point = START_POINT
        elif kind == S:
            self.scrap(side, S)
        else:
            self.reserve = _traded(self.reserve, side, self.reserve[side] + KINDS[kind])

    def scrap(self, side: int, kind: int) -> None:
        """Into the discard; a Self has then been touched, whoever did it and by whatever means."""
        if kind == S:
            self.touched = (side, self.selves[side])
        self.discard = _traded(self.discard, side, self.discard[side] + KINDS[kind])

    def draw(self, side: int, kind: int) -> bool:
        """Out of reserve; False if it is not there."""
        if KINDS[kind] not in self.reserve[side]:
            return False
        self.reserve = _traded(self.reserve, side, self.reserve[side].replace(KINDS[kind], "", 1))
        return True

    def reclaim(self, side: int, kind: int) -> bool:
        """Out of the discard; False if it is not there."""
        if KINDS[kind] not in self.discard[side]:
            return False
        self.discard = _traded(self.discard, side, self.discard[side].replace(KINDS[kind], "", 1))
        return True

    def uncloak(self, at: int, discard: bool = False) -> None:
        """Take the Cloak off a captured blade."""
        if self.caught & BIT[at]:
            self.caught &= ~BIT[at]
            owner = 1 - (self.cells[at] >> 4)
            (self.scrap if discard else self.shelve)(owner, C)

    def reserves(self) -> tuple[str, str]:
        """The reserves in canonical order."""
        return self.reserve if self.reserve is self.position.reserve else _in_order(self.reserve)

    def discards(self) -> tuple[str, str]:
        """The discards in canonical order."""
        return self.discard if self.discard is self.position.discard else _in_order(self.discard)


def _in_order(trays: tuple[str, str]) -> tuple[str, str]:
    return in_tray(trays[0]), in_tray(trays[1])


def _traded(trays: tuple[str, str], side: int, tray: str) -> tuple[str, str]:
    """Both trays, with another one for a side."""
    return (trays[0], tray) if side else (tray, trays[1])
