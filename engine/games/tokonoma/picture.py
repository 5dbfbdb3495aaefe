"""What a picture of Tokonoma shows: a glyph for each kind, stacks, and what the last turn emptied."""

from collections.abc import Mapping

from engine.board import Side
from engine.diagram import Colour, Diagram, Figure, Glyph, Mark, Stroke
from engine.game import Turn
from engine.games.tokonoma.attack import hitters
from engine.games.tokonoma.board import BITS, BOARD, HOUSES, OPPONENT, TURNED
from engine.games.tokonoma.play import outcome
from engine.games.tokonoma.position import Position, captor, lone_flats, occupied, on_top, sites_of
from engine.games.tokonoma.rules import KINDS, NAMES, QUIET_LIMIT
from engine.place_text import Men
from engine.text import Term, Text

TITLE = Term("Tokonoma")
SIDES: Mapping[Side, Term] = {"W": Term("White"), "B": Term("Black")}
COLOURS: Mapping[Side, Colour] = {"W": "white", "B": "black"}
ON_A_FLAT = (("F",), Term("on a Flat"))

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


def draw(position: Position, viewer: Side | None) -> Diagram:
    """Everything of a position: nothing in this game is secret."""
    figures = tuple(
        Figure(site, side, kind, NAMES[kind], *(ON_A_FLAT if BITS[site] & army[0] and kind != "F" else ()))
        for side, army in (("W", position.white), ("B", position.black))
        for kind, standing in zip(KINDS, (lone_flats(army), *army[1:]), strict=True)
        for site in sites_of(standing)
    )
    return Diagram(
        title=TITLE,
        board=BOARD,
        names=SIDES,
        colours=COLOURS,
        glyphs=GLYPHS,
        figures=figures,
        to_act=None if outcome(position, 1) else position.to_move,
        marks=_won(position),
        notes=_notes(position),
        turned=TURNED[viewer],
        labels=frozenset(BITS),
        near=viewer or "",
    )


def men(position: Position) -> Men:
    """Nothing waits beside this board."""
    return {
        side: tuple((kind, SEVERAL[kind], tiles.bit_count()) for kind, tiles in zip(KINDS, army, strict=True))
        for side, army in (("W", position.white), ("B", position.black))
    }


SEVERAL = {
    kind: (NAMES[kind], several)
    for kind, several in zip(KINDS, (Term("Flats"), Term("Arms"), Term("Blinds"), Term("Stars")), strict=True)
}


def _won(position: Position) -> tuple[Mark, ...]:
    """The house that was captured."""
    winner = captor(position)
    return (Mark("won", (HOUSES[OPPONENT[winner]],)),) if winner else ()


def _notes(position: Position) -> tuple[Text, ...]:
    if position.quiet < QUIET_LIMIT // 2:
        return ()
    return (Text("{count} quiet plies; {limit} are a draw.", count=position.quiet, limit=QUIET_LIMIT),)


def moved(turn: Turn, after: Position) -> tuple[Mark, ...]:
    """From where to where a piece went; the Flat that it stood on may stay."""
    stays = frozenset(sites_of(occupied(after.armies()[1])))
    return tuple(
        Mark("moved", (move.origin, move.target), left=tuple({move.origin} & stays)) for move in turn if move.target
    )


def taken(position: Position, after: Position) -> tuple[Mark, ...]:
    """What the turn from one position to the other emptied, and from where it was hit."""
    (_, enemy), (left, own) = position.armies(), after.armies()
    return tuple(
        Mark("taken", (site, *hitters(own, position.to_move, site)), after.to_move, kind, NAMES[kind])
        for site in sites_of(occupied(enemy) & ~occupied(left))
        if (kind := on_top(enemy, site))
    )
