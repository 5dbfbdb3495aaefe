"""Two hundred people talk to the bot at once, and a player's turn is dealt with as if they were not there."""

from pathlib import Path

from bot.runtime.admission import Admission
from tests.adapters.discord_room import discord_room

CROWD = 200


async def test_a_turn_does_not_wait_for_the_commands_of_two_hundred_people(tmp_path: Path) -> None:
    async with discord_room(tmp_path, "Anna", "Ben", *(f"P{n}" for n in range(CROWD))) as room:
        anna, ben, *crowd = room.people
        thread = await room.begun(anna, ben, "tokonoma side=white")
        room.receive = Admission(room.service.receive, room.service.answer, room.service.repository.plays).receive
        before = len(room.heard)
        await room.until(lambda: room.standin.world.registry.of(0), "the commands")
        flood = [who.slash(room.channel, "riposte games") for _ in range(2) for who in crowd]
        turn = anna.slash(thread, "move", turn="c7c5")
        await room.until(lambda: turn.answer and not turn.loading, "the turn to be dealt with")
        assert any("c7c5" in post.content for post in thread.posts)
        assert len(room.heard) - before < CROWD, "most of the crowd are still waiting"
        await room.calm()
        assert all(asked.replies for asked in flood)
        assert not any(asked.refused for asked in flood)


async def test_a_flood_of_one_s_own_is_answered_once_in_private_and_leaves_nothing_thinking(tmp_path: Path) -> None:
    async with discord_room(tmp_path, "Anna") as room:
        (anna,) = room.people
        room.receive = Admission(room.service.receive, room.service.answer, room.service.repository.plays).receive
        await room.until(lambda: room.standin.world.registry.of(0), "the commands")
        flood = [anna.slash(room.channel, "matches") for _ in range(40)]
        await room.until(lambda: len(room.heard) == 40 and not any(asked.loading for asked in flood), "all of it")
        await room.calm()
        told = [asked for asked in flood if any("That was a lot" in reply.content for reply in asked.replies)]
        assert told == [flood[20]]
        assert told[0].whispered
