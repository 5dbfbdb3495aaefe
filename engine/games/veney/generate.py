"""Every tenable turn of a position of Veney, without asking the judge; a test holds the two against each other."""

from collections.abc import Iterable, Iterator
from typing import Final

from engine.game import Turn
from engine.games.veney.act import ENTERING, Act, move
from engine.games.veney.devices import empty_after
from engine.games.veney.endings import Control, Lamp, after
from engine.games.veney.field import Field, adjacent
from engine.games.veney.hand import carry_out
from engine.games.veney.movement import ALONE, IN_CONCERT, Setting, blockers, flailing, movement_faults, shape, zone
from engine.games.veney.piste import (
    BETWEEN,
    BIT,
    EVERYWHERE,
    HALF,
    MEASURES,
    META,
    NEXT,
    NOT_IN_LINE,
    NUMBER,
    RAYS,
    SQUARES,
    TOUCHED,
    WAY,
    meta,
    squares,
)
from engine.games.veney.position import Position
from engine.games.veney.rulebook import BLACK, BLADES, FREE, KIND, KINDS, SWORD, B, C, D, E, G, J, L, N, R, S
from engine.games.veney.setup import allowed, waiting
from engine.games.veney.specials import act_faults
from engine.games.veney.taking import landing_faults
from engine.games.veney.turns import TRAP, judge, sprung

_SELF_PARTNERS: Final = (SWORD, D, G, L)


def turns(position: Position) -> Iterator[Turn]:
    """Every tenable turn, each once.

    Of intentions, which may name anything at all, it lists the honest ones declared without a move.
    """
    if position.pending is not None:
        yield from _follow_ups(position)
        return
    field = Field(position)
    free_to_pass = position.dying is not None or (
        position.stance == field.side if position.stance >= 0 else position.passes < 2
    )
    moves = _moves(field, ())
    yield from _prefixed(position, field, (), moves, free_to_pass)
    if field.point >= 0:
        for name in META:
            if meta(field.point, name) >= 0:
                shifted = field.copy()
                prefix = (Act("meta", "a", plan=name),)
                carry_out(shifted, prefix[0])
                # The end of hirakamae may bring the free engagement in as well, from where it lies now.
                again = moves if position.stance != field.side else _moves(shifted, prefix)
                yield from _prefixed(position, shifted, prefix, again, free_to_pass)
    back = Act("return", "a")
    if position.trail and next(act_faults(field, back, ALONE), None) is None:
        cleared = field.copy()
        carry_out(cleared, back)
        yield from _prefixed(position, cleared, (back,), _moves(cleared, (back,)), free_to_pass)
    if free_to_pass:
        yield from _declared(position, field)
    if position.sprung is not None:
        yield from _springing(position)


def _moves(field: Field, prefix: Turn) -> list[Turn]:
    """The material part of a turn after its first adjustment, without bringing the free engagement in."""
    moves = list(_bodies(field, entering=False, prefix=prefix))
    return moves + _reclaiming(field, moves)


def _prefixed(position: Position, field: Field, prefix: Turn, moves: list[Turn], free_to_pass: bool) -> Iterator[Turn]:
    """A free-engagement adjustment, then each body, then what may end it."""
    bodies = list(_entries(field))
    if free_to_pass:
        bodies.append(())
    lamp = Lamp(field)
    watch = Control(field)
    for group in (moves, bodies):
        for body in group:
            turn = prefix + body
            yield turn
            shines = lamp.shines(body)
            if shines is not None:
                yield (*turn, shines)
            if (fend := watch.fends(body)) is not None:
                yield (*turn, fend)
                if shines is not None:
                    yield (*turn, fend, shines)


# --- bodies ---------------------------------------------------------------------------------------------


def _bodies(field: Field, entering: bool, prefix: Turn = ()) -> Iterator[Turn]:
    """The material part of a turn."""
    side, position = field.side, field.position
    if position.stance == side:
        yield from _unstancing(field, prefix)
        return
    for at, kind in _men(field):
        for act in _actions(field, kind, at):
            yield (act,)
            if act.verb in ENTERING:
                yield from _seconds(field, kind, at, act)
    yield from _concerts(field)
    yield from ((act,) for act in _whole_turns(field))
    if entering:
        yield from _entries(field)


def _men(field: Field) -> list[tuple[int, int]]:
    """Every piece that a side may move: where, and its kind."""
    side = field.side
    men = [(at, field.cells[at] & 15) for at in squares(field.men(side))]
    men += [(at, C) for at in field.capturing(side)]
    if field.free >= 0 and field.holds(side, field.free):
        men.append((field.free, FREE))
    return [(at, kind) for at, kind in men if kind != N]


def targets(field: Field, kind: int, origin: int, setting: Setting = ALONE) -> list[int]:
    """The squares that a piece may move to, as the judge would have it."""
    side = field.side
    cells = field.cells
    if kind in (E, FREE):
        return [
            to
            for to, _, _ in shape(side, kind, origin)
            if next(movement_faults(field, side, kind, origin, to), None) is None
            and (not cells[to] or next(landing_faults(field, side, kind, origin, to), None) is None)
        ]
    inside = zone(field, side, kind, origin, setting) & ~setting.ghost
    block = 0 if kind in (C, R) else blockers(field, side, kind, origin, setting)
    if kind in (B, J) and block:
        inside &= ~sum(bit for to, bit, _ in shape(side, kind, origin) if BETWEEN[origin][to] & block)
    found = [
        to
        for to, bit, between in shape(side, kind, origin)
        if bit & inside
        and not between & block
        and (not cells[to] or next(landing_faults(field, side, kind, origin, to), None) is None)
    ]
    if kind == C and (field.caught or field.position.caught):
        found = [
            to
            for to in found
            if next(act_faults(field, move("C", SQUARES[origin], SQUARES[to]), setting), None) is None
        ]
    return found


def _actions(field: Field, kind: int, at: int, setting: Setting = ALONE) -> Iterator[Act]:
    """Every single action of one piece that stands on the board."""
    side = field.side
    letter = "a" if kind == FREE else KINDS[kind]
    origin = SQUARES[at]
    if kind in BLADES and field.pinned(at) and field.cells[at] >> 4 == side:
        sever = Act("sever", letter, origin)
        if setting is ALONE or setting.ghost:
            yield from _unless_faulty(field, sever, setting)
        return
    if kind == S and field.is_dead(side):
        return
    for to in targets(field, kind, at, setting):
        yield move(letter, origin, SQUARES[to])
    if kind in BLADES:
        yield from _blade_actions(field, kind, at, setting)
    elif kind == G:
        for to in _armaments(field):
            if WAY[at][to] != NOT_IN_LINE:
                yield from _unless_faulty(field, move("G", origin, SQUARES[to], "deflect"), setting)


def _unless_faulty(field: Field, act: Act, setting: Setting) -> Iterator[Act]:
    if next(act_faults(field, act, setting), None) is None:
        yield act


def _armaments(field: Field, kinds: tuple[int, ...] = (SWORD, D, G)) -> list[int]:
    other = BLACK * (1 - field.side)
    return [at for kind in kinds if kind + other in field.cells for at in field.places(1 - field.side, kind)]


def _blade_actions(field: Field, kind: int, at: int, setting: Setting) -> Iterator[Act]:
    side, letter, origin = field.side, KINDS[kind], SQUARES[at]
    for blade in _armaments(field, (SWORD, D)):
        way = WAY[at][blade]
        if way == NOT_IN_LINE:
            continue
        if adjacent(at, blade) and HALF[1 - side] & BIT[at]:
            yield from _unless_faulty(field, move(letter, origin, SQUARES[blade], "cavazione"), setting)
        if HALF[side] & BIT[at] and HALF[side] & BIT[blade]:
            for to in (blade, *RAYS[blade][way]):
                yield from _unless_faulty(field, move(letter, origin, SQUARES[to], "opposition"), setting)
    other = field.selves[1 - side]
    if kind == D and other >= 0 and WAY[at][other] != NOT_IN_LINE:
        yield from _unless_faulty(field, move("D", origin, SQUARES[other], "throw"), setting)
    intent = field.position.intents[side]
    if intent is not None and intent.kind == kind:
        yield from _unless_faulty(field, Act("strike", letter, origin, SQUARES[intent.target]), setting)


def _seconds(field: Field, kind: int, at: int, first: Act) -> Iterator[Turn]:
    """What the same piece may do after landing on a stone or a fire square."""
    to = NUMBER[first.target]
    stone = first.verb == "move" and field.stone(field.side, to)
    if not stone and (field.side, to) not in field.position.fire:
        return
    board = field.copy()
    carry_out(board, first)
    setting = Setting(stone=to, flailing=kind == L and flailing(field, field.side, at), started=at)
    if kind == FREE and not (board.free == to and board.holds(field.side, to)):
        return
    if kind != FREE and board.cells[to] != kind + BLACK * field.side and not (kind == C and board.pinned(to)):
        return
    for act in _actions(board, kind, to, setting):
        if act.verb != "sever":
            yield (first, act)


def _concerts(field: Field) -> Iterator[Turn]:
    side = field.side
    self_at = field.cells.find(S + BLACK * side)
    if self_at < 0 or field.is_dead(side):
        return
    partners = [(kind, at) for kind in _SELF_PARTNERS for at in field.places(side, kind)]
    casts = [
        letter for letter in "LD" if letter in field.reserve[side] or any(KIND[letter] == kind for kind, _ in partners)
    ]
    plain = targets(field, S, self_at)
    for kind, at in partners:
        lifted = None if field.pinned(at) else field.copy()
        if lifted is not None:
            lifted.lift(side, kind, at)
        for to in plain if lifted is None else targets(lifted, S, self_at):
            first = move("S", SQUARES[self_at], SQUARES[to])
            board = (lifted or field).copy()
            carry_out(board, first)
            if lifted is not None and not board.cells[at]:
                board.put(side, kind, at)
            for act in _partner_actions(board, kind, at, IN_CONCERT[to], swapped=board.cells[at] & 15 == S):
                yield (first, act)
    for letter in casts:
        yield from _concert_casts(field, letter, self_at)


def _partner_actions(board: Field, kind: int, at: int, setting: Setting, swapped: bool) -> Iterator[Act]:
    for act in _actions(board, kind, at, setting):
        if not (swapped and act.verb == "strike"):
            yield act


def _concert_casts(field: Field, letter: str, self_at: int) -> Iterator[Turn]:
    at = -1 if letter in field.reserve[field.side] else field.find(field.side, KIND[letter])
    lifted = field.copy()
    if at >= 0:
        if field.pinned(at):
            return
        lifted.lift(field.side, KIND[letter], at)
    for to in targets(lifted, S, self_at):
        first = move("S", SQUARES[self_at], SQUARES[to])
        board = lifted.copy()
        carry_out(board, first)
        if at >= 0 and not board.cells[at]:
            board.put(field.side, KIND[letter], at)
        yield from ((first, act) for act in _casts(board, letter, SQUARES[at] if at >= 0 else ""))


def _casts(field: Field, letter: str, origin: str) -> Iterator[Act]:
    empty = empty_after(field, Act("cast", letter, origin))
    for measure in empty:
        for at in squares(MEASURES[measure]):
            yield from _unless_faulty(field, move(letter, origin, SQUARES[at], "cast"), ALONE)


def _whole_turns(field: Field) -> Iterator[Act]:
    """Placing, withdrawing, casting, the exchanges and the resets."""
    side = field.side
    yield from _placements(field)
    yield from _withdrawals(field)
    for letter in "LCD":
        at = field.find(side, KIND[letter])
        if letter in field.reserve[side]:
            yield from _casts(field, letter, "")
        elif at >= 0:
            yield from _casts(field, letter, SQUARES[at])
    self_at = field.cells.find(S + BLACK * side)
    for at in field.places(side, B):
        for kind in (SWORD, D):
            for blade in field.places(side, kind):
                act = Act("shift", "B", SQUARES[at], SQUARES[blade], other=KINDS[kind])
                yield from _unless_faulty(field, act, ALONE)
    if self_at >= 0:
        for at in field.places(side, C):
            if adjacent(at, self_at):
                yield from _unless_faulty(field, Act("feign", "C", SQUARES[at], SQUARES[self_at], other="S"), ALONE)
        yield from _unless_faulty(field, Act("retreat", "S", SQUARES[self_at]), ALONE)
    if field.returns >= 2:
        yield from _unless_faulty(field, Act("reset", "a"), ALONE)


def _placements(field: Field) -> Iterator[Act]:
    side = field.side
    self_at = field.selves[side]
    for letter in dict.fromkeys(field.reserve[side]):
        kind = KIND[letter]
        near = (EVERYWHERE if kind in (R, N) or self_at < 0 else NEXT[self_at]) & ~field.taken
        for at in squares(near):
            yield from _unless_faulty(field, move(letter, "", SQUARES[at], "place"), ALONE)


def _reclaiming(field: Field, bodies: list[Turn]) -> list[Turn]:
    """The bodies by which the Self comes to the square of its cast Dagger, with the Dagger put back next to it."""
    side, shima = field.side, field.shima
    if shima is None or shima[0] != side or "D" not in field.discard[side] or field.selves[side] == shima[1]:
        return []
    found: list[Turn] = []
    for body in bodies:
        board = after(field, body)
        if board.selves[side] == shima[1]:
            near = squares(NEXT[shima[1]] & ~board.taken)
            found += [(*body, move("D", "", SQUARES[at], "reclaim")) for at in near]
    return found


def _withdrawals(field: Field) -> Iterator[Act]:
    for at, kind in _men(field):
        if kind not in (S, SWORD, FREE):
            yield from _unless_faulty(field, Act("withdraw", KINDS[kind], SQUARES[at]), ALONE)


def _entries(field: Field) -> Iterator[Turn]:
    """Bringing the free engagement into play."""
    if field.point >= 0:
        for at in squares(TOUCHED[field.point] & ~field.taken):
            yield (move("a", "", SQUARES[at], "enter"),)


def _unstancing(field: Field, prefix: Turn) -> Iterator[Turn]:
    """The end of hirakamae: one move, or any two. Rare, so the judge does the sifting."""
    singles = [act for at, kind in _men(field) for act in _actions(field, kind, at)]
    whole = list(_whole_turns(field))
    position = field.position
    seen: dict[Turn, None] = {}
    for act in (*singles, *whole):
        seen[(act,)] = None
        if act.verb in ("place", "shift", "feign", "retreat", "reset"):
            continue
        board = after(field, (act,))
        for at, kind in _men(board):
            for second in _actions(board, kind, at):
                seen[(act, second)] = None
        for second in (*_withdrawals(board), *(cast for letter in "LD" for cast in _later_casts(board, letter))):
            seen[(act, second)] = None
        for entry in _entries(board):
            seen[(act, *entry)] = None
    for double in (*_concerts(field), *_flung(field)):
        seen[double] = None
    for entry in _entries(field):
        board = after(field, entry)
        for at, kind in _men(board):
            for second in _actions(board, kind, at):
                seen[(*entry, second)] = None
        for second in (*_withdrawals(board), *(cast for letter in "LD" for cast in _later_casts(board, letter))):
            seen[(*entry, second)] = None
    yield from (turn for turn in seen if next(judge(position, prefix + turn), None) is None)


def _flung(field: Field) -> Iterator[Turn]:
    """A Lantern's two moves over a stone or a fire square, which may end where two unlinked ones may not."""
    for at in field.places(field.side, L):
        for first in _actions(field, L, at):
            yield from _seconds(field, L, at, first)


def _later_casts(field: Field, letter: str) -> Iterator[Act]:
    if letter in field.reserve[field.side]:
        yield from _casts(field, letter, "")
    elif (at := field.find(field.side, KIND[letter])) >= 0:
        yield from _casts(field, letter, SQUARES[at])


# --- rarities -------------------------------------------------------------------------------------------


def _declared(position: Position, field: Field) -> Iterator[Turn]:
    """Stances, and honest intentions declared without a move."""
    if position.stance < 0 and position.dying is None:
        yield from ((act,) for act in _unless_faulty(field, Act("stance"), ALONE))
    side = field.side
    if not field.places(side, J):
        return
    for kind in (SWORD, D):
        for at in field.places(side, kind):
            for to in targets(field, kind, at):
                code = field.cells[to]
                if code and not field.stone(side, to):
                    letter = "t" if field.effect(side, kind, to) in "tTd" else "f"
                    yield (Act("intend", plan=f"{KINDS[kind]}{letter}{SQUARES[to]}"),)


def _springing(position: Position) -> Iterator[Turn]:
    """Turns that begin with a chaos trap. Rare, so the judge does the sifting."""
    field = sprung(position)
    yield from _sifted(position, ((TRAP, *body) for body in (*_bodies(field, entering=True), ())))
    side = field.side
    inside = [SQUARES[at] for at in squares(HALF[side])]
    self_at = field.cells.find(S + BLACK * side)
    ours = [move("S", SQUARES[self_at], to) for to in inside] if self_at >= 0 else []
    blades = [
        move(KINDS[kind], SQUARES[at], to) for kind in (SWORD, D) for at in field.places(side, kind) for to in inside
    ]
    known = {(TRAP, *body) for body in _bodies(field, entering=True)}
    pairs: Iterable[Turn] = (
        *((TRAP, act) for act in (*ours, *blades)),
        *((TRAP, one, two) for one in ours for two in blades),
    )
    yield from _sifted(position, (turn for turn in pairs if turn not in known))


def _sifted(position: Position, some: Iterable[Turn]) -> Iterator[Turn]:
    return (turn for turn in some if next(judge(position, turn), None) is None)


def _follow_ups(position: Position) -> Iterator[Turn]:
    pending = position.pending
    assert pending is not None
    if pending.what == "throw":
        yield (Act("allow", "D"),)
        yield (Act("prevent", "D"),)
        return
    if pending.what == "setup":
        for letter in dict.fromkeys(waiting(position, position.to)):
            for at in allowed(position, position.to, letter):
                yield (Act("set", letter, target=SQUARES[at]),)
        return
    yield ()
    field = Field(position)
    sites = [SQUARES[at] for at in squares(HALF[field.side])]
    letters = ("S", "$") if pending.what == "distraction" else ("S", "$", "D")
    lone = [((letter, site),) for letter in letters if field.find(field.side, KIND[letter]) >= 0 for site in sites]
    pairs = [
        one + two for one in lone for two in lone if one[0][0] == "S" and two[0][0] != "S" and one[0][1] != two[0][1]
    ]
    turns_ = (((Act("reposition", spots[0][0], target=spots[0][1], spots=spots)),) for spots in (*lone, *pairs))
    yield from _sifted(position, turns_)
