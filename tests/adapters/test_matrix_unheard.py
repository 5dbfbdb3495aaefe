"""Promises to people on Matrix, read from the specification: who is reached, who is rung, and what is answered."""

import asyncio
import json
from collections.abc import AsyncIterator
from functools import partial
from itertools import count
from pathlib import Path
from typing import Any

import pytest
import vodozemac

from bot.adapters.matrix.sync.room_state import RoomState
from tests.adapters.matrix_reading import said, whispers
from tests.adapters.matrix_room import PREFIX, Bot, Enter, challenged, club
from tests.synapse.player import PATIENCE, Player, Seen
from tests.synapse.server import Homeserver

NUMBERS = count(1)


@pytest.fixture
async def bot(synapse: Homeserver, tmp_path: Path) -> AsyncIterator[Bot]:
    bot = await Bot.enter(synapse, tmp_path / "bot", f"unheard-{next(NUMBERS)}")
    yield bot
    await bot.stop()


def ask(bot: Bot, player: Player, method: str, path: str, body: object = None) -> Any:
    return bot.server.ask(method, f"/_matrix/client/v3{path}", body, token=player.client.access_token)


async def power(bot: Bot, host: Player, room: str, **changed: Any) -> None:
    """Change what a room's power levels say; levels of people and of kinds of events are added."""
    path = f"/rooms/{room}/state/m.room.power_levels"
    levels = ask(bot, host, "GET", path)
    for name, value in changed.items():
        levels[name] = {**levels.get(name, {}), **value} if isinstance(value, dict) else value
    assert "event_id" in ask(bot, host, "PUT", path, levels)


# --- who can be reached ---------------------------------------------------------------------------------------
def test_whoever_is_to_speak_needs_the_level_of_what_they_send() -> None:
    state = RoomState(powers={"events": {"m.room.encrypted": 50}, "users": {"@zoe:x": 50}})
    assert state.speaks("@anna:x")
    assert not state.speaks("@anna:x", encrypted=True)
    assert state.speaks("@zoe:x", encrypted=True)
    state = RoomState(powers={"events": {"m.room.message": 50}})
    assert not state.speaks("@anna:x")
    assert state.speaks("@anna:x", encrypted=True)


@pytest.mark.parametrize(
    ("mute", "unmute"),
    [
        ({"users": {"bot": -1}}, {"users": {"bot": 0}}),
        ({"events": {"m.room.encrypted": 50}}, {"events": {"m.room.encrypted": 0}}),
    ],
)
async def test_a_bot_that_is_muted_by_any_level_tells_in_private_and_posts_the_board_when_it_may_again(
    bot: Bot, people: Enter, mute: dict[str, Any], unmute: dict[str, Any]
) -> None:
    anna, ben = await people("anna"), await people("ben")
    room = await club(bot, anna, ben, encrypted=True)
    thread, _ = await challenged(bot, room, anna, ben, "tokonoma side=white")
    await power(bot, anna, room, **levels(bot, mute))
    await bot.saw(lambda: not bot.adapter._rooms.open(room))
    own = await anna.create(invite=[bot.user], direct=True, encrypted=True)
    await anna.see_member(own, bot.user)
    await anna.say(own, "1: c7c5")
    told = await ben.see(await whispers(ben), "Turn 1 ·")
    assert told.mentions == (ben.user,)
    await power(bot, anna, room, **levels(bot, unmute))
    board = await ben.see(room, lambda seen: seen.thread == thread and "I can write here again" in seen.text)
    assert ben.user in board.mentions


def levels(bot: Bot, changed: dict[str, Any]) -> dict[str, Any]:
    return {
        kind: {bot.user if name == "bot" else name: level for name, level in each.items()}
        for kind, each in changed.items()
    }


async def test_a_player_who_is_banned_plays_on_in_private_and_hears_in_the_room_again_once_let_in(
    bot: Bot, people: Enter
) -> None:
    anna, ben = await people("anna"), await people("ben")
    room = await club(bot, anna, ben)
    thread, _ = await challenged(bot, room, anna, ben, "tokonoma side=white")
    ask(bot, anna, "POST", f"/rooms/{room}/ban", {"user_id": ben.user})
    own = await whispers(ben)
    await ben.see(own, "You have been put out of the place of match 1")
    ask(bot, anna, "POST", f"/rooms/{room}/unban", {"user_id": ben.user})
    await anna.invite(room, ben.user)
    await ben.see_invitation(room)
    await ben.join(room)
    await anna.say(room, "c7c5", thread=thread)
    assert ben.user in (await ben.see(room, "Turn 1 ·")).mentions
    await ben.say(room, "e1e3", thread=thread)
    await anna.see(room, "Turn 2 ·")
    assert not any("Turn" in text for text in said(ben, own, bot)), "nothing is told twice"


async def test_who_leaves_by_their_own_will_stops_no_clock(bot: Bot, people: Enter) -> None:
    anna, ben = await people("anna"), await people("ben")
    room = await club(bot, anna, ben)
    thread, number = await challenged(bot, room, anna, ben, "tokonoma side=white time=3d")
    await ben.leave(room)
    await anna.say(room, "c7c5", thread=thread)
    await anna.see(room, "Turn 1 ·")
    match = await bot.service.repository.match(number)
    assert match is not None
    assert not match.unreached
    assert not ben.invited, "nobody is followed"


async def test_where_no_room_is_left_nobodys_time_runs(bot: Bot, people: Enter) -> None:
    anna, ben = await people("anna"), await people("ben")
    room = await club(bot, anna, ben)
    _, number = await challenged(bot, room, anna, ben, "tokonoma side=white time=3d")
    await ben.say(room, f"{PREFIX} matches")
    await ben.leave(await whispers(ben))
    await anna.kick(room, bot.user)
    own = await anna.create(invite=[bot.user], direct=True, encrypted=True)
    await anna.see_member(own, bot.user)
    await anna.say(own, "1: c7c5")
    await anna.see(own, "No message reaches")
    match = await bot.service.repository.match(number)
    assert match is not None
    assert match.unreached.keys() == {f"matrix:{ben.user}"}


# --- what rings -----------------------------------------------------------------------------------------------
async def test_what_rings_nobody_is_a_notice_and_turns_are_texts(bot: Bot, people: Enter) -> None:
    anna, ben = await people("anna"), await people("ben")
    room = await club(bot, anna, ben)
    thread, _ = await challenged(bot, room, anna, ben, "tokonoma side=white")
    await anna.say(room, "c7c5", thread=thread)
    turn = await ben.see(room, "Turn 1 ·")
    await ben.say(room, "draw", thread=thread)
    await anna.say(room, f"{PREFIX} help", thread=thread)
    await anna.see(room, "offers a draw")
    await anna.say(room, "decline draw", thread=thread)
    await anna.see(room, "declines")
    await ben.say(room, "resign yes", thread=thread)
    await anna.see(room, "resigns")
    assert turn.content["msgtype"] == "m.text"
    for seen in anna.read(room):
        if seen.sender == bot.user and not seen.picture:
            boards = "Turn" in seen.text or "resigns" in seen.text
            wanted = {"m.text"} if seen.mentions else {"m.notice", "m.text"} if boards else {"m.notice"}
            assert seen.content["msgtype"] in wanted, seen.text


async def test_a_notice_is_never_answered_wherever_it_stands(bot: Bot, people: Enter) -> None:
    anna = await people("anna")
    own = await anna.create(invite=[bot.user], direct=True, encrypted=True)
    room = await club(bot, anna)
    greeting = await anna.see(own, "I am Riposte")
    talk = await anna.say(own, "gg")
    await anna.say(own, "games", notice=True)
    await anna.say(own, "games", notice=True, reply=greeting.id)
    await anna.say(own, "games", notice=True, edit=talk)
    await anna.say(room, f"{bot.user}: games", notice=True, mention=[bot.user])
    await anna.say(room, f"{PREFIX} terms tokonoma")
    await anna.see(room, "time=")
    await anna.say(own, "terms tokonoma")
    await anna.see(own, "time=")
    assert not any("The games:" in text for where in (own, room) for text in said(anna, where, bot))


async def test_three_answers_that_there_is_no_such_command_are_all_in_whatever_rooms(bot: Bot, people: Enter) -> None:
    anna = await people("anna")
    one, two = await club(bot, anna), await club(bot, anna)
    for nonsense in ("xyzzy", "plugh", "frotz"):
        await anna.say(one, f"{PREFIX} {nonsense}")
        await anna.say(two, f"{PREFIX} {nonsense}")
        await anna.say(two, f"{bot.user} {nonsense}", mention=[bot.user])
    for room in (one, two):
        await anna.say(room, f"{PREFIX} games")
        await anna.see(room, "The games:")
    answers = [text for room in (one, two) for text in said(anna, room, bot) if "There is no command" in text]
    assert len(answers) == 3


# --- the first five minutes -----------------------------------------------------------------------------------
@pytest.mark.parametrize("encrypted", [False, True])
async def test_a_pill_without_a_field_of_mentions_calls_the_bot(bot: Bot, people: Enter, encrypted: bool) -> None:
    anna, ben = await people("anna"), await people("ben")
    room = await club(bot, anna, ben, encrypted=encrypted)
    await anna.see(room, "I am Riposte")
    name = bot.user[1:].partition(":")[0]
    pill = f'<a href="https://matrix.to/#/{bot.user}">{name}</a>'
    await anna.say(room, f"hello {name}!", format="org.matrix.custom.html", formatted_body=f"hello {pill}!")
    await ben.see(room, "I am Riposte", count=2)


async def test_a_mention_in_the_midst_of_a_sentence_is_answered(bot: Bot, people: Enter) -> None:
    anna, ben = await people("anna"), await people("ben")
    room = await club(bot, anna, ben)
    await anna.see(room, "I am Riposte")
    asked = await anna.say(room, "so how do we play with this thing?", mention=[bot.user])
    answer = await ben.see(room, lambda seen: seen.relation.get("m.in_reply_to") == {"event_id": asked})
    assert answer.content["msgtype"] == "m.notice"


async def test_help_in_a_thread_is_answered_in_the_thread(bot: Bot, people: Enter) -> None:
    anna, ben = await people("anna"), await people("ben")
    room = await club(bot, anna, ben)
    thread, _ = await challenged(bot, room, anna, ben, "tokonoma side=white")
    for line in ("help", "rules 3", "games"):
        asked = await anna.say(room, line, thread=thread)
        answer = await ben.see(
            room, lambda seen, asked=asked: seen.relation.get("m.in_reply_to") == {"event_id": asked}
        )
        assert answer.thread == thread
    assert not anna.invited


async def test_a_secret_asked_for_in_a_direct_room_in_clear_stays_there_even_after_a_restart(
    bot: Bot, people: Enter
) -> None:
    anna = await people("anna")
    room = await anna.create(invite=[bot.user], direct=True)
    await anna.see(room, "I am Riposte")
    await anna.say(room, "matches")
    await anna.see(room, "No matches")
    await bot.stop()
    await bot.start()
    await anna.say(room, "matches")
    await anna.see(room, "No matches", count=2)
    assert sum("your homeserver can read" in text for text in said(anna, room, bot)) == 1
    assert not anna.invited


# --- keys -----------------------------------------------------------------------------------------------------
async def test_a_fallback_key_is_signed_marked_and_renewed_once_it_was_used(bot: Bot, people: Enter) -> None:
    anna = await people("anna")
    await club(bot, anna, encrypted=True)
    device = bot.adapter._client.device_id
    known = ask(bot, anna, "POST", "/keys/query", {"device_keys": {bot.user: []}})
    name = known["device_keys"][bot.user][device]["keys"][f"ed25519:{device}"]
    wanted = {"one_time_keys": {bot.user: {device: "signed_curve25519"}}}
    seen: dict[str, Any] = {}
    async with asyncio.timeout(PATIENCE):
        while len(seen) < 2:
            claimed = await asyncio.to_thread(ask, bot, anna, "POST", "/keys/claim", wanted)
            for key in claimed["one_time_keys"][bot.user][device].values():
                if key.get("fallback"):
                    seen[key["key"]] = key
    for key in seen.values():
        signature = key.pop("signatures")[bot.user][f"ed25519:{device}"]
        text = json.dumps(key, ensure_ascii=False, separators=(",", ":"), sort_keys=True)
        public = vodozemac.Ed25519PublicKey.from_base64(name)
        public.verify_signature(text.encode(), vodozemac.Ed25519Signature.from_base64(signature))


async def test_who_has_no_identity_is_offered_the_page_where_there_is_one(synapse: Homeserver, tmp_path: Path) -> None:
    bot = await Bot.enter(synapse, tmp_path / "bot", f"paged-{next(NUMBERS)}", page=True)
    anna = await Player.enter(synapse, f"unsigned-{next(NUMBERS)}", tmp_path, signed=False)
    try:
        room = await anna.create(invite=[bot.user])
        await anna.see_member(room, bot.user)
        await anna.say(room, f"{PREFIX} matches")
        told = await anna.see(await whispers(anna), "none is verified")
        assert "Riposte's page" in told.text
        assert "account" in told.text
    finally:
        await anna.close()
        await bot.stop()


async def test_a_verification_that_begins_without_being_asked_for_is_cancelled_too(bot: Bot, people: Enter) -> None:
    anna = await people("anna")
    await club(bot, anna)
    other = bot.server.log_in(anna.user)
    device = bot.server.ask("GET", "/_matrix/client/v3/account/whoami", token=other)["device_id"]
    begun = {"from_device": device, "method": "m.sas.v1", "transaction_id": "v2", "hashes": ["sha256"]}
    body = {"messages": {bot.user: {"*": begun}}}
    bot.server.ask("PUT", "/_matrix/client/v3/sendToDevice/m.key.verification.start/x2", body, token=other)
    since, found = "", []
    async with asyncio.timeout(PATIENCE):
        while not found:
            query = f"?timeout=2000{since and '&since=' + since}"
            news = await asyncio.to_thread(bot.server.ask, "GET", f"/_matrix/client/v3/sync{query}", token=other)
            since = news["next_batch"]
            found = [e for e in news.get("to_device", {}).get("events", []) if e["type"] == "m.key.verification.cancel"]
    assert found[0]["content"]["transaction_id"] == "v2"


async def test_a_room_whose_only_guest_declines_is_left(bot: Bot, people: Enter) -> None:
    anna = await people("anna")
    room = await club(bot, anna)
    await anna.say(room, f"{PREFIX} matches")
    private = await anna.see_invitation()
    await bot.saw(lambda: private in bot.adapter._client.rooms)
    ask(bot, anna, "POST", f"/rooms/{private}/leave", {})
    await bot.saw(lambda: private not in bot.adapter._client.rooms)
    await anna.say(room, f"{PREFIX} games")
    await anna.see(room, "The games:")
    assert private not in bot.adapter._client.rooms


async def test_a_room_that_all_have_left_while_the_bot_was_away_is_left(bot: Bot, people: Enter) -> None:
    anna = await people("anna")
    room, other = await club(bot, anna), await club(bot, anna)
    await bot.stop()
    await anna.leave(room)
    await bot.start()
    await bot.saw(lambda: other in bot.adapter._client.rooms and room not in bot.adapter._client.rooms)
    assert room not in bot.adapter._client.rooms


# --- reactions ------------------------------------------------------------------------------------------------
async def test_a_challenge_is_answered_by_a_thumb_and_its_signs_go_once_it_is_settled(bot: Bot, people: Enter) -> None:
    anna, ben = await people("anna"), await people("ben")
    room = await club(bot, anna, ben)
    await anna.say(room, f"{PREFIX} challenge {ben.user} tokonoma side=white")
    challenge = await ben.see(room, lambda seen: seen.sender == bot.user and "Match " in seen.text)
    ours = [
        await ben.see(
            room,
            lambda seen, sign=sign: (
                seen.sender == bot.user
                and seen.relation == {"rel_type": "m.annotation", "event_id": challenge.id, "key": sign}
            ),
        )
        for sign in "✅❌"
    ]
    await ben.react(room, challenge.id, "👍")
    await ben.see(room, lambda seen: bool(seen.thread) and seen.sender == bot.user)
    for one in ours:
        await ben.see(
            room,
            lambda seen, one=one: (
                seen.kind == "m.room.redaction" and one.id in (seen.raw.get("redacts"), seen.content.get("redacts"))
            ),
        )


async def test_a_thumb_of_whom_nothing_was_asked_is_applause_and_is_not_answered(bot: Bot, people: Enter) -> None:
    anna, ben, cleo = await people("anna"), await people("ben"), await people("cleo")
    room = await club(bot, anna, ben, cleo)
    await anna.say(room, f"{PREFIX} challenge {ben.user} tokonoma side=white")
    challenge = await ben.see(room, lambda seen: seen.sender == bot.user and "Match " in seen.text)
    for who in (cleo, anna):
        await who.react(room, challenge.id, "👍")
    await cleo.say(room, f"{PREFIX} games")
    await cleo.see(room, "The games:")
    await ben.react(room, challenge.id, "👍")
    thread = (await ben.see(room, lambda seen: bool(seen.thread) and seen.sender == bot.user)).thread
    await anna.say(room, "draw", thread=thread)
    draw = await ben.see(room, "offers a draw")
    for who in (anna, cleo):
        await who.react(room, draw.id, "👍")
    await cleo.say(room, f"{PREFIX} games")
    await cleo.see(room, "The games:", count=2)
    await ben.react(room, draw.id, "👎")
    await anna.see(room, "declines")
    assert not [*anna.invited, *cleo.invited], "nobody is told anything in private"


async def test_signs_stay_under_an_offer_that_can_still_be_answered(bot: Bot, people: Enter) -> None:
    anna, ben = await people("anna"), await people("ben")
    room = await club(bot, anna, ben)
    thread, _ = await challenged(bot, room, anna, ben, "tokonoma side=white takeback=consent")
    await anna.say(room, "c7c5", thread=thread)
    await ben.see(room, "Turn 1 ·")
    await anna.say(room, "takeback", thread=thread)
    takeback = await ben.see(room, "take back")
    await ben.say(room, "draw", thread=thread)
    draw = await anna.see(room, "offers a draw")
    for offer in (takeback, draw):
        await anna.see(room, partial(_is_sign, bot, offer.id, "❌"))
    await anna.react(room, draw.id, "❌")
    await anna.see(room, "declines")
    await anna.see(room, lambda seen: _taken_away(bot, seen), count=2)
    assert {_redacted(seen) for seen in anna.read(room) if _taken_away(bot, seen)} == {
        seen.id for seen in anna.read(room) if any(_is_sign(bot, draw.id, sign, seen) for sign in "✅❌")
    }
    await ben.react(room, takeback.id, "✅")
    await anna.see(room, lambda seen: _taken_away(bot, seen), count=4)


def _is_sign(bot: Bot, offer: str, sign: str, seen: Seen) -> bool:
    return seen.sender == bot.user and seen.relation == {"rel_type": "m.annotation", "event_id": offer, "key": sign}


def _taken_away(bot: Bot, seen: Seen) -> bool:
    return seen.kind == "m.room.redaction" and seen.sender == bot.user


def _redacted(seen: Seen) -> str:
    return str(seen.raw.get("redacts") or seen.content.get("redacts"))
