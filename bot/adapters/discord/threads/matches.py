"""The thread of each match: opened at the first message to it, found again, and unlocked."""

from collections.abc import Sequence
from typing import Final

import discord
import structlog

from bot.adapters.discord import limits
from bot.adapters.discord.errors import ARCHIVED, REASONS, THREAD_EXISTS, UNKNOWN_CHANNEL, converted
from bot.adapters.discord.markup import PLATFORM, render
from bot.adapters.discord.sending import Part, Sender
from bot.adapters.discord.threads.titles import Titles
from bot.messages.catalogue import language
from bot.messages.model import GALLERY, OutgoingMessage, Place, Retry, Undeliverable
from bot.messages.serialization import address, message_key
from bot.runtime.inbox import Inbox
from engine.text import Text

log = structlog.get_logger(__name__)

ARCHIVE_MINUTES: Final = 10080
"""Minutes without a message after which a thread is archived: a week, the longest there is. A message reopens it."""


class MatchThreads:
    """Sends messages to where a match is played on Discord."""

    def __init__(self, inbox: Inbox, sender: Sender, titles: Titles):
        self._inbox = inbox
        self._sender = sender
        self._titles = titles

    async def send(self, client: discord.Client, message: OutgoingMessage, parts: Sequence[Part]) -> tuple[str, int]:
        """Send to where the match is played; the message's id, and the thread's or channel's."""
        sent, target = await self._sent(client, message, parts)
        if message.admits:
            await self._admit(client, message, target)
        return sent, target

    async def _sent(self, client: discord.Client, message: OutgoingMessage, parts: Sequence[Part]) -> tuple[str, int]:
        target = await self._target(client, message)
        try:
            return await self._sender.send(client, target, parts, message.key, message.at), target
        except discord.NotFound as error:
            if error.code != UNKNOWN_CHANNEL or target == int(message.where.channel):
                raise
            log.warning("a thread is gone, so the match gets another", match=message.where.thread)
            await self._inbox.note("thread", "", message.where)
            target = await self._target(client, message)
            return await self._sender.send(client, target, parts, message.key, message.at), target
        except discord.HTTPException as error:
            if error.code not in ARCHIVED:
                raise
            await self._unlock(client, target, REASONS[error.code])
            return await self._sender.send(client, target, parts, message.key, message.at), target

    async def _target(self, client: discord.Client, message: OutgoingMessage) -> int:
        if not message.where.thread:
            return int(message.where.channel)
        known = await self._inbox.recall("thread", message.where)
        return int(known) if known else await self._opened(client, message)

    async def _opened(self, client: discord.Client, message: OutgoingMessage) -> int:
        """A thread for a match, hanging from a message in its channel; the channel itself where that cannot be."""
        here = int(message.where.channel)
        channel = client.get_channel(here) or await client.fetch_channel(here)
        if message.where.gallery:
            return await self._open_gallery(client, channel, message)
        thread = await self._open(client, channel, message) if isinstance(channel, discord.TextChannel) else here
        if thread != here:
            await self._inbox.note("match", address(message.where), Place(PLATFORM, str(thread)))
        await self._inbox.note("thread", str(thread), message.where)
        return thread

    async def _open(self, client: discord.Client, channel: discord.TextChannel, message: OutgoingMessage) -> int:
        match = message.where.thread
        spoken = language(message.language)
        spans = message.opening or spoken.spans(Text("**Match {match}**", match=match))
        opening = [Part(render(spans, spoken=spoken))]
        root = await self._sender.send(
            client, channel.id, opening, message_key(f"{message.key}/opening", 0), message.at
        )
        if not root:  # deleted already, and Discord remembers
            root = await self._sender.send(
                client, channel.id, opening, message_key(f"{message.key}/opening", 1), message.at
            )
        name = await self._titles.title(match, message.language) or spoken.say(Text("Match {match}", match=match))
        limits.check("thread", {"name": name})
        try:
            start = discord.PartialMessage(channel=channel, id=int(root))
            thread = await start.create_thread(name=name, auto_archive_duration=ARCHIVE_MINUTES)
        except discord.HTTPException as error:
            if error.code == THREAD_EXISTS:
                return int(root)
            if isinstance(converted(error), Retry):
                raise
            log.warning("no thread can be opened, so the match is played in the channel", match=match, code=error.code)
            return channel.id
        self._titles.called(thread.id, name)
        return thread.id

    async def _open_gallery(self, client: discord.Client, channel: object, message: OutgoingMessage) -> int:
        """A private thread for spectators. Raises Undeliverable where there can be none."""
        if not isinstance(channel, discord.TextChannel):
            raise Undeliverable("only text channels have private threads")
        match = message.where.thread.removeprefix(GALLERY)
        name = language(message.language).say(Text("Match {match}, looking on", match=match))
        limits.check("thread", {"name": name})
        # Nothing keeps a second one from being opened, so after a crash in here we look first.
        threads = [one for one in await channel.guild.active_threads() if one.parent_id == channel.id]
        mine = [one for one in threads if one.is_private() and client.user and one.owner_id == client.user.id]
        thread = next((one for one in mine if one.name == name), None)
        if thread is None:
            thread = await channel.create_thread(
                name=name,
                type=discord.ChannelType.private_thread,
                invitable=False,  # else anybody in it could let a player in
                auto_archive_duration=ARCHIVE_MINUTES,
            )
        await self._inbox.note("admitted", "", message.where)
        await self._inbox.note("thread", str(thread.id), message.where)
        return thread.id

    async def _admit(self, client: discord.Client, message: OutgoingMessage, target: int) -> None:
        """Let people into a thread, each once: whoever has left it does not wish to be there."""
        known = (await self._inbox.recall("admitted", message.where)).split()
        thread = client.get_channel(target) or await client.fetch_channel(target)
        for who in message.admits:
            if who.id in known or not isinstance(thread, discord.Thread):
                continue
            try:
                await thread.add_user(discord.Object(int(who.id)))
            except (discord.Forbidden, discord.NotFound) as error:  # they cannot see the channel, say
                log.warning("somebody cannot be let into a thread", code=error.code)
                continue
            known.append(who.id)
            await self._inbox.note("admitted", " ".join(known), message.where)

    async def _unlock(self, client: discord.Client, target: int, otherwise: str) -> None:
        thread = client.get_channel(target) or await client.fetch_channel(target)
        try:
            if isinstance(thread, discord.Thread):
                await thread.edit(archived=False, locked=False)
        except discord.Forbidden:
            raise Undeliverable(otherwise, closes="place") from None
