"""The web room's server: the page, its texts and pictures, and a websocket for every tab."""

import asyncio
from collections.abc import AsyncIterator, Callable, Mapping, Sequence
from contextlib import asynccontextmanager
from typing import Final, TypeAlias

import msgspec
from aiohttp import WSMsgType, web

from bot.adapters.images import image_of
from bot.adapters.web import protocol
from bot.adapters.web.board import rules
from bot.adapters.web.board.games import game_details, games
from bot.adapters.web.board.geometry import Told
from bot.adapters.web.board.reading import Reading
from bot.adapters.web.board.themed import Paint, Themed
from bot.adapters.web.errors import Say, explained
from bot.adapters.web.history.history import History
from bot.adapters.web.incoming import Listener
from bot.adapters.web.limits import TOO_MANY, Limits
from bot.adapters.web.push.sending import Pusher
from bot.adapters.web.seats import Seats
from bot.adapters.web.security import FOREIGN_PAGE, Site, bind, guard, read_page, refused
from bot.adapters.web.tabs import Tab, Tabs
from bot.adapters.web.users import BOT
from bot.commands.spec import BY_NAME
from bot.half_open import closing_half_open
from bot.messages.catalogue import beside
from bot.messages.model import Person, Span
from engine.games import GAMES

COMMANDS: Final = sorted(BY_NAME)
"""What the page makes a button of where an answer quotes it."""
PAGES: Final = {"/", "/enter"}
LISTED: Final = 300
"""Matches in a new tab's list besides one's own; others are found by their address."""


Also: TypeAlias = Callable[[web.Application, Callable[[web.Request], str]], None]
"""Adds routes to the server; the other argument tells from where a request comes, "" = from this machine."""


def serve_nothing_else(_app: web.Application, _address: Callable[[web.Request], str]) -> None:
    """Add nothing."""


class Server:
    """Serves this machine alone, as long as `running` is entered."""

    def __init__(
        self,
        history: History,
        tabs: Tabs,
        listener: Listener,
        *,
        port: int,
        site: Site,
        seats: Seats,
        limits: Limits,
        welcome: Callable[[str], Sequence[Span]],
        say: Say,
        page_texts: Callable[[str], Mapping[str, str]],
        reading: Reading,
        also: Also,
        pusher: Pusher | None = None,
        paint: Paint | None = None,
        partner: bool = False,
    ):
        self._history = history
        self._tabs = tabs
        self._listener = listener
        self._port = port
        self._site = site
        self._seats = seats
        self._limits = limits
        self._welcome = welcome
        self._say = say
        self._page_texts = page_texts
        self._reading = reading
        self._also = also
        self._pusher = pusher
        self._partner = partner
        self._themed = Themed(history, paint)
        self._static = dict(read_page())

    @asynccontextmanager
    async def running(self) -> AsyncIterator[str]:
        """Open a port; gives the room's address. Raises OSError with a sentence where there is none."""
        app = web.Application(middlewares=[guard(self._site, self._limits, self._say)])
        self._seats.add_to(app.router)
        app.router.add_get("/socket", self._socket)
        app.router.add_get("/texts", self._texts)
        app.router.add_get("/picture/{token}", self._picture)
        app.router.add_get("/games", self._games)
        app.router.add_get("/games/{key}", self._game)
        rules.add_to(app.router)
        self._reading.add_to(app.router, self._reader, self._pause, self._themed.painted, self._site.origin)
        for path in self._static:
            app.router.add_get(path, self._page)
        self._also(app, self._site.address)
        # Whoever hangs up is not answered any more; what they have asked for is done all the same.
        runner = web.AppRunner(app, access_log=None, shutdown_timeout=1, handler_cancellation=True)
        await runner.setup()
        try:
            bound = bind(self._port)
            await web.SockSite(runner, bound).start()
            async with closing_half_open(runner):
                yield f"http://127.0.0.1:{bound.getsockname()[1]}/"
        finally:
            await self._tabs.close()
            await runner.cleanup()

    # -- one tab ---------------------------------------------------------------------------------------------------

    async def _socket(self, request: web.Request) -> web.StreamResponse:
        if not self._site.own_page(request):
            return refused(self._say(FOREIGN_PAGE, ""))
        with self._limits.tab(self._site.address(request)) as room:
            return await self._served(request) if room else refused(self._say(TOO_MANY, ""), 429)

    async def _served(self, request: web.Request) -> web.WebSocketResponse:
        socket = web.WebSocketResponse(timeout=1, heartbeat=20, max_msg_size=256 * 1024, compress=False)
        await socket.prepare(request)
        if tab := await self._entered(socket, request):
            self._tabs.add(tab)
            try:
                async with asyncio.TaskGroup() as tasks:
                    feeding = tasks.create_task(self._tabs.feed(tab))
                    async for frame in socket:
                        if frame.type is WSMsgType.TEXT:
                            await self._listener.take(tab, frame.data)
                    feeding.cancel()
            finally:
                self._tabs.remove(tab)
        return socket

    async def _entered(self, socket: web.WebSocketResponse, upgraded: web.Request) -> Tab | None:
        """The first request names the seat; what the browser keeps tells whether it is its own."""
        async for frame in socket:
            try:
                request = protocol.read_request(frame.data)
            except (msgspec.DecodeError, TypeError):
                request = None
            if not isinstance(request, protocol.Enter):
                await socket.close(code=1008, message=b"enter first")
                return None
            try:
                who = await self._seats.entered(request.name, upgraded)
                if isinstance(who, Person):
                    return await self._welcomed(socket, who, request)
                because = beside(self._say(sentence, request.language) for sentence in who)
            except OSError as error:
                because = explained(error, self._say, request.language)
            if not socket.closed:
                await socket.send_str(protocol.news("rejected", because=because))
        return None

    async def _welcomed(self, socket: web.WebSocketResponse, who: Person, request: protocol.Enter) -> Tab:
        last = await self._history.last()
        fresh = not 0 < request.after <= last
        told = last if fresh else request.after
        places = [*await self._history.places(who.key, LISTED), *await self._tabs.elsewhere(who)]
        accounts = await self._tabs.accounts(who)
        unread = await self._history.unread(who.id, places)
        await socket.send_str(
            protocol.news(
                "entered",
                user={"key": who.key, "name": who.name},
                bot=BOT,
                origin=self._site.public,
                push=await self._pusher.public_key() if self._pusher else "",
                commands=COMMANDS,
                last=told,
                fresh=fresh,
                places=[
                    await self._tabs.shown(room, request.language, who, accounts) | {"unread": room.where in unread}
                    for room in places
                ],
                welcome=[protocol.spell(span) for span in self._welcome(request.language)],
            )
        )
        return Tab(socket, who, told, request.language, {room.where for room in places}, accounts)

    # -- files -----------------------------------------------------------------------------------------------------

    async def _page(self, request: web.Request) -> web.Response:
        # A browser keeps what it has been given under one name alone.
        if request.host.startswith("localhost") and request.path in PAGES:
            host = request.host.replace("localhost", "127.0.0.1", 1)
            return web.Response(status=307, headers={"Location": f"http://{host}{request.path_qs}"})
        return self._static[request.path].served(request)

    def _pause(self, request: web.Request) -> int:
        return self._limits.read(self._site.address(request))

    def _reader(self, request: web.Request, head: str) -> web.Response:
        page = self._static["/match"]
        return page.with_head(head).served(request) if head else page.served(request)

    async def _texts(self, request: web.Request) -> web.Response:
        language = protocol.language_tag(request.query.get("language", ""))
        texts = self._page_texts(language) if language else {}
        return web.Response(body=msgspec.json.encode(dict(texts)), content_type="application/json", charset="utf-8")

    async def _games(self, request: web.Request) -> web.Response:
        return web.json_response(games(self._told(request), self._partner))

    async def _game(self, request: web.Request) -> web.Response:
        game = GAMES.get(request.match_info["key"])
        if game is None:
            raise web.HTTPNotFound
        if self._pause(request):
            raise web.HTTPTooManyRequests
        given = {key: value for key, value in request.query.items() if key != "language"}
        return web.json_response(game_details(game, self._told(request), given))

    def _told(self, request: web.Request) -> Told:
        """Puts sentences into the language that a page asks for."""
        spoken = protocol.language_tag(request.query.get("language", ""))
        return lambda text: str(self._say(text, spoken))

    async def _picture(self, request: web.Request) -> web.Response:
        image = await self._themed.picture(request.match_info["token"], request.query.get("theme", ""))
        if image is None:
            raise web.HTTPNotFound
        headers = {"Cache-Control": "private, max-age=31536000, immutable"}
        return web.Response(body=image, content_type=image_of(image).type, headers=headers)
