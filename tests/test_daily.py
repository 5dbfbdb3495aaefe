"""The riddle of the day: posted once a day in each channel, answers sealed, and told the next day who has seen it."""

from collections.abc import AsyncIterator
from pathlib import Path

import msgspec
import pytest

from bot.commands.learning.puzzles.daily import Daily, chosen
from engine.games import GAMES
from tests.chat_room import DAY, HOUR, ChatRoom, open_room
from tests.parts_of_games import APPRAISED


@pytest.fixture
async def room(tmp_path: Path) -> AsyncIterator[ChatRoom]:
    room = await open_room(tmp_path)
    room.now = room.now // DAY * DAY + 9 * HOUR
    yield room
    await room.store.close()


async def begun(room: ChatRoom, *channels: str) -> None:
    for channel in channels or ("lounge",):
        await room.say("anna", "settings daily here", channel=channel, host=True)


async def riddle(room: ChatRoom, channel: str = "lounge") -> Daily:
    return msgspec.json.decode(await room.store.setting(f"web/{channel}/", "daily"), type=Daily)


def answer_to(daily: Daily, *, right: bool) -> str:
    game = GAMES[daily.game]
    position = game.decode(daily.position)
    if daily.turn:
        holds = game.tenable(position, game.read(daily.turn, position))
        return "daily ok" if holds == right else "daily call"
    solution = daily.puzzle.split("|")[2]
    others = (game.write(turn, position) for turn in game.turns(position))
    return f"daily {solution if right else next(text for text in others if text != solution)}"


async def test_it_is_posted_once_a_day_from_eight_o_clock_on_across_restarts(room: ChatRoom) -> None:
    await begun(room)
    assert len(await room.tell_riddles()) == 1
    assert await room.tell_riddles() == []
    room.restart()
    assert await room.tell_riddles() == []
    room.now += DAY - 2 * HOUR
    assert await room.tell_riddles() == [], "it is seven"
    room.now += HOUR
    assert [post.only for post in await room.tell_riddles()] == [None, None], "what was right, and the next one"
    room.now += 3 * DAY
    assert len(await room.tell_riddles()) == 2, "days that were missed are not made up for"


async def test_answers_are_sealed_until_the_next_day_and_then_counted(room: ChatRoom) -> None:
    await begun(room)
    await room.tell_riddles()
    asked = await riddle(room)
    told = []
    for who, right in (("anna", True), ("ben", False), ("cleo", True)):
        (post,) = await room.say(who, answer_to(asked, right=right))
        assert post.only is not None
        told.append(post.text)
    assert told[0] == told[1] == told[2], "right or wrong, the same words"
    await room.say("cleo", answer_to(asked, right=False))  # another one takes its place
    room.restart()
    room.now += DAY
    resolved, _ = await room.tell_riddles()
    said = "".join(str(getattr(span, "name", span)) for span in resolved.text)
    assert "Solved by anna." in said
    assert "2 answers were wrong." in said


async def test_rooms_have_riddles_and_answers_of_their_own(room: ChatRoom) -> None:
    await begun(room, "lounge", "attic")
    assert {post.where.channel for post in await room.tell_riddles()} == {"lounge", "attic"}
    assert (await riddle(room)).position != (await riddle(room, "attic")).position
    await room.say("anna", answer_to(await riddle(room), right=True))
    room.now += DAY
    said = dict.fromkeys(("lounge", "attic"), "")
    for post in await room.tell_riddles():
        said[post.where.channel] += str(post.text)
    assert "anna" in said["lounge"]
    assert "Nobody has solved it." in said["attic"]


async def test_yesterdays_button_answers_nothing_today(room: ChatRoom) -> None:
    await begun(room)
    (post,) = await room.tell_riddles()
    line = post.choices[0].command
    room.now += DAY
    await room.tell_riddles()
    (said,) = await room.say("ben", f"{line} c7c5")
    assert "That riddle is over." in str(said.text)


async def test_only_hosts_begin_and_end_it(room: ChatRoom) -> None:
    await room.say("anna", "settings daily here")
    assert await room.tell_riddles() == []
    await begun(room)
    await room.say("anna", "settings daily off", host=True)
    assert await room.tell_riddles() == []
    (said,) = await room.say("ben", "daily call")
    assert "There is no riddle of the day here." in str(said.text)


@pytest.mark.parametrize("said", ["daily nonsense", "daily 2020-01-01 ok", "daily"])
async def test_what_is_no_answer_is_told_in_private_and_kept_by_nobody(said: str, room: ChatRoom) -> None:
    await begun(room)
    await room.tell_riddles()
    for post in await room.say("ben", said):
        assert post.only is not None
    assert await room.store.setting("web:ben", "daily web/lounge/") == ""


def test_turns_and_puzzles_of_all_games_are_asked_in_turn() -> None:
    drawn = [chosen("2027-01-15", number, number.to_bytes(32, "big")) for number in range(2 * len(GAMES))]
    assert {daily.game for daily in drawn} == set(APPRAISED)
    assert any(daily.puzzle for daily in drawn)
    assert any(daily.turn for daily in drawn)
