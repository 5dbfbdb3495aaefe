"""Delivers stored messages to their platforms: in order for each place, many places at once, again until it works."""

import asyncio
from collections.abc import Awaitable, Callable, Mapping
from functools import partial
from typing import Protocol, TypeAlias

import structlog

from bot.messages.model import Adapter, OutgoingMessage, Picture, Retry, Undeliverable
from bot.messages.serialization import read_message
from bot.runtime.wake import SWEEP, Wait, Wake, wait
from storage.store import Outgoing, Store

Paint: TypeAlias = Callable[[Picture], Awaitable[bytes | None]]
"""Draws a picture, in a worker thread where that takes long."""

AT_ONCE = 32
"""Messages in flight at once."""
LONGEST_PAUSE = 60.0
"""Most seconds between two attempts: so long can a message be late once its platform is back."""
TIMEOUT = 120.0
"""Seconds after which a delivery without an answer counts as failed; its key keeps it from arriving twice."""
GIVE_UP = 100
"""Attempts after which a message that fails for an unknown reason makes way for those behind it."""
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
    """Runs until it is cancelled. A delivery that is cut off is tried again under the same key."""

    def __init__(
        self,
        store: Store,
        adapters: Mapping[str, Adapter],
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
        self._in_flight: dict[str, asyncio.Task[None]] = {}
        """By ordering key."""

    def nudge(self) -> None:
        """Look again: messages were committed."""
        self._wake.nudge()

    async def run(self) -> None:
        """Deliver messages."""
        try:
            while True:
                await self._wake.until(await self._start_deliveries())
        finally:
            await self._finish()

    async def _start_deliveries(self) -> int | None:
        """Start every delivery that can be. Returns the instant at which one that was put off is due."""
        now = self._wake.fresh()
        # What arrives while the outbox is being read may still be listed there; it nudges, and one looks again.
        in_flight = set(self._in_flight)
        try:
            for outgoing in await self._store.waiting(now, AT_ONCE + len(in_flight)):
                key = outgoing.message.ordering_key
                if key not in in_flight and len(self._in_flight) < AT_ONCE:
                    name = f"message {outgoing.number}"
                    self._in_flight[key] = asyncio.create_task(self._deliver(outgoing), name=name)
            return await self._store.next_waiting(now)
        except OSError as error:
            log.error("the outbox cannot be read", error=error.strerror)
            return None

    async def _deliver(self, outgoing: Outgoing) -> None:
        """Try once, and store what became of it."""
        try:
            store_result = await self._attempt(outgoing)
            while True:
                try:
                    return await store_result()
                except OSError as error:  # a full disk, say: it may have arrived, so it must not be sent again
                    log.error("a delivery cannot be recorded", key=outgoing.message.key, error=error.strerror)
                    await self._wait(asyncio.Event(), SWEEP)
                except Exception:
                    log.exception("a delivery cannot be recorded", key=outgoing.message.key)
                    await self._wait(asyncio.Event(), SWEEP)
        finally:
            del self._in_flight[outgoing.message.ordering_key]
            self._wake.nudge()

    async def _attempt(self, outgoing: Outgoing) -> Callable[[], Awaitable[None]]:
        """Try to deliver once. Returns what stores the result."""
        number, attempts, key = outgoing.number, outgoing.attempts, outgoing.message.key
        try:
            message = read_message(outgoing.message.body)
        except Exception as error:  # it will not become readable
            log.exception("a message cannot be read", key=key)
            return partial(self._store.undeliverable, number, f"unreadable: {error}", self._now())
        try:
            adapter = self._adapters.get(message.where.platform)
            if adapter is None:  # it may be switched on again some day
                raise Retry(LONGEST_PAUSE, tried=False)
            async with asyncio.timeout(TIMEOUT):
                remote = await adapter.deliver(message, await self._image(message))
        except Retry as retry:
            if not retry.tried:  # however often we start, the first adapter that is there gets it at once
                return partial(self._store.put_off, number, self._now() + int(retry.after * 1000), tried=False)
            pause = max(retry.after, backoff(attempts))
        except Undeliverable as error:
            log.warning("a message is undeliverable", key=key, why=str(error))
            return partial(self._give_up, number, message, error)
        except Exception as error:
            log.exception("a delivery failed", key=key, attempts=attempts)
            if attempts >= GIVE_UP:
                return partial(self._store.undeliverable, number, repr(error), self._now())
            pause = backoff(attempts)
        else:
            return partial(self._arrived, number, message, remote)
        return partial(self._store.put_off, number, self._now() + int(pause * 1000))

    async def _arrived(self, number: int, message: OutgoingMessage, remote: str) -> None:
        if self._contact:
            await self._contact.arrived(message)
        await self._store.delivered(number, remote, self._now())

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
        tasks = list(self._in_flight.values())
        if tasks:
            _, late = await asyncio.wait(tasks, timeout=GRACE)
            for task in late:
                task.cancel()
            await asyncio.gather(*late, return_exceptions=True)


def backoff(attempts: int) -> float:
    """Returns the seconds before the next attempt: 1, 2, 4, … up to `LONGEST_PAUSE`."""
    return min(LONGEST_PAUSE, 2.0 ** min(attempts, 10))
