"""What completes a line or a form: commands, their words, one's own matches; nothing that tells about tenability."""

from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from bot.commands.spec import BY_NAME, COMMANDS
from bot.commands.spec.parts import SETTINGS, Slot
from bot.commands.suggestions.forms import fill
from bot.commands.suggestions.lines import complete
from bot.commands.suggestions.words import MOST
from bot.messages.model import Person, Place
from engine.games import GAMES
from engine.match.calls import reasons
from engine.match.terms import sheet
from tests.chat_room import ChatRoom, open_room


@pytest.fixture
async def room(tmp_path: Path) -> AsyncIterator[ChatRoom]:
    """Match 1 is Ben's turn (refused where untenable), 2 has calls and is Ben's turn, 3 is open, 4 is over."""
    room = await open_room(tmp_path)
    for line in (
        "anna: challenge @ben tokonoma side=black",
        "ben: accept 1",
        "anna: challenge @ben tokonoma side=black umpire=turn",
        "ben: accept 2",
        "anna: challenge tirachen",
        "anna: challenge @ben chirality",
        "ben: accept 4",
        "ben: resign 4 sure",
    ):
        name, _, text = line.partition(": ")
        await room.say(name, text)
    yield room
    await room.store.close()


async def completed(room: ChatRoom, who: str, typed: str, thread: str = "") -> list[str]:
    return await complete(room.service.repository, Person("web", who, who), Place("web", "lounge", thread), typed)


async def filled(room: ChatRoom, who: str, slot: Slot, thread: str = "", /, **form: str) -> list[tuple[str, str]]:
    place = Place("web", "lounge", thread)
    return await fill(room.service.repository, Person("web", who, who), place, slot, form)


def slot(command: str, name: str) -> Slot:
    return next(slot for slot in BY_NAME[command].slots if slot.name == name)


# --- lines ------------------------------------------------------------------------------------------------
@pytest.mark.parametrize(
    ("typed", "lines"),
    [
        ("ma", ["matches"]),
        ("  MA", ["matches"]),
        ("games tok", ["games tokonoma"]),
        ("games TOK", ["games tokonoma"]),
        ("rules ti", ["rules tirachen"]),
        ("terms v", ["terms veney"]),
        ("help cha", ["help challenge"]),
        ("help chi", ["help chirality"]),
        ("? toko", ["? tokonoma"]),
        ("challenge @ben tok", ["challenge @ben tokonoma"]),
        ("challenge @ben tokonoma side=w", ["challenge @ben tokonoma side=white"]),
        ("challenge @ben tokonoma umpire=turn side=b", ["challenge @ben tokonoma umpire=turn side=black"]),
        ("theme da", ["theme dark"]),
        ("language e", ["language en", "language es"]),
        ("language d", ["language de"]),
        ("settings th", ["settings theme"]),
        ("settings theme da", ["settings theme dark"]),
        ("settings channels e", ["settings channels everywhere"]),
        ("settings terms tok", ["settings terms tokonoma"]),
        ("settings terms tokonoma side=w", ["settings terms tokonoma side=white"]),
        ("board 1 te", ["board 1 text"]),
        ("counter 2 umpire=t", ["counter 2 umpire=turn"]),
        ("counter 99 umpire=t", []),
        ("call 1 2", []),
        ("wibble to", []),
        ("matches tok", []),
    ],
)
async def test_a_line_is_completed_by_what_its_command_takes(room: ChatRoom, typed: str, lines: list[str]) -> None:
    assert await completed(room, "anna", typed) == lines


async def test_nothing_typed_offers_the_first_commands_of_the_table(room: ChatRoom) -> None:
    assert await completed(room, "anna", "") == [command.name for command in COMMANDS][:MOST]


async def test_a_game_is_offered_to_a_challenge_before_its_terms(room: ChatRoom) -> None:
    assert await completed(room, "anna", "challenge ") == [f"challenge {key}" for key in GAMES]
    offered = await completed(room, "anna", "challenge tokonoma ")
    first = sheet(GAMES["tokonoma"])[0]
    assert offered[: len(first.values)] == [f"challenge tokonoma {first.key}={value}" for value in first.values]
    assert len(offered) <= MOST


async def test_commands_about_a_match_offer_ones_own_that_are_not_over(room: ChatRoom) -> None:
    assert sorted(await completed(room, "anna", "call ")) == ["call 1", "call 2", "call 3"]
    assert sorted(await completed(room, "ben", "call ")) == ["call 1", "call 2"]
    assert await completed(room, "carol", "call ") == []


async def test_in_a_thread_the_match_is_known(room: ChatRoom) -> None:
    assert await completed(room, "anna", "call ", "1") == []
    assert await completed(room, "anna", "counter umpire=t", "1") == ["counter umpire=turn"]
    assert await completed(room, "anna", "board te", "1") == ["board text"]


async def test_turns_are_offered_to_whoever_is_to_move_where_untenable_ones_are_refused(room: ChatRoom) -> None:
    game = GAMES["tokonoma"]
    match = await room.service.repository.match("1")
    assert match is not None
    turns = {game.write(turn, match.position) for turn in game.turns(match.position)}
    offered = await completed(room, "ben", "move c7", "1")
    assert offered == ["move " + turn for turn in offered_turns(turns, "c7", offered)]
    assert await completed(room, "ben", "c7", "1") == [line.removeprefix("move ") for line in offered]
    assert await completed(room, "ben", "C7", "1") == await completed(room, "ben", "c7", "1")
    assert await completed(room, "anna", "c7", "1") == []


def offered_turns(turns: set[str], start: str, lines: list[str]) -> list[str]:
    """The turns that begin so, in the order in which they were offered; all of them must have been."""
    fitting = {turn for turn in turns if turn.startswith(start)}
    assert fitting == {line.removeprefix("move ") for line in lines}
    return [line.removeprefix("move ") for line in lines]


async def test_no_turn_is_offered_where_untenable_ones_stand(room: ChatRoom) -> None:
    assert await completed(room, "ben", "move c7", "2") == []
    assert await completed(room, "ben", "c7", "2") == []


async def test_outside_the_thread_turns_are_offered_for_a_match_that_is_named(room: ChatRoom) -> None:
    assert await completed(room, "ben", "c7") == []
    inside = await completed(room, "ben", "move c7", "1")
    assert await completed(room, "ben", "move 1 c7") == [line.replace("move", "move 1") for line in inside]
    assert await completed(room, "ben", "move 2 c7") == []
    assert await completed(room, "ben", "move 1 c7", "2") == await completed(room, "ben", "move 1 c7")


# --- forms ------------------------------------------------------------------------------------------------
async def test_a_form_lists_matches_with_those_first_that_wait_for_one(room: ChatRoom) -> None:
    assert await filled(room, "ben", slot("board", "match")) == [
        ("2", "2 Tokonoma against anna (your turn)"),
        ("1", "1 Tokonoma against anna (your turn)"),
        ("4", "4 Chirality against anna (over)"),
    ]
    assert await filled(room, "anna", slot("board", "match")) == [
        ("3", "3 Tirachen against nobody yet (not begun)"),
        ("2", "2 Tokonoma against ben"),
        ("1", "1 Tokonoma against ben"),
        ("4", "4 Chirality against ben (over)"),
    ]


async def test_a_match_is_found_by_any_word_of_its_label(room: ChatRoom) -> None:
    assert [value for value, _ in await filled(room, "anna", slot("board", "match"), match=" TIRA")] == ["3"]
    assert await filled(room, "anna", slot("board", "match"), match="pachisi") == []


async def test_declined_challenges_are_not_listed(room: ChatRoom) -> None:
    await room.say("anna", "challenge @ben veney")
    await room.say("ben", "decline 5")
    assert "5" not in [value for value, _ in await filled(room, "anna", slot("board", "match"))]


async def test_games_are_told_with_what_they_are_about(room: ChatRoom) -> None:
    offered = await filled(room, "anna", slot("challenge", "game"))
    assert offered == [(key, f"{game.name}: {game.gist}") for key, game in GAMES.items()]
    assert [key for key, _ in await filled(room, "anna", slot("challenge", "game"), game="robots")] == ["ironclad"]
    assert [key for key, _ in await filled(room, "anna", slot("challenge", "game"), game="t")][:2] == [
        "tirachen",
        "tokonoma",
    ]


async def test_help_lists_commands_and_games_those_first_that_begin_so(room: ChatRoom) -> None:
    offered = await filled(room, "anna", slot("help", "command"), command="ch")
    assert [value for value, _ in offered][:2] == ["challenge", "chirality"]
    assert ("challenge", f"challenge: {BY_NAME['challenge'].gist}") in offered
    assert len(await filled(room, "anna", slot("help", "command"))) == MOST


async def test_terms_of_a_form_leave_out_what_is_named_already(room: ChatRoom) -> None:
    offered = await filled(room, "anna", slot("challenge", "terms"), game="tokonoma", terms="side=white umpire=t")
    assert offered == [("side=white umpire=turn", "side=white umpire=turn")]
    again = await filled(room, "anna", slot("challenge", "terms"), game="tokonoma", terms="side=white si")
    assert again == []
    assert await filled(room, "anna", slot("challenge", "terms"), terms="umpire=t") == []
    assert await filled(room, "anna", slot("counter", "terms"), match="3", terms="umpire=f") != []


async def test_too_many_terms_are_offered_by_their_names_first(room: ChatRoom) -> None:
    offered = [value for value, _ in await filled(room, "anna", slot("challenge", "terms"), game="veney", terms="")]
    usual = [f"{option.key}={option.default}" for option in sheet(GAMES["veney"]) if option.key != "start"]
    assert offered == [*usual[: MOST - 1], "more"]
    rest = [value for value, _ in await filled(room, "anna", slot("challenge", "terms"), game="veney", terms="more")]
    assert rest == usual[MOST - 1 :]


@pytest.mark.parametrize(
    ("what", "value", "offered"),
    [
        ("theme", "d", ["dark"]),
        ("channels", "", ["here", "everywhere"]),
        ("language", "e", ["en", "es"]),
        ("theme", "dark ", []),
        ("colour", "", []),
        ("terms", "tokonoma side=w", ["tokonoma side=white"]),
        ("terms", "us", ["usual"]),
        ("terms", "judge=o", ["judge=open"]),
        ("terms", "setup=c", []),
    ],
)
async def test_settings_are_completed_by_what_they_can_be(
    room: ChatRoom, what: str, value: str, offered: list[str]
) -> None:
    assert SETTINGS
    shown = await filled(room, "anna", slot("settings", "value"), what=what, value=value)
    assert shown == [(text, text) for text in offered]


async def test_a_turn_in_a_form_is_completed_by_tenable_turns_only_where_others_are_refused(room: ChatRoom) -> None:
    turn = slot("move", "turn")
    lines = [line.removeprefix("move ") for line in await completed(room, "ben", "move c7", "1")]
    assert await filled(room, "ben", turn, match="1", turn="c7") == [(text, text) for text in lines]
    assert await filled(room, "ben", turn, "1", turn="c7") == [(text, text) for text in lines]
    assert await filled(room, "anna", turn, match="1", turn="c7") == []
    assert await filled(room, "ben", turn, match="4", turn="c7") == []
    assert await filled(room, "ben", turn, match="wibble", turn="c7") == []


async def test_a_turn_in_a_form_goes_on_by_pieces_then_places_where_untenable_ones_stand(room: ChatRoom) -> None:
    turn = slot("move", "turn")
    pieces = await filled(room, "ben", turn, match="2", turn="")
    assert pieces[:4] == [("a5", "a5: Arm"), ("b6", "b6: Star"), ("c6", "c6: Blind"), ("c7", "c7: Arm")]
    assert pieces[-1] == ("pass", "pass")
    texts = [text for text, _ in await filled(room, "ben", turn, match="2", turn="c7a")]
    assert texts == ["c7a1", "c7a2", "c7a3", "c7a4", "c7a5"]
    tiles = [text for text, _ in await filled(room, "ben", turn, match="2", turn="c7")]
    assert tiles[:6] == ["c7a1", "c7a2", "c7a3", "c7a4", "c7a5", "c7b1"], "in the board's order, whoever stands there"
    assert len(tiles) == MOST
    board = GAMES["tokonoma"].board((await room.service.repository.match("2")).position)  # type: ignore[union-attr]
    everything = await filled(room, "anna", turn, match="2", turn="")
    assert [text for text, _ in everything] == [*board.outlines][:MOST]


async def test_a_words_slot_offers_its_words(room: ChatRoom) -> None:
    assert await filled(room, "anna", slot("board", "show"), show="LE") == [("legal", "legal")]
    assert [word for word, _ in await filled(room, "anna", slot("board", "theme"))] == ["light", "dark", "colour-blind"]


# --- calls ------------------------------------------------------------------------------------------------
async def test_a_call_s_reason_is_any_piece_place_or_rule_whatever_was_played(room: ChatRoom) -> None:
    before = await completed(room, "anna", "call 2 ")
    assert before[:5] == ["call 2 arm", "call 2 blind", "call 2 flat", "call 2 star", "call 2 stacking"]
    assert before[-1] == "call 2 e"
    for turn in ("c7c5", "e5e3"):
        await room.say("ben", f"move 2 {turn}")
        assert await completed(room, "anna", "call 2 ") == before
    shown = await filled(room, "anna", slot("call", "reason"), match="2")
    assert [text for text, _ in shown] == [line.removeprefix("call 2 ") for line in before]
    assert shown[0] == ("arm", "arm")
    assert shown[-1] == ("e", "e …")
    assert await completed(room, "anna", "call 2 AR") == ["call 2 arm"]
    assert "call 2 c7" in await completed(room, "anna", "call 2 c")
    assert await completed(room, "anna", "call 1 ") == [], "where untenable turns are refused, nothing is called"


@pytest.mark.parametrize(
    ("game", "asked"),
    [
        ("veney", ["sword", "ruin", "2.0.03:range", "2.0.17", "X16", "^Z-16", "2.0.22:penalty"]),
        ("chirality", ["thick", "A1", "E51", "8", "15.6"]),
        ("ironclad", ["stones", "F8", "g9", "circularity"]),
        ("tirachen", ["general", "i9", "deploying"]),
    ],
)
async def test_every_reason_is_reached_by_picking_what_is_offered(room: ChatRoom, game: str, asked: list[str]) -> None:
    await room.say("anna", f"challenge @ben {game} umpire=turn")
    await room.say("ben", "accept 5")
    reached, left = set[str](), [""]
    while left:
        offered = await filled(room, "anna", slot("call", "reason"), match="5", reason=left.pop())
        assert len(offered) <= MOST
        fresh = {text for text, _ in offered} - reached
        reached |= fresh
        left += sorted(fresh)
    assert set(asked) <= reached
    standing = await room.service.repository.match("5")
    assert standing is not None
    assert {word for group in reasons(standing)[:3] for word in group} <= reached


async def test_late_is_completed_by_all_that_others_have_played(room: ChatRoom) -> None:
    assert await completed(room, "anna", "late 2 ") == []
    await room.say("ben", "move 2 e5e3")
    assert await completed(room, "anna", "late 2 ") == ["late 2 1"]
    assert await completed(room, "ben", "late 2 ") == []
    assert await filled(room, "anna", slot("late", "number"), match="2") == [("1", "1")]
