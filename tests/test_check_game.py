"""`riposte check-game` examines somebody's own game: what does not hold is told with its remedy."""

import subprocess
import sys
from pathlib import Path

import pytest

DAISY = (Path(__file__).parent / "sixth_game" / "daisy.py").read_text("utf-8")
LAST = DAISY.count("\n")
"""The line on which it makes its `GAME`."""


def checked(file: Path, *options: str) -> subprocess.CompletedProcess[str]:
    """Each check has a process of its own: a game is loaded once."""
    return subprocess.run(
        [sys.executable, "-m", "bot", "check-game", str(file), *options],
        capture_output=True,
        text=True,
        check=False,
        cwd=Path(__file__).parents[1],
    )


def written(folder: Path, *changes: tuple[str, str], name: str = "daisy.py") -> Path:
    """A game's file, with something in it exchanged."""
    code = DAISY
    for old, new in changes:
        assert old in code
        code = code.replace(old, new)
    file = folder / name
    file.parent.mkdir(exist_ok=True)
    file.write_text(code, "utf-8")
    return file


def test_of_a_whole_game_every_property_holds(tmp_path: Path) -> None:
    done = checked(written(tmp_path))
    assert (done.returncode, done.stdout, done.stderr) == (0, "Every property holds.\n", "")


def test_a_game_may_be_a_folder(tmp_path: Path) -> None:
    done = checked(written(tmp_path, name="daisy/__init__.py").parent)
    assert (done.returncode, done.stdout) == (0, "Every property holds.\n")


def test_a_property_that_fails_is_told_with_its_remedy_and_the_position(tmp_path: Path) -> None:
    end = "Outcome(LOVED, frozenset({OTHER[position.to_move]}))"
    done = checked(written(tmp_path, (f"None if position.petals else {end}", "None")))
    assert (done.returncode, done.stderr) == (1, "")
    assert done.stdout.splitlines()[-3:] == [
        "A game goes on while there are turns, and no longer.",
        "  The game is not over, but there is no tenable turn. "
        "Let `outcome` and `turns` agree on when the game is over.",
        "  position: petals: - / to_move: S",
    ]
    assert "Every property holds." not in done.stdout


def test_an_error_in_a_game_is_told_with_its_line_and_the_position(tmp_path: Path) -> None:
    line = "return Position(position.petals - {move.origin for move in turn}, OTHER[position.to_move])"
    done = checked(written(tmp_path, (line, line.replace("OTHER[", "{}["))))
    assert "It raised `KeyError('S')` at `daisy.py:" in done.stdout


def test_a_text_that_refuses_what_an_untenable_turn_leaves_is_told_so(tmp_path: Path) -> None:
    strict = ("position.to_move not in self.sides or", "{'p1', 'p3'}.isdisjoint(position.petals) or")
    done = checked(written(tmp_path, strict))
    assert "  `decode` refuses the position after `" in done.stdout
    assert "`decode` whatever `play` leaves." in done.stdout


def test_a_game_without_a_method_of_the_contract_is_told_which(tmp_path: Path) -> None:
    done = checked(written(tmp_path, ("def judge(", "def verdict(")))
    assert done.returncode == 2
    assert "`judge` is missing. Write `def judge(self, position, turn)`." in done.stderr


def test_a_game_of_the_old_contract_is_told_what_to_write(tmp_path: Path) -> None:
    done = checked(written(tmp_path, ("Game[Position, Move]", "Game[Position]")))
    assert done.returncode == 2
    assert (
        "`Game` is generic in the position and in the move. Write `class Daisy(Game[Position, Move])`." in done.stderr
    )


@pytest.mark.parametrize(
    ("name", "change", "fact"),
    [
        (
            "daisy.py",
            ("GAME = Daisy()", "1 / 0"),
            f"cannot be loaded: ZeroDivisionError('division by zero') at line {LAST}.",
        ),
        ("daisy.py", ("GAME = Daisy()", ""), "cannot be loaded: it holds no `GAME`. End it with a line"),
        ("lily.py", ("", ""), "has the key daisy. Name the file like its key."),
        ("day-sy.py", ("", ""), "cannot be the file of a game. Call it like the game's key"),
        ("daisy.txt", ("", ""), "cannot be the file of a game. Call it like the game's key"),
    ],
)
def test_what_is_no_game_is_refused_in_a_sentence(
    name: str, change: tuple[str, str], fact: str, tmp_path: Path
) -> None:
    done = checked(written(tmp_path, change, name=name))
    assert done.returncode == 2
    assert done.stdout == ""
    assert fact in done.stderr
    assert "Traceback" not in done.stderr


def test_a_file_that_is_not_there_is_told_in_a_sentence(tmp_path: Path) -> None:
    done = checked(tmp_path / "none.py")
    assert done.returncode == 2
    assert done.stderr.endswith("Name the file or folder of a game, like `daisy.py`.\n")


def test_a_game_that_does_not_work_can_be_checked_where_the_settings_load_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    file = written(tmp_path, ("def judge(", "def verdict("))
    monkeypatch.setenv("RIPOSTE_GAMES", str(tmp_path))
    assert "`judge` is missing." in checked(file).stderr
