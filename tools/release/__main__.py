"""`make release-check`: what must be so before a version is given to others, a line for each finding.

What it makes lies in `out/release`: the wheel, and its bill of materials (CycloneDX).
"""

import subprocess
import sys
import venv
import zipfile
from collections.abc import Iterator
from hashlib import sha256
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Final

from bot.console.checks import Finding, fault, ok
from tools.release import licences
from tools.release.audit import audited
from tools.release.installed import answers, distributions, lacking
from tools.release.wheel import ROOT, built

TOOLS: Final = ROOT / ".cache/release/bin"
OUT: Final = ROOT / "out/release"


def check() -> Iterator[Finding]:
    """Yields one finding after the other; a fault keeps nothing else from being looked at."""
    for lock in sorted(ROOT.glob("requirements*.lock")):
        yield from audited(TOOLS / "pip-audit", lock)
    yield from licences.findings()
    with TemporaryDirectory() as made:
        one, other = (built(_made(Path(made) / name)) for name in ("one", "other"))
        yield _same(one, other)
        yield lacking(zipfile.ZipFile(one).namelist())
        OUT.mkdir(parents=True, exist_ok=True)
        wheel = OUT / one.name
        wheel.write_bytes(one.read_bytes())
        python = _installed(Path(made) / "clean", wheel)
        yield from answers([str(python.with_name("riposte"))], _made(Path(made) / "away"), {})
        yield _listed(python)


def _same(one: Path, other: Path) -> Finding:
    digests = [sha256(wheel.read_bytes()).hexdigest() for wheel in (one, other)]
    if digests[0] != digests[1]:
        return fault(f"two wheels of the same sources differ: {digests}", "Compare them, with diffoscope say.")
    return ok(f"built twice, {one.name} is the same: sha256 {digests[0]}")


def _installed(folder: Path, wheel: Path) -> Path:
    """Returns the Python of a new environment that holds the wheel, what it needs, and nothing else."""
    venv.create(folder, with_pip=True)
    python = folder / "bin/python"
    pip: list[str | Path] = [python, "-m", "pip", "install", "--quiet", "--disable-pip-version-check"]
    subprocess.run([*pip, "--require-hashes", "-r", ROOT / "requirements.lock"], check=True)
    subprocess.run([*pip, "--no-deps", "--no-index", wheel], check=True)
    return python


def _listed(python: Path) -> Finding:
    """Writes the bill of materials of an environment."""
    bill = OUT / "riposte.cdx.json"
    words: list[str | Path] = [
        "environment",
        "--output-reproducible",
        "--validate",
        "--pyproject",
        ROOT / "pyproject.toml",
    ]
    subprocess.run([TOOLS / "cyclonedx-py", *words, "--output-file", bill, python], check=True)
    return ok(f"{bill.relative_to(ROOT)} lists the {distributions(bill)} distributions that were installed")


def _made(folder: Path) -> Path:
    folder.mkdir()
    return folder


def main() -> None:
    """Print each finding as soon as it is made; end with 1 if one is a fault."""
    faults = 0
    for finding in check():
        print(finding, flush=True)
        faults += finding.state == "FAULT"
    sys.exit(1 if faults else 0)


if __name__ == "__main__":
    main()
