"""Why a turn of Tokonoma is untenable: each rule once."""

from collections.abc import Iterator

from engine.diagram import Mark
from engine.game import Move, Ruling, Turn
from engine.games.tokonoma.board import BITS, REACH
from engine.games.tokonoma.notation import PASS
from engine.games.tokonoma.play import outcome
from engine.games.tokonoma.position import Position, lone_flats, occupied, on_top, sites_of
from engine.games.tokonoma.rules import COVERED, KINDS, MOVEMENT, NAMES, OCCUPIED, OVER, PATTERNS, STACKING
from engine.text import Listing, Text

ENDED = Text("The game was over before this turn.")
NOTHING = Text("No piece has moved.")


def judge(position: Position, turn: Turn) -> Iterator[Ruling[Move]]:
    """Every rule that the turn breaks, in the order in which a turn meets them."""
    if outcome(position, 1) is not None:
        yield Ruling(OVER, turn[0] if turn else PASS, ENDED)
        return
    own, enemy = position.armies()
    for move in turn:
        origin, target = BITS[move.origin], BITS[move.target]
        kind, piece = KINDS.index(move.piece), NAMES[move.piece]
        culprit, there = Mark("culprit", (move.origin,)), Mark("blocker", (move.target,))
        reach = REACH[position.to_move][kind][origin]
        if not reach & target:
            near = sites_of(reach)
            yield Ruling(PATTERNS[kind], move, _out_of_reach(move, near), (culprit, Mark("reach", near)))
        if target & occupied(own) and not (kind and target & lone_flats(own)):
            because = Text(
                "The {piece} on {origin} cannot join the {other} on {target}.",
                piece=piece,
                origin=move.origin,
                other=NAMES[on_top(own, move.target)],
                target=move.target,
            )
            yield Ruling(STACKING, move, because, (culprit, there))
        if kind == 0 and not origin & lone_flats(own):
            because = Text(
                "The {piece} on {origin} lies under the {other}.",
                piece=piece,
                origin=move.origin,
                other=NAMES[on_top(own, move.origin)],
            )
            yield Ruling(COVERED, move, because, (culprit,))
        if target & occupied(enemy):
            because = Text(
                "The enemy {piece} stands on {target}.", piece=NAMES[on_top(enemy, move.target)], target=move.target
            )
            yield Ruling(OCCUPIED, move, because, (culprit, there))
    if not turn:
        yield Ruling(MOVEMENT, PASS, NOTHING)


def _out_of_reach(move: Move, near: tuple[str, ...]) -> Text:
    piece, origin, target = NAMES[move.piece], move.origin, move.target
    if not near:
        return Text("The {piece} on {origin} reaches no tile at all.", piece=piece, origin=origin)
    places = Listing(near)
    return Text(
        "The {piece} on {origin} reaches {places}, not {target}.",
        piece=piece,
        origin=origin,
        places=places,
        target=target,
    )
