"""The running program: store, service, outbox, scheduler and the platforms, put together and taken apart again."""

import asyncio
import ctypes
import errno
import gc
import secrets
import signal
import sys
import time
from collections.abc import Awaitable, Callable, Sequence
from contextlib import nullcontext, suppress
from functools import partial
from typing import TYPE_CHECKING, NoReturn

import structlog

from bot.bucket.keeping import BucketStandby
from bot.commands.info import WELCOME
from bot.commands.parser import is_secret
from bot.commands.suggestions.forms import fill
from bot.console.terminal import announce, show_key
from bot.folders import daily_log, database
from bot.logs import DailyFile, conceal, once_a_minute, redacted, write_log
from bot.messages.catalogue import ENGLISH, language
from bot.messages.model import Adapter, Place, Receive
from bot.monitoring.door import Door, door_of
from bot.notices.dailies import Dailies
from bot.notices.digests import Digests
from bot.painting import Painting
from bot.partner.desk import Desk
from bot.partner.seat import Seat
from bot.peers.peers import CHORES, Claims, Peers
from bot.peers.strangers import Strangers
from bot.privacy.erasing import Erasing
from bot.repository import Committed
from bot.runtime.admission import Admission
from bot.runtime.downtime import Downtime
from bot.runtime.inbox import Inbox, Late
from bot.runtime.outbox import OutboxRelay
from bot.runtime.patience import Patience
from bot.runtime.pruning import Pruning
from bot.runtime.readiness import Readiness
from bot.runtime.scheduler import IN_FLIGHT, Scheduler
from bot.runtime.supervisor import Open, PlatformSupervisor, leaves
from bot.service.dispatch import private
from bot.service.page.looks import board, completions
from bot.service.service import Service
from bot.settings import Settings, exposed, settings
from bot.standby import Standby
from bot.trouble import reason
from storage import open_replica, open_shared, open_store
from storage.people.erasure import listed
from storage.store import Alarm, Change, Outgoing, Store

if TYPE_CHECKING:
    from bot.adapters.api import Programs

log = structlog.get_logger(__name__)

MMAP_THRESHOLD = -3
"""glibc's number for the size from which memory is asked of the system itself."""


def now() -> int:
    """Milliseconds since 1970 UTC."""
    return time.time_ns() // 1_000_000


def main() -> NoReturn:
    """Serve as the host's settings say, and end the program."""
    raise SystemExit(run(settings()))


def run(settings: Settings) -> int:
    """Serve until interrupted. Returns the exit code; what keeps it from starting is printed as a sentence."""
    conceal(*settings.secrets)
    code = 0
    try:
        write_log(settings.log, settings.log_format, kept := daily_log(settings))
        if warning := exposed():
            log.warning(warning)
        asyncio.run(_run(settings, kept))
    except* OSError as errors:
        code = 1
        for error in leaves(errors):
            print(redacted(getattr(error, "strerror", None) or str(error)), file=sys.stderr)
    return code


async def _run(settings: Settings, kept: DailyFile | None) -> None:
    shared = await open_shared(database(settings), settings.key, settings.erased) if settings.several else None
    store = shared or await open_store(database(settings), settings.key, settings.erased)
    beside: list[asyncio.Task[None]] = []
    try:
        serving = asyncio.current_task()
        assert serving is not None, "this is a task"
        for sign in (signal.SIGINT, signal.SIGTERM):
            asyncio.get_running_loop().add_signal_handler(sign, serving.cancel)
        once_a_minute(asyncio.get_running_loop())
        listeners: list[Committed] = []

        def committed(change: Change, waiting: Sequence[Outgoing]) -> None:
            for listener in listeners:
                listener(change, waiting)

        opponents = settings.partner_matches if settings.partner_cores else 0
        seed = partial(secrets.token_bytes, 32)
        clock = shared.now if shared else now
        service = Service(store, now=clock, seed=seed, committed=committed, opponents=opponents, public=settings.pages)
        desk = None
        if opponents and settings.partner == "here":
            seat, claims = Seat(service.repository, service.transactions), Claims(shared) if shared else None
            desk = Desk(seat, clock, settings.partner_cores, claims=claims)
        patience = Patience(service.aside, service.answer, clock)
        programs = _programs(settings, service, clock)
        strangers = Strangers(service.repository, open_replica(settings.replica, store))
        listeners.append(strangers.committed)
        page = "web" if settings.web_room else ""
        peers = Peers(shared, service.repository, service.transactions, page) if shared else None
        platforms = _platforms(
            *(settings, store, service, patience.tell, listeners),
            strangers=strangers,
            clock=clock,
            programs=programs,
            peers=peers,
        )
        _settle_memory()
        copying = _by_one(peers, "standby", partial(_copy, settings))
        beside += [asyncio.create_task(copying, name="standby"), asyncio.create_task(strangers.run(), name="replica")]
        _keeping = asyncio.create_task(kept.run(), name="log") if kept else None
        door = door_of(settings, {"replica": strangers.behind} if settings.replica else {})
        await serve(
            *(platforms, store, service, listeners, patience),
            desk=desk,
            door=door,
            programs=programs,
            peers=peers,
            clock=clock,
        )
    except asyncio.CancelledError:
        log.info("closing")
    finally:
        for task in beside:
            task.cancel()
        await store.close()


async def _copy(settings: Settings) -> None:
    """Keep what other disks and the bucket hold up to date; neither waits for the other."""
    await asyncio.gather(Standby(settings).run(), BucketStandby(settings).run())


def _settle_memory() -> None:
    # What is loaded stays: looking through it for what is no longer used would stop everything for 50 ms at times.
    gc.freeze()
    # Large sheets that a picture is drawn on for a moment go back to the system at once. By itself the C library
    # begins to keep them, and what is remembered between them makes them useless: some 60 MiB after a busy month.
    with suppress(AttributeError):
        ctypes.CDLL(None).mallopt(MMAP_THRESHOLD, 128 << 10)


async def serve(
    platforms: Sequence[PlatformSupervisor],
    store: Store,
    service: Service,
    listeners: list[Committed],
    patience: Patience | None = None,
    *,
    desk: Desk | None = None,
    door: Door | None = None,
    programs: "Programs | None" = None,
    peers: Peers | None = None,
    clock: Callable[[], int] = now,
) -> None:
    """Serve these platforms until cancelled. Raises OSError with a sentence when the last of them refuses us for good.

    The outbox stops first, so that what is in flight still arrives; then the platforms disconnect.
    """
    if not platforms:
        raise OSError(
            errno.EINVAL,
            "There is nothing to serve: no platform is set up, and RIPOSTE_WEB is no. "
            "Set RIPOSTE_DISCORD_TOKEN or RIPOSTE_MATRIX_HOMESERVER, or leave RIPOSTE_WEB empty.",
        )
    adapters: dict[str, Adapter] = {platform.platform: platform for platform in platforms}
    if programs is not None:
        adapters[programs.platform] = programs
        listeners.append(programs.committed)
    outbox = OutboxRelay(store, adapters, Painting().paint, clock, contact=service.contact)
    downtime = Downtime(store, service.credit, clock)
    readiness = Readiness(store, platforms, clock, peers.missing if peers else None)

    async def held(alarm: Alarm) -> bool:
        return await downtime.held(alarm) or await readiness.held(alarm)

    scheduler = Scheduler(store, service.alarm_fired, clock, held=held, waits=IN_FLIGHT)
    forgets = [one.forget for one in platforms]
    alone = peers.alone if peers else nullcontext
    erasing = Erasing(service.repository, service.transactions, clock, forgets, alone=alone)
    if desk is not None:
        listeners.append(desk.committed)
    listeners.append(erasing.committed)
    await (peers.begin(erasing.restored, [*listeners], outbox.nudge, scheduler.nudge) if peers else erasing.restored())
    listeners += [outbox.committed, scheduler.committed]
    patience = patience or Patience(service.aside, service.answer, clock)
    patience.platforms = adapters
    if peers is not None:
        patience.speaks = store.held
    stored = patience.stored(downtime.before(service.receive))
    receive = patience.told(Admission(stored, service.answer, service.repository.plays).receive)
    monitoring = None
    if door is not None:
        from bot.monitoring.server import Monitoring  # who asks for no figures does not wait for its library

        monitoring = Monitoring(store, platforms, clock, door)
        receive = monitoring.counted(receive, service.repository, listeners)
    daily = [kind(service.repository, service.transactions, clock).run for kind in (Digests, Dailies)]
    chores = Pruning(store, clock).run, erasing.run, *daily
    still_open = {platform.platform for platform in platforms}

    async with asyncio.TaskGroup() as connections:
        for platform in platforms:
            connections.create_task(_keep_open(platform, receive, still_open), name=platform.platform)
        async with asyncio.TaskGroup() as tasks:
            tasks.create_task(outbox.run(), name="outbox")
            tasks.create_task(scheduler.run(), name="scheduler")
            tasks.create_task(downtime.run(), name="downtime")
            if peers is not None:
                tasks.create_task(peers.run(readiness), name="peers")
            for work in chores:
                tasks.create_task(_by_one(peers, CHORES, work), name=CHORES)
            if monitoring is not None:
                tasks.create_task(monitoring.run(), name="monitoring")
            if programs is not None:
                tasks.create_task(programs.run(receive), name="programs")
            if desk is not None:
                tasks.create_task(_by_one(peers, "partner", desk.run), name="partner")


async def _keep_open(platform: PlatformSupervisor, receive: Receive, still_open: set[str]) -> None:
    """Serve one platform; it may refuse us for good, unless it is the last that has not."""
    try:
        await platform.run(receive)
    except OSError as refusal:
        still_open.discard(platform.platform)
        if not still_open:
            raise
        log.error("a platform stays closed", platform=platform.platform, error=reason(refusal))


async def _by_one(peers: Peers | None, duty: str, work: Callable[[], Awaitable[None]]) -> None:
    """Do something that one of several processes does."""
    await (peers.after(duty, work) if peers else work())


def _programs(settings: Settings, service: Service, now: Callable[[], int]) -> "Programs | None":
    """The door for programs; it is on the web room's server."""
    if not settings.web_room:
        return None
    from bot.adapters.api import Programs
    from bot.adapters.api.webhooks import Webhooks
    from bot.adapters.web.outgoing import LOUNGE
    from bot.adapters.web.users import PLATFORM

    hooks = Webhooks(now, private=settings.private_webhooks)
    return Programs(service.repository, now, lobby=Place(PLATFORM, LOUNGE), community="room", webhooks=hooks)


def _platforms(
    settings: Settings,
    store: Store,
    service: Service,
    late: Late,
    listeners: list[Committed],
    *,
    strangers: Strangers,
    clock: Callable[[], int],
    programs: "Programs | None",
    peers: Peers | None = None,
) -> list[PlatformSupervisor]:
    """What is set up. A platform's library is imported when it is opened: nobody pays for what they do not use."""
    repository = service.repository
    rooms: list[Committed] = []
    """The web room that is open."""
    speaks = store.held if peers else lambda: True

    def shown(change: Change, waiting: Sequence[Outgoing]) -> None:
        for room in rooms:
            room(change, waiting)

    listeners.append(shown)

    async def web() -> Adapter:
        from bot.adapters.web import WebRoom
        from bot.adapters.web.server import serve_nothing_else

        room = WebRoom(
            settings.data / "web-room.db",
            key=settings.key,
            erased=partial(listed, settings.erased),
            clock=clock,
            port=settings.port,
            public=settings.public_url,
            welcome=lambda code: language(code).lines(WELCOME),
            complete=partial(completions, repository),
            summary=store.summary,
            private=partial(private, repository),
            answerable=service.answerable,
            opened=partial(announce, public=settings.public_url),
            say=lambda text, code: language(code).say(text),
            page_texts=_page_texts,
            board=partial(board, repository),
            public_board=strangers.board,
            named=repository.person,
            visits=service.visits,
            also=programs.add_to if programs else serve_nothing_else,
            devices=service.devices,
            paint=Painting().paint,
            partner=bool(repository.opponents),
        )
        rooms[:] = [room.committed]
        return room

    async def discord() -> Adapter:
        from bot.adapters.discord import DiscordAdapter

        return DiscordAdapter(
            settings.discord_token.get_secret_value(),
            Inbox(store, "discord", late),
            clock=clock,
            fill=partial(fill, repository),
            summary=store.summary,
            named=repository.person,
            matches=store.matches,
            private=is_secret,
            places=service.contact,
            matters=service,
            reads_all=settings.discord_content,
            shards=settings.shards.ids if settings.shards else None,
            shard_count=settings.shards.total if settings.shards else None,
            speaks=speaks,
        )

    async def matrix() -> Adapter:
        from bot.adapters.matrix import MatrixAdapter, Wording, enter, patiently

        def wording(code: str) -> Wording:
            spoken = language(code)
            return Wording() if spoken.code == ENGLISH else Wording(spoken.say, spoken.instant)

        folder, password = settings.matrix_folder, settings.matrix_password.get_secret_value()
        token = settings.matrix_token.get_secret_value()
        log_in = partial(
            enter, folder, settings.matrix_homeserver, settings.matrix_user, password=password, token=token
        )
        client = await patiently(log_in)
        client.speaks = speaks
        conceal(client.access_token)
        log.info("connected to Matrix", bot=client.user_id, device=client.device_id)
        return MatrixAdapter(
            client,
            Inbox(store, "matrix", late),
            clock=clock,
            prefix=settings.matrix_prefix,
            invites=settings.invites,
            ignored=settings.ignored,
            private=is_secret,
            page=settings.web_room,
            places=service.contact,
            members=service.contact,
            current=service.current,
            applauded=service.applauded,
            password=password,
            recovery=settings.matrix_recovery_key.get_secret_value(),
            show=show_key,
            wording=wording,
        )

    kinds = (
        ("web", settings.web_room, web),
        ("discord", settings.discord, discord),
        ("matrix", settings.matrix, matrix),
    )
    parts = {"discord": settings.discord_shards}
    wanted: list[tuple[str, Open]] = [(name, open_) for name, wanted, open_ in kinds if wanted]
    if peers is None:
        return [PlatformSupervisor(name, open_) for name, open_ in wanted]
    opens = [(name, peers.opening(name, open_, parts.get(name, ""), f"bot.adapters.{name}")) for name, open_ in wanted]
    made = [PlatformSupervisor(*one) for one in opens]
    peers.serve(made, {programs.platform: "web"} if programs else {})
    return made


def _page_texts(code: str) -> dict[str, str]:
    """The page's sentences in a language; none is English."""
    from bot.adapters.web import page_templates

    spoken = language(code)
    return {} if spoken.code == ENGLISH else spoken.texts(templates for *_, templates in page_templates())
