"""Kills the bot while it talks to a real server, again and again, and looks at what people saw in the end.

    python -m tests.faults.platforms discord|matrix|encrypted 600 [SEED [MINUTES]]

The server lives on in a process of its own while the bot, a fork of this one, is killed: half of the times just
after the server has accepted a post and before the bot could write that down, half at any moment at all. Now and then
hours pass in between, so that the server has forgotten which keys it knows. Two people play on meanwhile, in two
matches at once: by commands that stand in the channel until they are read, and where the bot is there also by slash
commands. In the end every turn they said was made once, every post stands in its place once and in order, and nobody
sees "thinking …" whom a bot that was back in time could have answered.
"""

import asyncio
import gc
import math
import os
import random
import re
import signal
import sqlite3
import sys
import tempfile
import threading
import time
import traceback
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, NoReturn, TypeAlias

from bot.messages.model import Adapter, OutgoingMessage, Picture, Receive
from bot.messages.serialization import read_event, read_message
from bot.messages.showing.pictures import diagram, picture
from bot.runtime.outbox import OutboxRelay
from bot.service.service import Service
from engine.dice import Dice
from engine.games import GAMES
from engine.match.evolve import replay
from engine.match.state import Match
from render.painter import paint
from storage.people.persons import with_names
from storage.people.words import unsaid
from storage.seal import Sealer, read_key
from storage.sqlite.store import SqliteStore
from storage.store import Change, Outgoing
from tests.faults.platforms.servers import APART, CALM, SEALED, SERVERS, Server

Heard: TypeAlias = Callable[[Receive], Receive]

MATCHES = 2
HOURS = 13
"""How long pass now and then between two lives of the bot."""
HANDED, SOMEWHERE = "accepted, not yet marked", "at any moment"
"""How the bot dies."""
SHORT, LONGEST = 1.0, 20.0
"""Seconds that the bot lives at most: when it is to be killed at any moment, and when it is to die after some posts."""
AHEAD = 6
"""Posts that may be under way before people wait for them."""


IN_TIME = 14 * 60.0
"""Seconds for which Discord lets an interaction be answered, and a little less."""

TURNS = 12
"""After so many somebody resigns."""

OPENING = re.compile(r"Match \d+.{0,20} has begun")
"""What a thread hangs from; it has no letter of its own."""


@dataclass(slots=True)
class Findings:
    """What the sweep has seen."""

    kills: Counter[str] = field(default_factory=Counter)
    turns: int = 0
    posts: int = 0
    lost: list[str] = field(default_factory=list)
    twice: list[str] = field(default_factory=list)
    order: list[str] = field(default_factory=list)
    thinking: list[str] = field(default_factory=list)
    """Interactions that were left open though the bot was back in time."""
    written: int = 0
    """Commands that stood in the channel until the bot read them."""
    broken: list[str] = field(default_factory=list)


@dataclass(slots=True)
class Sweep:
    """One bot, one server, and the two people."""

    server: Server
    folder: Path
    chance: random.Random
    found: Findings = field(default_factory=Findings)
    offset: int = 0
    """How much later it is by the bot's clock than by ours, in milliseconds."""
    said: dict[str, str] = field(default_factory=dict)
    """By match: what was said last and is not known to have been dealt with."""
    kept: dict[str, str] = field(default_factory=dict)
    """The same, of what was written: that need not be said again."""
    turns: int = TURNS
    excused: set[str] = field(default_factory=set)
    """Interactions after which the bot was away for too long."""

    def run(self, kills: int, minutes: float) -> Findings:
        """Play and kill, for so many minutes at most, then let the bot finish and look."""
        ended = time.monotonic() + minutes * 60
        self._live(after=-1)
        while min(self.found.kills[how] for how in (HANDED, SOMEWHERE)) * 2 < kills and time.monotonic() < ended:
            if self.chance.random() < 0.1:
                self.excused |= self.server.thinking().keys()
                self.server.later(HOURS * 3600)
                self.offset += HOURS * 3_600_000
            handing = self.found.kills[HANDED] <= self.found.kills[SOMEWHERE]
            self._live(after=self.chance.randint(1, 3) if handing else 0)
            print(f"{time.strftime('%X')} {dict(self.found.kills)}", file=sys.stderr, flush=True)
        self._live(after=-1)
        self._look()
        return self.found

    # --- one life ---------------------------------------------------------------------------------------------
    def _live(self, after: int) -> None:
        """The bot runs while people play; it ends after so many posts, at any moment (0), or when all is done (-1)."""
        child = os.fork()
        if not child:
            be_the_bot(self.server, self.folder, after, self.offset)
        status = 0
        try:
            self.said = dict(self.kept)
            if after == -1:
                self._rest()
                return
            ended = time.monotonic() + (LONGEST if after else self.chance.uniform(0, SHORT))
            while time.monotonic() < ended and not (status := os.waitpid(child, os.WNOHANG)[1]):
                self._play()
                time.sleep(0.01)
        finally:
            if not status:
                os.kill(child, signal.SIGKILL)
                os.waitpid(child, 0)
        if status and os.WIFSIGNALED(status):
            self.found.kills[HANDED] += 1
        elif status:
            self.found.broken.append(f"the bot ended by itself with status {status}")
        else:
            self.found.kills[SOMEWHERE] += 1

    def _play(self) -> None:
        """Whoever is to act says a turn; a match that is over is followed by the next. Nobody runs far ahead."""
        ((waiting,),) = self._ask("SELECT count(*) FROM letters WHERE done IS NULL") or [(0,)]
        if waiting > AHEAD:
            return
        matches = self._matches()
        live = [match for match in matches if match.status in ("open", "running")]
        for match in live:
            doing = self._next(match)
            known = _stage(match)
            if self.said.get(match.id) != known:
                self._say(match.id, known, *doing)
        if len(live) < MATCHES and self.said.get("new") != str(len(matches)):
            self._say("new", str(len(matches)), "Anna", "challenge @Ben tokonoma side=white umpire=turn")

    def _say(self, about: str, known: str, who: str, text: str) -> None:
        written = self.server.keeps or self.chance.random() < 0.6
        if self.server.say(who, text, written=written):
            self.said[about] = known
            self.found.written += written
            if written:
                self.kept[about] = known

    def _next(self, match: Match) -> tuple[str, str]:
        if match.status == "open":
            return "Ben", f"accept {match.id}"
        side = match.game.to_act(match.position)
        who = "Anna" if side == match.game.sides[0] else "Ben"
        if match.ending is not None or match.turns_made >= self.turns:
            return who, f"resign {match.id} yes"
        turns = sorted(match.game.write(turn, match.position) for turn in match.game.turns(match.position))
        return who, f"move {match.id} {turns[match.length * 7 % len(turns)]}"

    def _rest(self) -> None:
        """Until nothing waits any more."""
        ended = time.monotonic() + CALM
        waiting: Any = None
        unheard: Any = None
        while time.monotonic() < ended:
            time.sleep(0.1)
            if read_key(self.folder / "riposte.key") is None:  # a busy machine: the bot has not begun
                continue
            waiting = self._ask(
                "SELECT (SELECT count(*) FROM letters WHERE done IS NULL), (SELECT count(*) FROM arrivals)"
            )
            open_ = [one for one, age in self.server.thinking().items() if age < IN_TIME and one not in self.excused]
            unheard = open_ or self._unheard(self._matches())
            if waiting == [(0, 0)] and self.server.settled() and not unheard:
                return
        self.found.broken.append(f"the bot does not come to rest: {waiting}, {unheard}")

    # --- in the end -------------------------------------------------------------------------------------------
    def _look(self) -> None:
        """Every letter stands once in its place, in the order in which it was written, and nothing else does."""
        found = self.found
        matches = self._matches()
        found.turns = sum(match.turns_made for match in matches)
        begun = [match for match in matches if match.seats]
        found.lost += self._unheard(matches)
        found.thinking += sorted(self.server.thinking().keys() - self.excused)
        remotes: dict[str, list[str]] = {}
        whispered: set[str] = set()
        sealer = self._sealer()
        pictures: set[str] = set()
        letters = self._ask("SELECT key, lane, remote, why, body FROM letters ORDER BY number")
        for key, lane, remote, why, body in letters:
            found.posts += 1
            message = read_message(sealer.open(body, "letters", key))
            if why is not None:
                found.lost.append(f"given up in {lane}: {why}: {message.lines}")
            elif message.only is None:
                remotes.setdefault(lane, []).append(remote)
                if message.picture is not None:
                    pictures.add(key)
            else:  # in a direct message, or as an answer that only its reader sees
                whispered.add(remote)
        lanes = {remote: lane for lane, ids in remotes.items() for remote in ids}
        for place, messages in self.server.seen().items():
            there = [remote for remote, _ in messages if remote in lanes]
            for lane in {lanes[remote] for remote in there}:
                mine = [remote for remote in there if lanes[remote] == lane]
                found.lost += [f"{lane}: {remote} is not in {place}" for remote in remotes[lane] if remote not in mine]
                if mine != [remote for remote in remotes[lane] if remote in mine]:
                    found.order.append(f"{lane}: {mine} and not {remotes[lane]}")
                remotes[lane] = []
            found.twice += [f"{place}: {remote} {n} times" for remote, n in Counter(there).items() if n > 1]
            others = [words for remote, words in messages if remote not in lanes and remote not in whispered]
            openings = Counter(match[0] for words in others if (match := OPENING.search(words)))
            found.twice += [f"{place}: {words!r} {n} times" for words, n in openings.items() if n > 1]
            apart = Counter(words.removeprefix(APART) for words in others if words.startswith(APART))
            found.twice += [f"{place}: the picture of {key} {n} times" for key, n in apart.items() if n > 1]
            if apart:
                found.lost += [f"{place}: the picture of {key}" for key in pictures - set(apart)]
            known = (SEALED, *(f"{APART}{key}" for key in pictures))
            strange = [words for words in others if words not in known and not OPENING.search(words)]
            found.twice += [f"{place}: {words[:80]!r}" for words in strange]
            # Each may be what a thread hangs from, or a picture.
            if (sealed := others.count(SEALED)) > len(begun) + len(pictures):
                found.twice.append(f"{place}: {sealed} encrypted posts too many for {len(begun)} matches")
            if sealed and sealed < len(begun) + len(pictures):
                found.lost.append(f"{place}: {len(begun) + len(pictures) - sealed} encrypted posts")
        found.lost += [f"{lane}: {remote} is nowhere" for lane, ids in remotes.items() for remote in ids]

    def _unheard(self, matches: list[Match]) -> list[str]:
        """What was written and has led to nothing."""
        live = [match for match in matches if match.status in ("open", "running")]
        late = [match for match in live if self.kept.get(match.id) == _stage(match)]
        found = [f"what was written in match {match.id} after turn {match.turns_made}" for match in late]
        return found + [f"a challenge after match {len(matches)}"] * (self.kept.get("new") == str(len(matches)))

    # --- the database, read from outside ----------------------------------------------------------------------
    def _ask(self, sql: str) -> list[Any]:
        path = self.folder / "riposte.db"
        if not path.exists():
            return []
        db = sqlite3.connect(path, timeout=10)
        try:
            return db.execute(sql).fetchall()
        except sqlite3.OperationalError:  # killed before its tables were made
            return []
        finally:
            db.close()

    def _sealer(self) -> Sealer:
        """What opens the bot's database."""
        sealer = read_key(self.folder / "riposte.key")
        assert sealer is not None, "the bot has made its key"
        return sealer

    def _matches(self) -> list[Match]:
        logs: dict[int, list[Any]] = {}
        sealer = self._sealer()
        events = self._ask(
            "SELECT events.match, matches.match, seq, body FROM events JOIN matches ON matches.number = events.match "
            "ORDER BY events.match, seq"
        )
        people = dict(self._ask("SELECT number, player FROM people"))
        for number, name, seq, body in events:
            opened = with_names(unsaid(sealer.open(body, "events", name, seq)), people)
            logs.setdefault(number, []).append(read_event(opened))
        return [match for events in logs.values() if (match := replay(events)) is not None]


def _stage(match: Match) -> str:
    """What changes by every command that is given here, and by nothing else: an outage that is given back say."""
    return f"{match.status} {match.turns_made}"


# --- the bot --------------------------------------------------------------------------------------------------
def be_the_bot(server: Server, folder: Path, after: int, offset: int, heard: Heard = lambda hear: hear) -> NoReturn:
    """In the child: run until killed; `after` so many posts by itself, if that is not negative or 0.

    `heard` may put something in front of what deals with what people say.
    """
    try:
        asyncio.run(_bot(server, folder, after, offset, heard))
    except BaseException:
        traceback.print_exc()
    finally:
        os._exit(1)


async def _bot(server: Server, folder: Path, after: int, offset: int, heard: Heard) -> None:
    def now() -> int:
        return time.time_ns() // 1_000_000 + offset

    def committed(change: Change, waiting: Sequence[Outgoing]) -> None:
        courier.committed(change, waiting)

    store = await SqliteStore.open(folder / "riposte.db")
    service = Service(store, now=now, seed=lambda: bytes(32), committed=committed)
    adapter = await server.adapter(store, service, now)
    courier = OutboxRelay(store, {adapter.platform: Handing(adapter, after)}, _paint, now, contact=service.contact)
    await asyncio.gather(adapter.run(heard(service.receive)), courier.run())


class Handing:
    """The adapter, and a death that waits behind it."""

    def __init__(self, adapter: Adapter, after: int):
        self.platform = adapter.platform
        self.run = adapter.run
        self.caught_up = True
        self._adapter = adapter
        self._left = after

    async def deliver(self, post: OutgoingMessage, image: bytes | None) -> str:
        remote = await self._adapter.deliver(post, image)
        self._left -= 1
        if self._left == 0:
            os.kill(os.getpid(), signal.SIGKILL)
        return remote


async def _paint(shown: Picture) -> bytes | None:
    return await asyncio.to_thread(lambda: paint(diagram(shown)))


def main(platform: str, kills: int, seed: int = 1, minutes: float = math.inf) -> Findings:
    """Sweep on one platform, and say what was found."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        server = SERVERS[platform](folder)
        try:
            warm("tokonoma")
            return Sweep(server, folder, random.Random(seed)).run(kills, minutes)
        finally:
            server.close()


def warm(*games: str) -> None:
    """Paint once before the first fork, so that no child has to draw a board's ground again."""
    for game in map(GAMES.__getitem__, games):
        position = game.setup({option.key: option.default for option in game.options}, Dice(bytes(32)))
        paint(diagram(picture(game, position, None)))
    gc.collect()
    gc.freeze()
    assert threading.active_count() == 1, "a process that forks has one thread"
