"""Commands that Discord refuses, the stand-in refuses at the same place; what just fits is registered."""

from collections.abc import AsyncIterator

import aiohttp
import pytest

from tests.discord_standin import StandIn
from tests.discord_standin.commands import size
from tests.discord_standin.refusal import JSON
from tests.discord_standin.wire import Wire, choices, command, option, options


@pytest.fixture
async def wire() -> AsyncIterator[Wire]:
    async with StandIn() as standin, aiohttp.ClientSession() as http:
        yield Wire(standin, http)


REFUSED_COMMANDS: dict[str, JSON] = {
    "no name": command(""),
    "a name of 33": command("n" * 33),
    "a capital": command("Board"),
    "a space": command("the board"),
    "an exclamation mark": command("board!"),
    "no description": command(description=""),
    "a description of 101": command(description="x" * 101),
    "26 options": command(options=options(26)),
    "26 choices": command(options=[option(choices=choices(26))]),
    "a choice of 101": command(options=[option(choices=[{"name": "x" * 101, "value": "x"}])]),
    "a choice twice": command(options=[option(choices=choices(1) * 2)]),
    "a number as the choice of a text": command(options=[option(choices=[{"name": "x", "value": 1}])]),
    "26 subcommands": command(options=options(26, 1)),
    "an option twice": command(options=options(1) * 2),
    "an option without a description": command(options=[option(description="")]),
    "an option of type 12": command(options=[option(kind=12)]),
    "a required option after another": command(options=[option("a"), option("b", required=True)]),
    "a subcommand beside an option": command(options=[option("a", 1), option("b")]),
    "a group in a group": command(options=[option("a", 2, options=[option("b", 2, options=options(1, 1))])]),
    "a group of options": command(options=[option("a", 2, options=options(1))]),
    "completion beside choices": command(options=[option(autocomplete=True, choices=choices(1))]),
    "completion of a user": command(options=[option(kind=6, autocomplete=True)]),
    "bounds the wrong way round": command(options=[option(kind=4, min_value=2, max_value=1)]),
    "an unknown context": command(contexts=[3]),
    "a context twice": command(contexts=[0, 0]),
    "no way to be installed": command(integration_types=[]),
    "a context menu with a description": {"name": "Challenge", "type": 2, "description": "x"},
    "a context menu with options": {"name": "Challenge", "type": 3, "options": options(1)},
}


@pytest.mark.parametrize("what", REFUSED_COMMANDS)
async def test_a_command_that_does_not_fit_is_refused_and_none_is_registered(wire: Wire, what: str) -> None:
    status, told = await wire.put(command("fine"), REFUSED_COMMANDS[what])
    assert (status, told["code"]) == (400, 50035)
    assert "1" in told["errors"]
    assert wire.standin.world.registry.of(0) == []


async def test_a_command_has_8000_characters_in_all(wire: Wire) -> None:
    def of(length: int) -> JSON:
        full = [{"name": f"{n:02}" + "x" * 98, "value": f"{n:02}" + "y" * 98} for n in range(25)]
        made = command("a", description="b", options=[option("a", choices=full), option("b", choices=full[:-11])])
        made["options"].append(option("c", description="z"))
        made["options"][-1]["choices"] = [{"name": "x" * 90, "value": "y" * (length - size(made) - 90)}]
        return made

    assert size(of(8000)) == 8000
    assert (await wire.put(of(8000)))[0] == 200
    assert (await wire.put(of(8001)))[0] == 400


async def test_there_are_100_commands_5_menus_of_each_kind_and_200_new_ones_a_day(wire: Wire) -> None:
    hundred = [command(f"c{n}") for n in range(100)]
    menus = [{"name": f"m{n}", "type": kind} for kind in (2, 3) for n in range(5)]
    assert (await wire.put(*hundred, *menus))[0] == 200
    assert (await wire.put(*hundred, command("more")))[1]["code"] == 30032
    assert (await wire.put(*menus, {"name": "more", "type": 2}))[1]["code"] == 30032
    assert (await wire.put(command("twice"), command("twice")))[1]["code"] == 50035
    assert (await wire.put(*(command(f"d{n}") for n in range(91))))[1]["code"] == 30034
    wire.standin.advance(86_401)
    assert (await wire.put(*(command(f"d{n}") for n in range(91))))[0] == 200
