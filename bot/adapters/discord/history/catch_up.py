"""Reads what was written before a session began; what is written meanwhile waits, so that the order is kept."""

import asyncio
from collections.abc import Awaitable, Callable, Coroutine
from contextlib import suppress
from dataclasses import dataclass
from functools import partial
from itertools import chain, repeat
from typing import Any, Final, TypeAlias

import discord
import structlog

from bot.adapters.discord.direct_messages import DirectMessages
from bot.adapters.discord.errors import UNKNOWN_CHANNEL, UNREACHABLE, converted
from bot.adapters.discord.history.channels import (
    PRIVATE,
    UNREADABLE,
    MatchPlaces,
    Target,
    channels_of,
    guild_of,
    joined_at,
    messageable,
    readable,
    shard_of,
    thread_of,
    visible,
)
from bot.adapters.discord.history.marks import Marks
from bot.messages.model import Retry
from bot.trouble import reason

log = structlog.get_logger(__name__)

Waits: TypeAlias = tuple[float, ...]

OVERLAP: Final = 60_000 << 22
"""A minute, in ids: so far before its mark a channel is read again, since messages may overtake each other."""
PAGE: Final = 100
AT_ONCE: Final = 4
"""Channels that are read at the same time."""
PER_SECOND: Final = 25
"""Pages that are asked for in a second, of the 50 requests that Discord allows."""
PATIENCE: Final = 30.0
"""Seconds after which new messages wait no longer for a channel to be read."""
TRANSIENT: Final[Waits] = (1.0, 2.0, 5.0, 15.0, 60.0)
FORBIDDEN: Final[Waits] = (60.0, 300.0, 900.0)
"""Seconds before another attempt to read a channel; the last one over and over."""


class Unreadable(Exception):  # noqa: N818  (the name says enough)
    """A permission is lacking: Discord would refuse, or show an empty channel."""


@dataclass(frozen=True, slots=True)
class Received:
    """A message, in the order in which it is to be handled."""

    client: discord.Client
    channel: int
    message: discord.Message | None
    """None = there is only a mark."""
    mark: int = 0
    """With this everything in the channel up to the id has been received; 0 = there may be a gap."""
    version: str = ""
    """Of a message that was changed, when that was; "" = as it was first."""
    again: bool = False
    """It may have been handled before."""
    done: asyncio.Event | None = None
    """To be set when it is handled."""


class CatchUp:
    """Knows which channels have been read in the present session, and reads the others."""

    def __init__(
        self,
        marks: Marks,
        private: DirectMessages,
        places: Callable[[], Awaitable[MatchPlaces]],
        *,
        handle: Callable[[Received], None],
        pause: Callable[[float], Awaitable[None]],
    ):
        self._marks = marks
        self._private = private
        self._places = places
        self._handle = handle
        self._pause = pause
        self._client: discord.Client | None = None
        """The one whose sessions these are; None while there is no connection."""
        self._open: set[int] = set()
        """Servers whose channels have been looked through in this session, and PRIVATE."""
        self._looked_at: dict[int, int] = {}
        """The channels that were, with their servers: those that are not being read have no gap."""
        self._reading: dict[int, tuple[int, asyncio.Task[None]]] = {}
        """Channels that are being read, with their servers."""
        self._waiting: dict[int, list[tuple[discord.Client, discord.Message]]] = {}
        """New messages, by the channel that is to be read first."""
        self._impatient: set[int] = set()
        """Channels and shards whose new messages do not wait."""
        self._sessions: dict[int, int] = {}
        """How many each shard has had."""
        self._started: set[int] = set()
        """Shards for which the reading of every channel has begun."""
        self._tasks: set[asyncio.Task[None]] = set()
        self._gate = asyncio.Semaphore(AT_ONCE)
        self._next_page = 0.0

    @property
    def complete(self) -> bool:
        """Whether all that could have been missed has been read."""
        return bool(self._sessions) and set(self._sessions) <= self._started and not self._reading

    @property
    def caught_up(self) -> bool:
        """Whether all that can be read has been: what a permission is lacking for holds nobody up."""
        client, reading = self._client, set(self._reading) - self._impatient
        guilds = (
            {one.id for one in client.guilds if shard_of(client, one.id) not in self._impatient} if client else set()
        )
        return bool(self._sessions) and set(self._sessions) <= self._started and not reading and guilds <= self._open

    # --- what Discord tells -----------------------------------------------------------------------------------
    def begin(self, client: discord.Client, shard: int) -> None:
        """A session is about to begin: between the last one and this, anything may have been written."""
        self._client = client
        session = self._sessions[shard] = self._sessions.get(shard, 0) + 1
        self._impatient.discard(shard)
        self._started.discard(shard)
        for guild in {*self._open, *self._looked_at.values()}:
            if shard_of(client, guild) == shard:
                self.lose(guild)
        self._start(self._lose_patience(client, shard, session), "discord: patience")

    def lose(self, guild: int) -> None:
        """Nothing is heard from a server for now; what waits is read when it is back."""
        self._open.discard(guild)
        for channel in [channel for channel, where in self._looked_at.items() if where == guild]:
            del self._looked_at[channel]
            self._waiting.pop(channel, None)
            self._impatient.discard(channel)
            if channel in self._reading:
                self._reading.pop(channel)[1].cancel()

    def created(self, channel: int, guild: int) -> None:
        """A channel or thread is new: nothing was missed there."""
        if guild in self._open:
            self._looked_at.setdefault(channel, guild)

    def receive(self, client: discord.Client, message: discord.Message) -> None:
        """Handle a new message, once what was written before it in its channel has been read."""
        if client is not self._client:
            return  # it is read by the next one
        guild, channel = guild_of(message), message.channel.id
        if guild == PRIVATE and channel not in self._looked_at and not message.author.bot:
            known = partial(self._private.note, channel, message.author.id)
            self._start(self._try(known), f"discord: private channel {channel}")
        if guild in self._open and channel not in self._looked_at:
            parent = getattr(message.channel, "parent_id", None) or 0
            self._read_in_background(client, Target(channel, guild, parent))
        gap = guild not in self._open or channel in self._reading
        if gap and not self._impatient & {channel, shard_of(client, guild)}:
            self._waiting.setdefault(channel, []).append((client, message))
        else:
            self._handle(Received(client, channel, message, mark=0 if gap else message.id))

    def edited(self, client: discord.Client, message: discord.Message, version: str) -> None:
        """Handle a new version of a message."""
        if client is self._client:
            self._handle(Received(client, message.channel.id, message, version=version))

    def read_guild(self, client: discord.Client, guild: discord.Guild) -> None:
        """A server has told its channels: read those in which something was written."""
        if client is self._client:
            self._start(self._try(lambda: self._look_through(client, guild)), f"discord: channels of {guild.id}")

    def read_shard(self, client: discord.Client, shard: int) -> None:
        """All servers of a shard have told their channels: read what no server tells, too."""
        if client is self._client:
            self._start(self._try(lambda: self._look_elsewhere(client, shard)), f"discord: channels of shard {shard}")

    def close(self) -> None:
        """Stop reading: there is no connection."""
        self._client = None
        for task in self._tasks:
            task.cancel()
        for state in (self._open, self._looked_at, self._reading, self._waiting, self._impatient, self._started):
            state.clear()

    # --- which channels ---------------------------------------------------------------------------------------
    async def _look_through(self, client: discord.Client, guild: discord.Guild) -> None:
        """Read the channels of a server that have something new, those of matches first."""
        if guild.id in self._open or guild.unavailable:
            return
        shard = shard_of(client, guild.id)
        session = self._sessions.get(shard)
        places = await self._places()
        floor = max(await self._marks.floor(), joined_at(guild))
        listed, targets = [], []
        for channel in channels_of(guild):
            mark = await self._marks.of(channel.id)
            target = Target(channel.id, guild.id)
            news = (channel.last_message_id or 0) > (mark - OVERLAP if mark else floor)
            if news and not (mark or channel.id in places or visible(channel)):
                continue  # it was never meant for the bot; should it be shown one day, it is read then
            listed.append(channel.id)
            if news:
                targets.append(target)
        for thread, parent in places.threads.items():
            if parent in listed and thread not in listed:  # archived
                listed.append(thread)
                targets.append(Target(thread, guild.id, parent))
        if self._sessions.get(shard) == session and guild.id not in self._open:
            targets.sort(key=lambda target: target.channel not in places)
            self._looked_through(client, guild.id, listed, targets)

    async def _look_elsewhere(self, client: discord.Client, shard: int) -> None:
        """Read the servers that are left, and the channels that Discord lists nowhere."""
        session = self._sessions.get(shard)
        for guild in client.guilds:
            if shard_of(client, guild.id) == shard:
                await self._look_through(client, guild)
        places = await self._places()
        if shard_of(client, PRIVATE) == shard:
            known = {channel: await self._marks.of(channel) for channel in await self._private.known()}
            if self._sessions.get(shard) == session and PRIVATE not in self._open:
                newest_first = sorted(known, key=lambda channel: -known[channel])
                targets = [Target(channel, PRIVATE) for channel in newest_first]
                self._looked_through(client, PRIVATE, newest_first, targets)
            await self._look_for_players(client, places)
        await self._look_for_threads(client, places)
        if self._sessions.get(shard) == session:
            self._started.add(shard)

    def _looked_through(self, client: discord.Client, guild: int, listed: list[int], targets: list[Target]) -> None:
        self._looked_at |= dict.fromkeys(listed, guild)
        for target in targets:
            self._read_in_background(client, target)
        self._open.add(guild)
        for channel in [one for one, said in self._waiting.items() if guild_of(said[0][1]) == guild]:
            self._let_go(channel)

    async def _look_for_players(self, client: discord.Client, places: MatchPlaces) -> None:
        """Players whose private channel is not known may have written there first."""
        known = set((await self._private.known()).values())
        for player in places.players:
            if player not in known:
                channel = await self._asked(partial(self._private.open, client, player))
                if channel is not None and channel.id not in self._looked_at and PRIVATE in self._open:
                    self._read_in_background(client, Target(channel.id, PRIVATE))

    async def _look_for_threads(self, client: discord.Client, places: MatchPlaces) -> None:
        """Matches may be played in people's own threads, which are archived by now."""
        private = await self._private.known()
        for place in places.unlisted:
            if place not in self._looked_at and place not in private and not client.get_channel(place):
                found = await self._asked(partial(client.fetch_channel, place))
                if isinstance(found, discord.Thread) and found.guild.id in self._open:
                    self._read_in_background(client, Target(place, found.guild.id, found.parent_id))

    async def _asked(self, ask: Callable[[], Awaitable[Any]]) -> Any:
        """What Discord answers; None if it refuses, or cannot be reached for long."""
        for wait in TRANSIENT:
            try:
                await self._pace()
                return await ask()
            except discord.HTTPException as error:
                verdict = converted(error)
                if not isinstance(verdict, Retry):
                    return None
                await self._pause(verdict.after)
            except discord.RateLimited as error:
                await self._pause(error.retry_after)
            except UNREACHABLE:
                await self._pause(wait)
        return None

    # --- one channel ------------------------------------------------------------------------------------------
    def _read_in_background(self, client: discord.Client, target: Target) -> None:
        self._looked_at[target.channel] = target.guild
        task = self._start(self._read(client, target), f"discord: history of {target.channel}")
        self._reading[target.channel] = target.guild, task

    async def _read(self, client: discord.Client, target: Target) -> None:
        """Read a channel to its end, however often one has to try."""
        at: tuple[int, int] | None = None
        failures = 0
        while True:
            waits = TRANSIENT
            try:
                mark, after = at = at or await self._beginning(client, target)
                if not readable(client, target):
                    raise Unreadable(UNREADABLE)  # Discord would refuse, or show an empty channel
                page, newest = await self._page(client, target, after)
                self._hand_over(client, target, page, mark)
                if len(page) < PAGE:
                    self._handle(Received(client, target.channel, None, mark=newest))
                    break
                done = asyncio.Event()
                self._handle(Received(client, target.channel, None, done=done))
                at = mark, page[-1].id
                failures = 0
                await done.wait()
                continue
            except discord.NotFound as error:
                if error.code == UNKNOWN_CHANNEL:
                    log.info("a channel is gone, with what was missed there", channel=target.channel)
                    break
                trouble, waits = str(error), FORBIDDEN
            except (discord.Forbidden, Unreadable) as error:
                trouble, waits = str(error), FORBIDDEN
            except discord.RateLimited as error:
                trouble, waits = str(error), (error.retry_after,)
            except (discord.DiscordException, *UNREACHABLE) as error:
                trouble = str(error)
            if failures == 0:
                log.warning("messages missed in a channel cannot be read", channel=target.channel, error=trouble)
            if waits is FORBIDDEN:
                self._impatient.add(target.channel)
                self._let_go(target.channel)
            await self._pause(waits[min(failures, len(waits) - 1)])
            failures += 1
        del self._reading[target.channel]
        self._impatient.discard(target.channel)
        self._let_go(target.channel)

    async def _beginning(self, client: discord.Client, target: Target) -> tuple[int, int]:
        """A channel's mark, and the id after which it is read."""
        mark = await self._marks.of(target.channel)
        if mark:
            return mark, max(0, mark - OVERLAP)
        guild = client.get_guild(target.guild)
        return 0, max(await self._marks.floor(), joined_at(guild) if guild else 0)

    async def _page(self, client: discord.Client, target: Target, after: int) -> tuple[list[discord.Message], int]:
        """The next messages of a channel, and the id up to which there are no others if these are the last."""
        channel = messageable(client, target)
        newest = getattr(channel, "last_message_id", None) or 0
        async with self._gate:
            await self._pace()
            history = channel.history(limit=PAGE, after=discord.Object(after), oldest_first=True)
            page = [message async for message in history]
        if not page and newest > after:  # either that one was deleted, or we are shown nothing and not told so yet
            await self._pace()
            with suppress(discord.NotFound):
                await channel.fetch_message(newest)
                raise Unreadable(UNREADABLE)
        return page, newest

    def _hand_over(self, client: discord.Client, target: Target, page: list[discord.Message], mark: int) -> None:
        for message in page:
            self._handle(Received(client, target.channel, message, mark=message.id, again=message.id <= mark))
            if (thread := thread_of(message)) and target.guild in self._open and thread not in self._looked_at:
                self._read_in_background(client, Target(thread, target.guild, target.channel))

    # --- waiting ----------------------------------------------------------------------------------------------
    def _let_go(self, channel: int) -> None:
        """Handle the new messages of a channel, or have them wait for what they still have to."""
        for client, message in self._waiting.pop(channel, ()):
            self.receive(client, message)

    async def _lose_patience(self, client: discord.Client, shard: int, session: int) -> None:
        await self._pause(PATIENCE)
        if self._sessions[shard] == session:
            self._impatient.add(shard)
            for channel in list(self._waiting):
                self._let_go(channel)

    async def _pace(self) -> None:
        """Leave most of what Discord allows to what people wait for."""
        loop = asyncio.get_running_loop()
        at = max(loop.time(), self._next_page)
        self._next_page = at + 1 / PER_SECOND
        await asyncio.sleep(at - loop.time())

    async def _try(self, work: Callable[[], Awaitable[None]]) -> None:
        for wait in chain(TRANSIENT, repeat(TRANSIENT[-1])):
            try:
                await work()
                return
            except (discord.DiscordException, *UNREACHABLE) as error:
                log.error("messages missed while away cannot be read yet", error=reason(error), again_in=wait)
                await self._pause(wait)

    def _start(self, work: Coroutine[Any, Any, None], name: str) -> asyncio.Task[None]:
        task = asyncio.create_task(work, name=name)
        self._tasks.add(task)
        task.add_done_callback(self._ended)
        return task

    def _ended(self, task: asyncio.Task[None]) -> None:
        self._tasks.discard(task)
        if not task.cancelled() and (error := task.exception()):
            log.error("messages missed while away were not read", task=task.get_name(), exc_info=error)
