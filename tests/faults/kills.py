"""Kills the bot at its write points and looks at what is left each time.

A process of its own, because it forks: no thread and no loop runs in it then, only in its children. For each step of
a story and each point in it the bot is killed there, started again, every other time killed once more while it
recovers, and left to finish; then the database and the wall must be exactly what they are when nobody is killed, and
the history must hold. A long sweep goes through more stories, and through all again with other second deaths.
"""

import asyncio
import gc
import json
import os
import random
import re
import shutil
import signal
import sqlite3
import subprocess
import sys
import tempfile
import threading
import time
import traceback
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from storage.sqlite import schema
from tests.faults.bot import DATABASE, Plug, live, read_wall
from tests.faults.history import broken
from tests.faults.stories import MORE, STORIES, Step, steps

HOUSE = Path(__file__).parents[2]
HANGING = 60
"""Seconds after which a bot that does not come to rest has been torn."""
LOOKED_AT = {
    "matches": "SELECT * FROM matches ORDER BY number",
    "events": "SELECT * FROM events ORDER BY match, seq",
    "seats": "SELECT * FROM seats ORDER BY player, match",
    "homes": "SELECT * FROM homes ORDER BY place, match",
    "alarms": "SELECT * FROM alarms ORDER BY match, kind, at",
    "arrivals": "SELECT id, body FROM arrivals ORDER BY number",
    "heard": "SELECT * FROM heard ORDER BY id",
    "settings": "SELECT * FROM settings ORDER BY owner, key",
    "letters": "SELECT key, lane, body, attempts, done, remote, why FROM letters ORDER BY lane, number",
    "the file": "PRAGMA integrity_check",
    "references": "PRAGMA foreign_key_check",
    "migrations": "SELECT * FROM migrations ORDER BY number",
}


@dataclass(slots=True)
class Findings:
    """What the sweep has seen; each fault with the case that shows it again."""

    cases: int = 0
    kills: int = 0
    survived: int = 0
    """Children that were done before they came to the point at which they were to die."""
    points: Counter[str] = field(default_factory=Counter)
    """Where they died."""
    lost: list[str] = field(default_factory=list)
    twice: list[str] = field(default_factory=list)
    torn: list[str] = field(default_factory=list)


def swept(kills: int, seed: int = 0, processes: int = 2, stories: tuple[str, ...] = (), *, every: int = 1) -> Findings:
    """So many kills at least, each process going through its share of the points; 0 = `every` n-th point once."""
    shards = [
        subprocess.Popen(
            [
                sys.executable,
                "-m",
                "tests.faults",
                "shard",
                *map(str, (shard, processes * every, kills, seed)),
                *stories,
            ],
            cwd=HOUSE,
            env=os.environ | {"PYTHONPATH": str(HOUSE)},
            stdout=subprocess.PIPE,
            text=True,
        )
        for shard in range(processes)
    ]
    found = Findings()
    for shard in shards:
        told = json.loads(shard.communicate()[0] or "{}")
        assert shard.returncode == 0, "a sweep goes on whatever it finds"
        for name in Findings.__slots__:
            value = getattr(found, name)
            setattr(found, name, value + (Counter(told[name]) if isinstance(value, Counter) else told[name]))
    return found


def sweep(shard: int, shards: int, kills: int, seed: int, stories: tuple[str, ...] = ()) -> Findings:
    """One process' share."""
    findings = Findings()
    named = stories or (STORIES if kills == 0 else (*STORIES, *MORE))
    with folder(named) as home:
        turn = seed
        while True:
            for story in named:
                _through(home / story, story, findings, shard, shards, turn)
                shutil.rmtree(home / story)
                if kills and findings.kills * shards >= kills:
                    return findings
            if not kills:
                return findings
            turn += 1


@contextmanager
def folder(stories: tuple[str, ...]) -> Iterator[Path]:
    """Somewhere in memory; all has been lived through once, so that no child has to load and compile it again."""
    ram = Path("/dev/shm")
    with tempfile.TemporaryDirectory(dir=ram if os.access(ram, os.W_OK) else None) as name:
        for story in stories:
            home = Path(name) / "warm" / story
            home.mkdir(parents=True)
            for step in steps(story):
                asyncio.run(live(home, step, Plug(0, home)))
        while threading.active_count() > 1:  # the last connection's thread is on its way out
            time.sleep(0.001)
        gc.collect()
        gc.freeze()
        yield Path(name)


def _through(home: Path, story: str, findings: Findings, shard: int, shards: int, turn: int) -> None:
    """Every step of a story: once in peace, then killed at each of its points that are this shard's."""
    chance = random.Random(f"{story} {shard} {turn}")
    before, after, trial = home / "before", home / "after", home / "trial"
    before.mkdir(parents=True)
    for step in steps(story):
        points = _in_peace(before, after, step)
        for point in range(1 + (step.number + shard) % shards, points + 1, shards):
            again = chance.randint(1, points) if (point // shards + turn) % 2 else 0
            _killed(before, after, trial, step, (point, again), story, findings)
        shutil.rmtree(before)
        after.rename(before)


def once(case: str) -> Findings:
    """One case again: `story/step/point/second point`."""
    story, number, point, again = case.split("/")
    findings = Findings()
    with folder((story,)) as home:
        before, after, trial = home / "before", home / "after", home / "trial"
        before.mkdir()
        for step in steps(story)[: int(number) + 1]:
            _in_peace(before, after, step)
            if step.number < int(number):
                shutil.rmtree(before)
                after.rename(before)
        _killed(before, after, trial, step, (int(point), int(again)), story, findings)
    return findings


def _in_peace(before: Path, after: Path, step: Step) -> int:
    """The step when nobody is killed. Returns how many points it has."""
    shutil.copytree(before, after)
    assert start(after, step, 0) == 0, "a story runs through when nobody is killed"
    return int((after / "points").read_text())


def _killed(
    before: Path, after: Path, trial: Path, step: Step, points: tuple[int, int], story: str, findings: Findings
) -> None:
    """The step with the bot killed at one point, perhaps at a second one, and left to finish."""
    shutil.copytree(before, trial)
    findings.cases += 1
    case = f"{story}/{step.number}/{points[0]}/{points[1]}"
    for at in (*filter(None, points), 0):
        status = start(trial, step, at)
        if os.WIFSIGNALED(status) and os.WTERMSIG(status) == signal.SIGKILL:
            findings.kills += 1
            findings.points[kind((trial / "killed").read_text())] += 1
        elif status:
            findings.torn.append(f"{case}: it cannot go on")
        elif at:
            findings.survived += 1
    compare(look(trial), look(after), case, findings)
    if step.schema == schema.migrations():  # of a newer one this program knows nothing
        findings.lost += [f"{case}: {fault}" for fault in broken(trial)]
    shutil.rmtree(trial)


def compare(found: dict[str, Any], expected: dict[str, Any], case: str, findings: Findings) -> None:
    """Sort what differs into lost, twice and torn."""
    for part, rows in expected.items():
        if found[part] == rows:
            continue
        here, there = Counter(map(str, found[part])), Counter(map(str, rows))
        if missing := there - here:
            findings.lost.append(f"{case}: {part} lacks {list(missing)[:2]}")
        if extra := here - there:
            findings.twice.append(f"{case}: {part} has besides {list(extra)[:2]}")
        if not missing and not extra:
            findings.torn.append(f"{case}: {part} is in another order")


def look(folder: Path) -> dict[str, Any]:
    """All that counts of a database and a wall; messages and posts each place's in order."""
    db = sqlite3.connect(folder / DATABASE)
    seen: dict[str, Any] = {name: db.execute(question).fetchall() for name, question in LOOKED_AT.items()}
    db.close()
    for kept in sorted(folder.glob(f"{DATABASE}.before-*")):
        db = sqlite3.connect(kept)
        seen[kept.name] = db.execute(LOOKED_AT["events"]).fetchall()
        db.close()
    seen["posts"] = sorted(read_wall(folder / "wall"), key=lambda post: post[0])  # stable: each place in its order
    return seen


def start(folder: Path, step: Step, at: int) -> int:
    """The bot runs in a child until the step is done or it is killed; how that ended."""
    child = os.fork()
    if child:
        return os.waitpid(child, 0)[1]
    try:
        signal.alarm(HANGING)
        plug = Plug(at, folder / "killed")
        plug.watch_files(folder)
        asyncio.run(live(folder, step, plug))
        assert plug.writers == [str(folder / DATABASE)], "one connection writes, and it is watched"
        (folder / "points").write_text(str(plug.count))
    except BaseException:
        traceback.print_exc()
        os._exit(1)
    os._exit(0)


def kind(point: str) -> str:
    """A write point by its first words: `INSERT INTO events`."""
    words = re.sub(r"--.*|'.*", "", point).replace("(", " ").split()
    return " ".join(words[:3])
