"""What can be done in Ironclad: every action, what it does, why one is untenable, and when the game is over."""

from collections.abc import Iterator
from dataclasses import dataclass

from engine.choice import Choice, choices
from engine.diagram import Mark
from engine.game import Move, Outcome, Penalty, Rule, Ruling, Turn
from engine.games.ironclad.grid import (
    BIT,
    FIELD,
    FULL,
    INDEX,
    POINTS,
    RAYS,
    ROWS,
    SQUARES,
    STEP,
    WITHIN,
    around,
    beside,
    corners,
    joins,
    members,
    points,
    slides,
    squares,
)
from engine.games.ironclad.position import SIDES, SUPPLY, Position, Squad, cover, negated, robots
from engine.games.ironclad.rulebook import (
    BREAKTHROUGH,
    CIRCULARITY,
    FIRE,
    FORFEIT,
    HALVES,
    MOVEMENT,
    NEGATION,
    PLACING,
    QUIET,
    REPETITION,
    ROBOTS,
    RULES,
    STRING,
)

QUIET_LIMIT = 50
SHORTEST = 7
"""Stones in the shortest string: from line a straight to line g."""
NAMES = ("White", "Black")


@dataclass(frozen=True, slots=True)
class Fire(Move):
    """A shot at the robot on `target`."""

    roll: int = 0
    """What the die showed, 1 to 6; 0 while it has not been thrown or where none is due."""


def owner_of(position: Position, square: int) -> int | None:
    """Whose robot stands on a square."""
    return next((side for side in (0, 1) if height(position, side, square)), None)


def height(position: Position, side: int, square: int) -> int:
    """How high a side's robot on a square is; 0 if there is none."""
    return next((high for high, squad in enumerate(position.squads[side], 1) if squad & BIT[square]), 0)


# --- every action -----------------------------------------------------------------------------------------


def turns(position: Position) -> list[Turn]:
    """Every tenable action, shots without their rolls; none once the game is over."""
    if _winner(position) is not None or position.quiet >= QUIET_LIMIT:
        return []
    if not position.half:
        return robot_turns(position) + stone_turns(position)
    return robot_turns(position) if position.half == "stones" else stone_turns(position)


def robot_turns(position: Position) -> list[Turn]:
    """What the owner can do in the robots half: every move, every shot."""
    found: list[Turn] = []
    if position.discourse:
        return found
    ones, twos, threes = position.squads[position.owner]
    mine = ones | twos | threes
    vacant = FULL & ~robots(position)
    within = 0
    while mine:
        robot = mine & -mine
        mine ^= robot
        steps, range_, turns_to = _ROBOTS[robot]
        found += turns_to[steps & vacant]
        within |= range_
    for high, squad in enumerate(position.squads[1 - position.owner], 1):
        for target in members(squad & within):
            if firepower(position, target) >= high:
                found.append(_SHOTS[target])
    return found


def stone_turns(position: Position) -> list[Turn]:
    """What the owner can do in the stones half: place one, or slide one where none can be placed."""
    placements = _placements(position)
    found: list[Turn] = []
    if placements:
        for some, turns_to in _PLACED:
            found += turns_to[placements & some]
        return found
    white, black = position.stones
    taken = white | black
    movable = taken & beside(FULL & ~taken)
    if position.last >= 0:
        movable &= ~BIT[position.last]
    for stone in members(movable):
        found += _SLID[stone][slides(stone, taken)]
    return found


def firepower(position: Position, target: int) -> int:
    """The heights of all of the owner's robots within range, each as far as it is high, added up."""
    ones, twos, threes = position.squads[position.owner]
    return (
        (ones & WITHIN[1][target]).bit_count()
        + 2 * (twos & WITHIN[2][target]).bit_count()
        + 3 * (threes & WITHIN[3][target]).bit_count()
    )


def _placements(position: Position) -> int:
    white, black = position.stones
    if position.stones[position.owner].bit_count() >= SUPPLY:
        return 0
    return FULL & ~(white | black | negated(position))


def can_use_robots(position: Position) -> bool:
    """Whether the owner has anything to do in the robots half."""
    if position.discourse:
        return False
    ones, twos, threes = position.squads[position.owner]
    return bool(around(ones | twos | threes) & ~robots(position) or robot_turns(position))


def can_use_stones(position: Position) -> bool:
    """Whether the owner has anything to do in the stones half."""
    return bool(_placements(position) or stone_turns(position))


_ROBOTS = {
    BIT[square]: (
        STEP[square],
        WITHIN[3][square],
        Choice({BIT[end]: (Move("robot", "R", SQUARES[square], SQUARES[end]),) for end in members(STEP[square])}),
    )
    for square in members(FIELD)
}
"""By a robot's square: those it can go to, those that are in range of any robot there, and its moves."""
_SHOTS = {square: (Fire("fire", "R", "", SQUARES[square]),) for square in members(FIELD)}
_PLACED = choices({BIT[point]: (Move("place", "S", "", name),) for point, name in enumerate(POINTS)})
_SLID = tuple(
    Choice({BIT[end]: (Move("slide", "S", POINTS[stone], POINTS[end]),) for ray in rays for end in ray})
    for stone, rays in enumerate(RAYS)
)


# --- what an action does ----------------------------------------------------------------------------------


def play(position: Position, turn: Turn) -> Position:
    """The position after an action, tenable or not."""
    (move,) = turn
    squads, stones, last, loud = position.squads, position.stones, position.last, False
    half = "robots" if move.verb in ("robot", "fire") else "stones"
    if isinstance(move, Fire):
        loud = destroys(position, move)
        squads = _lifted(squads, INDEX[move.target]) if loud else squads
    elif half == "robots":
        squads = _marched(squads, INDEX[move.origin], INDEX[move.target])
    else:
        stones, last = _laid(position, move)
        loud = move.verb == "place"
    quiet = 0 if loud else position.quiet
    if not position.half and not position.discourse:
        waiting = Position(squads, stones, last, False, position.owner, half, quiet)
        if half == "robots" or can_use_robots(waiting):
            return waiting
    passed = Position(squads, stones, last, position.discourse, 1 - position.owner, "", quiet)
    return passed if loud or not _is_quiet(position, passed, half) else passed._replace(quiet=quiet + 1)


def _is_quiet(before: Position, after: Position, half: str) -> bool:
    """Whether a turn counts as quiet, once its last half has been neither a placement nor a robot's end.

    We read: a turn that wins by a robot or a string is no quiet one. And since a position does not tell what the first
    half of a turn was, the count starts from 0 on what is likelier: stones were placed, but robots destroyed nothing.
    """
    unknown = not before.quiet and before.half == "stones" and half == "robots"
    return not unknown and _winner(after) is None


def destroys(position: Position, shot: Fire) -> bool:
    """Whether a shot, once its die is thrown, destroys its target."""
    covered = cover(position, INDEX[shot.target])
    return not covered or shot.roll > covered


def _lifted(squads: tuple[Squad, Squad], square: int) -> tuple[Squad, Squad]:
    """The robots without the one on a square."""
    keep = ~BIT[square]
    (a, b, c), (d, e, f) = squads
    return ((a & keep, b & keep, c & keep), (d & keep, e & keep, f & keep))


def _marched(squads: tuple[Squad, Squad], origin: int, target: int) -> tuple[Squad, Squad]:
    """The robots after one has gone from here to there, over whatever stood there."""
    start, end = BIT[origin], BIT[target]
    keep = ~(start | end)

    def marched(squad: Squad) -> Squad:
        ones, twos, threes = squad
        return (
            ones & keep | (end if ones & start else 0),
            twos & keep | (end if twos & start else 0),
            threes & keep | (end if threes & start else 0),
        )

    return (marched(squads[0]), marched(squads[1]))


def _laid(position: Position, move: Move) -> tuple[tuple[int, int], int]:
    """The stones after one was placed or slid, and which was slid last."""
    target = INDEX[move.target]
    colour, last, gone = position.owner, position.last, BIT[target]
    if move.origin:
        origin = INDEX[move.origin]
        colour, last, gone = int(bool(position.stones[1] & BIT[origin])), target, gone | BIT[origin]
    elif last == target:
        last = -1
    white, black = position.stones
    white, black = white & ~gone, black & ~gone
    return ((white, black | BIT[target]) if colour else (white | BIT[target], black)), last


# --- the end ----------------------------------------------------------------------------------------------


def outcome(position: Position, seen: int) -> Outcome | None:
    """The end of the game, in the order in which endings count."""
    won = _winner(position)
    if won is not None:
        rule, side = won
        return Outcome(rule, frozenset((SIDES[side],)))
    helpless = position.half != "stones" and not can_use_stones(position)
    if helpless and (position.half or not can_use_robots(position)):
        return Outcome(FORFEIT, frozenset((SIDES[1 - position.owner],)))
    if position.quiet >= QUIET_LIMIT:
        return Outcome(QUIET, frozenset(SIDES))
    if seen >= 3:
        return Outcome(REPETITION, frozenset(SIDES))
    return None


def _winner(position: Position) -> tuple[Rule, int] | None:
    """Who has reached a winning condition; of two at once, the owner of the half just played."""
    latest = position.owner if position.half else 1 - position.owner
    for side in (latest, 1 - latest):
        ones, twos, threes = position.squads[side]
        if not position.discourse and (ones | twos | threes) & ROWS[1 - side]:
            return BREAKTHROUGH, side
        if position.stones[side].bit_count() >= SHORTEST and joins(position.stones[side]):
            return STRING, side
    return None


# --- why an action is untenable ---------------------------------------------------------------------------


def judge(position: Position, turn: Turn) -> Iterator[Ruling]:
    """Every rule that the action breaks, in the rulebook's order."""
    over = outcome(position, 1)
    (move,) = turn
    if over is not None:
        yield Ruling(over.rule, move, "the game is over already")
        return
    found = [*_objections(position, move), *_order(position, move)]
    yield from sorted(found, key=lambda ruling: RULES.index(ruling.rule))


def _objections(position: Position, move: Move) -> Iterator[Ruling]:
    match move.verb:
        case "place":
            return _placing(position, move)
        case "slide":
            return _sliding(position, move)
        case "robot":
            return _moving(position, move)
        case _:
            return _firing(position, move)


def _order(position: Position, move: Move) -> Iterator[Ruling]:
    half = "robots" if move.verb in ("robot", "fire") else "stones"
    owner = NAMES[position.owner]
    if position.discourse and half == "robots":
        yield Ruling(HALVES, move, "the robots stand still in the discourse game")
    elif position.half == half:
        yield Ruling(HALVES, move, f"the {half} half of {owner}'s turn is played already")


def _placing(position: Position, move: Move) -> Iterator[Ruling]:
    target = INDEX[move.target]
    culprit = Mark("culprit", (move.target,))
    for side, standing in enumerate(position.stones):
        if standing & BIT[target]:
            yield Ruling(PLACING, move, f"a stone of {NAMES[side]}'s stands on {move.target} already", (culprit,))
    if negated(position) & BIT[target]:
        at = squares(sum(BIT[index] for index in members(robots(position)) if corners(BIT[index]) & BIT[target]))
        because = (
            f"{move.target} is a corner of {_list(at)}, where {'robots stand' if len(at) > 1 else 'a robot stands'}"
        )
        yield Ruling(NEGATION, move, because, (culprit, Mark("blocker", at)))


def _sliding(position: Position, move: Move) -> Iterator[Ruling]:
    white, black = position.stones
    origin, target = INDEX[move.origin], INDEX[move.target]
    culprit = Mark("culprit", (move.origin,))
    placements = _placements(position)
    if placements:
        open_points = points(placements)
        because = f"{NAMES[position.owner]} could place a stone, on {open_points[0]} for one"
        yield Ruling(MOVEMENT, move, because, (culprit, Mark("reach", open_points)))
    ray = next((ray for ray in RAYS[origin] if target in ray), ())
    reached = slides(origin, white | black)
    if not ray:
        because = f"no line of the grid leads from {move.origin} to {move.target}"
        yield Ruling(MOVEMENT, move, because, (culprit, Mark("reach", points(reached))))
    elif not reached & BIT[target]:
        path = sum(BIT[point] for point in ray[: ray.index(target) + 1])
        blockers = points(path & (white | black))
        because = f"the way from {move.origin} to {move.target} is blocked on {_list(blockers)}"
        yield Ruling(MOVEMENT, move, because, (culprit, Mark("reach", points(reached)), Mark("blocker", blockers)))
    if origin == position.last:
        yield Ruling(CIRCULARITY, move, f"the stone on {move.origin} is the one that was slid last", (culprit,))


def _moving(position: Position, move: Move) -> Iterator[Ruling]:
    origin, target = INDEX[move.origin], INDEX[move.target]
    culprit = Mark("culprit", (move.origin,))
    if not STEP[origin] & BIT[target]:
        near = squares(STEP[origin] & ~robots(position))
        because = f"a robot goes one square, and {move.target} is farther from {move.origin}"
        yield Ruling(ROBOTS, move, because, (culprit, Mark("reach", near)))
    if robots(position) & BIT[target]:
        because = f"a robot stands on {move.target} already"
        yield Ruling(ROBOTS, move, because, (culprit, Mark("blocker", (move.target,))))


def _firing(position: Position, move: Move) -> Iterator[Ruling]:
    target = INDEX[move.target]
    culprit = Mark("culprit", (move.target,))
    owner = NAMES[position.owner]
    if height(position, position.owner, target):
        yield Ruling(FIRE, move, f"the robot on {move.target} is {owner}'s own", (culprit,))
        return
    power, high = firepower(position, target), height(position, 1 - position.owner, target)
    if power < high:
        because = f"{owner}'s robots in range of {move.target} add up to {power}, and the robot there is {high} high"
        yield Ruling(FIRE, move, because, (culprit, Mark("reach", shooters(position, target))))


def shooters(position: Position, target: int) -> tuple[str, ...]:
    """The squares of the owner's robots that are in range of a square."""
    in_range = sum(squad & WITHIN[high][target] for high, squad in enumerate(position.squads[position.owner], 1))
    return squares(in_range)


def _list(words: tuple[str, ...]) -> str:
    return words[0] if len(words) == 1 else f"{', '.join(words[:-1])} and {words[-1]}"


# --- penalties --------------------------------------------------------------------------------------------


def skip(position: Position) -> Position:
    """The turn passed on. We read: a half that was misplayed for the owner falls away, and the owner's turn ends."""
    return position._replace(owner=1 - position.owner, half="")


def without(position: Position, move: Move) -> Position:
    """The position without the piece that a move would have moved.

    We read: only a piece of the offender's own is a price; robots and stones of the other side stay.
    """
    offender = position.actor
    if not move.origin:
        return position
    origin = INDEX[move.origin]
    if move.verb == "robot":
        mine = owner_of(position, origin) == offender
        return position._replace(squads=_lifted(position.squads, origin)) if mine else position
    if not position.stones[offender] & BIT[origin]:
        return position
    stones = [standing & ~BIT[origin] for standing in position.stones]
    last = -1 if position.last == origin else position.last
    return position._replace(stones=(stones[0], stones[1]), last=last)


def price(before: Position, turn: Turn, penalty: Penalty) -> str:
    """What a half that was misplayed for the owner costs, in a sentence."""
    gone = penalty == "piece" and without(before, turn[0]) != before
    lost = ", and the piece is gone" if gone else ""
    return f"The half is taken back and falls away{lost}; {NAMES[before.owner]}'s turn is over."
