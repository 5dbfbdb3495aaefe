"""What people write where we can see it: in private, or where they mention us or reply to us."""

import asyncio
import re
from collections.abc import Callable
from contextlib import suppress
from typing import Final

import discord
import structlog

from bot.adapters.discord import limits
from bot.adapters.discord.catch_up import Matches, missed
from bot.adapters.discord.errors import UNREACHABLE
from bot.adapters.discord.markup import PLATFORM, escaped
from bot.commands.spec import ParsedCommand, PlainText, read
from bot.messages.model import IncomingMessage, Person, Place, Receive, clean
from bot.messages.serialization import message_key, read_address
from bot.runtime.inbox import Inbox

log = structlog.get_logger(__name__)

SAID_ALOUD: Final = (
    "That was for my ears only, so please do not write it where others read along. I have understood it{deleted}. "
    "Next time use my slash commands, which nobody else sees, or the button below my question, or write to me here."
)

UNREAD: Final = (
    "You have replied to me with the mention switched off, and Discord does not show me such messages. "
    "If it was for me, reply with the mention on (the little @ button), or use `/move`."
)

NOBODY: Final = (
    "I do not know whom you mean by @{name}. Choose the name from the list that Discord shows after the @, or use "
    "`/challenge`."
)

TEXTS: Final = (discord.MessageType.default, discord.MessageType.reply)


class Ears:
    """Takes messages in the order they come, and keeps them before they are dealt with: Discord tells them once."""

    def __init__(self, notebook: Inbox, clock: Callable[[], int], private: Callable[[str], bool]):
        self._notebook = notebook
        self._clock = clock
        self._private = private
        self._told: set[int] = set()
        """Who knows that we cannot read everything, as far as we remember."""
        self._queue: asyncio.Queue[tuple[discord.Client, discord.Message]] = asyncio.Queue()

    def take(self, client: discord.Client, message: discord.Message) -> None:
        """Somebody has written something."""
        if not (message.author.bot or message.webhook_id or message.type not in TEXTS):
            self._queue.put_nowait((client, message))

    async def catch_up(self, client: discord.Client, matches: Matches) -> None:
        """Take what was written while we were not connected; who listens knows again what was heard before."""
        if seen := await self._notebook.recall("seen"):
            async for message in missed(client, self._notebook, matches, int(seen)):
                self.take(client, message)
        else:
            await self._notebook.note("seen", str((self._clock() - discord.utils.DISCORD_EPOCH) << 22))

    async def listen(self, hear: Receive) -> None:
        """Keep what was written to us, until cancelled."""
        while True:
            client, message = await self._queue.get()
            try:
                heard = await self._understood(client, message)
                if heard is None:
                    continue
                try:
                    await self._notebook.keep([heard], seen=str(message.id))
                except OSError:  # the disk is full, say; `hear` knows how to wait for it
                    await hear(heard)
                if heard.server and self._private(heard.text):
                    await self._hush(client, message)
            except Exception:  # the others must not wait for it
                log.exception("a message could not be understood", id=message.id)

    async def place(self, channel: int) -> Place:
        """Where somebody is who speaks in a channel or thread: in a match's thread, that match is meant."""
        here = Place(PLATFORM, str(channel))
        match = await self._notebook.recall("match", here)
        return read_address(match) if match else here

    async def note_private(self, channel: int, user: int) -> None:
        """Remember that a channel is private between somebody and us."""
        here = Place(PLATFORM, str(channel))
        if await self._notebook.recall("private", here) != str(user):
            await self._notebook.note("private", str(user), here)

    async def _understood(self, client: discord.Client, message: discord.Message) -> IncomingMessage | None:
        assert client.user is not None, "a client that hears has logged in"
        replied = await self._replied(message)
        if not message.content:
            if replied is not None and not message.attachments and not message.stickers:
                await self._explain(client, message)
            return None
        where = await self.place(message.channel.id)
        alone = isinstance(message.channel, discord.DMChannel)  # no guild need not say so: it may not be known yet
        if alone:
            await self.note_private(message.channel.id, message.author.id)
        elif client.user not in message.mentions and replied is None:
            return None
        if replied is not None and not where.thread:
            where = Place(PLATFORM, where.channel, replied.thread)
        text = re.sub(rf"<@!?{client.user.id}>[ ,:]*", "", message.content)
        text = re.sub(r"<@!?(\d+)>", r"@\1", text).strip()
        who = Person(PLATFORM, str(message.author.id), shown(message.author))
        server = "" if alone else str(message.guild.id if message.guild else getattr(message.channel, "guild_id", "?"))
        host = alone or (isinstance(message.author, discord.Member) and message.author.guild_permissions.manage_guild)
        if not text:
            return None
        if nobody := _nobody(text):
            await self._tell(client, message, NOBODY.format(name=escaped(nobody)), "nobody")
            return None
        if alone and isinstance(said := read(text), PlainText) and said.typo_of is None:
            text = f"move {text}"  # where nobody else is, whatever is no command is a turn
        now = self._clock()
        sent = min(now, int(message.created_at.timestamp() * 1000))
        return IncomingMessage(f"discord:m{message.id}", who, where, text, now, sent, server, host)

    async def _replied(self, message: discord.Message) -> Place | None:
        """The place of the post of ours that a message replies to."""
        reference = message.reference
        if reference is None or reference.message_id is None:
            return None
        post = await self._notebook.post(str(reference.message_id))
        return post.where if post else None

    async def _explain(self, client: discord.Client, message: discord.Message) -> None:
        """Somebody has replied without mentioning us, so that we cannot read it: tell them, but not every time."""
        if message.author.id not in self._told:
            self._told.add(message.author.id)
            await self._tell(client, message, UNREAD, "unread")

    async def _hush(self, client: discord.Client, message: discord.Message) -> None:
        """A secret was said aloud: take it away if we may, and tell its author in private how it is done."""
        try:
            await message.delete()
            deleted = " and taken it away"
        except (discord.HTTPException, *UNREACHABLE):
            deleted = "; delete it before they do"
        await self._tell(client, message, SAID_ALOUD.format(deleted=deleted), "aloud")

    async def _tell(self, client: discord.Client, message: discord.Message, text: str, about: str) -> None:
        with suppress(discord.HTTPException, *UNREACHABLE):
            channel = await client.create_dm(message.author)
            await channel.send(text, nonce=message_key(f"discord:m{message.id}/{about}", 0))


def _nobody(text: str) -> str:
    """The name that somebody has written after an @ without choosing it from Discord's list, if it is a challenge."""
    said = read(text)
    if not isinstance(said, ParsedCommand) or said.command.name != "challenge":
        return ""
    names = (word[1:].rstrip(",:") for word in said.words if word.startswith("@"))
    return next((name for name in names if not limits.is_id(name) and ":" not in name), "")


def shown(user: discord.User | discord.Member) -> str:
    """A name as others see it, without tricks, on one line and short."""
    return limits.cut(" ".join(clean(user.display_name).split()), 32) or str(user.id)
