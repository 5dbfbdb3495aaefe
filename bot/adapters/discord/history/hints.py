"""Answers a turn that Discord does not show us: who is to move gets the button, once a turn, and nobody is rung."""

from collections.abc import Awaitable, Callable
from typing import Final, TypeAlias

import discord

from bot.adapters.discord.language import said
from bot.adapters.discord.markup import PLATFORM, escaped
from bot.adapters.discord.sending import Part, Sender
from bot.messages.catalogue import language
from bot.messages.model import Button, Place
from bot.messages.serialization import message_key
from bot.runtime.inbox import Inbox
from engine.text import Text

TurnDue: TypeAlias = Callable[[str, str, str], Awaitable[Button | None]]
"""The button for a player's turn in a match, in a language, if one is due."""

KEY: Final = "hinted"
HINT: Final = (
    Text("{player}, Discord does not show me what you write here."),
    Text("If that was your turn: press the button, reply to one of my messages with it, or mention me."),
)


class Hints:
    """Knows for which turns it was said already."""

    def __init__(self, inbox: Inbox, sender: Sender, turn_due: TurnDue, *, reads_all: bool):
        self._inbox = inbox
        self._sender = sender
        self._turn_due = turn_due
        self._reads_all = reads_all

    async def unread(self, client: discord.Client, message: discord.Message, where: Place, at: int) -> None:
        """A message without words has come: say how to be heard, if its author is to move in this place's match."""
        if self._reads_all or not where.thread:
            return
        button = await self._turn_due(f"{PLATFORM}:{message.author.id}", where.thread, "")
        if button is None or await self._inbox.recall(KEY, where) == button.command:
            return
        fact, remedy = HINT
        name = escaped(message.author.display_name, starts=False)
        text = said((Text(fact.template, player=name), remedy), language())
        key = message_key(f"hint {where.thread} {button.command}", 0)
        await self._sender.send(client, message.channel.id, [Part(text, (button,))], key, at)
        await self._inbox.note(KEY, button.command, where)
