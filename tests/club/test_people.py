"""What is known of people at the board: profiles, plots, wishes, who looks on, and offers that ride on turns."""

from collections.abc import AsyncIterator, Sequence
from functools import partial
from pathlib import Path

import pytest

from bot.commands.play import riders
from bot.messages.model import OutgoingMessage
from bot.painting import Painting
from bot.ratings.results import read_result
from bot.service.cause import Cause
from bot.service.dispatch import apply
from engine.match.commands import LoseContact
from storage import open_store
from tests.chat_room import DAY, START, ChatRoom, transcribe
from tests.test_lines import digests


@pytest.fixture
async def room(tmp_path: Path) -> AsyncIterator[ChatRoom]:
    room = ChatRoom(await open_store(tmp_path / "riposte.db"))
    yield room
    await room.store.close()


def said(told: Sequence[OutgoingMessage]) -> str:
    return "\n".join(line for one in told for line in transcribe(one, START))


async def match(room: ChatRoom, terms: str = "umpire=friendly", white: str = "anna", black: str = "ben") -> str:
    await room.say(white, f"challenge @{black} tokonoma side=white {terms}")
    number = (await room.store.matches(limit=1))[0].match
    await room.say(black, f"accept {number}")
    return number


async def played(room: ChatRoom, terms: str = "", loser: str = "ben") -> str:
    number = await match(room, terms)
    for name, turn in (("anna", "c7c5"), ("ben", "e1e3")):
        await room.say(name, f"move {number} {turn}")
    await room.say(loser, f"resign {number} yes")
    return number


# --- profiles ---------------------------------------------------------------------------------------------
async def test_a_profile_counts_calls_upheld_wrong_and_missed_of_matches_that_are_over(room: ChatRoom) -> None:
    number = await match(room)
    await room.say("anna", f"move {number} a5a1")  # no piece reaches that far
    await room.say("ben", f"call {number} yes")
    await room.say("anna", f"move {number} c7c5")
    await room.say("ben", f"call {number} yes")  # in vain
    await room.say("ben", f"move {number} e1a1")  # that one nobody sees
    await room.say("anna", f"move {number} c5c3")
    assert "call" not in said(await room.say("ben", "profile")), "nothing of a match that runs"
    await room.say("anna", f"resign {number} yes")
    result = read_result(await room.store.setting(f"match:{number}", "result tokonoma"))
    assert (result.calls["web:ben"].upheld, result.calls["web:ben"].wrong, result.calls["web:ben"].missed) == (1, 1, 0)
    assert (result.calls["web:anna"].upheld, result.calls["web:anna"].missed) == (0, 1)
    assert "2 calls: 1 upheld, 1 wrong. Of 1 untenable turns of others they have seen 100 %." in said(
        await room.say("carol", "profile @ben")
    )
    assert "have seen 0 %" in said(await room.say("carol", "profile @anna"))


async def test_where_untenable_turns_are_refused_no_eye_is_measured(room: ChatRoom) -> None:
    number = await played(room)
    assert read_result(await room.store.setting(f"match:{number}", "result tokonoma")).calls == {}
    assert "untenable" not in said(await room.say("anna", "profile"))


async def test_who_does_not_wish_it_has_no_profile(room: ChatRoom) -> None:
    await played(room)
    await room.say("anna", "rating off")
    assert "by their own wish" in said(await room.say("ben", "profile @anna"))
    assert "won 1" in said(await room.say("anna", "profile"))


async def test_a_match_that_its_players_want_unrated_is_none_of_their_ratings(room: ChatRoom) -> None:
    number = await played(room, "rated=no")
    assert not read_result(await room.store.setting(f"match:{number}", "result tokonoma")).rated


async def test_whose_time_ran_out_again_and_again_is_told_to_whom_they_challenge(room: ChatRoom) -> None:
    for _ in range(2):
        assert "run out" not in said(await room.say("anna", "challenge @carol tokonoma"))
        await room.say("anna", "decline")
        await match(room, "time=1d")
        await room.wait(2 * DAY)
    assert "@anna has let their time run out in 2 matches." in said(await room.say("anna", "challenge @carol tokonoma"))
    assert "run out" not in said(await room.say("ben", "challenge @carol tokonoma"))
    assert "Time run out in 2 matches." in said(await room.say("ben", "profile @anna"))


async def test_whom_no_message_reached_has_not_let_their_time_run_out(room: ChatRoom) -> None:
    for _ in range(2):
        number = await match(room, "time=1d")
        lost = LoseContact("web:anna", room.now)
        await room.service.transactions.run(
            Cause(f"lost {number}", room.now, match=number),
            partial(apply, room.service.repository, number, lost, room.now),
        )
        await room.wait(38 * DAY)
        assert (await room.store.matches(limit=1))[0].status == "over"
    assert "run out" not in said(await room.say("anna", "challenge @carol tokonoma"))


async def test_the_course_of_a_rating_is_drawn(room: ChatRoom) -> None:
    for loser in ("ben", "anna", "ben"):
        await played(room, loser=loser)
    (told,) = await room.say("ben", "rating @anna tokonoma")
    assert told.picture is not None
    assert told.picture.chart is not None
    assert len(told.picture.chart.series[0].points) == 3
    painting = Painting()
    assert (await painting.paint(told.picture)).startswith(b"\x89PNG")
    assert "From 1662" in told.picture.alt


# --- wishes -----------------------------------------------------------------------------------------------
async def test_two_who_wish_for_the_same_play_at_once_and_no_more_than_they_wished(room: ChatRoom) -> None:
    await room.say("anna", "wish 1 tokonoma time=2d")
    assert await room.store.matches(status="running") == []
    await room.say("ben", "wish 2 tokonoma time=3d")
    assert await room.store.matches(status="running") == []
    assert "has wished for such a match" in said(await room.say("carol", "wish 2 tokonoma time=2d"))
    assert len(await room.store.matches(status="running")) == 1
    await room.say("dora", "challenge tokonoma time=2d")
    assert len(await room.store.matches(status="running", player="web:anna")) == 1, "anna wished for one"
    assert len(await room.store.matches(status="running", player="web:carol")) == 2


async def test_nobody_s_wish_is_fulfilled_by_themselves_or_by_whom_they_block(room: ChatRoom) -> None:
    await room.say("anna", "wish 2 tokonoma time=2d")
    await room.say("anna", "challenge tokonoma time=2d")
    await room.say("ben", "profile")
    await room.say("anna", "block @ben")
    await room.say("ben", "challenge tokonoma time=2d")
    assert await room.store.matches(status="running") == []


async def test_a_wish_is_taken_back(room: ChatRoom) -> None:
    await room.say("anna", "wish 2 tokonoma")
    await room.say("anna", "wish off tokonoma")
    await room.say("ben", "challenge tokonoma")
    assert await room.store.matches(status="running") == []


# --- those who look on ------------------------------------------------------------------------------------
async def test_what_those_say_who_look_on_reaches_no_player_before_the_end(room: ChatRoom) -> None:
    number = await match(room)
    told = await room.say("carol", f"kibitz {number} the left side is weak")
    assert all(one.only is not None and one.only.name == "carol" for one in told)
    assert "left side" in said(await room.say("dora", f"kibitz {number}"))
    for name in ("anna", "ben"):
        assert "left side" not in said(await room.say(name, f"kibitz {number}"))
    room.restart()
    assert "left side" in said(await room.say("anna", f"resign {number} yes"))
    assert "left side" in said(await room.say("ben", f"kibitz {number}"))


# --- offers on turns --------------------------------------------------------------------------------------
@pytest.mark.parametrize(
    ("text", "turn", "offers"),
    [
        ("c7c5", "c7c5", []),
        ("c7c5 draw?", "c7c5", [("draw", "")]),
        ("c7c5 moretime 2d? draw ?", "c7c5", [("time", "2d"), ("draw", "")]),
        ("c7c5 propose time=5d?", "c7c5", [("terms", "time=5d")]),
        ("draw?", "draw?", []),
        ("c7c5 really?", "c7c5 really?", []),
    ],
)
def test_offers_behind_a_turn_are_told_from_it(text: str, turn: str, offers: list[tuple[str, str]]) -> None:
    assert riders(text) == (turn, offers)


async def test_without_its_turn_no_offer_is_made(room: ChatRoom) -> None:
    number = await match(room, "umpire=refuse")
    told = said(await room.say("anna", f"move {number} a5a1 draw?"))
    assert "offers" not in told
    game = await room.service.repository.match(number)
    assert game is not None
    assert game.offers == ()


# --- several boards on one sheet --------------------------------------------------------------------------
async def test_a_daily_list_shows_all_boards_that_wait(room: ChatRoom) -> None:
    for _ in range(2):
        await match(room)
    await room.say("anna", "digest 0")
    await digests(room).tell()
    (told,) = await room.deliver()
    assert told.picture is not None
    assert len(told.picture.sheet) == 2
    drawn = await Painting().paint(told.picture)
    assert drawn.startswith(b"\x89PNG")


async def test_a_daily_list_says_exactly_what_is_needed(room: ChatRoom) -> None:
    await room.say("anna", "challenge @ben veney side=white first=white umpire=turn")
    await room.say("ben", "accept 1")
    await room.say("anna", "move 1 pass")
    await room.say("ben", "digest 0")
    await digests(room).tell()
    assert "The last turn was a pass: a move accepts it, another pass, `--`, refuses it." in said(await room.deliver())
