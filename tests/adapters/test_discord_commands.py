"""The slash commands are the table of commands: Discord takes every one, and what is filled in is said as if typed."""

import asyncio
import re
from collections.abc import AsyncIterator, Iterator, Mapping
from pathlib import Path
from typing import Any

import discord
import pytest
from discord import app_commands

from bot.adapters.discord import DiscordAdapter, limits
from bot.adapters.discord.interactions import commands
from bot.adapters.discord.interactions.forms import TIMES, UMPIRES
from bot.commands.parser import ParsedCommand, read_command
from bot.commands.spec import BY_NAME, COMMANDS, GROUPS
from bot.commands.spec.parts import Command
from bot.runtime.inbox import Inbox
from engine.games import GAMES
from engine.match.terms import settled
from engine.text import Text
from tests.adapters.discord_room import DiscordRoom, discord_room
from tests.adapters.discord_table import Table
from tests.chat_room import open_room
from tests.discord_standin import Modal, StandIn, redirected
from tests.discord_standin.people import NotOffered, Person

CHAT, USER_MENU = 1, 2


SUBCOMMAND, STRING, USER = 1, 3, 6


def payload() -> list[dict[str, Any]]:
    """All that is registered."""
    client = discord.Client(intents=discord.Intents.none())
    tree = app_commands.CommandTree(
        client,
        allowed_contexts=app_commands.AppCommandContext(guild=True, dm_channel=True, private_channel=True),
        allowed_installs=app_commands.AppInstallationType(guild=True, user=True),
    )
    adapter = DiscordAdapter("", Inbox(None, "discord"), clock=lambda: 0)  # type: ignore[arg-type]
    commands.add_commands(adapter.interactions, tree)
    return [command.to_dict(tree) for command in tree.get_commands()]


def sayable() -> Iterator[tuple[str, dict[str, Any]]]:
    """Every command that can be called, by the words that call it."""
    for top in payload():
        inner = [option for option in top.get("options", ()) if option["type"] == SUBCOMMAND]
        yield from ((f"{top['name']} {one['name']}", one) for one in inner)
        if not inner and top["type"] == CHAT:
            yield top["name"], top


def test_there_are_few_top_level_commands() -> None:
    assert len([top for top in payload() if top["type"] == CHAT]) <= 11
    assert [top["name"] for top in payload() if top["type"] == USER_MENU] == ["Challenge"]


def test_every_command_can_be_called_and_nothing_else() -> None:
    paths = {f"{command.group} {command.name}".strip() for command in COMMANDS}
    assert {path for path, _ in sayable()} == paths
    assert {command.group for command in COMMANDS} == {"", *GROUPS}


def test_the_readme_tells_which_commands_stand_by_themselves() -> None:
    readme = (Path(__file__).parents[2] / "README.md").read_text("utf-8")
    told = re.search(r"On Discord all of these are slash commands.*?\n\n", readme, re.DOTALL)
    assert told is not None
    assert set(re.findall(r"`/(\w+)`", told[0])) == {top["name"] for top in payload() if top["type"] == CHAT}


def test_no_limit_of_discord_is_overstepped() -> None:
    limits.check("commands", payload())
    for top in payload():
        assert _size(top) <= 8000
        assert len(top.get("options", ())) <= 25
    for path, command in sayable():
        options = command.get("options", [])
        assert len(options) <= 25
        for named in (command, *options):
            assert re.fullmatch(r"[-_'a-z0-9]{1,32}", named["name"]), path
            assert 1 <= len(named["description"]) <= 100, path
        assert [option["required"] for option in options] == sorted((o["required"] for o in options), reverse=True)
        for option in options:
            assert len(option.get("choices", ())) <= 25
            assert all(1 <= len(choice["name"]) <= 100 for choice in option.get("choices", ()))
            assert not (option.get("choices") and option.get("autocomplete"))


def _size(named: Mapping[str, Any]) -> int:
    words = len(named["name"]) + len(named.get("description", ""))
    choices = sum(len(choice["name"]) + len(choice["value"]) for choice in named.get("choices", ()))
    return words + choices + sum(_size(option) for option in named.get("options", ()))


def test_people_may_use_them_everywhere_and_bring_them_along() -> None:
    for top in payload():
        settles = top["name"] in {command.name for command in COMMANDS if command.hosts}
        assert sorted(top["contexts"]) == ([0] if settles else [0, 1, 2])
        assert sorted(top["integration_types"]) == ([0] if settles else [0, 1])
        needed = discord.Permissions(manage_guild=True).value if settles else None
        assert top["default_member_permissions"] == needed


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


def example(command: Command, ben: Person) -> dict[str, Any]:
    """Something for every field of a command."""
    by_kind: dict[str, Any] = {
        "match": "12", "game": "tokonoma", "person": ben, "turn": "c7c5", "terms": "time=3d umpire=turn",
        "command": "move", "text": "a5", "reason": "a5", "number": "3", "setting": "here",
        "place": "a5", "tournament": "4",
    }  # fmt: skip
    return {slot.name: slot.words[0] if slot.words else by_kind[slot.kind] for slot in command.slots}


async def test_every_command_says_what_was_filled_in(table: Table) -> None:
    for number, command in enumerate(COMMANDS, 1):
        values = example(command, table.ben)
        table.anna.slash(table.games, f"{command.group} {command.name}".strip(), **values)
        text = await table.said(number)
        keys = {slot.name: f"{slot.key}=" if slot.key else "" for slot in command.slots}
        typed = [
            f"@{value.id}" if isinstance(value, Person) else f"{keys[name]}{value}" for name, value in values.items()
        ]
        said = read_command(text)
        assert isinstance(said, ParsedCommand), text
        assert said.command is command
        assert [*([said.match] if said.match else []), *said.words] == " ".join(typed).split()


async def test_several_people_can_be_challenged(table: Table) -> None:
    carol = table.standin.person("Carol", *table.standin.world.guilds.values())
    table.anna.slash(table.games, "challenge", game="chirality", player=table.ben, player3=carol, terms="players=3")
    assert await table.said() == f"challenge @{table.ben.id} @{carol.id} chirality players=3"


async def test_our_own_account_is_challenged_by_the_name_that_riposte_has(table: Table) -> None:
    table.anna.slash(table.games, "challenge", game="tokonoma", player=table.standin.bot)
    assert await table.said() == "challenge @riposte tokonoma"


@pytest.mark.parametrize(
    ("command", "values", "line", "text"),
    [
        ("move", {}, "12 c7", "move # 12 c7"),
        ("move", {"match": "12"}, "c7c5 ; c1c3", "move 12 # c7c5 ; c1c3"),
        ("secret", {"match": "12"}, "X4 $ Y4 S", "secret 12 # X4 $ Y4 S"),
    ],
)
async def test_a_command_without_its_text_opens_a_form(
    table: Table, command: str, values: dict[str, str], line: str, text: str
) -> None:
    form = await table.anna.slash(table.games, command, **values).form()
    table.anna.submit(form, {"line": line})
    assert await table.said() == text
    said = read_command(text)
    assert isinstance(said, ParsedCommand)
    assert (said.match, said.rest) == (values.get("match", ""), line)


async def test_somebody_is_challenged_from_their_menu(table: Table) -> None:
    form = await table.anna.menu("Challenge", table.ben, table.games).form()
    assert labels(form) == ["Game", "Untenable turns", "How long for each turn?", "Other terms"]
    table.anna.submit(form, {"game": "tokonoma", "line": "time=5d"})
    assert await table.said() == f"challenge @{table.ben.id} tokonoma time=5d"
    form = await table.anna.menu("Challenge", table.ben, table.games).form()
    table.anna.submit(form, {"game": "veney"})
    assert (await table.said(2)).strip() == f"challenge @{table.ben.id} veney"


def labels(form: Modal) -> list[str]:
    """The fields of a form."""
    return [top["label"] for top in form.data["components"]]


async def test_a_challenge_is_picked_in_a_form(table: Table) -> None:
    form = await table.anna.slash(table.games, "challenge").form()
    assert labels(form) == [
        "Game",
        "Whom do you challenge?",
        "Untenable turns",
        "How long for each turn?",
        "Other terms",
    ]
    picked = {"game": "veney", "whom": [str(table.ben.id)], "umpire": "umpire=turn", "time": "time=7d"}
    table.anna.submit(form, picked | {"line": "side=white"})
    assert await table.said() == f"challenge veney @{table.ben.id} umpire=turn time=7d side=white"
    form = await table.anna.slash(table.games, "challenge", terms="judge=open").form()
    table.anna.submit(form, {"game": "tokonoma"})
    assert (await table.said(2)).strip() == "challenge judge=open tokonoma", "whoever accepts first plays"
    form = await table.anna.slash(table.games, "challenge", player=table.ben).form()
    assert "Whom do you challenge?" not in labels(form)


@pytest.mark.parametrize("game", GAMES)
@pytest.mark.parametrize("terms", [*UMPIRES, *TIMES])
def test_every_entry_of_the_challenges_form_is_a_term_of_every_game(game: str, terms: str) -> None:
    key, value = terms.split("=")
    assert settled(GAMES[game], {key: value})[0][key] == value


@pytest.mark.parametrize(
    ("typed", "called"),
    [
        ("accept", "/match accept"),
        ("accept 12 draw", "/match accept match:12 offer:draw"),
        ("counter 12 time=5d judge=open", "/match counter match:12 terms:time=5d judge=open"),
        (
            "challenge @ben @cleo chirality players=3",
            "/challenge player:@ben player2:@cleo game:chirality terms:players=3",
        ),
        ("move 12 c7c5 ; c1c3", "/move match:12 turn:c7c5 ; c1c3"),
        ("board 12 dark all", "/board match:12 theme:dark show:all"),
        ("resign 1 yes", "/match resign match:1 sure:yes"),
        ("settings channels here", "/settings what:channels value:here"),
        ("accept [MATCH] [OFFER]", "/match accept [MATCH] [OFFER]"),
        ("c7c5", "c7c5"),
        ("umpire=turn", "umpire=turn"),
        ("b c4", "b c4"),
        ("account ABCDE", "account ABCDE"),
    ],
)
def test_a_remedy_is_shown_as_it_is_called_here(typed: str, called: str) -> None:
    assert commands.as_slash_command(typed) == called


async def test_every_example_can_be_called_as_it_is_shown(table: Table) -> None:
    paths = sorted((path for path, _ in sayable()), key=len, reverse=True)
    for number, command in enumerate(COMMANDS, 1):
        shown = commands.as_slash_command(command.example)
        path = next(path for path in paths if shown.startswith(f"/{path}"))
        fields: dict[str, Any] = dict(re.findall(r"(\w+):(.+?)(?= \w+:|$)", shown))
        fields |= {name: table.ben for name, value in fields.items() if value == "@ben"}
        table.anna.slash(table.games, path, **fields)
        assert read_command(await table.said(number)) == read_command(
            command.example.replace("@ben", f"@{table.ben.id}")
        )


def test_a_command_for_hosts_alone_stands_by_itself() -> None:
    """Only then Discord can hide it from everybody else."""
    assert all(command.group == "" for command in COMMANDS if command.hosts)


def test_each_game_is_a_choice_as_long_as_there_are_few() -> None:
    ((option,),) = [
        [option for option in command["options"] if option["name"] == "game"]
        for path, command in sayable()
        if path == "challenge"
    ]
    assert [choice["value"] for choice in option["choices"]] == list(GAMES)
    assert BY_NAME["challenge"].group == ""


def registrations(room: DiscordRoom) -> int:
    """How often Discord was told our commands."""
    return sum(asked.method == "PUT" and asked.path.endswith("/commands") for asked in room.standin.requests)


async def test_discord_is_told_of_commands_only_when_they_have_changed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with discord_room(tmp_path, "Anna") as room:
        (anna,) = room.people
        await room.until(lambda: registrations(room) == 1, "the commands")
        await room.until(lambda: room.standin.world.registry.of(0), "the commands")
        await room.restart()
        await room.dealt_with(f"discord:i{anna.slash(room.channel, 'matches').id}")
        assert registrations(room) == 1
        monkeypatch.setitem(commands.GROUPS, "riposte", Text("Everything else, told in other words."))
        await room.restart()
        await room.until(lambda: registrations(room) == 2, "the changed commands")


async def test_a_server_settles_where_challenges_are_for(tmp_path: Path) -> None:
    async with discord_room(tmp_path, "Anna", "Ben") as room:
        anna, ben = room.people
        talk = room.guild.channel("talk")
        await room.until(lambda: room.standin.world.registry.of(0), "the commands")
        settled = await anna.slash(room.channel, "settings", what="channels", value="here").reply()
        assert f"<#{room.channel.id}>" in settled.content
        refused = ben.slash(talk, "challenge", game="tokonoma")
        assert f"<#{room.channel.id}>" in (await refused.reply()).content
        assert refused.whispered
        with pytest.raises(NotOffered):
            ben.slash(talk, "settings", what="channels", value="everywhere")
        await room.say(ben, "settings channels everywhere", talk)
        assert "manage this server" in ben.dm.posts[-1].content
        assert await room.store.matches() == []


async def test_the_match_named_in_a_field_is_no_number_of_turns(tmp_path: Path) -> None:
    async with discord_room(tmp_path, "Anna", "Ben") as room:
        anna, ben = room.people
        threads = [await room.begun(anna, ben, "tokonoma side=white umpire=turn takeback=consent") for _ in range(2)]
        for thread in threads:
            for who, turn in ((anna, "c7c5"), (ben, "c1c3"), (anna, "e5d5")):
                await room.play(who, turn, thread)
        anna.slash(threads[0], "match takeback", match="2")
        await room.until(lambda: any("asks to" in thread.posts[-1].content for thread in threads), "the offer")
        assert "asks to take back turn 3" in threads[1].posts[-1].content
