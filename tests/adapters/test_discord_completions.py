"""What fields of slash commands offer while somebody types."""

import asyncio
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import pytest

from bot.adapters.discord import DiscordAdapter
from bot.commands.community import VALUES
from bot.commands.spec.parts import SETTINGS
from bot.messages.model import IncomingMessage, Place
from bot.messages.model import Person as Somebody
from bot.runtime.inbox import Inbox
from engine.games import GAMES
from engine.match.terms import sheet
from tests.adapters.discord_table import Table
from tests.chat_room import open_room
from tests.discord_standin import StandIn, redirected
from tests.discord_standin.people import Person
from tests.parts_of_games import COMPOSED
from tests.render.test_golden import midgame_text


@pytest.fixture
async def table(tmp_path: Path) -> AsyncIterator[Table]:
    room = await open_room(tmp_path)
    async with StandIn() as standin:
        anna, ben = standin.person("Anna"), standin.person("Ben")
        guild = standin.guild("The club", anna, ben)
        table = Table(standin, anna, ben, guild.channel("games"), room)
        adapter = DiscordAdapter(standin.token, Inbox(room.store, "discord"), clock=lambda: room.now, fill=table.fill)
        with redirected(standin):
            running = asyncio.create_task(adapter.run(table.hear))
            await standin.until(
                lambda: standin.world.registry.of(0) and standin.gateway.sessions, "the bot and its commands"
            )
            yield table
            running.cancel()
            await asyncio.gather(running, return_exceptions=True)
    await room.store.close()


async def offered(table: Table, who: Person, command: str, option: str, typed: str = "", /, **values: Any) -> list[str]:
    """The values that a field offers; what Discord would not show fails in the stand-in."""
    return [choice["value"] for choice in await who.autocomplete(table.games, command, option, typed, **values)]


async def begun(table: Table, terms: str = "", game: str = "tokonoma", side: str = "white") -> None:
    """A match of Anna, who is on that side, against Ben, as Discord knows the two."""
    room, anna, ben = table.room, table.anna, table.ben
    for who, text in ((anna, f"challenge @{ben.id} {game} side={side} {terms}"), (ben, "accept 1")):
        room.heard += 1
        person = Somebody("discord", str(who.id), who.name)
        await room.service.receive(
            IncomingMessage(f"discord:{room.heard}", person, Place("discord", "1"), text, room.now)
        )


async def test_matches_are_offered_with_whom_they_are_against(table: Table) -> None:
    await begun(table)
    choices = await table.anna.autocomplete(table.games, "board", "match")
    assert choices == [{"name": "1 Tokonoma against Ben (your turn)", "value": "1"}]
    assert await offered(table, table.anna, "board", "match", "ben") == ["1"]
    assert await offered(table, table.anna, "board", "match", "2") == []
    assert await table.ben.autocomplete(table.games, "match turns", "match") == [
        {"name": "1 Tokonoma against Anna", "value": "1"}
    ]


async def test_terms_are_completed_one_after_the_other(table: Table) -> None:
    first = await offered(table, table.anna, "challenge", "terms", "umpire=t", game="tokonoma")
    assert first == ["umpire=turn"]
    second = await offered(table, table.anna, "challenge", "terms", "umpire=turn ju", game="tokonoma")
    assert second == [f"umpire=turn judge={value}" for value in ("silent", "advisory", "open")]
    every = await offered(table, table.anna, "challenge", "terms", game="veney")  # too many to tell all their values
    assert every.pop() == "more"  # and too many to show at once
    every += await offered(table, table.anna, "challenge", "terms", "more", game="veney")
    assert [term.partition("=")[0] for term in every] == [o.key for o in sheet(GAMES["veney"]) if o.key != "start"]
    third = await offered(table, table.anna, "challenge", "terms", "ruin=on more", game="veney")
    assert third[-1] == "ruin=on disarm=technical"
    assert await offered(table, table.anna, "challenge", "terms", "white", game="veney") == ["whiteset=full"]


async def test_what_a_setting_can_be_is_offered(table: Table) -> None:
    anna = table.anna
    assert await offered(table, anna, "settings", "value", what="channels") == ["here", "everywhere"]
    assert await offered(table, anna, "settings", "value", "col", what="theme") == ["colour-blind"]
    assert await offered(table, anna, "settings", "value", "tok", what="terms") == ["tokonoma"]
    assert await offered(table, anna, "settings", "value", "umpire=t", what="terms") == ["umpire=turn"]
    assert "whiteset=full" not in await offered(table, anna, "settings", "value", "white", what="terms")
    assert await offered(table, anna, "settings", "value", "veney white", what="terms") == ["veney whiteset=full"]
    assert "veney castmark=off" in await offered(table, anna, "settings", "value", "veney more", what="terms")
    assert await offered(table, anna, "settings", "value", "x", what="prefix") == []
    assert await offered(table, anna, "settings", "value") == []


async def test_every_setting_tells_what_it_can_be() -> None:
    assert tuple(VALUES) == SETTINGS


async def test_where_the_umpire_refuses_tenable_turns_are_offered(table: Table) -> None:
    await begun(table)
    turns = await offered(table, table.anna, "move", "turn", "c7", match="1")
    assert "c7c5" in turns
    assert all(turn.startswith("c7") for turn in turns)
    assert await offered(table, table.ben, "move", "turn", "", match="1") == []


async def test_where_turns_stand_own_pieces_are_completed_then_places_whatever_is_there(table: Table) -> None:
    await begun(table, "umpire=turn")
    for who in (table.anna, table.ben):
        assert await offered(table, who, "move", "turn", "c7d", match="1") == [f"c7d{n}" for n in range(1, 7)]
        assert await offered(table, who, "move", "turn", "zz9e5", match="1") == ["zz9e5"]
    pieces = await offered(table, table.anna, "move", "turn", "", match="1")
    assert pieces == ["a5", "b6", "c6", "c7", "d6", "e5", "pass"]
    assert len(await offered(table, table.ben, "move", "turn", "", match="1")) == 25


@pytest.mark.parametrize("umpire", ["refuse", "turn"])
@pytest.mark.parametrize("game", COMPOSED)
async def test_of_a_turn_all_pieces_are_offered_first_then_places(table: Table, game: str, umpire: str) -> None:
    rules, start = GAMES[game], midgame_text(game)
    position = rules.decode(start)
    side = rules.names[rules.to_act(position)].lower()
    await begun(table, f'umpire={umpire} start="{start}"', game, side)
    choices = await table.anna.autocomplete(table.games, "move", "turn", "", match="1")
    pieces = [": " in choice["name"] for choice in choices]
    assert any(pieces)
    assert pieces == sorted(pieces, reverse=True), "a piece comes after what is none"
    moving = {rules.picks(turn, position)[0] for turn in rules.turns(position)}
    standing = {figure.site for figure in rules.draw(position, rules.to_act(position)).figures}
    offered = "".join(choice["value"] for choice in choices)
    assert all(site in offered for site in moving & standing), "a piece that can move is left out"
    for choice in choices[: sum(pieces)]:
        on = await table.anna.autocomplete(table.games, "move", "turn", choice["value"], match="1")
        assert {further["value"] for further in on} - {choice["value"]}, "nothing follows the piece"


async def test_a_field_that_cannot_be_completed_does_not_keep_the_command_from_being_sent(table: Table) -> None:
    table.trouble = True
    assert await offered(table, table.anna, "move", "turn", "c7", match="1") == []
    table.anna.slash(table.games, "move", match="1", turn="c7c5")
    assert await table.said() == "move 1 c7c5"
