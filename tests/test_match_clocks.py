"""Clocks: days, banks, periods and hourglasses; reminders, flags, and lengths of time as text."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.game import NotationError
from engine.match.alarms import Alarm, alarms, deadline
from engine.match.clock import Clock, read_clock, read_duration, write_duration
from engine.match.commands import (
    AlarmFired,
    Amend,
    Answer,
    Call,
    Challenge,
    Credit,
    Offer,
    Play,
    Rule,
)
from engine.match.events import (
    Flagged,
    Refusal,
)
from engine.match.evolve import replay
from tests.table import DAY, HOUR, MINUTE, Table, begun
from tests.test_match import TOUCHED


def test_each_turn_has_its_days_with_three_reminders_before_the_flag() -> None:
    table = begun(time="5d")
    started = table.now.turn_started_at
    for hours in (60, 96, 114):
        assert [(a.kind, a.at - started) for a in alarms(table.now)] == [("nudge", hours * HOUR), ("flag", 5 * DAY)]
        table.at = started + hours * HOUR
        assert table.done(AlarmFired("nudge"), after=0) == ("Nudged",)
    assert [alarm.kind for alarm in alarms(table.now)] == ["flag"]


def test_reminders_that_came_late_are_not_made_up_for() -> None:
    table = begun(time="5d")
    table.done(AlarmFired("nudge"), after=4 * DAY)
    assert [(a.kind, a.at - table.now.turn_started_at) for a in alarms(table.now)] == [
        ("nudge", 114 * HOUR),
        ("flag", 5 * DAY),
    ]


def test_of_less_than_a_day_one_is_reminded_once() -> None:
    table = begun(time="10h")
    assert [(a.kind, a.at - table.now.turn_started_at) for a in alarms(table.now)] == [
        ("nudge", 8 * HOUR),
        ("flag", 10 * HOUR),
    ]
    table.done(AlarmFired("nudge"), after=8 * HOUR)
    assert [alarm.kind for alarm in alarms(table.now)] == ["flag"]


def test_a_flag_falls_no_instant_early_and_ends_the_match() -> None:
    table = begun(time="1d")
    assert table.done(AlarmFired("flag"), after=DAY - 1) == ()
    assert table.done(AlarmFired("flag"), after=1) == ("Flagged", "Ended")
    assert table.now.result is not None
    assert table.now.result.winners == ("B",)


def test_a_turn_at_the_last_instant_counts_and_one_after_it_does_not() -> None:
    just, late = begun(time="1d"), begun(time="1d")
    assert just.done(Play("anna", "c7c5"), after=DAY) == ("Played",)
    assert late.done(Play("anna", "c7c5"), after=DAY + 1) == ("Flagged", "Ended")
    flagged = next(event for event in late.events if isinstance(event, Flagged))
    assert flagged.at == late.at - 1


def test_an_alarm_that_a_turn_has_overtaken_does_nothing() -> None:
    table = begun(time="1d")
    table.done(Play("anna", "c7c5"), after=23 * HOUR)
    assert table.done(AlarmFired("flag"), after=2 * HOUR) == ()


def test_without_a_clock_nobody_is_ever_late() -> None:
    table = begun(time="none")
    assert alarms(table.now) == ()
    assert table.done(Play("anna", "c7c5"), after=1_000 * DAY) == ("Played",)


def test_a_bank_of_time_is_used_up_and_grows_with_each_turn() -> None:
    table = begun(time="10d+1d")
    table.done(Play("anna", "c7c5"), after=4 * DAY)
    assert table.now.time_left == {"W": 7 * DAY, "B": 10 * DAY}


def test_of_a_canadian_clock_so_many_turns_are_made_in_a_period_then_it_begins_anew() -> None:
    table = begun(time="2/10d", umpire="friendly")
    table.done(Play("anna", "c7c5"), after=4 * DAY)
    assert table.now.time_left == {"W": 6 * DAY, "B": 10 * DAY}
    table.play(table.now.game.example(table.now.position))
    table.done(Play("anna", table.now.game.example(table.now.position)), after=DAY)
    assert table.now.time_left["W"] == 10 * DAY
    assert replay(table.events) == table.now


def test_a_period_that_a_turn_began_anew_goes_when_it_is_taken_back() -> None:
    table = begun(time="2/10d", umpire="friendly", takeback="free")
    table.done(Play("anna", "c7c5"), after=4 * DAY)
    table.play(table.now.game.example(table.now.position))
    table.done(Play("anna", table.now.game.example(table.now.position)), after=DAY)
    assert table.done(Offer("anna", "takeback")) == ("TakenBack",)
    assert table.now.time_left["W"] == 5 * DAY


@given(
    st.sampled_from(("3d", "20d+1d", "2d+1d<3d", "5/10d", "2/1h", "hourglass10d")),
    st.lists(st.floats(0, 1), max_size=60),
)
def test_under_every_clock_but_none_each_turn_has_a_last_moment(term: str, shares: list[float]) -> None:
    clock = read_clock(term)
    left = clock.start(("W", "B"))
    spent = {"W": 0, "B": 0}
    for number, share in enumerate(shares):
        side = "WB"[number % 2]
        used = int(left[side] * share)
        spent[side] += used
        left = clock.spend(left, side, used, number // 2 + 1)
        most = {"bank": clock.base + clock.extra * (number // 2 + 1) - spent[side]}.get(clock.kind, clock.base)
        assert 0 <= left[side] <= min(most, clock.cap or most)
        assert all(time <= 60 * DAY + 60 * DAY * number for time in left.values())


def test_a_turn_that_is_called_out_adds_nothing_to_the_bank() -> None:
    table = begun(time="10d+1d", umpire="friendly")
    table.done(Play("anna", "c7c4"), after=4 * DAY)
    table.done(Call("anna"))
    assert table.now.time_left == {"W": 6 * DAY, "B": 10 * DAY}


def test_an_hourglass_gives_the_other_side_what_ran_through() -> None:
    table = begun(time="hourglass 10d")
    table.done(Play("anna", "c7c5"), after=4 * DAY)
    assert table.now.time_left == {"W": 1 * DAY, "B": 9 * DAY}


def test_time_in_which_the_bot_was_away_costs_nobody_anything() -> None:
    table = begun(time="1d")
    table.done(Credit(5 * HOUR))
    assert deadline(table.now) == table.now.turn_started_at + DAY
    assert table.done(Play("anna", "c7c5"), after=DAY + 4 * HOUR) == ("Played",)


def test_when_time_is_over_even_a_call_comes_too_late() -> None:
    table = begun(umpire="turn", time="1d")
    table.done(Play("anna", "e5e3"))
    assert table.done(Call("ben"), after=DAY + MINUTE) == ("Flagged", "Ended")


@pytest.mark.parametrize(
    ("text", "span"),
    [
        ("3d", 3 * DAY),
        ("3", 3 * DAY),
        ("999m", 999 * MINUTE),
        (" 1D12h ", 36 * HOUR),
        ("1m", MINUTE),
        ("60d", 60 * DAY),
        ("1440h", 60 * DAY),
        ("30s", 30_000),
        ("5s", 5_000),
        ("1m30s", 90_000),
    ],
)
def test_a_length_of_time_is_read_and_its_shortest_text_reads_back(text: str, span: int) -> None:
    assert read_duration(text) == span
    assert read_duration(write_duration(span)) == span


@pytest.mark.parametrize(
    ("span", "text"), [(36 * HOUR, "1d12h"), (90 * MINUTE, "1h30m"), (DAY, "1d"), (0, "0s"), (90 * 1_000, "1m30s")]
)
def test_a_length_of_time_is_written_as_short_as_can_be(span: int, text: str) -> None:
    assert write_duration(span) == text


@pytest.mark.parametrize("text", ["1000", "12345m", "1d 12h", "d", "1w", "1.5d", "4s", "0s", "-5s", "s", "5sec"])
def test_what_is_no_length_of_time_is_not_read(text: str) -> None:
    with pytest.raises(NotationError):
        read_duration(text)


@pytest.mark.parametrize(
    ("text", "clock"),
    [
        (" None ", Clock("none")),
        ("hourglass 10d", Clock("hourglass", 10 * DAY)),
        ("hourglass10d", Clock("hourglass", 10 * DAY)),
        ("20d+1d", Clock("bank", 20 * DAY, DAY)),
        ("3d", Clock("turn", 3 * DAY)),
        ("20d+1d<30d", Clock("bank", 20 * DAY, DAY, cap=30 * DAY)),
        ("5/10d", Clock("canadian", 10 * DAY, turns=5)),
        ("5 \x1c/ 10d", Clock("canadian", 10 * DAY, turns=5)),
    ],
)
def test_a_clock_is_read_from_its_term(text: str, clock: Clock) -> None:
    assert read_clock(text) == clock


@pytest.mark.parametrize(
    ("term", "spent", "left"),
    [
        ("10h", 4 * HOUR, (10, 10)),
        ("10h+1h", 4 * HOUR, (7, 10)),
        ("10h+1h", 12 * HOUR, (1, 10)),
        ("10h+1h", -HOUR, (11, 10)),
        ("10h+1h<10h", 30 * MINUTE, (10, 10)),
        ("5/10h", 4 * HOUR, (6, 10)),
        ("hourglass 20h", 4 * HOUR, (6, 14)),
        ("hourglass 20h", 12 * HOUR, (0, 20)),
        ("hourglass 20h", -HOUR, (10, 10)),
    ],
)
def test_what_a_turn_takes_from_a_clock(term: str, spent: int, left: tuple[int, int]) -> None:
    clock = read_clock(term)
    white, black = left
    assert clock.spend(clock.start(("W", "B")), "W", spent) == {"W": white * HOUR, "B": black * HOUR}


def test_a_reminder_comes_after_four_fifths_of_the_time_and_only_once() -> None:
    table = begun(time="10h")
    started = table.now.turn_started_at
    assert alarms(table.now) == (Alarm("nudge", started + 8 * HOUR), Alarm("flag", started + 10 * HOUR))
    assert table.done(AlarmFired("nudge"), after=8 * HOUR - 1) == ()
    assert table.done(AlarmFired("nudge"), after=1) == ("Nudged",)
    assert table.done(AlarmFired("nudge"), after=1) == ()
    assert table.done(AlarmFired("close"), after=2 * HOUR) == ()
    assert alarms(table.now) == (Alarm("flag", started + 10 * HOUR),)


def test_a_time_penalty_takes_from_the_offender_or_gives_to_the_other() -> None:
    for clock, used in (("10d", 0), ("10d+1d", MINUTE)):
        for how in ("minus", "plus"):
            table = begun("veney", umpire="time", timepenalty=how, time=clock, first="white")
            table.play("$X9")
            assert table.done(Call("ben"), after=0) == ("CalledOut",)
            assert deadline(table.now) == table.at + (10 - (how == "minus")) * DAY - used
            table.done(Play("anna", "SY3"), after=0)
            assert deadline(table.now) == table.at + (10 + (how == "plus")) * DAY
            assert replay(table.events) == table.now


def test_time_cannot_be_a_penalty_where_there_is_no_clock() -> None:
    refused = Table().refused(Challenge("1", "anna", "veney", {"umpire": "time", "time": "none"}, ("ben",), "web/l/"))
    assert refused == "Without a clock there is no time to lose, so `umpire=time` settles nothing."
    table = Table()
    table.says(Challenge("1", "anna", "veney", {"umpire": "time"}, ("ben",), "web/l/"))
    assert "Without a clock" in table.refused(Amend("ben", {"time": "none"}))


@pytest.mark.parametrize(
    ("clock", "term", "span"),
    [
        ("3d", "usual", DAY * 3 // 10),
        ("10m", "usual", MINUTE),
        ("30s", "usual", 10_000),
        ("none", "usual", DAY),
        ("30d", "usual", DAY),
        ("20d+1d", "usual", DAY // 10),
        ("hourglass10d", "usual", DAY // 2),
        ("10m", "45s", 45_000),
        ("none", "90", 90_000),
        ("3d", "2h", 2 * HOUR),
    ],
)
def test_a_dying_turn_is_short_where_time_is_short(clock: str, term: str, span: int) -> None:
    table = begun("veney", start=TOUCHED, umpire="turn", time=clock, dyingtime=term)
    table.done(Play("anna", "$tY11"), after=1)
    assert table.now.position.dying is not None
    assert deadline(table.now) == table.at + span


@pytest.mark.parametrize("term", ["5s", "8d", "soon", "9", "", "-1"])
def test_what_is_no_time_for_a_dying_turn_is_refused(term: str) -> None:
    said = Table().says(Challenge("1", "anna", "veney", {"dyingtime": term}, ("ben",), "web/l/"))
    assert isinstance(said, Refusal)
    assert str(said.remedy) == "It is a length of time from `10s` to `7d`, or `usual`: `dyingtime=10m`."


def test_an_arbiter_s_pauses_are_not_among_those_that_players_may_agree_on() -> None:
    table = begun(time="3d")
    for _ in range(4):
        table.done(Rule("zoe", "pause", "so be it", span=DAY))
        table.done(Rule("zoe", "resume", "so be it"))
    assert dict(table.now.paused) == {"arbiter": 4}
    assert table.done(Offer("anna", "pause")) == ("Offered",)


def test_where_no_time_runs_a_ruling_can_be_asked_for_all_the_same() -> None:
    table = begun(time="none")
    assert table.done(Offer("anna", "ruling")) == ("Offered",)
    assert table.done(Answer("ben", yes=True)) == ("Answered", "Paused")
