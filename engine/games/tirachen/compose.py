"""A turn of Tirachen composed of picks: a piece or what is brought, a square, and what becomes of the traitor."""

from engine.board import Site
from engine.composition import Choice, Menu, Pick, Shift
from engine.diagram import Figure
from engine.game import Move, Turn
from engine.games.tirachen.board import INDEX, SITES, squares
from engine.games.tirachen.notation import MOBILIZE, write
from engine.games.tirachen.position import POOL_SLOT, SIDES, Position, kind_of, own
from engine.games.tirachen.rules import KINDS, NAMES
from engine.text import Term, Text

POOLED = {kind: Choice(kind, KINDS[kind], kind) for kind in POOL_SLOT}
MOBILIZING = Choice("mobilize", Term("Mobilize"))
REMOVE, TURN = Choice("remove", Term("Remove the traitor")), Choice("turn", Term("Turn the traitor"), "T")
STAY, OTHER = Choice("stay", Term("The traitor stays")), Choice("other", Term("Move another piece"))


def menu(position: Position, picks: tuple[Pick, ...]) -> Menu:
    """What may be picked next: own pieces, what the pool holds, and any square, whoever stands there."""
    if not picks:
        pool = position.pools[position.mover]
        brought = tuple(choice for kind, choice in POOLED.items() if pool[POOL_SLOT[kind]])
        return Menu(Text("Which piece moves, or is brought?"), _own(position), (*brought, MOBILIZING))
    if picks == (MOBILIZING.key,):
        return Menu(Text("{side} mobilizes.", side=NAMES[position.mover]), text=MOBILIZING.key, complete=True)
    if picks[0] in POOLED:
        return _bringing(position, *picks)
    origin, *then = picks
    kind = kind_of(position.board[INDEX[origin]])
    if not then:
        return Menu(
            Text("Where does the {piece} on {place} go?", piece=KINDS[kind], place=origin),
            _others(origin),
            text=f"{kind}{origin}",
            shifts=(Shift(origin),),
        )
    target, *fate = then
    moved = Move("move", kind, origin, target)
    if kind_of(position.board[INDEX[target]]) == "T":
        if not fate:
            prompt = Text("The traitor on {place} is removed or turned.", place=target)
            return Menu(prompt, choices=(REMOVE, TURN), text=f"{kind}{origin}x{target}", shifts=(Shift(origin),))
        if fate[0] == TURN.key:
            return _turning(position, Move("turn", kind, origin, target), *fate[1:])
    return Menu(
        Text("The {piece} goes from {origin} to {target}.", piece=KINDS[kind], origin=origin, target=target),
        text=write((moved,), position),
        complete=True,
        shifts=(Shift(origin, target),),
    )


def picks(turn: Turn, position: Position) -> tuple[Pick, ...]:
    """The picks that make up a turn."""
    if turn == MOBILIZE:
        return (MOBILIZING.key,)
    first, *then = turn
    if first.verb == "place":
        return (first.piece, first.target)
    way = (first.origin, first.target)
    if first.verb == "turn":
        if not then:
            return (*way, TURN.key, STAY.key)
        extra = then[0]
        others = () if extra.origin == first.target else (OTHER.key, extra.origin)
        return (*way, TURN.key, *others, extra.target)
    return (*way, REMOVE.key) if kind_of(position.board[INDEX[first.target]]) == "T" else way


def _bringing(position: Position, kind: str, target: Site = "") -> Menu:
    if not target:
        return Menu(Text("Where is the {piece} brought?", piece=KINDS[kind]), SITES, text=f"{kind}@")
    figure = Figure(target, SIDES[position.mover], kind, KINDS[kind])
    return Menu(
        Text("The {piece} is brought to {place}.", piece=KINDS[kind], place=target),
        text=f"{kind}@{target}",
        complete=True,
        shifts=(Shift(target=target, figure=figure),),
    )


def _turning(position: Position, first: Move, *then: Pick) -> Menu:
    """The captor is given up, and the traitor stays, goes on, or lets another piece go."""
    place = first.target
    text = write((first,), position)
    if not then:
        prompt = Text("The traitor on {place} stays or goes on.", place=place)
        return Menu(prompt, _others(place), (STAY, OTHER), text, shifts=(Shift(first.origin), Shift(place)))
    if then == (STAY.key,):
        prompt = Text("The traitor on {place} is turned and stays.", place=place)
        return Menu(prompt, text=text, complete=True, shifts=(Shift(first.origin), Shift(place)))
    if then == (OTHER.key,):
        rest = tuple(site for site in _own(position) if site not in (first.origin, place))
        return Menu(Text("Which other piece moves?"), rest, text=text, shifts=(Shift(first.origin), Shift(place)))
    origin, *targets = then[1:] if then[0] == OTHER.key else (place, *then)
    kind = "T" if origin == place else kind_of(position.board[INDEX[origin]])
    if not targets:
        prompt = Text("Where does the {piece} on {place} go?", piece=KINDS[kind], place=origin)
        return Menu(prompt, _others(origin), text=f"{text} {kind}{origin}", shifts=(Shift(first.origin), Shift(origin)))
    extra = Move("move", kind, origin, targets[0])
    return Menu(
        Text("The traitor on {place} is turned, and a piece goes on to {target}.", place=place, target=targets[0]),
        text=write((first, extra), position),
        complete=True,
        shifts=(Shift(first.origin), Shift(origin, targets[0])),
    )


def _own(position: Position) -> tuple[Site, ...]:
    return tuple(SITES[square] for square in squares(own(position.board, position.mover)))


def _others(site: Site) -> tuple[Site, ...]:
    return tuple(other for other in SITES if other != site)
