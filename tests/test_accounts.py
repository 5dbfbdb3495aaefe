"""A person with accounts on two platforms is one player; codes work once, and not for long."""

import re
from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from bot.messages.model import OutgoingMessage, Person, Place
from tests.chat_room import MINUTE, START, ChatRoom, open_room, transcribe

pytestmark = pytest.mark.usefixtures("each_database")


@pytest.fixture
async def room(tmp_path: Path) -> AsyncIterator[ChatRoom]:
    room = await open_room(tmp_path)
    yield room
    await room.store.close()


def words(posts: list[OutgoingMessage]) -> str:
    return re.sub(r"[*`@]", "", " ".join(line for post in posts for line in transcribe(post, START)))


async def code(room: ChatRoom, name: str) -> str:
    found = re.search(r"account ([A-Z2-9]{10})", words(await room.say(name, "account")))
    assert found
    return found[1]


async def test_a_linked_account_plays_on_where_the_other_began(room: ChatRoom) -> None:
    await room.say("Anna", "challenge @ben tokonoma side=white")
    await room.say("Ben", "accept 1")
    given = await code(room, "Anna")
    asked = await room.say("Annika", f"account {given}", channel="!r", platform="matrix")
    assert "This code belongs to Anna on the web" in words(asked)
    assert asked[0].only == Person("matrix", "annika", "Annika")
    assert "Linked" in words(await room.say("Annika", f"account {given} yes", channel="!r", platform="matrix"))
    told = await room.say("Annika", "link 1", channel="!r", platform="matrix")
    assert {post.where for post in told} == {Place("web", "lounge", "1"), Place("matrix", "!r", "1")}
    played = await room.say("Annika", "c7c5", thread="1", channel="!r", platform="matrix")
    assert "played c7c5" in words(played)
    (there,) = (post for post in played if post.where.platform == "matrix")
    assert Person("matrix", "annika", "Anna") in there.text, "on each platform people are called by their account there"
    assert "1 Tokonoma" in words(await room.say("Annika", "matches", channel="!r", platform="matrix"))
    assert "Turn 2" in words(await room.say("Ben", "e1e3", thread="1")), "the other seat plays on from where it is"


async def test_a_name_that_was_never_seen_before_is_written_as_its_owner_writes_it(room: ChatRoom) -> None:
    assert "Anna challenges" in words(await room.say("Anna", "challenge @ben tokonoma"))


async def test_a_code_works_once_and_for_ten_minutes(room: ChatRoom) -> None:
    given = await code(room, "Anna")
    await room.say("Annika", f"account {given} yes", platform="matrix")
    assert "unknown, used or older" in words(await room.say("Mallory", f"account {given} yes", platform="matrix"))
    given = await code(room, "Ben")
    await room.wait(11 * MINUTE)
    assert "unknown, used or older" in words(await room.say("Bert", f"account {given} yes", platform="matrix"))
    assert "unknown, used or older" in words(await room.say("Bert", "account AAAAAAAAAA yes", platform="matrix"))


async def test_accounts_part_again(room: ChatRoom) -> None:
    await room.say("Annika", f"account {await code(room, 'Anna')} yes", platform="matrix")
    await room.say("Anna", "token moon shell")
    assert "moon shell" in words(await room.say("Annika", "token", platform="matrix"))
    assert "stands alone" in words(await room.say("Annika", "account apart", platform="matrix"))
    assert "no token" in words(await room.say("Annika", "token", platform="matrix"))
    assert "linked to no other" in words(await room.say("Anna", "account apart"))


async def test_two_who_play_against_each_other_do_not_become_one(room: ChatRoom) -> None:
    await room.say("Anna", "challenge @ben tokonoma")
    given = await code(room, "Anna")
    assert "match 1 to play" in words(await room.say("Ben", f"account {given} yes"))
    await room.say("Ben", "decline 1")
    assert "Linked" in words(await room.say("Ben", f"account {given} yes"))


async def test_nobody_challenges_their_own_other_account(room: ChatRoom) -> None:
    await room.say("Annika", f"account {await code(room, 'Anna')} yes", platform="matrix")
    assert (
        "nobody can challenge themselves"
        in words(await room.say("Annika", "challenge @web:anna tokonoma", platform="matrix")).lower()
    )


async def test_whoever_is_invited_from_elsewhere_hears_of_it_in_private_and_plays_from_there(room: ChatRoom) -> None:
    told = await room.say("Anna", "challenge @matrix:@ben:example.org tokonoma side=white")
    assert [(post.where, post.only) for post in told] == [
        (Place("web", "lounge"), None),
        (Place("matrix", "", "1"), Person("matrix", "@ben:example.org", "@ben:example.org")),
    ]
    assert told[1].choices == told[0].choices
    begun = await room.say("@ben:example.org", "accept 1", channel="!dm", platform="matrix")
    assert {post.where for post in begun if post.opening} == {Place("web", "lounge", "1"), Place("matrix", "!dm", "1")}
    assert "Turn 1" in words(await room.say("Anna", "c7c5", thread="1"))
    played = await room.say("@ben:example.org", "e1e3", thread="1", channel="!dm", platform="matrix")
    assert "Turn 2" in words(played)
    assert {post.where.platform for post in played} == {"web", "matrix"}
