"""When a contest between levels is over: what the sequential test says, and how sure the score is."""

import random

from tests.strength import BETTER, ERROR, at_least, telling, verdict


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
