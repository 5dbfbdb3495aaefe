"""A whole match of each game on each platform, in the pseudo-language: nothing is told in English, nothing is glued.

What is looked at is what people get to see on the platform, not what the bot has handed over.
"""

import asyncio
import re
from collections.abc import Awaitable, Callable, Iterable, Iterator
from contextlib import suppress
from dataclasses import dataclass
from functools import partial
from html import unescape
from itertools import count, islice
from pathlib import Path
from random import Random
from typing import Any

import pytest

from bot.adapters.matrix import Wording
from bot.adapters.web import WebRoom, page_templates
from bot.app import WELCOME, now, serve
from bot.messages.catalogue import language
from bot.messages.model import Adapter, IncomingMessage, Place, Receive
from bot.messages.serialization import read_event
from bot.repository import Repository
from bot.runtime.supervisor import PlatformSupervisor
from bot.service.dispatch import private
from bot.service.service import Service
from bot.service.transaction import Committed
from engine.game import NotationError
from engine.games import GAMES
from engine.match.events import CalledOut
from engine.match.state import Match
from storage import open_store
from storage.store import Change, Store
from tests.adapters.discord_room import DiscordRoom, discord_room
from tests.adapters.matrix_room import PREFIX, Bot, Enter, club
from tests.adapters.web_room import Tab
from tests.discord_standin import Message, Modal
from tests.synapse.player import Player
from tests.synapse.server import Homeserver
from tests.test_pseudo_language import nested, outside

NUMBERS = count(1)
NAMES = ("Anna", "Ben", "anna", "ben", "Riposte", "riposte", "lounge", "everyone")


@dataclass
class Table:
    """A match on a platform, as the walk needs it."""

    say: Callable[[str, str], Awaitable[None]]
    """"anna" or "ben" says something in the match's thread, and it is dealt with and all that follows delivered."""
    match: Callable[[], Awaitable[Match]]


# Found by playing at random until somebody could win; Chirality's, which random play does not end, by hand.
ENDGAMES = {
    "chirality": (
        "P1: A1 A44 A45 A46 B1 C1 D1 E2 / P2: C44 C45 C46 C47 C50 C51 / res: 0 0 / to: P1",
        ("A44-A50", "C46-C36", "A45-A51", "C36-C26", "E2-E1"),
    ),
    "ironclad": (
        "rW: A1=1 B1=2 C1=3 D1=3 E1=1 A3=2 / rB: A7=2 F7=1 A8=1 B8=3 C8=3 D8=2 / "
        "sW: g1 a3 e3 f3 g3 b5 e5 a6 f6 c9 / sB: a4 b4 c4 d4 f4 d5 f5 c6 e7 f7 / "
        "last: - / mode: full / owner: W / half: robots / to: B",
        ("a5", "A8-B7", "e4", "g2", "A1-B2", "g4"),
    ),
    "tirachen": (
        "R: S@a1 F@b1 P@c1 G@e1 S@g1 S@h1 A@a2 C@i2 P@g3 S@h3 A@e4 A@h5 S@e6 A@f6 / "
        "W: A@a6 A@b6 P@f7 F@h7 P@h8 P@i8 W@b9 G@c9 W@e9 S@g9 W@h9 / "
        "T: x / pR: P7 / pW: P6 M3 / mob: RW / to: W / quiet: 5",
        ("P@f9", "P@f1", "Ab6-b5", "Se6-d7", "Aa6-a8", "Sd7xc9"),
    ),
    "tokonoma": ("2f2/b5/2s4/1a1f1S/4B w", ("e5c5", "d4d5", "d6b6", "d5d6", "c5e3", "d6c7")),
    "veney": (
        "W: B@W1 R@Y3 C@W5 S@X5 J@Y5 $@Z7 D@Y9 / B: e@X7 $@X8 S@Z9 C@W12 R@X16 / "
        "rW: e e e e G L / rB: e e e B D G L J / a: ^WX10 / to: B / flags: idle=3 asked=1 nocontest=30",
        ("RY13", "$Z8", "$X7 $Y6", "SX6 $Y7", "RX10", "aw SX5 $t$Y6"),
    ),
}
"""A position of each game, and turns that lead from it to an end by the game's own rules."""


def challenge(game: str) -> str:
    """The terms of the match: untenable turns can be called out, and are taken back then."""
    start, _ = ENDGAMES[game]
    return f'{game} umpire=friendly judge=advisory start="{start}"'


async def walk(table: Table) -> None:
    """A match with tenable and untenable turns, callouts and offers, to its own end."""
    dice = Random(1)
    _, turns = ENDGAMES[(await table.match()).game.key]
    for number, text in enumerate(turns):
        match = await table.match()
        mover = SEATS[match.parties.index(match.seats[match.game.to_act(match.position)])]
        other = SEATS[1 - SEATS.index(mover)]
        if number % 2:
            tenable = islice(match.game.turns(match.position), 60)
            texts = [match.game.write(turn, match.position) for turn in tenable]
            await table.say(mover, untenable(match, texts, dice))
            await table.say(other, "call")
        await table.say(mover, text)
        if number == 2:
            for name, offer in ((mover, "takeback"), (other, "decline takeback"), (other, "draw")):
                await table.say(name, offer)
            await table.say(mover, "decline draw")
        if number == 3:
            await table.say("anna", "board")
    for name in SEATS:
        await table.say(name, "ok")
    match = await table.match()
    assert match.status == "over"
    assert match.result is not None
    assert match.result.rule in [rule.ref for rule in match.game.rules]


SEATS = ("anna", "ben")


def untenable(match: Match, texts: list[str], dice: Random) -> str:
    """A turn that can be called out: one of these with another place in it."""
    game, position = match.game, match.position
    places = [name for name in game.board(position).outlines if name.isalnum()]
    named = re.compile("|".join(sorted(map(re.escape, places), key=len, reverse=True)))
    for _ in range(MOST):
        text = dice.choice(texts)
        found = dice.choice([*named.finditer(text)] or [None])
        if found is None:
            continue
        changed = text[: found.start()] + dice.choice(places) + text[found.end() :]
        with suppress(NotationError):
            turn = game.read(changed, position)
            if not game.tenable(position, turn):
                return game.write(turn, position)
    return dice.choice(texts)


MOST = 3_000


def faults(texts: Iterable[str], allowed: Iterable[str] = NAMES) -> list[str]:
    """What is not told in the pseudo-language, or in more than one piece; each text is one line or cell."""
    pieces = [piece for text in texts for line in text.split("\n") for piece in CELLS.split(line)]
    names = tuple(allowed)
    return [
        *(f"{found} outside: {piece}" for piece in pieces if (found := outside(piece, names))),
        *(f"{found} nested: {piece}" for piece in pieces if (found := nested(piece))),
    ]


CELLS = re.compile(r" {3}|(?<=\]): (?=`)|(?<=`) (?=\[)|\d\ufe0f\u20e3 ")
"""Between a button's number, its label and its command: they stand beside each other and are no sentence."""


async def speak(store: Store, *owners: str) -> None:
    """These channels or servers have chosen the pseudo-language."""
    await store.commit(Change("language", settings=tuple((owner, "language", "xx") for owner in owners)))


async def upheld(store: Store) -> bool:
    """Whether somebody has rightly called out a turn."""
    events = [read_event(record.body) for record in await store.load("1")]
    return any(isinstance(event, CalledOut) for event in events)


async def match_in(store: Store) -> Match:
    """The only match, as it is stored."""
    match = await Repository(store, lambda: bytes(32)).match("1")
    assert match is not None
    return match


# --- Discord ----------------------------------------------------------------------------------------------
@pytest.mark.parametrize("game", GAMES)
async def test_on_discord_no_word_of_english_is_left(game: str, tmp_path: Path) -> None:
    async with discord_room(tmp_path, "Anna", "Ben") as room:
        anna, ben = room.people
        people = dict(zip(SEATS, room.people, strict=True))
        await speak(room.store, f"discord//{room.guild.id}", f"discord/{room.channel.id}/")
        await room.say(anna, f"challenge @ben {challenge(game)}")
        await room.press(ben, room.channel.posts[-1], "[Accept]")
        thread = room.channel.threads[-1]
        asked = [await form_of(room, board, button) for board in thread.posts for button in blanks(board)]

        async def say(name: str, text: str) -> None:
            await room.say(people[name], text, thread)

        await walk(Table(say, lambda: match_in(room.store)))
        assert await upheld(room.store)
        room.standin.advance(600)
        await room.until(lambda: thread.name.startswith("["), "a title")
        posts = [*room.channel.posts, *thread.posts, *anna.dm.posts, *ben.dm.posts]
        texts = [text for post in posts if post.author.bot for text in shown_on_discord(post)]
        assert len(texts) > 12
        assert any("board.png" in str(post.attachments) for post in posts)
        assert asked
        assert faults([*texts, thread.name, *asked]) == []


def blanks(post: Message) -> list[str]:
    """The buttons that open a form."""
    buttons = [part for row in post.components for part in row.get("components", ())]
    return [button["label"] for button in buttons if button.get("custom_id", "").startswith("ra")]


async def form_of(room: DiscordRoom, post: Message, button: str) -> str:
    """What a form says, line by line."""
    who = next(person for person in room.people if person in post.mentions)
    done = await who.press(post, button).answered()
    if done.modal:
        return "\n".join(words_in(done.modal.data))
    screen = await done.reply()  # the composer, and the form instead of it
    words = [*screen.text.splitlines(), *words_in(screen.components)]
    form: Modal = await who.press(screen, "[Type it instead]").form()
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
@pytest.mark.parametrize("game", GAMES)
async def test_on_matrix_no_word_of_english_is_left(
    game: str, synapse: Homeserver, people: Enter, tmp_path: Path
) -> None:
    def wording(code: str) -> Wording:
        spoken = language(code)
        return Wording(spoken.say, spoken.instant)

    bot = await Bot.enter(synapse, tmp_path / "bot", f"riposte-xx-{next(NUMBERS)}", wording=wording)
    try:
        anna, ben = await people("anna"), await people("ben")
        players = {"anna": anna, "ben": ben}
        room = await club(bot, anna, ben, language="xx")
        thread = ""

        async def say(name: str, text: str) -> None:
            event = await players[name].say(room, text, thread=thread)
            await bot.saw(lambda: event in bot.adapter._listener._ours)
            while await bot.store.arrived("matrix", 1) or await bot.store.waiting(1 << 60):
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
        assert faults(told, (*NAMES, anna.user, ben.user)) == []
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
@pytest.mark.parametrize("game", GAMES)
async def test_in_the_web_room_no_word_of_english_is_left(game: str, tmp_path: Path) -> None:
    import aiohttp

    store = await open_store(tmp_path / "riposte.db")
    await speak(store, "web//room", "web/lounge/")
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
                await tabs[name].tell("enter", name=name.capitalize(), after=0, language="xx")
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
            assert faults([*welcomes, *texts]) == []
            page = await (await session.get(f"{address}texts?language=xx")).json()
            assert page
            assert faults(page.values(), (*NAMES, *re.findall(r"\w+", " ".join(PAGE_VALUES)))) == []
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
