"""The settings file that a host copies lists every setting with the default that the program has."""

from pathlib import Path

import pytest

from bot.settings import Settings, example


def test_the_example_file_is_what_the_settings_say() -> None:
    assert (Path(__file__).parents[1] / ".env.example").read_text("utf-8") == example()


def test_the_example_changes_nothing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    bare = Settings()
    (tmp_path / ".env").write_text(example(), "utf-8")
    assert Settings() == bare


def test_every_setting_is_explained_in_a_sentence() -> None:
    assert all((field.description or "").endswith((".", ".)")) for field in Settings.model_fields.values())
