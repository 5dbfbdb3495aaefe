"""Nobody's time runs while somebody awaited cannot be reached; after seven days the others may claim."""

import pytest

from engine.match.alarms import PATIENCE, UNCLAIMED, alarms, deadline
from engine.match.commands import AlarmFired, Claim, Credit, FindContact, LoseContact, Offer, Play, Resign
from engine.match.evolve import replay
from tests.table import DAY, HOUR, Table, begun


def lost(after: int = HOUR, **terms: str) -> Table:
    """White, who is awaited, cannot be reached from an hour after the start on."""
    table = begun(**{"time": "3d", **terms})
    assert table.done(LoseContact("anna", table.at + after), after) == ("ContactLost",)
    return table


def test_time_stands_still_while_whoever_is_awaited_cannot_be_reached() -> None:
    table = lost()
    assert deadline(table.now) is None
    assert table.done(AlarmFired("flag"), after=6 * DAY) == ()
    assert table.done(AlarmFired("nudge")) == ()


def test_time_runs_on_from_where_it_stood_when_they_are_reached_again() -> None:
    table = lost()
    start = table.now.turn_started_at
    assert table.done(FindContact("anna"), after=2 * DAY) == ("ContactFound",)
    assert deadline(table.now) == start + 5 * DAY
    assert [alarm.kind for alarm in alarms(table.now)] == ["nudge", "flag"]


def test_time_stands_still_from_when_the_message_was_written_that_reached_nobody() -> None:
    table = begun(time="3d")
    table.done(LoseContact("anna", table.at), after=HOUR)  # noticed an hour later
    start = table.now.turn_started_at
    table.done(FindContact("anna"), after=HOUR)
    assert deadline(table.now) == start + 3 * DAY + 2 * HOUR


def test_time_runs_for_whoever_can_be_reached_though_another_cannot() -> None:
    table = begun(time="3d")
    table.done(LoseContact("ben", table.at))
    assert deadline(table.now) is not None, "White is awaited"
    table.play("c7c5")
    assert deadline(table.now) is None, "now Black is"


def test_whoever_acts_is_in_contact_and_their_bank_pays_only_for_the_time_that_ran() -> None:
    table = lost(time="10d+1d")
    assert table.done(Play("anna", "c7c5"), after=4 * DAY) == ("Played",)
    assert table.now.time_left["W"] == 11 * DAY - HOUR
    assert not table.now.unreached
    assert table.now.waited == 4 * DAY


def test_contact_is_lost_once_and_found_once() -> None:
    table = lost()
    assert table.done(LoseContact("anna", table.at)) == ()
    table.done(FindContact("anna"))
    assert table.done(FindContact("anna")) == ()
    assert table.done(LoseContact("cleo", table.at)) == (), "who has no seat is not awaited"


def test_after_seven_days_the_others_are_told_once_and_may_claim_the_match() -> None:
    table = lost()
    (claim,) = alarms(table.now)
    assert (claim.kind, claim.at) == ("claim", table.at + PATIENCE)
    assert "can be claimed" in table.refused(Claim("ben"), after=PATIENCE - 1)
    assert table.done(AlarmFired("claim"), after=1) == ("ClaimOpened",)
    assert [alarm.kind for alarm in alarms(table.now)] == ["flag"]
    assert table.done(Claim("ben"), after=DAY) == ("Claimed", "Ended")
    assert table.now.result is not None
    assert table.now.result.winners == ("B",)


@pytest.mark.parametrize("timeout", ["flag", "claim"])
def test_what_nobody_claims_is_over_thirty_days_later_by_itself(timeout: str) -> None:
    table = lost(timeout=timeout)
    table.done(AlarmFired("claim"), after=PATIENCE)
    assert [(alarm.kind, alarm.at) for alarm in alarms(table.now)] == [("flag", table.at + UNCLAIMED)]
    assert table.done(AlarmFired("flag"), after=UNCLAIMED - 1) == ()
    back = Table(table.now, table.at, [*table.events])
    assert back.done(Play("anna", "c7c5"), after=1) == ("Played",), "who comes back in time"
    late = Table(table.now, table.at, [*table.events])
    assert late.done(Play("anna", "c7c5"), after=2) == ("Flagged", "Ended"), "and who does not"
    assert table.done(AlarmFired("flag"), after=1) == ("Flagged", "Ended")
    assert table.now.result is not None
    assert table.now.result.winners == ("B",)
    assert replay(table.events, check=True) == table.now


def test_a_match_that_all_have_left_behind_ends() -> None:
    table = lost()
    table.done(LoseContact("ben", table.at))
    while table.now.status == "running":
        alarm = min(alarms(table.now), key=lambda one: one.at)
        table.done(AlarmFired(alarm.kind), after=alarm.at - table.at)
    assert table.at == 1_000 + 2 * 60_000 + HOUR + PATIENCE + UNCLAIMED


def test_nobody_claims_against_those_who_can_be_reached() -> None:
    table = begun(time="3d")
    assert "nothing to claim" in table.refused(Claim("ben"))
    table.done(LoseContact("anna", table.at))
    table.done(FindContact("anna"))
    assert "nothing to claim" in table.refused(Claim("ben"), after=2 * DAY)


def test_whoever_is_absent_claims_nothing() -> None:
    table = lost()
    assert "can be claimed" in table.refused(Claim("anna"), after=8 * DAY)


def test_whoever_comes_back_in_time_is_not_claimed_against() -> None:
    table = lost()
    table.done(AlarmFired("claim"), after=PATIENCE)
    assert table.done(Play("anna", "c7c5"), after=DAY) == ("Played",)
    assert "nothing to claim" in table.refused(Claim("ben"))


def test_seven_days_are_for_the_whole_match_and_afterwards_time_runs() -> None:
    table = lost()
    table.done(FindContact("anna"), after=5 * DAY)
    table.done(LoseContact("anna", table.at))
    (claim,) = alarms(table.now)
    assert claim.at == table.at - 60_000 + 2 * DAY
    table.done(FindContact("anna"), after=3 * DAY)
    table.done(LoseContact("anna", table.at))
    assert deadline(table.now) is not None, "the match has waited long enough"


def test_a_match_without_a_clock_has_no_time_that_could_stand_still() -> None:
    table = lost(time="none")
    assert alarms(table.now) == ()
    assert table.done(Claim("ben"), after=30 * DAY) == ("ClaimMade",)


def test_time_that_stood_still_anyway_is_not_given_back_again() -> None:
    table = lost()
    assert table.done(Credit(5 * HOUR)) == ()


def test_the_last_word_on_an_end_waits_for_whoever_cannot_be_reached() -> None:
    table = lost()
    assert table.done(Offer("ben", "draw"), after=DAY) == ("Offered",)
    assert deadline(table.now) is None, "an offer changes nothing of that"
    assert table.done(Resign("ben")) == ("Resigned", "Ended")


@pytest.mark.parametrize("reached", [False, True])
def test_a_log_of_lost_contact_replays_to_the_same_match(reached: bool) -> None:
    table = lost()
    if reached:
        table.done(FindContact("anna"), after=2 * DAY)
    table.done(Play("anna", "c7c5"), after=DAY)
    assert replay(table.events, check=True) == table.now
