"""Checks everything that Riposte needs, and names the remedy for each fault."""

import asyncio
import errno
import socket
import sqlite3
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import aclosing, suppress
from pathlib import Path
from typing import TYPE_CHECKING, get_args

import aiohttp
from pydantic import ValidationError

from bot.cli.databases import Database, database, file_of, replica, space
from bot.console.checks import Finding, Findings, fact_and_remedy, fault, ok, sentence, unreachable, warn
from bot.logs import conceal, redacted
from bot.own_games import add_games
from bot.settings import Settings, explain, exposed, read_settings
from storage.sqlite.file import rescued_from

if TYPE_CHECKING:
    from storage.seal import Sealer

LONGEST = 60.0
"""Seconds that one check may take."""
MOST_NAMED = 10
"""Damaged rows that are named one by one."""
NOT_AWAKE = 300_000
"""Milliseconds without a note after which a running Riposte has stopped working: it makes one every minute."""
NO_NETWORK = "Check the network; messages written meanwhile are not lost."


async def report(quick: bool) -> bool:
    """Prints each finding as soon as it is made; returns whether there are faults."""
    found: list[Finding] = []

    def show(finding: Finding) -> None:
        found.append(finding)
        print(redacted(str(finding)), flush=True)

    settings = _settings(show)
    if settings is not None:
        conceal(*settings.secrets)
        for check in (_awake(settings),) if quick else _all(settings):
            await _run(check, show)
    return any(finding.state == "FAULT" for finding in found)


async def _run(check: Findings, show: Callable[[Finding], None]) -> None:
    """Runs one check, which may neither take too long nor fail."""
    try:
        async with asyncio.timeout(LONGEST):
            async for finding in check:
                show(finding)
    except (aiohttp.ClientError, TimeoutError) as error:
        show(unreachable("A server", error, NO_NETWORK))
    except Exception as bug:  # a server may answer anything, and the others are to be looked at all the same
        show(fault(f"a check has failed: {bug!r}", "Please report this line."))
    finally:
        await check.aclose()


def _settings(show: Callable[[Finding], None]) -> Settings | None:
    try:
        made = read_settings()
    except ValidationError as error:
        show(fault(*explain(error)))
        return None
    except OSError as error:
        show(sentence(error))
        return None
    show(ok("the settings can be read"))
    if readable_by_others := exposed():
        show(warn(*fact_and_remedy(readable_by_others)))
    if broken := add_games(made.games):
        show(fault(*broken))
    return made


def _all(settings: Settings) -> tuple[Findings, ...]:
    local = (_disk(settings), _database(settings), _talk(settings), _key(settings), _standby(settings))
    return (
        *local,
        replica(settings),
        _bucket(settings),
        _fonts(),
        _port(settings),
        _figures(settings),
        _discord(settings),
        _matrix(settings),
    )


async def _talk(settings: Settings) -> Findings:
    """Looks at the file of the web room's talk."""
    from bot.adapters.web.history.file import damaged
    from bot.folders import WEB_ROOM

    path = settings.data / WEB_ROOM
    if not path.exists():
        return
    remedy = "Restore it from a backup that was made before; it holds only the talk, every match is kept elsewhere."
    try:
        rows = await asyncio.to_thread(damaged, path, await _sealer(settings))
    except OSError as error:
        yield fault(f"the web room's talk {path} cannot be read: {error.strerror}", remedy)
        return
    if rows:
        yield fault(f"{_counted(rows)} of the web room's talk {path} not as written: {_named(rows)}", remedy)
    else:
        yield ok(f"the web room's talk {path} can be read")


def _counted(rows: Sequence[str]) -> str:
    return f"{len(rows)} row{'s' * (len(rows) != 1)}"


def _named(rows: Sequence[str]) -> str:
    return ", ".join(rows[:MOST_NAMED]) + (" and more" if len(rows) > MOST_NAMED else "")


async def _disk(settings: Settings) -> Findings:
    for finding in space(settings):
        yield finding


async def _database(settings: Settings) -> Findings:
    try:
        kept = database(settings)
        used = await kept.in_use()
    except OSError as error:
        yield sentence(error)
        return
    if kept.path is not None:
        for finding in _beside(kept.path):
            yield finding
    if used is None:
        made = "there is nothing in" if kept.path is None else "there is no"
        yield ok(f"{made} database {kept.shown} yet; the first start makes it")
        return
    try:
        sealer = await _sealer(settings)
        found = await kept.inspected(sealer)
        seen = await kept.alive()
        closed = await _closed(kept, sealer) if found.version and sealer else []
    except OSError as error:
        yield sentence(error, f"{kept.shown}: ")
        return
    use = "which a Riposte is running on" if used else "which nobody is using"
    matches = f"{found.matches} match{'es' * (found.matches != 1)}"
    events = f"{found.events} event{'s' * (found.events != 1)}"
    yield ok(f"the database {kept.shown}, {use}, can be read: {matches}, {events}")
    if found.damaged:
        yield fault(
            f"damaged: match {', '.join(found.damaged)}; all others are as they were written",
            "Restore the database from a backup that was made before.",
        )
    if found.rows:
        yield fault(
            f"{_counted(found.rows)} of the database not as written: {_named(found.rows)}",
            "Restore the database from a backup that was made before; nobody is told what stands there.",
        )
    if found.unfit:
        yield warn(
            f"kept as it does not stand: match {', '.join(found.unfit)}; its log is read instead, and nothing is lost",
            "If you have changed nothing in the database, look after its disk.",
        )
    if found.waiting:
        yield ok(f"{found.waiting} message{'s' * (found.waiting != 1)} not delivered yet")
    for one in closed:
        yield one
    if found.version < len(kept.steps()):
        copy = ", and keeps a copy of the old one" if kept.path else "; make a copy before, by pg_dump"
        yield ok(f"the next start brings the database to a newer form{copy}")
    ahead = seen - _now()
    if ahead > NOT_AWAKE:
        yield fault(
            f"the clock was set back: Riposte has already seen a time {ahead // 60_000} minutes from now",
            "Set it by the network: `timedatectl set-ntp true`.",
        )


def _beside(path: Path) -> Iterator[Finding]:
    """What is said of the file itself, and of what lies beside it."""
    if rescued := rescued_from(path):
        move = f"Move that file to {path} to go on, or move it elsewhere."
        yield fault(f"the database {path} was taken away while Riposte ran; {rescued} was rescued from it", move)
    if path.exists() and path.stat().st_mode & 0o077:
        yield warn(f"others on this machine may read {path}, secrets of matches included", f"`chmod 600 {path}`")


async def _sealer(settings: Settings) -> "Sealer | None":
    """What opens the database; None where its key is missing or another's, which is told by itself."""
    from storage.seal import read_key

    with suppress(OSError):
        sealer, kept = read_key(settings.key), database(settings)
        if sealer and await kept.in_use() is not None and await kept.proof() == sealer.proof:
            return sealer
    return None


async def _closed(kept: Database, sealer: "Sealer") -> list[Finding]:
    """The places of matches that took nothing when they were tried last; their players are told in private."""
    from bot.messages.serialization import read_address
    from bot.service.contact import CLOSED

    found = []
    for owner, noted in await kept.owners(CLOSED, sealer):
        place, (since, _, why) = read_address(owner), noted.partition(" ")
        day = time.strftime("%Y-%m-%d", time.gmtime(int(since) / 1000))
        fact = f"match {place.thread} cannot be posted in {place.platform} {place.channel} since {day}: {why}"
        found.append(warn(fact, "Its players are told in private; mend that, or have them `link` it elsewhere."))
    return found


async def _key(settings: Settings) -> Findings:
    from storage.seal import read_key

    path, file = settings.key, file_of(settings)
    known = ""
    with suppress(OSError, sqlite3.Error):  # what is wrong with the database has been told
        kept = database(settings)
        known = await kept.proof() if await kept.in_use() is not None else ""
    try:
        sealer = read_key(path)
    except OSError as error:
        yield sentence(error)
        return
    if sealer is None:
        lost = fault(f"the database is sealed, and its key is not at {path}", "Put your copy of the key there.")
        yield lost if known else ok(f"there is no key {path} yet; the first start makes it")
        return
    if known not in ("", sealer.proof):
        yield fault(f"the key {path} is not the one of the database", "Put your copy of the right one there.")
        return
    yield ok(f"the key {path} fits the database; keep a copy apart from its backups")
    if path.stat().st_mode & 0o077:
        yield warn(f"others on this machine may read {path}", f"`chmod 600 {path}`")
    for clear in sorted(file.parent.glob(f"{file.name}.before-000[123]")) if file else ():
        yield warn(f"{clear} is a copy from before the database was sealed, all secrets in the clear", "Delete it.")


async def _standby(settings: Settings) -> Findings:
    from bot.standby import told
    from storage.sqlite.file import is_locked

    fact, remedy = told(settings, time.time())
    if fact:
        running = (path := file_of(settings)) is not None and path.exists() and is_locked(path)
        yield ok(fact) if not remedy else fault(fact, remedy) if running else warn(fact, remedy)
    if fact and settings.standby_keys is None:
        yield warn("no key is in the standby", "Set RIPOSTE_STANDBY_KEYS, or keep copies of them elsewhere yourself.")


async def _bucket(settings: Settings) -> Findings:
    from bot.bucket.keeping import opened, told
    from bot.bucket.rounds import generations

    if not settings.bucket:
        return
    try:
        await generations(opened(settings))
    except OSError as error:
        yield sentence(error)
        return
    fact, remedy = told(settings, time.time())
    yield warn(fact, remedy) if remedy else ok(fact)


async def _awake(settings: Settings) -> Findings:
    try:
        kept = database(settings)
        if not await kept.in_use():
            yield fault("no Riposte is running here", "Start it: `riposte run`.")
            return
        quiet = _now() - await kept.alive()
    except OSError as error:
        yield sentence(error)
        return
    if quiet > NOT_AWAKE:
        yield fault(
            f"Riposte has not been awake for {quiet // 60_000} minutes", "Look into its log, and start it again."
        )
    else:
        yield ok("Riposte is running and awake")


async def _fonts() -> Findings:
    from engine.dice import Dice
    from engine.games import GAMES
    from render.lettering import Weight, font
    from render.painter import paint

    game = next(iter(GAMES.values()))
    try:
        drawn = game.draw(game.setup({}, Dice(bytes(32))), None)
        await asyncio.to_thread(paint, drawn)
        for weight in get_args(Weight):
            font(16, weight)
    except Exception as error:  # whatever the painter meets: this installation cannot draw
        yield fault(
            f"boards cannot be drawn: {error!r}", "Install Riposte again, `make setup` say; a file of it is missing."
        )
    else:
        yield ok("boards can be drawn, and the font for them is there")


async def _port(settings: Settings) -> Findings:
    if not settings.web_room:
        yield ok("the web room is not turned on")
        return
    with socket.socket() as listener:
        listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            listener.bind(("127.0.0.1", settings.port))
        except OSError as error:
            if error.errno != errno.EADDRINUSE:
                remedy = "Choose another one, like RIPOSTE_PORT=8080."
                yield fault(f"the web room cannot open on port {settings.port}: {error.strerror}", remedy)
            elif await _in_use(settings):
                yield ok(f"port {settings.port} is in use, and so is Riposte")
            else:
                yield warn(
                    f"port {settings.port} is taken: the web room will open on the next free one",
                    "Stop the other program, or choose another port, like RIPOSTE_PORT=8090.",
                )
        else:
            yield ok(f"port {settings.port or 'any'} is free for the web room")


async def _figures(settings: Settings) -> Findings:
    from bot.monitoring.door import lacking

    if settings.metrics and (missing := lacking()):
        yield fault(*fact_and_remedy(missing))


async def _discord(settings: Settings) -> Findings:
    if not settings.discord:
        yield ok("Discord is not set up (RIPOSTE_DISCORD_TOKEN is empty)")
        return
    from bot.adapters.discord.doctor import examine
    from bot.commands.spec import COMMANDS

    served = settings.shards
    examination = examine(
        settings.discord_token.get_secret_value(),
        now=time.time,
        shards=served.total if served else 0,
        commands={command.group or command.name for command in COMMANDS},
    )
    try:
        async with aclosing(examination) as findings:
            async for finding in findings:
                yield finding
    except (aiohttp.ClientError, TimeoutError) as error:
        yield unreachable("Discord", error, f"{NO_NETWORK} https://discordstatus.com tells whether Discord is down.")


async def _matrix(settings: Settings) -> Findings:
    if not settings.matrix:
        yield ok("Matrix is not set up (RIPOSTE_MATRIX_HOMESERVER is empty)")
        return
    from bot.adapters.matrix.doctor import examine

    examination = examine(
        settings.matrix_folder,
        settings.matrix_homeserver,
        settings.matrix_user,
        password=bool(settings.matrix_password.get_secret_value()),
        token=settings.matrix_token.get_secret_value(),
        now=time.time,
    )
    async with aclosing(examination) as findings:
        async for finding in findings:
            yield finding


async def _in_use(settings: Settings) -> bool:
    with suppress(OSError):
        return bool(await database(settings).in_use())
    return False


def _now() -> int:
    return time.time_ns() // 1_000_000
