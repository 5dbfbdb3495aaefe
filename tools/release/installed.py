"""Whether an installed Riposte does what it is for: examines a game, judges a turn, and serves the page."""

import json
import os
import re
import select
import signal
import subprocess
import urllib.request
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Final

from bot.console.checks import Finding, fault, ok
from tools.release.wheel import ROOT, data

PATIENCE: Final = 120
"""Seconds that a command may take."""
PAGES: Final = ("/", "/rules/tokonoma", "/rules/veney")
"""What is asked of the page."""


def answers(riposte: Sequence[str], folder: Path, environment: dict[str, str]) -> Iterator[Finding]:
    """Yields what each command does, typed as `riposte` in an empty folder, with nothing else in the environment."""
    env = {"PATH": os.environ["PATH"], "PYTHONUNBUFFERED": "1", **environment}
    game = folder / "daisy.py"
    game.write_text((ROOT / "tests/sixth_game/daisy.py").read_text("utf-8"), "utf-8")
    for words, expected in (
        (("check-game", game.name, "--examples", "5"), "Every property holds."),
        (("judge", "--game", "tokonoma", "--turn", "c7c5"), "tenable"),
    ):
        done = subprocess.run(
            [*riposte, *words], check=False, cwd=folder, env=env, capture_output=True, text=True, timeout=PATIENCE
        )
        said = f"`riposte {' '.join(words)}` answers"
        whole = done.returncode == 0 and expected in done.stdout.splitlines()
        yield ok(said) if whole else fault(f"{said} {done.stdout + done.stderr!r}", "Something is not in the wheel.")
    yield _serves(riposte, folder, env)


def _serves(riposte: Sequence[str], folder: Path, env: dict[str, str]) -> Finding:
    """Starts it, reads pages, and stops it."""
    served = {**env, "RIPOSTE_PORT": "0", "RIPOSTE_METRICS": ""}
    with subprocess.Popen([*riposte, "run"], cwd=folder, env=served, stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None, "it is a pipe"
        try:
            readable, _, _ = select.select([process.stdout], [], [], PATIENCE)
            line = process.stdout.readline() if readable else ""
            found = re.search(r"http://\S+", line)
            missing = [page for page in PAGES if not found or not _read(found[0].rstrip("/") + page)]
        finally:
            process.send_signal(signal.SIGTERM)
            code = process.wait(PATIENCE)
    if missing or code:
        return fault(f"`riposte run` does not serve {missing}, and ends with {code}", "Something is not in the wheel.")
    return ok(f"`riposte run` serves {', '.join(PAGES)}, and ends when told to")


def _read(address: str) -> bool:
    with urllib.request.urlopen(address, timeout=PATIENCE) as answer:  # noqa: S310  # the address that it has printed
        return answer.status == 200 and len(answer.read()) > 100


def lacking(listed: Sequence[str]) -> Finding:
    """Returns which data a wheel with these files lacks."""
    missing = sorted(data() - set(listed))
    if missing:
        return fault(f"the wheel lacks {', '.join(missing)}", "Name their kind in pyproject.toml, under package-data.")
    return ok(f"the wheel holds all {len(data())} files of data: fonts, catalogues, pages, statements")


def distributions(sbom: Path) -> int:
    """Returns how many components a bill of materials lists."""
    return len(json.loads(sbom.read_text("utf-8"))["components"])
