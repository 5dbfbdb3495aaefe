"""Delivers stored messages to their platforms: in order for each place, many places at once, again until it works."""

import asyncio
from collections import Counter, defaultdict, deque
from collections.abc import Awaitable, Callable, Mapping, Sequence
from functools import partial
from typing import Protocol, TypeAlias

import structlog

from bot.logs import follow, traced
from bot.messages.model import Delivering, OutgoingMessage, Picture, Retry, Undeliverable
from bot.messages.serialization import read_message
from bot.messages.showing.pictures import put_into_words
from bot.runtime.wake import SWEEP, Wait, Wake, wait
from bot.trouble import Trouble, reason
from storage.store import Change, Outgoing, Store

Paint: TypeAlias = Callable[[Picture], Awaitable[bytes | None]]
"""Draws a picture, in a worker thread where that takes long."""

AT_ONCE = 32
"""Messages in flight at once."""
SHARE = 24
"""Of these so many may be one platform's where there are others: one that is slow does not make all wait."""
READ = 64
"""Places of one platform for which messages are read from the store; more are read below `AT_ONCE` of them."""
LONGEST_PAUSE = 15.0
"""Most seconds between two attempts: so long can a message be late once its platform is back."""
ABSENT = 60.0
"""Seconds between two looks for a platform that is switched off."""
FARTHEST = 3_600_000
"""Milliseconds for which no platform has a message put off."""
TIMEOUT = 120.0
"""Seconds after which a delivery without an answer counts as failed; its key keeps it from arriving twice."""
GIVE_UP = 100
"""Attempts after which a message that fails for an unknown reason makes way for those behind it."""
MOST = 1_000
"""Messages to one platform at hand at once; others are read from the store."""
HELD_AGAIN = 3.0
"""Seconds after which it is asked again whether the database is ours."""
GRACE = 5.0
"""Seconds that messages in flight have to arrive when the bot stops."""

log = structlog.get_logger(__name__)


class Contact(Protocol):
    """Is told what becomes of messages, before that is recorded. Raises OSError where that cannot be stored."""

    async def failed(self, message: OutgoingMessage, error: Undeliverable) -> None:
        """A message will never be delivered."""

    async def arrived(self, message: OutgoingMessage) -> None:
        """A message was delivered."""


class OutboxRelay:
    """Runs until it is cancelled. A delivery that is cut off is tried again under the same key.

    What is committed is handed on in memory (`committed`); the store is read for what is not at hand: what an earlier
    process left, what was put off, and what stands behind that.
    """

    def __init__(
        self,
        store: Store,
        adapters: Mapping[str, Delivering],
        paint: Paint,
        now: Callable[[], int],
        wait: Wait = wait,
        *,
        contact: Contact | None = None,
    ):
        self._contact = contact
        self._store = store
        self._adapters = adapters
        self._paint = paint
        self._now = now
        self._wake = Wake(now, wait)
        self._wait = wait
        self._queues: dict[str, deque[Outgoing]] = {}
        """By ordering key, what is at hand for a place: the first is in flight, or waits to be."""
        self._ready = defaultdict[str, deque[str]](deque)
        """The places of each platform whose first message waits until fewer are in flight."""
        self._in_flight: set[str] = set()
        """The places to which one is on its way."""
        self._at_hand: set[int] = set()
        """Numbers of messages from when they are taken until what became of them is recorded."""
        self._held = Counter[str]()
        """How many these are, by platform."""
        self._places = Counter[str]()
        """For how many places of each."""
        self._taken: set[int] = set()
        """Those that were at hand at any time since the outbox was last read."""
        self._arrived: set[int] = set()
        """Those that have arrived since the outbox was last read, or are still to be recorded: a change may have been
        committed behind one before that was."""
        self._unread = Trouble("the outbox cannot be read")
        self._more = True
        """Whether the store may hold messages that are not at hand and could go out once one of these has landed."""
        self._tasks: set[asyncio.Task[None]] = set()
        self._stopping = False

    def nudge(self) -> None:
        """Look into the store again: messages were committed."""
        self._wake.nudge()

    def committed(self, change: Change, waiting: Sequence[Outgoing]) -> None:
        """Deliver what has just been committed, behind what is at hand for the same place."""
        if self._stopping:
            return
        for outgoing in waiting:
            queue, behind = self._queues.get(outgoing.message.ordering_key), outgoing.behind
            known = behind == queue[-1].number if queue else not behind or behind in self._arrived
            if known and self._held[_platform(outgoing.message.ordering_key)] < MOST:
                self._take(outgoing)
            else:
                self._more = True
                self._wake.nudge()

    async def run(self) -> None:
        """Deliver messages."""
        try:
            while True:
                await self._wake.until(await self._look())
        finally:
            await self._finish()

    async def _look(self) -> int | None:
        """Take from the store what is not at hand. Returns the instant at which one that was put off is due."""
        now = self._wake.fresh()
        # What lands while the outbox is being read may still be listed there.
        self._taken = set(self._at_hand)
        self._arrived &= self._at_hand
        self._more = False
        limit = READ + len(self._queues)
        try:
            later = await self._store.next_waiting(now)
            if later is not None and later - now > FARTHEST:  # put off by a clock that was ahead
                now = later
            await self._store.claim(now, limit)
            found = await self._store.waiting(now, limit, tuple(self._adapters))
            for outgoing in found:
                place = outgoing.message.ordering_key
                if place in self._queues or outgoing.number in self._taken:
                    self._more = True
                elif self._places[_platform(place)] < READ:
                    self._take(outgoing)
                    self._more = True  # others may stand behind it
            self._more = self._more or len(found) >= limit
            due = await self._store.next_waiting(now)
        except OSError as error:
            self._unread.failed(error)
            return None
        self._unread.works()
        return due

    def _take(self, outgoing: Outgoing) -> None:
        """Have a message at hand, and on its way as soon as it is its turn."""
        place = outgoing.message.ordering_key
        self._at_hand.add(outgoing.number)
        self._held[_platform(place)] += 1
        self._taken.add(outgoing.number)
        if place in self._queues:
            self._queues[place].append(outgoing)
        else:
            self._queues[place] = deque([outgoing])
            self._places[_platform(place)] += 1
            self._ready[_platform(place)].append(place)
            self._start()

    def _start(self) -> None:
        """Start as many deliveries as may be in flight."""
        while len(self._in_flight) < AT_ONCE and not self._stopping and (place := self._next()):
            self._in_flight.add(place)
            outgoing = self._queues[place][0]
            task = asyncio.create_task(self._deliver(outgoing), name=f"message {outgoing.number}")
            self._tasks.add(task)
            task.add_done_callback(self._tasks.discard)

    def _next(self) -> str:
        """The place that has waited longest, of the platform to which the fewest are on their way; "" = none may go."""
        flying = Counter(map(_platform, self._in_flight))
        most = SHARE if len(self._adapters) > 1 else AT_ONCE
        free = [one for one, places in self._ready.items() if places and flying[one] < most]
        return self._ready[min(free, key=lambda one: flying[one])].popleft() if free else ""

    async def _deliver(self, outgoing: Outgoing) -> None:
        """Try once, and store what became of it."""
        with traced(outgoing.message.trace):
            await self._carry(outgoing)

    async def _carry(self, outgoing: Outgoing) -> None:
        place, number = outgoing.message.ordering_key, outgoing.number
        landed = False
        try:
            landed, store_result = await self._attempt(outgoing)
            if landed:
                self._land(place, number)
            await self._record(outgoing, store_result)
        finally:
            gone = [number]
            if not landed:  # what stands behind it waits in the store
                gone = [one.number for one in self._drop(place)]
                self._in_flight.discard(place)
                self._more = True
            self._at_hand.difference_update(gone)
            self._held[_platform(place)] -= len(gone)
            self._start()
            # Each look goes through all places for which something waits: not for each message of thousands.
            if self._more and (not landed or self._places[_platform(place)] < AT_ONCE):
                self._wake.nudge()

    def _land(self, place: str, number: int) -> None:
        """Make way for the next message to a place: this one has arrived."""
        self._arrived.add(number)
        self._in_flight.discard(place)
        queue = self._queues[place]
        queue.popleft()
        if queue:
            self._ready[_platform(place)].append(place)
        else:
            self._drop(place)
        self._start()

    def _drop(self, place: str) -> deque[Outgoing]:
        """Have nothing at hand for a place. Returns what was."""
        self._places[_platform(place)] -= 1
        return self._queues.pop(place)

    async def _record(self, outgoing: Outgoing, store_result: Callable[[], Awaitable[None]]) -> None:
        """Store what became of a message, however long that takes: it must not be sent again."""
        while True:
            try:
                return await store_result()
            except OSError as error:  # a full disk, say
                log.error("a delivery cannot be recorded", key=outgoing.message.key, error=reason(error))
            except Exception:
                log.exception("a delivery cannot be recorded", key=outgoing.message.key)
            await self._wait(asyncio.Event(), SWEEP)

    async def _attempt(self, outgoing: Outgoing) -> tuple[bool, Callable[[], Awaitable[None]]]:
        """Try to deliver once. Returns whether it has arrived, and what stores that."""
        number, attempts, key = outgoing.number, outgoing.attempts, outgoing.message.key
        try:
            content = outgoing.message.content
            message = content if isinstance(content, OutgoingMessage) else read_message(outgoing.message.body)
        except Exception as error:  # it will not become readable
            log.exception("a message cannot be read", key=key)
            return False, partial(self._store.undeliverable, number, f"unreadable: {error}", self._now())
        try:
            adapter = self._adapters.get(message.where.platform)
            if adapter is None:  # it may be switched on again some day
                raise Retry(ABSENT, tried=False)
            async with asyncio.timeout(TIMEOUT):
                image = await self._image(message)
                if not self._store.held():  # whoever has taken over may have sent it by now
                    raise Retry(HELD_AGAIN, tried=False)
                remote = await adapter.deliver(_described(message), image)
        except Retry as retry:
            if not retry.tried:  # however often we start, the first adapter that is there gets it at once
                again = self._now() + int(retry.after * 1000)
                return False, partial(self._store.put_off, number, again, tried=False)
            pause = max(retry.after, backoff(attempts))
        except Undeliverable as error:
            log.warning("a message is undeliverable", key=key, error=reason(error))
            return False, partial(self._give_up, number, message, error)
        except Exception as error:
            slow = isinstance(error, TimeoutError)  # no bug
            log.error("a delivery failed", key=key, attempts=attempts, error=repr(error), exc_info=not slow)
            if attempts >= GIVE_UP:
                return False, partial(self._store.undeliverable, number, repr(error), self._now())
            pause = backoff(attempts)
        else:
            follow("delivered", key=key, remote=remote)
            return True, partial(self._note_arrival, outgoing, message, remote)
        return False, partial(self._store.put_off, number, self._now() + int(pause * 1000))

    async def _note_arrival(self, outgoing: Outgoing, message: OutgoingMessage, remote: str) -> None:
        if self._contact:
            await self._contact.arrived(message)
        untried = None if outgoing.attempts else outgoing.message
        soon = self._stopping or self._more  # the store tells what stands behind it only once that is written
        await self._store.delivered(outgoing.number, remote, self._now(), soon=soon, untried=untried)

    async def _give_up(self, number: int, message: OutgoingMessage, error: Undeliverable) -> None:
        if self._contact:
            await self._contact.failed(message, error)
        await self._store.undeliverable(number, str(error), self._now())

    async def _image(self, message: OutgoingMessage) -> bytes | None:
        if message.picture is None:
            return None
        try:
            return await self._paint(message.picture)
        except Exception:  # the words, and the position in words, must get through all the same
            log.exception("a picture cannot be painted", key=message.key)
            return None

    async def _finish(self) -> None:
        """Let what is in flight arrive, for a moment."""
        self._stopping = True
        await self._store.flush()
        if self._tasks:
            _, late = await asyncio.wait(self._tasks, timeout=GRACE)
            for task in late:
                task.cancel()
            await asyncio.gather(*late, return_exceptions=True)


def _platform(place: str) -> str:
    """The platform of a place, by its ordering key."""
    return place.partition("/")[0]


def _described(message: OutgoingMessage) -> OutgoingMessage:
    try:
        return put_into_words(message)
    except Exception:
        log.exception("a picture cannot be put into words", key=message.key)
        return message


def backoff(attempts: int) -> float:
    """Returns the seconds before the next attempt: 1, 2, 4, … up to `LONGEST_PAUSE`."""
    return min(LONGEST_PAUSE, 2.0 ** min(attempts, 10))
