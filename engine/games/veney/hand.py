"""The hand that carries actions out on a working board: every describable one can be done, tenable or not."""

from collections.abc import Callable
from typing import Final

from engine.board import Site
from engine.games.veney import donkey
from engine.games.veney.act import Act
from engine.games.veney.field import Field
from engine.games.veney.piste import (
    BETWEEN,
    BIT,
    LINE,
    MEASURE,
    NOT_IN_LINE,
    NUMBER,
    RAYS,
    START_POINT,
    STEP,
    WAY,
    meta,
)
from engine.games.veney.position import ABSENT, SIDES, Pending
from engine.games.veney.rulebook import ARMAMENTS, BLACK, FREE, KIND, NEGATE, PIECE, C, D, G, J, N, S


def carry_out(field: Field, act: Act, lifted: bool = False) -> None:
    """Do one action as written. `lifted`: its piece is in the hand already (concert)."""
    DOES[act.verb](field, act, lifted)


def _move(field: Field, act: Act, lifted: bool) -> None:
    kind, origin, at = PIECE[act.piece], NUMBER[act.origin], NUMBER[act.target]
    if lifted or field.lift(field.side, kind, origin):
        field.land(field.side, kind, at, act.effect, origin)


def _enter(field: Field, act: Act, lifted: bool) -> None:
    if field.point >= 0:
        at = NUMBER[act.target]
        code = field.cells[at]
        if code:
            field.uncloak(at)
            field.clear(at)
            field.shelve(code >> 4, code & 15)
        field.put(field.side, FREE, at)


def _place(field: Field, act: Act, lifted: bool) -> None:
    at, kind = NUMBER[act.target], KIND[act.piece]
    if not field.cells[at] and field.draw(field.side, kind):
        field.put(field.side, kind, at)
        if kind == N:
            donkey.placed(field)


def _reclaim(field: Field, act: Act, lifted: bool) -> None:
    at = NUMBER[act.target]
    if not field.cells[at] and field.reclaim(field.side, D):
        field.put(field.side, D, at)


def _withdraw(field: Field, act: Act, lifted: bool) -> None:
    at, kind = NUMBER[act.origin], PIECE[act.piece]
    if not field.lift(field.side, kind, at):
        return
    field.shelve(field.side, kind)
    if kind == D and field.bladeless(field.side) and field.over is None:
        field.over = ("resignation", SIDES[1 - field.side])


def _cavazione(field: Field, act: Act, lifted: bool) -> None:
    kind, origin, at = KIND[act.piece], NUMBER[act.origin], NUMBER[act.target]
    code = field.cells[at]
    if code in (0, FREE) or code >> 4 == field.side:
        _opposition(field, act, lifted)
        return
    cloak = field.caught & BIT[at]
    field.clear(at)
    field.caught &= ~BIT[at]
    if not lifted:
        field.clear(origin)
        if field.caught & BIT[origin]:
            field.caught = field.caught & ~BIT[origin] | BIT[at]
    field.put(field.side, kind, at)
    _settle(field, code, origin, bool(cloak))


def _settle(field: Field, code: int, at: int, cloak: bool) -> None:
    """Set a displaced piece down, its Cloak with it; into reserve if something stands there."""
    if field.cells[at]:
        field.shelve(code >> 4, code & 15)
        if cloak:
            field.shelve(1 - (code >> 4), C)
        return
    field.put(code >> 4, code & 15, at)
    if cloak:
        field.caught |= BIT[at]


def _opposition(field: Field, act: Act, lifted: bool) -> None:
    kind, origin, at = KIND[act.piece], NUMBER[act.origin], NUMBER[act.target]
    blade = field.pushed(field.side, origin, at)
    if not lifted and not field.lift(field.side, kind, origin):
        return
    if blade < 0 or BETWEEN[origin][blade] & BIT[at]:
        field.land(field.side, kind, at, act.effect, origin)
        return
    code, cloak = field.cells[blade], bool(field.caught & BIT[blade])
    field.caught &= ~BIT[blade]
    field.clear(blade)
    field.land(field.side, kind, at, act.effect, origin)
    open_squares = [to for to in RAYS[at][WAY[origin][at]] if not field.cells[to]]
    _settle(field, code, open_squares[0] if open_squares else origin, cloak)


def _deflect(field: Field, act: Act, lifted: bool) -> None:
    origin, at = NUMBER[act.origin], NUMBER[act.target]
    if not lifted and not field.lift(field.side, G, origin):
        return
    code, way = field.cells[at], WAY[origin][at]
    if code and code >> 4 == 1 - field.side and code & 15 in ARMAMENTS and way != NOT_IN_LINE:
        end = field.deflected_to(field.side, at, way)
        if end != at:
            cloak = bool(field.caught & BIT[at])
            field.caught &= ~BIT[at]
            field.clear(at)
            _settle(field, code, end, cloak)
    field.land(field.side, G, at, act.effect, origin)


def _shift(field: Field, act: Act, lifted: bool) -> None:
    _swap(field, NUMBER[act.origin], NUMBER[act.target])


def _feign(field: Field, act: Act, lifted: bool) -> None:
    origin, at = NUMBER[act.origin], NUMBER[act.target]
    if field.cells[at] != S + BLACK * field.side:
        return
    if field.caught & BIT[origin] and field.cells[origin] >> 4 != field.side:
        field.lift(field.side, C, origin)
        field.clear(at)
        field.put(field.side, C, at)
        field.land(field.side, S, origin)
        return
    _swap(field, origin, at)


def _swap(field: Field, one: int, two: int) -> None:
    first, second = field.cells[one], field.cells[two]
    cloaks = field.caught & (BIT[one] | BIT[two])
    field.caught &= ~cloaks
    field.clear(one)
    field.clear(two)
    if first:
        _settle(field, first, two, bool(cloaks & BIT[one]))
    if second:
        _settle(field, second, one, bool(cloaks & BIT[two]))


def _sever(field: Field, act: Act, lifted: bool) -> None:
    field.uncloak(NUMBER[act.origin], discard=True)


def _throw(field: Field, act: Act, lifted: bool) -> None:
    origin, at = NUMBER[act.origin], NUMBER[act.target]
    sticks = act.luck or field.position.roll
    if not lifted and not field.lift(field.side, D, origin):
        return
    off = missed(sticks, field.side) if sticks or not act.spots else 1
    if off == 0:
        field.land(field.side, D, at, "t")
        return
    field.scrap(field.side, D)
    if field.bladeless(field.side) and field.over is None:
        field.over = ("self-disarm", SIDES[1 - field.side])
    elif act.spots:
        rearrange(field, act.spots)
    elif off == 1 and act.luck and field.position.terms.throw in ("sticks", "coins"):
        field.pending = Pending("distraction", field.side)


def rearrange(field: Field, spots: tuple[tuple[str, Site], ...]) -> None:
    """Put Self and blade wherever written, without attacking; what stands in the way stays."""
    lifted = []
    for letter, site in spots:
        at = field.find(field.side, KIND[letter])
        if at >= 0:
            field.uncloak(at)
            field.clear(at)
            lifted.append((KIND[letter], at, NUMBER[site]))
    for kind, origin, at in lifted:
        if not field.cells[at]:
            field.put(field.side, kind, at)
        elif not field.cells[origin]:
            field.put(field.side, kind, origin)
        else:
            field.shelve(field.side, kind)


def _reposition(field: Field, act: Act, lifted: bool) -> None:
    rearrange(field, act.spots)
    field.pending = None


def _strike(field: Field, act: Act, lifted: bool) -> None:
    at, kind = NUMBER[act.target], PIECE[act.piece]
    code = field.cells[at]
    enemy = code == FREE or (code and code >> 4 != field.side)
    if enemy and field.hit(field.side, kind, at, act.effect) == NEGATE:
        field.lift(field.side, J, NUMBER[act.origin])
        field.scrap(field.side, J)
    jutsu = field.cells.find(J + BLACK * field.side)
    if jutsu >= 0:
        field.clear(jutsu)
        field.shelve(field.side, J)


def _cast(field: Field, act: Act, lifted: bool) -> None:
    kind = KIND[act.piece]
    held = (lifted or field.lift(field.side, kind, NUMBER[act.origin])) if act.origin else field.draw(field.side, kind)
    if not held:
        return
    field.scrap(field.side, kind)
    at = NUMBER.get(landing(act, field.position.terms.uniform), -1)
    if kind == D and field.bladeless(field.side) and field.over is None:
        field.over = ("self-disarm", SIDES[1 - field.side])
    if at < 0 or MEASURE[at] not in field.empty_measures():
        rearrange(field, act.spots)
        return
    mark = (field.side, at)
    if kind == KIND["L"]:
        field.fire = (*(cast for cast in field.fire if cast != mark), mark)
    elif kind == C:
        field.chaos = (*(cast for cast in field.chaos if cast[0] != field.side), mark)
        if act.spots:
            rearrange(field, act.spots)
        elif act.luck:
            field.pending = Pending("chaos", field.side, STEP[at])
    else:
        field.shima = mark
        for owner in (0, 1):
            for gone in [KIND[letter] for letter in field.reserve[owner] if letter not in "DeN"]:
                field.draw(owner, gone)
                field.scrap(owner, gone)


def _trap(field: Field, act: Act, lifted: bool) -> None:
    """The victim alone; `play` has put the board back to the moment it entered."""
    for side, at in field.chaos:
        code = field.cells[at]
        if side == field.side and code and code != FREE and code >> 4 != side:
            field.uncloak(at)
            field.clear(at)
            field.scrap(1 - side, code & 15)
        elif side == field.side and field.caught & BIT[at] and code >> 4 == side:
            field.uncloak(at, discard=True)
    field.chaos = tuple(cast for cast in field.chaos if cast[0] != field.side)


def _retreat(field: Field, act: Act, lifted: bool) -> None:
    """`play` lays the board out anew."""


def _control(field: Field, act: Act, lifted: bool) -> None:
    at = field.cells.find(J + BLACK * (1 - field.side))
    if at >= 0:
        field.clear(at)
        field.shelve(1 - field.side, J)


def _meta(field: Field, act: Act, lifted: bool) -> None:
    if field.point >= 0 and (to := meta(field.point, act.plan)) >= 0:
        field.point = to


def _return(field: Field, act: Act, lifted: bool) -> None:
    if field.point != ABSENT:
        if field.free >= 0:
            field.clear(field.free)
        field.point = START_POINT
        field.returns += 1


def missed(sticks: str, side: int) -> int:
    """How many sticks show the wrong colour; sticks that were not thrown count as a clean miss."""
    if not sticks:
        return 2
    if sticks[0] in "+-":
        return 0 if sticks[0] == "+" else 2
    return sum(stick != SIDES[side] for stick in sticks)


def landing(act: Act, uniform: bool) -> Site:
    """The square on which a cast piece fell, or "" if outside the board."""
    if not act.luck or not act.target:
        return act.target
    line, step = LINE[NUMBER[act.target]], STEP[NUMBER[act.target]]
    if uniform:
        base = (step - 1) // 4 * 4 + 1
        at = int("".join("1" if stick == "W" else "0" for stick in act.luck), 2)
        return f"{'WXYZ'[at % 4]}{base + at // 4}"
    pairs = [act.luck[:2], act.luck[2:]]
    own = act.plan or "W"
    across, up = (pair.count(own) - 1 for pair in pairs)
    line, step = line + across, step + up
    measure = (STEP[NUMBER[act.target]] - 1) // 4
    return f"{'WXYZ'[line]}{step}" if 0 <= line < 4 and (step - 1) // 4 == measure and step >= 1 else ""


DOES: Final[dict[str, Callable[[Field, Act, bool], None]]] = {
    "stray": donkey.moved,
    "move": _move,
    "enter": _enter,
    "place": _place,
    "reclaim": _reclaim,
    "withdraw": _withdraw,
    "cavazione": _cavazione,
    "opposition": _opposition,
    "deflect": _deflect,
    "shift": _shift,
    "feign": _feign,
    "sever": _sever,
    "throw": _throw,
    "reposition": _reposition,
    "strike": _strike,
    "cast": _cast,
    "trap": _trap,
    "retreat": _retreat,
    "control": _control,
    "meta": _meta,
    "return": _return,
    "reset": _retreat,
    "stance": _retreat,
    "intend": _retreat,
    "announce": _retreat,
    "allow": _retreat,
    "prevent": _retreat,
    "glare": _control,
}
"""How each kind of action is carried out; see `carry_out`."""
