"""What a correct call costs: the whole turn taken back, the turn skipped, the offending piece lost."""

from dataclasses import replace

from engine.game import Move, Outcome, Penalty, Ruling, Turn
from engine.games.veney.act import Act
from engine.games.veney.codes import ENDINGS
from engine.games.veney.field import Field
from engine.games.veney.hand import carry_out
from engine.games.veney.piste import NUMBER
from engine.games.veney.position import IN_PLAY, SIDES, Position
from engine.games.veney.rulebook import BLADES, FREE, KIND, KINDS, NAMES, C, J, S

PENALTIES: tuple[Penalty, ...] = ("friendly", "time", "turn", "piece-lenient", "piece-absolute", "sudden")


def skip(position: Position) -> Position:
    """The turn passed on: no pass; what lasted for this one turn is gone."""
    side = position.to
    if position.dying is not None and position.dying[0] == side:
        return replace(position, to=1 - side, over=("touch", SIDES[1 - side]))
    intents = (None, position.intents[1]) if side == 0 else (position.intents[0], None)
    return replace(
        position,
        to=1 - side,
        passes=0,
        passed=None,
        lock=-1,
        intents=intents,
        dazzled=-1,
        roll="",
        sprung=None,
        pending=None,
    )


def penalize(position: Position, turn: Turn, rulings: tuple[Ruling, ...], penalty: Penalty) -> Position | Outcome:
    """The position after a correct call on a turn from this position; an Outcome where that ends the game."""
    side = position.to
    if penalty in ("friendly", "time"):
        return position
    if penalty == "sudden":
        return _lost(side)
    if penalty == "turn":
        return skip(position)
    first = _first_broken(turn, rulings)
    if {ruling.rule.ref for ruling in first} == {"2.0.07:control"}:
        return _fended(position)
    offender = culprit(position, turn, first[0].move)
    if offender is None:
        return skip(position)
    kind, at = offender
    field = Field(position)
    disarmed = kind in BLADES and at >= 0 and field.lift(side, kind, at) and field.bladeless(side)
    if kind == S or disarmed:
        return _lost(side) if penalty == "piece-absolute" else skip(position)
    return skip(discarded(position, kind, at))


def price(position: Position, turn: Turn, rulings: tuple[Ruling, ...], penalty: Penalty) -> str:
    """What a piece penalty takes, in a sentence; "" for the other penalties."""
    if not penalty.startswith("piece"):
        return ""
    first = _first_broken(turn, rulings)
    if {ruling.rule.ref for ruling in first} == {"2.0.07:control"}:
        return "The turn is taken back and lost, and the Jutsu is fended."
    offender = culprit(position, turn, first[0].move)
    if offender is None:
        return "The turn is taken back and lost."
    name = NAMES["a" if offender[0] == FREE else KINDS[offender[0]]]
    after = penalize(position, turn, rulings, penalty)
    if isinstance(after, Outcome):
        return f"The {name} is lost, and the game with it."
    if offender[0] == FREE:
        return f"The turn is taken back and lost, and the {name} goes back to its start."
    if after.discard != position.discard:
        return f"The turn is taken back and lost, and the {name} is discarded."
    spared = offender[0] == S or offender[0] in BLADES
    return "The turn is taken back and lost." + f" The {name} stays: losing it would end the game." * spared


def _first_broken(turn: Turn, rulings: tuple[Ruling, ...]) -> tuple[Ruling, ...]:
    """The rulings on the first part of a turn that breaks a rule; a rule that the turn breaks as a whole goes first."""

    def part(ruling: Ruling) -> int:
        return next((at for at, act in enumerate(turn) if act == ruling.move), -1)

    first = min(map(part, rulings))
    return tuple(ruling for ruling in rulings if part(ruling) == first)


def culprit(position: Position, turn: Turn, move: Move) -> tuple[int, int] | None:
    """The piece that broke the rule as (kind, its square before the turn or -1); None if no piece did."""
    # We read: a Donkey may not be harmed, by a penalty either.
    if move.piece in ("", "N") or move.verb in ("intend", "stance", "trap"):
        return None
    kind = FREE if move.piece == "a" else KIND[move.piece]
    if move.verb == "reposition":
        return kind, Field(position).find(position.to, kind)
    if kind == FREE or not move.origin:
        return kind, -1
    origin = move.origin
    index = next((at for at, act in enumerate(turn) if act is move), len(turn))
    for act in reversed(turn[:index]):
        if act.target == origin and act.piece == move.piece:
            origin = act.origin
    return kind, NUMBER[origin] if origin else -1


def discarded(position: Position, kind: int, at: int) -> Position:
    """The position without the offender; the free engagement merely goes back to its start."""
    field = Field(position)
    if kind == FREE:
        if field.point == IN_PLAY or field.point >= 0:
            carry_out(field, Act("return", "a"))
    elif at < 0:
        if field.draw(position.to, kind):
            field.scrap(position.to, kind)
    else:
        if kind != C:
            field.uncloak(at)
        if field.lift(position.to, kind, at):
            field.scrap(position.to, kind)
    return board_of(position, field)


def _fended(position: Position) -> Position:
    """A Jutsu that entered under Control is fended, not lost."""
    field = Field(position)
    at = field.find(position.to, J)
    if at >= 0:
        field.clear(at)
        field.shelve(position.to, J)
    return skip(board_of(position, field))


def board_of(position: Position, field: Field) -> Position:
    """The position with the pieces of a working board."""
    return replace(
        position,
        cells=bytes(field.cells),
        caught=field.caught,
        point=field.point,
        reserve=field.reserves(),
        discard=field.discards(),
        trail=position.trail if field.point == IN_PLAY else (),
    )


def _lost(side: int) -> Outcome:
    return Outcome(ENDINGS["penalty"], frozenset({SIDES[1 - side]}))
