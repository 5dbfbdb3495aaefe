"""Rooms on Matrix: who is heard in them, what is whispered where, and what becomes of them."""

from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from bot.adapters.matrix.sync.room_state import RoomState
from bot.messages.model import OutgoingMessage, Place, Undeliverable
from tests.adapters.matrix_reading import said, whispers
from tests.adapters.matrix_room import PREFIX, Bot, Enter, challenged, club
from tests.synapse.fixtures import Start
from tests.synapse.player import Player
from tests.synapse.server import Homeserver


@pytest.fixture
async def bot(synapse: Homeserver, tmp_path: Path) -> AsyncIterator[Bot]:
    bot = await Bot.enter(synapse, tmp_path / "bot", f"riposte-{tmp_path.name}".lower().replace("_", "-")[:40])
    yield bot
    await bot.stop()


async def test_notices_redactions_talk_and_other_bots_are_never_commands(
    people: Enter, synapse: Homeserver, tmp_path: Path
) -> None:
    anna, other = await people("anna"), await people("otherbot")
    bot = await Bot.enter(synapse, tmp_path / "bot", f"riposte-deaf-{tmp_path.name[-8:]}".lower(), ignored=[other.user])
    try:
        room = await club(bot, anna, other)
        await anna.say(room, f"{PREFIX} challenge tokonoma time=1d", notice=True)
        await other.say(room, f"{PREFIX} challenge tokonoma time=2d")
        talk = await anna.say(room, "good evening")
        await anna.say(room, "challenge tokonoma time=4d")
        await anna.say(room, f"{PREFIX} challenge tokonoma time=5d", external_url="https://elsewhere.example/7")
        await anna.react(room, talk, "1\ufe0f\u20e3")
        await anna.say(room, f"{PREFIX} challenge tokonoma time=6d")
        last = await anna.see(room, "challenges")
        assert "6 days a turn" in last.text
        assert last.content["msgtype"] == "m.notice", "it rings nobody, so no other bot is to answer it"
        await anna.redact(room, last.id)
        await other.react(room, last.id, "1\ufe0f\u20e3")
        await anna.say(room, f"{PREFIX} challenge tokonoma time=7d")
        await anna.see(room, "7 days a turn")
        assert len(said(anna, room, bot)) == 3, "a greeting and two challenges"
    finally:
        await bot.stop()


@pytest.mark.parametrize("encrypted", [False, True])
async def test_an_edit_of_what_made_no_turn_is_the_new_text_and_one_of_a_turn_is_answered_once(
    bot: Bot, people: Enter, encrypted: bool
) -> None:
    anna, ben = await people("anna"), await people("ben")
    room = await club(bot, anna, ben, encrypted=encrypted)
    other = await club(bot, anna, ben, encrypted=encrypted)
    talk = await anna.say(other, "good evening")
    await anna.say(other, f"{PREFIX} challenge tokonoma time=3d", edit=talk)
    await ben.see(other, "3 days a turn")
    thread, _ = await challenged(bot, room, anna, ben, "tokonoma side=white")
    turn = await anna.say(room, "c7c9", thread=thread)
    await anna.see(await whispers(anna), "There is no tile c9")
    await ben.say(room, "c7c5", edit=turn)
    await anna.say(room, "c7c5", edit=turn)
    assert (await ben.see(room, "Turn 1 ·")).thread == thread
    await anna.say(room, "c7c6", edit=turn)
    await anna.say(room, "c7b6", edit=turn)
    told = await anna.see(room, "its new version changes nothing")
    assert told.thread == thread
    await ben.say(room, "e1e3", thread=thread)
    await anna.see(room, "Turn 2 ·")
    assert sum("new version" in seen.text for seen in anna.read(room)) == 1


async def test_a_reaction_presses_a_button_once_and_only_on_the_bots_own_posts(bot: Bot, people: Enter) -> None:
    anna, ben = await people("anna"), await people("ben")
    room = await club(bot, anna, ben)
    forged = await anna.say(
        room,
        "not ours",
        **{"org.riposte.choices": ["resign 1 yes"], "org.riposte.letter": "x", "org.riposte.match": "1"},
    )
    thread, _ = await challenged(bot, room, anna, ben, "tokonoma side=white")
    await ben.react(room, forged, "1\ufe0f\u20e3")
    await anna.say(room, "c7c5", thread=thread)
    await ben.see(room, "Turn 1 ·")
    await ben.say(room, "draw", thread=thread)
    offer = await anna.see(room, "offers a draw")
    assert "✅ Accept: `accept draw`   ❌ Decline: `decline draw`" in offer.text
    for sign in "✅❌":
        await anna.see(
            room,
            lambda seen, sign=sign: (
                seen.sender == bot.user
                and seen.relation == {"rel_type": "m.annotation", "event_id": offer.id, "key": sign}
            ),
        )
    pressed = await anna.react(room, offer.id, "👎🏽")
    await anna.see(room, "declines")
    for _ in "✅❌":
        await anna.see(room, lambda seen: seen.kind == "m.room.redaction" and seen.sender == bot.user, count=2)
    await anna.redact(room, pressed)
    await anna.react(room, offer.id, "2\ufe0f\u20e3")
    answer = await anna.see(await whispers(anna), lambda seen: seen.kind == "m.room.message")
    assert answer.content["msgtype"] == "m.notice"
    assert "resign" not in "".join(said(anna, room, bot))
    assert answer.encrypted


async def test_a_reply_to_a_board_is_about_its_match_even_outside_the_thread(bot: Bot, people: Enter) -> None:
    anna, ben = await people("anna"), await people("ben")
    room = await club(bot, anna, ben)
    thread, _ = await challenged(bot, room, anna, ben, "tokonoma side=white")
    board = await anna.see(room, lambda seen: seen.thread == thread)
    await anna.say(room, f"> <{bot.user}> the board\n\nc7c5", reply=board.id)
    assert (await ben.see(room, "Turn 1 ·")).thread == thread


async def test_power_levels_say_who_may_settle_things_and_creators_may_where_they_stand_above_them() -> None:
    powers = {"users": {"@anna:x": 50}, "users_default": 0}
    for version, sovereign in (("11", False), ("12", True)):
        state = RoomState(frozenset({"@zoe:x"}), creators_rule=sovereign, powers=powers)
        assert [state.host(user) for user in ("@anna:x", "@ben:x", "@zoe:x")] == [True, False, sovereign], version
    assert not RoomState(powers={"users": ["@anna:x"], "users_default": "100"}).host("@anna:x")


async def test_nobody_hears_more_than_three_times_in_a_quarter_of_an_hour_that_there_is_no_such_command(
    people: Enter, synapse: Homeserver, tmp_path: Path
) -> None:
    at = [1_000_000_000_000]
    anna, ben = await people("anna"), await people("ben")
    bot = await Bot.enter(
        synapse, tmp_path / "bot", f"riposte-terse-{tmp_path.name[-9:]}".lower().replace("_", "-"), clock=lambda: at[0]
    )
    try:
        room = await club(bot, anna, ben)
        for nonsense in ("xyzzy", "plugh", "frotz", "gnusto", "rezrov"):
            await anna.say(room, f"{PREFIX} {nonsense}")
        await anna.say(room, f"{PREFIX} games")
        await anna.see(room, "The games:")
        assert sum("There is no command" in text for text in said(anna, room, bot)) == 3
        await ben.say(room, f"{PREFIX} blorb")
        await anna.see(room, "blorb`. ")
        at[0] += 15 * 60_000
        await anna.say(room, f"{PREFIX} yomin")
        await anna.see(room, "yomin`. ")
    finally:
        await bot.stop()


async def test_whoever_invites_the_bot_is_greeted_once_with_two_things_to_try(bot: Bot, people: Enter) -> None:
    anna, ben = await people("anna"), await people("ben")
    room = await club(bot, anna, ben)
    greeting = await ben.see(room, "I am Riposte")
    assert f"{PREFIX} challenge" in greeting.text
    assert f"{PREFIX} games" in greeting.text
    assert (greeting.content["msgtype"], greeting.mentions, greeting.thread) == ("m.notice", (), "")
    await bot.stop()
    await bot.start()
    await anna.kick(room, bot.user)
    await bot.saw(lambda: room not in bot.adapter._client.rooms)
    await anna.invite(room, bot.user)
    await bot.saw(lambda: room in bot.adapter._client.rooms)
    await anna.say(room, f"{PREFIX} games")
    await anna.see(room, "The games:")
    assert sum("I am Riposte" in text for text in said(anna, room, bot)) == 1


@pytest.mark.parametrize("call", [PREFIX, "{bot}", "{bot}: hi", f"{PREFIX} how do I play?"])
async def test_whoever_calls_the_bot_without_a_command_is_told_what_to_try(bot: Bot, people: Enter, call: str) -> None:
    anna, ben = await people("anna"), await people("ben")
    room = await club(bot, anna, ben)
    await anna.see(room, "I am Riposte")
    await anna.say(room, call.format(bot=bot.user), mention=[bot.user] if "bot" in call else ())
    await ben.see(room, "I am Riposte", count=2)


@pytest.mark.parametrize("words", ["hi", "Hello!", "How do I play?"])
async def test_a_direct_room_needs_no_command_to_begin_with(bot: Bot, people: Enter, words: str) -> None:
    anna = await people("anna")
    room = await anna.create(invite=[bot.user], direct=True, encrypted=True)
    greeting = await anna.see(room, "I am Riposte")
    assert PREFIX not in greeting.text, "where nobody else is, commands need none"
    await anna.say(room, words)
    await anna.see(room, "I am Riposte", count=2)


async def test_a_room_takes_anothers_place_only_if_both_say_so(bot: Bot, people: Enter) -> None:
    anna, mallory = await people("anna"), await people("mallory")
    target = await club(bot, anna)
    trap = await mallory.create(invite=[bot.user])
    await mallory.see_member(trap, bot.user)
    path = f"/_matrix/client/v3/rooms/{trap}/state/m.room.tombstone"
    bot.server.ask("PUT", path, {"body": "moved", "replacement_room": target}, token=mallory.client.access_token)
    await bot.saw(lambda: bot.adapter._rooms.moving(trap))
    await mallory.say(trap, f"{PREFIX} challenge tokonoma")
    await anna.say(target, f"{PREFIX} challenge tokonoma time=2d")
    await anna.see(target, "2 days a turn")
    assert len(said(anna, target, bot)) == 2, "a greeting and one challenge"


async def test_letters_to_a_room_that_threw_the_bot_out_are_given_up(bot: Bot, people: Enter) -> None:
    anna, ben = await people("anna"), await people("ben")
    room = await club(bot, anna, ben)
    thread, _ = await challenged(bot, room, anna, ben, "tokonoma side=white")
    await anna.kick(room, bot.user)
    await bot.saw(lambda: room not in bot.adapter._client.rooms)
    with pytest.raises(Undeliverable, match="not in the room"):
        await bot.adapter.deliver(OutgoingMessage("lost", Place("matrix", room), ("nobody reads this",)), None)
    await anna.invite(room, bot.user)
    await anna.see(room, lambda seen: seen.content.get("membership") == "join" and seen.sender == bot.user, count=2)
    await anna.say(room, "c7c5", thread=thread)
    assert (await ben.see(room, "Turn 1 ·")).thread == thread


@pytest.mark.parametrize("how", ["kicked", "muted"])
async def test_a_match_whose_room_is_closed_goes_on_in_private_and_its_board_is_posted_when_the_room_is_open(
    bot: Bot, people: Enter, how: str
) -> None:
    anna, ben = await people("anna"), await people("ben")
    room = await club(bot, anna, ben)
    thread, _ = await challenged(bot, room, anna, ben, "tokonoma side=white")
    await ben.see(room, lambda seen: seen.picture)
    if how == "kicked":
        await anna.kick(room, bot.user)
        await bot.saw(lambda: room not in bot.adapter._client.rooms)
    else:
        _settle(bot, anna, room, 50)
        await bot.saw(lambda: not bot.adapter._rooms.open(room))
    own = await anna.create(invite=[bot.user], direct=True, encrypted=True)
    await anna.see_member(own, bot.user)
    await anna.say(own, "1: c7c5")
    told = await ben.see(await whispers(ben), "Turn 1 ·")
    assert "I cannot write to the place of match 1" in told.text
    assert told.mentions == (ben.user,)
    if how == "kicked":
        await anna.invite(room, bot.user)
    else:
        _settle(bot, anna, room, 0)
    board = await ben.see(room, lambda seen: seen.thread == thread and "your turn" in seen.text, count=2)
    assert ben.user in board.mentions
    await ben.say(room, "e1e3", thread=thread)
    assert (await anna.see(room, "Turn 2 ·")).thread == thread


async def test_a_player_who_is_kicked_is_told_in_private_and_plays_on_there(bot: Bot, people: Enter) -> None:
    anna, ben = await people("anna"), await people("ben")
    room = await club(bot, anna, ben)
    thread, _ = await challenged(bot, room, anna, ben, "tokonoma side=white")
    await anna.kick(room, ben.user)
    own = await whispers(ben)
    assert "You have been put out of the place of match 1" in (await ben.see(own, "so for you")).text
    await anna.say(room, "c7c5", thread=thread)
    assert (await ben.see(own, "Turn 1 ·")).mentions == (ben.user,)
    await ben.say(own, "1: e1e3")
    assert (await anna.see(room, "Turn 2 ·")).thread == thread


def _settle(bot: Bot, host: Player, room: str, level: int) -> None:
    """Let only those of this power level speak in a room."""
    path = f"/_matrix/client/v3/rooms/{room}/state/m.room.power_levels"
    powers = bot.server.ask("GET", path, token=host.client.access_token)
    answer = bot.server.ask("PUT", path, {**powers, "events_default": level}, token=host.client.access_token)
    assert "event_id" in answer, answer


@pytest.mark.parametrize(("invites", "wanted"), [(("own-server",), True), (("@somebody:else.example",), False)])
async def test_invitations_are_accepted_by_policy(
    people: Enter, synapse: Homeserver, tmp_path: Path, invites: tuple[str, ...], wanted: bool
) -> None:
    anna = await people("anna")
    bot = await Bot.enter(synapse, tmp_path / "bot", f"riposte-choosy-{tmp_path.name[-9:]}".lower(), invites=invites)
    try:
        room = await anna.create(invite=[bot.user])
        kind = "join" if wanted else "leave"
        await anna.see(room, lambda seen: seen.sender == bot.user and seen.content.get("membership") == kind)
    finally:
        await bot.stop()


async def test_the_homeserver_can_read_nothing_of_an_encrypted_room(own_synapse: Start, tmp_path: Path) -> None:
    server = own_synapse()
    bot = await Bot.enter(server, tmp_path / "bot", "riposte")
    anna, ben = [await Player.enter(server, name, tmp_path) for name in ("anna", "ben")]
    try:
        room = await club(bot, anna, ben, encrypted=True)
        await challenged(bot, room, anna, ben, "veney side=white setup=concealed")
        private = await whispers(anna)
        asked = await anna.see(private, "Answer privately")
        assert asked.encrypted
        await anna.say(private, "secret 1 X4 $ Y4 S")
        await anna.see(private, lambda seen: seen.kind == "m.room.message", count=2)
        assert any(seen.picture for seen in anna.read(room))
        assert not any(seen.kind == "m.reaction" for seen in anna.seen(private))
    finally:
        await bot.stop()
        await anna.close()
        await ben.close()
        server.stop()
    files = [*server.folder.glob("homeserver.db*"), *(path for path in server.media.rglob("*") if path.is_file())]
    assert len(files) > 1
    words = [b"eney", b"privately", b"org.riposte.", b"Self on", b"secret 1", b"challenge", b"\x89PNG"]
    assert [(word, file.name) for file in files for word in words if word in file.read_bytes()] == []
