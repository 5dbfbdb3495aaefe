"""Values compare, hash and change as frozen dataclasses do, though they are made otherwise."""

import copy
import pickle
import subprocess
import sys
from dataclasses import replace as of_python
from pathlib import Path

import pytest

from bot.messages.model import Picture, Place
from engine.value import replace

ROOT = Path(__file__).parents[1]
FROZEN = """
import dataclasses, sys
import engine.value
engine.value.value = lambda *, frozen, slots: dataclasses.dataclass(frozen=frozen, slots=slots)
import pytest
sys.exit(pytest.main(sys.argv[1:]))
"""
"""Runs tests with values that Python itself lets nobody change."""
CHATS = "sqlite and (tokonoma_callout or veney_lines or chirality_three or tournament_and_ladder or privacy or puzzles)"

THREAD = Place("web", "lounge", "7")


def test_values_with_the_same_fields_are_one_key() -> None:
    assert {THREAD: "one", Place("web", "lounge", "7"): "two"} == {THREAD: "two"}
    assert Place("web", "lounge") != THREAD


def test_a_value_with_some_fields_changed_is_what_python_would_make_of_it() -> None:
    picture = Picture("tokonoma", "2fFB", "W", turn="d6b5", over=True)
    assert replace(picture, theme="dark", turn="") == of_python(picture, theme="dark", turn="")
    assert replace(picture) == picture


def test_a_field_that_there_is_not_changes_nothing() -> None:
    with pytest.raises(KeyError):
        replace(THREAD, room="8")  # type: ignore[call-arg]


def test_values_are_copied_and_sent_to_other_processes() -> None:
    assert copy.copy(THREAD) == THREAD == pickle.loads(pickle.dumps(THREAD))


def test_in_whole_chats_nobody_changes_a_value() -> None:
    """mypy sees no `setattr`, and nothing behind `Any`."""
    chats = ["tests/test_conversations.py", "-q", "-k", CHATS, "-p", "no:cacheprovider"]
    command = [sys.executable, "-c", FROZEN, *chats]
    done = subprocess.run(command, capture_output=True, text=True, cwd=ROOT, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
    assert "6 passed" in done.stdout
