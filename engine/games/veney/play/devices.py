"""Carries out throws, casts and traps, and puts Self and blade elsewhere."""

from engine.board import Site
from engine.games.veney.action import Action
from engine.games.veney.board.squares import BIT, LINE, MEASURE, MEASURES, NUMBER, STEP
from engine.games.veney.pieces import FREE, KIND, SWORD, C, D
from engine.games.veney.play.attack import land
from engine.games.veney.play.working_board import WorkingBoard
from engine.games.veney.position import SIDES, Pending


def throw(board: WorkingBoard, action: Action, lifted: bool) -> None:
    """Throw the Dagger at the opposing Self; whoever misses by one stick may put Self and Sword elsewhere."""
    origin, at = NUMBER[action.origin], NUMBER[action.target]
    sticks = action.luck or board.position.roll
    if not lifted and not board.lift(board.side, D, origin):
        return
    off = missed(sticks, board.side) if sticks or not action.spots else 1
    if off == 0:
        land(board, D, at, "t")
        return
    board.scrap(board.side, D)
    if board.bladeless(board.side) and board.over is None:
        board.over = ("self-disarm", SIDES[1 - board.side])
    elif action.spots:
        rearrange(board, action.spots)
    elif off == 1 and action.luck and board.position.terms.throw in ("sticks", "coins"):
        board.pending = Pending("distraction", board.side)


def missed(sticks: str, side: int) -> int:
    """How many sticks show the wrong colour; sticks that were not thrown count as a clean miss."""
    if not sticks:
        return 2
    if sticks[0] in "+-":
        return 0 if sticks[0] == "+" else 2
    return sum(stick != SIDES[side] for stick in sticks)


def rearrange(board: WorkingBoard, spots: tuple[tuple[str, Site], ...]) -> None:
    """Put Self and blade wherever written, without attacking; what stands in the way stays."""
    lifted = []
    for letter, site in spots:
        at = board.find(board.side, KIND[letter])
        if at >= 0:
            board.uncloak(at)
            board.clear(at)
            lifted.append((KIND[letter], at, NUMBER[site]))
    if board.former:
        for kind, origin, at in lifted:
            free = next((spot for spot in (at, origin) if not board.cells[spot]), -1)
            board.shelve(board.side, kind) if free < 0 else board.put(board.side, kind, free)
        return
    # Whoever cannot go stays, and may so be in the way of another.
    for _ in lifted:
        ends, staying = [at for _, _, at in lifted], {at for _, origin, at in lifted if at == origin}
        lifted = [
            (kind, origin, origin if board.cells[at] or at in staying or at in ends[:place] else at)
            for place, (kind, origin, at) in enumerate(lifted)
        ]
    for kind, _, at in lifted:
        board.put(board.side, kind, at)


def reposition(board: WorkingBoard, action: Action, lifted: bool) -> None:
    """Put Self and blade where a distraction or chaos allows it."""
    rearrange(board, action.spots)
    board.pending = None


def cast(board: WorkingBoard, action: Action, lifted: bool) -> None:
    """Cast a Lantern, a Cloak or a Dagger, into whatever measure; without effect where it falls beside that."""
    kind = KIND[action.piece]
    held = (
        (lifted or board.lift(board.side, kind, NUMBER[action.origin]))
        if action.origin
        else board.draw(board.side, kind)
    )
    if not held:
        return
    board.scrap(board.side, kind)
    at = NUMBER.get(landing(action, board.position.terms.uniform), -1)
    if kind == D and board.bladeless(board.side) and board.over is None:
        board.over = ("self-disarm", SIDES[1 - board.side])
    if at < 0 or _misses(board, action, at):
        rearrange(board, action.spots)
        return
    mark = (board.side, at)
    if kind == KIND["L"]:
        board.fire = (*(cast for cast in board.fire if cast != mark), mark)
    elif kind == C:
        board.chaos = (
            *(cast for cast in board.chaos if (cast[0] != board.side if board.former else cast != mark)),
            mark,
        )
        if action.spots:
            rearrange(board, action.spots)
        elif action.luck:
            board.pending = Pending("chaos", board.side, STEP[at])
    else:
        board.shima = (mark,) if board.former else (*(cast for cast in board.shima if cast != mark), mark)
        for owner in (0, 1):
            for gone in [KIND[letter] for letter in board.reserve[owner] if letter not in "DeN"]:
                board.draw(owner, gone)
                board.scrap(owner, gone)


def _misses(board: WorkingBoard, action: Action, at: int) -> bool:
    """Whether a landing that is told without its sticks is a miss: there is an empty measure, and it is beyond it."""
    empty = board.empty_measures()
    if board.former:
        return MEASURE[at] not in empty
    if action.luck or not empty:
        return False
    low, high = sorted(MEASURE[own] for own in board.selves)
    return not low < MEASURE[at] < high


def landing(action: Action, uniform: bool) -> Site:
    """The square on which a cast piece fell, or "" if outside the board."""
    if not action.luck or not action.target:
        return action.target
    line, step = LINE[NUMBER[action.target]], STEP[NUMBER[action.target]]
    if uniform:
        base = (step - 1) // 4 * 4 + 1
        at = int("".join("1" if stick == "W" else "0" for stick in action.luck), 2)
        return f"{'WXYZ'[at % 4]}{base + at // 4}"
    pairs = [action.luck[:2], action.luck[2:]]
    own = action.plan or "W"
    across, up = (pair.count(own) - 1 for pair in pairs)
    line, step = line + across, step + up
    measure = (STEP[NUMBER[action.target]] - 1) // 4
    return f"{'WXYZ'[line]}{step}" if 0 <= line < 4 and (step - 1) // 4 == measure and step >= 1 else ""


def trap(board: WorkingBoard, action: Action, lifted: bool) -> None:
    """The victim alone; `play` has put the board back to the moment it entered."""
    spent = next((cast for cast in board.chaos if cast[0] == board.side), None)
    if spent is None:
        return
    side, at = spent
    code = board.cells[at]
    if code and code != FREE and code >> 4 != side:
        board.uncloak(at)
        board.clear(at)
        board.scrap(1 - side, code & 15)
    elif board.caught & BIT[at] and code >> 4 == side:
        board.uncloak(at, discard=True)
    board.chaos = tuple(cast for cast in board.chaos if cast != spent)


def empty_after(board: WorkingBoard, action: Action) -> tuple[int, ...]:
    """The empty measures between the Selves once the piece to be cast is picked up."""
    if not action.origin:
        return board.empty_measures()
    # We read: the piece is in the hand when it is thrown, so it does not itself fill the measure.
    return board.empty_measures(lifted=BIT[NUMBER[action.origin]] & board.men(board.side))


def stanceable(board: WorkingBoard, side: int) -> bool:
    """Whether blades and Self stand in hirakamae: beside each other on a step, in an otherwise empty measure."""
    at = board.selves[side]
    if at < 0:
        return False
    blades = [blade for kind in (SWORD, D) for blade in board.places(side, kind)]
    if not blades or len(blades) > 2 or any(STEP[blade] != STEP[at] or abs(blade - at) != 1 for blade in blades):
        return False
    if any(board.pinned(blade) for blade in blades):
        return False
    stance = BIT[at] | sum(BIT[blade] for blade in blades)
    # A Cloak on one of the blades is another piece in the measure.
    return board.taken & MEASURES[MEASURE[at]] == stance and not board.caught & stance
