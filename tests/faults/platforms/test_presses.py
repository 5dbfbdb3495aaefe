"""Killed while it answers a slow press on Discord, the bot tells whoever has pressed once, whatever Discord took."""

import json
import subprocess
import sys
from pathlib import Path

import pytest

NOT_YOURS = "It is White's turn. You will be told when it is yours."
INTERRUPTED = "I was interrupted before I could deal with that, so nothing was done. Please do it again."


@pytest.mark.slow
def test_whenever_the_bot_is_killed_over_a_slow_press_its_answer_is_seen_once() -> None:
    swept = subprocess.run(
        [sys.executable, "-W", "ignore", "-m", "tests.faults.platforms.presses"],
        cwd=Path(__file__).parents[3],
        stdout=subprocess.PIPE,
        text=True,
        check=True,
    )
    found = json.loads(swept.stdout.splitlines()[-1])
    ((private,),) = found.pop("in private")
    assert private.startswith(NOT_YOURS), "where Discord takes no whisper"
    assert found == {
        "taken": [[NOT_YOURS]],
        "marked": [[NOT_YOURS]],
        "refused": [[]],
        "unheard": [[INTERRUPTED]],
        "told": [[INTERRUPTED]],
    }
