"""The running program: store, manager, courier, heartbeat and the platforms, put together and taken apart again."""

import asyncio
import ctypes
import errno
import gc
import secrets
import signal
import sys
import time
from collections.abc import Callable, Sequence
from contextlib import suppress
from functools import partial
from pathlib import Path

import structlog

from bot.commands.spec import is_secret
from bot.commands.suggestions import complete, fill
from bot.logs import conceal, struck, write_log
from bot.messages.model import Adapter, IncomingMessage, Person, Picture, Place, Receive, Span
from bot.messages.pictures import diagram
from bot.repository import Repository
from bot.runtime.admission import Admission
from bot.runtime.downtime import Downtime
from bot.runtime.inbox import Inbox
from bot.runtime.outbox import OutboxRelay
from bot.runtime.scheduler import Scheduler
from bot.runtime.supervisor import PlatformSupervisor, leaves
from bot.service.manager import Manager
from bot.settings import Settings, exposed
from engine.text import Code
from render.painter import paint, prepare
from storage import open_store
from storage.store import Store

log = structlog.get_logger(__name__)

MMAP_THRESHOLD = -3
"""glibc's number for the size from which memory is asked of the system itself."""

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
    conceal(*settings.secrets)
    write_log(settings.log)
    if warning := exposed():
        log.warning(warning)
    code = 0
    try:
        asyncio.run(_live(settings))
    except* OSError as troubles:
        code = 1
        for trouble in leaves(troubles):
            print(struck(getattr(trouble, "strerror", None) or str(trouble)), file=sys.stderr)
    return code


async def _live(settings: Settings) -> None:
    store = await open_store(_made(settings))
    try:
        living = asyncio.current_task()
        assert living is not None, "this is a task"
        for sign in (signal.SIGINT, signal.SIGTERM):
            asyncio.get_running_loop().add_signal_handler(sign, living.cancel)
        nudges: list[Callable[[], None]] = []

        def wake() -> None:
            for nudge in nudges:
                nudge()

        manager = Manager(store, now=now, seed=lambda: secrets.token_bytes(32), nudge=wake)
        wings = _wings(settings, store, manager)
        _settle_memory()
        await live_in(wings, store, manager, nudges)
    except asyncio.CancelledError:
        log.info("closing")
    finally:
        await store.close()


def _settle_memory() -> None:
    # What is loaded stays: to look through it for what is no longer used would halt everybody for 50 ms at times.
    gc.freeze()
    # Large sheets that a picture is drawn on for a moment go back to the system at once. By itself the C library
    # begins to keep them, and what is remembered between them makes them useless: some 60 MiB after a busy month.
    with suppress(AttributeError):
        ctypes.CDLL(None).mallopt(MMAP_THRESHOLD, 128 << 10)


async def live_in(
    wings: Sequence[PlatformSupervisor], store: Store, manager: Manager, nudges: list[Callable[[], None]]
) -> None:
    """Serve these platforms until cancelled. Raises OSError with a sentence when the last of them is closed for good.

    The courier leaves first, so that what is under way still arrives; then the platforms say goodbye.
    """
    if not wings:
        raise OSError(
            errno.EINVAL,
            "There is nothing to serve: no platform is set up, and RIPOSTE_WEB is no. "
            "Set RIPOSTE_DISCORD_TOKEN or RIPOSTE_MATRIX_HOMESERVER, or leave RIPOSTE_WEB empty.",
        )
    courier = OutboxRelay(store, {wing.platform: wing for wing in wings}, _paint, now)
    presence = Downtime(store, manager.credit, now)
    heartbeat = Scheduler(store, presence.first(manager.chime), now)
    nudges += [courier.nudge, heartbeat.nudge]
    hear = Admission(patient(presence.first(manager.hear)), manager.tell, manager.desk.plays).hear
    still_open = {wing.platform for wing in wings}

    async def keep(wing: PlatformSupervisor) -> None:
        try:
            await wing.run(hear)
        except OSError as refusal:
            still_open.discard(wing.platform)
            if not still_open:
                raise
            log.error("a platform stays closed", platform=wing.platform, trouble=refusal.strerror or str(refusal))

    async with asyncio.TaskGroup() as platforms:
        for wing in wings:
            platforms.create_task(keep(wing), name=wing.platform)
        async with asyncio.TaskGroup() as household:
            household.create_task(courier.run(), name="courier")
            household.create_task(heartbeat.run(), name="heartbeat")
            household.create_task(presence.run(), name="presence")


def _wings(settings: Settings, store: Store, manager: Manager) -> list[PlatformSupervisor]:
    """What is set up. A platform's library is imported when its wing is opened: nobody pays for what they have not."""
    completions = partial(_completions, manager.desk)

    async def web() -> Adapter:
        from bot.adapters.web import WebRoom

        return WebRoom(
            settings.data / "web-room.db",
            clock=now,
            port=settings.port,
            welcome=WELCOME,
            complete=completions,
            summary=store.summary,
            private=is_secret,
            opened=_announce,
        )

    async def discord() -> Adapter:
        from bot.adapters.discord import DiscordAdapter

        served = settings.shards
        return DiscordAdapter(
            settings.discord_token.get_secret_value(),
            Inbox(store, "discord"),
            clock=now,
            fill=partial(fill, manager.desk),
            summary=store.summary,
            named=manager.desk.person,
            matches=store.matches,
            private=is_secret,
            shards=served.ids if served else None,
            shard_count=served.total if served else None,
        )

    async def matrix() -> Adapter:
        from bot.adapters.matrix import MatrixAdapter, enter, patiently

        folder, password = settings.matrix_folder, settings.matrix_password.get_secret_value()
        token = settings.matrix_token.get_secret_value()
        log_in = partial(
            enter, folder, settings.matrix_homeserver, settings.matrix_user, password=password, token=token
        )
        client = await patiently(log_in)
        conceal(client.access_token)
        log.info("connected to Matrix", bot=client.user_id, device=client.device_id)
        return MatrixAdapter(
            client,
            Inbox(store, "matrix"),
            clock=now,
            prefix=settings.matrix_prefix,
            invites=settings.invites,
            ignored=settings.ignored,
            private=is_secret,
            password=password,
            show=_show_key,
        )

    kinds = (
        ("web", settings.web_room, web),
        ("discord", settings.discord, discord),
        ("matrix", settings.matrix, matrix),
    )
    return [PlatformSupervisor(platform, open_) for platform, wanted, open_ in kinds if wanted]


def patient(hear: Receive) -> Receive:
    """Hearing that does not give up while the disk is full or away: nobody's words are lost to it."""

    async def patiently(heard: IncomingMessage) -> bool:
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


async def _completions(desk: Repository, who: Person, where: Place, text: str) -> list[str]:
    """How a line could go on; without trouble nobody asked for: to send it tells what is wrong."""
    try:
        return await complete(desk, who, where, text)
    except Exception:
        log.exception("a line cannot be completed", match=where.thread)
        return []


async def _paint(picture: Picture) -> bytes | None:
    """The picture, drawn off the loop: a first board takes its time."""
    data = await asyncio.to_thread(lambda: paint(diagram(picture), theme=picture.theme or "light", size=picture.size))
    # While this one travels: it makes the next ones quicker and smaller.
    asyncio.get_running_loop().run_in_executor(None, prepare)
    return data


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


def _show_key(key: str) -> None:
    print(f"The recovery key of the bot's Matrix account, shown this once; keep it in a safe place:\n{key}", flush=True)


def _announce(address: str) -> None:
    print(f"Riposte's web room is open: {address}\n(Ctrl-C closes it; nothing is lost.)", flush=True)
