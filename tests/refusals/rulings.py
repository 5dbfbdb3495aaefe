"""Rulings that no arbiter can give."""

from engine.match.commands import Resign, Rule
from tests.refusals.situations import Refused, challenged, for_keeps, playing, three_play
from tests.table import DAY

REFUSED: list[Refused] = [
    (challenged(), Rule("zoe", "result", "so be it"), "This match has not begun.", "Its players can `decline` it."),
    (
        playing(),
        Rule("anna", "result", "so be it"),
        "You cannot rule on a match of your own.",
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
        "You have no ruling in this match to undo.",
        "Your own rulings can be undone within 30 days, the last one first.",
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
