"""Streams of news: each event once, in order, from where a program was."""

import asyncio
import json
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import aiohttp
import pytest

from bot.adapters.api import limits, streams
from tests.api.room import Room, open_room

PATIENT = 10.0


class Stream:
    """What a program reads."""

    def __init__(self, answer: aiohttp.ClientResponse):
        self.answer = answer

    async def event(self) -> tuple[int, dict[str, Any]]:
        """The next event."""
        number = 0
        async with asyncio.timeout(PATIENT):
            while line := (await self.answer.content.readline()).decode():
                if line.startswith("id: "):
                    number = int(line[4:])
                if line.startswith("data: "):
                    return number, json.loads(line[6:])
        raise EOFError

    async def ended(self) -> bool:
        async with asyncio.timeout(PATIENT):
            return await self.answer.content.read() is not None


@asynccontextmanager
async def listening(room: Room, name: str, last: int | None = None) -> AsyncIterator[Stream]:
    headers = {"Authorization": f"Bearer {room.keys[name]}"} | ({} if last is None else {"Last-Event-ID": str(last)})
    async with room.session.get(f"{room.url}/events", headers=headers) as answer:
        assert (answer.status, answer.content_type) == (200, "text/event-stream")
        assert await answer.content.readline() == b": hello\n"
        yield Stream(answer)


@pytest.fixture
async def room(tmp_path: Path) -> AsyncIterator[Room]:
    async with open_room(tmp_path) as opened:
        yield opened


async def test_news_come_as_they_happen_to_whom_they_concern(room: Room) -> None:
    number = await room.begin()
    await room.key("Carol")
    async with listening(room, "Ben") as ben, listening(room, "Carol") as carol:
        await room.ask("Anna", "POST", f"/matches/{number}/move", {"turn": "c7c5"})
        _, told = await ben.event()
        assert (told["match"], told["rings"], told["private"]) == (number, True, False)
        assert told["text"].startswith("Turn 1 · Anna (White) played c7c5.")
        await room.ask("Carol", "POST", "/matches", {"game": "tokonoma"})
        _, hers = await carol.event()
        assert hers["match"] != number, "what happened before was none of hers"


async def test_what_is_written_in_chat_is_told_too(room: Room) -> None:
    number = await room.begin()
    async with listening(room, "Ben") as ben:
        await room.say("Anna", "c7c5", number)
        assert "played c7c5" in (await ben.event())[1]["text"]


async def test_what_is_refused_is_no_news(room: Room) -> None:
    number = await room.begin()
    async with listening(room, "Ben") as ben:
        await room.ask("Ben", "POST", f"/matches/{number}/move", {"turn": "c1c3"})
        await room.ask("Anna", "POST", f"/matches/{number}/move", {"turn": "c7c5"})
        assert "played c7c5" in (await ben.event())[1]["text"]


async def test_a_program_goes_on_where_it_was(room: Room) -> None:
    number = await room.begin()
    async with listening(room, "Ben") as ben:
        await room.ask("Anna", "POST", f"/matches/{number}/move", {"turn": "c7c5"})
        first, _ = await ben.event()
    for who, turn in (("Ben", "c1c3"), ("Anna", "c5c7"), ("Ben", "c3c1")):
        assert (await room.ask(who, "POST", f"/matches/{number}/move", {"turn": turn}))[0] == 200
    told = []
    async with listening(room, "Ben", first) as ben:
        told = [await ben.event() for _ in range(3)]
    assert [f"Turn {n}" in event["text"] for n, (_, event) in zip((2, 3, 4), told, strict=True)] == [True] * 3
    assert first < told[0][0] < told[1][0] < told[2][0]
    async with listening(room, "Ben", told[1][0]) as ben:
        assert await ben.event() == told[2]


async def test_a_restart_loses_nothing(tmp_path: Path) -> None:
    async with open_room(tmp_path) as room:
        number = await room.begin()
        keys = room.keys
        await room.ask("Anna", "POST", f"/matches/{number}/move", {"turn": "c7c5"})
    async with open_room(tmp_path) as room:
        room.keys = keys
        async with listening(room, "Ben", 0) as ben:
            told = [(await ben.event())[1]["text"] for _ in range(3)]
    assert [text.splitlines()[0][:12] for text in told] == ["Anna challen", "Ben accepts.", "Turn 1 · Ann"]


async def test_a_revoked_key_ends_its_streams(room: Room, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(streams, "BEAT", 0.05)
    await room.key("Anna")
    async with listening(room, "Anna") as anna:
        await room.say("Anna", "apikey revoke")
        assert await anna.ended()


async def test_only_so_many_streams_are_open(room: Room, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(limits, "ALL_STREAMS", limits.STREAMS + 1)
    await room.key("Anna")
    for name in ("Ben", "Carol"):
        await room.key(name)

    async def opened(name: str) -> int:
        answer = await room.session.get(f"{room.url}/events", headers={"Authorization": f"Bearer {room.keys[name]}"})
        held.append(answer)
        return answer.status

    held: list[aiohttp.ClientResponse] = []
    assert [await opened("Anna") for _ in range(limits.STREAMS + 1)] == [200] * limits.STREAMS + [429]
    assert [await opened("Ben"), await opened("Carol")] == [200, 429]
    for answer in held:
        answer.close()
    async with asyncio.timeout(PATIENT):  # the server notices that it has been hung up on
        while await opened("Carol") != 200:
            held.pop().close()
            await asyncio.sleep(0.01)
    held.pop().close()


async def test_a_program_that_reads_nothing_is_hung_up_on_and_delays_nobody(
    room: Room, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(streams, "SLOWEST", 0.2)
    monkeypatch.setattr(streams, "_spelt", lambda found, _accounts: [b"x" * 4_000_000 for _ in found])
    number = await room.begin()
    address = room.url.split("/")[2]
    reader, writer = await asyncio.open_connection(*address.split(":"), limit=1024)
    writer.write(
        f"GET /api/v1/events HTTP/1.1\r\nHost: {address}\r\nAuthorization: Bearer {room.keys['Ben']}\r\n\r\n".encode()
    )
    await reader.readuntil(b"hello")
    started = asyncio.get_running_loop().time()
    for who, turn in (("Anna", "c7c5"), ("Ben", "c1c3"), ("Anna", "c5c7")):
        assert (await room.ask(who, "POST", f"/matches/{number}/move", {"turn": turn}))[0] == 200
    assert asyncio.get_running_loop().time() - started < PATIENT
    async with asyncio.timeout(PATIENT):
        while room.programs._streams._waiting:
            await asyncio.sleep(0.01)
    writer.transport.abort()
