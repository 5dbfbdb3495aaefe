"""Every refusal of a match, whole: the fact and the remedy, and that nothing has changed."""

from collections.abc import Callable

import pytest

from engine.match.commands import (
    Abort,
    Acknowledge,
    Amend,
    Answer,
    Call,
    Challenge,
    Command,
    Decline,
    Join,
    LinkPlace,
    Offer,
    Play,
    Reply,
    Resign,
)
from engine.match.events import Refusal
from tests.table import Table, begun

Situation = Callable[[], Table]


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


FIRST, SECOND = Play("anna", "c7c5"), Play("ben", "c1c3")
WINS_UNTENABLY = Play("anna", "e5c1")
SEALED = Reply("anna", "C$SB 5555")
SHOT = "rW: C4=3 D5=1 / rB: C6=2 F8=1 / sW: c6 c7 d9 / sB: d6 / last: - / mode: full / owner: W / half: stones / to: B"

REFUSALS: list[tuple[Situation, Command, str, str]] = [
    (Table, Join("ben"), "There is no such match.", "`matches` lists yours."),
    (
        Table,
        challenge(game="chess"),
        "There is no game called chess.",
        "There are chirality, ironclad, tirachen, tokonoma and veney.",
    ),
    (
        Table,
        challenge(game="x" * 41),
        "There is no game called xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx.",
        "There are chirality, ironclad, tirachen, tokonoma and veney.",
    ),
    (
        Table,
        challenge(invited=("anna",)),
        "Nobody can challenge themselves.",
        "Name somebody else: `challenge @name tokonoma`.",
    ),
    (
        Table,
        challenge(invited=("ben", "carol")),
        "Tokonoma on these terms is for 2 players, you among them.",
        "Name one other player.",
    ),
    (
        Table,
        challenge({"players": "3"}, ("ben", "ben"), "chirality"),
        "Chirality on these terms is for 3 players, you among them.",
        "Name at most 2 others, each once.",
    ),
    (
        Table,
        challenge({"formality": "formal"}, game="veney"),
        "This match is played for keeps, and you have no token to stake.",
        "Name one: `token moon shell`.",
    ),
    (
        Table,
        challenge({"umpire": "maybe"}),
        "`umpire` cannot be `maybe`.",
        "It can be `refuse`, `friendly`, `turn`, `piece` or `sudden`: `umpire=refuse`.",
    ),
    (
        Table,
        challenge({"umpire": ""}),
        "`umpire` cannot be empty.",
        "It can be `refuse`, `friendly`, `turn`, `piece` or `sudden`: `umpire=refuse`.",
    ),
    (
        Table,
        challenge({"colour": "red"}),
        "Tokonoma has no term called `colour`.",
        "Its terms are `umpire`, `time`, `side`, `start`, `takeback`, `judge`, `falsecall`, "
        "`rest`, `timeout`, `callfor`, `analysis`, `rated`, `level`, `slips` and `hints`: `umpire=refuse`.",
    ),
    (
        Table,
        challenge({"c" * 41: "red"}),
        "Tokonoma has no term called `cccccccccccccccccccccccccccccccccccccccc`.",
        "Its terms are `umpire`, `time`, `side`, `start`, `takeback`, `judge`, `falsecall`, "
        "`rest`, `timeout`, `callfor`, `analysis`, `rated`, `level`, `slips` and `hints`: `umpire=refuse`.",
    ),
    (
        Table,
        challenge({"umpire": "m" * 41}),
        "`umpire` cannot be `mmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmm`.",
        "It can be `refuse`, `friendly`, `turn`, `piece` or `sudden`: `umpire=refuse`.",
    ),
    (
        Table,
        challenge({"time": "soon"}),
        "`soon` is not a length of time.",
        "Write days, hours, minutes or seconds: `3d`.",
    ),
    (
        Table,
        challenge({"time": "s" * 41}),
        "`ssssssssssssssssssssssssssssssssssssssss` is not a length of time.",
        "Write days, hours, minutes or seconds: `3d`.",
    ),
    (Table, challenge({"time": ""}), "A length of time is missing.", "Write days, hours, minutes or seconds: `3d`."),
    (Table, challenge({"time": "0m"}), "Too short: at least 5s.", "For example: `time=3d`."),
    (Table, challenge({"time": "60d1m"}), "Too long: at most 60d.", "For example: `time=3d`."),
    (
        Table,
        challenge({"players": "two"}, game="chirality"),
        "`players` cannot be `two`.",
        "It is a number, 2 or more: `players=2`.",
    ),
    (
        Table,
        challenge({"players": "1"}, game="chirality"),
        "`players` cannot be `1`.",
        "It is a number, 2 or more: `players=2`.",
    ),
    (
        Table,
        challenge({"retreats": "x"}, game="veney"),
        "`x` is no number of retreats.",
        "Write `1`, `unlimited`, or `1,2` for White and Black.",
    ),
    (
        Table,
        challenge({"players": "3", "side": "violet"}, (), "chirality"),
        "Nobody plays `violet` on these terms.",
        "It can be `lot`, `red`, `blue` or `gold`: `side=lot`.",
    ),
    (
        Table,
        challenge({"players": "3", "time": "hourglass 10d"}, (), "chirality"),
        "An hourglass is for two players.",
        "Write a time for each turn: `time=3d`.",
    ),
    (
        Table,
        challenge({"start": "5/6/F6/6/5 b"}),
        "The game is over in that position.",
        "Choose one in which somebody can still move.",
    ),
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
    (
        challenged(),
        Amend("ben", {"time": "soon"}),
        "`soon` is not a length of time.",
        "Write days, hours, minutes or seconds: `3d`.",
    ),
    (
        for_three,
        Amend("ben", {"players": "2"}),
        "On these terms there are only 2 seats.",
        "Leave the number of players as it is.",
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
    (playing(Resign("ben")), FIRST, "This match is over.", "`challenge tokonoma` begins another."),
    (playing(), Join("zoe"), "This match has begun.", "Its terms stand until it ends."),
    (playing(), Decline("anna"), "This match has begun.", "Its terms stand until it ends."),
    (playing(), Amend("anna", {"time": "5d"}), "This match has begun.", "Its terms stand until it ends."),
    (
        playing(),
        Play("zoe", "c7c5"),
        "You have no seat in this match.",
        "`board 1` shows it; `challenge tokonoma` begins your own.",
    ),
    (playing(), Play("anna", "c" * 501), "That is far too long for a turn.", "A turn looks like this: `c7c5`."),
    (playing(), SECOND, "It is White's turn.", "You will be told when it is yours."),
    (
        playing(FIRST),
        Play("ben", "c1c3", ply=1),
        "That was meant for turn 1; the match is at turn 2.",
        "`board 1` shows where it stands.",
    ),
    (
        playing(),
        Play("anna", "c7a1"),
        "The Arm on c7 reaches c5, not a1.",
        "An Arm goes two tiles straight forward, one straight back, or one back to either side.",
    ),
    (
        playing(game="ironclad", start=SHOT),
        Play("ben", "xC6(4)"),
        "Throws are made by the match, not written by a player.",
        "Write the turn without its result.",
    ),
    (
        playing(WINS_UNTENABLY, umpire="turn"),
        SECOND,
        "The game is at its end.",
        "`call` the last turn out if it was untenable, or let it stand with `ok`.",
    ),
    (
        playing(WINS_UNTENABLY, umpire="turn"),
        Acknowledge("anna"),
        "The last word is the others'.",
        "The end stands as soon as they let it.",
    ),
    (playing(), Acknowledge("anna"), "The game is not at its end.", "`resign` gives it up."),
    (
        playing(FIRST, SECOND),
        Abort("anna"),
        "The match is under way and can't be called off any more.",
        "Offer a `draw`, or `resign`.",
    ),
    (asked(SEALED), Play("anna", "SY5"), "The others have yet to answer privately.", "You will hear when it is time."),
    (
        asked(),
        Play("anna", "SY5"),
        "Send your layout: your baseline from the left, then a step of your second measure for each engagement.",
        "Answer privately: `secret C$SB 5555`.",
    ),
    (asked(SEALED), SEALED, "You have answered already.", "You will hear when the others have, too."),
    (playing(), Reply("anna", "c7c5"), "Nothing is asked of you privately.", "Make turns in the open: `c7c5`."),
    (
        asked(),
        Reply("anna", "x" * 501),
        "That is far too long for an answer.",
        "It looks like this: `secret C$SB 5555`.",
    ),
    (
        asked(),
        Reply("anna", "x"),
        "That is no layout.",
        "Write your baseline and four steps from your left, like `C$SB 5678`.",
    ),
    (
        playing(FIRST),
        Call("ben"),
        "Untenable turns are refused at once in this match, so none can stand.",
        "Agree on another `umpire` next time: `challenge @name tokonoma umpire=friendly`.",
    ),
    (
        playing(umpire="turn"),
        Call("ben"),
        "No turn can be called out now.",
        "A turn can be called out until the next player has answered it.",
    ),
    (
        playing(FIRST, SECOND, umpire="turn"),
        Call("anna", ply=1),
        "Turn 1 can no longer be called out.",
        "Turn 2 still can: `call`.",
    ),
    (
        playing(FIRST, Call("ben"), umpire="turn"),
        Call("ben"),
        "Turn 1 has been called out already; it breaks no rule.",
        "Play on.",
    ),
    (
        playing(FIRST, takeback="none"),
        Offer("anna", "takeback"),
        "The terms of this match allow no takebacks.",
        "Play on, or offer a `draw`.",
    ),
    (
        playing(game="veney", takeback="black", first="white"),
        Offer("anna", "takeback"),
        "The terms of this match allow takebacks to Black only.",
        "Play on, or offer a `draw`.",
    ),
    (
        playing(),
        Offer("anna", "takeback"),
        "You have no turn that could be taken back.",
        "Your next one will be the first.",
    ),
    (
        playing(),
        Offer("anna", "reset"),
        "The board can't be reset as this match stands.",
        "Offer a `draw`, or ask for a `takeback`.",
    ),
    (
        playing(Offer("anna", "draw")),
        Offer("anna", "draw"),
        "That offer has been made already.",
        "It stands until it is answered or a turn is made.",
    ),
    (
        playing(FIRST, SECOND, Offer("anna", "takeback")),
        Offer("ben", "takeback"),
        "Somebody else asks to take a turn back.",
        "Answer that first: `accept` or `decline`.",
    ),
    (playing(), Answer("anna", True), "Nothing is on offer.", "Offer a `draw`, or ask for a `takeback`."),
    (
        playing(FIRST, Offer("anna", "draw"), Offer("anna", "takeback")),
        Answer("ben", True),
        "Several things are on offer.",
        "Say which: `accept draw`.",
    ),
    (
        playing(FIRST, Offer("anna", "draw"), Offer("anna", "takeback")),
        Answer("ben", False),
        "Several things are on offer.",
        "Say which: `decline draw`.",
    ),
    (
        playing(Offer("anna", "draw")),
        Answer("anna", True),
        "You have agreed to that already.",
        "The others have yet to answer.",
    ),
]


@pytest.mark.parametrize(("situation", "command", "fact", "remedy"), REFUSALS)
def test_a_refusal_tells_the_fact_and_the_remedy_and_changes_nothing(
    situation: Situation, command: Command, fact: str, remedy: str
) -> None:
    table = situation()
    before, happened = table.match, len(table.events)
    refusal = table.says(command)
    assert isinstance(refusal, Refusal)
    assert (str(refusal.because), str(refusal.remedy)) == (fact, remedy)
    assert (table.match, len(table.events)) == (before, happened)
