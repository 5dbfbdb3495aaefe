"""Pauses, gifts of time and claims that cannot be had."""

from engine.match.commands import Answer, Claim, Give, LoseContact, Offer
from tests.refusals.situations import PAUSED_AND_RESUMED, Refused, playing
from tests.table import DAY

REFUSED: list[Refused] = [
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
        "No time can be added to the clock of this match.",
        "Play on, or offer a `draw`.",
    ),
    (
        playing(time="none"),
        Give("anna", DAY),
        "No time can be added to the clock of this match.",
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
        playing(time="none"),
        Claim("anna"),
        "The match waits for you.",
        "Whoever has acted can claim it of those who do not.",
    ),
    (
        playing(Claim("ben"), time="none"),
        Claim("ben"),
        "The match is claimed already.",
        "Whoever it waits for is out of time @2592181000.",
    ),
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
]
