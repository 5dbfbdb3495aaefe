"""Spotting untenable turns: made from play, told in private, judged by the judge, counted."""

import hashlib
from pathlib import Path

import pytest

from bot.commands.learning.puzzles import difficulty
from bot.commands.learning.stock import stock
from engine.appraisal import Appraising
from engine.games import GAMES
from engine.search.riddle import riddle
from tests.chat_room import open_room
from tests.parts_of_games import APPRAISED


@pytest.mark.parametrize("key", APPRAISED)
def test_a_riddle_can_be_read_and_some_hold_and_some_do_not(key: str) -> None:
    game = GAMES[key]
    assert isinstance(game, Appraising)
    holding = set()
    for number in range(12):
        seed = hashlib.sha256(f"{key} {number}".encode()).digest()
        found = riddle(game, seed)
        assert riddle(game, seed) == found
        position = game.decode(found.position)
        holding.add(game.tenable(position, game.read(found.turn, position)))
        assert game.outcome(game.play(position, game.read(found.turn, position))) is None
    assert holding == {True, False}


@pytest.mark.parametrize("key", APPRAISED)
async def test_an_answer_is_told_with_the_rule_and_counted_in_private(key: str, tmp_path: Path) -> None:
    room = await open_room(tmp_path)
    right = 0
    for number in range(1, 5):
        await room.say("anna", f"spot {key}")
        kind, turn, position = (await room.store.setting("web:anna", "spot")).split("|", 2)
        assert kind == key
        game = GAMES[key]
        at = game.decode(position)
        holds = game.tenable(at, game.read(turn, at))
        room.restart()
        said = len(room.lines)
        (post,) = await room.say("anna", "spot call" if number % 2 else "spot ok")
        assert post.only is not None
        right += holds == (number % 2 == 0)
        told = "\n".join(room.lines[said:])
        assert f"So far {right} of {number} were right." in told
        assert ("It breaks no rule." in told) == holds
        assert ("Rule: " in told) == (not holds)
        marks = [mark for ruling in game.judge(at, game.read(turn, at)) for mark in ruling.marks]
        assert (post.picture is not None) == bool(marks), "what it breaks is seen"
    await room.say("anna", "spot call")
    assert room.lines[-1].endswith("Nothing is asked of you. `spot` shows a turn.")
    await room.store.close()


def test_what_people_miss_is_hard_and_subtle_rules_are_thought_to_be() -> None:
    game = GAMES["veney"]
    assert isinstance(game, Appraising)
    plain, subtle = (next(rule.ref for rule in game.rules if (rule.ref in game.subtle) == is_) for is_ in (False, True))
    assert difficulty.difficulty(game, plain, {}) < difficulty.difficulty(game, subtle, {})
    stored = ""
    for _ in range(20):
        stored = difficulty.after(stored, plain, right=False)
        stored = difficulty.after(stored, subtle, right=True)
    fared = difficulty.read(stored)
    assert fared == {plain: (0, 20), subtle: (20, 20)}
    assert difficulty.difficulty(game, plain, fared) > 80 > 20 > difficulty.difficulty(game, subtle, fared)


def test_who_is_mostly_right_is_asked_what_is_hard() -> None:
    hard = {"easy": 10.0, "hard": 90.0, difficulty.HOLDS: 50.0}
    found = ["hard", difficulty.HOLDS, "easy"]
    aims = [difficulty.wanted(right, 20) for right in (20, 10, 0)]
    assert [found[difficulty.fitting(found, aim, hard.__getitem__)] for aim in aims] == found


async def test_an_answer_counts_for_its_rule_whoever_gives_it(tmp_path: Path) -> None:
    room = await open_room(tmp_path)
    for who in ("anna", "ben"):
        await room.say(who, "spot tokonoma")
        await room.say(who, "spot call")
    fared = difficulty.read(await room.store.setting(difficulty.OWNER, "tokonoma"))
    assert sum(total for _, total in fared.values()) == 2
    await room.store.close()


def test_turns_come_from_positions_of_riposte_s_own_games() -> None:
    game = GAMES["tokonoma"]
    assert isinstance(game, Appraising)
    stood = stock("tokonoma")[7].position
    found = {riddle(game, bytes([number]) * 32, stood).position for number in range(24)}
    assert stood in found
