"""Wakes matches at their alarms: armed for the earliest one stored, however many matches there are."""

from collections.abc import Awaitable, Callable

import structlog

from bot.runtime.wake import Wait, Wake, wait
from storage.store import Alarm, Store

BATCH = 100
SNOOZE = 60_000
"""Milliseconds until an alarm rings again that is still set after it has rung: its match is damaged, say."""

log = structlog.get_logger(__name__)


class Scheduler:
    """Runs until it is cancelled. Nothing is counted down: what is due follows from stored instants alone."""

    def __init__(
        self, store: Store, chime: Callable[[Alarm], Awaitable[None]], now: Callable[[], int], wait: Wait = wait
    ):
        self._store = store
        self._chime = chime
        self._wake = Wake(now, wait)
        self._rung: dict[Alarm, int] = {}

    def nudge(self) -> None:
        """Alarms were changed."""
        self._wake.nudge()

    async def run(self) -> None:
        """Chime what is due, sleep until the next."""
        while True:
            await self._wake.until(await self._ring())

    async def _ring(self) -> int | None:
        """Chime everything that is due; the next instant at which something will be."""
        now = self._wake.fresh()
        try:
            due = await self._store.due(now, limit := BATCH + len(self._rung))
            self._rung = {alarm: again for alarm, again in self._rung.items() if alarm in due}
            for alarm in due:
                if self._rung.get(alarm, now) <= now:
                    self._rung[alarm] = now + SNOOZE
                    await self._ring_one(alarm)
            if len(due) == limit:
                return now  # there may be more
            later = await self._store.next_alarm(now)
        except OSError as trouble:
            log.error("the alarms cannot be read", trouble=trouble.strerror)
            return None
        return min((*self._rung.values(), *([later] if later is not None else ())), default=None)

    async def _ring_one(self, alarm: Alarm) -> None:
        try:
            await self._chime(alarm)
        except Exception:  # one match's trouble must not keep the others asleep
            log.exception("an alarm failed", match=alarm.match, kind=alarm.kind, at=alarm.at)
