"""Every ruling of every game that has a `rulings.txt` holds; a new game's are found by themselves."""

import pytest

from tests.rulings import FOLDER, Told, check, rulings

GAMES = sorted(path.parent.name for path in FOLDER.glob("*/rulings.txt"))
ALL = [pytest.param(told, id=f"{game}: {told.title}") for game in GAMES for told in rulings(game)]


@pytest.mark.parametrize("told", ALL)
def test_ruling(told: Told) -> None:
    check(told)


@pytest.mark.parametrize("game", GAMES)
def test_no_ruling_is_told_twice(game: str) -> None:
    titles = [told.title for told in rulings(game)]
    assert len(titles) == len(set(titles))
