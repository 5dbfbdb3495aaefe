"""The stand-in for Discord, driven by the unmodified discord.py: what works there works here, what is refused is."""

import asyncio
import io
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

import discord
import pytest
from discord import app_commands

from tests.discord_standin import StandIn, redirected

PIXEL = bytes.fromhex(
    "89504e470d0a1a0a0000000d4948445200000001000000010802000000907753de"
    "0000000c49444154789c63f8cfc0000003010100c9fe92ef0000000049454e44ae426082"
)


@asynccontextmanager
async def running(standin: StandIn, client: discord.Client) -> AsyncIterator[discord.Client]:
    """A client that is connected and ready."""
    with redirected(standin):
        task = asyncio.create_task(client.start(standin.token))
        ready = asyncio.create_task(client.wait_until_ready())
        try:
            await asyncio.wait({task, ready}, return_when=asyncio.FIRST_COMPLETED)
            if task.done():
                ready.cancel()
                await task
            yield client
        finally:
            await client.close()
            await asyncio.gather(task, ready, return_exceptions=True)


def new_client() -> discord.Client:
    return discord.Client(intents=discord.Intents.default(), guild_ready_timeout=0)


@pytest.fixture
async def standin() -> AsyncIterator[StandIn]:
    async with StandIn() as standin:
        yield standin


async def test_a_client_logs_in_and_sees_the_guild(standin: StandIn) -> None:
    anna = standin.person("Anna")
    guild = standin.guild("The club", anna)
    guild.channel("games")
    async with running(standin, new_client()) as client:
        assert [one.name for one in client.guilds] == ["The club"]
        assert [one.name for one in client.guilds[0].text_channels] == ["games"]
        assert client.application_id == standin.bot.id


async def test_a_slash_command_is_deferred_and_filled_with_a_picture(standin: StandIn) -> None:
    anna = standin.person("Anna")
    room = standin.guild("The club", anna).channel("games")
    client = new_client()
    tree = app_commands.CommandTree(client)

    @tree.command(description="Shows the board")
    async def board(interaction: discord.Interaction[discord.Client], match: int) -> None:
        await interaction.response.defer(thinking=True)
        file = discord.File(io.BytesIO(PIXEL), "board.png", description=f"Match {match}")
        await interaction.edit_original_response(content="Here", attachments=[file])

    async with running(standin, client):
        await tree.sync()
        said = await anna.slash(room, "board", match=12).reply()
    assert said.content == "Here"
    assert [(one.alt, one.data) for one in said.attachments] == [("Match 12", PIXEL)]
