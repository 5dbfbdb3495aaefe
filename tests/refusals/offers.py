"""Offers that cannot be made or answered."""

from engine.match.commands import Abort, Answer, Offer, Resign
from tests.refusals.situations import FIRST, SECOND, Refused, playing, three_play

LATER_TERMS = (
    "What can be changed from the next turn on: `time=`, `takeback=`, `falsecall=`, `callfor=`, `rest=` and "
    "`timeout=`; for example `propose time=5d`."
)

REFUSED: list[Refused] = [
    (
        playing(FIRST, SECOND),
        Abort("anna"),
        "The match is under way and can't be called off any more.",
        "Offer a `draw`, or `resign`.",
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
        "Play on, or offer a `draw`.",
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
        playing(),
        Offer("anna", "terms", ""),
        "Which terms?",
        LATER_TERMS,
    ),
    (
        playing(),
        Offer("anna", "terms", "umpire=turn"),
        "`umpire=` stands for the whole match.",
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
        three_play(Resign("anna")),
        Offer("anna", "draw"),
        "You are out of this match.",
        "`board 1` shows how it goes on without you.",
    ),
]
