"""Riposte on Matrix is killed, over and over, in the worst moments and in any: every turn is told once, in order."""

import asyncio
import os
import re
import signal
import subprocess
import sys
from asyncio import create_subprocess_exec
from asyncio.subprocess import Process
from contextlib import suppress
from itertools import count, cycle
from pathlib import Path
from random import Random

import pytest

from tests.adapters.matrix_room import Bot, Enter, challenged, club
from tests.adapters.test_matrix_faults import TURNS, turns_told
from tests.synapse.player import Player
from tests.synapse.server import Homeserver

KILLS = int(os.environ.get("RIPOSTE_KILLS", "1"))
"""How often; a long run says more."""
NUMBERS = count(1)

pytestmark = pytest.mark.slow


async def started(folder: Path, server: Homeserver, user: str, last: str = "") -> Process:
    """A Riposte that runs, and dies when it has delivered these words."""
    command = (
        sys.executable,
        "-m",
        "tests.adapters.matrix_program",
        str(folder),
        server.address,
        user,
        last,
    )
    process = await create_subprocess_exec(*command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL)
    assert process.stdout is not None
    while b"started" not in (line := await process.stdout.readline()):
        assert line, "it did not start"
    return process


async def table(server: Homeserver, people: Enter, folder: Path, encrypted: bool) -> tuple[str, Player, Player, str]:
    """Two people in a room with a bot that has been stopped again; the bot's id."""
    bot = await Bot.enter(server, folder, f"riposte-mortal-{next(NUMBERS)}-{os.getpid()}")
    anna, ben = await people("anna"), await people("ben")
    room = await club(bot, anna, ben, encrypted=encrypted)
    await bot.stop()
    return room, anna, ben, bot.user


async def begun(room: str, anna: Player, ben: Player, user: str) -> str:
    """The thread of a match that a bot in another process has begun."""
    stand_in = Bot("", Path(), user)
    return (await challenged(stand_in, room, anna, ben, "tokonoma side=white"))[0]


@pytest.mark.parametrize("encrypted", [False, True])
async def test_no_turn_is_told_twice_by_a_bot_that_dies_before_it_notes_that_it_told_it(
    synapse: Homeserver, people: Enter, tmp_path: Path, encrypted: bool
) -> None:
    room, anna, ben, user = await table(synapse, people, tmp_path, encrypted)
    living = await started(tmp_path, synapse, user)
    thread = await begun(room, anna, ben, user)
    living.kill()
    await living.wait()
    for told, (turn, mover) in enumerate(zip(TURNS[:KILLS], cycle((anna, ben)), strict=False), start=1):
        living = await started(tmp_path, synapse, user, f"Turn {told}")
        await mover.say(room, turn, thread=thread)
        assert await living.wait() == -signal.SIGKILL
        await anna.see(room, f"Turn {told} ·")
    living = await started(tmp_path, synapse, user)
    await (anna if KILLS % 2 == 0 else ben).say(room, TURNS[KILLS], thread=thread)
    await anna.see(room, f"Turn {KILLS + 1} ·")
    await anna.see(room, lambda seen: seen.picture, count=KILLS + 2)
    living.kill()
    await living.wait()
    assert turns_told(anna, room) == list(range(1, KILLS + 2))
    assert len([seen for seen in anna.read(room) if seen.picture]) == KILLS + 2, "of the start, and of each turn"


@pytest.mark.parametrize("encrypted", [False, True])
async def test_no_turn_is_lost_or_told_twice_by_a_bot_that_is_killed_at_any_moment(
    synapse: Homeserver, people: Enter, tmp_path: Path, encrypted: bool
) -> None:
    room, anna, ben, user = await table(synapse, people, tmp_path, encrypted)
    luck = Random(5)
    living = await started(tmp_path, synapse, user)
    thread = await begun(room, anna, ben, user)
    made = 0
    movers = cycle((anna, ben))
    for _ in range(KILLS):
        for _ in range(luck.randrange(1, 3)):
            made += 1
            await next(movers).say(room, TURNS[made - 1], thread=thread)
        # As many milliseconds as a turn takes to be told, and a few more or less.
        with suppress(TimeoutError):
            await asyncio.wait_for(living.wait(), luck.random() * 0.3)
        living.kill()
        await living.wait()
        living = await started(tmp_path, synapse, user)
        if made > 40:
            break
    await anna.see(room, f"Turn {made} ·")
    living.kill()
    await living.wait()
    assert turns_told(anna, room) == list(range(1, made + 1))
    openings = [seen for seen in anna.read(room, thread="") if re.match(r"Match \d+ · Tokonoma has begun", seen.text)]
    assert len(openings) == 1
