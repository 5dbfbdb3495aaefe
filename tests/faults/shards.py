"""Kills and stops bots that serve a range of Discord's shards each, and looks at what people saw in the end.

    python -m tests.faults.shards KILLS [SEED [MINUTES]]

Two bots on one PostgreSQL, each with one of two shards. People write on a server of each shard, and to the bot itself,
which the first shard alone is told of. Nobody stands by: whoever ends is started again, and has to read what was
written meanwhile. One that is only stopped is followed by another at once, which waits until its lease is over.
"""

import math
import random
import sys
from collections import Counter
from pathlib import Path

from tests.faults.platforms.kills import Findings
from tests.faults.several import Base, Pair, Taken, shown, stage

SHARDS = 2


class Sharded(Base):
    """The stand-in, with a server on each shard."""

    def __init__(self, folder: Path):
        super().__init__(folder, SHARDS)
        self.rooms: dict[int, str] = {}
        """By shard, the channel of a server there."""
        while len(self.rooms) < SHARDS:  # a server's number begins with when it was made
            made = self.ask("do/guild", name="Another club", people=["Anna", "Ben"], channels=["games too"])
            self.rooms[(int(made["id"]) >> 22) % SHARDS] = made["channels"]["games too"]


class Ranges(Pair):
    """Two bots with a shard each."""

    def __init__(self, server: Sharded, folder: Path, url: str, chance: random.Random):
        super().__init__(server, folder, url, chance)
        self.parts = tuple(f"{shard}/{SHARDS}" for shard in range(SHARDS))
        self.standin = server
        self.rooms = server.rooms
        self.said_in: Counter[str] = Counter()
        """By shard or "private", how often something was said there."""

    def _say(self, about: str, known: str, who: str, text: str) -> None:
        shard = self.chance.randrange(SHARDS)
        private = about != "new" and self.chance.random() < 0.25
        self.standin.where = f"@{who}" if private else self.rooms[shard]
        before = self.spoke.get(who)
        super()._say(about, known, who, text)
        self.said_in["private" if private else str(shard)] += self.spoke.get(who) != before


def main(kills: int, seed: int = 1, minutes: float = math.inf) -> tuple[Findings, Taken, Counter[str]]:
    """Sweep, and say what was found, and how often something was said where."""
    with stage(Sharded) as (server, folder, url):
        assert isinstance(server, Sharded)
        pair = Ranges(server, folder, url, random.Random(seed))
        return pair.run(kills, minutes), pair.taken, pair.said_in


if __name__ == "__main__":
    found, taken, said_in = main(*map(int, sys.argv[1:]))
    print(shown(found, taken), dict(said_in))
