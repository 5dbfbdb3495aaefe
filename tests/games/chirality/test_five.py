"""Matches of Chirality between five: setting out, what a turn called out costs, who goes, and draws."""

from engine.match.commands import Call, Play, Resign
from engine.match.record.read import read_record
from engine.match.record.verify import verify
from engine.match.record.write import record_of
from tests.table import Table, begun

OTHERS = ("ben", "carol", "dan", "eve")
MIDDLE = "P1: A44 / P2: B44 / P3: C44 / P4: D44 / P5: E44 / res: 2 2 2 2 2 / to: P1"
ROUND = ("A44-A50", "B44-B50", "C44-C50", "D44-D50", "E44-E50")
BACK = ("A50-A44", "B50-B44", "C50-C44", "D50-D44", "E50-E44")


def five(**terms: str) -> Table:
    """anna is Red; lots say who else is what."""
    return begun("chirality", OTHERS, side="red", **terms)


def middle(**terms: str) -> Table:
    """Five with a piece each."""
    return five(start=MIDDLE, **terms)


def test_five_set_out_clockwise_from_a_gate_that_is_drawn() -> None:
    table = five(players="5")
    gates = table.now.position.gates
    assert gates == tuple((gates[0] - 1 + step) % 5 + 1 for step in range(5))
    assert set(table.now.seats.values()) == {"anna", *OTHERS}
    table.play(*(f"*{'ABCDE'[gate - 1]}44" for gate in gates))
    assert table.position.endswith("res: 15 15 15 15 15 / to: P1 / quiet: 0")


def test_who_sets_out_from_another_s_gate_loses_that_turn_and_sets_out_in_the_next_round() -> None:
    table = five(players="5", umpire="turn")
    own, *others = (f"*{'ABCDE'[gate - 1]}44" for gate in table.now.position.gates)
    table.play(others[0].replace("44", "45"))
    assert "CalledOut" in table.done(Call(table.now.seats["P4"]))
    assert table.position.startswith("P1: - / P2: -")
    table.play(*others)
    assert "res: 16 15 15 15 15 / to: P1" in table.position
    table.play(own)
    assert "gates" not in table.position
    assert "res: 15 15 15 15 15 / to: P2" in table.position


def test_each_of_the_four_others_may_call() -> None:
    for side in ("P2", "P3", "P4", "P5"):
        table = middle(umpire="turn")
        table.play("A44-A46")
        assert table.done(Call(table.now.seats[side]))[0] == "CalledOut"
        assert table.position == MIDDLE.replace("to: P1", "to: P2") + " / quiet: 0"


def test_of_five_the_others_play_on_when_two_have_resigned() -> None:
    table = middle()
    for side in ("P1", "P4"):
        table.done(Resign(table.now.seats[side]))
    assert table.now.status == "running"
    assert table.position.startswith("P1: out / P2: B44 / P3: C44 / P4: out / P5: E44")
    table.play("B44-B50", "C44-C50", "E44-E50")
    assert table.now.game.to_act(table.now.position) == "P2"
    table.done(Resign(table.now.seats["P5"]))
    table.done(Resign(table.now.seats["P2"]))
    assert table.now.result is not None
    assert table.now.result.winners == ("P3",)


def test_the_third_occurrence_is_a_draw_of_all_five() -> None:
    table = middle()
    table.play(*ROUND, *BACK, *ROUND, *BACK[:-1])
    assert table.now.status == "running"
    table.play(BACK[-1])
    assert table.now.result is not None
    assert (table.now.result.rule, set(table.now.result.winners)) == ("15.5", {"P1", "P2", "P3", "P4", "P5"})


def test_a_turn_that_is_taken_back_by_a_call_has_been_no_occurrence() -> None:
    table = middle(umpire="friendly")
    for _ in range(4):  # the same untenable turn, called out each time
        table.play("A44-A46")
        table.done(Call(table.now.seats["P2"]))
    table.play(*ROUND, *BACK)
    once = table.now.ending
    table.play(*ROUND, *BACK)
    again = table.now.ending
    assert once is None
    assert again is not None  # it may still be called out
    assert again.rule.ref == "15.5"


def test_sixty_quiet_turns_of_each_of_five_are_a_draw_in_a_match_that_began_from_a_text_without_a_count() -> None:
    table = middle()
    assert table.position.endswith("quiet: 0")
    quiet = five(start=f"{MIDDLE} / quiet: 299")
    quiet.done(Play("anna", "A44-A50"))
    assert quiet.now.result is not None
    assert (quiet.now.result.rule, len(quiet.now.result.winners)) == ("15.6", 5)


def test_a_record_that_began_without_a_count_is_still_found_true() -> None:
    table = middle()
    table.play(*ROUND)
    for side in ("P1", "P2", "P3", "P4"):
        table.done(Resign(table.now.seats[side]))
    text = record_of(table.events, {}, None).write()
    earlier = text.replace("\nStart: " + MIDDLE + " / quiet: 0", "\nStart: " + MIDDLE)
    assert earlier != text
    assert not verify(read_record(text))
    assert not verify(read_record(earlier))
