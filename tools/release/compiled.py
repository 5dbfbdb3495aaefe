"""`make compiled`: a wheel whose hottest parts of the engine are machine code, made by mypyc from the same sources.

The pure wheel stays the one that is given to others: this one fits one Python on one kind of machine.
"""

import shutil
import subprocess
import sys
from pathlib import Path
from typing import Final

from tools.release.wheel import ROOT, built

MODULES: Final = (
    *(f"engine/games/tokonoma/{role}.py" for role in ("attack", "board", "generate", "judge", "play", "position")),
)
"""What is compiled; whoever adds to it runs that game's tests as `make compiled` does."""
SETUP: Final = """from mypyc.build import mypycify
from setuptools import setup

setup(ext_modules=mypycify(["--config-file", "pyproject.toml", *{modules!r}], opt_level="3"))
"""
OUT: Final = ROOT / "out/compiled"


def main() -> None:
    """Build the wheel into `out/compiled`, and unpack it there, in `site`."""
    shutil.rmtree(OUT, ignore_errors=True)
    OUT.mkdir(parents=True)
    wheel = built(OUT, setup=SETUP.format(modules=MODULES))
    pip = [sys.executable, "-m", "pip", "install", "--quiet", "--disable-pip-version-check", "--no-index", "--no-deps"]
    subprocess.run([*pip, "--target", str(OUT / "site"), str(wheel)], check=True)
    print(Path(wheel).relative_to(ROOT))


if __name__ == "__main__":
    main()
