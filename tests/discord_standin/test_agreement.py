"""Tampered payloads: none of them breaks the stand-in, and it takes none that Discord's own description forbids."""

import copy
import random
from collections.abc import AsyncIterator, Iterator
from typing import Any

import aiohttp
import pytest

from tests.discord_standin import Request, StandIn
from tests.discord_standin.oracle import PLACE, Oracle, description
from tests.discord_standin.test_refusals import (
    TAKEN_COMMANDS,
    TAKEN_MESSAGES,
    Wire,
    button,
    command,
    option,
    row,
    say,
    select,
)

ROUNDS = 300
STRANGE: tuple[Any, ...] = (
    *(None, "", 0, -1, 1, True, 3.5, 99, 10**12, 10**20, [], {}, [{}], [None], [1, 1], {"name": "x"}),
    *("x" * length for length in (1, 33, 101, 300, 4500)),
)
FULL = {
    **say(row(button(emoji={"name": "👍"})), row(select(3, min_values=1, max_values=2, placeholder="p"))),
    "allowed_mentions": {"parse": ["roles"], "users": ["1"], "replied_user": True},
    "embeds": [
        {"title": "t", "url": "https://x.y", "color": 3, "fields": [{"name": "n", "value": "v", "inline": True}]}
    ],
}
FORM = {
    "custom_id": "m",
    "title": "t",
    "components": [
        {
            "type": 18,
            "label": "l",
            "component": {"type": 4, "custom_id": "f", "style": 1, "min_length": 1, "value": "v"},
        },
        {"type": 10, "content": "w"},
        {"type": 18, "label": "s", "component": select(3, required=True)},
    ],
}
THREAD = {"name": "x", "type": 11, "auto_archive_duration": 60, "rate_limit_per_user": 0}
COMMAND = command(contexts=[0, 1], integration_types=[0], options=[option(required=True, min_length=1, max_length=4)])


@pytest.fixture
async def wire() -> AsyncIterator[Wire]:
    async with StandIn() as standin, aiohttp.ClientSession() as http:
        yield Wire(standin, http)


def paths(value: Any, here: tuple[Any, ...] = ()) -> Iterator[tuple[Any, ...]]:
    """The ways to everything inside of a payload."""
    inside = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    for key, one in inside:
        yield (*here, key)
        yield from paths(one, (*here, key))


def tampered(payload: Any, luck: random.Random) -> Any:
    """The payload with a few things replaced, repeated or taken away."""
    payload = copy.deepcopy(payload)
    for _ in range(luck.choice((1, 1, 2, 3))):
        ways = list(paths(payload))
        if not ways:
            break
        *steps, last = luck.choice(ways)
        inside = payload
        for step in steps:
            inside = inside[step]
        if luck.random() < 0.2:
            del inside[last]
        elif isinstance(inside[last], list) and luck.random() < 0.3:
            inside[last] = inside[last] * luck.choice((2, 6, 26, 41))
        else:
            inside[last] = copy.deepcopy(luck.choice(STRANGE))
    return payload


async def attempt(wire: Wire, luck: random.Random) -> Request:
    """Send one tampered payload somewhere."""
    standin, room = wire.standin, wire.room
    messages = f"/channels/{room.id}/messages"
    callback = luck.choice(({"type": 9, "data": FORM}, {"type": 4, "data": FULL | {"flags": 64}}))
    called = standin.interact(wire.anna, room, 2, {"id": "1", "name": "wait", "type": 1}, None, 0)
    standin.world.registry.created.clear()
    kinds: tuple[tuple[str, str, Any], ...] = (
        ("POST", messages, luck.choice([FULL, *TAKEN_MESSAGES.values()])),
        ("PATCH", f"{messages}/{(await wire.post({'content': 'x'}))[1]['id']}", FULL),
        ("POST", f"/channels/{room.id}/threads", THREAD),
        (
            "PUT",
            f"/applications/{standin.world.application}/commands",
            [luck.choice([COMMAND, *TAKEN_COMMANDS.values()])],
        ),
        ("POST", f"/interactions/{called.id}/{called.token}/callback", callback),
    )
    method, path, payload = luck.choice(kinds)
    await wire.ask(method, path, tampered(payload, luck))
    return standin.requests[-1]


async def test_no_payload_breaks_the_stand_in(wire: Wire) -> None:
    luck = random.Random("tampered")  # the same payloads each time, so that a failure can be looked at
    for _ in range(ROUNDS):
        request = await attempt(wire, luck)
        assert request.status in (200, 201, 204, 400, 403), request.payload


async def test_no_payload_is_taken_that_the_description_forbids(wire: Wire) -> None:
    described = description()
    if described is None:
        pytest.skip(f"{PLACE} does not name a copy of Discord's API description")
    luck, oracle = random.Random("described"), Oracle(described)
    taken = 0
    for _ in range(ROUNDS):
        request = await attempt(wire, luck)
        if request.status < 300 and isinstance(request.payload, dict | list):
            taken += 1
            assert oracle.misfits(request) == [], request.payload
    assert taken
