"""No secret is in the log: not a host's, not one that a server has just given, and whoever wrote the line.

One turn is followed through it, from the message to the post.
"""

import ast
import asyncio
import errno
import json
import logging
import sys
from datetime import date, timedelta
from pathlib import Path

import pytest
import structlog

from bot.logs import REDACTED, DailyFile, conceal, redacted, trace_of, write_log
from bot.messages.model import OutgoingMessage, Undeliverable
from bot.runtime.outbox import OutboxRelay
from tests.chat_room import ChatRoom, open_room

CANARY = 'canary "ä/8ad2"'
SPELLED = ("canary", "8ad2")


@pytest.mark.parametrize("form", ["text", "json"])
@pytest.mark.parametrize("level", ["debug", "info"])
def test_no_secret_reaches_the_log_by_any_way(level: str, form: str, capsys: pytest.CaptureFixture[str]) -> None:
    conceal(CANARY)
    write_log(level, form)  # type: ignore[arg-type]
    ours, theirs = structlog.get_logger("bot"), logging.getLogger("discord.gateway")
    try:
        raise ValueError(f"no such token: {CANARY}")
    except ValueError as error:
        ours.exception("one", token=CANARY)
        theirs.exception("two %s", CANARY)
        sys.excepthook(type(error), error, error.__traceback__)
    ours.error(CANARY, url="https://x/?key=canary%20%22%C3%A4%2F8ad2%22")
    theirs.warning(json.dumps({"password": CANARY}))
    written = capsys.readouterr().err
    assert written.count(REDACTED) >= 8
    assert not any(part in written for part in SPELLED)


@pytest.mark.parametrize(
    "line",
    [
        "GET https://m.example/_matrix/media/v3/download/x?allow_remote=true&access_token=syt_abc-DEF_1&a=b",
        "{'Authorization': 'Bearer syt_abc-DEF_1'}",
        "{'Authorization': 'Bot syt_abc-DEF_1'}",
        "Authorization: Bearer syt_abc-DEF_1",
    ],
)
def test_a_token_that_a_server_has_just_given_is_known_by_where_it_stands(line: str) -> None:
    assert "syt_abc" not in redacted(line)
    assert redacted(line).startswith(line[:10])


@pytest.mark.parametrize("library", ["discord.http", "nio.crypto.log", "aiohttp.client", "peewee", "asyncio"])
def test_libraries_write_no_requests_and_statements_down(library: str, capsys: pytest.CaptureFixture[str]) -> None:
    logger = logging.getLogger(library)
    write_log("debug")
    logger.debug("a whole request")
    assert capsys.readouterr().err == ""
    logger.info("connected")
    assert "connected" in capsys.readouterr().err
    write_log("info")
    logger.info("connected")
    assert capsys.readouterr().err == ""
    logger.warning("cut off")
    assert "cut off" in capsys.readouterr().err


# --- what is no bug -----------------------------------------------------------------------------------------
@pytest.mark.parametrize("number", [errno.ESTALE, errno.EIO])
def test_where_another_process_has_taken_over_no_line_has_a_traceback(
    number: int, capsys: pytest.CaptureFixture[str]
) -> None:
    write_log("info")
    try:
        raise OSError(number, "Others have taken over.")
    except OSError:
        structlog.get_logger().exception("a message could not be dealt with")
    shown = capsys.readouterr().err
    assert "Others have taken over." in shown
    assert ("Traceback" in shown) == (number != errno.ESTALE)


# --- following a turn ---------------------------------------------------------------------------------------
class Wall:
    """A platform on which everything that is posted arrives, but for what it refuses."""

    platform, caught_up = "web", True

    def __init__(self, refused: str = ""):
        self.shown: list[str] = []
        self._refused = refused

    async def deliver(self, message: OutgoingMessage, _image: bytes | None) -> str:
        text = str(message.text)
        if self._refused and self._refused in text:
            raise Undeliverable("the wall is full")
        self.shown.append(message.key)
        return f"post-{len(self.shown)}"


async def through(room: ChatRoom, wall: Wall, *said: tuple[str, str]) -> None:
    """What people say, until all that comes of it is posted, by the real outbox."""
    outbox = OutboxRelay(room.store, {"web": wall}, _unpainted, lambda: room.now)  # type: ignore[dict-item]
    room.listeners.append(outbox.committed)
    running = asyncio.create_task(outbox.run())
    try:
        for who, text in said:
            await room.service.receive(room.message(who, text, "1" if text.startswith("c7") else ""))
            async with asyncio.timeout(60):
                while await room.store.waiting(room.now):
                    await room.store.flush()
    finally:
        running.cancel()
        await asyncio.gather(running, return_exceptions=True)


async def _unpainted(_picture: object) -> bytes:
    return b""


async def test_a_turn_is_followed_from_its_message_to_its_post(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    room, wall = await open_room(tmp_path), Wall()
    write_log("debug", "json")
    talk = (("anna", "challenge @ben tokonoma side=white umpire=turn"), ("ben", "accept 1"), ("anna", "c7d5"))
    await through(room, wall, *talk)
    await room.store.close()
    written = capsys.readouterr().err
    lines = [json.loads(line) for line in written.splitlines()]
    for number, (_, text) in enumerate(talk, 1):
        mine = [line for line in lines if line.get("trace") == trace_of(f"web:{number}")]
        heard, stored, *delivered = mine
        assert (heard["event"], heard["cause"]) == ("heard", f"web:{number}")
        assert (stored["event"], stored["match"]) == ("stored", "1")
        assert {line["event"] for line in delivered} == {"delivered"}
        assert {line["key"] for line in delivered} == set(stored["posts"].split()) <= set(wall.shown)
        assert text not in written  # no word that people write is in the log
    assert len({line["trace"] for line in lines}) == len(talk)
    assert "untenable" not in written


async def test_what_goes_wrong_bears_the_trace_without_being_asked_to(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    room = await open_room(tmp_path)
    write_log("info", "json")
    await through(room, Wall("challenges"), ("anna", "help"), ("anna", "challenge @ben tokonoma"))
    await room.store.close()
    (line,) = [json.loads(line) for line in capsys.readouterr().err.splitlines()]
    assert (line["event"], line["trace"]) == ("a message is undeliverable", trace_of("web:2"))


def test_lines_for_programs_are_json_whoever_writes_them(capsys: pytest.CaptureFixture[str]) -> None:
    write_log("info", "json")
    structlog.get_logger("bot").warning("one", match="12")
    logging.getLogger("nio").warning("two %s", "words")
    try:
        raise ValueError("three")
    except ValueError:
        structlog.get_logger("bot").exception("four")
    one, two, four = (json.loads(line) for line in capsys.readouterr().err.splitlines())
    assert (one["event"], one["level"], one["match"]) == ("one", "warning", "12")
    assert (two["event"], two["logger"], two["level"]) == ("two words", "nio", "warning")
    assert "ValueError: three" in four["exception"]
    assert one["timestamp"][:11] == two["timestamp"][:11]


# --- the log in a folder ----------------------------------------------------------------------------------
class Days:
    """Which day it is, as told."""

    def __init__(self) -> None:
        self.day = date(2026, 11, 1)

    def __call__(self) -> date:
        return self.day


def test_each_day_has_its_file_and_those_of_before_go_when_their_days_are_over(tmp_path: Path) -> None:
    today = Days()
    (tmp_path / "riposte-of-mine.log").write_text("not ours")
    log = DailyFile(tmp_path, 14, today)
    for _ in range(20):
        log.write(f"a line of {today.day}\n")
        today.day += timedelta(1)
    names = sorted(path.name for path in tmp_path.iterdir())
    assert names == [*(f"riposte-2026-11-{day:02}.log" for day in range(7, 21)), "riposte-of-mine.log"]
    assert (tmp_path / "riposte-2026-11-20.log").read_text() == "a line of 2026-11-20\n"
    assert (tmp_path / "riposte-2026-11-20.log").stat().st_mode & 0o077 == 0, "it may hold people's ids"


async def test_old_lines_go_on_a_day_on_which_nothing_is_written_too(tmp_path: Path) -> None:
    today = Days()
    log = DailyFile(tmp_path, 2, today)
    log.write("a line\n")
    found: list[list[str]] = []

    async def pause(_: float) -> None:
        found.append([path.read_text() for path in tmp_path.iterdir()])
        today.day += timedelta(1)
        if len(found) == 4:
            raise asyncio.CancelledError

    with pytest.raises(asyncio.CancelledError):
        await log.run(pause)
    assert found == [["a line\n"], ["a line\n"], [], []], "yesterday's stays"
    log.write("another\n")
    assert [path.name for path in tmp_path.iterdir()] == ["riposte-2026-11-05.log"]


def test_a_second_process_and_a_restart_write_behind_what_is_there(tmp_path: Path) -> None:
    one, other = DailyFile(tmp_path, 14, Days()), DailyFile(tmp_path, 14, Days())
    for number, log in enumerate((one, other, one, DailyFile(tmp_path, 14, Days()))):
        log.write(f"{number}\n")
    assert (tmp_path / "riposte-2026-11-01.log").read_text() == "0\n1\n2\n3\n"


def test_what_cannot_be_written_there_goes_to_standard_error_and_stops_nobody(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    log = DailyFile(tmp_path / "gone", 14, Days())
    log.write("a line\n")
    assert capsys.readouterr().err == "a line\n"
    (tmp_path / "gone").mkdir()
    log.write("another\n")
    assert (tmp_path / "gone" / "riposte-2026-11-01.log").read_text() == "another\n"


def test_our_lines_and_those_of_libraries_go_into_the_folder_without_secrets(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    conceal(CANARY)
    write_log("info", into=DailyFile(tmp_path, 14))
    structlog.get_logger("bot").error("one", token=CANARY)
    logging.getLogger("discord").warning("two %s", CANARY)
    (path,) = tmp_path.iterdir()
    one, two = path.read_text().splitlines()
    assert "one" in one
    assert "\x1b" not in one, "no colours in a file"
    assert "two" in two
    assert REDACTED in one
    assert REDACTED in two
    assert capsys.readouterr().err == ""
    write_log("info")


ROOT = Path(__file__).parent.parent


def test_what_went_wrong_stands_under_one_name_in_every_line() -> None:
    """A host looks for `error=`, whoever wrote the line."""
    others = {"trouble", "because", "why", "reason", "exception"}
    for file in [file for room in ("bot", "storage", "engine", "render") for file in (ROOT / room).rglob("*.py")]:
        for call in ast.walk(ast.parse(file.read_text("utf-8"))):
            if isinstance(call, ast.Call) and isinstance(call.func, ast.Attribute):
                named = {keyword.arg for keyword in call.keywords} if ast.unparse(call.func.value) == "log" else set()
                assert not named & others, f"{file}:{call.lineno}"
                told = [ast.unparse(keyword.value) for keyword in call.keywords if keyword.arg == "error"]
                assert not any(".strerror" in one or one == "str(error)" for one in told), f"{file}:{call.lineno}"
