"""Wakes matches at their alarms: sleeps until the earliest one stored, however many matches there are."""

from collections.abc import Awaitable, Callable, Mapping
from math import inf
from types import MappingProxyType

import structlog

from bot.runtime.wake import Wait, Wake, wait
from bot.trouble import Trouble
from storage.store import Alarm, Change, Store

BATCH = 100
"""Alarms read at once."""
HOLD = 5_000
"""Milliseconds until one looks again whether an alarm that is held may fire."""
IN_FLIGHT: Mapping[str, int] = {"flag": 2_000, "overrun": 2_000, "close": 2_000}
"""Milliseconds that alarms wait which end something: what was written in time is still on its way, or is dealt with."""
SNOOZE = 60_000
"""Milliseconds until an alarm is tried again that is still set after it has fired: its match is damaged, say."""

log = structlog.get_logger(__name__)


class Scheduler:
    """Runs until it is cancelled. Nothing is counted down: what is due follows from stored instants alone."""

    def __init__(
        self,
        store: Store,
        fire: Callable[[Alarm], Awaitable[None]],
        now: Callable[[], int],
        wait: Wait = wait,
        *,
        held: Callable[[Alarm], Awaitable[bool]] | None = None,
        waits: Mapping[str, int] = MappingProxyType({}),
    ):
        """`held` tells whether an alarm that is due must wait, `waits` for how long those of each kind do anyway."""
        self._held = held
        self._waits = waits
        self._store = store
        self._fire = fire
        self._wake = Wake(now, wait)
        self._unread = Trouble("alarms cannot be read")
        self._until = inf
        """The earliest instant at which something is due, as far as is known."""
        self._snoozed: dict[Alarm, int] = {}
        """Alarms that are held, or have fired and are still set, and when they are tried again."""

    def nudge(self) -> None:
        """Look again: alarms were changed."""
        self._wake.nudge()

    def committed(self, change: Change, _: object) -> None:
        """Look again if an alarm was set that is due before all others; one that was removed is missed when it is."""
        if any(alarm.at < self._until for alarm in (*(change.alarms or ()), *change.wakes)):
            self._wake.nudge()

    async def run(self) -> None:
        """Fire what is due, sleep until the next."""
        while True:
            self._until = inf  # while one looks, whatever is set counts
            earliest = await self._fire_due()
            self._until = inf if earliest is None else earliest
            await self._wake.until(earliest)

    async def _fire_due(self) -> int | None:
        """Fire everything that is due. Returns the next instant at which something will be."""
        now = self._wake.fresh()
        try:
            due = await self._store.due(now, limit := BATCH + len(self._snoozed))
            self._snoozed = {alarm: again for alarm, again in self._snoozed.items() if alarm in due}
            for alarm in due:
                if self._snoozed.setdefault(alarm, alarm.at + self._waits.get(alarm.kind, 0)) > now:
                    continue
                if self._held and await self._held(alarm):
                    self._snoozed[alarm] = now + HOLD
                else:
                    self._snoozed[alarm] = now + SNOOZE
                    await self._fire_one(alarm)
            later = now if len(due) == limit else await self._store.next_alarm(now)  # there may be more
        except OSError as error:
            self._unread.failed(error)
            return None
        self._unread.works()
        return min((*self._snoozed.values(), *([later] if later is not None else ())), default=None)

    async def _fire_one(self, alarm: Alarm) -> None:
        try:
            await self._fire(alarm)
        except Exception:  # one match that fails must not stop the others
            log.exception("an alarm failed", match=alarm.match, kind=alarm.kind, at=alarm.at)
