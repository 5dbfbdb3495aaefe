"""Calls that cannot be made, at once or late."""

from engine.match.commands import Call, CallLate, Play
from tests.refusals.situations import FIRST, SECOND, Refused, playing

REFUSED: list[Refused] = [
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
        "The terms of this match allow no late calls.",
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
        "Turn 1 can still be called out.",
        "Call it out: `call 1`.",
    ),
    (
        playing(Play("anna", "SY3"), game="veney", umpire="turn", first="white", delayed_reset="on"),
        CallLate("anna", 1),
        "Turn 1 is your own.",
        "Only another's is called out late.",
    ),
    (
        playing(FIRST, Call("ben", reason="arm"), umpire="turn", falsecall="once", callfor="reason"),
        Call("ben", reason="flat"),
        "You have called out turn 1 already; one call a turn is heard.",
        "Play on; your next call can be about another turn.",
    ),
]
