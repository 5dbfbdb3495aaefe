"""How well a side stands in Veney, which turns deserve a look, and what a turn takes by what stands on its target."""

from collections.abc import Iterator, Mapping

from engine.appraisal import Level
from engine.board import Side
from engine.dice import Dice
from engine.games.veney.action import Action, Turn
from engine.games.veney.board.squares import MEASURE, NUMBER, SQUARES, STEP
from engine.games.veney.generate.turns import turns
from engine.games.veney.judge.turn import judge
from engine.games.veney.pieces import BLACK, BLADES, FREE, KIND, KINDS, MATRIX, SWORD, TOUCH, D, E, G, S
from engine.games.veney.position import SIDES, Position

PIECES: Mapping[str, int] = {
    "$": 900,
    "D": 500,
    "J": 300,
    "G": 250,
    "C": 250,
    "B": 250,
    "L": 250,
    "R": 80,
    "e": 60,
    "S": 0,
    "N": 0,
    "a": 30,
}
RESERVE = 60
"""What a piece in reserve is worth, in hundredths."""
CAUGHT = 3
"""A blade under a Cloak loses one part in so many."""
SELF_STEP, SELF_STEPS = 6, 8
"""What each step of the Self is worth, and up to how many."""
PAWN_STEP = 3
STRAYED = 40
"""What it costs an armament to be two measures or more from its Self."""
TOUCHED = 15_000
"""What a touch is worth, and what it costs to have been touched."""
LAST_BLADE = 18_000
RETURNED = 60_000
"""A touch that answers a touch: both have lost, which is hardly better than losing alone."""
SHARE = 70
"""What a loss that threatens counts, in hundredths."""
DROPPED = frozenset({"withdraw", "cast", "stance", "intend", "retreat", "throw", "announce", "reset"})
"""What is not considered: what hangs on luck or bluff, and what gives something up."""
CLOSING = frozenset({"meta", "return"})
"""With these begin the turns that are listed last: all others once more after an adjustment of the free engagement."""

LEVELS = (
    Level(1, noise=250, blunders=45),
    Level(2, noise=100, blunders=16),
    Level(6, blunders=8),
    Level(12, blunders=5),
    Level(24, blunders=2),
    Level(40),
)
"""Here nodes are turns whose replies are looked at. To look at more makes no stronger play, so the lower levels err."""


def evaluate(position: Position, side: Side) -> int:
    """Own points less the other side's."""
    own = SIDES.index(side)
    return _points(position, own) - _points(position, 1 - own)


def likely(position: Position) -> Iterator[Turn]:
    """The turns that deserve a look; where something is still to be settled, the plainest answer to it."""
    if position.pending is not None and position.pending.what != "setup":
        found = list(turns(position)) if position.pending.what == "throw" else [()]
        yield found[-1]  # a throw in the glare is prevented, Self and blade stay
        return
    others: list[Turn] = []
    some = False
    for turn in turns(position):
        verbs = {action.verb for action in turn}
        if turn and turn[0].verb in CLOSING:
            if some:
                return
            others.append(turn)
        elif verbs & DROPPED:
            others.append(turn)
        else:
            some = True
            yield turn
    if not some:
        yield from others


def promise(position: Position, turn: Turn) -> int:
    """What a turn takes, by what stands where its pieces end."""
    gain, side = 0, position.to
    fallen = position.dying
    for action in turn:
        at = NUMBER.get(action.target, -1)
        if at < 0 or not action.piece:
            continue
        code = position.cells[at]
        kind = KIND.get(action.piece, FREE)
        if fallen is None and code & 15 == S and (code >= BLACK) != bool(side) and kind in BLADES:
            gain += TOUCHED
        elif code & 15 == S and (code >= BLACK) != bool(side) and kind in BLADES:
            return RETURNED
        elif code and code != FREE and (code >= BLACK) != bool(side):
            gain += _loss(position, kind, code)
    return gain


def bluff(position: Position, turn: Turn, dice: Dice) -> Turn | None:
    """The turn with an intention behind it that may be no more than words: a blade is to fall upon some piece."""
    blades = [kind for kind in (SWORD, D) if kind + BLACK * position.to in position.cells]
    others = [at for at, code in enumerate(position.cells) if code and code != FREE and (code >= BLACK) != position.to]
    if not blades or not others:
        return None
    kind, at = blades[dice.roll(len(blades))], others[dice.roll(len(others))]
    effect = MATRIX[kind].get(KINDS[position.cells[at] & 15], "-")
    plan = f"{KINDS[kind]}{'f' if effect in 'fc' else 't'}{SQUARES[at]}"
    said = (*turn, Action("intend", plan=plan))
    return None if effect == "-" or next(judge(position, said), None) else said


def _loss(position: Position, kind: int, code: int) -> int:
    """What the other side loses when this kind of piece falls upon that one."""
    letter = KINDS[code & 15]
    effect = MATRIX[kind].get(letter, "-")
    worth = PIECES[letter]
    if effect in (TOUCH, "-"):
        return 0
    if effect == "d" and code & 15 in BLADES and _blades(position, int(code >= BLACK)) == 1:
        return LAST_BLADE
    lost = worth * (100 - RESERVE) // 100 if effect == "f" else worth // CAUGHT if effect == "c" else worth
    return lost * SHARE // 100


def _blades(position: Position, side: int) -> int:
    cells = position.cells
    return cells.count(SWORD + BLACK * side) + cells.count(D + BLACK * side)


def _points(position: Position, side: int) -> int:
    points = 0
    own = position.where(side)
    measure = MEASURE[own] if own >= 0 else 0
    for at, code in enumerate(position.cells):
        if not code or code == FREE or (code & BLACK) != BLACK * side:
            continue
        kind = code & 15
        worth = PIECES[KINDS[kind]]
        steps = STEP[at] if side == 0 else 17 - STEP[at]
        if kind == S:
            worth += SELF_STEP * min(steps, SELF_STEPS)
        elif kind == E:
            worth += PAWN_STEP * steps
        elif kind in (SWORD, D, G) and measure and abs(MEASURE[at] - measure) > 1:
            worth -= STRAYED
        if position.caught >> at & 1:
            worth -= worth // CAUGHT
        points += worth
    points += sum(PIECES[letter] for letter in position.reserve[side]) * RESERVE // 100
    if position.dying is not None and position.dying[0] == side:
        points -= TOUCHED
    return points
