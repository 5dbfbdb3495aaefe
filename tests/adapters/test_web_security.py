"""Who is not let into the web room, and what it says when something is wrong: a name, a page, the disk, the history."""

import asyncio
import socket
import sqlite3
from contextlib import suppress
from pathlib import Path

import aiohttp
import pytest

from bot.adapters.web import WebRoom, seats
from bot.adapters.web.templates import page_files
from bot.adapters.web.users import LONGEST_TEXT, user_named
from bot.messages.model import Person, Place, Retry, Undeliverable, clean
from tests.adapters.web_room import LOUNGE, NOON, open_room, outgoing, words


@pytest.mark.parametrize(
    ("name", "fact"),
    [
        ("", "needs a name"),
        ("A" * 25, "has 25 characters"),
        ("An\u202ena", "cannot be seen"),
        ("An\u200bna", "cannot be seen"),
        ("An\x07na", "cannot be seen"),
        ("Anna Maria", "is one word"),
        ("<b>", "is one word"),
        ("_anna", "is one word"),
        ("Riposte", "referee's own name"),
        ("ｒｉｐｏｓｔｅ", "referee's own name"),
    ],
)
async def test_a_name_that_could_mislead_is_refused_with_a_reason_and_an_example(
    tmp_path: Path, name: str, fact: str
) -> None:
    async with open_room(tmp_path) as opened:
        because = (await opened.sit(name))["because"]
        assert fact in because
        assert "Try: Anna" in because
        _, entered = await opened.enter("Zoë-2")
        assert entered["user"] == {"key": "web:zoë-2", "name": "Zoë-2"}


def test_two_spellings_of_one_name_are_one_seat() -> None:
    people = [user_named(name) for name in ("Zoë", "ZOE\u0308", "zoë")]
    assert {person.id for person in people if isinstance(person, Person)} == {"zoë"}


def test_a_typed_text_loses_what_cannot_be_seen_and_keeps_its_lines() -> None:
    assert clean(" a\u202eb\x00c\u200b\r\nd\te ") == "abc\nd e"
    assert clean("👩\u200d👩\u200d👧") == "👩\u200d👩\u200d👧"


@pytest.mark.parametrize(
    ("text", "where", "fact"),
    [
        ("x" * (LONGEST_TEXT + 1), LOUNGE, "has 8001 characters; the room takes 8000"),
        (" \u202e ", LOUNGE, "is empty"),
        ("hello", Place("web", "nowhere"), "no such place"),
    ],
)
async def test_a_text_that_cannot_be_kept_is_refused_and_comes_back(
    tmp_path: Path, text: str, where: Place, fact: str
) -> None:
    async with open_room(tmp_path) as opened:
        anna, _ = await opened.enter("Anna")
        id = await anna.say(text, where)  # noqa: A001
        refused = await anna.hear("refused")
        assert refused["id"] == id
        assert fact in refused["because"]
        await anna.say("x" * LONGEST_TEXT)
        assert len((await opened.heard.get()).text) == LONGEST_TEXT


@pytest.mark.parametrize(
    "frame", ["", "{", "[]", '{"do":"dance"}', '{"do":"say","id":"1"}', '{"do":"enter","name":"B"}']
)
async def test_a_page_that_talks_nonsense_is_told_so_and_stays_connected(tmp_path: Path, frame: str) -> None:
    async with open_room(tmp_path) as opened:
        anna, _ = await opened.enter("Anna")
        await anna.socket.send_str(frame)
        assert (await anna.hear("refused"))["because"]
        await anna.settled()


async def test_nobody_is_told_anything_before_sitting_down(tmp_path: Path) -> None:
    async with open_room(tmp_path) as opened:
        for frame in ('{"do":"open","channel":"lounge","thread":""}', "nonsense"):
            tab = await opened.connect()
            await tab.send_str(frame)
            assert (await tab.receive(timeout=5)).type is aiohttp.WSMsgType.CLOSE


@pytest.mark.parametrize("host", ["evil.example", "evil.example:8080", "127.0.0.1.evil.example", "10.0.0.1"])
async def test_a_foreign_name_for_this_machine_opens_nothing(tmp_path: Path, host: str) -> None:
    async with open_room(tmp_path) as opened:
        for path in ("", "room.js", "picture/x", "socket"):
            async with opened.session.get(opened.address + path, headers={"Host": host}) as answer:
                assert answer.status == 403
                assert "localhost" in await answer.text()


@pytest.mark.parametrize("origin", [None, "null", "http://evil.example", "https://127.0.0.1", "http://127.0.0.1:1"])
async def test_a_foreign_page_cannot_talk_to_the_room(tmp_path: Path, origin: str | None) -> None:
    async with open_room(tmp_path) as opened:
        with pytest.raises(aiohttp.WSServerHandshakeError) as refused:
            await opened.session.ws_connect(f"{opened.address}socket", origin=origin)
        assert refused.value.status == 403


async def test_the_page_runs_no_script_but_its_own(tmp_path: Path) -> None:
    async with open_room(tmp_path) as opened:
        kinds = {"": "text/html", "enter": "text/html", "room.css": "text/css", "icon.svg": "image/svg+xml"}
        scripts = [name for name, _ in page_files() if name.endswith(".js") and not name.startswith("vendor/")]
        assert len(scripts) > 10
        for path, kind in (kinds | dict.fromkeys(scripts, "text/javascript")).items():
            async with opened.session.get(opened.address + path) as answer:
                assert (answer.status, answer.content_type) == (200, kind)
                policy = answer.headers["Content-Security-Policy"]
                assert "default-src 'none'" in policy
                assert "unsafe" not in policy
                assert answer.headers["X-Content-Type-Options"] == "nosniff"
                text = await answer.text()
                assert "innerHTML" not in text
                assert "https://" not in text
        for path in ("history.py", "..%2froom.py", "page/room.js", "index.html"):
            async with opened.session.get(opened.address + path) as answer:
                assert answer.status == 404


def many(count: int) -> str:
    """Headers that no browser sends."""
    return "".join(f"X-{number}: x\r\n" for number in range(count))


@pytest.mark.parametrize(
    "head",
    [
        "GET / HTTP/1.1\r\nHost: 127.0.0.1\r\nX-Long: " + "x" * 9_000 + "\r\n\r\n",
        "GET /" + "x" * 9_000 + " HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n",
        "GET / HTTP/1.1\r\nHost: 127.0.0.1\r\n" + many(500) + "\r\n",
        "GET / HTTP/1.1\r\nHost: 127.0.0.1\r\nHost: evil.example\r\n\r\n",
    ],
    ids=["a long header", "a long address", "many headers", "two hosts"],
)
async def test_a_head_that_no_browser_sends_is_refused_and_the_room_goes_on(tmp_path: Path, head: str) -> None:
    async with open_room(tmp_path) as opened, asyncio.timeout(20):
        reader, writer = await asyncio.open_connection("127.0.0.1", int(opened.address.strip("/").rpartition(":")[2]))
        writer.write(head.encode())
        assert (await reader.readline()).split()[1] in (b"400", b"403")
        writer.close()
        await opened.enter("Anna")


async def test_a_body_that_does_not_come_whole_is_not_waited_for(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(seats, "SLOWEST_BODY", 0.1)
    async with open_room(tmp_path) as opened, asyncio.timeout(20):
        own = opened.address.rstrip("/")
        reader, writer = await asyncio.open_connection("127.0.0.1", int(own.rpartition(":")[2]))
        head = f"POST /seat HTTP/1.1\r\nHost: {own.removeprefix('http://')}\r\nOrigin: {own}\r\n"
        writer.write(f"{head}Content-Type: application/json\r\nContent-Length: 500\r\n\r\n{{".encode())
        assert b"200" in await reader.readline()
        while b"did not understand" not in (line := await reader.readline()):
            assert line
        writer.close()


async def test_no_other_page_frames_it_and_no_answer_tells_versions(tmp_path: Path) -> None:
    async with open_room(tmp_path, public="https://riposte.example.org") as opened:
        for path in ("", "room.js", "nothing-here", "match/1", "rules/veney"):
            async with opened.session.get(opened.address + path) as answer:
                assert answer.headers["X-Frame-Options"] == "DENY"
                assert "frame-ancestors 'none'" in answer.headers["Content-Security-Policy"]
                assert answer.headers["Server"] == "Riposte"
                assert "Strict-Transport-Security" not in answer.headers  # here it is served by http
            proxied = {"Host": "riposte.example.org", "X-Forwarded-For": "203.0.113.7"}
            async with opened.session.get(opened.address + path, headers=proxied) as answer:
                assert answer.headers["Strict-Transport-Security"] == "max-age=31536000"


async def test_a_port_in_use_makes_way_for_the_next_one(tmp_path: Path) -> None:
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        port = taken.getsockname()[1]
        async with open_room(tmp_path, port=port) as opened:
            found = int(opened.address.rstrip("/").rpartition(":")[2])
            assert port < found < port + 100
            assert opened.address.startswith("http://127.0.0.1:")


async def test_a_second_room_on_one_history_is_refused(tmp_path: Path) -> None:
    async with open_room(tmp_path):
        with pytest.raises(OSError, match="Another Riposte is running"):
            async with open_room(tmp_path):
                pass


async def test_letters_for_elsewhere_are_undeliverable_and_before_the_opening_they_wait(tmp_path: Path) -> None:
    closed = WebRoom(tmp_path / "closed.db", clock=lambda: NOON)
    with pytest.raises(Retry):
        await closed.deliver(outgoing("k1", "too early"), None)
    async with open_room(tmp_path) as opened:
        with pytest.raises(Undeliverable, match="no place on discord"):
            await opened.room.deliver(outgoing("k1", "x", where=Place("discord", "1")), None)
        with pytest.raises(Undeliverable, match="nobody from matrix"):
            await opened.room.deliver(outgoing("k1", "x", only=Person("matrix", "@a:b", "A")), None)


async def test_a_full_disk_costs_a_retry_and_a_sentence_but_no_message(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    async with open_room(tmp_path) as opened:
        anna, _ = await opened.enter("Anna")
        await opened.room._history._run(lambda db: db.execute("PRAGMA max_page_count = 1").fetchone())
        with pytest.raises(Retry):
            await opened.room.deliver(outgoing("k1", "x" * 200_000), None)
        for n in range(20):
            await anna.say(f"{n}" * 4000)
        capsys.readouterr()
        assert "disk is full" in (await anna.hear("refused"))["because"]
        assert "history cannot be used" in capsys.readouterr().out  # whoever runs Riposte learns it, too
        with suppress(OSError):
            for n in range(500):
                await opened.room._history.take(str(n) * 8, "", str(n) * 8, local=True, now=NOON)
        assert "disk is full" in (await opened.sit("Ben"))["because"]
        await opened.room._history._run(lambda db: db.execute("PRAGMA max_page_count = 100000").fetchone())
        await opened.room.deliver(outgoing("k1", "there you are"), None)
        await anna.say("again")
        while ["again"] not in words(anna.messages):
            await anna.hear("message")
        assert ["there you are"] in words(anna.messages)


async def test_a_history_that_another_program_holds_costs_patience_and_a_sentence(tmp_path: Path) -> None:
    async with open_room(tmp_path) as opened:
        anna, _ = await opened.enter("Anna")
        await anna.hear("seats")  # the tab has been told all there is: nobody reads when the other program comes
        await opened.room._history._run(lambda db: db.execute("PRAGMA busy_timeout = 0").fetchone())
        with sqlite3.connect(tmp_path / "room.db", isolation_level=None) as other:
            other.execute("BEGIN IMMEDIATE")
            await anna.say("c7c5")
            assert "Another program" in (await anna.hear("refused"))["because"]
            with pytest.raises(Retry):
                await opened.room.deliver(outgoing("k1", "later"), None)
            async with opened.session.get(opened.address + "picture/x") as answer:
                assert (answer.status, "Another program" in await answer.text()) == (503, True)
            other.execute("ROLLBACK")
        other.close()
        await anna.say("c7c5")
        assert (await opened.heard.get()).text == "c7c5"
        await opened.room.deliver(outgoing("k1", "later"), None)
        while len(anna.messages) < 2:
            await anna.hear("message")
        assert words(anna.messages) == [["c7c5"], ["later"]]


async def test_a_history_of_a_newer_version_or_of_something_else_is_left_alone(tmp_path: Path) -> None:
    (tmp_path / "a").mkdir()
    async with open_room(tmp_path / "a"):
        pass
    with sqlite3.connect(tmp_path / "a" / "room.db") as db:
        db.execute("PRAGMA user_version = 99")
    db.close()
    (tmp_path / "b").mkdir()
    (tmp_path / "b" / "room.db").write_text("this is no database, it only looks like a file of one" * 40)
    (tmp_path / "c" / "room.db").mkdir(parents=True)
    for folder, fact in (("a", "newer Riposte"), ("b", "cannot read its history"), ("c", "cannot be written")):
        with pytest.raises(OSError, match=fact):
            async with open_room(tmp_path / folder):
                pass
    assert (tmp_path / "b" / "room.db").read_text().startswith("this is no database")
