"""One match on two platforms: somebody on Discord plays somebody on Matrix, and each sees everything where they are.

Both can go on with it on the page, by personal links, and back where they were.
"""

import asyncio
import re
import secrets
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass
from functools import partial
from itertools import count
from pathlib import Path

import pytest

from bot.adapters.discord import DiscordAdapter
from bot.adapters.matrix import MatrixAdapter, enter, patiently
from bot.adapters.web import WebRoom
from bot.app import now, serve
from bot.messages.model import Adapter, Place
from bot.repository import Committed
from bot.runtime.inbox import Inbox
from bot.runtime.supervisor import PlatformSupervisor
from bot.service.composing import glanced
from bot.service.service import Service
from storage import open_store
from tests.adapters.linked_room import PUBLIC, board, browser
from tests.adapters.matrix_room import Enter
from tests.discord_standin import Channel, Guild, Message, Person, StandIn, redirected
from tests.synapse.server import Homeserver

NUMBERS = count(1)


@dataclass
class Both:
    """A bot with both platforms: a server on Discord, and the bot's name on Matrix."""

    discord: StandIn
    guild: Guild
    games: Channel
    anna: Person
    name: str
    page: str
    """Where the web room is open."""

    async def told(self, where: Channel, words: str) -> Message:
        """Wait until the bot has said something in a channel or thread."""
        return await self.discord.until(
            lambda: next((one for one in reversed(where.posts) if re.search(words, one.content)), None), words
        )


@pytest.fixture
async def both(synapse: Homeserver, tmp_path: Path) -> AsyncIterator[Both]:
    async with StandIn(live=True) as discord:
        anna = discord.person("Anna")
        guild = discord.guild("The club", anna)
        with redirected(discord):
            async with _house(discord, synapse, tmp_path / "bot") as (name, page):
                await discord.until(
                    lambda: list(discord.world.registry.available(guild.id)), "the commands", patience=60
                )
                yield Both(discord, guild, guild.channel("games"), anna, name, page)


@asynccontextmanager
async def _house(discord: StandIn, synapse: Homeserver, folder: Path) -> AsyncIterator[tuple[str, str]]:
    store = await open_store(str(folder / "riposte.db"))
    listeners: list[Committed] = []
    service = Service(
        store,
        now=now,
        seed=partial(secrets.token_bytes, 32),
        committed=lambda *news: [listener(*news) for listener in listeners] and None,
        public=PUBLIC,
    )
    opened: asyncio.Future[str] = asyncio.get_running_loop().create_future()
    password = f"riposte-both-{next(NUMBERS)}"
    name = synapse.register(password)

    async def on_discord() -> Adapter:
        inbox = Inbox(store, "discord")
        return DiscordAdapter(discord.token, inbox, clock=now, summary=store.summary, named=service.repository.person)

    async def on_matrix() -> Adapter:
        client = await patiently(partial(enter, folder / "matrix", synapse.address, name, password=password))
        return MatrixAdapter(client, Inbox(store, "matrix"), clock=now)

    async def on_the_page() -> Adapter:
        room = WebRoom(
            folder / "room.db",
            clock=now,
            port=0,
            public=PUBLIC,
            summary=store.summary,
            opened=opened.set_result,
            board=partial(glanced, service.repository),
            named=service.repository.person,
            visits=service.visits,
            devices=service.devices,
        )
        listeners.append(room.committed)
        return room

    opening = {"discord": on_discord, "matrix": on_matrix, "web": on_the_page}
    platforms = [PlatformSupervisor(name, each) for name, each in opening.items()]
    living = asyncio.create_task(serve(platforms, store, service, listeners))
    try:
        yield name, await opened
    finally:
        living.cancel()
        await asyncio.wait([living])
        await store.close()
        if not living.cancelled() and (error := living.exception()):
            raise error


async def test_a_player_on_discord_plays_one_on_matrix(both: Both, people: Enter) -> None:
    anna, games = both.anna, both.games
    ben = await people("ben")
    anna.say(games, f"challenge @matrix:{ben.user} tokonoma side=white umpire=turn", mention_bot=True)
    await both.told(games, "challenges")
    room = await ben.see_invitation()
    await ben.join(room)
    asked = await ben.see(room, "challenges")
    assert asked.encrypted, "what is for one person alone goes into an encrypted room"
    await ben.say(room, "accept 1")

    begun = await both.told(games, r"Match 1 · Tokonoma\*\* has begun")
    thread = await both.discord.until(lambda: begun.thread, "a thread on Discord")
    first = await both.told(thread, "your turn")
    assert first.mentions == [anna]
    board = await ben.see(room, lambda seen: bool(seen.thread) and "accepts" in seen.text)
    assert board.thread

    anna.slash(thread, "move", turn="c7c5")
    await both.told(thread, "Turn 1")
    seen = await ben.see(room, r"Turn 1")
    assert seen.mentions == (ben.user,)
    board_after = await ben.see(room, lambda seen: seen.picture, count=2)
    assert (await ben.save_picture(board_after)).startswith(b"\x89PNG")
    await ben.say(room, "c1a2", thread=board.thread)
    untenable = await both.told(thread, "Turn 2")
    assert untenable.mentions == [anna]
    assert "untenable" not in untenable.content
    anna.press(untenable, "Call it out")
    await both.told(thread, r"is \*\*untenable\*\*")
    await ben.see(room, "is untenable")
    await both.told(thread, "your turn")
    anna.slash(thread, "move", turn="c5d5")
    await ben.see(room, "Turn 3")
    await ben.say(room, "resign 1 yes", thread=board.thread)
    await both.told(games, "Anna.*wins|wins.*Anna")
    await ben.see(room, "resigns")


async def test_a_match_that_began_on_discord_is_let_live_in_a_room_too(both: Both, people: Enter) -> None:
    anna, games = both.anna, both.games
    cleo = both.discord.person("Cleo", both.guild)
    annika = await people("annika")
    room = await annika.create(invite=[both.name])
    await annika.see_member(room, both.name)
    anna.say(games, f"challenge {cleo.mention} tokonoma side=white", mention_bot=True)
    await both.told(games, "challenges")
    cleo.slash(games, "match accept", match="1")
    begun = await both.told(games, "has begun")
    thread = await both.discord.until(lambda: begun.thread, "a thread on Discord")
    await both.told(thread, "your turn")

    shown = await anna.slash(games, "riposte account").reply()
    code = re.search(r"account ([A-Z2-9]{10})", shown.content)
    assert code is not None
    await annika.say(room, f"!riposte account {code[1]} yes")
    private = await annika.see_invitation()
    await annika.join(private)
    await annika.see(private, "Linked")
    await annika.say(room, "!riposte link 1")
    opened = await annika.see(room, "is played here too")
    await annika.see(room, lambda seen: seen.thread == opened.id)
    await annika.say(room, "c7c5", thread=opened.id)
    told = await both.told(thread, "Turn 1")
    assert "Anna" in told.content, "on Discord she has the name that she has there"
    assert told.mentions == [cleo]


async def test_both_go_on_with_it_on_the_page_and_back(both: Both, people: Enter) -> None:
    anna, games = both.anna, both.games
    ben = await people("benno")
    anna.say(games, f"challenge @matrix:{ben.user} tokonoma side=white umpire=turn", mention_bot=True)
    room = await ben.see_invitation()
    await ben.join(room)
    await ben.see(room, "challenges")
    await ben.say(room, "accept 1")
    begun = await both.told(games, r"Match 1 · Tokonoma\*\* has begun")
    thread = await both.discord.until(lambda: begun.thread, "a thread on Discord")
    await both.told(thread, "your turn")
    there = await ben.see(room, lambda seen: bool(seen.thread) and "accepts" in seen.text)

    given = anna.slash(thread, "study open", match="1")
    hers = _link((await given.reply()).content)
    assert given.whispered, "nobody else sees it"
    await ben.say(room, "open 1")
    his = _link((await ben.see(room, PUBLIC)).text)
    async with browser(both.page) as phone, browser(both.page) as desk:
        assert "leads nowhere" in (await phone.press(hers[:-1] + "_"))["because"]
        tabs = []
        for window, link in ((phone, hers), (desk, his)):
            entered = await window.press(link)
            assert entered.get("at") == "~/1", entered
            assert "leads nowhere" in (await window.press(link))["because"], "it is spent"
            tabs.append((await window.enter(entered["name"]))[0])
        white, black = tabs
        assert [(await board(tab, "1"))["viewer"] for tab in tabs] == ["W", "B"]

        await white.say("move 1 @1 c7c5", Place("web", "~", "1"), pressed="c7c5")
        await both.told(thread, "Turn 1")
        await ben.see(room, "Turn 1")
        await black.say("move 1 @2 c1a2", Place("web", "~", "1"), pressed="c1a2")
        untenable = await both.told(thread, "Turn 2")
        assert untenable.mentions == [anna]

    anna.press(untenable, "Call it out")  # she is back where she was, and so is he
    await both.told(thread, r"is \*\*untenable\*\*")
    await ben.see(room, "is untenable")
    anna.slash(thread, "move", turn="c5d5")
    await ben.see(room, "Turn 3")
    await ben.say(room, "resign 1 yes", thread=there.thread)
    await both.told(games, "Anna.*wins|wins.*Anna")


def _link(words: str) -> str:
    found = re.search(rf"{re.escape(PUBLIC)}/enter#\w+", words)
    assert found, words
    return found[0]
