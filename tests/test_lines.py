"""Lines and daily lists: prepared answers are made once, at once, and tell nobody anything before."""

import re
from collections.abc import AsyncIterator, Sequence
from pathlib import Path

import pytest

from bot.messages.model import OutgoingMessage
from bot.notices.digests import Digests
from engine.games import GAMES
from tests.chat_room import DAY, HOUR, START, ChatRoom, open_room, transcribe
from tests.parts_of_games import CERTAIN


@pytest.fixture
async def room(tmp_path: Path) -> AsyncIterator[ChatRoom]:
    room = await open_room(tmp_path)
    yield room
    await room.store.close()


async def begun(room: ChatRoom, **terms: str) -> None:
    line = " ".join(f"{key}={value}" for key, value in {"side": "white", "umpire": "turn", **terms}.items())
    await room.say("anna", f"challenge @ben tokonoma {line}")
    await room.say("ben", "accept 1")
    await room.say("anna", "c7c5", "1")


def words(posts: list[OutgoingMessage]) -> str:
    return "\n".join("".join(str(span) for span in post.text) for post in posts)


def said(posts: Sequence[OutgoingMessage]) -> str:
    return "\n".join(line for post in posts for line in transcribe(post, START))


async def turns(room: ChatRoom) -> list[str]:
    match = await room.service.repository.match("1")
    assert match is not None
    return [ply.text for ply in match.plies]


async def test_an_untenable_line_is_kept_in_the_same_words_as_a_tenable_one(room: ChatRoom) -> None:
    await begun(room)
    tenable = words(await room.say("anna", "if c1c3 then e5e4", "1"))
    untenable = words(await room.say("anna", "if a1b1 then e5b6", "1"))
    assert untenable.replace("a1b1", "c1c3").replace("e5b6", "e5e4") == tenable


@pytest.mark.parametrize("key", GAMES)
async def test_the_example_of_a_line_is_one_of_the_match_s_own_game_and_is_kept(key: str, room: ChatRoom) -> None:
    await room.say("anna", f"challenge @ben {key}")
    await room.say("ben", "accept 1")
    match = await room.service.repository.match("1")
    assert match is not None
    (waiting,) = [seat for side, seat in match.seats.items() if side not in match.sides_to_act]
    name = waiting.partition(":")[2]
    told = await room.say(name, "if 1")
    example = re.findall(r"`if (.+?)` answers", said(told))[0]
    assert example.startswith(match.game.example(match.position) if key in CERTAIN else "draw then accept")
    kept = await room.say(name, f"if 1 {example}")
    assert f"Kept, for you alone: `if {example}`." in said(kept)


async def test_lines_outlive_a_restart(room: ChatRoom) -> None:
    await begun(room)
    await room.say("anna", "if c1c3 then e5e4", "1")
    room.restart()
    await room.say("ben", "c1c3", "1")
    assert await turns(room) == ["c7c5", "c1c3", "e5e4"]


async def test_a_line_that_was_left_is_void(room: ChatRoom) -> None:
    await begun(room)
    await room.say("anna", "if c1c3 then e5e4", "1")
    await room.say("ben", "e1e3", "1")
    assert "no lines" in words(await room.say("anna", "if", "1"))


async def test_a_line_waits_in_one_position_alone(room: ChatRoom) -> None:
    await begun(room, takeback="free")
    await room.say("anna", "if c1c3 then e5e4", "1")
    await room.say("anna", "takeback", "1")
    await room.say("anna", "e5e4", "1")
    await room.say("ben", "c1c3", "1")
    assert await turns(room) == ["e5e4", "c1c3"]


async def test_two_players_lines_answer_each_other_until_one_is_left(room: ChatRoom) -> None:
    await begun(room, umpire="friendly")
    await room.say("anna", "if c1c3 then e5e4 then e1e3 then c5c3", "1")
    await room.say("ben", "c1c3", "1")
    await room.say("ben", "takeback", "1")
    await room.say("anna", "accept", "1")
    await room.say("anna", "if c1c3 then e5e4 then e1e3 then c5c3", "1")
    assert len(await turns(room)) == 1
    match = await room.service.repository.match("1")
    assert match is not None
    await room.say("ben", "c1c3", "1")
    assert await turns(room) == ["c7c5", "c1c3", "e5e4"]
    await room.say("ben", "e1e3", "1")
    assert await turns(room) == ["c7c5", "c1c3", "e5e4", "e1e3", "c5c3"]


async def test_each_turn_of_a_line_has_its_increment(room: ChatRoom) -> None:
    await begun(room, time="5d+1d")
    await room.say("anna", "if c1c3 then e5e4", "1")
    before = await room.service.repository.match("1")
    await room.wait(DAY)
    await room.say("ben", "c1c3", "1")
    after = await room.service.repository.match("1")
    assert before is not None
    assert after is not None
    assert after.time_left["W"] == before.time_left["W"] + DAY
    assert after.turn_started_at == room.now


async def test_the_list_of_matches_has_a_button_for_the_next_turn(room: ChatRoom) -> None:
    await begun(room)
    (listed,) = await room.say("anna", "matches")
    (waits,) = await room.say("ben", "matches")
    assert [str(choice.label) for choice in (*listed.choices, *waits.choices)] == ["Make the next turn"]


async def test_among_three_a_line_waits_for_the_one_between(room: ChatRoom) -> None:
    await room.say("anna", "challenge @ben @carla chirality players=3")
    await room.say("ben", "accept 1")
    await room.say("carla", "accept 1")
    match = await room.service.repository.match("1")
    assert match is not None
    game, position = match.game, match.position
    players, made = [], []
    for _ in range(3):
        players.append(match.seats[game.to_act(position)].partition(":")[2])
        turn = next(iter(game.turns(position)))
        made.append(game.write(turn, position))
        position = game.play(position, turn)
    first, second, third = players
    await room.say(third, f"if {' then '.join(made)}", "1")
    await room.say(first, made[0], "1")
    assert await turns(room) == made[:1]
    assert "has answered" in words(await room.say(second, made[1], "1"))
    assert await turns(room) == made


async def test_everybody_s_line_answers_an_offer(room: ChatRoom) -> None:
    await room.say("anna", "challenge @ben @carla chirality players=3")
    await room.say("ben", "accept 1")
    await room.say("carla", "accept 1")
    await room.say("ben", "if draw then accept", "1")
    await room.say("carla", "if draw then accept", "1")
    told = words(await room.say("anna", "draw", "1"))
    assert told.count("has answered") == 2
    match = await room.service.repository.match("1")
    assert match is not None
    assert match.status == "over"


async def test_an_offer_that_one_line_declines_has_fallen(room: ChatRoom) -> None:
    await room.say("anna", "challenge @ben @carla chirality players=3")
    await room.say("ben", "accept 1")
    await room.say("carla", "accept 1")
    await room.say("ben", "if draw then decline", "1")
    await room.say("carla", "if draw then accept", "1")
    assert "'decline'" in words(await room.say("anna", "draw", "1"))
    match = await room.service.repository.match("1")
    assert match is not None
    assert match.status == "running"
    assert not match.offers


@pytest.mark.parametrize(
    ("offers", "prepared"),
    [
        ("draw?", ()),
        ("draw?", ("if draw then decline",)),
        ("pause 1d? draw?", ("if draw then decline",)),
        ("draw? pause 1d?", ("if draw then decline", "if pause then accept")),
        ("pause 1d? draw?", ("if pause then accept",)),
        ("moretime 1d?", ("if time then accept",)),
    ],
)
async def test_a_turn_that_offers_ride_on_is_answered_all_the_same(
    room: ChatRoom, offers: str, prepared: tuple[str, ...]
) -> None:
    await begun(room)
    for line in ("if c1c3 then e5e4", *prepared):
        assert "Kept" in words(await room.say("anna", line, "1"))
    told = words(await room.say("ben", f"c1c3 {offers}", "1"))
    assert await turns(room) == ["c7c5", "c1c3", "e5e4"]
    assert told.count("has answered") == 1 + len(prepared)


async def test_a_draw_that_rides_on_a_turn_and_is_accepted_comes_before_the_turn_is_answered(room: ChatRoom) -> None:
    await begun(room)
    for line in ("if c1c3 then e5e4", "if draw then accept"):
        await room.say("anna", line, "1")
    await room.say("ben", "c1c3 draw?", "1")
    assert await turns(room) == ["c7c5", "c1c3"]
    match = await room.service.repository.match("1")
    assert match is not None
    assert match.status == "over"


async def test_a_takeback_that_rides_on_a_turn_and_is_accepted_leaves_no_turn_to_answer(room: ChatRoom) -> None:
    await begun(room, takeback="consent")
    for line in ("if c1c3 then e5e4", "if takeback then accept"):
        await room.say("anna", line, "1")
    await room.say("ben", "c1c3 takeback?", "1")
    assert await turns(room) == ["c7c5"]


async def test_nobody_else_is_shown_a_line_before_it_is_made(room: ChatRoom) -> None:
    await begun(room)
    posts = await room.say("anna", "if c1c3 then e5e4", "1")
    assert [post.only.name if post.only else "" for post in posts] == ["anna"]
    assert "e5e4" not in words(await room.say("ben", "export 1", "1"))
    assert "no lines" in words(await room.say("ben", "if", "1"))


# --- daily lists ---------------------------------------------------------------------------------------------
def digests(room: ChatRoom) -> Digests:
    return Digests(room.service.repository, room.service.transactions, lambda: room.now)


async def test_a_daily_list_comes_once_a_day_at_its_hour_and_only_if_something_waits(room: ChatRoom) -> None:
    await begun(room)
    await room.say("ben", "zone Europe/Berlin")
    await room.say("ben", "digest 12")
    await digests(room).tell()
    assert await room.deliver() == []
    room.now = START + 4 * HOUR  # noon in Berlin
    await digests(room).tell()
    await digests(room).tell()
    posts = await room.deliver()
    assert [post.only.name if post.only else "" for post in posts] == ["ben"]
    assert posts[0].picture is not None
    assert "waits for you" in words(posts)
    room.now += DAY
    await digests(room).tell()
    assert len(await room.deliver()) == 1
    await room.say("ben", "mute 1")
    room.now += DAY
    await digests(room).tell()
    assert await room.deliver() == []
    await room.say("ben", "digest off")
    await room.say("ben", "unmute 1")
    room.now += DAY
    await digests(room).tell()
    assert await room.deliver() == []


# --- quiet hours ----------------------------------------------------------------------------------------------
async def test_hours_that_become_quiet_later_are_kept_and_each_reminder_comes_once(room: ChatRoom) -> None:
    await begun(room, time="2d")  # Ben is to act from eight in the morning: half of it is gone at eight
    await room.say("ben", "quiet 6-20")
    told = await room.wait(DAY + 11 * HOUR)
    assert told == []
    told = await room.wait(2 * HOUR)
    assert len(told) == 1
    assert len(await room.wait(10 * HOUR)) == 2  # after four fifths and 95 %, both at night


async def test_a_reminder_comes_in_quiet_hours_once_less_than_four_hours_are_left(room: ChatRoom) -> None:
    await begun(room, time="1d")
    await room.say("ben", "quiet 9-8")
    match = await room.service.repository.match("1")
    assert match is not None
    told = await room.wait(20 * HOUR - 10 * 60_000)
    assert told == []
    assert len(await room.wait(30 * 60_000)) == 1
