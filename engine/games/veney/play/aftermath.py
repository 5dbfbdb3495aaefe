"""What a turn leaves behind besides the pieces on the board: deaths, passes, intentions, stances, the next side."""

from dataclasses import replace
from typing import Final

from engine.games.veney.action import IMMATERIAL, Action
from engine.games.veney.board.squares import FORWARD, NUMBER, STEP, squares
from engine.games.veney.play.devices import stanceable
from engine.games.veney.play.reset import lay_out
from engine.games.veney.play.working_board import WorkingBoard
from engine.games.veney.position import IN_PLAY, SIDES, Intent, Position, read_intent

_ANEW: Final = frozenset({"retreat", "reset"})
"""What sets the board up anew."""

_FENCING: Final = frozenset({"place", "enter", "throw", "cast"})
"""What ends the wait for a contest, whatever comes of it."""


def finished(
    position: Position, board: WorkingBoard, actions: tuple[Action, ...], entered: Position | None
) -> Position:
    """Everything that a turn leaves behind, and the next side's turn."""
    side = board.side
    verbs = {action.verb for action in actions}
    material = not verbs <= IMMATERIAL
    laid = not verbs.isdisjoint(_ANEW)
    retreated = position.retreated
    if "retreat" in verbs:
        retreated = (retreated[0] + (side == 0), retreated[1] + (side == 1))
        limit = position.terms.retreats[side]
        if 0 <= limit < retreated[side] and board.over is None:
            # We read: a retreat too many ends the game instead of resetting the board.
            board.over = ("resignation", SIDES[1 - side])
            laid = False
    owed = lay_out(board) if laid else position.owed
    dying = _death(position, board, side)
    passes = (
        0
        if material
        else position.passes
        if position.stance >= 0
        else 1
        if position.passes >= 2
        else position.passes + 1
    )
    stance, stanced = _stances(position, board, verbs, material)
    return Position(
        bytes(board.cells),
        board.pending.side if board.pending is not None else 1 - side,
        board.caught,
        board.point,
        board.reserves(),
        board.discards(),
        0 if laid else passes,
        () if laid else _passed(actions)[-1:] if board.former else _passed(actions),
        -1 if laid else _locked(position, board),
        (None, None) if laid else _intents(position, board, _announced(actions) if "intend" in verbs else None),
        1 - side if "glare" in verbs and _dazzles(position, board) else -1,
        () if laid else _trail(position, board, actions),
        0 if laid or (board.returns and _others(actions)) else board.returns,
        retreated,
        "",
        dying,
        stance,
        stanced,
        board.fire,
        board.chaos,
        board.shima,
        None if laid else entered,
        board.pending,
        board.over,
        owed,
        position.terms,
        position.idle + 1 if position.terms.nocontest and not _fenced(position, board, verbs) else 0,
    )


def _others(actions: tuple[Action, ...]) -> bool:
    """Whether a piece other than the free engagement was moved."""
    return any(action.verb not in IMMATERIAL and action.piece != "a" for action in actions)


def _fenced(position: Position, board: WorkingBoard, verbs: set[str]) -> bool:
    """Whether a turn is more than waiting: it placed or attacked something, or the Self went forward."""
    if not verbs.isdisjoint(_FENCING):
        return True
    side, other = board.side, 1 - board.side
    lost = len(board.reserve[other]) + len(board.discard[other])
    if lost != len(position.reserve[other]) + len(position.discard[other]):
        return True
    before, now = position.where(side), board.selves[side]
    return min(before, now) >= 0 and (STEP[now] - STEP[before]) * FORWARD[side] > 0


def _death(position: Position, board: WorkingBoard, side: int) -> tuple[int, int] | None:
    """Who is dying after this turn; a dying turn ends the game."""
    if position.dying is not None and position.dying[0] == side:
        killed = board.touched is not None and board.touched[0] != side
        if killed:
            board.over = ("double", "")
        else:
            spell = board.spell and position.terms.formal and "deathspell" not in position.terms.off
            board.over = ("spell" if spell else "touch", SIDES[1 - side])
        return position.dying
    if board.touched is not None and board.over is None:
        return board.touched
    return None


def _passed(actions: tuple[Action, ...]) -> tuple[tuple[int, int], ...]:
    """The squares that engagements have just crossed in longer advances, and where those now stand."""
    passed: list[tuple[int, int]] = []
    for action in actions:
        if action.verb == "move" and action.piece == "e":
            origin, at = NUMBER[action.origin], NUMBER[action.target]
            # From a stone it may go on.
            passed = [(crossed, at if stood == origin else stood) for crossed, stood in passed]
            if abs(at - origin) in (8, 12):
                passed.append((origin + (4 if at > origin else -4), at))
    return tuple(passed)


def _locked(position: Position, board: WorkingBoard) -> int:
    """The opposing blade that this turn has captured."""
    fresh = board.caught & ~position.caught
    return next((at for at in squares(fresh) if board.cells[at] >> 4 != board.side), -1) if fresh else -1


def _dazzles(position: Position, board: WorkingBoard) -> bool:
    """Whether glare has really fended a Jutsu: one came into the opponent's reserve."""
    other = 1 - board.side
    return board.reserve[other].count("J") > position.reserve[other].count("J")


def _announced(actions: tuple[Action, ...]) -> Intent | None:
    return next((read_intent(action.plan) for action in actions if action.verb == "intend"), None)


def _intents(position: Position, board: WorkingBoard, mine: Intent | None) -> tuple[Intent | None, Intent | None]:
    theirs = position.intents[1 - board.side]
    if theirs is not None and not theirs.moved:
        # We read: what has come to an announced square that was empty is not the target that was announced.
        came = board.cells[theirs.target] and not position.cells[theirs.target]
        if board.watched < 0 or came:
            theirs = replace(theirs, moved=True)
    return (mine, theirs) if board.side == 0 else (theirs, mine)


def _trail(position: Position, board: WorkingBoard, actions: tuple[Action, ...]) -> tuple[int, ...]:
    """The squares of the free engagement; anything but its own moves breaks the chain."""
    if board.point != IN_PLAY:
        return ()
    trail = position.trail
    for action in actions:
        if action.verb == "enter":
            trail = (NUMBER[action.target],)
        elif action.verb == "move" and action.piece == "a":
            trail = (*footsteps(trail, NUMBER[action.origin]), NUMBER[action.target])[-4:]
    return trail if trail and trail[-1] == board.free else ()


def _stances(position: Position, board: WorkingBoard, verbs: set[str], material: bool) -> tuple[int, str]:
    """Who stands in hirakamae after this turn, and who has used it."""
    taken = "stance" in verbs
    stance = board.side if taken else position.stance
    if stance < 0:
        return stance, position.stanced
    letter, used = SIDES[stance], position.stanced
    # A stance that never fitted lasts like one that does: before a call nothing may tell them apart.
    broken = not stanceable(board, stance) and (board.former or stanceable(WorkingBoard(position), stance))
    left = (material and stance == board.side) or not verbs.isdisjoint(_ANEW) or broken
    return -1 if left and not taken else stance, used if letter in used else used + letter


def footsteps(trail: tuple[int, ...], at: int) -> tuple[int, ...]:
    """The last squares of the free engagement, the one it stands on included."""
    return trail if trail and trail[-1] == at else (*trail, at)
