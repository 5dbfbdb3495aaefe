"""What players write in Veney, read as they mean it: the rulebook's own lines, field habits, friendly words."""

import json
import re
from dataclasses import replace
from pathlib import Path

import pytest

from engine.dice import Dice
from engine.game import NotationError
from engine.games.veney import GAME
from tests.rulings import rulings

MIDDLE = (
    "W: C@X7 $@X6 S@Y6 B@Z4 e@W5 e@X8 e@Y7 e@Z5 D@X5 G@Z6 L@W6 J@W7"
    " / B: B@W9 S@X11 $@Y10 C@Z13 e@W10 e@X9 e@Y12 e@Z10 D@X12 G@W11 L@Z11 J@X13"
    " / rW: R / rB: R / a: ^XY7 / to: W"
)
CLOSE = "W: S@X10 $@X9 B@Y8 C@Y11 D@W2 L@Z9 / B: S@Z16 $@Y11 D@Y10 J@W10 / rW: G e / a: X8 / to: W"
FORK = "W: S@W1 e@Y5 e@X6 e@Z6 / B: S@Z16 C@Y7 / a: - / to: W"
HELD = "W: S@X4 $@X6 / B: S@Z16 C@X6 $@Z13 / a: - / to: W"


TWO_GUARDS = "W: S@Y3 $@Y8 / B: $@Y6 G@Z11 G@X12 S@X14 / a: - / to: B"


@pytest.mark.parametrize(
    ("given", "written", "canonical"),
    [
        # lower case, and no letter for an engagement
        (MIDDLE, "ey8", "eY8"),
        (MIDDLE, "Y8", "eY8"),
        (MIDDLE, "cfw9", "CfW9"),
        # concert in either order, numbers, commas, markers and marks of code
        (MIDDLE, "$Z8, SY5", "SY5 $Z8"),
        (MIDDLE, "1. SY5 $Z8;", "SY5 $Z8"),
        (MIDDLE, "`SY5 $Z8`", "SY5 $Z8"),
        (MIDDLE, "\\$Z8", "$Z8"),
        (MIDDLE, "SY5U#", "SY5"),
        (MIDDLE, "BX2Ut", "BX2"),
        # the target's letter, a wrong or missing t or f, an x
        (MIDDLE, "LtCW9", "LfW9"),
        (MIDDLE, "JfGW11", "JtGW11"),
        (MIDDLE, "JtG", "JtGW11"),
        (MIDDLE, "CxW9", "CfW9"),
        (MIDDLE, "dxx9", "DfX9"),
        # which engagement
        (MIDDLE, "e7Y8", "eY8"),
        (MIDDLE, "eYY8", "eY8"),
        (MIDDLE, "eY7-Y8", "eY8"),
        (MIDDLE, "X6-Z8", "$Z8"),
        # friendly words: what is taken, the free engagement by its name, what is aimed at
        (MIDDLE, "cloak takes the balance", "CfW9"),
        (MIDDLE, "cloak takes balance w9", "CfW9"),
        (MIDDLE, "cloak takes w9 guard z8", "CfW9 GZ8"),
        (MIDDLE, "e y7 y8", "eY8"),
        (MIDDLE, "free engagement up", "a+ --"),
        (MIDDLE, "free engagement to Y8", "aY8"),
        (MIDDLE, "a y8", "aY8"),
        (MIDDLE, "throw at x11", "DtX11~"),
        (MIDDLE, "~L X7", "~LX7"),
        (MIDDLE, "SY5 ~D X7", "SY5 ~DX7"),
        # the piece that has just moved is the one to go on
        (FORK, "eY5-X6 eY7", "eX6 eXfY7"),
        # swaps by where the pieces go or where they come from
        (MIDDLE, "BX6~$Z4", "BX6~$Z4"),
        (MIDDLE, "BZ4~$X6", "BX6~$Z4"),
        (MIDDLE, "CX7~SY6", "CY6~SX7"),
        (MIDDLE, "$Z4~BX6", "BX6~$Z4"),
        (MIDDLE, "SX7~CY6", "CY6~SX7"),
        # of two Guards the one whose square the Self comes to
        (TWO_GUARDS, "SX12 GX12-X13", "SX12 GXX13"),
        # passing and the free engagement
        (MIDDLE, "a+--", "a+ --"),
        (MIDDLE, "AW--", "aw --"),
        (MIDDLE, "a----", "a- --"),
        (MIDDLE, "---", "--"),
        (MIDDLE, "—", "--"),
        (MIDDLE, "a---", "a- --"),
        (MIDDLE, "aw", "aw --"),
        (MIDDLE, "*D#", "*D"),
        # words
        (MIDDLE, "sword x6 z8", "$Z8"),
        (MIDDLE, "sword from x6 to z8", "$Z8"),
        (MIDDLE, "sw x6-z8", "$Z8"),
        (MIDDLE, "sw x6>z8", "$Z8"),
        (MIDDLE, "*W5", "*eW5"),
        (MIDDLE, "Y8 ! $tX9", "eY8 !$tX9"),
        (MIDDLE, "self y5 and sword z8", "SY5 $Z8"),
        (MIDDLE, "pass", "--"),
        (MIDDLE, "meta up sw z8", "a+ $Z8"),
        (MIDDLE, "fe down", "a- --"),
        (MIDDLE, "withdraw guard", "*G"),
        (MIDDLE, "feign", "CY6~SX7"),
        (MIDDLE, "shift sword", "BX6~$Z4"),
        (MIDDLE, "throw", "DtX11~"),
        (MIDDLE, "intend sw x X9", "!$fX9"),
        (MIDDLE, "strike sw x X9", "$fX9!"),
        (MIDDLE, "cast lantern x6", "~LX6"),
        (MIDDLE, "retreat", "S=="),
        (CLOSE, "place guard x11", "G*X11"),
        (CLOSE, "G@Y9", "G*Y9"),
        (CLOSE, "C~Y10", "CY10~"),
        (CLOSE, "capture y10", "CY10~"),
        (CLOSE, "glare", "LfJ~"),
        (CLOSE, "LtJ~", "LfJ~"),
        (CLOSE, "by12 control", "BY12 BfJ~"),
        (MIDDLE, "cavazione y10", "$Y10~"),
        (MIDDLE, "cavazione dagger x12", "DX12~"),
        (HELD, "opposition z13", "$Z13~"),
        (MIDDLE, "self y5 deflect w11", "SY5 GW11~"),
        (HELD, "sever", "$tC~"),
    ],
)
def test_a_turn_is_read_as_it_is_meant(given: str, written: str, canonical: str) -> None:
    position = GAME.decode(given)
    turn = GAME.read(written, position)
    assert GAME.write(turn, position) == canonical
    assert GAME.read(canonical, position) == turn


@pytest.mark.parametrize(
    ("given", "written", "fact"),
    [
        (MIDDLE, "SX17", "no square X17"),
        (MIDDLE, "QX4", "can't read"),
        (MIDDLE, "gg", "can't read `gg`"),
        (MIDDLE, "etc", "can't read `etc`"),
        (MIDDLE, "TS", "can't read `ts`"),
        (MIDDLE, "Castle", "can't read `castle`"),
        (MIDDLE, "RX8", "no Ruin on the board"),
        (MIDDLE, "GX6", "own Sword stands on X6"),
        (MIDDLE, "R*X9", "X9 is not empty"),
        (MIDDLE, "G*Y8", "no Guard in reserve"),
        (MIDDLE, "*R", "no Ruin on the board"),
        (MIDDLE, "$Y10-Y9", "no Sword on Y10"),
        (MIDDLE, "BX4~$Y4", "does not trade the places"),
    ],
)
def test_what_cannot_be_carried_out_is_refused_with_the_fact(given: str, written: str, fact: str) -> None:
    with pytest.raises(NotationError) as refused:
        GAME.read(written, GAME.decode(given))
    assert fact in str(refused.value.because)
    assert str(refused.value.remedy).endswith(".")


def test_an_ambiguous_turn_is_answered_with_its_readings() -> None:
    position = GAME.decode("W: S@W1 e@X5 e@Z5 / B: S@Z16 C@Y6 / a: - / to: W")
    with pytest.raises(NotationError) as asked:
        GAME.read("efY6", position)
    assert len(asked.value.readings) == 2
    for reading in asked.value.readings:
        assert GAME.write(GAME.read(reading, position), position) in ("eXfY6", "eZfY6")


PAIRED = "W: S@Y4 G@X5 G@Z9 C@W4 C@Z5 e@X3 e@W7 e@Z4 e@X7 / B: S@Z16 e@X8 e@Y6 / a: - / to: W"
"""Two Guards and two Cloaks, and engagements of which some are blocked."""


@pytest.mark.parametrize(
    ("turn", "canonical"),
    [
        ("GX5-X6", "GXX6"),  # blocked by nothing, and in range
        ("GX5-X9", "GXX9"),  # leaps, and out of range
        ("GZ9-Z10", "GZZ10"),
        ("CW4-X6", "CWX6"),  # a knight's leap
        ("CW4-W6", "CWW6"),  # none
        ("eX3-X4", "eX4"),  # straight ahead
        ("eX3-X6", "eX6"),  # the same, and too far, and over the Guard
        ("eW7-X8", "efX8"),  # aslant
        ("eX7-X8", "eXfX8"),  # nobody fends straight ahead
        ("eW7-X9", "eWX9"),
    ],
)
def test_how_a_turn_is_spelled_depends_on_where_pieces_stand_alone(turn: str, canonical: str) -> None:
    position = GAME.decode(PAIRED)
    assert GAME.write(GAME.read(turn, position), position) == canonical


@pytest.mark.parametrize("target", ["X6", "X9", "W1", "Z16", "Y12"])
def test_which_of_two_guards_is_meant_is_asked_whether_or_not_only_one_could_go_there(target: str) -> None:
    position = GAME.decode(PAIRED.replace("S@Z16", "S@W16"))
    with pytest.raises(NotationError) as asked:
        GAME.read(f"G{target}", position)
    assert asked.value.readings == (f"GX5-{target}", f"GZ9-{target}")


def test_each_reading_is_a_whole_turn_with_what_it_takes() -> None:
    position = GAME.decode(PAIRED.replace("a: -", "a: ^XY8").replace("e@Y6", "e@Y6 B@X12"))
    for text, readings in (
        ("a+ GfX12", ("a+ GX5-fX12", "a+ GZ9-fX12")),
        ("SY5 GX11 !$tX10", ("SY5 GX5-X11 !$tX10", "SY5 GZ9-X11 !$tX10")),
    ):
        with pytest.raises(NotationError) as asked:
            GAME.read(text, position)
        assert asked.value.readings == readings
        for reading in readings:
            assert GAME.read(GAME.write(GAME.read(reading, position), position), position)


# --- the other end of the piste -------------------------------------------------------------------------

LINES = dict(zip("WXYZ", "ZYXW", strict=True))
POINTS = {"-W": "Z-", "WX": "YZ", "XY": "XY", "YZ": "WX", "Z-": "-W"}
METAS = {"aw": "az", "az": "aw", "a+": "a-", "a-": "a+"}
SWAPPED = str.maketrans("WB", "BW")


def turned_squares(text: str) -> str:
    return re.sub(r"([WXYZ])(\d{1,2})", lambda m: f"{LINES[m[1]]}{17 - int(m[2])}", text)


def turned_flag(flag: str) -> str:
    name, equals, value = flag.partition("=")
    if name in ("roll", "noJ", "hira", "hiraused"):
        return name + equals + value.translate(SWAPPED)
    side, sign, rest = value[:1].translate(SWAPPED), value[1:2], value[2:]
    if name in ("fire", "chaos", "shima", "int", "dying") and sign:
        return f"{name}={side}{sign}{turned_squares(rest)}"
    if name == "over":
        how, _, winners = value.partition(":")
        return f"over={how}:{winners.translate(SWAPPED)}"
    if name in ("cap", "touch"):
        return f"{name}={','.join(reversed(value.split(',')))}"
    if name == "owed":
        what, _, rest = value.partition(":")
        if what == "first":
            return f"owed=first:{ {'white': 'black', 'black': 'white'}.get(rest, rest) }"
        return f"owed={what[:-1]}{what[-1].translate(SWAPPED)}:{rest}"
    if name in ("retW", "retB"):
        return name[:3] + name[3].translate(SWAPPED) + equals + value
    return name + equals + turned_squares(value)


def turned_position(text: str) -> str:
    fields = dict(re.split(r":\s*", field, maxsplit=1) for field in text.split(" / "))
    turned = {}
    for name, value in fields.items():
        if name in ("W", "B", "to"):
            turned[name.translate(SWAPPED)] = value.translate(SWAPPED) if name == "to" else turned_squares(value)
        elif name == "flags":
            turned[name] = " ".join(map(turned_flag, value.split()))
        elif name == "a" and value.startswith("^"):
            turned[name] = f"^{POINTS[value[1:3]]}{16 - int(value[3:])}"
        else:
            turned[name.translate(SWAPPED) if name != "a" else name] = turned_squares(value)
    order = ("W", "B", "rW", "rB", "dW", "dB", "a", "to", "flags")
    return " / ".join(f"{name}: {turned[name]}" for name in order if name in turned)


def turned_turn(text: str) -> str:
    words = []
    for word in text.split():
        line = re.fullmatch(r"(e?)([WXYZ])([tf].*)", word)
        spun = f"{line[1]}{LINES[line[2]]}{line[3]}" if line else word
        words.append(METAS.get(word) or turned_squares(spun))
    return " ".join(words)


CASES = json.loads(Path(__file__).with_name("cases.json").read_text())["cases"]
GIVEN = [(case["position"], case["turn"]) for case in CASES if case["kind"] in ("turn", "sequence")]
GIVEN += [(told.given, told.when) for told in rulings("veney")]


def verdict(position: str, turns: str) -> tuple[list[str], str] | str:
    before, broken = GAME.decode(position), []
    for text in turns.split(" ; "):
        try:
            turn = GAME.read(text, before)
        except NotationError:
            return "unreadable"
        broken = [ruling.rule.ref for ruling in GAME.judge(before, turn)]
        before = GAME.play(before, turn)
    return broken, GAME.encode(before)


def test_the_rules_are_the_same_from_the_other_end() -> None:
    """Only whose square the free engagement stands on is not: a half-turn keeps the colours of the squares."""
    checked = 0
    for position, turns in GIVEN:
        if re.search(r"a: [WXYZ]", position) or any(re.match(r"a[WXYZ]", word) for word in turns.split()):
            continue
        here = verdict(position, turns)
        there = verdict(turned_position(position), " ; ".join(map(turned_turn, turns.split(" ; "))))
        if isinstance(here, str) or isinstance(there, str):
            assert here == there
            continue
        assert here[0] == there[0], (position, turns)
        ours, theirs = GAME.decode(turned_position(here[1])), GAME.decode(there[1])
        ours, theirs = (replace(one, sprung=None, owed=tuple(sorted(one.owed))) for one in (ours, theirs))
        assert ours == theirs, (position, turns)
        checked += 1
    assert checked > 300


def test_every_way_of_the_free_engagement_that_a_remedy_shows_can_be_written() -> None:
    position = GAME.decode(MIDDLE)
    with pytest.raises(NotationError) as refused:
        GAME.read("meta", position)
    ways = [GAME.write(GAME.read(text, position), position) for text in str(refused.value.remedy).split("`")[1::2]]
    assert ways == ["a+ --", "a- --", "aw --", "az --"]


def test_an_unclear_move_within_a_longer_word_is_refused_and_nothing_is_offered_in_its_place() -> None:
    position = GAME.setup({}, Dice(bytes(32)))
    with pytest.raises(NotationError, match="More than one engagement") as refused:
        GAME.read("eA@X12 o2", position)
    assert refused.value.readings == ()
