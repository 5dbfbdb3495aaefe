"""Every tenable turn of a position of Veney, without asking the judge; a test holds the two against each other."""

from collections.abc import Iterable, Iterator

from engine.games.veney.action import Action, Turn, move
from engine.games.veney.board.points import META, meta
from engine.games.veney.board.squares import HALF, SQUARES, squares
from engine.games.veney.generate.actions import targets, unless_faulty
from engine.games.veney.generate.bodies import bodies, entries, reclaiming
from engine.games.veney.generate.endings import Control, Lamp
from engine.games.veney.generate.hirakamae import unstancing
from engine.games.veney.judge.actions import action_faults
from engine.games.veney.judge.fault import ALONE
from engine.games.veney.judge.turn import judge
from engine.games.veney.pieces import BLACK, KIND, KINDS, SWORD, D, J, S
from engine.games.veney.play.apply import apply
from engine.games.veney.play.attack import effect
from engine.games.veney.play.turn import TRAP, sprung
from engine.games.veney.play.working_board import WorkingBoard
from engine.games.veney.position import Position
from engine.games.veney.setup.by_turns import allowed, waiting


def turns(position: Position) -> Iterator[Turn]:
    """Every tenable turn, each once.

    Of intentions, which may name anything at all, it lists the honest ones declared without a move.
    """
    if position.pending is not None:
        yield from _follow_ups(position)
        return
    board = WorkingBoard(position)
    free_to_pass = position.dying is not None or (
        position.stance == board.side if position.stance >= 0 else position.passes < 2
    )
    yield from _adjusted(position, board, (), free_to_pass)
    if free_to_pass:
        yield from _declared(position, board)
    if position.sprung is not None:
        yield from _springing(position)


def _adjusted(position: Position, board: WorkingBoard, opening: Turn, free_to_pass: bool) -> Iterator[Turn]:
    """What may follow the opening of a turn, with each adjustment of the free engagement and without any."""
    moves = _moves(position, board, opening)
    yield from _prefixed(board, opening, moves, free_to_pass)
    if board.point >= 0:
        for name in META:
            if meta(board.point, name) >= 0:
                shifted = board.copy()
                prefix = (*opening, Action("meta", "a", plan=name))
                apply(shifted, prefix[-1])
                # The end of hirakamae may bring the free engagement in as well, from where it lies now.
                again = moves if position.stance != board.side else _moves(position, shifted, prefix)
                yield from _prefixed(shifted, prefix, again, free_to_pass)
    back = Action("return", "a")
    if position.trail and next(action_faults(board, back, ALONE), None) is None:
        cleared, prefix = board.copy(), (*opening, back)
        apply(cleared, back)
        yield from _prefixed(cleared, prefix, _moves(position, cleared, prefix), free_to_pass)


def _moves(position: Position, board: WorkingBoard, prefix: Turn) -> list[Turn]:
    """The material part of a turn after its beginning, without bringing the free engagement in."""
    moves = list(unstancing(position, board, prefix) if position.stance == board.side else bodies(board))
    return moves + reclaiming(board, moves)


def _prefixed(board: WorkingBoard, prefix: Turn, moves: list[Turn], free_to_pass: bool) -> Iterator[Turn]:
    """The beginning of a turn, then each body, then what may end it."""
    others = list(entries(board))
    if free_to_pass:
        others.append(())
    lamp = Lamp(board)
    watch = Control(board)
    for group in (moves, others):
        for body in group:
            turn = prefix + body
            yield turn
            if body and body[-1].verb == "reset":
                continue  # nothing follows it
            shines = lamp.shines(body)
            if shines is not None:
                yield (*turn, shines)
            if (fend := watch.fends(body)) is not None:
                yield (*turn, fend)
                if shines is not None:
                    yield (*turn, fend, shines)


def _declared(position: Position, board: WorkingBoard) -> Iterator[Turn]:
    """Stances, and honest intentions declared without a move."""
    if position.stance < 0 and position.dying is None:
        yield from ((action,) for action in unless_faulty(board, Action("stance"), ALONE))
    side = board.side
    if not board.places(side, J):
        return
    for kind in (SWORD, D):
        for at in board.places(side, kind):
            for to in targets(board, kind, at):
                code = board.cells[to]
                if code and not board.stone(side, to):
                    letter = "t" if effect(board, side, kind, to) in "tTd" else "f"
                    yield (Action("intend", plan=f"{KINDS[kind]}{letter}{SQUARES[to]}"),)


def _springing(position: Position) -> Iterator[Turn]:
    """Turns that begin with a chaos trap. Rare, so the judge does the sifting."""
    board = sprung(position)
    usual = dict.fromkeys(_sifted(position, _adjusted(position, board, (TRAP,), free_to_pass=True)))
    yield from usual
    side = board.side
    inside = [SQUARES[at] for at in squares(HALF[side])]
    self_at = board.cells.find(S + BLACK * side)
    ours = [move("S", SQUARES[self_at], to) for to in inside] if self_at >= 0 else []
    blades = [
        move(KINDS[kind], SQUARES[at], to) for kind in (SWORD, D) for at in board.places(side, kind) for to in inside
    ]
    pairs: Iterable[Turn] = (
        *((TRAP, action) for action in (*ours, *blades)),
        *((TRAP, one, two) for one in ours for two in blades),
        # From hirakamae a blade may be named first: there each order is a turn of its own.
        *((TRAP, two, one) for one in ours for two in blades if position.stance == side),
    )
    yield from _sifted(position, (turn for turn in pairs if turn not in usual))


def _sifted(position: Position, some: Iterable[Turn]) -> Iterator[Turn]:
    return (turn for turn in some if next(judge(position, turn), None) is None)


def _follow_ups(position: Position) -> Iterator[Turn]:
    pending = position.pending
    assert pending is not None
    if pending.what == "throw":
        yield (Action("allow", "D"),)
        yield (Action("prevent", "D"),)
        return
    if pending.what == "setup":
        for letter in dict.fromkeys(waiting(position, position.to)):
            for at in allowed(position, position.to, letter):
                yield (Action("set", letter, target=SQUARES[at]),)
        return
    yield ()
    board = WorkingBoard(position)
    sites = [SQUARES[at] for at in squares(HALF[board.side])]
    letters = ("S", "$") if pending.what == "distraction" else ("S", "$", "D")
    lone = [((letter, site),) for letter in letters if board.find(board.side, KIND[letter]) >= 0 for site in sites]
    pairs = [
        one + two for one in lone for two in lone if one[0][0] == "S" and two[0][0] != "S" and one[0][1] != two[0][1]
    ]
    turns_ = (((Action("reposition", spots[0][0], target=spots[0][1], spots=spots)),) for spots in (*lone, *pairs))
    yield from _sifted(position, turns_)
