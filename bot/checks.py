"""What `riposte doctor` finds: a fact, and for what is wrong the remedy; and how a server is asked about itself."""

from collections.abc import AsyncGenerator, Callable
from dataclasses import dataclass
from email.utils import parsedate_to_datetime
from typing import Any, Literal, TypeAlias

import aiohttp

PATIENCE = 10.0
"""Seconds in which a server must have answered."""
SKEW = 30.0
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
    """It is as it should be."""
    return Finding("ok", fact)


def warn(fact: str, remedy: str) -> Finding:
    """It works, and could be better."""
    return Finding("warn", fact, remedy)


def fault(fact: str, remedy: str) -> Finding:
    """It does not work."""
    return Finding("FAULT", fact, remedy)


@dataclass(frozen=True, slots=True)
class Reply:
    """What a server says."""

    status: int
    body: Any
    """The JSON in it, None if it is none."""
    date: str = ""
    """When, by the server's clock."""
    wait: float = 0.0
    """Seconds after which it may be asked again."""


async def ask(session: aiohttp.ClientSession, url: str, token: str = "", body: object = None) -> Reply:
    """Ask a server; with a body by POST. Raises aiohttp.ClientError or TimeoutError where there is no answer.

    `token` is the whole of the header that says who asks, like `Bearer …`.
    """
    method, headers = "GET" if body is None else "POST", {"Authorization": token} if token else {}
    limit = aiohttp.ClientTimeout(total=PATIENCE)
    asked = session.request(method, url, json=body, headers=headers, timeout=limit, allow_redirects=False)
    async with asked as got:
        try:
            said = await got.json(content_type=None)
        except ValueError:
            said = None
        try:
            wait = float(got.headers.get("Retry-After", 0))
        except ValueError:
            wait = PATIENCE
        return Reply(got.status, said, got.headers.get("Date", ""), wait)


def clock(date: str, whose: str, now: Callable[[], float]) -> Finding | None:
    """Whether our clock agrees with a server's; None if that does not tell the time."""
    try:
        ahead = now() - parsedate_to_datetime(date).timestamp()
    except ValueError:
        return None
    if abs(ahead) <= SKEW:
        return ok(f"the clock agrees with that of {whose}")
    side = "ahead of" if ahead > 0 else "behind"
    return fault(
        f"the clock is {abs(ahead):.0f} seconds {side} that of {whose}, so players lose or gain time",
        "Set it by the network: `timedatectl set-ntp true`.",
    )


def unreachable(whose: str, trouble: Exception, remedy: str) -> Finding:
    """A server does not answer."""
    why = "no answer in time" if isinstance(trouble, TimeoutError) else str(trouble) or type(trouble).__name__
    return fault(f"{whose} cannot be reached: {why}", remedy)


def sentence(trouble: OSError, where: str = "") -> Finding:
    """What an OSError for hosts says."""
    fact, remedy = parted(trouble.strerror or str(trouble))
    return fault(where + fact, remedy)


def parted(said: str) -> tuple[str, str]:
    """The fact and the remedy of sentences for hosts."""
    fact, _, remedy = said.partition(". ")
    return fact.removesuffix("."), remedy
