"""Every tenable action of one piece on the board as it stands."""

from collections.abc import Iterator

from engine.games.veney.action import Action, move
from engine.games.veney.board.reach import adjacent
from engine.games.veney.board.squares import BETWEEN, BIT, HALF, NOT_IN_LINE, RAYS, SQUARES, WAY, squares
from engine.games.veney.judge.actions import action_faults
from engine.games.veney.judge.fault import ALONE, Setting
from engine.games.veney.judge.movement import movement_faults
from engine.games.veney.judge.range import blockers, shape, zone
from engine.games.veney.judge.taking import landing_faults
from engine.games.veney.pieces import BLACK, BLADES, FREE, KINDS, SWORD, B, C, D, E, G, J, N, R, S
from engine.games.veney.play.working_board import WorkingBoard


def men_of(board: WorkingBoard) -> list[tuple[int, int]]:
    """Every piece that a side may move: where, and its kind."""
    side = board.side
    men = [(at, board.cells[at] & 15) for at in squares(board.men(side))]
    men += [(at, C) for at in board.capturing(side)]
    if board.free >= 0 and board.holds(side, board.free):
        men.append((board.free, FREE))
    return [(at, kind) for at, kind in men if kind != N]


def targets(board: WorkingBoard, kind: int, origin: int, setting: Setting = ALONE) -> list[int]:
    """The squares that a piece may move to, as the judge would have it."""
    side = board.side
    cells = board.cells
    if kind in (E, FREE):
        return [
            to
            for to, _, _ in shape(side, kind, origin)
            if next(movement_faults(board, side, kind, origin, to), None) is None
            and (not cells[to] or next(landing_faults(board, side, kind, origin, to), None) is None)
        ]
    inside = zone(board, side, kind, origin, setting) & ~setting.ghost
    block = 0 if kind in (C, R) else blockers(board, side, kind, origin, setting)
    if kind in (B, J) and block:
        inside &= ~sum(bit for to, bit, _ in shape(side, kind, origin) if BETWEEN[origin][to] & block)
    found = [
        to
        for to, bit, between in shape(side, kind, origin)
        if bit & inside
        and not between & block
        and (not cells[to] or next(landing_faults(board, side, kind, origin, to), None) is None)
    ]
    if kind == C and (board.caught or board.position.caught):
        found = [
            to
            for to in found
            if next(action_faults(board, move("C", SQUARES[origin], SQUARES[to]), setting), None) is None
        ]
    return found


def actions_of(board: WorkingBoard, kind: int, at: int, setting: Setting = ALONE) -> Iterator[Action]:
    """Every single action of one piece that stands on the board."""
    side = board.side
    letter = "a" if kind == FREE else KINDS[kind]
    origin = SQUARES[at]
    if kind in BLADES and board.pinned(at) and board.cells[at] >> 4 == side:
        sever = Action("sever", letter, origin)
        if setting is ALONE or setting.ghost:
            yield from unless_faulty(board, sever, setting)
        return
    if kind == S and board.is_dead(side):
        return
    for to in targets(board, kind, at, setting):
        yield move(letter, origin, SQUARES[to])
    if kind in BLADES:
        yield from _blade_actions(board, kind, at, setting)
    elif kind == G:
        for to in _armaments(board):
            if WAY[at][to] != NOT_IN_LINE:
                yield from unless_faulty(board, move("G", origin, SQUARES[to], "deflect"), setting)


def unless_faulty(board: WorkingBoard, action: Action, setting: Setting) -> Iterator[Action]:
    """The action, if the judge has no objection to it."""
    if next(action_faults(board, action, setting), None) is None:
        yield action


def _armaments(board: WorkingBoard, kinds: tuple[int, ...] = (SWORD, D, G)) -> list[int]:
    other = BLACK * (1 - board.side)
    return [at for kind in kinds if kind + other in board.cells for at in board.places(1 - board.side, kind)]


def _blade_actions(board: WorkingBoard, kind: int, at: int, setting: Setting) -> Iterator[Action]:
    side, letter, origin = board.side, KINDS[kind], SQUARES[at]
    for blade in _armaments(board, (SWORD, D)):
        way = WAY[at][blade]
        if way == NOT_IN_LINE:
            continue
        if adjacent(at, blade) and HALF[1 - side] & BIT[at]:
            yield from unless_faulty(board, move(letter, origin, SQUARES[blade], "cavazione"), setting)
        if HALF[side] & BIT[at] and HALF[side] & BIT[blade]:
            for to in (blade, *RAYS[blade][way]):
                yield from unless_faulty(board, move(letter, origin, SQUARES[to], "opposition"), setting)
    other = board.selves[1 - side]
    if kind == D and other >= 0 and WAY[at][other] != NOT_IN_LINE:
        yield from unless_faulty(board, move("D", origin, SQUARES[other], "throw"), setting)
    intent = board.position.intents[side]
    if intent is not None and intent.kind == kind:
        yield from unless_faulty(board, Action("strike", letter, origin, SQUARES[intent.target]), setting)
