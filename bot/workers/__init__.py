"""Worker processes, for what takes longer than the event loop may wait: thinking about a turn, making a replay."""

import os
import signal
import threading
from concurrent.futures import ProcessPoolExecutor
from multiprocessing import get_context, parent_process
from multiprocessing.process import BaseProcess
from typing import Final

NICE: Final = 10
"""How nice they are: people's turns go first."""


def workers(count: int) -> ProcessPoolExecutor:
    """Returns a pool of so many, each started when it is needed."""
    return ProcessPoolExecutor(count, get_context("spawn"), _set_up)


def _set_up() -> None:
    """Sets a worker process up: a low priority, Ctrl-C left to the program, and an end with it however that ends."""
    os.nice(NICE)
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    threading.Thread(target=_end_with, args=(parent_process(),), daemon=True).start()


def _end_with(program: BaseProcess | None) -> None:
    if program is not None:
        program.join()
        os._exit(0)
