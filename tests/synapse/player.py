"""A person on Matrix with a client of their own: what they do in rooms, and what they see there."""

import asyncio
import io
import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Self, TypeAlias
from uuid import uuid4

import vodozemac
from nio import (
    AsyncClient,
    AsyncClientConfig,
    BadEvent,
    EncryptionError,
    Event,
    MegolmEvent,
    SyncResponse,
    UnknownBadEvent,
)
from nio.crypto import decrypt_attachment
from nio.responses import ErrorResponse
from nio.store import SqliteStore

from tests.synapse.server import Homeserver

PATIENCE = 60.0
"""Seconds; a busy machine is no failure."""
MOST = {"room": {"timeline": {"limit": 5000}, "include_leave": True}, "presence": {"types": []}}
ENCRYPTION = {"type": "m.room.encryption", "state_key": "", "content": {"algorithm": "m.megolm.v1.aes-sha2"}}


@dataclass(frozen=True, slots=True)
class Seen:
    """One event of a room as its reader sees it, decrypted if need be."""

    id: str
    room: str
    sender: str
    kind: str
    """The event's type; "m.room.encrypted" for what this client has no key for."""
    content: Mapping[str, Any]
    encrypted: bool
    """Whether the homeserver could not read it."""
    state: bool
    raw: Mapping[str, Any]

    @property
    def text(self) -> str:
        return str(self.content.get("body", ""))

    @property
    def html(self) -> str:
        return str(self.content.get("formatted_body", ""))

    @property
    def relation(self) -> Mapping[str, Any]:
        """What it has to do with another event: {} if nothing."""
        found = self.content.get("m.relates_to")
        return found if isinstance(found, Mapping) else {}

    @property
    def thread(self) -> str:
        """The event that its thread hangs from, "" outside threads."""
        return str(self.relation.get("event_id", "")) if self.relation.get("rel_type") == "m.thread" else ""

    @property
    def mentions(self) -> tuple[str, ...]:
        return tuple(self.content.get("m.mentions", {}).get("user_ids", ()))

    @property
    def picture(self) -> bool:
        return self.content.get("msgtype") == "m.image"


Wanted: TypeAlias = Callable[[Seen], bool] | str
"""What is waited for: a condition, or words that a message holds."""


class Player:
    """Somebody's client, which syncs from `enter` to `close`; an encrypted room needs nothing more."""

    def __init__(self, server: Homeserver, user: str, folder: Path):
        self.server = server
        self.user = user
        folder.mkdir(parents=True, exist_ok=True)
        config = AsyncClientConfig(store=SqliteStore, store_name="keys.db")
        self.client = AsyncClient(server.address, user, "", str(folder), config)
        self.password = ""
        self.invited: set[str] = set()
        self.rooms: set[str] = set()
        """Where this person is, as far as the client has heard."""
        self._seen: dict[str, list[Seen]] = {}
        self._sealed: dict[str, MegolmEvent] = {}
        self._news = asyncio.Condition()
        self._syncing: asyncio.Task[None] | None = None

    @classmethod
    async def enter(
        cls, server: Homeserver, name: str, folder: Path, password: str = "", *, signed: bool = True
    ) -> Self:
        """Log in as a new device; an account is made unless `name` is the whole id of one.

        `signed`: make an identity and sign the device with it, as today's clients do at the first login.
        """
        user = name if name.startswith("@") else server.register(name, password)
        password = password or user[1:].partition(":")[0]
        player = cls(server, user, folder / (name.removeprefix("@").partition(":")[0] + uuid4().hex[:6]))
        player.password = password
        _fine(await player.client.login(password, device_name="a player's"))
        await player._catch_up(full_state=True)
        if signed:
            player.make_identity()
        player._syncing = asyncio.create_task(player._sync(), name=f"{user} syncs")
        return player

    def make_identity(self) -> str:
        """Make a new identity and sign this device with it, as the specification tells; gives its public key."""
        master, signing = vodozemac.Account(), vodozemac.Account()  # only as pairs of Ed25519 keys
        known = self._ask("/_matrix/client/v3/keys/query", {"device_keys": {self.user: []}})
        device = known["device_keys"][self.user][self.client.device_id]
        public = {
            f"{role}_key": {"user_id": self.user, "usage": [role], "keys": {f"ed25519:{key}": key}}
            for role, key in (("master", _name(master)), ("self_signing", _name(signing)))
        }
        public["self_signing_key"]["signatures"] = {self.user: _signature(master, public["self_signing_key"])}
        proof = {
            "type": "m.login.password",
            "identifier": {"type": "m.id.user", "user": self.user},
            "password": self.password,
        }
        made = self._ask("/_matrix/client/v3/keys/device_signing/upload", public)
        if "session" in made:
            made = self._ask(
                "/_matrix/client/v3/keys/device_signing/upload",
                {**public, "auth": {**proof, "session": made["session"]}},
            )
        assert made == {}, made
        signed = {name: value for name, value in device.items() if name not in ("signatures", "unsigned")}
        signed["signatures"] = {self.user: _signature(signing, signed)}
        done = self._ask("/_matrix/client/v3/keys/signatures/upload", {self.user: {self.client.device_id: signed}})
        assert not done.get("failures"), done
        return _name(master)

    def _ask(self, path: str, body: Mapping[str, Any]) -> Any:
        return self.server.ask("POST", path, body, token=self.client.access_token)

    async def close(self) -> None:
        """Go offline for good."""
        if self._syncing is not None:
            self._syncing.cancel()
            await asyncio.wait([self._syncing])
            if not self._syncing.cancelled() and (error := self._syncing.exception()):
                raise error
        await self.client.close()
        if self.client.store is not None:
            self.client.store.database.close()

    async def create(
        self, *, encrypted: bool = False, invite: Sequence[str] = (), direct: bool = False, **more: Any
    ) -> str:
        """A private room; gives its id. `more` is what nio's room_create takes."""
        state = [*more.pop("initial_state", ()), *([ENCRYPTION] if encrypted else [])]
        made = await self.client.room_create(invite=invite, is_direct=direct, initial_state=state, **more)
        room = str(_fine(made).room_id)
        await self._until(lambda: room in self.client.rooms)
        return room

    async def invite(self, room: str, user: str) -> None:
        _fine(await self.client.room_invite(room, user))

    async def join(self, room: str) -> None:
        """Go in, and wait until the client knows the room."""
        _fine(await self.client.join(room))
        await self._until(lambda: room in self.rooms)

    async def leave(self, room: str) -> None:
        _fine(await self.client.room_leave(room))
        await self._until(lambda: room not in self.rooms)

    async def kick(self, room: str, user: str) -> None:
        _fine(await self.client.room_kick(room, user))

    async def upgrade(self, room: str, version: str = "11") -> str:
        """Replace a room as clients do; gives the new room's id."""
        made = self.server.ask(
            "POST",
            f"/_matrix/client/v3/rooms/{room}/upgrade",
            {"new_version": version},
            token=self.client.access_token,
        )
        new = str(made["replacement_room"])
        await self._until(lambda: new in self.client.rooms)
        return new

    async def say(
        self,
        room: str,
        text: str,
        *,
        thread: str = "",
        reply: str = "",
        edit: str = "",
        mention: Sequence[str] = (),
        notice: bool = False,
        **more: Any,
    ) -> str:
        """Send a message; gives its id. `more` goes into the content as it is."""
        content: dict[str, Any] = {"msgtype": "m.notice" if notice else "m.text", "body": text}
        if mention:
            content["m.mentions"] = {"user_ids": list(mention)}
        relation: dict[str, Any] = {}
        if thread:
            relation = {"rel_type": "m.thread", "event_id": thread, "is_falling_back": not reply}
            relation["m.in_reply_to"] = {"event_id": reply or thread}
        elif reply:
            relation = {"m.in_reply_to": {"event_id": reply}}
        elif edit:
            relation = {"rel_type": "m.replace", "event_id": edit}
            content = {**content, "body": f"* {text}", "m.new_content": content}
        if relation:
            content["m.relates_to"] = relation
        return await self.send(room, "m.room.message", {**content, **more})

    async def react(self, room: str, event: str, key: str) -> str:
        """Press a reaction; gives its id, to redact."""
        relation = {"rel_type": "m.annotation", "event_id": event, "key": key}
        return await self.send(room, "m.reaction", {"m.relates_to": relation})

    async def redact(self, room: str, event: str) -> None:
        _fine(await self.client.room_redact(room, event))

    async def send(self, room: str, kind: str, content: dict[str, Any]) -> str:
        """Any event at all, encrypted where the room is."""
        return str(_fine(await self.client.room_send(room, kind, content, ignore_unverified_devices=True)).event_id)

    async def post_picture(self, room: str, picture: bytes, name: str = "photo.png") -> str:
        """Share a picture, encrypted where the room is."""
        encrypted = self.client.rooms[room].encrypted
        data = io.BytesIO(picture)
        sent, keys = await self.client.upload(
            data, "image/png", filename=name, encrypt=encrypted, filesize=len(picture)
        )
        uri = str(_fine(sent).content_uri)
        where = {"file": {**(keys or {}), "url": uri}} if encrypted else {"url": uri}
        return await self.send(room, "m.room.message", {"msgtype": "m.image", "body": name, **where})

    async def save_picture(self, seen: Seen) -> bytes:
        """The picture of a message, decrypted if need be."""
        file = seen.content.get("file")
        found = _fine(await self.client.download(file["url"] if file else seen.content["url"])).body
        if file:
            found = decrypt_attachment(found, file["key"]["k"], file["hashes"]["sha256"], file["iv"])
        assert isinstance(found, bytes)
        return found

    def seen(self, room: str) -> list[Seen]:
        """All that the client has of a room, in the homeserver's order."""
        return list(self._seen.get(room, ()))

    def read(self, room: str, *, thread: str | None = None) -> list[Seen]:
        """The messages of a room in order; with `thread` those in it, or with "" those outside all threads."""
        messages = [seen for seen in self.seen(room) if seen.kind == "m.room.message"]
        return [seen for seen in messages if thread is None or seen.thread == thread]

    async def see(self, room: str, wanted: Wanted, *, count: int = 1) -> Seen:
        """Wait for the `count`-th event of somebody else's that is as wanted."""

        def found() -> list[Seen]:
            others = (seen for seen in self._seen.get(room, ()) if seen.sender != self.user)
            return [seen for seen in others if _is(seen, wanted)]

        await self._until(lambda: len(found()) >= count)
        return found()[count - 1]

    async def see_own(self, event: str) -> Seen:
        """Wait until what this person has sent comes back from the homeserver."""

        def found() -> list[Seen]:
            return [seen for seens in self._seen.values() for seen in seens if seen.id == event]

        await self._until(lambda: bool(found()))
        return found()[0]

    async def see_invitation(self, room: str = "") -> str:
        """Wait for an invitation, to this room if told; gives the room's id."""
        await self._until(lambda: room in self.invited if room else bool(self.invited))
        return room or min(self.invited)

    async def see_member(self, room: str, user: str) -> None:
        """Wait until somebody else has joined a room."""
        await self._until(lambda: user in self.client.rooms[room].users and not self._is_only_invited(room, user))

    def _is_only_invited(self, room: str, user: str) -> bool:
        return bool(self.client.rooms[room].users[user].invited)

    async def _until(self, condition: Callable[[], bool]) -> None:
        async with self._news:
            try:
                await asyncio.wait_for(self._news.wait_for(lambda: condition() or self._ended()), PATIENCE)
            except TimeoutError:
                had = {room: [(seen.kind, seen.text) for seen in self.read(room)] for room in self._seen}
                raise AssertionError(f"{self.user} waited in vain, and had seen only {had}") from None
        if self._syncing is not None and self._syncing.done():
            self._syncing.result()

    def _ended(self) -> bool:
        return self._syncing is not None and self._syncing.done()

    async def _sync(self) -> None:
        try:
            while True:
                await self._catch_up()
        finally:
            async with self._news:
                self._news.notify_all()

    async def _catch_up(self, *, full_state: bool = False) -> None:
        client = self.client
        answer = await client.sync(0 if full_state else 30_000, sync_filter=MOST, full_state=full_state)
        assert isinstance(answer, SyncResponse), answer
        if client.should_upload_keys:
            _fine(await client.keys_upload())
        if client.should_query_keys:
            _fine(await client.keys_query())
        if client.should_claim_keys:
            _fine(await client.keys_claim(client.get_users_for_key_claiming()))
        await client.send_to_device_messages()
        async with self._news:
            for room, info in answer.rooms.join.items():
                self._note(room, info.timeline.events)
            for room, info in answer.rooms.leave.items():
                self._note(room, info.timeline.events)
            self.invited |= set(answer.rooms.invite)
            self.invited -= set(answer.rooms.join) | set(answer.rooms.leave)
            self.rooms |= set(answer.rooms.join)
            self.rooms -= set(answer.rooms.leave)
            self._unseal()
            self._news.notify_all()

    def _note(self, room: str, events: Sequence[Event | BadEvent | UnknownBadEvent]) -> None:
        seen = self._seen.setdefault(room, [])
        for event in events:
            if isinstance(event, MegolmEvent):
                event.room_id = room
                self._sealed[event.event_id] = event
            seen.append(_seen(room, event))

    def _unseal(self) -> None:
        """Read what could not be read: its key may have come later."""
        for event in tuple(self._sealed.values()):
            try:
                read = self.client.decrypt_event(event)
            except EncryptionError:
                continue
            del self._sealed[event.event_id]
            seens = self._seen[event.room_id]
            at = next(at for at, seen in enumerate(seens) if seen.id == event.event_id)
            seens[at] = _seen(event.room_id, read)


def _seen(room: str, event: Event | BadEvent | UnknownBadEvent) -> Seen:
    raw = event.source
    content = raw.get("content", {})
    return Seen(
        raw["event_id"],
        room,
        raw["sender"],
        raw["type"],
        content if isinstance(content, dict) else {},
        bool(getattr(event, "decrypted", False)) or raw["type"] == "m.room.encrypted",
        "state_key" in raw,
        raw,
    )


def _name(pair: vodozemac.Account) -> str:
    return pair.ed25519_key.to_base64()


def _signature(pair: vodozemac.Account, signed: Mapping[str, Any]) -> dict[str, str]:
    text = json.dumps(signed, ensure_ascii=False, separators=(",", ":"), sort_keys=True)
    return {f"ed25519:{_name(pair)}": pair.sign(text.encode()).to_base64()}


def _is(seen: Seen, wanted: Wanted) -> bool:
    return wanted in seen.text if isinstance(wanted, str) else wanted(seen)


def _fine(answer: Any) -> Any:
    assert not isinstance(answer, ErrorResponse), answer
    return answer
