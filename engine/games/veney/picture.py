"""What a picture of Veney shows: pieces, trays, the free engagement, captures, intentions and cast-squares."""

from collections.abc import Iterator
from dataclasses import replace
from typing import Final

from engine.board import Board, Side, Site
from engine.diagram import NAMELESS, Colour, Diagram, Figure, Link, Mark, Throw, Tray
from engine.games.veney.action import LEAVING, Action, Turn
from engine.games.veney.board.piste import BOARD
from engine.games.veney.board.points import POINTS
from engine.games.veney.board.squares import BIT, SQUARES
from engine.games.veney.glyphs import GLYPHS
from engine.games.veney.pending import asks, to_act
from engine.games.veney.pieces import BLACK, BLADES, FREE, KINDS, NAMES, PLURALS, SIDE_NAMES, TRAY
from engine.games.veney.play.devices import landing
from engine.games.veney.position import IN_PLAY, SIDES, SOMEWHERE, Position, letter_of, owed, weary
from engine.games.veney.rules import ENDINGS
from engine.text import Term, Text, plural

TITLE: Final = Term("Veney")

NAMES_OF_SIDES: Final[dict[Side, Term]] = dict(zip(SIDES, SIDE_NAMES, strict=True))

COLOURS: Final[dict[Side, Colour]] = {"W": "white", "B": "black"}


def moved(turn: Turn, position: Position) -> tuple[Mark, ...]:
    """Where a turn took place, and where what it cast fell."""
    sites = [site for move in turn for site in (move.origin, _end(move, position)) if site]
    spots = [site for action in turn for _, site in action.spots]
    come = {*spots, *(_end(move, position) for move in turn)}
    # Such as a Cloak from a captured blade; who trades places has come to both.
    gone = (move.origin for move in turn if move.verb in LEAVING)
    left = tuple(site for site in dict.fromkeys(gone) if site and site not in come)
    return (Mark("moved", tuple(dict.fromkeys((*sites, *spots))), left=left),) if sites or spots else ()


def _end(action: Action, position: Position) -> Site:
    return landing(action, position.terms.uniform) if action.verb == "cast" else action.target


def draw(position: Position, viewer: Side | None) -> Diagram:
    """What one side may see: cast-squares are remembered, or marked by a term; layouts are not there yet."""
    return Diagram(
        title=TITLE,
        board=BOARD,
        names=NAMES_OF_SIDES,
        colours=COLOURS,
        glyphs=GLYPHS,
        figures=(*_figures(position), *_free(position)),
        to_act=None if position.over is not None else _awaited(position),
        trays=tuple(_trays(position)),
        marks=(*_won(position), *_cast_squares(position)),
        links=tuple(_intentions(position)),
        throws=(Throw("sticks", tuple(position.roll), Term("to be thrown")),) if position.roll else (),
        notes=tuple(_notes(position)),
        turned=180.0 if viewer == "B" else 0.0,
        near="B" if viewer == "B" else "W",
    )


def _awaited(position: Position) -> Side:
    """Who is to act; "" while anybody is to answer in private, so that no answer changes what is seen."""
    return "" if asks(position) else to_act(position)


def _won(position: Position) -> tuple[Mark, ...]:
    """Where the Self was touched whose side has lost by that."""
    touched = position.over is not None and position.over[0] in ("touch", "spell") and position.dying is not None
    return (Mark("won", (SQUARES[position.dying[1]],)),) if touched and position.dying else ()


def draw_turn(after: Diagram, turn: Turn, before: Position, end: Position) -> Diagram:
    """The picture after a turn: where it took place, the sticks that it threw, and where a last blade was lost."""
    marks = (*moved(turn, before), *_disarmed(before, end))
    return replace(after, throws=_throws(turn) or after.throws).marked(marks)


def _disarmed(before: Position, end: Position) -> tuple[Mark, ...]:
    """Where the last blade of a side stood that has lost by that."""
    if end.over is None or end.over[0] not in ("disarm", "self-disarm"):
        return ()
    loser = 1 - SIDES.index(end.over[1])
    blades = [kind + BLACK * loser for kind in BLADES]
    lost = (at for at, code in enumerate(before.cells) if code in blades and end.cells[at] != code)
    return tuple(Mark("won", (SQUARES[at],)) for at in lost)


def _throws(turn: Turn) -> tuple[Throw, ...]:
    """The sticks of a turn: those that decided a throw or scattered a cast piece."""
    return tuple(
        Throw("die", (action.luck.lstrip("+-"),), NAMES[action.piece])
        if action.luck[0] in "+-"
        else Throw("sticks", tuple(action.luck), NAMES[action.piece])
        for action in turn
        if action.luck and action.verb != "set"
    )


_CAPTURED: Final = Term("captured")
_RESERVE: Final = Term("reserve")
_DISCARD: Final = Term("discard")


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
                below=_CAPTURED if held else NAMELESS,
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


def possession(board: Board, diagram: Diagram, said: tuple[Text, ...]) -> tuple[Text, ...]:
    """Whose the free engagement is where it stands, if that place is among those told."""
    at = next((figure.site for figure in diagram.figures if figure.name == NAMES["a"]), None)
    if at is None or not any(text.values.get("place") == at for text in said):
        return ()
    if at not in board.tones:
        return (Text("Out of play the free engagement is nobody's."),)
    return (WHITE_HAS_IT,) if board.tones[at] == 0 else (BLACK_HAS_IT,)


WHITE_HAS_IT = Text("The free engagement is White's while it stands on a light square.")
BLACK_HAS_IT = Text("The free engagement is Black's while it stands on a dark square.")


def _trays(position: Position) -> list[Tray]:
    trays = []
    for label, both in ((_RESERVE, position.reserve), (_DISCARD, position.discard)):
        for side in (0, 1):
            counts = [(k, both[side].count(k)) for k in TRAY if k in both[side]]
            counted = tuple((k, PLURALS[k] if n > 1 else NAMES[k], n) for k, n in counts)
            if counted:
                trays.append(Tray(SIDES[side], label, counted))
    return trays


def _cast_squares(position: Position) -> tuple[Mark, ...]:
    """The cast-squares, where the players have agreed to mark them."""
    if not position.terms.castmark:
        return ()
    shima = tuple(cast for cast in position.shima if cast != SOMEWHERE)
    cast = ((_FIRE, position.fire), (_CHAOS, position.chaos), (_SHIMA, shima))
    return tuple(Mark("zone", (SQUARES[at],), name=name) for name, squares in cast for _, at in squares)


def _intentions(position: Position) -> list[Link]:
    links = []
    for side, intent in enumerate(position.intents):
        if intent is None:
            continue
        at = position.cells.find(FREE) if intent.kind == FREE else position.find(side, intent.kind)
        if at >= 0 and at != intent.target:
            name = _INTENTIONS[letter_of(intent.kind)]
            links.append(Link(SQUARES[at], SQUARES[intent.target], SIDES[side], "arrow", name))
    return links


_FIRE, _CHAOS, _SHIMA = Term("fire square"), Term("chaos square"), Term("Shima")
_AWAITED: Final = {
    "distraction": Text("A distraction: Self and Sword may be put elsewhere."),
    "chaos": Text("Chaos: Self and blade may be put elsewhere."),
    "throw": Text("May the Dagger be thrown?"),
    "setup": Text("The pieces are set up in turns."),
}
_INTENTIONS: Final = {
    "S": Term("intention of the Self"),
    "$": Term("intention of the Sword"),
    "e": Term("intention of the engagement"),
    "a": Term("intention of the free engagement"),
    "C": Term("intention of the Cloak"),
    "B": Term("intention of the Balance"),
    "D": Term("intention of the Dagger"),
    "G": Term("intention of the Guard"),
    "L": Term("intention of the Lantern"),
    "J": Term("intention of the Jutsu"),
    "R": Term("intention of the Ruin"),
    "N": Term("intention of the Donkey"),
}


def _notes(position: Position) -> Iterator[Text]:
    running = position.over is None
    if position.over is not None and not position.over[1]:
        yield ENDINGS[position.over[0]].gist
    if position.passes and running:
        yield plural("{count} pass.", "{count} passes.", position.passes)
    if position.stance >= 0:
        yield Text("{side} stands in hirakamae.", side=SIDE_NAMES[position.stance])
    if position.dying is not None and running:
        yield Text("Touch: {side} has one turn left.", side=SIDE_NAMES[position.dying[0]])
    if position.dazzled >= 0:
        yield Text("Glare: {side}'s Jutsu cannot be placed at once.", side=SIDE_NAMES[position.dazzled])
    marked = position.terms.castmark
    for side, at in position.fire if marked else ():
        yield Text("{side}'s fire square: {square}.", side=SIDE_NAMES[side], square=SQUARES[at])
    for side, at in position.chaos if marked else ():
        yield Text("{side}'s chaos square: {square}.", side=SIDE_NAMES[side], square=SQUARES[at])
    for side, at in position.shima if marked else ():
        if at >= 0:
            yield Text("Shima: {side}'s Dagger fell on {square}.", side=SIDE_NAMES[side], square=SQUARES[at])
    if position.shima and (not marked or SOMEWHERE in position.shima):
        yield Text("Shima.")
    if any(what.startswith("surplus") for what, _ in position.owed):
        yield Text("The board is set up anew; where surplus pieces go is awaited.")
    if owed(position, "style"):
        yield Text("The layouts are awaited.")
    if owed(position, "hands"):
        yield Text("Who goes first is awaited: one hides, the other guesses.")
    if weary(position):
        yield plural(
            "{count} quiet turn each: a draw is now one by no contest.",
            "{count} quiet turns each: a draw is now one by no contest.",
            position.terms.nocontest,
        )
    if owed(position, "hug"):
        yield Text("A hug is awaited.")
    if position.pending is not None and position.pending.what in _AWAITED:
        yield _AWAITED[position.pending.what]
    for name, used in zip(SIDE_NAMES, position.retreated, strict=True):
        if used:
            yield plural("{side} has retreated once.", "{side} has retreated {count} times.", used, side=name)
