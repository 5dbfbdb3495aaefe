"""What a bucket holds: generations, each a whole copy, the rounds behind it, and a list of those that count."""

import secrets
from datetime import UTC, datetime
from typing import Final

import msgspec

from bot.bucket.objects import Objects

LIST: Final = "rounds"
"""The object that lists the rounds that count: one whose upload was cut off is not in it."""


class Round(msgspec.Struct, array_like=True):
    """What had changed at an instant."""

    name: str
    parts: int
    at: int
    """In seconds since 1970 UTC."""
    size: int


class Rounds(msgspec.Struct):
    """The rounds of a generation, the first of which is a whole copy."""

    events: int = 0
    """How many the database held."""
    at: int = 0
    """As of when the last round is, or nothing had changed since."""
    rounds: list[Round] = []


def new_generation(at: float) -> str:
    """A name that comes after those of before."""
    return f"{datetime.fromtimestamp(at, UTC):%Y%m%dT%H%M%SZ}-{secrets.token_hex(4)}"


def named_after(generation: str, at: float) -> str:
    """A name for a new one that comes after another's, though the clock of whoever made that was ahead."""
    return new_generation(max(at, begun(generation) + 1) if generation else at)


def begun(generation: str) -> float:
    """When a generation began, in seconds since 1970 UTC. Raises ValueError for what is none."""
    return datetime.strptime(generation.partition("-")[0], "%Y%m%dT%H%M%S%z").timestamp()


def since(generation: str) -> str:
    """The same in words."""
    return instant(begun(generation))


def instant(at: float) -> str:
    """Seconds since 1970 in words."""
    return f"{datetime.fromtimestamp(at, UTC):%d %B %Y at %H:%M:%S} UTC"


async def generations(objects: Objects) -> list[str]:
    """Returns all there are, oldest first."""
    found = []
    for name in await objects.folders():
        try:
            begun(name)
        except ValueError:
            continue  # somebody else's
        found.append(name)
    return found


async def read(objects: Objects, generation: str) -> Rounds | None:
    """Returns what counts of a generation; None where its first copy was cut off."""
    try:
        text = await objects.get(f"{generation}/{LIST}")
    except FileNotFoundError:
        return None
    return msgspec.msgpack.decode(text, type=Rounds)


async def write(objects: Objects, generation: str, rounds: Rounds) -> None:
    """Make these the rounds that count."""
    await objects.put(f"{generation}/{LIST}", msgspec.msgpack.encode(rounds))
