"""What Discord told, or would have told, a process that died: its session is taken up once more before another begins.

A whisper has no key by which it is known again, and cannot be looked for; but Discord tells the bot of each.
"""

import asyncio
from collections.abc import Collection
from dataclasses import dataclass
from typing import Any, Final

import aiohttp
import discord
import structlog
from discord.gateway import DiscordWebSocket
from yarl import URL

from bot.trouble import reason

log = structlog.get_logger(__name__)

REPLAYED: Final = 5.0
"""Seconds that Discord has to tell again what the dead process may not have heard."""
FIRST: Final = 0
"""The shard that hears what is private."""
VERSION: Final = 10
KEPT: Final = 4000
"""Closes a socket so that its session can be taken up again."""
OVER: Final = (aiohttp.WSMsgType.CLOSE, aiohttp.WSMsgType.CLOSING, aiohttp.WSMsgType.CLOSED, aiohttp.WSMsgType.ERROR)


@dataclass(frozen=True, slots=True, order=True)
class Session:
    """A connection to Discord, up to some event."""

    gateway: str
    id: str
    seen: int
    """The number of the last event that was heard."""


def session(client: discord.Client) -> Session | None:
    """The one that a client has now, by which it would be told of whispers."""
    socket = _socket(client)
    if socket is None or socket.session_id is None or socket.sequence is None:
        return None
    return Session(str(socket.gateway), socket.session_id, socket.sequence)


def _socket(client: discord.Client) -> DiscordWebSocket | None:
    shard = client.get_shard(FIRST) if isinstance(client, discord.AutoShardedClient) else None
    return shard._parent.ws if shard is not None else None


async def whispers(client: discord.Client, left: Session, interactions: Collection[int]) -> dict[int, int]:
    """By interaction, the whisper that has followed it since, as far as Discord still tells of that session."""
    found = dict[int, int]()
    try:
        async with asyncio.timeout(REPLAYED):
            socket = await client.http.ws_connect(str(URL(left.gateway).with_query(v=VERSION, encoding="json")))
            try:
                await _read(socket, client.http.token or "", left, interactions, found)
            finally:
                await socket.close(code=KEPT)
    except (TimeoutError, OSError, aiohttp.ClientError, ValueError) as error:
        log.info("an earlier process's session on Discord could not be resumed", error=reason(error))
    return found


async def _read(
    socket: aiohttp.ClientWebSocketResponse,
    token: str,
    left: Session,
    interactions: Collection[int],
    found: dict[int, int],
) -> None:
    await socket.send_json(
        {"op": DiscordWebSocket.RESUME, "d": {"token": token, "session_id": left.id, "seq": left.seen}}
    )
    async for frame in socket:
        if frame.type in OVER:
            return
        event: dict[str, Any] = frame.json()
        if event["op"] == DiscordWebSocket.INVALIDATE_SESSION or event.get("t") == "RESUMED":
            return
        if event.get("t") == "MESSAGE_CREATE":
            about = int((event["d"].get("interaction_metadata") or {}).get("id", 0))
            if about in interactions:
                found[about] = int(event["d"]["id"])
