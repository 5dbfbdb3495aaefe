"""Looks at everything that Riposte stands on, and names the remedy for each fault it finds."""

import asyncio
import errno
import fcntl
import os
import shutil
import socket
import time
from collections.abc import Callable
from contextlib import aclosing
from pathlib import Path
from typing import get_args

import aiohttp
from pydantic import ValidationError

from bot.checks import Finding, Findings, fault, ok, parted, sentence, unreachable, warn
from bot.logs import conceal, redacted
from bot.settings import Settings, exposed, read, shelve, wrong

LONGEST = 60.0
"""Seconds that one examination may take."""
SCARCE, SPARE = 50, 500
"""MiB of free disk: less is a fault, or worth a warning."""
ASLEEP = 300_000
"""Milliseconds without a note after which a running Riposte is not well: it notes every minute that it is awake."""
CUT_OFF = "Check the network; what is said meanwhile is not lost."


async def report(quick: bool) -> bool:
    """Print what is found, as soon as it is; whether there are faults."""
    found: list[Finding] = []

    def told(finding: Finding) -> None:
        found.append(finding)
        print(redacted(str(finding)), flush=True)

    settings = _settings(told)
    if settings is not None:
        conceal(*settings.secrets)
        looks = (_awake(settings),) if quick else _all(settings)
        for look in looks:
            await _within(look, told)
    return any(finding.state == "FAULT" for finding in found)


async def _within(look: Findings, told: Callable[[Finding], None]) -> None:
    """One examination, which may neither take too long nor fail."""
    try:
        async with asyncio.timeout(LONGEST):
            async for finding in look:
                told(finding)
    except (aiohttp.ClientError, TimeoutError) as trouble:
        told(unreachable("A server", trouble, CUT_OFF))
    except Exception as bug:  # a server may answer anything, and the others are to be looked at all the same
        told(fault(f"an examination has failed: {bug!r}", "Please report this line."))
    finally:
        await look.aclose()


def _settings(told: Callable[[Finding], None]) -> Settings | None:
    try:
        made = read()
    except ValidationError as error:
        told(fault(*wrong(error)))
        return None
    except OSError as trouble:
        told(sentence(trouble))
        return None
    told(ok("the settings can be read"))
    if open_to_others := exposed():
        told(warn(*parted(open_to_others)))
    if unfit := shelve(made.games):
        told(fault(*unfit))
    return made


def _all(settings: Settings) -> tuple[Findings, ...]:
    local = (_disk(settings), _database(settings), _fonts(), _port(settings))
    return (*local, _discord(settings), _matrix(settings))


async def _disk(settings: Settings) -> Findings:
    database = _file(settings)
    for folder in dict.fromkeys([settings.data.absolute(), *([database.absolute().parent] if database else [])]):
        there = next(place for place in (folder, *folder.parents) if place.exists())
        if not there.is_dir() or not os.access(there, os.W_OK | os.X_OK):
            yield fault(
                f"{there} cannot be written to",
                f"Give it to Riposte's user, `chown riposte {there}` say, or choose another folder with RIPOSTE_DATA.",
            )
            continue
        free = shutil.disk_usage(there).free >> 20
        room = f"{free} MiB are free on the disk of {folder}"
        remedy = "Free some space: without any, turns wait until there is."
        yield fault(room, remedy) if free < SCARCE else warn(room, remedy) if free < SPARE else ok(room)


async def _database(settings: Settings) -> Findings:
    from storage.inspect import inspect
    from storage.schema import migrations

    path = _file(settings)
    if path is None:
        yield fault(f"there is no store for {settings.database}", "Give a path, like RIPOSTE_DATABASE=data/riposte.db.")
        return
    if not path.exists():
        yield ok(f"there is no database {path} yet; the first start makes it")
        return
    if path.stat().st_mode & 0o077:
        yield warn(f"others on this machine may read {path}, secrets of matches included", f"`chmod 600 {path}`")
    try:
        found = await asyncio.to_thread(inspect, path)
        seen = await asyncio.to_thread(_last_seen, path)
    except OSError as trouble:
        yield sentence(trouble, f"{path}: ")
        return
    whose = "which a Riposte is running on" if _held(path) else "which nobody is using"
    matches = f"{found.matches} match{'es' * (found.matches != 1)}"
    events = f"{found.events} event{'s' * (found.events != 1)}"
    yield ok(f"the database {path}, {whose}, can be read: {matches}, {events}")
    if found.damaged:
        yield fault(
            f"damaged: match {', '.join(found.damaged)}; all others are as they were written",
            "Restore the database from a backup that was made before.",
        )
    if found.waiting:
        yield ok(f"{found.waiting} letters wait to be delivered")
    if found.version < len(migrations()):
        yield ok("the next start brings the database to a newer form, and keeps a copy of the old one")
    ahead = seen - _now()
    if ahead > ASLEEP:
        yield fault(
            f"the clock was set back: Riposte has already seen a time {ahead // 60_000} minutes from now",
            "Set it by the network: `timedatectl set-ntp true`.",
        )


async def _awake(settings: Settings) -> Findings:
    path = _file(settings)
    if path is None or not path.exists() or not _held(path):
        yield fault("no Riposte is running here", "Start it: `riposte run`.")
        return
    try:
        quiet = _now() - await asyncio.to_thread(_last_seen, path)
    except OSError as trouble:
        yield sentence(trouble, f"{path}: ")
        return
    if quiet > ASLEEP:
        yield fault(f"Riposte has not moved for {quiet // 60_000} minutes", "Look into its log, and start it again.")
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
    except Exception as trouble:  # whatever the painter meets: this installation cannot draw
        yield fault(
            f"boards cannot be drawn: {trouble!r}", "Install Riposte again, `make setup` say; a file of it is missing."
        )
    else:
        yield ok("boards can be drawn, and the font for them is there")


async def _port(settings: Settings) -> Findings:
    if not settings.web_room:
        yield ok("the web room is not asked for")
        return
    with socket.socket() as door:
        door.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            door.bind(("127.0.0.1", settings.port))
        except OSError as trouble:
            path = _file(settings)
            if trouble.errno != errno.EADDRINUSE:
                remedy = "Choose another one, like RIPOSTE_PORT=8080."
                yield fault(f"the web room cannot open on port {settings.port}: {trouble.strerror}", remedy)
            elif path is not None and path.exists() and _held(path):
                yield ok(f"port {settings.port} is in use, and so is Riposte")
            else:
                yield warn(
                    f"port {settings.port} is taken: the web room will open on the next free one",
                    "Stop the other program, or choose another port, like RIPOSTE_PORT=8090.",
                )
        else:
            yield ok(f"port {settings.port or 'any'} is free for the web room")


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
    except (aiohttp.ClientError, TimeoutError) as trouble:
        yield unreachable("Discord", trouble, f"{CUT_OFF} https://discordstatus.com tells whether it is them.")


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


def _file(settings: Settings) -> Path | None:
    from storage import located

    try:
        return located(settings.store)
    except OSError:
        return None


def _held(path: Path) -> bool:
    """Whether a Riposte is running on the database."""
    try:
        lock = os.open(path.with_name(path.name + ".lock"), os.O_RDONLY)
    except OSError:
        return False
    try:
        fcntl.flock(lock, fcntl.LOCK_SH | fcntl.LOCK_NB)
    except BlockingIOError:
        return True
    else:
        return False
    finally:
        os.close(lock)


def _last_seen(path: Path) -> int:
    """When Riposte last noted that it was awake, in milliseconds since 1970 UTC."""
    from storage.inspect import setting

    return int(setting(path, "riposte", "alive") or 0)


def _now() -> int:
    return time.time_ns() // 1_000_000
