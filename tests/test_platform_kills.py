"""Killed while it talks to a real server, the bot loses no post, shows none twice and keeps their order."""

import json
import subprocess
import sys
from pathlib import Path

import pytest

KILLS = 16
"""In every run of the tests; `python -m tests.platform_kills discord 600` takes the time for more."""


@pytest.mark.slow
@pytest.mark.parametrize("platform", ["discord"])
def test_whenever_the_bot_is_killed_people_see_every_post_once_and_in_order(platform: str) -> None:
    swept = subprocess.run(
        [sys.executable, "-W", "ignore", "-m", "tests.platform_kills", platform, str(KILLS)],
        cwd=Path(__file__).parents[1],
        stdout=subprocess.PIPE,
        text=True,
        check=True,
    )
    found = json.loads(swept.stdout)
    assert not any(found[fault] for fault in ("lost", "twice", "order", "broken")), found
    assert sum(found["kills"].values()) == KILLS
    assert found["turns"] > 4
    assert found["posts"] > found["turns"]
