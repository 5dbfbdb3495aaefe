"""How a game of Veney ends, what threatens to end it, and what follows an agreement."""

from collections.abc import Mapping
from dataclasses import replace
from typing import Final

from engine.board import Side
from engine.dice import Dice
from engine.game import Outcome
from engine.games.veney.action import Action, Turn
from engine.games.veney.board.squares import SQUARES
from engine.games.veney.generate.turns import turns
from engine.games.veney.luck import hug
from engine.games.veney.pieces import BLADES, KIND, J
from engine.games.veney.play.working_board import WorkingBoard
from engine.games.veney.position import SIDES, Position, weary
from engine.games.veney.rules import ENDINGS
from engine.games.veney.turn import play, roll
from engine.text import Text


def outcome(position: Position) -> Outcome | None:
    """The end of the game, if it has ended."""
    if position.over is None:
        return None
    how, winners = position.over
    return Outcome(ENDINGS[how], frozenset(winners))


def agreed(position: Position) -> Position | Outcome | None:
    """What the rules make of an agreed draw; None = a draw like any other."""
    if position.shima:
        return Outcome(ENDINGS["shima"], frozenset())
    if weary(position):
        return Outcome(ENDINGS["contest"], frozenset(SIDES))
    return hug.opened(position) if position.terms.hug else None


def stalled(position: Position) -> Outcome | None:
    """What follows a claim of no contest that stands, once both sides have waited long enough for one."""
    if not weary(position) or position.over is not None or position.dying is not None:
        return None
    return Outcome(ENDINGS["shima"], frozenset()) if position.shima else Outcome(ENDINGS["contest"], frozenset(SIDES))


def contests(before: Position, turn: Turn, after: Position) -> bool:
    """Whether a turn takes, fends or places something, which answers a claim of no contest."""
    other = 1 - before.to
    gone = len(after.reserve[other]) + len(after.discard[other])
    taken = gone != len(before.reserve[other]) + len(before.discard[other])
    return taken or after.over is not None or after.dying is not None or any(one.verb == "place" for one in turn)


def is_last_turn(position: Position) -> bool:
    """Whether the side to move has been touched and makes its dying turn."""
    return position.dying is not None and position.over is None


def touched(position: Position, side: Side) -> Outcome | None:
    """How the game ends when the side that makes its dying turn makes none."""
    if not is_last_turn(position) or position.mover != side:
        return None
    return Outcome(ENDINGS["touch"], frozenset(SIDES) - {side})


def proven(position: Position) -> Outcome | None:
    """A touch that no tenable turn answers: with a touch, with a disarm from death, or with a death spell."""
    if position.dying is None or position.over is not None or position.pending is not None:
        return None
    side, fallen = position.dying
    other = 1 - side
    decisive = {fallen, position.where(other), *WorkingBoard(position).places(other, J)}
    sites = {SQUARES[at] for at in decisive if at >= 0}
    answers = (turn for turn in turns(position) if any(action.target in sites for action in turn))
    if any(_answers(position, turn) for turn in answers):
        return None
    return Outcome(ENDINGS["touch"], frozenset({SIDES[other]}))


def _answers(position: Position, turn: Turn) -> bool:
    """Whether a dying turn is more than an acknowledgement; a throw may always hit."""
    if any(action.verb in ("throw", "announce") for action in turn):
        return True
    after = play(position, turn)
    foe = 1 - position.to
    disarmed = any(after.discard[foe].count(blade) > position.discard[foe].count(blade) for blade in "$D")
    return disarmed or after.over is None or after.over[0] != "touch"


def reset(position: Position, after: Side | None = None) -> Position | None:
    """As if by retreat of `after`, the other side to move next, without using a retreat up (2.0.22, Delayed Reset)."""
    barred = bool(position.shima) or not position.terms.reset
    busy = position.pending is not None or position.dying is not None or bool(position.owed)
    if barred or busy:
        return None
    by = position if after is None else replace(position, to=SIDES.index(after))
    return play(by, (Action("reset", "a"),))


def caution(position: Position, turn: Turn, after: Position | None) -> Text | None:
    """What a player should know who is about to give the game up; `after` None: or may, as luck will have it.

    Then it is told what any sticks could lead to, never what the match's do: else one could look at a throw.
    """
    told = next((_CAUTIONS[said] for said in map(_said, turn) if said in _CAUTIONS), None)
    if told is None or position.over is not None:
        return None
    thrown = (play(position, roll(position, turn, Dice(bytes((each,)) * 32))) for each in range(TRIED))
    ends = (one.over for one in (thrown if after is None else (after,)))
    return told if any(over is not None and over[1] != position.mover for over in ends) else None


TRIED = 16
"""How many throws are tried before one says that no throw gives the game up."""


def _said(action: Action) -> str:
    if action.verb == "cast" and KIND[action.piece] not in BLADES:
        return ""
    return "withdraw Self" if action.verb == "withdraw" and action.piece == "S" else action.verb


_CAUTIONS: Final[Mapping[str, Text]] = {
    "retreat": Text("This retreat is one more than was agreed on, so it gives the game up."),
    "withdraw": Text("That is your only blade, so withdrawing it gives the game up."),
    "withdraw Self": Text("That is your Self, so withdrawing it gives the game up."),
    "cast": Text("That is your only blade, so casting it loses the game."),
}


def token_transfers(position: Position, winners: frozenset[Side]) -> tuple[tuple[Side, Side], ...]:
    """The loser's token goes to the winner; where both lost, the two are traded; a death spell turns it round."""
    white, black = SIDES
    if not winners:
        return ((white, black), (black, white))
    if len(winners) == len(SIDES):
        return ()
    (winner,) = winners
    loser = black if winner == white else white
    spelled = position.over is not None and position.over[0] == "spell"
    return ((winner, loser),) if spelled else ((loser, winner),)
