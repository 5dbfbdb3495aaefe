"""Turns of Veney written down in canonical notation."""

from collections.abc import Iterator
from itertools import islice

from engine.game import Turn
from engine.games.veney.act import Act, acts_of
from engine.games.veney.course import walk
from engine.games.veney.field import Field
from engine.games.veney.movement import movement_faults
from engine.games.veney.piste import LINE, LINES, NUMBER, STEP
from engine.games.veney.position import Position
from engine.games.veney.rulebook import ARMAMENTS, DISARM, FREE, KINDS, PIECE, TOUCH, E
from engine.games.veney.turns import sprung


def write(turn: Turn, position: Position) -> str:
    """The canonical notation."""
    acts = acts_of(turn)
    if position.pending is not None:
        return " ".join(_spot_text(act) for act in acts) or "--"
    field = Field(position)
    words = []
    if acts and acts[0].verb == "trap":
        field = sprung(position)
        words.append("C~!")
        acts = acts[1:]
    for at, act, _ in islice(walk(field, acts), len(acts)):
        words.append(_text(field, act, at > 0 and acts[at - 1].verb in ("throw", "announce", "cast")))
    if all(act.verb in ("meta", "return") for act in acts) and words[:1] != ["C~!"]:
        words.append("--")
    return " ".join(words)


def _spot_text(act: Act) -> str:
    if act.verb == "set":
        return f"{act.piece}*{act.target}"
    if act.verb == "stray":
        return _stray_text(act)
    if act.verb in ("allow", "prevent"):
        return act.verb + (f"({act.luck})" if act.luck else "")
    return " ".join(f"{letter}{site}" for letter, site in act.spots)


def _stray_text(act: Act) -> str:
    return f"N~{act.target or '-'}" + (f"({act.luck})" if act.luck else "")


def _text(field: Field, act: Act, after_luck: bool) -> str:
    luck = f"({act.luck})" if act.luck else ""
    spots = "".join(f" {letter}{site}" for letter, site in act.spots)
    match act.verb:
        case "meta":
            return act.plan
        case "return":
            return "a="
        case "stray":
            return _stray_text(act)
        case "stance":
            return "--h"
        case "retreat":
            return "S=="
        case "reset":
            return "=="
        case "control":
            return "BfJ~"
        case "glare":
            return "LfJ~"
        case "intend":
            return "!" + act.plan.replace("_", " ")
        case "enter":
            return f"a{act.target}"
        case "place" | "reclaim":
            return f"{act.piece}*{act.target}"
        case "withdraw":
            several = len(field.places(field.side, PIECE[act.piece])) > 1
            return f"*{act.piece}{act.origin if several or act.piece == 'e' else ''}"
        case "shift" | "feign":
            return f"{act.piece}{act.target}~{act.other}{act.origin}"
        case "sever":
            return f"{act.piece}tC~"
        case "cast":
            return f"~{act.piece}" + (f":{act.target}" if act.target else "") + luck + spots
        case "throw" | "announce":
            return f"{_mover(field, act)}t{act.target}~{luck}{'?' if act.verb == 'announce' else ''}{spots}"
        case _:
            # After a throw or a cast a bare square would be read as where Self or blade is put.
            return _plain_text(field, act, f"{act.piece}{act.origin}-" if after_luck else _mover(field, act))


def _mover(field: Field, act: Act) -> str:
    """The piece's letter, with its square where another of its kind could be meant."""
    kind = PIECE[act.piece]
    origin, target = NUMBER[act.origin], NUMBER[act.target]
    places = field.places(field.side, kind)
    if len(places) < 2 or origin not in places or likely(field, field.side, kind, places, target) == (origin,):
        return act.piece
    hints = [(LINES[LINE[origin]], LINE), (str(STEP[origin]), STEP)]
    if field.position.terms.abcd and act.piece in "BCD":
        del hints[1]  # B7 is a square there
    for hint, same in hints:
        narrowed = tuple(at for at in places if same[at] == same[origin])
        if likely(field, field.side, kind, narrowed, target) == (origin,):
            return act.piece + hint
    return f"{act.piece}{act.origin}-"


def _plain_text(field: Field, act: Act, mover: str) -> str:
    side, at = field.side, NUMBER[act.target]
    kind = PIECE[act.piece]
    code = field.cells[at]
    tail = "!" if act.verb == "strike" else "~" if act.verb in ("cavazione", "opposition", "deflect") else ""
    effect = ""
    if tail != "~":
        if code and ((code == FREE and not field.stone(side, at)) or (code != FREE and code >> 4 != side)):
            said = field.effect(side, kind, at)
            if said == "c":
                tail = tail or "~"
            else:
                effect = "t" if said in ("t", TOUCH, DISARM, "b") or act.effect == "t" else "f"
        elif not code and kind in (E, FREE) and field.passes(side, NUMBER[act.origin], at):
            effect = "f"
    if effect and code and code != FREE and code & 15 in ARMAMENTS:
        effect += KINDS[code & 15]
    return f"{mover}{effect}{act.target}{tail}"


def readable(turn: Turn) -> Iterator[str]:
    """The rolls that a turn records."""
    return (act.luck for act in acts_of(turn) if act.luck)


def likely(field: Field, side: int, kind: int, places: tuple[int, ...], target: int) -> tuple[int, ...]:
    """The pieces that are probably meant: those that move so, else those on the line, else the nearest.

    What is asked back must not tell whether a move is tenable, so a reading is found for moves that are not as well.
    """
    if len(places) == 1:
        return places
    able = tuple(
        at for at in places if at != target and next(movement_faults(field, side, kind, at, target), None) is None
    )
    if able:
        return able
    on_line = tuple(at for at in places if LINE[at] == LINE[target] and at != target) or places
    nearest = min(abs(STEP[at] - STEP[target]) + abs(LINE[at] - LINE[target]) for at in on_line)
    return tuple(at for at in on_line if abs(STEP[at] - STEP[target]) + abs(LINE[at] - LINE[target]) == nearest)
