"""The stand-in for Discord ends without a trace, or lives in a process of its own."""

from pathlib import Path

import discord
import pytest

from tests.discord_standin import NotOffered, redirected
from tests.discord_standin.client import Bot, running
from tests.discord_standin.remote import separate


async def test_discord_is_itself_again_afterwards() -> None:
    before = (discord.http.Route.BASE, discord.gateway.DiscordWebSocket.DEFAULT_GATEWAY, discord.Asset.BASE)
    with redirected("http://127.0.0.1:1"):
        assert discord.http.Route.BASE == "http://127.0.0.1:1/api/v10"
    assert before == (discord.http.Route.BASE, discord.gateway.DiscordWebSocket.DEFAULT_GATEWAY, discord.Asset.BASE)


async def test_a_stand_in_in_a_process_of_its_own_outlives_the_client(tmp_path: Path) -> None:
    async with separate(tmp_path) as remote:
        await remote.do("guild", people=["Anna", "Ben"], channels=["games"])
        async with running(remote.base, Bot()):
            await remote.do("slash", who="Anna", where="games", command="choose")
            seen = await remote.until(lambda seen: seen["interactions"][0]["replies"] and seen)
            message = seen["interactions"][0]["replies"][0]
            assert message["buttons"] == ["Take 3"]
        await remote.until(lambda seen: not seen["connected"], "the client to be gone")
        async with running(remote.base, Bot()):
            await remote.do("press", who="Ben", message=message["id"], button="Take 3")
            await remote.until(lambda seen: seen["channels"][0]["messages"][0]["text"] == "taken 3")
        with pytest.raises(NotOffered, match="no button"):
            await remote.do("press", who="Ben", message=message["id"], button="Take 3")
        await remote.do("fail", method="POST", pattern="/channels/*/messages", trouble="slow", after=True)
        await remote.do("release")
        await remote.do("advance", seconds=60)
        requests = await remote.requests()
        assert [one["status"] for one in requests if one["path"].endswith("/callback")] == [200, 200]
        assert await remote.search("taken 3")
