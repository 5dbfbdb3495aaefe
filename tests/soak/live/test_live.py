"""The whole program is measured while people play: its turns stand, its posts arrive."""

import time
from pathlib import Path

import pytest

from tests.soak.live.program import running
from tests.soak.live.run import PATIENCE


@pytest.mark.slow
async def test_people_play_on_discord_and_the_page_while_the_program_is_measured(tmp_path: Path) -> None:
    async with running(tmp_path, 4, 1, people=4, platforms=("discord", "web")) as run:
        before = {number: run.shadow.length(number) for number in run.live}
        await run.play(12, 20.0, time.monotonic() + PATIENCE, wanted=2)
        assert run.turns >= 12
        assert not run.late
        assert sum(run.shadow.length(number) - length for number, length in before.items()) >= 12
        assert await run.quiet(PATIENCE)
        last = run.samples[-1]
        assert last.memory > last.kept > 0
        assert last.files > 0
        assert last.tasks > 0
