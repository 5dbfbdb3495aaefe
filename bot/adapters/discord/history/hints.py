"""Answers a turn that Discord does not show us: who is to move gets a button, once a turn, without a notification."""

from collections.abc import Awaitable, Callable
from dataclasses import dataclass, replace
from typing import Final, TypeAlias

import discord
import msgspec
import structlog

from bot.adapters.discord.direct_messages import DirectMessages
from bot.adapters.discord.errors import UNREACHABLE
from bot.adapters.discord.language import Spoken, said
from bot.adapters.discord.markup import PLATFORM, escaped
from bot.adapters.discord.sending import Part, Sender
from bot.messages.model import Button, Place
from bot.messages.serialization import message_key
from bot.runtime.inbox import Inbox
from bot.service.contact import GOES_ON_HERE
from bot.trouble import reason
from engine.text import Text

TurnDue: TypeAlias = Callable[[str, str, str], Awaitable[Button | None]]
"""The button for a player's turn in a match, in a language, if one is due."""

log = structlog.get_logger(__name__)

KEY: Final = "hinted"
UNDER_WAY: Final = "hinting"
"""Noted before a hint is posted: if we are killed before its button is noted, the next process finds it."""
HINT: Final = (
    Text("{player}, Discord does not show me what you write here."),
    Text("If that was your turn: press the button, reply to one of my messages with it, or mention me."),
)


@dataclass(frozen=True, slots=True)
class Sent:
    """A hint under way."""

    at: int
    channel: int
    text: str
    button: Button

    @property
    def part(self) -> Part:
        """As it is sent."""
        return Part(self.text, (self.button,))


class Hints:
    """Knows for which turns it was said already."""

    def __init__(
        self,
        inbox: Inbox,
        sender: Sender,
        turn_due: TurnDue,
        direct_messages: DirectMessages,
        *,
        spoken: Spoken,
        reads_all: bool,
    ):
        self._spoken = spoken
        self._direct_messages = direct_messages
        self._inbox = inbox
        self._sender = sender
        self._turn_due = turn_due
        self._reads_all = reads_all

    async def unread(self, client: discord.Client, message: discord.Message, where: Place, at: int) -> None:
        """A message without words has come: say how to be heard, if its author is to move in this place's match."""
        if self._reads_all or not where.thread:
            return
        player = f"{PLATFORM}:{message.author.id}"
        spoken = await self._spoken(player, where)
        button = await self._turn_due(player, where.thread, spoken.code)
        if button is None or await self._inbox.recall(KEY, where) == button.command:
            return
        fact, remedy = HINT
        name = escaped(message.author.display_name, starts=False)
        text = said((Text(fact.template, player=name), remedy), spoken)
        key = message_key(f"hint {where.thread} {button.command}", 0)
        sent = Sent(at, message.channel.id, text, button)
        try:
            await self._send(client, where, sent, key)
        except discord.Forbidden:  # nothing can be written there
            private = await self._direct_messages.open(client, message.author.id)
            text = said((Text(GOES_ON_HERE.template, match=where.thread),), spoken)
            await self._send(client, where, replace(sent, channel=private.id, text=text), key)

    async def _send(self, client: discord.Client, where: Place, sent: Sent, key: str) -> None:
        await self._inbox.note(UNDER_WAY, msgspec.json.encode(sent).decode(), where)
        await self._sender.send(client, sent.channel, [sent.part], key, sent.at)
        await self._settle(where, sent)

    async def resume(self, client: discord.Client) -> None:
        """Find what another process may have posted and could not note: its button must go one day."""
        for where, noted in await self._inbox.everywhere(UNDER_WAY):
            sent = msgspec.json.decode(noted, type=Sent)
            try:
                await self._sender.find(client, sent.channel, sent.part, sent.at)
                await self._settle(where, sent)
            except (discord.HTTPException, *UNREACHABLE) as error:
                log.warning("a hint could not be looked for", channel=sent.channel, error=reason(error))

    async def _settle(self, where: Place, sent: Sent) -> None:
        await self._inbox.note(KEY, sent.button.command, where)
        await self._inbox.note(UNDER_WAY, "", where)
