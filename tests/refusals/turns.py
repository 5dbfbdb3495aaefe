"""Turns, private answers and added halves that cannot be made."""

from engine.match.commands import Acknowledge, Add, Play, Reply, Resign
from tests.refusals.situations import FIRST, SEALED, SECOND, WINS_UNTENABLY, Refused, asked, playing

SHOT = "rW: C4=3 D5=1 / rB: C6=2 F8=1 / sW: c6 c7 d9 / sB: d6 / last: - / mode: full / owner: W / half: stones / to: B"

REFUSED: list[Refused] = [
    (playing(Resign("ben")), FIRST, "This match is over.", "`challenge tokonoma` begins another."),
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
    (playing(), Reply("anna", "hello"), "Nothing is asked of you privately.", "Make turns in the open: `c7c5`."),
    (
        asked(),
        Reply("anna", ""),
        "That is no layout.",
        "Write your baseline and four steps from your left, like `C$SB 5678`.",
    ),
    (
        playing(),
        Play("anna", "c" * 500),
        "That is longer than any move: 80 letters are the most.",
        "Write from where to where, like `c7c5`, or what goes where, like `Ac5`.",
    ),
]
