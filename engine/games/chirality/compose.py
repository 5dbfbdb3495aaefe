"""A turn of Chirality composed of picks: a piece and a tile, or a Muster and a tile."""

from engine.composition import PASS, Choice, Menu, Pick, Shift
from engine.diagram import Figure
from engine.game import Move, Turn
from engine.games.chirality.notation import write
from engine.games.chirality.position import SIDES, THICK, THIN, Position
from engine.text import Term, Text

MUSTER = Choice("muster", Term("Muster"), "reserve")


def menu(position: Position, picks: tuple[Pick, ...]) -> Menu:
    """What may be picked next: every own piece, then every other tile, whoever stands there."""
    board = position.board
    match picks:
        case ():
            prompt = Text("Pick a piece to move, or a Muster.")
            return Menu(prompt, board.sites(position.mine()), (MUSTER, PASS))
        case (PASS.key,):
            return Menu(Text("Nothing moves."), text=PASS.key, complete=True)
        case (MUSTER.key,):
            return Menu(Text("Where does the piece from the reserve go?"), board.names, text="*")
        case (MUSTER.key, target):
            return Menu(
                Text("A piece is mustered on {target}.", target=target),
                text=f"*{target}",
                complete=True,
                shifts=(Shift(target=target, figure=_piece(position, target)),),
            )
        case (origin,):
            others = tuple(site for site in board.names if site != origin)
            prompt = Text("Where does the piece on {place} go?", place=origin)
            return Menu(prompt, others, text=origin, shifts=(Shift(origin),))
        case (origin, target, *_):
            return Menu(
                Text("The piece goes from {origin} to {target}.", origin=origin, target=target),
                text=write((Move("move", "", origin, target),)),
                complete=True,
                shifts=(Shift(origin, target, _piece(position, target)),),
            )
    raise AssertionError(picks)


def picks(turn: Turn, position: Position) -> tuple[Pick, ...]:
    """The picks that make up a turn."""
    if not turn:
        return (PASS.key,)
    (move,) = turn
    return (MUSTER.key, move.target) if move.verb == "muster" else (move.origin, move.target)


def _piece(position: Position, target: str) -> Figure:
    """A piece of the player to act, as the tile makes it."""
    board = position.board
    kind = THICK if board.thick & board.bit[target] else THIN
    return Figure(target, SIDES[position.to], kind, kind)
