"""Time as arithmetic on stored instants: what `3d`, `20d+1d`, `5/10d` or `hourglass 10d` leaves to whom."""

import re
from dataclasses import dataclass
from typing import Literal

from engine.board import Side
from engine.game import NotationError
from engine.text import Code, Text

SECOND, MINUTE, HOUR, DAY = 1_000, 60_000, 3_600_000, 86_400_000
UNITS = {"d": DAY, "h": HOUR, "m": MINUTE, "s": SECOND}
SHORTEST = 5 * SECOND
LONGEST = 60 * DAY
MOST_TURNS = 50
"""Turns that can be asked for in one period."""

MISSING = Text("A length of time is missing.")

NUDGES = (0.5, 0.8, 0.95)
"""The shares of one's time after which reminders go out; of less than a day, only the second."""


@dataclass(frozen=True, slots=True)
class Clock:
    """The rule by which time is given; all figures in milliseconds."""

    kind: Literal["none", "turn", "bank", "canadian", "hourglass"]
    base: int = 0
    extra: int = 0
    """Added after each turn (`bank` only)."""
    cap: int = 0
    """What a bank holds at most; 0 = any amount."""
    turns: int = 1
    """How many turns are to be made in `base` (`canadian` only); then it is given anew."""

    @property
    def turn(self) -> int:
        """The time for one turn: what a bank adds each turn, half the sand of an hourglass, else a turn's share."""
        shares = {"none": 0, "bank": self.extra, "hourglass": self.base // 2}
        return shares.get(self.kind, self.base // self.turns)

    def start(self, sides: tuple[Side, ...]) -> dict[Side, int]:
        """What each side has before its first turn."""
        half = self.base // 2 if self.kind == "hourglass" else self.base
        return dict.fromkeys(sides, half)

    def spend(self, left: dict[Side, int], side: Side, spent: int, made: int = 1) -> dict[Side, int]:
        """What each side has after one has used so much time for its turn, the how manieth it has made."""
        rest = max(0, left[side] - max(0, spent))
        match self.kind:
            case "none" | "turn":
                return left
            case "bank":
                # A gift may have filled it above its cap; nothing is taken away for that.
                return left | {side: max(rest, min(rest + self.extra, self.cap)) if self.cap else rest + self.extra}
            case "canadian":
                return left | {side: self.base if made % self.turns == 0 else rest}
            case "hourglass":  # the hourglass is turned over: the others get what has run through
                return {other: rest if other == side else self.base - rest for other in left}


def read_clock(text: str) -> Clock:
    """The clock that a term describes. Raises NotationError."""
    words = text.strip().lower()
    if words == "none":
        return Clock("none")
    if words.startswith("hourglass"):
        return Clock("hourglass", read_duration(words.removeprefix("hourglass")))
    base, plus, extra = words.partition("+")
    if plus:
        extra, capped, cap = extra.partition("<")
        clock = Clock("bank", read_duration(base), read_duration(extra), read_duration(cap) if capped else 0)
        if capped and clock.cap < clock.base:
            raise NotationError(
                Text("A bank cannot begin with more than it holds at most."), Text("For example: `time=20d+1d<30d`.")
            )
        return clock
    count, slash, span = words.partition("/")
    if slash:
        count = count.strip()  # of more than `int` takes for blank
        turns = int(count) if re.fullmatch(r"\d{1,2}", count, re.ASCII) else 0
        if not 2 <= turns <= MOST_TURNS:
            raise NotationError(
                Text("{word} is not a number of turns from 2 to 50.", word=Code(count[:40])),
                Text("Five turns in each ten days: `time=5/10d`."),
            )
        return Clock("canadian", read_duration(span), turns=turns)
    return Clock("turn", read_duration(base))


def read_duration(text: str) -> int:
    """`3d`, `36h`, `1d12h`, `90m`, `30s` or a bare number of days, in milliseconds. Raises NotationError."""
    words = text.strip().lower()
    if words.isascii() and words.isdigit() and len(words) < 4:
        words += "d"
    if not re.fullmatch(r"(\d{1,4}[dhms])+", words, re.ASCII):
        because = Text("{word} is not a length of time.", word=Code(text.strip()[:40])) if words else MISSING
        raise NotationError(because, Text("Write days, hours, minutes or seconds: `3d`."))
    total = sum(int(count) * UNITS[unit] for count, unit in re.findall(r"(\d+)([dhms])", words))
    if total < SHORTEST:
        raise NotationError(Text("Too short: at least 5s."), Text("For example: `time=3d`."))
    if total > LONGEST:
        raise NotationError(Text("Too long: at most 60d."), Text("For example: `time=3d`."))
    return total


def write_duration(span: int) -> str:
    """The shortest text that `read_duration` takes back: `1d12h`."""
    parts = []
    for unit, size in UNITS.items():
        count, span = divmod(span, size)
        if count:
            parts.append(f"{count}{unit}")
    return "".join(parts) or "0s"
