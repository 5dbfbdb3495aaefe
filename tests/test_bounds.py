"""What people and machines can run out of is bounded, and told: numbers, connections, descriptors, names, lists."""

import asyncio
import errno
import resource
from collections.abc import AsyncIterator
from pathlib import Path

import pytest
from aiohttp import web
from structlog.testing import capture_logs

from bot import half_open
from bot.adapters.web.users import looks_alike, user_named
from bot.half_open import PATIENCE, HalfOpen
from bot.logs import once_a_minute
from bot.messages.model import Person
from tests.adapters.web_room import OpenRoom, open_room
from tests.chat_room import ChatRoom, transcribe
from tests.chat_room import open_room as open_chat
from tests.test_patience import program, told


@pytest.fixture
async def room(tmp_path: Path) -> AsyncIterator[OpenRoom]:
    async with open_room(tmp_path) as opened:
        yield opened


# --- numbers ------------------------------------------------------------------------------------------------
@pytest.mark.parametrize("number", [2**53 + 1, 2**63, 2**64, 10**40, -1])
@pytest.mark.parametrize(
    "request_", [{"do": "open", "before": 0}, {"do": "read", "number": 0}, {"do": "complete", "turn": 0, "text": "x"}]
)
async def test_a_number_that_is_too_large_is_told_and_the_page_goes_on(
    room: OpenRoom, request_: dict[str, object], number: int
) -> None:
    tab, _ = await room.enter("Anna")
    wrong = {key: number if value == 0 else value for key, value in request_.items()}
    await tab.socket.send_json({**wrong, "channel": "lounge", "thread": ""})
    assert "did not understand" in (await tab.hear("refused"))["because"]
    await tab.say("still here")
    await tab.hear("message")


async def test_what_is_nested_too_deeply_is_told_and_the_page_goes_on(room: OpenRoom) -> None:
    tab, _ = await room.enter("Anna")
    await tab.socket.send_str('{"x":' + "[" * 5_000)
    assert "did not understand" in (await tab.hear("refused"))["because"]
    await tab.say("still here")
    await tab.hear("message")


HALF_OPEN = 600


# --- connections --------------------------------------------------------------------------------------------
async def test_connections_that_ask_for_nothing_are_closed_and_those_that_do_are_served() -> None:
    app = web.Application()
    runner = web.AppRunner(app)
    await runner.setup()
    site = web.TCPSite(runner, "127.0.0.1", 0)
    await site.start()
    port = runner.addresses[0][1]
    idle = [await asyncio.open_connection("127.0.0.1", port) for _ in range(HALF_OPEN)]
    for _, writer in idle:
        writer.write(b"GET / HTTP/1.1\r\nHost: localhost\r\n")  # and nothing more
    assert runner.server is not None
    async with asyncio.timeout(20):
        while len(runner.server.connections) < HALF_OPEN:
            await asyncio.sleep(0)
    guard = HalfOpen(runner.server)
    guard.close_late(100.0)
    with capture_logs() as logs:
        guard.close_late(100.0 + PATIENCE)
    assert [(line["log_level"], line["count"]) for line in logs] == [("warning", HALF_OPEN)]
    reader, writer = await asyncio.open_connection("127.0.0.1", port)
    writer.write(b"GET / HTTP/1.1\r\nHost: localhost\r\n\r\n")
    assert (await reader.readline()).startswith(b"HTTP/1.1 404")
    for _, other in [*idle, (reader, writer)]:
        other.close()
    await runner.cleanup()


async def test_descriptors_that_run_out_are_one_line_in_the_log() -> None:
    loop = asyncio.get_running_loop()
    once_a_minute(loop)
    try:
        with capture_logs() as logs:
            for _ in range(7_000):
                loop.call_exception_handler({"message": "accept", "exception": OSError(errno.EMFILE, "too many")})
    finally:
        loop.set_exception_handler(None)
    assert len(logs) == 1
    assert "LimitNOFILE" in logs[0]["event"]


async def test_the_room_closes_connections_on_which_no_request_comes(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(half_open, "PATIENCE", 0.2)
    async with open_room(tmp_path) as room, asyncio.timeout(20):
        reader, writer = await asyncio.open_connection("127.0.0.1", int(room.address.strip("/").rpartition(":")[2]))
        writer.write(b"GET / HTTP/1.1\r\nHost: localhost\r\n")
        assert await reader.read() == b""
        writer.close()
        tab, _ = await room.enter("Anna")
        await tab.say("still here")
        await tab.hear("message")


async def test_a_program_without_descriptors_says_so_in_one_line_and_goes_on(tmp_path: Path) -> None:
    async with program(tmp_path) as (anna, _ben, riposte), asyncio.timeout(60):
        port = int(anna.socket._response.url.port or 0)
        before = resource.prlimit(riposte.pid, resource.RLIMIT_NOFILE)
        used = len(list(Path(f"/proc/{riposte.pid}/fd").iterdir()))
        resource.prlimit(riposte.pid, resource.RLIMIT_NOFILE, (used + 5, before[1]))
        crowd = [await asyncio.open_connection("127.0.0.1", port) for _ in range(60)]
        log = tmp_path / "log"
        while "LimitNOFILE" not in log.read_text():
            await asyncio.sleep(0.01)
        for _, writer in crowd:
            writer.close()
        resource.prlimit(riposte.pid, resource.RLIMIT_NOFILE, before)
        await anna.say("games")
        await told(anna, "The games:")
        assert log.read_text().count("LimitNOFILE") == 1
        assert "Traceback" not in log.read_text()


# --- names --------------------------------------------------------------------------------------------------
@pytest.mark.parametrize("name", ["Riposte", "riposte", "RIPOSTE", "Rip0ste", "Rіроѕtе", "ríposte", "Ｒｉｐｏｓｔｅ"])
def test_the_referee_s_name_is_taken_in_any_script(name: str) -> None:
    assert not isinstance(user_named(name), Person)


@pytest.mark.parametrize(("one", "other"), [("Anna", "Аnnа"), ("Paul", "PauI"), ("Bob", "B0b"), ("Emma", "Ernma")])
async def test_names_that_look_alike_cannot_sit_side_by_side(room: OpenRoom, one: str, other: str) -> None:
    assert looks_alike(one, other)
    await room.enter(one)
    assert f"looks like that of {one}" in (await room.sit(other))["because"]
    await room.enter(one)  # their own name is theirs


@pytest.mark.parametrize(("one", "other"), [("Anna", "Hanna"), ("Lia", "Ila"), ("Ali", "All"), ("Ben", "Bea")])
def test_names_that_can_be_told_apart_may_sit_side_by_side(one: str, other: str) -> None:
    assert not looks_alike(one, other)


# --- lists --------------------------------------------------------------------------------------------------
async def test_lists_are_read_by_pages(tmp_path: Path) -> None:
    room: ChatRoom = await open_chat(tmp_path)
    for _ in range(10):
        room.now += 3_600_000
        await room.say("anna", "challenge tokonoma")
    assert len(await room.store.matches(player="web:anna", limit=7)) == 7
    latest = await room.store.matches(place="web/lounge/", status="open", limit=2)
    assert [each.match for each in latest] == ["10", "9"]
    assert [each.match for each in await room.store.matches(limit=1)] == ["10"]
    for number in range(15):
        await room.say(f"player{number}", "challenge tokonoma")
    (listed,) = await room.say("eve", "matches all")
    lines = transcribe(listed, room.now)
    assert sum("Tokonoma" in line for line in lines) == 20
    assert lines[-1].strip() == "The list ends after 20; there are more."
    await room.store.close()


async def test_of_many_matches_the_one_that_is_due_first_is_listed_however_long_it_has_waited(tmp_path: Path) -> None:
    room: ChatRoom = await open_chat(tmp_path)
    for number in range(22):
        room.now += 3_600_000
        await room.say(f"player{number}", f"challenge @anna tokonoma side=black time={'30d' if number else '7d'}")
        await room.say("anna", f"accept {number + 1}")
    (listed,) = await room.say("anna", "matches")
    lines = transcribe(listed, room.now)
    assert lines[1].strip().startswith("**1** Tokonoma")
    assert any("move 1" in choice.command for choice in listed.choices)
    assert "The list ends after 20; there are more." in lines[-2]
    await room.store.close()
