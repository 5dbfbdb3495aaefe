"""Every tenable action of Ironclad, and what is in reach of robots and stones."""

from engine.games.ironclad.action import Action, Turn
from engine.games.ironclad.board import (
    BIT,
    FIELD,
    FULL,
    POINTS,
    RAYS,
    SQUARES,
    STEP,
    WITHIN,
    around,
    beside,
    members,
    slides,
    squares,
)
from engine.games.ironclad.position import QUIET_LIMIT, SUPPLY, Position, negated, robots, winner
from engine.geometry.move_table import MoveTable, move_tables


def turns(position: Position) -> list[Turn]:
    """Every tenable action, shots without their rolls; none once the game is over."""
    if winner(position) is not None or position.quiet >= QUIET_LIMIT:
        return []
    if not position.half:
        return robot_turns(position) + stone_turns(position) + (_SWAP if position.swap == "now" else [])
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
    free = placements(position)
    found: list[Turn] = []
    if free:
        for some, turns_to in _PLACED:
            found += turns_to[free & some]
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


def placements(position: Position) -> int:
    """The intersections where the owner can place a stone."""
    white, black = position.stones
    if position.stones[position.owner].bit_count() >= SUPPLY:
        return 0
    return FULL & ~(white | black | negated(position))


def shooters(position: Position, target: int) -> tuple[str, ...]:
    """The squares of the owner's robots that are in range of a square."""
    in_range = sum(squad & WITHIN[high][target] for high, squad in enumerate(position.squads[position.owner], 1))
    return squares(in_range)


def can_use_robots(position: Position) -> bool:
    """Whether the owner has anything to do in the robots half."""
    if position.discourse:
        return False
    ones, twos, threes = position.squads[position.owner]
    return bool(around(ones | twos | threes) & ~robots(position) or robot_turns(position))


def can_use_stones(position: Position) -> bool:
    """Whether the owner has anything to do in the stones half."""
    return bool(placements(position) or stone_turns(position))


_ROBOTS = {
    BIT[square]: (
        STEP[square],
        WITHIN[3][square],
        MoveTable({BIT[end]: (Action("robot", "R", SQUARES[square], SQUARES[end]),) for end in members(STEP[square])}),
    )
    for square in members(FIELD)
}
"""By a robot's square: those it can go to, those that are in range of any robot there, and its moves."""
_SWAP: list[Turn] = [(Action("swap"),)]
_SHOTS = {square: (Action("fire", "R", "", SQUARES[square]),) for square in members(FIELD)}
_PLACED = move_tables({BIT[point]: (Action("place", "S", "", name),) for point, name in enumerate(POINTS)})
_SLID = tuple(
    MoveTable({BIT[end]: (Action("slide", "S", POINTS[stone], POINTS[end]),) for ray in rays for end in ray})
    for stone, rays in enumerate(RAYS)
)
