"""Nothing is lost on Matrix and nothing done twice: after downtime, crashes, late keys, with a server in trouble."""

import asyncio
import re
from collections.abc import AsyncIterator
from itertools import count, cycle
from pathlib import Path
from typing import Any

import pytest
from nio.responses import ShareGroupSessionResponse

from bot.app import now
from bot.messages.model import OutgoingMessage, Place
from bot.runtime.supervisor import leaves
from engine.text import Code
from storage.sqlite.store import SqliteStore
from tests.adapters.matrix_room import Bot, Enter, challenged, club
from tests.synapse.fixtures import Start
from tests.synapse.player import PATIENCE, Player
from tests.synapse.server import Homeserver

GAME = (Path(__file__).parents[1] / "games" / "tokonoma" / "playthrough.txt").read_text("utf-8")
TURNS = re.findall(r"^\d+\. [WB] (\S+)", GAME, re.MULTILINE)
HOUR = 3_600_000
OLM = "m.olm.v1.curve25519-aes-sha2"


@pytest.fixture
async def bot(synapse: Homeserver, tmp_path: Path) -> AsyncIterator[Bot]:
    bot = await Bot.enter(synapse, tmp_path / "bot", f"riposte-{tmp_path.name}".lower().replace("_", "-")[:40])
    yield bot
    await bot.stop()


def turns_told(player: Player, room: str) -> list[int]:
    """The numbers of the turns that the bot has told, in the order of the room."""
    return [int(found[1]) for seen in player.read(room) if (found := re.search(r"Turn (\d+) ·", seen.text))]


@pytest.mark.parametrize("encrypted", [False, True])
async def test_a_gap_of_many_messages_is_filled_in_order_after_downtime(
    bot: Bot, people: Enter, encrypted: bool
) -> None:
    anna, ben = await people("anna"), await people("ben")
    room = await club(bot, anna, ben, encrypted=encrypted)
    thread, _ = await challenged(bot, room, anna, ben, "tokonoma side=white")
    await bot.stop()
    bot.clock = lambda: now() + HOUR
    talk = iter(range(1000))
    for turn, mover in zip(TURNS[:44], cycle((anna, ben)), strict=False):
        await mover.say(room, turn, thread=thread)
        for _ in range(2):
            await ben.say(room, f"idle talk {next(talk)}")
    await bot.start()
    await anna.see(room, "Turn 44 ·")
    assert turns_told(anna, room) == list(range(1, 45))
    await anna.say(room, TURNS[44], thread=thread)
    await ben.see(room, "Turn 45 ·")
    assert turns_told(ben, room) == list(range(1, 46))


async def test_what_was_said_before_the_bot_came_is_left_alone(bot: Bot, people: Enter) -> None:
    anna = await people("anna")
    room = await anna.create()
    for _ in range(60):
        await anna.say(room, "!riposte challenge tokonoma time=1d")
    await anna.invite(room, bot.user)
    await anna.see_member(room, bot.user)
    await anna.say(room, "!riposte challenge tokonoma time=2d")
    await anna.see(room, "2 days a turn")
    assert sum("challenges" in seen.text for seen in anna.read(room)) == 1


async def test_a_message_whose_key_comes_late_is_dealt_with_when_it_comes_even_after_a_restart(
    bot: Bot, people: Enter
) -> None:
    anna = await people("anna")
    room = await club(bot, anna, encrypted=True)
    await anna.say(room, "!riposte challenge tokonoma time=1d")
    await anna.see(room, "1 day a turn")
    held: list[tuple[Any, ...]] = []
    send = anna.client._send

    async def slow(kind: type, *arguments: Any, **named: Any) -> Any:
        """Everything leaves anna's client at once, but for the keys of rooms."""
        if kind is not ShareGroupSessionResponse:
            return await send(kind, *arguments, **named)
        held.append((kind, *arguments))
        room_id, shared_with = named["response_data"]
        return ShareGroupSessionResponse(room_id, shared_with)

    anna.client._send = slow  # type: ignore[method-assign]
    anna.client.invalidate_outbound_session(room)
    for days in (2, 3):
        await anna.say(room, f"!riposte challenge tokonoma time={days}d")
    anna.client._send = send  # type: ignore[method-assign]
    anna.client.invalidate_outbound_session(room)
    await anna.say(room, "!riposte challenge tokonoma time=4d")
    await anna.see(room, "4 days a turn")
    await bot.stop()
    await bot.start()
    assert held
    for kind, *arguments in held:
        await send(kind, *arguments, response_data=(room, set()))
    await anna.see(room, "3 days a turn")
    order = [found[1] for seen in anna.read(room) if (found := re.search(r"Terms: (\d) days? a turn", seen.text))]
    assert order == ["1", "4", "2", "3"]


def refusals(bot: Bot) -> list[int]:
    """How often the homeserver has told the bot from now on that this is too fast."""
    send, told = bot.adapter._client.send, list[int]()

    async def counted(*given: Any, **named: Any) -> Any:
        answer = await send(*given, **named)
        told.extend([answer.status] * (answer.status == 429))
        return answer

    bot.adapter._client.send = counted  # type: ignore[method-assign]
    return told


async def test_a_server_that_wants_it_slower_is_obeyed_and_nothing_is_lost(own_synapse: Start, tmp_path: Path) -> None:
    server = own_synapse(rc_message={"per_second": 2, "burst_count": 4})
    bot = await Bot.enter(server, tmp_path / "bot", "riposte")
    anna = await Player.enter(server, "anna", tmp_path)
    try:
        room, refused = await club(bot, anna), refusals(bot)
        place = Place("matrix", room)
        posts = [OutgoingMessage(f"key{number}", place, (f"post {number}",)) for number in range(12)]
        await bot.post(*posts)
        await anna.see(room, "post 11")
        posted = [seen.text for seen in anna.read(room) if seen.text.startswith("post")]
        assert posted == [f"post {number}" for number in range(12)]
        assert 0 < len(refused) < 12, "each refusal is waited out"
    finally:
        await bot.stop()
        await anna.close()


async def test_words_and_their_pictures_stay_together_on_a_server_that_wants_it_slower(
    own_synapse: Start, tmp_path: Path
) -> None:
    server = own_synapse(rc_message={"per_second": 1, "burst_count": 2})
    bot = await Bot.enter(server, tmp_path / "bot", "riposte")
    anna, ben = await Player.enter(server, "anna", tmp_path), await Player.enter(server, "ben", tmp_path)
    try:
        room, refused = await club(bot, anna, ben), refusals(bot)
        thread, _ = await challenged(bot, room, anna, ben, "tokonoma side=white")
        for number, (who, turn) in enumerate(((anna, "c7c5"), (ben, "e1e3"), (anna, "c5d5")), 1):
            await who.say(room, turn, thread=thread)
            await ben.see(room, f"Turn {number} ·")
        await ben.see(room, lambda seen: seen.picture, count=4)
        told = [seen for seen in ben.read(room) if seen.sender == bot.user and seen.thread == thread]
        kinds = [("m.image" if seen.picture else "m.text", bool(seen.mentions)) for seen in told]
        assert kinds == [("m.text", True), ("m.image", False)] * 4, "one ring for each turn, by its words"
        assert refused
    finally:
        await bot.stop()
        await anna.close()
        await ben.close()


async def test_a_server_that_is_away_or_dies_while_we_post_gets_every_post_once(
    own_synapse: Start, tmp_path: Path
) -> None:
    server = own_synapse()
    bot = await Bot.enter(server, tmp_path / "bot", "riposte")
    anna = await Player.enter(server, "anna", tmp_path)
    try:
        room = await club(bot, anna)
        place = Place("matrix", room)
        for round_ in range(3):
            await bot.post(*[OutgoingMessage(f"key{round_}-{n}", place, (f"post {round_}-{n}",)) for n in range(8)])
            await anna.see(room, f"post {round_}-1")
            server.kill()
            server.start()
        await anna.see(room, "post 2-7")
        posted = [seen.text for seen in anna.read(room) if seen.text.startswith("post")]
        assert posted == [f"post {r}-{n}" for r in range(3) for n in range(8)]
    finally:
        await bot.stop()
        await anna.close()


async def note_for_ever(bot: Bot, size: int) -> None:
    numbers = count()
    while True:
        await bot.adapter._inbox.note(f"filler {size} {next(numbers)}", "x" * size)


async def room_on_disk(bot: Bot, pages: int) -> None:
    assert isinstance(bot.store, SqliteStore)
    await bot.store._writer.run(lambda db: db.execute(f"PRAGMA max_page_count = {pages}").fetchall())


@pytest.mark.parametrize("encrypted", [False, True])
async def test_whoever_waits_for_a_full_disk_is_told_where_they_wrote(
    bot: Bot, people: Enter, monkeypatch: pytest.MonkeyPatch, encrypted: bool
) -> None:
    monkeypatch.setattr("bot.runtime.patience.UNTOLD", 2.0)
    anna, ben = await people("anna"), await people("ben")
    room = await club(bot, anna, ben, encrypted=encrypted)
    thread, _ = await challenged(bot, room, anna, ben, "tokonoma side=white")
    await room_on_disk(bot, 1)
    for size in (4_000, 10):
        with pytest.raises(OSError, match="disk is full"):
            await note_for_ever(bot, size)
    await anna.say(room, "c7c5", thread=thread)
    told = await anna.see(room, "message waits")
    assert "the disk of this Riposte is full" in told.text
    assert told.thread == thread
    await room_on_disk(bot, 100_000)
    await ben.see(room, "Turn 1 ·")


@pytest.mark.parametrize("encrypted", [False, True])
async def test_an_old_post_is_looked_up_before_it_is_said_again(bot: Bot, people: Enter, encrypted: bool) -> None:
    anna = await people("anna")
    room = await club(bot, anna, encrypted=encrypted)
    await anna.say(room, "!riposte challenge tokonoma")
    await anna.see(room, "challenges")
    old = OutgoingMessage("oldkey", Place("matrix", room), ("said once",), at=bot.now() - 13 * HOUR)
    first = await bot.adapter.deliver(old, None)
    # The homeserver has forgotten the transaction by now; a room of the same history, said through another, shows it.
    bot.adapter._delivery._send = _never  # type: ignore[method-assign]
    assert await bot.adapter.deliver(old, None) == first


async def _never(*_: object) -> str:
    raise AssertionError("it is there already")


async def test_after_a_logout_the_bot_ends_loudly_and_never_logs_in_again(bot: Bot, people: Enter) -> None:
    anna = await people("anna")
    await club(bot, anna)
    told = bot.server.ask("POST", "/_matrix/client/v3/logout", {}, token=bot.adapter._client.access_token)
    assert "status" not in told
    trouble = "".join(str(one) for one in leaves(await asyncio.wait_for(bot.ended(), PATIENCE) or Exception()))
    assert "logged it out" in trouble
    assert "RIPOSTE_MATRIX_PASSWORD" in trouble


async def test_events_of_any_shape_stop_nothing(bot: Bot, people: Enter) -> None:
    anna, ben = await people("anna"), await people("ben")
    room = await club(bot, anna, ben, encrypted=False)
    token, serial = anna.client.access_token, count()

    def send(where: str, content: object) -> None:
        """Whatever the homeserver lets through; what it does not, comes from others sometimes."""
        bot.server.ask("PUT", f"/_matrix/client/v3/{where}/{next(serial)}", content, token=token)

    for value in (None, 7, "x", [], ["x"], {}, {"a": [1]}):
        send(f"rooms/{room}/send/m.room.message", {"msgtype": "m.text", "body": value, "m.relates_to": value})
        send(f"rooms/{room}/send/m.room.message", {"msgtype": value, "body": "!riposte help"})
        relation = {"rel_type": "m.annotation", "event_id": value, "key": value}
        send(f"rooms/{room}/send/m.reaction", {"m.relates_to": relation})
        for sealed in (
            {"algorithm": value},
            {"algorithm": "m.megolm.v1.aes-sha2", "session_id": "y", "ciphertext": value},
        ):
            send(f"rooms/{room}/send/m.room.encrypted", sealed)
        for kind in ("m.room.encrypted", "m.room_key_request", "m.key.verification.start"):
            send(f"sendToDevice/{kind}", {"messages": {bot.user: {"*": {"algorithm": OLM, "ciphertext": value}}}})
        for kind, content in (("m.room.topic", {"topic": value}), ("m.room.tombstone", {"replacement_room": value})):
            send(f"rooms/{room}/state/{kind}", content)
    own = bot.adapter._client.olm.account.identity_keys["curve25519"]
    for body in ("not base64!", "AAAA", ""):
        for number in (0, 1, 2):
            sealed = {"algorithm": OLM, "sender_key": "x", "ciphertext": {own: {"type": number, "body": body}}}
            send("sendToDevice/m.room.encrypted", {"messages": {bot.user: {"*": sealed}}})
    await ben.say(room, "!riposte challenge tokonoma")
    await ben.see(room, "challenges")
    assert sum("challenges" in seen.text for seen in ben.read(room)) == 1


async def test_a_long_post_and_a_picture_go_out_as_one_event(bot: Bot, people: Enter) -> None:
    anna = await people("anna")
    room = await club(bot, anna, encrypted=True)
    await bot.post(OutgoingMessage("long", Place("matrix", room), ("long ", Code("ü<&" * 20_000))))
    seen = await anna.see(room, "long")
    assert "too long for one message" in seen.text
