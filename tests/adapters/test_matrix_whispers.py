"""Whispers on Matrix: where they are told, to which devices, and what becomes of secrets said aloud."""

import json
from collections.abc import AsyncIterator
from pathlib import Path

import pytest
from nio import RoomPreset

from bot.messages.model import OutgoingMessage, Person, Place, Undeliverable
from tests.adapters.matrix_reading import said, whispers
from tests.adapters.matrix_room import PREFIX, Bot, Enter, challenged, club
from tests.synapse.player import Player
from tests.synapse.server import Homeserver


@pytest.fixture
async def bot(synapse: Homeserver, tmp_path: Path) -> AsyncIterator[Bot]:
    bot = await Bot.enter(synapse, tmp_path / "bot", f"riposte-{tmp_path.name}".lower().replace("_", "-")[:40])
    yield bot
    await bot.stop()


async def test_whispers_go_to_one_encrypted_room_for_two_and_no_word_of_them_to_others(bot: Bot, people: Enter) -> None:
    anna, ben = await people("anna"), await people("ben")
    room = await club(bot, anna, ben)
    await anna.say(room, f"{PREFIX} matches")
    private = await whispers(anna)
    first = await anna.see(private, "No matches")
    assert first.encrypted
    assert set(anna.client.rooms[private].users) == {anna.user, bot.user}
    await bot.stop()
    await bot.start()
    await anna.say(room, f"{PREFIX} matches")
    await anna.see(private, "No matches", count=2)
    assert len(said(anna, room, bot)) == 1, "the greeting"
    assert not anna.invited


@pytest.mark.parametrize("asked", ["help", "games", "games veney", "rules tokonoma 7", "terms tokonoma", "nonsense"])
async def test_what_is_no_secret_is_answered_where_it_was_asked_without_ringing(
    bot: Bot, people: Enter, asked: str
) -> None:
    anna, ben = await people("anna"), await people("ben")
    room = await club(bot, anna, ben)
    question = await anna.say(room, f"{PREFIX} {asked}")
    answer = await ben.see(room, lambda seen: seen.relation.get("m.in_reply_to") == {"event_id": question})
    assert (answer.content["msgtype"], answer.mentions) == ("m.notice", ())
    await bot.saw(lambda: True)
    assert not anna.invited, "private rooms are for secrets"


async def test_in_a_direct_room_in_clear_answers_stay_there_after_one_warning(bot: Bot, people: Enter) -> None:
    anna = await people("anna")
    room = await anna.create(invite=[bot.user], direct=True)
    await anna.see(room, "I am Riposte")
    await anna.say(room, "matches")
    await anna.see(room, "No matches")
    await anna.say(room, "matches")
    await anna.see(room, "No matches", count=2)
    assert [bool(text) for text in said(anna, room, bot) if "your homeserver can read" in text] == [True]
    assert not anna.invited


async def test_whispers_are_for_devices_that_are_signed_by_their_owners_identity(
    bot: Bot, people: Enter, tmp_path: Path
) -> None:
    anna = await people("anna")
    room = await club(bot, anna)
    await anna.say(room, f"{PREFIX} matches")
    private = await whispers(anna)
    await anna.see(private, "No matches")
    spy = await Player.enter(bot.server, anna.user, tmp_path / "spy", anna.password, signed=False)
    try:
        await anna.say(private, "matches")
        await anna.see(private, "No matches", count=2)
        await anna.say(private, "games")
        await anna.see(private, "The games:")
        seen = await spy.see(private, lambda seen: seen.sender == bot.user and seen.id == anna.read(private)[-1].id)
        assert all("No matches" not in one.text for one in spy.seen(private)), "a device that somebody has slipped in"
        assert seen.encrypted
    finally:
        await spy.close()


async def test_a_new_identity_is_told_of_and_who_has_none_is_told_how_to_make_one(
    bot: Bot, synapse: Homeserver, tmp_path: Path
) -> None:
    name = f"unsigned-{tmp_path.name[-8:]}".lower().replace("_", "-")
    anna = await Player.enter(synapse, name, tmp_path, signed=False)
    try:
        room = await anna.create(invite=[bot.user])
        await anna.see_member(room, bot.user)
        await anna.say(room, f"{PREFIX} matches")
        private = await whispers(anna)
        told = await anna.see(private, "none is verified")
        assert "Set up encryption" in told.text
        anna.make_identity()
        await anna.say(private, "matches")
        await anna.see(private, "No matches")
        assert len(said(anna, private, bot)) == 2
        anna.make_identity()
        await anna.say(private, "matches")
        await anna.see(private, "No matches", count=2)
        assert "another identity" in said(anna, private, bot)[2]
        await anna.say(private, "matches")
        await anna.see(private, "No matches", count=3)
        assert len(said(anna, private, bot)) == 5, "a change is told once"
    finally:
        await anna.close()


async def test_whoever_has_left_their_room_is_asked_back_only_when_they_asked_something(
    bot: Bot, people: Enter
) -> None:
    anna = await people("anna")
    room = await club(bot, anna)
    await anna.say(room, f"{PREFIX} matches")
    private = await whispers(anna)
    await anna.see(private, "No matches")
    await anna.leave(private)
    await bot.saw(lambda: private not in bot.adapter._client.rooms)
    unasked = OutgoingMessage(
        "unasked", Place("matrix", room), ("your orders, please",), only=Person("matrix", anna.user, "anna")
    )
    with pytest.raises(Undeliverable, match="has left"):
        await bot.adapter.deliver(unasked, None)
    await anna.say(room, f"{PREFIX} matches")
    await anna.see(await whispers(anna), "No matches")


async def test_a_secret_is_told_only_where_nobody_else_reads(bot: Bot, people: Enter) -> None:
    anna, ben = await people("anna"), await people("ben")
    plain = await club(bot, anna)
    whisper = OutgoingMessage("s1", Place("matrix", plain), ("canary",), only=Person("matrix", anna.user, "anna"))
    await bot.post(whisper)
    private = await whispers(anna)
    assert (await anna.see(private, "canary")).encrypted
    await anna.invite(private, ben.user)
    await ben.join(private)
    await bot.saw(lambda: ben.user in bot.adapter._client.rooms[private].users)
    await bot.post(
        OutgoingMessage("s2", Place("matrix", private), ("second canary",), only=Person("matrix", anna.user, "anna"))
    )
    other = await whispers(anna)
    assert other != private
    assert (await anna.see(other, "second canary")).encrypted


@pytest.mark.parametrize("mighty", [False, True])
async def test_whoever_says_a_secret_aloud_is_told_and_it_is_deleted_where_the_bot_may(
    bot: Bot, people: Enter, mighty: bool
) -> None:
    anna, ben = await people("anna"), await people("ben")
    levels = {"users": {anna.user: 100, bot.user: 50 if mighty else 0}}
    room = await anna.create(invite=[bot.user, ben.user], power_level_override=levels, room_version="11")
    await anna.see_member(room, bot.user)
    secret = await anna.say(room, f"{PREFIX} secret 1 X4 $ Y4 S")
    told = await anna.see(await whispers(anna), "where others read along")
    assert ("and deleted it" in told.text) is mighty
    if mighty:
        gone = await anna.see(room, lambda seen: seen.kind == "m.room.redaction")
        assert secret in (gone.raw.get("redacts"), gone.content.get("redacts"))


async def test_a_whisper_says_which_match_it_is_about_and_can_be_answered_there(bot: Bot, people: Enter) -> None:
    anna, ben = await people("anna"), await people("ben")
    room = await club(bot, anna, ben)
    thread, number = await challenged(bot, room, anna, ben, "tokonoma side=white")
    await anna.say(room, "c7c9", thread=thread)
    private = await whispers(anna)
    refusal = await anna.see(private, "There is no tile c9")
    assert refusal.text.startswith(f"Match {number}. ")
    await anna.say(private, "c7c5", reply=refusal.id)
    assert (await ben.see(room, "Turn 1 ·")).thread == thread


@pytest.mark.parametrize("preset", [RoomPreset.private_chat, RoomPreset.public_chat])
async def test_matches_go_on_in_the_room_that_replaces_theirs(bot: Bot, people: Enter, preset: RoomPreset) -> None:
    anna, ben = await people("anna"), await people("ben")
    old = await anna.create(invite=[bot.user, ben.user], preset=preset, room_version="10")
    await ben.see_invitation(old)
    await ben.join(old)
    await anna.see_member(old, bot.user)
    thread, number = await challenged(bot, old, anna, ben, "tokonoma side=white")
    new = await anna.upgrade(old)
    if preset is RoomPreset.private_chat:
        await anna.invite(new, bot.user)
        await anna.invite(new, ben.user)
    await anna.see_member(new, bot.user)
    await ben.join(new)
    await anna.say(new, f"{PREFIX} move {number} c7c5")
    told = await ben.see(new, "Turn 1 ·")
    assert told.thread not in ("", thread)
    assert (await ben.see(new, "goes on here")).id == told.thread
    await bot.stop()
    await bot.start()
    await ben.say(new, "e1e3", thread=told.thread)
    assert (await anna.see(new, "Turn 2 ·")).thread == told.thread


async def test_what_is_kept_of_somebody_is_handed_over_as_a_file_to_them_alone(bot: Bot, people: Enter) -> None:
    anna, ben = await people("anna"), await people("ben")
    room = await club(bot, anna, ben)
    await anna.say(room, f"{PREFIX} zone Europe/Berlin")
    await anna.say(room, f"{PREFIX} privacy export")
    private = await whispers(anna)
    sent = await anna.see(private, lambda seen: seen.content.get("msgtype") == "m.file")
    assert sent.encrypted
    assert sent.content["filename"] == "riposte-export.json"
    told = json.loads(await anna.save_picture(sent))
    assert "Europe/Berlin" in str(told)
    assert [seen for seen in anna.read(private) if "Here it is, as a file." in seen.text]
    others = [seen for seen in ben.read(room) if seen.sender == bot.user]
    assert "Berlin" not in str([seen.content for seen in others])
