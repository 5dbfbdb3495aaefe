"""Replaces the bots on a PostgreSQL by those of a newer version, one after the other, while people play and bots die.

    python -m tests.faults.upgrade OLD ROUNDS [SEED [NEW]]

OLD is a folder with the version that is there first, NEW the one that takes its place: this one, unless it is named.
`next` as NEW is this version with another form of the tables: a column of its letters that is added, filled in pieces
and then settled. Each round has a database of its own, and two bots of the old version. One of them is killed or
stopped and followed by a new one, which changes the tables while the other plays on; then new ones go, and the last old
one in the end. Every turn was made once then, every post stands once and in order, and the tables are the new ones.
"""

import random
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Sequence
from pathlib import Path

from storage.plan import read_migrations
from tests.faults.platforms.kills import Findings
from tests.faults.several import AT_ONCE, LONGEST, ROOT, Base, Pair, Taken, failures, shown, stage

STEPS = (
    "-- Expands\nALTER TABLE letters ADD COLUMN weight bigint;\nALTER TABLE letters ALTER COLUMN weight SET DEFAULT 1;",
    "-- Later, in pieces\nUPDATE letters SET weight = 1 WHERE number IN "
    "(SELECT number FROM letters WHERE weight IS NULL LIMIT 5)",
    "-- Later\nALTER TABLE letters ALTER COLUMN weight SET NOT NULL",
)
BETWEEN = 1
"""How many new ones go while an old one is there."""
KILLS = AT_ONCE + BETWEEN
"""In a round."""


class Upgrade(Pair):
    """Two old bots, and what comes after them."""

    def __init__(self, server: Base, folder: Path, url: str, chance: random.Random, versions: tuple[Path, Path]):
        super().__init__(server, folder, url, chance)
        self.old, self.new = versions
        self.first: list[subprocess.Popen[bytes]] = []
        """The old ones."""
        self.gone = 0

    def _version(self) -> Path:
        return self.old if self.started < AT_ONCE else self.new

    def _start(self, part: str) -> None:
        super()._start(part)
        if self.started <= AT_ONCE:
            self.first.append(self.bots[-1])

    def _victim(self, bots: Sequence["subprocess.Popen[bytes]"]) -> "subprocess.Popen[bytes]":
        self.gone += 1
        old = self.gone == 1 or self.gone > BETWEEN + 1
        return super()._victim([bot for bot in bots if (bot in self.first) == old] or bots)

    def _rest(self) -> None:
        """Until nothing waits any more, and the tables have changed."""
        newest = len(read_migrations(self.new / "storage/postgres/migrations"))
        self._until(lambda: self._form() == newest, f"the tables are of form {self._form()}, not {newest}")
        super()._rest()

    def _form(self) -> int:
        ((count,),) = self._ask("SELECT count(*) FROM migrations")
        return int(count)


def following(folder: Path) -> Path:
    """This version with another form of its tables, put into a folder."""
    for name in ("bot", "engine", "render", "tests"):
        (folder / name).symlink_to(ROOT / name)
    shutil.copytree(ROOT / "storage", folder / "storage", ignore=shutil.ignore_patterns("__pycache__"))
    migrations = folder / "storage/postgres/migrations"
    first = len(read_migrations(migrations)) + 1
    for number, sql in enumerate(STEPS, first):
        (migrations / f"{number:04}_next.sql").write_text(sql)
    return folder


def main(old: Path, rounds: int, seed: int = 1, new: str = "") -> tuple[list[Findings], list[Taken]]:
    """Upgrade again and again, and say what was found."""
    found: list[Findings] = []
    taken: list[Taken] = []
    with tempfile.TemporaryDirectory(prefix="riposte-next-") as name:
        newer = following(Path(name)) if new == "next" else Path(new or ROOT)
        for number in range(seed, seed + rounds):
            with stage() as (server, folder, url):
                pair = Upgrade(server, folder, url, random.Random(number), (old, newer))
                found.append(pair.run(KILLS, LONGEST))
                taken.append(pair.taken)
            print(shown(found[-1], taken[-1]), flush=True)
    return found, taken


if __name__ == "__main__":
    where, count, first, version, *_ = *sys.argv[1:], *("1", "")[len(sys.argv) - 3 :]
    results, _taken = main(Path(where).resolve(), int(count), int(first), version)
    sys.exit(any(map(failures, results)))
