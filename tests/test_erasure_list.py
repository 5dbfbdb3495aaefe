"""The list of erasures beside the database, which outlives crashes and older backups."""

from pathlib import Path

from storage.people.erasure import listed, note

ANNA, BEN = "a" * 40, "b" * 40


def test_an_erasure_that_was_cut_off_spoils_none_that_is_noted_after_it(tmp_path: Path) -> None:
    path = tmp_path / "riposte.erased"
    note(path, [(ANNA, 1)])
    for end in range(1, len(f"{BEN} 2\n")):
        path.write_text(f"{ANNA} 1\n{BEN} 2\n"[: len(f"{ANNA} 1\n") + end])
        note(path, [(BEN, 3)])
        assert listed(path)[ANNA] == 1
        assert listed(path)[BEN] == 3, end


def test_a_list_holds_what_was_noted_and_nothing_else(tmp_path: Path) -> None:
    path = tmp_path / "riposte.erased"
    assert listed(path) == {}
    note(path, [(ANNA, 1), (BEN, 2)])
    note(path, [(ANNA, 3)])
    assert path.read_text() == f"{ANNA} 1\n{BEN} 2\n{ANNA} 3\n"
    assert listed(path) == {ANNA: 3, BEN: 2}
    assert path.stat().st_mode & 0o777 == 0o600
