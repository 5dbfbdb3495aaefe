"""Matches of Chirality between three: who may call out whom, and how the others go on when one has gone."""

from engine.match.commands import AlarmFired, Answer, Call, Offer, Play, Resign
from engine.match.state import open_to_call
from tests.table import DAY, Table, begun

OTHERS = ("ben", "carol")
MIDDLE = "P1: A3 A44 / P2: B44 B50 / P3: C44 C50 / res: 2 2 2 / to: P1 / quiet: 0"


def three(**terms: str) -> Table:
    """anna is Red; the lot says who is Blue and who is Gold."""
    return begun("chirality", OTHERS, side="red", start=MIDDLE, **terms)


def test_three_sit_down_and_place_their_first_pieces_in_turn() -> None:
    table = begun("chirality", OTHERS, side="red", players="3")
    assert set(table.now.seats.values()) == {"anna", *OTHERS}
    for side in ("P1", "P2", "P3"):
        assert table.now.game.to_act(table.now.position) == side
        gate = table.now.position.gates[table.now.position.to]
        table.play(f"*{'ABCDE'[gate - 1]}50")
    assert "gates" not in table.position
    assert table.position.endswith("res: 15 15 15 / to: P1 / quiet: 0")


def test_any_opponent_may_call_until_the_next_player_has_acted() -> None:
    for caller in OTHERS:
        table = three(umpire="turn")
        table.play("A3-A8")
        assert table.done(Call(caller))[0] == "CalledOut"
        assert table.position == MIDDLE.replace("to: P1", "to: P2")


def test_nobody_may_call_once_the_next_player_has_acted() -> None:
    table = three(umpire="turn")
    table.play("A3-A8", "B50-B46")
    assert [ply.by for ply in open_to_call(table.now)] == [table.now.seats["P2"]]
    assert "A8" in table.position
    assert table.done(Call(table.now.seats["P3"])) == ("CallFailed",)


def test_when_one_of_three_resigns_the_other_two_play_on_to_the_end() -> None:
    table = three()
    blue = table.now.seats["P2"]
    table.done(Resign(blue))
    assert table.now.status == "running"
    table.play("A44-A50")
    assert table.position == "P1: A3 A50 / P2: out / P3: C44 C50 / res: 2 2 2 / to: P3 / quiet: 1"
    table.done(Resign(table.now.seats["P3"]))
    assert table.now.result is not None
    assert table.now.result.winners == ("P1",)


def test_a_call_is_open_still_when_somebody_else_has_gone_meanwhile() -> None:
    for umpire, after in (
        ("turn", "P1: A3 A44 / P2: B44 B50 / P3: out / res: 2 2 2 / to: P2 / quiet: 0"),
        ("friendly", "P1: A3 A44 / P2: B44 B50 / P3: out / res: 2 2 2 / to: P1 / quiet: 0"),
    ):
        table = three(umpire=umpire)
        blue, gold = table.now.seats["P2"], table.now.seats["P3"]
        table.play("A3-A8")
        table.done(Resign(gold))
        assert "out of this match" in table.refused(Call(gold))
        assert table.done(Call(blue)) == ("CalledOut",)
        assert table.position == after


def test_nobody_makes_an_untenable_turn_for_good_by_resigning_after_it() -> None:
    table = three(umpire="turn")
    table.play("A3-A8")
    table.done(Resign("anna"))
    assert table.done(Call(table.now.seats["P3"])) == ("CalledOut",)
    assert table.position == "P1: out / P2: B44 B50 / P3: C44 C50 / res: 2 2 2 / to: P2 / quiet: 0"
    table.play("B50-B46")
    assert not table.now.departed


def test_who_has_gone_does_not_win_by_another_s_sudden_death() -> None:
    table = three(umpire="sudden")
    table.play("A3-A8")
    table.done(Resign(table.now.seats["P3"]))
    assert table.done(Call(table.now.seats["P2"])) == ("CalledOut", "Ended")
    assert table.now.result is not None
    assert table.now.result.winners == ("P2",)


def test_when_time_runs_out_for_one_of_three_the_next_one_is_to_act() -> None:
    table = three(time="3d")
    assert "Flagged" in table.done(AlarmFired("flag"), 4 * DAY)
    assert table.now.status == "running"
    assert table.position == "P1: out / P2: B44 B50 / P3: C44 C50 / res: 2 2 2 / to: P2 / quiet: 0"


def test_sudden_death_puts_one_of_three_out_and_the_other_two_play_on() -> None:
    table = three(umpire="sudden")
    table.play("A3-A8")
    assert table.done(Call(table.now.seats["P3"])) == ("CalledOut",)
    assert table.now.status == "running"
    assert table.position == "P1: out / P2: B44 B50 / P3: C44 C50 / res: 2 2 2 / to: P2 / quiet: 0"
    table.play("B44-A8")
    assert table.done(Call(table.now.seats["P3"])) == ("CalledOut", "Ended")
    assert table.now.result is not None
    assert table.now.result.winners == ("P3",)


def test_a_draw_takes_the_consent_of_all_who_are_still_in() -> None:
    table = three()
    table.done(Resign(table.now.seats["P2"]))
    table.done(Offer("anna", "draw"))
    table.done(Answer(table.now.seats["P3"], True))
    assert table.now.result is not None
    assert table.now.result.winners == ("P1", "P3")


def test_a_position_to_begin_from_says_how_many_play() -> None:
    table = begun("chirality", ("ben",), side="red", start="P1: A44 / P2: B44 / res: 2 2 / to: P2")
    assert tuple(table.now.seats) == ("P1", "P2")
    assert table.now.game.to_act(table.now.position) == "P2"


def test_an_umpire_who_refuses_names_the_rule() -> None:
    table = three()
    assert "A8 does not touch A3 by a full edge." in table.refused(Play("anna", "A3-A8"))
