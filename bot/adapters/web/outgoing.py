"""Writes the bot's messages into the history and wakes the tabs that may see them."""

import secrets
from collections.abc import Awaitable, Callable
from dataclasses import replace
from typing import Final

from bot.adapters.web import protocol
from bot.adapters.web.errors import converting
from bot.adapters.web.history.history import History, Image, Message, Room
from bot.adapters.web.tabs import Tabs
from bot.adapters.web.users import BOT, ELSEWHERE, PLATFORM
from bot.messages.model import OutgoingMessage, Place, Undeliverable
from bot.messages.serialization import write_picture
from storage.store import Summary

LOUNGE: Final = "lounge"
"""The channel that is always there."""

UNDECIDED: Final = {"open", "declined"}
"""The statuses of one that has not begun: accepting it brings it to the lounge."""
ENDED: Final = {"over", "declined"}
"""The statuses of a match that nobody waits for any more."""


class Delivery:
    """Writes messages; the same key again changes nothing."""

    def __init__(
        self,
        history: History,
        tabs: Tabs,
        clock: Callable[[], int],
        summary: Callable[[str], Awaitable[Summary | None]],
    ):
        self._history = history
        self._tabs = tabs
        self._clock = clock
        self._summary = summary

    async def deliver(self, message: OutgoingMessage, image: bytes | None) -> str:
        """Show a message and return its number. Raises Retry or Undeliverable."""
        if not message.where.channel:
            message = replace(message, where=replace(message.where, channel=await self._channel(message)))
        with converting():
            if message.opening:
                await self._open_thread(message)
            # The picture's name is a secret of those who may see the message.
            token = secrets.token_urlsafe(16)
            written = Message(
                *(0, message.key, message.where, "", BOT, message.only.id if message.only else "", ""),
                body=protocol.posted(message, image, token),
                at=self._clock(),
            )
            picture = message.picture
            anew = write_picture(picture) if picture and not picture.chosen and not picture.form else ""
            number = await self._history.add(written, Image(token, image, anew) if picture and image else None)
            await self.describe(message.where)
        self._tabs.wake(*(() if message.where.channel == ELSEWHERE else (message.where,)))
        return str(number)

    async def _channel(self, message: OutgoingMessage) -> str:
        """Where somebody is told what is for them alone: at their match, if that is under way; else in the lounge."""
        found = await self._summary(message.where.thread) if message.only and message.where.thread else None
        return ELSEWHERE if found is not None and found.status not in UNDECIDED else LOUNGE

    async def describe(self, where: Place) -> None:
        """Look up how a thread's match stands, for the list of places."""
        if where.thread and (found := await self._summary(where.thread)):
            over = found.status in ENDED
            await self._history.describe(Room(where, found.game, found.players, found.to_act, over, 0, found.due))

    async def _open_thread(self, message: OutgoingMessage) -> None:
        """Announce the thread in its channel."""
        around = replace(
            message, where=replace(message.where, thread=""), text=message.opening, picture=None, choices=()
        )
        written = Message(
            *(0, f"{message.key}:opening", around.where, "", BOT, "", ""),
            body=protocol.posted(around, None, ""),
            at=self._clock(),
        )
        await self._history.add(written)
        self._tabs.wake(around.where)


def check_reach(message: OutgoingMessage) -> None:
    """Raise Undeliverable for what belongs to another platform."""
    if message.where.platform != PLATFORM:
        raise Undeliverable(f"the web room has no place on {message.where.platform}")
    if message.only and message.only.platform != PLATFORM:
        raise Undeliverable(f"nobody from {message.only.platform} is in the web room")
