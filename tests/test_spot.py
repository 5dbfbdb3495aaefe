"""Spotting untenable turns: made from play, told in private, judged by the judge, counted."""

import hashlib
from pathlib import Path

import pytest

from engine.appraisal import Appraising
from engine.games import GAMES
from engine.search.riddle import riddle
from tests.chat_room import open_room


@pytest.mark.parametrize("key", sorted(GAMES))
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
    assert holding == {True, False}


@pytest.mark.parametrize("key", sorted(GAMES))
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
    await room.say("anna", "spot call")
    assert room.lines[-1].endswith("Nothing is asked of you. `spot` shows a turn.")
    await room.store.close()
