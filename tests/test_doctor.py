"""The doctor finds what is wrong, names the remedy, and tells no secret; what is well is said to be well."""

import socket
import sqlite3
import sys
import time
from collections.abc import AsyncIterator, Callable
from pathlib import Path

import pytest

from bot.adapters.discord.doctor import invitation
from bot.adapters.discord.rights import INVITED_WITH, NEEDED
from bot.cli.doctor import report
from bot.console.checks import clock
from render.lettering import font
from storage import open_store
from storage.store import Change
from tests.chat_room import ChatRoom, open_room
from tests.test_ways import THREAD, WHY, Ways


@pytest.fixture(autouse=True)
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """An own folder, with nothing set up but a free port."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("RIPOSTE_PORT", "0")
    monkeypatch.setenv("RIPOSTE_KEY_FILE", "data/riposte.key")  # as in the room
    return tmp_path


@pytest.fixture
async def room(here: Path) -> AsyncIterator[ChatRoom]:
    """Riposte runs in `data`; matches 1 and 2 are open."""
    (here / "data").mkdir(mode=0o700)
    room = await open_room(here / "data")
    await room.say("anna", "challenge @ben tokonoma")
    await room.say("carol", "challenge @dave tokonoma")
    yield room
    await room.store.close()


async def examined(capsys: pytest.CaptureFixture[str], *, quick: bool = False) -> list[str]:
    """The report, whose last word fits its lines."""
    capsys.readouterr()
    faults = await report(quick)
    lines = capsys.readouterr().out.splitlines()
    assert faults is any(line.startswith("FAULT") for line in lines)
    assert all(line.startswith(("ok: ", "warn: ", "FAULT: ")) for line in lines)
    return lines


def wrong(lines: list[str]) -> list[str]:
    return [line for line in lines if not line.startswith("ok")]


async def test_before_the_first_start_all_is_well(here: Path, capsys: pytest.CaptureFixture[str]) -> None:
    lines = await examined(capsys)
    assert wrong(lines) == []
    assert "ok: there is no database data/riposte.db yet; the first start makes it." in lines
    assert "ok: Discord is not set up (RIPOSTE_DISCORD_TOKEN is empty)." in lines
    assert "ok: Matrix is not set up (RIPOSTE_MATRIX_HOMESERVER is empty)." in lines
    assert list(here.iterdir()) == []


async def test_beside_a_running_riposte_all_is_well(room: ChatRoom, capsys: pytest.CaptureFixture[str]) -> None:
    lines = await examined(capsys)
    assert wrong(lines) == []
    running = "which a Riposte is running on, can be read: 2 matches, 2 events"
    assert f"ok: the database data/riposte.db, {running}." in lines


async def test_one_match_is_no_matches(here: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (here / "data").mkdir(mode=0o700)
    room = await open_room(here / "data")
    await room.say("anna", "challenge @ben tokonoma")
    await room.store.close()
    assert any(line.endswith("can be read: 1 match, 1 event.") for line in await examined(capsys))


async def test_beside_a_riposte_that_has_ended_all_is_well(room: ChatRoom, capsys: pytest.CaptureFixture[str]) -> None:
    await room.store.close()
    lines = await examined(capsys)
    assert wrong(lines) == []
    assert any("which nobody is using" in line for line in lines)
    room.store = await open_store("data/riposte.db")  # the doctor holds nothing


async def test_a_setting_that_cannot_be_is_found(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("RIPOSTE_MATRIX_HOMESERVER", "https://example.org")
    (line,) = await examined(capsys)
    assert line.startswith("FAULT: RIPOSTE_MATRIX_USER is missing: @riposte:example.org, say.")


async def test_settings_and_a_database_that_others_may_read_are_found(
    room: ChatRoom, here: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (here / ".env").write_text("RIPOSTE_MATRIX_PASSWORD=canary-8ad2\n")
    (here / ".env").chmod(0o644)
    (here / "data/riposte.db").chmod(0o640)
    settings, database = wrong(await examined(capsys))
    assert settings == (
        "warn: The file .env holds a secret, and others on this machine may read it. Close it: `chmod 600 .env`."
    )
    assert database.endswith("`chmod 600 data/riposte.db`")


async def test_a_game_of_ones_own_that_does_not_work_is_found(
    here: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("RIPOSTE_GAMES", str(here / "none"))
    (line,) = wrong(await examined(capsys))
    assert line.endswith("there is no such folder. Make it, or leave the setting empty.")


async def test_a_damaged_match_is_found(room: ChatRoom, capsys: pytest.CaptureFixture[str]) -> None:
    with sqlite3.connect("data/riposte.db") as db:
        db.execute("UPDATE events SET body = body || 'x' WHERE match = 1")
    db.close()
    (line,) = wrong(await examined(capsys))
    assert line.startswith("FAULT: damaged: match 1; all others are as they were written. Restore the database")


async def test_a_match_whose_row_is_gone_is_found(room: ChatRoom, capsys: pytest.CaptureFixture[str]) -> None:
    with sqlite3.connect("data/riposte.db") as db:
        for table in ("seats", "homes", "alarms"):
            db.execute(f"DELETE FROM {table} WHERE match = 2")
        db.execute("DELETE FROM matches WHERE number = 2")
    db.close()
    (line,) = wrong(await examined(capsys))
    assert line.startswith("FAULT: damaged: match 2;")


@pytest.mark.parametrize(
    ("hurt", "fact"),
    [
        (lambda raw: raw[:8192] + bytes(2048) + raw[10240:], "The database is damaged here"),
        (lambda raw: b"not a database at all" * 500, "This file is not a database of Riposte"),
    ],
)
async def test_a_damaged_database_is_found(
    room: ChatRoom, hurt: Callable[[bytes], bytes], fact: str, here: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    await room.store.close()
    file = here / "data/riposte.db"
    file.write_bytes(hurt(file.read_bytes()))
    (line,) = wrong(await examined(capsys))
    assert line.startswith(f"FAULT: data/riposte.db: {fact}. ")
    file.unlink()
    room.store = await open_store(file)


async def test_another_program_s_database_is_found(here: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (here / "data").mkdir()
    with sqlite3.connect("data/riposte.db") as db:
        db.execute("CREATE TABLE theirs (x)")
    db.close()
    (here / "data/riposte.db").chmod(0o600)
    (line,) = wrong(await examined(capsys))
    assert "holds another program's data. Choose another file for Riposte's database." in line


async def test_a_clock_that_was_set_back_is_found(room: ChatRoom, capsys: pytest.CaptureFixture[str]) -> None:
    tomorrow = time.time_ns() // 1_000_000 + 86_400_000
    await room.store.commit(Change(settings=(("riposte", "alive", str(tomorrow)),)))
    (line,) = wrong(await examined(capsys))
    assert line.startswith("FAULT: the clock was set back")
    assert "timedatectl" in line


@pytest.mark.parametrize(
    ("free", "state"), [(10 << 20, "FAULT: 10 MiB are free"), (100 << 20, "warn: 100 MiB are free")]
)
async def test_a_full_disk_is_found(
    free: int, state: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    usage = type("usage", (), {"free": free})
    monkeypatch.setattr("bot.cli.databases.shutil.disk_usage", lambda _folder: usage)
    (line,) = wrong(await examined(capsys))
    assert line.startswith(state)
    assert line.endswith("Free some space: without any, turns wait until there is.")


async def test_a_folder_that_cannot_be_is_found(
    here: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    (here / "file").touch()
    monkeypatch.setenv("RIPOSTE_DATA", "file/data")
    (line,) = wrong(await examined(capsys))
    assert "file cannot be written to. Give it to Riposte's user" in line


async def test_a_missing_font_is_found(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    def missing(*_: object, **__: object) -> None:
        raise OSError("cannot open resource")

    monkeypatch.setattr("render.lettering.ImageFont.truetype", missing)
    font.cache_clear()
    (line,) = wrong(await examined(capsys))
    assert line.startswith("FAULT: boards cannot be drawn: OSError('cannot open resource'). Install Riposte again")


async def test_a_taken_port_is_found(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    with socket.create_server(("127.0.0.1", 0)) as other:
        port = other.getsockname()[1]
        monkeypatch.setenv("RIPOSTE_PORT", str(port))
        (line,) = wrong(await examined(capsys))
    assert line.startswith(f"warn: port {port} is taken: the web room will open on the next free one.")
    monkeypatch.setenv("RIPOSTE_WEB", "no")
    assert "ok: the web room is not turned on." in await examined(capsys)


async def test_figures_that_nothing_can_count_are_found(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setitem(sys.modules, "prometheus_client", None)
    assert wrong(await examined(capsys)) == [], "nobody has asked for figures"
    monkeypatch.setenv("RIPOSTE_METRICS", "9109")
    assert wrong(await examined(capsys)) == [
        "FAULT: Figures need prometheus-client, which is not installed. Install it: `pip install 'riposte[figures]'`."
    ]


async def test_a_riposte_that_runs_and_is_awake_is_well(room: ChatRoom, capsys: pytest.CaptureFixture[str]) -> None:
    await room.store.commit(Change(settings=(("riposte", "alive", str(time.time_ns() // 1_000_000)),)))
    assert wrong(await examined(capsys, quick=True)) == []


async def test_a_riposte_that_is_not_awake_is_not_well(room: ChatRoom, capsys: pytest.CaptureFixture[str]) -> None:
    late = time.time_ns() // 1_000_000 - 601_000
    await room.store.commit(Change(settings=(("riposte", "alive", str(late)),)))
    (line,) = wrong(await examined(capsys, quick=True))
    assert line.startswith("FAULT: Riposte has not been awake for 10 minutes.")


async def test_no_riposte_is_not_well(capsys: pytest.CaptureFixture[str]) -> None:
    (line,) = wrong(await examined(capsys, quick=True))
    assert line == "FAULT: no Riposte is running here. Start it: `riposte run`."


@pytest.mark.parametrize(("ahead", "state"), [(0, "ok"), (-29, "ok"), (29, "ok"), (31, "FAULT"), (-3600, "FAULT")])
def test_a_clock_is_held_against_a_server_s(ahead: int, state: str) -> None:
    found = clock("Sun, 22 Nov 2026 00:00:00 GMT", "Discord", lambda: 1795305600.0 + ahead)
    assert found is not None
    assert found.state == state
    assert (("ahead of" if ahead > 0 else "behind") in found.fact) is (state == "FAULT")


def test_a_server_that_does_not_tell_the_time_tells_nothing() -> None:
    assert clock("", "Discord", time.time) is None


def test_the_bot_asks_for_what_it_needs_and_nothing_that_hurts() -> None:
    assert INVITED_WITH.value == 377957223424
    assert INVITED_WITH > NEEDED
    assert not INVITED_WITH & type(NEEDED).elevated()
    assert "scope=bot+applications.commands" in invitation(1)


async def test_a_place_that_takes_nothing_is_found_until_it_does(
    room: ChatRoom, capsys: pytest.CaptureFixture[str]
) -> None:
    ways = Ways(room)
    await ways.say("ben", "accept 1")
    ways.closed.add(THREAD)
    await ways.say("anna", "c7c5", "1")
    await ways.say("ben", "c7c5", "1")
    (line,) = wrong(await examined(capsys))
    assert line.startswith("warn: match 1 cannot be posted in web lounge since ")
    assert line.endswith(f"{WHY}. Its players are told in private; mend that, or have them `link` it elsewhere.")
    ways.closed.clear()
    await ways.say("ben", "e1e3", "1")
    await ways.say("anna", "e1e3", "1")
    assert wrong(await examined(capsys)) == []
