"""Messages that people write to the bot: in private, mentioning it, or replying to it."""

import asyncio
import re
from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import replace
from typing import Final

import discord
import structlog

from bot.adapters.discord import limits
from bot.adapters.discord.direct_messages import DirectMessages
from bot.adapters.discord.errors import UNREACHABLE, is_refusal
from bot.adapters.discord.history.catch_up import Received
from bot.adapters.discord.history.hints import Hints
from bot.adapters.discord.history.marks import UNSAVED, Marks
from bot.adapters.discord.language import Spoken, said
from bot.adapters.discord.markup import PLATFORM, escaped
from bot.adapters.discord.threads.titles import Pause
from bot.commands.parser import ParsedCommand, PlainText, read_command
from bot.messages.model import PARTNER_NAME, IncomingMessage, Person, Place, Receive, clean
from bot.messages.serialization import message_key, read_address
from bot.runtime.inbox import Inbox
from bot.trouble import reason
from engine.text import Text

log = structlog.get_logger(__name__)

_EXPOSED: Final = Text("That was for me alone, so please do not write it where others can read it.")
_NEXT_TIME: Final = Text(
    "Next time use my slash commands, which nobody else sees, or the button below my question, or write to me here."
)
SAID_ALOUD_DELETED: Final = (_EXPOSED, Text("I have understood it and deleted your message."), _NEXT_TIME)
SAID_ALOUD: Final = (
    _EXPOSED,
    Text("I have understood it; delete your message before they see it."),
    _NEXT_TIME,
)
UNREADABLE: Final = (
    Text("You have replied to me with the mention switched off, and Discord does not show me such messages."),
    Text(
        "If it was for me, reply with the mention on (the little @ button), or use `{command}`.",
        command="/move",
    ),
)

WRITTEN: Final = (discord.MessageType.default, discord.MessageType.reply)
"""The types of messages that people write."""


def unknown_person(name: str) -> tuple[Text, ...]:
    """What is said when nobody is known by a name."""
    return (
        Text("I do not know whom you mean by @{name}.", name=escaped(name)),
        Text("Choose the name from the list that Discord shows after the @, or use `{command}`.", command="/challenge"),
    )


class MessageListener:
    """Stores messages, in the order in which they come, before they are handled: Discord sends them once."""

    def __init__(
        self,
        inbox: Inbox,
        marks: Marks,
        direct_messages: DirectMessages,
        *,
        clock: Callable[[], int],
        private: Callable[[str], bool],
        pause: Pause,
        hint: Hints,
        spoken: Spoken,
        reads_all: bool,
    ):
        self._spoken = spoken
        self._hint = hint
        self.reads_all = reads_all
        self._inbox = inbox
        self._marks = marks
        self._direct_messages = direct_messages
        self._clock = clock
        self._private = private
        self._pause = pause
        self._told_unreadable: set[int] = set()
        """People who have been told that we cannot read everything, since the start."""
        self._queue: asyncio.Queue[Received] = asyncio.Queue()

    def handle(self, received: Received) -> None:
        """Store a message when those before it are stored."""
        self._queue.put_nowait(received)

    async def listen(self, hear: Receive) -> None:
        """Store what is written to us, until cancelled."""
        while True:
            received = await self._queue.get()
            while True:
                try:
                    await self._take(received, hear)
                    break
                except OSError as error:  # the store's: it must not be lost to that
                    log.error("a message waits for the database", error=reason(error))
                    await self._pause(1)

    async def _take(self, received: Received, hear: Receive) -> None:
        message = received.message
        if message is not None and _by_person(message):
            try:
                await self._store(received, message, hear)
            except OSError:
                raise
            except Exception:  # the others must not wait for it
                log.exception("a message could not be understood", id=message.id)
        self._marks.reach(received.channel, received.mark)
        await self._marks.save(0 if received.done else UNSAVED)
        if received.done:
            received.done.set()

    async def _store(self, received: Received, message: discord.Message, hear: Receive) -> None:
        incoming = await self._translated(received, message)
        if incoming is None:
            return
        try:
            await self._inbox.keep([incoming], **self._marks.notes(received.channel, received.mark))
        except OSError:  # the disk is full, say; `hear` waits until it is not
            await hear(incoming)
        else:
            self._marks.stored(received.channel, received.mark)
        if incoming.server and self._private(incoming.text) and not received.again:
            await self._remove_secret(received.client, message)

    async def place(self, channel: int) -> Place:
        """The place of a channel or thread; of a match's thread, the match."""
        here = Place(PLATFORM, str(channel))
        match = await self._inbox.recall("match", here)
        return read_address(match) if match else here

    async def _translated(self, received: Received, message: discord.Message) -> IncomingMessage | None:
        """A message as the bot takes it; None if it is not for us."""
        client = received.client
        assert client.user is not None, "a client that receives has logged in"
        replied_to = await self._replied_to(message)
        if not message.content:
            written = not (message.attachments or message.stickers)
            if replied_to is not None and written and not received.again:
                await self._explain_unreadable(client, message)
            elif written and not received.again:
                await self._hint_at_button(client, message)
            return None
        where = await self.place(message.channel.id)
        alone = message.channel.type is discord.ChannelType.private  # a server may be missing: not known yet
        if alone:
            await self._direct_messages.note(message.channel.id, message.author.id)
        elif client.user not in message.mentions and replied_to is None and not (self.reads_all and where.thread):
            return None
        if replied_to is not None and not where.thread:
            where = Place(PLATFORM, where.channel, replied_to.thread)
        text = _meant(message.content, client.user.id)
        addressed = alone or text != message.content
        text = re.sub(r"<@!?(\d+)>", r"@\1", text).strip()
        who = Person(PLATFORM, str(message.author.id), shown_name(message.author))
        server = "" if alone else str(message.guild.id if message.guild else getattr(message.channel, "guild_id", "?"))
        if not text:
            return None
        if name := _unknown_person(text):
            if not received.again:
                await self._write_privately(client, message, unknown_person(name), "nobody")
            return None
        if alone and isinstance(parsed := read_command(text), PlainText) and parsed.typo_of is None:
            text = f"move {text}"  # where nobody else is, whatever is no command is a turn
        host = alone or await _is_host(message, text)
        now = self._clock()
        sent = min(now, int(message.created_at.timestamp() * 1000))
        first, version = f"discord:m{message.id}", received.version
        heard = IncomingMessage(
            *(first, who, where, text, now, sent, server, host),
            addressed=addressed,
            editable=True,
            bare=self.reads_all,
            server_locale=str(message.guild.preferred_locale) if message.guild else "",
        )
        return replace(heard, id=f"{first}/{version}", sent=0, edits=first) if version else heard

    async def _replied_to(self, message: discord.Message) -> Place | None:
        """The place of the bot's message that a message replies to."""
        reference = message.reference
        if reference is None or reference.message_id is None:
            return None
        ours = await self._inbox.post(str(reference.message_id))
        return ours.where if ours and not ours.where.gallery else None

    async def _hint_at_button(self, client: discord.Client, message: discord.Message) -> None:
        with suppress(discord.DiscordException, *UNREACHABLE):  # a courtesy, and not made up for
            await self._hint.unread(client, message, await self.place(message.channel.id), self._clock())

    async def _explain_unreadable(self, client: discord.Client, message: discord.Message) -> None:
        """Tell whoever replied without mentioning us that we cannot read it, but not every time."""
        if message.author.id not in self._told_unreadable:
            self._told_unreadable.add(message.author.id)
            await self._write_privately(client, message, UNREADABLE, "unread")

    async def _remove_secret(self, client: discord.Client, message: discord.Message) -> None:
        """Delete a secret that was written in public, if we may, and tell its author how to send one."""
        try:
            await message.delete()
            sentences = SAID_ALOUD_DELETED
        except (discord.HTTPException, *UNREACHABLE):
            sentences = SAID_ALOUD
        await self._write_privately(client, message, sentences, "aloud")

    async def _write_privately(
        self, client: discord.Client, message: discord.Message, sentences: Sequence[Text], about: str
    ) -> None:
        """Tell an author something that is no secret; where their direct messages are closed, where they wrote."""
        where = await self.place(message.channel.id)
        words = said(sentences, await self._spoken(f"{PLATFORM}:{message.author.id}", where))
        nonce = message_key(f"discord:m{message.id}/{about}", 0)
        with suppress(discord.HTTPException, *UNREACHABLE):
            try:
                channel = await self._direct_messages.open(client, message.author.id)
                await channel.send(words, nonce=nonce)
            except discord.HTTPException as error:
                if not is_refusal(error):
                    raise
                rung = discord.AllowedMentions(everyone=False, roles=False, users=[message.author])
                await message.channel.send(f"{message.author.mention} {words}", nonce=nonce, allowed_mentions=rung)


async def _is_host(message: discord.Message, text: str) -> bool:
    """Whether the author may change a server's settings; asked of Discord only where it matters, for old messages."""
    author, parsed = message.author, read_command(text)
    if not isinstance(author, discord.Member):
        if message.guild is None or not isinstance(parsed, ParsedCommand):
            return False
        if not (parsed.command.hosts or "here" in parsed.words):
            return False
        try:
            author = await message.guild.fetch_member(author.id)
        except (discord.HTTPException, *UNREACHABLE):
            return False
    return author.guild_permissions.manage_guild


def _by_person(message: discord.Message) -> bool:
    return not (message.author.bot or message.webhook_id) and message.type in WRITTEN


def _unknown_person(text: str) -> str:
    """The name that a challenge has after an @ if it was not chosen from Discord's list; "" if there is none."""
    parsed = read_command(text)
    if not isinstance(parsed, ParsedCommand) or parsed.command.name != "challenge":
        return ""
    names = (word[1:].rstrip(",:") for word in parsed.words if word.startswith("@"))
    return next((name for name in names if not limits.is_id(name) and ":" not in name and name != PARTNER_NAME), "")


def _meant(text: str, bot: int) -> str:
    """A message without the mention that it is for us; what a challenge mentions besides is whom it challenges."""
    words = re.sub(rf"^\s*<@!?{bot}>[ ,:]*", "", text)
    challenges = words.lower().startswith("challenge")
    return re.sub(rf"<@!?{bot}>[ ,:]*", f"@{PARTNER_NAME} " if challenges else "", words)


def shown_name(user: discord.User | discord.Member) -> str:
    """A name as others see it, without invisible signs, on one line and short."""
    return limits.cut(" ".join(clean(user.display_name).split()), 32) or str(user.id)
