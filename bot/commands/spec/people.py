"""Commands by which people deal with each other: roles, blocking, reports, arbiters, and what is kept of one."""

from bot.commands.spec.parts import MATCH, Command, Slot
from engine.text import Text

ACTS = ("win", "draw", "void", "lift", "pause", "adjourn", "resume", "move", "seat", "undo")

COMMANDS: tuple[Command, ...] = (
    Command(
        "role",
        (
            Slot("player", "person", "[@NAME", Text("Who is to have it.")),
            Slot(
                "role",
                "word",
                "arbiter|organiser|none]",
                Text("The role; `none` takes all away."),
                ("arbiter", "organiser", "none"),
            ),
        ),
        Text("List who is an arbiter or an organiser here; hosts name them."),
        "role @ben arbiter",
        group="club",
        most=2,
    ),
    Command(
        "block",
        (
            Slot("player", "person", "[@NAME]", Text("Whom; left out: whom you have blocked.")),
            Slot("off", "word", "[off]", Text("No longer."), ("off",)),
        ),
        Text("Take no challenges or offers from somebody any more; matches under way go on."),
        "block @ben",
        group="club",
        most=2,
    ),
    Command(
        "report",
        (MATCH, Slot("reason", "text", "REASON", Text("What is wrong, in your own words."))),
        Text("Tell the arbiters in private what is wrong in a match; they get its record."),
        "report 12 a turn was read wrongly",
        "match",
        group="club",
    ),
    Command(
        "ruling",
        (MATCH,),
        Text("Ask for an arbiter's ruling on a match; once the others agree, no time runs until it is made."),
        "ruling 12",
        "match",
        (),
        (),
        group="club",
    ),
    Command(
        "arbiter",
        (
            MATCH,
            Slot("act", "word", "ACT", Text("What to do."), ACTS),
            Slot("reason", "text", "[SIDE|SPAN] REASON", Text("Which side or how long, and why: the players read it.")),
        ),
        Text("As an arbiter: `win white|draw|void|lift|pause 5d|move|seat white @ben|undo`."),
        "arbiter 12 draw agreed in the thread",
        "match",
        group="club",
    ),
    Command(
        "privacy",
        (
            Slot("what", "word", "[export|erase]", Text("Get all of it, or end it."), ("export", "erase")),
            Slot("sure", "word", "", Text("That you mean it."), ("yes",)),
        ),
        Text("Show what is kept of you; `export|erase`: get it as a file, or have it removed."),
        "privacy",
        group="club",
        takes=("export", "erase", "yes"),
    ),
)
