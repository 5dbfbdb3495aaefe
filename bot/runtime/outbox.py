"""Carries letters from the outbox to their platforms: each lane in order, many lanes at once, again until it worked."""

import asyncio
from collections.abc import Awaitable, Callable, Mapping
from functools import partial
from typing import TypeAlias

import structlog

from bot.messages.model import Adapter, OutgoingMessage, Picture, Retry, Undeliverable
from bot.messages.serialization import read_message
from bot.runtime.wake import SWEEP, Wait, Wake, wait
from storage.store import Outgoing, Store

Paint: TypeAlias = Callable[[Picture], Awaitable[bytes | None]]
"""Draws a picture, in a worker thread where that takes long."""

LANES = 32
"""Letters in flight at once."""
PATIENCE = 60.0
"""Seconds between two attempts at most: so long can a post be late once a platform is back."""
HANGING = 120.0
"""Seconds after which a delivery that does not answer counts as failed; its key keeps it from arriving twice."""
GIVE_UP = 100
"""Attempts after which a letter that fails for no known reason makes way for those behind it."""
FAREWELL = 5.0
"""Seconds that letters in flight have to land when the bot stops."""

log = structlog.get_logger(__name__)


class OutboxRelay:
    """Runs until it is cancelled. A letter that is cut off goes out again under the same key."""

    def __init__(
        self,
        store: Store,
        adapters: Mapping[str, Adapter],
        paint: Paint,
        now: Callable[[], int],
        wait: Wait = wait,
    ):
        self._store = store
        self._adapters = adapters
        self._paint = paint
        self._now = now
        self._wake = Wake(now, wait)
        self._wait = wait
        self._flying: dict[str, asyncio.Task[None]] = {}

    def nudge(self) -> None:
        """Letters were committed."""
        self._wake.nudge()

    async def run(self) -> None:
        """Carry letters."""
        try:
            while True:
                await self._wake.until(await self._set_out())
        finally:
            await self._land()

    async def _set_out(self) -> int | None:
        """Send off what can go; the instant at which something put off is due."""
        now = self._wake.fresh()
        # Whatever lands while the outbox is being read may still be listed there; it nudges, and one looks again.
        flying = set(self._flying)
        try:
            for outgoing in await self._store.waiting(now, LANES + len(flying)):
                lane = outgoing.letter.lane
                if lane not in flying and len(self._flying) < LANES:
                    self._flying[lane] = asyncio.create_task(self._carry(outgoing), name=f"letter {outgoing.number}")
            return await self._store.next_waiting(now)
        except OSError as trouble:
            log.error("the outbox cannot be read", trouble=trouble.strerror)
            return None

    async def _carry(self, outgoing: Outgoing) -> None:
        try:
            record = await self._deliver(outgoing)
            while True:
                try:
                    return await record()
                except Exception:  # a full disk, say; it may have arrived, so it must not go out again meanwhile
                    log.exception("a letter's fate cannot be written down", key=outgoing.letter.key)
                    await self._wait(asyncio.Event(), SWEEP)
        finally:
            del self._flying[outgoing.letter.lane]
            self._wake.nudge()

    async def _deliver(self, outgoing: Outgoing) -> Callable[[], Awaitable[None]]:
        """Try once; what there is to write down about it."""
        number, attempts, key = outgoing.number, outgoing.attempts, outgoing.letter.key
        try:
            post = read_message(outgoing.letter.body)
        except Exception as error:  # it will not become readable
            log.exception("a letter cannot be read", key=key)
            return partial(self._store.undeliverable, number, f"unreadable: {error}", self._now())
        try:
            adapter = self._adapters.get(post.where.platform)
            if adapter is None:  # it may be switched on again some day
                raise Retry(PATIENCE, tried=False)
            async with asyncio.timeout(HANGING):
                remote = await adapter.deliver(post, await self._image(post))
        except Retry as later:
            if not later.tried:  # however often we start, the first who is there gets it at once
                return partial(self._store.put_off, number, self._now() + int(later.after * 1000), tried=False)
            pause = max(later.after, backoff(attempts))
        except Undeliverable as never:
            log.warning("a letter is undeliverable", key=key, why=str(never))
            return partial(self._store.undeliverable, number, str(never), self._now())
        except Exception as error:
            log.exception("a delivery failed", key=key, attempts=attempts)
            if attempts >= GIVE_UP:
                return partial(self._store.undeliverable, number, repr(error), self._now())
            pause = backoff(attempts)
        else:
            return partial(self._store.delivered, number, remote, self._now())
        return partial(self._store.put_off, number, self._now() + int(pause * 1000))

    async def _image(self, post: OutgoingMessage) -> bytes | None:
        if post.picture is None:
            return None
        try:
            return await self._paint(post.picture)
        except Exception:  # the words, and the position in words, must get through all the same
            log.exception("a picture cannot be painted", key=post.key)
            return None

    async def _land(self) -> None:
        """Let what is in flight arrive, for a moment."""
        tasks = list(self._flying.values())
        if tasks:
            _, late = await asyncio.wait(tasks, timeout=FAREWELL)
            for task in late:
                task.cancel()
            await asyncio.gather(*late, return_exceptions=True)


def backoff(attempts: int) -> float:
    """Seconds before the next attempt: 1, 2, 4, … up to `PATIENCE`."""
    return min(PATIENCE, 2.0 ** min(attempts, 10))
