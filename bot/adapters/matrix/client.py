"""nio's client, made safe for a process that may be killed at any moment; nobody else talks to a homeserver."""

import errno
import json
import logging
from base64 import b64decode
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from urllib.parse import quote

from aiohttp import ClientError
from nio import Api, AsyncClient, AsyncClientConfig, ErrorResponse, KeysClaimError, KeysUploadError, KeysUploadResponse
from nio.responses import Response, ShareGroupSessionError, ShareGroupSessionResponse
from nio.store import SqliteStore

from bot.messages.model import Retry

SESSION = "session.json"
KEYS = "keys.db"
LOGGED_OUT = ("M_UNKNOWN_TOKEN", "M_MISSING_TOKEN")
AGAIN = 10.0
"""Seconds until a homeserver is asked again that does not answer, or not sensibly."""
PATIENCE = 30.0
"""Seconds in which a homeserver must have answered."""
MOST_KEYS = 5_000
"""One-time keys that a device can have at most; there are about fifty."""


@dataclass(frozen=True, slots=True)
class Answer:
    """What a homeserver says to a plain request."""

    status: int
    body: Mapping[str, Any]

    @property
    def fine(self) -> bool:
        return self.status < 300

    @property
    def code(self) -> str:
        """The error's name, like M_FORBIDDEN."""
        return str(self.body.get("errcode", ""))

    @property
    def said(self) -> str:
        """The homeserver's own sentence about the error."""
        return f"{self.body.get('error', 'no reason given')} ({self.code or self.status})"

    @property
    def again(self) -> float | None:
        """In how many seconds it is worth asking again; None = there is an answer, and it will not change."""
        if self.status == 429:
            wait = self.body.get("retry_after_ms")
            return wait / 1000 if isinstance(wait, int) else AGAIN
        return None if self.fine or 400 <= self.status < 500 else AGAIN


class Client(AsyncClient):
    """One device of the bot's; its keys are in one file, and it never waits or tries again by itself."""

    def __init__(self, homeserver: str, user: str, folder: Path):
        # Its debug lines hold whatever is written to the key store.
        logging.getLogger("peewee").setLevel(logging.INFO)
        self.folder = folder
        self._unshared = 0
        """How many requests to pass on a room's key have come to nothing, or have not come back yet."""
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
        """What nio has no words for. Raises Retry where there is no answer in so many seconds."""
        headers = {"Content-Type": "application/json"}
        if self.access_token:
            headers["Authorization"] = f"Bearer {self.access_token}"
        try:
            got = await self.send(method, path, None if body is None else json.dumps(body), headers, timeout=seconds)
            text = await got.read()
        except (ClientError, TimeoutError) as error:
            raise Retry(AGAIN) from error
        try:
            said = json.loads(text)
        except ValueError:
            said = None
        if isinstance(said, dict):
            return Answer(got.status, said)
        # A proxy's page, not the homeserver's word: whatever it says, the homeserver is not there.
        return Answer(502, {})

    async def _answered(self, method: str, path: str, body: object = None) -> Answer:
        answer = await self.ask(method, path, body)
        if answer.again is not None:
            raise Retry(answer.again)
        return answer

    async def receive_response(self, response: Response) -> None:
        """All keys that an answer brings are kept, or none: a room's key is not lost between two writes.

        No callback may wait for something in here, so nobody registers any.
        """
        if self.store is None:
            await super().receive_response(response)
            return
        with self.store.database.atomic():
            await super().receive_response(response)

    async def keys_upload(self) -> KeysUploadResponse | KeysUploadError:
        """One-time keys are kept before the homeserver knows them: it never takes others under the same names."""
        assert self.olm is not None, "logged in"
        answer: KeysUploadResponse | KeysUploadError
        for _ in range(2):
            keys = self.olm.share_keys()
            self.olm.save_account()
            await self._note(_newest(keys["one_time_keys"]))
            method, path, data = Api.keys_upload(self.access_token, keys)
            answer = await self._send(KeysUploadResponse, method, path, data)
            if isinstance(answer, KeysUploadResponse) or "already exists" not in str(answer.message):
                break
            await self._take_back()
        return answer

    async def renew_keys(self) -> None:
        """If our keys come from a backup, have the homeserver forget the one-time keys that were published since.

        It would still give them out, and whoever spoke to us with one would not be understood.
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
        """Leave with the homeserver, which nobody puts back, how far our one-time keys have come."""
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
            if not answer.body.get("one_time_keys", {}).get(self.user_id, {}).get(self.device_id):
                break
        self.olm.uploaded_key_count = 0

    async def share_group_session(
        self, room_id: str, ignore_unverified_devices: bool = False
    ) -> ShareGroupSessionResponse | ShareGroupSessionError:
        """Nothing is said in an encrypted room before the key is on its way to everybody; else Retry.

        nio goes on where the homeserver did not take a key, and then nobody could ever read what was said.
        """
        missing = self.get_missing_sessions(room_id)
        if missing and isinstance(await self.keys_claim(missing), KeysClaimError):
            raise Retry(AGAIN)
        before = self._unshared
        answer: ShareGroupSessionResponse | ShareGroupSessionError
        try:
            answer = await super().share_group_session(room_id, ignore_unverified_devices)
        except Retry:
            # nio would have everybody wait for this for ever.
            if (shared := self.sharing_session.pop(room_id, None)) is not None:
                shared.set()
            raise
        if self._unshared != before:
            self.invalidate_outbound_session(room_id)
            raise Retry(AGAIN)
        return answer

    async def close(self) -> None:
        """Let go of the homeserver and the keys."""
        await super().close()  # type: ignore[no-untyped-call]
        if self.store is not None:
            self.store.database.close()

    async def _send(self, response_class: type, *arguments: Any, **named: Any) -> Any:
        """Whatever nio asks: no answer is Retry, and after a logout nothing goes on; else nio's response or error."""
        sharing = response_class is ShareGroupSessionResponse
        self._unshared += sharing
        try:
            answer = await super()._send(response_class, *arguments, **named)
        except (ClientError, TimeoutError) as error:
            raise Retry(AGAIN) from error
        if isinstance(answer, ErrorResponse):
            page = getattr(answer.transport_response, "content_type", "") != "application/json"  # a proxy's
            status = 502 if page else getattr(answer.transport_response, "status", 502)
            said = Answer(status, {"errcode": answer.status_code, "retry_after_ms": answer.retry_after_ms})
            if said.again is not None:
                raise Retry(said.again)
            if said.code in LOGGED_OUT:
                raise logged_out(self.folder)
        else:
            self._unshared -= sharing
        return answer


def path(room: str, *more: str) -> str:
    """Where a room, or something in it, is."""
    return "/".join(("/_matrix/client/v3/rooms", *(quote(part, safe="") for part in (room, *more))))


def _newest(names: Iterable[str]) -> int:
    """One-time keys are named by counting, in base64."""
    counted = (b64decode(f"{name.rpartition(':')[2]}=") for name in names)
    return max((int.from_bytes(count, "big") for count in counted), default=0)


def logged_out(folder: Path) -> OSError:
    """The fact that the login is worth nothing any more, and the remedy."""
    fact = "The homeserver does not know the bot's login any more: somebody has logged it out."
    return OSError(errno.EACCES, f"{fact} {new_device(folder)}")


def new_device(folder: Path) -> str:
    """The remedy where a login is lost for good; what the bot proves to be itself with stays where it is."""
    return (
        f"To log in as a new device, move {SESSION} and {KEYS} out of {folder}, set RIPOSTE_MATRIX_PASSWORD "
        "and start again."
    )
