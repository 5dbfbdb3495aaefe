"""Commands about tournaments and ladders."""

from dataclasses import replace

from bot.club.events import FORMS
from bot.commands.spec.parts import GAME, MATCH, Command, Slot
from engine.text import Text

NUMBER = Slot("number", "tournament", "NUMBER", Text("The tournament's number."))

COMMANDS: tuple[Command, ...] = (
    Command(
        "tournament",
        (
            Slot("form", "word", "[FORM|NUMBER]", Text("How it is played; left out: those that there are."), FORMS),
            replace(GAME, shape="[GAME]"),
            Slot("name", "text", "[NAME]", Text("What it is called.")),
            Slot(
                "terms",
                "terms",
                "[TERM=VALUE …]",
                Text("Such as seats=8 rounds=5 games=2 begins=2027-09-01; also terms of its matches: time=3d."),
            ),
        ),
        Text("Announce a tournament, a team match or a season's ladder; show one by its number, or list those here."),
        "tournament swiss tokonoma Autumn Cup seats=8 time=3d",
        aliases=("tournaments",),
        group="club",
    ),
    Command(
        "join",
        (NUMBER,),
        Text("Take part in a tournament, a team match or a ladder."),
        "join 3",
        most=1,
        group="club",
    ),
    Command(
        "withdraw",
        (NUMBER,),
        Text("Leave a tournament: what you have played stands, matches that have not begun are lost."),
        "withdraw 3",
        most=1,
        group="club",
    ),
    Command(
        "climb",
        (NUMBER, Slot("player", "person", "[@NAME]", Text("Who stands up to three places above you."))),
        Text("Challenge somebody above you on a ladder; whoever wins stands higher."),
        "climb 4 @ben",
        most=2,
        group="club",
    ),
    Command(
        "organise",
        (
            NUMBER,
            Slot(
                "what",
                "word",
                "begin|cancel|hand|leave|remove",
                Text("Begin it, call it off, hand it to somebody, leave it to the hosts, or take somebody out."),
                ("begin", "cancel", "hand", "leave", "remove"),
            ),
            Slot("player", "person", "[@NAME]", Text("Who is meant.")),
        ),
        Text("Run a tournament that you have announced, or that is played where you are a host."),
        "organise 3 begin",
        aliases=("organize",),
        most=3,
        group="club",
    ),
    Command(
        "profile",
        (Slot("player", "person", "[@NAME]", Text("Somebody else.")),),
        Text("Show somebody's games, their results against others, and how well they call turns out."),
        "profile @ben",
        most=1,
        group="club",
    ),
    Command(
        "wish",
        (
            Slot("most", "number", "[COUNT|off]", Text("How many matches at once; off takes the wish back.")),
            replace(GAME, shape="[GAME]"),
            Slot("terms", "terms", "[TERM=VALUE …]", Text("The terms, such as time=3d.")),
        ),
        Text("Wish for matches of a game with whoever comes: each begins as soon as somebody wants the same."),
        "wish 3 chirality time=3d",
        group="club",
    ),
    Command(
        "kibitz",
        (MATCH, Slot("text", "text", "[TEXT]", Text("What you say; left out: what was said so far."))),
        Text("Talk about a match in which others play; its players read it when it is over."),
        "kibitz 12 white should look to the left",
        "match",
        group="club",
    ),
)
