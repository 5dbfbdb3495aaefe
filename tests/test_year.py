"""A small year: no reminder twice, none at night, nobody flagged early, and every match ends."""

from pathlib import Path

from tests.year import year


async def test_a_year_of_matches_ends_without_a_reminder_at_night(tmp_path: Path) -> None:
    found = await year(6, 4, tmp_path)
    await found.room.store.close()
    assert found.endings.total() == 6
    assert found.rung
