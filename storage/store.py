"""What the rest of the house may ask of a store, whichever database is behind it."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol


class Conflict(Exception):  # noqa: N818  (the architecture's name)
    """Somebody else has added to this match since it was loaded, or the message was heard before: decide again."""


@dataclass(frozen=True, slots=True)
class Record:
    """One event of a match as it is kept."""

    match: str
    seq: int
    """From 1."""
    at: int
    """Milliseconds since 1970 UTC."""
    body: str
    """The event as JSON; storage never looks inside."""
    digest: bytes
    """SHA-256 over the previous record's digest and this one's match, seq, at and body."""


@dataclass(frozen=True, slots=True)
class OutboxMessage:
    """Something to deliver, frozen at commit."""

    key: str
    """Unique for ever: derived from what caused it, so a crash cannot make a second one."""
    lane: str
    """Letters of one lane are delivered in order, one at a time: a platform's place."""
    body: str
    """A Post as JSON."""


@dataclass(frozen=True, slots=True)
class Alarm:
    """An instant at which a match wants to be woken."""

    match: str
    kind: str
    at: int


@dataclass(frozen=True, slots=True)
class Summary:
    """What lists of matches show and search by; rewritten with every change of the match."""

    match: str
    game: str
    status: str
    players: tuple[str, ...]
    """Person keys, in seating order (challenger first while it is open)."""
    to_act: tuple[str, ...]
    places: tuple[str, ...]
    """Lanes in which the match lives."""
    due: int
    """When the side to act will have run out of time; 0 = never."""
    updated: int


@dataclass(frozen=True, slots=True)
class Arrival:
    """A message from a platform that repeats nothing: kept until it has been dealt with."""

    id: str
    body: str
    """A Heard as JSON."""


@dataclass(frozen=True, slots=True)
class Change:
    """Everything that one command causes; all of it is written, or nothing."""

    heard: str = ""
    """Id of the message that caused it; "" for an alarm. Its second arrival raises Conflict."""
    match: str = ""
    """"" when only letters go out (help, refusals)."""
    expected: int = 0
    """How many events the match had when it was loaded."""
    events: tuple[tuple[int, str], ...] = ()
    """(at, body), in order."""
    letters: tuple[OutboxMessage, ...] = ()
    alarms: tuple[Alarm, ...] | None = None
    """Replaces the match's alarms; None leaves them."""
    summary: Summary | None = None
    settings: tuple[tuple[str, str, str], ...] = ()
    """(owner, key, value): a person's or a place's preferences; "" forgets one."""
    arrivals: tuple[Arrival, ...] = ()
    """Messages to keep; one that is kept already, or was dealt with, is kept once."""
    dismissed: tuple[str, ...] = ()
    """Ids of arrivals that are dealt with and led to nothing. What is in `heard` is dealt with anyway."""


@dataclass(frozen=True, slots=True)
class Outgoing:
    """A letter that waits in the outbox."""

    number: int
    letter: OutboxMessage
    attempts: int
    """How often it was put off."""


class Store(Protocol):
    """Durable, ordered, told the time by its callers.

    Trouble with the disk or the file (full, damaged, held by another program) is an OSError whose `strerror` tells
    people the fact and the remedy; nothing was changed then, and the store goes on working where it can.
    """

    async def load(self, match: str) -> Sequence[Record]:
        """All events of a match in order, their chain verified. Empty for an unknown match.

        Raises OSError (errno EBADMSG) for a match that is not as it was written; it alone is put aside.
        """

    async def commit(self, change: Change) -> None:
        """Write a change for good. Raises Conflict, after which nothing of it was written.

        Whoever is cancelled while waiting here knows nothing: `known(heard)` tells whether it was written.
        """

    async def known(self, heard: str) -> bool:
        """Whether a message was already dealt with."""

    async def arrived(self, platform: str, limit: int = 100) -> Sequence[Arrival]:
        """Arrivals of a platform (their ids begin with `"platform:"`) that nobody has dealt with, oldest first."""

    async def next_match(self) -> str:
        """A number that no match has yet (committing under a taken one raises Conflict)."""

    async def summary(self, match: str) -> Summary | None:
        """The summary of one match."""

    async def matches(self, *, player: str = "", place: str = "", status: str = "") -> Sequence[Summary]:
        """Summaries that fit all the given conditions, most recently changed first."""

    async def setting(self, owner: str, key: str) -> str:
        """A preference, "" if it was never set."""

    async def waiting(self, now: int, limit: int = 100) -> Sequence[Outgoing]:
        """Undelivered letters that are first in their lane, oldest first; those put off are left out until due."""

    async def next_waiting(self, now: int) -> int | None:
        """The earliest instant after `now` at which a letter that was put off is due, or None."""

    async def delivered(self, number: int, remote: str, at: int) -> None:
        """A letter has arrived; `remote` is the platform's id for it."""

    async def sent(self, remote: str) -> Sequence[OutboxMessage]:
        """The letters that have arrived under a platform's id, newest first; platforms may use the same ids."""

    async def put_off(self, number: int, until: int, *, tried: bool = True) -> None:
        """A letter could not be delivered now; it is tried again then, and counts an attempt if it was one."""

    async def undeliverable(self, number: int, why: str, at: int) -> None:
        """A letter will never be delivered: it leaves its lane and is kept with the reason."""

    async def due(self, now: int, limit: int = 100) -> Sequence[Alarm]:
        """Alarms whose time has come, earliest first."""

    async def next_alarm(self, after: int = -1) -> int | None:
        """The earliest instant after `after` at which an alarm is set, or None."""

    async def close(self) -> None:
        """Finish what is queued and let go of the database."""
