"""What a picture of Chirality shows, and a single tile told in words."""

from collections.abc import Iterator, Mapping
from functools import cache

from engine.board import Side, Site
from engine.diagram import Colour, Diagram, Figure, Glyph, Mark, Stroke, Tray
from engine.game import NotationError, Turn
from engine.games.chirality.board.captures import attackers
from engine.games.chirality.board.rosette import Rosette, Star, bits
from engine.games.chirality.play import acted, outcome
from engine.games.chirality.position import NAMES, QUIET_TURNS, SIDES, THICK, THIN, Position, kind_of, owner_of
from engine.place_text import Men
from engine.text import Listing, Phrase, Term, Text, plural

COLOURS: Mapping[Side, Colour] = dict(zip(SIDES, ("red", "blue", "gold", "green", "violet"), strict=True))

RESERVE, ONE_PIECE, PIECES = Term("reserve"), Term("one piece"), Term("pieces")

_DISC = "M -0.92 0 A 0.92 0.92 0 1 1 0.92 0 A 0.92 0.92 0 1 1 -0.92 0 Z"
_SMALL_DISC = "M -0.8 0 A 0.8 0.8 0 1 1 0.8 0 A 0.8 0.8 0 1 1 -0.8 0 Z"
_LOZENGE = "M 0 -1.12 L 1.12 0 L 0 1.12 L -1.12 0 Z"

GLYPHS: Mapping[str, Glyph] = {
    "Thick": (Stroke(_DISC), Stroke(_DISC, "line", 0.1)),
    "Thin": (Stroke(_LOZENGE), Stroke(_LOZENGE, "line", 0.1)),
    "reserve": (Stroke(_SMALL_DISC), Stroke(_SMALL_DISC, "line", 0.1)),
}


def draw(position: Position, viewer: Side | None) -> Diagram:
    """Everything of a position, for nothing in this game is secret; North is up for everybody who talks about it."""
    board, sides = position.board, SIDES[: len(position.men)]
    return Diagram(
        title=Term("Chirality"),
        board=board.geometry,
        names=dict(zip(sides, NAMES, strict=False)),
        colours={side: COLOURS[side] for side in sides},
        glyphs=GLYPHS,
        figures=tuple(
            [pieces[tile] for pieces, men in zip(_pieces(board), position.men, strict=False) for tile in bits(men)]
        ),
        to_act=SIDES[position.to] if outcome(position, 1) is None else None,
        trays=tuple(
            Tray(side, RESERVE, (("reserve", ONE_PIECE if reserve == 1 else PIECES, reserve),) if reserve else ())
            for side, reserve in zip(sides, position.reserves, strict=True)
        ),
        marks=_won(position),
        notes=_notes(position),
        near=viewer if viewer in sides else "",
        # A turn is written by the names of its tiles, so nobody should have to look them up elsewhere.
        labels=_everywhere(board),
    )


def men(position: Position) -> Men:
    """A piece is any other's like, and leaves the game when it falls."""
    sides = SIDES[: len(position.men)]
    counts = zip(sides, position.men, position.reserves, strict=True)
    return {side: (("reserve", (ONE_PIECE, PIECES), men.bit_count() + reserve),) for side, men, reserve in counts}


def _won(position: Position) -> tuple[Mark, ...]:
    """The Throne, where somebody holds all of it."""
    throne = position.board.throne
    held = any(men & throne == throne for men in position.men)
    return (Mark("won", position.board.sites(throne)),) if held else ()


def duty(position: Position) -> Text | None:
    """Where the first piece of a Long game is due."""
    if not position.gate():
        return None
    own = position.board.sites(position.board.gates[position.gate() - 1].tiles & position.empty())
    return Text(
        "{side} places the first piece on Gate {gate}: {places}.",
        side=NAMES[position.to],
        gate=position.gate(),
        places=Listing(own, "or"),
    )


def marks(position: Position, turn: Turn) -> tuple[Mark, ...]:
    """Where the turn took place, and every piece that fell, with what attacked it."""
    if not turn:
        return ()
    board = position.board
    stood, left = acted(position, turn)
    sites = tuple(site for action in turn for site in (action.origin, action.target) if site)
    entered = board.mask(action.target for action in turn)
    displaced = tuple(
        Mark("taken", board.sites(1 << tile), side, kind_of(position, tile))
        for side, men in zip(SIDES, position.men, strict=False)
        for tile in bits(men & entered)
    )
    captured = tuple(
        Mark(
            "taken",
            board.sites(1 << tile) + board.sites(attackers(board, stood, tile, player)),
            SIDES[player],
            kind_of(position, tile),
        )
        for player in range(len(stood))
        for tile in bits(stood[player] & ~left[player])
    )
    return (Mark("moved", sites), *displaced, *captured)


def look(position: Position, text: str) -> tuple[Text, ...]:
    """A tile in words: type, occupant, neighbours, Star, Moat, Gate, attackers. Raises NotationError."""
    board = position.board
    tile = board.index.get(text.strip().upper())
    if tile is None:
        remedy = Text("Look at one from {first} to {last}: `look A44`.", first=board.names[0], last=board.names[-1])
        raise NotationError(Text("There is no tile {place} on this board.", place=text[:20]), remedy)
    owner = owner_of(position, tile)
    foes = attackers(board, position.men, tile, -1 if owner is None else owner)
    return (
        _occupant(position, tile, owner),
        Text("By an edge: {tiles}.", tiles=_tiles(position, board.edge[tile])),
        Text("By a corner: {tiles}.", tiles=_tiles(position, board.corner[tile])),
        *_belongings(position, tile),
        Text("Attacked by {pieces}.", pieces=_tiles(position, foes)) if foes else Text("Attacked by nothing."),
    )


@cache
def _pieces(board: Rosette) -> tuple[tuple[Figure, ...], ...]:
    """Of each player, a piece on each tile: always the same one, so that pictures need not make it again."""
    kinds = [THICK if board.thick >> tile & 1 else THIN for tile in range(len(board.names))]
    return tuple(
        tuple(Figure(name, side, kind, kind) for name, kind in zip(board.names, kinds, strict=True)) for side in SIDES
    )


@cache
def _everywhere(board: Rosette) -> frozenset[Site]:
    """The names of all tiles."""
    return frozenset(board.names)


def _occupant(position: Position, tile: int, owner: int | None) -> Text:
    place, kind = position.board.names[tile], kind_of(position, tile)
    if owner is None:
        return Text("{place}: {kind}, empty.", place=place, kind=kind)
    return Text("{place}: {kind}, a piece of {side}.", place=place, kind=kind, side=NAMES[owner])


def _tiles(position: Position, tiles: int) -> Listing:
    """Tiles with their types, and whose piece stands on each."""
    return Listing(tuple(_tile(position, tile) for tile in bits(tiles)))


def _tile(position: Position, tile: int) -> Phrase:
    place, kind, owner = position.board.names[tile], kind_of(position, tile), owner_of(position, tile)
    if owner is None:
        return Phrase("{place} ({kind})", place=place, kind=kind)
    return Phrase("{place} ({kind}, {side})", place=place, kind=kind, side=NAMES[owner])


def _belongings(position: Position, tile: int) -> Iterator[Text]:
    """The Star, Moat and Gate that a tile is part of."""
    board = position.board
    for star in board.stars:
        name, holder = _named(board, star), _holder(position, star)
        if star.tiles >> tile & 1:
            if holder is None:
                yield Text("{star}: one of its tiles.", star=name)
            else:
                yield Text("{star}, {side}'s Garrison: one of its tiles.", star=name, side=NAMES[holder])
        if star.moat >> tile & 1:
            if holder is None:
                yield Text("{star}: in its Moat.", star=name)
            else:
                yield Text("{star}, {side}'s Garrison: in its Moat.", star=name, side=NAMES[holder])
    if tile in board.gate_of:
        yield Text("Part of Gate {gate}.", gate=board.gate_of[tile].number)


def _named(board: Rosette, star: Star) -> Term | Phrase:
    return Term("The Throne") if star.tiles == board.throne else Phrase("Star {name}", name=star.name)


def _holder(position: Position, star: Star) -> int | None:
    """Who stands on all tiles of a Star."""
    return next((player for player, men in enumerate(position.men) if men & star.tiles == star.tiles), None)


def _notes(position: Position) -> tuple[Text, ...]:
    """What is not to be seen at once: Garrisons, who is out, first pieces to place, a draw that comes near."""
    notes = []
    for player, men in enumerate(position.men):
        side = NAMES[player]
        if position.out >> player & 1:
            notes.append(Text("{side} is out.", side=side))
            continue
        board = position.board
        if men & board.throne == board.throne:
            notes.append(Text("{side} holds the Throne.", side=side))
        held = (star for star in board.stars if men & star.tiles == star.tiles != board.throne)
        stars = tuple(star.name for star in held)
        if stars:
            notes.append(Text("{side} holds {stars}.", side=side, stars=Listing(stars)))
        if position.gates and position.gates[player]:
            notes.append(Text("{side} begins at Gate {gate}.", side=side, gate=position.gates[player]))
    limit = QUIET_TURNS * len(position.left())
    if position.quiet is not None and limit - 20 <= position.quiet < limit:
        left = limit - position.quiet
        notes.append(plural("{count} quiet turn until a draw.", "{count} quiet turns until a draw.", left))
    return tuple(notes)
