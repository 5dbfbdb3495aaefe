"""Sends a message to its room, or to a private one: once, whatever is cut off on the way."""

import asyncio
import io
from collections import OrderedDict
from collections.abc import Awaitable, Callable, Sequence
from contextlib import suppress
from dataclasses import replace
from functools import partial
from typing import Any, Final, TypeAlias, TypeVar
from urllib.parse import urlencode

import structlog
from nio import ErrorResponse, RoomSendResponse, UploadResponse

from bot.adapters.images import image_of
from bot.adapters.matrix.client import Client, path
from bot.adapters.matrix.encryption.decryption import decrypt
from bot.adapters.matrix.encryption.trust import Trust
from bot.adapters.matrix.errors import SOON, allowed, converting
from bot.adapters.matrix.events.content import (
    MESSAGE_KEY,
    Setting,
    alone,
    buttons,
    content,
    opening,
    related,
    signs,
)
from bot.adapters.matrix.events.html import ENGLISH, PLATFORM, Wording, formatted
from bot.adapters.matrix.galleries import Galleries
from bot.adapters.matrix.rooms import Rooms
from bot.adapters.matrix.sync.stream import Stream
from bot.messages.catalogue import beside
from bot.messages.model import OutgoingMessage, Person, Place, Retry, Span, Undeliverable, absent
from bot.messages.prompts import ANSWERS
from bot.messages.showing.files import as_file
from bot.runtime.inbox import Inbox
from engine.text import Text

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
"""Messages of which is remembered how far they have come, at most."""


Kept = TypeVar("Kept")

READABLE: Final = (
    Text("This room is not encrypted, so your homeserver can read what I tell you here."),
    Text("Invite me to an encrypted one if you mind."),
)
UNSIGNED: Final = Text("I have something for you alone, and cannot know which devices are yours: none is verified.")
SIGN: Final = Text(
    "Set up encryption in your client (in Element: Settings, Encryption), verify this device, and ask me again."
)
PAGE: Final = Text("Or answer on Riposte's page: `account` links you there.")
CHANGED: Final = (
    Text("You have another identity on Matrix than before, so I take it that you have made a new one."),
    Text("If you have not, somebody reads what I tell you: ask whoever runs your homeserver."),
)


Current: TypeAlias = Callable[[str], Awaitable[bool]]
"""Whether a command below a message still leads to something."""


async def settled(_command: str) -> bool:
    """Nothing leads anywhere: there is nobody to ask."""
    return False


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
        page: bool = False,
        later: Callable[[Callable[[], Awaitable[object]]], None] = lambda _work: None,
        wording: Callable[[str], Wording] = lambda _language: ENGLISH,
        current: Current = settled,
    ):
        self._client = client
        self._inbox = inbox
        self._clock = clock
        self._rooms = rooms
        self._galleries = Galleries(client, inbox, rooms, stream)
        self._stream = stream
        self._prefix = prefix
        self._unverified = unverified
        self._page = page
        self._later = later
        self._trust = Trust(client, inbox)
        self._wording = wording
        self._current = current
        self._opened = clock()
        self._device_since = 0
        self._rest: dict[str, float] = {}
        """Until when rooms are left alone, by the loop's clock."""
        self._locks: dict[str, asyncio.Lock] = {}
        self._uploaded: OrderedDict[str, dict[str, Any]] = OrderedDict()
        self._said: OrderedDict[str, str] = OrderedDict()
        """The events of words whose pictures are still to come, so that trouble with these does not send them again."""

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
        if message.harmless and message.answers and message.where.channel:
            message = replace(message, only=None)
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
        if message.where.gallery:
            return await self._galleries.room(message, self._wording(message.language))
        if message.only is not None:
            return await self._rooms.direct(message.only.id, self._stream, near=room, asked=bool(message.answers))
        if self._rooms.moving(room):
            if message.at < self._clock() - GIVE_UP:
                raise Undeliverable(f"the room {room} was replaced by one that we cannot join", closes="place")
            raise Retry(SOON)
        if room not in self._client.rooms:
            await self._missing(room)
        return room

    async def _missing(self, room: str) -> None:
        """Find out whether we are in a room that nio does not know. Raises Retry or Undeliverable."""
        answer = await self._client.ask("GET", path(room, "state", "m.room.member", self._client.user_id))
        fact = f"we are not in the room {room}"
        member = allowed(answer, self._client.folder, "who is in a room", fact, "place")
        if member.get("membership") != "join":
            raise Undeliverable(f"{fact} any more", closes="place")
        raise Retry(SOON)

    async def _delivered(self, message: OutgoingMessage, image: bytes | None, room: str) -> str:
        doubtful = message.at < max(self._clock() - SURE, self._device_since)
        if message.only is not None:
            await self._confide(room, message, message.only)
        root = "" if message.only else await self._root(message, room, doubtful=doubtful)
        answers = "" if message.only else message.answers.removeprefix(f"{PLATFORM}:")
        free = bool(root) or self._rooms.alone(room)
        setting = Setting(await self._prefix_in(room), free, self._wording(message.language))
        caption = await self._captions(room)
        picture = await self._picture(message, image, room) if image and caption else None
        message, filed = as_file(message)
        sent = self._said.get(message.key, "")
        if not sent and doubtful:
            sent = await self._sent_before(room, message.key, message.at)
        if not sent:
            made = content(self._named(message, room), setting, picture=picture, now=self._clock())
            sent = await self._send(room, related(made, root, answers), message.key)
            self._remember(self._said, message.key, sent)
            await self._settle_offers(room, message)
            await self._offer_reactions(room, message, sent)
        if filed:
            await self._send_file(room, message, filed, doubtful=doubtful)
        if image and not caption:
            await self._send_picture(room, message, image, root, doubtful=doubtful)
        self._uploaded.pop(message.key, None)
        self._said.pop(message.key, None)
        return sent

    async def _confide(self, room: str, message: OutgoingMessage, reader: Person) -> None:
        """See to it that nobody but its reader can read what is for them alone, or that they know who can."""
        if not self._rooms.encrypted(room):
            if not await self._inbox.recall("warned", Place(PLATFORM, room)):
                await self._remark(room, message, READABLE)
                await self._inbox.note("warned", "yes", Place(PLATFORM, room))
            return
        readers = await self._trust.readers(reader.id)
        if not readers.devices and not message.harmless:
            remedy = (UNSIGNED, SIGN, PAGE) if self._page else (UNSIGNED, SIGN)
            await self._remark(room, message, remedy)
            raise Undeliverable(f"no device of {reader.id} is signed with their identity", closes="person")
        if readers.changed:
            await self._remark(room, message, CHANGED)
        if readers.devices:
            await self._trust.note(reader.id)
            self._client.confine(room, readers.devices)

    async def _remark(self, room: str, message: OutgoingMessage, sentences: tuple[Text, ...]) -> None:
        """Say something about a message before it is sent, or in its place; nothing in it is secret."""
        wording = self._wording(message.language)
        key = f"{message.key}.remark"
        words = beside(wording.say(sentence) for sentence in sentences)
        made = formatted((words,), self._clock(), wording=wording) | {MESSAGE_KEY: key}
        await self.say(room, made, key)

    async def say(self, room: str, made: dict[str, Any], transaction: str) -> str:
        """Send what is no secret. Raises Retry or Undeliverable."""
        self._client.confine(room, None)
        return await self._send(room, made, transaction)

    async def _captions(self, room: str) -> bool:
        """Whether people in a room want pictures with their words as captions, which not all clients show."""
        return await self._inbox.recall("pictures", Place(PLATFORM, await self._rooms.origin(room))) == "caption"

    async def _send_picture(
        self, room: str, message: OutgoingMessage, image: bytes, root: str, *, doubtful: bool
    ) -> None:
        """Send a picture behind its words."""
        picture = await self._picture(message, image, room)
        if not picture:
            return
        key = f"{message.key}.picture"
        if not (doubtful and await self._sent_before(room, key, message.at)):
            await self._send(room, related(alone(message, picture), root), key)

    async def _send_file(self, room: str, message: OutgoingMessage, text: str, *, doubtful: bool) -> None:
        """Send a file behind its words."""
        key, data = f"{message.key}.file", text.encode()
        if doubtful and await self._sent_before(room, key, message.at):
            return
        where = await self._upload(room, data, "text/plain", message.file)
        if where is None:
            raise Undeliverable(f"the homeserver takes no file of {len(data)} bytes")
        made = {"msgtype": "m.file", "body": message.file, "filename": message.file, MESSAGE_KEY: key}
        await self._send(room, made | {"info": {"mimetype": "text/plain", "size": len(data)}} | where, key)

    async def _settle_offers(self, room: str, message: OutgoingMessage) -> None:
        """Take away the reactions below what was offered before in a match, unless it can still be answered."""
        place = Place(PLATFORM, room, message.about)
        if not message.about or message.only is not None:
            return
        for offer in (await self._inbox.recall("offered", place)).splitlines():
            events, _, command = offer.partition("\t")
            if not (command and await self._current(command)):
                self._later(partial(self._take_away, place, offer, events.split()))

    async def _take_away(self, place: Place, offer: str, events: Sequence[str]) -> None:
        for event in events:
            url = path(place.channel, "redact", event, f"settled {event}")
            allowed(await self._client.ask("PUT", url, {}), self._client.folder, "to settle an offer", "it stays")
        known = (await self._inbox.recall("offered", place)).splitlines()
        await self._inbox.note("offered", "\n".join(one for one in known if one != offer), place)

    async def _offer_reactions(self, room: str, message: OutgoingMessage, event: str) -> None:
        """Put the reactions below an offer that answer it, so that one press does; they can be spared."""
        made, answer_by = [], ""
        commands = [choice.command for choice in buttons(message)]
        for command, sign in zip(commands, signs(commands), strict=True):
            if sign not in ANSWERS.values():
                continue
            answer_by = answer_by or command
            relation = {"rel_type": "m.annotation", "event_id": event, "key": sign}
            url = path(room, "send", "m.reaction", f"{message.key}.{sign}")
            with suppress(Retry):
                answer = await self._client.ask("PUT", url, {"m.relates_to": relation})
                made.append(str(answer.body.get("event_id", "")))
        if message.about and any(made):
            place = Place(PLATFORM, room, message.about)
            known = (await self._inbox.recall("offered", place)).splitlines()
            offer = f"{' '.join(made)}\t{answer_by}"
            await self._inbox.note("offered", "\n".join([*(one for one in known if one != offer), offer]), place)

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
        if not match or message.where.gallery:
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
        kind = image_of(image)
        where = await self._upload(room, image, kind.type, kind.name)
        if where is None:
            return {}
        info: dict[str, Any] = {"mimetype": kind.type, "w": kind.width, "h": kind.height, "size": len(image)}
        if encrypted:  # the homeserver cannot make a thumbnail of it: a board is small already, so it is its own
            info |= {"thumbnail_file": where["file"], "thumbnail_info": dict(info)}
        made = {"msgtype": "m.image", "filename": kind.name, "info": info, **where}
        self._remember(self._uploaded, message.key, made)
        return made

    async def _upload(self, room: str, data: bytes, kind: str, name: str) -> dict[str, Any] | None:
        """Upload something for a room; returns the part of the content that says where it is, None if it is refused."""
        encrypted = self._rooms.encrypted(room)
        try:
            async with asyncio.timeout(UPLOADING):
                answer, keys = await self._client.upload(
                    io.BytesIO(data),
                    kind,
                    filename=None if encrypted else name,
                    encrypt=encrypted,
                    filesize=len(data),
                )
        except TimeoutError as error:
            raise Retry(SOON) from error
        if not isinstance(answer, UploadResponse):
            log.warning("a file is refused; its message goes without it", bytes=len(data), error=answer.message)
            return None
        return {"file": {**(keys or {}), "url": answer.content_uri}} if encrypted else {"url": answer.content_uri}

    def _remember(self, where: OrderedDict[str, Kept], key: str, what: Kept) -> None:
        where[key] = what
        if len(where) > KEPT:
            where.popitem(last=False)

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
        muted = isinstance(answer, ErrorResponse) and answer.status_code == "M_FORBIDDEN"
        raise Undeliverable(f"the room {room} refuses it: {why}", closes="place" if muted else "")

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
