"""Presses on Discord that take their time: held back, and acknowledged meanwhile without a sign."""

import asyncio

from bot.messages.model import IncomingMessage
from tests.adapters.discord_room import DiscordRoom
from tests.discord_standin import Interaction
from tests.discord_standin.interactions import DEFER_UPDATE


class Held:
    """Has the service deal with what it hears only once it is let go."""

    def __init__(self, room: DiscordRoom):
        self.go = asyncio.Event()
        self._receive = room.receive
        room.receive = self.receive

    async def receive(self, heard: IncomingMessage) -> bool:
        await self.go.wait()
        return await self._receive(heard)


async def deferred(room: DiscordRoom, pressed: Interaction) -> None:
    """Wait until a press is acknowledged, which nobody sees."""
    await pressed.answered()
    assert (pressed.answer, pressed.loading, pressed.replies) == (DEFER_UPDATE, False, [])
    await room.until(lambda: not [one for one in asyncio.all_tasks() if one.get_name() == "acknowledging"])
