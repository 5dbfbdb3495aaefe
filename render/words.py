"""The position in words, from the same diagram as the picture: what the alt text says and a screen reader reads."""

from collections.abc import Iterable
from dataclasses import replace
from typing import TypeAlias

from engine.board import Board, Side, Site
from engine.diagram import Diagram, Figure, Link, MarkKind, Throw, Tray

MARKED: dict[MarkKind, str] = {
    "moved": "Last move",
    "culprit": "At fault",
    "blocker": "In the way",
    "reach": "Within reach",
    "zone": "Zone",
    "taken": "Taken",
}

REGION = 6
"""Places from which on a region is told by its name."""

FACES = {"W": "white", "B": "black"}
"""The sides of a stick."""

ParsedCommand: TypeAlias = tuple[str, str]
"""A piece as it is called, and what is added after its place."""


def describe(diagram: Diagram) -> str:
    """All that the picture shows, in sentences."""
    diagram = settled(diagram)
    parts = [diagram.title, _to_act(diagram)]
    nobody = {figure.side for figure in diagram.figures} - set(diagram.names)
    for side in (*diagram.names, *sorted(nobody)):
        parts.append(_army(diagram, side))
        parts += [_tray(diagram, tray) for tray in diagram.trays if tray.side == side]
    parts += [_gone(diagram, figure) for figure in diagram.figures if figure.ghost]
    parts += [_link(diagram, link) for link in diagram.links if link.name or link.style == "arrow"]
    parts += [_throw(throw) for throw in diagram.throws]
    parts += _marks(diagram)
    parts += map(str, diagram.notes)
    return " ".join(_sentence(part) for part in parts if part)


def settled(diagram: Diagram) -> Diagram:
    """The same diagram with what was taken turned into ghosts and arrows."""
    if any(mark.kind == "taken" for mark in diagram.marks):
        return replace(diagram, marks=()).marked(diagram.marks)
    return diagram


def _to_act(diagram: Diagram) -> str:
    if diagram.to_act is None:
        return "The game is over"
    return f"{diagram.names.get(diagram.to_act, diagram.to_act)} to move"


def _army(diagram: Diagram, side: Side) -> str:
    """A side's pieces, those of one name together: "White: Arm on a5 and c7, Flat on e5"."""
    groups: dict[ParsedCommand, list[str]] = {}
    for figure in diagram.figures:
        if figure.side == side and not figure.ghost:
            groups.setdefault(_said(diagram, figure), []).append(figure.site)
    who = diagram.names.get(side, "Nobody's")
    if not groups:
        return f"{who}: no pieces on the board" if side in diagram.names else ""
    return f"{who}: " + ", ".join(
        f"{name} on {_list(sites)}{' ' + added if added else ''}" for (name, added), sites in groups.items()
    )


def _said(diagram: Diagram, figure: Figure) -> ParsedCommand:
    name = f"{figure.name} {figure.token}" if figure.token and figure.token not in figure.name else figure.name
    added = [figure.below] if figure.below else []
    if figure.badge:
        owner = diagram.names.get(figure.badge_side, "")
        added.append(f"with {owner + ' ' if owner else ''}{figure.badge} on top")
    return name, " ".join(added)


def _tray(diagram: Diagram, tray: Tray) -> str:
    pieces = ", ".join(f"{count} {name}" if count != 1 else name for _, name, count in tray.pieces)
    return f"{diagram.names.get(tray.side, tray.side)}, {tray.label}: {pieces or 'nothing'}"


def _gone(diagram: Diagram, figure: Figure) -> str:
    return f"{diagram.names.get(figure.side, '')} {figure.name} was on {figure.site}".strip()


def _link(diagram: Diagram, link: Link) -> str:
    who = diagram.names.get(link.side, "")
    return f"{who + ' ' if who else ''}{link.name or link.style} from {link.start} to {link.end}"


def _throw(throw: Throw) -> str:
    what = "Sticks" if throw.kind == "sticks" else "Die" if len(throw.faces) == 1 else "Dice"
    return f"{throw.label or what}: {', '.join(FACES.get(face, face) for face in throw.faces)}"


def _marks(diagram: Diagram) -> list[str]:
    kinds: dict[MarkKind, dict[Site, None]] = {}
    for mark in diagram.marks:
        kinds.setdefault(mark.kind, {}).update(dict.fromkeys(mark.sites))
    return [f"{MARKED[kind]}: {', '.join(_named(sites, diagram.board))}" for kind, sites in kinds.items()]


def _named(sites: Iterable[Site], board: Board) -> list[str]:
    """Places one by one, but a whole region of the board by its name."""
    left = list(sites)
    names = []
    for name, zone in sorted(board.zones.items(), key=lambda known: -len(known[1])):
        if len(zone) >= REGION and zone <= set(left):
            names.append(name)
            left = [site for site in left if site not in zone]
    return names + left


def _list(sites: list[str]) -> str:
    return sites[0] if len(sites) == 1 else f"{', '.join(sites[:-1])} and {sites[-1]}"


def _sentence(text: str) -> str:
    text = text[0].upper() + text[1:]
    return text if text[-1] in ".!?" else text + "."
