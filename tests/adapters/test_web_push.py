"""Whoever wishes is told on their devices that a match waits: sealed, by known services alone, and no secret."""

import asyncio
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from functools import partial
from pathlib import Path

import pytest

from bot.adapters.web.push.sending import SERVICES, Pusher, fits
from bot.messages.model import Place
from bot.service.page.devices import KEY, MOST, Device
from tests.adapters.linked_room import PUBLIC, Browser, LinkedRoom, browser, linked_room
from tests.adapters.push_service import PushService, Subscribed, encoded, push_service
from tests.adapters.web_room import Tab

HERE = Place("discord", "7")


@asynccontextmanager
async def told_room(folder: Path) -> AsyncIterator[tuple[LinkedRoom, PushService]]:
    """A page beside a chat, and a push service that it knows."""
    async with push_service(folder) as service:
        pusher = partial(Pusher, services=(service.name,), trusted=service.trusted)
        async with linked_room(folder, push=pusher) as room:
            yield room, service


async def seated(room: LinkedRoom, phone: Browser, name: str, match: str) -> Tab:
    answer = await phone.press(await room.link(name, match))
    tab, entered = await phone.enter(answer["name"])
    assert len(entered["push"]) == 87  # a point on the curve
    return tab


async def subscribe(tab: Tab, device: Device) -> dict[str, object]:
    await tab.tell("tell", endpoint=device.endpoint, p256dh=device.p256dh, auth=device.auth)
    return await tab.hear("told")


async def until(held: Callable[[], bool]) -> None:
    async with asyncio.timeout(10):
        while not held():
            await asyncio.sleep(0.01)


async def test_a_browser_is_told_whose_match_waits_and_nothing_else(tmp_path: Path) -> None:
    async with told_room(tmp_path) as (room, service), browser(room) as phone:
        match = await room.match("Anna", "Ben", terms="tokonoma umpire=turn side=white time=1h")
        phone_of_anna = service.browser("anna")
        tab = await seated(room, phone, "Anna", match)
        assert (await subscribe(tab, phone_of_anna.device))["told"]
        await room.say("Anna", f"move {match} c7c5")
        await room.say("Ben", f"move {match} c1c3")
        await until(lambda: bool(phone_of_anna.told))
        (told,) = phone_of_anna.told
        assert told.notice == {"match": match, "told": f"Tokonoma, match {match}, waits for you."}
        assert told.claims["sub"] == PUBLIC
        assert 0 < int(told.headers["TTL"]) <= 3_600, "what came later than the turn would mislead"


async def test_a_device_that_is_gone_is_told_no_more_and_whoever_switches_it_off_neither(tmp_path: Path) -> None:
    async with told_room(tmp_path) as (room, service), browser(room) as phone:
        match = await room.match("Anna", "Ben")
        tab = await seated(room, phone, "Anna", match)
        gone, kept, off = service.browser("gone"), service.browser("kept"), service.browser("off")
        for each in (gone, kept, off):
            await subscribe(tab, each.device)
        gone.status = 410
        await tab.tell("tell", endpoint=off.endpoint)
        await tab.hear("told")
        await room.say("Anna", f"move {match} c7c5")
        await room.say("Ben", f"move {match} c1c3")
        await until(lambda: bool(kept.told))
        assert off.told == []
        devices = await room.service.devices.of("discord:anna")
        assert [device.endpoint for device in devices] == [kept.endpoint]


async def test_one_person_has_five_devices_and_the_newest_stay(tmp_path: Path) -> None:
    async with told_room(tmp_path) as (room, service), browser(room) as phone:
        match = await room.match("Anna", "Ben")
        tab = await seated(room, phone, "Anna", match)
        made = [service.browser(str(number)) for number in range(MOST + 2)]
        for each in (*made, made[-1]):
            await subscribe(tab, each.device)
        known = [device.endpoint for device in await room.service.devices.of("web:anna")]
        assert known == [each.endpoint for each in made[2:]]


async def test_a_push_service_that_fails_or_sends_elsewhere_stops_nothing(tmp_path: Path) -> None:
    async with told_room(tmp_path) as (room, service), browser(room) as phone:
        match = await room.match("Anna", "Ben")
        tab = await seated(room, phone, "Anna", match)
        broken, away, well = service.browser("broken"), service.browser("anna"), service.browser("well")
        broken.status = 500
        away.endpoint = away.endpoint.replace("/push/", "/away/")
        for each in (broken, away, well):
            await subscribe(tab, each.device)
        await room.say("Anna", f"move {match} c7c5")
        await room.say("Ben", f"move {match} c1c3")
        await until(lambda: bool(well.told))
        assert away.told == [], "nobody is sent on to another address"


async def test_the_key_is_made_once_and_stored_sealed(tmp_path: Path) -> None:
    async with told_room(tmp_path) as (room, _), browser(room) as phone:
        match = await room.match("Anna", "Ben")
        await seated(room, phone, "Anna", match)
        first = await room.service.repository.setting(*KEY)
        assert "PRIVATE KEY" in first
    stored = b"".join(file.read_bytes() for file in tmp_path.glob("riposte.db*"))
    assert b"PRIVATE KEY" not in stored
    async with told_room(tmp_path) as (room, _):
        assert await room.service.devices.key(lambda: "another", 0) == first


# --- where a push may go ------------------------------------------------------------------------------------
GOOD = Subscribed("https://fcm.googleapis.com/fcm/send/x").device


@pytest.mark.parametrize(
    "endpoint",
    [
        "https://fcm.googleapis.com/fcm/send/x",
        "https://updates.push.services.mozilla.com/wpush/v2/x",
        "https://web.push.apple.com/x",
        "https://wns2-par02p.notify.windows.com/w/?token=x",
    ],
)
def test_the_services_of_browsers_are_known(endpoint: str) -> None:
    assert fits(Device(endpoint, GOOD.p256dh, GOOD.auth))


@pytest.mark.parametrize(
    "device",
    [
        *(
            Device(endpoint, GOOD.p256dh, GOOD.auth)
            for endpoint in (
                "http://fcm.googleapis.com/fcm/send/x",
                "https://127.0.0.1/x",
                "https://localhost:8080/x",
                "https://169.254.169.254/latest",
                "https://fcm.googleapis.com:22/x",
                "https://fcm.googleapis.com.evil.example/x",
                "https://evil.example/fcm.googleapis.com",
                "https://evilpush.apple.com/x",
                "https://evil.example@fcm.googleapis.com/x",
                "https://evil.example#.push.apple.com",
                "https://evil.example\\.push.apple.com/x",
                "https://[::1].push.apple.com/x",
                "https://x:y@a.push.apple.com/x",
                "file:///etc/passwd",
                "",
            )
        ),
        Device(GOOD.endpoint, GOOD.p256dh[:-4], GOOD.auth),
        Device(GOOD.endpoint, GOOD.p256dh, ""),
        Device(GOOD.endpoint, "ä", GOOD.auth),
        Device(GOOD.endpoint, encoded(bytes(64)), encoded(bytes(16))),
    ],
    ids=lambda device: device.endpoint or "nowhere",
)
def test_nothing_is_pushed_anywhere_else(device: Device) -> None:
    assert not fits(device)


async def test_a_page_that_names_another_address_is_told_so(tmp_path: Path) -> None:
    async with told_room(tmp_path) as (room, _), browser(room) as phone:
        match = await room.match("Anna", "Ben")
        tab = await seated(room, phone, "Anna", match)
        answer = await subscribe(tab, Device("https://127.0.0.1:1/x", GOOD.p256dh, GOOD.auth))
        assert not answer["told"]
        assert "no push service" in str(answer["because"])
        assert await room.service.devices.of("web:anna") == []


def test_each_service_is_one_name_or_what_stands_before_one() -> None:
    assert all(name == name.lower() and "/" not in name and ":" not in name for name in SERVICES)
