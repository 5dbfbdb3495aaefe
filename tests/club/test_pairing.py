"""Who meets whom: properties of every tournament, and some pairings by hand."""

from collections import Counter
from itertools import combinations, pairwise

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from bot.club.course import begun, followed
from bot.club.events import Form, Opened, Withdrawn
from bot.club.pairing import circle, knockout, swiss, tables
from bot.club.standings import LIVES, beaten, met, standings, total
from tests.club.played import after, announced, names, played, result

FORMS: tuple[Form, ...] = ("round-robin", "swiss", "knockout", "double", "teams")


@given(st.integers(2, 16))
def test_in_a_round_robin_everybody_meets_everybody_once_with_even_sides(count: int) -> None:
    players = names(count)
    rounds = circle.rounds(players)
    pairs = [pair for one in rounds for pair in one]
    assert sorted(map(sorted, pairs)) == sorted(map(sorted, combinations(players, 2)))
    assert all(len({player for pair in one for player in pair}) == 2 * len(one) for one in rounds)
    first, second = Counter(pair[0] for pair in pairs), Counter(pair[1] for pair in pairs)
    assert all(abs(first[player] - second[player]) <= (count % 2 == 0) for player in players)


@settings(max_examples=60, deadline=None)
@given(st.sampled_from(FORMS), st.integers(2, 14), st.integers(1, 3), st.integers(0, 99), st.sampled_from((0.0, 0.1)))
def test_every_tournament_ends_and_ranks_everybody(
    form: Form, count: int, games: int, seed: int, leaving: float
) -> None:
    of = played(announced(form, names(count), games=games), seed, leaving)
    rows = standings(of)
    assert sorted(row.player for row in rows) == sorted(of.seeds)
    assert [row.rank for row in rows] == sorted(row.rank for row in rows)
    assert rows[0].rank == 1
    assert all(table.done for table in of.tables)
    assert sum(row.points for row in rows) == pytest.approx(sum(total(of, player) for player in of.seeds))


@settings(max_examples=40, deadline=None)
@given(st.integers(2, 20), st.integers(0, 99), st.integers(3, 6))
def test_swiss_rounds_pair_whom_they_can_nobody_twice_and_let_nobody_rest_twice(
    count: int, seed: int, rounds: int
) -> None:
    of = played(announced("swiss", names(count), rounds=rounds), seed)
    if 2 * rounds <= count + 1:  # then somebody is left for everybody in each round, by Dirac's theorem
        assert max(met(of).values()) == 1
        rested = Counter(player for _, player in of.byes)
        assert not rested or max(rested.values()) == 1
    for number in range(1, of.round + 1):
        seated = [player for table in of.of_round(number) for player in table.players]
        seated += [player for round_, player in of.byes if round_ == number]
        assert sorted(seated) == sorted(of.seeds)


def test_swiss_rounds_pair_whoever_has_as_many_points() -> None:
    points = {"a": 2.0, "b": 2.0, "c": 1.0, "d": 1.0, "e": 1.0, "f": 1.0, "g": 0.0, "h": 0.0}
    pairs, byes = swiss.paired("abcdefgh", points, Counter(), Counter(), Counter())
    assert {frozenset(pair) for pair in pairs} == {frozenset(pair) for pair in ("ab", "ce", "df", "gh")}
    assert byes == []


def test_who_has_met_is_not_paired_again_while_it_can_be_helped() -> None:
    points = dict.fromkeys("abcd", 1.0)
    before = Counter(map(frozenset, ("ab", "cd", "ac", "bd")))
    pairs, _ = swiss.paired("abcd", points, before, Counter(), Counter())
    assert {frozenset(pair) for pair in pairs} == {frozenset("ad"), frozenset("bc")}


def test_whoever_had_the_first_side_less_often_has_it() -> None:
    pairs, _ = swiss.paired("ab", {"a": 0.0, "b": 0.0}, Counter(), Counter(), Counter({"a": 1, "b": -1}))
    assert pairs == [("b", "a")]


def test_the_last_of_those_who_have_not_rested_has_the_bye() -> None:
    points = {"a": 1.0, "b": 0.5, "c": 0.0}
    assert swiss.paired("abc", points, Counter(), Counter(), Counter())[1] == ["c"]
    assert swiss.paired("abc", points, Counter(), Counter("c"), Counter())[1] == ["b"]


def test_in_a_bracket_the_best_meet_last_and_have_the_byes() -> None:
    assert knockout.bracket("abcdefgh") == ("a", "h", "d", "e", "b", "g", "c", "f")
    pairs, byes = knockout.paired("abcdef", Counter(), 1, Counter(), Counter(), begun=False)
    assert (pairs, byes) == ([("d", "e"), ("c", "f")], ["a", "b"])


@settings(max_examples=40, deadline=None)
@given(st.sampled_from(("knockout", "double")), st.integers(2, 20), st.integers(0, 99))
def test_whoever_is_out_plays_no_more_and_one_is_left(form: Form, count: int, seed: int) -> None:
    of = played(announced(form, names(count)), seed)
    lost, lives = beaten(of), LIVES[form]
    assert sum(lost[player] < lives for player in of.seeds) <= 1
    assert all(lost[player] <= lives for player in of.seeds)
    for player in of.seeds:
        rounds = [table.round for table in of.tables if player in table.players]
        assert len(rounds) == len(set(rounds)), "nobody plays two pairings in one round"


def test_after_two_losses_the_last_undefeated_must_be_beaten_twice() -> None:
    of = announced("double", ["a", "b"])
    of = after(of, begun(of, "ab", 1))
    of = result(of, (1, 1), "b")
    assert of.status == "running"
    of = result(of, (2, 1), "a")
    assert of.status == "running"
    of = result(of, (3, 1), "a")
    assert of.status == "over"
    assert standings(of)[0].player == "a"


def test_a_level_knock_out_pairing_has_two_more_matches_then_the_better_seed_is_through() -> None:
    of = announced("knockout", ["a", "b"])
    of = after(of, begun(of, "ab", 1))
    for game in (1, 2):
        of = result(of, (1, game), "a", "b")
        assert of.boards() == ((1, game + 1),)
    of = result(of, (1, 3), "a", "b")
    assert (of.status, standings(of)[0].player) == ("over", "a")


def test_where_all_play_all_nobody_has_more_pairings_at_once_than_was_settled() -> None:
    of = announced("round-robin", names(8), atonce=2)
    of = after(of, begun(of, of.entrants, 1))
    while of.status == "running":
        busy = Counter(player for table, _ in of.boards() for player in of.tables[table - 1].players)
        assert max(busy.values()) <= 2
        table, game = of.boards()[0]
        of = result(of, (table, game), of.tables[table - 1].players[0])


def test_matches_of_one_pairing_are_played_at_once() -> None:
    of = announced("swiss", names(4), games=2)
    events = begun(of, of.entrants, 1)
    assert [event.boards for event in events if isinstance(event, Opened)] == [((1, 1), (1, 2), (2, 1), (2, 2))]


# --- tables of several --------------------------------------------------------------------------------------
@given(st.integers(3, 40), st.integers(3, 5))
def test_tables_are_as_full_and_as_even_as_can_be(count: int, seats: int) -> None:
    found = tables.sizes(count, seats)
    assert sum(found) == count
    assert max(found) <= seats
    assert min(found) >= 2
    assert max(found) - min(found) <= 1


@settings(max_examples=30, deadline=None)
@given(st.integers(3, 15), st.integers(3, 5), st.integers(0, 99))
def test_in_rounds_by_tables_everybody_sits_once_each_round(count: int, seats: int, seed: int) -> None:
    of = played(announced("swiss", names(count), seats=seats, rounds=3), seed)
    for number in range(1, of.round + 1):
        assert sorted(player for table in of.of_round(number) for player in table.players) == sorted(of.seeds)


def test_at_tables_people_rather_sit_with_whom_they_have_not_sat() -> None:
    of = announced("swiss", names(9), seats=3, rounds=2)
    of = after(of, begun(of, of.entrants, 1))
    for board in of.boards():
        of = result(of, board, of.tables[board[0] - 1].players[0])
    assert max(met(of).values()) == 1


# --- who withdraws ------------------------------------------------------------------------------------------
def test_what_somebody_who_withdraws_has_not_begun_is_won_by_the_others() -> None:
    of = announced("round-robin", ["a", "b", "c", "d"], atonce=1)
    of = after(of, begun(of, "abcd", 1))
    running = {
        player
        for table, _ in of.boards()
        for player in of.tables[table - 1].players
        if "d" in of.tables[table - 1].players
    }
    of = after(of, followed(of, Withdrawn(2, "d", "d")))
    assert total(of, "d") == 0
    for player in {"a", "b", "c"} - running:
        assert total(of, player) == 1
    assert sum(total(of, player) for player in "abc") == 2, "the match that runs is still to be played"


def test_tables_keep_their_numbers_for_ever() -> None:
    of = played(announced("double", names(11)), 5)
    assert [table.number for table in of.tables] == [*range(1, len(of.tables) + 1)]
    assert all(one.round <= other.round for one, other in pairwise(of.tables))
