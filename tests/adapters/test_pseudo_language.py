"""A whole match of each game on each platform, in the pseudo-language: nothing is told in English, nothing is glued.

What is looked at is what people get to see on the platform, not what the bot has handed over.
"""

import asyncio
import re
from collections.abc import Iterator
from functools import partial
from html import unescape
from itertools import count
from pathlib import Path
from typing import Any

import pytest

from bot.adapters.matrix import Wording
from bot.adapters.web import WebRoom, page_templates
from bot.app import WELCOME, now, serve
from bot.messages.catalogue import language
from bot.messages.model import Adapter, IncomingMessage, Place, Receive
from bot.repository import Committed
from bot.runtime.supervisor import PlatformSupervisor
from bot.service.dispatch import private
from bot.service.service import Service
from storage import open_store
from tests.adapters.discord_room import DiscordRoom, discord_room
from tests.adapters.matrix_room import PREFIX, Bot, Enter, club
from tests.adapters.pseudo_match import (
    NAMES,
    SEATS,
    WALKS,
    Table,
    challenge,
    faults,
    label,
    match_in,
    speak,
    upheld,
    walk,
)
from tests.adapters.web_room import Tab
from tests.discord_standin import Message, Modal
from tests.synapse.player import Player
from tests.synapse.server import Homeserver

NUMBERS = count(1)


# --- Discord ----------------------------------------------------------------------------------------------
@pytest.mark.parametrize(("game", "code"), WALKS)
async def test_on_discord_no_word_of_english_is_left(game: str, code: str, tmp_path: Path) -> None:
    async with discord_room(tmp_path, "Anna", "Ben") as room:
        anna, ben = room.people
        people = dict(zip(SEATS, room.people, strict=True))
        players = [f"discord:{one.id}" for one in room.people]
        anna.locale = ben.locale = code
        await speak(room.store, code, f"discord//{room.guild.id}", f"discord/{room.channel.id}/", *players)
        await room.say(anna, f"challenge @ben {challenge(game)}")
        await room.press(ben, room.channel.posts[-1], label(code, "Accept"))
        thread = room.channel.threads[-1]
        asked = [await form_of(room, code, board, button) for board in thread.posts for button in blanks(board)]

        async def say(name: str, text: str) -> None:
            await room.say(people[name], text, thread)

        await walk(Table(say, lambda: match_in(room.store)))
        assert await upheld(room.store)
        room.standin.advance(600)
        await room.until(lambda: code != "xx" or thread.name.startswith("["), "a title")
        posts = [*room.channel.posts, *thread.posts, *anna.dm.posts, *ben.dm.posts]
        texts = [text for post in posts if post.author.bot for text in shown_on_discord(post)]
        assert len(texts) > 12
        assert any("board.png" in str(post.attachments) for post in posts)
        assert asked
        assert faults([*texts, thread.name, *asked], code=code) == []


def blanks(post: Message) -> list[str]:
    """The buttons that open a form."""
    buttons = [part for row in post.components for part in row.get("components", ())]
    return [button["label"] for button in buttons if button.get("custom_id", "").startswith("ra")]


async def form_of(room: DiscordRoom, code: str, post: Message, button: str) -> str:
    """What a form says, line by line."""
    who = next(person for person in room.people if person in post.mentions)
    done = await who.press(post, button).answered()
    if done.modal:
        return "\n".join(words_in(done.modal.data))
    screen = await done.reply()  # the composer, and the form instead of it
    words = [*screen.text.splitlines(), *words_in(screen.components)]
    form: Modal = await who.press(screen, label(code, "Type it instead")).form()
    return "\n".join([*words, *words_in(form.data)])


def words_in(data: Any) -> Iterator[str]:
    """The words in a component of Discord's."""
    if isinstance(data, dict):
        for key, value in data.items():
            if key in ("title", "label", "placeholder", "description", "text") and isinstance(value, str):
                yield value
            else:
                yield from words_in(value)
    elif isinstance(data, list):
        for each in data:
            yield from words_in(each)


def shown_on_discord(post: Message) -> Iterator[str]:
    """All that people see of a message."""
    text = re.sub(r"```\n.*?\n```", "`…`", post.content, flags=re.DOTALL)
    text = re.sub(r"<[@#]\d+>|<t:\d+:R>", "•", re.sub(r"\\(.)", r"\1", text))
    yield text.replace("**", "").replace("\n-# ", "\n")
    yield from words_in(post.components)
    for attachment in post.attachments:
        yield attachment.alt or ""


# --- Matrix -----------------------------------------------------------------------------------------------
@pytest.mark.parametrize(("game", "code"), WALKS)
async def test_on_matrix_no_word_of_english_is_left(
    game: str, code: str, synapse: Homeserver, people: Enter, tmp_path: Path
) -> None:
    def wording(code: str) -> Wording:
        spoken = language(code)
        return Wording(spoken.say, spoken.instant)

    bot = await Bot.enter(synapse, tmp_path / "bot", f"riposte-{code}-{next(NUMBERS)}", wording=wording)
    try:
        anna, ben = await people("anna"), await people("ben")
        players = {"anna": anna, "ben": ben}
        room = await club(bot, anna, ben, language=code)
        thread = ""

        async def say(name: str, text: str) -> None:
            event = await players[name].say(room, text, thread=thread)
            while f"matrix:{event}" not in bot.dealt_with or await bot.store.waiting(1 << 60):
                await asyncio.sleep(0.02)

        await say("anna", f"{PREFIX} challenge {ben.user} {challenge(game)}")
        await say("ben", f"{PREFIX} accept 1")
        thread = (await anna.see(room, lambda seen: bool(seen.thread))).thread
        await walk(Table(say, lambda: match_in(bot.store)))
        assert await upheld(bot.store)
        last = await anna.say(room, "the last word", thread=thread)
        await anna.see_own(last)
        posts = [seen for seen in anna.read(room) if seen.sender == bot.user]
        assert len(posts) > 12
        texts = [words for seen in posts for words in (seen.text, plain(seen.html))]
        private = await whispered(anna)
        told = [words for words in (*texts, *private) if words != FILE]
        assert faults(told, (*NAMES, anna.user, ben.user), code) == []
    finally:
        await bot.stop()


FILE = "board.png"
"""What Matrix shows of a picture without words of its own."""


async def whispered(player: Player) -> list[str]:
    """What somebody is told in private, as far as they can read it."""
    room = await player.see_invitation()
    await player.join(room)
    return [words for seen in player.read(room) for words in (seen.text, plain(seen.html))]


def plain(html: str) -> str:
    """HTML as its reader sees it."""
    text = re.sub(r"<code>.*?</code>", "`…`", html, flags=re.DOTALL)
    text = re.sub(r"<br>|</?(?:details|summary|pre)>", "\n", text)
    return unescape(re.sub(r"<[^<>]+>", "", text))


# --- the web room -----------------------------------------------------------------------------------------
@pytest.mark.parametrize(("game", "code"), WALKS)
async def test_in_the_web_room_no_word_of_english_is_left(game: str, code: str, tmp_path: Path) -> None:
    import aiohttp

    store = await open_store(tmp_path / "riposte.db")
    await speak(store, code, "web//room", "web/lounge/")
    listeners: list[Committed] = []
    service = Service(
        store,
        now=now,
        seed=lambda: bytes(32),
        committed=lambda *news: [listener(*news) for listener in listeners] and None,
    )
    opened: asyncio.Future[str] = asyncio.get_running_loop().create_future()

    dealt_with: set[str] = set()

    class Noting(WebRoom):
        """Notes what was dealt with: talk is stored nowhere."""

        async def run(self, receive: Receive) -> None:
            async def heard(message: IncomingMessage) -> None:
                await receive(message)
                dealt_with.add(message.id)

            await super().run(heard)

    async def open_() -> Adapter:
        return Noting(
            tmp_path / "room.db",
            clock=now,
            port=0,
            welcome=lambda code: language(code).lines(WELCOME),
            summary=store.summary,
            private=partial(private, service.repository),
            opened=opened.set_result,
            say=lambda text, code: language(code).say(text),
            page_texts=lambda code: language(code).texts(templates for *_, templates in page_templates()),
        )

    running = asyncio.create_task(serve([PlatformSupervisor("web", open_)], store, service, listeners))
    try:
        address = await opened
        async with aiohttp.ClientSession(cookie_jar=aiohttp.CookieJar(unsafe=True)) as session:
            tabs, welcomes = {}, []
            for name in SEATS:
                origin = address.rstrip("/")
                await session.post(f"{address}seat", json={"name": name.capitalize()}, headers={"Origin": origin})
                tabs[name] = Tab(await session.ws_connect(f"{address}socket", origin=origin))
                await tabs[name].tell("enter", name=name.capitalize(), after=0, language=code)
                welcomes.append("".join(spelt((await tabs[name].hear("entered"))["welcome"])))
            thread = Place("web", "lounge", "1")

            async def say(name: str, text: str, where: Place = thread) -> None:
                number = await tabs[name].say(text, where)
                while f"web:{name}:{number}" not in dealt_with or await store.waiting(1 << 60):
                    await asyncio.sleep(0.005)

            await say("anna", f"challenge @ben {challenge(game)}", Place("web", "lounge"))
            await say("ben", "accept 1", Place("web", "lounge"))
            await walk(Table(say, lambda: match_in(store)))
            assert await upheld(store)
            told = [message for tab in tabs.values() for message in await tab.settled()]
            texts = [text for message in told if message["name"] == "Riposte" for text in shown_in_browser(message)]
            assert len(texts) > 12
            assert faults([*welcomes, *texts], code=code) == []
            page = await (await session.get(f"{address}texts?language={code}")).json()
            assert page
            assert faults(page.values(), (*NAMES, *re.findall(r"\w+", " ".join(PAGE_VALUES))), code) == []
            for tab in tabs.values():
                await tab.socket.close()
    finally:
        running.cancel()
        await asyncio.wait([running])
        await store.close()


PAGE_VALUES = ("{name}",)
"""What the page fills in stands in brackets too."""


def shown_in_browser(message: dict[str, Any]) -> Iterator[str]:
    """All that people see of a message."""
    body = message["body"]
    yield "".join(spelt(body["text"]))
    for choice in body.get("choices", ()):
        yield choice["label"]
        yield choice["blank"]
    if "picture" in body:
        yield body["picture"]["alt"]


def spelt(spans: list[Any]) -> Iterator[str]:
    """Spans as the page shows them."""
    for span in spans:
        match span:
            case str():
                yield span
            case {"code": _}:
                yield "`…`"
            case {"strong": str(text)}:
                yield text
            case _:
                yield "•"
