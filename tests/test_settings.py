"""The settings file that a host copies lists every setting with the default that the program has."""

import traceback
import zlib
from pathlib import Path

import pytest
from pydantic import ValidationError
from typer.testing import CliRunner

import engine.games
from bot.app import run
from bot.program import app
from bot.settings import Settings, Shards, example, exposed, settings
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
        ("PORT", "abc", "RIPOSTE_PORT cannot be 'abc': it is a whole number from 0 to 65535. Write one of these"),
        ("PORT", "70000", "RIPOSTE_PORT cannot be '70000': it is a whole number from 0 to 65535"),
        ("LOG", "loud", "RIPOSTE_LOG cannot be 'loud': it is debug, info, warning or error. Write one of these"),
        ("DISCORD_CONTENT", "maybe", "RIPOSTE_DISCORD_CONTENT cannot be 'maybe': it is yes or no."),
        ("GAMES", "nowhere", "RIPOSTE_GAMES is nowhere, and there is no such folder"),
        ("DATA", "file", "The folder file cannot be made"),
        ("LOG_FOLDER", "file", "The folder file cannot be made"),
        ("LOG_DAYS", "0", "RIPOSTE_LOG_DAYS cannot be '0': it is a whole number from 1 to 365"),
        ("DATABASE", "file/riposte.db", "The folder file cannot be made"),
        ("DATABASE", "mysql://here", "There is no store for 'mysql://here'"),
        ("REPLICA", "postgresql://127.0.0.1/riposte", "RIPOSTE_REPLICA is a PostgreSQL that follows the one in"),
        ("PARTNER", "elsewhere", "RIPOSTE_PARTNER=elsewhere needs RIPOSTE_SEVERAL=yes"),
        ("WEB", "maybe", "RIPOSTE_WEB cannot be 'maybe'"),
        ("DISCORD_TOKEN", "to ken", "RIPOSTE_DISCORD_TOKEN cannot be what it is: it holds a space"),
        ("DISCORD_SHARDS", "3-1/2", "write which shards of how many, like 0-3/16"),
        ("MATRIX_HOMESERVER", "example.org", "write its address, like https://matrix.example.org"),
        ("MATRIX_HOMESERVER", "https://example.org", "RIPOSTE_MATRIX_USER is missing"),
        ("MATRIX_USER", "riposte", "write the whole id, like @riposte:example.org"),
        ("MATRIX_USER", "@riposte:example.org", "RIPOSTE_MATRIX_HOMESERVER is missing"),
        ("MATRIX_PREFIX", "ri poste", "RIPOSTE_MATRIX_PREFIX cannot be 'ri poste': write one word of at most 20"),
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


def test_settings_that_may_not_be_read_are_told_in_a_sentence(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    Path(".env").write_bytes(b"RIPOSTE_DATA=\xff\n")
    told = CliRunner().invoke(app, ["run"])
    assert told.exit_code == 2
    assert told.output.startswith("The settings in .env cannot be read")


# --- secrets ------------------------------------------------------------------------------------------------
CANARY = "canary-8ad2"
SECRET = ("DISCORD_TOKEN", "MATRIX_PASSWORD", "MATRIX_TOKEN")


def test_no_secret_is_shown(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in SECRET:
        monkeypatch.setenv(f"RIPOSTE_{name}", CANARY)
    made = Settings()
    assert made.secrets == (CANARY,) * len(SECRET)
    assert CANARY not in f"{made} {made!r} {made.model_dump()} {made.model_dump_json()}"


@pytest.mark.parametrize("name", SECRET)
def test_no_secret_is_shown_where_it_cannot_be_used(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(f"RIPOSTE_{name}", f"{CANARY} {CANARY}")
    monkeypatch.setenv("RIPOSTE_PORT", "none")
    monkeypatch.setenv("RIPOSTE_MATRIX_USER", "nobody")
    with pytest.raises(ValidationError) as told:
        Settings()
    assert CANARY not in str(told.value)
    assert CANARY not in "".join(traceback.format_exception(told.value))
    assert CANARY not in CliRunner().invoke(app, ["run"]).output


def test_a_service_finds_its_secrets_in_files(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("CREDENTIALS_DIRECTORY", str(tmp_path))
    Path("riposte_discord_token").write_text(f"{CANARY}\n")
    assert settings().discord_token.get_secret_value() == CANARY
    monkeypatch.setenv("RIPOSTE_DISCORD_TOKEN", "nearer")
    assert settings().discord_token.get_secret_value() == "nearer"


@pytest.mark.parametrize(
    ("mode", "text", "warned"),
    [
        (0o644, f"RIPOSTE_DISCORD_TOKEN={CANARY}", True),
        (0o640, f"A=b\nexport riposte_matrix_password = {CANARY}", True),
        (0o600, f"RIPOSTE_DISCORD_TOKEN={CANARY}", False),
        (0o644, "RIPOSTE_DISCORD_TOKEN=\nRIPOSTE_PORT=80", False),
        (0o644, f"# RIPOSTE_DISCORD_TOKEN={CANARY}", False),
    ],
)
def test_a_file_with_secrets_that_others_may_read_is_warned_of(
    mode: int, text: str, warned: bool, tmp_path: Path
) -> None:
    file = tmp_path / ".env"
    file.write_text(text)
    file.chmod(mode)
    told = exposed(file)
    assert bool(told) is warned
    assert CANARY not in told
    assert not exposed(tmp_path / "none")


def test_the_start_warns_of_a_file_with_secrets_that_others_may_read(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    Path(".env").write_text(f"RIPOSTE_MATRIX_PASSWORD={CANARY}\nRIPOSTE_WEB=no\n")
    Path(".env").chmod(0o644)
    assert run(settings()) == 1
    warned, refused = capfd.readouterr().err.splitlines()
    assert "Close it: `chmod 600 .env`." in warned
    assert refused.startswith("There is nothing to serve")


# --- what is set up -----------------------------------------------------------------------------------------
@pytest.mark.parametrize(
    ("web", "token", "opens"),
    [("auto", "", True), ("auto", "x", False), ("yes", "x", True), ("no", "x", False), ("no", "", False)],
)
def test_the_web_room_opens_where_there_is_nothing_else_or_it_is_asked_for(web: str, token: str, opens: bool) -> None:
    made = Settings.model_validate({"web": web, "discord_token": token})
    assert made.web_room is opens
    assert made.discord is bool(token)


@pytest.mark.parametrize(
    ("said", "shards"), [("", None), ("0-3/16", Shards((0, 1, 2, 3), 16)), ("5/8", Shards((5,), 8))]
)
def test_a_process_may_serve_a_part_of_discord(said: str, shards: Shards | None) -> None:
    assert Settings.model_validate({"discord_shards": said}).shards == shards


def test_lists_are_read_word_by_word() -> None:
    made = Settings.model_validate({"matrix_invites": "example.org, @ben:b.example", "matrix_ignored": " @c:d  @e:f "})
    assert made.invites == ("example.org", "@ben:b.example")
    assert made.ignored == ("@c:d", "@e:f")
    assert Settings().invites == ("everybody",)
    assert Settings().ignored == ()


# --- games of one's own -------------------------------------------------------------------------------------
@pytest.mark.parametrize(
    ("code", "fact"),
    [
        ("1 / 0", "does not work: ZeroDivisionError"),
        ("x = 1", "It holds no `GAME`. End it with a line like `GAME = Daisy()`."),
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


def test_what_games_of_ones_own_share_may_lie_beside_them(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(engine.games, "__path__", [*engine.games.__path__])
    (tmp_path / "_shared.py").write_text("PETALS = 7")
    monkeypatch.setenv("RIPOSTE_GAMES", str(tmp_path))
    told = CliRunner().invoke(app, ["games"])
    assert told.exit_code == 0, told.output


@pytest.mark.parametrize("setting", ["DISCORD_TOKEN", "PUBLIC_URL", "PORT"])
def test_a_setting_that_is_no_text_is_told_in_a_sentence(setting: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(f"RIPOSTE_{setting}", "\udcff\udcfe")  # what bytes that are no text are to Python
    told = CliRunner().invoke(app, ["run"])
    assert told.exit_code == 2
    assert isinstance(told.exception, SystemExit)


def test_whoever_only_thinks_is_told_what_is_missing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    told = CliRunner().invoke(app, ["partner"])
    assert told.exit_code != 0
    assert "Set RIPOSTE_SEVERAL=yes for all of them." in told.output
    monkeypatch.setenv("RIPOSTE_SEVERAL", "yes")
    monkeypatch.setenv("RIPOSTE_DATABASE", "postgresql://riposte:hunter2@127.0.0.1:9/riposte")
    told = CliRunner().invoke(app, ["partner"])
    assert told.exit_code != 0
    assert "The key of the database is not at" in told.output
    (tmp_path / "data.key").write_bytes(b"x")
    told = CliRunner().invoke(app, ["partner"])
    assert told.exit_code != 0
    assert "cannot be reached" in told.output
    assert "hunter2" not in told.output
