"""Killed while it talks to a real server, the bot loses no post, shows none twice and keeps their order."""

import json
import subprocess
import sys
from pathlib import Path

import pytest

from tests.synapse.fixtures import python_of_synapse

KILLS = 6
"""In every run of the tests; `python -m tests.faults.platforms discord 600` takes the time for more."""


@pytest.mark.slow
def test_whenever_the_bot_is_killed_people_on_discord_see_every_post_once_and_in_order() -> None:
    _swept("discord")


@pytest.mark.slow
@pytest.mark.parametrize("room", ["matrix", "encrypted"])
def test_whenever_the_bot_is_killed_people_on_matrix_see_every_post_once_and_in_order(room: str) -> None:
    python_of_synapse()
    _swept(room)


def _swept(platform: str) -> None:
    swept = subprocess.run(
        [sys.executable, "-W", "ignore", "-m", "tests.faults.platforms", platform, str(KILLS)],
        cwd=Path(__file__).parents[3],
        stdout=subprocess.PIPE,
        text=True,
        check=True,
    )
    found = json.loads(swept.stdout.splitlines()[-1])
    assert not any(found[fault] for fault in ("lost", "twice", "order", "thinking", "broken")), found
    assert min(found["kills"].values()) >= KILLS / 2
    assert found["posts"] > found["turns"] > 0  # how many depends on how busy the machine is
