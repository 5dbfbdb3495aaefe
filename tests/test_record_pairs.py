"""Games as the author of Veney writes them are read as they stand, whatever is written around them."""

from pathlib import Path

import pytest
from typer.testing import CliRunner

from bot.cli.records import commands
from engine.dice import Dice
from engine.game import NotationError
from engine.games import GAMES
from engine.match.record.follow import Followed, follow_plies, recorded
from engine.match.record.pairs import MOST_CHARACTERS, MOST_TURNS, first_mover, read_pairs
from engine.match.record.read import read_record, replayed

VENEY = GAMES["veney"]
START = VENEY.setup({"first": "white"}, Dice(bytes(32)))


def texts(record: str) -> list[str]:
    return [ply.text for ply in read_pairs(record)]


def followed(record: str) -> list[Followed]:
    return list(follow_plies(VENEY, START, read_pairs(record)))


def verdicts(record: str) -> list[str]:
    return [f"{turn.number}. {turn.side} {turn.text}: {turn.verdict}" for turn in followed(record)]


# --- where the turns are ----------------------------------------------------------------------------------
@pytest.mark.parametrize(
    ("record", "turns"),
    [
        ("1. SX6, eY11;  2. a+ eY6, $X9;", ["SX6", "eY11", "a+ eY6", "$X9"]),
        (
            "1. SZ5 $fW7, CtW10; 2. LtW10, SX13 $fY9; 3. az LW4, $X10; ...",
            ["SZ5 $fW7", "CtW10", "LtW10", "SX13 $fY9", "az LW4", "$X10"],
        ),
        ("1.SX5,eY11;2.eY6,eX11;", ["SX5", "eY11", "eY6", "eX11"]),
        ("1. eY6; eY11, 2. eX6; eX11,", ["eY6", "eY11", "eX6", "eX11"]),  # the marks mixed up
        ("1. eY6; 2. eY11; 3. eX6", ["eY6", "eY11", "eX6"]),  # numbers that count plies
        ("1. eY6,\neY11;\n2. eX6,\neX11", ["eY6", "eY11", "eX6", "eX11"]),
        ("1. eY6, eY11; 2. eX6", ["eY6", "eY11", "eX6"]),
        ("1. eY6 (a calm start, no?), eY11 {so what, eh; hm} 2. eX6 [sic]", ["eY6", "eY11", "eX6"]),
        ("Played in 2024. Enjoy!\n1. eY6, eY11; what a reply, 7 of 10; 2. eX6", ["eY6", "eY11", "eX6"]),
        ("7. ..., eY11; 8. eX6", ["eY11", "eX6"]),
        ("1. eY6 (calm)\n1. ... eY11 2. eX6\nsharp!\n2... eX11; 3. eX7", ["eY6", "eY11", "eX6", "eX11", "eX7"]),
        ("1. eY6, eY11; 3. eX6, eX11;", ["eY6", "eY11", "eX6", "eX11"]),
        ("1. DtX13~(++-) SW8, eY11;", ["DtX13~(++-) SW8", "eY11"]),
        ("1. eY6, eY11; I thought that 2. here was lost. 2. eX6, eX11;", ["eY6", "eY11", "eX6", "eX11"]),
        ("1. eY6, eY11; I saw 2. az coming 2. az LW4, --; 3. a+ --", ["eY6", "eY11", "az LW4", "--", "a+ --"]),
        ("1. eY6, eY11; 20. eX6, eX11; 21. eX7, eX10;", ["eY6", "eY11", "eX6", "eX11", "eX7", "eX10"]),
        ("1. eY6, eY11; as in 1998. eX6 was played 2. eX6, eX11;", ["eY6", "eY11", "eX6", "eX11"]),
        ("1. eY6, eY11; on the 20. or 21. of May", ["eY6", "eY11"]),
        ("There is nothing here, really; 2. is no turn of it", ["is no turn of it"]),
        ("gg", []),
        ("", []),
    ],
)
def test_turns_stand_behind_their_numbers_parted_by_commas(record: str, turns: list[str]) -> None:
    assert texts(record) == turns


def test_where_the_first_pair_lacks_its_first_turn_black_begins() -> None:
    assert [
        first_mover(read_pairs(text)) for text in ("1. ..., eY11; 2. eX6", "1... eY11", "1. eX6, ..., 2. ... eY11")
    ] == [
        "black",
        "black",
        "white",
    ]


# --- what becomes of them ---------------------------------------------------------------------------------
def test_each_turn_has_its_verdict_and_reading_goes_on() -> None:
    assert verdicts("1. SX5, eY11;  2. a+ eY6, $X9;  3. hello, eX11; 4. eX6, GX5") == [
        "1. W SX5: tenable",
        "1. B eY11: tenable",
        "2. W a+ eY6: tenable",
        "2. B $X9: untenable",
        "3. W hello: unreadable",
        "3. B eX11: tenable",
        "4. W eX6: untenable",
        "4. B GX5: unreadable",
    ]


def test_whoever_wrote_what_cannot_be_read_has_passed_the_turn_on() -> None:
    read, lost, after = followed("1. eY6, hello; 2. eX6")
    assert (read.after != lost.after, VENEY.to_act(lost.after)) == (True, "W")
    assert "hello" in str(lost.because[0])
    assert after.side == "W"


def test_shared_pieces_are_read_in_either_case() -> None:
    assert [turn.text for turn in followed("1. EY6, ey11; 2. A+ ey7, AX9")] == ["eY6", "eY11", "a+ eY7", "aX9"]


def test_free_text_behind_the_last_turn_is_left_out() -> None:
    for words in ("your move, friend!", "and now\nI wait; for you", "(sorry)", ". To you!"):
        assert verdicts(f"1. eY6, eY11; 2. eX6 {words}")[2] == "2. W eX6: tenable"


def test_a_turn_that_is_marked_as_called_out_has_paid_its_price() -> None:
    """`U` is written only with penalties: in Veney usually the piece."""
    _, _, called, answer = followed("1. eY6, eY11; 2. BX9U, eX11")
    assert called.verdict == "untenable"
    assert "B@X9" not in VENEY.encode(called.after)
    assert (answer.side, answer.verdict) == ("B", "tenable")
    _, _, stands = followed("1. eY6, eY11; 2. BX9")
    assert "B@X9" in VENEY.encode(stands.after)


def test_nothing_is_played_after_the_end() -> None:
    told = followed("1. eY6, eY11; 2. $X13#, ~S; 3. eX6, eX11; 4. eX7, eX10; 5. eW6, eW11; 6. eZ6")
    assert [turn.verdict for turn in told][-1] == "unreadable"
    assert "over" in str(told[-1].because[0])


# --- from a file ------------------------------------------------------------------------------------------
def run(tmp_path: Path, text: str, *options: str) -> tuple[int, list[str]]:
    file = tmp_path / "game.txt"
    file.write_text(text)
    result = CliRunner().invoke(commands, ["record", str(file), *options])
    return result.exit_code, result.output.splitlines()


def test_a_record_of_this_form_is_read_from_a_file(tmp_path: Path) -> None:
    code, lines = run(tmp_path, "Look at this:\n1. SX5, eY11;  2. a+ eY6, $X9;\nWell?", "--judge")
    assert (code, lines[0]) == (0, "Veney, 4 turns played")
    assert lines[1].startswith("position: W: ")
    assert lines[2] == "untenable turns:"
    assert lines[3].startswith("  2. B $X9: untenable: ")


@pytest.mark.parametrize(
    "record", ["1. SX5, eY11;", "Riposte record 1\nGame: veney\nPlayer White: W a\nPlayer Black: B b\n"]
)
def test_a_mark_of_byte_order_that_an_editor_put_before_a_record_is_no_part_of_it(tmp_path: Path, record: str) -> None:
    plain, marked = run(tmp_path, record), run(tmp_path, f"\ufeff{record}")
    assert plain[0] == 0
    assert marked == plain


def test_a_lenient_reader_lists_every_turn_with_its_verdict(tmp_path: Path) -> None:
    code, lines = run(tmp_path, "1. eY6, hello; 2. eX6", "--lenient")
    assert (code, lines[0]) == (0, "Veney, 2 turns played")
    assert [line.split(":")[0:2] for line in lines[3:]] == [
        ["  1. W eY6", " tenable"],
        ["  1. B hello", " unreadable"],
        ["  2. W eX6", " tenable"],
    ]
    code, lines = run(tmp_path, "1. eY6, hello; 2. eX6")
    assert code == 2


def test_another_game_and_another_start_are_read_as_well(tmp_path: Path) -> None:
    code, lines = run(tmp_path, "1. c7c5, c1c3;", "--game", "tokonoma", "--lenient")
    assert (code, lines[0], lines[3:]) == (
        0,
        "Tokonoma, 2 turns played",
        ["  1. W c7c5: tenable", "  1. B c1c3: tenable"],
    )
    code, lines = run(tmp_path, "1. c7c5", "--game", "chess")
    assert code == 2


def test_a_lenient_reader_follows_what_stands_of_a_record_of_riposte(tmp_path: Path) -> None:
    record = Path("docs/records.md").read_text("utf-8").split("```record\n")[1].split("```")[0]
    code, lines = run(tmp_path, record.replace("5. W d5d4", "5. W nonsense"), "--lenient")
    assert (code, lines[0]) == (0, "Tokonoma, 4 turns played")
    assert [line.split(":")[1] for line in lines[3:]] == [
        *(" tenable", " untenable", " tenable", " untenable", " unreadable")
    ]


# --- what is too much -------------------------------------------------------------------------------------
def test_a_record_that_is_too_long_is_refused_before_it_is_read() -> None:
    for text in ("1. " * MOST_CHARACTERS, " ".join(f"{n}. a, b;" for n in range(1, MOST_TURNS))):
        with pytest.raises(NotationError) as caught:
            read_pairs(text)
        assert "at most" in str(caught.value.because)
    with pytest.raises(NotationError) as caught:
        read_record("Riposte record 1\n" * 70_000)
    assert "at most" in str(caught.value.because)


def test_a_record_with_an_endless_turn_is_refused_before_it_is_read() -> None:
    with pytest.raises(NotationError) as caught:
        read_record(f"Riposte record 1\nGame: veney\n\n1. W {'eY6 ' * 10_000}\n")
    assert str(caught.value.because) == "Line 4 has more than 4000 characters."


def test_a_turn_that_is_too_long_is_told_and_not_read() -> None:
    turn, _ = followed("1. " + "eY6 " * 20_000 + "; 2. eY11")
    assert (turn.verdict, str(turn.because[0])) == ("unreadable", "A turn has at most 200 characters.")


# --- loaded as a match of its own ---------------------------------------------------------------------------
def loaded(text: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, *more: str) -> str:
    monkeypatch.setenv("RIPOSTE_DATA", str(tmp_path / "data"))
    file = tmp_path / "game.txt"
    file.write_text(text, "utf-8")
    told = CliRunner().invoke(commands, ["import", str(file), *more])
    return told.output


def test_a_record_by_pairs_is_loaded_as_a_match(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    told = loaded(
        "A game at the club.\n1. eX7, eX10; 2. SX5, SY12;", tmp_path, monkeypatch, "--player", "W web:anna Anna"
    )
    assert "It is match 1 now" in told


def test_one_that_cannot_be_read_is_told_by_its_turn(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    assert "Turn 2 of W cannot be read" in loaded("1. eX7, eX10; 2. $$Q9, SY12;", tmp_path, monkeypatch)


def test_what_was_answered_in_private_is_told_as_such_and_a_marked_turn_has_its_price() -> None:
    game = GAMES["veney"]
    start = game.setup({"first": "hands"}, Dice(bytes(32)))
    plies = read_pairs("1. secret left, secret right; 2. eX9 U, eX10;")
    headers = (
        ("Game", "veney"),
        ("Terms", "first=hands"),
        ("Player White", "W web:a A"),
        ("Player Black", "B web:b B"),
    )
    record = recorded(game, start, plies, headers)
    assert [(entry.kind, entry.side) for entry in record.entries[:2]] == [("reply", "W"), ("reply", "B")]
    assert [entry.kind for entry in record.entries[2:]] == ["turn", "called", "turn"]
    *_, (_, match) = replayed(read_record(record.write()), 0)
    assert match.turns_made == 1
