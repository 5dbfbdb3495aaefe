"""The bot's keys on Matrix outlive kills and backups: whoever speaks to it in an encrypted room is understood."""

import asyncio
import shutil
from collections.abc import AsyncIterator, Awaitable, Callable
from pathlib import Path
from typing import Any, TypeAlias

import pytest
from aiohttp import ClientError, web
from aiohttp.test_utils import TestServer
from nio import KeysUploadResponse, RoomMessageText, RoomSendResponse, SyncResponse
from structlog.testing import capture_logs

from bot.adapters.matrix.client import Client
from bot.adapters.matrix.errors import allowed
from bot.adapters.matrix.session import enter
from bot.messages.model import Retry
from tests.synapse.player import Player
from tests.synapse.server import Homeserver

Start: TypeAlias = Callable[..., Awaitable[Client]]
Enter: TypeAlias = Callable[[str], Awaitable[Player]]


@pytest.fixture
async def start(synapse: Homeserver, tmp_path: Path) -> AsyncIterator[Start]:
    """Starts the bot anew on what is in the folder; whatever it did before ends there, as a kill would end it.

    It reads on from where it was, or from `since`.
    """
    user = synapse.register(f"keys-{abs(hash(tmp_path))}", "pass")
    clients: list[Client] = []

    async def begin(since: str = "") -> Client:
        for client in clients:
            await client.close()
            since = since or client.next_batch
        clients[:] = [await enter(tmp_path / "matrix", synapse.address, user, password="pass")]
        clients[0].loaded_sync_token = since
        return clients[0]

    yield begin
    for client in clients:
        await client.close()


async def sync(client: Client) -> SyncResponse:
    """What is new, with the keys in order."""
    answer = await client.sync(30_000 if client.rooms else 0, full_state=not client.rooms)
    assert isinstance(answer, SyncResponse)
    if client.should_upload_keys:
        assert isinstance(await client.keys_upload(), KeysUploadResponse)
    if client.should_query_keys:
        await client.keys_query()
    return answer


async def heard(client: Client, room: str) -> list[str]:
    """The messages in the next answer that tells of any event in the room, as far as they could be read."""
    while True:
        answer = await sync(client)
        if room in answer.rooms.join and (events := answer.rooms.join[room].timeline.events):
            return [event.body for event in events if isinstance(event, RoomMessageText)]


async def in_a_room(client: Client, anna: Player) -> str:
    """An encrypted room where both are, and the client knows it."""
    room = await anna.create(encrypted=True, invite=[client.user_id])
    await client.join(room)
    await anna.see_member(room, client.user_id)
    while room not in client.rooms:
        await sync(client)
    return room


async def test_a_kill_while_keys_are_published_loses_none(start: Start, people: Enter) -> None:
    class Killed(BaseException):
        pass

    async def killed(_: object) -> None:
        raise Killed

    client, anna = await start(), await people("anna")
    room = await anna.create(encrypted=True, invite=[client.user_id])
    await client.join(room)
    client.receive_response = killed  # type: ignore[method-assign]  # the homeserver has them, and we never hear of it
    with pytest.raises(Killed):
        await client.keys_upload()
    await anna.see_member(room, client.user_id)
    await anna.say(room, "canary")
    assert "canary" in await heard(await start(), room)


async def test_a_kill_while_a_key_is_taken_in_does_not_lose_it(
    start: Start, people: Enter, monkeypatch: pytest.MonkeyPatch
) -> None:
    client, anna = await start(), await people("anna")
    room = await in_a_room(client, anna)
    since = client.next_batch
    await anna.say(room, "canary")

    def full(_: object) -> None:
        raise OSError("killed, or a full disk")

    assert client.olm is not None
    monkeypatch.setattr(client.olm, "save_inbound_group_session", full)  # what brought the key is spent by now
    with pytest.raises(OSError, match="killed"):
        await sync(client)
    client = await start(since)
    assert await heard(client, room) == ["canary"]


async def test_keys_from_a_backup_do_as_well_as_the_newest(
    synapse: Homeserver, start: Start, people: Enter, tmp_path: Path
) -> None:
    client = await start()
    await sync(client)
    anna = await people("anna")
    room = await in_a_room(client, anna)
    await anna.say(room, "canary one")
    assert await heard(client, room) == ["canary one"]
    await client.close()
    since = client.next_batch
    shutil.copytree(tmp_path / "matrix", tmp_path / "backup")
    client = await start()
    await sync(client)
    assert client.olm is not None
    while take_key(synapse, client.user_id, str(client.device_id), anna):
        pass  # people use all its one-time keys up
    client.olm.uploaded_key_count = 0
    await client.keys_upload()
    await client.close()
    shutil.rmtree(tmp_path / "matrix")
    shutil.copytree(tmp_path / "backup", tmp_path / "matrix")
    client = await start(since)
    await anna.say(room, "canary two")
    assert await heard(client, room) == ["canary two"]
    ben = await people("ben")
    theirs = await in_a_room(client, ben)
    await ben.say(theirs, "hello")
    assert await heard(client, theirs) == ["hello"]


def take_key(synapse: Homeserver, user: str, device: str, taker: Player) -> bool:
    """What a client does before it speaks to a device for the first time; whether there was a key left."""
    asked = {"one_time_keys": {user: {device: "signed_curve25519"}}}
    answer = synapse.ask("POST", "/_matrix/client/v3/keys/claim", asked, token=taker.client.access_token)
    keys = answer["one_time_keys"].get(user, {}).get(device, {})
    return any(not key.get("fallback") for key in keys.values())


async def test_nothing_is_said_that_the_others_could_never_read(
    synapse: Homeserver, start: Start, people: Enter, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    client, anna = await start(), await people("anna")
    asleep = await Player.enter(synapse, anna.user, tmp_path)  # its one-time keys run out
    await asleep.close()
    device = (anna.user, str(asleep.client.device_id))
    while take_key(synapse, *device, anna):
        pass
    room = await in_a_room(client, anna)
    send, cuts = client.send, iter(["/keys/claim", "", "/keys/claim", "", "", "/sendToDevice/"])
    cut = next(cuts)

    async def failing(method: str, path: str, *arguments: Any, **named: Any) -> Any:
        nonlocal cut
        if "/keys/claim" in path or "/sendToDevice/" in path:
            now, cut = cut, next(cuts, "")
            if now and now in path:
                raise ClientError("a cut line")
        return await send(method, path, *arguments, **named)

    monkeypatch.setattr(client, "send", failing)
    for _ in range(3):  # the first claim, the second claim, the key itself
        with pytest.raises(Retry):
            await asyncio.wait_for(speak(client, room), 30)
    assert anna.read(room) == []
    await asyncio.wait_for(speak(client, room), 30)
    assert next(cuts, None) is None
    assert (await anna.see(room, "canary")).encrypted


async def speak(client: Client, room: str) -> None:
    content = {"msgtype": "m.text", "body": "canary"}
    sent = await client.room_send(room, "m.room.message", content, ignore_unverified_devices=True)
    assert isinstance(sent, RoomSendResponse)


async def test_a_homeserver_without_patience_is_asked_later(
    own_synapse: Callable[..., Homeserver], tmp_path: Path
) -> None:
    server = own_synapse(rc_message={"per_second": 0.1, "burst_count": 5})
    client = await enter(tmp_path / "matrix", server.address, server.register("bot"), password="bot")
    made = await client.room_create()
    await sync(client)

    async def chatter() -> None:
        for _ in range(9):
            await speak(client, made.room_id)

    with pytest.raises(Retry) as told:
        await chatter()
    assert 0 < told.value.after <= 15
    server.stop()
    with pytest.raises(Retry):
        await client.sync()
    await client.close()


async def test_nothing_is_said_once_another_process_may_have_taken_over(tmp_path: Path) -> None:
    asked: list[str] = []

    async def answer(request: web.Request) -> web.Response:
        asked.append(request.method)
        return web.json_response({"joined_rooms": []})

    application = web.Application()
    application.router.add_route("*", "/{rest:.*}", answer)
    async with TestServer(application) as server:
        client = Client(str(server.make_url("")).rstrip("/"), "@riposte:riposte.test", tmp_path)
        client.restore_login("@riposte:riposte.test", "DEVICE", "token")
        client.speaks = lambda: False
        for saying in (client.room_put_state("!room", "m.room.topic", {}), client.ask("POST", "/said", {})):
            with pytest.raises(Retry):
                await saying
        await client.joined_rooms()
        assert asked == ["GET"]
        await client.close()


@pytest.mark.parametrize(
    ("status", "code"), [(403, "M_CONSENT_NOT_GIVEN"), (403, "M_RESOURCE_LIMIT_EXCEEDED"), (403, "M_USER_SUSPENDED")]
)
async def test_what_a_host_or_the_homeservers_owner_has_to_mend_is_waited_for(
    tmp_path: Path, status: int, code: str
) -> None:
    """Terms to be agreed to, a full homeserver, a suspended account: no post is given up for that."""

    async def refused(_: web.Request) -> web.Response:
        return web.json_response({"errcode": code, "error": "see to it"}, status=status)

    application = web.Application()
    application.router.add_route("*", "/{rest:.*}", refused)
    async with TestServer(application) as server:
        client = Client(str(server.make_url("")).rstrip("/"), "@riposte:riposte.test", tmp_path)
        client.restore_login("@riposte:riposte.test", "DEVICE", "token")
        with capture_logs() as logs:
            for _ in range(3):
                with pytest.raises(Retry):
                    await client.joined_rooms()
        assert [line["error"] for line in logs] == ["see to it"], "once, and it is for the host to see to"
        with pytest.raises(Retry):
            allowed(await client.ask("GET", "/_matrix/client/v3/x"), tmp_path, "a room", "no room")
        await client.close()


@pytest.mark.parametrize("status", [200, 403, 404, 502])
async def test_a_page_in_the_homeservers_place_is_no_answer(tmp_path: Path, status: int) -> None:
    async def page(_: web.Request) -> web.Response:
        return web.Response(text="<h1>back soon</h1>", content_type="text/html", status=status)

    application = web.Application()
    application.router.add_route("*", "/{rest:.*}", page)
    async with TestServer(application) as server:
        client = Client(str(server.make_url("")).rstrip("/"), "@riposte:riposte.test", tmp_path)
        client.restore_login("@riposte:riposte.test", "DEVICE", "token")
        for question in (client.sync(), client.joined_rooms(), client.keys_upload()):
            with pytest.raises(Retry):
                await question
        await client.close()
