"""What hosts see of a running Riposte, and that players' secrets are no part of it."""

import asyncio
import json
import re
import sys
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack
from dataclasses import dataclass
from pathlib import Path

import aiohttp
import pytest
import structlog

from bot import half_open
from bot.cli.status import report
from bot.monitoring.door import Door
from bot.monitoring.figures import Figures
from bot.monitoring.server import Monitoring, serving
from bot.service.service import Service
from bot.settings import Settings
from storage import open_store
from tests.chat_room import ChatRoom

ALERTS = Path("deploy/monitoring/alerts.yml")
DASHBOARD = Path("deploy/monitoring/dashboard.json")


@dataclass
class Line:
    """A platform that is connected, or is not."""

    platform: str
    caught_up: bool = True
    synced_at: int = 0


@dataclass
class Watched:
    """A room, and how hosts see it."""

    room: ChatRoom
    figures: Figures
    line: Line
    address: str = ""

    async def get(self, path: str, **headers: str) -> tuple[int, str]:
        async with aiohttp.ClientSession() as session, session.get(f"{self.address}{path}", headers=headers) as answer:
            return answer.status, await answer.text()

    async def value(self, name: str) -> float:
        _, text = await self.get("/metrics")
        found = [line for line in text.splitlines() if line.startswith((f"{name} ", f"{name}{{"))]
        return float(found[0].rpartition(" ")[2])


@pytest.fixture
async def watched(tmp_path: Path) -> AsyncIterator[Watched]:
    async with AsyncExitStack() as stack:
        room = ChatRoom(await open_store(tmp_path / "riposte.db"))
        stack.push_async_callback(room.store.close)
        line = Line("web")
        figures = Figures(room.store, [line], lambda: room.now)
        room.service = Service(room.store, now=lambda: room.now, seed=lambda: bytes(32), committed=figures.committed)
        address = await stack.enter_async_context(serving(figures, Door("127.0.0.1", 0)))
        yield Watched(room, figures, line, address)


async def test_changes_events_and_messages_are_counted(watched: Watched) -> None:
    assert await watched.value("riposte_commits_total") == 0
    await watched.room.say("anna", "challenge @ben tokonoma side=white")
    assert await watched.value("riposte_commits_total") == 1
    assert await watched.value("riposte_events_total") == 1
    assert await watched.value("riposte_messages_total") >= 1


async def test_what_waits_shows_its_age(watched: Watched) -> None:
    room = watched.room
    await room.service.receive(room.message("anna", "challenge @ben tokonoma side=white"))
    room.now += 90_000
    assert await watched.value("riposte_outbox_oldest_seconds") == 90
    await room.deliver()
    assert await watched.value("riposte_outbox_oldest_seconds") == 0


async def test_the_age_of_each_standby_is_told(tmp_path: Path) -> None:
    store = await open_store(tmp_path / "riposte.db")
    figures = Figures(store, [], lambda: 0, {"bucket": lambda: 20.0, "folder": lambda: None})
    told = (await figures.written()).decode()
    await store.close()
    assert 'riposte_standby_age_seconds{where="bucket"} 20.0' in told
    assert 'riposte_standby_age_seconds{where="folder"} +Inf' in told


async def test_an_alarm_that_nobody_answers_shows_for_how_long_it_has_been_due(watched: Watched) -> None:
    room = watched.room
    await room.say("anna", "challenge @ben tokonoma side=white time=1d")
    await room.say("ben", "accept 1")
    due = await room.store.next_alarm()
    assert due is not None
    assert await watched.value("riposte_alarm_overdue_seconds") == 0
    room.now = due + 5_000
    assert await watched.value("riposte_alarm_overdue_seconds") == 5


async def test_the_time_that_a_message_takes_is_told_by_platform(watched: Watched) -> None:
    room = watched.room
    receive = watched.figures.timed(room.service.receive)
    await receive(room.message("anna", "help"))
    _, text = await watched.get("/metrics")
    assert 'riposte_heard_seconds_count{platform="web"} 1.0' in text


async def test_a_change_is_timed_until_it_is_on_the_disk(watched: Watched) -> None:
    watched.room.service.repository.timed = watched.figures.writing
    await watched.room.say("anna", "challenge @ben tokonoma side=white")
    assert await watched.value("riposte_commit_seconds_count") == 1
    assert await watched.value("riposte_writer_oldest_seconds") == 0


async def test_a_writer_that_never_ends_is_no_health(watched: Watched, monkeypatch: pytest.MonkeyPatch) -> None:
    with watched.figures.writing():
        assert await watched.value("riposte_writer_oldest_seconds") > 0
        assert await watched.get("/healthz") == (200, "well\n")
        monkeypatch.setattr("bot.monitoring.server.STUCK", 0.0)
        status, text = await watched.get("/healthz")
    assert status == 503
    assert text.startswith("The database has been writing one change for ")
    assert await watched.get("/healthz") == (200, "well\n")


async def test_the_age_of_what_a_platform_last_said_is_shown(watched: Watched) -> None:
    _, text = await watched.get("/metrics")
    assert "riposte_sync_age_seconds{" not in text  # it is not asked
    watched.line.synced_at = watched.room.now
    watched.room.now += 42_000
    assert await watched.value("riposte_sync_age_seconds") == 42


async def test_calls_are_counted_all_together(watched: Watched) -> None:
    room = watched.room
    await room.say("anna", "challenge @ben tokonoma side=white umpire=turn")
    await room.say("ben", "accept 1")
    for who, said in (("anna", "c7d5"), ("ben", "call yes"), ("ben", "c1c3"), ("anna", "call yes")):
        await room.say(who, said, "1")  # the first call is upheld, the second in vain
    assert await watched.value("riposte_calls_total") == 2
    _, text = await watched.get("/metrics")
    assert "riposte_calls_total{" not in text


async def test_ready_is_whoever_has_read_everything(watched: Watched) -> None:
    assert await watched.get("/readyz") == (200, "ready\n")
    watched.line.caught_up = False
    assert await watched.get("/readyz") == (503, "waiting for web\n")
    assert await watched.value("riposte_platform_ready") == 0


async def test_a_database_that_cannot_be_read_is_no_health(watched: Watched, tmp_path: Path) -> None:
    assert await watched.get("/healthz") == (200, "well\n")
    for file in tmp_path.glob("riposte.db*"):
        file.write_bytes(bytes(8192))
    status, text = await watched.get("/healthz")
    assert status == 503
    assert text.startswith("The database cannot be read")


async def test_no_figure_hangs_on_what_a_turn_was_worth(tmp_path: Path) -> None:
    seen = []
    for turn in ("c7c5", "c7d5"):  # the second is untenable, and stands
        folder = tmp_path / turn
        folder.mkdir()
        room = ChatRoom(await open_store(folder / "riposte.db"))
        figures = Figures(room.store, [Line("web")], lambda room=room: room.now)  # type: ignore[misc]
        room.service = Service(
            room.store, now=lambda room=room: room.now, seed=lambda: bytes(32), committed=figures.committed
        )  # type: ignore[misc]
        await room.say("anna", "challenge @ben tokonoma side=white umpire=turn")
        await room.say("ben", "accept 1")
        await room.say("anna", turn, "1")
        text = (await figures.written()).decode()
        seen.append([line for line in text.splitlines() if line.startswith("riposte_") and "_created" not in line])
        await room.store.close()
    assert seen[0] == seen[1]


async def test_a_token_is_asked_for_where_there_is_one(watched: Watched) -> None:
    async with serving(watched.figures, Door("127.0.0.1", 0, "oak17")) as address:
        watched.address = address
        assert (await watched.get("/metrics"))[0] == 401
        assert (await watched.get("/metrics", Authorization="Bearer oak18"))[0] == 401
        assert (await watched.get("/metrics", Authorization="Bearer oak17"))[0] == 200


async def test_the_figures_close_connections_on_which_no_request_comes(
    watched: Watched, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(half_open, "PATIENCE", 0.2)
    async with serving(watched.figures, Door("127.0.0.1", 0)) as address, asyncio.timeout(20):
        reader, writer = await asyncio.open_connection("127.0.0.1", int(address.rpartition(":")[2]))
        writer.write(b"GET /metrics HTTP/1.1\r\nHost: localhost\r\n")
        assert await reader.read() == b""
        writer.close()


async def test_a_page_that_gives_this_machine_another_name_reads_nothing(watched: Watched) -> None:
    assert (await watched.get("/metrics", Host="evil.example:80"))[0] == 403


async def test_a_port_that_is_taken_stops_nothing_else(watched: Watched, capsys: pytest.CaptureFixture[str]) -> None:
    taken = int(watched.address.rpartition(":")[2])
    with structlog.testing.capture_logs() as logs:
        await Monitoring(watched.room.store, [], lambda: 0, Door("127.0.0.1", taken)).run()
    assert [one["event"] for one in logs] == ["figures cannot be served: choose another RIPOSTE_METRICS"]


def test_others_than_this_machine_need_a_token() -> None:
    with pytest.raises(ValueError, match="RIPOSTE_METRICS_TOKEN is missing"):
        Settings(metrics="0.0.0.0:9109")
    assert Settings(metrics="9109").metrics == "9109"
    with pytest.raises(ValueError, match="write a port"):
        Settings(metrics="here")


async def test_status_tells_a_host_at_a_glance(watched: Watched) -> None:
    settings = Settings(metrics=watched.address.rpartition(":")[2])
    await watched.room.say("anna", "challenge @ben tokonoma side=white")
    lines, well = await asyncio.to_thread(report, settings)
    assert well
    assert lines[:5] == ["Well", "Ready", "No message waits", "No alarm is overdue", "Changes stored since it began: 1"]
    watched.line.caught_up = False
    lines, well = await asyncio.to_thread(report, settings)
    assert not well
    assert lines[1] == "Waiting for web"


async def test_status_tells_of_a_replica_that_is_not_used(tmp_path: Path) -> None:
    store = await open_store(tmp_path / "riposte.db")
    behind: list[float | None] = [2.0]
    figures = Figures(store, [Line("web")], lambda: 0, {"replica": lambda: behind[0]})
    async with serving(figures, Door("127.0.0.1", 0)) as address:
        port = address.rpartition(":")[2]
        lines, well = await asyncio.to_thread(report, Settings(metrics=port))
        assert well
        assert not any("replica" in line for line in lines)
        behind[0] = None
        lines, well = await asyncio.to_thread(report, Settings(metrics=port))
    await store.close()
    assert not well
    assert lines[-1].startswith("Readers of the page are not served from the replica")


async def test_status_tells_of_a_full_disk(watched: Watched, monkeypatch: pytest.MonkeyPatch) -> None:
    usage = type("usage", (), {"free": 1 << 20})
    monkeypatch.setattr("bot.cli.databases.shutil.disk_usage", lambda _folder: usage)
    lines, well = await asyncio.to_thread(report, Settings(metrics=watched.address.rpartition(":")[2]))
    assert not well
    assert lines[0].startswith("FAULT: 1 MiB are free on the disk of ")
    assert lines[1] == "Well"


async def test_status_without_what_reads_figures_tells_the_rest(
    watched: Watched, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, "prometheus_client", None)
    lines, well = await asyncio.to_thread(report, Settings(metrics=watched.address.rpartition(":")[2]))
    assert well
    assert lines[:2] == ["Well", "Ready"]
    assert "pip install 'riposte[figures]'" in lines[2]
    lines, well = await asyncio.to_thread(report, Settings(metrics="1"))
    assert not well
    assert "Nothing answers on port 1" in lines[0]
    assert lines[1].startswith("Figures need prometheus-client")


def test_status_says_how_to_be_told_more() -> None:
    lines, well = report(Settings(metrics=""))
    assert not well
    assert "Set it to a port, like 9109." in lines[0]
    lines, well = report(Settings(metrics="1"))
    assert not well
    assert "Nothing answers on port 1" in lines[0]


async def test_rules_and_dashboard_ask_for_figures_that_there_are(watched: Watched) -> None:
    await watched.figures.timed(watched.room.service.receive)(watched.room.message("anna", "help"))
    _, text = await watched.get("/metrics")
    known = {line.split()[2] for line in text.splitlines() if line.startswith("# TYPE")}
    panels = json.loads(DASHBOARD.read_text())["panels"]
    asked = [target["expr"] for panel in panels for target in panel["targets"]]
    asked += re.findall(r"expr: (.*)", ALERTS.read_text())
    names = {name for one in asked for name in re.findall(r"\b(?:riposte|process)_[a-z_]+", one)}
    assert len(names) > 8
    assert {re.sub(r"_(bucket|count|sum)$", "", name) for name in names} <= known
