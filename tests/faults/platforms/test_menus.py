"""Killed between any two steps, the bot lets people on Discord play whole matches of every game by menus alone."""

import json
import subprocess
import sys
from pathlib import Path

import pytest

from tests.parts_of_games import COMPOSED

KILLS = 3
"""One of each kind, in every run of the tests; `python -m tests.faults.platforms.menus 30` takes the time for more."""


@pytest.mark.slow
@pytest.mark.parametrize("game", COMPOSED)
def test_a_whole_match_is_played_by_menus_while_the_bot_is_killed(game: str) -> None:
    swept = subprocess.run(
        [sys.executable, "-W", "ignore", "-m", "tests.faults.platforms.menus", str(KILLS), "1", game],
        cwd=Path(__file__).parents[3],
        stdout=subprocess.PIPE,
        text=True,
        check=True,
    )
    found = json.loads(swept.stdout.splitlines()[-1])
    assert not any(found[fault] for fault in ("lost", "twice", "order", "thinking", "broken")), found
    assert sum(found["kills"].values()) >= KILLS - 1  # the last may die after its last post
    assert found["carried on"] > 0, "steps were taken on screens that another process had made"
