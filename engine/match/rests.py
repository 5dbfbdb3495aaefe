"""Time that rests, as arithmetic on intervals: whoever knows calendars and zones hands them in as data."""

from collections.abc import Iterable
from typing import TypeAlias

Span: TypeAlias = tuple[int, int]
"""When nobody's time runs: from an instant to the one at which it runs again."""


def merged(spans: Iterable[Span], since: int = 0) -> tuple[Span, ...]:
    """The same intervals in order, apart from each other, and none before an instant."""
    found: list[Span] = []
    for start, end in sorted((max(start, since), end) for start, end in spans if end > max(start, since)):
        if found and start <= found[-1][1]:
            found[-1] = (found[-1][0], max(found[-1][1], end))
        else:
            found.append((start, end))
    return tuple(found)


def ran(since: int, until: int, rests: tuple[Span, ...]) -> int:
    """How many milliseconds have run between two instants; `rests` as `merged` returns them."""
    return until - since - sum(max(0, min(end, until) - max(start, since)) for start, end in rests)


def reached(since: int, amount: int, rests: tuple[Span, ...]) -> int:
    """The first instant at which so many milliseconds have run."""
    at = since + amount
    for start, end in rests:
        if start >= at:
            break
        at += end - max(start, since)
    return at
