"""Tells of what fails again and again: at once, then ever more rarely, and when it works again."""

from collections.abc import Callable
from time import monotonic
from typing import Final

import structlog

log = structlog.get_logger(__name__)

RARELY: Final = 10.0
"""Seconds after which it is told again; then after as long as it has lasted, so that a night is a dozen lines."""


def reason(error: BaseException) -> str:
    """Why something has failed, in the system's words or its own; else what kind of error it is."""
    said = str(error)
    if isinstance(error, OSError) and error.strerror and said.startswith("[Errno"):  # the number tells nobody more
        said = error.strerror
    return said or type(error).__name__


class Trouble:
    """One thing that is tried again by itself."""

    def __init__(self, what: str, clock: Callable[[], float] = monotonic):
        """`what` is what the log says, like "alarms cannot be read"."""
        self._what = what
        self._clock = clock
        self._since: float | None = None
        self._again = 0.0
        self._told: set[str] = set()
        """The causes that were told in this outage."""

    def failed(self, error: OSError | str) -> None:
        """It has failed once more."""
        why = error if isinstance(error, str) else reason(error)
        now = self._clock()
        if self._since is None:
            self._since, self._again = now, now
        if why in self._told and now < self._again:
            return
        lasts = round(now - self._since)
        log.error(self._what, error=why, **({"for_seconds": lasts} if lasts else {}))
        self._told.add(why)
        self._again = now + max(RARELY, now - self._since)

    def works(self) -> None:
        """It has succeeded."""
        if self._since is not None:
            log.info("it works again", was=self._what, after_seconds=round(self._clock() - self._since))
            self._since = None
            self._told.clear()
