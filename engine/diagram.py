"""What a picture of a position holds, as data: the painter draws it and the alt text reads it aloud."""

from collections.abc import Mapping
from dataclasses import field, replace
from typing import Literal, NamedTuple, TypeAlias

from engine.board import Board, Side, Site
from engine.text import Term, Text
from engine.value import value

NAMELESS = Term("")

Ink: TypeAlias = Literal["body", "line", "cut", "accent"]
"""`body`: filled in the side's colour; `line`: in its contrast colour; `cut`: in the colour below; `accent`."""

TINTS = ("goal", "home", "area", "gate", "star", "moat", "rest", "danger")
"""Names of the washes that themes know for zones of a board."""

Colour: TypeAlias = Literal["white", "black", "red", "blue", "green", "gold", "violet", "neutral"]
"""Names of the piece colours that themes know; each also has a shape of its own, never colour alone."""

MarkKind: TypeAlias = Literal["moved", "culprit", "blocker", "reach", "zone", "taken", "won"]


@value(frozen=True, slots=True)
class Mark:
    """Places to point at: what moved, who is at fault, what was in the way, within reach or taken, what has won."""

    kind: MarkKind
    sites: tuple[Site, ...]
    """Of "taken": where the piece stood, then from where it was attacked."""
    side: Side = ""
    """Of "taken": whose piece it was; of "zone": whose it is."""
    piece: str = ""
    """Of "taken": its kind; "" = its ghost stands there already."""
    name: Term = NAMELESS
    """Of "taken": what it is called, where that is not its kind; of "zone": what it is."""
    left: tuple[Site, ...] = ()
    """Of "moved": places that a piece has left although another one stands there."""


@value(frozen=True, slots=True)
class Stroke:
    """One shape of a glyph, in the box -1..1 with y down: an SVG path of M L H V C Q A Z, absolute."""

    path: str
    ink: Ink = "body"
    width: float = 0.0
    """0 fills the path; otherwise it is drawn as a line this thick."""


Glyph: TypeAlias = tuple[Stroke, ...]


class Figure(NamedTuple):
    """A piece as it stands, or its ghost; a tuple, since a picture makes and compares them by the dozen."""

    site: Site
    side: Side
    """"" = nobody's."""
    kind: str
    """The game's letter for it; a key of `Diagram.glyphs`, else drawn as that letter."""
    name: Term
    """As the alt text says it: "Arm"."""
    under: tuple[str, ...] = ()
    """Kinds beneath it in a stack, lowest first."""
    below: Term = NAMELESS
    """The stack in words, said after the name: "on a flat"."""
    token: str = ""
    """A short text drawn on it: an initial, an emoji, the height of a stack."""
    ghost: bool = False
    """It has just left this place; drawn faint, said as "was"."""
    badge: str = ""
    """Kind of a second piece sitting on this one (a Cloak on a captured blade), drawn small above."""
    badge_side: Side = ""


class Link(NamedTuple):
    """A line between two places: a string of stones, an announced attack."""

    start: Site
    end: Site
    side: Side = ""
    style: Literal["string", "arrow", "dash"] = "string"
    name: Term = NAMELESS
    """Said by the alt text where not empty."""


class Tray(NamedTuple):
    """Pieces beside the board."""

    side: Side
    label: Term
    """ "reserve", "pool", "discard"."""
    pieces: tuple[tuple[str, Term, int], ...]
    """(kind, name, count)."""


class Throw(NamedTuple):
    """Luck that was resolved: sticks or a die, one face each."""

    kind: Literal["sticks", "die"]
    faces: tuple[str, ...]
    """For sticks the colour letter that came up; for dice the number."""
    label: Term = NAMELESS


@value(frozen=True, slots=True)
class Diagram:
    """Everything a viewer may see of a position. Two equal diagrams give the same pixels and words."""

    title: Term
    board: Board
    names: Mapping[Side, Term]
    """"W" -> "White", in seating order."""
    colours: Mapping[Side, Colour]
    glyphs: Mapping[str, Glyph]
    figures: tuple[Figure, ...]
    to_act: Side | None
    """"" = answers in private are awaited; None once the game is over."""
    trays: tuple[Tray, ...] = ()
    marks: tuple[Mark, ...] = ()
    links: tuple[Link, ...] = ()
    hits: tuple[tuple[Site, tuple[Site, ...]], ...] = ()
    """From where each ghost was taken; said of all, and drawn as arrows where there is one."""
    throws: tuple[Throw, ...] = ()
    notes: tuple[Text, ...] = ()
    """Short facts printed below the board and said last: "2 passes.", "Shima."."""
    hatching: tuple[Text, ...] = ()
    """What the lines drawn over zones mean: printed after the notes, and said to nobody who hears the picture."""
    turned: float = 0.0
    """Degrees clockwise by which the board is turned for this viewer; pieces and words stay upright."""
    labels: frozenset[Site] = field(default_factory=frozenset)
    """Places whose own name is printed on them."""
    players: tuple[tuple[Side, str], ...] = ()
    """What the people are called who play, where that is known."""
    winners: frozenset[Side] = frozenset()
    """Who has won; several share it."""
    near: Side = ""
    """Whose home is at the bottom of the picture: the viewer's, for a player. "" = the first of `names`."""

    signs: frozenset[str] = frozenset()
    """Kinds of figures that are no pieces: they say something of their place."""

    @property
    def standing(self) -> frozenset[Site]:
        """Places on which a piece stands."""
        return frozenset([one.site for one in self.figures if not one.ghost and one.kind not in self.signs])

    def marked(self, marks: tuple[Mark, ...]) -> "Diagram":
        """The same with these marks; what was taken becomes a ghost, a single ghost with arrows from its attackers."""
        if not marks:
            return self
        taken = [mark for mark in marks if mark.piece]
        ghosts = tuple(
            Figure(mark.sites[0], mark.side, mark.piece, mark.name or Term(mark.piece), ghost=True) for mark in taken
        )
        hit = [mark for mark in taken if mark.sites[1:]]
        # Arrows on several pieces at once would be a tangle.
        single = hit if len(hit) == 1 else ()
        arrows = tuple(Link(start, mark.sites[0], style="arrow") for mark in single for start in mark.sites[1:])
        hits = self.hits + tuple((mark.sites[0], mark.sites[1:]) for mark in hit)
        left = tuple(Mark("taken", mark.sites[:1]) if mark.piece else mark for mark in marks)
        return replace(
            self, figures=ghosts + self.figures, links=self.links + arrows, hits=hits, marks=self.marks + left
        )
