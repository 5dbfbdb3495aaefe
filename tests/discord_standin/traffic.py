"""What stands between a request and its work: rate limits, the count of invalid requests, and faults on demand."""

import asyncio
import re
import time
from collections import deque
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Final, Literal

from tests.discord_standin import limits
from tests.discord_standin.clock import Clock
from tests.discord_standin.refusal import JSON, Refusal

Trouble = Literal["500", "502", "503", "504", "429", "cut", "slow"] | str
"""Or the name of a refusal."""


@dataclass(eq=False)
class Request:
    """One request as it came, and what it was answered."""

    method: str
    path: str
    query: Mapping[str, str]
    payload: Any
    files: Mapping[int, tuple[str, bytes]]
    template: str = ""
    """The route that it took, with names for what varies."""
    status: int = 0
    """What it was answered, 0 while it is not; a request whose socket was cut keeps it."""
    answer: Any = None
    trouble: str = ""
    """The fault that was laid upon it."""

    def json(self) -> JSON:
        """For a test in another process; of files only their names and sizes."""
        files = [{"name": name, "size": len(data)} for name, data in self.files.values()]
        return {**vars(self), "query": dict(self.query), "files": files}


@dataclass(eq=False)
class Fault:
    """Trouble for the next requests of a kind."""

    method: str
    pattern: str
    """A path with `*` for one step and `**` for any; of a text, `*` also stands for nothing."""
    trouble: Trouble
    left: int = 1
    after: bool = False
    """The work is done all the same."""
    wait: float = 0.0
    """Seconds: of a slow answer, or what a 429 asks for."""
    hits: int = 0
    released: asyncio.Event = field(default_factory=asyncio.Event)

    def strikes(self, method: str, path: str) -> bool:
        """Whether it hits this request; counts if it does."""
        pattern = re.escape(self.pattern).replace(r"\*\*", ".*").replace(r"\*", "[^/]*")
        fits = self.method in ("*", method) and re.fullmatch(pattern, path) is not None
        if self.left < 1 or not fits:
            return False
        self.left -= 1
        self.hits += 1
        return True

    def release(self) -> None:
        """Let the slow ones go."""
        self.left = 0
        self.released.set()

    async def hold(self) -> None:
        """Wait as long as it wants, or until released."""
        try:
            await asyncio.wait_for(self.released.wait(), self.wait or None)
        except TimeoutError:
            return


class Limited(Refusal):
    """Too many requests."""

    def __init__(self, after: float, scope: str = "user", headers: Mapping[str, str] | None = None):
        Exception.__init__(self, f"429, {after:.3f} s, {scope}")
        self.status, self.code, self.message = 429, 0, "You are being rate limited."
        self.after, self.scope = after, scope
        self.headers = {
            **(headers or {}),
            "Via": "1.1 google",
            "Retry-After": str(max(1, round(after))),
            "X-RateLimit-Scope": scope,
            **({"X-RateLimit-Global": "true"} if scope == "global" else {}),
        }

    def body(self) -> JSON:
        """With the time to wait."""
        return {"message": self.message, "retry_after": round(self.after, 3), "global": self.scope == "global"}


class Window:
    """So many in so many seconds, counted from the first."""

    def __init__(self, most: int, seconds: float):
        self.most, self.seconds = most, seconds
        self.used, self.until = 0, 0.0

    def take(self, now: float) -> float:
        """Use one, or say in how many seconds there will be one."""
        if now >= self.until:
            self.used, self.until = 0, now + self.seconds
        if self.used >= self.most:
            return self.until - now
        self.used += 1
        return 0.0


UNCOUNTED: Final = ("/interactions/", "/webhooks/")
"""Requests that the global limit leaves alone."""
MAJOR: Final = ("channel", "guild", "token")


class Traffic:
    """The counters of one bot."""

    def __init__(self, clock: Clock, *, rate_limits: bool, global_limit: int):
        self.clock, self.rate_limits = clock, rate_limits
        self.globally = Window(global_limit, 1.0) if global_limit else None
        self.buckets: dict[tuple[str, ...], Window] = {}
        self.invalid: deque[float] = deque()
        """When the last invalid requests came."""
        self.invalid_total = 0
        self.faults: list[Fault] = []

    def fault(self, method: str, path: str) -> Fault | None:
        """The fault that strikes this request, if any."""
        return next((fault for fault in self.faults if fault.strikes(method, path)), None)

    def banned(self) -> bool:
        """Whether there have been so many invalid requests that nothing gets through any more."""
        most, seconds = limits.INVALID
        while self.invalid and self.invalid[0] < self.clock.running() - seconds:
            self.invalid.popleft()
        return len(self.invalid) >= most

    def count(self, status: int, scope: str) -> None:
        """Take note of an answer; a limit that all share is nobody's fault."""
        if status in (401, 403, 429) and scope != "shared":
            self.invalid.append(self.clock.running())
            self.invalid_total += 1

    def admit(self, method: str, template: str, ids: Mapping[str, str]) -> dict[str, str]:
        """Let a request in, and say in headers how many more; or refuse it."""
        now = self.clock.running()
        if self.globally and not template.startswith(UNCOUNTED):
            wait = self.globally.take(now)
            if wait:
                raise Limited(wait, "global")
        if template.startswith("/interactions/"):
            return {}
        if not self.rate_limits:
            return _headers(Window(10_000, 1.0), now, template)
        most, seconds = limits.RATES.get((method, template), limits.OTHER_RATE)
        major = tuple(ids.get(name, "") for name in MAJOR)
        bucket = self.buckets.setdefault((method, template, *major), Window(most, seconds))
        wait = bucket.take(now)
        headers = _headers(bucket, now, f"{method} {template}")
        if wait:
            raise Limited(wait, headers=headers)
        return headers

    def rename(self, renames: list[float]) -> None:
        """Admit a new name of a channel, whose last ones were at these times."""
        most, seconds = limits.RENAMES
        now = self.clock.running()
        recent = [at for at in renames if at > now - seconds]
        if self.rate_limits and len(recent) >= most:
            raise Limited(recent[-most] + seconds - now)
        renames[:] = [*recent, now]


def _headers(bucket: Window, now: float, name: str) -> dict[str, str]:
    after = max(0.0, bucket.until - now) or bucket.seconds
    return {
        "X-RateLimit-Limit": str(bucket.most),
        "X-RateLimit-Remaining": str(bucket.most - bucket.used),
        "X-RateLimit-Reset": f"{time.time() + after:.3f}",
        "X-RateLimit-Reset-After": f"{after:.3f}",
        "X-RateLimit-Bucket": f"{hash(name) & 0xFFFFFFFF:08x}",
    }
