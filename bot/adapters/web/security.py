"""Who reaches the web room: this machine alone, under its own name, and the room's own page only."""

import errno
import socket
from collections.abc import Sequence
from importlib.resources import files
from pathlib import Path
from typing import Final

from aiohttp import web
from aiohttp.typedefs import Handler, Middleware

from bot.adapters.web.board.style import style_sheet
from bot.adapters.web.errors import Say, explained
from engine.text import Text

FOREIGN_NAME: Final = Text("The room opens only under the name localhost or 127.0.0.1.")


def bind(port: int) -> socket.socket:
    """The port or the next free one, on this machine's own address only."""
    for candidate in range(port, min(port + 100, 65536)) if port else (0,):
        bound = socket.socket(socket.AF_INET, socket.SOCK_STREAM)
        bound.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            bound.bind(("127.0.0.1", candidate))
            bound.listen()
        except OSError:
            bound.close()
        else:
            return bound
    raise OSError(errno.EADDRINUSE, f"There is no free port from {port} on. Name another: RIPOSTE_PORT=9000.")


_TYPES = {
    ".html": "text/html",
    ".css": "text/css",
    ".js": "text/javascript",
    ".svg": "image/svg+xml",
    ".txt": "text/plain",
}

_HEADERS = {
    "Content-Security-Policy": "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; "
    "connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Referrer-Policy": "no-referrer",
    "X-Content-Type-Options": "nosniff",
}

_OWN_NAMES = {"127.0.0.1", "localhost"}


def read_page() -> Sequence[tuple[str, tuple[str, bytes]]]:
    """The files of the page: each one's path, type and content."""
    page = files("bot.adapters.web") / "page"
    own = [(file.name, file) for file in page.iterdir() if file.is_file()]
    vendored = [(f"vendor/{file.name}", file) for file in (page / "vendor").iterdir()]
    found = [(f"/{name}", (_TYPES[Path(name).suffix], file.read_bytes())) for name, file in (*own, *vendored)]
    found.append(("/themes.css", ("text/css", style_sheet())))
    return [("/" if name == "/index.html" else name, content) for name, content in found]


def guard(say: Say) -> Middleware:
    """The middleware that turns away other names, and tells trouble in a sentence."""

    @web.middleware
    async def guarded(request: web.Request, handler: Handler) -> web.StreamResponse:
        # A page from elsewhere may point its own name at this machine; the browser still sends that name along.
        if (request.host or "").partition(":")[0] not in _OWN_NAMES:
            response: web.StreamResponse = refused(say(FOREIGN_NAME, ""))
        else:
            try:
                response = await handler(request)
            except web.HTTPException as error:
                response = web.Response(status=error.status, text=error.reason)
            except OSError as error:
                response = web.Response(status=503, text=explained(error, say, ""))
        if not response.prepared:
            response.headers.update(_HEADERS)
            response.headers.setdefault("Cache-Control", "no-cache")
        return response

    return guarded


def refused(because: str) -> web.Response:
    """A refusal with its reason."""
    return web.Response(status=403, text=because)
