"""Coverage-guided: `python -m tests.fuzz MINUTES [SEED]` reads whatever leads to code that was not run before.

A night for ten million inputs: `python -m tests.fuzz 480`. What is found lies in `.cache/fuzz`, is printed with its
reader, and is shown again by `python -m tests.fuzz again FILE`. How far it is stands in `.cache/fuzz/log-SEED`. Needs
atheris (`make fuzz` installs it).
"""

import contextlib
import logging
import os
import re
import subprocess
import sys
import tempfile
import time
import traceback
from pathlib import Path

import structlog

HOUSE = Path(__file__).parents[2]
FOLDER = HOUSE / ".cache/fuzz"
STUCK = 10
"""Seconds after which an input that is still being read is a finding."""


def main(words: list[str]) -> int:
    """Returns 1 if anything was found."""
    import bot.logs  # noqa: F401  (it sets up the log, which is then silenced)

    structlog.configure(wrapper_class=structlog.make_filtering_bound_logger(logging.CRITICAL))
    match words:
        case ["again", file]:
            return again(Path(file))
        case ["inside", folder, *given]:
            inside(Path(folder), given)
            return 0
    minutes, seed = float(words[0]) if words else 5.0, words[1] if len(words) > 1 else "1"
    with contextlib.ExitStack() as stack:
        found = Path(stack.enter_context(tempfile.TemporaryDirectory()))
        return fuzz(minutes, seed, found)


def fuzz(minutes: float, seed: str, folder: Path) -> int:
    """Run for so long, then read everything that was kept once more, without the instruments that take time."""
    from tests.fuzz.target import HEAD, LONGEST, corpus

    kept = FOLDER / "corpus"
    kept.mkdir(parents=True, exist_ok=True)
    for number, one in enumerate(corpus()):
        (kept / f"example-{number:04}").write_bytes(one.data)
    command = [sys.executable, "-m", "tests.fuzz", "inside", str(folder), str(kept)]
    command += [
        f"-max_total_time={round(minutes * 60)}",
        f"-seed={seed}",
        f"-max_len={HEAD + LONGEST}",
        "-rss_limit_mb=2048",
    ]
    command += [f"-timeout={STUCK}", f"-artifact_prefix={folder}/"]
    log = FOLDER / f"log-{seed}"
    with log.open("wb") as told:
        run = subprocess.run(command, cwd=HOUSE, env=_environment(), stdout=told, stderr=told, check=False)
    said = log.read_text("utf-8", "replace")
    counted = [max(map(int, re.findall(about, said)), default=0) for about in (r"#(\d+)\s", r"cov: (\d+)")]
    failed = sorted(folder.iterdir())
    for file in failed:
        (FOLDER / file.name).write_bytes(file.read_bytes())
        print(f"  python -m tests.fuzz again {FOLDER / file.name}")
    if run.returncode:
        print(said[-2000:])
    slowest, slow = timed(kept)
    print(
        f"{counted[0]} inputs, {counted[1]} places in the code, {len(failed)} faults; of "
        f"{len(list(kept.iterdir()))} that lead somewhere the slowest takes {slowest * 1000:.1f} ms, {slow} over 5 ms"
    )
    return bool(failed or slow or run.returncode)


def inside(folder: Path, given: list[str]) -> None:
    """The process that is instrumented; it notes what it finds, each fault once, and does not return."""
    import atheris

    with atheris.instrument_imports(include=["bot", "engine", "storage"]):
        from tests.fuzz.target import Input, corpus, read

        for example in corpus():  # what is only imported when it is needed is imported now
            with contextlib.suppress(Exception):
                read(example)
    known: set[str] = set()

    def one(data: bytes) -> None:
        try:
            read(Input.of(data))
        except Exception as error:
            where = traceback.extract_tb(error.__traceback__)[-1]
            name = f"{type(error).__name__}-{Path(where.filename).stem}-{where.lineno}"
            if name not in known:
                known.add(name)
                (folder / name).write_bytes(data)

    atheris.Setup([sys.argv[0], *given], one)
    atheris.Fuzz()


def timed(kept: Path) -> tuple[float, int]:
    """Seconds of the slowest input that was kept, and how many take too long; those are printed."""
    from tests.fuzz.target import ALLOWED, Input, spent

    slowest, slow = 0.0, 0
    took = 0.0
    for file in kept.iterdir():
        try:
            one = Input.of(file.read_bytes())
        except FileNotFoundError:  # a run beside this one has found something shorter
            continue
        with contextlib.suppress(Exception):  # it is among the faults
            took = spent(one)
        slowest = max(slowest, took)
        if took > ALLOWED:
            slow += 1
            print(f"  {took * 1000:.1f} ms: {one.whose.name}: {one.text[:80]!r}\n  python -m tests.fuzz again {file}")
    return slowest, slow


def again(file: Path) -> int:
    """Show one input once more."""
    from tests.fuzz.target import ALLOWED, Input, read, spent

    one = Input.of(file.read_bytes())
    print(f"{one.whose.name}: {one.text!r}")
    began = time.thread_time()
    read(one)
    print(f"read in {(time.thread_time() - began) * 1000:.1f} ms, at best in {spent(one) * 1000:.1f}")
    return spent(one) > ALLOWED


def _environment() -> dict[str, str]:
    return os.environ | {"PYTHONPATH": str(HOUSE)}


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
