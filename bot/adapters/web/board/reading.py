"""The page of a match for whoever has a link to it: everybody may read what stands in an open place."""

from collections.abc import Awaitable, Callable
from typing import Annotated, Final, TypeAlias

import msgspec
from aiohttp import web
from msgspec import Meta, Struct

from bot.adapters.web.board.shown import shown
from bot.adapters.web.errors import Say, explained
from bot.adapters.web.protocol import language_tag
from bot.messages.catalogue import beside
from bot.service.composing import Board, Glance
from engine.text import Text

NOWHERE: Final = Text("There is no match {match} that everybody may read.")
"""The same for a private match, one that has not begun and one that never was."""

Watch: TypeAlias = Callable[[str, Glance], Awaitable[Board | None]]
"""What everybody may see of a match; None where there is no board for everybody."""


class _Asked(Struct):
    """What the page asks for, as in `protocol.Look`."""

    shown: int | None = None
    called: int | None = None
    known: Annotated[str, Meta(max_length=200)] = ""
    heard: Annotated[int, Meta(ge=0, le=2**53)] = 0
    side: Annotated[str, Meta(max_length=20)] = ""
    site: Annotated[str, Meta(max_length=40)] = ""


class Reading:
    """Nothing here depends on who asks, and nothing can be changed from here."""

    def __init__(self, watch: Watch, clock: Callable[[], int], say: Say):
        self._watch = watch
        self._clock = clock
        self._say = say

    def add_to(self, router: web.UrlDispatcher, page: Callable[[web.Request], Awaitable[web.Response]]) -> None:
        """Serve the page of every match, and what it asks for."""
        router.add_get(r"/match/{match:\d{1,9}}", page)
        router.add_get(r"/match/{match:\d{1,9}}/board", self._board)

    async def _board(self, request: web.Request) -> web.Response:
        number, language = request.match_info["match"], language_tag(request.query.get("language", ""))
        try:
            asked = msgspec.convert(dict(request.query), _Asked, strict=False)
            glance = Glance((), asked.shown, asked.called, asked.side, heard=asked.heard, site=asked.site)
            found = await self._watch(number, glance)
        except msgspec.ValidationError:
            raise web.HTTPBadRequest from None
        except OSError as error:
            return web.json_response({"because": explained(error, self._say, language)})
        if found is None:
            because = self._say(Text(NOWHERE.template, match=number), language)
            return web.json_response({"because": because}, status=404)
        if asked.site:
            told = beside(str(self._say(text, language)) for text in found.told)
            return web.json_response({"site": asked.site, "told": told})
        board = shown(found, lambda text: str(self._say(text, language)), asked.known, asked.heard)
        return web.json_response({"now": self._clock(), "game": found.match.game.key, **board})
