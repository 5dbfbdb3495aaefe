"""Commands with which matches begin, and their list."""

from dataclasses import replace

from bot.commands.spec.parts import GAME, MATCH, OFFER, OFFERS, Command, Slot
from engine.text import Text

COMMANDS: tuple[Command, ...] = (
    Command(
        "challenge",
        (
            Slot("player", "person", "[@NAME …]", Text("Whom to challenge; left out: whoever accepts first.")),
            GAME,
            Slot(
                "terms",
                "terms",
                "[TERM=VALUE …]",
                Text("Terms, such as time=3d umpire=turn; the others have their defaults."),
            ),
        ),
        Text("Propose a match; without a name, to whoever accepts first."),
        "challenge @ben tokonoma umpire=turn time=3d",
        group="",
    ),
    Command(
        "play",
        (
            GAME,
            Slot("terms", "terms", "[TERM=VALUE …]", Text("Terms, such as level=1 for beginners, up to level=6.")),
        ),
        Text("Play against Riposte at once; where it does not play, against whoever accepts first."),
        "play tokonoma level=2",
        group="riposte",
    ),
    Command(
        "accept",
        (MATCH, OFFER),
        Text("Accept a challenge or an offer."),
        "accept 12",
        "match",
        ("yes",),
        (*OFFERS, "share="),
    ),
    Command(
        "decline",
        (MATCH, OFFER, Slot("reason", "text", "[REASON]", Text("Why you decline a challenge, in your own words."))),
        Text("Decline a challenge, with a reason if you like, or an offer."),
        "decline 12 too slow for me",
        "match",
        ("no",),
        OFFERS,
        explains=True,
    ),
    Command(
        "counter",
        (MATCH, Slot("terms", "terms", "TERM=VALUE …", Text("The terms to change, such as time=5d."))),
        Text("Propose other terms for a challenge; the others must accept again."),
        "counter 12 time=5d",
        "match",
        ("amend",),
    ),
    Command(
        "rematch",
        (
            MATCH,
            Slot("terms", "terms", "[TERM=VALUE …]", Text("The terms to change, such as time=5d.")),
        ),
        Text("Play a match that is over once more, sides swapped, on the same terms or others."),
        "rematch 12 time=5d",
        "match",
        ("again",),
        most=8,
    ),
    Command(
        "preset",
        (
            Slot("what", "word", "[save|forget]", Text("Keep terms under a name, or forget them."), ("save", "forget")),
            Slot("name", "text", "[NAME]", Text("The name: letters and digits.")),
            Slot("terms", "terms", "[TERM=VALUE …]", Text("The terms that it stands for.")),
            Slot("where", "word", "", Text("For everybody in this server or room instead of for you."), ("here",)),
        ),
        Text("Keep terms under a name for `challenge … preset=NAME`; alone: list those you can use."),
        "preset save slow time=7d umpire=turn",
        most=12,
    ),
    Command(
        "matches",
        (
            Slot("whose", "word", "[all|past]", Text("Everybody's here, or yours that are over."), ("all", "past")),
            Slot("player", "person", "[@NAME]", Text("Of those that are over: against whom.")),
            replace(GAME, shape="[GAME]", gist=Text("Of those that are over: of which game.")),
        ),
        Text(
            "List your matches and whose turn it is; `all`: everybody's here; `past @ben veney`: those that are over."
        ),
        "matches",
        most=4,
        group="",
    ),
)
