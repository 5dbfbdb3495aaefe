"""What a picture of Veney shows: pieces, trays, the free engagement, captures, intentions and cast-squares."""

from typing import Final

from engine.board import Side
from engine.diagram import Colour, Diagram, Figure, Glyph, Link, Mark, Stroke, Throw, Tray
from engine.game import Turn
from engine.games.veney.act import Act
from engine.games.veney.board import BOARD
from engine.games.veney.piste import BIT, POINTS, SQUARES
from engine.games.veney.position import IN_PLAY, SIDES, Position, letter_of, weary
from engine.games.veney.rulebook import FREE, KINDS, NAMES, TRAY

COLOURS: Final[dict[Side, Colour]] = {"W": "white", "B": "black"}
SIDE_NAMES: Final[dict[Side, str]] = {"W": "White", "B": "Black"}


def _outlined(path: str) -> tuple[Stroke, Stroke]:
    return Stroke(path), Stroke(path, "line", 0.1)


_PEBBLE = "M -0.5 0.1 A 0.5 0.5 0 1 1 0.5 0.1 A 0.5 0.5 0 1 1 -0.5 0.1 Z"
_ROCK = (
    "M -0.86 0.12 Q -0.9 -0.5 -0.38 -0.78 Q 0.2 -1 0.66 -0.6 Q 1 -0.2 0.86 0.36 Q 0.62 0.9 0 "
    "0.88 Q -0.8 0.86 -0.86 0.12 Z"
)
_SHARD = (
    "M 0 -1 L 0.3 -0.52 L 0.24 0.34 L 0.64 0.34 L 0.64 0.58 L 0.18 0.58 L 0.18 0.98 L -0.18 "
    "0.98 L -0.18 0.58 L -0.64 0.58 L -0.64 0.34 L -0.24 0.34 L -0.3 -0.52 Z"
)
_KNIFE = (
    "M -0.75 -0.86 L -0.18 -0.65 L 0.29 0.08 L 0.52 -0.13 L 0.68 0.05 L 0.47 0.26 "
    "L 0.75 0.68 L 0.55 0.86 L 0.23 0.47 L 0.03 0.65 L -0.13 0.47 L 0.05 0.29 L -0.57 -0.34 Z"
)
_CLOTH = (
    "M -0.7 -0.62 Q -0.2 -0.92 0.1 -0.62 Q 0.5 -0.9 0.82 -0.5 Q 0.6 -0.1 0.86 0.3 Q 0.7 0.5 "
    "0.78 0.84 Q 0.4 0.62 0.16 0.88 Q -0.1 0.6 -0.4 0.8 Q -0.5 0.5 -0.86 0.5 Q -0.6 0.06 -0.84 "
    "-0.2 Q -0.6 -0.4 -0.7 -0.62 Z"
)
_POLE = "M 0.62 -0.94 L 0.9 -0.66 L -0.56 0.92 L -0.92 0.56 Z"
_DROP = (
    "M 0 -0.95 Q 0.18 -0.5 0.5 -0.06 Q 0.78 0.36 0.5 0.7 Q 0 1.06 -0.5 0.7 Q -0.78 0.36 -0.5 "
    "-0.06 Q -0.18 -0.5 0 -0.95 Z"
)
_RING = (
    "M -0.86 0 A 0.86 0.86 0 1 1 0.86 0 A 0.86 0.86 0 1 1 -0.86 0 Z "
    "M -0.34 0 A 0.34 0.34 0 1 0 0.34 0 A 0.34 0.34 0 1 0 -0.34 0 Z"
)
_PLATE = "M -0.36 -0.86 H 0.36 L 0.86 -0.36 V 0.36 L 0.36 0.86 H -0.36 L -0.86 0.36 V -0.36 Z"
_BLOCK = "M -0.9 -0.86 L -0.3 -0.94 L 0.1 -0.8 L 0.62 -0.94 L 0.94 -0.7 L 0.84 0 L 0.94 0.86 L -0.92 0.92 L -0.8 0.1 Z"
_BUTTON = "M -0.62 0 A 0.62 0.62 0 1 1 0.62 0 A 0.62 0.62 0 1 1 -0.62 0 Z"
_EARS = "M -0.5 0.9 L -0.5 -0.1 L -0.62 -0.9 L -0.2 -0.3 L 0.2 -0.3 L 0.62 -0.9 L 0.5 -0.1 L 0.5 0.9 Z"

GLYPHS: Final[dict[str, Glyph]] = {
    "e": _outlined(_PEBBLE),  # a small pebble
    "S": _outlined(_ROCK),  # a big roundish rock
    "$": (*_outlined(_SHARD), Stroke("M 0 -0.7 V 0.36", "line", 0.08)),  # a long shard with a hilt
    "D": _outlined(_KNIFE),  # a smaller one, aslant
    "C": (  # a rag with holes
        *_outlined(_CLOTH),
        Stroke("M -0.36 -0.2 A 0.14 0.18 0 1 1 -0.08 -0.2 A 0.14 0.18 0 1 1 -0.36 -0.2 Z", "line"),
        Stroke("M 0.16 0.2 A 0.17 0.12 0 1 1 0.5 0.2 A 0.17 0.12 0 1 1 0.16 0.2 Z", "line"),
    ),
    "B": (*_outlined(_POLE), Stroke("M -0.2 -0.2 L 0.2 0.2", "line", 0.12)),  # a long weight along the diagonal
    "G": (  # a flat, angular buckler
        *_outlined(_PLATE),
        Stroke("M -0.24 -0.58 H 0.24 L 0.58 -0.24 V 0.24 L 0.24 0.58 H -0.24 L -0.58 0.24 V -0.24 Z", "line", 0.09),
        Stroke("M -0.2 0 A 0.2 0.2 0 1 1 0.2 0 A 0.2 0.2 0 1 1 -0.2 0 Z", "line"),
    ),
    "L": (  # a drop with a flame in it
        *_outlined(_DROP),
        Stroke("M 0 -0.2 Q 0.3 0.24 0.16 0.5 Q 0 0.66 -0.16 0.5 Q -0.3 0.24 0 -0.2 Z", "line"),
    ),
    "J": (  # a stone with an eyehole, spiralling
        *_outlined(_RING),
        Stroke("M 0 -0.6 A 0.6 0.6 0 0 1 0.6 0 M 0 0.6 A 0.6 0.6 0 0 1 -0.6 0", "line", 0.1),
    ),
    "R": (*_outlined(_BLOCK), Stroke("M -0.84 -0.2 H 0.86 M -0.2 -0.2 V 0.88 M 0.3 -0.84 V -0.2", "line", 0.08)),
    "a": (  # a button
        *_outlined(_BUTTON),
        *(
            Stroke(f"M {x - 0.1} {y} A 0.1 0.1 0 1 1 {x + 0.1} {y} A 0.1 0.1 0 1 1 {x - 0.1} {y} Z", "line")
            for x in (-0.2, 0.2)
            for y in (-0.2, 0.2)
        ),
    ),
    "N": _outlined(_EARS),
}
"""After the shapes of a standard set (2.0.R6)."""
GLYPHS["Cloak"] = GLYPHS["C"]  # where it sits on a blade, the alt text names it by this key

_WORD: Final = {
    "distraction": "distraction: Self and Sword may be put elsewhere",
    "chaos": "chaos: Self and blade may be put elsewhere",
    "throw": "may the Dagger be thrown?",
    "setup": "setting up in turns",
}


def moved(turn: Turn) -> tuple[Mark, ...]:
    """Where a turn took place."""
    sites = [site for move in turn for site in (move.origin, move.target) if site]
    sites += [site for act in turn if isinstance(act, Act) for _, site in act.spots]
    return (Mark("moved", tuple(dict.fromkeys(sites))),) if sites else ()


def draw(position: Position, viewer: Side | None, to_act: Side | None) -> Diagram:
    """What one side may see: everything but the other's chaos square and layout."""
    return Diagram(
        title="Veney",
        board=BOARD,
        names=SIDE_NAMES,
        colours=COLOURS,
        glyphs=GLYPHS,
        figures=(*_figures(position), *_free(position)),
        to_act=to_act,
        trays=tuple(_trays(position)),
        marks=_secrets(position, viewer),
        links=tuple(_intentions(position)),
        throws=(Throw("sticks", tuple(position.roll), "to be thrown"),) if position.roll else (),
        notes=tuple(_notes(position, viewer)),
        turned=180.0 if viewer == "B" else 0.0,
        near="B" if viewer == "B" else "W",
    )


def throws(turn: Turn) -> tuple[Throw, ...]:
    """The sticks of a turn: those that decided a throw or scattered a cast piece."""
    return tuple(
        Throw("die", (act.luck.lstrip("+-"),), NAMES[act.piece])
        if act.luck[0] in "+-"
        else Throw("sticks", tuple(act.luck), NAMES[act.piece])
        for act in turn
        if isinstance(act, Act) and act.luck
    )


def _figures(position: Position) -> list[Figure]:
    figures = []
    for at, code in enumerate(position.cells):
        if not code or code == FREE:
            continue
        side, letter = code >> 4, KINDS[code & 15]
        held = bool(position.caught & BIT[at])
        figures.append(
            Figure(
                SQUARES[at],
                SIDES[side],
                letter,
                NAMES[letter],
                below="captured" if held else "",
                badge="Cloak" if held else "",
                badge_side=SIDES[1 - side] if held else "",
            )
        )
    if position.dying is not None and not position.cells[position.dying[1]]:
        side, at = position.dying
        figures.append(Figure(SQUARES[at], SIDES[side], "S", NAMES["S"], ghost=True))
    return figures


def _free(position: Position) -> list[Figure]:
    if position.point == IN_PLAY:
        at = position.cells.find(FREE)
        return [Figure(SQUARES[at], "", "a", NAMES["a"])] if at >= 0 else []
    return [Figure(POINTS[position.point], "", "a", NAMES["a"])] if position.point >= 0 else []


def _trays(position: Position) -> list[Tray]:
    trays = []
    for label, both in (("reserve", position.reserve), ("discard", position.discard)):
        for side in (0, 1):
            counts = [(k, both[side].count(k)) for k in TRAY if k in both[side]]
            counted = tuple((k, NAMES[k] + "s" * (n > 1), n) for k, n in counts)
            if counted:
                trays.append(Tray(SIDES[side], label, counted))
    return trays


def _secrets(position: Position, viewer: Side | None) -> tuple[Mark, ...]:
    """The cast-squares that only their caster may see."""
    casts = (*position.fire, *position.chaos)
    return tuple(Mark("zone", (SQUARES[at],)) for side, at in casts if SIDES[side] == viewer)


def _intentions(position: Position) -> list[Link]:
    links = []
    for side, intent in enumerate(position.intents):
        if intent is None:
            continue
        at = position.cells.find(FREE) if intent.kind == FREE else position.find(side, intent.kind)
        if at >= 0 and at != intent.target:
            said = f"intention of the {NAMES[letter_of(intent.kind)]}"
            links.append(Link(SQUARES[at], SQUARES[intent.target], SIDES[side], "arrow", said))
    return links


def _notes(position: Position, viewer: Side | None) -> list[str]:
    notes = []
    if position.passes and position.over is None:
        notes.append("one pass" if position.passes == 1 else "two passes")
    if position.stance >= 0:
        notes.append(f"{SIDE_NAMES[SIDES[position.stance]]} stands in hirakamae")
    if position.dying is not None and position.over is None:
        notes.append(f"touch: {SIDE_NAMES[SIDES[position.dying[0]]]} has one turn left")
    if position.dazzled >= 0:
        notes.append(f"glare: {SIDE_NAMES[SIDES[position.dazzled]]}'s Jutsu cannot be placed at once")
    # We read: a cast-square may stay unmarked, so in chat, which forgets nothing, it is its caster's secret.
    notes += [f"your fire square: {SQUARES[at]}" for side, at in position.fire if SIDES[side] == viewer]
    notes += [f"your chaos square: {SQUARES[at]}" for side, at in position.chaos if SIDES[side] == viewer]
    if position.shima is not None:
        side, at = position.shima
        mine = side >= 0 and SIDES[side] == viewer
        notes.append(f"Shima; your Dagger fell on {SQUARES[at]}" if mine else "Shima")
    if any(what == "style" for what, _ in position.owed):
        notes.append("the layouts are awaited")
    if weary(position):
        notes.append(f"{position.terms.nocontest} quiet turns each: a draw is now one by no contest")
    if any(what == "hug" for what, _ in position.owed):
        notes.append("a hug is awaited")
    if position.pending is not None:
        notes.append(_WORD.get(position.pending.what, ""))
    used = [f"{SIDE_NAMES[SIDES[side]]} {position.retreated[side]}" for side in (0, 1) if position.retreated[side]]
    if used:
        notes.append("retreats: " + ", ".join(used))
    return [note for note in notes if note]
