"""The private channels between people and the bot: opened, and remembered, since Discord lists them nowhere."""

from itertools import islice
from typing import Final

import discord

from bot.adapters.discord.markup import PLATFORM
from bot.messages.model import Place
from bot.runtime.inbox import Inbox

PER_NOTE: Final = 200
"""Channels in one note of the inbox."""


class DirectMessages:
    """Every private channel that was ever used, and whose it is."""

    def __init__(self, inbox: Inbox):
        self._inbox = inbox
        self._known: dict[int, int] | None = None
        """By channel, the person, oldest first; None until it is looked up."""

    async def open(self, client: discord.Client, user: int) -> discord.DMChannel:
        """The private channel with somebody, opened if need be."""
        channel = await client.create_dm(discord.Object(user))
        await self.note(channel.id, user)
        return channel

    async def note(self, channel: int, user: int) -> None:
        """Remember that a channel is private between somebody and the bot."""
        known = await self.known()
        if channel not in known:
            known[channel] = user
            try:
                await self._inbox.note(*self._last_page(known))
            except OSError:
                self._known = None
                raise
        here = Place(PLATFORM, str(channel))
        if await self._inbox.recall("private", here) != str(user):
            await self._inbox.note("private", str(user), here)

    async def known(self) -> dict[int, int]:
        """Whose each private channel is."""
        if self._known is None:
            known: dict[int, int] = {}
            page = 0
            while text := await self._inbox.recall(_key(page)):
                pairs = (pair.split(":") for pair in text.split())
                known |= {int(channel): int(user) for channel, user in pairs}
                page += 1
            self._known = known
        return self._known

    def _last_page(self, known: dict[int, int]) -> tuple[str, str]:
        page = (len(known) - 1) // PER_NOTE
        pairs = list(islice(known.items(), page * PER_NOTE, None))
        return _key(page), " ".join(f"{channel}:{user}" for channel, user in pairs)


def _key(page: int) -> str:
    return f"private channels {page}"
