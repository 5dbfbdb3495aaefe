"""A seat belongs to the browser that took it and to those that it lets in; nobody else enters under its name."""

import secrets
import sqlite3
from collections.abc import Iterator
from contextlib import asynccontextmanager, closing
from hashlib import sha256
from itertools import islice, product
from pathlib import Path
from typing import TYPE_CHECKING, Any

import aiohttp
import pytest

from bot.adapters.web.history.sessions import DAY, KEPT, LINK, UNUSED
from bot.messages.model import Person
from tests.adapters.web_room import NOON, OpenRoom, Tab, open_room

if TYPE_CHECKING:
    from collections.abc import AsyncIterator

PUBLIC = "https://play.example.org"
SERVED = {"Host": "play.example.org", "X-Forwarded-For": "203.0.113.9", "Origin": PUBLIC}
"""What a reverse proxy passes on."""


@asynccontextmanager
async def browser(opened: OpenRoom) -> "AsyncIterator[OpenRoom]":
    """Another browser in the same room."""
    async with aiohttp.ClientSession(cookie_jar=aiohttp.CookieJar(unsafe=True)) as session:
        other = OpenRoom(opened.room, opened.address, session, opened.heard)
        yield other
        await other.leave()


async def rejected(room: OpenRoom, name: str) -> str:
    """Why the room lets nobody enter under a name."""
    tab = Tab(await room.connect())
    await tab.tell("enter", name=name)
    because: str = (await tab.hear("rejected"))["because"]
    return because


async def link(tab: Tab) -> str:
    await tab.tell("link")
    token: str = (await tab.hear("link"))["token"]
    return token


async def spend(room: OpenRoom, token: str, **headers: str) -> dict[str, str]:
    sent = {"Origin": room.address.rstrip("/")} | headers
    async with room.session.post(f"{room.address}enter", json={"token": token}, headers=sent) as answer:
        said: dict[str, str] = await answer.json() if answer.status == 200 else {"because": await answer.text()}
    return said


# --- whose seat it is ---------------------------------------------------------------------------------------
async def test_nobody_enters_under_a_name_that_another_browser_has_taken(tmp_path: Path) -> None:
    async with open_room(tmp_path) as opened, browser(opened) as other:
        await opened.enter("Anna")
        for spelling in ("Anna", "ANNA", " anna "):
            assert "seat of another browser" in (await other.sit(spelling))["because"]
            assert "seat of another browser" in await rejected(other, spelling)
        await opened.enter("Anna")
        await other.enter("Ben")


async def test_an_erased_name_is_free_again_and_each_later_one_is_still_compared(tmp_path: Path) -> None:
    async with open_room(tmp_path) as opened, browser(opened) as other:
        for name in ("Anna", "Ben"):
            await opened.enter(name)
        assert "looks like that of Anna" in (await other.sit("Ánna"))["because"]
        await opened.room.forget((Person("web", "anna", "Anna"),), 1)
        assert "because" not in await other.sit("Anna"), "and nobody is told of whom there was"
        await other.enter("Anna")
        await opened.enter("Clara")
        for name, seat in (("Clára", "Clara"), ("Ánna", "Anna")):
            assert f"looks like that of {seat}" in (await other.sit(name))["because"]


async def test_a_seat_outlives_the_process_and_one_browser_may_have_several(tmp_path: Path) -> None:
    async with open_room(tmp_path) as opened:
        await opened.enter("Anna")
        await opened.enter("Ben")
        kept = list(opened.session.cookie_jar)
    async with open_room(tmp_path) as again:
        assert "seat of another browser" in (await again.sit("Anna"))["because"]
        again.session.cookie_jar.update_cookies({each.key: each.value for each in kept})
        await again.enter("Anna")
        await again.enter("Ben")


async def test_a_name_that_was_asked_for_and_never_entered_is_not_lost(tmp_path: Path) -> None:
    async with open_room(tmp_path) as opened, browser(opened) as other:
        assert await opened.sit("Anna") == {"name": "Anna"}  # and the answer was lost on the way
        opened.session.cookie_jar.clear()
        assert await opened.sit("Anna") == {"name": "Anna"}
        assert await other.sit("Anna") == {"name": "Anna"}
        await opened.enter("Anna")
        assert "seat of another browser" in await rejected(other, "Anna")


async def test_a_room_of_an_older_version_gives_each_seat_to_the_first_who_enters_it(tmp_path: Path) -> None:
    async with open_room(tmp_path) as opened:
        await opened.enter("Anna")
        await opened.enter("Ben")
    with closing(sqlite3.connect(tmp_path / "room.db", isolation_level=None)) as db:
        for table in ("message", "seat", "place", "seen"):
            for what in ("insert", "update"):
                db.execute(f"DROP TRIGGER {table}_{what}")
            db.execute(f"ALTER TABLE {table} DROP COLUMN sum")
        for table in ("room", "session", "link"):
            db.execute(f"DROP TABLE {table}")
        db.execute("ALTER TABLE place DROP COLUMN due")
        db.execute("ALTER TABLE picture DROP COLUMN described")
        db.execute("PRAGMA user_version = 2")
    async with open_room(tmp_path) as opened, browser(opened) as other:
        await opened.enter("Anna")
        assert "seat of another browser" in (await other.sit("Anna"))["because"]
        await other.enter("Ben")


async def test_what_a_browser_keeps_no_script_and_no_other_site_gets(tmp_path: Path) -> None:
    async with open_room(tmp_path, public=PUBLIC) as opened:
        await opened.enter("Anna")
        address = f"{opened.address}seat"
        async with opened.session.post(address, json={"name": "Ben"}, headers=SERVED) as answer:
            (served,) = answer.cookies.values()
        assert served.key.startswith("__Host-")
        assert (served["secure"], served["httponly"], served["samesite"], served["path"]) == (True, True, "Strict", "/")
        assert not served["domain"]
        async with opened.session.post(
            address, json={"name": "Clara"}, headers={"Origin": opened.address.rstrip("/")}
        ) as answer:
            (local,) = answer.cookies.values()
        assert (local["httponly"], local["samesite"], local["secure"]) == (True, "Strict", "")
    with closing(sqlite3.connect(tmp_path / "room.db")) as db:
        stored = [row[0] for row in db.execute("SELECT token FROM session")]
        assert sha256(local.value.encode()).hexdigest() in stored
        assert local.value not in "".join(db.iterdump())


# --- links --------------------------------------------------------------------------------------------------
async def test_a_link_lets_in_one_more_browser_once_and_its_maker_stays(tmp_path: Path) -> None:
    async with open_room(tmp_path) as opened, browser(opened) as phone, browser(opened) as thief:
        anna, _ = await opened.enter("Anna")
        token = await link(anna)
        for _ in range(3):  # programs that look at links
            async with thief.session.get(f"{opened.address}enter") as answer:
                assert answer.status == 200
        assert await spend(phone, token) == {"name": "Anna"}
        _, entered = await phone.enter("Anna")
        assert entered["user"]["key"] == "web:anna"
        assert "works once" in (await spend(thief, token))["because"]
        assert "seat of another browser" in await rejected(thief, "Anna")
        await opened.enter("Anna")


async def test_a_link_ends_after_ten_minutes_and_with_the_next_one(tmp_path: Path) -> None:
    now = NOON
    async with open_room(tmp_path, clock=lambda: now) as opened, browser(opened) as phone:
        anna, _ = await opened.enter("Anna")
        first, second = await link(anna), await link(anna)
        assert "works once" in (await spend(phone, first))["because"]
        now += LINK
        assert "ten minutes" in (await spend(phone, second))["because"]
        third = await link(anna)
        now += LINK - 1
        assert await spend(phone, third) == {"name": "Anna"}


async def test_a_browser_that_does_not_come_back_loses_its_key_and_the_name_stays_its_owner_s(tmp_path: Path) -> None:
    now = NOON
    async with open_room(tmp_path, clock=lambda: now) as opened, browser(opened) as other:
        await opened.enter("Anna")
        now += KEPT - DAY
        await opened.enter("Anna")
        now += KEPT - DAY
        await opened.enter("Anna")  # each time counts anew
        now += KEPT
        assert "seat of another browser" in await rejected(opened, "Anna")
        assert "seat of another browser" in (await other.sit("Anna"))["because"]
        await other.sit("Ben")
        now += UNUSED
        assert "seat of another browser" in await rejected(other, "Ben")
        await other.enter("Ben")  # nobody had entered


# --- who tries to get in ------------------------------------------------------------------------------------
def forgeries(good: str, bens: str) -> Iterator[str]:
    """What somebody without a key might send: guesses, keys of others, what is stored, and a true one's neighbours."""
    yield from ("", " ", "0", "null", "undefined", "true", "../anna", "' OR 1=1 --", "%00", "a" * 4000, bens)
    yield from (good[:-1], good + "A", good.swapcase(), good[::-1], sha256(good.encode()).hexdigest())
    alphabet = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_"
    for at, sign in product(range(len(good)), alphabet):
        if good[at] != sign:
            yield good[:at] + sign + good[at + 1 :]
    while True:
        yield secrets.token_urlsafe(32)


async def test_ten_thousand_forged_keys_and_links_open_no_seat(tmp_path: Path) -> None:
    async with open_room(tmp_path) as opened, browser(opened) as bens:
        anna, _ = await opened.enter("Anna")
        await bens.enter("Ben")
        (mine,) = opened.session.cookie_jar
        (other,) = bens.session.cookie_jar
        history = opened.room._history
        await link(anna)
        before = await history._run(lambda db: db.execute("SELECT count(*) FROM session").fetchone())
        tried = 0
        for forged in islice(forgeries(mine.value, other.value), 5_000):
            assert await history.take("anna", forged, "fresh", local=True, now=NOON) == ""
            assert await history.spend_link(forged, "fresh", local=True, now=NOON) is None
            tried += 2
        assert tried == 10_000
        assert await history._run(lambda db: db.execute("SELECT count(*) FROM session").fetchone()) == before
        for forged in islice(forgeries(mine.value, other.value), 11, 200):  # and through the front door
            headers = {"Origin": opened.address.rstrip("/"), "Cookie": f"{mine.key}={forged}"}
            async with aiohttp.ClientSession() as thief:
                async with thief.post(f"{opened.address}seat", json={"name": "Anna"}, headers=headers) as answer:
                    assert "seat of another browser" in (await answer.json())["because"]
                    assert "Set-Cookie" not in answer.headers
                async with thief.ws_connect(f"{opened.address}socket", headers=headers) as socket:
                    await socket.send_json({"do": "enter", "name": "Anna"})
                    assert (await socket.receive_json())["is"] == "rejected"
        await opened.enter("Anna")


async def test_a_key_that_was_planted_opens_nothing_once_the_seat_is_taken(tmp_path: Path) -> None:
    async with open_room(tmp_path) as opened, browser(opened) as mallory:
        await opened.sit("Anna")
        (cookie,) = opened.session.cookie_jar
        known = secrets.token_urlsafe(32)
        opened.session.cookie_jar.update_cookies({cookie.key: known})  # before anybody sits there
        await opened.enter("Anna")
        mallory.session.cookie_jar.update_cookies({cookie.key: known})
        assert "seat of another browser" in await rejected(mallory, "Anna")
        # Their own key under another's name is no key to that seat either.
        await mallory.enter("Mallory")
        key = next(each.value for each in mallory.session.cookie_jar if each.key != cookie.key)
        mallory.session.cookie_jar.update_cookies({cookie.key: key})
        assert "seat of another browser" in await rejected(mallory, "Anna")


@pytest.mark.parametrize(
    "headers",
    [
        {"Origin": "https://evil.example"},
        {"Origin": "null"},
        {"Origin": "http://play.example.org"},
        {"Origin": "https://play.example.org:8443"},
        {"Origin": "https://play.example.org.evil.example"},
        {"Origin": PUBLIC, "Host": "127.0.0.1"},
        {"Origin": "http://127.0.0.1", "Host": "127.0.0.1"},
        {"Origin": "http://localhost:1", "Host": "localhost:1"},
        {"Host": "play.example.org:443"},
        {"Host": "evil.example", "Origin": "https://evil.example"},
        {"Host": "127.0.0.1@play.example.org"},
    ],
    ids=str,
)
async def test_another_site_takes_no_seat_spends_no_link_and_opens_no_socket(
    tmp_path: Path, headers: dict[str, str]
) -> None:
    async with open_room(tmp_path, public=PUBLIC) as opened:
        anna, _ = await opened.enter("Anna")
        token = await link(anna)
        sent = SERVED | headers
        for path, body in (("seat", {"name": "Anna"}), ("enter", {"token": token})):
            async with opened.session.post(opened.address + path, json=body, headers=sent) as answer:
                assert (answer.status, "Set-Cookie" in answer.headers) == (403, False)
        with pytest.raises(aiohttp.WSServerHandshakeError) as refused:
            await opened.session.ws_connect(f"{opened.address}socket", headers=sent)
        assert refused.value.status == 403
        assert await spend(opened, token) == {"name": "Anna"}  # it is still there


NONE = [
    "",
    "{",
    "[]",
    '{"name":1}',
    '{"name":"Anna","x":1}',
    '{"name":"' + "A" * 9000,
    b'{"name":"\xff"}',
    '{"x":' + "[" * 5_000,
]


@pytest.mark.parametrize("body", NONE, ids=lambda body: str(body[:9]))
async def test_a_request_that_is_none_is_told_so(tmp_path: Path, body: str | bytes) -> None:
    async with open_room(tmp_path) as opened:
        headers = {"Origin": opened.address.rstrip("/"), "Content-Type": "application/json"}
        async with opened.session.post(f"{opened.address}seat", data=body, headers=headers) as answer:
            assert "did not understand" in (await answer.json())["because"]
        headers["Content-Type"] = "text/plain"
        async with opened.session.post(f"{opened.address}seat", data='{"name":"Anna"}', headers=headers) as answer:
            assert "did not understand" in (await answer.json())["because"]


# --- the public address -------------------------------------------------------------------------------------
async def test_only_whoever_sits_at_the_machine_itself_is_its_host(tmp_path: Path) -> None:
    async with open_room(tmp_path, public=PUBLIC) as opened:
        anna, _ = await opened.enter("Anna")
        await anna.say("settings")
        assert (await opened.heard.get()).host
        await opened.session.post(f"{opened.address}seat", json={"name": "Ben"}, headers=SERVED)
        (kept,) = [each for each in opened.session.cookie_jar if each.key.startswith("__Host-")]
        sent = SERVED | {"Cookie": f"{kept.key}={kept.value}"}
        async with aiohttp.ClientSession() as session:
            ben = Tab(await session.ws_connect(f"{opened.address}socket", headers=sent))
            await ben.tell("enter", name="Ben")
            assert (await ben.hear("entered"))["origin"] == PUBLIC
            await ben.say("settings")
            assert not (await opened.heard.get()).host
            await ben.socket.close()


async def test_one_address_opens_so_many_tabs_and_no_more(tmp_path: Path) -> None:
    async with open_room(tmp_path, public=PUBLIC) as opened, aiohttp.ClientSession() as session:

        async def connect(address: str) -> aiohttp.ClientWebSocketResponse:
            sent = SERVED | {"X-Forwarded-For": f"198.51.100.1, {address}"}
            return await session.ws_connect(f"{opened.address}socket", headers=sent)

        tabs: list[Any] = [await connect("203.0.113.9") for _ in range(64)]
        with pytest.raises(aiohttp.WSServerHandshakeError) as refused:
            await connect("203.0.113.9")
        assert refused.value.status == 429
        tabs.append(await connect("203.0.113.10"))
        await tabs[0].close()
        tabs.append(await connect("203.0.113.9"))
        await opened.enter("Anna")
        for tab in tabs:
            await tab.close()


async def test_the_room_answers_under_one_name_at_this_machine(tmp_path: Path) -> None:
    async with open_room(tmp_path) as opened:
        here = opened.address.replace("127.0.0.1", "localhost")
        async with opened.session.get(f"{here}?language=xx", allow_redirects=False) as answer:
            assert (answer.status, answer.headers["Location"]) == (307, f"{opened.address}?language=xx")
