"""What an arbiter's acts lead to, and when they cannot be; whether somebody is an arbiter is asked elsewhere."""

from collections.abc import Callable, Mapping
from dataclasses import replace

from engine.game import ABORTED, RULED, Outcome
from engine.match.clock import DAY
from engine.match.commands import Act, Rule
from engine.match.ends import closed, ended
from engine.match.events import Ended, Event, Refusal
from engine.match.events.rulings import ArbiterAct, Lifted, PlaceMoved, Ruled, SeatHanded
from engine.match.events.time import Paused, PauseEnded
from engine.match.evolve import Decision, follow
from engine.match.state import Match
from engine.text import Duration, Text

LONGEST_REASON = 300
"""Signs of a reason that are kept."""
UNDONE_WITHIN = 30 * DAY
LONGEST_PAUSE = 60 * DAY
"""For which an arbiter can let a match rest at once."""

OWN = Refusal(Text("You cannot rule on a match of your own."), Text("`report` tells another arbiter of it."))
NO_REASON = Refusal(
    Text("A ruling needs its reason, which the players read."),
    Text("For example: `arbiter {match} draw agreed in the thread`."),
)
NOT_RUNNING = Refusal(Text("This match is not being played."), Text("`arbiter {match} lift REASON` lifts its result."))
NOT_OVER = Refusal(
    Text("This match is not over, so it has no result."), Text("`arbiter {match} draw REASON` sets one.")
)
NOTHING_TO_UNDO = Refusal(
    Text("You have no ruling in this match to undo."),
    Text("Your own rulings can be undone within 30 days, the last one first."),
)


def rule(match: Match, command: Rule, at: int) -> Decision | Refusal:
    """What an act of an arbiter leads to."""
    found = _rule(match, command, at)
    if isinstance(found, Decision) or found.remedy is None or "{match}" not in found.remedy.template:
        return found
    return replace(found, remedy=Text(found.remedy.template, match=match.id))


def _rule(match: Match, command: Rule, at: int) -> Decision | Refusal:
    if match.status not in ("running", "over"):
        return Refusal(Text("This match has not begun."), Text("Its players can `decline` it."))
    if command.by in match.parties:
        return OWN
    if not command.reason.strip():
        return NO_REASON
    found = ACTS[command.what](match, command, at)
    if isinstance(found, Refusal):
        return found
    undoes, events = found
    ruled = Ruled(at, command.by, command.what, " ".join(command.reason.split())[:LONGEST_REASON], undoes)
    decision = follow(match, ruled, *events)
    if isinstance(events[0], Lifted) and isinstance(closed(match, decision, at).events[-1], Ended):
        return BOARD_ENDS
    return decision


BOARD_ENDS = Refusal(
    Text("The board itself ends this match, so its result holds."), Text("Its players can ask for a `rematch`.")
)
Found = tuple[int, tuple[Event, ...]] | Refusal
"""Which act is undone, by the number of its event, and what follows; or why nothing can."""


def _result(match: Match, command: Rule, at: int) -> Found:
    if match.status != "running":
        return NOT_RUNNING
    winners = frozenset(command.winners)
    outcome = Outcome(RULED, winners) if winners else Outcome(ABORTED, frozenset())
    return 0, (ended(outcome, match.game, at),)


def _lift(match: Match, command: Rule, at: int) -> Found:
    if match.status != "over":
        return NOT_OVER
    if match.game.chance:
        return Refusal(
            Text("The seed of this match's dice was told at its end, so its throws could be foretold."),
            Text("Its players can ask for a `rematch`."),
        )
    return 0, (Lifted(at),)


def _pause(match: Match, command: Rule, at: int) -> Found:
    if match.status != "running":
        return NOT_RUNNING
    if _paused_until(match, at):
        return Refusal(Text("The match is paused already."), Text("`arbiter {match} resume REASON` ends that."))
    if not 0 < command.span <= LONGEST_PAUSE:
        longest = Text("That is too long: at most {span}.", span=Duration(LONGEST_PAUSE))
        return Refusal(longest, Text("For example: `arbiter {match} pause 5d REASON`."))
    return 0, (Paused(at, at + command.span, "arbiter"),)


def _resume(match: Match, command: Rule, at: int) -> Found:
    if match.status != "running" or not _paused_until(match, at):
        return Refusal(Text("The match is not paused."), Text("`arbiter {match} pause 5d REASON` pauses it."))
    return 0, (PauseEnded(at),)


def _move(match: Match, command: Rule, at: int) -> Found:
    platform = command.place.partition("/")[0]
    places = (command.place, *(place for place in match.places if place.partition("/")[0] != platform))
    if places == match.places or command.place in match.places:
        return Refusal(Text("This match is played here already."), Text("Say it where it is to go on."))
    return 0, (PlaceMoved(at, places),)


def _seat(match: Match, command: Rule, at: int) -> Found:
    if match.status != "running":
        return NOT_RUNNING
    if command.to in match.parties:
        return Refusal(Text("They take part in this match already."), Text("Name somebody else."))
    if match.tokens:
        return Refusal(
            Text("This match is played for keeps: nobody can take over another's stake."),
            Text("`arbiter {match} void REASON` calls it off."),
        )
    if command.side not in match.game.playing(match.position):
        return Refusal(Text("That side is out of the match."), Text("Name one that plays."))
    return 0, (SeatHanded(at, command.side, command.to),)


def _undo(match: Match, command: Rule, at: int) -> Found:
    last = next((one for one in reversed(match.rulings) if one.by == command.by), None)
    if last is None or at - last.at > UNDONE_WITHIN:
        return NOTHING_TO_UNDO
    back = UNDONE[last.what](match, last, at)
    return back if isinstance(back, Refusal) else (last.number, (back,))


# --- and back -------------------------------------------------------------------------------------------------
GONE_ON = Refusal(
    Text("The match has gone on since, so that cannot be undone."), Text("Rule anew: `help arbiter` tells how.")
)


def _unset(match: Match, act: ArbiterAct, at: int) -> Event | Refusal:
    if match.status != "over":
        return GONE_ON
    found = _lift(match, Rule("", "lift", ""), at)
    return found if isinstance(found, Refusal) else Lifted(at)


def _set_again(match: Match, act: ArbiterAct, at: int) -> Event | Refusal:
    unchanged = match.status == "running" and not any(ply.at > act.at for ply in match.plies)
    return Ended(at, *act.result) if unchanged and act.result is not None else GONE_ON


def _unpaused(match: Match, act: ArbiterAct, at: int) -> Event | Refusal:
    return PauseEnded(at) if match.status == "running" and _paused_until(match, at) else GONE_ON


def _paused_again(match: Match, act: ArbiterAct, at: int) -> Event | Refusal:
    open_ = match.status == "running" and not _paused_until(match, at) and act.until > at
    return Paused(at, act.until, "arbiter") if open_ else GONE_ON


def _moved_back(match: Match, act: ArbiterAct, at: int) -> Event | Refusal:
    return PlaceMoved(at, act.places) if match.places != act.places else GONE_ON


def _handed_back(match: Match, act: ArbiterAct, at: int) -> Event | Refusal:
    if match.status != "running":
        return GONE_ON
    side = next((side for side in match.seats if match.seats[side] != act.seats[side]), None)
    return GONE_ON if side is None else SeatHanded(at, side, act.seats[side])


def _paused_until(match: Match, at: int) -> int:
    return next((end for start, end in match.pauses if start <= at < end), 0)


ACTS: Mapping[Act, Callable[[Match, Rule, int], Found]] = {
    "result": _result,
    "lift": _lift,
    "pause": _pause,
    "resume": _resume,
    "move": _move,
    "seat": _seat,
    "undo": _undo,
}
UNDONE: Mapping[Act, Callable[[Match, ArbiterAct, int], Event | Refusal]] = {
    "result": _unset,
    "lift": _set_again,
    "pause": _unpaused,
    "resume": _paused_again,
    "move": _moved_back,
    "seat": _handed_back,
}
"""What undoes each act."""
