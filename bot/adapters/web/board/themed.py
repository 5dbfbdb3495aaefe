"""The pictures of the talk in the colours of whoever looks: painted anew when somebody asks, and kept for the next."""

import asyncio
from collections.abc import Awaitable, Callable, Hashable
from dataclasses import replace
from typing import Final, TypeAlias

from bot.adapters.web.history.history import History
from bot.messages.model import Picture
from bot.messages.serialization import read_picture
from render.theme import THEMES

Paint: TypeAlias = Callable[[Picture], Awaitable[bytes]]
KEPT: Final = 64
"""Pictures in memory: a post is asked for by all tabs at once."""


class Themed:
    """What is chosen, animated or older than its description comes as it was posted."""

    def __init__(self, history: History, paint: Paint | None):
        self._history = history
        self._paint = paint
        self._painted: dict[Hashable, asyncio.Task[bytes]] = {}

    async def picture(self, token: str, theme: str) -> bytes | None:
        """A picture by its name; None where there is none. Raises OSError where it cannot be read."""
        if self._paint is None or theme not in THEMES:
            return await self._history.picture(token)
        painted = self._painted.get((token, theme))
        if painted is None:
            described = await self._history.described(token)
            picture = read_picture(described) if described else None
            if picture is None or picture.theme == theme:
                return await self._history.picture(token)
            painted = self._begun((token, theme), replace(picture, theme=theme))
        return await asyncio.shield(painted)  # others wait for it too

    async def painted(self, picture: Picture) -> bytes | None:
        """A picture that was never posted; None where nobody paints."""
        return await asyncio.shield(self._begun(picture, picture)) if self._paint else None

    def _begun(self, key: Hashable, picture: Picture) -> asyncio.Task[bytes]:
        assert self._paint is not None
        if key not in self._painted:
            task = self._painted[key] = asyncio.ensure_future(self._paint(picture))
            task.add_done_callback(lambda done: self._settled(key, done))
        return self._painted[key]

    def _settled(self, key: Hashable, done: asyncio.Task[bytes]) -> None:
        if done.cancelled() or done.exception() is not None:
            self._painted.pop(key, None)
        while len(self._painted) > KEPT:
            del self._painted[next(iter(self._painted))]
