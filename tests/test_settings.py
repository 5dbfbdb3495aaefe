"""The settings file that a host copies lists every setting with the default that the program has."""

import zlib
from pathlib import Path

import pytest
from typer.testing import CliRunner

import engine.games
from bot.__main__ import app
from bot.settings import Settings, example
from engine.games import GAMES


def test_the_example_file_is_what_the_settings_say() -> None:
    assert (Path(__file__).parents[1] / ".env.example").read_text("utf-8") == example()


def test_the_example_changes_nothing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    bare = Settings()
    (tmp_path / ".env").write_text(example(), "utf-8")
    assert Settings() == bare


def test_every_setting_is_explained_in_a_sentence() -> None:
    assert all((field.description or "").endswith((".", ".)")) for field in Settings.model_fields.values())


# --- what a host may get wrong ------------------------------------------------------------------------------
@pytest.mark.parametrize(
    ("setting", "value", "fact"),
    [
        ("PORT", "abc", "RIPOSTE_PORT cannot be 'abc'"),
        ("PORT", "70000", "RIPOSTE_PORT cannot be '70000'"),
        ("LOG", "loud", "RIPOSTE_LOG cannot be 'loud'"),
        ("GAMES", "nowhere", "RIPOSTE_GAMES is nowhere, and there is no such folder"),
        ("DATA", "file", "The folder file cannot be made"),
        ("DATABASE", "file/riposte.db", "The folder file cannot be made"),
        ("DATABASE", "mysql://here", "There is no store for 'mysql://here'"),
    ],
)
def test_a_setting_that_cannot_be_is_told_in_a_sentence(
    setting: str,
    value: str,
    fact: str,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("file").touch()
    monkeypatch.setenv(f"RIPOSTE_{setting}", value)
    told = CliRunner().invoke(app, ["run"])
    assert told.exit_code in (1, 2)
    assert told.exception is None or isinstance(told.exception, SystemExit)
    said = told.output + capsys.readouterr().err
    assert fact in said
    assert len(said.splitlines()) == 1


@pytest.mark.parametrize(
    ("code", "fact"),
    [
        ("1 / 0", "does not work: ZeroDivisionError"),
        ("x = 1", "does not work: AttributeError"),
        ("from engine.games.tokonoma import GAME", "calls itself tokonoma"),
    ],
)
def test_a_game_of_ones_own_that_does_not_work_is_told_of_at_once(
    code: str, fact: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(engine.games, "__path__", [*engine.games.__path__])
    name = f"own{zlib.crc32(code.encode())}"
    (tmp_path / f"{name}.py").write_text(code)
    monkeypatch.setenv("RIPOSTE_GAMES", str(tmp_path))
    told = CliRunner().invoke(app, ["games"])
    assert told.exit_code == 2
    assert fact in told.output


def test_a_game_of_ones_own_is_listed_with_the_others(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(engine.games, "__path__", [*engine.games.__path__])
    monkeypatch.setattr(GAMES, "_taken", {})
    monkeypatch.setenv("RIPOSTE_GAMES", str(Path(__file__).parent / "sixth_game"))
    told = CliRunner().invoke(app, ["games"])
    assert told.exit_code == 0
    assert "daisy" in told.output
