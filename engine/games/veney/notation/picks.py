"""The way back from a turn of Veney to the picks that make it up."""

from engine.composition import PASS, Pick
from engine.games.veney.action import Action, Turn
from engine.games.veney.board.points import POINTS, meta
from engine.games.veney.notation.choices import (
    CAST,
    FOLLOWED,
    FREELY,
    INTEND,
    MORE,
    RETREAT,
    SEVER,
    TAKE,
    UNAIMED,
    VERBS,
    WHOLE,
    WITHDRAW,
)
from engine.games.veney.position import Position


def picks(turn: Turn, position: Position) -> tuple[Pick, ...]:
    """The picks that make up a turn; () where it can only be typed."""
    if position.pending is not None:
        return _answers(turn)
    if not turn:
        return (PASS.key,)
    way: tuple[Pick, ...] = ()
    point = position.point
    for action in turn:
        step = () if action.luck or action.spots else _steps(action, point)
        if not step:
            return ()
        way += step
        if action.verb == "meta" and point >= 0:
            there = meta(point, action.plan)
            point = there if there >= 0 else point
    return way


def _steps(action: Action, point: int) -> tuple[Pick, ...]:
    origin, target, letter = action.origin, action.target, action.piece
    if origin and origin == target:
        return ()  # a pick of the same piece again takes the first one back
    match action.verb:
        case "move":
            return (origin, TAKE.key, target) if action.effect else (origin, target)
        case "cavazione" | "opposition" | "deflect" | "strike" | "throw" | "announce":
            return () if action.effect else (origin, VERBS[action.verb], target)
        case "enter":
            return (POINTS[point], target) if point >= 0 else ()
        case "place" | "reclaim":
            return (f"*{letter}", target)
        case "withdraw":
            return (origin, WITHDRAW.key)
        case "sever":
            return (origin, SEVER.key)
        case "meta" | "return":
            return (FREELY.key, action.plan or "a=")
        case "retreat":
            return (RETREAT.key,)
        case "cast":
            return (MORE.key, CAST.key, letter, target or UNAIMED.key)
        case "shift" | "feign":
            return (MORE.key, action.verb, origin, target)
        case "intend":
            return (MORE.key, INTEND.key, *_intended(action.plan))
        case _:
            return (MORE.key, WHOLE[action.verb].key) if action.verb in WHOLE else ()


def _intended(plan: str) -> tuple[Pick, ...]:
    halves = []
    for half in plan.split("_"):
        effect = half[1] if half[1] in "tf" else ""
        halves.append((half[0], half[1 + len(effect) :], effect or "go"))
    return (*halves[0], *(pick for half in halves[1:] for pick in (FOLLOWED.key, *half)))


def _answers(turn: Turn) -> tuple[Pick, ...]:
    if not turn:
        return (PASS.key,)
    action = turn[0]
    match action.verb:
        case "set":
            return (f"*{action.piece}", action.target)
        case "allow" | "prevent":
            return () if action.luck or len(turn) > 1 else (action.verb,)
        case _:
            return tuple(part for spot in action.spots for part in spot)
