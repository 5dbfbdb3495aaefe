"""What Discord refuses, the stand-in refuses with the same status, code and place; what just fits, it takes."""

from collections.abc import AsyncIterator
from typing import Any

import aiohttp
import pytest

from tests.discord_standin import StandIn
from tests.discord_standin.client import PIXEL
from tests.discord_standin.emoji import is_emoji
from tests.discord_standin.refusal import JSON
from tests.discord_standin.wire import Wire, choices, command, option, options

V2 = 1 << 15


@pytest.fixture
async def wire() -> AsyncIterator[Wire]:
    async with StandIn() as standin, aiohttp.ClientSession() as http:
        yield Wire(standin, http)


def button(label: str = "Go", custom_id: str = "go", **more: Any) -> JSON:
    return {"type": 2, "style": 1, "label": label, "custom_id": custom_id, **more}


def select(count: int, **more: Any) -> JSON:
    options = [{"label": str(n), "value": str(n)} for n in range(count)]
    return {"type": 3, "custom_id": "choice", "options": options, **more}


def row(*inside: JSON) -> JSON:
    return {"type": 1, "components": list(inside)}


def buttons(count: int, start: int = 0) -> JSON:
    return row(*(button(custom_id=f"b{n}") for n in range(start, start + count)))


def words(text: str) -> JSON:
    return {"type": 10, "content": text}


def say(*components: JSON, **more: Any) -> JSON:
    return {"content": "hello", "components": list(components), **more}


def lay(*components: JSON, **more: Any) -> JSON:
    return {"flags": V2, "components": list(components), **more}


def embed(**more: Any) -> JSON:
    return {"embeds": [{"title": "Board", **more}]}


TAKEN_MESSAGES: dict[str, JSON] = {
    "2000 characters": {"content": "x" * 2000},
    "a nonce of 25": {"content": "x", "nonce": "n" * 25, "enforce_nonce": True},
    "five rows of five buttons": say(*(buttons(5, 5 * n) for n in range(5))),
    "a select of 25": say(row(select(25))),
    "a label of 80 and an id of 100": say(row(button("l" * 80, "i" * 100))),
    "a chess pawn, which is an emoji": say(row(button(emoji={"name": "\u265f"}))),
    "a link": say(row({"type": 2, "style": 5, "label": "Rules", "url": "https://example.org"})),
    "40 components with 4000 characters": lay(*(words("x" * 100) for _ in range(40))),
    "a container with a section": lay(
        {"type": 17, "components": [{"type": 9, "components": [words("x")], "accessory": button()}, {"type": 14}]}
    ),
    "one user who may be pinged": {"content": "x", "allowed_mentions": {"parse": [], "users": ["1"]}},
    "an embed of 6000": {"embeds": [{"description": "x" * 3000}, {"description": "x" * 3000}]},
}


@pytest.mark.parametrize("what", TAKEN_MESSAGES)
async def test_a_message_that_just_fits_is_taken(wire: Wire, what: str) -> None:
    status, told = await wire.post(TAKEN_MESSAGES[what])
    assert (status, told.get("errors")) == (200, None)


REFUSED_MESSAGES: dict[str, tuple[JSON, str]] = {
    "2001 characters": ({"content": "x" * 2001}, "content"),
    "a number as content": ({"content": 7}, "content"),
    "a nonce of 26": ({"content": "x", "nonce": "n" * 26}, "nonce"),
    "11 embeds": ({"embeds": [{"title": "x"}] * 11}, "embeds"),
    "an embed title of 257": (embed(title="x" * 257), "embeds.0.title"),
    "an embed description of 4097": (embed(description="x" * 4097), "embeds.0.description"),
    "26 embed fields": (embed(fields=[{"name": "x", "value": "y"}] * 26), "embeds.0.fields"),
    "an embed field without a value": (embed(fields=[{"name": "x", "value": ""}]), "embeds.0.fields.0.value"),
    "embeds of 6001": ({"embeds": [{"description": "x" * 3000}, {"description": "x" * 3001}]}, "embeds"),
    "six rows": (say(*(buttons(1, n) for n in range(6))), "components"),
    "six buttons in a row": (say(buttons(6)), "components.0.components"),
    "an empty row": (say(row()), "components.0.components"),
    "a button outside of a row": (say(button()), "components.0.type"),
    "a select beside a button": (say(row(button(), select(2))), "components.0.components"),
    "a select of 26": (say(row(select(26))), "components.0.components.0.options"),
    "a select of none": (say(row(select(0))), "components.0.components.0.options"),
    "a select with a value twice": (
        say(row(select(0, options=[{"label": "a", "value": "v"}, {"label": "b", "value": "v"}]))),
        "components.0.components.0.options.1.value",
    ),
    "a select that wants more than it has": (say(row(select(2, max_values=3))), "components.0.components.0.max_values"),
    "a label of 81": (say(row(button("l" * 81))), "components.0.components.0.label"),
    "an id of 101": (say(row(button("x", "i" * 101))), "components.0.components.0.custom_id"),
    "an id twice": (say(row(button(), button())), "components"),
    "an id that another row has": (say(row(button()), row(button())), "components"),
    "a button without an id": (say(row(button(custom_id=""))), "components.0.components.0.custom_id"),
    "a button without a face": (say(row(button(label=""))), "components.0.components.0"),
    "a white king, which is no emoji": (
        say(row(button(emoji={"name": "\u2654"}))),
        "components.0.components.0.emoji.name",
    ),
    "a link with an id": (say(row(button(style=5, url="https://example.org"))), "components.0.components.0.custom_id"),
    "a link to a file": (
        say(row({"type": 2, "style": 5, "label": "x", "url": "file:///x"})),
        "components.0.components.0.url",
    ),
    "a text input in a message": (
        say(row({"type": 4, "custom_id": "x", "style": 1, "label": "x"})),
        "components.0.components.0.type",
    ),
    "a layout without its flag": (say(words("x")), "components.0.type"),
    "a layout beside content": (lay(words("x"), content="y"), "content"),
    "a layout beside an embed": (lay(words("x"), **embed()), "embeds"),
    "41 components": (lay(*(words("x") for _ in range(41))), "components"),
    "41 components, some of them inside": (
        lay({"type": 17, "components": [words("x") for _ in range(39)]}, words("y")),
        "components",
    ),
    "4001 characters in a layout": (lay(words("x" * 4000), words("y")), "components"),
    "eleven pictures in a gallery": (
        lay({"type": 12, "items": [{"media": {"url": "https://example.org/x"}}] * 11}),
        "components.0.items",
    ),
    "a layout with a file that is not there": (
        lay({"type": 13, "file": {"url": "attachment://board.png"}}),
        "components",
    ),
    "an ephemeral message for all": ({"content": "x", "flags": 64}, "flags"),
    "eleven attachments": ({"content": "x", "attachments": [{"id": n} for n in range(11)]}, "attachments"),
    "an attachment that did not come": ({"content": "x", "attachments": [{"id": 0}]}, "attachments.0.id"),
    "everybody and somebody": (
        {"content": "x", "allowed_mentions": {"parse": ["users"], "users": ["1"]}},
        "allowed_mentions",
    ),
    "101 who may be pinged": (
        {"content": "x", "allowed_mentions": {"users": [str(n) for n in range(101)]}},
        "allowed_mentions.users",
    ),
    "a reply to what is not there": ({"content": "x", "message_reference": {"message_id": "1"}}, "message_reference"),
}


@pytest.mark.parametrize("what", REFUSED_MESSAGES)
async def test_a_message_that_does_not_fit_is_refused_at_its_place(wire: Wire, what: str) -> None:
    payload, place = REFUSED_MESSAGES[what]
    status, told = await wire.post(payload)
    assert (status, told["code"]) == (400, 50035)
    assert wrong(told["errors"], place), told["errors"]
    assert wire.room.messages == []


def wrong(errors: JSON, place: str) -> list[JSON]:
    """What is said to be wrong at a place."""
    for step in place.split("."):
        errors = errors.get(step, {})
    found: list[JSON] = errors.get("_errors", [])
    return found


@pytest.mark.parametrize("payload", [{}, {"content": ""}, {"content": " \n "}, {"content": None, "embeds": []}])
async def test_an_empty_message_is_refused(wire: Wire, payload: JSON) -> None:
    status, told = await wire.post(payload)
    assert (status, told["code"]) == (400, 50006)


async def test_files_are_limited_in_number_size_and_description(wire: Wire) -> None:
    described = {"attachments": [{"id": 0, "description": "x" * 1024}]}
    assert (await wire.post(described, (PIXEL,)))[0] == 200
    described = {"attachments": [{"id": 0, "description": "x" * 1025}]}
    status, told = await wire.post(described, (PIXEL,))
    assert (status, told["code"]) == (400, 50035)
    assert wrong(told["errors"], "attachments.0.description")
    assert (await wire.post({}, (PIXEL,) * 11))[0] == 400
    status, told = await wire.post({}, (b"x" * (10 * 1024 * 1024 + 1),))
    assert (status, told["code"]) == (413, 40005)
    assert len(wire.room.messages) == 1


@pytest.mark.parametrize(
    ("method", "path", "status", "code"),
    [
        ("GET", "/channels/1", 404, 10003),
        ("GET", "/guilds/1", 404, 10004),
        ("GET", "/users/1", 404, 10013),
        ("GET", "/channels/x", 400, 50035),
        ("GET", "/channels/{room}/messages/1", 404, 10008),
        ("GET", "/channels/{room}/messages?limit=101", 400, 50035),
        ("POST", "/webhooks/{bot}/token", 404, 10015),
        ("POST", "/interactions/1/token/callback", 404, 10062),
        ("POST", "/channels/{room}/messages/1/threads", 404, 10008),
        ("PATCH", "/users/@me", 405, 0),
        ("GET", "/nowhere", 404, 0),
    ],
)
async def test_what_does_not_exist_is_told_by_its_code(
    wire: Wire, method: str, path: str, status: int, code: int
) -> None:
    path = path.format(room=wire.room.id, bot=wire.standin.world.application)
    answered, told = await wire.ask(method, path, {} if method == "POST" else None)
    assert (answered, told["code"]) == (status, code)


@pytest.mark.parametrize(
    ("change", "place"),
    [
        ({"name": ""}, "name"),
        ({"name": "x" * 101}, "name"),
        ({"name": "x", "auto_archive_duration": 61}, "auto_archive_duration"),
        ({"name": "x", "type": 0}, "type"),
    ],
)
async def test_a_thread_needs_a_name_of_100_and_one_of_four_durations(wire: Wire, change: JSON, place: str) -> None:
    status, told = await wire.ask("POST", f"/channels/{wire.room.id}/threads", change)
    assert (status, bool(wrong(told["errors"], place))) == (400, True)
    assert wire.room.threads == []


async def test_only_its_owner_or_a_manager_changes_a_thread(wire: Wire) -> None:
    theirs = wire.anna.thread(wire.room, "Anna's")
    status, told = await wire.ask("PATCH", f"/channels/{theirs.id}", {"name": "mine"})
    assert (status, told["code"]) == (403, 50013)
    _, own = await wire.ask("POST", f"/channels/{wire.room.id}/threads", {"name": "mine", "type": 11})
    assert (await wire.ask("PATCH", f"/channels/{own['id']}", {"name": "still mine"}))[0] == 200
    status, told = await wire.ask("PATCH", f"/channels/{own['id']}", {"locked": True})
    assert (status, told["code"]) == (403, 50013)
    assert (await wire.ask("PATCH", f"/channels/{own['id']}", {"archived": True}))[0] == 200
    status, told = await wire.ask("PATCH", f"/channels/{own['id']}", {"name": "too late"})
    assert (status, told["code"]) == (400, 50083)
    assert (await wire.ask("PATCH", f"/channels/{own['id']}", {"name": "back", "archived": False}))[0] == 200


TAKEN_COMMANDS: dict[str, JSON] = {
    "a name of 32": command("n" * 32),
    "a name of another script": command("партия"),
    "25 options": command(options=options(25)),
    "25 choices": command(options=[option(choices=choices(25))]),
    "25 groups": command(options=[option(f"g{n}", 2, options=options(1, 1)) for n in range(25)]),
    "a context menu with capitals": {"name": "Challenge them", "type": 2},
}


@pytest.mark.parametrize("what", TAKEN_COMMANDS)
async def test_a_command_that_just_fits_is_registered(wire: Wire, what: str) -> None:
    status, told = await wire.put(TAKEN_COMMANDS[what])
    assert (status, [one["name"] for one in told]) == (200, [TAKEN_COMMANDS[what]["name"]])


async def test_a_wrong_token_is_unauthorised_and_counted(wire: Wire) -> None:
    wire.standin.gateway.token = "another"
    assert await wire.ask("GET", "/users/@me") == (401, {"message": "401: Unauthorized", "code": 0})
    assert wire.standin.traffic.invalid_total == 1


async def test_json_that_is_none_is_refused(wire: Wire) -> None:
    url = f"{wire.standin.base}/api/v10/channels/{wire.room.id}/messages"
    headers = {"Authorization": f"Bot {wire.standin.token}", "Content-Type": "application/json"}
    async with aiohttp.ClientSession() as http, http.post(url, data=b"{", headers=headers) as answer:
        assert (answer.status, (await answer.json())["code"]) == (400, 50109)


async def test_history_is_read_before_after_and_around_a_message(wire: Wire) -> None:
    ids = [wire.anna.say(wire.room, f"{n}").id for n in range(10)]

    async def read(query: str) -> list[int]:
        _, found = await wire.ask("GET", f"/channels/{wire.room.id}/messages?{query}")
        return [ids.index(int(one["id"])) for one in found]

    assert await read("limit=3") == [9, 8, 7]
    assert await read(f"limit=3&before={ids[5]}") == [4, 3, 2]
    assert await read(f"limit=3&after={ids[5]}") == [8, 7, 6]
    assert await read(f"limit=3&around={ids[5]}") == [6, 5, 4]
    wire.room.deny("read_message_history")
    assert await read("limit=3") == []


@pytest.mark.parametrize(
    ("signs", "fit"),
    [
        (("👍", "1️⃣", "♟", "♟️", "🇩🇪", "👩\u200d🚀", "👋🏽"), True),
        (("♔", "A", "1", "", "👍👍", "×", "→"), False),
    ],
)
def test_emoji_are_told_from_other_signs(signs: tuple[str, ...], fit: bool) -> None:
    assert [is_emoji(sign) for sign in signs] == [fit] * len(signs)
