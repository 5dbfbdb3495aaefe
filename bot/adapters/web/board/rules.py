"""The pages of the rules for everybody: text made beforehand (`tools/rules_pages`), pictures painted when asked for."""

import asyncio
from collections.abc import Mapping
from functools import cache
from importlib.resources import files
from typing import Final

from aiohttp import web

from bot.adapters.web.security import PageFile
from engine.games import GAMES
from engine.teaching.scenes import scenes
from render.scene import painted

DAY: Final = 86_400
THEMES: Final = ("light", "dark")


def add_to(router: web.UrlDispatcher) -> None:
    """Serve a page for each game, and its pictures."""
    router.add_get(r"/rules/{game:[a-z]+}", _page)
    router.add_get(r"/rules/{game:[a-z]+}/{name:[a-z0-9-]+}.png", _picture)


@cache
def _pages() -> Mapping[str, PageFile]:
    made = (files("bot.adapters.web") / "rules").iterdir()
    return {
        file.name.removesuffix(".html"): PageFile.of("text/html", file.read_bytes())
        for file in made
        if file.name.endswith(".html")
    }


async def _page(request: web.Request) -> web.Response:
    page = _pages().get(request.match_info["game"])
    if page is None:
        raise web.HTTPNotFound
    return page.served(request)


async def _picture(request: web.Request) -> web.Response:
    game, name, theme = GAMES.get(request.match_info["game"]), request.match_info["name"], request.query.get("theme")
    if game is None or name not in scenes(game):
        raise web.HTTPNotFound
    image = await asyncio.to_thread(painted, game, name, theme if theme in THEMES else "light")
    return web.Response(body=image, content_type="image/png", headers={"Cache-Control": f"public, max-age={DAY}"})
