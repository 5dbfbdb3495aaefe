"""Kills the bot while it talks to a real server, again and again, and looks at what people saw in the end.

    python -m tests.platform_kills discord|matrix|encrypted 600 [SEED [MINUTES]]

The server lives on in a process of its own while the bot, a fork of this one, is killed: half of the times just
after the server has accepted a post and before the bot could write that down, half at any moment at all. Now and then
hours pass in between, so that the server has forgotten which keys it knows. Two people play on meanwhile, in two
matches at once: by commands that stand in the channel until they are read, and where the bot is there also by slash
commands. In the end every turn they said was made once, every post stands in its place once and in order, and nobody
sees "thinking …" whom a bot that was back in time could have answered.
"""

import asyncio
import gc
import json
import math
import os
import random
import re
import signal
import sqlite3
import subprocess
import sys
import tempfile
import threading
import time
import traceback
from collections import Counter
from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from typing import Any, NoReturn, Protocol
from urllib.error import HTTPError
from urllib.parse import quote
from urllib.request import Request, urlopen

import discord
import yarl
from discord.gateway import DiscordWebSocket

from bot.adapters.discord import DiscordAdapter
from bot.adapters.matrix import MatrixAdapter, enter
from bot.messages.model import Adapter, OutgoingMessage, Picture
from bot.messages.serialization import read_event, read_message
from bot.messages.showing.pictures import diagram, picture
from bot.runtime.inbox import Inbox
from bot.runtime.outbox import OutboxRelay
from bot.service.service import Service
from engine.dice import Dice
from engine.games import GAMES
from engine.match.evolve import replay
from engine.match.state import Match
from render.painter import paint
from storage.seal import Sealer, read_key
from storage.sqlite import SqliteStore
from storage.store import Change, Outgoing, Store
from tests.synapse.server import Homeserver, interpreter

MATCHES = 2
HOURS = 13
"""How long pass now and then between two lives of the bot."""
HANDED, SOMEWHERE = "accepted, not yet marked", "at any moment"
"""How the bot dies."""
SHORT, LONGEST = 1.0, 6.0
"""Seconds that the bot lives at most: when it is to be killed at any moment, and when it is to die after some posts."""
AHEAD = 6
"""Posts that may be under way before people wait for them."""
CALM = 120.0
"""Seconds in which the bot must come to rest when nobody kills it."""


IN_TIME = 14 * 60.0
"""Seconds for which Discord lets an interaction be answered, and a little less."""

SEALED = "(encrypted)"
APART = "the picture of "
"""Where pictures stand apart from their words, what is seen of one that shows whose it is."""
OPENING = re.compile(r"Match \d+.{0,20} has begun")
"""What a thread hangs from; it has no letter of its own."""


class Server(Protocol):
    """A platform under test: people act there, and what they see can be read."""

    keeps: bool
    """Whether whatever people say waits for a bot that is not there."""

    async def adapter(self, store: Store, clock: Callable[[], int]) -> Adapter:
        """The bot's side, made in the bot's process."""

    def settled(self) -> bool:
        """Whether the bot has moved in, as it must before it can be killed: a first login is made once."""

    def say(self, who: str, text: str, *, written: bool) -> bool:
        """Somebody gives a command in the channel; False if it could not be given.

        What is `written` stays there until the bot reads it; the other ways are lost on a bot that is not there.
        """

    def thinking(self) -> dict[str, float]:
        """The interactions whose user sees "thinking …", each with how many seconds ago it began."""

    def later(self, seconds: float) -> None:
        """The server is so much older, and has forgotten what it forgets by then."""

    def seen(self) -> dict[str, list[tuple[str, str]]]:
        """By place: id and words of what the bot has posted there, in order."""

    def close(self) -> None:
        """Enough."""


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
            _be_the_bot(self.server, self.folder, after, self.offset)
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
        if match.ending is not None or match.turns_made >= 12:
            return who, f"resign {match.id} yes"
        turns = sorted(match.game.write(turn, match.position) for turn in match.game.turns(match.position))
        return who, f"move {match.id} {turns[match.length * 7 % len(turns)]}"

    def _rest(self) -> None:
        """Until nothing waits any more."""
        ended = time.monotonic() + CALM
        while time.monotonic() < ended:
            time.sleep(0.1)
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
        for number, name, seq, body in events:
            logs.setdefault(number, []).append(read_event(sealer.open(body, "events", name, seq)))
        return [match for events in logs.values() if (match := replay(events)) is not None]


def _stage(match: Match) -> str:
    """What changes by every command that is given here, and by nothing else: an outage that is given back say."""
    return f"{match.status} {match.turns_made}"


# --- the bot --------------------------------------------------------------------------------------------------
def _be_the_bot(server: Server, folder: Path, after: int, offset: int) -> NoReturn:
    """In the child: run until killed."""
    try:
        asyncio.run(_bot(server, folder, after, offset))
    except BaseException:
        traceback.print_exc()
    finally:
        os._exit(1)


async def _bot(server: Server, folder: Path, after: int, offset: int) -> None:
    def now() -> int:
        return time.time_ns() // 1_000_000 + offset

    def committed(change: Change, waiting: Sequence[Outgoing]) -> None:
        courier.committed(change, waiting)

    store = await SqliteStore.open(folder / "riposte.db")
    service = Service(store, now=now, seed=lambda: bytes(32), committed=committed)
    adapter = await server.adapter(store, now)
    courier = OutboxRelay(store, {adapter.platform: Handing(adapter, after)}, _paint, now, contact=service.contact)
    await asyncio.gather(adapter.run(service.receive), courier.run())


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


# --- Discord --------------------------------------------------------------------------------------------------
WORDS = (0, 19)
"""Discord's own remarks, that a thread was renamed say, are messages of other types."""


class Discord:
    """The stand-in, in a process of its own."""

    keeps = False

    def __init__(self, folder: Path):
        command = (sys.executable, "-m", "tests.discord_standin", str(folder / "port"), "--live")
        self._process = subprocess.Popen(command, stdout=subprocess.PIPE, cwd=Path(__file__).parents[1])
        assert self._process.stdout is not None
        self._base = f"http://127.0.0.1:{int(self._process.stdout.readline())}"
        self._ask("do/guild", people=["Anna", "Ben"], channels=["games"])
        people = self._ask("state")["people"]
        self._mention = {f"@{name}": people[name] for name in ("Anna", "Ben")}

    async def adapter(self, store: Store, clock: Callable[[], int]) -> Adapter:
        discord.http.Route.BASE = f"{self._base}/api/v10"
        DiscordWebSocket.DEFAULT_GATEWAY = yarl.URL(f"{self._base.replace('http', 'ws')}/gw")
        inbox = Inbox(store, "discord")
        return DiscordAdapter("stand-in.token", inbox, clock=clock, summary=store.summary, matches=store.matches)

    def settled(self) -> bool:
        return any(self._ask("state")["commands"].values())

    def say(self, who: str, text: str, *, written: bool) -> bool:
        """In the channel, whether or not the bot is there; or by a slash command if it is."""
        if written:
            for name, number in self._mention.items():
                text = text.replace(name, f"<@{number}>")
            self._ask("do/say", who=who, where="games", text=text, mention_bot=True)
            return True
        name, _, rest = text.partition(" ")
        values: dict[str, Any] = {}
        match name, rest.split():
            case "challenge", [opponent, game, *terms]:
                values = {"player": {"user": opponent[1:]}, "game": game, "terms": " ".join(terms)}
            case "move", [match, *turn]:
                values = {"match": match, "turn": " ".join(turn)}
            case "accept", [match]:
                name, values = "match accept", {"match": match}
            case "resign", [match, _]:
                name, values = "match resign", {"match": match, "sure": "yes"}
        with suppress(HTTPError):  # the commands are not registered yet
            if self._ask("state")["connected"]:
                self._ask("do/slash", who=who, where="games", command=name, values=values)
                return True
        return False

    def thinking(self) -> dict[str, float]:
        state = self._ask("state")
        return {one["id"]: state["now"] - one["at"] for one in state["interactions"] if one["loading"]}

    def later(self, seconds: float) -> None:
        self._ask("do/advance", seconds=seconds)

    def seen(self) -> dict[str, list[tuple[str, str]]]:
        return {
            channel["id"]: [
                (one["id"], one["text"])
                for one in channel["messages"]
                if one["author"].get("bot") and one["type"] in WORDS
            ]
            for channel in self._ask("state")["channels"]
        }

    def close(self) -> None:
        self._process.terminate()
        self._process.wait()

    def _ask(self, what: str, **given: Any) -> Any:
        data = json.dumps(given).encode() if what.startswith("do/") else None
        request = Request(f"{self._base}/control/{what}", data, {"Content-Type": "application/json"})
        with urlopen(request, timeout=CALM) as answer:
            return json.load(answer)


# --- Matrix ---------------------------------------------------------------------------------------------------
class Matrix:
    """A Synapse with one room; in an encrypted one only the bot encrypts."""

    keeps = True

    def __init__(self, folder: Path, *, encrypted: bool = False):
        python = interpreter()
        assert python is not None, "`make test-all` installs Synapse"
        self._server = Homeserver(python, folder / "synapse")
        self._server.start()
        self._folder = folder
        self._bot = self._server.register("riposte")
        self._names = {f"@{name}": self._server.register(name.lower()) for name in ("Anna", "Ben")}
        self._tokens = {name: self._log_in(name.lower()) for name in ("Anna", "Ben")}
        self._said = 0
        secret = {"type": "m.room.encryption", "content": {"algorithm": "m.megolm.v1.aes-sha2"}}
        room = {"invite": [self._bot, self._names["@Ben"]], "initial_state": [secret] if encrypted else []}
        self._room = quote(self._ask("POST", "createRoom", room)["room_id"])
        self._ask("POST", f"join/{self._room}", {}, "Ben")

    async def adapter(self, store: Store, clock: Callable[[], int]) -> Adapter:
        client = await enter(self._folder / "matrix", self._server.address, self._bot, password="riposte")
        return MatrixAdapter(client, Inbox(store, "matrix"), clock=clock, password="riposte")

    def settled(self) -> bool:
        return self._bot in self._ask("GET", f"rooms/{self._room}/joined_members")["joined"]

    def say(self, who: str, text: str, *, written: bool) -> bool:
        for name, user in self._names.items():
            text = text.replace(name, user)
        self._said += 1
        words = {"msgtype": "m.text", "body": f"!riposte {text}"}
        return "event_id" in self._ask("PUT", f"rooms/{self._room}/send/m.room.message/{self._said}", words, who)

    def thinking(self) -> dict[str, float]:
        return {}

    def later(self, seconds: float) -> None:
        """What Synapse forgets in that time the bot must not rely on, whether it is forgotten or not."""

    def seen(self) -> dict[str, list[tuple[str, str]]]:
        seen, start = [], ""
        while True:
            page = self._ask("GET", f"rooms/{self._room}/messages?dir=f&limit=100{start}")
            seen += [event for event in page["chunk"] if event["sender"] == self._bot]
            if "end" not in page:
                break
            start = f"&from={page['end']}"
        words = [event for event in seen if event["type"] in ("m.room.message", "m.room.encrypted")]
        return {self._room: [(event["event_id"], _shown(event["content"])) for event in words]}

    def close(self) -> None:
        self._server.stop()

    def _log_in(self, name: str) -> str:
        known = {"type": "m.login.password", "identifier": {"type": "m.id.user", "user": name}, "password": name}
        return str(self._server.ask("POST", "/_matrix/client/v3/login", known)["access_token"])

    def _ask(self, method: str, path: str, body: object = None, who: str = "Anna") -> Any:
        return self._server.ask(method, f"/_matrix/client/v3/{path}", body, token=self._tokens[who])


SERVERS: dict[str, Callable[[Path], Server]] = {
    "discord": Discord,
    "matrix": Matrix,
    "encrypted": partial(Matrix, encrypted=True),
}


def _shown(content: dict[str, Any]) -> str:
    """The words of an event on Matrix; of a picture, whose it is."""
    key = content.get("org.riposte.letter", "")
    return f"{APART}{key.removesuffix('.picture')}" if key.endswith(".picture") else content.get("body", SEALED)


def main(platform: str, kills: int, seed: int = 1, minutes: float = math.inf) -> Findings:
    """Sweep on one platform, and say what was found."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        server = SERVERS[platform](folder)
        try:
            _warm()
            return Sweep(server, folder, random.Random(seed)).run(kills, minutes)
        finally:
            server.close()


def _warm() -> None:
    """Paint once before the first fork, so that no child has to draw the board's ground again."""
    game = GAMES["tokonoma"]
    paint(
        diagram(
            picture(game, game.setup({option.key: option.default for option in game.options}, Dice(bytes(32))), None)
        )
    )
    gc.collect()
    gc.freeze()
    assert threading.active_count() == 1, "a process that forks has one thread"


if __name__ == "__main__":
    result = main(sys.argv[1], *map(int, sys.argv[2:]))
    json.dump({name: getattr(result, name) for name in Findings.__slots__}, sys.stdout)
