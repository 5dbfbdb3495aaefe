"""Commands about the time of a match, about one's own, and about what reaches one when."""

from bot.commands.spec.parts import MATCH, Command, Slot
from engine.text import Text

COMMANDS: tuple[Command, ...] = (
    Command(
        "pause",
        (
            MATCH,
            Slot(
                "span", "text", "[SPAN|adjourn]", Text("How long, such as 5d, at most 14 days; or until both resume.")
            ),
        ),
        Text("Propose that nobody's time runs for a while; or to adjourn until both want to go on."),
        "pause 12 5d",
        "match",
        ("adjourn",),
        most=1,
        group="riposte",
    ),
    Command(
        "resume",
        (MATCH,),
        Text("Propose to end a pause now."),
        "resume 12",
        "match",
        (),
        (),
        group="riposte",
    ),
    Command(
        "moretime",
        (MATCH, Slot("span", "text", "SPAN", Text("How much, such as 2d; at most 7 days."))),
        Text("Ask for more time."),
        "moretime 12 2d",
        "match",
        most=1,
        group="riposte",
    ),
    Command(
        "gift",
        (MATCH, Slot("span", "text", "SPAN", Text("How much, such as 1d; at most 7 days."))),
        Text("Give your opponent more time."),
        "gift 12 1d",
        "match",
        most=1,
        group="riposte",
    ),
    Command(
        "propose",
        (MATCH, Slot("terms", "terms", "TERM=VALUE …", Text("The terms to change, such as time=5d."))),
        Text("Propose other terms for a running match; they hold from the next turn on."),
        "propose 12 time=5d",
        "match",
        most=8,
        group="riposte",
    ),
    Command(
        "mute",
        (MATCH, Slot("off", "word", "[off]", Text("Get them again."), ("off",))),
        Text("Get no reminders of one match; `off` undoes it."),
        "mute 12",
        "match",
        (),
        ("off",),
        group="riposte",
    ),
    Command(
        "next",
        (Slot("skip", "word", "[skip]", Text("Put the one that you were shown last behind the others."), ("skip",)),),
        Text("Show the match that waits for you most urgently; `skip`: the one after it."),
        "next",
        aliases=("skip",),
        takes=("skip",),
        group="riposte",
    ),
    Command(
        "zone",
        (Slot("zone", "text", "[ZONE]", Text("A time zone by its name, such as Europe/Berlin.")),),
        Text("Say in which time zone you live: weekends, quiet hours and vacations follow it."),
        "zone Europe/Berlin",
        group="riposte",
        most=3,
    ),
    Command(
        "quiet",
        (
            Slot(
                "hours",
                "text",
                "[HOURS|off|last|never|all|private|open]",
                Text("From which hour to which, such as 22-8; or how often reminders ping you, or where."),
            ),
        ),
        Text("Choose the hours in which no reminder pings you, how often one does, and where."),
        "quiet 22-8",
        group="riposte",
        most=3,
    ),
    Command(
        "vacation",
        (
            Slot(
                "when",
                "text",
                "[SPAN|FROM TO|end|auto on]",
                Text("7d from now, 2027-07-01 2027-07-14, end, or auto on: it begins when your time would run out."),
            ),
        ),
        Text("Let your time rest in all your matches, up to 30 days a year."),
        "vacation 7d",
        group="riposte",
        most=2,
    ),
    Command(
        "digest",
        (Slot("hour", "text", "[HOUR|off]", Text("The hour by your zone, such as 8.")),),
        Text("Get one list a day of the matches that wait for you."),
        "digest 8",
        group="riposte",
        most=1,
    ),
)
