"""When a contest between levels is over: what the sequential test says, and how sure the score is; what is kept."""

import random
from pathlib import Path

from tests.strength import BETTER, ERROR, Contest, at_least, played, results, telling, verdict


def test_draws_do_not_keep_a_contest_from_being_shown_or_show_it() -> None:
    won = [1.0] * 9
    assert verdict(won, 0.5) == verdict([*won, *[0.5] * 150], 0.5) == "shown"
    assert not verdict([0.5] * 200, 0.5)
    assert at_least([0.5] * 200, 0.5) == 0.5


def test_more_wins_than_losses_lie_above_half_once_they_are_too_many_for_luck() -> None:
    assert at_least([*[1.0] * 7, *[0.5] * 193], 0.5) > 0.5
    assert at_least([*[1.0] * 7, *[0.0] * 6, *[0.5] * 187], 0.5) < 0.5


def test_a_draw_against_a_fixed_opponent_counts_half() -> None:
    assert telling([1.0, 0.5, 0.0], 0.8) == [1.0, 0.5, 0.0]
    assert verdict([1.0] * 32, 0.8) == "shown"
    assert not verdict([*[1.0] * 32, *[0.5] * 4], 0.8)


def test_who_is_no_better_is_shown_to_be_so_in_one_contest_of_twenty_at_most() -> None:
    for bound in BETTER:
        shown = 0
        for number in range(400):
            rng, scores = random.Random(f"{bound} {number}"), list[float]()
            while len(scores) < 200 and not verdict(scores, bound):
                scores.append(float(rng.random() < bound))
            shown += verdict(scores, bound) == "shown"
        assert shown <= 1.5 * ERROR * 400, bound


def test_matches_count_in_their_order_whoever_plays_them_and_what_is_kept_is_not_played_again(tmp_path: Path) -> None:
    contest = Contest("tokonoma", "level 2", "level 1")
    (first,) = results((contest,), 3, tmp_path / "alone", workers=1)
    (second,) = results((contest,), 2, tmp_path / "two", workers=2)
    assert len(second[1]) == 4
    (gone_on,) = results((contest,), 3, tmp_path / "two", workers=2)
    assert gone_on[1][:4] == second[1], "to the microsecond: they are the same matches"
    for found in (first, gone_on):
        assert [(match.score, match.turns) for match in found[1]] == [played(contest, number) for number in range(6)]
        assert all(match.seconds > 0 for match in found[1])
