"""A turn of Tokonoma composed of picks: a piece, perhaps the Flat beneath it, and where it goes."""

from engine.board import Site
from engine.composition import PASS, Choice, Menu, Pick, Shift
from engine.diagram import Figure
from engine.game import Turn
from engine.games.tokonoma.board import BITS, SITES
from engine.games.tokonoma.notation import turn_of, write
from engine.games.tokonoma.picture import ON_A_FLAT
from engine.games.tokonoma.position import Position, lone_flats, occupied, on_top, sites_of
from engine.games.tokonoma.rules import NAMES
from engine.text import Term, Text

BENEATH = Choice("beneath", Term("the Flat beneath"), "F")


def menu(position: Position, picks: tuple[Pick, ...]) -> Menu:
    """What may be picked next: every own piece, then every other tile, whatever stands there."""
    own, _ = position.armies()
    if not picks:
        return Menu(Text("Which piece moves?"), sites_of(occupied(own)), (PASS,))
    if picks == (PASS.key,):
        return Menu(Text("Nothing moves."), text=PASS.key, complete=True)
    origin, *then = picks
    pulled = then[:1] == [BENEATH.key]
    covered = _covered(position, origin)
    kind = "F" if pulled else on_top(own, origin)
    targets = then[pulled:]
    if targets:
        text = write(turn_of(kind, origin, targets[0]), position)
        return Menu(
            Text("The {piece} goes from {origin} to {target}.", piece=NAMES[kind], origin=origin, target=targets[0]),
            text=text,
            complete=True,
            shifts=(_shift(position, kind, origin, targets[0]),),
        )
    return Menu(
        Text("Where does the {piece} on {place} go?", piece=NAMES[kind], place=origin),
        tuple(site for site in SITES if site != origin),
        (BENEATH,) if covered and not pulled else (),
        text=f"F{origin}" if pulled else origin,
        shifts=(Shift(origin),),
    )


def picks(turn: Turn, position: Position) -> tuple[Pick, ...]:
    """The picks that make up a turn."""
    if not turn:
        return (PASS.key,)
    (move,) = turn
    own, _ = position.armies()
    pulled = move.piece != on_top(own, move.origin)
    return (move.origin, BENEATH.key, move.target) if pulled else (move.origin, move.target)


def _covered(position: Position, site: Site) -> bool:
    """Whether a Flat lies beneath the own piece there."""
    own, _ = position.armies()
    return bool(own[0] & ~lone_flats(own) & BITS[site])


def _shift(position: Position, kind: str, origin: Site, target: Site) -> Shift:
    own, _ = position.armies()
    side, top = position.to_move, on_top(own, origin)
    stacks = kind != "F" and lone_flats(own) & BITS[target]
    figure = Figure(target, side, kind, NAMES[kind], *(ON_A_FLAT if stacks else ()))
    left = None
    if _covered(position, origin):
        stays = top if kind == "F" else "F"
        left = Figure(origin, side, stays, NAMES[stays])
    return Shift(origin, target, figure, left)
