"""What a club's site reads: tournaments with every match of them, and ratings; no more than anybody reads in chat."""

import asyncio
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import pytest

from tests.api.room import Room, open_room


@pytest.fixture
async def room(tmp_path: Path) -> AsyncIterator[Room]:
    async with open_room(tmp_path) as opened:
        yield opened


async def read(room: Room, path: str) -> Any:
    status, answer = await room.ask("Carol", "GET", path)
    assert status == 200, answer
    return answer


async def begun(room: Room, matches: int) -> None:
    """Wait for the alarms by which matches of a tournament begin."""
    while len(await room.store.matches(status="running")) < matches:
        await asyncio.sleep(0.01)


async def test_a_tournament_is_read_from_its_announcement_to_its_end(room: Room) -> None:
    await room.key("Carol")
    assert (await read(room, "/tournaments"))["tournaments"] == []
    await room.say("Anna", "tournament round-robin tokonoma Autumn Cup seats=3 atonce=2 time=3d")
    await room.say("Anna", "join 1")
    (listed,) = (await read(room, "/tournaments"))["tournaments"]
    assert (listed["name"], listed["status"], listed["entrants"]) == ("Autumn Cup", "open", 1)
    of = await read(room, "/tournaments/1")
    assert of["organiser"] == {"key": "web:anna", "name": "Anna"}
    assert [row["player"]["name"] for row in of["standings"]] == ["Anna"]
    for name in ("Ben", "Carol"):
        await room.say(name, "join 1")
    await begun(room, 3)
    of = await read(room, "/tournaments/1")
    assert of["status"] == "running"
    assert len(of["pairings"]) == 3
    first = of["pairings"][0]
    (board,) = first["matches"]
    assert board["points"] is None
    match = await room.service.repository.match(board["match"])
    assert match is not None
    loser = match.seats["B"].partition(":")[2].capitalize()
    room.clock.at += 60_000
    winner = match.seats["W"].partition(":")[2].capitalize()
    await room.say(winner, f"move {match.id} c7c5")
    await room.say(loser, f"move {match.id} e1e3")
    await room.say(loser, f"resign {match.id} yes")
    while not (of := await read(room, "/tournaments/1"))["pairings"][0]["matches"][0]["how"]:
        await asyncio.sleep(0.01)
        room.clock.at += 1000
    assert of["pairings"][0]["matches"][0] == {
        "match": match.id,
        "points": {f"web:{winner.lower()}": 1.0},
        "how": "played",
    }
    top = of["standings"][0]
    assert (top["player"]["name"], top["points"], top["won"], list(top["breaks"])) == (
        *(winner, 1.0, 1),
        ["direct", "sonneborn", "wins"],
    )


async def test_no_tournament_is_told_in_a_sentence(room: Room) -> None:
    await room.key("Carol")
    for number in ("7", "0", "t1", "x" * 50):
        status, answer = await room.ask("Carol", "GET", f"/tournaments/{number}")
        assert (status, "There is no tournament" in answer["detail"]) == (404, True)
    assert (await room.ask("Carol", "GET", "/ladders/chess"))[0] == 404
    assert (await room.ask("", "GET", "/tournaments", key="rip_nobody"))[0] == 401


async def test_whoever_wants_no_rating_is_on_no_ladder(room: Room) -> None:
    number = await room.begin(terms="side=white")
    for name, turn in (("Anna", "c7c5"), ("Ben", "e1e3")):
        await room.say(name, f"move {number} {turn}", thread=number)
    await room.say("Ben", f"resign {number} yes")
    await room.key("Carol")
    told = await read(room, "/ladders/tokonoma")
    assert [(one["player"]["name"], one["won"]) for one in told["rated"]] == [("Anna", 1), ("Ben", 0)]
    assert told["rated"][0]["provisional"]
    await room.say("Anna", "rating off")
    told = await read(room, "/ladders/tokonoma")
    assert [one["player"]["name"] for one in told["rated"]] == ["Ben"]


async def test_a_private_match_rates_nobody_here(room: Room) -> None:
    number = await room.begin(terms="side=white private=on")
    for name, turn in (("Anna", "c7c5"), ("Ben", "e1e3")):
        await room.say(name, f"move {number} {turn}", thread=number)
    await room.say("Ben", f"resign {number} yes")
    await room.key("Carol")
    assert (await read(room, "/ladders/tokonoma"))["rated"] == []


async def test_a_ladder_is_by_matches_of_two_or_of_several(room: Room) -> None:
    await room.say("Anna", "challenge @Ben @Dora chirality players=3")
    (number,) = [one.match for one in await room.service.repository.store.matches() if one.game == "chirality"]
    for name in ("Ben", "Dora"):
        await room.say(name, f"accept {number}", thread=number)
    for _ in range(2):
        match = await room.service.repository.match(number)
        assert match is not None
        (seat,) = [match.seats[side] for side in match.sides_to_act]
        turn = match.game.example(match.position)
        await room.say(seat.removeprefix("web:").title(), f"move {number} {turn}", thread=number)
    for name in ("Ben", "Dora"):
        await room.say(name, f"resign {number} yes", thread=number)
    await room.key("Carol")
    assert (await read(room, "/ladders/chirality"))["rated"] == []
    told = await read(room, "/ladders/chirality?players=several")
    assert told["rated"][0] == {
        "player": told["rated"][0]["player"],
        "rating": 1734,
        "deviation": 309,
        "provisional": True,
        "won": 1,
        "drawn": 0,
        "lost": 0,
    }
    assert told["rated"][0]["player"]["name"] == "Anna"
    assert (await room.ask("Carol", "GET", "/ladders/chirality?players=three"))[0] == 400
