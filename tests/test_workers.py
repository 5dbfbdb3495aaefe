"""Worker processes end with the program, however that ends."""

import os
import select
import signal
import subprocess
import sys
from pathlib import Path

PROGRAM = """
import os, signal
from bot.workers import workers

if __name__ == "__main__":
    pool = workers(1)
    print(pool.submit(os.getpid).result(), flush=True)
    signal.pause()
"""
PATIENCE = 20_000
"""Milliseconds."""


def test_no_worker_outlives_a_program_that_is_killed(tmp_path: Path) -> None:
    file = tmp_path / "program.py"
    file.write_text(PROGRAM, "utf-8")
    surroundings = os.environ | {"PYTHONPATH": str(Path(__file__).parents[1])}
    with subprocess.Popen([sys.executable, file], stdout=subprocess.PIPE, env=surroundings) as program:
        assert program.stdout is not None
        worker = os.pidfd_open(int(program.stdout.readline()))
        program.send_signal(signal.SIGKILL)
    ended = select.poll()
    ended.register(worker, select.POLLIN)
    assert ended.poll(PATIENCE), "it goes on without anybody who could use it"
    os.close(worker)
