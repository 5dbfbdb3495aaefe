"""Time that rests: weekends, vacations, pauses; every match ends all the same, and nobody runs out of time early."""

import itertools
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from zoneinfo import ZoneInfo

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from bot.rests.calendars import (
    ALLOWANCE,
    Calendar,
    add_zone,
    allowance_left,
    local,
    quiet_until,
    rests_of,
    weekends,
    write_vacations,
    zone_at,
    zone_names,
)
from engine.match.alarms import UNCLAIMED, alarms, deadline, unclaimed
from engine.match.commands import (
    AlarmFired,
    Answer,
    Claim,
    Command,
    Credit,
    FindContact,
    Give,
    LoseContact,
    Offer,
    Play,
    Rest,
)
from engine.match.decide import decide
from engine.match.evolve import Decision, replay
from engine.match.offers import MOST_ASKED
from engine.match.rests import Span, merged, ran, reached
from tests.table import DAY, HOUR, MINUTE, Table, begun

CLOCKS = ("3d", "5s", "20d+1d", "20d+1d<30d", "5/10d", "hourglass10d")
INSTANTS = st.integers(0, 400 * DAY)
SPANS = st.lists(st.tuples(INSTANTS, INSTANTS), max_size=6)


# --- arithmetic -------------------------------------------------------------------------------------------
@given(INSTANTS, st.integers(0, 90 * DAY), SPANS)
def test_time_is_over_at_the_first_instant_at_which_it_has_run(since: int, amount: int, spans: list[Span]) -> None:
    rests = merged(spans, since)
    limit = reached(since, amount, rests)
    assert ran(since, limit, rests) == amount
    assert all(ran(since, limit - early, rests) < amount for early in (1, MINUTE, DAY) if amount and early <= amount)
    assert limit >= since + amount


@given(SPANS)
def test_rests_are_told_apart_and_in_order(spans: list[Span]) -> None:
    rests = merged(spans)
    assert all(start < end for start, end in rests)
    assert all(one[1] < other[0] for one, other in itertools.pairwise(rests))


# --- every match ends -------------------------------------------------------------------------------------
def outlast(table: Table, *, most: int) -> int:
    """Nobody does anything: the match is over in the end; returns how long that took."""
    began = table.at
    while table.now.status == "running":
        waiting = alarms(table.now)
        assert waiting, "a running match waits for something"
        alarm = min(waiting, key=lambda one: one.at)
        table.at = max(table.at, alarm.at)
        table.done(AlarmFired(alarm.kind), after=0 if alarm.kind != "flag" else 1)
        assert table.at - began <= most
    return table.at - began


STEPS: dict[str, tuple[Command, ...]] = {
    "pause": (Offer("anna", "pause", "14d"), Answer("ben", True, "pause")),
    "adjourn": (Offer("anna", "adjourn"), Answer("ben", True, "adjourn")),
    "ruling": (Offer("anna", "ruling"), Answer("ben", True, "ruling")),
    "resume": (Offer("anna", "resume"), Answer("ben", True, "resume")),
    "gift": (Give("anna", 7 * DAY), Give("ben", 7 * DAY)),
    "time": (Offer("anna", "time", "7d"), Answer("ben", True, "time")),
    **{clock: (Offer("anna", "terms", f"time={clock}"), Answer("ben", True, "terms")) for clock in CLOCKS},
    "rest": (Offer("anna", "terms", "rest=weekend"), Answer("ben", True, "terms")),
    "lost": (LoseContact("anna", 1),),
    "found": (FindContact("anna"),),
    "both lost": (LoseContact("anna", 1), LoseContact("ben", 1)),
    "outage": (Credit(30 * DAY),),
    "claim": (Claim("anna"), Claim("ben")),
    "turn": (),
}
"""What can lengthen a match, or stand in the way of its end; in "turn" whoever is to act makes a turn."""


@given(
    st.sampled_from(CLOCKS),
    st.sampled_from(("usual", "weekend", "none")),
    st.sampled_from(("flag", "claim")),
    SPANS,
    st.lists(st.tuples(st.sampled_from(sorted(STEPS)), st.integers(0, 40 * DAY)), max_size=14),
)
@settings(max_examples=120, deadline=None)
def test_every_match_with_a_clock_has_a_last_moment_whatever_was_agreed_on(
    clock: str, rest: str, timeout: str, spans: list[Span], steps: list[tuple[str, int]]
) -> None:
    table = begun(time=clock, rest=rest, timeout=timeout, umpire="friendly")
    table.at = table.now.turn_started_at
    for what, later in steps:
        table.at += later
        for command in STEPS[what] or (Play(table.to_act, table.now.game.example(table.now.position)),):
            table.says(replace(command, since=table.at) if isinstance(command, LoseContact) else command, after=1)
    if table.now.status == "running":
        table.says(Rest(table.to_act, (), merged(spans)), after=0)
        due = deadline(table.now) or unclaimed(table.now)
        assert due is not None
        assert due < table.at + 2_000 * DAY
    outlast(table, most=2_000 * DAY)
    assert replay(table.events) == table.now


def test_without_a_clock_a_claim_that_nobody_answers_ends_the_match_after_thirty_days() -> None:
    table = begun(time="none")
    assert alarms(table.now) == ()
    assert "waits for you" in table.refused(Claim("anna"))
    assert table.done(Claim("ben")) == ("ClaimMade",)
    assert "already" in table.refused(Claim("ben"))
    claimed = table.now.turn_started_at
    outlast(table, most=31 * DAY)
    assert table.at == claimed + UNCLAIMED + 1
    assert table.now.result is not None
    assert table.now.result.winners == ("B",)


def test_a_turn_answers_a_claim() -> None:
    table = begun(time="none")
    table.done(Claim("ben"))
    table.done(Play("anna", "c7c5"), after=30 * DAY)
    assert alarms(table.now) == ()


def test_where_time_is_claimed_a_late_turn_counts_until_somebody_claims() -> None:
    table = begun(time="1d", timeout="claim")
    assert "not over" in table.refused(Claim("ben"), after=DAY)
    assert table.done(AlarmFired("overrun"), after=1) == ("Overrun",)
    assert table.done(Play("anna", "c7c5"), after=DAY) == ("Played",)
    late = begun(time="1d", timeout="claim")
    assert late.done(Claim("ben"), after=DAY + 1) == ("Claimed", "Ended")
    assert late.now.result is not None
    assert late.now.result.winners == ("B",)


def test_time_that_nobody_claims_is_over_thirty_days_later_by_itself() -> None:
    table = begun(time="1d", timeout="claim")
    table.at = table.now.turn_started_at
    assert outlast(table, most=32 * DAY) == DAY + UNCLAIMED + 1


# --- pauses and gifts ---------------------------------------------------------------------------------------
def test_in_a_pause_nobody_s_time_runs() -> None:
    table = begun(time="3d")
    due = deadline(table.now)
    assert due is not None
    table.done(Offer("anna", "pause", "5d"))
    assert table.done(Answer("ben", True)) == ("Answered", "Paused")
    assert deadline(table.now) == due + 5 * DAY
    table.done(Play("anna", "c7c5"), after=DAY)
    assert deadline(table.now) == table.at + 4 * DAY + 3 * DAY


def test_a_pause_ends_early_when_everybody_wants_it() -> None:
    table = begun(time="3d")
    due = deadline(table.now)
    assert due is not None
    table.done(Offer("anna", "adjourn"))
    table.done(Answer("ben", True))
    began = table.at
    table.done(Offer("ben", "resume"), after=9 * DAY)
    table.done(Answer("anna", True), after=0)
    assert deadline(table.now) == due + (table.at - began)


def test_pauses_are_limited_in_number_and_length() -> None:
    table = begun(time="3d")
    assert "too long" in table.refused(Offer("anna", "pause", "15d"))
    for _ in range(3):
        table.done(Offer("anna", "pause", "1d"))
        table.done(Answer("ben", True))
        assert "already" in table.refused(Offer("ben", "pause", "1d"))
        table.at += DAY
    assert "3 times at most" in table.refused(Offer("anna", "pause", "1d"))


def test_a_gift_of_time_moves_the_last_moment_under_any_clock() -> None:
    for clock in ("3d", "20d+1d", "5/10d"):
        table = begun(time=clock)
        due = deadline(table.now)
        assert due is not None
        assert table.done(Give("ben", 2 * DAY)) == ("TimeGiven",)
        assert deadline(table.now) == due + 2 * DAY
    assert "No time can be added" in begun(time="hourglass10d").refused(Give("ben", DAY))


def test_only_thirty_days_can_be_given_in_a_match() -> None:
    table = begun(time="3d")
    for _ in range(4):
        table.done(Give("ben", 7 * DAY))
    assert "30" in str(table.says(Give("ben", 7 * DAY)))
    table.done(Give("ben", 2 * DAY))


# --- other terms in mid-match -----------------------------------------------------------------------------
def test_other_terms_hold_from_the_next_turn_on() -> None:
    table = begun(time="3d")
    table.done(Offer("anna", "terms", "time=9d takeback=none"))
    assert table.done(Answer("ben", True)) == ("Answered", "TermsChanged")
    assert table.now.offers == ()
    assert deadline(table.now) == table.now.turn_started_at + 3 * DAY
    table.play("c7c5")
    assert table.now.terms["takeback"] == "none"
    assert deadline(table.now) == table.at + 9 * DAY
    assert replay(table.events) == table.now


@pytest.mark.parametrize("line", ["umpire=turn", "judge=open", "side=black", "start=x", "", "time=3d", "time=x"])
def test_terms_by_which_stands_what_stands_cannot_be_changed(line: str) -> None:
    table = begun(time="3d")
    table.refused(Offer("anna", "terms", line))


def test_nobody_is_asked_the_same_more_than_three_times_between_two_turns() -> None:
    table = begun(time="3d")
    for _ in range(MOST_ASKED):
        table.done(Offer("ben", "draw"))
        table.done(Answer("anna", False))
    assert "three times" in table.refused(Offer("ben", "draw"))
    table.play("c7c5")
    table.done(Offer("ben", "draw"))


def test_two_turns_of_one_s_own_are_taken_back_at_once() -> None:
    table = begun()
    for _ in range(4):
        table.play(table.now.game.write(next(iter(table.now.game.turns(table.now.position))), table.now.position))
    table.done(Offer("anna", "takeback", "2"))
    table.done(Answer("ben", True))
    assert table.now.turns_made == 0
    assert "not so many" in begun_with_one_turn().refused(Offer("anna", "takeback", "2"))


def begun_with_one_turn() -> Table:
    table = begun()
    table.play("c7c5")
    return table


# --- calendars ----------------------------------------------------------------------------------------------
def changes(zone: ZoneInfo) -> list[datetime]:
    """About when the offset of a zone changes, from 2024 to 2040."""
    day, found = datetime(2024, 1, 1, tzinfo=UTC), []
    before = day.astimezone(zone).utcoffset()
    while day.year <= 2040:
        day += timedelta(days=10)
        now = day.astimezone(zone).utcoffset()
        if now != before:
            found.append(day)
        before = now
    return found


def test_every_zone_has_whole_weekends_and_quiet_hours_whenever_its_offset_changes() -> None:
    seen = set()
    for name in sorted(zone_names().values()):
        zone = ZoneInfo(name)
        found = changes(zone)
        same = (*found, datetime(2030, 1, 1, tzinfo=UTC).astimezone(zone).utcoffset())
        if same in seen:
            continue
        seen.add(same)
        calendar = Calendar(zones=f"0 {name}", quiet="22-8")
        for day in found or [datetime(2030, 1, 1, tzinfo=UTC)]:
            at = int(day.timestamp() * 1000)
            for start, end in weekends(zone, at - 14 * DAY, at + 7 * DAY):
                assert local(zone, start).weekday() == 5, name
                assert local(zone, start - 1).weekday() == 4, name
                assert local(zone, end).weekday() == 0, name
                assert local(zone, end - 1).weekday() == 6, name
            for hours in range(0, 48, 7):
                until = quiet_until(calendar, at + hours * HOUR)
                assert quiet_until(calendar, until) == until, name
                assert until - (at + hours * HOUR) <= 11 * HOUR, name
    assert len(seen) > 50


def test_whoever_rests_at_the_weekend_has_their_whole_time_besides() -> None:
    table = begun(time="3d", rest="weekend")
    for name in ("Europe/Berlin", "Pacific/Auckland", "America/Los_Angeles", "Asia/Kathmandu"):
        calendar = Calendar(zones=f"0 {name}")
        for hour in range(0, 24 * 14, 5):
            at = 1_800_000_000_000 + hour * HOUR
            match = table.now.but(turn_started_at=at, runs_since=at, awaited_since=at)
            own, off = rests_of(match, "W", calendar)
            rested = match.but(rests={"anna": own})
            due = deadline(rested)
            assert due is not None
            assert not off
            assert ran(at, due, own) == 3 * DAY
            here = local(ZoneInfo(name), due - 1)
            assert here.weekday() < 5


def test_a_zone_that_is_left_in_mid_turn_holds_until_the_next() -> None:
    zones = add_zone(add_zone("", "Europe/Berlin", 5), "Asia/Tokyo", 50)
    assert zone_at(Calendar(zones), 49).key == "Europe/Berlin"
    assert zone_at(Calendar(zones), 50).key == "Asia/Tokyo"
    assert zone_at(Calendar(zones)).key == "Asia/Tokyo"
    assert zone_at(Calendar(), 7).key == "UTC"


def test_a_year_has_thirty_days_of_vacation() -> None:
    at = 1_800_000_000_000
    calendar = Calendar(vacations=write_vacations(((at, at + 20 * DAY),), at))
    assert allowance_left(calendar, at + 60 * DAY) == 10 * DAY
    assert allowance_left(calendar, at + 400 * DAY) == ALLOWANCE


def test_time_does_not_rest_where_a_side_has_less_than_a_day() -> None:
    calendar = Calendar(vacations=f"0 {10 * DAY}")
    assert rests_of(begun(time="5m").now, "W", calendar) == ((), ())
    assert rests_of(begun(time="3d", rest="none").now, "W", calendar) == ((), ())
    assert rests_of(begun(time="3d").now, "W", calendar)[1]


def test_a_turn_that_was_written_in_time_counts_however_late_it_is_heard() -> None:

    table = begun(time="3d", rest="weekend")
    since = table.now.runs_since
    table.done(Rest("anna", ((since + DAY, since + 3 * DAY),)), after=0)
    due = deadline(table.now)
    assert due == since + 5 * DAY
    heard = decide(table.now, Play("anna", "c7c5"), due + 9 * DAY, table.now.dice, written=due)
    assert isinstance(heard, Decision)
    assert [type(event).__name__ for event in heard.events] == ["Played"]
    late = decide(table.now, Play("anna", "c7c5"), due + 9 * DAY, table.now.dice, written=due + 1)
    assert isinstance(late, Decision)
    assert [type(event).__name__ for event in late.events] == ["Flagged", "Ended"]
