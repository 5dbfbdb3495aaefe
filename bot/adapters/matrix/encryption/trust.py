"""Whose devices may read what is for one person alone: those that are signed by their owner's identity.

Anybody who can add a device to an account, such as its homeserver, could read along otherwise. The first identity that
is seen of somebody is trusted; another one later is told of.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Final

import structlog

from bot.adapters.matrix.client import Client
from bot.adapters.matrix.errors import granted
from bot.adapters.matrix.events.html import PLATFORM
from bot.adapters.matrix.events.reading import given
from bot.messages.model import Place
from bot.runtime.inbox import Inbox

log = structlog.get_logger(__name__)

QUERY: Final = "/_matrix/client/v3/keys/query"


@dataclass(frozen=True, slots=True)
class Readers:
    """The devices of a person that can be trusted, by their Ed25519 keys."""

    devices: frozenset[str]
    changed: bool = False
    """Whether their identity is another one than before."""


class Trust:
    """Asks the homeserver for people's identities, and notes which was the first that it told."""

    def __init__(self, client: Client, inbox: Inbox):
        self._client = client
        self._inbox = inbox

    async def readers(self, user: str) -> Readers:
        """Who may read what is for this person alone. Raises Retry where that cannot be found out now."""
        known = self._client.known_keys.get(user)
        if known is None:
            asked: dict[str, Any] = {"device_keys": {user: []}}
            known = granted(await self._client.ask("POST", QUERY, asked), self._client.folder, "people's keys")
            self._client.known_keys[user] = known
        master = _only(given(known, "master_keys", user))
        devices = frozenset(self._signed(known, user, master)) if master else frozenset[str]()
        if not devices:
            return Readers(devices)
        home = Place(PLATFORM, user)
        before = await self._inbox.recall("identity", home)
        return Readers(devices, changed=bool(before) and before != master)

    async def note(self, user: str) -> None:
        """Trust the identity that somebody has now."""
        home, master = Place(PLATFORM, user), _only(given(self._client.known_keys.get(user), "master_keys", user))
        before = await self._inbox.recall("identity", home)
        if master and before != master:
            await self._inbox.note("identity", master, home)
            if before:
                log.warning("somebody has a new identity on Matrix", user=user, master=master)

    def _signed(self, known: Mapping[str, Any], user: str, master: str) -> list[str]:
        signing = given(known, "self_signing_keys", user)
        signer = _only(signing)
        if not signer or not self._by(signing, user, master, master):
            return []
        listed = given(known, "device_keys", user)
        found = []
        for device, keys in listed.items() if isinstance(listed, dict) else ():
            own = given(keys, "keys", f"ed25519:{device}")
            whole = given(keys, "user_id") == user and given(keys, "device_id") == device
            if whole and isinstance(own, str) and self._by(keys, user, signer, signer):
                found.append(own)
        return found

    def _by(self, signed: dict[str, Any], user: str, key: str, name: str) -> bool:
        assert self._client.olm is not None, "logged in"
        try:
            return bool(self._client.olm.verify_json(dict(signed), key, user, name))  # type: ignore[no-untyped-call]
        except Exception:  # anybody can publish keys of any shape
            return False


def _only(key: object) -> str:
    """The one public key in a published one, "" if there is none."""
    keys = given(key, "keys")
    found = list(keys.values()) if isinstance(keys, dict) else []
    return found[0] if len(found) == 1 and isinstance(found[0], str) else ""
