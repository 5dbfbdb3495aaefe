"""What becomes of a match's time: it rests, is given, or is claimed; and other terms in mid-match."""

from engine.match.clock import read_clock
from engine.match.commands import Offering
from engine.match.events.time import ClaimMade, Overrun, Paused, PauseEnded, Rested, TermsChanged, TimeGiven
from engine.match.evolve.going_on import shortened
from engine.match.rests import merged
from engine.match.state import Match, StandingOffer


def timed(match: Match, event: Rested | Paused | PauseEnded | TimeGiven | Overrun | ClaimMade | TermsChanged) -> Match:
    """The match after something has happened to its time."""
    match event:
        case Rested(player=player, weekends=weekends, vacation=vacation):
            return match.but(rests={**match.rests, player: merged((*weekends, *vacation))})
        case Paused(at=at, until=until, why=why):
            often = {**match.paused, why: match.paused.get(why, 0) + 1}
            pauses, offers = (*match.pauses, (at, until)), _without(match, "pause", "adjourn", "ruling")
            return match.but(pauses=pauses, paused=often, offers=offers)
        case PauseEnded(at=at):
            pauses = merged((start, min(end, at)) for start, end in match.pauses)
            return match.but(pauses=pauses, offers=_without(match, "resume"))
        case TimeGiven(side=side, span=span):
            given = match.but(given=match.given + span, overrun=False, offers=_without(match, "time"))
            if match.clock.kind == "turn" and side in match.sides_to_act:
                return given.but(turn_started_at=match.turn_started_at + span)
            return shortened(given, side, -span)
        case Overrun():
            return match.but(overrun=True)
        case ClaimMade(at=at, by=by):
            return match.but(claimed_by=by, turn_started_at=at, runs_since=at, reminded=0)
        case TermsChanged(terms=terms):
            return match.but(next_terms=terms, offers=_without(match, "terms"))


def _without(match: Match, *settled: Offering) -> tuple[StandingOffer, ...]:
    return tuple(offer for offer in match.offers if offer.what not in settled)


def on_new_terms(match: Match) -> Match:
    """The match once a turn was made on the terms that held so far."""
    if not match.next_terms:
        return match
    changed = match.but(terms=match.next_terms, next_terms={})
    if match.next_terms["time"] == match.terms["time"]:
        return changed
    clock = read_clock(match.next_terms["time"])
    return changed.but(clock=clock, time_left=clock.start(tuple(match.seats)), time_owed={})
