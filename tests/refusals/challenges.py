"""Challenges that cannot be answered, changed or linked."""

from engine.match.commands import Amend, Decline, Join, LinkPlace
from tests.refusals.situations import FIRST, Refused, after, challenged, for_three, playing
from tests.table import Table

REFUSED: list[Refused] = [
    (Table, Join("ben"), "There is no such match.", "`matches` lists yours."),
    (challenged(), Decline("zoe"), "This challenge is not for you.", "It goes on without your answer."),
    (challenged(), FIRST, "This match has not begun.", "`accept` it first, or `decline` it."),
    (challenged(), Join("anna"), "You have already agreed to these terms.", "The others have yet to `accept`."),
    (challenged(), Join("zoe"), "This challenge is for somebody else.", "Make your own: `challenge tokonoma`."),
    (
        challenged(),
        Amend("zoe", {}),
        "Only the players of this challenge can change its terms.",
        "Make your own: `challenge tokonoma`.",
    ),
    (challenged(), LinkPlace("anna", "web/lounge/"), "This match is played here already.", "`board 1` shows it."),
    (
        challenged(),
        LinkPlace("zoe", "web/attic/"),
        "Only its players can link a match to another place.",
        "Ask one of them.",
    ),
    (challenged(Decline("ben")), Join("ben"), "This challenge is off.", "`challenge tokonoma` begins another."),
    (
        challenged(Decline("ben")),
        LinkPlace("anna", "web/attic/"),
        "This challenge is off.",
        "`challenge tokonoma` begins another.",
    ),
    (playing(), Join("zoe"), "This match has begun.", "Its terms stand until it ends."),
    (playing(), Decline("anna"), "This match has begun.", "Its terms stand until it ends."),
    (playing(), Amend("anna", {"time": "5d"}), "This match has begun.", "Its terms stand until it ends."),
    (challenged(), Join("carol"), "This challenge is for somebody else.", "Make your own: `challenge tokonoma`."),
    (challenged(), Decline("carol"), "This challenge is not for you.", "It goes on without your answer."),
    (playing(), Join("ben"), "This match has begun.", "Its terms stand until it ends."),
    (
        lambda: after(for_three(), Join("ben")),
        Join("ben"),
        "You have already agreed to these terms.",
        "The others have yet to `accept`.",
    ),
]
