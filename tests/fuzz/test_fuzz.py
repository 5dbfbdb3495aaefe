"""Whatever anybody sends, it is read or refused with a sentence, and quickly."""

import importlib.util
import os
import subprocess
import sys
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.fuzz.readers import readers
from tests.fuzz.target import ALLOWED, Input, corpus, read, spent

HOUSE = Path(__file__).parents[2]
EXAMPLES = int(os.environ.get("RIPOSTE_EXAMPLES", "300"))


def test_every_reader_reads_its_own_examples() -> None:
    for reader in readers():
        assert reader.examples
        for text in reader.examples:
            read(Input(readers().index(reader), text))


def test_no_text_that_has_broken_a_reader_breaks_another_or_takes_long() -> None:
    slow = [(one.whose.name, one.text[:40], took) for one in corpus() if (took := spent(one)) > ALLOWED]
    assert slow == []


@st.composite
def inputs(draw: st.DrawFn) -> Input:
    """A reader, and an example of any reader that is cut, doubled and mixed with anything."""
    pieces = st.sampled_from([one.text for one in corpus()]) | st.text(max_size=30) | st.characters()
    text = "".join(draw(st.lists(pieces, max_size=4)))
    begin = draw(st.integers(0, max(0, len(text) - 1)))
    return Input(draw(st.integers(0, len(readers()) - 1)), text[begin : begin + 2_000])


@settings(max_examples=EXAMPLES, deadline=None, derandomize="RIPOSTE_EXAMPLES" not in os.environ)
@given(one=inputs())
def test_whatever_is_read_is_read_or_refused(one: Input) -> None:
    read(one)


def test_what_is_found_is_shown_again_by_its_command(tmp_path: Path) -> None:
    file = tmp_path / "found"
    file.write_bytes(Input(0, "A50-A33").data)
    shown = subprocess.run(
        [sys.executable, "-m", "tests.fuzz", "again", str(file)], cwd=HOUSE, capture_output=True, text=True, check=True
    )
    assert shown.stdout.startswith(f"{readers()[0].name}: 'A50-A33'\nread in ")


@pytest.mark.slow
def test_some_seconds_of_inputs_that_lead_to_new_code_finds_nothing() -> None:
    if importlib.util.find_spec("atheris") is None:
        assert "RIPOSTE_TEST_ALL" not in os.environ, "`make test-all` installs atheris"
        pytest.skip("`make fuzz` installs atheris")
    found = subprocess.run(
        [sys.executable, "-m", "tests.fuzz", "0.1"], cwd=HOUSE, capture_output=True, text=True, check=False
    )
    assert " 0 faults" in found.stdout, (
        found.stdout + found.stderr
    )  # CI takes five minutes beside the tests, a night more
