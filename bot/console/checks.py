"""Findings of `riposte doctor`, each a fact and perhaps a remedy, and how to ask a server."""

from collections.abc import AsyncGenerator, Callable
from dataclasses import dataclass
from email.utils import parsedate_to_datetime
from typing import Any, Literal, TypeAlias

import aiohttp

TIMEOUT = 10.0
"""Seconds in which a server must have answered."""
CLOCK_TOLERANCE = 30.0
"""Seconds by which a clock may be wrong: the servers' own dates are that exact."""


@dataclass(frozen=True, slots=True)
class Finding:
    """One line of the report."""

    state: Literal["ok", "warn", "FAULT"]
    fact: str
    remedy: str = ""
    """With an example that works, where something is wrong."""

    def __str__(self) -> str:
        return f"{self.state}: {self.fact}. {self.remedy}".rstrip()


Findings: TypeAlias = AsyncGenerator[Finding, None]


def ok(fact: str) -> Finding:
    """Returns a finding that is as it should be."""
    return Finding("ok", fact)


def warn(fact: str, remedy: str) -> Finding:
    """Returns a finding that works but could be better."""
    return Finding("warn", fact, remedy)


def fault(fact: str, remedy: str) -> Finding:
    """Returns a finding that does not work."""
    return Finding("FAULT", fact, remedy)


@dataclass(frozen=True, slots=True)
class Reply:
    """A server's answer."""

    status: int
    body: Any
    """The JSON in it, None if there is none."""
    date: str = ""
    """When, by the server's clock."""
    wait: float = 0.0
    """Seconds after which it may be asked again."""


async def ask(session: aiohttp.ClientSession, url: str, token: str = "", body: object = None) -> Reply:
    """Ask a server; with a body by POST. Raises aiohttp.ClientError or TimeoutError where there is no answer.

    `token` is the whole of the header that says who asks, like `Bearer …`.
    """
    method, headers = "GET" if body is None else "POST", {"Authorization": token} if token else {}
    limit = aiohttp.ClientTimeout(total=TIMEOUT)
    request = session.request(method, url, json=body, headers=headers, timeout=limit, allow_redirects=False)
    async with request as got:
        try:
            content = await got.json(content_type=None)
        except ValueError:
            content = None
        try:
            wait = float(got.headers.get("Retry-After", 0))
        except ValueError:
            wait = TIMEOUT
        return Reply(got.status, content, got.headers.get("Date", ""), wait)


def clock(date: str, server: str, now: Callable[[], float]) -> Finding | None:
    """Compares our clock with a server's; None if that does not tell the time."""
    try:
        ahead = now() - parsedate_to_datetime(date).timestamp()
    except ValueError:
        return None
    if abs(ahead) <= CLOCK_TOLERANCE:
        return ok(f"the clock agrees with that of {server}")
    side = "ahead of" if ahead > 0 else "behind"
    return fault(
        f"the clock is {abs(ahead):.0f} seconds {side} that of {server}, so players lose or gain time",
        "Set it by the network: `timedatectl set-ntp true`.",
    )


def unreachable(server: str, error: Exception, remedy: str) -> Finding:
    """Returns the finding that a server does not answer."""
    why = "no answer in time" if isinstance(error, TimeoutError) else str(error) or type(error).__name__
    return fault(f"{server} cannot be reached: {why}", remedy)


def sentence(error: OSError, where: str = "") -> Finding:
    """Returns the finding of an OSError that says fact and remedy."""
    fact, remedy = fact_and_remedy(error.strerror or str(error))
    return fault(where + fact, remedy)


def fact_and_remedy(sentences: str) -> tuple[str, str]:
    """Splits sentences for hosts into fact and remedy."""
    fact, _, remedy = sentences.partition(". ")
    return fact.removesuffix("."), remedy
