"""Kills or cuts off the leader of a cluster of PostgreSQLs again and again, and looks at what people saw in the end.

Two bots, the program itself, and two processes that only write turns work on the cluster, each pair on a database of
its own. Two people play with the bots, in two matches at once, on a Discord that is a stand-in. At moments that the
seed chooses the leader is killed, its machine is cut off, it is cut off from its own kind while whoever writes to it
still reaches it, or its Patroni hangs, so that it leads on beside the next one. Later it comes back; what was held up
on the way to it and from it arrives then, or is lost. In the end every turn that was acknowledged is there once, every
post stands in its place once and in order, and no process has been taken over by another: nobody was dead.
"""

import asyncio
import json
import os
import random
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

import asyncpg

from storage.postgres.errors import DATABASE_ERRORS
from storage.seal import make_key
from tests.faults.failover import writer
from tests.faults.failover.cluster import APART, CUT, HUNG, KILLED, Cluster, cluster
from tests.faults.platforms.kills import Findings
from tests.faults.several import AT_ONCE, LONGEST, ROOT, Base, Pair, failures

HOWS: Final = (KILLED, CUT, APART, HUNG)
IN_TIME: Final = 45.0
"""Seconds within which service is back, 19 times out of 20."""
WRITERS: Final = 2


class AwayError(OSError):
    """Nobody leads."""


@dataclass(slots=True)
class Round:
    """What befell a leader, and how many seconds later there was another, and turns were made and told again."""

    how: str
    leader: float = 0.0
    back: float = 0.0
    written: float = 0.0
    """For so long nothing of what is only written was acknowledged."""
    began: float = 0.0


@dataclass(slots=True)
class Told:
    """What was found."""

    found: Findings
    rounds: list[Round]
    written: writer.Written
    stored: int = 0

    @property
    def p95(self) -> float:
        """Within so many seconds service was back, 19 times out of 20."""
        back = sorted(one.back for one in self.rounds)
        return back[-1 - len(back) // 20] if back else 0.0

    def failures(self) -> Sequence[str]:
        """Whatever does not hold, however long it took."""
        return [*failures(self.found), *self.written.broken]

    def late(self) -> bool:
        """Whether service was away for too long."""
        return self.p95 > IN_TIME


class Failover(Pair):
    """Two bots on a cluster."""

    def __init__(self, server: Base, folder: Path, at: Cluster, hows: Sequence[str], chance: random.Random):
        super().__init__(server, folder, at.url, chance)
        self.cluster = at
        self.hows = hows
        self.rounds: list[Round] = []
        self.writers: list[subprocess.Popen[bytes]] = []

    def play(self, rounds: int) -> Told:
        """Play, and have the leader be gone so many times, then let all come to rest and look."""
        try:
            while len(self.bots) < AT_ONCE:
                self._start("")
            for number in range(WRITERS):
                self._write(number)
            self._until(self._served, "nobody serves Discord", still=True)
            for number in range(rounds):
                self._until(self.cluster.whole, "the cluster is not whole")
                self._gone(self.hows[number % len(self.hows)])
                print(f"{time.strftime('%X')} {self.rounds[-1]}", file=sys.stderr, flush=True)
            for one in self.writers:
                one.kill()
                one.wait()
            self._quietly(self._rest)
            self._quietly(self._look)
            self.found.broken += [f"a bot ended with {bot.returncode}" for bot in self.bots if bot.poll() is not None]
        finally:
            for process in (*self.bots, *self.writers):
                process.kill()
                process.wait()
        return self._told()

    def _gone(self, how: str) -> None:
        """The leader is killed or cut off while people play, and comes back once there is another."""
        self._play_for(self.chance.uniform(1, 4))
        node = self.cluster.leader()
        assert node is not None
        self.found.kills[how] += 1
        one, since = Round(how, began=time.time()), time.monotonic()
        self.rounds.append(one)
        self.cluster.lose(node, how)
        self._until(lambda: self.cluster.leader() not in (None, node), f"{how}: nobody leads")
        one.leader = round(time.monotonic() - since, 1)
        before = self._quietly(self._made)
        self._until(
            lambda: all(now > then for now, then in zip(self._made(), before, strict=True)), f"{how}: no service"
        )
        one.back = round(time.monotonic() - since, 1)
        self.said = dict(self.kept)  # what was said to a bot just then may have been refused
        self._play_for(self.chance.uniform(0, 3))
        self.cluster.mend(node, how, late=self.chance.random() < 0.5)
        self._until(self._served, "nobody serves Discord")

    def _write(self, number: int) -> None:
        words = [sys.executable, "-m", "tests.faults.failover.writer", turns_of(self.url), str(self.folder)]
        with (self.folder / "log").open("ab") as told:
            one = subprocess.Popen(
                [*words, str(number), str(self.folder / f"written{number}")],
                cwd=ROOT,
                env=os.environ | {"PYTHONPATH": str(ROOT)},
                stdout=told,
                stderr=told,
            )
        self.writers.append(one)

    def _told(self) -> Told:
        told = Told(self.found, self.rounds, writer.Written())
        for number in range(WRITERS):
            told.written.read(self.folder / f"written{number}")
        told.stored, broken = self._quietly(
            lambda: asyncio.run(writer.examined(turns_of(self.url), self.folder, told.written.acknowledged.keys()))
        )
        told.written.broken += broken
        ends = [*(one.began for one in self.rounds[1:]), time.time()]
        for one, end in zip(self.rounds, ends, strict=True):
            last = max((at for at in told.written.acknowledged.values() if at <= end), default=end)
            one.written = round(told.written.longest(one.began, last), 1)
        return told

    # --- while nobody leads -------------------------------------------------------------------------------
    def _quietly(self, question: Callable[[], Any]) -> Any:
        """The answer, once somebody leads."""
        ended = time.monotonic() + LONGEST
        while True:
            try:
                return question()
            except OSError:
                if time.monotonic() > ended:
                    raise
                time.sleep(0.1)

    def _play_for(self, seconds: float) -> None:
        ended = time.monotonic() + seconds
        with suppress(AwayError):
            super()._play_for(seconds)
        time.sleep(max(0.0, ended - time.monotonic()))

    def _until(self, done: Callable[[], bool], otherwise: str, *, still: bool = False) -> None:
        def now() -> bool:
            with suppress(OSError):
                return done()
            return False

        super()._until(now, otherwise, still=still)

    def _made(self) -> tuple[int, int]:
        """How many turns there are, and posts."""
        ((turns,),) = self._ask("SELECT count(*) FROM events") or [(0,)]
        return int(turns), self._posts()

    def _ask(self, sql: str) -> list[Any]:
        try:
            return asyncio.run(self._asked(sql))
        except asyncpg.UndefinedTableError:
            return []

    async def _asked(self, sql: str) -> list[Any]:
        """What the leader that etcd names tells, past all ways; another one may think that it leads."""
        if (node := self.cluster.leader()) is None:
            raise AwayError
        try:
            async with asyncio.timeout(5):
                connection = await asyncpg.connect(self.cluster.behind(node), statement_cache_size=0)
                try:
                    if await connection.fetchval("SELECT pg_is_in_recovery()"):
                        raise AwayError
                    return [tuple(row) for row in await connection.fetch(sql)]
                finally:
                    connection.terminate()
        except asyncpg.UndefinedTableError:
            raise
        except DATABASE_ERRORS as error:
            raise AwayError from error


def turns_of(url: str) -> str:
    """The database of those who only write."""
    return url.replace("/riposte?", "/turns?")


@contextmanager
def stage() -> Iterator[tuple[Base, Path, Cluster]]:
    """A stand-in for Discord, a folder for data with its key, and a cluster; its log is shown if asked for."""
    with tempfile.TemporaryDirectory(prefix="riposte-failover-") as name:
        Path(name).chmod(0o755)
        folder, data = Path(name, "cluster"), Path(name, "data")
        for one in (folder, data):
            one.mkdir(mode=0o755)
        make_key(data / "riposte.key")
        server = Base(data)
        try:
            with cluster(folder) as made:
                asyncio.run(_databases(made))
                yield server, data, made
        finally:
            server.close()
            if kept := os.environ.get("RIPOSTE_SHOW"):
                shutil.copy(folder / "log", f"{kept}-cluster")
                shutil.copy(data / "log", f"{kept}-bots")


async def _databases(made: Cluster) -> None:
    node = made.leader()
    assert node is not None
    connection = await asyncpg.connect(made.behind(node, "postgres"))
    for name in ("riposte", "turns"):
        await connection.execute(f"CREATE DATABASE {name} TEMPLATE template0 ENCODING 'UTF8'")
    await connection.close()


def main(rounds: int, seed: int = 1, hows: Sequence[str] = ()) -> Told:
    """Play, and say what was found. What befalls the leader comes in turns, each time in another order."""
    chance = random.Random(seed)
    mixed = [how for _ in range(rounds // len(HOWS) + 1) for how in chance.sample(HOWS, len(HOWS))]
    with stage() as (server, folder, made):
        return Failover(server, folder, made, hows or mixed, chance).play(rounds)


def shown(told: Told) -> str:
    """What was found, for people and programs."""
    found = {name: getattr(told.found, name) for name in Findings.__slots__}
    found["acknowledged, of those only written"] = len(told.written.acknowledged)
    found["stored"] = told.stored
    found["seconds"] = {
        how: [(one.leader, one.back, one.written) for one in told.rounds if one.how == how] for how in HOWS
    }
    return json.dumps(found | {"p95": told.p95, "late": told.late(), "failures": told.failures()})
