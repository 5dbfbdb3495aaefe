"""What fails each second is told once, then rarely, and when it works again."""

import errno
from pathlib import Path

import pytest
from structlog.testing import capture_logs

from bot.runtime.scheduler import Scheduler
from bot.service.service import Service
from bot.trouble import Trouble, reason
from storage import open_store


def test_a_night_without_a_database_is_a_dozen_lines_and_its_end_is_told() -> None:
    now = 0.0
    trouble = Trouble("alarms cannot be read", lambda: now)
    with capture_logs() as lines:
        for now in range(8 * 3600):  # noqa: B007  told time
            trouble.failed(OSError(errno.EIO, "The PostgreSQL cannot be reached."))
        trouble.works()
        trouble.works()
    *told, over = lines
    assert told[0] == {
        "event": "alarms cannot be read", "error": "The PostgreSQL cannot be reached.", "log_level": "error",
    }  # fmt: skip
    assert [line.get("for_seconds", 0) for line in told][:5] == [0, 10, 20, 40, 80]
    assert len(told) <= 14
    assert (over["event"], over["was"], over["after_seconds"]) == ("it works again", "alarms cannot be read", 28799)


def test_another_cause_is_told_at_once_and_the_next_outage_anew() -> None:
    now = 0.0
    trouble = Trouble("alarms cannot be read", lambda: now)
    with capture_logs() as lines:
        for why in ("away", "away", "full", "away", "full"):
            trouble.failed(why)
        trouble.works()
        trouble.failed("away")
    assert [line.get("error") for line in lines] == ["away", "full", None, "away"]


async def test_whatever_goes_on_by_itself_tells_of_an_outage_once(tmp_path: Path) -> None:
    store = await open_store(str(tmp_path / "riposte.db"))
    service = Service(store, now=lambda: 0, seed=lambda: bytes(32))
    scheduler = Scheduler(store, service.alarm_fired, lambda: 0)
    due = store.due

    async def away(*_: object) -> object:
        raise OSError(errno.EIO, "The database is away.")

    with capture_logs() as lines:
        store.due = away  # type: ignore[method-assign,assignment]
        for _ in range(20):
            await scheduler._fire_due()
        store.due = due  # type: ignore[method-assign]
        for _ in range(2):
            await scheduler._fire_due()
    assert [line["event"] for line in lines] == ["alarms cannot be read", "it works again"]
    await store.close()


@pytest.mark.parametrize(
    ("error", "said"),
    [
        (OSError(errno.ENOSPC, "The disk is full."), "The disk is full."),
        (ConnectionError("example.org has hung up"), "example.org has hung up"),
        (ValueError("no such key"), "no such key"),
        (TimeoutError(), "TimeoutError"),
    ],
)
def test_why_something_has_failed_is_never_empty(error: Exception, said: str) -> None:
    assert reason(error) == said
