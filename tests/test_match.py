"""What can happen between the players of a match, whatever the game: told in commands and the events that follow."""

import pytest

from engine.match.commands import (
    Abort,
    Acknowledge,
    AlarmFired,
    Answer,
    Call,
    Challenge,
    Credit,
    LinkPlace,
    Offer,
    Play,
    Reply,
    Resign,
)
from engine.match.events import (
    Ended,
    PlaceLinked,
    Played,
    Refusal,
    Resigned,
)
from engine.match.evolve import replay
from tests.table import DAY, MINUTE, Table, begun


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


def test_an_alarm_or_a_credit_of_a_match_that_is_over_or_not_begun_does_nothing() -> None:
    over, waiting = begun(), Table()
    over.done(Resign("anna"))
    waiting.done(Challenge("1", "anna", "tokonoma", {}, ("ben",), "web/lounge/"))
    for table in (over, waiting):
        assert table.done(AlarmFired("flag"), after=9 * DAY) == ()
        assert table.done(Credit(DAY)) == ()
    assert begun(time="none").done(Credit(DAY)) == ()


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


TOUCHED = "W: S@Y6 $@Y10 / B: S@Y11 $@W13 / a: - / to: W"


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
