"""The short form of `python -m tests.faults.failover`: one leader is killed, one is cut off."""

import os

import pytest

from tests.faults.failover.cluster import CUT, KILLED, missing
from tests.faults.failover.play import main


@pytest.mark.slow
def test_a_cluster_that_loses_its_leader_loses_no_turn_and_posts_nothing_twice() -> None:
    if missing():
        (pytest.fail if os.environ.get("RIPOSTE_TEST_ALL") == "1" else pytest.skip)(missing())
    told = main(2, seed=3, hows=(KILLED, CUT))
    assert told.failures() == []
    assert told.found.posts > 0
    assert len(told.written.acknowledged) > 100
