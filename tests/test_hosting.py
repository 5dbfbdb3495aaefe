"""What hosts are given to install by fits the program: its commands, settings, packages, rights and times."""

import configparser
import json
import re
import tomllib
from pathlib import Path

from bot.adapters.discord.doctor import SCOPES
from bot.adapters.discord.rights import INVITED_WITH, NAMES, spelled
from bot.program import app
from bot.runtime.outbox import GRACE
from bot.runtime.supervisor import GOODBYE
from bot.settings import Settings

ROOT = Path(__file__).parents[1]
PAGE = (ROOT / "docs/hosting.md").read_text("utf-8")
README = (ROOT / "README.md").read_text("utf-8")
UNIT = (ROOT / "deploy/systemd/riposte.service").read_text("utf-8")
CONTAINER = (ROOT / "deploy/Dockerfile").read_text("utf-8")
COMMANDS = {command.name or getattr(command.callback, "__name__", "") for command in app.registered_commands}


class Every(dict[str, object]):
    """Of a name that is given twice, both values."""

    def __setitem__(self, name: str, value: object) -> None:
        known = self.get(name)
        both = isinstance(known, list) and isinstance(value, list)
        super().__setitem__(name, [*known, *value] if both else value)  # type: ignore[misc]


def unit() -> configparser.RawConfigParser:
    read = configparser.RawConfigParser(strict=False, dict_type=Every)
    read.read_string(UNIT)
    return read


def container(instruction: str) -> list[str]:
    whole = CONTAINER.replace("\\\n", " ")
    return re.findall(rf"^{instruction} (.*)$", whole, re.MULTILINE)


# --- the service --------------------------------------------------------------------------------------------
def test_the_service_runs_what_the_page_installs() -> None:
    service = unit()["Service"]
    program, command = service["ExecStart"].split()
    assert program == "/opt/riposte/.venv/bin/riposte"
    assert command in COMMANDS
    assert f"--home-dir {service['WorkingDirectory']} " in PAGE
    assert f"/var/lib/{service['StateDirectory']}" == service["WorkingDirectory"]
    assert f" {service['User']}\n" in PAGE
    assert program in PAGE


def test_the_service_waits_until_everybody_has_said_goodbye() -> None:
    assert int(unit()["Service"]["TimeoutStopSec"]) > GOODBYE + GRACE
    assert f"within {GOODBYE + GRACE:.0f} seconds" in PAGE


def test_the_service_may_write_to_its_own_folder_alone() -> None:
    service = unit()["Service"]
    assert service["ProtectSystem"] == "strict"
    assert service["NoNewPrivileges"] == "yes"
    assert service["UMask"] == "0077"
    assert "ReadWritePaths" not in service


def test_the_credential_that_the_unit_shows_is_a_setting() -> None:
    (name,) = re.findall(r"LoadCredential=riposte_(\w+):", UNIT)
    assert name in Settings.model_fields
    assert f"`riposte_{name}`" in PAGE


# --- the container ------------------------------------------------------------------------------------------
def test_the_container_takes_all_that_an_installation_needs() -> None:
    copied = {word for line in container("COPY") if "--from" not in line for word in line.split()[:-1]}
    assert all((ROOT / name).exists() for name in copied)
    project = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))
    packages = {name.rstrip("*") for name in project["tool"]["setuptools"]["packages"]["find"]["include"]}
    files = {project["project"]["readme"], *project["project"]["license-files"]}
    assert {name for name in {*packages, *files} if name.split("/")[0] not in copied} == set()


def test_the_container_installs_what_is_pinned_and_nothing_else() -> None:
    installed = [line for line in container("RUN") if "pip install" in line]
    assert ["--require-hashes -r requirements.lock" in line or "--no-deps" in line for line in installed] == [True] * 2


def test_the_container_runs_and_checks_what_there_is() -> None:
    (check,) = container("HEALTHCHECK")
    (run,) = container("CMD")
    for said in (run, check.partition(" CMD ")[2]):
        program, command, *_ = json.loads(said)
        assert program == "riposte"
        assert command in COMMANDS
    settings = re.findall(r"RIPOSTE_(\w+)=", " ".join(container("ENV")))
    assert {name.lower() for name in settings} <= set(Settings.model_fields)
    (volume,), (user,) = container("VOLUME"), container("USER")
    assert f"RIPOSTE_DATA={volume}" in " ".join(container("ENV"))
    assert user != "root"


# --- the link -----------------------------------------------------------------------------------------------
def test_the_page_tells_what_the_link_to_discord_asks_for() -> None:
    rights = [spelled(right) for right, needed in INVITED_WITH if needed]
    assert f"{INVITED_WITH.value}" in PAGE
    assert all(right in PAGE for right in rights)
    assert all(f"`{scope}`" in PAGE for scope in SCOPES)
    assert len(rights) == 7
    assert "the seven rights" in README
    assert set(NAMES) <= {right for right, _ in INVITED_WITH}


def test_the_pages_name_no_command_and_no_setting_that_is_not_there() -> None:
    for page in (README, PAGE, UNIT, CONTAINER):
        assert {name.lower() for name in re.findall(r"RIPOSTE_([A-Z_]+)", page)} <= set(Settings.model_fields)
        typed = re.findall(r"(?:`|bin/|exec riposte )riposte ([a-z]+)", page)
        assert {word for word in typed if not word.startswith("_")} <= COMMANDS


def test_neither_the_key_nor_matches_nor_backups_can_be_committed_by_mistake() -> None:
    kept = (ROOT / ".gitignore").read_text("utf-8").splitlines()
    assert {f"/{Settings().data}/", f"/{Settings().key.name}", ".env", "/backups/"} <= set(kept)
