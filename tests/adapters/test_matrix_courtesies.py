"""What people on Matrix are owed beside answers: receipts, keys asked for, verifications cancelled, rooms left."""

import asyncio
from collections.abc import AsyncIterator
from itertools import count
from pathlib import Path
from typing import Any

import pytest
from nio import ShareGroupSessionResponse

from tests.adapters.matrix_room import PREFIX, Bot, Enter, club
from tests.synapse.player import Player
from tests.synapse.server import Homeserver

NUMBERS = count(1)
START = 1_800_000_000_000


class Hour:
    """A clock that is set by hand."""

    at = START

    def __call__(self) -> int:
        return self.at


@pytest.fixture
def clock() -> Hour:
    return Hour()


@pytest.fixture
async def bot(synapse: Homeserver, tmp_path: Path, clock: Hour) -> AsyncIterator[Bot]:
    bot = await Bot.enter(synapse, tmp_path / "bot", f"courteous-{next(NUMBERS)}", clock=clock)
    yield bot
    await bot.stop()


def ask(bot: Bot, player: Player, method: str, path: str, body: object = None) -> Any:
    return bot.server.ask(method, f"/_matrix/client/v3{path}", body, token=player.client.access_token)


async def test_whoever_writes_what_cannot_be_read_is_told_once_and_asked_for_the_key(
    bot: Bot, people: Enter, clock: Hour
) -> None:
    anna, ben = await people("anna"), await people("ben")
    room = await anna.create(encrypted=True, invite=[bot.user, ben.user], room_version="11")
    await ben.see_invitation(room)
    await ben.join(room)
    await anna.see_member(room, bot.user)
    phone = bot.server.log_in(anna.user)
    sealed = {
        "algorithm": "m.megolm.v1.aes-sha2",
        "ciphertext": "AwgAEnACgAkLmt6qF84IK++J7UDH2Za1YVchHyprqTqsg",
        "device_id": anna.client.device_id,
        "sender_key": "6F9c5ZCNzrTUXRGhpjtoNzzSGFSNDZGFbjkRHZmBhDI",
        "session_id": "X3lUlvLELLYxeTx4yOVu6UDpasGEVO0Jbu+QFnm0cKQ",
    }
    sent = [ask(bot, anna, "PUT", f"/rooms/{room}/send/m.room.encrypted/t{n}", sealed)["event_id"] for n in (1, 2)]
    await bot.saw(lambda: len(bot.adapter._stream._late) == 2)
    clock.at += 11_000
    await anna.say(room, "is it there?")
    told = await ben.see(room, "I cannot read that")
    assert told.relation["m.in_reply_to"]["event_id"] == sent[0]
    assert told.content["msgtype"] == "m.notice"
    await anna.say(room, f"{PREFIX} games")
    await anna.see(room, "The games:")
    assert sum("I cannot read that" in seen.text for seen in anna.read(room)) == 1
    news = bot.server.ask("GET", "/_matrix/client/v3/sync", token=phone)
    (asked,) = [event for event in news["to_device"]["events"] if event["type"] == "m.room_key_request"]
    assert (asked["sender"], asked["content"]["action"]) == (bot.user, "request")
    wanted = {"algorithm": sealed["algorithm"], "room_id": room, "session_id": sealed["session_id"]}
    assert asked["content"]["body"].items() >= wanted.items()


async def test_a_key_that_was_asked_for_is_taken_from_whoever_wrote_and_from_nobody_else(
    bot: Bot, people: Enter, clock: Hour
) -> None:
    anna, ben = await people("anna"), await people("ben")
    room = await club(bot, anna, ben, encrypted=True)
    for player in (anna, ben):
        await player.say(room, f"{PREFIX} games")
        await player.see(room, "The games:")
    send = anna.client._send

    async def withheld(kind: type, *arguments: Any, **named: Any) -> Any:
        if kind is not ShareGroupSessionResponse:
            return await send(kind, *arguments, **named)
        return ShareGroupSessionResponse(*named["response_data"])

    anna.client._send = withheld  # type: ignore[method-assign]
    anna.client.invalidate_outbound_session(room)
    await anna.say(room, f"{PREFIX} challenge tokonoma time=2d")
    anna.client._send = send  # type: ignore[method-assign]
    await bot.saw(lambda: len(bot.adapter._stream._late) == 1)
    key = anna.client.olm.outbound_group_sessions[room].id  # type: ignore[union-attr]
    clock.at += 11_000
    await ben.say(room, "is it there?")
    await bot.saw(lambda: key in bot.adapter._client._awaited_keys)
    await forward(ben, anna, bot, room, key)
    await ben.say(room, f"{PREFIX} challenge tokonoma time=3d")
    await ben.see(room, "3 days a turn")
    assert not any("2 days a turn" in seen.text for seen in ben.read(room))
    await forward(anna, anna, bot, room, key)
    await ben.see(room, "2 days a turn")


async def forward(who: Player, owner: Player, bot: Bot, room: str, key: str) -> None:
    """Hand a room's key to the bot, as its owner's client does when it is asked for it, or as somebody else might."""
    olm, own = who.client.olm, owner.client.olm
    assert olm is not None
    assert own is not None
    (device,) = olm.device_store.active_user_devices(bot.user)
    maker = own.account.identity_keys["curve25519"]
    session, group = olm.session_store.get(device.curve25519), own.inbound_group_store.get(room, maker, key)
    assert session is not None
    assert group is not None
    await who.client.to_device(olm._encrypt_forwarding_key(room, group, session, device))


@pytest.mark.parametrize("encrypted", [False, True])
async def test_a_verification_asked_for_in_a_room_is_cancelled_in_words(
    bot: Bot, people: Enter, encrypted: bool
) -> None:
    anna = await people("anna")
    room = await anna.create(invite=[bot.user], direct=True, encrypted=encrypted)
    await anna.see_member(room, bot.user)
    asked = await anna.send(
        room,
        "m.room.message",
        {
            "msgtype": "m.key.verification.request",
            "body": "asks to verify",
            "to": bot.user,
            "from_device": anna.client.device_id,
            "methods": ["m.sas.v1"],
        },
    )
    cancelled = await anna.see(room, lambda seen: seen.kind == "m.key.verification.cancel")
    assert cancelled.relation == {"rel_type": "m.reference", "event_id": asked}
    assert cancelled.content["code"] == "m.unknown_method"
    await anna.see(room, "cannot compare emoji")


async def test_a_verification_asked_for_between_devices_is_cancelled(bot: Bot, people: Enter) -> None:
    anna = await people("anna")
    room = await anna.create(invite=[bot.user])
    await anna.see_member(room, bot.user)
    request = {"from_device": "PHONE", "methods": ["m.sas.v1"], "transaction_id": "v1", "timestamp": START}
    other = bot.server.log_in(anna.user)
    told = bot.server.ask("GET", "/_matrix/client/v3/account/whoami", token=other)
    request["from_device"] = told["device_id"]
    messages = {"messages": {bot.user: {"*": request}}}
    bot.server.ask("PUT", "/_matrix/client/v3/sendToDevice/m.key.verification.request/x1", messages, token=other)
    since, found = "", []
    while not found:
        query = f"?timeout=5000{since and '&since=' + since}"
        news = await asyncio.to_thread(bot.server.ask, "GET", f"/_matrix/client/v3/sync{query}", token=other)
        since = news["next_batch"]
        found = [e for e in news.get("to_device", {}).get("events", []) if e["type"] == "m.key.verification.cancel"]
    assert found[0]["content"]["transaction_id"] == "v1"
    assert found[0]["content"]["code"] == "m.unknown_method"


async def test_what_was_heard_has_a_receipt(bot: Bot, people: Enter) -> None:
    anna = await people("anna")
    room = await club(bot, anna)
    said = await anna.say(room, f"{PREFIX} games")
    await anna.see(room, "The games:")
    since, read = "", {}
    while said not in read:
        news = await asyncio.to_thread(ask, bot, anna, "GET", f"/sync?timeout=5000{since and '&since=' + since}")
        since = news["next_batch"]
        for event in news.get("rooms", {}).get("join", {}).get(room, {}).get("ephemeral", {}).get("events", []):
            read |= {number: kinds for number, kinds in event["content"].items() if event["type"] == "m.receipt"}
    assert bot.user in read[said]["m.read"]


async def test_one_persons_many_invitations_make_nobody_else_wait(bot: Bot, people: Enter, clock: Hour) -> None:
    mallory, anna = await people("mallory"), await people("anna")
    many = [await mallory.create(invite=[bot.user]) for _ in range(12)]
    room = await anna.create(invite=[bot.user])
    await anna.see_member(room, bot.user)
    await bot.saw(lambda: sum(one in bot.adapter._client.rooms for one in many) >= 10)
    assert sum(one in bot.adapter._client.rooms for one in many) == 10
    clock.at += 3_600_000
    await anna.say(room, f"{PREFIX} games")
    await bot.saw(lambda: all(one in bot.adapter._client.rooms for one in many))


async def test_a_room_that_everybody_else_has_left_is_left(bot: Bot, people: Enter) -> None:
    anna = await people("anna")
    room = await club(bot, anna)
    other = await club(bot, anna)
    await anna.leave(room)
    await bot.saw(lambda: room not in bot.adapter._client.rooms)
    await anna.say(other, f"{PREFIX} games")
    await anna.see(other, "The games:")
    token = bot.adapter._client.access_token
    joined = bot.server.ask("GET", "/_matrix/client/v3/joined_rooms", token=token)["joined_rooms"]
    assert joined == [other]


async def test_whoever_uses_up_all_keys_gets_one_that_stays_and_is_renewed_when_it_was_used(
    bot: Bot, people: Enter
) -> None:
    anna = await people("anna")
    room = await club(bot, anna, encrypted=True)
    device = bot.adapter._client.device_id
    wanted = {"one_time_keys": {bot.user: {device: "signed_curve25519"}}}

    def claim() -> tuple[str, Any]:
        keys = ask(bot, anna, "POST", "/keys/claim", wanted)["one_time_keys"][bot.user][device]
        return next(iter(keys.items()))

    fallback: list[str] = []
    for _ in range(400):
        name, key = claim()
        if key.get("fallback"):
            fallback.append(name)
        if len(set(fallback)) > 1:
            break
    assert fallback, "one is left when all others are gone"
    await anna.say(room, f"{PREFIX} games")
    await anna.see(room, "The games:")
