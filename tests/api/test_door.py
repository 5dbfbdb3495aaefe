"""What programs can do: whatever the person can whose key they have, and nothing else."""

import asyncio
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import aiohttp
import pytest
from yarl import URL

from bot.adapters.api import door
from bot.adapters.api.limits import DEEDS, GUESSES, READS
from bot.adapters.api.operations import OPERATIONS
from bot.notices.programs import digest
from tests.api.room import Room, open_room


@pytest.fixture
async def room(tmp_path: Path) -> AsyncIterator[Room]:
    async with open_room(tmp_path) as opened:
        yield opened


def detail(answer: tuple[int, Any], status: int) -> str:
    """The sentence of a refusal."""
    assert answer[0] == status, answer
    assert answer[1]["status"] == status
    said: str = answer[1]["detail"]
    return said


# --- keys -------------------------------------------------------------------------------------------------
async def test_a_key_is_its_person(room: Room) -> None:
    await room.key("Anna")
    assert await room.ask("Anna", "GET", "/me") == (
        200,
        {"person": {"key": "web:anna", "name": "Anna"}, "accounts": ["web:anna"], "webhook": ""},
    )


async def test_a_key_is_whispered_and_kept_nowhere(room: Room, tmp_path: Path) -> None:
    key = await room.key("Anna")
    await room.ask("Anna", "GET", "/me")
    assert await room.store.setting("web:anna", "apikey") == digest(key)
    await room.store.flush()
    for file in tmp_path.iterdir():
        assert key.encode() not in file.read_bytes()


@pytest.mark.parametrize("forged", ["", "x", "rip_", "rip_" + "A" * 43, "rip_" + "é" * 43, "a" * 5000])
async def test_a_forged_key_opens_nothing(room: Room, forged: str) -> None:
    await room.key("Anna")
    said = detail(await room.ask("", "GET", "/me", key=forged.encode("utf-8", "ignore").decode("latin-1")), 401)
    assert said.startswith("This key opens nothing. Say `apikey new`")


@pytest.mark.parametrize(
    ("header", "status"), [(b"Authorization: Bearer rip_\xff", 401), (b"Last-Event-ID: \xff", 400)]
)
async def test_headers_that_are_no_text_are_refused(room: Room, header: bytes, status: int) -> None:
    key = await room.key("Anna")
    lines = [b"GET /api/v1/events HTTP/1.1", b"Host: " + str(URL(room.url).authority).encode(), header]
    lines += [] if header.startswith(b"Auth") else [f"Authorization: Bearer {key}".encode()]
    reader, writer = await asyncio.open_connection(URL(room.url).host, URL(room.url).port)
    writer.write(b"\r\n".join([*lines, b"Connection: close", b"", b""]))
    answer = await reader.read()
    writer.close()
    await writer.wait_closed()
    assert answer.startswith(b"HTTP/1.1 %d" % status), answer[:200]


async def test_a_digest_is_no_key(room: Room) -> None:
    key = await room.key("Anna")
    detail(await room.ask("", "GET", "/me", key=digest(key)), 401)
    detail(await room.ask("", "GET", "/me", key=f"rip_{digest(key)[:43]}"), 401)


async def test_a_revoked_key_and_a_replaced_one_open_nothing(room: Room) -> None:
    first = await room.key("Anna")
    second = await room.key("Anna")
    detail(await room.ask("", "GET", "/me", key=first), 401)
    assert (await room.ask("", "GET", "/me", key=second))[0] == 200
    assert await room.say("Anna", "apikey revoke") != []
    detail(await room.ask("", "GET", "/me", key=second), 401)


async def test_guessing_is_slowed_down_and_no_one_else_is(room: Room) -> None:
    await room.key("Anna")
    answers = [await room.ask("", "GET", "/me", key="rip_" + "A" * 43) for _ in range(GUESSES + 1)]
    assert [status for status, _ in answers] == [401] * GUESSES + [429]
    assert (await room.ask("Anna", "GET", "/me"))[0] == 200


async def test_linked_accounts_are_one_player(room: Room) -> None:
    number = await room.begin()
    (told,) = await room.say("Anna", "account")
    code = next(word for word in told.replace("'", " ").replace(")", " ").split() if len(word) == 10 and word.isupper())
    await room.say("Anna-on-Matrix", f"account {code} yes", platform="matrix")
    await room.key("Anna-on-Matrix", "matrix")
    status, match = await room.ask("Anna-on-Matrix", "GET", f"/matches/{number}")
    assert (status, match["you"]) == (200, "W")


# --- playing ----------------------------------------------------------------------------------------------
async def test_a_match_is_challenged_accepted_and_played(room: Room) -> None:
    number = await room.begin()
    status, match = await room.ask("Anna", "GET", f"/matches/{number}")
    assert status == 200
    assert (match["status"], match["you"], match["to_act"], match["turns"]) == ("running", "W", ["W"], [])
    _, menu = await room.ask("Anna", "GET", f"/matches/{number}/menu?pick=c7")
    assert (menu["picks"], menu["reach"]) == (["c7"], [])
    assert (await room.ask("Anna", "POST", f"/matches/{number}/move", {"turn": "c7c5"}))[0] == 200
    _, match = await room.ask("Ben", "GET", f"/matches/{number}")
    assert [turn["text"] for turn in match["turns"]] == ["c7c5"]
    assert match["to_act"] == ["B"]
    _, told = await room.ask("Ben", "GET", "/matches?status=running")
    assert [one["match"] for one in told["matches"]] == [number]
    assert told["matches"][0]["to_act"] == ["web:ben"]


async def test_untenable_turns_stand_and_can_be_called(room: Room) -> None:
    number = await room.begin()
    status, played = await room.ask("Anna", "POST", f"/matches/{number}/move", {"turn": "c7e1"})
    assert status == 200
    status, called = await room.ask("Ben", "POST", f"/matches/{number}/call", {})
    assert status == 200, called
    assert "untenable" in called["told"][0]["text"]
    assert "untenable" not in str(played)


async def test_offers_and_ends(room: Room) -> None:
    number = await room.begin()
    assert (await room.ask("Anna", "POST", f"/matches/{number}/draw", {}))[0] == 200
    assert (await room.ask("Ben", "POST", f"/matches/{number}/decline", {"offer": "draw"}))[0] == 200
    assert (await room.ask("Ben", "POST", f"/matches/{number}/resign", {"sure": "yes"}))[0] == 200
    _, match = await room.ask("Anna", "GET", f"/matches/{number}")
    assert match["status"] == "over"
    assert "Anna" in match["result"]


async def test_a_refusal_is_the_sentence_that_a_person_gets(room: Room) -> None:
    number = await room.begin()
    said = detail(await room.ask("Ben", "POST", f"/matches/{number}/move", {"turn": "c1c3"}), 422)
    assert said.startswith("It is White's turn.")
    assert [said] == await room.say("Ben", f"move {number} c1c3")


async def test_a_button_of_before_does_nothing(room: Room) -> None:
    number = await room.begin()
    await room.ask("Anna", "POST", f"/matches/{number}/draw", {})
    answer = await room.ask("Ben", "POST", f"/matches/{number}/accept", {"offer": "draw", "stamp": 7})
    assert "out of date" in detail(answer, 422)
    assert (await room.ask("Ben", "GET", f"/matches/{number}"))[1]["status"] == "running"


async def test_the_same_request_twice_does_nothing_twice(room: Room) -> None:
    await room.key("Anna")
    asked = {"game": "tokonoma"}
    first = await room.ask("Anna", "POST", "/matches", asked, Idempotency_Key="a")
    again = await asyncio.gather(*(room.ask("Anna", "POST", "/matches", asked, Idempotency_Key="a") for _ in range(5)))
    assert {str(answer) for answer in again} == {str(first)}
    assert first[0] == 200
    assert len((await room.ask("Anna", "GET", "/matches"))[1]["matches"]) == 1
    other = await room.ask("Anna", "POST", "/matches", {"game": "ironclad"}, Idempotency_Key="a")
    assert "Something else was asked for" in detail(other, 422)
    assert len((await room.ask("Anna", "GET", "/matches"))[1]["matches"]) == 1
    await room.key("Ben")  # another's key is another request
    assert (await room.ask("Ben", "POST", "/matches", asked, Idempotency_Key="a"))[0] == 200
    assert len((await room.ask("Ben", "GET", "/matches"))[1]["matches"]) == 1


async def test_the_answer_is_found_again_after_a_restart(tmp_path: Path) -> None:
    async with open_room(tmp_path) as room:
        await room.key("Anna")
        first = await room.ask("Anna", "POST", "/matches", {"game": "tokonoma"}, Idempotency_Key="a")
        refused = await room.ask("Anna", "POST", "/matches/99/resign", {}, Idempotency_Key="b")
        key = room.keys["Anna"]
    async with open_room(tmp_path) as room:
        room.keys["Anna"] = key
        assert await room.ask("Anna", "POST", "/matches", {"game": "tokonoma"}, Idempotency_Key="a") == first
        assert await room.ask("Anna", "POST", "/matches/99/resign", {}, Idempotency_Key="b") == refused
        assert refused[0] == 422


# --- what is another's ------------------------------------------------------------------------------------
async def test_another_s_match_is_none(room: Room) -> None:
    """What lives on Discord is no business of somebody from elsewhere."""
    await room.key("Anna")
    await room.say("Dora", "challenge @eve tokonoma", platform="discord")
    await room.say("Eve", "accept 1", platform="discord")
    assert (await room.service.repository.match("1")) is not None
    for path in ("", "/menu"):
        theirs = detail(await room.ask("Anna", "GET", f"/matches/1{path}"), 404)
        none = detail(await room.ask("Anna", "GET", f"/matches/9{path}"), 404)
        assert theirs.replace("1", "9") == none
    assert (await room.ask("Anna", "GET", "/matches"))[1] == {"matches": []}
    detail(await room.ask("Anna", "POST", "/matches/1/move", {"turn": "c7c5"}), 422)
    detail(await room.ask("Anna", "POST", "/matches/1/resign", {"sure": "yes"}), 422)
    match = await room.service.repository.match("1")
    assert match is not None
    assert (match.status, match.plies) == ("running", ())


async def test_what_is_hidden_stays_hidden(room: Room) -> None:
    number = await room.begin("veney", "umpire=turn side=white first=hands")
    await room.key("Carol")
    _, seen = await room.ask("Anna", "GET", f"/matches/{number}")
    assert seen["asked"]
    before = [(await room.ask(name, "GET", f"/matches/{number}"))[1] for name in ("Ben", "Carol")]
    status, told = await room.ask("Anna", "POST", f"/matches/{number}/secret", {"answer": "left"})
    assert status == 200, told
    after = [(await room.ask(name, "GET", f"/matches/{number}"))[1] for name in ("Ben", "Carol")]
    assert [one["words"] for one in before] == [one["words"] for one in after]
    assert [one["asked"] for one in after] == [before[0]["asked"], ""]


# --- bad input --------------------------------------------------------------------------------------------
@pytest.mark.parametrize(
    ("body", "status"),
    [
        (b"", 400),
        (b"[]", 400),
        (b"{", 400),
        (b"\xff", 400),
        (b'{"turn": 5}', 400),
        (b'{"turn": ""}', 400),
        (b'{"turn": "a\\nb"}', 400),
        (b'{"turn": "c7c5", "more": 1}', 400),
        (b'{"turn": "' + b"a" * 2000 + b'"}', 400),
        (b'{"turn": "' + b"a" * 9000 + b'"}', 413),
        (b"[" * 8000, 400),
    ],
)
async def test_a_body_that_is_not_as_described_costs_nothing(room: Room, body: bytes, status: int) -> None:
    number = await room.begin()
    headers = {"Authorization": f"Bearer {room.keys['Anna']}", "Content-Type": "application/json"}
    async with room.session.post(f"{room.url}/matches/{number}/move", data=body, headers=headers) as answer:
        assert answer.status == status
        assert answer.content_type == "application/problem+json"
    assert (await room.ask("Anna", "GET", f"/matches/{number}"))[1]["turns"] == []


async def test_no_field_makes_another_command(room: Room) -> None:
    number = await room.begin()
    for turn in (f"# resign {number} yes", "yes", "@0 # resign yes", f"{number} resign", "resign yes"):
        detail(await room.ask("Anna", "POST", f"/matches/{number}/move", {"turn": turn}), 422)
    for terms in ("time=3d @carol", 'start="x" @carol', "@carol"):
        await room.ask("Anna", "POST", f"/matches/{number}/counter", {"terms": terms})
    _, match = await room.ask("Ben", "GET", f"/matches/{number}")
    assert (match["status"], match["turns"]) == ("running", [])


async def test_no_program_has_a_position_of_a_running_match_looked_at(room: Room) -> None:
    """There is no operation that analyses, hints or judges, and practice begins from no such position."""
    assert {one.name for one in OPERATIONS} & {"analyse", "hint", "solve", "spot", "look", "review", "rules"} == set()
    room.service.repository.opponents = 5
    number = await room.begin()
    await room.ask("Anna", "POST", f"/matches/{number}/move", {"turn": "c7c5"})
    match = await room.service.repository.match(number)
    assert match is not None
    start = match.game.encode(match.position)
    wanted = {"player": "riposte", "game": "tokonoma", "terms": f'start="{start}"'}
    told = detail(await room.ask("Anna", "POST", "/matches", wanted), 422)
    assert f"That position stands in match {number}, which is not over." in told
    del wanted["terms"]
    status, begun = await room.ask("Anna", "POST", "/matches", wanted)
    assert status == 200, begun


async def test_what_is_not_there_is_told_as_a_problem(room: Room) -> None:
    await room.key("Anna")
    detail(await room.ask("Anna", "GET", "/nothing"), 404)
    detail(await room.ask("Anna", "DELETE", "/me"), 405)
    detail(await room.ask("Anna", "GET", "/matches/01"), 404)
    detail(await room.ask("Anna", "GET", "/matches?limit=0"), 400)
    detail(await room.ask("Anna", "GET", "/matches?limit=5&limit=6"), 400)
    detail(await room.ask("Anna", "GET", "/matches?status=lost"), 400)


@pytest.mark.parametrize(
    "path", ["/matches?statu=running", "/matches?status=running&page=2", "/me?x", "/matches/1?board=text"]
)
async def test_a_parameter_that_there_is_not_is_told_with_those_that_there_are(room: Room, path: str) -> None:
    await room.begin()
    status, told = await room.ask("Anna", "GET", path)
    assert status == 400
    assert "is not as described." in told["detail"]
    (wrong,) = told["errors"]
    assert wrong["detail"].startswith("known here: ")
    assert ("status" in wrong["detail"]) == path.startswith("/matches?")


async def test_too_much_is_told_with_when_to_come_again(room: Room) -> None:
    await room.key("Anna")
    answers = [await room.ask("Anna", "GET", "/me") for _ in range(READS + 1)]
    assert [status for status, _ in answers] == [200] * READS + [429]
    room.clock.at += 30_000
    assert (await room.ask("Anna", "GET", "/me"))[0] == 200
    answers = [await room.ask("Anna", "POST", "/matches/9/resign", {}) for _ in range(DEEDS + 1)]
    assert answers[-1][0] == 429
    assert {status for status, _ in answers} == {422, 429}


async def test_a_body_that_never_comes_is_not_waited_for(room: Room, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(door, "SLOWEST_BODY", 0.05)
    await room.key("Anna")

    async def slowly() -> AsyncIterator[bytes]:
        yield b"{"
        await asyncio.Event().wait()

    headers = {"Authorization": f"Bearer {room.keys['Anna']}", "Content-Type": "application/json"}
    async with (
        aiohttp.ClientSession() as session,
        session.post(f"{room.url}/matches", data=slowly(), headers=headers) as answer,
    ):
        assert answer.status == 408


async def test_other_names_and_other_pages_get_nothing(room: Room) -> None:
    key = await room.key("Anna")
    for headers in ({"Host": "evil.example"}, {"Host": "127.0.0.1.evil.example"}):
        async with room.session.get(f"{room.url}/me", headers={"Authorization": f"Bearer {key}", **headers}) as answer:
            assert answer.status == 403
    preflight = {"Origin": "https://evil.example", "Access-Control-Request-Method": "GET"}
    async with room.session.options(f"{room.url}/me", headers=preflight) as answer:
        assert "Access-Control-Allow-Origin" not in answer.headers
        assert answer.status == 405
