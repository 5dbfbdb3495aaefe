"""Why a turn of Tirachen is untenable: each rule once."""

from collections.abc import Iterator

from engine.board import Site
from engine.diagram import Mark
from engine.game import Move, Ruling, Turn
from engine.games.tirachen.board import AREA, AREA_SITES, BIT, INDEX, REACH, SITES, between, names, span
from engine.games.tirachen.generate import bringing, foes_of, fort_zone
from engine.games.tirachen.play import carry, outcome
from engine.games.tirachen.position import Position, kind_of, letter, own
from engine.games.tirachen.rules import (
    CAPTURE,
    DEPLOYING,
    FORT,
    KINDS,
    MOBILIZED,
    MOVEMENT,
    NAMES,
    RULES,
    TRAITOR,
    way,
)
from engine.text import Listing, Text, plural

OVER = Text("The game is over already.")
GIVEN_UP = Text("The general was given up, and the game with it, before any extra move.")


def judge(position: Position, turn: Turn) -> Iterator[Ruling[Move]]:
    """Every rule that the turn breaks: its own, then those of the extra move, each in the rulebook's order."""
    over = outcome(position, 1)
    if over is not None:
        yield Ruling(over.rule, turn[0], OVER)
        return
    found = list(_objections(position, turn))
    if len(found) > 1:
        found.sort(key=lambda ruling: (turn.index(ruling.move), RULES.index(ruling.rule)))
    yield from found


def _objections(position: Position, turn: Turn) -> Iterator[Ruling[Move]]:
    move = turn[0]
    if move.verb == "mobilize":
        if position.mobilized[position.mover]:
            yield Ruling(MOBILIZED, move, Text("{side} is mobilized already.", side=NAMES[position.mover]))
    elif move.verb == "place":
        yield from _placing(position, move)
    else:
        yield from _moving(position, move)
    if len(turn) > 1:
        yield from _following(position, move, turn[1])


def _placing(position: Position, move: Move) -> Iterator[Ruling[Move]]:
    mover = position.mover
    phase = MOBILIZED if position.mobilized[mover] else DEPLOYING
    target = INDEX[move.target]
    standing = kind_of(position.board[target])
    if standing:
        because = Text("{place} is not open: a {piece} stands there.", place=move.target, piece=KINDS[standing])
        yield Ruling(phase, move, because, (Mark("culprit", (move.target,)),))
    allowed = bringing(position, move.piece)
    if not allowed & BIT[target]:
        said = {"piece": KINDS[move.piece], "side": NAMES[mover], "place": move.target}
        because = (
            Text("A {piece} is brought to {side}'s deployment area now, and {place} is outside it.", **said)
            if allowed == AREA[mover]
            else Text("A {piece} is brought to {side}'s homeland now, and {place} is outside it.", **said)
        )
        yield Ruling(phase, move, because, (Mark("culprit", (move.target,)), Mark("reach", names(allowed))))


def _moving(position: Position, move: Move) -> Iterator[Ruling[Move]]:
    """What is wrong with one move of one own piece, whatever came before it."""
    board, mover = position.board, position.mover
    origin, target = INDEX[move.origin], INDEX[move.target]
    mine = own(board, mover)
    foes = foes_of(board, mover)
    culprit = Mark("culprit", (move.origin,))
    occupied = mine | foes
    # A pike does reach its own side's piece by its way of capturing; what is wrong with that is said below.
    reached = REACH[board[origin]](origin, occupied, occupied) & ~BIT[origin]
    if not reached & BIT[target]:
        yield _out_of_reach(move, occupied, reached & ~mine)
    if mine & BIT[target]:
        because = Text(
            "{side}'s own {piece} stands on {place}.",
            side=NAMES[mover],
            piece=KINDS[kind_of(board[target])],
            place=move.target,
        )
        yield Ruling(CAPTURE, move, because, (culprit, Mark("blocker", (move.target,))))
    zone = fort_zone(board, 1 - mover)
    if zone & BIT[target]:
        fort: Site = SITES[board.find(letter("F", 1 - mover))]
        because = Text(
            "The {piece} ends its move on {place}, beside {side}'s fort on {fort}.",
            piece=KINDS[move.piece],
            place=move.target,
            side=NAMES[1 - mover],
            fort=fort,
        )
        yield Ruling(FORT, move, because, (culprit, Mark("blocker", (fort,)), Mark("zone", names(zone))))
    if not position.mobilized[mover]:
        outside = tuple(site for site in (move.origin, move.target) if not AREA[mover] & BIT[INDEX[site]])
        if outside:
            because = plural(
                "{side} is still deploying, and {places} lies outside the deployment area.",
                "{side} is still deploying, and {places} lie outside the deployment area.",
                len(outside),
                side=NAMES[mover],
                places=Listing(outside),
            )
            yield Ruling(DEPLOYING, move, because, (culprit, Mark("reach", AREA_SITES[mover])))


def _out_of_reach(move: Move, occupied: int, reached: int) -> Ruling[Move]:
    kind, origin, target = move.piece, INDEX[move.origin], INDEX[move.target]
    marks = (Mark("culprit", (move.origin,)), Mark("reach", names(reached)))
    blockers = between(kind, origin, target) & occupied if span(kind, origin) & BIT[target] else 0
    blocked = names(blockers)
    if not blocked:
        return Ruling(MOVEMENT, move, way(kind, move.origin, move.target), marks)
    because = Text(
        "The way of the {piece} from {origin} to {target} is blocked on {places}.",
        piece=KINDS[kind],
        origin=move.origin,
        target=move.target,
        places=Listing(blocked),
    )
    return Ruling(MOVEMENT, move, because, (*marks, Mark("blocker", blocked)))


def _following(position: Position, first: Move, second: Move) -> Iterator[Ruling[Move]]:
    """What is wrong with a second move: only a traitor just turned has one."""
    culprit = Mark("culprit", (second.origin,))
    if first.piece == "G":
        yield Ruling(TRAITOR, second, GIVEN_UP, (culprit,))
    elif second.origin != first.target:
        because = Text(
            "The extra move belongs to the traitor on {traitor}, not to the {piece} on {place}.",
            traitor=first.target,
            piece=KINDS[second.piece],
            place=second.origin,
        )
        yield Ruling(TRAITOR, second, because, (culprit,))
    else:
        board = bytearray(position.board)
        carry(board, position.mover, first)
        yield from _moving(position._replace(board=bytes(board)), second)
