"""What goes wrong between Discord and a bot goes wrong here on demand, and discord.py copes as it would there."""

import asyncio
from collections.abc import AsyncIterator
from typing import Any

import aiohttp
import discord
import pytest

from tests.discord_standin import Channel, Person, StandIn
from tests.discord_standin.client import Bot, running
from tests.discord_standin.limits import INVALID

POSTS = "/channels/*/messages"


class Line:
    """A stand-in with a bot that is ready, one person and a room."""

    def __init__(self, standin: StandIn, bot: Bot, anna: Person, room: Channel):
        self.standin, self.bot, self.anna, self.room = standin, bot, anna, room

    async def send(self, text: str, **more: Any) -> discord.Message:
        """The bot says something in the room."""
        return await self.bot.get_partial_messageable(self.room.id).send(text, **more)

    async def got(self, *texts: str) -> None:
        """The bot has heard these and nothing else."""
        await self.standin.until(lambda: [one.content for one in self.bot.heard][-len(texts) :] == list(texts))

    def tell(self, text: str) -> None:
        """Anna says something that the bot may read."""
        self.anna.say(self.anna.dm, text)


async def line(standin: StandIn, **more: Any) -> AsyncIterator[Line]:
    anna = standin.person("Anna")
    room = standin.guild("The club", anna).channel("games")
    bot = Bot(**more)
    async with standin, running(standin, bot):
        yield Line(standin, bot, anna, room)


@pytest.fixture
async def quiet() -> AsyncIterator[Line]:
    """Without rate limits."""
    async for one in line(StandIn()):
        yield one


@pytest.fixture
async def limited() -> AsyncIterator[Line]:
    """With rate limits."""
    async for one in line(StandIn(rate_limits=True)):
        yield one


@pytest.mark.parametrize("trouble", ["cut", "close", "reconnect", "invalidate resumable"])
async def test_after_a_cut_what_was_missed_is_told_once(quiet: Line, trouble: str) -> None:
    quiet.tell("before")
    await quiet.got("before")
    if trouble == "invalidate resumable":
        quiet.standin.gateway.invalidate(resumable=True)
    else:
        getattr(quiet.standin.gateway, trouble)()
    quiet.tell("meanwhile")
    quiet.tell("and again")
    await quiet.standin.until(lambda: quiet.bot.resumed)
    quiet.tell("after")
    await quiet.got("before", "meanwhile", "and again", "after")
    assert len(quiet.bot.heard) == 4
    assert (quiet.standin.gateway.resumes, len(quiet.standin.gateway.identifies)) == (1, 1)


async def test_an_invalid_session_is_begun_anew_and_what_was_missed_is_lost(quiet: Line) -> None:
    quiet.standin.gateway.invalidate()
    quiet.tell("lost")
    await quiet.standin.until(lambda: len(quiet.standin.gateway.identifies) == 2)
    quiet.tell("heard")
    await quiet.got("heard")
    assert (len(quiet.bot.heard), quiet.bot.resumed) == (1, 0)


async def test_a_session_that_cannot_be_resumed_is_begun_anew(quiet: Line) -> None:
    quiet.standin.gateway.refused_resumes = 1
    quiet.standin.gateway.cut()
    await quiet.standin.until(lambda: len(quiet.standin.gateway.identifies) == 2)
    quiet.tell("heard")
    await quiet.got("heard")


async def test_a_socket_that_has_fallen_silent_is_left_for_another() -> None:
    async for zombie in line(StandIn(heartbeat=0.05), heartbeat_timeout=0.2):
        zombie.standin.gateway.fall_silent()
        zombie.tell("into silence")
        await zombie.got("into silence")
        assert zombie.standin.gateway.resumes  # more than one where the machine is busy for longer than a heartbeat
        assert len(zombie.bot.heard) == 1


async def test_a_privileged_intent_that_is_not_granted_closes_with_4014() -> None:
    async with StandIn() as standin:
        client = discord.Client(intents=discord.Intents.all(), guild_ready_timeout=0)
        with pytest.raises(discord.PrivilegedIntentsRequired):
            async with running(standin, client):
                raise AssertionError("it was let in")
        assert standin.gateway.closed_with == [4014]


async def test_the_intent_for_message_content_shows_every_word() -> None:
    standin = StandIn(privileged=("message_content",))
    anna = standin.person("Anna")
    room = standin.guild("The club", anna).channel("games")
    client = discord.Client(intents=discord.Intents(1 << 15 | 513), guild_ready_timeout=0)
    async with standin, running(standin, client):
        heard = asyncio.ensure_future(client.wait_for("message"))
        await asyncio.sleep(0)
        anna.say(room, "hello")
        assert (await heard).content == "hello"


async def test_a_wrong_token_is_turned_away() -> None:
    async with StandIn(token="another") as standin:
        with pytest.raises(discord.LoginFailure):
            async with running(standin, Bot()):
                raise AssertionError("it was let in")


class Sharded(discord.AutoShardedClient):
    """Does not wait between its shards."""

    before_identify_hook = Bot.before_identify_hook


async def test_shards_share_the_guilds_and_the_first_has_the_private_messages() -> None:
    standin = StandIn(shards=2)
    people = [standin.person(name) for name in ("Anna", "Ben", "Cleo", "Dan")]
    guilds = [standin.guild(f"{one.name}'s", one) for one in people]
    client = Sharded(intents=discord.Intents.default(), guild_ready_timeout=0)
    async with standin, running(standin, client):
        assert [one["shard"] for one in standin.gateway.identifies] == [[0, 2], [1, 2]]
        assert {guild.id: guild.shard_id for guild in client.guilds} == {one.id: (one.id >> 22) % 2 for one in guilds}
        assert {guild.shard_id for guild in client.guilds} == {0, 1}
        heard = asyncio.ensure_future(client.wait_for("message"))
        await asyncio.sleep(0)
        people[0].say(people[0].dm, "psst")
        assert (await heard).content == "psst"
        assert (await client.http.get_bot_gateway())[2]["remaining"] == 998


async def test_ready_can_tell_of_no_guild_though_things_happen_there() -> None:
    standin = StandIn()
    anna = standin.person("Anna")
    room = standin.guild("The club", anna).channel("games")
    standin.gateway.empty = True
    bot = Bot()
    async with standin, running(standin, bot):
        assert list(bot.guilds) == []
        anna.say(room, "hello", mention_bot=True)
        await standin.until(lambda: [one.content for one in bot.heard] == [f"{standin.bot.mention} hello"])


async def test_in_an_outage_guilds_are_unavailable_until_it_is_over(quiet: Line) -> None:
    quiet.standin.gateway.outage()
    await quiet.standin.until(lambda: all(guild.unavailable for guild in quiet.bot.guilds))
    quiet.anna.say(quiet.room, "unheard", mention_bot=True)
    quiet.standin.gateway.recover()
    await quiet.standin.until(lambda: not any(guild.unavailable for guild in quiet.bot.guilds))
    quiet.tell("heard")
    await quiet.got("heard")
    assert len(quiet.bot.heard) == 1


async def test_a_server_that_was_away_is_found_again(quiet: Line, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("discord.client.ExponentialBackoff.delay", lambda _: 0.01)
    port = quiet.standin.port
    await quiet.standin.stop()
    with pytest.raises(aiohttp.ClientError):
        await quiet.send("nobody there")
    quiet.tell("while it was away")
    await quiet.standin.start(port)
    await quiet.got("while it was away")
    assert quiet.room.messages == []


async def test_a_client_that_is_turned_away_tries_again(quiet: Line, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("discord.client.ExponentialBackoff.delay", lambda _: 0.01)
    quiet.standin.gateway.refused_sockets = 2
    quiet.standin.gateway.cut()
    quiet.tell("still there?")
    await quiet.got("still there?")
    assert quiet.standin.gateway.refused_sockets == 0


@pytest.mark.parametrize("trouble", ["500", "502", "504"])
@pytest.mark.parametrize("after", [False, True])
async def test_a_failed_post_is_sent_again_and_stands_there_once(quiet: Line, trouble: Any, after: bool) -> None:
    fault = quiet.standin.fail("POST", POSTS, trouble, after=after)
    await quiet.send("once")
    assert fault.hits == 1
    assert [one.content for one in quiet.room.messages] == ["once"]


@pytest.mark.parametrize(("after", "count"), [(False, 0), (True, 1)])
async def test_a_503_is_raised_whether_or_not_the_work_was_done(quiet: Line, after: bool, count: int) -> None:
    quiet.standin.fail("POST", POSTS, "503", after=after)
    with pytest.raises(discord.DiscordServerError):
        await quiet.send("perhaps")
    assert len(quiet.room.messages) == count


@pytest.mark.parametrize(("after", "count"), [(False, 0), (True, 1)])
async def test_a_cut_connection_says_nothing_of_the_work(quiet: Line, after: bool, count: int) -> None:
    quiet.standin.fail("POST", POSTS, "cut", after=after)
    with pytest.raises(aiohttp.ClientError):
        await quiet.send("perhaps")
    assert len(quiet.room.messages) == count


async def test_a_slow_answer_comes_when_it_is_released(quiet: Line) -> None:
    fault = quiet.standin.fail("POST", POSTS, "slow", after=True)
    sending = asyncio.ensure_future(quiet.send("slow"))
    await quiet.standin.until(lambda: quiet.room.messages)
    assert not sending.done()
    fault.release()
    assert (await sending).content == "slow"


async def test_a_storm_of_429_is_waited_out(quiet: Line) -> None:
    fault = quiet.standin.fail("POST", "**", "429", times=3, wait=0.01)
    await quiet.send("at last")
    assert fault.hits == 3
    assert [one.status for one in quiet.standin.requests[-4:]] == [429, 429, 429, 200]


async def test_a_channel_takes_five_messages_in_five_seconds(limited: Line) -> None:
    for n in range(4):
        await limited.send(str(n))
    fifth, sixth = (asyncio.ensure_future(limited.send(text)) for text in "45")
    await limited.standin.until(lambda: len(limited.room.messages) == 5)
    limited.standin.advance(5)
    headers = {"Authorization": f"Bot {limited.standin.token}"}
    url = f"{limited.standin.base}/api/v10/channels/{limited.room.id}/messages"
    async with aiohttp.ClientSession(headers=headers) as http:
        for left in (4, 3, 2, 1, 0):
            async with http.post(url, json={"content": "x"}) as answer:
                assert answer.headers["X-RateLimit-Remaining"] == str(left)
        async with http.post(url, json={"content": "x"}) as answer:
            told = await answer.json()
            assert (answer.status, answer.headers["Via"], told["global"]) == (429, "1.1 google", False)
            assert 4 < told["retry_after"] <= 5
    for one in (fifth, sixth):
        one.cancel()


async def test_a_thread_takes_two_new_names_in_ten_minutes(limited: Line) -> None:
    headers = {"Authorization": f"Bot {limited.standin.token}"}
    url = f"{limited.standin.base}/api/v10/channels"
    async with aiohttp.ClientSession(headers=headers) as http:
        async with http.post(f"{url}/{limited.room.id}/threads", json={"name": "0", "type": 11}) as answer:
            thread = (await answer.json())["id"]
        for name, status in (("1", 200), ("2", 200), ("2", 200), ("3", 429)):
            async with http.patch(f"{url}/{thread}", json={"name": name}) as answer:
                assert answer.status == status
        limited.standin.advance(600)
        async with http.patch(f"{url}/{thread}", json={"name": "3"}) as answer:
            assert answer.status == 200


async def test_fifty_requests_a_second_are_the_limit_for_all_routes_together() -> None:
    async with StandIn(global_limit=50) as standin:
        headers = {"Authorization": f"Bot {standin.token}"}
        async with aiohttp.ClientSession(headers=headers) as http:
            statuses = []
            for _ in range(51):
                async with http.get(f"{standin.base}/api/v10/users/@me") as answer:
                    statuses.append(answer.status)
                    told = await answer.json()
    assert statuses == [200] * 50 + [429]
    assert told["global"]


async def test_too_many_invalid_requests_shut_the_doors(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("tests.discord_standin.limits.INVALID", (3, INVALID[1]))
    async with StandIn() as standin, aiohttp.ClientSession() as http:
        for status in (401, 401, 401, 429):
            async with http.get(f"{standin.base}/api/v10/users/@me") as answer:
                assert answer.status == status
        assert "Via" not in answer.headers
        standin.advance(601)
        async with http.get(f"{standin.base}/api/v10/users/@me") as answer:
            assert answer.status == 401
