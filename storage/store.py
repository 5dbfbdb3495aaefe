"""What a store does, whichever database is behind it."""

import asyncio
from collections.abc import Callable, Collection, Mapping, Sequence
from contextlib import AbstractAsyncContextManager
from dataclasses import field
from math import inf
from typing import Final, NamedTuple, Protocol, TypeAlias

from engine.value import value


class Conflict(Exception):  # noqa: N818  (the architecture's name)
    """Somebody else has added to this match since it was loaded, or the message was heard before: decide again."""


@value(frozen=True, slots=True)
class Record:
    """One event of a match as it is stored."""

    match: str
    seq: int
    """From 1."""
    at: int
    """Milliseconds since 1970 UTC."""
    body: str
    """The event as JSON; storage never looks inside."""
    digest: bytes
    """SHA-256 over the previous record's digest and this one's match, seq, at and body."""


@value(frozen=True, slots=True)
class OutboxMessage:
    """Something to deliver, frozen at commit."""

    key: str
    """Unique for ever: derived from what caused it, so a crash cannot make a second one."""
    ordering_key: str
    """Messages with the same one are delivered in order, one at a time: the address of a place."""
    body: str
    """An OutgoingMessage as JSON."""
    content: object = field(default=None, compare=False)
    """What the body says, where whoever wrote it is in the same process; storage never looks inside."""
    trace: str = field(default="", compare=False)
    """Which lines of the log tell what caused it, in the same process."""


@value(frozen=True, slots=True)
class Alarm:
    """An instant at which a match wants to be woken."""

    match: str
    kind: str
    at: int


@value(frozen=True, slots=True)
class Summary:
    """What lists of matches show and search by; rewritten with every change of the match."""

    match: str
    game: str
    status: str
    players: tuple[str, ...]
    """Person keys, in seating order (challenger first while it is open)."""
    to_act: tuple[str, ...]
    places: tuple[str, ...]
    """Addresses of the places in which the match lives."""
    due: int
    """When the side to act will have run out of time; 0 = never."""
    updated: int


@value(frozen=True, slots=True)
class Arrival:
    """A message from a platform that repeats nothing: kept until it has been dealt with."""

    id: str
    body: str
    """An IncomingMessage as JSON."""


@value(frozen=True, slots=True)
class Change:
    """Everything that one command causes; all of it is written, or nothing."""

    heard: str = ""
    """Id of the message that caused it; "" for an alarm. Its second arrival raises Conflict."""
    match: str = ""
    """Whose events they are: a match's, or a tournament's; "" when there are only messages (help, refusals)."""
    expected: int = 0
    """How many events the match had when it was loaded."""
    events: tuple[tuple[int, str], ...] = ()
    """(at, body), in order."""
    messages: tuple[OutboxMessage, ...] = ()
    alarms: tuple[Alarm, ...] | None = None
    """Replaces the match's alarms; None leaves them."""
    wakes: tuple[Alarm, ...] = ()
    """Alarms of other logs, set besides those they have; one that is set already is set once."""
    woken: tuple[Alarm, ...] = ()
    """Alarms of other logs that are done with."""
    summary: Summary | None = None
    settings: tuple[tuple[str, str, str], ...] = ()
    """(owner, key, value): a person's or a place's settings; "" forgets one."""
    arrivals: tuple[Arrival, ...] = ()
    """Messages to keep; one that is kept already, or was dealt with, is kept once."""
    dismissed: tuple[str, ...] = ()
    """Ids of arrivals that are dealt with and led to nothing. What is in `heard` is dealt with anyway."""
    at: int = 0
    """When it is made: what was heard is known again for a time only (`Store.forget_heard`). 0 = for ever."""


@value(frozen=True, slots=True)
class Outgoing:
    """A message that waits in the outbox."""

    number: int
    message: OutboxMessage
    attempts: int
    """How often it was put off."""
    behind: int = 0
    """The number of the one before it to the same place that had not arrived when this was committed; 0 = none, -1 =
    another process may have it to deliver."""


class Redact(Protocol):
    """Takes people out of what is stored."""

    def __call__(self, body: str, done: bool) -> str:
        """Returns a stored message without them, told whether it is done with; "" for one that nobody reads."""

    def text(self, text: str) -> str:
        """Returns plain words without their names."""

    def names_them(self, text: str) -> bool:
        """Returns whether a name of theirs is in it, however it is spelled or joined."""


Redacting: TypeAlias = Callable[[Mapping[str, str], Sequence[str]], Redact]
"""From people's keys to their tombstones, and words of theirs that are gone, to what takes both out."""

Unfinished: TypeAlias = Callable[[Mapping[str, str], Sequence[str]], tuple[str, str, str]]
"""From the same to the owner, key and value of a setting."""


class Store(Protocol):
    """Durable and ordered; its callers tell it the time.

    An error of the disk or the file (full, damaged, held by another program) is an OSError whose `strerror` tells
    hosts the fact and the remedy; nothing was changed then, and the store goes on working where it can.
    """

    @property
    def several(self) -> bool:
        """Whether other processes write to the database as well: what is in memory must be compared with it."""

    async def length(self, match: str) -> int:
        """Returns how many events a match has; 0 for an unknown one."""

    async def load(self, match: str) -> Sequence[Record]:
        """Returns all events of a match in order, their chain verified. Empty for an unknown match.

        Raises OSError (errno EBADMSG) for a match that is not as it was written; all others can be loaded.
        """

    async def resume(self, match: str) -> tuple[bytes, int, Sequence[Record]]:
        """Returns a match as it was kept last, after how many events, and those behind it; (b"", 0, []) if it was not.

        Raises OSError as `load`, but for what stands before the snapshot: `load` verifies the whole log.
        """

    def keep(self, match: str, seq: int, data: bytes) -> None:
        """Have a match kept as it stood after an event; nobody waits for it, and it may come to nothing."""

    def keeping_none(self) -> AbstractAsyncContextManager[None]:
        """Once inside, what `keep` was given is written, or never is; what it is given meanwhile comes to nothing."""

    async def commit(self, change: Change) -> Sequence[Outgoing]:
        """Write a change for good. Returns its messages as they wait now.

        Raises Conflict, after which nothing of it was written.

        A caller that is cancelled meanwhile asks `known(heard)` whether it was written.
        """

    async def known(self, heard: str) -> bool:
        """Returns whether a message was already dealt with."""

    async def arrived(self, platform: str, limit: int = 100) -> Sequence[Arrival]:
        """Returns a platform's arrivals (their ids begin with `"platform:"`) not dealt with yet, oldest first."""

    async def next_match(self) -> str:
        """Returns a number that no match has yet (committing under a taken one raises Conflict)."""

    async def summary(self, match: str) -> Summary | None:
        """Returns the summary of one match."""

    async def matches(
        self, *, player: str = "", place: str = "", status: str = "", limit: int = -1
    ) -> Sequence[Summary]:
        """Returns the summaries that fit all the given conditions, most recently changed first, at most so many."""

    async def setting(self, owner: str, key: str) -> str:
        """Returns a setting, "" if it was never set."""

    async def owners(self, key: str) -> Sequence[tuple[str, str]]:
        """Returns everybody and everything that has a setting, with its value."""

    async def noting(self, key: str) -> Sequence[str]:
        """Returns everybody and everything that has a setting under a key, or under one like `"key 17"`."""

    async def settings(self, owner: str) -> Sequence[tuple[str, str]]:
        """Returns all settings of a person or place, by key."""

    async def erase(self, players: Sequence[str], redact: Redacting, at: int, unfinished: Unfinished) -> None:
        """Put tombstones (`former:17`) in place of people.

        What nobody writes any more is left to `clean`, and `unfinished` says the setting that holds till then what
        that has to know. It and `redact` are given the tombstones by key, and these people's words that are gone.
        """

    async def clean(self, gone: Mapping[str, str], redact: Redact, owner: str, key: str) -> None:
        """Take people who are erased out of letters that are done with, of others' words, and of copies.

        The setting of this owner and key held what was left to do, and goes with it.
        """

    async def words(self, players: Sequence[str]) -> Sequence[tuple[str, str, str]]:
        """Returns what people wrote in their own words: the log in which it stands, the field, and the words."""

    async def unerased(self) -> Mapping[str, int]:
        """Returns whom was erased once and is known here all the same, by key: the file comes from an older backup."""

    async def claim(self, now: int, limit: int = 100) -> None:
        """Have messages that are due and nobody's be this process's to deliver, where several deliver."""

    async def waiting(self, now: int, limit: int = 100, platforms: Sequence[str] = ()) -> Sequence[Outgoing]:
        """Returns undelivered messages that are first under their ordering key, oldest first, unless put off.

        At most so many of each of these platforms, and of all others together: what waits for one that hangs hides
        nothing that is for another.
        Where several deliver, only those that are this process's.
        """

    async def next_waiting(self, now: int) -> int | None:
        """Returns the earliest instant after `now` at which a message that was put off is due, or None."""

    async def delivered(
        self, number: int, remote: str, at: int, *, soon: bool = True, untried: OutboxMessage | None = None
    ) -> None:
        """Record that a message has arrived; `remote` is the platform's id for it.

        `untried`: the message itself, where nobody has tried to deliver it before, which is quicker.
        Returns when that is on the disk, and raises OSError where it cannot be: until then it must not be sent again.
        Unless it is wanted `soon` it goes along with the next change, or is written after a second; whoever asks what
        has arrived has it written.
        """

    async def flush(self) -> None:
        """Return when all that was recorded is written, if anything can be written."""

    async def sent(self, remote: str) -> Sequence[OutboxMessage]:
        """Returns the messages that arrived under a platform's id, newest first; platforms may share ids."""

    async def unsent(self, thread: str) -> Sequence[OutboxMessage]:
        """Returns the messages that have yet to arrive in a match's threads, and in private about it."""

    async def told(self, keys: Sequence[str]) -> Sequence[OutboxMessage]:
        """Returns those of the messages with these keys that there are, whether they have arrived or not."""

    async def news(self, ordering_key: str, after: int, limit: int = 100) -> Sequence[Outgoing]:
        """Returns the messages to a program's place (its key begins with `"api/"`) behind a number, oldest first."""

    async def latest(self, ordering_key: str) -> int:
        """Returns the number of the last message to a program's place; 0 = none."""

    async def on_the_way(self, keys: Sequence[str]) -> bool:
        """Returns whether one of the messages with these keys has yet to arrive."""

    async def put_off(self, number: int, until: int, *, tried: bool = True) -> None:
        """Have a message tried again at an instant; `tried` = this counts as an attempt."""

    async def undeliverable(self, number: int, why: str, at: int) -> None:
        """Record that a message will never be delivered, and why; the next one under its key goes out."""

    async def shorten(self, before: int, shorter: Callable[[str], str]) -> int:
        """Shorten the bodies of some messages that were done with before an instant.

        Returns of how many, 0 = none was left. Their keys stay, so that none can be made a second time.
        """

    async def forget_heard(self, before: int, after: str) -> str:
        """Forget those of the next ids after `after` ("" = the first) that were dealt with before an instant.

        Returns the last one looked at, "" after all of them.
        """

    async def due(self, now: int, limit: int = 100) -> Sequence[Alarm]:
        """Returns the alarms that are due, earliest first; where several processes fire them, this one's to fire."""

    async def next_alarm(self, after: int = -1) -> int | None:
        """Returns the earliest instant after `after` at which an alarm is set, or None."""

    def held(self) -> bool:
        """Returns whether this process still speaks for the database: not once another may have taken over.

        What is sent then might be sent twice.
        """

    async def close(self) -> None:
        """Finish what is queued and close the database."""


class Replica(Store, Protocol):
    """A copy of another store that follows it; nothing can be written to it.

    Whatever keeps it from being believed raises OSError.
    """

    async def reached(self) -> float:
        """Returns up to which moment it has all that was written, by this process's own clock (`time.monotonic`).

        -1 = that cannot be known yet.
        """


PAUSE: Final = "pause"
"""The duty of whoever has all other processes pause."""


class News(NamedTuple):
    """What another process has committed."""

    process: int
    match: str
    settings: tuple[tuple[str, str], ...]
    """Owner and key."""
    messages: tuple[str, ...]
    """Their keys."""


class Shared(Store, Protocol):
    """A store to which several processes write. Each has a number; what bears the number of one that is gone is free.

    Whatever a process does once it was silent for too long raises OSError (errno ESTALE).
    """

    serves: Callable[[], Collection[str]]
    """The platforms that this process delivers to now; none until somebody says so."""

    lost: asyncio.Event
    """Set once others have taken over what this process did."""

    @property
    def process(self) -> int:
        """The number of this process; it grows from one to the next."""

    def now(self) -> int:
        """Milliseconds since 1970 UTC, the same for all processes: the database's clock, where a machine's is off."""

    async def bury(self) -> None:
        """Have what others left undone that have ended, or are silent for too long, be free."""

    async def narrow(self) -> None:
        """Change the tables further where that had to wait until no process of an older version is there."""

    async def hears(self, hear: Callable[[News | None], None]) -> None:
        """Have `hear` told from now on what others commit; None = something may have been missed, so look at all."""

    async def take(self, duty: str, platform: str, instead: Collection[str] = ()) -> bool:
        """Take a duty that is free, or ours already, and what was received on its platform and is nobody's.

        Returns whether it is ours. It is not ready then. Duties that it stands `instead` of are forgotten.
        """

    async def duties(self, ago: float = inf) -> Sequence[tuple[str, str, bool]]:
        """Returns each duty that was done in the last day, its platform, and whether it is done and ready.

        Done by whoever is known to have been there since so many seconds `ago`; by this process at any time.
        """

    async def ready(self, duty: str, *, ready: bool) -> None:
        """Note whether a duty of ours is ready: all that was written meanwhile has been dealt with, say."""

    async def give_up(self, duty: str) -> None:
        """Let others have a duty of ours."""

    async def pauses_for(self) -> int:
        """Returns the other process for whose sake this one must have nothing under way; 0 = nobody's."""

    async def paused(self, process: int) -> None:
        """Note for whose sake nothing is under way here; 0 = nobody's."""

    async def all_pause(self) -> bool:
        """Returns whether all other processes have nothing under way for this one's sake."""
