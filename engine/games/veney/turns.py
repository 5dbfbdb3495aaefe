"""Whole turns of Veney: the silent judge, and the hand that plays what was written and passes the turn on."""

from collections.abc import Iterator
from dataclasses import replace
from itertools import islice
from typing import Final, TypeAlias

from engine.diagram import Mark
from engine.game import Ruling, Turn
from engine.games.veney.act import ENTERING, IMMATERIAL, Act, acts_of
from engine.games.veney.codes import RULES
from engine.games.veney.course import Step, begun, halted, resumed, walk
from engine.games.veney.devices import stanceable
from engine.games.veney.field import Field
from engine.games.veney.hand import carry_out
from engine.games.veney.movement import ALONE, IN_CONCERT, Fault, Setting, area, flailing, mark
from engine.games.veney.piste import AHEAD, BIT, FORWARD, HALF, NUMBER, STEP, squares
from engine.games.veney.position import IN_PLAY, SIDES, Intent, Position, read_intent
from engine.games.veney.reset import lay_out
from engine.games.veney.rulebook import BLACK, KIND, TECHNICAL, C, S
from engine.games.veney.specials import FAULTS, act_faults, footsteps
from engine.games.veney.taking import landing_faults, pin_faults

PASS: Final = Act("pass")
"""Stands for a turn without moves where a ruling has to name a part of it."""

TRAP: Final = Act("trap", "C")

_Broken: TypeAlias = tuple[Act, Fault]
_PLACE: Final = {code: at for at, code in enumerate(RULES)}

_ON_A_STONE: Final = frozenset({"move", "cavazione", "opposition", "deflect", "throw", "announce", "strike"})
_SWAPS: Final = frozenset({"shift", "feign"})
_ENDING: Final = frozenset({"glare", "intend"})
_FIRST: Final = frozenset({"meta", "return"})
_ANEW: Final = frozenset({"retreat", "reset"})
"""What sets the board up anew."""
_FREE_OF_CHARGE: Final = IMMATERIAL | {"reclaim", "trap"}
_FENCING: Final = frozenset({"place", "enter", "throw", "cast"})
"""What ends the wait for a contest, whatever comes of it."""


# --- the judge ------------------------------------------------------------------------------------------


def judge(position: Position, turn: Turn) -> Iterator[Ruling]:
    """Every rule a turn breaks, in the rulebook's order."""
    found = _faults(position, acts_of(turn))
    found.sort(key=_place)
    return (Ruling(RULES[fault.code], act, fault.because, _marked(act, fault)) for act, fault in found)


def _place(broken: _Broken) -> int:
    """Where the rulebook has the rule."""
    return _PLACE[broken[1].code]


def _marked(act: Act, fault: Fault) -> tuple[Mark, ...]:
    ends = (act.origin,) if act.verb == "cast" else (act.origin, act.target)  # where it fell is the caster's secret
    sites = tuple(dict.fromkeys(site for site in ends if site))
    own = mark("culprit", *(NUMBER[site] for site in sites))
    return own + tuple(one for one in fault.marks if one not in own)


def _faults(position: Position, acts: tuple[Act, ...]) -> list[_Broken]:
    if position.over is not None:
        return [(acts[0] if acts else PASS, Fault("2.0.21:over", "the game has ended"))]
    if position.pending is not None:
        board = Field(position)
        return [(_blamed(act, fault), fault) for act in acts for fault in act_faults(board, act, ALONE)]
    if acts and acts[0].verb == "trap":
        return list(_trap_faults(position, acts))
    course = begun(position, acts)
    found = list(_turn_faults(position, acts, course.field, course.steps))
    halted(course)
    return found


def _blamed(act: Act, fault: Fault) -> Act:
    """Of a rearrangement, the part that is at fault."""
    culprits = {site for one in fault.marks if one.kind == "culprit" for site in one.sites}
    piece, site = next((spot for spot in act.spots if spot[1] in culprits), (act.piece, act.target))
    return replace(act, piece=piece, target=site)


def _trap_faults(position: Position, acts: tuple[Act, ...]) -> Iterator[_Broken]:
    field = Field(position)
    for fault in act_faults(field, acts[0], ALONE):
        yield acts[0], fault
    field = sprung(position)
    rest = acts[1:]
    read_turn = list(_turn_faults(position, rest, field, walk(field, rest))) if rest else []
    letters = [act.piece for act in rest]
    if read_turn and all(act.verb == "move" for act in rest) and set(letters) <= {"S", "$", "D"}:
        # We read: after the trap, moves of Self and blade are its rearrangement unless they are a turn of their own.
        rearranged = list(_rearranging(position, rest))
        read_turn = min(rearranged, read_turn, key=len)
    yield from read_turn


def _rearranging(position: Position, acts: tuple[Act, ...]) -> Iterator[_Broken]:
    step = next((STEP[at] for side, at in position.chaos if side == position.to), 17 * (1 - position.to))
    field = sprung(position)
    allowed = HALF[field.side] & AHEAD[1 - field.side][step]
    if len(acts) > 2 or sum(act.piece == "S" for act in acts) > 1 or sum(act.piece != "S" for act in acts) > 1:
        yield acts[-1], Fault("2.0.15:too-many", "one Self and one blade are put elsewhere")
    for act in acts:
        at, origin, kind = NUMBER[act.target], NUMBER[act.origin], KIND[act.piece]
        if not allowed & BIT[at]:
            yield (
                act,
                Fault(
                    "2.0.18:reposition-zone",
                    f"{act.target} is not on the mover's side behind step {step}",
                    area("zone", allowed),
                ),
            )
        for fault in (
            *pin_faults(field, field.side, kind, origin),
            *landing_faults(field, field.side, kind, origin, at),
        ):
            yield act, fault
        carry_out(field, act)


def _turn_faults(position: Position, acts: tuple[Act, ...], field: Field, steps: Iterator[Step]) -> Iterator[_Broken]:
    """What is wrong with each action where it is come to; the last is not carried out."""
    material = not is_pass(acts)
    if not material and position.dying is None:
        yield from ((PASS, fault) for fault in _passing(position))  # no piece is at fault for standing still
    ended: Act | None = None
    moves, last = 0, len(acts) - 1
    history: list[_Past] = []
    for at, act, partner in islice(steps, len(acts)):
        verb = act.verb
        if ended is not None and verb != "stray":
            yield act, Fault("2.0.16:after-end", f"the turn ended when it {_ended(ended)}")
        if verb in _FIRST and at:
            yield act, Fault("2.0.05:meta-order", "a turn has one meta-move, before anything else")
        elif verb == "intend" and any(other.verb == "meta" for other in acts[:at]):
            yield act, Fault("2.0.05:meta-and-intention", "this turn has a meta-move and an intention")
        elif verb in _ENDING:
            ended = act
        if verb not in _FREE_OF_CHARGE:
            if moves:
                for fault in _link(field, act, moves, history):
                    yield act, fault
            moves += 2 if verb in _SWAPS else 1
        if partner is not None and act.origin == act.target:
            yield (
                act,
                Fault("2.0.03:self-stays", f"the Self stays on {act.target}", mark("culprit", NUMBER[act.target])),
            )
        else:
            for fault in FAULTS[verb](field, act, _setting(field, act, history) if history else ALONE):
                yield act, fault
        if verb != "control" and at < last:
            history.append(_remembered(field, act, partner))


_Past: TypeAlias = tuple[Act, Act | None, bool, bool]
"""An action, its partner in concert, and what it found: a stepping stone, and the state of flailing."""


def _remembered(field: Field, act: Act, partner: Act | None) -> _Past:
    stone = act.verb == "move" and field.stone(field.side, NUMBER[act.target])
    flails = act.piece == "L" and bool(act.origin) and flailing(field, field.side, NUMBER[act.origin])
    return act, partner, stone, flails


def _ended(act: Act) -> str:
    return "glared" if act.verb == "glare" else "announced an intention"


def _passing(position: Position) -> Iterator[Fault]:
    if position.stance >= 0:
        if position.stance != position.to:
            yield Fault("2.0.18:hirakamae-no-pass", "the opponent stands in hirakamae")
    elif position.passes >= 2:
        yield Fault("2.0.17:forced", "both sides have just passed, so this turn needs a move on the board")


def is_pass(acts: Turn) -> bool:
    """Whether nothing in a turn is a move on the board."""
    return {act.verb for act in acts} <= IMMATERIAL


def _setting(field: Field, act: Act, history: list[_Past]) -> Setting:
    """What the turn so far, fends by Control aside, means for this action."""
    last, partner, stone, flailed = history[-1]
    if partner is act:
        at = field.cells.find(S + BLACK * field.side)
        return IN_CONCERT[at] if at >= 0 else ALONE
    if act.origin and last.target == act.origin and last.piece == act.piece and last.verb in ENTERING:
        started = next(NUMBER[one.origin] for one, *_ in history if one.piece == act.piece and one.origin)
        springboard = stone or _on_fire(field, last)
        return Setting(stone=NUMBER[act.origin] if springboard else -1, flailing=flailed, started=started)
    return ALONE


def _link(field: Field, act: Act, moves: int, history: list[_Past]) -> Iterator[Fault]:
    """Whether a further move may follow."""
    everything = [act, *(past for past, *_ in history)]
    verbs = {one.verb for one in everything}
    if "retreat" in verbs:
        yield Fault("2.0.02:retreat-double", "a retreat is the whole turn")
    elif any(one.verb == "cast" and one.piece == "C" for one in everything):
        yield Fault("2.0.18:cast-cloak-concert", "a cast Cloak is the whole turn")
    elif moves > 1:
        yield Fault("2.0.15:too-many", "this would be more than two moves in one turn")
    elif act.verb == "place" or (field.position.stance == field.side and "place" in verbs):
        yield Fault("2.0.15:place-in-double", "a placement is the only move of its turn")
    elif act.verb in _SWAPS:
        yield Fault("2.0.15:special-second", f"a {act.verb} moves two pieces, so nothing may come before it")
    elif "reset" in verbs:
        yield Fault("2.0.15:unlinked", "a reset is the whole turn")
    elif field.position.stance != field.side and not _linked(field, act, history[-1]):
        yield Fault("2.0.15:unlinked", "nothing links these two moves")


def _linked(field: Field, act: Act, before: _Past) -> bool:
    last, partner, stone, _ = before
    if partner is act:
        return True
    again = last.verb in ENTERING and last.piece == act.piece and last.target == act.origin
    if not again or act.verb not in _ON_A_STONE:
        return False
    return stone or _on_fire(field, last)


def _on_fire(field: Field, act: Act) -> bool:
    """Whether an action ends on a fire square of its side, from which a piece goes on as from a stone."""
    return (field.side, NUMBER[act.target]) in field.position.fire


# --- the hand -------------------------------------------------------------------------------------------


def sprung(position: Position) -> Field:
    """The board with a chaos trap sprung: back to the moment the piece entered, and that piece gone.

    What the caster has announced and where it stands in hirakamae is not forgotten by that.
    """
    base = position
    if position.sprung is not None:
        base = replace(position.sprung, intents=position.intents, stance=position.stance, terms=position.terms)
    field = Field(base, position.to)
    carry_out(field, TRAP)
    return field


def play(position: Position, turn: Turn) -> Position:
    """The position after a turn; whatever was written is carried out."""
    acts = acts_of(turn)
    if position.pending is not None:
        return _settle(position, acts)
    if acts and acts[0].verb == "trap":
        field = sprung(position)
        return _finish(position, field, acts, _carry_out(position, field, walk(field, acts[1:])))
    course = begun(position, acts) if position.chaos else resumed(position, acts)
    return _finish(position, course.field, acts, _carry_out(position, course.field, course.steps))


def _carry_out(position: Position, field: Field, steps: Iterator[Step]) -> Position | None:
    """Do it all; returns the board as it was when a technical piece entered the other side's chaos."""
    traps = [at for owner, at in position.chaos if owner != field.side] if position.chaos else []
    entered: Position | None = None
    last: Act | None = None
    for _, act, _ in steps:
        entered = entered or _entering(position, field, last, traps)
        last = act
    return entered or _entering(position, field, last, traps)


def _entering(position: Position, field: Field, act: Act | None, traps: list[int]) -> Position | None:
    if not traps or act is None or not act.target or NUMBER[act.target] not in traps:
        return None
    at, kind = NUMBER[act.target], KIND.get(act.piece, 0)
    on_it = field.cells[at] == kind + BLACK * field.side or (kind == C and bool(field.caught & BIT[at]))
    return _frozen(position, field) if kind in TECHNICAL and on_it else None


def _frozen(position: Position, field: Field) -> Position:
    """The board alone, as a position: what a chaos trap goes back to. The terms are those of the game anyway."""
    return Position(
        bytes(field.cells),
        position.to,
        field.caught,
        field.point,
        field.reserves(),
        field.discards(),
        fire=field.fire,
        chaos=field.chaos,
        shima=field.shima,
    )


def _settle(position: Position, acts: tuple[Act, ...]) -> Position:
    """The follow-up of a throw or a cast: Self and blade are put elsewhere, and the turn passes on."""
    field = Field(position)
    for act in acts:
        carry_out(field, act)
    return replace(
        position,
        cells=bytes(field.cells),
        caught=field.caught,
        reserve=field.reserves(),
        to=1 - position.to,
        pending=None,
    )


def _finish(position: Position, field: Field, acts: tuple[Act, ...], entered: Position | None) -> Position:
    """Everything that a turn leaves behind, and the next side's turn."""
    side = field.side
    verbs = {act.verb for act in acts}
    material = not verbs <= IMMATERIAL
    laid = not verbs.isdisjoint(_ANEW)
    retreated = position.retreated
    if "retreat" in verbs:
        retreated = (retreated[0] + (side == 0), retreated[1] + (side == 1))
        limit = position.terms.retreats[side]
        if 0 <= limit < retreated[side] and field.over is None:
            # We read: a retreat too many ends the game instead of resetting the board.
            field.over = ("resignation", SIDES[1 - side])
            laid = False
    if laid:
        lay_out(field)
    dying = _death(position, field, side)
    passes = (
        0
        if material
        else position.passes
        if position.stance >= 0
        else 1
        if position.passes >= 2
        else position.passes + 1
    )
    stance, stanced = _stances(position, field, verbs, material)
    return Position(
        bytes(field.cells),
        side if field.pending is not None else 1 - side,
        field.caught,
        field.point,
        field.reserves(),
        field.discards(),
        0 if laid else passes,
        None if laid else _passed(acts),
        -1 if laid else _locked(position, field),
        (None, None) if laid else _intents(position, field, _announced(acts) if "intend" in verbs else None),
        1 - side if "glare" in verbs and _dazzles(position, field) else -1,
        () if laid else _trail(position, field, acts),
        0 if laid or (field.returns and _others(acts)) else field.returns,
        retreated,
        "",
        dying,
        stance,
        stanced,
        field.fire,
        field.chaos,
        field.shima,
        None if laid else entered,
        field.pending,
        field.over,
        position.owed,
        position.terms,
        position.idle + 1 if position.terms.nocontest and not _fenced(position, field, verbs) else 0,
    )


def _others(acts: tuple[Act, ...]) -> bool:
    """Whether a piece other than the free engagement was moved."""
    return any(act.verb not in IMMATERIAL and act.piece != "a" for act in acts)


def _fenced(position: Position, field: Field, verbs: set[str]) -> bool:
    """Whether a turn is more than waiting: it placed or attacked something, or the Self went forward."""
    if not verbs.isdisjoint(_FENCING):
        return True
    side, other = field.side, 1 - field.side
    lost = len(field.reserve[other]) + len(field.discard[other])
    if lost != len(position.reserve[other]) + len(position.discard[other]):
        return True
    before, now = position.where(side), field.selves[side]
    return min(before, now) >= 0 and (STEP[now] - STEP[before]) * FORWARD[side] > 0


def _death(position: Position, field: Field, side: int) -> tuple[int, int] | None:
    """Who is dying after this turn; a dying turn ends the game."""
    if position.dying is not None and position.dying[0] == side:
        killed = field.touched is not None and field.touched[0] != side
        if killed:
            field.over = ("double", "")
        else:
            spell = field.spell and position.terms.formal and "deathspell" not in position.terms.off
            field.over = ("spell" if spell else "touch", SIDES[1 - side])
        return position.dying
    if field.touched is not None and field.over is None:
        return field.touched
    return None


def _passed(acts: tuple[Act, ...]) -> tuple[int, int] | None:
    """The square that an engagement has just crossed in a longer advance."""
    crossed = None
    for act in acts:
        if act.verb == "move" and act.piece == "e":
            origin, at = NUMBER[act.origin], NUMBER[act.target]
            if abs(at - origin) in (8, 12):
                crossed = (origin + (4 if at > origin else -4), at)
            elif crossed is not None and origin == crossed[1]:
                crossed = (crossed[0], at)  # from a stone it has gone on
    return crossed


def _locked(position: Position, field: Field) -> int:
    """The opposing blade that this turn has captured."""
    fresh = field.caught & ~position.caught
    return next((at for at in squares(fresh) if field.cells[at] >> 4 != field.side), -1) if fresh else -1


def _dazzles(position: Position, field: Field) -> bool:
    """Whether glare has really fended a Jutsu: one came into the opponent's reserve."""
    other = 1 - field.side
    return field.reserve[other].count("J") > position.reserve[other].count("J")


def _announced(acts: tuple[Act, ...]) -> Intent | None:
    return next((read_intent(act.plan) for act in acts if act.verb == "intend"), None)


def _intents(position: Position, field: Field, mine: Intent | None) -> tuple[Intent | None, Intent | None]:
    theirs = position.intents[1 - field.side]
    if theirs is not None and not theirs.moved:
        # We read: what has come to an announced square that was empty is not the target that was announced.
        came = field.cells[theirs.target] and not position.cells[theirs.target]
        if field.watched < 0 or came:
            theirs = replace(theirs, moved=True)
    return (mine, theirs) if field.side == 0 else (theirs, mine)


def _trail(position: Position, field: Field, acts: tuple[Act, ...]) -> tuple[int, ...]:
    """The squares of the free engagement; anything but its own moves breaks the chain."""
    if field.point != IN_PLAY:
        return ()
    trail = position.trail
    for act in acts:
        if act.verb == "enter":
            trail = (NUMBER[act.target],)
        elif act.verb == "move" and act.piece == "a":
            trail = (*footsteps(trail, NUMBER[act.origin]), NUMBER[act.target])[-4:]
    return trail if trail and trail[-1] == field.free else ()


def _stances(position: Position, field: Field, verbs: set[str], material: bool) -> tuple[int, str]:
    """Who stands in hirakamae after this turn, and who has used it."""
    taken = "stance" in verbs
    stance = field.side if taken else position.stance
    if stance < 0:
        return stance, position.stanced
    letter, used = SIDES[stance], position.stanced
    left = (material and stance == field.side) or not verbs.isdisjoint(_ANEW) or not stanceable(field, stance)
    return -1 if left and not taken else stance, used if letter in used else used + letter
