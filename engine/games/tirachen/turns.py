"""What a side may do in Tirachen: every turn, what a turn does, why one is untenable, and when the game is over."""

from collections.abc import Iterator
from functools import cache

from engine.board import Site
from engine.choice import Choice, choices
from engine.diagram import Mark
from engine.game import Move, Outcome, Rule, Ruling, Turn
from engine.games.tirachen.field import (
    AREA,
    BESIDE,
    BIT,
    FULL,
    HOME,
    HOME_SPAN,
    INDEX,
    LEAP,
    REACH,
    SITES,
    between,
    names,
    span,
    squares,
)
from engine.games.tirachen.position import (
    EMPTY,
    NEUTRAL,
    POOL_SLOT,
    SIDES,
    Pool,
    Position,
    holds,
    kind_of,
    letter,
    own,
    owner_of,
)
from engine.games.tirachen.rulebook import (
    CAPTURE,
    DEPLOYING,
    FORT,
    GENERAL,
    HOMELAND,
    KINDS,
    MOBILIZED,
    MOVEMENT,
    QUIET,
    REPETITION,
    RULES,
    STUCK,
    TRAITOR,
)

QUIET_LIMIT = 100
NAMES = ("Red", "White")
MOBILIZE: Turn = (Move("mobilize"),)

# --- every turn -------------------------------------------------------------------------------------------


def turns(position: Position) -> list[Turn]:
    """Every tenable turn; none once the game is over."""
    if _winner(position) is not None or position.quiet >= QUIET_LIMIT:
        return []
    board, mover = position.board, position.mover
    traitor = _prey(board, mover)
    found: list[Turn] = []
    for square, targets in _moves(position):
        for part, moves in _moves_of(board[square], square):
            found += moves[targets & part]
        if traitor >= 0 and targets & BIT[traitor]:
            turning = _turning(board[square], square, traitor)
            found.append((turning,))
            extra = _extra(position, square, traitor)
            for part, leaps in _moves_of(NEUTRAL, traitor):
                found += [(turning, leap) for (leap,) in leaps[extra & part]]
    for kind, targets in _placements(position):
        for part, placed in _placings_of(kind):
            found += placed[targets & part]
    if not position.mobilized[mover]:
        found.append(MOBILIZE)
    return found


def _moves(position: Position) -> Iterator[tuple[int, int]]:
    """Each piece that can move, and the squares that it can end on."""
    board, mover = position.board, position.mover
    mine = own(board, mover)
    foes = _foes(board, mover)
    occupied = mine | foes
    limit = _limit(position) & ~mine
    for square in squares(mine if position.mobilized[mover] else mine & AREA[mover]):
        targets = REACH[board[square]](square, occupied, foes) & limit
        if targets:
            yield square, targets


def _placements(position: Position) -> Iterator[tuple[str, int]]:
    """Each kind that can be brought, and the squares that it can be brought to."""
    board, mover = position.board, position.mover
    pool = position.pools[mover]
    if not any(pool):
        return
    vacant = FULL & ~(own(board, mover) | _foes(board, mover))
    for kind, slot in POOL_SLOT.items():
        if pool[slot]:
            targets = vacant & _bringing(position, kind)
            if targets:
                yield kind, targets


def _bringing(position: Position, kind: str) -> int:
    """Where a piece of this kind may be brought, whatever stands there."""
    mover = position.mover
    return AREA[mover] if kind == "F" or not position.mobilized[mover] else HOME[mover]


def _limit(position: Position) -> int:
    """The squares on which a move may end, whoever stands there."""
    zone = fort_zone(position.board, 1 - position.mover)
    return ~zone & (FULL if position.mobilized[position.mover] else AREA[position.mover])


def _extra(position: Position, captor: int, traitor: int) -> int:
    """Where the traitor may go at once after this captor was given up for it."""
    if kind_of(position.board[captor]) == "G":
        return 0
    mine = own(position.board, position.mover) & ~BIT[captor]
    return LEAP[traitor] & ~mine & _limit(position)


def _foes(board: bytes, side: int) -> int:
    """What a side can capture: the other side's pieces and the traitor while it is nobody's."""
    foes = own(board, 1 - side)
    neutral = board.find(NEUTRAL)
    return foes if neutral < 0 else foes | BIT[neutral]


def _prey(board: bytes, side: int) -> int:
    """Where the traitor stands, if this side could turn it; else -1."""
    return max(board.find(NEUTRAL), board.find(letter("T", 1 - side)))


def fort_zone(board: bytes, side: int) -> int:
    """The squares around a side's fort."""
    fort = board.find(letter("F", side))
    return 0 if fort < 0 else BESIDE[fort]


@cache
def _moves_of(byte: int, square: int) -> tuple[tuple[int, Choice], ...]:
    """Where a piece could ever go, part by part, and its moves there."""
    kind = kind_of(byte)
    return choices({BIT[end]: (Move("move", kind, SITES[square], SITES[end]),) for end in squares(span(kind, square))})


@cache
def _placings_of(kind: str) -> tuple[tuple[int, Choice], ...]:
    """Where pieces are brought, part by part, and the turns that bring one of this kind."""
    return choices({BIT[end]: (Move("place", kind, "", SITES[end]),) for end in squares(AREA[0] | AREA[1])})


@cache
def _turning(byte: int, square: int, traitor: int) -> Move:
    return Move("turn", kind_of(byte), SITES[square], SITES[traitor])


# --- what a turn does -------------------------------------------------------------------------------------


def play(position: Position, turn: Turn) -> Position:
    """The position after a turn, tenable or not."""
    mover = position.mover
    board = bytearray(position.board)
    pools, mobilized = position.pools, position.mobilized
    quiet = True
    for move in turn:
        if move.verb == "mobilize":
            mobilized = _with(mobilized, mover)
        elif move.verb == "place":
            quiet = False
            board[INDEX[move.target]] = letter(move.piece, mover)
            pool = spent(pools[mover], move.piece)
            pools = (pools[0], pool) if mover else (pool, pools[1])
            if not any(pool):
                mobilized = _with(mobilized, mover)
        else:
            quiet = carry(board, mover, move) and quiet
    return Position(bytes(board), pools, mobilized, 1 - mover, position.quiet + 1 if quiet else 0)


def spent(pool: Pool, kind: str) -> Pool:
    """A pool with one piece less."""
    slot = POOL_SLOT[kind]
    forts, commanders, pikes, masters = (max(0, left - (index == slot)) for index, left in enumerate(pool))
    return (forts, commanders, pikes, masters)


def _with(mobilized: tuple[bool, bool], side: int) -> tuple[bool, bool]:
    return (mobilized[0], True) if side else (True, mobilized[1])


def carry(board: bytearray, mover: int, move: Move) -> bool:
    """Move a piece on the board; whether it captured nothing."""
    origin, target = INDEX[move.origin], INDEX[move.target]
    piece, victim = board[origin], board[target]
    board[origin] = EMPTY
    if move.verb == "turn":
        board[target] = letter("T", mover)
    elif victim == letter("F", 1 - mover):
        board[target] = EMPTY
    else:
        board[target] = piece
    return victim == EMPTY


# --- the end ----------------------------------------------------------------------------------------------


def outcome(position: Position, seen: int) -> Outcome | None:
    """The end of the game, in the order in which endings count."""
    won = _winner(position)
    if won is None and _is_stuck(position):
        won = STUCK, 1 - position.mover
    if won is not None:
        rule, side = won
        return Outcome(rule, frozenset((SIDES[side],)))
    if position.quiet >= QUIET_LIMIT:
        return Outcome(QUIET, frozenset(SIDES))
    return Outcome(REPETITION, frozenset(SIDES)) if seen >= 3 else None


def _winner(position: Position) -> tuple[Rule, int] | None:
    """Who has captured the general or occupied the homeland."""
    board, next_side = position.board, position.mover
    last = 1 - next_side
    if letter("G", last) not in board:
        return GENERAL, next_side
    if letter("G", next_side) not in board:
        return GENERAL, last
    return (HOMELAND, last) if holds(board[HOME_SPAN[next_side]], last) else None


def _is_stuck(position: Position) -> bool:
    return (
        position.mobilized[position.mover]
        and next(_moves(position), None) is None
        and next(_placements(position), None) is None
    )


# --- why a turn is untenable ------------------------------------------------------------------------------


def judge(position: Position, turn: Turn) -> Iterator[Ruling]:
    """Every rule that the turn breaks: its own, then those of the extra move, each in the rulebook's order."""
    over = outcome(position, 1)
    if over is not None:
        yield Ruling(over.rule, turn[0], "the game is over already")
        return
    found = list(_objections(position, turn))
    yield from sorted(found, key=lambda ruling: (turn.index(ruling.move), RULES.index(ruling.rule)))


def _objections(position: Position, turn: Turn) -> Iterator[Ruling]:
    move = turn[0]
    if move.verb == "mobilize":
        if position.mobilized[position.mover]:
            yield Ruling(MOBILIZED, move, f"{NAMES[position.mover]} is mobilized already")
    elif move.verb == "place":
        yield from _placing(position, move)
    else:
        yield from _moving(position, move)
    if len(turn) > 1:
        yield from _following(position, move, turn[1])


def _placing(position: Position, move: Move) -> Iterator[Ruling]:
    mover = position.mover
    mobilized = position.mobilized[mover]
    phase = MOBILIZED if mobilized else DEPLOYING
    target = INDEX[move.target]
    standing = kind_of(position.board[target])
    if standing:
        yield Ruling(
            phase,
            move,
            f"{move.target} is not open: a {KINDS[standing].name} stands there",
            (Mark("culprit", (move.target,)),),
        )
    allowed = _bringing(position, move.piece)
    if not allowed & BIT[target]:
        where = "deployment area" if allowed == AREA[mover] else "homeland"
        yield Ruling(
            phase,
            move,
            f"a {KINDS[move.piece].name} is brought to {NAMES[mover]}'s {where} now, and {move.target} is outside it",
            (Mark("culprit", (move.target,)), Mark("reach", names(allowed))),
        )


def _moving(position: Position, move: Move) -> Iterator[Ruling]:
    """What is wrong with one move of one own piece, whatever came before it."""
    board, mover = position.board, position.mover
    origin, target = INDEX[move.origin], INDEX[move.target]
    mine = own(board, mover)
    foes = _foes(board, mover)
    name = KINDS[move.piece].name
    culprit = Mark("culprit", (move.origin,))
    occupied = mine | foes
    # A pike does reach its own side's piece by its way of capturing; what is wrong with that is said below.
    reached = REACH[board[origin]](origin, occupied, occupied) & ~BIT[origin]
    if not reached & BIT[target]:
        yield _out_of_reach(board, move, occupied, reached & ~mine)
    if mine & BIT[target]:
        friend = KINDS[kind_of(board[target])].name
        yield Ruling(
            CAPTURE,
            move,
            f"{NAMES[mover]}'s own {friend} stands on {move.target}",
            (culprit, Mark("blocker", (move.target,))),
        )
    zone = fort_zone(board, 1 - mover)
    if zone & BIT[target]:
        fort: Site = SITES[board.find(letter("F", 1 - mover))]
        yield Ruling(
            FORT,
            move,
            f"the {name} ends its move on {move.target}, beside {NAMES[1 - mover]}'s fort on {fort}",
            (culprit, Mark("blocker", (fort,)), Mark("zone", names(zone))),
        )
    if not position.mobilized[mover]:
        outside = [site for site in (move.origin, move.target) if not AREA[mover] & BIT[INDEX[site]]]
        if outside:
            yield Ruling(
                DEPLOYING,
                move,
                f"{NAMES[mover]} is still deploying, and {' and '.join(outside)} "
                f"{'lie' if len(outside) > 1 else 'lies'} outside the deployment area",
                (culprit, Mark("reach", names(AREA[mover]))),
            )


def _out_of_reach(board: bytes, move: Move, occupied: int, reached: int) -> Ruling:
    origin, target = INDEX[move.origin], INDEX[move.target]
    kind = KINDS[move.piece]
    marks = (Mark("culprit", (move.origin,)), Mark("reach", names(reached)))
    blockers = between(kind.letter, origin, target) & occupied if span(kind.letter, origin) & BIT[target] else 0
    if blockers:
        because = (
            f"the way of the {kind.name} from {move.origin} to {move.target} is blocked on {_list(names(blockers))}"
        )
        return Ruling(MOVEMENT, move, because, (*marks, Mark("blocker", names(blockers))))
    elsewhere = f"; from {move.origin} that is not {move.target}" if span(kind.letter, origin) else ""
    because = f"a {kind.name} {kind.way}{elsewhere}"
    return Ruling(MOVEMENT, move, because, marks)


def _following(position: Position, first: Move, second: Move) -> Iterator[Ruling]:
    """What is wrong with a second move: only a traitor just turned has one."""
    culprit = Mark("culprit", (second.origin,))
    if first.piece == "G":
        because = "the general was given up, and the game with it, before any extra move"
        yield Ruling(TRAITOR, second, because, (culprit,))
    elif second.origin != first.target:
        because = (
            f"the extra move belongs to the traitor on {first.target}, "
            f"not to the {KINDS[second.piece].name} on {second.origin}"
        )
        yield Ruling(TRAITOR, second, because, (culprit,))
    else:
        board = bytearray(position.board)
        carry(board, position.mover, first)
        yield from _moving(position._replace(board=bytes(board)), second)


def _list(words: tuple[str, ...]) -> str:
    return words[0] if len(words) == 1 else f"{', '.join(words[:-1])} and {words[-1]}"


def without(position: Position, move: Move) -> Position:
    """The position without the piece that a move would have moved, or brought."""
    mover = position.mover
    if move.verb == "place":
        pool = spent(position.pools[mover], move.piece)
        return position._replace(pools=(position.pools[0], pool) if mover else (pool, position.pools[1]))
    if not move.origin or owner_of(position.board[INDEX[move.origin]]) != mover:
        return position
    board = bytearray(position.board)
    board[INDEX[move.origin]] = EMPTY
    return position._replace(board=bytes(board))
