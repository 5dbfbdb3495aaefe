"""Talk is talk: nobody is scolded for a word to the others, and what one asks is one's own."""

from collections.abc import AsyncIterator
from dataclasses import replace
from pathlib import Path

import pytest

from bot.commands.parser import is_greeting, is_notation, slips
from bot.messages.model import Person, Place
from bot.service.dispatch import private
from bot.service.plain_text import may_be_turn
from engine.games import GAMES
from tests.chat_room import ChatRoom, open_room, transcribe
from tests.parts_of_games import start

TALK = (
    "gg", "GG!", "thanks!", "thank you", "lol", "ok", "OK", "yes", "no", "👍", "hm", "nice one", "your turn :)", "brb",
    "see you at 8", "2-0!", "100%", "back at 8pm or so", "bored now", "moved house yesterday", "calling it a night",
    "called it", "look at that!", "c'est la vie", "...", "wow!!", "k", "haha", "sorry, busy till friday",
    "good luck", "glhf", "etc", "etc.", "ETC", "ta", "eta", "BTS", "ts",
)  # fmt: skip

NEARLY = ("@ben hi", "50:50", "10:30?", "mp3", "5pm", "2nd", "24h")
"""Talk with the signs of notation in it, but no place of any board."""


@pytest.fixture
async def room(tmp_path: Path) -> AsyncIterator[ChatRoom]:
    room = await open_room(tmp_path)
    yield room
    await room.store.close()


async def begun(room: ChatRoom, game: str, *, umpire: str = "refuse") -> None:
    await room.say("anna", f"challenge @ben {game} umpire={umpire}")
    await room.say("ben", "accept")


async def told(room: ChatRoom, name: str, text: str, thread: str = "1") -> list[str]:
    return [line.strip() for post in await room.say(name, text, thread) for line in transcribe(post, room.now)]


@pytest.mark.parametrize(
    "text", ["hello", "Hi, Riposte!", "hi_there", "How do I play?", "What do I do now?", f"hello {'-' * 34}x"]
)
def test_whoever_greets_riposte_or_asks_how_to_begin_is_known_by_it_within_forty_signs(text: str) -> None:
    assert is_greeting(text)


@pytest.mark.parametrize("text", ["", "riposte hello", "hello ben", "hithere", f"hello {'-' * 33}x"])
def test_other_words_are_no_greeting(text: str) -> None:
    assert not is_greeting(text)


# --- talk ---------------------------------------------------------------------------------------------------
@pytest.mark.parametrize("game", sorted(GAMES))
async def test_talk_of_those_who_sit_and_those_who_watch_is_not_answered(room: ChatRoom, game: str) -> None:
    await begun(room, game, umpire="turn")
    places = {place for one in GAMES.values() for place in one.board(start(one)).outlines}
    for text in (*TALK, *(nearly for nearly in NEARLY if not any(place in nearly for place in places))):
        for name in ("anna", "ben", "carol"):
            room.now += 10_000
            for thread in ("1", ""):
                if thread or text not in ("ok", "OK", "yes", "no", "look at that!"):
                    assert await room.say(name, text, thread) == [], (name, text, thread)


async def test_a_place_beside_the_board_is_answered_in_private_to_whoever_is_to_move(room: ChatRoom) -> None:
    await begun(room, "tokonoma")
    for text in ("f5", "f5f7", "z9"):
        (post,) = await room.say("anna", text, "1")
        assert post.only is not None, text
        assert post.only.id == "anna"
    match = await room.service.repository.match("1")
    assert match is not None
    assert may_be_turn(match, "f5")
    for text in ("mp3", "zz99", "50:50"):  # who hears no answer is heard by the others
        assert await room.say("anna", text, "1") == []
        assert not may_be_turn(match, text)


async def test_what_is_said_to_riposte_is_answered(room: ChatRoom) -> None:
    await begun(room, "tokonoma")
    for text in ("gg", "xyzzy"):
        await room.service.receive(replace(room.message("anna", text, "1"), addressed=True))
        assert await room.deliver() != []
    assert await told(room, "anna", "!xyzzy", "") != []


@pytest.mark.parametrize("text", ["resing", "acept", "secrets", "Claims", "chalenge"])
async def test_what_resembles_a_command_is_talk_in_a_thread_unless_riposte_is_addressed(
    room: ChatRoom, text: str
) -> None:
    await begun(room, "tokonoma")
    for name in ("anna", "ben", "carol"):
        assert await room.say(name, text, "1") == [], name
    await room.service.receive(replace(room.message("anna", text, "1"), addressed=True))
    assert "Did you mean" in transcribe((await room.deliver())[0], room.now)[-1]
    assert "Did you mean" in (await told(room, "anna", f"!{text}"))[-1]


async def test_a_mistyped_command_with_a_turn_behind_it_is_meant_for_riposte(room: ChatRoom) -> None:
    await room.say("anna", "challenge @ben tokonoma side=white")
    await room.say("ben", "accept")
    assert "Did you mean `move`?" in (await told(room, "anna", "remove d5"))[-1]


async def test_an_attempt_at_notation_by_whoever_is_to_act_is_answered_in_private(room: ChatRoom) -> None:
    await room.say("anna", "challenge @ben tokonoma side=white")
    await room.say("ben", "accept")
    assert (await told(room, "anna", "c7z9"))[0].startswith("Riposte in match 1 to anna: ")
    assert await told(room, "ben", "c7z9") == [
        "Riposte in match 1 to ben: It is White's turn. You will be told when it is yours."
    ]
    assert await told(room, "carol", "c7z9") == []


@pytest.mark.parametrize("slip", ["cc7c5", "c7c55", "7cc5"])
async def test_one_reading_as_a_slip_is_asked_back_in_private(room: ChatRoom, slip: str) -> None:
    await room.say("anna", "challenge @ben tokonoma side=white umpire=turn")
    await room.say("ben", "accept")
    (post,) = await room.say("anna", slip, "1")
    assert post.only is not None
    assert post.only.name == "anna"
    assert transcribe(post, room.now)[-1].endswith("Did you mean `c7c5`?")


@pytest.mark.parametrize("slip", ["c7 c5,", "c7-c5"])
async def test_what_differs_by_its_signs_alone_is_the_turn(room: ChatRoom, slip: str) -> None:
    await room.say("anna", "challenge @ben tokonoma side=white umpire=turn")
    await room.say("ben", "accept")
    assert "played `c7c5`" in (await told(room, "anna", slip))[0]


@pytest.mark.parametrize("slip", ["ae5d5", "e5bd5", "e5da5"])
async def test_where_a_slip_has_several_readings_none_is_suggested(room: ChatRoom, slip: str) -> None:
    await room.say("anna", "challenge @ben tokonoma side=white umpire=turn")
    await room.say("ben", "accept")
    assert not any("Did you mean" in line for line in await told(room, "anna", slip))


async def test_slips_are_found_by_spelling_and_never_by_tenability(room: ChatRoom) -> None:
    await room.say("anna", "challenge @ben tokonoma side=white umpire=turn")
    await room.say("ben", "accept")
    match = await room.service.repository.match("1")
    assert match is not None
    untenable = "c7a1"
    assert not match.game.tenable(match.position, match.game.read(untenable, match.position))
    assert (await told(room, "anna", "cc7a1"))[-1] == "Did you mean `c7a1`?"


def test_slips_are_few_however_long_the_text() -> None:
    assert len(slips("c7c5" * 6)) < 60
    assert slips("c7c5" * 7) == ()
    assert is_notation("X4 $ Y4 S")
    assert not any(is_notation(text) for text in TALK)


ASKED = (
    "how do i move",
    "How do I play?",
    "so how does this work",
    "what do I write?",
    "what do i do?",
    "what should I do now?",
)


@pytest.mark.parametrize("text", ASKED)
async def test_who_asks_how_gets_a_short_answer(room: ChatRoom, text: str) -> None:
    await begun(room, "tokonoma")
    (answer,) = await told(room, "anna", text)
    assert answer.startswith("Riposte in match 1 to anna: Write your turn here, for example `")
    assert answer.endswith("The rules in a sentence each: `rules tokonoma`.")


@pytest.mark.parametrize("text", ["how does a Flat move?", "how do the flats move"])
async def test_who_asks_how_a_piece_moves_is_told_its_rules(room: ChatRoom, text: str) -> None:
    await begun(room, "tokonoma")
    (asked,), (named,) = await room.say("anna", text, "1"), await room.say("anna", "rules flat", "1")
    assert (asked.text, asked.picture, asked.only) == (named.text, named.picture, named.only)


async def test_who_asks_how_is_shown_the_page_of_the_game_s_rules_where_there_is_one(room: ChatRoom) -> None:
    room.service.repository.public = "https://play.example.org"
    await begun(room, "tokonoma")
    (post,) = await room.say("anna", "how do i move", "1")
    assert "https://play.example.org/rules/tokonoma" in " ".join(transcribe(post, room.now))
    assert post.only is not None


# --- what one asks is one's own -----------------------------------------------------------------------------
ANNA, THREAD, LOUNGE = Person("web", "anna", "anna"), Place("web", "lounge", "1"), Place("web", "lounge")


@pytest.mark.parametrize(
    ("text", "alone"),
    [
        ("look c5", True),
        ("rules tokonoma attack", True),
        ("board legal", True),
        ("board", True),
        ("c7c5", True),
        ("c7z9", True),
        ("move c7a1", True),
        ("1: c7a1", True),
        ("secret abc", True),
        ("gg", False),
        ("see you at 8", False),
        ("draw", False),
        ("draw?", False),
        ("call", True),
        ("resign", True),
        ("record SX6, eY11;", True),
        ("calls", True),
        ("review", True),
        ("hint", True),
        ("spot call", True),
    ],
)
async def test_what_may_show_a_suspicion_is_not_shown_to_others(room: ChatRoom, text: str, *, alone: bool) -> None:
    await begun(room, "tokonoma")
    assert await private(room.service.repository, ANNA, THREAD, text) is alone
    assert await private(room.service.repository, ANNA, LOUNGE, "challenge @ben tokonoma") is False


async def test_what_is_asked_is_answered_to_whoever_asked_alone(room: ChatRoom) -> None:
    await room.say("anna", "challenge @ben tokonoma side=white")
    await room.say("ben", "accept")
    for text in ("look c5", "rules", "board legal", "board", "c7a1", "c7z9", "turns", "export", "terms"):
        for post in await room.say("anna", text, "1"):
            assert post.only is not None, text


# --- answers that are owed ----------------------------------------------------------------------------------
async def test_an_answer_that_is_owed_is_taken_without_its_word_and_shown_to_nobody(room: ChatRoom) -> None:
    await room.say("anna", "challenge @ben veney setup=concealed side=white")
    await room.say("ben", "accept")
    match = await room.service.repository.match("1")
    assert match is not None
    ask = next(ask for ask in match.game.asks(match.position) if match.seats[ask.side] == "web:anna")
    assert await private(room.service.repository, ANNA, THREAD, ask.example)
    posts = await room.say("anna", ask.example, "1")
    match = await room.service.repository.match("1")
    assert match is not None
    assert "web:anna" not in [match.seats[side] for side in match.sides_to_act]
    assert not any(ask.example in line for post in posts if post.only is None for line in transcribe(post, room.now))


async def test_where_others_may_have_read_an_answer_that_is_said(room: ChatRoom) -> None:
    for name in ("anna", "ben"):
        text = "challenge @ben veney setup=concealed side=white" if name == "anna" else "accept"
        await room.say(name, text, platform="matrix", channel="club")
    match = await room.service.repository.match("1")
    assert match is not None
    ask = next(ask for ask in match.game.asks(match.position) if match.seats[ask.side] == "matrix:anna")
    posts = await room.say("anna", ask.example, "1", platform="matrix", channel="club")
    whispers = [line for post in posts if post.only for line in transcribe(post, room.now)]
    assert any("If others can read where you wrote it, delete your message" in line for line in whispers)
    assert any("`secret 1 …`" in line for line in whispers)


async def test_a_turn_written_in_the_channel_is_shown_its_way_to_the_match_whoever_is_to_move(room: ChatRoom) -> None:
    await room.say("anna", "challenge @ben tokonoma umpire=turn side=white")
    await room.say("ben", "accept")
    for name, turn in (("anna", "c7c5"), ("ben", "c1c3"), ("ben", "a1a5")):
        assert f"1: {turn}" in " ".join(await told(room, name, turn, "")), name
