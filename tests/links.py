"""Tries to get to somebody's board on the page without their link: `python -m tests.links [ATTEMPTS]`."""

import asyncio
import secrets
import sys
import tempfile
import time
from collections.abc import Iterator
from dataclasses import dataclass, field
from hashlib import sha256
from itertools import count, islice, product
from pathlib import Path

from tests.adapters.linked_room import PUBLIC, Browser, LinkedRoom, browser, linked_room

SITES = (
    {"Origin": "https://evil.example"},
    {"Origin": "null"},
    {"Origin": "http://play.example.org"},
    {"Origin": "https://play.example.org.evil.example"},
    {"Origin": "https://play.example.org:8443"},
    {"Host": "evil.example", "Origin": "https://evil.example"},
    {"Host": "127.0.0.1", "Origin": PUBLIC},
)


@dataclass(frozen=True)
class Attempt:
    """Something that somebody without a link sends."""

    kind: str
    secret: str
    headers: dict[str, str] = field(default_factory=dict)


def attempts(link: str, key: str, mine: str) -> Iterator[Attempt]:
    """Attempts without an end, the kinds in turn.

    `link` is the secret of a true link, which has another one's neighbours; `key` what the owner's browser keeps,
    `mine` what the attacker's own browser keeps.
    """
    links, keys, sites = _near(link, "0123456789abcdef"), _near(key, "ABCDEFabcdef0189-_"), count()
    while True:
        yield Attempt("link", next(links))
        yield Attempt("key", next(keys))
        yield Attempt("another's key", mine)
        yield Attempt("planted key", secrets.token_urlsafe(32))
        yield Attempt("another site", link, SITES[next(sites) % len(SITES)])
        yield Attempt("socket", next(keys))


def _near(good: str, alphabet: str) -> Iterator[str]:
    """Guesses: nothing, what is stored of it, its neighbours, then anything."""
    yield from ("", " ", "0", "null", "../enter", "' OR 1=1 --", "a" * 99, good[:-1], good[::-1])
    yield from (sha256(good.encode()).hexdigest(), f"visit:{sha256(good.encode()).hexdigest()}", good + "0")
    for at, sign in product(range(len(good)), alphabet):
        if good[at] != sign:
            yield good[:at] + sign + good[at + 1 :]
    while True:
        yield secrets.token_hex(32)


async def tried(folder: Path, most: int) -> dict[str, int]:
    """How many attempts were made against a running page, and how many let somebody in."""
    let_in = made = 0
    async with linked_room(folder) as room, browser(room) as anna, browser(room) as mallory:
        match = await room.match("Anna", "Ben")
        spent = await room.link("Anna", match)
        await anna.press(spent)
        await mallory.sit("Mallory")
        await mallory.enter("Mallory")
        (cookie, key), (own, mine) = *anna.kept.items(), *mallory.kept.items()
        expired = await room.link("Anna", match)
        room.now += 600_000
        link = await room.link("Ben", match)  # it waits for its owner all the while
        for old in (spent, expired):
            let_in += "name" in await mallory.press(old)
            made += 1
        for attempt in islice(attempts(link.rpartition("#")[2], key, mine), most - made):
            made += 1
            let_in += await _gets_in(room, mallory, attempt, cookie)
        mallory.kept = {own: mine}
        assert (await mallory.enter("Mallory"))[1]["is"] == "entered", "they may sit where they did"
        assert (await anna.enter("Anna"))[1]["is"] == "entered", "and so may the owner"
        assert (await anna.press(link))["name"] == "Ben", "the true link has not been spent by all this"
    return {"tried": made, "let in": let_in}


async def _gets_in(room: LinkedRoom, mallory: Browser, attempt: Attempt, cookie: str) -> bool:
    """Whether an attempt gives somebody Anna's or Ben's seat."""
    if attempt.kind in ("link", "another site"):
        mallory.kept = {}
        return "name" in await mallory.press(f"{PUBLIC}/enter#{attempt.secret}", **attempt.headers)
    mallory.kept = {cookie: attempt.secret}
    if attempt.kind != "socket":
        return "name" in await mallory.sit("Anna")
    tab, news = await mallory.enter("Anna")
    await tab.socket.close()
    return bool(news["is"] == "entered")


async def main(most: int) -> int:
    """Try so many times. Returns the exit code."""
    began = time.monotonic()
    with tempfile.TemporaryDirectory() as folder:
        found = await tried(Path(folder), most)
    print(f"{found['tried']} attempts, {found['let in']} let in, {time.monotonic() - began:.0f} s")
    return int(found["let in"] > 0)


if __name__ == "__main__":
    sys.exit(asyncio.run(main(int(sys.argv[1]) if len(sys.argv) > 1 else 10_000)))
