"""No record that `export` gives is called forged; the short form of `python -m tests.whole_chats`."""

import os
from pathlib import Path

import pytest

from tests.test_bound_dice import found
from tests.whole_chats import played

MATCHES = int(os.environ.get("RIPOSTE_EXAMPLES", "8"))


@pytest.mark.parametrize("seed", range(MATCHES))
async def test_the_record_of_a_match_in_chat_fits_its_thread(seed: int, tmp_path: Path) -> None:
    record, hashes, _ = await played(seed, tmp_path)
    assert found(record, hashes, tmp_path) == (False, False), record


async def test_the_hashes_of_another_thread_do_not_fit(tmp_path: Path) -> None:
    (one, _, _), (_, hashes, _) = [await played(seed, tmp_path / str(seed)) for seed in (1, 2)]
    assert found(one, hashes, tmp_path) == (True, True)
