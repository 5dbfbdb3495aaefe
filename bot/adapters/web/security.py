"""Who reaches the web room: this machine alone, under its own name, and the room's own page only."""

import errno
import gzip
import re
import socket
from collections.abc import Sequence
from dataclasses import dataclass
from hashlib import sha256
from ipaddress import IPv4Address, ip_address, ip_network
from pathlib import Path
from typing import Final
from urllib.parse import urlsplit

from aiohttp import web
from aiohttp.typedefs import Handler, Middleware

from bot.adapters.web.board.style import style_sheet
from bot.adapters.web.errors import Say, explained
from bot.adapters.web.limits import CROWDED, Limits
from bot.adapters.web.templates import page_files
from engine.text import Text

FOREIGN_NAME: Final = Text(
    "The room opens only under the name localhost or 127.0.0.1, or under the address in {setting}.",
    setting="RIPOSTE_PUBLIC_URL",
)
FOREIGN_PAGE: Final = Text("Only the room's own page may talk to it.")

_LOCAL: Final = re.compile(r"(127\.0\.0\.1|localhost)(:\d{1,5})?")
_FORWARDED: Final = ("Forwarded", "X-Forwarded-For", "X-Forwarded-Host", "X-Real-IP", "Via")
"""What a proxy adds: nobody who comes through one sits at this machine."""


@dataclass(frozen=True, slots=True)
class Site:
    """Under which names the room is reached."""

    public: str = ""
    """Its address for everybody, without a path, as a reverse proxy serves it; "" = this machine alone."""

    def local(self, request: web.Request) -> bool:
        """Whether somebody at this machine asks."""
        proxied = any(header in request.headers for header in _FORWARDED)
        return not proxied and _LOCAL.fullmatch(request.host) is not None

    def origin(self, request: web.Request) -> str:
        """Where the room's own page comes from; "" where the room has no such name."""
        if len(request.headers.getall("Host", ())) > 1:
            return ""
        if self.local(request):
            return f"http://{request.host}"
        return self.public if self.public and request.host == urlsplit(self.public).netloc else ""

    def secure(self, request: web.Request) -> bool:
        """Whether what the browser keeps goes over https alone."""
        return self.origin(request).startswith("https:")

    def own_page(self, request: web.Request) -> bool:
        """Whether the room's own page asks; browsers tell so truly."""
        return request.headers.getall("Origin", ()) == [self.origin(request)]

    def address(self, request: web.Request) -> str:
        """Whose connection it is; "" at this machine. The proxy's own word stands last."""
        if self.local(request):
            return ""
        told = request.headers.getall("X-Forwarded-For", ("",))[-1]  # some proxies add a line of their own
        return _one_network(told.rpartition(",")[2].strip() or request.remote or "unknown")


def _one_network(address: str) -> str:
    """The address, or of the sixth version what one customer is given: so many that none can be counted alone."""
    try:
        found = ip_address(address)
    except ValueError:
        return address
    if isinstance(found, IPv4Address) or found.ipv4_mapped:
        return address
    return str(ip_network((int(found), 64), strict=False))


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
    ".png": "image/png",
    ".txt": "text/plain",
    ".webmanifest": "application/manifest+json",
}

_HEADERS = {
    "Content-Security-Policy": "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; "
    "connect-src 'self'; manifest-src 'self'; worker-src 'self'; base-uri 'none'; "
    "form-action 'none'; frame-ancestors 'none'",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Referrer-Policy": "no-referrer",
    "Server": "Riposte",  # and not which versions of what it runs on
    "X-Content-Type-Options": "nosniff",
    "X-Frame-Options": "DENY",  # for browsers that do not know frame-ancestors
}
_BY_HTTPS: Final = {"Strict-Transport-Security": "max-age=31536000"}
"""A year. Other names of its host are its host's own affair."""


_PATHS: Final = {"/index.html": "/", "/enter.html": "/enter", "/match.html": "/match"}


@dataclass(frozen=True, slots=True)
class PageFile:
    """A file of the page, as it is sent."""

    content_type: str
    body: bytes
    packed: bytes
    tag: str
    """Tells this content from any other: whoever has it is sent nothing."""

    @classmethod
    def of(cls, content_type: str, body: bytes) -> "PageFile":
        """The file with this content."""
        return cls(content_type, body, gzip.compress(body, mtime=0), f'"{sha256(body).hexdigest()[:20]}"')

    def with_head(self, head: str) -> "PageFile":
        """The same page with this in place of its title."""
        return PageFile.of(self.content_type, self.body.replace(b"<title>Riposte</title>", head.encode(), 1))

    def served(self, request: web.Request) -> web.Response:
        """The answer to a request for it: packed, for whoever can unpack it, and only if it has changed."""
        headers = {"ETag": self.tag, "Cache-Control": "no-cache", "Vary": "Accept-Encoding"}
        if request.headers.get("If-None-Match", "") == self.tag:
            return web.Response(status=304, headers=headers)
        packed = "gzip" in request.headers.get("Accept-Encoding", "")
        if packed:
            headers["Content-Encoding"] = "gzip"
        body = self.packed if packed else self.body
        return web.Response(body=body, content_type=self.content_type, charset="utf-8", headers=headers)


def read_page() -> Sequence[tuple[str, PageFile]]:
    """The files of the page by their paths."""
    found = [(f"/{name}", PageFile.of(_TYPES[Path(name).suffix], file.read_bytes())) for name, file in page_files()]
    found.append(("/themes.css", PageFile.of("text/css", style_sheet())))
    return [(_PATHS.get(name, name), content) for name, content in found]


def guard(site: Site, limits: Limits, say: Say) -> Middleware:
    """The middleware that turns away other names and crowds, and tells trouble in a sentence."""

    async def answered(request: web.Request, handler: Handler) -> web.StreamResponse:
        try:
            return await handler(request)
        except web.HTTPException as error:
            return web.Response(status=error.status, text=error.reason)
        except OSError as error:
            return web.Response(status=503, text=explained(error, say, ""))

    @web.middleware
    async def guarded(request: web.Request, handler: Handler) -> web.StreamResponse:
        # A page from elsewhere may point its own name at this machine; the browser still sends that name along.
        if not site.origin(request):
            response: web.StreamResponse = refused(say(FOREIGN_NAME, ""))
        else:
            with limits.request(site.address(request)) as room:
                response = await answered(request, handler) if room else refused(say(CROWDED, ""), 429)
        if not response.prepared:
            response.headers.update(_HEADERS | _BY_HTTPS if site.secure(request) else _HEADERS)
            response.headers.setdefault("Cache-Control", "no-cache")
        return response

    return guarded


def refused(because: str, status: int = 403) -> web.Response:
    """A refusal with its reason."""
    return web.Response(status=status, text=because)
