"""A turn composed of picks: a place, a piece in a tray or a choice at a time, instead of typed notation."""

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Iterator, Set
from dataclasses import dataclass, replace
from typing import Final, Generic, TypeAlias, TypeVar

from engine.board import Side, Site
from engine.diagram import Diagram, Figure, Mark
from engine.text import Term, Text

P = TypeVar("P")
T = TypeVar("T")

Pick: TypeAlias = str
"""A place by its name, or the key of a choice."""
Ways: TypeAlias = Set[tuple[Pick, ...]]
"""The picks of each tenable turn."""


@dataclass(frozen=True, slots=True)
class Choice:
    """Something to pick that is no place: a piece in a tray, a way to act."""

    key: Pick
    name: Term
    kind: str = ""
    """Of a piece: its letter, a key of `Diagram.glyphs`."""
    side: Side = ""
    """Whose piece it is; "" = the acting side's."""
    gathers: bool = False
    """Whether it leads to further choices alone, which can as well stand in its place."""


PASS = Choice("pass", Term("Pass"))


@dataclass(frozen=True, slots=True)
class Shift:
    """What the picks have done with one piece so far."""

    origin: Site = ""
    """"" = it comes from a tray."""
    target: Site = ""
    """"" = it is held, or leaves the board."""
    figure: Figure | None = None
    """What then stands on the target, where it is not simply what stood on the origin."""
    left: Figure | None = None
    """What stays on the origin: the Flat beneath, the blade below a Cloak."""


@dataclass(frozen=True, slots=True)
class Menu:
    """What may be picked next, and what the picks so far describe."""

    prompt: Text
    """What is to be picked; one sentence."""
    sites: tuple[Site, ...] = ()
    """In the board's order, so that the order tells nothing."""
    choices: tuple[Choice, ...] = ()
    text: str = ""
    """The notation so far."""
    complete: bool = False
    """Whether `text` is a turn that can be played as it stands."""
    shifts: tuple[Shift, ...] = ()

    @property
    def offered(self) -> tuple[Pick, ...]:
        """All that may be picked."""
        return (*self.sites, *(choice.key for choice in self.choices))

    def only(self, picks: Set[Pick], complete: bool) -> "Menu":
        """The same menu with nothing else on offer; `complete`: whether its turn, if it is one, may be played."""
        choices = tuple(choice for choice in self.choices if choice.key in picks)
        sites = tuple(site for site in self.sites if site in picks)
        return replace(self, sites=sites, choices=choices, complete=self.complete and complete)


@dataclass(frozen=True, slots=True)
class Composed:
    """A turn as far as it has been picked."""

    picks: tuple[Pick, ...]
    """Those that fit; fewer than were given where one was not on offer."""
    menu: Menu
    preview: Diagram
    """What the viewer sees, with the picked pieces moved and nothing else done."""


class Composing(ABC, Generic[P, T]):
    """The part of a game by which turns are picked.

    Everything that `read` would accept may be offered, whether it is tenable or not: neither `menu` nor `compose` may
    ask `judge`, `tenable`, `turns`, `candidates` or `play`. Only for a referee who refuses untenable turns at once,
    `ways` does, and whoever has them is offered what leads on.
    """

    def menu(self, position: P, picks: tuple[Pick, ...]) -> Menu:
        """What may be picked after these picks, each of which was on offer; without a menu turns are typed."""
        return TYPED

    def picks(self, turn: T, position: P) -> tuple[Pick, ...]:
        """The picks that make up a turn: the way back from notation; () where it can only be typed."""
        return ()

    def compose(self, position: P, picks: Iterable[Pick], viewer: Side | None, ways: Ways | None = None) -> Composed:
        """A turn of the side to act as far as it has been picked, as one side sees it; with `ways` a tenable one."""
        fitting, menu = _followed(lambda taken: self.offer(position, taken, ways), picks)
        return Composed(fitting, menu, previewed(self.draw(position, viewer), menu.shifts))

    def offer(self, position: P, picks: tuple[Pick, ...], ways: Ways | None) -> Menu:
        """The menu after these picks; with `ways` only what leads to a tenable turn, which alone is complete."""
        menu = self.menu(position, picks)
        return menu if ways is None else self.leading(menu, position, picks, ways)

    def leading(self, menu: Menu, position: P, picks: tuple[Pick, ...], ways: Ways) -> Menu:
        """Of a menu what leads to a tenable turn; a game that does not list all of them adds to it."""
        onward = {way[len(picks)] for way in ways if len(way) > len(picks) and way[: len(picks)] == picks}
        return menu.only(onward, picks in ways)

    def ways(self, position: P) -> Ways:
        """The picks of each tenable turn that is listed."""
        return frozenset(self.picks(turn, position) for turn in self.turns(position))

    def answer_menu(self, position: P, side: Side, key: str, picks: tuple[Pick, ...]) -> Menu:
        """What may be picked next of what a side is asked in private, by the key of that `Ask`."""
        return TYPED

    def compose_answer(self, position: P, side: Side, key: str, picks: Iterable[Pick]) -> Composed:
        """A private answer as far as it has been picked, as its side sees it."""
        fitting, menu = _followed(lambda taken: self.answer_menu(position, side, key, taken), picks)
        return Composed(fitting, menu, previewed(self.draw(position, side), menu.shifts))

    def going_on(self, position: P, typed: str, ways: Ways | None = None) -> Iterator[tuple[str, Pick]]:
        """The texts by which what was typed goes on, a pick at a time, and that pick: pieces first, then places.

        All that can be described, tenable or not, up to a first whole turn; with `ways` only what leads to a tenable
        one.
        """
        standing = self.draw(position, None).standing

        def begins(picks: tuple[Pick, ...]) -> bool:
            return picks[-1] in standing and not self.menu(position, picks[:-1]).text

        found = self._going_on(position, typed.lower(), ways, (), SILENT)
        yield from ((text, picks[-1]) for text, picks in sorted(found, key=lambda one: not begins(one[1])))

    def _going_on(
        self, position: P, begun: str, ways: Ways | None, picks: tuple[Pick, ...], silent: int
    ) -> Iterator[tuple[str, tuple[Pick, ...]]]:
        menu = self.offer(position, picks, ways)
        for pick in menu.offered:
            further = (*picks, pick)
            after = self.menu(position, further)
            text = after.text.lower()
            if after.complete:  # what could be added to a whole turn is not looked for: that takes long
                if text.startswith(begun) or begun == menu.text.lower():
                    yield after.text, further
            elif text == menu.text.lower():
                if silent:
                    yield from self._going_on(position, begun, ways, further, silent - 1)
            elif begun.startswith(text):
                yield from self._going_on(position, begun, ways, further, SILENT)
            elif text.startswith(begun):
                yield after.text, further

    @abstractmethod
    def turns(self, position: P) -> Iterator[T]:
        """The tenable turns."""

    @abstractmethod
    def draw(self, position: P, viewer: Side | None) -> Diagram:
        """What one side (None = the public) may see, with that side at the bottom."""


TYPED = Menu(Text("This turn is typed."))
SILENT: Final = 2
"""Picks in a row that are followed though they write nothing yet."""


def _followed(menu_of: Callable[[tuple[Pick, ...]], Menu], picks: Iterable[Pick]) -> tuple[tuple[Pick, ...], Menu]:
    """The picks that fit, and the menu that they lead to."""
    fitting: tuple[Pick, ...] = ()
    menu = menu_of(fitting)
    for pick in picks:
        if pick not in menu.offered:
            break
        fitting = (*fitting, pick)
        menu = menu_of(fitting)
    return fitting, menu


def previewed(diagram: Diagram, shifts: tuple[Shift, ...]) -> Diagram:
    """The same picture with pieces put elsewhere: each leaves a ghost, and covers what it comes to."""
    figures = diagram.figures
    for number, shift in enumerate(shifts):
        if shift.target:
            figures = (*_shifted(figures, shift, {later.origin for later in shifts[number + 1 :]}),)
    touched = dict.fromkeys(site for shift in shifts for site in (shift.origin, shift.target) if site)
    left = tuple(shift.origin for shift in shifts if shift.left)
    marks = (Mark("moved", tuple(touched), left=left),) if touched else ()
    return replace(diagram, figures=figures, marks=diagram.marks + marks) if shifts else diagram


def _shifted(figures: tuple[Figure, ...], shift: Shift, leaving: Set[Site]) -> Iterator[Figure]:
    """One piece put elsewhere; `leaving` are places that pieces have still to leave: one's own there is not covered."""
    standing = [figure for figure in figures if figure.site == shift.origin and not figure.ghost]
    moving = standing[0] if standing else None
    arriving = shift.figure or moving
    side = arriving.side if arriving is not None and shift.target in leaving else None
    for figure in figures:
        if figure is moving:
            if shift.left or len(standing) == 1:  # else another has come already
                yield shift.left or figure._replace(ghost=True, under=(), below=Term(""), badge="", badge_side="")
        elif figure.site != shift.target or figure.ghost or figure.side == side:
            yield figure
    if arriving is not None:
        yield arriving._replace(site=shift.target)
