"""Every refusal of a match, whole: the fact and the remedy, and that nothing has changed."""

from collections.abc import Callable

import pytest

from engine.match.commands import (
    Abort,
    Acknowledge,
    Add,
    Amend,
    Answer,
    Call,
    CallLate,
    Challenge,
    Claim,
    Command,
    Decline,
    Give,
    Join,
    LinkPlace,
    LoseContact,
    Offer,
    Play,
    Reply,
    Resign,
    Rule,
)
from engine.match.events import Refusal
from tests.table import DAY, Table, begun

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


FIRST, SECOND = Play("anna", "c7c5"), Play("ben", "c1c3")
WINS_UNTENABLY = Play("anna", "e5c1")
PAUSED_AND_RESUMED = (Offer("anna", "pause"), Answer("ben", True), Offer("anna", "resume"), Answer("ben", True))
SEALED = Reply("anna", "C$SB 5555")
LATER_TERMS = (
    "What can be changed from the next turn on: `time`, `takeback`, `falsecall`, `callfor`, `rest` and `timeout`; "
    "for example `propose time=5d`."
)
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
    (
        playing(FIRST, umpire="turn", callfor="reason"),
        Call("ben"),
        "In this match a call names what is untenable: a piece, a place or a rule.",
        "For example: `call 1 a1`, or `call 1 flat`.",
    ),
    (
        playing(FIRST, umpire="turn", callfor="reason"),
        Call("ben", reason="the moon"),
        "`the moon` is no piece, place or rule of Tokonoma.",
        "For example: `call 1 a1`, or `call 1 flat`; `rules tokonoma` lists the rules.",
    ),
    (
        playing(FIRST, umpire="turn"),
        Call("ben", reason="the moon"),
        "`the moon` is no piece, place or rule of Tokonoma.",
        "For example: `call 1 a1`, or `call 1 flat`; `rules tokonoma` lists the rules.",
    ),
    (
        playing(FIRST),
        CallLate("ben", 1),
        "Untenable turns are refused at once in this match, so none can stand.",
        "Nothing needs to be called out.",
    ),
    (
        playing(FIRST, umpire="turn"),
        CallLate("ben", 1),
        "The terms of this match know no late calls.",
        "Call a turn out before you answer it: `call`.",
    ),
    (
        playing(FIRST, umpire="sudden"),
        CallLate("ben", 1),
        "Under sudden death a turn can be called out at once, and never later.",
        "Call a turn out before you answer it: `call`.",
    ),
    (
        playing(game="veney", umpire="turn", first="white"),
        CallLate("ben", 1),
        "There is no turn 1 in this match.",
        "`turns` lists them.",
    ),
    (
        playing(game="veney", umpire="turn", first="white", delayed_reset="on"),
        CallLate("ben", 1),
        "There is no turn 1 in this match.",
        "`turns` lists them.",
    ),
    (
        playing(Play("anna", "SY3"), game="veney", umpire="turn", first="white", delayed_reset="on"),
        CallLate("ben", 1),
        "Turn 1 stands open to a call still.",
        "Call it out: `call 1`.",
    ),
    (
        playing(Play("anna", "SY3"), game="veney", umpire="turn", first="white", delayed_reset="on"),
        CallLate("anna", 1),
        "Turn 1 is your own.",
        "Only another's is called out late.",
    ),
    (
        playing(game="veney", umpire="turn", first="white"),
        Add("anna", "$X6"),
        "In this match a turn is made whole, and nothing is added to it.",
        "Write the whole turn at once, or agree on `secondhalf=on` next time where the game knows it.",
    ),
    (
        playing(game="veney", umpire="turn", first="white", secondhalf="on"),
        Add("anna", "$X6"),
        "You have made no turn to which a half could be added now.",
        "A half can be added to your own last turn until somebody else has acted.",
    ),
    (
        playing(Play("anna", "SY3"), game="veney", umpire="turn", first="white", secondhalf="on"),
        Add("ben", "$X6"),
        "You have made no turn to which a half could be added now.",
        "A half can be added to your own last turn until somebody else has acted.",
    ),
    (
        playing(Play("anna", "SY3"), game="veney", umpire="turn", first="white", secondhalf="on"),
        Add("anna", "$" * 500),
        "That is far too long for a turn.",
        "Write the whole turn at once, or agree on `secondhalf=on` next time where the game knows it.",
    ),
    (
        playing(Play("anna", "SY3"), game="veney", umpire="turn", first="white", secondhalf="on"),
        Add("anna", ""),
        "That adds nothing to your turn.",
        "Write the other half: `add $X6`.",
    ),
    (
        playing(Play("anna", "SY3"), game="veney", umpire="turn", first="white", secondhalf="on"),
        Add("anna", "?"),
        "I can't read `?` as a turn.",
        "A move is a piece and a square, such as `$X6` or `aX8`.",
    ),
    (
        playing(Play("anna", "SY3"), game="veney", umpire="refuse", first="white", secondhalf="on"),
        Add("anna", "$X14"),
        "Black's engagement on X12 stands between X4 and X14.",
        "The Sword leaps its own pieces other than the Self, and the free engagement in its possession, and nothing "
        "else.",
    ),
    (
        playing(time="none"),
        Offer("anna", "pause"),
        "No time runs in this match, so there is nothing to pause.",
        "Play on, or offer a `draw`.",
    ),
    (
        playing(Offer("anna", "pause", "2d"), Answer("ben", True)),
        Offer("anna", "pause"),
        "The match is paused already.",
        "To go on before its end: `resume`.",
    ),
    (playing(), Offer("anna", "pause", "15d"), "That is too long: at most 14 days.", "For example: `pause 5d`."),
    (playing(), Offer("anna", "pause", "soon"), "`soon` is not a length of time.", "For example: `pause 5d`."),
    (playing(), Offer("anna", "resume"), "The match is not paused.", "`pause 5d` proposes a pause."),
    (playing(), Offer("anna", "time", ""), "A length of time is missing.", "For example: `moretime 2d`."),
    (playing(), Offer("anna", "time", "8d"), "That is too long: at most 7 days.", "For example: `moretime 2d`."),
    (
        playing(time="hourglass 5d"),
        Offer("anna", "time", "1d"),
        "The clock of this match gives no room for more time.",
        "Play on, or offer a `draw`.",
    ),
    (
        playing(time="none"),
        Give("anna", DAY),
        "The clock of this match gives no room for more time.",
        "Play on, or offer a `draw`.",
    ),
    (playing(), Give("anna", 8 * DAY), "That is too much at once: at most 7 days.", "For example: `gift 1 1d`."),
    (
        playing(Give("anna", 7 * DAY), Give("anna", 7 * DAY), Give("anna", 7 * DAY), Give("anna", 7 * DAY)),
        Give("anna", 3 * DAY),
        "In one match at most 30 days can be given in all.",
        "Play on, or offer a `draw`.",
    ),
    (
        playing(),
        Offer("anna", "terms", ""),
        "Which terms?",
        LATER_TERMS,
    ),
    (
        playing(),
        Offer("anna", "terms", "umpire=turn"),
        "`umpire` stands for the whole match.",
        LATER_TERMS,
    ),
    (
        playing(),
        Offer("anna", "terms", "time=3d"),
        "Those are the terms already.",
        "Name others, for example `propose time=5d`.",
    ),
    (
        playing(Offer("anna", "terms", "time=5d")),
        Offer("ben", "terms", "time=7d"),
        "Somebody else has proposed something else of that kind.",
        "Answer that first: `accept` or `decline`.",
    ),
    (
        playing(Offer("anna", "time", "1d")),
        Offer("ben", "time", "1d"),
        "Somebody else has proposed something else of that kind.",
        "Answer that first: `accept` or `decline`.",
    ),
    (
        playing(),
        Offer("anna", "nocontest"),
        "In this match nobody can claim that there is no contest.",
        "Play on, or offer a `draw`.",
    ),
    (
        playing(game="veney", first="white", nocontest="1"),
        Offer("anna", "nocontest"),
        "That can be claimed after 1 turn of each side without attack, placement or a Self going forward.",
        "Play on, or offer a `draw`.",
    ),
    (
        playing(game="veney", first="white"),
        Offer("anna", "nocontest"),
        "That can be claimed after 30 turns of each side without attack, placement or a Self going forward.",
        "Play on, or offer a `draw`.",
    ),
    (
        playing(FIRST, SECOND, umpire="friendly"),
        Offer("anna", "takeback", "2"),
        "You have not so many turns that could be taken back.",
        "Ask for one: `takeback`.",
    ),
    (
        playing(
            Offer("anna", "draw"),
            Answer("ben", False),
            Offer("anna", "draw"),
            Answer("ben", False),
            Offer("anna", "draw"),
            Answer("ben", False),
        ),
        Offer("anna", "draw"),
        "You have offered that three times since the last turn.",
        "Offer it again after the next one.",
    ),
    (
        playing(time="none"),
        Claim("anna"),
        "The match waits for you.",
        "Whoever has acted can claim it of those who do not.",
    ),
    (playing(Claim("ben"), time="none"), Claim("ben"), "The match is claimed already.", "It is won @2592181000."),
    (
        playing(),
        Claim("ben"),
        "Everybody who is awaited can be reached, so there is nothing to claim.",
        "Play on; whoever runs out of time loses.",
    ),
    (playing(timeout="claim"), Claim("ben"), "Time is not over yet.", "This match can be claimed @259321000."),
    (playing(timeout="claim"), Claim("anna"), "Time is not over yet.", "This match can be claimed @259321000."),
    (
        playing(LoseContact("anna", 100_000)),
        Claim("ben"),
        "This match can be claimed @604921000.",
        "Until then nobody's time runs, and whoever is awaited may still come back.",
    ),
    (
        playing(LoseContact("anna", 100_000)),
        Claim("anna"),
        "This match can be claimed @604921000.",
        "Until then nobody's time runs, and whoever is awaited may still come back.",
    ),
    (playing(), Acknowledge("anna"), "The game is not at its end.", "`resign` gives it up."),
    (playing(), Reply("anna", "hello"), "Nothing is asked of you privately.", "Make turns in the open: `c7c5`."),
    (
        asked(SEALED),
        Reply("anna", "C$SB 5555"),
        "You have answered already.",
        "You will hear when the others have, too.",
    ),
    (
        asked(),
        Reply("anna", ""),
        "That is no layout.",
        "Write your baseline and four steps from your left, like `C$SB 5678`.",
    ),
    (playing(), Play("ben", "c1c3"), "It is White's turn.", "You will be told when it is yours."),
    (
        playing(),
        Play("anna", "c" * 500),
        "That is longer than any move: 80 letters are the most.",
        "Write from where to where, like `c7c5`, or what goes where, like `Ac5`.",
    ),
    (challenged(), Join("carol"), "This challenge is for somebody else.", "Make your own: `challenge tokonoma`."),
    (
        challenged(),
        Amend("anna", {"time": "3d"}),
        "Those are the terms as they stand.",
        "The others have yet to answer.",
    ),
    (challenged(), Amend("ben", {"time": "3d"}), "Those are the terms as they stand.", "`accept 1` agrees to them."),
    (challenged(), Decline("carol"), "This challenge is not for you.", "It goes on without your answer."),
    (challenged(), LinkPlace("anna", "web/lounge/"), "This match is played here already.", "`board 1` shows it."),
    (playing(), Amend("anna", {"time": "5d"}), "This match has begun.", "Its terms stand until it ends."),
    (playing(), Join("ben"), "This match has begun.", "Its terms stand until it ends."),
    (challenged(), Rule("zoe", "result", "so be it"), "This match has not begun.", "Its players can `decline` it."),
    (
        playing(),
        Rule("anna", "result", "so be it"),
        "Nobody rules in a match of their own.",
        "`report` tells another arbiter of it.",
    ),
    (
        playing(),
        Rule("zoe", "result", " "),
        "A ruling needs its reason, which the players read.",
        "For example: `arbiter 1 draw agreed in the thread`.",
    ),
    (
        playing(),
        Rule("zoe", "seat", "so be it", side="W", to="ben"),
        "They take part in this match already.",
        "Name somebody else.",
    ),
    (
        playing(Resign("anna")),
        Rule("zoe", "seat", "so be it", side="W", to="carol"),
        "This match is not being played.",
        "`arbiter 1 lift REASON` lifts its result.",
    ),
    (
        playing(Resign("anna")),
        Rule("zoe", "result", "so be it"),
        "This match is not being played.",
        "`arbiter 1 lift REASON` lifts its result.",
    ),
    (
        playing(),
        Rule("zoe", "lift", "so be it"),
        "This match is not over, so it has no result.",
        "`arbiter 1 draw REASON` sets one.",
    ),
    (
        playing(),
        Rule("zoe", "pause", "so be it", span=61 * DAY),
        "That is too long: at most 60 days.",
        "For example: `arbiter 1 pause 5d REASON`.",
    ),
    (
        playing(),
        Rule("zoe", "pause", "so be it", span=0),
        "That is too long: at most 60 days.",
        "For example: `arbiter 1 pause 5d REASON`.",
    ),
    (
        playing(),
        Rule("zoe", "resume", "so be it"),
        "The match is not paused.",
        "`arbiter 1 pause 5d REASON` pauses it.",
    ),
    (
        playing(),
        Rule("zoe", "move", "so be it", place="web/lounge/"),
        "This match is played here already.",
        "Say it where it is to go on.",
    ),
    (
        playing(),
        Rule("zoe", "undo", "so be it"),
        "There is no act of yours in this match that could be undone.",
        "One's own acts can be undone within 30 days, the last one first.",
    ),
    (
        playing(Rule("zoe", "pause", "so be it", span=DAY)),
        Rule("zoe", "pause", "so be it", span=DAY),
        "The match is paused already.",
        "`arbiter 1 resume REASON` ends that.",
    ),
    (
        playing(Rule("zoe", "pause", "so be it", span=DAY), Rule("yves", "resume", "so be it")),
        Rule("zoe", "undo", "so be it"),
        "The match has gone on since, so that cannot be undone.",
        "Rule anew: `help arbiter` tells how.",
    ),
    (
        playing(Rule("zoe", "result", "so be it", winners=("W",)), Rule("yves", "lift", "so be it")),
        Rule("zoe", "undo", "so be it"),
        "The match has gone on since, so that cannot be undone.",
        "Rule anew: `help arbiter` tells how.",
    ),
    (
        playing(Resign("anna"), game="veney", umpire="turn"),
        Rule("zoe", "lift", "so be it"),
        "The seed of this match's dice was told at its end, so its throws could be foretold.",
        "Its players can ask for a `rematch`.",
    ),
    (
        playing(*(PAUSED_AND_RESUMED * 3)),
        Offer("anna", "pause"),
        "A match is paused in that way 3 times at most.",
        "Play on, or offer a `draw`.",
    ),
    (
        playing(Offer("anna", "adjourn"), *PAUSED_AND_RESUMED[1:]),
        Offer("anna", "adjourn"),
        "A match is paused in that way 1 time at most.",
        "Play on, or offer a `draw`.",
    ),
    (
        playing(FIRST, Call("ben", reason="arm"), umpire="turn", falsecall="once", callfor="reason"),
        Call("ben", reason="flat"),
        "You have called out turn 1 already; one call a turn is heard.",
        "Play on; your next call can be about another turn.",
    ),
    (
        lambda: after(for_three(), Join("ben")),
        Join("ben"),
        "You have already agreed to these terms.",
        "The others have yet to `accept`.",
    ),
    (
        of_older_rules,
        Join("ben"),
        "The rules of Tokonoma have changed since these terms were proposed.",
        "Propose them again under today's: `counter 1 time=3d`.",
    ),
    (
        Table,
        challenge({"umpire": "sudden", "delayed_reset": "on"}, game="veney"),
        "`delayed_reset=on` settles nothing with `umpire=sudden`.",
        "Leave one of them out.",
    ),
    (
        three_play(Resign("anna")),
        Offer("anna", "draw"),
        "You are out of this match.",
        "`board 1` shows how it goes on without you.",
    ),
    (
        three_play(Resign("anna")),
        Rule("zoe", "seat", "so be it", side="R", to="dora"),
        "That side is out of the match.",
        "Name one that plays.",
    ),
    (
        for_keeps,
        Rule("zoe", "seat", "so be it", side="W", to="carol"),
        "This match is played for keeps: nobody can take over another's stake.",
        "`arbiter 1 void REASON` calls it off.",
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
