"""Whatever goes wrong in an evening, what was said is one story: acknowledged, applied, posted and seen once."""

import asyncio
import re
import subprocess
import sys
from pathlib import Path

import pytest

from tests.faults import bot
from tests.faults.damage import DAMAGES
from tests.faults.history import Said, broken
from tests.faults.on_postgres import ON_POSTGRES
from tests.faults.runs import Tried, evening, runs
from tests.faults.small import SMALL
from tests.faults.troubles import TROUBLES

HOUSE = Path(__file__).parents[2]
COUNTS = {"rows-flipped": 120, "file-flipped": 60, "log-cut": 20, "log-lost": 10, "small": 1} | dict.fromkeys(
    ON_POSTGRES, 1
)
"""How many runs; of all others `EVENINGS`. `make sweep` takes the time for more."""
EVENINGS = 2


@pytest.mark.slow
@pytest.mark.parametrize("fault", [*TROUBLES, *ON_POSTGRES, *DAMAGES, *SMALL])
def test_nothing_acknowledged_is_lost_whatever_goes_wrong(fault: str) -> None:
    (tried,) = runs(fault, COUNTS.get(fault, EVENINGS)).values()
    assert tried.broken == []
    assert tried.acknowledged > 0


async def forgotten(folder: Path) -> None:
    """A line is acknowledged that nobody has stored."""
    Said("web:99").note(folder)
    (folder / "acknowledged").write_text("web:1\nweb:99\n")


async def said_otherwise(folder: Path) -> None:
    """A turn is applied that its player has not written."""
    lines = (folder / "said").read_text()
    (folder / "said").write_text(re.sub(r'"text": "(.+?)"', r'"text": "other than \1"', lines, count=1))


async def said_by_nobody(folder: Path) -> None:
    """A turn is applied that nobody has said."""
    lines = (folder / "said").read_text().splitlines(keepends=True)
    turn = next(line for line in lines if '"text": ""' not in line)
    (folder / "said").write_text("".join(line for line in lines if line != turn))


async def seen_twice(folder: Path) -> None:
    """A post stands on the wall twice."""
    posts = (folder / "wall").read_text().splitlines(keepends=True)
    (folder / "wall").write_text("".join([*posts, posts[-1]]))


async def seen_in_another_order(folder: Path) -> None:
    """Two posts have changed places."""
    posts = (folder / "wall").read_text().splitlines(keepends=True)
    (folder / "wall").write_text("".join([posts[1], posts[0], *posts[2:]]))


async def not_seen(folder: Path) -> None:
    """A post that has arrived is not there."""
    posts = (folder / "wall").read_text().splitlines(keepends=True)
    (folder / "wall").write_text("".join(posts[1:]))


async def posted_by_nobody(folder: Path) -> None:
    """A post is there that was never stored."""
    posts = (folder / "wall").read_text()
    (folder / "wall").write_text(posts + '["web/lounge/", "strange", "words"]\n')


LIES = (forgotten, said_otherwise, said_by_nobody, seen_twice, seen_in_another_order, not_seen, posted_by_nobody)


@pytest.fixture(scope="module")
def lived(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder of an evening in which nothing went wrong."""
    folder = tmp_path_factory.mktemp("evening")
    assert asyncio.run(evening(folder, "slow", 1, Tried())) == []
    return folder


@pytest.mark.parametrize("lie", LIES, ids=lambda each: each.__name__)
async def test_a_history_that_does_not_hold_is_noticed(lived: Path, tmp_path: Path, lie: object) -> None:
    for file in lived.iterdir():
        (tmp_path / file.name).write_bytes(file.read_bytes())
    assert broken(tmp_path) == []
    await lie(tmp_path)  # type: ignore[operator]
    assert broken(tmp_path) != []


def test_a_fault_is_told_with_the_command_that_shows_it_again(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(bot, "read_wall", lambda path: [])  # the platform no longer knows what it has posted
    told: list[str] = []
    (tried,) = runs("storm", 1, 7, told.append).values()
    assert tried.broken != []
    assert any("python -m tests.faults again storm/7" in line for line in told)


def test_a_case_is_shown_again_by_its_command() -> None:
    command = [sys.executable, "-m", "tests.faults", "again"]
    for case in ("rows-flipped/3", "offers_and_time/2/9/0"):
        shown = subprocess.run([*command, case], cwd=HOUSE, capture_output=True, text=True, check=True)
        assert "it holds" in shown.stdout or "1 kills" in shown.stdout
