"""Everybody is answered in a language of theirs, and what all read is in the room's: chosen, else as apps tell.

The pseudo-language stands for one that Riposte speaks.
"""

from pathlib import Path

import pytest

from bot.messages.model import OutgoingMessage
from storage.store import Change
from tests.adapters.discord_room import discord_room
from tests.adapters.web_room import Tab
from tests.adapters.web_room import open_room as open_web_room
from tests.chat_room import HOUR, ChatRoom, open_room


def languages(posts: list[OutgoingMessage]) -> list[str]:
    return [post.language for post in posts]


async def chose(room: ChatRoom, *settings: tuple[str, str]) -> None:
    """These people (`web:anna`) or rooms have chosen these languages."""
    await room.store.commit(Change("chosen", settings=tuple((owner, "language", code) for owner, code in settings)))
    room.restart()


ROOM = "web//room"


@pytest.mark.parametrize(
    ("chosen", "app", "room", "server", "told"),
    [
        ("", "", "", "", "en"),
        ("", "", "", "xx-YY", "xx"),
        ("", "", "xx", "en-US", "xx"),
        ("", "", "en", "xx", "en"),
        ("", "xx-YY", "", "", "xx"),
        ("", "xx", "en", "en-US", "xx"),
        ("", "en-GB", "xx", "", "en"),
        ("en", "xx", "xx", "xx", "en"),
        ("xx", "en-US", "", "", "xx"),
        ("", "tlh", "xx", "", "xx"),
        ("", "tlh", "tlh", "tlh", "en"),
        ("english", "xx", "", "", "en"),
        ("", "../xx", "", "\0", "en"),
    ],
)
async def test_an_answer_is_in_the_first_language_that_is_known_of_its_reader(
    tmp_path: Path, chosen: str, app: str, room: str, server: str, told: str
) -> None:
    chat = await open_room(tmp_path)
    await chose(chat, ("web:anna", chosen), (ROOM, room))
    chat.locales = {"anna": app, "": server}
    for _ in range(2):
        assert languages(await chat.say("anna", "matches")) == [told]
    await chat.store.close()


async def test_what_all_read_is_in_the_language_of_the_room_whoever_caused_it(tmp_path: Path) -> None:
    chat = await open_room(tmp_path)
    chat.locales = {"anna": "xx", "ben": "en-US"}
    assert languages(await chat.say("anna", "challenge @ben tokonoma side=white")) == ["en"]
    chat.locales[""] = "xx"
    assert "xx" in languages(await chat.say("ben", "accept 1"))
    await chat.say("anna", "settings language en", host=True)
    assert set(languages(await chat.say("anna", "c7c5", "1"))) == {"en"}
    await chat.store.close()


async def test_what_an_app_told_is_known_after_a_restart_and_where_nobody_has_written(tmp_path: Path) -> None:
    chat = await open_room(tmp_path)
    chat.locales = {"anna": "en", "ben": "xx-YY", "": "xx"}
    await chat.say("anna", "challenge @ben tokonoma time=1d side=white")
    await chat.say("ben", "accept 1")
    await chat.say("anna", "c7c5", "1")
    chat.locales = {}
    chat.restart()
    posts = await chat.wait(13 * HOUR)
    assert [(post.only.name if post.only else "all", post.language) for post in posts] == [("all", "xx")]
    assert languages(await chat.say("ben", "matches")) == ["xx"]
    assert languages(await chat.say("anna", "matches")) == ["en"]
    await chat.store.close()


async def test_an_app_that_is_changed_changes_the_language(tmp_path: Path) -> None:
    chat = await open_room(tmp_path)
    for app, told in (("xx", "xx"), ("en-US", "en"), ("", "en"), ("xx", "xx")):
        chat.locales = {"anna": app}
        assert languages(await chat.say("anna", "matches")) == [told]
    await chat.store.close()


async def test_a_server_whose_language_is_english_again_is_told_in_english(tmp_path: Path) -> None:
    chat = await open_room(tmp_path)
    for server, told in (("xx", "xx"), ("en-US", "en")):
        chat.locales = {"": server}
        await chat.say("anna", "challenge tokonoma")
        assert languages(await chat.say("anna", "challenge tokonoma")) == [told]
    await chat.store.close()


async def test_linked_accounts_share_what_is_known(tmp_path: Path) -> None:
    chat = await open_room(tmp_path)
    chat.locales = {"anna": "xx"}
    await chat.say("anna", "matches", platform="discord")
    keys = "discord:anna\nmatrix:anna"
    settings = tuple((key, "accounts", keys) for key in keys.splitlines())
    await chat.store.commit(Change("linked", settings=settings))
    chat.locales = {}
    chat.restart()
    assert languages(await chat.say("anna", "matches", platform="matrix")) == ["xx"]
    await chat.store.close()


async def test_language_tells_what_is_spoken_and_who_decides_it(tmp_path: Path) -> None:
    chat = await open_room(tmp_path)
    chat.locales = {"anna": "de-AT"}
    await chat.say("anna", "language")
    await chat.say("anna", "language en")
    (post,) = await chat.say("anna", "language")
    assert "in English" in str(post.text)
    await chat.say("anna", "language usual")
    (post,) = await chat.say("anna", "language")
    assert "Deutsch." in str(post.text)
    await chat.store.close()


# --- the platforms ----------------------------------------------------------------------------------------
async def test_discord_tells_of_its_people(tmp_path: Path) -> None:
    async with discord_room(tmp_path, "Anna", "Ben") as room:
        anna, ben = room.people
        anna.locale = "xx"
        assert (await anna.slash(room.channel, "matches").reply()).text.startswith("\\[")
        assert "[" not in (await ben.slash(room.channel, "matches").reply()).text
        await room.say(anna, "challenge @ben tokonoma")
        assert "[" not in room.channel.posts[-1].content
        form = await anna.slash(room.channel, "challenge").form()
        assert str(form.data["title"]).startswith("[")


async def test_discord_tells_of_its_servers(tmp_path: Path) -> None:
    async with discord_room(tmp_path, "Anna", "Ben") as room:
        room.guild.locale = "xx"
        await room.restart()
        await room.say(room.people[0], "challenge @ben tokonoma")
        assert room.channel.posts[-1].content.startswith("\\[")


async def test_a_page_tells_of_its_reader(tmp_path: Path) -> None:
    async with open_web_room(tmp_path) as room:
        await room.sit("Anna")
        tab = Tab(await room.connect())
        await tab.tell("enter", name="Anna", after=0, language="de-AT")
        await tab.hear("entered")
        await tab.say("matches")
        assert (await room.heard.get()).locale == "de-AT"
