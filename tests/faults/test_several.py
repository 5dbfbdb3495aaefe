"""The short forms of `tests.faults.several` and `tests.faults.upgrade`: bots on a PostgreSQL are killed or stopped."""

import pytest

from bot.runtime.rate_limit import MINUTE, Allowance
from tests.faults import shards, upgrade
from tests.faults.several import BREATH, ROOT, TURNS, failures, main
from tests.stores import programs


def test_nobody_says_more_there_than_is_taken_from_them() -> None:
    said, at, spoken = Allowance(), 0, 0
    while at < 5 * MINUTE:  # the fastest that one can: both always have something to say, and this one never waits
        assert said.messages.take(at) == 0
        if spoken % (TURNS // 2) < 2:  # every other turn is theirs; they challenge, and resign
            assert said.commands.take(at) == 0
        spoken, at = spoken + 1, at + int(BREATH * 1000)


@pytest.mark.slow
def test_what_one_of_two_bots_had_to_do_the_other_does_once_and_in_order() -> None:
    if programs() is None:
        pytest.skip("no PostgreSQL on this machine: apt-get install postgresql")
    found, _ = main(2, seed=5)
    assert failures(found) == []
    assert found.kills.total() == 2
    assert found.posts > 0


@pytest.mark.slow
def test_bots_are_replaced_by_those_of_other_tables_one_after_the_other_while_people_play() -> None:
    if programs() is None:
        pytest.skip("no PostgreSQL on this machine: apt-get install postgresql")
    (found,), _ = upgrade.main(ROOT, 1, 3, "next")
    assert failures(found) == []
    assert found.kills.total() == upgrade.KILLS
    assert found.posts > 0


@pytest.mark.slow
def test_of_two_bots_each_with_a_shard_whichever_ends_reads_what_was_written_once_it_is_back() -> None:
    if programs() is None:
        pytest.skip("no PostgreSQL on this machine: apt-get install postgresql")
    found, _, said_in = shards.main(2, seed=4)
    assert failures(found) == []
    assert found.kills.total() == 2
    assert {*said_in} == {"0", "1", "private"}
