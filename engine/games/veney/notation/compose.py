"""A turn of Veney composed of picks: word after word of notation, each by a piece, a way to use it and a square."""

from dataclasses import replace
from typing import Final

from engine.board import Site
from engine.composition import PASS, Choice, Menu, Pick, Shift
from engine.diagram import Figure
from engine.game import NotationError
from engine.games.veney.board.points import META, POINTS, meta
from engine.games.veney.board.squares import NUMBER, SQUARES, squares
from engine.games.veney.notation.choices import (
    ADJUSTMENTS,
    ASK,
    CAST,
    CONTROL,
    EFFECTS,
    FEIGN,
    FOLLOWED,
    FREELY,
    GLARE,
    INTEND,
    MORE,
    NOTHING,
    RESET,
    RETREAT,
    SEVER,
    SHIFT,
    SPECIAL,
    STANCE,
    STRIKE,
    TAKE,
    THROW,
    TRAP,
    UNAIMED,
    WAYS,
    WITHDRAW,
)
from engine.games.veney.notation.read import read
from engine.games.veney.notation.settling import settling
from engine.games.veney.pieces import BLADES, KIND, KINDS, NAMES, PIECE, TRAY, B, C, D, N, S
from engine.games.veney.play.turn import sprung
from engine.games.veney.play.working_board import WorkingBoard
from engine.games.veney.position import SIDES, Position
from engine.text import Text

NEXT = Text("Pick a piece, or another way to act.")
BLADE = Text("Which blade?")


def menu(position: Position, picks: tuple[Pick, ...]) -> Menu:
    """What may be picked next: all that can be described, in the board's order."""
    if position.pending is not None:
        return settling(position, position.pending.what, picks)
    draft = _Draft(position)
    found: Menu | tuple[Pick, ...] = picks
    while not isinstance(found, Menu):
        found = draft.word(found)
    return found


def intending(offered: Menu, picks: tuple[Pick, ...]) -> Menu:
    """Of a menu what leads to an intention; its text is such a turn.

    An intention may name anything at all, so nobody lists them, and one is as tenable as another.
    """
    if INTEND.key not in picks:
        return replace(offered.only({MORE.key, INTEND.key}, False), text=f"{offered.text} {ANY}")
    before, named = offered.text.partition("!")[0], len(picks) - picks.index(INTEND.key) - 1
    if named in (HALF, 2 * HALF + 1):
        return offered.only({FOLLOWED.key} if named == HALF else set(), True)
    return replace(offered.only(set(offered.offered), False), text=f"{before} {ANY}")


class _Draft:
    """The words picked so far, and how the board looks with them."""

    def __init__(self, position: Position):
        self.position = position
        self.board = WorkingBoard(position)
        self.words: list[str] = []
        self.shifts: list[Shift] = []
        self.point = position.point
        self.stands = _own(self.board, position.to)
        """Where the own pieces stand, as far as the picks have moved them."""
        self.above: dict[Site, str] = {}
        """Where a Self has come to a square that its partner is still to leave."""

    # --- a word of a turn ---------------------------------------------------------------------------------

    def word(self, picks: tuple[Pick, ...]) -> Menu | tuple[Pick, ...]:
        """The menu that these picks end in; or, where they make a word, those behind it."""
        if not picks:
            return self._next()
        first, rest = picks[0], picks[1:]
        if first in self.stands:
            return self._piece(first, self.stands[first], rest)
        if first == self._waiting():
            return self._enter(rest)
        if first[0] == "*":
            return self._place(first[1:], rest)
        if first == FREELY.key:
            return self._adjust(rest)
        if first == MORE.key:
            return self._other(rest)
        return self._said(NOTHING if first == PASS.key else first, rest)

    def _next(self) -> Menu:
        text = " ".join(self.words)
        if NOTHING in self.words:
            return self._menu(Text("The turn is composed."), complete=self._reads())
        if self.above:
            prompt = Text("The partner has to go elsewhere.")
            return self._menu(prompt, tuple(site for site in SQUARES if site in self.above))
        sites = [site for site in (*SQUARES, *POINTS) if site in self.stands or site == self._waiting()]
        if self.words:  # who moved may be gone: what can no longer be written is not offered
            sites = [site for site in sites if self._goes_on(site)]
        held = self._reserve()
        first = not self.words or all(word in _OPENING for word in self.words)
        retreat = (RETREAT,) if self._reads(RETREAT.key) else ()
        choices = (*held, *((PASS,) if first else ()), *retreat, FREELY, MORE)
        return Menu(NEXT, tuple(sites), choices, text, bool(text) and self._reads(), tuple(self.shifts))

    def _goes_on(self, site: Site) -> bool:
        letter = self.stands.get(site, "a")
        origin = f"{site}-" if site in self.stands else ""
        return any(self._reads(f"{letter}{origin}{target}") for target in SQUARES if target != site)

    def _reserve(self) -> tuple[Choice, ...]:
        side = self.position.to
        letters = {*self.board.reserve[side], *(word[1] for word in self.words if word[0] == "*")}
        if self.position.shima:
            letters |= {"D"} & set(self.board.discard[side])
        return tuple(
            Choice(f"*{letter}", NAMES[letter], letter, SIDES[side])
            for letter in TRAY
            if letter in letters and any(self._reads(f"{letter}*{site}") for site in SQUARES)
        )

    def _piece(self, origin: Site, letter: str, picks: tuple[Pick, ...]) -> Menu | tuple[Pick, ...]:
        """A piece goes somewhere, plainly or in a way of its own."""
        name, kind = NAMES[letter], PIECE[letter]
        if not picks:
            ways = (SPECIAL, TAKE, STRIKE, WITHDRAW)
            blades = (SEVER,) if kind in BLADES else ()
            throws = (THROW, ASK) if kind == D else ()
            prompt = Text("Where does the {piece} on {place} go?", piece=name, place=origin)
            return self._targets(prompt, origin, f"{letter}{origin}-", "", (*ways, *blades, *throws))
        first, rest = picks[0], picks[1:]
        if first == WITHDRAW.key:
            del self.stands[origin]
            return self._said(f"*{letter}{origin}", rest, Shift(origin))
        if first == SEVER.key:
            return self._said(f"{letter}tC~", rest, Shift(origin))
        if first in WAYS:
            before, behind = WAYS[first]
            if not rest:
                prompt = Text("Which square is it for the {piece} on {place}?", piece=name, place=origin)
                return self._targets(prompt, origin, f"{letter}{origin}-{before}", behind)
            target, rest = rest[0], rest[1:]
            said = f"{letter}{origin}-{before}{target}{behind}"
            self._go(origin, target)
            if first == TAKE.key:
                return self._said(said, rest, self._moved(origin, target, letter))
            return self._said(said, rest, Shift(origin), Shift(target))
        self._go(origin, first)
        return self._said(f"{letter}{origin}-{first}", rest, self._moved(origin, first, letter))

    def _go(self, origin: Site, target: Site) -> None:
        """Who goes where, for the picks that follow: a Self that comes to its partner's square waits for it to go."""
        letter = self.stands.pop(origin)
        if origin in self.above:
            self.stands[origin] = self.above.pop(origin)
        if letter == "S" and self.stands.get(target, "") in _PARTNERS:
            self.above[target] = letter
        else:
            self.stands[target] = letter

    def _moved(self, origin: Site, target: Site, letter: str) -> Shift:
        at, side = NUMBER[origin], SIDES[self.position.to]
        if letter == "C" and self.board.pinned(at):
            blade = KINDS[self.board.cells[at] & 15]
            left = Figure(origin, SIDES[1 - self.position.to], blade, NAMES[blade])
            return Shift(origin, target, Figure(target, side, "C", NAMES["C"]), left)
        return Shift(origin, target)

    def _waiting(self) -> Site:
        """Where the free engagement waits, as far as the picks have moved it; "" if it is elsewhere."""
        return POINTS[self.point] if self.point >= 0 else ""

    def _enter(self, picks: tuple[Pick, ...]) -> Menu | tuple[Pick, ...]:
        point = self._waiting()
        if not picks:
            return self._targets(Text("Where does the free engagement come into play?"), point, "a", "")
        self.stands[picks[0]], self.point = "a", -1
        return self._said(f"a{picks[0]}", picks[1:], Shift(point, picks[0]))

    def _place(self, letter: str, picks: tuple[Pick, ...]) -> Menu | tuple[Pick, ...]:
        if not picks:
            prompt = Text("Where is the {piece} placed?", piece=NAMES[letter])
            return self._targets(prompt, "", f"{letter}*", "")
        target, rest = picks[0], picks[1:]
        self.stands[target] = letter
        figure = Figure(target, SIDES[self.position.to], letter, NAMES[letter])
        return self._said(f"{letter}*{target}", rest, Shift(target=target, figure=figure))

    def _adjust(self, picks: tuple[Pick, ...]) -> Menu | tuple[Pick, ...]:
        if not picks:
            return self._menu(Text("How does the free engagement go?"), choices=ADJUSTMENTS)
        way, rest = picks[0], picks[1:]
        here = self._waiting()
        if way in META and self.point >= 0 and (there := meta(self.point, way)) >= 0:
            self.point = there
            return self._said(way, rest, Shift(here, POINTS[there]))
        return self._said(way, rest)

    # --- the rarer ways to act ------------------------------------------------------------------------------

    def _other(self, picks: tuple[Pick, ...]) -> Menu | tuple[Pick, ...]:
        if not picks:
            traps = () if self.words else (TRAP,)
            exact = (choice for choice in (STANCE, RESET, GLARE, CONTROL) if self._reads(choice.key))
            devices = [INTEND]
            if self._castable():
                devices.append(CAST)
            if self._of(B) and self._blades():
                devices.append(SHIFT)
            if self._of(C) and self._of(S):
                devices.append(FEIGN)
            return self._menu(Text("What else is done?"), choices=(*exact, *devices, *traps))
        first, rest = picks[0], picks[1:]
        if first == CAST.key:
            return self._cast(rest)
        if first in (SHIFT.key, FEIGN.key):
            return self._swap(first, rest)
        if first == INTEND.key:
            return self._intend(rest)
        if first == TRAP.key:
            self._spring()
        return self._said(first, rest)

    def _spring(self) -> None:
        if self.position.sprung is not None:
            self.board = sprung(self.position)
            self.stands = _own(self.board, self.position.to)

    def _castable(self) -> tuple[Choice, ...]:
        side = self.position.to
        held = self.board.reserve[side]
        return tuple(
            Choice(letter, NAMES[letter], letter, SIDES[side])
            for letter in "LCD"
            if letter in held or self.board.find(side, KIND[letter]) >= 0
        )

    def _cast(self, picks: tuple[Pick, ...]) -> Menu | tuple[Pick, ...]:
        if not picks:
            return self._menu(Text("Which piece is cast?"), choices=self._castable())
        letter, rest = picks[0], picks[1:]
        if not rest:
            prompt = Text("Where is the {piece} aimed?", piece=NAMES[letter])
            return self._menu(prompt, SQUARES, (UNAIMED,))
        target, rest = rest[0], rest[1:]
        if target == UNAIMED.key:
            return self._said(f"~{letter}", rest)
        return self._said(f"~{letter}:{target}", rest, Shift(target))

    def _of(self, kind: int) -> tuple[Site, ...]:
        return tuple(SQUARES[at] for at in self.board.places(self.position.to, kind))

    def _blades(self) -> tuple[Site, ...]:
        return tuple(site for kind in sorted(BLADES) for site in self._of(kind))

    def _swap(self, device: Pick, picks: tuple[Pick, ...]) -> Menu | tuple[Pick, ...]:
        letter = "B" if device == SHIFT.key else "C"
        if not picks:
            prompt = Text("Which {piece} trades places?", piece=NAMES[letter])
            return self._menu(prompt, self._of(KIND[letter]))
        origin, rest = picks[0], picks[1:]
        if not rest:
            others = self._blades() if letter == "B" else self._of(S)
            prompt = Text("With which piece does the {piece} on {place} trade?", piece=NAMES[letter], place=origin)
            return self._menu(prompt, others, shifts=(Shift(origin),))
        target, rest = rest[0], rest[1:]
        other, side = self.stands.get(target, "S"), SIDES[self.position.to]
        there = Figure(target, side, letter, NAMES[letter])
        back = Shift(target, origin, Figure(origin, side, other, NAMES[other]), there)
        return self._said(f"{letter}{target}~{other}{origin}", rest, Shift(origin, target, there), back)

    def _intend(self, picks: tuple[Pick, ...], before: str = "!") -> Menu | tuple[Pick, ...]:
        if not picks:
            letters = tuple(Choice(letter, NAMES[letter], letter) for letter in INTENDED)
            return self._menu(Text("Which piece is to attack?"), choices=letters)
        letter, *rest = picks
        if not rest:
            return self._menu(Text("Which square is the {piece} to attack?", piece=NAMES[letter]), SQUARES)
        target, *rest = rest
        if not rest:
            prompt = Text("What does the {piece} do on {place}?", piece=NAMES[letter], place=target)
            return self._menu(prompt, choices=EFFECTS)
        effect, *rest = rest
        said = f"{before}{letter}{'' if effect == 'go' else effect}{target}"
        if before == "!" and rest[:1] == [FOLLOWED.key]:
            self.words.append(said)
            return self._intend(tuple(rest[1:]), "")
        self.words.append(said)
        if before == "!" and (letter == "S" or effect == "go") and not rest:  # a further move would be its other half
            return self._menu(Text("The intention is composed."), choices=(FOLLOWED,), complete=self._reads())
        return tuple(rest)

    # --- menus ------------------------------------------------------------------------------------------------

    def _said(self, word: str, rest: tuple[Pick, ...], *shifts: Shift) -> tuple[Pick, ...]:
        self.words.append(word)
        self.shifts += shifts
        return rest

    def _reads(self, *words: str) -> bool:
        try:
            read(" ".join((*self.words, *words)), self.position)
        except NotationError:
            return False
        return True

    def _targets(self, prompt: Text, origin: Site, before: str, behind: str, ways: tuple[Choice, ...] = ()) -> Menu:
        """Every square for which a word can be read, and the ways that can be at all."""
        sites = tuple(site for site in SQUARES if site != origin and self._takes(before, site, behind))
        ways = tuple(way for way in ways if self._can(way, before, origin))
        held = (Shift(origin),) if origin else ()
        return self._menu(prompt, sites, ways, text=" ".join((*self.words, before)), shifts=held)

    def _takes(self, before: str, site: Site, behind: str) -> bool:
        """Whether a square fits into a word, if need be with a partner that leaves it in concert."""
        word = f"{before}{site}{behind}"
        partner = self.stands.get(site, "") if before[0] == "S" and before[-1] == "-" else ""
        return self._reads(word) or (
            partner in _PARTNERS and any(self._reads(word, f"{partner}{site}-{to}") for to in SQUARES if to != site)
        )

    def _can(self, way: Choice, before: str, origin: Site) -> bool:
        letter = before[0]
        if way == WITHDRAW:
            return self._reads(f"*{letter}{origin}")
        if way == SEVER:
            return self._reads(f"{letter}tC~")
        start, end = WAYS[way.key]
        return any(self._reads(f"{before}{start}{site}{end}") for site in SQUARES if site != origin)

    def _menu(  # noqa: PLR0917
        self,
        prompt: Text,
        sites: tuple[Site, ...] = (),
        choices: tuple[Choice, ...] = (),
        text: str = "",
        complete: bool = False,
        shifts: tuple[Shift, ...] = (),
    ) -> Menu:
        return Menu(prompt, sites, choices, text or " ".join(self.words), complete, (*self.shifts, *shifts))


_PARTNERS: Final = frozenset("$DGL")
_OPENING: Final = frozenset({*META, "a=", TRAP.key})
"""Words behind which a pass may still follow."""
INTENDED: Final = "S$eaCBDGLJR"
HALF: Final = 3
"""Picks of half an intention: a piece, a square, and what is done there."""
ANY: Final = "!$tW3"
"""An intention."""


def _own(board: WorkingBoard, side: int) -> dict[Site, str]:
    """Where a side's pieces stand, the free engagement among them, and a Self that was touched."""
    dying = board.position.dying
    dead = {SQUARES[dying[1]]: KINDS[S]} if dying is not None and dying[0] == side else {}
    free = {SQUARES[board.free]: "a"} if board.free >= 0 else {}
    held = {SQUARES[at]: "C" for at in board.capturing(side)}
    men = {SQUARES[at]: KINDS[board.cells[at] & 15] for at in squares(board.men(side)) if board.cells[at] & 15 != N}
    return {**dead, **free, **held, **men}
