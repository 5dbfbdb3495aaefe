"""How a match ends: by the board once nobody can call, by giving up, by time."""

from collections.abc import Iterable
from dataclasses import replace

from engine.board import Side
from engine.dice import COUNTED, Dice
from engine.game import ABORTED, RESIGNED, TIMEOUT, AnyGame, Outcome, Rule
from engine.match.alarms import UNCLAIMED, claim_opens, deadline, limits_of, unclaimed, waits_for_claim
from engine.match.commands import Player
from engine.match.events import (
    Acknowledged,
    Claimed,
    Ended,
    Event,
    Flagged,
    Refusal,
    Replied,
    Resigned,
    SeatFreed,
    digest,
)
from engine.match.events.time import ClaimMade
from engine.match.evolve import Decision, follow
from engine.match.state import Match, open_to_call
from engine.text import Instant, Text

ABORT_BEFORE = 2
"""A match can be called off until so many turns have been made."""

UNDER_WAY = Refusal(
    Text("The match is under way and can't be called off any more."), Text("Offer a `draw`, or `resign`.")
)


def ended(outcome: Outcome, game: AnyGame, at: int) -> Ended:
    """The event for an outcome."""
    return Ended(at, outcome.rule.ref, str(outcome.rule.title), tuple(s for s in game.sides if s in outcome.winners))


def closed(match: Match, decision: Decision, at: int) -> Decision:
    """The decision, and the end if the position it leads to is one that nobody can call out."""
    if not decision.events or isinstance(decision.events[-1], Ended):
        return decision
    reached = decision.after
    outcome = reached.ending
    if outcome is None and (outcome := _proven(reached)) is not None:
        return decision + follow(reached, ended(outcome, reached.game, at))
    if outcome is None or reached.game.asks(reached.position):
        return decision
    if open_to_call(reached) and set(reached.sides_to_act) != outcome.winners:
        return decision  # those who have not won have the last word
    return decision + follow(reached, ended(outcome, reached.game, at))


def _proven(match: Match) -> Outcome | None:
    """An end that no turn can avert; looked for only where untenable turns are refused, as it tells what is tenable."""
    game = match.game
    if match.status != "running" or match.terms.get("judge") != "open" or game.asks(match.position):
        return None
    outcome = game.proven(match.position)
    if outcome is None or any(True for ply in open_to_call(match) for _ in game.judge(ply.before, ply.turn)):
        return None  # what it came from may yet be called out
    return outcome


def acknowledge(match: Match, by: Player, at: int) -> Decision | Refusal:
    """A player lets the end stand."""
    outcome = match.ending
    if outcome is None:
        return Refusal(Text("The game is not at its end."), Text("`resign` gives it up."))
    waiting = {match.seats[side] for side in match.sides_to_act}
    if by not in waiting:
        return Refusal(Text("The last word is the others'."), Text("The end stands as soon as they let it."))
    last = (ended(outcome, match.game, at),) if waiting == {by} else ()
    return follow(match, Acknowledged(at, by), *last)


def resign(match: Match, side: Side, by: Player, at: int) -> Decision:
    """A player gives up."""
    return follow(match, Resigned(at, side, by), *_gone(match, side, RESIGNED, at))


def abort(match: Match, by: Player, at: int) -> Decision | Refusal:
    """A player calls the match off before it has properly begun."""
    if match.turns_made >= ABORT_BEFORE:
        return UNDER_WAY
    if by not in (match.challenger, *match.invited) and not match.plies and match.luck != COUNTED:
        return follow(match, SeatFreed(at, by))
    return follow(match, replace(ended(Outcome(ABORTED, frozenset()), match.game, at), by=by))


def claim(match: Match, by: Player, at: int) -> Decision | Refusal:
    """A player claims the match against those who could not be reached for too long, or who are out of time."""
    if match.clock.kind == "none" and claim_opens(match) is None:
        return _claimed_without_clock(match, by, at)
    opens, why = claim_opens(match), ""
    absent = [side for side in match.sides_to_act if match.seats[side] in match.unreached]
    if opens is None and waits_for_claim(match):
        late = [side for side, limit in limits_of(match).items() if limit < at]
        opens, absent, why = deadline(match), late, "time"
        if not absent:
            return Refusal(
                Text("Time is not over yet."),
                NOT_YET if opens is None else Text("This match can be claimed {time}.", time=Instant(opens)),
            )
    if opens is None or not absent:
        return NOBODY_ABSENT
    own = any(match.seats[side] == by for side in absent)
    if own and why:
        return WAITS_FOR_YOU
    if own or at < opens:
        return Refusal(Text("This match can be claimed {time}.", time=Instant(opens)), UNTIL_THEN)
    decision, standing = Decision(), match
    for side in absent:
        decision += follow(standing, Claimed(at, side, by, why), *_gone(standing, side, TIMEOUT, at))
        standing = decision.after
        if standing.result is not None:
            break
    return decision


def _claimed_without_clock(match: Match, by: Player, at: int) -> Decision | Refusal:
    """Where no time runs, those who are awaited have 30 days from the first claim on."""
    if match.claimed_by:
        due = deadline(match)
        assert due is not None, "a claim runs out"
        out = Text("Whoever it waits for is out of time {time}.", time=Instant(due))
        return Refusal(Text("The match is claimed already."), out)
    if by in (match.seats[side] for side in match.sides_to_act):
        return WAITS_FOR_YOU
    return follow(match, ClaimMade(at, by))


WAITS_FOR_YOU = Refusal(Text("The match waits for you."), Text("Whoever has acted can claim it of those who do not."))
NOT_YET = Text("Wait until it is.")
NOBODY_ABSENT = Refusal(
    Text("Everybody who is awaited can be reached, so there is nothing to claim."),
    Text("Play on; whoever runs out of time loses."),
)
UNTIL_THEN = Text("Until then nobody's time runs, and whoever is awaited may still come back.")


def run_out(match: Match, at: int) -> Decision:
    """What follows if the time of those whom it waits for is over before this instant: ties go to the player."""
    absent = unclaimed(match)
    due = deadline(match) if absent is None else absent
    if due is None or at <= due:
        return Decision()
    outcome = match.ending
    if outcome is not None and not match.game.asks(match.position):
        return follow(match, ended(outcome, match.game, at))
    if assumed := _assumed(match, due):
        return assumed
    if absent is not None:
        late = tuple(side for side in match.sides_to_act if match.seats[side] in match.unreached)
    elif waits_for_claim(match) and at <= due + UNCLAIMED:
        return Decision()
    else:
        limits = limits_of(match)
        late = tuple(side for side in match.sides_to_act if limits[side] < at)
    if set(late) == set(match.game.playing(match.position)):  # nobody did what everybody owed
        flags = [Flagged(due, side) for side in late]
        return follow(match, *flags, ended(Outcome(ABORTED, frozenset()), match.game, due))
    decision, standing = Decision(), match
    for side in late:
        decision += follow(standing, Flagged(due, side), *_gone(standing, side, TIMEOUT, due))
        standing = decision.after
        if standing.result is not None:
            break
    return decision


def _assumed(match: Match, at: int) -> Decision | None:
    """The answers that a game assumes where nobody has given them in time; None where it assumes none."""
    game, decision = match.game, Decision()
    while (asks := game.asks(match.position)) and asks[0].default:
        ask = asks[0]
        reached = game.encode(game.answer(match.position, ask, ask.default, Dice(bytes(32))))
        drawn = () if match.luck != COUNTED else None
        by = match.seats[ask.side]
        replied = Replied(at, ask.side, by, ask.default, digest(reached), match.rolls, drawn, assumed=True)
        decision += follow(match, replied)
        match = decision.after
    return decision if decision.events else None


def plays_on(match: Match, without: Iterable[Side]) -> bool:
    """Whether the others play on once these sides are out."""
    position = match.position
    return all((position := match.game.leave(position, side)) is not None for side in without)


def _gone(match: Match, side: Side, rule: Rule, at: int) -> tuple[Event, ...]:
    """What follows when a side gives up or is out of time: the others play on, or it is over."""
    if match.game.leave(match.position, side) is not None:
        return ()
    return (ended(match.game.forfeit(match.position, side, rule), match.game, at),)


def token_transfers(match: Match) -> tuple[tuple[Player, Player, str], ...]:
    """Whose token has changed hands by the end of a match: (from, to, token)."""
    if match.result is None or match.result.rule == ABORTED.ref or not match.tokens:
        return ()
    changed = match.game.token_transfers(match.position, frozenset(match.result.winners))
    seats, tokens = match.seats, match.tokens
    return tuple((seats[old], seats[new], tokens[seats[old]]) for old, new in changed if seats[old] in tokens)


def shared_token(match: Match) -> str:
    """The token for a piece that is nobody's, in a match that is played for keeps; "" for none."""
    _, term = match.game.shared_bearer
    return match.terms.get(term, "") if match.tokens else ""
