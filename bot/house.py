"""The running program: store, manager, courier, heartbeat and the platforms, put together and taken apart again."""

import asyncio
import logging
import secrets
import signal
import sys
import time
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path

import structlog

from bot.adapters.web import WebRoom
from bot.chat import Adapter, Code, Hear, Heard, Person, Picture, Place, Span
from bot.completion import complete
from bot.courier import Courier
from bot.desk import Desk
from bot.grammar import is_secret
from bot.heartbeat import Heartbeat
from bot.manager import Manager
from bot.pictures import diagram
from bot.presence import Presence
from bot.settings import Settings
from render.painter import paint
from storage import open_store
from storage.store import Store

log = structlog.get_logger(__name__)

PATIENCE = (1.0, 2.0, 5.0, 10.0)
"""Seconds to wait before a message is dealt with again that the disk would not take; the last one over and over."""

WELCOME: tuple[Span, ...] = (
    "Play long games with friends, a turn whenever you have a minute.\n"
    "Open a second tab and sit down there under another name; then challenge them here: ",
    Code("challenge @ben tokonoma"),
    "\nTo let untenable turns stand until somebody calls them out: ",
    Code("challenge @ben tokonoma umpire=turn"),
    "\nWhat else can be said: ",
    Code("help"),
)


def now() -> int:
    """Milliseconds since 1970 UTC."""
    return time.time_ns() // 1_000_000


def run(settings: Settings) -> int:
    """Play until interrupted; the exit code. What keeps it from starting is told in a sentence."""
    _write_log(settings)
    code = 0
    try:
        asyncio.run(_live(settings))
    except* OSError as troubles:
        code = 1
        for trouble in _leaves(troubles):
            print(getattr(trouble, "strerror", None) or trouble, file=sys.stderr)
    return code


def _leaves(trouble: BaseException) -> Iterator[BaseException]:
    """The troubles inside a group of groups."""
    if isinstance(trouble, BaseExceptionGroup):
        for part in trouble.exceptions:
            yield from _leaves(part)
    else:
        yield trouble


async def _live(settings: Settings) -> None:
    store = await open_store(_made(settings))
    try:
        async with asyncio.TaskGroup() as tasks:
            living = asyncio.current_task()
            assert living is not None, "this is a task"
            for sign in (signal.SIGINT, signal.SIGTERM):
                asyncio.get_running_loop().add_signal_handler(sign, living.cancel)
            await _move_in(settings, store, tasks)
    except asyncio.CancelledError:
        log.info("closing")
    finally:
        await store.close()


async def _move_in(settings: Settings, store: Store, tasks: asyncio.TaskGroup) -> None:
    """Start everybody who lives here; each runs until the house is closed."""
    nudges: list[Callable[[], None]] = []

    def wake() -> None:
        for nudge in nudges:
            nudge()

    manager = Manager(store, now=now, seed=lambda: secrets.token_bytes(32), nudge=wake)
    room = WebRoom(
        settings.data / "web-room.db",
        clock=now,
        port=settings.port,
        welcome=WELCOME,
        complete=partial(_completions, manager.desk),
        summary=store.summary,
        private=is_secret,
        opened=_announce,
    )
    adapters: dict[str, Adapter] = {room.platform: room}
    courier = Courier(store, adapters, _paint, now)
    presence = Presence(store, manager.credit, now)
    heartbeat = Heartbeat(store, presence.first(manager.chime), now)
    nudges += [courier.nudge, heartbeat.nudge]
    tasks.create_task(courier.run(), name="courier")
    tasks.create_task(heartbeat.run(), name="heartbeat")
    tasks.create_task(presence.run(), name="presence")
    for adapter in adapters.values():
        tasks.create_task(adapter.run(patient(presence.first(manager.hear))), name=adapter.platform)


def patient(hear: Hear) -> Hear:
    """Hearing that does not give up while the disk is full or away: nobody's words are lost to it."""

    async def patiently(heard: Heard) -> bool:
        waits = iter(PATIENCE)
        wait = PATIENCE[-1]
        while True:
            try:
                return await hear(heard)
            except OSError as trouble:
                wait = next(waits, wait)
                log.error("a message waits for the disk", trouble=trouble.strerror or str(trouble), again_in=wait)
                await asyncio.sleep(wait)

    return patiently


async def _completions(desk: Desk, who: Person, where: Place, text: str) -> list[str]:
    """How a line could go on; without trouble nobody asked for: to send it tells what is wrong."""
    try:
        return await complete(desk, who, where, text)
    except Exception:
        log.exception("a line cannot be completed", match=where.thread)
        return []


async def _paint(picture: Picture) -> bytes | None:
    """The picture, drawn off the loop: a first board takes its time."""
    return await asyncio.to_thread(lambda: paint(diagram(picture), theme=picture.theme or "light", size=picture.size))


def _made(settings: Settings) -> str:
    """Where the database is, its folder made."""
    _make(settings.data, "RIPOSTE_DATA")
    if "://" not in settings.store:
        _make(Path(settings.store).parent, "RIPOSTE_DATABASE")
    return settings.store


def _make(folder: Path, setting: str) -> None:
    """Make a folder that may be there already. Raises OSError with the fact and the remedy."""
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as trouble:
        fact = f"The folder {folder} cannot be made: {trouble.strerror}."
        raise OSError(trouble.errno, f"{fact} Choose one that Riposte may write to, with {setting}.") from trouble


def _announce(address: str) -> None:
    print(f"Riposte's web room is open: {address}\n(Ctrl-C closes it; nothing is lost.)", flush=True)


def _write_log(settings: Settings) -> None:
    level = logging.getLevelNamesMapping()[settings.log.upper()]
    structlog.configure(
        processors=[
            structlog.processors.add_log_level,
            structlog.processors.TimeStamper("%Y-%m-%d %H:%M:%S", utc=False),
            # Plain tracebacks: prettier ones print the values of variables, and with them the players' secrets.
            structlog.dev.ConsoleRenderer(
                colors=sys.stderr.isatty(), exception_formatter=structlog.dev.plain_traceback
            ),
        ],
        wrapper_class=structlog.make_filtering_bound_logger(level),
        logger_factory=structlog.PrintLoggerFactory(sys.stderr),
    )
