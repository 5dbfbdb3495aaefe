"""What may be picked next, as menus of at most 25 entries: places by zones of the board, in its order."""

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from itertools import groupby
from typing import Final

from bot.adapters.discord import limits
from engine.board import Side, Site
from engine.composition import Choice, Menu, Pick
from engine.diagram import Diagram
from engine.text import Term, Text

MOST_MENUS: Final = 5
"""Menus of places on one screen; more than that are opened zone by zone."""
MOST_BUTTONS: Final = 5
"""Choices that are buttons; more than that are a menu."""


@dataclass(frozen=True, slots=True)
class Entry:
    """One entry of a menu."""

    value: str
    """A pick; or two, of which the first only gathers others."""
    label: Text | Term


@dataclass(frozen=True, slots=True)
class Shelf:
    """One menu."""

    heading: Text
    entries: tuple[Entry, ...]
    opens_zone: bool = False
    """Whether an entry is no pick, but a part of the board, by its number."""


@dataclass(frozen=True, slots=True)
class Offer:
    """All that may be picked next."""

    shelves: tuple[Shelf, ...] = ()
    buttons: tuple[Entry, ...] = ()
    part: tuple[Site, ...] = ()
    """The places of the part of the board that was opened, offered or not."""


def offer(menu: Menu, drawn: Diagram, viewer: Side | None, zone: int | None, after: Callable[[Pick], Menu]) -> Offer:
    """The menus for what may be picked next.

    `viewer` needs no telling which pieces are their own; `zone` is the part of the board that was opened; `after` tells
    what is offered after a choice: what gathers others is opened at once, two picks in one entry.
    """
    choices, zones = menu.choices, zones_of(menu.sites)
    part = zones[zone] if zone is not None and 0 <= zone < len(zones) else ()
    shelves = _places(zones, menu.prompt, _Sight(drawn, viewer), part)
    whole = tuple(site for site in drawn.board.outlines if part and _zone(site) == _zone(part[0]))
    entries = tuple(entry for choice in choices for entry in _opened(choice, after))
    if len(entries) <= MOST_BUTTONS:
        return Offer(shelves, entries, whole)
    heading = Text("Another way to act") if shelves else menu.prompt
    return Offer((*shelves, *_shelves(entries, heading)), part=whole)


def _opened(choice: Choice, after: Callable[[Pick], Menu]) -> Iterator[Entry]:
    if not choice.gathers:
        yield Entry(choice.key, choice.name)
        return
    for one in after(choice.key).choices:
        yield Entry(f"{choice.key} {one.key}", Text("{group}: {choice}", group=choice.name, choice=one.name))


def _places(
    zones: tuple[tuple[Site, ...], ...], prompt: Text, sight: "_Sight", part: tuple[Site, ...]
) -> tuple[Shelf, ...]:
    packed = _packed(zones)
    if len(packed) > MOST_MENUS:
        if not part:
            entries = tuple(Entry(str(number), _range(sites)) for number, sites in enumerate(zones))
            return tuple(
                Shelf(one.heading, one.entries, opens_zone=True)
                for one in _shelves(entries, Text("Which part of the board?"))
            )
        packed = _packed((part,))[:MOST_MENUS]
    return tuple(
        Shelf(
            prompt if len(packed) == 1 else _range(sites),
            tuple(Entry(site, sight.label(site)) for site in sites),
        )
        for sites in packed
    )


def zones_of(sites: Sequence[Site]) -> tuple[tuple[Site, ...], ...]:
    """Places by what their names begin with: lines, files, rows, sectors; each as it is met first."""
    order = {zone: number for number, zone in enumerate(dict.fromkeys(map(_zone, sites)))}
    named = sorted(sites, key=lambda site: order[_zone(site)])
    return tuple(tuple(part) for _, part in groupby(named, key=_zone))


def _zone(site: Site) -> str:
    found = re.match(r"\D*", site)
    return found[0] if found else ""


def _packed(zones: Sequence[tuple[Site, ...]]) -> tuple[tuple[Site, ...], ...]:
    """Neighbouring zones together as far as they fit into a menu; a larger zone in several."""
    parts: list[tuple[Site, ...]] = []
    for zone in zones:
        if parts and len(parts[-1]) + len(zone) <= limits.OPTIONS:
            parts[-1] += zone
            continue
        menus = -(-len(zone) // limits.OPTIONS)
        size = -(-len(zone) // menus)  # 51 places in three menus of 17
        parts += [zone[at : at + size] for at in range(0, len(zone), size)]
    return tuple(parts)


def _shelves(entries: tuple[Entry, ...], heading: Text) -> tuple[Shelf, ...]:
    size = limits.OPTIONS
    return tuple(Shelf(heading, entries[at : at + size]) for at in range(0, len(entries), size))


def _range(part: Sequence[Site]) -> Text:
    if len(part) == 1:
        return Text("{place}", place=part[0])
    return Text("{first} to {last}", first=part[0], last=part[-1])


class _Sight:
    """What the viewer sees on the places."""

    def __init__(self, drawn: Diagram, viewer: Side | None):
        self._names = {side: name for side, name in drawn.names.items() if side != viewer}
        self._figures = {figure.site: figure for figure in drawn.figures if not figure.ghost and figure.name}

    def label(self, site: Site) -> Text:
        """A place, and what stands on it."""
        figure = self._figures.get(site)
        if figure is None:
            return Text("{place}", place=site)
        if figure.side not in self._names:
            return Text("{place}: {piece}", place=site, piece=figure.name)
        return Text("{place}: {side}, {piece}", place=site, side=self._names[figure.side], piece=figure.name)
