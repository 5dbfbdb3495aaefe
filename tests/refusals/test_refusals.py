"""Whatever cannot be done in a match is refused: each refusal whole, with its remedy, and nothing has changed."""

import pytest

from engine.match.commands import Command
from tests.refusals import calls, challenges, clocks, offers, rulings, terms, turns
from tests.refusals.situations import Situation, refused

SUBJECTS = (calls, challenges, clocks, offers, rulings, terms, turns)


@pytest.mark.parametrize(
    ("situation", "command", "fact", "remedy"),
    [
        pytest.param(*row, id=f"{subject.__name__.rpartition('.')[2]}: {row[2]}")
        for subject in SUBJECTS
        for row in subject.REFUSED
    ],
)
def test_what_cannot_be_done_is_refused_with_a_remedy_and_changes_nothing(
    situation: Situation, command: Command, fact: str, remedy: str
) -> None:
    refused(situation, command, fact, remedy)
