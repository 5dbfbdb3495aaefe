"""The web room's server: it keeps what is said, wakes every tab that may see it, and lets nobody in from elsewhere."""

import asyncio
import secrets
from collections.abc import AsyncIterator, Awaitable, Callable, Sequence
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass, field, replace
from pathlib import Path

import msgspec
import structlog
from aiohttp import WSMsgType, web

from bot.adapters.web import protocol
from bot.adapters.web.history import History, Message, Room
from bot.adapters.web.security import bind, guard, read_page, refused
from bot.adapters.web.users import BOT, LONGEST_TEXT, PLATFORM, going_on, sit, with_mentions
from bot.messages.model import (
    IncomingMessage,
    OutgoingMessage,
    Person,
    Place,
    Receive,
    Retry,
    Span,
    Undeliverable,
    clean,
)
from storage.store import Summary

log = structlog.get_logger(__name__)

LOUNGE = "lounge"
"""The channel that is always there."""

ENDED = {"over", "declined"}
"""What a summary calls a match that nobody waits for any more."""


async def _nothing_to_add(_who: Person, _where: Place, _text: str) -> Sequence[str]:
    return ()


async def _no_summary(_match: str) -> Summary | None:
    return None


class WebRoom:
    """A chat of its own, for one machine: a newcomer needs no account, and a test no stand-in."""

    platform = PLATFORM

    def __init__(
        self,
        history: Path,
        *,
        clock: Callable[[], int],
        port: int = 8080,
        welcome: Sequence[Span] = (),
        complete: Callable[[Person, Place, str], Awaitable[Sequence[str]]] = _nothing_to_add,
        summary: Callable[[str], Awaitable[Summary | None]] = _no_summary,
        private: Callable[[str], bool] = lambda _text: False,
        opened: Callable[[str], None] = lambda _address: None,
    ):
        """`history` is a file of the room's own; `clock` tells milliseconds since 1970 UTC.

        `welcome` greets an empty channel (each `Code` in it can be clicked into the message box), `complete` says
        how a typed text may go on (whole texts), `summary` whose turn it is in a match, `private` which texts nobody
        else may see even if their author forgets to say so, and `opened` hears the address once the room can be
        entered. Port 0 takes any free one.
        """
        self._history = History(history)
        self._clock = clock
        self._port = port
        self._welcome = welcome
        self._complete = complete
        self._summary = summary
        self._private = private
        self._opened = opened
        self._open = False
        self._tabs: set[_Tab] = set()
        self._spoken = asyncio.Event()
        self._static = dict(read_page())

    async def run(self, hear: Receive) -> None:
        """Open the room, and tell every message until cancelled, first those that a crash left untold.

        Raises OSError with a sentence for the host where the history or a port is not to be had.
        """
        async with self._history_open(), self._doors_open() as address:
            self._open = True
            try:
                self._opened(address)
                async with asyncio.TaskGroup() as tasks:
                    tasks.create_task(self._hearing(hear))
                    tasks.create_task(self._watching())
            finally:
                self._open = False

    async def deliver(self, post: OutgoingMessage, image: bytes | None) -> str:
        """Keep the post and wake the tabs. The same key again changes nothing."""
        if post.where.platform != PLATFORM:
            raise Undeliverable(f"the web room has no place on {post.where.platform}")
        if post.only and post.only.platform != PLATFORM:
            raise Undeliverable(f"nobody from {post.only.platform} sits in the web room")
        if not self._open:
            raise Retry(1, tried=False)
        if not post.where.channel:  # everybody sits in the lounge
            post = replace(post, where=replace(post.where, channel=LOUNGE))
        if post.opening:
            await self._opened_thread(post)
        # The picture's name is a secret of those who may see the message.
        token = secrets.token_urlsafe(16)
        message = Message(
            *(0, post.key, post.where, "", BOT, post.only.id if post.only else "", ""),
            body=protocol.posted(post, image, token),
            at=self._clock(),
        )
        try:
            number = await self._history.add(message, (token, image) if post.picture and image else None)
            await self._look_up(post.where)
        except OSError as error:
            raise Retry(5) from error
        self._wake(post.where)
        return str(number)

    async def _opened_thread(self, post: OutgoingMessage) -> None:
        """The channel hears that there is a thread now."""
        around = replace(post, where=replace(post.where, thread=""), text=post.opening, picture=None, choices=())
        message = Message(
            *(0, f"{post.key}:opening", around.where, "", BOT, "", ""),
            body=protocol.posted(around, None, ""),
            at=self._clock(),
        )
        try:
            await self._history.add(message)
        except OSError as error:
            raise Retry(5) from error
        self._wake(around.where)

    # -- opening and closing ---------------------------------------------------------------------------------------

    @asynccontextmanager
    async def _history_open(self) -> AsyncIterator[None]:
        await self._history.open()
        try:
            await self._history.found(Place(PLATFORM, LOUNGE))
            for room in await self._history.places():
                if not room.over:
                    await self._look_up(room.where)
            yield
        finally:
            await self._history.close()

    @asynccontextmanager
    async def _doors_open(self) -> AsyncIterator[str]:
        app = web.Application(middlewares=[guard])
        app.router.add_get("/socket", self._socket)
        app.router.add_get("/picture/{token}", self._picture)
        for path in self._static:
            app.router.add_get(path, self._page)
        runner = web.AppRunner(app, access_log=None, shutdown_timeout=1)
        await runner.setup()
        try:
            door = bind(self._port)
            await web.SockSite(runner, door).start()
            yield f"http://127.0.0.1:{door.getsockname()[1]}/"
        finally:
            await asyncio.gather(*(tab.socket.close(code=1001, message=b"the room closes") for tab in self._tabs))
            await runner.cleanup()

    # -- between the tabs and the bot ------------------------------------------------------------------------------

    async def _hearing(self, hear: Receive) -> None:
        """What was kept but not yet told is told again after a crash; whoever listens knows the ids it has seen."""
        told = 0
        while True:
            self._spoken.clear()
            try:
                waiting = await self._history.unheard(told)
            except OSError as trouble:
                log.error("the history cannot be read", trouble=trouble.strerror)
                await asyncio.sleep(1)
                continue
            for message in waiting:
                told = message.number
                who = Person(PLATFORM, message.author, message.name)
                try:
                    key = f"{who.key}:{message.id}"
                    # It is one community, and everybody in it sits at the same machine.
                    await hear(
                        IncomingMessage(key, who, message.where, message.said, message.at, server="room", host=True)
                    )
                    await self._history.heard(message.number)
                except Exception:
                    # It stays untold and is tried again at the next start; the others must not wait for it.
                    log.exception("a message could not be heard", number=message.number)
                self._spoken.set()
            await self._spoken.wait()

    async def _watching(self) -> None:
        """A second Riposte on the same files writes into the same history; its tabs and ours see one room."""
        seen = 0
        while True:
            with suppress(OSError):  # there is another look soon
                if seen != (seen := await self._history.version()):
                    self._wake(*(room.where for room in await self._history.places()))
            await asyncio.sleep(1)

    async def _look_up(self, where: Place) -> None:
        if where.thread and (found := await self._summary(where.thread)):
            over = found.status in ENDED
            await self._history.describe(Room(where, found.game, found.players, found.to_act, over, first=0))

    def _wake(self, *changed: Place) -> None:
        for tab in self._tabs:
            tab.stale.update(changed)
            tab.news.set()

    # -- one tab ---------------------------------------------------------------------------------------------------

    async def _socket(self, request: web.Request) -> web.StreamResponse:
        if request.headers.get("Origin") != f"http://{request.host}":
            return refused("Only the room's own page may talk to it.")
        socket = web.WebSocketResponse(timeout=1, heartbeat=20, max_msg_size=256 * 1024, compress=False)
        await socket.prepare(request)
        if tab := await self._seated(socket):
            self._tabs.add(tab)
            self._wake_seats()
            try:
                async with asyncio.TaskGroup() as tasks:
                    telling = tasks.create_task(self._telling(tab))
                    async for frame in socket:
                        if frame.type is WSMsgType.TEXT:
                            await self._asked(tab, frame.data)
                    telling.cancel()
            finally:
                self._tabs.discard(tab)
                self._wake_seats()
        return socket

    async def _seated(self, socket: web.WebSocketResponse) -> "_Tab | None":
        """The first word says who sits down."""
        async for frame in socket:
            try:
                request = protocol.read_request(frame.data)
            except (msgspec.DecodeError, TypeError):
                request = None
            if not isinstance(request, protocol.Sit):
                await socket.close(code=1008, message=b"sit down first")
                return None
            who = sit(request.name)
            if isinstance(who, str):
                await socket.send_str(protocol.news("unseated", because=who))
                continue
            try:
                return await self._welcomed(socket, await self._history.sit(who), request.after)
            except OSError as error:
                if not socket.closed:
                    await socket.send_str(protocol.news("unseated", because=error.strerror))
        return None

    async def _welcomed(self, socket: web.WebSocketResponse, who: Person, after: int) -> "_Tab":
        last = await self._history.last()
        fresh = not 0 < after <= last
        unread = await self._history.unread(who.id)
        seats = await self._history.seats()
        places = await self._history.places()
        await socket.send_str(
            protocol.news(
                "seated",
                seat={"key": who.key, "name": who.name},
                bot=BOT,
                last=last if fresh else after,
                fresh=fresh,
                places=[
                    _shown(room, seats) | {"unread": (room.where.channel, room.where.thread) in unread}
                    for room in places
                ],
                welcome=[protocol.spell(span) for span in self._welcome],
            )
        )
        return _Tab(socket, who, last if fresh else after, {room.where for room in places})

    async def _telling(self, tab: "_Tab") -> None:
        """Reads on from the last message told: whatever comes late or in a burst, nothing is told twice or left out."""
        try:
            while True:
                tab.news.clear()
                messages = await self._history.after(tab.who.id, tab.told)
                # A thread is there before the first message in it.
                tab.stale |= {message.where for message in messages} - tab.known
                await self._tell_rooms(tab)
                for message in messages:
                    await tab.socket.send_str(protocol.news("message", **_line(message, tab.who)))
                    tab.told = message.number
                if not messages:
                    await tab.news.wait()
        except OSError:
            # It is gone, or there is trouble with the disk; what it missed it gets when it comes back.
            await tab.socket.close()

    async def _tell_rooms(self, tab: "_Tab") -> None:
        stale, tab.stale = tab.stale, set()
        tab.known |= stale
        if not stale and not tab.seats_changed:
            return
        seats = await self._history.seats()
        if stale:
            for room in await self._history.places():
                if room.where in stale:
                    await tab.socket.send_str(protocol.news("place", **_shown(room, seats)))
        if tab.seats_changed:
            tab.seats_changed = False
            here = {other.who.id for other in self._tabs}
            everybody = [{"key": who.key, "name": who.name, "here": who.id in here} for who in seats.values()]
            await tab.socket.send_str(protocol.news("seats", seats=everybody))

    def _wake_seats(self) -> None:
        for tab in self._tabs:
            tab.seats_changed = True
            tab.news.set()

    async def _asked(self, tab: "_Tab", text: str) -> None:
        try:
            request = protocol.read_request(text)
        except msgspec.DecodeError as error:
            await tab.say("refused", id="", because=f"The room did not understand the page ({error}). Reload it.")
            return
        try:
            await self._answered(tab, request)
        except OSError as error:
            await tab.say("refused", id=request.id if isinstance(request, protocol.Say) else "", because=error.strerror)

    async def _answered(self, tab: "_Tab", request: protocol.Request) -> None:
        match request:
            case protocol.Say():
                await self._said(tab, request)
            case protocol.Open():
                where = protocol.place(request, PLATFORM)
                page = await self._history.page(tab.who.id, where, request.before)
                lines = [_line(message, tab.who) for message in page]
                await tab.say("page", channel=where.channel, thread=where.thread, before=request.before, messages=lines)
            case protocol.Read():
                await self._history.read(tab.who.id, protocol.place(request, PLATFORM), request.number)
            case protocol.Complete():
                others = [who for who in (await self._history.seats()).values() if who.id != tab.who.id]
                names = going_on(request.text, others)
                texts = names or await self._complete(tab.who, protocol.place(request, PLATFORM), request.text)
                await tab.say("completions", turn=request.turn, texts=list(texts))
            case protocol.Found():
                await self._founded(tab, request.channel)
            case protocol.Sit():
                await tab.say("refused", id="", because="This tab has a seat. Open another tab for another seat.")

    async def _said(self, tab: "_Tab", said: protocol.Say) -> None:
        where = protocol.place(said, PLATFORM)
        text = clean(said.text)
        if not text:
            await tab.say("refused", id=said.id, because="There is nothing to send: the message is empty.")
        elif len(text) > LONGEST_TEXT:
            because = f"The message has {len(text):,} characters; the room takes {LONGEST_TEXT:,}. Send it in parts."
            await tab.say("refused", id=said.id, because=because)
        elif all(room.where != where for room in await self._history.places()):
            because = f"There is no such place as {where.channel} {where.thread}. Choose one from the list."
            await tab.say("refused", id=said.id, because=because)
        else:
            spans = () if said.pressed else with_mentions(text, await self._history.seats())
            message = Message(
                *(0, said.id, where, tab.who.id, tab.who.name),
                # What a button says may be meant for its owner alone; the bot tells the others what they may know.
                only=tab.who.id if said.quiet or said.pressed or self._private(text) else "",
                said=text,
                body=protocol.spoken(spans, said.pressed),
                at=self._clock(),
            )
            await self._history.add(message)
            self._wake()
            self._spoken.set()

    async def _founded(self, tab: "_Tab", channel: str) -> None:
        try:
            name = msgspec.convert(channel.strip().lower().replace(" ", "-"), protocol.Channel)
        except msgspec.ValidationError:
            because = "A channel's name has up to 32 letters a to z, digits and hyphens. Try: tuesday-club."
            await tab.say("refused", id="", because=because)
            return
        where = Place(PLATFORM, name)
        await self._history.found(where)
        self._wake(where)
        await tab.say("founded", channel=name)

    # -- files -----------------------------------------------------------------------------------------------------

    async def _page(self, request: web.Request) -> web.Response:
        content_type, body = self._static[request.path]
        return web.Response(body=body, content_type=content_type, charset="utf-8")

    async def _picture(self, request: web.Request) -> web.Response:
        png = await self._history.picture(request.match_info["token"])
        if png is None:
            raise web.HTTPNotFound
        return web.Response(
            body=png, content_type="image/png", headers={"Cache-Control": "private, max-age=31536000, immutable"}
        )


@dataclass(eq=False, slots=True)
class _Tab:
    """One open tab, and what it has been told."""

    socket: web.WebSocketResponse
    who: Person
    told: int
    """The newest message it has."""
    known: set[Place]
    news: asyncio.Event = field(default_factory=asyncio.Event)
    stale: set[Place] = field(default_factory=set)
    seats_changed: bool = True

    async def say(self, kind: str, **fields: object) -> None:
        try:
            await self.socket.send_str(protocol.news(kind, **fields))
        except ConnectionError:
            return  # it has gone meanwhile


def _line(message: Message, viewer: Person) -> dict[str, object]:
    """A message as a tab gets it; only its author gets its id back, to know what has arrived."""
    line: dict[str, object] = {
        "number": message.number,
        "channel": message.where.channel,
        "thread": message.where.thread,
        "author": f"{PLATFORM}:{message.author}" if message.author else "",
        "name": message.name,
        "whisper": bool(message.only),
        "at": message.at,
        "body": msgspec.Raw(message.body.encode()),
    }
    return line | ({"id": message.id} if message.author == viewer.id else {})


def _shown(room: Room, seats: dict[str, Person]) -> dict[str, object]:
    names = {who.key: who.name for who in seats.values()}
    return {
        "channel": room.where.channel,
        "thread": room.where.thread,
        "game": room.game,
        "players": [{"key": key, "name": names.get(key) or _elsewhere(key)} for key in room.players],
        "to_act": room.to_act,
        "over": room.over,
        "first": room.first,
    }


def _elsewhere(key: str) -> str:
    platform, _, name = key.partition(":")
    return name if platform == PLATFORM else f"a player on {platform.capitalize()}"
