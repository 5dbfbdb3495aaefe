"""The servers that the bot talks to while it is killed: a stand-in for Discord, a real Synapse, and people there."""

import json
import subprocess
import sys
from collections.abc import Callable
from contextlib import suppress
from functools import partial
from pathlib import Path
from typing import Any, Protocol
from urllib.error import HTTPError
from urllib.parse import quote
from urllib.request import Request, urlopen

import discord
import yarl
from discord.gateway import DiscordWebSocket

from bot.adapters.discord import DiscordAdapter
from bot.adapters.matrix import MatrixAdapter, enter
from bot.messages.model import Adapter
from bot.runtime.inbox import Inbox
from bot.service.service import Service
from storage.store import Store
from tests.synapse.server import Homeserver, interpreter

CALM = 120.0
"""Seconds in which the bot must come to rest when nobody kills it."""
SEALED = "(encrypted)"
APART = "the picture of "
"""Where pictures stand apart from their words, what is seen of one that shows whose it is."""


class Server(Protocol):
    """A platform under test: people act there, and what they see can be read."""

    keeps: bool
    """Whether whatever people say waits for a bot that is not there."""

    async def adapter(self, store: Store, service: Service, clock: Callable[[], int]) -> Adapter:
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


# --- Discord --------------------------------------------------------------------------------------------------
WORDS = (0, 19)
"""Discord's own remarks, that a thread was renamed say, are messages of other types."""


class Discord:
    """The stand-in, in a process of its own."""

    keeps = False

    def __init__(self, folder: Path, shards: int = 1):
        command = (sys.executable, "-m", "tests.discord_standin", str(folder / "port"), "--live", f"--shards={shards}")
        self._process = subprocess.Popen(command, stdout=subprocess.PIPE, cwd=Path(__file__).parents[3])
        assert self._process.stdout is not None
        self._base = f"http://127.0.0.1:{int(self._process.stdout.readline())}"
        self.ask("do/guild", people=["Anna", "Ben"], channels=["games"])
        self.where = "games"
        """Where people are."""
        people = self.ask("state")["people"]
        self._mention = {f"@{name}": people[name] for name in ("Anna", "Ben")}

    async def adapter(self, store: Store, service: Service, clock: Callable[[], int]) -> Adapter:
        discord.http.Route.BASE = f"{self._base}/api/v10"
        DiscordWebSocket.DEFAULT_GATEWAY = yarl.URL(f"{self._base.replace('http', 'ws')}/gw")
        inbox = Inbox(store, "discord")
        return DiscordAdapter(
            "stand-in.token",
            inbox,
            clock=clock,
            summary=store.summary,
            matches=store.matches,
            named=service.repository.person,
            matters=service,
        )

    def settled(self) -> bool:
        return any(self.ask("state")["commands"].values())

    def say(self, who: str, text: str, *, written: bool) -> bool:
        """In the channel, whether or not the bot is there; or by a slash command if it is."""
        if written:
            for name, number in self._mention.items():
                text = text.replace(name, f"<@{number}>")
            self.ask("do/say", who=who, where=self.where, text=text, mention_bot=True)
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
            if self.ask("state")["connected"]:
                self.ask("do/slash", who=who, where=self.where, command=name, values=values)
                return True
        return False

    def thinking(self) -> dict[str, float]:
        state = self.ask("state")
        return {one["id"]: state["now"] - one["at"] for one in state["interactions"] if one["loading"]}

    def later(self, seconds: float) -> None:
        self.ask("do/advance", seconds=seconds)

    def seen(self) -> dict[str, list[tuple[str, str]]]:
        return {
            channel["id"]: [
                (one["id"], one["text"])
                for one in channel["messages"]
                if one["author"].get("bot") and one["type"] in WORDS
            ]
            for channel in self.ask("state")["channels"]
        }

    def close(self) -> None:
        self._process.terminate()
        self._process.communicate()

    def ask(self, what: str, **given: Any) -> Any:
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

    async def adapter(self, store: Store, service: Service, clock: Callable[[], int]) -> Adapter:
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
