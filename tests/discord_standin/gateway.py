"""The gateway: sessions, shards, heartbeats, what was missed, and every way in which a socket can go wrong."""

import asyncio
import json
import zlib
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass, field
from typing import Any, Final

from aiohttp import WSMsgType, web

from tests.discord_standin import limits
from tests.discord_standin.clock import Clock
from tests.discord_standin.message import Message
from tests.discord_standin.refusal import JSON
from tests.discord_standin.traffic import Window
from tests.discord_standin.world import Guild, World

DISPATCH, HEARTBEAT, IDENTIFY, PRESENCE, RESUME, RECONNECT, MEMBERS, INVALID, HELLO, ACK = (
    0,
    1,
    2,
    3,
    6,
    7,
    8,
    9,
    10,
    11,
)
UNKNOWN_OPCODE, DECODE, NOT_AUTHENTICATED, BAD_TOKEN, TWICE = 4001, 4002, 4003, 4004, 4005
BAD_SEQ, TOO_FAST, BAD_SHARD, TOO_FEW_SHARDS, BAD_VERSION, BAD_INTENTS, FORBIDDEN_INTENTS = (
    *(4007, 4008, 4010, 4011, 4012, 4013),
    4014,
)
GUILDS_OF_A_SHARD: Final = 2500
STARTS: Final = 1000
"""Identifies a day."""


@dataclass(eq=False)
class Session:
    """What the gateway remembers of a client across its sockets."""

    id: str
    shard: int
    shards: int
    intents: int
    seq: int = 0
    sent: list[tuple[int, str]] = field(default_factory=list)
    """Everything that was dispatched, for a client that comes back."""
    connection: "Connection | None" = None

    def wants(self, intent: str) -> bool:
        """Whether events of an intent are asked for; some need none."""
        return not intent or bool(self.intents & limits.INTENTS[intent])

    def covers(self, guild: Guild | None) -> bool:
        """Whether a guild is this shard's business; what is private goes to the first."""
        return (guild.id >> 22) % self.shards == self.shard if guild else self.shard == 0

    def dispatch(self, event: str, data: str) -> None:
        """Send an event now or when the client is back."""
        self.seq += 1
        frame = f'{{"op":0,"t":"{event}","s":{self.seq},"d":{data}}}'
        self.sent.append((self.seq, frame))
        if self.connection:
            self.connection.queue.put_nowait(frame)


@dataclass(eq=False)
class Connection:
    """One socket."""

    ws: web.WebSocketResponse
    request: web.Request
    packer: Any = None
    """Compresses the whole stream, if the client asked for that."""
    session: Session | None = None
    deaf: bool = False
    """Neither answers nor sends, but stays open."""
    closing: bool = False
    """Is being closed from here."""
    queue: "asyncio.Queue[str | int]" = field(default_factory=asyncio.Queue)
    """Frames to be sent; a number closes the socket with it."""

    def send(self, op: int, data: Any) -> None:
        """Send something that is no event."""
        self.queue.put_nowait(json.dumps({"op": op, "d": data, "s": None, "t": None}))

    async def write(self) -> None:
        """Send what is queued, in order, as long as the socket is open."""
        while not self.ws.closed:
            frame = await self.queue.get()
            if self.deaf:
                continue
            with suppress(ConnectionError):
                if isinstance(frame, int):
                    self.closing = True
                    await self.ws.close(code=frame)
                elif self.packer:
                    packed = self.packer.compress(frame.encode()) + self.packer.flush(zlib.Z_SYNC_FLUSH)
                    await self.ws.send_bytes(packed)
                else:
                    await self.ws.send_str(frame)

    def abort(self) -> None:
        """Cut the cable."""
        if self.request.transport:
            self.request.transport.abort()


class Gateway:
    """All sessions of the bot."""

    def __init__(self, clock: Clock, token: str, *, privileged: tuple[str, ...], heartbeat: float):
        self.clock, self.token, self.heartbeat = clock, token, heartbeat
        self.privileged = privileged
        self.world: World
        self.url = ""
        self.sessions: dict[str, Session] = {}
        self.connections: list[Connection] = []
        self.empty = False
        """READY tells of no guild and none follows, whatever happens in them afterwards."""
        self.refused_sockets = 0
        """So many of the next attempts to connect are turned away."""
        self.refused_resumes = 0
        """So many of the next attempts to resume find their session gone."""
        self.identifies: list[JSON] = []
        """Every identify that came."""
        self.resumes = 0
        """How often a session was resumed."""
        self.heartbeats = 0
        self.closed_with: list[int] = []
        """The codes with which sockets were closed here, in order."""
        self.presences: list[JSON] = []

    def publish(
        self, event: str, data: JSON, *, guild: Guild | None, intent: str = "", message: Message | None = None
    ) -> None:
        """Dispatch an event to every session that covers the guild, asked for the intent and may see the channel."""
        if guild and not (guild.available and (guild.bot or event == "INTERACTION_CREATE")):
            return
        if message and not message.channel.can("view_channel"):
            return
        whole = json.dumps(data)
        for session in self.sessions.values():
            if session.covers(guild) and session.wants(intent):
                blank = message and not message.readable() and not session.wants("message_content")
                session.dispatch(event, json.dumps(_blanked(data)) if blank else whole)

    async def handle(self, request: web.Request) -> web.StreamResponse:
        """One socket, from hello to its end."""
        if self.refused_sockets:
            self.refused_sockets -= 1
            return web.Response(status=503)
        ws = web.WebSocketResponse(timeout=1.0, compress=False, max_msg_size=4096 * 4)
        await ws.prepare(request)
        connection = Connection(ws, request)
        if request.query.get("compress") == "zlib-stream":
            connection.packer = zlib.compressobj()
        self.connections.append(connection)
        writer = asyncio.create_task(connection.write())
        if request.query.get("v") not in ("9", "10"):
            self._close(connection, BAD_VERSION)
        connection.send(HELLO, {"heartbeat_interval": int(self.heartbeat * 1000), "_trace": []})
        pace = Window(*limits.GATEWAY_SENDS)
        try:
            async for frame in ws:
                if frame.type is not WSMsgType.TEXT:
                    break
                if pace.take(self.clock.running()):
                    self._close(connection, TOO_FAST)
                    continue
                self._hear(connection, frame.data)
        finally:
            if connection.closing:
                await asyncio.wait([writer])
            writer.cancel()
            self._gone(connection)
        return ws

    def _gone(self, connection: Connection) -> None:
        self.connections.remove(connection)
        session = connection.session
        if session and session.connection is connection:
            session.connection = None
            if connection.ws.close_code in (1000, 1001) and not (connection.deaf or connection.closing):
                self.sessions.pop(session.id, None)
        self.world.changed()

    def _hear(self, connection: Connection, frame: str) -> None:
        try:
            heard = json.loads(frame)
            op, data = heard["op"], heard.get("d")
        except (ValueError, TypeError, KeyError):
            self._close(connection, DECODE)
            return
        if op == HEARTBEAT:
            self.heartbeats += 1
            connection.send(ACK, None)
        elif op == IDENTIFY:
            self._identify(connection, data)
        elif op == RESUME:
            self._resume(connection, data)
        elif connection.session is None:
            self._close(connection, NOT_AUTHENTICATED)
        elif op == PRESENCE:
            self.presences.append(data)
        elif op == MEMBERS:
            self._members(connection.session, data)
        else:
            self._close(connection, UNKNOWN_OPCODE)
        self.world.changed()

    def _identify(self, connection: Connection, data: JSON) -> None:
        shard, shards = data.get("shard") or (0, 1)
        intents = int(data.get("intents", -1))
        here = [
            guild for guild in self.world.guilds.values() if guild.bot and (guild.id >> 22) % max(shards, 1) == shard
        ]
        forbidden = sum(limits.INTENTS[name] for name in limits.PRIVILEGED if name not in self.privileged)
        wrong: tuple[tuple[int, Callable[[], bool]], ...] = (
            (TWICE, lambda: connection.session is not None),
            (BAD_TOKEN, lambda: str(data.get("token")).removeprefix("Bot ") != self.token),
            (BAD_SHARD, lambda: not 0 <= shard < shards),
            (TOO_FEW_SHARDS, lambda: len(here) > GUILDS_OF_A_SHARD),
            (BAD_INTENTS, lambda: not 0 <= intents <= limits.KNOWN_INTENTS),
            (FORBIDDEN_INTENTS, lambda: bool(intents & forbidden)),
        )
        self.identifies.append(data)
        for code, is_wrong in wrong:
            if is_wrong():
                self._close(connection, code)
                return
        for old in [one for one in self.sessions.values() if one.connection is None and one.shard == shard]:
            del self.sessions[old.id]  # whoever begins anew does not come back for it
        session = Session(f"session-{self.clock.next_id()}", shard, shards, intents, connection=connection)
        connection.session = self.sessions[session.id] = session
        told = [] if self.empty else here
        ready = {
            "v": 10,
            "user": self.world.bot.json() | {"verified": True, "mfa_enabled": False, "email": None},
            "guilds": [{"id": str(guild.id), "unavailable": True} for guild in told],
            "private_channels": [],
            "session_id": session.id,
            "resume_gateway_url": self.url,
            "shard": [shard, shards],
            "application": {"id": str(self.world.application), "flags": 0},
        }
        session.dispatch("READY", json.dumps(ready))
        for guild in told:
            if guild.available and session.wants("guilds"):
                session.dispatch("GUILD_CREATE", json.dumps(guild.json()))

    def _resume(self, connection: Connection, data: JSON) -> None:
        if str(data.get("token")).removeprefix("Bot ") != self.token:
            self._close(connection, BAD_TOKEN)
            return
        session = self.sessions.get(str(data.get("session_id")))
        if session is None or self.refused_resumes:
            self.refused_resumes = max(0, self.refused_resumes - 1)
            if session:
                del self.sessions[session.id]
            connection.send(INVALID, False)
            return
        seq = data.get("seq") or 0
        if seq > session.seq:
            self._close(connection, BAD_SEQ)
            return
        if session.connection:
            session.connection.session = None
            session.connection.queue.put_nowait(4000)
        self.resumes += 1
        for number, frame in session.sent:
            if number > seq:
                connection.queue.put_nowait(frame)
        connection.session, session.connection = session, connection
        session.dispatch("RESUMED", json.dumps({"_trace": []}))

    def _members(self, session: Session, data: JSON) -> None:
        guild = self.world.guilds[int(data["guild_id"])]
        ids, query = data.get("user_ids"), data.get("query")
        everybody = [*guild.members, self.world.bot]
        if ids is not None:
            wanted = {str(one) for one in (ids if isinstance(ids, list) else [ids])}
            found = [user for user in everybody if str(user.id) in wanted]
        elif query or session.wants("members"):
            found = [user for user in everybody if user.json()["username"].startswith((query or "").lower())]
        else:
            found = []
        chunk: JSON = {"guild_id": str(guild.id), "members": [guild.member(user) for user in found]}
        chunk |= {"chunk_index": 0, "chunk_count": 1, "not_found": [], "nonce": data.get("nonce")}
        session.dispatch("GUILD_MEMBERS_CHUNK", json.dumps(chunk))

    def _close(self, connection: Connection, code: int) -> None:
        self.closed_with.append(code)
        connection.queue.put_nowait(code)

    def information(self, shards: int) -> JSON:
        """What `/gateway/bot` tells."""
        left = max(0, STARTS - len(self.identifies))
        limit = {"total": STARTS, "remaining": left, "reset_after": 86_400_000, "max_concurrency": 1}
        return {"url": self.url, "shards": shards, "session_start_limit": limit}

    def cut(self) -> None:
        """Cut every socket without a word."""
        for connection in list(self.connections):
            connection.abort()

    def close(self, code: int = 4000) -> None:
        """Close every socket with a code."""
        for connection in self.connections:
            self._close(connection, code)

    def reconnect(self) -> None:
        """Ask every client to come back on another socket."""
        for connection in self.connections:
            connection.send(RECONNECT, None)

    def invalidate(self, *, resumable: bool = False) -> None:
        """Tell every client that its session is invalid, for good or to be resumed."""
        for connection in self.connections:
            if not resumable and connection.session:
                self.sessions.pop(connection.session.id, None)
            connection.send(INVALID, resumable)

    def fall_silent(self) -> None:
        """The sockets that are open now stay so, but nothing comes through them any more: no ack, no event."""
        for connection in self.connections:
            connection.deaf = True

    def outage(self) -> None:
        """All guilds are unavailable, for those who are connected and those who come."""
        for guild in self.world.guilds.values():
            self.publish("GUILD_DELETE", {"id": str(guild.id), "unavailable": True}, guild=guild, intent="guilds")
            guild.available = False

    def recover(self) -> None:
        """The guilds are there again."""
        for guild in self.world.guilds.values():
            guild.available = True
            self.publish("GUILD_CREATE", guild.json(), guild=guild, intent="guilds")


_SECRET: Final[JSON] = {"content": "", "embeds": [], "attachments": [], "components": []}


def _blanked(data: JSON) -> JSON:
    return data | _SECRET
