"""Kills and stops one of two bots on the same PostgreSQL, again and again, and looks at what people saw in the end.

    [RIPOSTE_OTHER=FOLDER] python -m tests.faults.several 60 [SEED [MINUTES]]

Both are the program itself, with RIPOSTE_SEVERAL, a PostgreSQL of their own and a Discord that is a stand-in, and
lives on. Two people play, in two matches at once. Half of the times a bot is killed, half of the times stopped until
the other has taken over, and then woken: it has to notice, write nothing and end. Whoever ends is started again. In the
end every turn that was said was made once, and every post stands in its place once and in order. Where a folder holds
another version, every other bot that is started is of that one: old and new run side by side, as in an upgrade.
"""

import asyncio
import json
import math
import os
import random
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import asyncpg

from bot.runtime.rate_limit import MESSAGES
from storage.seal import make_key
from tests.faults.platforms.kills import Findings, Sweep
from tests.faults.platforms.servers import Discord
from tests.stores import served, url_of

ROOT = Path(__file__).parents[2]
VERSIONS = [ROOT, *map(Path, filter(None, [os.environ.get("RIPOSTE_OTHER")]))]
"""The folders of the bots, in turn."""
KILLED, STOPPED = "killed", "stopped"
IN_TIME = 15.0
"""Seconds within which another process does what one did that is gone."""
LONGEST = 120.0
"""Seconds for which one waits for anything."""
AT_ONCE = 2
"""Bots."""
BREATH, TURNS = 1.2 * 60 / MESSAGES, 30
"""Seconds between two things that one person says, and turns of a match before somebody resigns.

Whoever asks for more in a minute than Riposte takes is not heard for a while: that looks like something lost.
"""
ASIDES = ("your message waits", "your message takes Riposte longer")
"""What is said to whoever waits, past the outbox."""
STALE = 1
"""How a bot ends that has been taken over."""


@dataclass(slots=True)
class Taken:
    """How long it took until the work of one that was gone was done again: by how, in seconds."""

    seconds: dict[str, list[float]] = field(default_factory=lambda: {KILLED: [], STOPPED: []})
    late: list[str] = field(default_factory=list)
    asides: int = 0
    """How often somebody was told that their message waits, as by a bot that has only just begun."""


class Pair(Sweep):
    """Two bots, one server of each kind, and the two people."""

    def __init__(self, server: "Base", folder: Path, url: str, chance: random.Random):
        super().__init__(server, folder, chance)
        self.base = server.base
        self.url = url
        self.bots: list[subprocess.Popen[bytes]] = []
        self.taken = Taken()
        self.turns = TURNS
        self.started = 0
        self.spoke: dict[str, float] = {}
        """When each of the people said something last."""
        self.parts: tuple[str, ...] = ("",)
        """The parts of Discord that are served."""
        self.part_of: dict[int, str] = {}
        """By the number of the system's process."""

    def run(self, kills: int, minutes: float) -> Findings:
        """Play and kill, for so many minutes at most, then let the bots finish and look."""
        ended = time.monotonic() + minutes * 60
        try:
            while len(self.bots) < AT_ONCE:
                self._start(self.parts[len(self.bots) % len(self.parts)])
            self._until(self._served, "nobody serves Discord", still=True)
            while self.found.kills.total() < kills and time.monotonic() < ended:
                self._one()
                print(
                    f"{time.strftime('%X')} {dict(self.found.kills)} {self.taken.seconds}", file=sys.stderr, flush=True
                )
            self._rest()
            self._look()
        finally:
            for bot in self.bots:
                bot.kill()
                bot.wait()
        return self.found

    def _one(self) -> None:
        """One of the bots is killed, or stopped and woken again, while people play."""
        self._until(lambda: {bot.pid for bot in self.bots} <= self._there(), "a bot does not begin")
        self._until(self._served, "nobody serves Discord")
        self._play_for(self.chance.uniform(0.2, 3))
        how = self.chance.choice((KILLED, STOPPED))
        holders = self._holders().values()
        victim = self._victim([*self.bots, *(bot for bot in self.bots if bot.pid in holders)])
        held = victim.pid in holders
        self.found.kills[f"{how}, {'with' if held else 'without'} the platform"] += 1
        victim.send_signal(signal.SIGKILL if how == KILLED else signal.SIGSTOP)
        since, posts = time.monotonic(), self._posts()
        alone = list(self.part_of.values()).count(self.part_of[victim.pid]) == 1
        if how == KILLED:
            self._restart(victim)
        elif alone:  # nobody stands by: whoever looks after the processes starts another one
            self._start(self.part_of[victim.pid])
        try:
            self._until(lambda: self._served(but=victim.pid), f"{how}: nobody takes over")
            self.said = dict(self.kept)  # what was said to a bot that was not there is said again
            self._until(lambda: self._posts() > posts, f"{how}: no more posts")
            if held:
                self.taken.seconds[how].append(round(time.monotonic() - since, 1))
                if time.monotonic() - since > IN_TIME:
                    self.taken.late.append(f"{how}: {self.taken.seconds[how][-1]} s")
            if how == STOPPED:
                self._until(lambda: victim.pid not in self._there(), "a silent bot is still thought to be there")
        finally:
            if how == STOPPED:
                victim.send_signal(signal.SIGCONT)
                self._restart(victim, STALE, again=not alone)

    def _victim(self, bots: Sequence["subprocess.Popen[bytes]"]) -> "subprocess.Popen[bytes]":
        """Which one is to go; whoever has the platform is among them twice."""
        return self.chance.choice(bots)

    def _version(self) -> Path:
        """The folder of the next one that is started."""
        return VERSIONS[self.started % len(VERSIONS)]

    def _restart(self, bot: "subprocess.Popen[bytes]", status: int | None = None, *, again: bool = True) -> None:
        """Start another one in place of one that ends."""
        with suppress(subprocess.TimeoutExpired):
            bot.wait(LONGEST)
        if status is not None and bot.returncode != status:
            self.found.broken.append(f"a bot that was taken over ended with {bot.returncode}")
        bot.kill()
        self.bots.remove(bot)
        part = self.part_of.pop(bot.pid)
        if again:
            self._start(part)

    def _start(self, part: str) -> None:
        words = [sys.executable, "-m", "tests.faults.several", "bot", self.base, self.url, str(self.folder)]
        words += [part] if part else []
        version = self._version()
        self.started += 1
        with (self.folder / "log").open("ab") as told:
            environment = os.environ | {"PYTHONPATH": str(version)}
            self.bots.append(subprocess.Popen(words, cwd=version, env=environment, stdout=told, stderr=told))
        self.part_of[self.bots[-1].pid] = part

    def _look(self) -> None:
        super()._look()
        asides = [one for one in self.found.twice if any(words in one for words in ASIDES)]
        self.taken.asides = len(asides)
        self.found.twice = [one for one in self.found.twice if one not in asides]

    # --- people -------------------------------------------------------------------------------------------
    def _play_for(self, seconds: float) -> None:
        ended = time.monotonic() + seconds
        while time.monotonic() < ended:
            self._play()
            time.sleep(0.02)

    def _say(self, about: str, known: str, who: str, text: str) -> None:
        if time.monotonic() >= self.spoke.get(who, 0.0) + BREATH:
            self.spoke[who] = time.monotonic()
            super()._say(about, known, who, text)

    def _until(self, done: Callable[[], bool], otherwise: str, *, still: bool = False) -> None:
        """People play until something is so, unless they are to be `still`."""
        ended = time.monotonic() + LONGEST
        while not done():
            if time.monotonic() > ended:
                self.found.broken.append(otherwise)
                return
            self._play_for(0.0 if still else 0.1)

    # --- the database, read from outside ------------------------------------------------------------------
    def _holders(self) -> dict[str, int]:
        """Who has read all of each part of Discord, by the number of the system's process."""
        rows = self._ask(
            "SELECT duties.name, holder FROM duties JOIN leases ON leases.name = 'process ' || duties.process "
            "WHERE platform = 'discord' AND ready = 1"
        )
        return {name.partition(" ")[2]: int(holder.split()[2]) for name, holder in rows}

    def _served(self, but: int = 0) -> bool:
        """Whether each part of Discord is served, by others `but` this one."""
        holders = self._holders()
        return holders.keys() >= {*self.parts} and but not in holders.values()

    def _there(self) -> set[int]:
        return {int(holder.split()[2]) for (holder,) in self._ask("SELECT holder FROM leases") if holder}

    def _posts(self) -> int:
        ((count,),) = self._ask("SELECT count(*) FROM letters WHERE done IS NOT NULL") or [(0,)]
        return int(count)

    def _ask(self, sql: str) -> list[Any]:
        async def asked() -> list[Any]:
            connection = await asyncpg.connect(self.url)
            try:
                return [tuple(row) for row in await connection.fetch(sql)]
            finally:
                await connection.close()

        try:
            return asyncio.run(asked())
        except asyncpg.UndefinedTableError:  # killed before its tables were made
            return []


class Base(Discord):
    """The stand-in, and where it is."""

    @property
    def base(self) -> str:
        return self._base


@contextmanager
def stage(make: "Callable[[Path], Base] | None" = None) -> Iterator[tuple["Base", Path, str]]:
    """A stand-in for Discord, a folder for data with its key, and a PostgreSQL; the bots' log is shown if asked for."""
    with tempfile.TemporaryDirectory(prefix="riposte-several-") as name:
        cluster, folder = Path(name, "cluster"), Path(name, "data")
        Path(name).chmod(0o755)
        cluster.mkdir()
        folder.mkdir()
        make_key(folder / "riposte.key")
        with served(cluster, "fsync=on"):
            server = (make or Base)(folder)
            try:
                yield server, folder, url_of(cluster)
            finally:
                server.close()
                if os.environ.get("RIPOSTE_SHOW"):
                    print((folder / "log").read_text(), file=sys.stderr)


def main(kills: int, seed: int = 1, minutes: float = math.inf) -> tuple[Findings, Taken]:
    """Sweep, and say what was found."""
    with stage() as (server, folder, url):
        pair = Pair(server, folder, url, random.Random(seed))
        return pair.run(kills, minutes), pair.taken


def be_a_bot(base: str, url: str, folder: str, part: str = "") -> int:
    """Run the program as its settings say, but for where Discord is."""
    import discord
    import yarl
    from discord.gateway import DiscordWebSocket

    from bot import app
    from bot.settings import Settings

    discord.http.Route.BASE = f"{base}/api/v10"
    DiscordWebSocket.DEFAULT_GATEWAY = yarl.URL(f"{base.replace('http', 'ws')}/gw")
    words: dict[str, Any] = {"discord_token": "stand-in.token", "web": "no", "partner_cores": 0, "discord_shards": part}
    return app.run(
        Settings(several=True, database=url, data=Path(folder), key_file=Path(folder, "riposte.key"), **words)
    )


def shown(found: Findings, taken: Taken) -> str:
    """What was found, for people and programs."""
    told = {name: getattr(found, name) for name in Findings.__slots__}
    told["taken over"] = {
        how: {"times": len(all_), "longest": max(all_, default=0.0)} for how, all_ in taken.seconds.items()
    }
    return json.dumps(
        told | {"late": taken.late, "asides": taken.asides, "failures": len([*failures(found), *taken.late])}
    )


def failures(found: Findings) -> Sequence[str]:
    """Whatever does not hold, however long it took."""
    return [*found.lost, *found.twice, *found.order, *found.thinking, *found.broken]


if __name__ == "__main__":
    if sys.argv[1] == "bot":
        sys.exit(be_a_bot(*sys.argv[2:]))
    print(shown(*main(*map(int, sys.argv[1:]))))
