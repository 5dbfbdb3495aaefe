"""How far each channel has been read without a gap: raised only by what follows a complete read."""

from collections.abc import Callable
from typing import Final

from discord.utils import DISCORD_EPOCH

from bot.runtime.inbox import Inbox

UNSAVED: Final = 200
"""Messages after which marks are stored at the latest: so many are read again after a crash."""
FLOOR: Final = "seen"
"""The key of the mark that channels without one of their own have."""


class Marks:
    """Ids of messages, by channel; kept in the inbox, together with the messages where there are any."""

    def __init__(self, inbox: Inbox, clock: Callable[[], int]):
        self._inbox = inbox
        self._clock = clock
        self._marks: dict[int, int] = {}
        """As far as they were looked up or raised."""
        self._unsaved: dict[int, int] = {}
        self._reached = 0
        """Messages since the marks were stored."""

    async def of(self, channel: int) -> int:
        """The mark of a channel; 0 if it has none."""
        if channel not in self._marks:
            stored = int(await self._inbox.recall(_key(channel)) or 0)
            self._marks[channel] = max(stored, self._marks.get(channel, 0))
        return self._marks[channel]

    async def floor(self) -> int:
        """Where channels begin to be read that have no mark: nothing older was ever for us to hear."""
        found = await self._inbox.recall(FLOOR)
        if not found:
            found = str(id_at(self._clock()))
            await self._inbox.note(FLOOR, found)
        return int(found)

    def notes(self, channel: int, message: int) -> dict[str, str]:
        """What is to be stored with a message: its channel's mark, and all that are unsaved."""
        marks = self._unsaved | ({channel: message} if message > self._marks.get(channel, 0) else {})
        return {_key(one): str(mark) for one, mark in marks.items()}

    def stored(self, channel: int, message: int) -> None:
        """What `notes` returned is stored."""
        self._marks[channel] = max(message, self._marks.get(channel, 0))
        self._saved()

    def reach(self, channel: int, message: int) -> None:
        """Everything in the channel up to the message is stored, or was not for us."""
        if message > self._marks.get(channel, 0):
            self._marks[channel] = self._unsaved[channel] = message
            self._reached += 1

    async def save(self, most: int = 0) -> None:
        """Store the marks, if they were raised more often than that since they were stored."""
        if self._reached > most:
            await self._inbox.keep([], **{_key(one): str(mark) for one, mark in self._unsaved.items()})
            self._saved()

    def _saved(self) -> None:
        self._unsaved.clear()
        self._reached = 0


def id_at(millis: int) -> int:
    """The smallest id of a message that is written at an instant, in milliseconds since 1970 UTC."""
    return max(0, millis - DISCORD_EPOCH) << 22


def _key(channel: int) -> str:
    return f"seen:{channel}"
