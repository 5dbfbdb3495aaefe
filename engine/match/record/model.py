"""What a record consists of: headers, entries and their comments; and how each kind of entry is written."""

import re
from dataclasses import dataclass
from typing import Literal, TypeAlias

from engine.board import Side

FIRST_LINE = "Riposte record 1"
SEALED = "(sealed)"
FORMER = "former:"
"""How the key of a player begins who has been erased where the match was played."""

Kind: TypeAlias = Literal["turn", "reply", "lots", "called", "failed", "back", "left", "agreed", "reset", "terms"]

LINES: dict[Kind, tuple[str, re.Pattern[str]]] = {
    "turn": ("{number}. {side} {text}", re.compile(r"(?P<number>\d+)\. (?P<side>\S+) (?P<text>.+)")),
    "reply": ("reply {side} {text}", re.compile(r"reply (?P<side>\S+) (?P<text>.+)")),
    "lots": ("lots {text}", re.compile(r"lots (?P<text>\d+:\d+( \d+:\d+)*)")),
    "called": (
        "called {number} by {side}: {text}",
        re.compile(r"called (?P<number>\d+) by (?P<side>\S+): (?P<text>.+)"),
    ),
    "failed": (
        "held {number} against {side}{text}",
        re.compile(r"held (?P<number>\d+) against (?P<side>[^\s,]+)(?P<text>|,? .+)"),
    ),
    "back": ("taken back from {number}", re.compile(r"taken back from (?P<number>\d+)")),
    "left": ("{side} {text}", re.compile(r"(?P<side>\S+) (?P<text>resigns|runs out of time|loses a turn)")),
    "agreed": ("draw agreed", re.compile(r"draw agreed")),
    "reset": ("board reset", re.compile(r"board reset")),
    "terms": ("terms {text}", re.compile(r"terms (?P<text>\S+=\S+( \S+=\S+)*)")),
}
"""How each kind of entry is written, and how it is read."""

HELD = re.compile(r"(?P<late> late)?(?: for (?P<reason>\S+))?(?:, costs (?P<costs>\d{1,3}))?")
"""What may follow a call that did not hold: that it was late, what it named, what it cost."""


@dataclass(frozen=True, slots=True)
class Entry:
    """One line of the record's body, with the comment lines that follow it."""

    kind: Kind
    number: int = 0
    side: Side = ""
    text: str = ""
    comments: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Record:
    """A match on paper. `read_record(record.write()) == record`."""

    headers: tuple[tuple[str, str], ...]
    entries: tuple[Entry, ...]

    def header(self, name: str, default: str = "") -> str:
        """The value of a header."""
        return dict(self.headers).get(name, default)

    def write(self) -> str:
        """The record as text."""
        lines = [FIRST_LINE, *(f"{name}: {value}" for name, value in self.headers), ""]
        for entry in self.entries:
            form, _ = LINES[entry.kind]
            lines.append(form.format(number=entry.number, side=entry.side, text=entry.text))
            lines += [f"; {comment}" for comment in entry.comments]
        return "\n".join(lines) + "\n"
