"""The adapter: one connection to Discord, kept up whatever happens; messages in and messages out."""

import asyncio
import errno
import hashlib
import json
import logging
import secrets
import threading
from collections.abc import Awaitable, Callable, Mapping, Sequence
from contextlib import suppress
from typing import Final, Protocol

import discord
import structlog
from discord.gateway import KeepAliveHandler

from bot.adapters.discord import limits
from bot.adapters.discord.client import Client
from bot.adapters.discord.direct_messages import DirectMessages
from bot.adapters.discord.errors import UNREACHABLE
from bot.adapters.discord.history.catch_up import CatchUp
from bot.adapters.discord.history.channels import Matches, MatchPlaces, match_places
from bot.adapters.discord.history.hints import Hints
from bot.adapters.discord.history.marks import Marks
from bot.adapters.discord.incoming import MessageListener
from bot.adapters.discord.interactions import incoming as interactions
from bot.adapters.discord.interactions.buttons import Signer
from bot.adapters.discord.interactions.commands import Fill
from bot.adapters.discord.interactions.expiry import Expiry
from bot.adapters.discord.interactions.incoming import InteractionListener
from bot.adapters.discord.interactions.replies import PrivateReplies
from bot.adapters.discord.interactions.thumbs import Answers, Thumbs
from bot.adapters.discord.markup import PLATFORM
from bot.adapters.discord.outgoing import Delivery
from bot.adapters.discord.rights import may_post
from bot.adapters.discord.sending import Sender
from bot.adapters.discord.threads.titles import Pause, Titles
from bot.commands.parser import is_secret
from bot.commands.spec.parts import Slot
from bot.messages.catalogue import Language, language
from bot.messages.model import (
    Button,
    ClosedPlaces,
    IncomingMessage,
    OutgoingMessage,
    Person,
    Place,
    Receive,
    Undeliverable,
    absent,
)
from bot.runtime.inbox import Inbox
from bot.service.composing import Board, Reader
from bot.trouble import reason
from engine.composition import Pick
from storage.store import Summary

log = structlog.get_logger(__name__)

BACKOFF: Final = (1.0, 2.0, 5.0, 15.0, 60.0)
"""Seconds before another attempt to connect; the last one over and over."""

SWALLOWED: Final = 2.0
"""Seconds that a cancelled connection has to end: discord.py may swallow that it is cancelled."""

REFUSED: Final = (
    "Discord does not take the bot's token. Make a new one (Developer Portal, your application, Bot, Reset Token) "
    "and set it: RIPOSTE_DISCORD_TOKEN=…"
)

NOT_GRANTED: Final = (
    "Discord does not let the bot read messages. Switch Message Content Intent on (Developer Portal, your application, "
    "Bot), or leave RIPOSTE_DISCORD_CONTENT empty."
)


async def _no_completions(
    _who: Person, _where: Place, _slot: Slot, _filled: Mapping[str, str]
) -> Sequence[tuple[str, str]]:
    return ()


async def _no_summary(_match: str) -> Summary | None:
    return None


async def _no_matches(**_which: str) -> Sequence[Summary]:
    return ()


async def _by_number(player: str) -> Person:
    platform, _, number = player.partition(":")
    return Person(platform, number, number)


class Matters(interactions.Matters, Answers, Protocol):
    """Knows what buttons lead to, and how matches stand."""

    async def current(self, line: str) -> bool:
        """Whether a button's command still leads to something."""

    async def turn_due(self, player: str, match: str, code: str) -> Button | None:
        """The button for a player's turn in a match, in a language, if one is due."""


class _NoMatters:
    async def current(self, line: str) -> bool:
        return True

    async def due(self, player: str, line: str) -> bool:
        return True

    async def answerable(self, who: Person, where: Place, line: str) -> bool:
        return False

    async def offered(self, message: IncomingMessage, key: str) -> bool:
        return False

    async def turn_due(self, player: str, match: str, code: str) -> Button | None:
        return None

    async def board(self, player: str, match: str, picks: Sequence[Pick] = ()) -> Board | None:
        return None

    async def reader(self, player: str, where: Place, told: str = "") -> Reader:
        return Reader("light", language(told))


_NO_MATTERS: Final = _NoMatters()


class _NoneClosed:
    async def closed(self, platform: str) -> Sequence[Place]:
        return ()

    async def opened(self, place: Place) -> None:
        """Nothing to do."""


_NONE_CLOSED: Final = _NoneClosed()


class DiscordAdapter:
    """Translates between Discord and the bot; what must outlive a restart is in the inbox."""

    platform = PLATFORM

    def __init__(
        self,
        token: str,
        inbox: Inbox,
        *,
        clock: Callable[[], int],
        fill: Fill = _no_completions,
        summary: Callable[[str], Awaitable[Summary | None]] = _no_summary,
        named: Callable[[str], Awaitable[Person]] = _by_number,
        matches: Matches = _no_matches,
        private: Callable[[str], bool] = is_secret,
        shards: tuple[int, ...] | None = None,
        shard_count: int | None = None,
        pause: Pause = asyncio.sleep,
        places: ClosedPlaces = _NONE_CLOSED,
        matters: Matters = _NO_MATTERS,
        reads_all: bool = False,
        speaks: Callable[[], bool] = lambda: True,
    ):
        """`clock` returns milliseconds since 1970 UTC, `fill` the completions of a command's field, `summary` a match's
        players and whose turn it is, `named` the person of a player's key, `matches` the matches with a status, and
        `private` whether nobody else may see a text. `shards` are those that this process takes of `shard_count`;
        None = all. `pause` sleeps for seconds. `places` knows those that took no message when they were tried last,
        `matters` what buttons still lead to. With `reads_all` the intent for message content is asked for. While
        `speaks` denies it, nothing is sent: another process may have taken over."""
        self.reads_all = reads_all
        self.speaks = speaks
        self._places = places
        self._token = token
        self.inbox = inbox
        self._clock = clock
        self._shards = {"shard_ids": list(shards), "shard_count": shard_count} if shards and shard_count else {}
        self._signer = Signer(b"")
        self._matches = matches
        self._marks = Marks(inbox, clock)
        private_channels = DirectMessages(inbox)
        replies = PrivateReplies(clock, self._signer, inbox, " ".join(map(str, shards or ())))
        self._replies = replies
        expiry = Expiry(inbox, self._signer, matters.current, pause)
        self._expiry = expiry
        sender = Sender(inbox, clock, self._signer, expiry)
        self._delivery = Delivery(
            inbox,
            private_channels,
            replies,
            titles=Titles(clock, summary, named, pause),
            sender=sender,
            summary=summary,
            expiry=expiry,
            reads_all=reads_all,
        )

        async def spoken(player: str, where: Place) -> Language:
            return (await matters.reader(player, where)).spoken

        self._hints = Hints(inbox, sender, matters.turn_due, private_channels, spoken=spoken, reads_all=reads_all)
        self._messages = MessageListener(
            inbox,
            self._marks,
            private_channels,
            clock=clock,
            private=private,
            pause=pause,
            hint=self._hints,
            spoken=spoken,
            reads_all=reads_all,
        )
        self.history = CatchUp(
            self._marks, private_channels, self._match_places, handle=self._messages.handle, pause=pause
        )
        self.interactions = InteractionListener(
            inbox,
            private_channels,
            self._signer,
            clock=clock,
            replies=replies,
            messages=self._messages,
            fill=fill,
            matters=matters,
        )
        self.thumbs = Thumbs(inbox, self._signer, expiry, messages=self._messages, answers=matters, clock=clock)
        self._pause = pause
        self._client: Client | None = None
        self._absent_since = clock()
        """Since when there is no client."""
        _limit_log_levels()

    # --- the port ---------------------------------------------------------------------------------------------
    async def run(self, hear: Receive) -> None:
        """Stay connected, and pass on whatever people say until cancelled.

        Raises OSError with a sentence for the host if the token is not, or no longer, valid.
        """
        self._signer.key = await self._key()
        await self._marks.floor()
        self.interactions.hear = hear
        try:
            async with asyncio.TaskGroup() as tasks:
                tasks.create_task(self.inbox.read_out(hear), name="discord: kept messages")
                tasks.create_task(self._messages.listen(hear), name="discord: messages")
                tasks.create_task(self._stay_connected(), name="discord: connection")
        finally:
            self.interactions.hear = None
            await self.interactions.finish()
            with suppress(OSError):  # else a few messages are read again
                await self._marks.save()

    async def deliver(self, message: OutgoingMessage, image: bytes | None) -> str:
        """Show a message. The same key again changes nothing."""
        where = message.where
        if where.platform != PLATFORM or not (limits.is_id(where.channel) or (message.only and not where.channel)):
            raise Undeliverable(f"Discord has no place like {where.platform} {where.channel}")
        if message.only and (message.only.platform != PLATFORM or not limits.is_id(message.only.id)):
            raise Undeliverable(f"nobody from {message.only.platform} can be written to on Discord")
        if self._client is None:
            raise absent((self._clock() - self._absent_since) / 1000)
        return await self._delivery.deliver(self._client, message, image)

    @property
    def caught_up(self) -> bool:
        """Whether all that was written before the present session has been read."""
        return self.history.caught_up

    # --- the client's events ----------------------------------------------------------------------------------
    async def look(self, client: Client) -> None:
        """See what the last session brought that nobody heard to its end."""
        try:
            await self._replies.look(client)
        except OSError as error:
            log.error("private replies of an earlier process cannot be looked up", error=reason(error))

    async def begun(self, client: Client) -> None:
        """Settle the interactions that an earlier process has left, and take away buttons that have expired."""
        try:
            async with asyncio.TaskGroup() as tasks:  # the first may wait for answers that are on their way
                tasks.create_task(self._replies.resume(client, self._pause))
                tasks.create_task(self._hints.resume(client))
                tasks.create_task(self.thumbs.missed(client))
                tasks.create_task(self._expiry.run(client))
        except* OSError as group:
            for error in group.exceptions:
                log.error("interactions of an earlier process cannot be settled", error=reason(error))

    async def register(self, client: Client) -> None:
        """Register the slash commands, if they are not those that were registered last."""
        translator = client.tree.translator
        assert translator is not None, "the client has one"
        payload = [await one.get_translated_payload(client.tree, translator) for one in client.tree.get_commands()]
        digest = hashlib.sha256(json.dumps([client.application_id, payload], sort_keys=True).encode()).hexdigest()
        failures = 0
        while await self.inbox.recall("commands") != digest:
            try:
                limits.check("commands", payload)
                await client.tree.sync()
                await self.inbox.note("commands", digest)
            except (discord.DiscordException, *UNREACHABLE) as error:
                log.error("the slash commands could not be registered", error=reason(error))
                await self._pause(BACKOFF[min(failures, len(BACKOFF) - 1)])
                failures += 1
            except limits.LimitExceeded:
                log.exception("the slash commands stay as they were")
                return

    async def reopen(self, client: Client, guild: discord.Guild) -> None:
        """Have the matches shown again whose places on a server had taken nothing, and take messages now."""
        for place in await self._places.closed(PLATFORM):
            thread = await self.inbox.recall("thread", place) if place.thread else ""
            channel = guild.get_channel(int(place.channel)) if limits.is_id(place.channel) else None
            found = guild.get_thread(int(thread)) if thread else None
            if channel is not None and may_post(found or channel):
                await self._places.opened(place)

    # --- the connection ---------------------------------------------------------------------------------------
    async def _stay_connected(self) -> None:
        failures = 0
        while True:
            begun = self._clock()
            client = Client(self, **self._shards)
            try:
                async with client:
                    try:
                        await client.login(self._token)
                        self._client = client
                        await _connected(client)
                    finally:
                        self._client, self._absent_since = None, self._clock()
                        self._delivery.titles.close()
            except discord.PrivilegedIntentsRequired:
                raise OSError(errno.EACCES, NOT_GRANTED) from None
            except discord.LoginFailure:
                raise OSError(errno.EACCES, REFUSED) from None
            except discord.ConnectionClosed as closed:
                if closed.code == 4004:
                    raise OSError(errno.EACCES, REFUSED) from None
                log.error("Discord has closed the connection", code=closed.code)
            except (discord.DiscordException, *UNREACHABLE) as error:
                log.error("Discord cannot be reached", error=reason(error))
            failures = failures + 1 if self._clock() - begun < 60_000 else 1
            await self._pause(BACKOFF[min(failures, len(BACKOFF)) - 1])

    async def _match_places(self) -> MatchPlaces:
        return await match_places(self.inbox, self._matches, self._clock())

    async def _key(self) -> bytes:
        """The key that signs our buttons: made once, for good."""
        known = await self.inbox.recall("key") or await self.inbox.note_first("key", secrets.token_hex(32))
        return bytes.fromhex(known)


async def _connected(client: Client) -> None:
    """Stay connected until that ends; a task of its own, since discord.py may swallow that it is cancelled."""
    connection = asyncio.create_task(client.connect(), name="discord: gateway")
    try:
        await asyncio.wait([connection])
        connection.result()
    finally:
        if not connection.done():
            # First the task, so that no connection is made behind the back of `close`; again, since it may swallow it.
            connection.cancel()
            await asyncio.wait([connection], timeout=SWALLOWED)
            await client.close()
            connection.cancel()
            await asyncio.gather(connection, return_exceptions=True)
        await _close_forgotten(client)


async def _close_forgotten(client: Client) -> None:
    """Close the sockets that discord.py forgets, each with its heartbeat: those cut off while they identified."""
    for thread in threading.enumerate():
        if isinstance(thread, KeepAliveHandler) and thread.ws._connection is client._connection:
            thread.stop()
            with suppress(Exception):
                async with asyncio.timeout(SWALLOWED):
                    await thread.ws.close(1000)
            await asyncio.to_thread(thread.join, SWALLOWED)


def _limit_log_levels() -> None:
    """At DEBUG these log whole messages, secrets and tokens included: never, whatever the log is set to."""
    for name in ("discord", "aiohttp"):
        logger = logging.getLogger(name)
        if logger.level < logging.INFO:
            logger.setLevel(logging.INFO)
