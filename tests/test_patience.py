"""Whoever waits for a full disk or a locked database is told so within five seconds, where they wrote, and once."""

import asyncio
import errno
import os
import resource
import sqlite3
import sys
import uuid
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from dataclasses import replace
from pathlib import Path

import aiohttp
import pytest
from structlog.testing import capture_logs

from bot.messages.model import IncomingMessage, OutgoingMessage, Place
from bot.runtime import patience as patience_module
from bot.runtime.admission import Admission
from bot.runtime.inbox import Inbox
from bot.runtime.patience import Patience
from storage.sqlite.store import BOTH, SqliteStore
from tests.adapters.web_room import Tab
from tests.chat_room import MINUTE, ChatRoom, open_room, transcribe

ROOT = Path(__file__).parents[1]


class Shown:
    """A platform that shows at once what it is given."""

    def __init__(self) -> None:
        self.posts: list[OutgoingMessage] = []

    async def deliver(self, message: OutgoingMessage, image: bytes | None, /) -> str:
        self.posts.append(message)
        return str(len(self.posts))

    @property
    def lines(self) -> list[str]:
        return [line.strip() for post in self.posts for line in transcribe(post, post.at)]


@pytest.fixture
async def room(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> AsyncIterator[ChatRoom]:
    monkeypatch.setattr("bot.runtime.patience.UNTOLD", 0.3)
    monkeypatch.setattr("bot.runtime.patience.PAUSES", (0.01,))
    room = await open_room(tmp_path)
    for challenger, other, number in (("anna", "ben", 1), ("carol", "dave", 2)):
        await room.say(challenger, f"challenge @{other} tokonoma side=white umpire=turn")
        await room.say(other, f"accept {number}")
    yield room
    await room.store.close()


@pytest.fixture
def web() -> Shown:
    return Shown()


@pytest.fixture
def patience(room: ChatRoom, web: Shown) -> Patience:
    patience = Patience(room.service.aside, room.service.answer, lambda: room.now)
    patience.platforms = {"web": web}
    return patience


def receive(room: ChatRoom, patience: Patience) -> "Admission":
    return Admission(patience.stored(room.service.receive), room.service.answer, room.service.repository.plays)


async def space(room: ChatRoom, pages: int) -> None:
    assert isinstance(room.store, SqliteStore)
    await room.store._writer.run(lambda db: db.execute(f"PRAGMA max_page_count = {pages}").fetchall())


async def say_for_ever(room: ChatRoom, text: str) -> None:
    while True:
        await room.say("eve", text)


async def fill(room: ChatRoom) -> None:
    """Leave no room for anything."""
    await space(room, 1)  # as many as there are
    for text in ("help", "!x"):
        with pytest.raises(OSError, match="disk is full"):
            await say_for_ever(room, text)


async def until(met: Callable[[], object]) -> None:
    async with asyncio.timeout(20):
        while not met():
            await asyncio.sleep(0)


async def turns(room: ChatRoom, number: str) -> list[str]:
    match = await room.service.repository.match(number)
    assert match is not None
    return [ply.text for ply in match.plies]


def test_nobody_waits_five_seconds_without_being_told() -> None:
    (locked,) = (int(pragma.split()[-1]) for pragma in BOTH if "busy_timeout" in pragma)
    assert locked / 1000 + patience_module.UNTOLD < 5


async def test_a_full_disk_is_told_where_somebody_wrote_and_once(
    room: ChatRoom, web: Shown, patience: Patience
) -> None:
    await fill(room)
    hear = patience.told(receive(room, patience).receive)
    with capture_logs() as logs:
        waiting = asyncio.create_task(hear(room.message("anna", "c7c5", "1")))
        await until(lambda: web.posts)
        assert web.lines == [
            "Riposte in match 1: @anna, your message waits: the disk of this Riposte is full. "
            "It is dealt with as soon as that is over; sent again meanwhile, it counts once."
        ]
        await space(room, 100_000)
        await waiting
    assert await turns(room, "1") == ["c7c5"]
    assert len([line for line in logs if line["log_level"] == "error"]) == 1  # however often it was tried


async def test_whoever_waits_behind_the_others_is_told_too(
    room: ChatRoom, web: Shown, patience: Patience, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("bot.runtime.admission.AT_ONCE", 2)
    await fill(room)
    hear = patience.told(receive(room, patience).receive)
    with capture_logs():
        people = [room.message(f"player{number}", "help") for number in range(5)]
        waiting = [asyncio.create_task(hear(message)) for message in people]
        await until(lambda: len(web.posts) == 5)
        await space(room, 100_000)
        await asyncio.gather(*waiting)


async def test_as_soon_as_one_is_stored_the_others_wait_no_longer(
    room: ChatRoom, web: Shown, patience: Patience, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("bot.runtime.patience.PAUSES", (600,))
    await fill(room)
    hear = patience.told(receive(room, patience).receive)
    with capture_logs():
        waiting = [asyncio.create_task(hear(room.message(who, "help"))) for who in ("anna", "ben", "carol")]
        await until(lambda: len(web.posts) == len(waiting))
        await space(room, 100_000)
        await hear(room.message("dave", "help"))
        await asyncio.wait_for(asyncio.gather(*waiting), 20)


async def test_a_turn_sent_again_while_it_waits_is_recognised(room: ChatRoom, web: Shown, patience: Patience) -> None:
    await fill(room)
    hear = patience.told(receive(room, patience).receive)
    first, again, other = (room.message("anna", text, "1") for text in ("c7c5", " c7c5 ", "draw"))
    with capture_logs():
        waiting = [asyncio.create_task(hear(message)) for message in (first, again, other)]
        await until(lambda: len(web.posts) == 2)
        await space(room, 100_000)
        await asyncio.gather(*waiting)
    assert await turns(room, "1") == ["c7c5"]
    answers = [line for post in await room.deliver() for line in transcribe(post, room.now)]
    assert any("This came again while the first one waited, so it counted once." in line for line in answers)
    room.now += MINUTE
    await room.say("ben", "c1c3", "1")
    await hear(room.message("anna", "c5c7", "1"))
    await room.say("ben", "c3c1", "1")
    await hear(room.message("anna", "c7c5", "1"))  # written afterwards: a turn of its own
    assert (await turns(room, "1"))[-1] == "c7c5"


async def test_a_private_question_is_answered_in_private(room: ChatRoom, web: Shown, patience: Patience) -> None:
    await fill(room)
    hear = patience.told(receive(room, patience).receive)
    with capture_logs():
        waiting = asyncio.create_task(hear(replace(room.message("anna", "look 1 c5"), receipt="token")))
        await until(lambda: web.posts)
        await space(room, 100_000)
        await waiting
    (post,) = web.posts
    assert post.only is not None
    assert (post.only.id, post.receipt) == ("anna", "token")


async def test_a_message_that_cannot_even_be_kept_is_told_of(room: ChatRoom, web: Shown, patience: Patience) -> None:
    await fill(room)
    inbox = Inbox(room.store, "web", patience.tell)
    with pytest.raises(OSError, match="disk is full"):
        await inbox.keep([room.message("anna", "c7c5 " + "x" * 5_000, "1"), room.message("ben", "y" * 5_000, "1")])
    assert [line.split(",")[0] for line in web.lines] == ["Riposte in match 1: @anna", "Riposte in match 1: @ben"]


async def test_a_process_that_was_taken_over_meanwhile_tells_nobody_that_they_wait(
    room: ChatRoom, web: Shown, patience: Patience
) -> None:
    patience.speaks = lambda: False
    message = room.message("anna", "matches")
    await patience.tell(message, OSError(errno.ESTALE, "taken over"))
    assert web.posts == []
    patience.speaks = lambda: True
    await patience.tell(message, OSError(errno.ESTALE, "taken over"))
    assert len(web.posts) == 1


async def test_nobody_hears_of_the_disk_where_riposte_is_only_slow(
    room: ChatRoom, web: Shown, patience: Patience
) -> None:
    go = asyncio.Event()

    async def slowly(message: IncomingMessage) -> bool:
        await go.wait()
        return await room.service.receive(message)

    hear = patience.told(patience.stored(slowly))
    waiting = [asyncio.create_task(hear(room.message("anna", "c7c5", "1"))) for _ in range(2)]
    await until(lambda: web.posts)
    go.set()
    await asyncio.gather(*waiting)
    assert web.lines == [
        "Riposte in match 1: @anna, your message takes Riposte longer than usual. "
        "It is being dealt with; sent again meanwhile, it counts once."
    ]
    assert await turns(room, "1") == ["c7c5"]


async def test_a_moment_s_trouble_is_not_told(room: ChatRoom, web: Shown, patience: Patience) -> None:
    troubles = iter([OSError(errno.EIO, "a hiccup")])

    async def stumbling(message: IncomingMessage) -> bool:
        for trouble in troubles:
            raise trouble
        return await room.service.receive(message)

    with capture_logs():
        await patience.told(patience.stored(stumbling))(room.message("anna", "c7c5", "1"))
    assert web.posts == []


# --- the program --------------------------------------------------------------------------------------------
@asynccontextmanager
async def program(
    folder: Path, kept: aiohttp.CookieJar | None = None
) -> AsyncIterator[tuple[Tab, Tab, asyncio.subprocess.Process]]:
    """The program as a host starts it, and two people at its web room; its log is a file."""
    log = folder / "log"
    environment = {name: value for name, value in os.environ.items() if not name.startswith("RIPOSTE_")}
    with log.open("wb") as told:
        process = await asyncio.create_subprocess_exec(
            *(sys.executable, "-m", "bot", "run"),
            cwd=folder,
            env={**environment, "RIPOSTE_PORT": "0", "PYTHONPATH": str(ROOT), "PYTHONUNBUFFERED": "1"},
            stdout=asyncio.subprocess.PIPE,
            stderr=told,
        )
    try:
        assert process.stdout is not None
        address = (await asyncio.wait_for(process.stdout.readline(), 30)).decode().split()[-1]
        async with aiohttp.ClientSession(
            cookie_jar=aiohttp.CookieJar(unsafe=True) if kept is None else kept
        ) as session:
            tabs = []
            for name in ("Anna", "Ben"):
                origin = address.rstrip("/")
                await session.post(f"{address}seat", json={"name": name}, headers={"Origin": origin})
                socket = await session.ws_connect(f"{address}socket", origin=origin)
                tabs.append(Tab(socket))
                await tabs[-1].tell("enter", name=name)
                await tabs[-1].hear("entered")
            yield tabs[0], tabs[1], process
            for tab in tabs:
                await tab.socket.close()
    finally:
        if process.returncode is None:
            process.terminate()
        await asyncio.wait_for(process.wait(), 30)


async def told(tab: Tab, *words: str) -> str:
    """The first news that hold these words."""
    async with asyncio.timeout(30):
        while True:
            news = await tab.socket.receive_json()
            text = "".join(one if isinstance(one, str) else str(one) for one in news.get("body", {}).get("text", ()))
            text += news.get("because", "")
            if all(word in text for word in words):
                return text


async def begun(anna: Tab, ben: Tab) -> None:
    await anna.say("challenge @Ben tokonoma side=white")
    await told(ben, "challenges")
    await ben.say("accept 1")
    await told(anna, "your turn; due")


THREAD = Place("web", "lounge", "1")


async def test_a_database_that_another_program_locks_is_told_where_somebody_wrote(tmp_path: Path) -> None:
    async with program(tmp_path) as (anna, ben, _):
        await begun(anna, ben)
        other = sqlite3.connect(tmp_path / "data/riposte.db", isolation_level=None)
        other.execute("BEGIN IMMEDIATE")
        await anna.say("c7c5", THREAD)
        assert "another program holds the database" in await told(anna, "your message waits")
        await anna.say("c7c5", THREAD)  # again, because nothing happened
        await told(anna, "c7c5")
        other.execute("ROLLBACK")
        other.close()
        await told(ben, "c7c5")
        assert "counted once" in await told(anna, "came again")
        assert (tmp_path / "log").read_text().count("messages wait for the disk") == 1


async def test_a_disk_without_room_is_told_where_somebody_wrote(tmp_path: Path) -> None:
    async with program(tmp_path) as (anna, ben, riposte):
        await begun(anna, ben)
        before = resource.prlimit(riposte.pid, resource.RLIMIT_FSIZE)
        resource.prlimit(riposte.pid, resource.RLIMIT_FSIZE, (100_000, before[1]))
        await anna.say("c7c5", THREAD, written := str(uuid.uuid4()))
        assert "nothing was changed" in await told(anna, "The disk")  # the room itself lies on it
        resource.prlimit(riposte.pid, resource.RLIMIT_FSIZE, before)
        await anna.say("c7c5", THREAD, written)
        await told(ben, "played", "c7c5")


async def test_a_database_that_is_taken_away_is_told_and_rescued(tmp_path: Path) -> None:
    data, kept = tmp_path / "data", aiohttp.CookieJar(unsafe=True)
    async with program(tmp_path, kept) as (anna, ben, _):
        await begun(anna, ben)
        await anna.say("c7c5", THREAD)
        await told(ben, "played", "c7c5")
        for file in data.glob("riposte.db*"):
            file.unlink()
        await ben.say("c1c3", THREAD)
        assert "was taken away" in await told(ben, "your message waits")
        assert "All that was accepted is in data/riposte.db.rescued" in (tmp_path / "log").read_text()
    (data / "riposte.db.rescued").rename(data / "riposte.db")
    async with program(tmp_path, kept) as (anna, _ben, _):
        listed = ""
        while "c1c3" not in listed:  # it was kept in the room, and is dealt with beside what comes now
            await anna.say("turns", THREAD)
            listed = await told(anna, "the turns so far")
