"""What a soak says of a run is what the run was."""

from pathlib import Path

import pytest

from tests.soak import soaking
from tests.soak.measure import Sample, trend


def samples(memory: list[float]) -> list[Sample]:
    return [Sample(100 * n, each, 16, 3, 2000 - n) for n, each in enumerate(memory, 1)]


def test_what_grows_is_told_by_how_much_and_noise_is_not_growth() -> None:
    steady = trend(samples([100 + n % 3 for n in range(60)]), "memory")
    assert abs(steady.grows) < 0.01
    assert steady.surely < 0.01
    leaking = trend(samples([100 + n / 2 + n % 3 for n in range(60)]), "memory")
    assert leaking.grows == pytest.approx(0.16, abs=0.02)
    assert leaking.surely > 0.14


def test_what_is_filled_in_the_first_third_is_no_growth() -> None:
    filling = trend(samples([min(200.0, 100 + 10.0 * n) for n in range(60)]), "memory")
    assert filling.grows == pytest.approx(0)


def test_what_fills_a_cache_is_no_growth_and_what_grows_beside_it_is() -> None:
    cached = [Sample(100 * n, 100 + n, 16, 3, 2000, kept=n) for n in range(60)]
    assert trend(cached, "memory").grows > 0.2
    assert trend(cached, "beside").grows == pytest.approx(0)
    leaking = [Sample(100 * n, 100 + 2 * n, 16, 3, 2000, kept=n) for n in range(60)]
    assert trend(leaking, "beside").surely > 0.2


@pytest.mark.slow
async def test_matches_of_all_games_go_on_and_no_file_or_task_is_left_open(tmp_path: Path) -> None:
    async with soaking(tmp_path, 3) as soak:
        soak.wanted = 9
        await soak.run(90, 12)
        assert soak.turns >= 90
        assert all(sink.posts > 0 for sink in soak.sinks.values())
        first, last = soak.samples[len(soak.samples) // 3], soak.samples[-1]
        assert (last.files, last.tasks) == (first.files, first.tasks)
        assert last.stored < first.stored
