"""The page of a match for whoever has a link to it: everybody may read what stands in an open place."""

from collections.abc import Awaitable, Callable
from html import escape
from typing import Annotated, Final, TypeAlias
from urllib.parse import urlencode

import msgspec
from aiohttp import web
from aiohttp.typedefs import Handler
from msgspec import Meta, Struct

from bot.adapters.images import image_of
from bot.adapters.web.board.geometry import Told
from bot.adapters.web.board.shown import named_player, names_of, shown
from bot.adapters.web.errors import Say, explained
from bot.adapters.web.protocol import language_tag
from bot.messages.catalogue import beside, language
from bot.messages.model import Picture
from bot.messages.sentences import result
from bot.messages.showing.match_pictures import standing
from bot.messages.showing.pictures import alt, in_language
from bot.runtime.admission import TOO_MUCH_AT_ONCE
from bot.service.composing import Board, Glance
from engine.text import Duration, Listing, Text

NOWHERE: Final = Text("There is no match {match} that everybody may read.")
"""The same for a private match, one that has not begun and one that never was."""

Painted: TypeAlias = Callable[[Picture], Awaitable[bytes | None]]
"""Paints a picture, or has it still; None where nobody paints."""

Origin: TypeAlias = Callable[[web.Request], str]
"""The address, without a path, under which the page was asked for."""

Serve: TypeAlias = Callable[[web.Request, str], web.Response]
"""Sends the page with more in its head."""

Pause: TypeAlias = Callable[[web.Request], int]
"""For how many milliseconds nothing that costs time is read to whoever asks; 0 = it is."""

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

    def add_to(self, router: web.UrlDispatcher, serve: Serve, pause: Pause, paint: Painted, origin: Origin) -> None:
        """Serve the page of every match, and what it asks for."""

        async def page(request: web.Request) -> web.Response:
            return serve(request, "" if pause(request) else await self._head(request, origin(request)))

        def unless_too_much(answer: Callable[[web.Request], Awaitable[web.Response]]) -> Handler:
            async def answered(request: web.Request) -> web.Response:
                wait = pause(request)
                return self._too_much(request, wait) if wait else await answer(request)

            return answered

        async def picture(request: web.Request) -> web.Response:
            return await self._picture(request, paint)

        router.add_get(r"/match/{match:\d{1,9}}", page)
        router.add_get(r"/match/{match:\d{1,9}}/board", unless_too_much(self._board))
        router.add_get(r"/match/{match:\d{1,9}}/board.png", unless_too_much(picture))

    def _too_much(self, request: web.Request, wait: int) -> web.Response:
        seconds = -(-wait // 1000)
        said = Text(TOO_MUCH_AT_ONCE.template, time=Duration(seconds * 1000))
        because = self._say(said, language_tag(request.query.get("language", "")))
        return web.json_response({"because": because}, status=429, headers={"Retry-After": str(seconds)})

    async def _picture(self, request: web.Request, paint: Painted) -> web.Response:
        """The match as it stands, as everybody may see it: what chats show of a link."""
        number, spoken = request.match_info["match"], language_tag(request.query.get("language", ""))
        board = await self._watch(number, Glance())
        image = await paint(_pictured(board, spoken)) if board is not None else None
        if image is None:
            return web.Response(status=404, text=str(self._say(Text(NOWHERE.template, match=number), spoken)))
        return web.Response(body=image, content_type=image_of(image).type, headers={"Cache-Control": "max-age=60"})

    async def _head(self, request: web.Request, origin: str) -> str:
        """Who plays what, and how it stands: what chats show of a link. The same for all; "" where nobody may read."""
        try:
            board = await self._watch(request.match_info["match"], Glance())
        except OSError:
            return ""  # the page says so itself
        if board is None:
            return ""
        spoken = language_tag(request.query.get("language", ""))
        title, about = _headline(board, lambda text: str(self._say(text, spoken)))
        named = {"og:site_name": "Riposte", "og:type": "website", "og:title": title, "og:description": about}
        # A number of its own for each board: chats keep a picture by its address.
        asked = {"after": board.match.length} | ({"language": spoken} if spoken else {})
        named["og:image"] = f"{origin}/match/{board.match.id}/board.png?{urlencode(asked)}"
        named |= {"og:image:alt": alt(_pictured(board, spoken), spoken), "twitter:card": "summary_large_image"}
        tags = (f'<meta property="{name}" content="{escape(text)}">' for name, text in named.items())
        return "\n".join((f"<title>{escape(title)}</title>", *tags))

    async def _board(self, request: web.Request) -> web.Response:
        number, spoken = request.match_info["match"], language_tag(request.query.get("language", ""))
        try:
            asked = msgspec.convert(dict(request.query), _Asked, strict=False)
            glance = Glance((), asked.shown, asked.called, asked.side, heard=asked.heard, site=asked.site)
            found = await self._watch(number, glance)
        except msgspec.ValidationError:
            raise web.HTTPBadRequest from None
        except OSError as error:
            return web.json_response({"because": explained(error, self._say, spoken)})
        if found is None:
            because = self._say(Text(NOWHERE.template, match=number), spoken)
            return web.json_response({"because": because}, status=404)
        if asked.site:
            told = beside(str(self._say(text, spoken)) for text in found.told)
            return web.json_response({"site": asked.site, "told": told})
        board = shown(found, lambda text: str(self._say(text, spoken)), asked.known, asked.heard)
        return web.json_response({"now": self._clock(), "game": found.match.game.key, **board})


def _pictured(board: Board, spoken: str) -> Picture:
    return in_language(standing(board.match, names_of(board), None), language(spoken).code, "light")


def _headline(board: Board, told: Told) -> tuple[str, str]:
    """Which match it is, and whose turn it is or how it ended."""
    match, names = board.match, names_of(board)
    players = Listing(tuple(named_player(match.seats[side], names, told) for side in board.players), "unit")
    title = Text("{game}, match {match}: {players}", game=match.game.name, match=match.id, players=players)
    if match.result:
        return told(title), told(result(match, match.result, names)[0])
    return told(title), told(Text("{side} to move.", side=match.game.names[match.game.to_act(match.position)]))
