"""Reads encrypted events, and keeps one that nio cannot bear from holding up the others."""

from collections.abc import Iterator, Mapping
from contextlib import contextmanager, suppress
from typing import Any

import structlog
from nio import EncryptionError, MegolmEvent
from peewee import PeeweeException  # type: ignore[import-untyped]

from bot.adapters.matrix.client import Client
from bot.adapters.matrix.events.reading import given

log = structlog.get_logger(__name__)

MEGOLM = "m.megolm.v1.aes-sha2"


def decrypt(client: Client, room: str, raw: Mapping[str, Any]) -> dict[str, Any] | None:
    """The plain event in an encrypted one, None while its key is missing."""
    content = raw.get("content")
    session, cipher = given(content, "session_id"), given(content, "ciphertext")
    if not isinstance(content, dict) or content.get("algorithm") != MEGOLM:
        return None
    if not isinstance(session, str) or not isinstance(cipher, str):
        return None
    found: dict[str, Any] | None = None
    with tolerated("an encrypted event"):
        # Newer clients leave out what nio cannot do without.
        whole = {"device_id": "", **content, "sender_key": content.get("sender_key") or _owner(client, room, session)}
        event = MegolmEvent.from_dict({**raw, "content": whole})
        if isinstance(event, MegolmEvent) and client.olm is not None:
            with suppress(EncryptionError):
                plain = client.olm.decrypt_megolm_event(event, room)
                found = {**plain.source, "sender": raw.get("sender"), "event_id": raw.get("event_id")}
    return found


@contextmanager
def tolerated(what: str) -> Iterator[None]:
    """Log and drop one item that nio cannot bear: anybody can send such a one, and all others would wait for it."""
    try:
        yield
    except (OSError, PeeweeException):  # the disk: that is no fault of the event's
        raise
    except Exception as error:
        log.warning("the homeserver sent something unreadable", what=what, error=type(error).__name__)


def _owner(client: Client, room: str, session: str) -> str:
    """The device key of whoever made a room's key."""
    assert client.olm is not None, "logged in"
    for owner, sessions in client.olm.inbound_group_store[room].items():
        if session in sessions:
            return str(owner)
    return ""
