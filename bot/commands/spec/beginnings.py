"""Commands with which matches begin, and their list."""

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
        group="",
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
        (MATCH, OFFER),
        Text("Decline a challenge or an offer."),
        "decline 12",
        "match",
        ("no",),
        OFFERS,
    ),
    Command(
        "amend",
        (MATCH, Slot("terms", "terms", "TERM=VALUE …", Text("The terms to change, such as time=5d."))),
        Text("Propose other terms for a challenge; the others must accept again."),
        "amend 12 time=5d",
        "match",
        ("counter",),
    ),
    Command(
        "matches",
        (Slot("whose", "word", "[all]", Text("Everybody's here instead of yours."), ("all",)),),
        Text("List your matches and whose turn it is; `all`: everybody's here."),
        "matches",
        takes=("all",),
        group="",
    ),
)
