"""Hands an answer of the homeserver to nio: members, devices and keys, item by item.

nio takes an answer as a whole, and one event that it cannot bear ends that. Anybody can send such an event, so here
each is taken by itself, and a bad one is logged.
"""

from collections.abc import Iterator, Mapping
from typing import Any, Final

from nio import BadEvent, Event, MatrixRoom, RoomMemberEvent, ToDeviceEvent, UnknownBadEvent

from bot.adapters.matrix.client import Client
from bot.adapters.matrix.encryption.decryption import tolerated
from bot.adapters.matrix.events.reading import given
from bot.adapters.matrix.sync import room_state
from bot.adapters.matrix.sync.room_state import RoomState

BEFORE_CREATORS: Final = [str(version) for version in range(1, 12)]
"""The room versions in which creators stand below power levels."""


def take_in(client: Client, room_states: dict[str, RoomState], answer: Mapping[str, Any]) -> None:
    """Learn from an answer to /sync: first the keys, so that what follows can be read. All of it is written to disk."""
    olm, store = client.olm, client.store
    assert olm is not None, "logged in"
    assert store is not None, "logged in"
    with store.database.atomic():
        for raw in events_of(answer, "to_device"):
            if raw.get("type") == "m.room.encrypted":  # nobody gets keys from us by asking, so nothing else matters
                with tolerated("a message between devices"):
                    olm.handle_to_device_event(ToDeviceEvent.parse_event(raw))  # type: ignore[no-untyped-call]
        for room, part in parts(answer, "join"):
            _enter(client, room_states.setdefault(room, RoomState()), room, part)
        for room, _ in parts(answer, "leave"):
            client.rooms.pop(room, None)
            room_states.pop(room, None)
        encrypted = {number for number, room in client.rooms.items() if room.encrypted}
        store.save_encrypted_rooms(encrypted - client.encrypted_rooms)
        client.encrypted_rooms |= encrypted
    counts = answer.get("device_one_time_keys_count")
    if isinstance(counts, dict):  # a missing entry means that none are left; nio takes it for no news
        left = counts.get("signed_curve25519", 0)
        olm.uploaded_key_count = left if isinstance(left, int) else 0
    unused = answer.get("device_unused_fallback_key_types")
    if isinstance(unused, list) and "signed_curve25519" not in unused:
        client.fallback_used = True
    for change in ("changed", "left"):
        listed = given(answer, "device_lists", change)
        users = {user for user in listed if isinstance(user, str)} if isinstance(listed, list) else set()
        for user in users:
            client.known_keys.pop(user, None)
        olm.add_changed_users({user for user in users if any(user in client.rooms[room].users for room in encrypted)})


def parts(answer: Mapping[str, Any], membership: str) -> Iterator[tuple[str, dict[str, Any]]]:
    """The rooms in an answer in which we have this membership."""
    rooms = given(answer, "rooms", membership)
    for room, part in rooms.items() if isinstance(rooms, dict) else ():
        if isinstance(part, dict):
            yield room, part


def events_of(part: Mapping[str, Any], *path: str) -> list[dict[str, Any]]:
    """The events below these keys; whatever else stands there is left out."""
    listed = given(part, *path, "events")
    return [event for event in listed if isinstance(event, dict)] if isinstance(listed, list) else []


def _enter(client: Client, state: RoomState, number: str, part: Mapping[str, Any]) -> None:
    client.invited_rooms.pop(number, None)
    room = client.rooms.get(number)
    if room is None:
        room = client.rooms[number] = MatrixRoom(number, client.user_id, number in client.encrypted_rooms)
    for raw in (*events_of(part, "state"), *events_of(part, "timeline")):
        if isinstance(raw.get("state_key"), str):
            with tolerated("a state event"):
                _settle(client, state, room, raw)
    if room.encrypted and client.olm is not None:
        client.olm.update_tracked_users(room)  # type: ignore[no-untyped-call]


def _settle(client: Client, state: RoomState, room: MatrixRoom, raw: Mapping[str, Any]) -> None:
    content, sender = raw.get("content"), raw.get("sender")
    if not isinstance(content, dict) or not isinstance(sender, str):
        return
    if raw["state_key"] == "":
        match raw.get("type"):
            case "m.room.encryption":
                room.encrypted = True  # whatever its content: better unreadable than in the clear
            case "m.room.create":
                others = content.get("additional_creators")
                state.creators_rule = content.get("room_version", "1") not in BEFORE_CREATORS
                named = others if isinstance(others, list) and state.creators_rule else []
                state.creators = frozenset({sender, *(user for user in named if isinstance(user, str))})
                before = given(content, "predecessor", "room_id")
                state.predecessor = before if isinstance(before, str) else ""
            case room_state.GALLERY if sender == client.user_id:
                place = content.get("place")
                state.gallery = place if isinstance(place, str) else ""
            case "m.room.power_levels":
                state.powers = content
            case "m.room.tombstone":
                after = content.get("replacement_room")
                state.successor = after if isinstance(after, str) else ""
                state.via = sender.partition(":")[2]
    event = Event.parse_event(dict(raw))
    if isinstance(event, RoomMemberEvent):
        if room.handle_membership(event):
            client.invalidate_outbound_session(room.room_id)
    elif event is not None and not isinstance(event, BadEvent | UnknownBadEvent):
        room.handle_event(event)
