"""The bot's database before it starts, with all its matches, and as it stands while the bot writes in it."""

import secrets
import sqlite3
import time
from collections.abc import Sequence
from pathlib import Path
from random import Random

from bot.messages.model import IncomingMessage, Place
from bot.messages.serialization import read_event
from bot.service.service import Service
from engine.games import GAMES
from engine.match.evolve import replay
from engine.match.state import Match
from storage import open_store
from storage.people.persons import with_names
from storage.people.words import unsaid
from storage.seal import read_key
from tests.soak.live.rooms import Room, person

PARTNERED = 20
"""One match in so many is against Riposte."""
OPPONENTS = 500
"""In how many it plays at most."""
USED = (
    "SELECT (page_count - freelist_count) * page_size FROM pragma_page_count, pragma_freelist_count, pragma_page_size"
)
TERMS = "umpire=friendly time=20d"


def now() -> int:
    return time.time_ns() // 1_000_000


async def fill(data: Path, rooms: Sequence[Room], matches: int, chance: Random) -> None:
    """So many matches under way, whose beginnings were posted."""
    data.mkdir(parents=True)
    store = await open_store(data / "riposte.db", data.with_name("data.key"))
    service = Service(store, now=now, seed=lambda: secrets.token_bytes(32), opponents=OPPONENTS)
    said = 0

    async def say(room: Room, who: str, place: str, text: str) -> None:
        nonlocal said
        said += 1
        where = Place(room.platform, place)
        message = IncomingMessage(
            f"{room.platform}:fill{said}", person(room.platform, who), where, text, now(), server=room.servers[place]
        )
        await service.receive(message)

    for number in range(1, matches + 1):
        room, game = rooms[number % len(rooms)], sorted(GAMES)[number % len(GAMES)]
        place = chance.choice([*room.servers])
        one, other = chance.sample(room.at(place), 2)
        if number % PARTNERED == 0:
            await say(room, one, place, f"play {game} level=1")
        else:
            await say(room, one, place, f"challenge @{room.platform}:{other} {game} {TERMS}")
            await say(room, other, place, f"accept {(await store.matches(limit=1))[0].match}")
        for waiting in await store.waiting(1 << 62, 100):
            await store.delivered(waiting.number, "", now())
    await store.flush()
    await store.close()


def mention(room: Room, who: str) -> str:
    """Somebody in a command, as the program reads it."""
    return who if who.startswith("@") else f"@{who}"


class Shadow:
    """What stands in the database of a bot that runs."""

    def __init__(self, data: Path):
        self._data = data
        self._db = sqlite3.connect(f"{(data / 'riposte.db').as_uri()}?mode=ro", uri=True, isolation_level=None)
        self._db.execute("PRAGMA busy_timeout = 60000")
        sealer = read_key(data.with_name("data.key"))
        assert sealer is not None
        self._sealer = sealer
        self._people: dict[int, str] = {}
        self._matches: dict[str, tuple[Match, int]] = {}

    def close(self) -> None:
        self._db.close()

    def live(self) -> list[str]:
        """The matches that are under way."""
        return [
            str(match or number)
            for number, match in self._db.execute("SELECT number, match FROM matches WHERE status = 'running'")
        ]

    def after(self, number: int) -> list[str]:
        """The matches that have begun since another."""
        sql = "SELECT number FROM matches WHERE number > ? AND game IS NOT NULL"
        return [str(found) for (found,) in self._db.execute(sql, (number,))]

    def newest(self) -> int:
        """The last match of all."""
        return int(self._db.execute("SELECT coalesce(max(number), 0) FROM matches").fetchone()[0])

    def length(self, number: str) -> int:
        """How many events a match has."""
        row = self._db.execute("SELECT length FROM matches WHERE number = ?", (int(number),)).fetchone()
        return int(row[0]) if row else 0

    def waiting(self) -> int:
        """How many posts have yet to arrive."""
        return int(self._db.execute("SELECT count(*) FROM letters WHERE done IS NULL").fetchone()[0])

    def match(self, number: str) -> Match | None:
        """A match as it stands."""
        known, length = self._matches.get(number, (None, 0))
        rows = self._db.execute(
            "SELECT matches.match, seq, body FROM events JOIN matches ON matches.number = events.match "
            "WHERE events.match = ? AND seq > ? ORDER BY seq",
            (int(number), length),
        ).fetchall()
        if rows:
            events = []
            for name, seq, body in rows:
                opened = unsaid(self._sealer.open(body, "events", name, seq))
                try:
                    events.append(read_event(with_names(opened, self._people)))
                except KeyError:
                    self._people = dict(self._db.execute("SELECT number, player FROM people"))
                    events.append(read_event(with_names(opened, self._people)))
            match = replay(events, match=known)
            assert match is not None
            self._matches[number] = match, rows[-1][1]
        return self._matches[number][0] if number in self._matches else None

    def used(self) -> int:
        """Bytes of the database that are in use."""
        return int(self._db.execute(USED).fetchone()[0])

    def events(self) -> int:
        """How many events all matches have."""
        return int(self._db.execute("SELECT sum(length) FROM matches").fetchone()[0])

    def page(self) -> int:
        """Bytes of the page's own."""
        return sum(path.stat().st_size for path in self._data.glob("web-room.db"))

    def counts(self) -> dict[str, int]:
        """How many rows each table has that is pruned."""
        sql = "SELECT (SELECT count(*) FROM heard), count(*), coalesce(sum(length(body)), 0) FROM letters"
        return dict(zip(("heard", "letters", "words"), self._db.execute(sql).fetchone(), strict=True))
