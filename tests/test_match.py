"""What can happen between the players of a match, whatever the game: told in commands and the events that follow."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.dice import commitment
from engine.game import NotationError
from engine.match.alarms import Alarm, alarms, deadline
from engine.match.clock import Clock, read_clock, read_duration, write_duration
from engine.match.commands import (
    Abort,
    Acknowledge,
    AlarmFired,
    Amend,
    Answer,
    Call,
    Challenge,
    Credit,
    Decline,
    Join,
    LinkPlace,
    Offer,
    Play,
    Reply,
    Resign,
)
from engine.match.events import (
    Amended,
    Challenged,
    Ended,
    Flagged,
    Joined,
    PlaceLinked,
    Played,
    Refusal,
    Resigned,
    Started,
)
from engine.match.evolve import replay
from tests.table import DAY, HOUR, MINUTE, SEED, Table, begun


# --- challenges and terms -----------------------------------------------------------------------------------
def test_a_challenge_waits_until_the_invited_player_accepts() -> None:
    table = Table()
    assert table.done(Challenge("1", "anna", "tokonoma", {}, ("ben",), "web/lounge/")) == ("Challenged",)
    assert table.now.status == "open"
    assert table.done(Join("ben")) == ("Joined", "Started")
    assert set(table.now.seats.values()) == {"anna", "ben"}


def test_whoever_comes_first_may_accept_a_challenge_to_nobody_in_particular() -> None:
    table = Table()
    table.done(Challenge("1", "anna", "tokonoma", {}, (), "web/lounge/"))
    assert table.done(Join("carol")) == ("Joined", "Started")


def test_a_challenge_to_somebody_cannot_be_accepted_by_another() -> None:
    table = Table()
    table.done(Challenge("1", "anna", "tokonoma", {}, ("ben",), "web/lounge/"))
    assert "somebody else" in table.refused(Join("carol"))


def test_nobody_can_challenge_themselves() -> None:
    assert "themselves" in Table().refused(Challenge("1", "anna", "tokonoma", {}, ("anna",), "web/lounge/"))


def test_a_challenge_that_nobody_answers_in_time_is_off() -> None:
    table = Table()
    table.done(Challenge("1", "anna", "tokonoma", {}, (), "web/lounge/", lasts=2 * DAY))
    assert [alarm.kind for alarm in alarms(table.now)] == ["expire"]
    assert table.done(AlarmFired("expire"), DAY) == ()
    assert table.done(AlarmFired("expire"), DAY) == ("Expired",)
    assert alarms(table.now) == ()


def test_an_acceptance_after_the_last_moment_comes_too_late_and_one_at_it_does_not() -> None:
    for late, happens in ((0, ("Joined", "Started")), (1, ("Expired",))):
        table = Table()
        table.done(Challenge("1", "anna", "tokonoma", {}, (), "web/lounge/", lasts=DAY))
        assert table.done(Join("ben"), DAY + late) == happens


def test_other_terms_wait_as_long_as_the_first_did() -> None:
    table = Table()
    table.done(Challenge("1", "anna", "tokonoma", {}, ("ben",), "web/lounge/", lasts=DAY))
    table.done(Amend("ben", {"time": "5d"}), HOUR)
    assert table.now.expires == table.at + DAY


def test_each_acceptance_is_for_the_rules_of_its_day() -> None:
    table = Table()
    table.done(Challenge("1", "anna", "tokonoma", {}, ("ben",), "web/lounge/"))
    rules = table.now.game.version
    table.match = table.now.but(version=rules - 1)  # proposed before the rules changed
    assert "rules of Tokonoma have changed" in table.refused(Join("ben"))
    assert table.done(Amend("ben", {"time": "3d"})) == ("Amended",)
    table.done(Join("anna"))
    signed = [event for event in table.events if isinstance(event, Amended | Joined)]
    assert [(event.by, event.version) for event in signed] == [("ben", rules), ("anna", rules)]


def test_a_seat_that_is_freed_is_drawn_anew_for_whoever_comes_next() -> None:
    table = Table()
    table.done(Challenge("1", "anna", "tokonoma", {}, (), "web/lounge/", share="a"))
    table.done(Join("ben", share="b"))
    assert table.done(Abort("ben")) == ("SeatFreed",)
    assert (table.now.status, table.now.joined, dict(table.now.shares)) == ("open", ("anna",), {"anna": "a"})
    assert "gone again" in table.refused(Join("ben", share="other lots"))
    table.done(Join("carol", share="c"))
    assert replay(table.events) == table.now
    assert table.done(Abort("anna")) == ("Ended",)


def test_after_the_first_turn_nobody_frees_a_seat() -> None:
    table = Table()
    table.done(Challenge("1", "anna", "tokonoma", {"side": "white"}, (), "web/lounge/"))
    table.done(Join("ben"))
    table.play("c7c5")
    assert table.done(Abort("ben")) == ("Ended",)


def test_a_declined_challenge_is_off_for_good() -> None:
    table = Table()
    table.done(Challenge("1", "anna", "tokonoma", {}, ("ben",), "web/lounge/"))
    assert table.done(Decline("ben")) == ("Declined",)
    assert "is off" in table.refused(Join("ben"))


def test_other_terms_can_be_proposed_and_then_the_challenger_must_accept() -> None:
    table = Table()
    table.done(Challenge("1", "anna", "tokonoma", {"time": "3d"}, ("ben",), "web/lounge/"))
    assert table.done(Amend("ben", {"time": "5d"})) == ("Amended",)
    assert "already" in table.refused(Join("ben"))
    assert table.done(Join("anna")) == ("Joined", "Started")
    assert table.now.terms["time"] == "5d"


def test_the_challenger_s_seat_is_kept_while_the_others_settle_the_terms() -> None:
    table = Table()
    table.done(Challenge("1", "anna", "tokonoma", {}, ("ben",), "web/lounge/"))
    table.done(Amend("ben", {"time": "5d"}))
    assert "somebody else" in table.refused(Join("carol"))
    assert table.done(Amend("anna", {"time": "4d"})) == ("Amended",)
    assert table.done(Decline("anna")) == ("Declined",)


def test_whoever_had_joined_keeps_a_place_when_terms_are_proposed_anew() -> None:
    table = Table()
    table.done(Challenge("1", "anna", "chirality", {"players": "3"}, (), "web/lounge/"))
    table.done(Join("ben"))
    table.done(Amend("anna", {"time": "5d"}))
    table.done(Join("carol"))
    assert "somebody else" in table.refused(Join("dave"))
    assert table.done(Join("ben")) == ("Joined", "Started")


@pytest.mark.parametrize(
    ("terms", "fact"),
    [
        ({"umpire": "maybe"}, "`umpire` cannot be `maybe`"),
        ({"colour": "red"}, "no term called `colour`"),
        ({"time": "soon"}, "`soon` is not a length of time"),
        ({"time": "90d"}, "Too long: at most 60d"),
        ({"time": "-5d"}, "not a length of time"),
        ({"time": "٣d"}, "not a length of time"),
    ],
)
def test_terms_that_the_sheet_does_not_know_are_refused(terms: dict[str, str], fact: str) -> None:
    assert fact in Table().refused(Challenge("1", "anna", "tokonoma", terms, ("ben",), "web/lounge/"))


def test_the_challenger_may_choose_a_side() -> None:
    for side, key in (("white", "W"), ("black", "B")):
        assert begun(side=side).now.seats[key] == "anna"


def test_seats_are_drawn_by_lot_from_the_match_s_own_seed() -> None:
    table = begun(side="lot")
    challenged, started = table.events[0], next(event for event in table.events if isinstance(event, Started))
    assert isinstance(challenged, Challenged)
    assert challenged.seed == SEED.hex()
    assert started.rolls == 1  # one number orders two players
    assert len(commitment(SEED)) == 64


@pytest.mark.parametrize(
    ("terms", "fact"),
    [
        ({"players": "3", "side": "violet"}, "Nobody plays `violet`"),
        ({"players": "3", "time": "hourglass 10d"}, "for two players"),
        ({"players": "9"}, "9 players need 9 Gates"),
        ({"players": "3", "start": "P1: A44 / P2: B44 / res: 2 2 / to: P2"}, "is for 2 players"),
    ],
)
def test_terms_that_do_not_go_together_are_refused_when_they_are_proposed(terms: dict[str, str], fact: str) -> None:
    assert fact in Table().refused(Challenge("1", "anna", "chirality", terms, (), "web/lounge/"))


def test_a_number_without_an_upper_end_is_told_without_one() -> None:
    refusal = Table().says(Challenge("1", "anna", "chirality", {"players": "two"}, (), "web/lounge/"))
    assert isinstance(refusal, Refusal)
    assert str(refusal.remedy) == "It is a number, 2 or more: `players=2`."


# --- turns under umpire=refuse ------------------------------------------------------------------------------
def test_a_tenable_turn_is_played_and_the_other_side_is_to_act() -> None:
    table = begun()
    assert table.done(Play("anna", "c7c5")) == ("Played",)
    assert table.now.sides_to_act == ("B",)


def test_an_untenable_turn_is_refused_with_the_rule_and_changes_nothing() -> None:
    table = begun()
    before = table.position
    assert "reaches" in table.refused(Play("anna", "c7a1"))
    assert table.position == before
    assert table.done(Play("anna", "c7c5")) == ("Played",)


def test_only_the_side_to_act_may_play() -> None:
    assert "White's turn" in begun().refused(Play("ben", "c1c3"))


def test_somebody_without_a_seat_cannot_play() -> None:
    assert "no seat" in begun().refused(Play("carol", "c7c5"))


def test_a_button_made_for_an_earlier_turn_does_nothing() -> None:
    table = begun()
    table.play("c7c5")
    assert "turn 1" in table.refused(Play("ben", "c1c3", ply=1))


def test_words_that_are_no_turn_are_refused_with_an_example() -> None:
    table = begun()
    refusal = table.says(Play("anna", "c9c5"))
    assert not isinstance(refusal, tuple)
    assert refusal.because
    assert refusal.remedy


def test_an_over_long_text_is_no_turn() -> None:
    assert "too long" in begun().refused(Play("anna", "c7" * 400))


# --- offers -------------------------------------------------------------------------------------------------
def test_a_draw_is_agreed_when_the_other_side_accepts() -> None:
    table = begun()
    assert table.done(Offer("ben", "draw")) == ("Offered",)
    assert table.done(Answer("anna", True)) == ("Answered", "Ended")
    assert table.now.result is not None
    assert table.now.result.winners == ("W", "B")


def test_offering_what_is_on_offer_is_accepting_it() -> None:
    table = begun()
    table.done(Offer("ben", "draw"))
    assert table.done(Offer("anna", "draw")) == ("Answered", "Ended")


def test_a_draw_offer_is_overtaken_by_the_other_s_turn_but_not_by_one_s_own() -> None:
    table = begun()
    table.done(Offer("anna", "draw"))
    table.play("c7c5")
    assert table.now.offers
    table.play("c1c3")
    assert not table.now.offers
    assert "Nothing is on offer" in table.refused(Answer("ben", True))


def test_a_declined_offer_is_gone() -> None:
    table = begun()
    table.done(Offer("anna", "draw"))
    assert table.done(Answer("ben", False)) == ("Answered",)
    assert not table.now.offers


def test_a_turn_is_taken_back_by_consent_together_with_the_answer_to_it() -> None:
    table = begun()
    table.play("c7c5", "c1c3")
    table.done(Offer("anna", "takeback"))
    assert table.done(Answer("ben", True)) == ("Answered", "TakenBack")
    assert table.position == begun().position
    assert table.to_act == "anna"


def test_without_a_turn_there_is_nothing_to_take_back() -> None:
    assert "no turn" in begun().refused(Offer("anna", "takeback"))


def test_terms_may_rule_takebacks_out() -> None:
    table = begun(takeback="none")
    table.play("c7c5")
    assert "no takebacks" in table.refused(Offer("anna", "takeback"))


def test_terms_may_let_one_side_alone_take_turns_back() -> None:
    table = begun("veney", takeback="black", first="white")
    table.play("a+", "a-")
    assert "Black only" in table.refused(Offer("anna", "takeback"))
    assert table.done(Offer("ben", "takeback")) == ("Offered",)


def test_where_takebacks_are_as_usual_both_sides_may_ask_in_a_friendly_game_alone() -> None:
    strict, friendly = begun("veney", first="white"), begun("veney", first="white", umpire="friendly")
    for table in (strict, friendly):
        table.play("a+", "a-")
    assert "no takebacks" in strict.refused(Offer("ben", "takeback"))
    assert friendly.done(Offer("ben", "takeback")) == ("Offered",)


def test_a_penalty_that_was_paid_cannot_be_taken_back() -> None:
    table = begun(umpire="turn")
    table.play("c7c5")
    table.done(Play("ben", "c1a4"))
    table.done(Call("anna"))
    assert "no turn" in table.refused(Offer("anna", "takeback"))


# --- ends ---------------------------------------------------------------------------------------------------
def test_who_resigns_has_lost() -> None:
    table = begun()
    assert table.done(Resign("anna")) == ("Resigned", "Ended")
    assert table.now.result is not None
    assert table.now.result.winners == ("B",)
    assert "over" in table.refused(Play("ben", "c1c3"))


def test_a_match_can_be_called_off_before_its_second_turn_only() -> None:
    early, late = begun(), begun()
    early.play("c7c5")
    assert early.done(Abort("ben")) == ("Ended",)
    late.play("c7c5", "c1c3")
    assert "under way" in late.refused(Abort("ben"))


# --- time ---------------------------------------------------------------------------------------------------
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


# --- repetition, replay -------------------------------------------------------------------------------------
def test_the_third_occurrence_of_a_position_ends_the_match() -> None:
    table = begun()
    for _ in range(2):
        table.play("b6a4", "d1e2", "a4b6", "e2d1")
    assert table.now.result is not None
    assert table.now.result.rule == "repetition"


def test_a_log_replays_to_the_same_match() -> None:
    table = begun(umpire="turn")
    table.play("e5e3")
    table.done(Call("ben"))
    table.play("c1c3", "c7c5")
    table.done(Offer("ben", "draw"))
    replayed = replay(table.events, check=True)
    assert replayed == table.match


def test_a_log_whose_digest_does_not_fit_is_not_believed() -> None:
    table = begun()
    table.play("c7c5")
    played = table.events[-1]
    assert isinstance(played, Played)
    forged = [*table.events[:-1], Played(played.at, "W", "anna", "c7c5", "0" * 16, 0)]
    with pytest.raises(ValueError, match="0000"):
        replay(forged, check=True)


def test_every_match_ends_whatever_its_players_do_not_do() -> None:
    table = begun(time="1d")
    while table.now.status == "running":
        table.done(AlarmFired("flag"), after=DAY + MINUTE)
    assert isinstance(table.events[-1], Ended)


# --- those whom a turn puts out -----------------------------------------------------------------------------
LAST_PIECE = "P1: A1 C44 / P2: B50 / res: 0 0 / to: P1 / quiet: 0"


def test_whoever_an_untenable_turn_has_put_out_of_the_game_can_call_it_out() -> None:
    table = begun("chirality", umpire="turn", side="red", start=LAST_PIECE)
    table.done(Play("anna", "C44-B44"))
    assert table.now.game.playing(table.now.position) == ("P1",)
    assert table.now.sides_to_act == ("P2",)
    assert table.done(Call("ben")) == ("CalledOut",)
    assert table.now.game.playing(table.now.position) == ("P1", "P2")


def test_whoever_is_out_can_let_the_end_stand_but_do_nothing_else() -> None:
    table = begun("chirality", umpire="turn", side="red", start=LAST_PIECE)
    table.done(Play("anna", "C44-B44"))
    assert "out of this match" in table.refused(Offer("ben", "draw"))
    assert table.done(Acknowledge("ben")) == ("Acknowledged", "Ended")


def test_whoever_went_out_long_ago_has_no_last_word() -> None:
    start = "P1: A1 C44 / P2: B50 / P3: D44 / res: 0 0 0 / to: P1 / quiet: 0"
    table = begun("chirality", ("ben", "carol"), umpire="turn", side="red", start=start, players="3", setup="long")
    gone, other = table.now.seats["P3"], table.now.seats["P2"]
    table.done(Resign(gone))
    table.done(Play("anna", "C44-B44"))
    assert table.now.sides_to_act == ("P2",)
    assert "out of this match" in table.refused(Call(gone))
    assert table.done(Acknowledge(other)) == ("Acknowledged", "Ended")


def test_when_time_is_over_even_a_call_comes_too_late() -> None:
    table = begun(umpire="turn", time="1d")
    table.done(Play("anna", "e5e3"))
    assert table.done(Call("ben"), after=DAY + MINUTE) == ("Flagged", "Ended")


# --- lengths of time ----------------------------------------------------------------------------------------
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


def test_an_alarm_or_a_credit_of_a_match_that_is_over_or_not_begun_does_nothing() -> None:
    over, waiting = begun(), Table()
    over.done(Resign("anna"))
    waiting.done(Challenge("1", "anna", "tokonoma", {}, ("ben",), "web/lounge/"))
    for table in (over, waiting):
        assert table.done(AlarmFired("flag"), after=9 * DAY) == ()
        assert table.done(Credit(DAY)) == ()
    assert begun(time="none").done(Credit(DAY)) == ()


# --- what stands after something has happened -----------------------------------------------------------------
def three(**terms: str) -> Table:
    start = "P1: A3 A44 / P2: B44 B50 / P3: C44 C50 / res: 2 2 2 / to: P1 / quiet: 0"
    return begun("chirality", ("ben", "carol"), side="red", start=start, **terms)


def test_a_log_with_answers_in_private_replays_to_the_same_match() -> None:
    for order in (("anna", "ben"), ("ben", "anna")):
        table = begun("veney", setup="concealed")
        for player in order:
            table.done(Reply(player, "C$SB 5678"))
        assert replay(table.events, check=True) == table.match


def test_of_three_all_must_agree_to_a_draw_and_each_agreement_is_kept() -> None:
    table = three()
    table.play("A44-A50")
    table.done(Offer("anna", "takeback"))
    table.done(Offer("anna", "draw"))
    assert table.done(Answer("ben", True, "draw")) == ("Answered",)
    assert {(offer.what, offer.agreed) for offer in table.now.offers} == {
        ("takeback", frozenset({"anna"})),
        ("draw", frozenset({"anna", "ben"})),
    }
    assert table.done(Answer("carol", True, "draw")) == ("Answered", "Ended")


def test_whoever_has_gone_does_not_win_by_the_sudden_death_of_another() -> None:
    table = three(umpire="sudden")
    table.play("A3-A8")
    gone, other = table.now.seats["P3"], table.now.seats["P2"]
    table.done(Resign(gone))
    assert table.done(Call(other)) == ("CalledOut", "Ended")
    assert table.now.result is not None
    assert table.now.result.winners == ("P2",)


def test_a_lost_turn_stands_in_the_line_of_play_in_its_player_s_name() -> None:
    table = begun(umpire="turn")
    table.play("e5e3")
    table.done(Call("ben"))
    lost = table.now.plies[-1]
    assert (lost.number, lost.kind, lost.side, lost.by, lost.text, lost.at) == (1, "penalty", "W", "anna", "", table.at)
    assert (table.now.takeback_floor, table.now.departed, table.now.rolls) == (1, (), table.now.dice.counter)


def test_after_a_wrong_call_that_costs_the_turn_nothing_before_it_can_be_taken_back() -> None:
    table = begun(umpire="turn", falsecall="turn")
    table.play("c7c5")
    table.done(Offer("anna", "draw"))
    assert table.done(Call("ben")) == ("CallFailed",)
    assert table.now.offers == ()
    assert "no turn" in table.refused(Offer("anna", "takeback"))
    assert table.now.rolls == 0
    assert replay(table.events, check=True) == table.match


def test_when_one_of_three_has_gone_offers_fall_and_turns_before_it_stay() -> None:
    for goes in ("P2", "P3"):  # the side to act, another
        table = three()
        table.play("A44-A50")
        table.done(Offer("anna", "draw"))
        table.done(Resign(table.now.seats[goes]))
        assert table.now.offers == ()
        assert "no turn" in table.refused(Offer("anna", "takeback"))
        assert table.now.departed == (() if goes == "P2" else ("P3",))


def test_a_match_that_is_over_can_be_linked_by_its_players_alone() -> None:
    table = begun()
    table.done(Resign("anna"))
    assert "Only its players" in table.refused(LinkPlace("zoe", "web/attic/"))
    assert table.done(LinkPlace("ben", "web/attic/")) == ("PlaceLinked",)
    linked = table.events[-1]
    assert linked == PlaceLinked(table.at, "ben", "web/attic/")
    assert table.now.places == ("web/lounge/", "web/attic/")


def test_a_text_of_five_hundred_characters_is_read() -> None:
    assert "too long" not in begun().refused(Play("anna", "c" * 500))
    assert "too long" not in begun("veney", setup="concealed").refused(Reply("anna", "c" * 500))


def test_who_resigned_is_in_the_log() -> None:
    table = begun()
    table.done(Resign("anna"))
    assert table.events[-2] == Resigned(table.at, "W", "anna")


def test_a_turn_made_anew_can_be_called_out_though_the_one_it_replaces_held() -> None:
    table = begun(umpire="turn")
    table.play("c7c5")
    table.done(Call("ben"))
    table.done(Offer("anna", "takeback"))
    table.done(Answer("ben", True))
    table.play("e5e3")
    assert table.done(Call("ben")) == ("CalledOut",)


def test_what_is_on_offer_falls_with_the_turns_that_are_taken_back() -> None:
    table = begun()
    table.play("c7c5")
    table.done(Offer("anna", "draw"))
    table.done(Offer("anna", "takeback"))
    table.done(Answer("ben", True, "takeback"))
    assert table.now.offers == ()


def test_a_position_counts_as_often_as_it_stands_after_turns_are_taken_back() -> None:
    table = begun()
    table.play("b6a4", "d1e2", "a4b6", "e2d1", "b6a4")
    table.done(Offer("anna", "takeback"))
    table.done(Answer("ben", True))
    assert table.now.counts[table.now.game.identity(table.now.position)] == 2
    assert sum(table.now.counts.values()) == 5


# --- taking back freely, time as a penalty, dying turns -----------------------------------------------------
def test_where_takebacks_are_free_the_last_turn_is_revised_without_asking_until_the_other_has_acted() -> None:
    table = begun(takeback="free")
    table.play("c7c5")
    assert table.done(Offer("anna", "takeback")) == ("TakenBack",)
    assert table.position == begun().position
    table.play("c7c5", "c1c3")
    assert table.done(Offer("anna", "takeback")) == ("Offered",), "the other has acted, so it takes consent"
    assert table.done(Offer("ben", "takeback")) == ("TakenBack",)


def test_taking_back_freely_gives_no_time_back() -> None:
    table = begun(takeback="free", time="3d")
    table.done(Play("anna", "c7c5"), after=2 * DAY)
    table.done(Offer("anna", "takeback"), after=DAY)
    assert deadline(table.now) == table.at + DAY
    bank = begun(takeback="free", time="10d+1d")
    bank.done(Play("anna", "c7c5"), after=2 * DAY)
    bank.done(Offer("anna", "takeback"), after=DAY)
    assert bank.now.time_left["W"] == 8 * DAY
    assert deadline(bank.now) == bank.at + 8 * DAY


@pytest.mark.parametrize(
    ("term", "mine", "theirs"), [("free-white", "TakenBack", "White only"), ("free", "TakenBack", "")]
)
def test_takebacks_may_be_free_for_one_side_alone(term: str, mine: str, theirs: str) -> None:
    table = begun(takeback=term)
    table.play("c7c5")
    assert table.done(Offer("anna", "takeback")) == (mine,)
    table.play("c7c5", "c1c3")
    if theirs:
        assert theirs in table.refused(Offer("ben", "takeback"))
    else:
        assert table.done(Offer("ben", "takeback")) == ("TakenBack",)


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


TOUCHED = "W: S@Y6 $@Y10 / B: S@Y11 $@W13 / a: - / to: W"


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


# --- words that are easily broken unseen --------------------------------------------------------------------
def test_two_equal_offers_at_once_are_an_agreement() -> None:
    table = begun()
    assert table.done(Offer("anna", "draw")) == ("Offered",)
    assert table.done(Offer("ben", "draw"), after=0) == ("Answered", "Ended")
    back = begun()
    back.play("c7c5", "c1c3")
    assert back.done(Offer("anna", "takeback")) == ("Offered",)
    assert "Somebody else asks" in back.refused(Offer("ben", "takeback"), after=0)
    assert "made already" in back.refused(Offer("anna", "takeback"), after=0)


def test_a_turn_of_several_words_is_confirmed_by_the_last_of_them() -> None:
    table = begun("veney", retreats="0", first="white", start="W: S@Y1 $@X4 / B: S@X13 $@Y13 / a: ^XY8 / to: W")
    warned = table.says(Play("anna", "aw S=="))
    assert isinstance(warned, Refusal)
    assert "gives the game up" in str(warned.because)
    assert table.done(Play("anna", "aw S==   sure"))[0] == "Played"


def test_a_dying_turn_that_is_not_made_lets_the_touch_stand() -> None:
    for gone in (AlarmFired("flag"), Resign("ben")):
        table = begun("veney", start=TOUCHED, umpire="turn", time="1h")
        table.play("$tY11")
        table.done(gone, after=6 * MINUTE + 1 if isinstance(gone, AlarmFired) else MINUTE)
        assert table.now.result is not None
        assert (table.now.result.rule, table.now.result.winners) == ("2.0.21:touch", ("W",))
