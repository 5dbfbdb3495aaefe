"""Two processes with a shard of Discord's each: the first alone is told of whispers, the second one's too."""

import asyncio
from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from bot.adapters.discord import DiscordAdapter
from bot.adapters.discord.interactions import following, incoming
from bot.messages.model import IncomingMessage
from bot.runtime.inbox import Inbox
from tests.adapters.discord_pressed import Held, deferred
from tests.adapters.discord_room import DiscordRoom
from tests.discord_standin import StandIn, redirected

SHARDS = 2


@pytest.fixture
async def room(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> AsyncIterator[DiscordRoom]:
    """Of the process with the second shard, in which every press is a slow one; another one has the first shard."""
    monkeypatch.setattr(incoming, "SOON", 0.01)
    monkeypatch.setattr(following, "TOLD", 0.3)
    async with StandIn(shards=SHARDS) as standin:
        people = standin.person("Anna"), standin.person("Ben")
        guild = standin.guild("The club", *people)
        while (guild.id >> 22) % SHARDS != 1:
            guild = standin.guild("The club", *people)
        with redirected(standin):
            room = DiscordRoom(standin, guild, guild.channel("games"), people, tmp_path / "riposte.db")
            room.shards, room.shard_count = (1,), SHARDS
            await room.start()
            how = {"clock": room.now, "pause": room._pause, "shard_count": SHARDS}
            first = DiscordAdapter(standin.token, Inbox(room.store, "discord"), shards=(0,), **how)  # type: ignore[arg-type]
            running = asyncio.create_task(first.run(unheard))
            try:
                await room.until(lambda: len(standin.gateway.identifies) == SHARDS, "the first process")
                yield room
            finally:
                running.cancel()
                await asyncio.gather(running, return_exceptions=True)
                await room.stop()


async def unheard(_: IncomingMessage) -> bool:
    return True


@pytest.mark.parametrize("trouble", ["502", "cut"])
async def test_a_whisper_of_another_process_shows_once_though_its_request_failed(
    room: DiscordRoom, trouble: str
) -> None:
    anna, ben = room.people
    thread = await room.begun(anna, ben, "tokonoma side=white")
    held = Held(room)
    pressed = ben.press(thread.posts[-1], "Make the turn")
    await deferred(room, pressed)
    fault = room.standin.fail("POST", "/webhooks/**", trouble, after=True)
    held.go.set()
    await room.until(lambda: pressed.replies and fault.hits, "an answer")
    await room.calm()
    assert (len(pressed.followups), ben.dm.posts) == (1, [])


async def test_a_whisper_that_had_arrived_when_its_process_died_is_told_no_second_time(
    room: DiscordRoom, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(following, "TOLD", 30.0)
    monkeypatch.setattr(incoming, "GRACE", 0.05)
    anna, ben = room.people
    thread = await room.begun(anna, ben, "tokonoma side=white")
    held = Held(room)
    pressed = ben.press(thread.posts[-1], "Make the turn")
    await deferred(room, pressed)
    fault = room.standin.fail("POST", "/webhooks/**", "503", after=True)
    held.go.set()
    await room.until(lambda: pressed.replies and fault.hits, "an answer")
    noted = Inbox(room.store, "discord")
    while not await noted.recall(following.ELSEWHERE):
        await asyncio.sleep(0)
    await room.stop()
    await room.start()
    await room.calm()
    assert (len(pressed.followups), ben.dm.posts) == (1, [])
