"""The material part of a turn: one move, a double-move, or what is a whole turn."""

from collections.abc import Iterator
from typing import Final

from engine.games.veney.action import ENTERING, Action, Turn, move
from engine.games.veney.board.points import TOUCHED
from engine.games.veney.board.reach import NEXT, adjacent
from engine.games.veney.board.squares import EVERYWHERE, MEASURES, NUMBER, SQUARES, squares
from engine.games.veney.generate.actions import actions_of, men_of, targets, unless_faulty
from engine.games.veney.judge.fault import ALONE, IN_CONCERT, Setting
from engine.games.veney.judge.range import flailing
from engine.games.veney.pieces import BLACK, FREE, KIND, KINDS, SWORD, B, C, D, G, L, N, R, S
from engine.games.veney.play.apply import apply
from engine.games.veney.play.course import after
from engine.games.veney.play.devices import empty_after
from engine.games.veney.play.working_board import WorkingBoard

_SELF_PARTNERS: Final = (SWORD, D, G, L)


def bodies(board: WorkingBoard) -> Iterator[Turn]:
    """The material part of a turn, without bringing the free engagement into play; not in hirakamae."""
    for at, kind in men_of(board):
        for action in actions_of(board, kind, at):
            yield (action,)
            if action.verb in ENTERING:
                yield from seconds(board, kind, at, action)
    yield from concerts(board)
    yield from ((action,) for action in whole_turns(board))


def seconds(board: WorkingBoard, kind: int, at: int, first: Action) -> Iterator[Turn]:
    """What the same piece may do after landing on a stone or a fire square."""
    to = NUMBER[first.target]
    stone = first.verb == "move" and board.stone(board.side, to)
    if not stone and (board.side, to) not in board.position.fire:
        return
    then = board.copy()
    apply(then, first)
    setting = Setting(stone=to, flailing=kind == L and flailing(board, board.side, at), started=at)
    if kind == FREE and not (then.free == to and then.holds(board.side, to)):
        return
    if kind != FREE and then.cells[to] != kind + BLACK * board.side and not (kind == C and then.pinned(to)):
        return
    for action in actions_of(then, kind, to, setting):
        if action.verb != "sever":
            yield (first, action)


def concerts(board: WorkingBoard) -> Iterator[Turn]:
    """Every move of the Self with another of its partner."""
    side = board.side
    self_at = board.cells.find(S + BLACK * side)
    if self_at < 0 or board.is_dead(side):
        return
    partners = [(kind, at) for kind in _SELF_PARTNERS for at in board.places(side, kind)]
    casts = [
        letter for letter in "LD" if letter in board.reserve[side] or any(KIND[letter] == kind for kind, _ in partners)
    ]
    plain = targets(board, S, self_at)
    for kind, at in partners:
        lifted = None if board.pinned(at) else board.copy()
        if lifted is not None:
            lifted.lift(side, kind, at)
        for to in plain if lifted is None else targets(lifted, S, self_at):
            first = move("S", SQUARES[self_at], SQUARES[to])
            then = (lifted or board).copy()
            apply(then, first)
            if lifted is not None and not then.cells[at]:
                then.put(side, kind, at)
            for action in _partner_actions(then, kind, at, IN_CONCERT[to], swapped=then.cells[at] & 15 == S):
                yield (first, action)
    for letter in casts:
        yield from _concert_casts(board, letter, self_at)


def _partner_actions(then: WorkingBoard, kind: int, at: int, setting: Setting, swapped: bool) -> Iterator[Action]:
    for action in actions_of(then, kind, at, setting):
        if not (swapped and action.verb == "strike"):
            yield action


def _concert_casts(board: WorkingBoard, letter: str, self_at: int) -> Iterator[Turn]:
    at = -1 if letter in board.reserve[board.side] else board.find(board.side, KIND[letter])
    lifted = board.copy()
    if at >= 0:
        if board.pinned(at):
            return
        lifted.lift(board.side, KIND[letter], at)
    for to in targets(lifted, S, self_at):
        first = move("S", SQUARES[self_at], SQUARES[to])
        then = lifted.copy()
        apply(then, first)
        if at >= 0 and not then.cells[at]:
            then.put(board.side, KIND[letter], at)
        yield from ((first, action) for action in casts(then, letter, SQUARES[at] if at >= 0 else ""))


def casts(board: WorkingBoard, letter: str, origin: str) -> Iterator[Action]:
    """Every way to cast a piece into an empty measure."""
    empty = empty_after(board, Action("cast", letter, origin))
    for measure in empty:
        for at in squares(MEASURES[measure]):
            yield from unless_faulty(board, move(letter, origin, SQUARES[at], "cast"), ALONE)


def whole_turns(board: WorkingBoard) -> Iterator[Action]:
    """Placing, withdrawing, casting, the exchanges and the resets."""
    side = board.side
    yield from _placements(board)
    yield from withdrawals(board)
    for letter in "LCD":
        at = board.find(side, KIND[letter])
        if letter in board.reserve[side]:
            yield from casts(board, letter, "")
        elif at >= 0:
            yield from casts(board, letter, SQUARES[at])
    self_at = board.cells.find(S + BLACK * side)
    for at in board.places(side, B):
        for kind in (SWORD, D):
            for blade in board.places(side, kind):
                action = Action("shift", "B", SQUARES[at], SQUARES[blade], other=KINDS[kind])
                yield from unless_faulty(board, action, ALONE)
    if self_at >= 0:
        for at in board.places(side, C):
            if adjacent(at, self_at):
                yield from unless_faulty(board, Action("feign", "C", SQUARES[at], SQUARES[self_at], other="S"), ALONE)
        yield from unless_faulty(board, Action("retreat", "S", SQUARES[self_at]), ALONE)
    if board.returns >= 2:
        yield from unless_faulty(board, Action("reset", "a"), ALONE)


def _placements(board: WorkingBoard) -> Iterator[Action]:
    side = board.side
    self_at = board.selves[side]
    for letter in dict.fromkeys(board.reserve[side]):
        kind = KIND[letter]
        near = (EVERYWHERE if kind in (R, N) or self_at < 0 else NEXT[self_at]) & ~board.taken
        for at in squares(near):
            yield from unless_faulty(board, move(letter, "", SQUARES[at], "place"), ALONE)


def reclaiming(board: WorkingBoard, bodies: list[Turn]) -> list[Turn]:
    """The bodies by which the Self comes to the square of its cast Dagger, with the Dagger put back next to it."""
    side = board.side
    lying = {at for owner, at in board.shima if owner == side} - {board.selves[side]}
    if not lying or "D" not in board.discard[side]:
        return []
    found: list[Turn] = []
    for body in bodies:
        then = after(board, body)
        if then.selves[side] in lying:
            near = squares(NEXT[then.selves[side]] & ~then.taken)
            found += [(*body, move("D", "", SQUARES[at], "reclaim")) for at in near]
    return found


def withdrawals(board: WorkingBoard) -> Iterator[Action]:
    """Every piece that may go back into the reserve."""
    for at, kind in men_of(board):
        if kind not in (S, SWORD, FREE):
            yield from unless_faulty(board, Action("withdraw", KINDS[kind], SQUARES[at]), ALONE)


def entries(board: WorkingBoard) -> Iterator[Turn]:
    """Bringing the free engagement into play."""
    if board.point >= 0:
        for at in squares(TOUCHED[board.point] & ~board.taken):
            yield (move("a", "", SQUARES[at], "enter"),)
