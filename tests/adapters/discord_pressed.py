"""Presses on Discord that take their time: held back, and acknowledged meanwhile without a sign."""

import asyncio

import pytest

from bot.adapters.discord.composer.composer import Composer
from bot.messages.model import IncomingMessage
from tests.adapters.discord_room import DiscordRoom
from tests.discord_standin import Channel, Interaction
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


async def held(room: DiscordRoom, thread: Channel) -> tuple[Interaction, asyncio.Event]:
    """A press of the second person, who is not to move, acknowledged; and what lets the service deal with it."""
    slow = Held(room)
    pressed = room.people[1].press(thread.posts[-1], "Make the turn")
    await deferred(room, pressed)
    return pressed, slow.go


async def accepting(room: DiscordRoom) -> tuple[Interaction, asyncio.Event]:
    """The same of a press that takes up a challenge."""
    challenger, challenged = room.people
    await room.say(challenger, "challenge @ben tokonoma side=white")
    slow = Held(room)
    pressed = challenged.press(room.channel.posts[-1], "Accept")
    await deferred(room, pressed)
    return pressed, slow.go


async def screen_held(
    room: DiscordRoom, thread: Channel, monkeypatch: pytest.MonkeyPatch
) -> tuple[Interaction, asyncio.Event]:
    """A press of the first person, for a composer that is drawn only once it may be; and what lets it be drawn."""
    go = asyncio.Event()
    opened = Composer.opened

    async def in_time(*asked: object) -> object:
        await go.wait()
        return await opened(*asked)  # type: ignore[arg-type]

    monkeypatch.setattr(Composer, "opened", in_time)
    pressed = room.people[0].press(thread.posts[-1], "Make the turn")
    await deferred(room, pressed)
    return pressed, go


async def failing(room: DiscordRoom, thread: Channel) -> tuple[Interaction, asyncio.Event]:
    """A press of the second person over which the service fails, once it is let go."""
    go = asyncio.Event()

    async def fails(heard: IncomingMessage) -> bool:
        await go.wait()
        raise ZeroDivisionError

    room.receive = fails
    pressed = room.people[1].press(thread.posts[-1], "Make the turn")
    await deferred(room, pressed)
    return pressed, go
