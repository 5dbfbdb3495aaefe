"""The judge of a turn of Chirality: every rule of sections 5 to 10 that it breaks."""

from collections.abc import Iterator

from engine.board import Site
from engine.diagram import Mark
from engine.game import Move, Rule, Ruling, Turn
from engine.games.chirality.actions import muster_tiles
from engine.games.chirality.board.rosette import Gate
from engine.games.chirality.play import outcome
from engine.games.chirality.position import NAMES, THICK, Position, kind_of, owner_of
from engine.games.chirality.rules import LONG, MOVEMENT, MUSTERING, ONE_ACTION, REMOTE
from engine.text import Listing, Text, plural

PASS = Move("pass")
"""What a ruling on an empty turn points at."""

OVER = Text("The game is over.")
NEITHER = Text("A turn is one Move or one Muster, and this is neither.")


def judge(position: Position, turn: Turn) -> Iterator[Ruling[Move]]:
    """Every rule that the turn breaks, in the order of the text."""
    over = outcome(position, 1)
    if over is not None:
        yield Ruling(over.rule, turn[0] if turn else PASS, OVER)
    elif not turn:
        yield Ruling(ONE_ACTION, PASS, NEITHER)
    else:
        for action in turn:
            if position.gate():
                yield from _placed(position, action)
            elif action.verb == "move":
                yield from _moved(position, action)
            else:
                yield from _mustered(position, action)


def _moved(position: Position, move: Move) -> Iterator[Ruling[Move]]:
    yield from _occupied(position, MOVEMENT, move)
    board = position.board
    origin, target = board.index[move.origin], board.index[move.target]
    if not board.reach[origin] >> target & 1:
        within = board.sites(board.reach[origin])
        marks = (Mark("culprit", (move.origin, move.target)), Mark("reach", within))
        yield Ruling(MOVEMENT, move, _out_of_reach(position, move, within), marks)


def _out_of_reach(position: Position, move: Move, within: tuple[Site, ...]) -> Text:
    """Where the piece could go, and why not where it went: that tile is of the wrong type, or it is too far."""
    board = position.board
    kind, goal = (kind_of(position, board.index[site]) for site in (move.origin, move.target))
    values = {"origin": move.origin, "places": Listing(within), "target": move.target}
    match kind == THICK, kind == goal:
        case True, True:
            return Text("The Thick piece on {origin} reaches {places}, not {target}, which is Thick.", **values)
        case True, False:
            return Text(
                "The Thick piece on {origin} reaches {places}; {target} does not touch {origin} by a full edge.",
                **values,
            )
        case False, True:
            return Text("The Thin piece on {origin} reaches {places}, not {target}, which is Thin.", **values)
        case _:
            return Text("The Thin piece on {origin} reaches {places}; {target} does not touch {origin}.", **values)


def _placed(position: Position, move: Move) -> Iterator[Ruling[Move]]:
    board = position.board
    gate = board.gates[position.gate() - 1]
    if move.verb == "move" or not gate.tiles >> board.index[move.target] & 1:
        own = board.sites(gate.tiles)
        because = Text(
            "{side} places the first piece on Gate {gate}: {places}.",
            side=NAMES[position.to],
            gate=gate.number,
            places=Listing(own, "or"),
        )
        yield Ruling(LONG, move, because, (Mark("culprit", (move.target,)), Mark("reach", own)))
    yield from _occupied(position, LONG, move)


def _mustered(position: Position, move: Move) -> Iterator[Ruling[Move]]:
    board, men, to = position.board, position.men, position.to
    target, side = board.index[move.target], NAMES[to]
    open_tiles = muster_tiles(board, men, to)
    within = board.sites(open_tiles & position.empty())
    marks = (Mark("culprit", (move.target,)), *((Mark("reach", within),) if within else ()))
    gate = board.gate_of.get(target)
    held = any(men[to] & star.tiles == star.tiles for star in board.remote)
    if not position.reserves[to]:
        yield Ruling(MUSTERING, move, Text("{side} has no piece in reserve.", side=side), marks[:1])
    if gate is None:
        yield Ruling(MUSTERING, move, Text("{place} belongs to no Gate.", place=move.target), marks)
    elif not (held or open_tiles >> target & 1):
        because = Text(
            "{side} stands on no tile of Gate {gate} and holds no Inner Garrison to Muster from afar.",
            side=side,
            gate=gate.number,
        )
        yield Ruling(MUSTERING, move, because, (*marks, Mark("zone", board.sites(gate.tiles))))
    yield from _occupied(position, MUSTERING, move)
    if gate and held and not open_tiles >> target & 1:
        yield from _mustered_from_afar(position, move, gate, marks)


def _mustered_from_afar(position: Position, move: Move, gate: Gate, marks: tuple[Mark, ...]) -> Iterator[Ruling[Move]]:
    board, mine = position.board, position.mine()
    enemies = board.sites(gate.tiles & ~position.empty())
    if enemies:
        because = plural(
            "An enemy on {places} closes Gate {gate} to Remote Mustering.",
            "Enemies on {places} close Gate {gate} to Remote Mustering.",
            len(enemies),
            places=Listing(enemies),
            gate=gate.number,
        )
        yield Ruling(REMOTE, move, because, (*marks, Mark("blocker", enemies)))
    held = [star for star in board.remote if mine & star.tiles == star.tiles]
    if not any(gate in board.remote[star] for star in held):
        because = Text(
            "{side} stands on no tile of Gate {gate}, and that Gate is not on the half of the board of {stars}.",
            side=NAMES[position.to],
            gate=gate.number,
            stars=Listing(tuple(star.name for star in held), "or"),
        )
        yield Ruling(REMOTE, move, because, (*marks, Mark("zone", board.sites(gate.tiles))))
    if not gate.thick >> board.index[move.target] & 1:
        because = Text(
            "A remotely Mustered piece enters Gate {gate} on a Thick tile, {places}; {target} is Thin.",
            gate=gate.number,
            places=Listing(board.sites(gate.thick), "or"),
            target=move.target,
        )
        yield Ruling(REMOTE, move, because, marks)


def _occupied(position: Position, rule: Rule, move: Move) -> Iterator[Ruling[Move]]:
    owner = owner_of(position, position.board.index[move.target])
    if owner is not None:
        because = Text("A piece of {side} stands on {place}.", side=NAMES[owner], place=move.target)
        yield Ruling(rule, move, because, (Mark("blocker", (move.target,)),))
