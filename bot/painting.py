"""Draws pictures in threads, prepares marks for later ones, makes files smaller once nobody waits; replays in a
process of their own."""

import asyncio
from concurrent.futures import Future, ProcessPoolExecutor, ThreadPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from contextlib import suppress
from dataclasses import replace
from functools import partial
from typing import Final

import structlog

from bot.messages.catalogue import language
from bot.messages.model import Picture
from bot.messages.showing.pictures import diagram
from bot.messages.showing.replays import played
from bot.workers import workers
from render.charts import drawn, gathered
from render.painter import paint, polish, prepare
from render.view import View

log = structlog.get_logger(__name__)

IDLE: Final = 3.0
"""Seconds without a picture after which the latest are made smaller: that takes longer than painting them."""
PAINTERS: Final = 4
"""Threads that draw: one paints; that others wait tells it to hurry."""
LEISURE: Final = 60.0
"""Seconds after a replay in which the next one finds its worker still there."""


class Painting:
    """For one loop. A first board takes its time, so all is drawn in worker threads."""

    def __init__(self) -> None:
        # Not the loop's own: that tells the loop once more when all is prepared, and nobody waits for it.
        self._painters = ThreadPoolExecutor(PAINTERS, "painter")
        self._painted = 0.0
        self._waits = False
        """Whether polishing is due some time."""
        self._worker: ProcessPoolExecutor | None = None
        """The process that makes replays; ended when idle for a while."""
        self._replays = 0

    async def paint(self, picture: Picture) -> bytes:
        """Returns a picture as PNG; a replay as its form says."""
        if picture.form:
            return await self._replay(picture)
        loop = asyncio.get_running_loop()
        done: asyncio.Future[bytes] = loop.create_future()

        def draw() -> None:
            try:
                view = View(picture.theme or "light", picture.size, language(picture.language).say)
                painted = painted_now(picture, view)
                settle = partial(done.set_result, painted)
            except Exception as error:
                settle = partial(done.set_exception, error)
            with suppress(RuntimeError):  # the loop is closed
                loop.call_soon_threadsafe(lambda: done.done() or settle())
            prepare()  # while this one is being sent

        self._painters.submit(draw).add_done_callback(_told)
        self._painted = loop.time()
        if not self._waits:
            self._waits = True
            loop.call_later(IDLE, self._polish, loop)
        return await done

    async def _replay(self, picture: Picture) -> bytes:
        loop = asyncio.get_running_loop()
        if self._worker is None:
            self._worker = workers(1)
        self._replays += 1
        number = self._replays
        try:
            return await loop.run_in_executor(self._worker, played, picture)
        except BrokenProcessPool:  # it was killed: whoever tries again gets another
            self.close()
            raise
        finally:
            loop.call_later(LEISURE, self._end_worker, number)

    @property
    def workers(self) -> tuple[int, ...]:
        """The ids of the processes that make replays."""
        return () if self._worker is None else tuple(self._worker._processes)

    def close(self) -> None:
        """Ends the worker."""
        if self._worker is not None:
            self._worker.shutdown(wait=False, cancel_futures=True)
            self._worker = None

    def _end_worker(self, after: int) -> None:
        """Ends the worker if that replay was the last."""
        if after == self._replays:
            self.close()

    def _polish(self, loop: asyncio.AbstractEventLoop) -> None:
        if (rest := self._painted + IDLE - loop.time()) > 0:
            loop.call_later(rest, self._polish, loop)
            return
        self._waits = False
        with suppress(RuntimeError):  # the program is ending
            self._painters.submit(polish).add_done_callback(_told)


def painted_now(picture: Picture, view: View) -> bytes:
    """Returns a board, a table or a plot, or several boards on one sheet, as PNG."""
    if picture.sheet:
        small = replace(view, size=SMALL)
        return gathered([paint(diagram(one), small) for one in picture.sheet], view)
    return drawn(picture.chart, view) if picture.chart else paint(diagram(picture), view)


SMALL: Final = 480
"""The longer side, in pixels, of a board among others: in less, Tokonoma's tiles have no room for their names."""


def _told(done: Future[None]) -> None:
    if not done.cancelled() and (error := done.exception()):
        log.error("later pictures cannot be prepared", exc_info=error)
