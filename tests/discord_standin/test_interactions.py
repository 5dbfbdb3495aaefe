"""Interactions have their times, and are answered once, as on Discord."""

import asyncio
from collections.abc import AsyncIterator
from typing import Any

import aiohttp
import discord
import pytest

from tests.discord_standin import Interaction, Message, StandIn
from tests.discord_standin.client import Bot, ParsedCommand, picture, running


class Patient(Bot):
    """Leaves interactions to the test."""

    def __init__(self) -> None:
        super().__init__()
        self.waiting: asyncio.Queue[ParsedCommand] = asyncio.Queue()

    async def on_interaction(self, interaction: ParsedCommand) -> None:
        await self.waiting.put(interaction)


class Counter:
    """A person who has called a command that the bot does not know, and the bot's side of it."""

    def __init__(self, standin: StandIn, bot: Patient):
        self.standin, self.bot = standin, bot
        self.anna = standin.person("Anna")
        self.room = standin.guild("The club", self.anna).channel("games")

    def message(self, said: Message) -> discord.PartialMessage:
        """A message as the bot can name it, whoever may see it."""
        return self.bot.get_partial_messageable(self.room.id).get_partial_message(said.id)

    async def call(self) -> tuple[Interaction, ParsedCommand]:
        """Anna calls it."""
        called = self.anna.slash(self.room, "wait")
        return called, await self.bot.waiting.get()


@pytest.fixture
async def counter() -> AsyncIterator[Counter]:
    async with StandIn() as standin:
        one = Counter(standin, Patient())
        async with running(standin, one.bot):
            standin.world.registry.put(
                one.room.guild.id if one.room.guild else 0, [{"name": "wait", "description": "x"}]
            )
            yield one


async def test_an_interaction_is_answered_within_three_seconds(counter: Counter) -> None:
    _, said = await counter.call()
    counter.standin.advance(3.1)
    with pytest.raises(discord.NotFound) as refused:
        await said.response.send_message("too late")
    assert refused.value.code == 10062


async def test_an_interaction_is_answered_once(counter: Counter) -> None:
    called, said = await counter.call()
    await said.response.send_message("first")
    with pytest.raises(discord.HTTPException) as refused:
        await discord.InteractionResponse(said).send_message("second")
    assert (refused.value.status, refused.value.code) == (400, 40060)
    assert [one.content for one in called.replies] == ["first"]


async def test_nothing_follows_what_has_not_been_answered(counter: Counter) -> None:
    _, said = await counter.call()
    with pytest.raises(discord.NotFound) as refused:
        await said.followup.send("first?")
    assert refused.value.code == 10015


async def test_a_deferral_decides_who_sees_the_first_follow_up(counter: Counter) -> None:
    called, said = await counter.call()
    await said.response.defer(ephemeral=True, thinking=True)
    assert (called.replies, called.loading) == ([], True)
    await said.followup.send("filled")
    assert await called.done() is called
    await said.followup.send("open")
    assert [(one.content, one.only) for one in called.replies] == [("filled", counter.anna), ("open", None)]
    assert counter.room.messages == called.replies[1:]
    with pytest.raises(discord.NotFound) as refused:
        await (
            counter.bot.get_partial_messageable(counter.room.id)
            .get_partial_message(called.replies[0].id)
            .edit(content="x")
        )
    assert refused.value.code == 10008


async def test_a_token_is_good_for_fifteen_minutes(counter: Counter) -> None:
    called, said = await counter.call()
    await said.response.send_message("one", file=picture())
    counter.standin.advance(14 * 60)
    await said.edit_original_response(content="two")
    counter.standin.advance(61)
    with pytest.raises(discord.HTTPException) as refused:
        await said.edit_original_response(content="three")
    assert (refused.value.status, refused.value.code) == (401, 50027)
    await (
        counter.bot.get_partial_messageable(counter.room.id)
        .get_partial_message(called.replies[0].id)
        .edit(content="three")
    )
    assert called.replies[0].versions == ["one", "two"]


async def test_a_follow_up_that_failed_after_the_work_stands_there_twice(counter: Counter) -> None:
    called, said = await counter.call()
    await said.response.send_message("first")
    counter.standin.fail("POST", "/webhooks/**", "502", after=True)
    await said.followup.send("twice")
    assert [one.content for one in called.replies] == ["first", "twice", "twice"]


async def test_the_bot_is_told_of_its_whispers_as_if_they_were_direct_messages(counter: Counter) -> None:
    called, said = await counter.call()
    told: list[discord.Message] = []

    async def hear(message: discord.Message) -> None:
        told.append(message)

    counter.bot.on_message = hear  # type: ignore[method-assign]
    await said.response.send_message("first", ephemeral=True)
    await said.followup.send("second", ephemeral=True)
    await counter.standin.until(lambda: len(told) == 2, "both to be told of")
    assert [one.content for one in told] == ["first", "second"]
    assert [one.guild for one in told] == [None, None]
    assert [one.interaction_metadata and one.interaction_metadata.id for one in told] == [called.id] * 2


async def test_a_modal_is_limited_in_title_fields_and_labels(counter: Counter) -> None:
    def fields(count: int, label: str = "l") -> list[dict[str, Any]]:
        inputs = [{"type": 4, "custom_id": f"f{n}", "style": 1} for n in range(count)]
        return [{"type": 18, "label": label, "component": one} for one in inputs]

    fine = {"custom_id": "m", "title": "t" * 45, "components": fields(5, "l" * 45)}
    wrong: tuple[dict[str, Any], ...] = (
        {"title": "t" * 46},
        {"components": fields(6)},
        {"components": []},
        {"components": fields(1, "l" * 46)},
    )
    called, said = await counter.call()
    url = f"{counter.standin.base}/api/v10/interactions/{said.id}/{said.token}/callback"
    async with aiohttp.ClientSession() as http:
        for change in wrong:
            async with http.post(url, json={"type": 9, "data": {**fine, **change}}) as answer:
                assert (answer.status, (await answer.json())["code"]) == (400, 50035)
        async with http.post(url, json={"type": 8, "data": {"choices": []}}) as answer:
            assert answer.status == 400
        assert called.answer == 0
        async with http.post(url, json={"type": 9, "data": fine}) as answer:
            assert answer.status == 204
    assert counter.anna.modals == [called.modal]
