"""nio's client, safe for a process that may be killed at any moment; all requests to a homeserver go through it."""

import json
import logging
from base64 import b64decode
from collections.abc import Callable, Iterable, Mapping
from pathlib import Path
from typing import Any
from urllib.parse import quote

from nio import (
    Api,
    AsyncClient,
    AsyncClientConfig,
    ErrorResponse,
    ForwardedRoomKeyEvent,
    KeysClaimError,
    KeysUploadError,
    KeysUploadResponse,
)
from nio.crypto import OutgoingKeyRequest
from nio.responses import Response, RoomSendResponse, ShareGroupSessionError, ShareGroupSessionResponse
from nio.store import SqliteStore

from bot.adapters.matrix.errors import AGAIN, MENDED, Answer, check, reaching
from bot.adapters.matrix.files import KEYS
from bot.messages.model import Retry
from bot.trouble import Trouble

PATIENCE = 30.0
"""Seconds that a homeserver may take to answer."""
MEGOLM = "m.megolm.v1.aes-sha2"
MOST_KEYS = 5_000
"""One-time keys that a device can have at most; there are about fifty."""


class Client(AsyncClient):
    """One device of the bot's; its keys are in one file, and it never waits or tries again by itself."""

    def __init__(self, homeserver: str, user: str, folder: Path):
        # Its debug lines hold whatever is written to the key store.
        logging.getLogger("peewee").setLevel(logging.INFO)
        self.folder = folder
        self._refused = Trouble("the homeserver takes nothing from Riposte until somebody has seen to it")
        self._unshared = 0
        """How many requests to pass on a room's key have failed, or are under way."""
        self.fallback_used = True
        """Whether the homeserver has no unused fallback key of ours: it says so with its news, and ours may come from a
        backup that does not know the last one."""
        self.known_keys: dict[str, Mapping[str, Any]] = {}
        """What the homeserver has told about people's keys, until it says that these have changed."""
        self._awaited_keys: dict[str, str] = {}
        """Whom we have asked for which room's key."""
        self.speaks: Callable[[], bool] = lambda: True
        """Whether it is for this process to say anything, and not for another that may have taken over."""
        self._confined: dict[str, frozenset[str] | None] = {}
        """The rooms whose keys only these devices of the other person get."""
        config = AsyncClientConfig(
            store=SqliteStore,
            store_name=KEYS,
            max_limit_exceeded=0,
            max_timeouts=0,
            request_timeout=PATIENCE,
        )
        super().__init__(homeserver, user, "", str(folder), config)

    @property
    def fingerprint(self) -> str:
        """The device's own Ed25519 key."""
        assert self.olm is not None, "logged in"
        return str(self.olm.account.identity_keys["ed25519"])

    async def ask(self, method: str, path: str, body: object = None, *, seconds: float = PATIENCE) -> Answer:
        """A request that nio does not know. Raises Retry where there is no answer in so many seconds."""
        headers = {"Content-Type": "application/json"}
        if self.access_token:
            headers["Authorization"] = f"Bearer {self.access_token}"
        with reaching():
            got = await self.send(method, path, None if body is None else json.dumps(body), headers, timeout=seconds)
            text = await got.read()
        try:
            found = json.loads(text)
        except ValueError:
            found = None
        if isinstance(found, dict):
            return Answer(got.status, found)
        # A proxy's page: whatever it says, the homeserver itself has not answered.
        return Answer(502, {})

    async def _answered(self, method: str, path: str, body: object = None) -> Answer:
        answer = await self.ask(method, path, body)
        if answer.again is not None:
            raise Retry(answer.again)
        return answer

    async def send(self, method: str, *given: Any, **named: Any) -> Any:
        """Every request goes this way. Raises Retry for one that changes something while others may have taken over.

        What is delivered may be several requests, and the process paused between two of them.
        """
        if method.upper() != "GET" and not self.speaks():
            raise Retry(AGAIN, tried=False)
        return await super().send(method, *given, **named)

    async def receive_response(self, response: Response) -> None:
        """Write all keys that an answer brings, or none: a room's key is not lost between two writes.

        No callback may wait for something in here, so none is registered.
        """
        if self.store is None:
            await super().receive_response(response)
            return
        with self.store.database.atomic():
            await super().receive_response(response)

    async def keys_upload(self) -> KeysUploadResponse | KeysUploadError:
        """Write one-time keys down before the homeserver knows them: it never takes others under the same names."""
        assert self.olm is not None, "logged in"
        answer: KeysUploadResponse | KeysUploadError
        for _ in range(2):
            keys = self.olm.share_keys() if self.should_upload_keys else {"one_time_keys": {}}
            if self.fallback_used:
                keys["fallback_keys"] = self._fallback()
            self.olm.save_account()
            if keys["one_time_keys"]:
                await self._note(_newest(keys["one_time_keys"]))
            method, path, data = Api.keys_upload(self.access_token, keys)
            answer = await self._send(KeysUploadResponse, method, path, data)
            if isinstance(answer, KeysUploadResponse):
                self.fallback_used = False
            if isinstance(answer, KeysUploadResponse) or "already exists" not in str(answer.message):
                break
            await self._take_back()
        return answer

    def _fallback(self) -> dict[str, Any]:
        """The key that others use when all one-time keys are gone: one that was not published yet is used first."""
        assert self.olm is not None, "logged in"
        account: Any = self.olm.account._account  # nio knows no fallback keys
        if not account.fallback_key:
            account.generate_fallback_key()
        made: dict[str, Any] = {}
        for name, key in account.fallback_key.items():
            signed = {"key": key.to_base64(), "fallback": True}
            signature = self.olm.sign_json(signed)
            made[f"signed_curve25519:{name}"] = {
                **signed,
                "signatures": {self.user_id: {f"ed25519:{self.device_id}": signature}},
            }
        return made

    async def renew_keys(self) -> None:
        """If our keys come from a backup, have the homeserver forget the one-time keys that were published since.

        It would still give them out, and we could not read what is encrypted with one.
        """
        assert self.olm is not None, "logged in"
        account = self.olm.account
        if not account.shared:
            return
        account.generate_one_time_keys(1)
        noted = (await self._answered("GET", self._notes)).body.get(self.device_id or "")
        if isinstance(noted, int) and noted >= _newest(account.one_time_keys["curve25519"]):
            await self._take_back()
            await self.keys_upload()

    async def _note(self, newest: int) -> None:
        """Note with the homeserver, which no backup puts back, how far our one-time keys have come."""
        await self._answered("PUT", self._notes, {self.device_id: newest})

    @property
    def _notes(self) -> str:
        return f"/_matrix/client/v3/user/{quote(self.user_id, safe='')}/account_data/riposte.one_time_keys"

    async def _take_back(self) -> None:
        """Leave the homeserver none of our one-time keys."""
        assert self.olm is not None, "logged in"
        asked = {"one_time_keys": {self.user_id: {self.device_id: "signed_curve25519"}}}
        for _ in range(MOST_KEYS):
            answer = await self._answered("POST", "/_matrix/client/v3/keys/claim", asked)
            taken = answer.body.get("one_time_keys", {}).get(self.user_id, {}).get(self.device_id)
            if not taken or any(key.get("fallback") for key in taken.values()):  # that one it gives out for ever
                break
        self.fallback_used = True
        self.olm.uploaded_key_count = 0

    async def share_group_session(
        self, room_id: str, ignore_unverified_devices: bool = False
    ) -> ShareGroupSessionResponse | ShareGroupSessionError:
        """Share a room's key with everybody before anything is sent there; else Retry.

        nio goes on where the homeserver did not take a key, and then nobody could ever read the message.
        """
        self._leave_out(room_id)
        missing = self.get_missing_sessions(room_id)
        if missing and isinstance(await self.keys_claim(missing), KeysClaimError):
            raise Retry(AGAIN)
        before = self._unshared
        answer: ShareGroupSessionResponse | ShareGroupSessionError
        try:
            answer = await super().share_group_session(room_id, ignore_unverified_devices)
        except Retry:
            # nio would have all later messages wait for this for ever.
            if (shared := self.sharing_session.pop(room_id, None)) is not None:
                shared.set()
            raise
        if self._unshared != before:
            self.invalidate_outbound_session(room_id)
            raise Retry(AGAIN)
        return answer

    def await_key(self, room: str, session: str, sender: str) -> None:
        """Take a room's key that we have asked somebody for, from nobody else: nio would take it from us alone."""
        assert self.olm is not None, "logged in"
        self._awaited_keys[session] = sender
        self.olm.outgoing_key_requests[session] = OutgoingKeyRequest(session, session, room, MEGOLM)
        self.olm._should_accept_forward = self._is_awaited  # type: ignore[method-assign]

    def _is_awaited(self, sender: str, sender_key: str, event: ForwardedRoomKeyEvent) -> bool:
        asked = self.olm.outgoing_key_requests.get(event.session_id) if self.olm is not None else None
        return (
            bool(sender_key)
            and asked is not None
            and (asked.room_id, asked.algorithm) == (event.room_id, event.algorithm)
            and self._awaited_keys.get(event.session_id) == sender
        )

    def confine(self, room: str, devices: frozenset[str] | None) -> None:
        """Let only these devices of others, by their Ed25519 keys, read what is sent to a room; None = all of them."""
        if self._confined.get(room) != devices:
            self.invalidate_outbound_session(room)
            self._confined[room] = devices

    def _leave_out(self, room: str) -> None:
        """Mark those who are not to get the key of a room that is confined to others."""
        readers = self._confined.get(room)
        if readers is None:
            return
        assert self.olm is not None, "logged in"
        session = self.olm.outbound_group_sessions.get(room)
        if session is None or session.shared:
            self.olm.create_outbound_group_session(room)
            session = self.olm.outbound_group_sessions[room]
        for user in self.rooms[room].users:
            for device in self.olm.device_store.active_user_devices(user):
                if device.ed25519 not in readers:
                    session.users_ignored.add((user, device.id))

    async def close(self) -> None:
        """Close the connection and the file of keys."""
        await super().close()  # type: ignore[no-untyped-call]
        if self.store is not None:
            self.store.database.close()

    async def _send(self, response_class: type, *arguments: Any, **named: Any) -> Any:
        """Send a request of nio's: no answer is Retry, a logout is OSError; else nio's response or error."""
        sharing = response_class is ShareGroupSessionResponse
        self._unshared += sharing
        with reaching():
            answer = await super()._send(response_class, *arguments, **named)
        if isinstance(answer, ErrorResponse):
            if answer.status_code in MENDED:
                self._refused.failed(answer.message)
            check(answer, self.folder)
        else:
            if isinstance(answer, RoomSendResponse):
                self._refused.works()
            self._unshared -= sharing
        return answer


def path(room: str, *more: str) -> str:
    """The address of a room, or of something in it."""
    return "/".join(("/_matrix/client/v3/rooms", *(quote(part, safe="") for part in (room, *more))))


def _newest(names: Iterable[str]) -> int:
    """One-time keys are named by counting, in base64."""
    counted = (b64decode(f"{name.rpartition(':')[2]}=") for name in names)
    return max((int.from_bytes(count, "big") for count in counted), default=0)
