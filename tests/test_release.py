"""What is given to others: few dependencies, licences that are known, and a wheel that is whole and always the same."""

import json
import os
import re
import subprocess
import sys
import tomllib
import zipfile
from pathlib import Path

import pytest

from tools.release import licences
from tools.release.audit import audited, found
from tools.release.compiled import MODULES
from tools.release.installed import answers, lacking
from tools.release.wheel import built, tracked

ROOT = Path(__file__).parents[1]
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))
LOCKS = sorted(ROOT.glob("requirements*.lock"))
OURS = [lock for lock in LOCKS if lock.stem != "requirements-release"]
"""Those that are installed beside each other."""
WEAK = [{"name": "oak", "version": "1.0", "vulns": [{"id": "PYSEC-2026-1", "fix_versions": ["1.1"]}]}]


WHERE = "import bot, engine, json, render; print(json.dumps([bot.__file__, engine.__file__, render.__file__]))"


def names(requirements: list[str]) -> set[str]:
    """What they ask for, spelt as locks spell it."""
    return {re.split(r"[\[>=; ]", one)[0].lower().replace(".", "-").replace("_", "-") for one in requirements}


# --- dependencies -------------------------------------------------------------------------------------------
def test_riposte_asks_for_sixteen_distributions_at_most() -> None:
    assert len(PROJECT["project"]["dependencies"]) <= 16


def test_everything_that_is_asked_for_is_pinned_with_hashes() -> None:
    extras = PROJECT["project"]["optional-dependencies"].values()
    asked = names([*PROJECT["project"]["dependencies"], *(one for extra in extras for one in extra)])
    assert asked <= set(licences.pinned(ROOT / "requirements.lock"))
    groups = {"requirements-dev": ("dev", "bench"), "requirements-mutants": ("mutants",)}
    for lock, wanted in {**groups, "requirements-release": ("release",)}.items():
        asked = names([one for group in wanted for one in PROJECT["dependency-groups"][group]])
        assert asked <= set(licences.pinned(ROOT / f"{lock}.lock")), lock
    for lock in LOCKS:
        for pinned in re.split(r"\n(?=\S)", lock.read_text("utf-8")):
            assert "==" not in pinned or "--hash=sha256:" in pinned, pinned


def test_what_is_installed_together_is_pinned_alike() -> None:
    pinned = [licences.pinned(lock) for lock in OURS]
    assert len(pinned) > 2
    for name in set().union(*pinned):
        assert len({tuple(one[name]) for one in pinned if name in one}) == 1, name


# --- licences -----------------------------------------------------------------------------------------------
def test_every_licence_is_allowed_and_told() -> None:
    assert [finding.state for finding in licences.findings()] == ["ok"]
    if os.environ.get("RIPOSTE_WRITE"):
        licences.PAGE.write_text(licences.page(), "utf-8")
    assert licences.PAGE.read_text("utf-8") == licences.page()


def test_a_licence_that_is_unknown_or_not_allowed_is_a_fault(monkeypatch: pytest.MonkeyPatch) -> None:
    for said in ("", "GPL-3.0-only", "MIT AND GPL-3.0-only", "MIT OR (ISC AND SSPL-1.0)"):
        monkeypatch.setitem(licences.READ, "aiohttp", said)  # type: ignore[misc]
        (finding,) = licences.findings()
        assert finding.state == "FAULT"
        assert finding.fact.startswith("aiohttp ")


# --- known weaknesses ---------------------------------------------------------------------------------------
def test_a_known_weakness_is_a_fault_that_names_its_remedy() -> None:
    (finding,) = found("requirements.lock", WEAK)
    assert str(finding).startswith(
        "FAULT: oak 1.0 in requirements.lock has a known weakness, PYSEC-2026-1. Mended in 1.1"
    )
    assert found("a.lock", [{"name": "oak", "version": "1.0", "vulns": []}])[0].state == "ok"


def test_what_nobody_could_look_up_is_said_aloud() -> None:
    skipped = [{"name": "elm", "skip_reason": "Dependency not found"}]
    weak, warning = found("requirements.lock", WEAK + skipped)
    assert (weak.state, warning.state) == ("FAULT", "warn")
    assert warning.fact.startswith("NOT AUDITED: 1 of 2 in requirements.lock")


def test_an_auditor_that_reaches_nobody_is_no_all_clear(tmp_path: Path) -> None:
    program = tmp_path / "pip-audit"
    program.write_text("#!/bin/sh\necho ERROR: no such host >&2\nexit 1\n")
    program.chmod(0o755)
    (finding,) = audited(program, ROOT / "requirements.lock")
    assert finding.state == "warn"
    assert finding.fact.endswith("the advisories cannot be asked: ERROR: no such host")


# --- the wheel ----------------------------------------------------------------------------------------------
@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return built(tmp_path_factory.mktemp("wheel"))


def test_the_same_sources_give_the_same_wheel(wheel: Path, tmp_path: Path) -> None:
    other, again = tmp_path / "elsewhere", tmp_path / "again"
    subprocess.run(["git", "clone", "--quiet", ROOT, other], check=True)
    for name in subprocess.run(
        ["git", "ls-files"], cwd=ROOT, capture_output=True, text=True, check=True
    ).stdout.split():
        if (ROOT / name).is_file():  # as it stands there now, by somebody with other habits, at another time
            (other / name).parent.mkdir(parents=True, exist_ok=True)
            (other / name).write_bytes((ROOT / name).read_bytes())
            (other / name).chmod(0o600)
            os.utime(other / name, (1_000_000_000, 1_000_000_000))
    subprocess.run(["git", "add", "--all"], cwd=other, check=True)
    again.mkdir()
    before = os.umask(0o077)
    try:
        made = built(again, root=other)
    finally:
        os.umask(before)
    assert made.name == wheel.name
    assert made.read_bytes() == wheel.read_bytes()


def test_the_wheel_holds_all_data_and_the_licences(wheel: Path) -> None:
    listed = zipfile.ZipFile(wheel).namelist()
    assert lacking(listed).state == "ok"
    font = next(name for name in listed if name.endswith(".otf"))
    assert font in lacking([name for name in listed if name != font]).fact
    kept = {name.partition("/licenses/")[2] for name in listed}
    assert set(PROJECT["project"]["license-files"]) <= kept


def test_from_the_wheel_alone_riposte_answers(wheel: Path, tmp_path: Path) -> None:
    site, away = tmp_path / "site", tmp_path / "away"
    pip = [sys.executable, "-m", "pip", "install", "--quiet", "--disable-pip-version-check", "--no-index", "--no-deps"]
    subprocess.run([*pip, "--target", site, wheel], check=True)
    away.mkdir()
    environment = {"PYTHONPATH": str(site)}
    where = subprocess.run(
        [sys.executable, "-c", WHERE],
        cwd=away, env=environment, capture_output=True, text=True, check=True,
    ).stdout  # fmt: skip
    assert all(Path(file).is_relative_to(site) for file in json.loads(where))
    told = list(answers([sys.executable, "-m", "bot"], away, environment))
    assert [finding.state for finding in told] == ["ok"] * 3, told


def test_what_is_compiled_is_there_and_the_pure_wheel_stays_the_usual_one(wheel: Path) -> None:
    assert set(MODULES) <= set(tracked())
    assert wheel.name.endswith("-py3-none-any.whl")
    assert not any(name.endswith(".so") for name in zipfile.ZipFile(wheel).namelist())
