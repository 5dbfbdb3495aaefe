"""Riposte's own seat thinks in processes of their own, on the same PostgreSQL: one turn for each position, whoever is
killed or stopped meanwhile."""

import asyncio
import os
import random
import signal
import subprocess
import sys
import time
from collections.abc import AsyncIterator
from itertools import pairwise
from pathlib import Path

import pytest

from bot.messages.model import PARTNER
from bot.peers.peers import CHORES, Claims
from storage.postgres.shared import SharedStore
from tests.chat_room import MINUTE, ChatRoom
from tests.stores import Server

ROOT = Path(__file__).parents[2]
IN_TIME = 30.0
"""Seconds within which another one has answered: 15, and as much for other tests beside this one."""
DEATHS = int(os.environ.get("RIPOSTE_DEATHS", "3"))
"""How often whoever thinks is killed or stopped; more by `RIPOSTE_DEATHS`."""


class Quiet(ChatRoom):
    """A process that serves people, and leaves it to others to think."""

    async def think(self) -> list[object]:  # type: ignore[override]
        return []

    async def told(self, text: str, thread: str = "") -> None:
        self.now = time.time_ns() // 1_000_000 - MINUTE  # the others go by the real clock
        await self.say("anna", text, thread)

    async def plies(self, number: str) -> list[str]:
        """Who has made each turn of a match."""
        match = await self.service.repository.match(number)
        assert match is not None
        return [ply.by for ply in match.plies]

    async def turn(self, number: str, chance: random.Random) -> None:
        """Somebody makes any tenable turn."""
        match = await self.service.repository.match(number)
        assert match is not None
        assert match.status == "running"
        turn = chance.choice(list(match.game.turns(match.position)))
        await self.told(match.game.write(turn, match.position), number)


@pytest.fixture
async def room(postgres: Server, tmp_path: Path) -> AsyncIterator[Quiet]:
    postgres.forget()
    url = await postgres.database(tmp_path / "riposte.db")
    store = await SharedStore.open(url, tmp_path / "riposte.key", tmp_path / "riposte.erased")
    store.serves = lambda: ("web",)
    await store.take(CHORES, "")
    await store.ready(CHORES, ready=True)
    yield Quiet(store, tmp_path)
    await store.close()


async def held(room: Quiet) -> set[int]:
    """The processes of the system that think about a match just now."""
    store = room.store
    assert isinstance(store, SharedStore)
    sql = (
        "SELECT holder FROM duties JOIN leases ON leases.name = 'process ' || duties.process "
        "WHERE duties.name LIKE 'partner %'"
    )
    return {int(holder.split()[2]) for (holder,) in await store._rows(sql)}


def started(room: Quiet, url: str) -> "subprocess.Popen[bytes]":
    """`riposte partner`, as on another machine: it has the key, and no other file."""
    folder = room.folder / f"partner-{time.monotonic_ns()}"
    folder.mkdir()
    own = {
        "DATABASE": url,
        "SEVERAL": "yes",
        "KEY_FILE": str(room.folder / "riposte.key"),
        "DATA": str(folder / "data"),
    }
    kept = {name: value for name, value in os.environ.items() if not name.startswith("RIPOSTE_")}
    with (room.folder / "log").open("ab") as log:
        return subprocess.Popen(
            [sys.executable, "-m", "bot", "partner"],
            cwd=folder,
            env={**kept, **{f"RIPOSTE_{name}": value for name, value in own.items()}, "PYTHONPATH": str(ROOT)},
            stdout=log,
            stderr=log,
        )


async def until_answered(room: Quiet, number: str, seconds: float = 60) -> float:
    """Return once Riposte has answered in a match, after how many seconds."""
    began = time.monotonic()
    while True:
        match = await room.service.repository.match(number)
        assert match is not None
        if match.status == "over" or PARTNER not in {match.seats[side] for side in match.sides_to_act}:
            return time.monotonic() - began
        assert time.monotonic() - began < seconds, (room.folder / "log").read_text()
        await asyncio.sleep(0.02)


async def test_a_match_is_one_process_s_to_think_about_until_it_lets_go_or_is_gone(room: Quiet, tmp_path: Path) -> None:
    url = room.store._where.url  # type: ignore[attr-defined]
    one, other = [
        await SharedStore.open(url, tmp_path / "riposte.key", tmp_path / "riposte.erased", lasts=1) for _ in range(2)
    ]
    here, there = Claims(one), Claims(other)
    assert sum(await asyncio.gather(*(claims.take("7") for claims in (here, there) * 10))) == 10
    await asyncio.gather(here.give_up("7"), there.give_up("7"))
    assert await here.take("7")
    assert not await there.take("7")
    assert await there.take("8")
    assert one._renewal is not None
    one._renewal.cancel()  # as if it were stopped
    async with asyncio.timeout(30):
        while not await there.take("7"):
            await other.bury()
    with pytest.raises(OSError, match="others have taken over"):
        await here.take("7")
    await one.close()
    await other.close()


@pytest.mark.slow
async def test_partners_that_are_killed_and_stopped_make_one_turn_for_each_position(room: Quiet) -> None:
    """Two of them; whoever thinks is killed, or stopped until the other has answered, and then woken."""
    chance, url, deaths, slowest = random.Random(6), room.store._where.url, 0, 0.0  # type: ignore[attr-defined]
    there = [started(room, url) for _ in range(2)]
    try:
        number = 0
        while deaths < DEATHS:
            number += 1
            await room.told("play tokonoma side=white level=4")
            for _ in range(6):
                match = await room.service.repository.match(str(number))
                if deaths >= DEATHS or match is None or match.status != "running":
                    break
                await room.turn(str(number), chance)
                thinks: set[int] = set()
                while not thinks and (await room.plies(str(number)))[-1] != PARTNER:
                    thinks = await held(room)
                await asyncio.sleep(chance.uniform(0, 0.4))
                victim = next((one for one in there if one.pid in thinks), None)
                if victim is None:
                    await until_answered(room, str(number))
                    continue
                deaths += 1
                stopped = chance.random() < 0.4
                workers = Path(f"/proc/{victim.pid}/task/{victim.pid}/children").read_text().split()
                victim.send_signal(signal.SIGSTOP if stopped else signal.SIGKILL)
                slowest = max(slowest, await until_answered(room, str(number)))
                if stopped:
                    victim.send_signal(signal.SIGCONT)
                    victim.terminate()
                victim.wait(60)
                async with asyncio.timeout(30):
                    while any(Path(f"/proc/{one}").exists() for one in workers):
                        await asyncio.sleep(0.05)
                there[there.index(victim)] = started(room, url)
        for each in range(1, number + 1):
            plies = await room.plies(str(each))
            assert all(one != other for one, other in pairwise(plies)), plies
            rows = await room.store._rows(  # type: ignore[attr-defined]
                "SELECT count(*), count(DISTINCT key) FROM letters WHERE lane LIKE ?1", f"%/{each}"
            )
            assert rows[0][0] == rows[0][1]
        print(f"{deaths} killed or stopped, {number} matches, answered after {slowest:.1f} s at the latest")
        assert slowest < IN_TIME
    finally:
        for one in there:
            one.kill()
            one.wait()
