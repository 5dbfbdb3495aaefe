"""Draws pictures off the loop, the next one of a match meanwhile, and makes them smaller once nobody waits for any."""

import asyncio
from contextlib import suppress
from functools import partial
from typing import Final

from bot.messages.catalogue import language
from bot.messages.model import Picture
from bot.messages.pictures import diagram
from render.painter import paint, polish, prepare
from render.view import View

IDLE: Final = 3.0
"""Seconds without a picture after which the latest are made smaller: that takes longer than painting them."""


class Painting:
    """For one loop. A first board takes its time, so all is drawn in worker threads."""

    def __init__(self) -> None:
        self._painted = 0.0
        self._waits = False
        """Whether polishing is due some time."""

    async def paint(self, picture: Picture) -> bytes:
        """Returns a picture as PNG."""
        loop = asyncio.get_running_loop()
        done: asyncio.Future[bytes] = loop.create_future()

        def draw() -> None:
            try:
                view = View(picture.theme or "light", picture.size, language(picture.language).say)
                settle = partial(done.set_result, paint(diagram(picture), view))
            except Exception as error:
                settle = partial(done.set_exception, error)
            with suppress(RuntimeError):  # the loop is closed
                loop.call_soon_threadsafe(lambda: done.done() or settle())
            prepare()  # while this one is being sent

        loop.run_in_executor(None, draw)
        self._painted = loop.time()
        if not self._waits:
            self._waits = True
            loop.call_later(IDLE, self._polish, loop)
        return await done

    def _polish(self, loop: asyncio.AbstractEventLoop) -> None:
        if (rest := self._painted + IDLE - loop.time()) > 0:
            loop.call_later(rest, self._polish, loop)
            return
        self._waits = False
        loop.run_in_executor(None, polish)
