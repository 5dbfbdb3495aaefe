"""The dying turn: what stands open after a touch, and under which judge the end is proven at once."""

import pytest

from engine.games.veney import GAME
from engine.match.commands import Acknowledge, Call
from engine.match.evolve import replay
from engine.match.record.read import read_record, replayed
from engine.match.record.write import record_of
from tests.table import Table, begun

HELPLESS = "W: S@X8 $@X9 / B: S@X12 $@Z16 / a: - / to: W"
"""White touches at X12, and nothing that Black has comes near the Self at X8 or the Sword."""
ANSWERED = "W: S@X8 $@X9 / B: S@X12 $@X16 C@Y14 / a: - / to: W"
"""Black's Sword and Cloak both attack X12."""
TOUCHED_BACK = "W: S@X11 $@X9 / B: S@X13 $@W11 / a: - / to: W"
"""Black's Sword reaches the Self at X11."""
SPELL = "W: S@X8 $@X9 J@W9 / B: S@X12 $@Z16 J@W10 / a: - / to: W / flags: formal=1"
"""Black's Jutsu may take White's."""
THROWN = "W: S@W8 $@W12 / B: S@X12 $@Z16 D@W16 / a: - / to: W"
"""Black's Dagger is in line with White's Self."""


def touched(start: str, touch: str, **terms: str) -> Table:
    table = begun("veney", start=start, umpire="turn", **terms)
    table.play(touch)
    return table


def test_under_an_open_judge_a_touch_that_nothing_answers_ends_the_match_at_once() -> None:
    table = touched(HELPLESS, "$tX12", judge="open")
    assert table.now.status == "over"
    assert table.now.result is not None
    assert (table.now.result.rule, table.now.result.winners) == ("2.0.21:touch", ("W",))
    assert replay(table.events, check=True) == table.now
    record = record_of(table.events, {}, None)
    assert read_record(record.write()) == record
    *_, (_, again) = replayed(record, 0)
    assert again.status == "over"


@pytest.mark.parametrize("judge", ["silent", "advisory"])
@pytest.mark.parametrize("start", [HELPLESS, ANSWERED, SPELL])
def test_under_the_others_it_waits_whatever_could_be_answered(judge: str, start: str) -> None:
    table = touched(start, "$tX12", judge=judge)
    assert table.now.status == "running"
    table.done(Acknowledge("ben"))
    assert table.now.status == "over"


@pytest.mark.parametrize(
    ("start", "touch"),
    [(ANSWERED, "$tX12"), (TOUCHED_BACK, "$tX13"), (SPELL, "$tX12"), (THROWN, "$tX12")],
    ids=["a disarm from death", "a touch in return", "a death spell", "a throw that may hit"],
)
def test_what_a_tenable_turn_may_still_answer_is_waited_for(start: str, touch: str) -> None:
    table = touched(start, touch, judge="open")
    assert table.now.status == "running"
    assert GAME.time_limit(table.now.position) is not None


def test_what_the_terms_switch_off_is_not_waited_for() -> None:
    start = f"{SPELL} off=deathspell"
    assert touched(start, "$tX12", judge="open").now.status == "over"


def test_an_untenable_touch_may_still_be_called_out_under_an_open_judge() -> None:
    table = touched("W: S@X11 $@X6 G@X12 / B: S@X13 $@Z16 / a: - / to: W", "GfX13", judge="open")
    assert table.now.status == "running"
    assert table.done(Call("ben"))[0] == "CalledOut"
    assert table.now.status == "running"


def test_a_picture_of_a_double_checkmate_says_that_both_have_lost() -> None:
    dying = GAME.decode("W: $@Y9 / B: S@Y12 $@Y8 / dW: S / a: - / to: W / flags: dying=W@Y8")
    assert "Both Selves were touched; both players have lost." not in map(str, GAME.draw(dying, None).notes)
    over = GAME.play(dying, GAME.read("$tY12", dying))
    ended = GAME.outcome(over, 1)
    assert ended is not None
    assert ended.rule.ref == "2.0.21:double"
    assert not ended.winners
    assert "Both Selves were touched; both players have lost." in map(str, GAME.draw(over, None).notes)
