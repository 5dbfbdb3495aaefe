"""What the hosts of a place settle holds there and nowhere else; the conversations show it where they can."""

from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from bot.messages.model import OutgoingMessage, Person, Place
from storage.store import Change
from tests.chat_room import ChatRoom, open_room

pytestmark = pytest.mark.usefixtures("each_database")


@pytest.fixture
async def room(tmp_path: Path) -> AsyncIterator[ChatRoom]:
    room = await open_room(tmp_path)
    yield room
    await room.store.close()


async def on_matrix(room: ChatRoom, text: str, *, host: bool = True) -> OutgoingMessage:
    """The one answer to something said in a Matrix room."""
    (post,) = await room.say("Ruth", text, channel="!r", platform="matrix", host=host)
    return post


def words(post: OutgoingMessage) -> str:
    return "".join(span if isinstance(span, str) else getattr(span, "text", "") for span in post.text)


async def test_the_prefix_of_a_matrix_room_is_kept_with_the_room(room: ChatRoom) -> None:
    assert words(await on_matrix(room, "settings prefix !r")) == "Commands begin with !r here: !r help."
    assert await room.store.setting("matrix/!r/", "prefix") == "!r"
    assert "prefix !r" in words(await on_matrix(room, "settings"))
    await on_matrix(room, "settings prefix usual")
    assert await room.store.setting("matrix/!r/", "prefix") == ""


@pytest.mark.parametrize("prefix", ["/r", "play", "! r", "!`r", "!" * 30])
async def test_a_prefix_is_a_sign_and_a_short_word(room: ChatRoom, prefix: str) -> None:
    assert "one short word" in words(await on_matrix(room, f"settings prefix {prefix}"))
    assert await room.store.setting("matrix/!r/", "prefix") == ""


async def test_on_each_platform_people_learn_who_may_settle_things(room: ChatRoom) -> None:
    assert "power level 50" in words(await on_matrix(room, "settings prefix !r", host=False))
    (post,) = await room.say("Dora", "theme dark here", channel="7", platform="discord")
    assert "manage this server" in words(post)
    assert post.only == Person("discord", "dora", "Dora")


async def test_a_room_by_itself_has_no_channels_to_choose_among(room: ChatRoom) -> None:
    assert "room by itself" in words(await on_matrix(room, "settings channels here"))


async def test_what_one_place_settles_does_not_hold_in_another(room: ChatRoom) -> None:
    await on_matrix(room, "settings terms time=5d")
    told = await room.say("Anna", "challenge tokonoma")
    assert "3 days a turn" in words(told[0])
    (post,) = await room.say("Ruth", "challenge tokonoma", channel="!r", platform="matrix")
    assert "5 days a turn" in words(post)


async def test_who_accepts_from_elsewhere_does_so_where_matches_belong(room: ChatRoom) -> None:
    await room.say("Anna", "settings channels here", host=True)
    await room.say("Ruth", "challenge tokonoma", channel="!r", platform="matrix")
    (post,) = await room.say("Anna", "accept 1", channel="attic")
    assert Place("web", "lounge") in post.text
    told = await room.say("Anna", "accept 1")
    assert {post.where.channel for post in told} == {"lounge", "!r"}


# --- languages ------------------------------------------------------------------------------------------------
async def test_a_language_is_chosen_by_its_code_or_by_its_own_name(room: ChatRoom) -> None:
    for language in ("en", "English", "english"):
        assert words(await on_matrix(room, f"settings language {language}")) == "Riposte speaks English here."
        assert await room.store.setting("matrix/!r/", "language") == "en"


async def test_the_usual_language_comes_back_by_that_name(room: ChatRoom) -> None:
    await on_matrix(room, "settings language ja")
    assert await room.store.setting("matrix/!r/", "language") == "ja"
    await on_matrix(room, "settings language usual")
    assert await room.store.setting("matrix/!r/", "language") == ""


async def test_a_language_that_there_is_not_is_told_with_those_that_there_are(room: ChatRoom) -> None:
    told = words(await on_matrix(room, "settings language klingon"))
    speaks = "Riposte speaks English (en), Deutsch (de), Español (es) and 日本語 (ja)."
    assert told == f"Riposte does not speak klingon. {speaks} For example: settings language en."
    assert await room.store.setting("matrix/!r/", "language") == ""


async def test_the_language_that_the_first_version_stored_is_english(room: ChatRoom) -> None:
    await room.store.commit(Change(settings=(("matrix/!r/", "language", "english"),)))
    assert "language English" in words(await on_matrix(room, "settings language"))


async def test_a_person_s_own_language_comes_before_the_room_s(room: ChatRoom) -> None:
    assert "answers you in English" in words(await on_matrix(room, "language"))
    assert words(await on_matrix(room, "language en")) == "Riposte answers you in English from now on."
    assert await room.store.setting("matrix:ruth", "language") == "en"
    assert "answers you in English" in words(await on_matrix(room, "language"))
    assert "does not speak klingon" in words(await on_matrix(room, "language klingon"))
    await on_matrix(room, "language usual")
    assert await room.store.setting("matrix:ruth", "language") == ""
