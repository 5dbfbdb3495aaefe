"""When everything in a match has happened, as comments of its record; what makes no entry there is told in words."""

from collections.abc import Callable

from engine.match.clock import write_duration
from engine.match.events import (
    Acknowledged,
    Agreed,
    Answered,
    CalledOut,
    CallFailed,
    Claimed,
    ClaimOpened,
    ContactFound,
    ContactLost,
    Credited,
    Ended,
    Event,
    Flagged,
    Offered,
    Played,
    Replied,
    Reset,
    Resigned,
    Started,
    TakenBack,
    TurnLost,
)
from engine.match.events.rulings import Lifted, PlaceMoved, Ruled, SeatHanded
from engine.match.events.time import ClaimMade, Overrun, Paused, PauseEnded, TermsChanged, TimeGiven
from engine.match.state import Match

ENTRIES = (Played, Replied, CalledOut, CallFailed, TakenBack, Resigned, Flagged, TurnLost, Agreed, Reset, TermsChanged)
"""What the record tells anyway."""


def dates(when: Callable[[int], str]) -> Callable[[Match, Event], str]:
    """What `record_of` notes of each event: when it was, and what, if nothing else says so."""

    def noted(match: Match, event: Event) -> str:
        words = _words(match, event, when)
        return "" if words is None else f"{when(event.at)} {words}".strip()

    return noted


def _words(match: Match, event: Event, when: Callable[[int], str]) -> str | None:
    """What an event is called; "" where its entry tells it, None where it is nobody's business but its player's."""
    by = match.side_of(getattr(event, "by", "") or getattr(event, "player", "")) or "an arbiter"
    match event:
        case Started():
            return "begun"
        case Offered(what=what, value=value):
            return f"{by} offers {what} {' '.join(value.split())}".strip()
        case Answered(what=what, yes=yes):
            return f"{by} {'accepts' if yes else 'declines'} {what}"
        case Acknowledged():
            return f"{by} lets it stand"
        case Paused(until=until, why=why):
            return f"paused until {when(until)} ({why})"
        case PauseEnded():
            return "the pause is over"
        case TimeGiven(side=side, span=span):
            return f"{side} is given {write_duration(span)}"
        case Credited(span=span):
            return f"{write_duration(span - span % 1000)} in which Riposte was away given back"
        case ContactLost() | ContactFound():
            return f"{by} cannot be reached" if isinstance(event, ContactLost) else f"{by} can be reached again"
        case ClaimOpened() | Overrun():
            return "open to a claim"
        case ClaimMade() | Claimed():
            return f"{by} claims"
        case Ruled(what=what):
            return f"an arbiter rules: {what}"
        case Lifted():
            return "the result is lifted"
        case PlaceMoved():
            return "moved to another place"
        case SeatHanded(side=side):
            return f"{side} is handed on"
        case Ended(title=title):
            return f"over: {title}"
        case _:
            return "" if isinstance(event, ENTRIES) else None
