"""From what the homeserver has to tell to what nio knows: members, devices and keys, item by item.

nio takes an answer as a whole, and one event that it cannot bear ends that. Anybody can send such an event, so here
each is taken by itself, and what is bad about it is told in the log.
"""

from collections.abc import Iterator, Mapping
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from typing import Any

import structlog
from nio import (
    BadEvent,
    EncryptionError,
    Event,
    MatrixRoom,
    MegolmEvent,
    RoomMemberEvent,
    ToDeviceEvent,
    UnknownBadEvent,
)
from peewee import PeeweeException  # type: ignore[import-untyped]

from bot.adapters.matrix.client import Client
from bot.adapters.matrix.events import given

log = structlog.get_logger(__name__)

HOST = 50
"""The power level from which on somebody may settle things in a room."""

BEFORE_SOVEREIGNS = [str(version) for version in range(1, 12)]

MEGOLM = "m.megolm.v1.aes-sha2"


@dataclass(slots=True)
class Charter:
    """What nio does not keep of a room's state."""

    creators: frozenset[str] = frozenset()
    sovereign: bool = False
    """Whether creators stand above all power levels, as they do since version 12."""
    predecessor: str = ""
    successor: str = ""
    """The room that a tombstone points to."""
    via: str = ""
    """The server of whoever set the tombstone."""
    powers: Mapping[str, Any] = field(default_factory=dict)

    def host(self, user: str) -> bool:
        """Whether somebody may settle things in the room."""
        users = self.powers.get("users")
        default = self.powers.get("users_default", 0)
        level = users.get(user, default) if isinstance(users, dict) else default
        needed = self.powers.get("state_default", HOST)
        if self.sovereign and user in self.creators:
            return True
        return isinstance(level, int) and isinstance(needed, int) and level >= needed


def take_in(client: Client, charters: dict[str, Charter], answer: Mapping[str, Any]) -> None:
    """Learn from an answer to /sync: first the keys, so that what follows can be read. All is on the disk after."""
    olm, store = client.olm, client.store
    assert olm is not None, "logged in"
    assert store is not None, "logged in"
    with store.database.atomic():
        for raw in events_of(answer, "to_device"):
            if raw.get("type") == "m.room.encrypted":  # nobody gets keys from us by asking, so nothing else matters
                with _lenient("a message between devices"):
                    olm.handle_to_device_event(ToDeviceEvent.parse_event(raw))  # type: ignore[no-untyped-call]
        for room, part in parts(answer, "join"):
            _enter(client, charters.setdefault(room, Charter()), room, part)
        for room, _ in parts(answer, "leave"):
            client.rooms.pop(room, None)
            charters.pop(room, None)
        encrypted = {number for number, room in client.rooms.items() if room.encrypted}
        store.save_encrypted_rooms(encrypted - client.encrypted_rooms)
        client.encrypted_rooms |= encrypted
    counts = answer.get("device_one_time_keys_count")
    if isinstance(counts, dict):  # without the entry there are none left, which nio takes for no news
        left = counts.get("signed_curve25519", 0)
        olm.uploaded_key_count = left if isinstance(left, int) else 0
    for change in ("changed", "left"):
        listed = given(answer, "device_lists", change)
        users = {user for user in listed if isinstance(user, str)} if isinstance(listed, list) else set()
        olm.add_changed_users({user for user in users if any(user in client.rooms[room].users for room in encrypted)})


def read(client: Client, room: str, raw: Mapping[str, Any]) -> dict[str, Any] | None:
    """What an encrypted event says, None while its key is missing."""
    content = raw.get("content")
    session, cipher = given(content, "session_id"), given(content, "ciphertext")
    if not isinstance(content, dict) or content.get("algorithm") != MEGOLM:
        return None
    if not isinstance(session, str) or not isinstance(cipher, str):
        return None
    found: dict[str, Any] | None = None
    with _lenient("an encrypted event"):
        # Newer clients leave out what nio cannot do without.
        whole = {"device_id": "", **content, "sender_key": content.get("sender_key") or _owner(client, room, session)}
        event = MegolmEvent.from_dict({**raw, "content": whole})
        if isinstance(event, MegolmEvent) and client.olm is not None:
            with suppress(EncryptionError):
                plain = client.olm.decrypt_megolm_event(event, room)
                found = {**plain.source, "sender": raw.get("sender"), "event_id": raw.get("event_id")}
    return found


def parts(answer: Mapping[str, Any], membership: str) -> Iterator[tuple[str, dict[str, Any]]]:
    """The rooms that an answer tells of."""
    rooms = given(answer, "rooms", membership)
    for room, part in rooms.items() if isinstance(rooms, dict) else ():
        if isinstance(part, dict):
            yield room, part


def events_of(part: Mapping[str, Any], *path: str) -> list[dict[str, Any]]:
    """The events below these keys, as far as they are any."""
    listed = given(part, *path, "events")
    return [event for event in listed if isinstance(event, dict)] if isinstance(listed, list) else []


def _enter(client: Client, charter: Charter, number: str, part: Mapping[str, Any]) -> None:
    client.invited_rooms.pop(number, None)
    room = client.rooms.get(number)
    if room is None:
        room = client.rooms[number] = MatrixRoom(number, client.user_id, number in client.encrypted_rooms)
    for raw in (*events_of(part, "state"), *events_of(part, "timeline")):
        if isinstance(raw.get("state_key"), str):
            with _lenient("a state event"):
                _settle(client, charter, room, raw)
    if room.encrypted and client.olm is not None:
        client.olm.update_tracked_users(room)  # type: ignore[no-untyped-call]


def _settle(client: Client, charter: Charter, room: MatrixRoom, raw: Mapping[str, Any]) -> None:
    content, sender = raw.get("content"), raw.get("sender")
    if not isinstance(content, dict) or not isinstance(sender, str):
        return
    if raw["state_key"] == "":
        match raw.get("type"):
            case "m.room.encryption":
                room.encrypted = True  # whatever it says: better unreadable than in the clear
            case "m.room.create":
                others = content.get("additional_creators")
                charter.sovereign = content.get("room_version", "1") not in BEFORE_SOVEREIGNS
                named = others if isinstance(others, list) and charter.sovereign else []
                charter.creators = frozenset({sender, *(user for user in named if isinstance(user, str))})
                before = given(content, "predecessor", "room_id")
                charter.predecessor = before if isinstance(before, str) else ""
            case "m.room.power_levels":
                charter.powers = content
            case "m.room.tombstone":
                after = content.get("replacement_room")
                charter.successor = after if isinstance(after, str) else ""
                charter.via = sender.partition(":")[2]
    event = Event.parse_event(dict(raw))
    if isinstance(event, RoomMemberEvent):
        if room.handle_membership(event):
            client.invalidate_outbound_session(room.room_id)
    elif event is not None and not isinstance(event, BadEvent | UnknownBadEvent):
        room.handle_event(event)


def _owner(client: Client, room: str, session: str) -> str:
    """The device key of whoever made a room's key."""
    assert client.olm is not None, "logged in"
    for owner, sessions in client.olm.inbound_group_store[room].items():
        if session in sessions:
            return str(owner)
    return ""


@contextmanager
def _lenient(what: str) -> Iterator[None]:
    """One thing that nio cannot bear must not keep all others waiting."""
    try:
        yield
    except (OSError, PeeweeException):  # the disk: that is no fault of the event's
        raise
    except Exception as error:
        log.warning("something of the homeserver's cannot be taken in", what=what, trouble=type(error).__name__)
