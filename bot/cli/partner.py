"""`riposte partner`: thinks for Riposte's own seat in a process of its own, on any machine that reaches the PostgreSQL.

It serves no platform: what it decides is committed like any other turn, and whoever serves the match's places posts it.
"""

import asyncio
import secrets
import signal
from collections.abc import Sequence
from functools import partial

import structlog

from bot.console.terminal import fail
from bot.logs import conceal, once_a_minute, redacted, write_log
from bot.partner.desk import Desk
from bot.partner.seat import Seat
from bot.peers.peers import Claims, Peers
from bot.repository import Committed
from bot.runtime.readiness import Readiness
from bot.runtime.supervisor import leaves
from bot.service.service import Service
from bot.settings import Settings
from storage import open_shared
from storage.store import Change, Outgoing

log = structlog.get_logger(__name__)


def run(settings: Settings) -> None:
    """Think until interrupted; ends the program with a sentence where that cannot be."""
    conceal(*settings.secrets)
    write_log(settings.log, settings.log_format)
    if not settings.several:
        fail("riposte partner shares a PostgreSQL with other processes.", "Set RIPOSTE_SEVERAL=yes for all of them.")
    if not settings.key.exists():
        fail(f"The key of the database is not at {settings.key}.", "Put a copy there, or set RIPOSTE_KEY_FILE.")
    errors: list[OSError] = []
    try:
        asyncio.run(_run(settings))
    except* OSError as group:
        errors += [error for error in leaves(group) if isinstance(error, OSError)]
    if errors:
        fail(redacted(errors[0].strerror or str(errors[0])))


async def _run(settings: Settings) -> None:
    store = await open_shared(settings.store, settings.key, settings.erased)
    thinking = asyncio.current_task()
    assert thinking is not None, "this is a task"
    for sign in (signal.SIGINT, signal.SIGTERM):
        asyncio.get_running_loop().add_signal_handler(sign, thinking.cancel)
    once_a_minute(asyncio.get_running_loop())
    listeners: list[Committed] = []

    def committed(change: Change, waiting: Sequence[Outgoing]) -> None:
        for listener in listeners:
            listener(change, waiting)

    service = Service(
        store,
        now=store.now,
        seed=partial(secrets.token_bytes, 32),
        committed=committed,
        opponents=settings.partner_matches,
        public=settings.pages,
    )
    seat = Seat(service.repository, service.transactions)
    desk = Desk(seat, store.now, max(1, settings.partner_cores), claims=Claims(store))
    listeners.append(desk.committed)
    peers = Peers(store, service.repository, service.transactions)
    try:
        log.info("waiting until a process serves people")
        await peers.begin(None, listeners)
        log.info("thinking for Riposte's own seat")
        async with asyncio.TaskGroup() as tasks:
            tasks.create_task(peers.run(Readiness(store, [], store.now, peers.missing)), name="peers")
            tasks.create_task(desk.run(), name="partner")
    except asyncio.CancelledError:
        log.info("closing")
    finally:
        await store.close()
