"""The whole bot on Discord: the real adapter on discord.py, a stand-in for the platform, told time.

    async with discord_room(tmp_path, "Anna", "Ben") as room:
        anna, ben = room.people
        await room.say(anna, "challenge @ben tokonoma")     # by mention; `@ben` is replaced by his id
        thread = await room.begun(anna, ben, "tokonoma")    # or all of it: a match that has begun, and its thread
        await room.calm()                                   # everything that was said is dealt with and delivered
        await room.restart()                                # a new process on the same database

Time stands still but for what the relay waits for, which passes at once; `room.standin.advance(60)` lets it pass.
"""

import asyncio
import re
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from typing import Any

from bot.adapters.discord import DiscordAdapter
from bot.commands.suggestions.forms import fill
from bot.messages.model import IncomingMessage, Picture, Receive
from bot.messages.serialization import read_message
from bot.painting import painted_now
from bot.repository import Committed
from bot.runtime.inbox import Inbox
from bot.runtime.outbox import OutboxRelay
from bot.runtime.readiness import Readiness
from bot.runtime.scheduler import Scheduler
from bot.runtime.wake import SWEEP
from bot.service.service import Service
from render.view import View
from storage import open_store
from storage.store import Store
from tests.discord_standin import Channel, Guild, Interaction, Message, Modal, Person, StandIn, redirected
from tests.told import PATIENT


@dataclass(repr=False)
class DiscordRoom:
    """One server with one channel, its people, and the bot."""

    standin: StandIn
    guild: Guild
    channel: Channel
    people: tuple[Person, ...]
    database: Path
    reads_all: bool = False
    """Whether the bot asks for the content of every message."""
    speaks: Callable[[], bool] = lambda: True
    """Whether it is still for this process to say anything."""
    shards: tuple[int, ...] | None = None
    """Of Discord's shards those that the bot serves; None = all."""
    shard_count: int | None = None
    seed: int = 7
    """Of the dice of matches that begin from now on."""
    store: Store = field(init=False)
    service: Service = field(init=False)
    adapter: DiscordAdapter = field(init=False)
    receive: Receive = field(init=False)
    """Deals with what is said: the service, unless a test puts something in front."""
    tasks: list[asyncio.Task[Any]] = field(default_factory=list)
    hearing: int = 0
    """Messages that are being handled."""
    flags_wait: bool = False
    """Whether no alarm goes off before everything has been read, as in the program."""
    heard: list[IncomingMessage] = field(default_factory=list)

    # --- the bot ----------------------------------------------------------------------------------------------
    def now(self) -> int:
        """Milliseconds since 1970, as the stand-in has them."""
        return int(self.standin.clock.now() * 1000)

    async def start(self, *, wait: bool = True) -> None:
        """Start the bot, and wait until Discord knows it."""
        self.store = await open_store(self.database)
        listeners: list[Committed] = []
        self.service = Service(
            self.store,
            now=self.now,
            seed=lambda: self.seed.to_bytes(32, "big"),
            committed=lambda *news: [listener(*news) for listener in listeners] and None,
        )
        self.receive = self.service.receive
        self.adapter = DiscordAdapter(
            self.standin.token,
            Inbox(self.store, "discord"),
            clock=self.now,
            fill=partial(fill, self.service.repository),
            summary=self.store.summary,
            named=self.service.repository.person,
            matches=self.store.matches,
            pause=self._pause,
            places=self.service.contact,
            matters=self.service,
            reads_all=self.reads_all,
            shards=self.shards,
            shard_count=self.shard_count,
            speaks=self._speaks,
        )
        contact = self.service.contact
        relay = OutboxRelay(self.store, {"discord": self.adapter}, _painted, self.now, self._hurry, contact=contact)
        held = Readiness(self.store, (self.adapter,), self.now).held if self.flags_wait else None
        scheduler = Scheduler(self.store, self.service.alarm_fired, self.now, self._hurry, held=held)
        listeners += [relay.committed, scheduler.committed]
        self.tasks = [
            asyncio.create_task(self.adapter.run(self._receive), name="adapter"),
            asyncio.create_task(relay.run(), name="relay"),
            asyncio.create_task(scheduler.run(), name="scheduler"),
        ]
        if not wait:
            return
        known = len(self.standin.gateway.identifies)
        await self.until(lambda: len(self.standin.gateway.identifies) > known or self.tasks[0].done(), "the bot")
        if self.tasks[0].done():
            await self.tasks[0]
        while not await self.adapter.inbox.recall("commands"):
            await asyncio.sleep(0.002)

    async def stop(self) -> None:
        """Stop the bot."""
        for task in self.tasks:
            task.cancel()
        await asyncio.gather(*self.tasks, return_exceptions=True)
        await self.store.close()

    async def restart(self) -> None:
        """The process ends and another begins: what was only remembered is gone."""
        await self.stop()
        await self.start()

    def _speaks(self) -> bool:
        return self.speaks()

    async def _receive(self, heard: IncomingMessage) -> bool:
        self.hearing += 1
        self.heard.append(heard)
        try:
            return await self.receive(heard)
        finally:
            self.hearing -= 1

    async def _hurry(self, event: asyncio.Event, seconds: float) -> None:
        """What the outbox relay waits for comes at once; when it waits for nothing, time stands still."""
        if seconds >= SWEEP and await self.store.next_waiting(self.now()) is None:
            await event.wait()
        else:
            self.standin.advance(seconds)
            await asyncio.sleep(0)

    async def _pause(self, seconds: float) -> None:
        """What the adapter waits for comes when a test advances the clock."""
        until = self.standin.clock.now() + seconds
        await self.standin.until(lambda: self.standin.clock.now() >= until, f"{seconds} seconds to pass", patience=3600)

    # --- the people -------------------------------------------------------------------------------------------
    async def say(self, who: Person, text: str, where: Channel | None = None, **how: Any) -> Message:
        """Somebody writes to the bot, by mention unless it is a reply; `@ben` in the text is Ben's account."""
        for other in self.people:
            text = re.sub(rf"@{re.escape(other.name.lower())}\b", other.mention, text)
        private = (where or self.channel).recipient is not None
        how = {"mention_bot": not private, **how} if "reply_to" not in how else how
        said = who.say(where or self.channel, text, **how)
        await self.dealt_with(f"discord:m{said.id}")
        return said

    async def press(self, who: Person, message: Message, button: str, line: str | None = None) -> Interaction:
        """Somebody presses a button; if there is a line to write, they fill in the form. What they did last."""
        done = who.press(message, button)
        if line is not None:
            done = self.fill(who, await self.form(who, done), line)
        await self.dealt_with(f"discord:i{done.id}")
        return done

    async def form(self, who: Person, done: Interaction) -> Modal:
        """The form that a press leads to: at once, or by "Type it instead" of the composer."""
        await done.answered()
        return await (done if done.modal else who.press(await done.reply(), "Type it instead")).form()

    def fill(self, who: Person, form: Modal, line: str) -> Interaction:
        """Somebody fills in a form."""
        return who.submit(form, {"line": line})

    async def begun(self, first: Person, second: Person, proposal: str) -> Channel:
        """A match that the second person has accepted by its button; its thread."""
        before = len(self.channel.threads)
        await self.say(first, f"challenge @{second.name.lower()} {proposal}")
        await self.press(second, self.channel.posts[-1], "Accept")
        assert len(self.channel.threads) == before + 1, "a match has a thread of its own"
        return self.channel.threads[-1]

    async def play(self, who: Person, text: str, thread: Channel) -> Message:
        """Somebody says something in a match's thread; the last post there."""
        await self.say(who, text, thread)
        return thread.posts[-1]

    # --- waiting ----------------------------------------------------------------------------------------------
    async def until(self, predicate: Callable[[], Any], what: str = "") -> Any:
        """Wait until something is so, and return it."""
        return await self.standin.until(predicate, what)

    async def dealt_with(self, heard: str) -> None:
        """Wait until something has been heard, and all that follows from it has been delivered."""
        await self.until(lambda: any(one.id == heard for one in self.heard), f"{heard} to be heard")
        await self.calm()

    async def calm(self) -> None:
        """Wait until nothing that was heard waits to be dealt with, and nothing that was said to be delivered."""
        async with asyncio.timeout(PATIENT):
            while self.hearing or await self.store.arrived("discord", 1) or await self._waiting():
                await asyncio.sleep(0.002)  # there is more on this machine
            while any(one.loading for one in self.standin.interactions.values()):
                await self.until(lambda: not any(one.loading for one in self.standin.interactions.values()))

    async def _waiting(self) -> bool:
        """Whether something is to be delivered here; what is for other platforms waits for them."""
        letters = await self.store.waiting(1 << 60, 100)
        return any(read_message(letter.message.body).where.platform != "api" for letter in letters)


async def _painted(picture: Picture) -> bytes | None:
    return await asyncio.to_thread(lambda: painted_now(picture, View(picture.theme or "light", 400)))


@asynccontextmanager
async def discord_room(folder: Path, *names: str, **how: Any) -> AsyncIterator[DiscordRoom]:
    """A room with these people in it and the bot running; `how` is for the stand-in."""
    async with StandIn(**how) as standin:
        people = tuple(standin.person(name) for name in names)
        guild = standin.guild("The club", *people)
        channel = guild.channel("games")
        with redirected(standin):
            room = DiscordRoom(standin, guild, channel, people, folder / "riposte.db")
            try:
                await room.start()
                yield room
            finally:
                await room.stop()
