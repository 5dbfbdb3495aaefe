"""What wrong calls cost, by the terms of a match."""

from dataclasses import dataclass
from typing import Literal

from engine.match.commands import Player
from engine.match.events import CallFailed
from engine.match.state import Match, has_turn

FREE_CALLS = 3
"""Wrong calls of a match that cost a player nothing under `falsecall=three`."""
LATE = 2
"""How many wrong calls a wrong late one weighs."""


@dataclass(frozen=True, slots=True)
class Fine:
    """What a wrong call costs: so many turns, or tenths of the time, at once and when the next ones are due."""

    of: Literal["time", "turn"] = "turn"
    now: int = 0
    later: int = 0


NO_FINE = Fine()


def call_costs(match: Match, by: Player, weight: int = 1) -> int:
    """How many turns, or tenths of the time, a wrong call costs, be it about another's turn or about one's own.

    Who merely has to answer has no turn to lose, and must not undo the other's by it.
    """
    side = match.side_of(by)
    if side in match.sides_to_act and not has_turn(match, side):
        return 0
    match match.terms["falsecall"]:
        case "three":
            made = match.wrong_calls.get(by, 0)
            return max(0, made + weight - FREE_CALLS) - max(0, made - FREE_CALLS)
        case "time" | "turn":
            return weight
        case _:
            return 0


def fine(match: Match, failed: CallFailed) -> Fine:
    """What a wrong call costs by the term `falsecall`; of several turns, one at once if it is the caller's turn."""
    terms, side = match.terms, match.side_of(failed.by)
    timed = "time" in (terms["falsecall"], terms["umpire"] if terms["falsecall"] == "three" else "")
    if timed and match.clock.kind == "none":
        return NO_FINE
    acts = has_turn(match, side)
    earlier = int(acts and terms["falsecall"] in ("time", "turn"))
    costs = earlier if failed.costs is None else failed.costs
    now = 0 if not acts else costs if timed else min(costs, 1)
    return Fine("time" if timed else "turn", now, costs - now)
