"""What the documents show is true: the example record is one that Riposte reads, plays and checks."""

import re
from pathlib import Path

from engine.record import read_record, replayed, verify

DOCS = Path(__file__).parents[1] / "docs"


def test_the_example_record_is_read_played_and_checked() -> None:
    (text,) = re.findall(r"```\n(Riposte record 1\n.+?)```", (DOCS / "records.md").read_text("utf-8"), re.DOTALL)
    record = read_record(text)
    assert record.write() == text
    *_, (_, match) = replayed(record, 0)
    assert match.result is not None
    assert match.result.winners == ("W",)
    assert verify(record) == ()
