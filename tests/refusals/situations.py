"""The matches in which something is refused, and what every refusal holds to."""

from collections.abc import Callable

from engine.match.commands import Answer, Challenge, Command, Join, Offer, Play, Reply
from engine.match.events import Refusal
from tests.table import Table, begun

Situation = Callable[[], Table]
Refused = tuple[Situation, Command, str, str]
"""Where, what is wished, the fact and the remedy."""

FIRST, SECOND = Play("anna", "c7c5"), Play("ben", "c1c3")
WINS_UNTENABLY = Play("anna", "e5c1")
PAUSED_AND_RESUMED = (Offer("anna", "pause"), Answer("ben", True), Offer("anna", "resume"), Answer("ben", True))
SEALED = Reply("anna", "C$SB 5555")


def refused(situation: Situation, command: Command, fact: str, remedy: str) -> None:
    """It is, in these words, and nothing has changed."""
    table = situation()
    before, happened = table.match, len(table.events)
    refusal = table.says(command)
    assert isinstance(refusal, Refusal)
    assert (str(refusal.because), str(refusal.remedy)) == (fact, remedy)
    assert (table.match, len(table.events)) == (before, happened)


def challenge(
    terms: dict[str, str] | None = None, invited: tuple[str, ...] = ("ben",), game: str = "tokonoma"
) -> Challenge:
    return Challenge("1", "anna", game, terms or {}, invited, "web/lounge/")


def after(table: Table, *commands: Command) -> Table:
    for command in commands:
        table.done(command)
    return table


def challenged(*commands: Command) -> Situation:
    return lambda: after(Table(), challenge(), *commands)


def playing(*commands: Command, game: str = "tokonoma", **terms: str) -> Situation:
    return lambda: after(begun(game, **terms), *commands)


def asked(*commands: Command) -> Situation:
    return playing(*commands, game="veney", setup="concealed")


def for_three() -> Table:
    return after(Table(), challenge({"players": "3"}, ("ben", "carol"), "chirality"))


def three_play(*commands: Command) -> Situation:
    return lambda: after(for_three(), Join("ben"), Join("carol"), *commands)


def for_keeps() -> Table:
    terms = {"formality": "formal", "side": "white"}
    return after(
        Table(), Challenge("1", "anna", "veney", terms, ("ben",), "web/lounge/", "moon"), Join("ben", "button")
    )


def of_older_rules() -> Table:
    table = challenged()()
    table.match = table.now.but(version=table.now.version - 1)
    return table
