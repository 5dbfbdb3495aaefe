"""Turns of Veney written down in canonical notation."""

from itertools import islice
from typing import Final

from engine.games.veney.action import Action, Turn
from engine.games.veney.board.squares import LINE, LINES, NUMBER, STEP
from engine.games.veney.notation.naming import fended, likely
from engine.games.veney.pieces import ARMAMENTS, DISARM, FREE, KINDS, PIECE, TOUCH, E
from engine.games.veney.play.attack import effect, passes
from engine.games.veney.play.course import walk
from engine.games.veney.play.devices import landing
from engine.games.veney.play.turn import opened
from engine.games.veney.play.working_board import WorkingBoard
from engine.games.veney.position import Position


def write(turn: Turn, position: Position) -> str:
    """The canonical notation."""
    if position.pending is not None:
        return " ".join(_spot_text(action) for action in turn) or "--"
    board, actions = opened(position, turn)
    scribe = Scribe(turn)
    for at, action, _ in islice(walk(board, actions), len(actions)):  # the last is not carried out
        scribe.see(board, at, action)
    return scribe.text()


class Scribe:
    """Writes one turn down; is shown each action before it is carried out."""

    __slots__ = ("_last", "_turn", "_words")

    def __init__(self, turn: Turn):
        self._turn = turn
        self._words = ["C~!"] if turn and turn[0].verb == "trap" else []
        self._last = ""

    def see(self, board: WorkingBoard, at: int, action: Action) -> None:
        """Write an action as it is told from others on the board that it finds."""
        self._words.append(_text(board, action, self._last in _LUCKY))
        self._last = action.verb

    def text(self) -> str:
        """The canonical notation of all that was seen."""
        turn, words = self._turn, self._words
        if not turn or (turn[0].verb in _ADJUSTING and all(action.verb in _ADJUSTING for action in turn)):
            return " ".join((*words, "--"))
        return " ".join(words)


_ADJUSTING: Final = frozenset({"meta", "return"})
"""What is written before a pass."""
_LUCKY: Final = frozenset({"throw", "announce", "cast"})


def _spot_text(action: Action) -> str:
    if action.verb == "set":
        return f"{action.piece}*{action.target}" + (f"({action.luck})" if action.luck else "")
    if action.verb == "stray":
        return _stray_text(action)
    if action.verb in ("allow", "prevent"):
        return action.verb + (f"({action.luck})" if action.luck else "")
    return " ".join(f"{letter}{site}" for letter, site in action.spots)


def _stray_text(action: Action) -> str:
    return f"N~{action.target or '-'}" + (f"({action.luck})" if action.luck else "")


def _text(board: WorkingBoard, action: Action, after_luck: bool) -> str:
    luck = f"({action.luck})" if action.luck else ""
    spots = "".join(f" {letter}{site}" for letter, site in action.spots)
    match action.verb:
        case "meta":
            return action.plan
        case "return":
            return "a="
        case "stray":
            return _stray_text(action)
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
            return "!" + action.plan.replace("_", " ")
        case "enter":
            return f"a{action.target}"
        case "place" | "reclaim":
            return f"{action.piece}*{action.target}"
        case "withdraw":
            several = len(board.places(board.side, PIECE[action.piece])) > 1
            return f"*{action.piece}{action.origin if several or action.piece == 'e' else ''}"
        case "shift" | "feign":
            return f"{action.piece}{action.target}~{action.other}{action.origin}"
        case "sever":
            return f"{action.piece}tC~"
        case "cast":
            return f"~{action.piece}{_fallen(board, action)}{spots}"
        case "throw" | "announce":
            return f"{_mover(board, action)}t{action.target}~{luck}{'?' if action.verb == 'announce' else ''}{spots}"
        case _:
            # After a throw or a cast a bare square would be read as where Self or blade is put.
            return _plain_text(
                board, action, f"{action.piece}{action.origin}-" if after_luck else _mover(board, action)
            )


def _fallen(board: WorkingBoard, cast: Action) -> str:
    """Where a cast piece fell; thrown with sticks, also where it was aimed and how they fell."""
    if not cast.luck:
        return cast.target
    return f"{landing(cast, board.position.terms.uniform) or '-'}({cast.target}:{cast.luck})"


def _mover(board: WorkingBoard, action: Action) -> str:
    """The piece's letter, with its square where another of its kind could be meant."""
    kind = PIECE[action.piece]
    origin, target = NUMBER[action.origin], NUMBER[action.target]
    standing = board.places(board.side, kind)
    # In a concert the Self may have come to its partner's square, and the partner is in the hand.
    places = standing if origin in standing or not standing else tuple(sorted((*standing, origin)))
    fends = fended(board, target) or passes(board, board.side, origin, target)
    if len(places) < 2 or likely(board, kind, places, target, fends) == (origin,):
        return action.piece
    hints = [(LINES[LINE[origin]], LINE), (str(STEP[origin]), STEP)]
    if board.position.terms.abcd and action.piece in "BCD":
        del hints[1]  # B7 is a square there
    for hint, same in hints:
        narrowed = tuple(at for at in places if same[at] == same[origin])
        if likely(board, kind, narrowed, target, fends) == (origin,):
            return action.piece + hint
    return f"{action.piece}{action.origin}-"


def _plain_text(board: WorkingBoard, action: Action, mover: str) -> str:
    side, at = board.side, NUMBER[action.target]
    kind = PIECE[action.piece]
    code = board.cells[at]
    tail = "!" if action.verb == "strike" else "~" if action.verb in ("cavazione", "opposition", "deflect") else ""
    sign = ""
    if tail != "~":
        if fended(board, at):
            said = effect(board, side, kind, at)
            if said == "c":
                tail = tail or "~"
            else:
                sign = "t" if said in ("t", TOUCH, DISARM, "b") or action.effect == "t" else "f"
        elif not code and kind in (E, FREE) and passes(board, side, NUMBER[action.origin], at):
            sign = "f"
    if sign and code and code != FREE and code & 15 in ARMAMENTS:
        sign += KINDS[code & 15]
    return f"{mover}{sign}{action.target}{tail}"
