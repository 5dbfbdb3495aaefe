"""Takes a post to its room, or to a room for two: once, whatever is cut off on the way."""

import asyncio
import io
from collections import OrderedDict
from collections.abc import Callable
from dataclasses import replace
from typing import Any
from urllib.parse import urlencode

import structlog
from nio import ErrorResponse, LocalProtocolError, RoomSendResponse, UploadResponse
from nio.exceptions import EncryptionError

from bot.adapters.matrix.client import LOGGED_OUT, Client, path
from bot.adapters.matrix.content import LETTER, Setting, content, opening, size, threaded
from bot.adapters.matrix.html import PLATFORM
from bot.adapters.matrix.intake import read
from bot.adapters.matrix.rooms import Rooms
from bot.adapters.matrix.session import granted
from bot.adapters.matrix.stream import Stream
from bot.messages.model import OutgoingMessage, Person, Place, Retry, Span, Undeliverable, absent
from bot.runtime.inbox import Inbox

log = structlog.get_logger(__name__)

HOUR = 3_600_000
SURE = 12 * HOUR
"""Milliseconds for which we rely on the homeserver to know a transaction again; Synapse does for 24 hours."""
GIVE_UP = 7 * 24 * HOUR
"""Milliseconds after which nobody waits for a room any more that was replaced by one we cannot enter."""
PAGES = 100
"""Pages of a room's history that are searched for a post at most."""
UPLOADING = 60.0
"""Seconds that a picture may take."""
SOON = 5.0
"""Seconds until something is tried again that is about to become possible."""
KEPT = 32
"""Pictures that are not uploaded again because the words to them had to wait."""


class Delivery:
    """One at a time in each room: a room that wants us to be slower is left alone for as long as it says."""

    def __init__(
        self,
        client: Client,
        notebook: Inbox,
        clock: Callable[[], int],
        rooms: Rooms,
        stream: Stream,
        *,
        prefix: str,
        unverified: bool,
    ):
        self._client = client
        self._notebook = notebook
        self._clock = clock
        self._rooms = rooms
        self._stream = stream
        self._prefix = prefix
        self._unverified = unverified
        self._opened = clock()
        self._device_since = 0
        self._rest: dict[str, float] = {}
        """Until when rooms are left alone, by the loop's clock."""
        self._gates: dict[str, asyncio.Lock] = {}
        self._uploaded: OrderedDict[str, dict[str, Any]] = OrderedDict()

    async def settle_in(self) -> None:
        """Note since when we are this device: what another one has sent, the homeserver does not know from us."""
        known, _, since = (await self._notebook.recall("device")).partition(" ")
        if known != self._client.device_id:
            since = str(self._clock())
            await self._notebook.note("device", f"{self._client.device_id} {since}")
        self._device_since = int(since)

    async def deliver(self, post: OutgoingMessage, image: bytes | None) -> str:
        """Show a post and give its event's id. Raises Retry or Undeliverable."""
        for platform in (post.where.platform, post.only.platform if post.only else PLATFORM):
            if platform != PLATFORM:
                raise Undeliverable(f"Matrix has no way to {platform}")
        if not self._stream.begun:
            raise absent((self._clock() - self._opened) / 1000)
        room = await self._room(post)
        async with self._gates.setdefault(room, asyncio.Lock()):
            rest = self._rest.get(room, 0.0) - asyncio.get_running_loop().time()
            if rest > 0:
                raise Retry(rest, tried=False)
            try:
                return await self._delivered(post, image, room)
            except Retry as later:
                self._rest[room] = asyncio.get_running_loop().time() + later.after
                raise

    async def _room(self, post: OutgoingMessage) -> str:
        """Where a post goes: the room that has taken its room's place, or one with its only reader."""
        room = await self._rooms.current(post.where.channel)
        if post.only is not None:
            return await self._rooms.direct(post.only.id, self._stream, near=room, asked=bool(post.answers))
        if self._rooms.moving(room):
            if post.at < self._clock() - GIVE_UP:
                raise Undeliverable(f"the room {room} was replaced by one that does not let us in")
            raise Retry(SOON)
        if room not in self._client.rooms:
            await self._missing(room)
        return room

    async def _missing(self, room: str) -> None:
        """Not to know of a room is no proof that we are not in it."""
        answer = await self._client.ask("GET", path(room, "state", "m.room.member", self._client.user_id))
        if not answer.fine and answer.again is None and answer.code not in LOGGED_OUT:
            raise Undeliverable(f"we are not in the room {room}: {answer.said}")
        if granted(answer, self._client.folder, "who is in a room").get("membership") != "join":
            raise Undeliverable(f"we are not in the room {room} any more")
        raise Retry(SOON)

    async def _delivered(self, post: OutgoingMessage, image: bytes | None, room: str) -> str:
        doubtful = post.at < max(self._clock() - SURE, self._device_since)
        if doubtful and (found := await self._said_before(room, post.key, post.at)):
            return found
        root = "" if post.only else await self._root(post, room, doubtful=doubtful)
        picture = await self._picture(post, image, room) if image else None
        setting = Setting(await self._prefix_in(room), free=bool(root) or self._rooms.alone(room))
        made = content(self._named(post, room), setting, picture=picture, now=self._clock())
        sent = await self._send(room, threaded(made, root) if root else made, post.key)
        self._uploaded.pop(post.key, None)
        return sent

    async def _prefix_in(self, room: str) -> str:
        """What commands begin with in a room: its hosts may have settled that."""
        return await self._notebook.recall("prefix", Place(PLATFORM, await self._rooms.origin(room))) or self._prefix

    def _named(self, post: OutgoingMessage, room: str) -> OutgoingMessage:
        """Somebody who has never said a word is known by an id alone; the room knows more."""

        def known(span: Span) -> Span:
            if isinstance(span, Person) and span.platform == PLATFORM and span.name == span.id:
                return replace(span, name=self._rooms.name(room, span.id))
            return span

        return replace(post, text=tuple(map(known, post.text)), opening=tuple(map(known, post.opening)))

    async def _root(self, post: OutgoingMessage, room: str, *, doubtful: bool) -> str:
        """The event that a match's thread hangs from in a room; "" outside threads."""
        match = post.where.thread
        if not match:
            return ""
        place = Place(PLATFORM, room, match)
        root = await self._notebook.recall("thread", place)
        if not root:
            made = opening(self._named(post, room), self._clock())
            root = await self._said_before(room, made[LETTER], post.at) if doubtful else ""
            root = root or await self._send(room, made, made[LETTER])
            # In this order: whoever dies in between sends it again, as the same transaction, and notes both.
            await self._notebook.note("match", match, Place(PLATFORM, room, root))
            await self._notebook.note("thread", root, place)
        return root

    async def _picture(self, post: OutgoingMessage, image: bytes, room: str) -> dict[str, Any]:
        """The part of the content that shows a picture, once it lies with the homeserver."""
        encrypted = self._rooms.encrypted(room)
        if (kept := self._uploaded.get(post.key)) is not None and ("file" in kept) == encrypted:
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
            log.warning("a picture is refused; its words go without it", bytes=len(image), because=answer.message)
            return {}
        width, height = size(image)
        info: dict[str, Any] = {"mimetype": "image/png", "w": width, "h": height, "size": len(image)}
        if encrypted:
            # The homeserver cannot make a small one of it. A board is small already, so it is its own.
            file = {**(keys or {}), "url": answer.content_uri}
            info |= {"thumbnail_file": file, "thumbnail_info": dict(info)}
            where: dict[str, Any] = {"file": file}
        else:
            where = {"url": answer.content_uri}
        made = {"msgtype": "m.image", "filename": FILE, "info": info, **where}
        self._uploaded[post.key] = made
        if len(self._uploaded) > KEPT:
            self._uploaded.popitem(last=False)
        return made

    async def _send(self, room: str, made: dict[str, Any], transaction: str) -> str:
        client = self._client
        try:
            if self._rooms.encrypted(room) and client.should_query_keys:
                await client.keys_query()
            answer = await client.room_send(
                room, "m.room.message", made, transaction, ignore_unverified_devices=self._unverified
            )
        except KeyError as error:  # we were thrown out a moment ago
            raise Retry(SOON) from error
        except (LocalProtocolError, EncryptionError) as error:
            log.warning("a message cannot be encrypted", room=room, because=str(error))
            raise Retry(SOON) from error
        if isinstance(answer, RoomSendResponse):
            return str(answer.event_id)
        why = answer.message if isinstance(answer, ErrorResponse) else "no reason given"
        raise Undeliverable(f"the room {room} refuses it: {why}")

    async def _said_before(self, room: str, key: str, since: int) -> str:
        """Look a post up in a room's history, back to when it was written; "" if it is not there."""
        query = {"dir": "b", "limit": "100"}
        for _ in range(PAGES):
            answer = await self._client.ask("GET", f"{path(room, 'messages')}?{urlencode(query)}")
            if not answer.fine and answer.again is None and answer.code not in LOGGED_OUT:
                raise Undeliverable(f"the room {room} cannot be read: {answer.said}")
            page = granted(answer, self._client.folder, "what was said")
            events = [event for event in page.get("chunk", ()) if isinstance(event, dict)]
            for event in events:
                if event.get("sender") == self._client.user_id:
                    plain = read(self._client, room, event) if event.get("type") == "m.room.encrypted" else event
                    said = plain.get("content") if plain else None
                    if isinstance(said, dict) and said.get(LETTER) == key:
                        return str(event.get("event_id"))
            times = [at for event in events if isinstance(at := event.get("origin_server_ts"), int)]
            following = page.get("end")
            if not isinstance(following, str) or (times and max(times) < since - HOUR):
                break
            query["from"] = following
        return ""


FILE = "board.png"
