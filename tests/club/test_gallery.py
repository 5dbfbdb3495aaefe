"""Those who look on talk in a place of their own, which the players do not see before the end.

`looking_on.txt` is a chat of a Discord channel, typed and answered; RIPOSTE_WRITE=1 writes the answers anew.
"""

import os
import re
from collections.abc import AsyncIterator, Sequence
from pathlib import Path

import pytest

from bot.messages.model import OutgoingMessage, Place
from tests.chat_room import ChatRoom, open_room, transcribe

CHAT = Path(__file__).with_name("looking_on.txt")


@pytest.fixture
async def room(tmp_path: Path) -> AsyncIterator[ChatRoom]:
    opened = await open_room(tmp_path)
    yield opened
    await opened.store.close()


async def say(room: ChatRoom, name: str, text: str) -> list[OutgoingMessage]:
    return await room.say(name, text, channel="7", platform="discord")


async def begun(room: ChatRoom, terms: str = "umpire=turn") -> str:
    await say(room, "Anna", f"challenge @ben tokonoma side=white {terms}")
    number = (await room.store.matches(limit=1))[0].match
    await say(room, "Ben", f"accept {number}")
    return number


def told(posts: Sequence[OutgoingMessage], match: str) -> list[OutgoingMessage]:
    return [post for post in posts if post.where == Place("discord", "7", f"k{match}")]


def words(room: ChatRoom, post: OutgoingMessage) -> str:
    return "\n".join(transcribe(post, room.now))


def admitted(post: OutgoingMessage) -> list[str]:
    return sorted(person.id for person in post.admits)


def shown(room: ChatRoom, post: OutgoingMessage) -> list[str]:
    """A post as a person reads it: where it stands, who is let in there, what it says."""
    where = "Riposte, where those talk who look on" if post.where.gallery else "Riposte"
    let_in = f" (lets in {', '.join(admitted(post))})" if post.admits else ""
    first, *others = words(room, post).split("\n")
    said = first.partition(": ")[2]
    others = [re.sub(r"^  Riposte in match \d+ in 7:", "  Riposte:", one) for one in others]
    return [f"  {where}{f' to {post.only.name}' if post.only else ''}{let_in}: {said}", *others]


async def test_a_chat_of_a_club_whose_members_look_on(room: ChatRoom) -> None:
    told: list[str] = []
    for line in CHAT.read_text("utf-8").splitlines():
        if typed := re.fullmatch(r"(\w+): (.+)", line):
            told += [line, *(one for post in await say(room, typed[1], typed[2]) for one in shown(room, post))]
        elif line.startswith("#"):
            told.append(line)
    if os.environ.get("RIPOSTE_WRITE"):
        CHAT.write_text("\n".join([*told, ""]), "utf-8")
    assert CHAT.read_text("utf-8").splitlines() == told


async def test_who_talks_and_who_follows_is_let_in_and_no_player_before_the_end(room: ChatRoom) -> None:
    match = await begun(room)
    await say(room, "Dora", f"follow {match}")
    (post,) = told(await say(room, "Cleo", f"kibitz {match} white should look to the left"), match)
    assert "talk here; its players read it when it is over" in words(room, post)
    assert "After 0 turns, @Cleo: white should look to the left" in words(room, post)
    assert admitted(post) == ["cleo", "dora"]
    (post,) = told(await say(room, "Emil", f"follow {match}"), match)
    assert "@Emil looks on, too." in words(room, post)
    assert admitted(post) == ["cleo", "dora", "emil"]
    for name in ("Anna", "Ben"):
        posts = await say(room, name, f"kibitz {match} what do they say?")
        assert not told(posts, match)
    posts = await say(room, "Ben", f"resign {match} yes")
    (post,) = told(posts, match)
    assert "from now on its players read along here" in words(room, post)
    assert admitted(post) == ["anna", "ben", "cleo", "dora", "emil"]


async def test_until_the_end_no_post_that_a_player_sees_tells_of_it(room: ChatRoom) -> None:
    match = await begun(room)
    await say(room, "Anna", "apikey new")  # news for programs, too
    before = len(room.posts)
    await say(room, "Cleo", f"kibitz {match} a swamp")
    await say(room, "Anna", f"move {match} c7c5")
    await say(room, "Dora", f"kibitz {match} another swamp")
    seen = [post for post in room.posts[before:] if post.where.thread != f"k{match}"]
    assert not any("swamp" in words(room, post) for post in seen)
    assert not any(post.admits for post in seen)


async def test_nobody_who_plays_by_any_account_is_let_in(room: ChatRoom) -> None:
    match = await begun(room)
    await say(room, "Cleo", f"kibitz {match} a swamp")
    code = re.search(r"account ([A-Z2-9]{10})", words(room, (await say(room, "Ben", "account"))[0]))
    assert code is not None
    await say(room, "Cleo", f"account {code[1]} yes")  # one of those who talk turns out to be a player
    (post,) = told(await say(room, "Emil", f"kibitz {match} a lake"), match)
    assert admitted(post) == ["emil"]


async def test_no_seat_goes_to_whoever_reads_what_its_player_may_not(room: ChatRoom) -> None:
    match = await begun(room)
    await room.say("Hana", "role @gwen arbiter", channel="7", platform="discord", host=True)
    await say(room, "Cleo", f"kibitz {match} a swamp")
    await say(room, "Dora", f"follow {match}")
    await say(room, "Emil", "help")
    for name in ("cleo", "dora"):
        (post,) = await say(room, "Gwen", f"arbiter {match} seat white @{name} anna is ill")
        assert "They are among those who look on, and read what is said there." in words(room, post)
    posts = await say(room, "Gwen", f"arbiter {match} seat white @emil anna is ill")
    assert any("plays on for" in words(room, post) for post in posts)


async def test_a_private_match_has_no_such_place(room: ChatRoom) -> None:
    match = await begun(room, "private=on")
    posts = await say(room, "Cleo", f"kibitz {match} a swamp")
    assert not told(posts, match)


async def test_nothing_more_is_told_there_once_the_players_have_come_in(room: ChatRoom) -> None:
    match = await begun(room)
    await room.say("Hana", "role @emil arbiter", channel="7", platform="discord", host=True)
    await say(room, "Cleo", f"kibitz {match} a swamp")
    assert told(await say(room, "Ben", f"resign {match} yes"), match)
    await say(room, "Emil", f"arbiter {match} lift by mistake")
    posts = await say(room, "Cleo", f"kibitz {match} a lake")
    assert not told(posts, match)
    again = await say(room, "Ben", f"resign {match} yes")
    assert not told(again, match)


async def test_where_no_platform_has_such_places_remarks_are_kept_as_ever(room: ChatRoom) -> None:
    await room.say("anna", "challenge @ben tokonoma side=white")
    await room.say("ben", "accept 1")
    posts = await room.say("cleo", "kibitz 1 a swamp")
    assert [post.only.id for post in posts if post.only] == ["cleo"]
    assert "a swamp" in "\n".join(words(room, post) for post in await room.say("ben", "resign 1 yes"))


async def test_who_is_erased_is_let_in_no_more(room: ChatRoom) -> None:
    match = await begun(room)
    await say(room, "Cleo", f"kibitz {match} a swamp")
    await say(room, "Cleo", "privacy erase yes")
    (post,) = told(await say(room, "Dora", f"kibitz {match} a lake"), match)
    assert admitted(post) == ["dora"]
