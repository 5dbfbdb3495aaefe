"""A board of one's own: turns tried, taken back, kept; and no door to it for a match that is not over."""

import re
from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from engine.dice import Dice
from engine.games import GAMES
from engine.teaching.likeness import likenesses, standing, symmetries
from tests.chat_room import ChatRoom, open_room

FLIPS = {"tokonoma": 4, "tirachen": 8, "ironclad": 4, "veney": 4, "chirality": 10}
"""In how many ways each board falls onto itself."""


@pytest.fixture
async def room(tmp_path: Path) -> AsyncIterator[ChatRoom]:
    room = await open_room(tmp_path)
    yield room
    await room.store.close()


async def answer(room: ChatRoom, who: str, text: str, thread: str = "", platform: str = "web") -> str:
    said = len(room.lines) + 1
    await room.say(who, text, thread, platform=platform)
    return "\n".join(room.lines[said:])


async def begin(room: ChatRoom, terms: str = "side=white umpire=turn", who: str = "anna", number: int = 1) -> None:
    await room.say(who, f"challenge @ben tokonoma {terms}")
    await room.say("ben", f"accept {number}")


async def play(room: ChatRoom, *turns: str, thread: str = "1") -> None:
    for number, turn in enumerate(turns):
        await room.say("anna" if number % 2 == 0 else "ben", turn, thread)


async def finished(room: ChatRoom) -> None:
    await begin(room)
    await play(room, "e5d5", "c1c3", "c7c5")
    await room.say("ben", "resign yes", "1")


async def stored(room: ChatRoom, number: str = "1") -> str:
    match = await room.service.repository.match(number)
    assert match is not None
    return match.game.encode(match.position)


async def test_turns_are_tried_taken_back_and_kept_across_a_restart(room: ChatRoom) -> None:
    await finished(room)
    first = await answer(room, "anna", "analyse 1 1")
    assert "**Match 1: Tokonoma, after turn 1**" in first
    assert "Black is to act" in first
    assert "Tried: `c1c3`." in await answer(room, "anna", "analyse c1c3")
    room.restart()
    assert "Tried: `c1c3`, `c7c5`." in await answer(room, "anna", "analyse c7 to c5")
    assert "Tried: `c1c3`." in await answer(room, "anna", "analyse back")
    assert "Kept; `analyse kept 1`" in await answer(room, "anna", "analyse keep the Arm first")
    assert "put away" in await answer(room, "anna", "analyse stop")
    assert "No board is open for you." in await answer(room, "anna", "analyse c7c5")
    assert "the Arm first" in await answer(room, "anna", "analyse kept")
    assert "Tried: `c1c3`." in await answer(room, "anna", "analyse kept 1")
    assert "You keep no such board." in await answer(room, "ben", "analyse kept 1")
    assert "forgotten" in await answer(room, "anna", "analyse kept off 1")


async def test_each_kept_board_is_opened_and_forgotten_by_its_own_number(room: ChatRoom) -> None:
    await answer(room, "anna", "analyse tokonoma")
    for number, turn in enumerate(("c7c5", "e1e3", "c5c3"), start=1):
        await answer(room, "anna", f"analyse {turn}")
        assert f"Kept; `analyse kept {number}`" in await answer(room, "anna", f"analyse keep {turn} last")
    tried = {1: "Tried: `c7c5`.", 2: "Tried: `c7c5`, `e1e3`.", 3: "Tried: `c7c5`, `e1e3`, `c5c3`."}
    for number, told in tried.items():
        assert told in await answer(room, "anna", f"analyse kept {number}")
    assert "You keep no such board." in await answer(room, "anna", "analyse kept 4")
    await answer(room, "anna", "analyse kept off 2")
    assert tried[1] in await answer(room, "anna", "analyse kept 1")
    assert tried[3] in await answer(room, "anna", "analyse kept 2")


async def test_what_breaks_a_rule_is_told_and_not_played_and_riposte_is_asked(room: ChatRoom) -> None:
    await finished(room)
    await answer(room, "anna", "analyse 1 0")
    said = await answer(room, "anna", "analyse c7c6")
    assert "That turn is untenable." in said
    assert "Tried" not in await answer(room, "anna", "analyse")
    assert "Riposte would play `" in await answer(room, "anna", "analyse ask")
    assert await answer(room, "anna", "analyse ask") == await answer(room, "anna", "analyse ask")


async def test_every_answer_is_for_whoever_asks_alone(room: ChatRoom) -> None:
    await finished(room)
    for text in ("analyse 1", "analyse ask", "analyse back", "analyse keep x", "analyse kept", "analyse tokonoma"):
        for post in await room.say("anna", text, "1"):
            assert post.only is not None
            assert post.only.key == "web:anna"


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("analyse 99", "There is no match 99."),
        ("analyse 1 77", "Match 1 has 3 turns."),
        ("analyse chess", "No board is open for you."),
        ("analyse tokonoma nonsense", "tokonoma"),
        (f"analyse tokonoma {'1' * 3000}", "no position of Tokonoma"),
        ("analyse back", "No board is open for you."),
    ],
)
async def test_bad_input_costs_nothing(text: str, told: str, room: ChatRoom) -> None:
    await finished(room)
    assert told.lower() in (await answer(room, "anna", text)).lower()
    assert await room.store.setting("web:anna", "analysis") == ""


async def test_a_running_match_has_no_board_for_anybody(room: ChatRoom) -> None:
    await begin(room)
    await play(room, "e5d5", "c1c3")
    for who in ("anna", "ben", "cleo"):
        assert "Match 1 is not over" in await answer(room, who, "analyse 1")
        assert "Match 1 is not over" in await answer(room, who, "analyse 1 0")
        assert "Match 1 is not over" in await answer(room, who, "analyse", "1")


async def refused(room: ChatRoom, text: str, who: str = "anna", platform: str = "web") -> bool:
    return "stands, or stood, in match 1" in await answer(room, who, text, platform=platform)


async def test_a_position_of_a_running_match_is_refused_at_any_ply(room: ChatRoom) -> None:
    await begin(room)
    game = GAMES["tokonoma"]
    places = [game.setup({}, Dice(bytes(32)))]
    for turn in ("e5d5", "c1c3", "c7c5"):
        places.append(game.play(places[-1], game.read(turn, places[-1])))
    await play(room, "e5d5", "c1c3", "c7c5")
    for position in places:
        assert await refused(room, f"analyse tokonoma {game.encode(position)}")
    assert not await refused(room, f"analyse tokonoma {game.encode(places[-1])}", "cleo")


def mirrored(text: str) -> str:
    """A position of Tokonoma with its rows in reverse order: the board upside down."""
    rows, _, rest = text.partition(" ")
    return f"{'/'.join(reversed(rows.split('/')))} {rest}"


def swapped(text: str) -> str:
    """The same seen from the other side: each row backwards, capitals for small letters."""
    rows, _, rest = text.partition(" ")
    turned = []
    for row in rows.split("/"):
        signs = [sign + ("+" if row[at + 1 : at + 2] == "+" else "") for at, sign in enumerate(row) if sign != "+"]
        turned.append("".join(reversed(signs)).swapcase())
    side, *more = rest.split()
    return " ".join(("/".join(turned), {"w": "b", "b": "w"}[side], *more))


async def test_mirrored_swapped_and_counted_otherwise_it_is_refused_as_well(room: ChatRoom) -> None:
    await begin(room)
    await play(room, "e5d5", "c1c3", "c7c5")
    now = await stored(room)
    rows, side, *_ = now.split()
    other_side = f"{rows} {'w' if side == 'b' else 'b'}"
    attacks = (mirrored(now), swapped(now), swapped(mirrored(now)), f"{rows} {side} q7", other_side)
    assert len({now, *attacks}) == 6
    for text in attacks:
        GAMES["tokonoma"].decode(text)
        assert await refused(room, f"analyse tokonoma {text}"), text


async def test_a_position_that_was_taken_back_is_refused(room: ChatRoom) -> None:
    await begin(room, "side=white umpire=turn takeback=free")
    await play(room, "e5d5")
    gone = await stored(room)
    await room.say("anna", "takeback", "1")
    assert await stored(room) != gone
    assert await refused(room, f"analyse tokonoma {gone}")


async def test_a_linked_account_is_the_same_person(room: ChatRoom) -> None:
    await begin(room)
    await play(room, "e5d5", "c1c3")
    now = await stored(room)
    assert not await refused(room, f"analyse tokonoma {now}", "anne", "discord")
    said = await answer(room, "anna", "account")
    code = re.findall(r"account ([A-Z2-9]{10})", said)[0]
    await answer(room, "anne", f"account {code} yes", platform="discord")
    assert await refused(room, f"analyse tokonoma {now}", "anne", "discord")


async def test_a_turn_that_leads_there_is_refused_and_so_is_a_kept_board(room: ChatRoom) -> None:
    game = GAMES["tokonoma"]
    start = game.setup({}, Dice(bytes(32)))
    before = game.encode(game.play(start, game.read("e5d5", start)))
    await answer(room, "anna", f"analyse tokonoma {before}")
    await answer(room, "anna", "analyse c1c3")
    await answer(room, "anna", "analyse keep it")
    await answer(room, "anna", "analyse b6a4")
    await begin(room)
    assert not await refused(room, "analyse ask")
    await play(room, "e5d5", "c1c3", "b6a4")
    assert await refused(room, "analyse ask")
    assert await refused(room, "analyse back")
    assert await refused(room, "analyse kept 1")
    assert await refused(room, "analyse")


async def test_with_agreement_turns_of_a_running_match_are_tried_unjudged_and_without_riposte(room: ChatRoom) -> None:
    await begin(room, "side=white umpire=turn analysis=on")
    await play(room, "e5d5")
    assert "**Match 1: Tokonoma, after turn 1**" in await answer(room, "ben", "analyse 1")
    untenable = await answer(room, "ben", "analyse c1c2")
    assert "Tried: `c1c2`." in untenable
    assert "untenable" not in untenable
    assert "(Ask Riposte" not in untenable
    for text in ("analyse ask", "analyse 1 0", "analyse ask"):
        said = await answer(room, "ben", text)
    assert "Riposte gives no advice on a match that is still being played." in said
    assert "Match 1 is not over" in await answer(room, "cleo", "analyse 1")
    assert await refused(room, f"analyse tokonoma {await stored(room)}", "ben")


async def test_whoever_is_in_a_running_match_hears_no_verdicts_about_other_boards(room: ChatRoom) -> None:
    await finished(room)
    await begin(room, number=2)
    await play(room, "d6c4", "e1e3", thread="2")
    await answer(room, "anna", "analyse 1 3")
    said = await answer(room, "anna", "analyse a1a5")
    assert "Whether a turn holds is not told here" in said
    assert "untenable" not in said


async def test_practice_begins_from_no_position_of_a_running_match_however_it_is_turned(room: ChatRoom) -> None:
    await begin(room)
    await play(room, "e5d5", "c1c3", "c7c5")
    now = await stored(room)
    rows, side, *_ = now.split()
    for text in (now, mirrored(now), swapped(now), f"{rows} {side} q77"):
        said = await answer(room, "anna", f'challenge @riposte tokonoma start="{text}"')
        assert "That position stands in match 1, which is not over." in said, text


async def test_nor_does_it_by_other_terms_for_a_challenge_or_by_accepting_one(room: ChatRoom) -> None:
    """Also where the running match is one against Riposte."""
    await room.say("anna", "challenge @riposte @ben chirality")
    await room.say("ben", "accept 1")
    match = await room.service.repository.match("1")
    assert match is not None
    while match.position is not None and match.length < 12:
        who = match.seats[match.game.to_act(match.position)].partition(":")[2]
        turn = next(iter(match.game.turns(match.position)))
        await room.say(who, match.game.write(turn, match.position), "1")
        match = await room.service.repository.match("1")
        assert match is not None
    start = match.game.encode(match.position)
    said = "That position stands in match 1, which is not over."
    assert said in await answer(room, "anna", f'challenge @riposte @cara chirality start="{start}"')
    await room.say("anna", "challenge @riposte @cara chirality")
    assert said in await answer(room, "anna", f'counter 2 start="{start}"')
    await room.say("cara", f'counter 2 start="{start}"')  # no match of hers
    assert said in await answer(room, "anna", "accept 2")
    await room.say("anna", "counter 2 start=")
    await room.say("cara", "accept 2")
    second = await room.service.repository.match("2")
    assert second is not None
    assert second.status == "running"


@pytest.mark.parametrize("key", sorted(GAMES))
def test_a_board_falls_onto_itself_in_as_many_ways_as_it_has(key: str) -> None:
    game = GAMES[key]
    start = game.setup({}, Dice(bytes(32)))
    found = symmetries(game.board(start))
    assert len(found) == FLIPS.get(key, len(found))
    assert all(set(moved) == set(moved.values()) == set(game.board(start).outlines) for moved in found)
    assert standing(game, start, None) in likenesses(game, start)


async def test_a_shot_that_is_tried_throws_a_die(room: ChatRoom) -> None:
    near = "rW: C4=3 / rB: C6=3 / sW: - / sB: c6 d6 c7 d7 / last: - / mode: full / owner: W / half: - / to: W"
    await answer(room, "anna", f"analyse ironclad {near}")
    assert re.search(r"Tried: `xC6\([1-6]\)`", await answer(room, "anna", "analyse xC6"))
