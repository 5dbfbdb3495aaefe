"""A table on Discord where slash commands are given."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from bot.commands.spec.parts import Slot
from bot.commands.suggestions.forms import fill
from bot.messages.model import IncomingMessage, Place
from bot.messages.model import Person as Somebody
from tests.chat_room import ChatRoom
from tests.discord_standin import StandIn
from tests.discord_standin.people import Person
from tests.discord_standin.world import Channel


@dataclass
class Table:
    """A server with Anna, Ben and the bot, whose messages a test handles."""

    standin: StandIn
    anna: Person
    ben: Person
    games: Channel
    room: ChatRoom
    heard: list[IncomingMessage] = field(default_factory=list)
    trouble: bool = False
    """Whether fields cannot be completed now."""

    async def hear(self, heard: IncomingMessage) -> bool:
        self.heard.append(heard)
        return False

    async def fill(
        self, who: Somebody, where: Place, slot: Slot, filled: Mapping[str, str]
    ) -> Sequence[tuple[str, str]]:
        if self.trouble:
            raise OSError("the disk is away")
        return await fill(self.room.service.repository, who, where, slot, filled)

    async def said(self, count: int = 1) -> str:
        """What was said last, once so much was."""
        await self.standin.until(lambda: len(self.heard) >= count, f"{count} lines")
        return self.heard[-1].text
