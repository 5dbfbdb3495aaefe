"""The picture of a tournament's standings tells every result: who met whom, and what each had of it."""

from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from bot.club.course import begun
from bot.club.events import Form
from bot.club.standings import standings, total
from bot.club.state import Tournament
from bot.messages.club.charts import FRACTIONS, standings_chart
from bot.messages.model import Person
from tests.club.played import after, announced, names, played, result

HALVES = {sign: value for value, sign in FRACTIONS.items()}


def read(points: str) -> float:
    """The number that a cell shows, such as `2½`."""
    part = HALVES.get(points[-1:], 0.0)
    return part + float(points.rstrip("".join(HALVES)) or 0)


def cells(of: Tournament) -> tuple[list[str], list[list[str]], list[dict[str, str]]]:
    """The titles of the columns of results, and for each row its results, and the others by their titles."""
    chart: Any = standings_chart(of, {player: Person("web", player, player) for player in of.seeds})
    titles = [str(column.title) for column in chart.columns]
    results = [at for at, title in enumerate(titles) if title.isdigit()]
    rest = [at for at in range(len(titles)) if at not in results]
    return (
        [titles[at] for at in results],
        [[row[at] for at in results] for row in chart.rows],
        [{titles[at]: row[at] for at in rest} for row in chart.rows],
    )


def test_where_all_play_all_each_has_a_column_with_what_the_others_had_against_them() -> None:
    of = announced("round-robin", ["a", "b", "c"], atonce=2)
    of = after(of, begun(of, "abc", 1))
    for first, second, *winners in (("a", "b", "a"), ("b", "c", "b", "c")):
        table = next(one for one in of.tables if {*one.players} == {first, second})
        of = result(of, (table.number, 1), *winners)
    titles, shown, rest = cells(of)
    assert titles == ["1", "2", "3"]
    assert [row["Name"] for row in rest] == ["a", "b", "c"]
    assert shown == [["■", "1", ""], ["0", "■", "½"], ["", "½", "■"]]
    assert [row["Points"] for row in rest] == ["1", "½", "½"]


@settings(max_examples=40, deadline=None)
@given(st.integers(2, 12), st.integers(1, 3), st.integers(0, 99))
def test_the_cells_of_a_row_add_up_to_its_points_and_mirror_each_other(count: int, games: int, seed: int) -> None:
    of = played(announced("round-robin", names(count), games=games), seed)
    _, shown, rest = cells(of)
    for at, row in enumerate(shown):
        assert row[at] == "■"
        others = [read(cell) for other, cell in enumerate(row) if other != at]
        assert sum(others) == pytest.approx(read(rest[at]["Points"]), abs=0.05)
        both = [read(row[other]) + read(shown[other][at]) for other in range(count) if other != at]
        assert all(points <= games for points in both), "less where nobody has won"


@settings(max_examples=40, deadline=None)
@given(st.sampled_from(("swiss", "knockout", "double")), st.integers(2, 12), st.integers(0, 99))
def test_round_by_round_each_cell_names_the_place_of_whom_one_has_met(form: Form, count: int, seed: int) -> None:
    of = played(announced(form, names(count)), seed)
    titles, shown, _ = cells(of)
    assert titles == [str(number) for number in range(1, of.round + 1)]
    players = [row.player for row in standings(of)]
    for at, row in enumerate(shown):
        if form == "swiss":  # there a bye counts as won
            points = [1.0 if cell == "+" else read(cell.partition(" · ")[0]) for cell in row]
            assert sum(points) == pytest.approx(total(of, players[at]), abs=0.05)
        for number, cell in enumerate(row):
            if " · " in cell:
                place = int(cell.partition(" · ")[2])
                assert shown[place - 1][number].partition(" · ")[2] == f"{at + 1}", "they have met each other"
            else:
                assert cell in ("", "+")
