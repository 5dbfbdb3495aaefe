"""Points and tie-breaks, worked out by hand."""

from bot.club.course import begun, followed
from bot.club.events import Decided, Entered, Paired, Seating
from bot.club.standings import standings, teams
from bot.club.state import evolve
from tests.club.played import after, announced, result


def test_equals_of_a_round_robin_are_ordered_by_their_match_then_by_sonneborn_berger() -> None:
    of = announced("round-robin", ["a", "b", "c", "d"], atonce=3)
    of = after(of, begun(of, "abcd", 1))
    winners = {"ab": "a", "ac": "c", "ad": "a", "bc": "b", "bd": "b", "cd": "d"}
    for table in of.tables:
        of = result(of, (table.number, 1), winners["".join(sorted(table.players))])
    rows = standings(of)
    # a and b have two points, and a has beaten b; c and d have one, and d has beaten c.
    assert [(row.player, row.points, row.breaks) for row in rows] == [
        ("a", 2.0, (1.0, 3.0, 2.0)),
        ("b", 2.0, (0.0, 2.0, 2.0)),
        ("d", 1.0, (1.0, 1.0, 1.0)),
        ("c", 1.0, (0.0, 2.0, 1.0)),
    ]
    assert [row.rank for row in rows] == [1, 2, 3, 4]


def test_whom_nothing_parts_share_their_rank() -> None:
    of = announced("round-robin", ["a", "b"])
    of = after(of, begun(of, "ab", 1))
    of = result(of, (1, 1), "a", "b")
    assert [row.rank for row in standings(of)] == [1, 1]


def test_buchholz_adds_up_whom_one_has_met_and_a_bye_is_worth_one_s_own_points() -> None:
    of = announced("swiss", ["a", "b", "c"], rounds=2)
    of = after(of, begun(of, "abc", 1))
    assert of.byes == ((1, "c"),)
    of = result(of, (1, 1), "a")
    (second,) = of.of_round(2)
    assert set(second.players) == {"a", "c"}
    of = result(of, (second.number, 1), "a")
    assert {row.player: (row.points, row.breaks[0]) for row in standings(of)} == {
        "a": (2.0, 2.0),  # b has one, by the bye of the second round, and c one
        "b": (1.0, 3.0),  # a has two, and the bye counts as b's own point
        "c": (1.0, 3.0),
    }


def test_a_bye_counts_as_won_in_swiss_rounds_alone() -> None:
    of = announced("round-robin", ["a", "b", "c"])
    of = after(of, begun(of, "abc", 1))
    assert sum(row.points for row in standings(of)) == 0


def test_the_point_of_a_table_is_shared_by_those_who_won_there() -> None:
    of = announced("swiss", ["a", "b", "c"], seats=3, rounds=1)
    of = after(of, begun(of, "abc", 1))
    of = result(of, (1, 1), "a", "c")
    assert {row.player: row.points for row in standings(of)} == {"a": 0.5, "b": 0.0, "c": 0.5}


def test_the_points_of_a_team_are_those_of_its_boards() -> None:
    of = announced("teams", ["a", "b", "c", "d"])
    of = after(of, begun(of, "abcd", 1))
    assert [table.players for table in of.tables] == [("a", "b"), ("d", "c")], "sides alternate from board to board"
    of = result(result(of, (1, 1), "a"), (2, 1), "c", "d")
    assert teams(of) == {"web/a/": 1.5, "web/b/": 0.5}
    assert of.status == "over"


def test_on_a_ladder_whoever_wins_from_below_swaps() -> None:
    of = announced("ladder", ["a", "b", "c", "d"])
    of = after(of, begun(of, (), 1))
    of = after(of, followed(of, Paired(2, 1, (Seating(1, ("d", "b")),))))
    of = result(of, (1, 1), "d")
    assert of.entrants == ("a", "d", "c", "b")
    of = after(of, followed(of, Paired(3, 2, (Seating(2, ("b", "c")),))))
    assert result(of, (2, 1), "c").entrants == of.entrants
    assert result(of, (2, 1), "b", "c").entrants == of.entrants, "a draw leaves the ladder as it is"
    assert evolve(of, Entered(4, "e")).entrants[-1] == "e"


def test_a_result_that_is_corrected_counts_once() -> None:
    of = announced("round-robin", ["a", "b", "c"], atonce=2)
    of = after(of, begun(of, "abc", 1))
    board = of.boards()[0]
    one, other = of.tables[board[0] - 1].players
    of = result(of, board, one)
    of = after(of, followed(of, Decided(2, *board, "9", {other: 1.0}, "played")))
    assert {row.player: row.points for row in standings(of)}[one] == 0
    assert {row.player: row.points for row in standings(of)}[other] == 1
