"""What people type on a phone: one turn in many words, asked about where words are lacking, talk left alone."""

from collections.abc import Callable
from contextlib import suppress

import pytest

from engine.dice import Dice
from engine.game import AnyGame, NotationError
from engine.games import GAMES
from engine.reading.typed import understood

MOVED = """{o}{t} | {O}{T} | {o} {t} | {o}-{t} | {o} - {t} | {o}–{t} | {o} — {t} | {o}->{t} | {o} → {t} | {o}, {t}
{o} to {t} | from {o} to {t} | From {o} to {t}. | {o} goes to {t} | {O} goes to {t}! | {o} moves to {t} | `{o}-{t}`
I move {o} to {t} | I move {o}-{t} | i move from {o} to {t} | I play {o} {t} | i'll move {o} to {t} | I’ll play {o}-{t}
I will go from {o} to {t} | let me move {o} to {t} | My move: {o} {t} | ok {o} to {t} | okay, {o}-{t} | so {o} {t}
{o} to {t} please | move {o} {t} | move from {o} to {t} | Move {o} to {t}. | my piece on {o} goes to {t}
the piece on {o} moves to {t} | the piece from {o} to {t} | {o} jumps to {t} | {o} steps to {t} | {o} walks onto {t}
well, I move {o} to {t} | I want to move {o} to {t} | I'd like to move {o} to {t} | {oa} {ta} | {oa}-{ta}
im moving {o} to {t} | I'm moving {o}-{t} | gonna move {o} to {t} | pls move {o} {t} | {o} {t} gg | 1. {o}-{t}
{o} → {t} 👍 | {o} ➜ {t} | {o}⇒{t} | ({o} {t}) | {o} {t} :) | {o}_{t} | {o}.{t} | {o} forward to {t} | {o}:{t}
{oa} to {ta} | I move {oa} to {ta} | “{o}-{t}” | {o}…{t} | {o}=>{t} | {o} > {t} | then I play {o} to {t}, thanks"""
"""Ways to write a move from `o` to `t`: as they are, in capitals, pulled apart."""
NAMED = """{p} {o} {t} | {P} {o} to {t} | {p} on {o} goes to {t} | The {p} on {o} goes to {t}. | my {p} on {o} to {t}
I move my {p} from {o} to {t} | {p} from {o} to {t} | i play the {p} on {o} to {t} | {p} at {o} moves to {t}
my {p} on {oa} goes to {ta} | {P} {o}-{t}"""
"""The same with a piece's name `p`."""

VENEY = "W: S@Y6 $@X6 C@W5 e@X8 e@Z7 / B: S@Y13 $@X13 e@Y12 / rW: G / a: - / to: W"
OPEN = "R: G@e1 W@c3 A@g3 / W: G@e9 / T: e5 - / pR: P2 / pW: - / mob: RW / to: R"
FIELD = "rW: A1=1 C4=2 / rB: D6=2 A8=1 / sW: d5 / sB: - / last: - / mode: full / owner: W / half: - / to: W"

CASES: dict[str, list[tuple[str, str, dict[str, str], str]]] = {
    "tokonoma": [
        ("", "c7c5", {"o": "c7", "t": "c5"}, MOVED),
        ("", "c7c5", {"p": "arm", "o": "c7", "t": "c5"}, NAMED),
        ("", "c7c5", {"p": "hand", "o": "c7", "t": "c5"}, NAMED),
        ("", "c7c5", {}, "Ac5 | arm c5 | arm to c5 | the hand goes to c5 | my arm goes to c5 | I play my arm to c5"),
    ],
    "tirachen": [
        (OPEN, "Wc3-c5", {"o": "c3", "t": "c5"}, MOVED),
        (OPEN, "Wc3-c5", {"p": "hunter", "o": "c3", "t": "c5"}, NAMED),
        (OPEN, "Wc3-c5", {"p": "master of the hunt", "o": "c3", "t": "c5"}, NAMED),
        (OPEN, "Ag3-g5", {}, "mage g3 g5 | the mage on g3 goes to g5 | wizard g3-g5 | mage to g5 | my mage goes to g5"),
        (OPEN, "Ge1-e2", {}, "king e1 e2 | king to e2 | the king on e1 goes to e2 | my king goes to e2 | King e2"),
        (OPEN, "P@d1", {}, "P@d1 | p@d1 | pawn @ d1 | place pawn on d1 | I place a pike on d1 | pike at d1"),
        (OPEN, "P@d1", {}, "new pike d1 | deploy a pike on d1 | drop pike d1 | bring in a pike on d1 | spearman on d1"),
    ],
    "ironclad": [
        (FIELD, "C4-C5", {"o": "C4", "t": "C5"}, MOVED),
        (FIELD, "C4-C5", {"p": "robot", "o": "C4", "t": "C5"}, NAMED),
        (FIELD, "C4-C5", {"p": "checker", "o": "c4", "t": "c5"}, NAMED),
        (
            FIELD,
            "e5",
            {},
            "e5 | stone e5 | stone on e5 | I place a stone on e5 | put a stone at e 5 | my stone goes to e5",
        ),
        (FIELD, "xD6", {}, "xD6 | x d6 | fire at D6 | I fire at D 6 | shoot D6 | i shoot at d6 please"),
        (FIELD, "xD6", {}, "hit D6 | take D6 | blast d6 | kill D6 | shoot the robot on D6 | attack D6! | XD6"),
        (FIELD, "C4-C5", {}, "c4c5 | march c4 to c5 | march robot c4 to c5 | walk c4 c5"),
        (FIELD, "e5", {}, "drop a stone on e5 | drop e5 | add a stone at e5 | +e5 | @e5 | e5 stone"),
    ],
    "chirality": [
        ("", "D44-D50", {"o": "D44", "t": "D50"}, MOVED),
        ("", "D44-D50", {"p": "piece", "o": "D44", "t": "D50"}, NAMED),
        ("P1: A44 / P2: B44 / res: 8 8 / to: P1", "*A45", {}, "*A45 | * a45 | muster a45 | I muster on A 45 | +A45"),
        (
            "P1: A44 / P2: B44 / res: 8 8 / to: P1",
            "*A45",
            {},
            "@A45 | add a piece on a45 | new piece a45 | bring in a piece on A45 | drop a45 | I place a piece on A 45",
        ),
    ],
    "veney": [
        (VENEY, "$X7", {"o": "X6", "t": "X7"}, MOVED),
        (VENEY, "$X7", {"p": "sword", "o": "X6", "t": "X7"}, NAMED),
        (VENEY, "CX7", {"p": "cloak", "o": "W5", "t": "X7"}, NAMED),
        (
            VENEY,
            "SY7",
            {},
            "SY7 | sy7 | Sy7 | S Y7 | self y7 | self to Y 7 | king y7 | king to y7 | my king goes to Y7",
        ),
        (VENEY, "SY7", {}, "I move my self to y7 | the fencer goes to y7 | S Y 7 | Self → Y7"),
        (VENEY, "G*Y7", {}, "G*Y7 | g*y7 | G * Y 7 | place guard y7 | place ward y7 | I place my guard on Y7"),
        (VENEY, "G*Y7", {}, "guard y7 | guard at y7 | new guard on y7 | drop guard on y7 | I put my guard on y7"),
        (VENEY, "SY7 $X7", {}, "SY7; $X7 | SY7 + $X7 | SY7 & $X7 | self y7 sword x7 | self to y7 and sword to x7"),
        (VENEY, "eX9", {}, "x8 to x9 | pawn on x8 to x9 | pawn x9 | engagement to X9"),
        (VENEY, "--", {}, "-- | — | – | pass | I pass | pass. | skip | I pass my turn"),
    ],
}


ABOUT = (
    "check | forward | corner | the corner | line | turn | my turn | the path | adjacent | momentum | promotion | safe"
)
"""Words of rules, which name no piece."""


def table(key: str) -> list[tuple[str, str, str]]:
    """Position, what is typed, and the turn that it is."""
    rows = []
    for position, turn, filled, ways in CASES[key]:
        values = dict(filled)
        for short in ("o", "t"):
            if short in values:
                values[f"{short}a"] = f"{values[short][0]} {values[short][1:]}"
                values[short.upper()] = values[short].upper()
        if "p" in values:
            values["P"] = values["p"].capitalize()
        rows += [(position, way.format(**values), turn) for way in ways.replace("\n", " | ").split(" | ")]
    return rows


def at(game: AnyGame, position: str) -> object:
    return game.decode(position) if position else game.setup({}, Dice(bytes(32)))


@pytest.mark.parametrize("key", sorted(CASES))
def test_what_people_type_is_read_as_the_one_turn_it_is(key: str) -> None:
    game = GAMES[key]
    rows = table(key)
    assert len({typed for _, typed, _ in rows}) >= 60
    wrong = {}
    for position, typed, turn in rows:
        here = at(game, position)
        try:
            made = game.write(understood(game, typed, here), here)
        except NotationError as error:
            made = str(error.because)
        if made != turn:
            wrong[typed] = made
    assert wrong == {}


ALONE = [
    ("tokonoma", "", "c7", "Where is the Arm on c7 to go?"),
    ("tokonoma", "", "C 7", "Where is the Arm on c7 to go?"),
    ("tokonoma", "", "c4", "Who is to go to c4?"),
    ("tokonoma", "", "star", "Where is the Star on b6 to go?"),
    ("tokonoma", "", "my hand", "Which Arm is to go, that on a5 or c7, and where?"),
    ("tirachen", OPEN, "hunter", "Where is the master of the hunt on c3 to go?"),
    ("tirachen", OPEN, "the mage", "Where is the master of spells on g3 to go?"),
    ("tirachen", OPEN, "king", "Where is the general on e1 to go?"),
    ("veney", VENEY, "king", "Where is the Self on Y6 to go?"),
    ("veney", VENEY, "my sword", "Where is the Sword on X6 to go?"),
]


@pytest.mark.parametrize(("key", "position", "typed", "question"), ALONE)
def test_a_piece_or_a_place_alone_is_asked_about(key: str, position: str, typed: str, question: str) -> None:
    game = GAMES[key]
    with pytest.raises(NotationError) as asked:
        understood(game, typed, at(game, position))
    assert str(asked.value.because) == question
    assert asked.value.readings == ()


def test_where_untenable_turns_are_refused_a_place_alone_means_its_one_tenable_turn() -> None:
    game = GAMES["tokonoma"]
    position = game.decode("f4/2f3/1ff2F1/6/F4 w")
    with pytest.raises(NotationError, match="Where is"):
        understood(game, "e1", position)
    position = game.decode("f4/6/6F/5A/5 w")  # of three ways of the Flat's none is taken, of the Arm's four two are off
    with pytest.raises(NotationError) as asked:
        understood(game, "c7", position, refusing=True)
    assert {*asked.value.readings} == {game.write(t, position) for t in game.turns(position) if t[0].origin == "c7"}
    one = game.decode("f4/6/1F5/6/4f w")
    ways = [turn for turn in game.turns(one) if turn[0].origin == "c2"]
    reads = understood(game, "c1", one, refusing=True)
    assert reads in ways


def test_where_untenable_turns_are_refused_nobody_is_asked_to_choose_among_turns_that_do_not_hold() -> None:
    game = GAMES["tokonoma"]
    position = game.decode("f4/2f3/1ff2F1/6/F4 w")
    with pytest.raises(NotationError, match="That may be the Flat on c6 or e1"):
        understood(game, "Fd2", position)
    told = understood(game, "Fd2", position, refusing=True)
    assert game.write(told, position) == "c6d2"
    assert not game.tenable(position, told)
    both = game.decode("3BF/b+2A1F/a+1s+2B+F/a+bSF2/f3A+ w q4")
    with pytest.raises(NotationError) as asked:
        understood(game, "Fb5", both, refusing=True)
    assert asked.value.readings == ("a5b5", "b6b5")


@pytest.mark.parametrize("key", sorted(CASES))
def test_readings_are_never_counted_by_the_judge(key: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """But where untenable turns are refused: then the judge is asked."""
    game = GAMES[key]
    judged = list[object]()

    def watched(name: str) -> Callable[..., object]:
        asked = getattr(game, name)

        def told(*about: object) -> object:
            judged.append(about)
            return asked(*about)

        return told

    for name in ("judge", "turns", "tenable", "examine"):
        monkeypatch.setattr(game, name, watched(name))
    for position, typed, _ in [*table(key), *((at_, text, "") for which, at_, text, _ in ALONE if which == key)]:
        with suppress(NotationError):
            understood(game, typed, at(game, position))
    assert judged == []
    for which, start, text, _ in ALONE:
        if which == key:
            with suppress(NotationError):
                understood(game, text, at(game, start), refusing=True)
    assert bool(judged) == any(which == key for which, *_ in ALONE)


@pytest.mark.parametrize("key", sorted(CASES))
def test_a_word_of_the_rules_names_no_piece(key: str) -> None:
    game = GAMES[key]
    for word in ABOUT.split(" | "):
        with pytest.raises(NotationError) as said:
            understood(game, word, at(game, CASES[key][0][0]))
        assert not str(said.value.because).endswith("go?"), word


TALKED = """hello | good game | well played | what a nice move | I go home now | your move | my turn | it is my turn
I like this game | see you tomorrow | the king is dead, long live the king | I want to play | let me think
ok | okay then | now what | so it goes | please move | I will move tomorrow | is it over | thanks | hmm
I moved house | that was a mistake, sorry | you should take it | would you play c7 to c5? | maybe later | no way
I play chess | my arm hurts | the star of the show | walk on | go on | well then | a | to be or not to be"""


@pytest.mark.parametrize("key", sorted(GAMES))
def test_talk_is_no_turn(key: str) -> None:
    game = GAMES[key]
    position = at(game, CASES[key][0][0] if key in CASES else "")
    taken = {}
    for typed in TALKED.replace("\n", " | ").split(" | "):
        try:
            taken[typed] = game.write(understood(game, typed, position), position)
        except NotationError as error:
            if error.readings:
                taken[typed] = str(error.readings)
    assert taken == {}
