"""Every ruling of every game that has a `rulings.txt` holds; a new game's are found by themselves."""

from pathlib import Path

import pytest

from tests.chat_room import open_room
from tests.rulings import FOLDER, Told, blocks, check, rulings
from tests.rulings_of_matches import Played, hold, played

GAMES = sorted(path.parent.name for path in FOLDER.glob("*/rulings.txt"))
ALL = [pytest.param(told, id=f"{game}: {told.title}") for game in GAMES for told in rulings(game)]


@pytest.mark.parametrize("told", ALL)
def test_ruling(told: Told) -> None:
    check(told)


@pytest.mark.parametrize(
    "told", [pytest.param(told, id=f"{game}: {told.title}") for game in GAMES for told in played(game)]
)
async def test_ruling_that_takes_players(told: Played, tmp_path: Path) -> None:
    room = await open_room(tmp_path)
    try:
        await hold(told, room)
    finally:
        await room.store.close()


@pytest.mark.parametrize("number", range(1, 21))
def test_what_the_second_look_at_veney_decided_has_examples_on_both_sides(number: int) -> None:
    titles = [title for title, _ in blocks("veney")]
    for side in "+-":
        assert any(title.endswith(f"(B{number}{side})") for title in titles), f"B{number}{side}"


@pytest.mark.parametrize("game", GAMES)
def test_no_ruling_is_told_twice(game: str) -> None:
    titles = [title for title, _ in blocks(game)]
    assert len(titles) == len(set(titles))
