"""A thumb below a challenge or an offer answers it, as the button there does; buttons are there for all else."""

from collections.abc import Awaitable, Callable
from contextlib import suppress
from typing import Final, Protocol

import discord
import structlog

from bot.adapters.discord.errors import UNREACHABLE
from bot.adapters.discord.incoming import MessageListener, shown_name
from bot.adapters.discord.interactions.buttons import SAY, Signer
from bot.adapters.discord.interactions.expiry import KEY, Expiry
from bot.adapters.discord.markup import PLATFORM
from bot.messages.model import IncomingMessage, Person, Place
from bot.messages.prompts import ANSWERS, meant
from bot.runtime.inbox import Inbox
from bot.trouble import reason

log = structlog.get_logger(__name__)

LOST: Final = (discord.DiscordException, *UNREACHABLE)


class Answers(Protocol):
    """Knows whose an answer is."""

    def answerable(self, who: Person, where: Place, line: str, /) -> Awaitable[bool]:
        """Whether a challenge or an offer waits for somebody's answer that a button gives."""


class Thumbs:
    """Hears signs that people put below what asks for a yes or a no. From anybody else a thumb is just applause."""

    def __init__(
        self,
        inbox: Inbox,
        signer: Signer,
        expiry: Expiry,
        *,
        messages: MessageListener,
        answers: Answers,
        clock: Callable[[], int],
    ):
        self._inbox = inbox
        self._signer = signer
        self._expiry = expiry
        self._messages = messages
        self._answers = answers
        self._clock = clock

    async def put(self, client: discord.Client, change: discord.RawReactionActionEvent) -> None:
        """Somebody has put a sign below a message."""
        own = client.user is not None and change.message_author_id == client.user.id
        if not (own and (sign := meant(str(change.emoji)))):
            return
        with suppress(*LOST):  # the button is still there
            found = client.get_partial_messageable(change.channel_id)
            message = await found.fetch_message(change.message_id)
            user = change.member or await client.fetch_user(change.user_id)
            await self._answered(client, message, user, sign, change.guild_id)

    async def missed(self, client: discord.Client) -> None:
        """Hear what was put below open challenges and offers while nobody listened."""
        for match in {place.thread for place in await self._inbox.noting(KEY)}:
            for remote, (channel, first) in (await self._expiry.noted(match)).items():
                if first.partition(" ")[0] not in ANSWERS:
                    continue
                try:
                    await self._look_below(client, channel, int(remote))
                except LOST as error:
                    log.info("reactions to a message cannot be read", channel=channel, error=reason(error))

    async def _look_below(self, client: discord.Client, channel: int, remote: int) -> None:
        message = await client.get_partial_messageable(channel).fetch_message(remote)
        place = await client.fetch_channel(channel) if message.reactions else None
        guild = getattr(place, "guild", None)
        for reaction in message.reactions:
            if sign := meant(str(reaction.emoji)):
                async for user in reaction.users():
                    await self._answered(client, message, user, sign, guild and guild.id)

    async def _answered(
        self,
        client: discord.Client,
        message: discord.Message,
        user: discord.User | discord.Member,
        sign: str,
        guild: int | None,
    ) -> None:
        """Take a sign for the button that means the same, if that is there and somebody's to press."""
        pressed = [command for command in self._said_by(message) if ANSWERS.get(command.partition(" ")[0]) == sign]
        if user.bot or message.author != client.user or len(pressed) != 1:
            return
        who, where = Person(PLATFORM, str(user.id), shown_name(user)), await self._messages.place(message.channel.id)
        if await self._answers.answerable(who, where, pressed[0]):
            number, server = f"{PLATFORM}:r{message.id}.{user.id}.{sign}", str(guild or "")
            await self._inbox.keep([IncomingMessage(number, who, where, pressed[0], self._clock(), server=server)])

    def _said_by(self, message: discord.Message) -> list[str]:
        """The commands of a message's buttons."""
        rows = (row for row in message.components if isinstance(row, discord.ActionRow))
        ids = (one.custom_id or "" for row in rows for one in row.children if isinstance(one, discord.Button))
        return [found[1] for found in map(self._signer.read, ids) if found and found[0] == SAY]
