"""Hints where terms allow them, and what a match that is over has to teach."""

import re
from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from bot.messages.showing.pictures import diagram
from engine.games import GAMES
from render.painter import paint
from render.view import View
from tests.chat_room import ChatRoom, open_room
from tests.parts_of_games import APPRAISED


@pytest.fixture
async def room(tmp_path: Path) -> AsyncIterator[ChatRoom]:
    room = await open_room(tmp_path)
    yield room
    await room.store.close()


async def answer(room: ChatRoom, who: str, text: str, thread: str = "1") -> str:
    said = len(room.lines) + 1
    await room.say(who, text, thread)
    return "\n".join(room.lines[said:])


async def begin(room: ChatRoom, game: str, terms: str) -> None:
    await room.say("anna", f"challenge @ben {game} {terms}")
    await room.say("ben", "accept 1")


async def test_a_hint_names_the_piece_and_then_the_turn_to_whoever_is_to_act_alone(room: ChatRoom) -> None:
    await begin(room, "tokonoma", "side=white hints=on")
    first = await answer(room, "anna", "hint")
    assert "Look at the " in first
    assert "to anna:" in first
    assert "It is not your turn." in await answer(room, "ben", "hint")
    room.restart()
    second = await answer(room, "anna", "hint")
    turn = second.partition("Riposte would play `")[2].partition("`")[0]
    match = await room.service.repository.match("1")
    assert match is not None
    game = GAMES["tokonoma"]
    assert game.tenable(match.position, game.read(turn, match.position))
    assert turn[:2] in first or turn[1:3] in first
    await room.say("anna", turn, "1")
    assert "Look at the " in await answer(room, "ben", "hint"), "each turn begins with the piece"


async def test_a_hint_is_in_earnest_where_the_level_that_gives_it_errs_on_purpose(room: ChatRoom) -> None:
    """A turn at random, or a hasty one, would be another one in another match."""
    hints = set()
    for number in "123456":
        await room.say("anna", "challenge @ben chirality side=red hints=on umpire=refuse")
        await room.say("ben", f"accept {number}")
        await answer(room, "anna", "hint", number)
        hints.add((await answer(room, "anna", "hint", number)).partition("Riposte would play ")[2])
    assert len(hints) == 1
    assert "" not in hints


async def test_without_the_term_there_is_no_hint(room: ChatRoom) -> None:
    await begin(room, "tokonoma", "side=white")
    assert "allow no hints" in await answer(room, "anna", "hint")


@pytest.mark.parametrize("key", APPRAISED)
async def test_hints_go_with_refusing_alone(key: str, room: ChatRoom) -> None:
    told = await answer(room, "anna", f"challenge @ben {key} umpire=friendly hints=on", "")
    assert "A hint would tell what is tenable" in told


async def test_a_review_tells_what_nobody_called_and_wrong_calls_once_it_is_over(room: ChatRoom) -> None:
    await begin(room, "tokonoma", "side=white umpire=turn")
    await room.say("anna", "c7c4", "1")
    await room.say("ben", "c1c3", "1")
    await room.say("anna", "call", "1")
    early = await answer(room, "ben", "review")
    assert "is not over" in early
    assert "untenable" not in early
    await room.say("anna", "a5a3", "1")
    await room.say("ben", "resign yes", "1")
    told = await answer(room, "carol", "review 1", "")
    assert "1. White `c7c4` was untenable, and nobody called it. The Arm on c7 reaches " in told
    assert "@anna called turn 2 out, and it held." in told
    assert "At fault: c7." in told
    assert "(From turn to turn: review 1 course)" in told
    plot = await answer(room, "carol", "review 1 course", "")
    assert "White stood best after turn " in plot
    drawn = diagram(room.posts[-1].picture)  # type: ignore[arg-type]
    assert len(drawn.board.outlines) == 3, "a bar for each turn"
    assert paint(drawn, View("light", 0, str)).startswith(b"\x89PNG")


async def test_of_several_each_has_a_line_and_what_they_gave_away_is_told(room: ChatRoom) -> None:
    await room.say("anna", "challenge @ben @clara chirality players=3 umpire=refuse setup=long")
    for guest in ("ben", "clara"):
        await room.say(guest, "accept 1")
    for _ in range(12):
        match = await room.service.repository.match("1")
        assert match is not None
        turn = match.game.write(next(iter(match.game.turns(match.position))), match.position)
        await room.say(match.seats[match.game.to_act(match.position)].removeprefix("web:"), turn, "1")
    for name in ("anna", "ben"):
        await room.say(name, "resign yes", "1")
    told = await answer(room, "ben", "review 1", "")
    assert "(From turn to turn: review 1 course)" in told
    assert told.count("gave nothing away with ") == 0, "four turns each are too few for thirds"
    plot = await answer(room, "ben", "review 1 course", "")
    assert "Each line goes up where Riposte thinks that its player stood better." in plot
    assert [line for line in ("anna: from ", "ben: from ", "clara: from ") if line not in plot] == []
    picture = room.posts[-1].picture
    assert picture is not None
    assert picture.chart is not None
    assert [len(series.points) for series in picture.chart.series] == [12, 12, 12]


async def test_how_well_each_side_played_is_told_third_by_third(room: ChatRoom) -> None:
    await begin(room, "tokonoma", "side=white")
    opening, middle, end = "e5e4 e1e3 e4d4 e1e2", "d4c4 a1a2 a5a3 e3e5", "c6e4 e2e3 c6c5 e3e4"
    for at, turn in enumerate(f"{opening} {middle} {end}".split()):
        await room.say(("anna", "ben")[at % 2], turn, "1")
    await room.say("anna", "resign yes", "1")
    told = await answer(room, "ben", "review")
    assert "9. White `c6e4` lost much; " in told
    told_of = "{} gave nothing away with 100 % of the turns in the opening, 100 % in the middle, {} % at the end."
    assert told_of.format("White", 50) in told
    assert told_of.format("Black", 100) in told


@pytest.mark.parametrize("key", sorted(GAMES))
async def test_a_match_of_each_game_can_be_looked_at_again(key: str, room: ChatRoom) -> None:
    await begin(room, key, "umpire=refuse")
    for _ in range(4):
        match = await room.service.repository.match("1")
        assert match is not None
        turn = match.game.write(next(iter(match.game.turns(match.position))), match.position)
        await room.say(match.seats[match.game.to_act(match.position)].removeprefix("web:"), turn, "1")
    await room.say("anna", "resign yes", "1")
    told = await answer(room, "ben", "review")
    assert "No turn that stood broke a rule." in told


async def test_a_review_points_at_the_turn_that_lost_much(room: ChatRoom) -> None:
    await begin(room, "tokonoma", 'side=white start="f4/6/2fFa1S/6/5 w"')
    await room.say("anna", "c7d5", "1")
    await room.say("ben", "resign yes", "1")
    assert "**Match 1: Tokonoma, in review**" in await answer(room, "anna", "review")


async def test_what_a_turn_gives_away_is_seen_in_the_answer_to_it(room: ChatRoom) -> None:
    """The Flat steps to where two Flats reach it: the turn itself costs nothing, the next one does."""
    await begin(room, "tokonoma", 'side=white start="1f1SA+/1f1BBF/1ff1F2/6/2F1A w"')
    await room.say("anna", "e3d3", "1")
    await room.say("ben", "c2d2", "1")
    await room.say("anna", "resign yes", "1")
    told = await answer(room, "ben", "review")
    (lost,) = [line for line in told.splitlines() if "lost much" in line]
    assert re.fullmatch(r" +1\. White `e3d3` lost much; Riposte would have played `\w+`\.", lost)
    assert "2. Black" not in told


async def test_how_well_each_side_played_is_told_by_thirds_of_the_match(room: ChatRoom) -> None:
    await begin(room, "tokonoma", "side=white umpire=refuse")
    for number in range(30):
        match = await room.service.repository.match("1")
        assert match is not None
        turns = list(match.game.turns(match.position))
        turn = match.game.write(turns[number % len(turns)], match.position)
        await room.say(match.seats[match.game.to_act(match.position)].removeprefix("web:"), turn, "1")
    await room.say("anna", "resign yes", "1")
    told = await answer(room, "ben", "review")
    for side in ("White", "Black"):
        found = re.search(
            side + r" gave nothing away with (\d+) % of the turns in the opening, (\d+) % in the middle, (\d+) %", told
        )
        assert found is not None, told
        assert all(0 <= int(share) <= 100 for share in found.groups())
