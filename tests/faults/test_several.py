"""The short form of `python -m tests.faults.several`: one of two bots on a PostgreSQL is killed or stopped."""

import pytest

from tests.faults.several import failures, main
from tests.stores import programs


@pytest.mark.slow
def test_what_one_of_two_bots_had_to_do_the_other_does_once_and_in_order() -> None:
    if programs() is None:
        pytest.skip("no PostgreSQL on this machine: apt-get install postgresql")
    found, taken = main(2, seed=5)
    assert failures(found, taken) == []
    assert found.kills.total() == 2
    assert found.posts > 0
