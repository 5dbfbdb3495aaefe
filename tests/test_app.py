"""The program serves whatever is set up: one platform's errors are not another's, and all of them may disconnect."""

import asyncio
import errno
import subprocess
import sys
from collections.abc import AsyncIterator, Awaitable, Callable, Sequence
from pathlib import Path

import pytest
from structlog.testing import capture_logs

from bot.app import serve
from bot.messages.model import Adapter, IncomingMessage, OutgoingMessage, Person, Place, Receive, Retry
from bot.repository import Committed
from bot.runtime.supervisor import PlatformSupervisor
from bot.service.service import Service
from storage import open_store
from storage.store import Change, Outgoing, Store


class Pub:
    """A platform whose run is what a test says; what it delivers is kept."""

    def __init__(self, platform: str, *runs: Callable[[Receive], Awaitable[None]]):
        self.platform = platform
        self.posts: list[OutgoingMessage] = []
        self.opened = 0
        self.landing = asyncio.Event()
        """Set when a post is on its way."""
        self.lets_land = asyncio.Event()
        self.lets_land.set()
        self._runs = iter(runs)

    async def run(self, hear: Receive) -> None:
        self.opened += 1
        await next(self._runs)(hear)

    async def deliver(self, post: OutgoingMessage, image: bytes | None) -> str:
        self.landing.set()
        await self.lets_land.wait()
        self.posts.append(post)
        return str(len(self.posts))

    def supervisor(self, wait: Callable[[float], Awaitable[None]] = asyncio.sleep) -> PlatformSupervisor:
        async def open_() -> Adapter:
            return self

        return PlatformSupervisor(self.platform, open_, wait)


async def for_ever(_hear: Receive) -> None:
    await asyncio.Event().wait()


async def refuses(_hear: Receive) -> None:
    raise OSError(errno.EACCES, "The pub knows no such token. Ask for another one.")


async def is_cut_off(_hear: Receive) -> None:
    raise ExceptionGroup("both tasks", [ConnectionResetError(errno.ECONNRESET, "cut"), TimeoutError()])


async def has_a_bug(_hear: Receive) -> None:
    raise ZeroDivisionError


@pytest.fixture
async def store(tmp_path: Path) -> AsyncIterator[Store]:
    store = await open_store(tmp_path / "riposte.db")
    yield store
    await store.close()


def program(store: Store, *pubs: Pub) -> "asyncio.Task[None]":
    listeners: list[Committed] = []

    def wake(change: Change, waiting: Sequence[Outgoing]) -> None:
        for listener in listeners:
            listener(change, waiting)

    service = Service(store, now=lambda: 1_000, seed=lambda: bytes(32), committed=wake)
    return asyncio.create_task(serve([pub.supervisor() for pub in pubs], store, service, listeners))


async def until(met: Callable[[], object]) -> None:
    async with asyncio.timeout(20):
        while not met():
            await asyncio.sleep(0)


async def closed(task: "asyncio.Task[None]") -> None:
    task.cancel()
    await asyncio.wait([task])
    assert task.cancelled()


def a_question(platform: str) -> IncomingMessage:
    return IncomingMessage(f"{platform}:1", Person(platform, "anna", "Anna"), Place(platform, "bar"), "help", 1_000)


# --- one platform's trouble ---------------------------------------------------------------------------------
async def test_a_platform_that_refuses_us_leaves_the_others_open(store: Store) -> None:
    async def asks(hear: Receive) -> None:
        await hear(a_question("good"))
        await for_ever(hear)

    bad, good = Pub("bad", refuses), Pub("good", asks)
    with capture_logs() as logs:
        task = program(store, bad, good)
        await until(lambda: good.posts)
        await closed(task)
    told = [line for line in logs if line["log_level"] == "error"]
    assert [(line["platform"], line["error"]) for line in told] == [
        ("bad", "The pub knows no such token. Ask for another one.")
    ]
    assert bad.opened == 1


async def test_the_program_ends_with_the_last_platform_that_is_refused(store: Store) -> None:
    with capture_logs(), pytest.raises(ExceptionGroup) as told:
        await program(store, Pub("one", refuses), Pub("other", refuses))
    (refusal,) = told.value.exceptions
    assert isinstance(refusal, OSError)
    assert refusal.strerror == "The pub knows no such token. Ask for another one."


async def test_a_program_without_platforms_says_what_to_do(store: Store) -> None:
    with pytest.raises(OSError, match=r"There is nothing to serve.*Set RIPOSTE_DISCORD_TOKEN"):
        await program(store)


async def is_busy(_hear: Receive) -> None:
    raise Retry(0)


@pytest.mark.parametrize(
    ("trouble", "event"),
    [(is_cut_off, "cannot be reached"), (is_busy, "cannot be reached"), (has_a_bug, "internal error")],
)
async def test_a_platform_that_stumbles_is_opened_again(
    store: Store, trouble: Callable[[Receive], Awaitable[None]], event: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("bot.runtime.supervisor.AGAIN", (0.0,))
    pub = Pub("pub", trouble, trouble, for_ever)
    with capture_logs() as logs:
        task = program(store, pub)
        await until(lambda: pub.opened == 3)
        await closed(task)
    assert [event in line["event"] for line in logs if line["log_level"] == "error"] == [True, True]


async def test_waits_grow_and_begin_anew_after_steady_times(monkeypatch: pytest.MonkeyPatch) -> None:
    waits: list[float] = []

    async def waited(seconds: float) -> None:
        waits.append(seconds)

    monkeypatch.setattr("bot.runtime.supervisor.AGAIN", (1.0, 2.0))

    async def steadily(_hear: Receive) -> None:
        monkeypatch.setattr("bot.runtime.supervisor.STEADY", -1.0)
        raise ConnectionResetError

    async def briefly(_hear: Receive) -> None:
        monkeypatch.setattr("bot.runtime.supervisor.STEADY", 600.0)
        raise ConnectionResetError

    pub = Pub("pub", briefly, briefly, briefly, steadily, briefly, refuses)
    with capture_logs(), pytest.raises(OSError, match="no such token"):
        await pub.supervisor(waited).run(_nobody)
    assert waits == [1.0, 2.0, 2.0, 1.0, 2.0]


async def test_a_store_that_takes_nothing_for_a_while_closes_no_platform_for_good() -> None:
    waits: list[float] = []

    async def waited(seconds: float) -> None:
        waits.append(seconds)

    async def is_read_only(_hear: Receive) -> None:
        raise OSError(errno.EROFS, "PostgreSQL takes nothing to write.")

    with capture_logs(), pytest.raises(OSError, match="no such token"):
        await Pub("pub", is_read_only, refuses).supervisor(waited).run(_nobody)
    assert len(waits) == 1


async def _nobody(_heard: IncomingMessage) -> bool:
    return False


async def test_messages_wait_for_a_platform_that_is_not_open_yet() -> None:
    post = OutgoingMessage("key", Place("pub", "bar"), ("Hello.",))
    pub = Pub("pub", for_ever)
    supervisor = pub.supervisor()
    with pytest.raises(Retry):
        await supervisor.deliver(post, None)
    running = asyncio.create_task(supervisor.run(_nobody))
    await until(lambda: pub.opened)
    assert await supervisor.deliver(post, None) == "1"
    await closed(running)
    with pytest.raises(Retry):
        await supervisor.deliver(post, None)


# --- closing ------------------------------------------------------------------------------------------------
async def test_what_is_on_its_way_arrives_before_the_platform_says_goodbye(store: Store) -> None:
    happened: list[str] = []

    async def asks(hear: Receive) -> None:
        await hear(a_question("pub"))
        try:
            await for_ever(hear)
        finally:
            await asyncio.sleep(0)
            happened.append(f"goodbye after {len(pub.posts)} posts")

    pub = Pub("pub", asks)
    pub.lets_land.clear()
    task = program(store, pub)
    await until(pub.landing.is_set)
    task.cancel()
    for _ in range(100):
        await asyncio.sleep(0)
    assert happened == []
    pub.lets_land.set()
    await asyncio.wait([task])
    assert happened == ["goodbye after 1 posts"]
    assert await store.waiting(10**15) == []


async def test_a_platform_that_will_not_leave_is_not_waited_for(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("bot.runtime.supervisor.GOODBYE", 0.01)
    gone = asyncio.Event()

    async def lingers(_hear: Receive) -> None:
        try:
            await asyncio.Event().wait()
        except asyncio.CancelledError:
            try:
                await asyncio.Event().wait()
            finally:
                gone.set()

    pub = Pub("pub", lingers)
    running = asyncio.create_task(pub.supervisor().run(_nobody))
    await until(lambda: pub.opened)
    with capture_logs() as logs:
        await closed(running)
        await gone.wait()
    assert [line["event"] for line in logs] == ["a platform is slow to close"]


# --- the program --------------------------------------------------------------------------------------------
START = """
import signal, sys
import bot.adapters.web.adapter, bot.app
from bot.settings import Settings
opened = bot.adapters.web.adapter.WebRoom.__init__
def closing(self, *args, **named):
    named["opened"] = lambda address: signal.raise_signal(signal.SIGTERM)
    opened(self, *args, **named)
bot.adapters.web.adapter.WebRoom.__init__ = closing
code = bot.app.run(Settings())
print(code, sorted({"discord", "nio", "vodozemac", "peewee", "openskill"} & set(sys.modules)))
"""


def test_the_web_room_alone_loads_no_other_platform_s_library(tmp_path: Path) -> None:
    environment = {"PYTHONPATH": str(Path(__file__).parents[1]), "RIPOSTE_PORT": "0"}
    told = subprocess.run(
        [sys.executable, "-c", START], cwd=tmp_path, env=environment, capture_output=True, text=True, check=False
    )
    assert told.stdout == "0 []\n", told.stderr


def test_without_what_counts_riposte_starts_and_says_how_figures_are_had(tmp_path: Path) -> None:
    environment = {"PYTHONPATH": str(Path(__file__).parents[1]), "RIPOSTE_PORT": "0", "RIPOSTE_METRICS": "9109"}
    program = f'import sys\nsys.modules["prometheus_client"] = None\n{START}'
    told = subprocess.run(
        [sys.executable, "-c", program], cwd=tmp_path, env=environment, capture_output=True, text=True, check=False
    )
    assert told.stdout == "0 []\n", told.stderr
    assert "figures are not served" in told.stderr
    assert "pip install 'riposte[figures]'" in told.stderr
