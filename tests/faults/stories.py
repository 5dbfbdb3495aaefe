"""What happens to a bot that is to be killed: conversations of the tests, step by step, and what they leave out."""

import re
from dataclasses import dataclass
from pathlib import Path

from bot.messages.model import IncomingMessage, Person, Place
from storage.sqlite import schema
from storage.sqlite.schema import Migration

CONVERSATIONS = Path(__file__).parents[1] / "conversations"
STORIES = ("tokonoma_callout", "offers_and_time")
"""Those that every run of the tests goes through."""
MORE = ("tournament_and_ladder", "veney_hands", "ironclad_swap", "chirality_three", "tirachen_fort", "takeback_free")
"""Those that a long sweep goes through as well: every game, and a tournament."""
START = 1_800_000_000_000
MINUTE = 60_000
SPANS = {"minutes": MINUTE, "hours": 60 * MINUTE, "days": 24 * 60 * MINUTE}
COLOURS = "ALTER TABLE settings ADD COLUMN colour TEXT;\nUPDATE settings SET colour = 'red';\n"
AWAY = 6
"""The step before which the bot was away for an hour."""


@dataclass(frozen=True, slots=True)
class Step:
    """One thing that happens to the bot, at a told instant."""

    number: int
    now: int
    heard: IncomingMessage | None = None
    """A message; None = time has passed, or a burst."""
    burst: bool = False
    since: int = 0
    """The bot was away since then, and gives the clocks that time back."""
    schema: tuple[Migration, ...] = schema.migrations()


def steps(story: str) -> list[Step]:
    """A conversation of the tests without the bot's answers, an absence; at its end a burst, and an upgrade."""
    text = (CONVERSATIONS / f"{story}.txt").read_text(encoding="utf-8")
    found: list[Step] = []
    now = START
    for line in text.splitlines():
        if said := re.fullmatch(r"(\w+)(?: in match (\d+))?: (.*)", line):
            name, thread, words = said.groups("")
            if len(found) == AWAY:
                now += SPANS["hours"]
                found.append(Step(AWAY, now, since=now - SPANS["hours"]))
            now += MINUTE
            who, where = Person("web", name, name.title()), Place("web", "lounge", thread)
            found.append(Step(len(found), now, IncomingMessage(f"web:{len(found)}", who, where, words, now)))
        elif waited := re.fullmatch(r"\((\d+) (\w+) later\)", line):
            now += int(waited[1]) * SPANS[waited[2].rstrip("s") + "s"]
            found.append(Step(len(found), now))
    newer = (*schema.migrations(), schema.Migration(len(schema.migrations()) + 1, "colours", COLOURS))
    return [*found, Step(len(found), now, burst=True), Step(len(found) + 1, now, schema=newer)]
