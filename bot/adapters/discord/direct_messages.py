"""The private channels between people and the bot: opened, and remembered, since Discord lists them nowhere."""

from typing import Final

import discord

from bot.adapters.discord.markup import PLATFORM
from bot.messages.model import Place
from bot.runtime.inbox import Inbox

PRIVATE: Final = "private"
"""The key under which it is noted whose a channel is."""


class DirectMessages:
    """Every private channel that was ever used, and whose it is: a note for each, so that several processes can add."""

    def __init__(self, inbox: Inbox):
        self._inbox = inbox

    async def open(self, client: discord.Client, user: int) -> discord.DMChannel:
        """The private channel with somebody, opened if need be."""
        channel = await client.create_dm(discord.Object(user))
        await self.note(channel.id, user)
        return channel

    async def note(self, channel: int, user: int) -> None:
        """Remember that a channel is private between somebody and the bot."""
        here = Place(PLATFORM, str(channel))
        if await self._inbox.recall(PRIVATE, here) != str(user):
            await self._inbox.note(PRIVATE, str(user), here)

    async def known(self) -> dict[int, int]:
        """Whose each private channel is."""
        noted = await self._inbox.everywhere(PRIVATE)
        return await self._known_before() | {int(place.channel): int(user) for place, user in noted if place.channel}

    async def _known_before(self) -> dict[int, int]:
        """The same, as earlier versions noted it: in pages of many."""
        known: dict[int, int] = {}
        page = 0
        while text := await self._inbox.recall(f"private channels {page}"):
            known |= {int(channel): int(user) for channel, user in (pair.split(":") for pair in text.split())}
            page += 1
        return known
