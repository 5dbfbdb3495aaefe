"""News sent to an address: signed, in order, until they are taken, to public addresses alone, at nobody's cost."""

import asyncio
import hashlib
import hmac
import socket
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from functools import partial
from pathlib import Path
from typing import Any

import pytest
from aiohttp.abc import AbstractResolver, ResolveResult

from bot.adapters.api import webhooks
from bot.adapters.api.webhooks import AT_ONCE, FOR, PublicResolver, Webhooks, is_public, signature
from bot.messages.model import Retry, Undeliverable
from tests.api.hook import PATIENT, Hook, listening
from tests.api.room import Clock, Room, open_room


@pytest.fixture
async def hook() -> AsyncIterator[Hook]:
    async with listening() as found:
        yield found


@asynccontextmanager
async def told(folder: Path, hook: Hook) -> AsyncIterator[tuple[Room, str, str]]:
    """A room in which Ben has news sent to the hook; a match in it, and the secret."""
    async with open_room(folder, webhooks=partial(Webhooks, private=True)) as room:
        number = await room.begin()
        status, answer = await room.ask("Ben", "POST", "/webhook", {"address": hook.url})
        assert status == 200, answer
        secret = answer["told"][0]["text"].split("shown this once: ")[1].split()[0]
        yield room, number, secret


async def test_news_are_signed_and_say_what_a_stream_says(tmp_path: Path, hook: Hook) -> None:
    async with told(tmp_path, hook) as (room, number, secret):
        await room.ask("Anna", "POST", f"/matches/{number}/move", {"turn": "c7c5"})
        (event,) = await hook.until(1)
        assert (event["match"], event["rings"], event["private"]) == (number, True, False)
        assert "played c7c5" in event["text"]
        header, body = hook.heard[0]
        at, _, signed = header.removeprefix("t=").partition(",v1=")
        assert hmac.new(secret.encode(), f"{at}.".encode() + body, hashlib.sha256).hexdigest() == signed
        assert int(at) == room.clock() // 1000
        assert len(secret) == 64


async def test_what_is_not_taken_is_sent_again_in_order(tmp_path: Path, hook: Hook) -> None:
    hook.moods = [500, 302, 404]
    async with told(tmp_path, hook) as (room, number, _):
        for who, turn in (("Anna", "c7c5"), ("Ben", "c1c3")):
            await room.ask(who, "POST", f"/matches/{number}/move", {"turn": turn})
        async with asyncio.timeout(PATIENT):
            while len(hook.heard) < 5:
                room.clock.at += 60_000
                room.look_again()
                await asyncio.sleep(0.02)
        events = await hook.until(5)
        assert [event["text"][:6] for event in events] == ["Turn 1"] * 4 + ["Turn 2"]
        assert len({event["key"] for event in events}) == 2


async def test_an_address_that_never_answers_delays_nobody(tmp_path: Path, hook: Hook) -> None:
    hook.silent = True
    async with told(tmp_path, hook) as (room, number, _):
        await room.ask("Anna", "POST", f"/matches/{number}/move", {"turn": "c7c5"})
        await hook.until(1)
        started = asyncio.get_running_loop().time()
        assert (await room.ask("Ben", "POST", f"/matches/{number}/move", {"turn": "c1c3"}))[0] == 200
        async with asyncio.timeout(PATIENT):  # both turns are in the web room's thread, though the hook is silent
            while left := await room.store.unsent(number):
                assert {one.ordering_key for one in left} == {f"web/lounge/{number}"}
                await asyncio.sleep(0.01)
        assert asyncio.get_running_loop().time() - started < webhooks.TIMEOUT
        assert len(hook.heard) == 1


async def test_no_more_room_is_taken_than_is_given(hook: Hook) -> None:
    hook.silent = True
    hooks = Webhooks(Clock(), private=True)
    sending = [asyncio.create_task(hooks.send(hook.url, "s", b"{}", 0)) for _ in range(AT_ONCE)]
    hooks._now.at = 0  # type: ignore[attr-defined]
    await hook.until(AT_ONCE)
    with pytest.raises(Retry) as waits:
        await hooks.send(hook.url, "s", b"{}", 0)
    assert not waits.value.tried
    for one in sending:
        one.cancel()
    await asyncio.gather(*sending, return_exceptions=True)
    await hooks.close()


async def test_an_answer_that_takes_too_long_counts_as_none(hook: Hook, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(webhooks, "TIMEOUT", 0.1)
    hook.silent = True
    clock = Clock()
    hooks = Webhooks(clock, private=True)
    pauses = []
    for age in (0, 10_000, 3_600_000, FOR):
        with pytest.raises(Retry) as again:
            await hooks.send(hook.url, "s", b"{}", clock() - age)
        pauses.append(again.value.after)
    assert pauses == [1.0, 5.0, 1800.0, 3600.0]
    with pytest.raises(Undeliverable):
        await hooks.send(hook.url, "s", b"{}", clock() - FOR - 1)
    await hooks.close()


async def test_the_signature_is_the_one_that_is_told_of() -> None:
    assert signature("secret", 1_800_000_000, b'{"match": "1"}') == (
        "t=1800000000,v1=" + hmac.new(b"secret", b'1800000000.{"match": "1"}', "sha256").hexdigest()
    )


# --- where nothing is sent --------------------------------------------------------------------------------
@pytest.mark.parametrize(
    "address",
    [
        *(
            "127.0.0.1",
            "127.8.8.8",
            "0.0.0.0",
            "10.0.0.1",
            "172.16.0.1",
            "192.168.1.1",
            "169.254.169.254",
            "100.64.0.1",
        ),
        *("255.255.255.255", "224.0.0.1", "192.0.2.1", "198.18.0.1", "240.0.0.1"),
        *("::1", "::", "fe80::1", "fe80::1%eth0", "fc00::1", "ff02::1", "2001:db8::1"),
        *("::ffff:127.0.0.1", "::ffff:10.0.0.1", "2002:7f00:1::", "64:ff9b::7f00:1", "2001:0:4136:e378::1"),
    ],
)
def test_an_inner_address_is_not_public(address: str) -> None:
    assert not is_public(address)


@pytest.mark.parametrize("address", ["1.1.1.1", "93.184.216.34", "2606:4700::1111", "::ffff:1.1.1.1"])
def test_an_address_of_the_internet_is(address: str) -> None:
    assert is_public(address)


@pytest.mark.parametrize(
    "address",
    [
        *("http://example.org/", "ftp://example.org", "https://", "https:///x", "file:///etc/passwd", "no address"),
        *("https://127.0.0.1/", "https://[::1]/", "https://10.1.2.3:8443/", "https://2130706433/", "https://127.1/"),
        *("https://0177.0.0.1/", "https://user:secret@example.org/", "https://169.254.169.254/latest/meta-data/"),
        *("https://127。0。0。1/", "https://①②⑦.0.0.1/", "https://[::ffff:127.0.0.1]/", "https://x:99999/"),
    ],
)
def test_nothing_is_sent_elsewhere(address: str) -> None:
    assert Webhooks(Clock()).refusal(address) != ""


class Names(AbstractResolver):
    """Names that mean something else each time."""

    def __init__(self, *answers: str):
        self.answers = list(answers)
        self.asked = 0

    async def resolve(self, host: str, port: int = 0, family: Any = socket.AF_INET) -> list[ResolveResult]:
        self.asked += 1
        found = self.answers.pop(0)
        return [ResolveResult(hostname=host, host=found, port=port, family=socket.AF_INET, proto=0, flags=0)]

    async def close(self) -> None:
        pass


async def test_a_name_that_stands_for_an_inner_address_is_not_connected_to(hook: Hook) -> None:
    port = hook.url.split(":")[2].split("/")[0]
    hooks = Webhooks(Clock(), resolver=Names("127.0.0.1"))
    with pytest.raises(Retry):
        await hooks.send(f"https://rebound.example:{port}/", "s", b"{}", Clock()())
    await hooks.close()
    assert hook.heard == []


async def test_a_name_is_looked_up_once_and_that_is_connected_to(monkeypatch: pytest.MonkeyPatch) -> None:
    """First a public address, a moment later this machine: what was checked is what is used."""
    names = Names("1.1.1.1", "127.0.0.1")
    connected: list[Any] = []

    async def connect(addr_infos: Any, **_more: Any) -> Any:
        connected.extend(info[4] for info in addr_infos)
        raise OSError("not from a test")

    monkeypatch.setattr("aiohttp.connector.aiohappyeyeballs.start_connection", connect)
    hooks = Webhooks(Clock(), resolver=names)
    with pytest.raises(Retry):
        await hooks.send("https://rebound.example/", "s", b"{}", Clock()())
    await hooks.close()
    assert names.asked == 1
    assert {host for host, *_ in connected} == {"1.1.1.1"}


async def test_the_real_resolver_finds_this_machine_by_its_names() -> None:
    resolver = PublicResolver()
    for name in ("localhost", "0x7f.1", "127.1"):
        with pytest.raises(OSError, match="not a public address"):
            await resolver.resolve(name, 443)
    await resolver.close()


async def test_a_hook_of_somebody_who_has_gone_is_sent_nothing(tmp_path: Path, hook: Hook) -> None:
    async with told(tmp_path, hook) as (room, number, _):
        await room.say("Ben", "apikey revoke")
        await room.ask("Anna", "POST", f"/matches/{number}/move", {"turn": "c7c5"})
        await room.say("Ben", "c1c3", number)
        assert hook.heard == []
        assert await room.store.setting("web:ben", "webhook") == ""
