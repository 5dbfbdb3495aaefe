"""Known weaknesses of what is pinned, as pip-audit finds them in the advisories of the package index."""

import json
import subprocess
from pathlib import Path
from typing import Any, Final

from bot.console.checks import Finding, fault, ok, warn

LATER: Final = "Before a release, run `make release-check` where the index's advisories can be reached."
PATIENCE: Final = 600
"""Seconds."""


def audited(program: Path, lock: Path) -> list[Finding]:
    """Returns what is known against the distributions in a lock file.

    A service that cannot be reached, or that knows nothing of a distribution, is a warning and no fault: what it would
    have said is not known. pip-audit by itself ends well then, as if all had been looked up.
    """
    words: list[str | Path] = [program, "--requirement", lock, "--require-hashes", "--disable-pip", "--format", "json"]
    done = subprocess.run(
        [*words, "--progress-spinner", "off"], capture_output=True, text=True, check=False, timeout=PATIENCE
    )
    try:
        listed = json.loads(done.stdout)["dependencies"]
    except ValueError:
        why = (done.stderr.strip().splitlines() or ["it says nothing"])[-1]
        return [warn(f"NOT AUDITED: {lock.name}, for the advisories cannot be asked: {why}", LATER)]
    return found(lock.name, listed)


def found(name: str, listed: list[dict[str, Any]]) -> list[Finding]:
    """Returns the same of pip-audit's answer."""
    weak = [
        fault(
            f"{one['name']} {one['version']} in {name} has a known weakness, {hole['id']}",
            f"Mended in {', '.join(hole['fix_versions']) or 'no version yet'}: `make lock NEWEST=yes`, then test.",
        )
        for one in listed
        for hole in one.get("vulns", ())
    ]
    skipped = [one["name"] for one in listed if "skip_reason" in one]
    if skipped:
        fact = f"NOT AUDITED: {len(skipped)} of {len(listed)} in {name}, of which the advisories say nothing"
        return [*weak, warn(f"{fact} ({', '.join(skipped[:3])} …)", LATER)]
    return weak or [ok(f"nothing is known against the {len(listed)} in {name}")]
