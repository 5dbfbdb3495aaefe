"""The alt text: all that a picture shows, in sentences, from the same diagram as the picture."""

from collections import defaultdict
from collections.abc import Callable, Container, Iterable, Iterator
from functools import lru_cache
from typing import TypeAlias

from engine.board import Board, Point, Side, Site, Zone
from engine.diagram import NAMELESS, Diagram, Figure, Link, MarkKind, Throw
from engine.place_text import tray_text
from engine.text import Listing, Phrase, Term, Text, Value
from render.taken import show_taken

OVER = Text("The game is over.")

Marked: TypeAlias = dict[MarkKind, Callable[[Listing], Text]]

MARKED: Marked = {
    "moved": lambda places: Text("Last move: {places}.", places=places),
    "culprit": lambda places: Text("At fault: {places}.", places=places),
    "blocker": lambda places: Text("In the way: {places}.", places=places),
    "reach": lambda places: Text("Within reach: {places}.", places=places),
    "zone": lambda places: Text("Zone: {places}.", places=places),
    "taken": lambda places: Text("Taken: {places}.", places=places),
    "won": lambda places: Text("The game is won on {places}.", places=places),
}
PICKED: Marked = {"moved": lambda places: Text("Picked so far: {places}.", places=places)}

REGION = 6
"""A zone of at least so many places is told by its name alone."""
STRETCH = 4
"""So many neighbours in a row are told by the first and the last."""

NEAR = 1e-6

FACES = {"W": Term("white"), "B": Term("black")}
"""The sides of a stick."""


Kind: TypeAlias = tuple[Term, str, Term, str, Side]
"""What pieces that are told together share: name, token, what is below, the piece on top and its side."""


def describe(diagram: Diagram, *, preview: bool = False) -> tuple[Text, ...]:
    """Returns all that the picture shows, a sentence each; `preview`: what it marks as moved has only been picked."""
    return tuple(_sentences(show_taken(diagram), MARKED | PICKED if preview else MARKED))


def to_act(diagram: Diagram) -> Text:
    """Returns whose turn it is."""
    if diagram.to_act is None:
        return OVER
    if not diagram.to_act:
        return Text("Answers are awaited.")
    return Text("{side} to move.", side=diagram.names[diagram.to_act])


def _sentences(diagram: Diagram, marked: Marked) -> Iterator[Text]:
    yield Text("{game}.", game=diagram.title)
    yield to_act(diagram)
    armies = _armies(diagram)
    names = diagram.names
    for side in (*names, *sorted(armies.keys() - names.keys())):
        army = armies.get(side, {})
        pieces = [(kind, at, names.get(kind[4])) for kind, at in army.items()]
        yield _army(names.get(side), tuple(pieces))
        for tray in diagram.trays:
            if tray.side == side:
                yield tray_text(names.get(side, side), tray)
    yield from pointed_at(diagram, marked)
    yield from diagram.notes


def pointed_at(diagram: Diagram, marked: Marked = MARKED) -> Iterator[Text]:
    """What a picture shows besides pieces: what has gone, lines, throws and marks."""
    gone = {site for mark in diagram.marks if mark.kind == "taken" for site in mark.sites}
    ghosts = [figure for figure in diagram.figures if figure.ghost]
    for figure in ghosts:
        yield _gone(diagram, figure) if figure.site in gone else _ghost(diagram, figure)
    for link in diagram.links:
        if (link.name or link.style == "arrow") and not _attacks(link, gone):
            yield _link(diagram, link)
    for throw in diagram.throws:
        yield _throw(throw)
    yield from _marks(diagram, {ghost.site for ghost in ghosts}, marked)


def _armies(diagram: Diagram) -> dict[Side, dict[Kind, tuple[Value, ...]]]:
    """The places of each side's pieces, by kind."""
    armies: defaultdict[Side, defaultdict[Kind, list[Site]]] = defaultdict(lambda: defaultdict(list))
    for site, side, letter, name, _, below, token, ghost, badge, badge_side in diagram.figures:
        if not ghost:
            said = token if token and token not in name and token != letter else ""
            armies[side][name, said, below, badge, badge_side].append(site)
    board = diagram.board
    return {side: {kind: _stretches(tuple(at), board) for kind, at in army.items()} for side, army in armies.items()}


# A turn moves pieces of one kind, or two: all others stand where they stood.
@lru_cache(maxsize=1024)
def _stretches(sites: tuple[Site, ...], board: Board) -> tuple[Value, ...]:
    """Places in their order; neighbours in a row of the board as "a1 up to g1"."""
    if len(sites) < STRETCH:
        return sites
    told: list[Value] = []
    following, bends = _rows(board)
    left = dict.fromkeys(sites)
    for site in sites:
        if site not in left:
            continue
        row, after = [site], following.get(site)
        while after in left:
            row.append(after)
            after = None if after in bends else following.get(after)
        long = len(row) >= STRETCH
        told.append(Phrase("{first} up to {last}", first=row[0], last=row[-1]) if long else site)
        for one in row if long else (site,):
            del left[one]
    return tuple(told)


@lru_cache(maxsize=16)
def _rows(board: Board) -> tuple[dict[Site, Site], set[Site]]:
    """Returns for each place its neighbour in the same row that comes next in the alphabet; and the places at which a
    row leaves its line: A1 to D1 of a rosette go round, and are told one by one."""
    pairs = [(site, chr(ord(site[0]) + 1) + site[1:], beside) for site, beside in board.edges.items()]
    following = {site: after for site, after, beside in pairs if after in beside}
    rows = [(site, middle, following[middle]) for site, middle in following.items() if middle in following]
    return following, {row[1] for row in rows if not _straight(*map(board.centre, row))}


def _straight(a: Point, b: Point, c: Point) -> bool:
    return abs(c[0] - 2 * b[0] + a[0]) + abs(c[1] - 2 * b[1] + a[1]) < NEAR


# Most pieces stand where they stood before the turn, often all of a side.
@lru_cache(maxsize=1024)
def _army(side: Term | None, army: tuple[tuple[Kind, tuple[Value, ...], Term | None], ...]) -> Text:
    """A side's pieces, those of one kind together: "White: Arm on a5 and c7, Flat on e5." """
    pieces = Listing(tuple([_placed(*kind) for kind in army]), "unit")
    if side is None:
        return Text("Nobody's: {pieces}.", pieces=pieces)
    if not army:
        return Text("{side} has no pieces on the board.", side=side)
    return Text("{side}: {pieces}.", side=side, pieces=pieces)


@lru_cache(maxsize=4096)
def _placed(kind: Kind, sites: tuple[Value, ...], owner: Term | None) -> Phrase:
    """A kind's pieces with their places; `owner` is whose piece is on top."""
    name, token, below, badge, _ = kind
    piece: Value = Phrase("{piece} {token}", piece=name, token=token) if token else name
    places: Value = Listing(sites) if len(sites) > 1 else sites[0]
    if not badge:
        if not below:
            return Phrase("{piece} on {places}", piece=piece, places=places)
        return Phrase("{piece} {below} on {places}", piece=piece, below=below, places=places)
    top: Value = Term(badge)
    if owner:
        top = Phrase("{side} {piece}", side=owner, piece=top)
    if not below:
        return Phrase("{piece} on {places} with {top} on top", piece=piece, places=places, top=top)
    return Phrase("{piece} {below} on {places} with {top} on top", piece=piece, below=below, places=places, top=top)


def _ghost(diagram: Diagram, figure: Figure) -> Text:
    if side := diagram.names.get(figure.side):
        return Text("{side} {piece} was on {place}.", side=side, piece=figure.name, place=figure.site)
    return Text("Nobody's {piece} was on {place}.", piece=figure.name, place=figure.site)


def _gone(diagram: Diagram, figure: Figure) -> Text:
    """A piece that was taken, and from where."""
    piece, place = figure.name, figure.site
    if not (side := diagram.names.get(figure.side)):
        return Text("Nobody's {piece} on {place} has left the board.", piece=piece, place=place)
    hit = dict(diagram.hits).get(place)
    if not hit:
        return Text("{side} {piece} on {place} has left the board.", side=side, piece=piece, place=place)
    values: dict[str, Value] = {"side": side, "piece": piece, "place": place, "places": Listing(hit)}
    return Text("{side} {piece} on {place} has left the board, attacked from {places}.", **values)


def _attacks(link: Link, gone: Container[Site]) -> bool:
    """Whether it is an arrow at one of these places."""
    return link.style == "arrow" and not link.name and link.end in gone


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


def _marks(diagram: Diagram, ghosts: set[Site], marked: Marked) -> Iterator[Text]:
    kinds: dict[tuple[MarkKind, Side, Term], dict[Site, None]] = {}
    for mark in diagram.marks:
        if not mark.sites or (mark.kind == "taken" and ghosts.issuperset(mark.sites)):
            continue  # nothing is within reach, or the ghost has said it
        whose = (mark.kind, mark.side, mark.name) if mark.kind == "zone" else (mark.kind, "", NAMELESS)
        kinds.setdefault(whose, {}).update(dict.fromkeys(mark.sites))
    for (kind, side, name), sites in kinds.items():
        places = Listing(tuple(_places(sites, diagram.board)), "unit")
        if name and side:
            yield Text("{side}, {zone}: {places}.", side=diagram.names[side], zone=name, places=places)
        elif name:
            yield Text("{zone}: {places}.", zone=name, places=places)
        else:
            yield marked[kind](places)


def _places(sites: Iterable[Site], board: Board) -> list[Zone]:
    """Places one by one, but a whole region of the board by its name."""
    left = list(sites)
    names: list[Zone] = []
    for name, zone in sorted(board.zones.items(), key=lambda known: -len(known[1])):
        if len(zone) >= REGION and zone <= set(left):
            names.append(name)
            left = [site for site in left if site not in zone]
    return names + left
