"""What the judge asks of each kind of action."""

from collections.abc import Callable, Iterator
from typing import Final

from engine.games.veney.action import Action
from engine.games.veney.judge.devices import cast_faults, reposition_faults, stance_faults, trap_faults
from engine.games.veney.judge.exchanges import (
    cavazione_faults,
    deflection_faults,
    feign_faults,
    opposition_faults,
    severing_faults,
    shift_faults,
)
from engine.games.veney.judge.fault import Fault, Setting
from engine.games.veney.judge.moves import (
    entry_faults,
    meta_faults,
    move_faults,
    reset_faults,
    retreat_faults,
    return_faults,
)
from engine.games.veney.judge.placing import placing_faults, reclaim_faults, withdrawal_faults
from engine.games.veney.judge.specials import control_faults, glare_faults, strike_faults, throw_faults
from engine.games.veney.play.working_board import WorkingBoard


def action_faults(board: WorkingBoard, action: Action, setting: Setting) -> Iterator[Fault]:
    """What is wrong with one action by itself, on the board as it stands."""
    return FAULTS[action.verb](board, action, setting)


def _nothing(board: WorkingBoard, action: Action, setting: Setting) -> Iterator[Fault]:
    yield from ()


FAULTS: Final[dict[str, Callable[[WorkingBoard, Action, Setting], Iterator[Fault]]]] = {
    "move": move_faults,
    "enter": entry_faults,
    "place": placing_faults,
    "reclaim": reclaim_faults,
    "withdraw": withdrawal_faults,
    "cavazione": cavazione_faults,
    "opposition": opposition_faults,
    "deflect": deflection_faults,
    "shift": shift_faults,
    "feign": feign_faults,
    "sever": severing_faults,
    "throw": throw_faults,
    "announce": throw_faults,
    "strike": strike_faults,
    "cast": cast_faults,
    "trap": trap_faults,
    "retreat": retreat_faults,
    "reset": reset_faults,
    "control": control_faults,
    "glare": glare_faults,
    "intend": _nothing,
    "meta": meta_faults,
    "return": return_faults,
    "stance": stance_faults,
    "reposition": reposition_faults,
    "allow": _nothing,
    "prevent": _nothing,
    "stray": _nothing,
    "set": _nothing,
}
"""What is asked of each kind of action; see `action_faults`."""
