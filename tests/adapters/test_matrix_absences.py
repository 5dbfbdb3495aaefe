"""A turn that was written in time counts on Matrix where we could not hear it in time: our own clock says when."""

import asyncio
from collections.abc import AsyncIterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from aiohttp import web
from aiohttp.test_utils import TestServer

from bot.adapters.matrix import retrying
from bot.adapters.matrix.client import Client
from bot.adapters.matrix.sync.stream import POLL, Stream
from bot.messages.model import IncomingMessage, Place
from bot.messages.serialization import read_incoming
from bot.rests.outages import ABSENCES_KEPT, add_outage, read_outages
from bot.runtime.inbox import Inbox
from engine.match.alarms import deadline
from engine.match.state import Match
from tests.chat_room import ChatRoom, open_room

SECOND = 1_000
ROOM = "!club:riposte.test"
USER = "@riposte:riposte.test"


class Line:
    """The homeserver's news as a test has them told, to a stream that ends and begins anew."""

    def __init__(self, room: ChatRoom, folder: Path) -> None:
        self.room = room
        self.address = ""
        self._folder = folder
        self.answers: asyncio.Queue[dict[str, Any] | None] = asyncio.Queue()
        """What is answered next; None = that it has no time for us."""
        self.refused = False
        self.asked_again = asyncio.Event()
        self._reading: asyncio.Task[None] | None = None

    async def answer(self, request: web.Request) -> web.Response:
        """A request of the client's."""
        if not request.path.endswith("/sync"):
            return web.json_response({})
        if self.refused:
            self.asked_again.set()
        told = await self.answers.get()
        self.refused = told is None
        busy = {"errcode": "M_LIMIT_EXCEEDED", "retry_after_ms": 0}
        return web.json_response(told or busy, status=200 if told else 429)

    async def start(self) -> None:
        """Begin to read."""
        client = self.client = Client(self.address, USER, self._folder)
        client.restore_login(USER, "DEVICE", "token")
        self.stream = Stream(
            client,
            Inbox(self.room.store, "matrix"),
            lambda: self.room.now,
            {},
            interpret=self._interpret,
            prepare=self._prepare,
            heard=lambda *_: None,
            unreadable=lambda _: None,
        )
        self._reading = asyncio.create_task(self.stream.run())

    async def stop(self) -> None:
        """End, whatever is under way."""
        if self._reading is not None:
            self._reading.cancel()
            await asyncio.wait([self._reading])
            await self.client.close()
            self._reading = None

    async def tell(self, *events: dict[str, Any]) -> None:
        """Have something told; it is dealt with as it would be by the program."""
        heard = asyncio.create_task(self.stream.next_round())
        await asyncio.sleep(0)
        timeline = {"timeline": {"events": list(events), "limited": False}}
        self.answers.put_nowait({"next_batch": "next", "rooms": {"join": {ROOM: timeline}}})
        await heard
        for arrival in await self.room.store.arrived("matrix", 10):
            await self.room.service.receive(read_incoming(arrival.body))

    async def fail(self) -> None:
        """Have the next question fail."""
        self.answers.put_nowait(None)
        await self.asked_again.wait()

    def turn(self, written: int) -> dict[str, Any]:
        """Anna's turn, as an event that says when it was written."""
        return {
            "type": "m.room.message",
            "event_id": f"$turn:{written}",
            "sender": "@anna:riposte.test",
            "origin_server_ts": written,
            "content": {"msgtype": "m.text", "body": "c7c5"},
        }

    async def match(self) -> Match:
        match = await self.room.service.repository.match("1")
        assert match is not None
        return match

    def hears(self) -> bool:
        """Whether flags may fall."""
        return self.stream.caught_up

    async def due(self) -> int:
        """When Anna's time is up."""
        instant = deadline(await self.match())
        assert instant is not None
        return instant

    async def _interpret(self, room: str, event: dict[str, Any], at: int) -> IncomingMessage | None:
        said = self.room.message("anna", event["content"]["body"], "1")
        self.room.now = at  # to say something takes no minute here
        where = Place("matrix", room, "1")
        written = event["origin_server_ts"]
        return replace(said, id=f"matrix:{event['event_id']}", where=where, at=at, sent=written, hearsay=True)

    async def _prepare(self, _answer: Any) -> dict[str, str]:
        return {}


@pytest.fixture
async def line(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> AsyncIterator[Line]:
    """Anna has a second left for her turn, and all that was written before has been read."""
    monkeypatch.setattr(retrying, "PATIENCE", (0.0,))
    room = await open_room(tmp_path)
    await room.say("anna", "challenge @ben tokonoma side=white time=1d")
    await room.say("ben", "accept 1")
    line, application = Line(room, tmp_path), web.Application()
    application.router.add_route("*", "/{rest:.*}", line.answer)
    async with TestServer(application) as server:
        line.address = str(server.make_url("")).rstrip("/")
        await line.start()
        room.now = await line.due() - SECOND
        await line.tell()
        yield line
        await line.stop()
    await room.store.close()


async def test_a_turn_written_in_time_while_we_were_started_again_counts(line: Line) -> None:
    due = await line.due()
    await line.stop()
    line.room.now = due + 39 * SECOND
    await line.start()
    assert not line.hears(), "so no flag falls"
    await line.tell(line.turn(due - SECOND // 2))
    assert line.hears()
    match = await line.match()
    assert (match.status, match.turns_made) == ("running", 1)


async def test_a_turn_written_in_time_while_the_homeserver_had_no_time_for_us_counts(line: Line) -> None:
    due = await line.due()
    await line.fail()
    line.room.now = due + 3 * SECOND
    assert not line.hears(), "so no flag falls"
    await line.tell(line.turn(due - SECOND // 2))
    assert line.hears()
    assert (await line.match()).turns_made == 1


async def test_a_turn_written_in_time_while_our_machine_slept_counts(line: Line) -> None:
    due = await line.due()
    line.room.now = due + 39 * SECOND
    assert not line.hears(), "so no flag falls"
    await line.tell(line.turn(due - SECOND // 2))
    assert (await line.match()).turns_made == 1


async def test_a_turn_written_too_late_while_we_were_away_does_not_count(line: Line) -> None:
    due = await line.due()
    await line.stop()
    line.room.now = due + 39 * SECOND
    await line.start()
    await line.tell(line.turn(due + SECOND))
    match = await line.match()
    assert (match.status, match.turns_made) == ("over", 0)


@pytest.mark.parametrize("restarted", [False, True])
async def test_outside_any_absence_of_ours_a_homeserver_can_say_what_it_likes(line: Line, *, restarted: bool) -> None:
    due = await line.due()
    if restarted:  # before the deadline, and back before it
        await line.stop()
        line.room.now = due - SECOND * 3 // 4
        await line.start()
        await line.tell()
    line.room.now = due + round(POLL / 2) * SECOND
    assert line.hears()
    await line.tell(line.turn(due - SECOND // 2))
    match = await line.match()
    assert (match.status, match.turns_made) == ("over", 0)


def test_the_last_hundred_absences_are_remembered() -> None:
    text = ""
    for since in range(ABSENCES_KEPT + 5):
        text = add_outage(text, (since * 10, since * 10 + 4), ABSENCES_KEPT)
    noted = read_outages(text)
    assert (len(noted), noted[0], noted[-1]) == (ABSENCES_KEPT, (50, 54), (1040, 1044))
