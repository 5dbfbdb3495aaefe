"""The licences of all that Riposte runs on: `python -m tools.release.licences` writes `docs/licences.md` anew.

Each distribution is asked for its own; the versions are those of `requirements.lock`.
"""

import re
from importlib.metadata import PackageNotFoundError, metadata
from pathlib import Path
from typing import Final

from bot.console.checks import Finding, fault, ok

ROOT: Final = Path(__file__).parents[2]
PAGE: Final = ROOT / "docs/licences.md"
ALLOWED: Final = frozenset({
    "Apache-2.0", "BSD-2-Clause", "BSD-3-Clause", "ISC", "MIT", "MIT-0", "MIT-CMU", "MPL-2.0", "PSF-2.0", "Unlicense",
})  # fmt: skip
"""By their SPDX names: what may be used, and handed on with Riposte, by everybody."""
READ: Final = {
    "audioop-lts": "PSF-2.0",  # only where Python is 3.13 or newer
    "colorama": "BSD-3-Clause",  # only on Windows
    "matrix-nio": "ISC",
    "peewee": "MIT",
    "vodozemac": "MIT",
}
"""What is not told by the distribution, or not by its SPDX name, or where that is not installed: read in its file."""
SPELT: Final = {
    "Apache 2.0": "Apache-2.0",
    "Apache Software License": "Apache-2.0",
    "ISC License": "ISC",
    "ISC License (ISCL)": "ISC",
    "MIT License": "MIT",
}
"""Other names, by which distributions and their classifiers call them."""
HEAD: Final = """# Licences

What Riposte runs on, with all that this brings along, as `requirements.lock` pins it for every machine and Python.
`python -m tools.release.licences` writes this page, and a test holds it to the lock. What comes with Riposte itself
is told in [NOTICE](../NOTICE).

| distribution | version | licence |
|---|---|---|
"""


def pinned(lock: Path) -> dict[str, list[str]]:
    """Returns the versions of each distribution in a lock file; several where they depend on the machine."""
    found: dict[str, list[str]] = {}
    for name, version in re.findall(r"^([a-z0-9-]+)==(\S+)", lock.read_text("utf-8"), re.MULTILINE):
        found.setdefault(name, []).append(version)
    return found


def licence(name: str) -> str:
    """Returns a distribution's licence as an SPDX expression; "" if it does not tell."""
    if name in READ:
        return READ[name]
    try:
        told = metadata(name)
    except PackageNotFoundError:
        return ""
    classified = [one.rpartition(" :: ")[2] for one in told.get_all("Classifier", []) if one.startswith("License ::")]
    said = next((told[field] for field in ("License-Expression", "License") if field in told), "")
    if len(said) > 40 or not said:  # the whole text, or nothing
        said = " AND ".join(SPELT.get(one, one) for one in classified)
    return SPELT.get(said, said)


def page() -> str:
    """Returns the whole page."""
    found = pinned(ROOT / "requirements.lock")
    return HEAD + "".join(f"| {name} | {', '.join(found[name])} | {licence(name)} |\n" for name in sorted(found))


def findings() -> list[Finding]:
    """Returns what is wrong with the licences, or that nothing is."""
    found = {name: licence(name) for name in pinned(ROOT / "requirements.lock")}
    unknown = "Read its licence file: if it may be used, write it into tools/release/licences.py; else do without it."
    wrong = [
        fault(f"{name} has the licence {said or 'nobody knows which'}, which is not among those allowed", unknown)
        for name, said in found.items()
        if not set(re.split(r" (?:AND|OR) |[()]", said)) - {""} <= ALLOWED or not said
    ]
    return wrong or [ok(f"{len(found)} distributions, each under a licence that is allowed")]


if __name__ == "__main__":
    PAGE.write_text(page(), "utf-8")
