"""Sends a message to its room, or to a private one: once, whatever is cut off on the way."""

import asyncio
import io
from collections import OrderedDict
from collections.abc import Callable
from dataclasses import replace
from typing import Any
from urllib.parse import urlencode

import structlog
from nio import ErrorResponse, RoomSendResponse, UploadResponse

from bot.adapters.matrix.client import Client, path
from bot.adapters.matrix.encryption.decryption import decrypt
from bot.adapters.matrix.errors import SOON, allowed, converting
from bot.adapters.matrix.events.content import MESSAGE_KEY, Setting, content, opening, size, threaded
from bot.adapters.matrix.events.html import ENGLISH, PLATFORM, Wording
from bot.adapters.matrix.rooms import Rooms
from bot.adapters.matrix.sync.stream import Stream
from bot.messages.model import OutgoingMessage, Person, Place, Retry, Span, Undeliverable, absent
from bot.runtime.inbox import Inbox

log = structlog.get_logger(__name__)

HOUR = 3_600_000
SURE = 12 * HOUR
"""Milliseconds for which we rely on the homeserver to recognize a transaction; Synapse does for 24 hours."""
GIVE_UP = 7 * 24 * HOUR
"""Milliseconds after which a message to a room is given up that was replaced by one we cannot join."""
PAGES = 100
"""Pages of a room's history that are searched for a message, at most."""
UPLOADING = 60.0
"""Seconds that a picture may take."""
KEPT = 32
"""Uploaded pictures that are remembered while their messages wait."""


class Delivery:
    """One message at a time in each room: a room with a rate limit is left alone for as long as it asks."""

    def __init__(
        self,
        client: Client,
        inbox: Inbox,
        clock: Callable[[], int],
        rooms: Rooms,
        stream: Stream,
        *,
        prefix: str,
        unverified: bool,
        wording: Callable[[str], Wording] = lambda _language: ENGLISH,
    ):
        self._client = client
        self._inbox = inbox
        self._clock = clock
        self._rooms = rooms
        self._stream = stream
        self._prefix = prefix
        self._unverified = unverified
        self._wording = wording
        self._opened = clock()
        self._device_since = 0
        self._rest: dict[str, float] = {}
        """Until when rooms are left alone, by the loop's clock."""
        self._locks: dict[str, asyncio.Lock] = {}
        self._uploaded: OrderedDict[str, dict[str, Any]] = OrderedDict()

    async def note_device(self) -> None:
        """Note since when we are this device: the homeserver does not recognize what another one has sent."""
        known, _, since = (await self._inbox.recall("device")).partition(" ")
        if known != self._client.device_id:
            since = str(self._clock())
            await self._inbox.note("device", f"{self._client.device_id} {since}")
        self._device_since = int(since)

    async def deliver(self, message: OutgoingMessage, image: bytes | None) -> str:
        """Send a message and return its event's id. Raises Retry or Undeliverable."""
        for platform in (message.where.platform, message.only.platform if message.only else PLATFORM):
            if platform != PLATFORM:
                raise Undeliverable(f"Matrix does not reach {platform}")
        if not self._stream.begun:
            raise absent((self._clock() - self._opened) / 1000)
        room = await self._room(message)
        async with self._locks.setdefault(room, asyncio.Lock()):
            rest = self._rest.get(room, 0.0) - asyncio.get_running_loop().time()
            if rest > 0:
                raise Retry(rest, tried=False)
            try:
                return await self._delivered(message, image, room)
            except Retry as later:
                self._rest[room] = asyncio.get_running_loop().time() + later.after
                raise

    async def _room(self, message: OutgoingMessage) -> str:
        """The room for a message: the one that has replaced its own, or a private one with its only reader."""
        room = await self._rooms.current(message.where.channel)
        if message.only is not None:
            return await self._rooms.direct(message.only.id, self._stream, near=room, asked=bool(message.answers))
        if self._rooms.moving(room):
            if message.at < self._clock() - GIVE_UP:
                raise Undeliverable(f"the room {room} was replaced by one that we cannot join")
            raise Retry(SOON)
        if room not in self._client.rooms:
            await self._missing(room)
        return room

    async def _missing(self, room: str) -> None:
        """Find out whether we are in a room that nio does not know. Raises Retry or Undeliverable."""
        answer = await self._client.ask("GET", path(room, "state", "m.room.member", self._client.user_id))
        member = allowed(answer, self._client.folder, "who is in a room", f"we are not in the room {room}")
        if member.get("membership") != "join":
            raise Undeliverable(f"we are not in the room {room} any more")
        raise Retry(SOON)

    async def _delivered(self, message: OutgoingMessage, image: bytes | None, room: str) -> str:
        doubtful = message.at < max(self._clock() - SURE, self._device_since)
        if doubtful and (found := await self._sent_before(room, message.key, message.at)):
            return found
        root = "" if message.only else await self._root(message, room, doubtful=doubtful)
        picture = await self._picture(message, image, room) if image else None
        free = bool(root) or self._rooms.alone(room)
        setting = Setting(await self._prefix_in(room), free, self._wording(message.language))
        made = content(self._named(message, room), setting, picture=picture, now=self._clock())
        sent = await self._send(room, threaded(made, root) if root else made, message.key)
        self._uploaded.pop(message.key, None)
        return sent

    async def _prefix_in(self, room: str) -> str:
        """What commands begin with in a room: its hosts may have chosen that."""
        return await self._inbox.recall("prefix", Place(PLATFORM, await self._rooms.origin(room))) or self._prefix

    def _named(self, message: OutgoingMessage, room: str) -> OutgoingMessage:
        """The message with names from the room for people of whom only the id is known."""

        def known(span: Span) -> Span:
            if isinstance(span, Person) and span.platform == PLATFORM and span.name == span.id:
                return replace(span, name=self._rooms.name(room, span.id))
            return span

        return replace(message, text=tuple(map(known, message.text)), opening=tuple(map(known, message.opening)))

    async def _root(self, message: OutgoingMessage, room: str, *, doubtful: bool) -> str:
        """The event that a match's thread hangs from in a room; "" outside threads."""
        match = message.where.thread
        if not match:
            return ""
        place = Place(PLATFORM, room, match)
        root = await self._inbox.recall("thread", place)
        if not root:
            made = opening(self._named(message, room), self._clock(), self._wording(message.language))
            root = await self._sent_before(room, made[MESSAGE_KEY], message.at) if doubtful else ""
            root = root or await self._send(room, made, made[MESSAGE_KEY])
            # In this order: after a crash in between it is sent again, as the same transaction, and both are noted.
            await self._inbox.note("match", match, Place(PLATFORM, room, root))
            await self._inbox.note("thread", root, place)
        return root

    async def _picture(self, message: OutgoingMessage, image: bytes, room: str) -> dict[str, Any]:
        """Upload a picture; returns the part of the content that shows it."""
        encrypted = self._rooms.encrypted(room)
        if (kept := self._uploaded.get(message.key)) is not None and ("file" in kept) == encrypted:
            return kept
        try:
            async with asyncio.timeout(UPLOADING):
                answer, keys = await self._client.upload(
                    io.BytesIO(image),
                    "image/png",
                    filename=None if encrypted else FILE,
                    encrypt=encrypted,
                    filesize=len(image),
                )
        except TimeoutError as error:
            raise Retry(SOON) from error
        if not isinstance(answer, UploadResponse):
            log.warning("a picture is refused; its message goes without it", bytes=len(image), because=answer.message)
            return {}
        width, height = size(image)
        info: dict[str, Any] = {"mimetype": "image/png", "w": width, "h": height, "size": len(image)}
        if encrypted:
            # The homeserver cannot make a thumbnail of it. A board is small already, so it is its own.
            file = {**(keys or {}), "url": answer.content_uri}
            info |= {"thumbnail_file": file, "thumbnail_info": dict(info)}
            where: dict[str, Any] = {"file": file}
        else:
            where = {"url": answer.content_uri}
        made = {"msgtype": "m.image", "filename": FILE, "info": info, **where}
        self._uploaded[message.key] = made
        if len(self._uploaded) > KEPT:
            self._uploaded.popitem(last=False)
        return made

    async def _send(self, room: str, made: dict[str, Any], transaction: str) -> str:
        client = self._client
        with converting(room):
            if self._rooms.encrypted(room) and client.should_query_keys:
                await client.keys_query()
            answer = await client.room_send(
                room, "m.room.message", made, transaction, ignore_unverified_devices=self._unverified
            )
        if isinstance(answer, RoomSendResponse):
            return str(answer.event_id)
        why = answer.message if isinstance(answer, ErrorResponse) else "no reason given"
        raise Undeliverable(f"the room {room} refuses it: {why}")

    async def _sent_before(self, room: str, key: str, since: int) -> str:
        """Look for a message in a room's history, back to when it was written; its event's id, "" if there is none."""
        query = {"dir": "b", "limit": "100"}
        for _ in range(PAGES):
            answer = await self._client.ask("GET", f"{path(room, 'messages')}?{urlencode(query)}")
            page = allowed(answer, self._client.folder, "a room's history", f"the room {room} cannot be read")
            events = [event for event in page.get("chunk", ()) if isinstance(event, dict)]
            for event in events:
                if event.get("sender") == self._client.user_id:
                    plain = decrypt(self._client, room, event) if event.get("type") == "m.room.encrypted" else event
                    found = plain.get("content") if plain else None
                    if isinstance(found, dict) and found.get(MESSAGE_KEY) == key:
                        return str(event.get("event_id"))
            times = [at for event in events if isinstance(at := event.get("origin_server_ts"), int)]
            following = page.get("end")
            if not isinstance(following, str) or (times and max(times) < since - HOUR):
                break
            query["from"] = following
        return ""


FILE = "board.png"
