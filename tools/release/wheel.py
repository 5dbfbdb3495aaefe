"""The wheel, built so that the same sources give the same bytes: `python -m tools.release.wheel FOLDER`."""

import os
import shutil
import subprocess
import sys
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Final

ROOT: Final = Path(__file__).parents[2]
PACKAGES: Final = ("bot", "engine", "render", "storage")
SOURCES_ONLY: Final = {".po", ".pot"}
"""What translators edit; what is read from it, `.mo`, is in the wheel."""


def built(folder: Path, *, root: Path = ROOT, setup: str = "") -> Path:
    """Returns the wheel of all that git tracks in `root`, as it stands there, made in an empty folder.

    Neither the time, nor the folder, nor the rights that a checkout gave its files show in it. `setup` is what a
    setup.py says besides.
    """
    epoch = _git(root, "log", "-1", "--format=%ct").strip()
    with TemporaryDirectory() as made:
        sources = Path(made) / "riposte"
        for name in tracked(root):
            copy = sources / name
            copy.parent.mkdir(parents=True, exist_ok=True)
            shutil.copyfile(root / name, copy)
            copy.chmod(0o644)
        if setup:
            (sources / "setup.py").write_text(setup, "utf-8")
        pip = (sys.executable, "-m", "pip", "wheel", "--quiet", "--disable-pip-version-check", "--no-index")
        environment = {**os.environ, "SOURCE_DATE_EPOCH": epoch}
        subprocess.run(
            [*pip, "--no-deps", "--no-build-isolation", "--wheel-dir", folder.resolve(), "."],
            cwd=sources,
            env=environment,
            umask=0o022,
            check=True,
        )
    (wheel,) = folder.glob("*.whl")
    return wheel


def tracked(root: Path = ROOT) -> list[str]:
    """Returns the names of all files that git tracks and that are there, sorted."""
    return sorted(name for name in _git(root, "ls-files", "-z").split("\0") if name and (root / name).is_file())


def data(root: Path = ROOT) -> set[str]:
    """Returns the names of all that the program reads besides code: fonts, pages, catalogues, statements."""
    kept = {Path(name) for name in tracked(root) if name.split("/")[0] in PACKAGES}
    return {file.as_posix() for file in kept if file.suffix not in {".py", *SOURCES_ONLY}}


def _git(root: Path, *words: str) -> str:
    return subprocess.run(["git", *words], cwd=root, capture_output=True, text=True, check=True).stdout


if __name__ == "__main__":
    print(built(Path(sys.argv[1])))
