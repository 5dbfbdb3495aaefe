"""Time in which Riposte was down: stored once for all matches, given back to each when it is next touched.

When we did not hear one platform, however briefly, is kept beside it: it tells what was written there in time.
"""

from collections.abc import Iterable

from engine.match.commands import Credit
from engine.match.decide import decide
from engine.match.events import Refusal
from engine.match.evolve import Decision
from engine.match.state import Match

KEPT = 2_000
"""Outages that are remembered; a match that was touched before the oldest gets nothing for still older ones."""

ABSENCES = "absences"
"""The setting of a platform that holds when it was not read, however briefly: nothing is given back for that."""
ABSENCES_KEPT = 100
"""Absences that are remembered: what was written in one is read soon after it."""

Outage = tuple[int, int]
"""When it began and ended, in milliseconds since 1970 UTC."""


def read_outages(text: str) -> tuple[Outage, ...]:
    """The outages in a stored text, earliest first."""
    return tuple((int(since), int(until)) for since, _, until in (line.partition(" ") for line in text.splitlines()))


def add_outage(text: str, outage: Outage, most: int = KEPT) -> str:
    """The stored text with one more outage; one that was noted in part is noted whole."""
    kept = [other for other in read_outages(text) if other[0] != outage[0]]
    return "\n".join(f"{since} {until}" for since, until in (*kept, outage)[-most:])


def were_away(outages: Iterable[Outage], at: int) -> bool:
    """Returns whether an instant lies in an outage."""
    return any(since <= at <= until for since, until in outages)


def credit(match: Match, outages: Iterable[Outage], written: int) -> Decision:
    """What the outages since it was last written have given back to a match whose clock runs."""
    decision = Decision()
    for since, until in outages:
        if until > written:
            given = decide(match, Credit(until - max(since, written)), until, match.dice)
            assert not isinstance(given, Refusal), "nobody asked for it"
            if given.events:
                decision, match, written = decision + given, given.after, until
    return decision
