"""What a picture of Chirality shows, and a single tile told in words."""

from collections.abc import Mapping
from functools import cache

from engine.board import Side, Site
from engine.diagram import Colour, Diagram, Figure, Glyph, Stroke, Tray
from engine.game import NotationError
from engine.games.chirality.ground import Ground, bits
from engine.games.chirality.position import NAMES, QUIET_TURNS, SIDES, Position
from engine.games.chirality.resolution import attackers
from engine.games.chirality.umpire import kind, listed

COLOURS: Mapping[Side, Colour] = dict(zip(SIDES, ("red", "blue", "gold", "green", "violet"), strict=True))

_DISC = "M -0.92 0 A 0.92 0.92 0 1 1 0.92 0 A 0.92 0.92 0 1 1 -0.92 0 Z"
_SMALL_DISC = "M -0.8 0 A 0.8 0.8 0 1 1 0.8 0 A 0.8 0.8 0 1 1 -0.8 0 Z"
_LOZENGE = "M 0 -1.12 L 1.12 0 L 0 1.12 L -1.12 0 Z"

GLYPHS: Mapping[str, Glyph] = {
    "Thick": (Stroke(_DISC), Stroke(_DISC, "line", 0.1)),
    "Thin": (Stroke(_LOZENGE), Stroke(_LOZENGE, "line", 0.1)),
    "reserve": (Stroke(_SMALL_DISC), Stroke(_SMALL_DISC, "line", 0.1)),
}


def draw(position: Position, viewer: Side | None, over: bool) -> Diagram:
    """Everything of a position, for nothing in this game is secret; North is up for everybody who talks about it."""
    here, sides = position.ground, SIDES[: len(position.men)]
    return Diagram(
        title="Chirality",
        board=here.board,
        names=dict(zip(sides, NAMES, strict=False)),
        colours={side: COLOURS[side] for side in sides},
        glyphs=GLYPHS,
        figures=tuple(
            [pieces[tile] for pieces, men in zip(_pieces(here), position.men, strict=False) for tile in bits(men)]
        ),
        to_act=None if over else SIDES[position.to],
        trays=tuple(
            Tray(side, "reserve", (("reserve", "piece" if reserve == 1 else "pieces", reserve),) if reserve else ())
            for side, reserve in zip(sides, position.reserves, strict=True)
        ),
        notes=_notes(position),
        near=viewer if viewer in sides else "",
        # A turn is written by the names of its tiles, so nobody should have to look them up elsewhere.
        labels=_everywhere(here),
    )


def look(position: Position, text: str) -> str:
    """A tile in words: type, occupant, neighbours, Star, Moat, Gate, attackers. Raises NotationError."""
    here = position.ground
    tile = here.index.get(text.strip().upper())
    if tile is None:
        remedy = f"Look at one from {here.names[0]} to {here.names[-1]}: `look A44`."
        raise NotationError(f"there is no tile {text[:20]} on this board", remedy)
    owner = _owner(position, tile)
    standing = "empty" if owner is None else f"a piece of {NAMES[owner]}"
    told = [f"{here.names[tile]}: {kind(position, tile)}, {standing}."]
    for word, near in (("By an edge", here.edge[tile]), ("By a corner", here.corner[tile])):
        told.append(f"{word}: {listed(tuple(_briefly(position, other) for other in bits(near)))}.")
    told.extend(_belongings(position, tile))
    foes = attackers(here, position.men, tile, -1 if owner is None else owner)
    told.append(f"Attacked by {listed(tuple(_briefly(position, foe) for foe in bits(foes))) if foes else 'nothing'}.")
    return " ".join(told)


@cache
def _pieces(here: Ground) -> tuple[tuple[Figure, ...], ...]:
    """Of each player, a piece on each tile: always the same one, so that pictures need not make it again."""
    kinds = ["Thick" if here.thick >> tile & 1 else "Thin" for tile in range(len(here.names))]
    return tuple(
        tuple(Figure(name, side, kind, kind) for name, kind in zip(here.names, kinds, strict=True)) for side in SIDES
    )


@cache
def _everywhere(here: Ground) -> frozenset[Site]:
    """The names of all tiles."""
    return frozenset(here.names)


def _belongings(position: Position, tile: int) -> list[str]:
    """The Star, Moat and Gate that a tile is part of."""
    here, told = position.ground, []
    for star in here.stars:
        name = "the Throne" if star.tiles == here.throne else f"Star {star.name}"
        holder = next((NAMES[p] for p, men in enumerate(position.men) if men & star.tiles == star.tiles), None)
        held = f", {holder}'s Garrison" if holder else ""
        if star.tiles >> tile & 1:
            told.append(f"Part of {name}{held}.")
        if star.moat >> tile & 1:
            told.append(f"In the Moat of {name}{held}.")
    if tile in here.gate_of:
        told.append(f"Part of Gate {here.gate_of[tile].number}.")
    return told


def _briefly(position: Position, tile: int) -> str:
    """A tile with its type, and whose piece stands there."""
    owner = _owner(position, tile)
    whose = "" if owner is None else f", {NAMES[owner]}"
    return f"{position.ground.names[tile]} ({kind(position, tile)}{whose})"


def _owner(position: Position, tile: int) -> int | None:
    return next((player for player, men in enumerate(position.men) if men >> tile & 1), None)


def _notes(position: Position) -> tuple[str, ...]:
    """What is not to be seen at once: Garrisons, who is out, first pieces to place, a draw that comes near."""
    here, notes = position.ground, []
    for player, men in enumerate(position.men):
        name = NAMES[player]
        if position.out >> player & 1:
            notes.append(f"{name} is out")
            continue
        stars = tuple(star.name for star in here.stars if men & star.tiles == star.tiles)
        if stars:
            notes.append(f"{name} holds {listed(stars)}")
        if position.gates and position.gates[player]:
            notes.append(f"{name} begins at Gate {position.gates[player]}")
    limit = QUIET_TURNS * len(position.left())
    if position.quiet is not None and limit - 20 <= position.quiet < limit:
        notes.append(f"{limit - position.quiet} quiet turns until a draw")
    return tuple(notes)
