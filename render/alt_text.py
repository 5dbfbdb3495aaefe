"""The alt text: all that a picture shows, in sentences, from the same diagram as the picture."""

from collections.abc import Callable, Iterable, Iterator, Mapping
from functools import lru_cache
from typing import TypeAlias

from engine.board import Board, Side, Site
from engine.diagram import Diagram, Figure, Link, MarkKind, Throw, Tray
from engine.text import Listing, Phrase, Term, Text, Value
from render.taken import show_taken

OVER = Text("The game is over.")

MARKED: Mapping[MarkKind, Callable[[Listing], Text]] = {
    "moved": lambda places: Text("Last move: {places}.", places=places),
    "culprit": lambda places: Text("At fault: {places}.", places=places),
    "blocker": lambda places: Text("In the way: {places}.", places=places),
    "reach": lambda places: Text("Within reach: {places}.", places=places),
    "zone": lambda places: Text("Zone: {places}.", places=places),
    "taken": lambda places: Text("Taken: {places}.", places=places),
    "won": lambda places: Text("The game is won on {places}.", places=places),
}

REGION = 6
"""A zone of at least so many places is told by its name."""

FACES = {"W": Term("white"), "B": Term("black")}
"""The sides of a stick."""


Kind: TypeAlias = tuple[Term, str, Term, str, Side]
"""What pieces have in common that are told together: name, token, what is below, the piece on top and its side."""


def describe(diagram: Diagram) -> tuple[Text, ...]:
    """Returns all that the picture shows, a sentence each."""
    return tuple(_sentences(show_taken(diagram)))


def to_act(diagram: Diagram) -> Text:
    """Returns whose turn it is."""
    if diagram.to_act is None:
        return OVER
    return Text("{side} to move.", side=diagram.names[diagram.to_act])


def _sentences(diagram: Diagram) -> Iterator[Text]:
    yield Text("{game}.", game=diagram.title)
    yield to_act(diagram)
    armies = _armies(diagram.figures)
    names = diagram.names
    for side in (*names, *sorted(armies.keys() - names.keys())):
        army = armies.get(side, {})
        pieces = [(kind, tuple(at), names.get(kind[4])) for kind, at in army.items()]
        yield _army(names.get(side), tuple(pieces))
        for tray in diagram.trays:
            if tray.side == side:
                yield tray_text(names.get(side, side), tray)
    for figure in diagram.figures:
        if figure.ghost:
            yield _ghost(diagram, figure)
    for link in diagram.links:
        if link.name or link.style == "arrow":
            yield _link(diagram, link)
    for throw in diagram.throws:
        yield _throw(throw)
    yield from _marks(diagram)
    yield from diagram.notes


def _armies(figures: Iterable[Figure]) -> dict[Side, dict[Kind, list[Site]]]:
    """The places of each side's pieces, by kind."""
    armies: dict[Side, dict[Kind, list[Site]]] = {}
    for site, side, letter, name, _, below, token, ghost, badge, badge_side in figures:
        if not ghost:
            kind = (name, token if token not in name and token != letter else "", below, badge, badge_side)
            armies.setdefault(side, {}).setdefault(kind, []).append(site)
    return armies


# Most pieces stand where they stood before the turn, often all of a side.
@lru_cache(maxsize=1024)
def _army(side: Term | None, army: tuple[tuple[Kind, tuple[Site, ...], Term | None], ...]) -> Text:
    """A side's pieces, those of one kind together: "White: Arm on a5 and c7, Flat on e5." """
    pieces = Listing(tuple([_placed(*kind) for kind in army]), "unit")
    if side is None:
        return Text("Nobody's: {pieces}.", pieces=pieces)
    if not army:
        return Text("{side} has no pieces on the board.", side=side)
    return Text("{side}: {pieces}.", side=side, pieces=pieces)


@lru_cache(maxsize=4096)
def _placed(kind: Kind, sites: tuple[Site, ...], owner: Term | None) -> Phrase:
    """A kind's pieces with their places; `owner` is whose piece is on top."""
    name, token, below, badge, _ = kind
    piece: Value = Phrase("{piece} {token}", piece=name, token=token) if token else name
    places: Value = Listing(sites) if len(sites) > 1 else sites[0]
    if not badge:
        if not below:
            return Phrase("{piece} on {places}", piece=piece, places=places)
        return Phrase("{piece} on {places} {below}", piece=piece, places=places, below=below)
    top: Value = Term(badge)
    if owner:
        top = Phrase("{side} {piece}", side=owner, piece=top)
    if not below:
        return Phrase("{piece} on {places} with {top} on top", piece=piece, places=places, top=top)
    return Phrase("{piece} on {places} {below} with {top} on top", piece=piece, places=places, below=below, top=top)


@lru_cache(maxsize=1024)
def tray_text(side: Value, tray: Tray) -> Text:
    if not tray.pieces:
        return Text("{side}, {tray}: nothing.", side=side, tray=tray.label)
    pieces = [
        Phrase("{count} {piece}", count=count, piece=name) if count != 1 else name for _, name, count in tray.pieces
    ]
    return Text("{side}, {tray}: {pieces}.", side=side, tray=tray.label, pieces=Listing(tuple(pieces), "unit"))


def _ghost(diagram: Diagram, figure: Figure) -> Text:
    if side := diagram.names.get(figure.side):
        return Text("{side} {piece} was on {place}.", side=side, piece=figure.name, place=figure.site)
    return Text("Nobody's {piece} was on {place}.", piece=figure.name, place=figure.site)


def _link(diagram: Diagram, link: Link) -> Text:
    start, end, name = link.start, link.end, link.name
    match diagram.names.get(link.side), name:
        case None, "":
            return Text("Arrow from {start} to {end}.", start=start, end=end)
        case side, "":
            return Text("{side} arrow from {start} to {end}.", side=side, start=start, end=end)
        case None, _:
            return Text("From {start} to {end}: {link}.", start=start, end=end, link=name)
        case side, _:
            return Text("{side} {link} from {start} to {end}.", side=side, link=name, start=start, end=end)


def _throw(throw: Throw) -> Text:
    faces, label = Listing(tuple([FACES.get(face, face) for face in throw.faces]), "unit"), throw.label
    match throw.kind, len(throw.faces) == 1, bool(label):
        case "sticks", _, True:
            return Text("Sticks ({label}): {faces}.", label=label, faces=faces)
        case "sticks", _, False:
            return Text("Sticks: {faces}.", faces=faces)
        case _, True, True:
            return Text("Die ({label}): {faces}.", label=label, faces=faces)
        case _, True, False:
            return Text("Die: {faces}.", faces=faces)
        case _, False, True:
            return Text("Dice ({label}): {faces}.", label=label, faces=faces)
        case _:
            return Text("Dice: {faces}.", faces=faces)


def _marks(diagram: Diagram) -> Iterator[Text]:
    kinds: dict[MarkKind, dict[Site, None]] = {}
    ghosts = {figure.site for figure in diagram.figures if figure.ghost}
    for mark in diagram.marks:
        if mark.kind == "taken" and ghosts.issuperset(mark.sites):
            continue  # said of the ghost
        kinds.setdefault(mark.kind, {}).update(dict.fromkeys(mark.sites))
    for kind, sites in kinds.items():
        yield MARKED[kind](Listing(tuple(_places(sites, diagram.board)), "unit"))


def _places(sites: Iterable[Site], board: Board) -> list[str]:
    """Places one by one, but a whole region of the board by its name."""
    left = list(sites)
    names: list[str] = []
    for name, zone in sorted(board.zones.items(), key=lambda known: -len(known[1])):
        if len(zone) >= REGION and zone <= set(left):
            names.append(Term(name))
            left = [site for site in left if site not in zone]
    return names + left
