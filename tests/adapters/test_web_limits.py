"""What one address may ask of the page, at once and in a minute; others never wait for it."""

import asyncio
from pathlib import Path
from typing import Any

import aiohttp
import pytest
from multidict import CIMultiDict

from bot.adapters.web.limits import READINGS, REQUESTS, SOCKETS
from bot.service.composing import Board, Glance
from tests.adapters.linked_room import PUBLIC, SERVED, linked_room
from tests.adapters.web_room import NOON, open_room

STEP = "board?shown=0&heard=0&known="


async def answered(room: Any, path: str, address: str = "203.0.113.9", **more: str) -> tuple[int, str]:
    """What a reader from some address is answered."""
    headers = SERVED | {"X-Forwarded-For": address} | more
    async with room.session.get(f"{room.address}{path}", headers=headers) as answer:
        return answer.status, await answer.text()


async def test_an_address_reads_so_many_boards_a_minute_and_others_do_not_wait_for_it(tmp_path: Path) -> None:
    async with linked_room(tmp_path) as room:
        anna, _ = await room.page.enter("Anna")
        await anna.say("challenge tokonoma side=white")
        await room.handled.get()
        await room.say("Ben", "accept 1")
        asked = ["match/1/board?site=c7", f"match/1/{STEP}", "match/1", "match/7/board", "games/tokonoma"] * 60
        assert len(asked) == READINGS
        assert {(await answered(room.page, path))[0] for path in asked} == {200, 404}
        async with room.page.session.get(f"{room.page.address}match/1/board", headers=SERVED) as answer:
            assert (answer.status, answer.headers["Retry-After"]) == (429, "30")
            assert (await answer.json())["because"] == "That was a lot at once: wait 30 seconds."
        for nothing in ("match/1/board?site=c7", "match/7/board", "games/tokonoma"):
            assert (await answered(room.page, nothing))[0] == 429
        status, page = await answered(room.page, "match/1")
        assert (status, "<title>Riposte</title>" in page) == (200, True), "the page itself comes"
        assert (await answered(room.page, "room.js"))[0] == 200
        assert (await answered(room.page, f"match/1/{STEP}", "203.0.113.10"))[0] == 200
        async with room.page.session.get(f"{room.page.address}match/1/{STEP}") as answer:
            assert answer.status == 200, "at the machine itself"
        room.now += 30_000
        assert (await answered(room.page, f"match/1/{STEP}"))[0] == 200


@pytest.mark.parametrize(
    ("one", "other", "same"),
    [
        ("2001:db8:1:2::1", "2001:db8:1:2:ffff::9", True),
        ("2001:db8:1:2::1", "2001:db8:1:3::1", False),
        ("::ffff:203.0.113.9", "::ffff:203.0.113.10", False),
        ("198.51.100.1, 203.0.113.9", "198.51.100.2, 203.0.113.9", True),
        ("unknown", "UNKNOWN\x80", False),
    ],
)
async def test_what_one_customer_is_given_counts_as_one_address(
    tmp_path: Path, one: str, other: str, same: bool
) -> None:
    async with open_room(tmp_path, public=PUBLIC) as room:
        for _ in range(READINGS + 1):
            status, _ = await answered(room, "match/1/board", one)
        assert status == 429
        assert (await answered(room, "match/1/board", other))[0] == (429 if same else 404)


async def test_of_several_lines_the_one_that_the_proxy_has_added_last_counts(tmp_path: Path) -> None:
    async with open_room(tmp_path, public=PUBLIC) as room:
        for pretended in range(READINGS + 1):
            headers = CIMultiDict(SERVED)
            headers["X-Forwarded-For"] = f"198.51.100.{pretended}"
            headers.add("X-Forwarded-For", "203.0.113.9")
            async with room.session.get(f"{room.address}match/1/board", headers=headers) as answer:
                status = answer.status
        assert status == 429


async def test_an_address_has_so_many_requests_under_way_and_no_more(tmp_path: Path) -> None:
    under_way, go_on = asyncio.Semaphore(0), asyncio.Event()

    async def watch(_match: str, _glance: Glance) -> Board | None:
        under_way.release()
        await go_on.wait()
        return None

    connector = aiohttp.TCPConnector(limit=0)
    async with (
        open_room(tmp_path, public=PUBLIC, public_board=watch, clock=lambda: NOON) as room,
        aiohttp.ClientSession(connector=connector, cookie_jar=aiohttp.DummyCookieJar()) as session,
    ):
        tabs = [await session.ws_connect(f"{room.address}socket", headers=SERVED) for _ in range(SOCKETS)]
        room.session = session
        asked = [asyncio.create_task(answered(room, "match/1/board")) for _ in range(REQUESTS - SOCKETS)]
        for _ in asked:
            await under_way.acquire()
        status, because = await answered(room, "room.js")
        assert (status, "at once from where you are" in because) == (429, True)
        assert (await answered(room, "room.js", "203.0.113.10"))[0] == 200
        async with session.get(f"{room.address}room.js") as answer:
            assert answer.status == 200, "at the machine itself"
        go_on.set()
        assert {(await one)[0] for one in asked} == {404}
        assert (await answered(room, "room.js"))[0] == 200
        for tab in tabs:
            await tab.close()
