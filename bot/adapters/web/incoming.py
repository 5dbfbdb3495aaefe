"""Takes what people do in their tabs, and hands what they write to the bot."""

import asyncio
import secrets
from collections.abc import Awaitable, Callable, Sequence
from functools import partial
from typing import Final

import msgspec
import structlog

from bot.adapters.web import protocol
from bot.adapters.web.board.shown import shown
from bot.adapters.web.errors import Say, explained
from bot.adapters.web.history.history import History, Message
from bot.adapters.web.push.sending import Pusher
from bot.adapters.web.tabs import Tab, Tabs, line
from bot.adapters.web.users import ELSEWHERE, LONGEST_TEXT, PLATFORM, complete_mention, with_mentions
from bot.commands.parser import HELLO, is_greeting
from bot.messages.catalogue import beside
from bot.messages.model import IncomingMessage, Person, Place, Receive, clean
from bot.service.composing import Board, Glance
from bot.service.page.devices import Device
from bot.trouble import reason
from engine.text import Term, Text, plural

log = structlog.get_logger(__name__)

UNREADABLE: Final = Text("The room did not understand the page; reload it.")
NAMED_ALREADY: Final = Text("This tab has a seat; open another tab for another seat.")
EMPTY: Final = Text("There is nothing to send: the message is empty.")
BAD_CHANNEL: Final = (
    Text("A channel's name has up to 32 letters a to z, digits and hyphens."),
    Text("Try: {example}.", example="tuesday-club"),
)

NO_SERVICE: Final = Text("Riposte knows no push service of that kind, so this browser is not told.")

NAMES: Final = 25
"""Names offered at once."""

Complete = Callable[[Person, Place, str], Awaitable[Sequence[str]]]
"""How a typed text may go on: whole texts."""
Private = Callable[[Person, Place, str], Awaitable[bool]]
"""Whether nobody else should see a typed text."""

Answerable = Callable[[Person, Place, str], Awaitable[bool]]
"""Whether a challenge waits for somebody's answer that a button's command gives."""

Look = Callable[[Person, Place, Glance], Awaitable[Board | None]]
"""What somebody sees of a match; None where there is no board."""


class Listener:
    """Everything typed is written into the history first, so that a crash loses nothing."""

    def __init__(
        self,
        history: History,
        tabs: Tabs,
        clock: Callable[[], int],
        *,
        complete: Complete,
        private: Private,
        say: Say,
        board: Look,
        answerable: Answerable,
        pusher: Pusher | None = None,
    ):
        self._history = history
        self._tabs = tabs
        self._clock = clock
        self._complete = complete
        self._private = private
        self._say = say
        self._board = board
        self._answerable = answerable
        self._pusher = pusher
        self._written = asyncio.Event()

    async def run(self, receive: Receive) -> None:
        """Hand on what was written, until cancelled; what a crash left comes first, some of it a second time.

        Nobody's message waits for another's: whoever receives them keeps each person's in order.
        """
        last = 0
        async with asyncio.TaskGroup() as tasks:
            while True:
                self._written.clear()
                try:
                    waiting = await self._history.unhandled(last)
                except OSError as trouble:
                    log.error("the history cannot be read", error=reason(trouble))
                    await asyncio.sleep(1)
                    continue
                for message in waiting:
                    last = message.number
                    tasks.create_task(self._hand_on(message, receive))
                if not waiting:
                    await self._written.wait()

    async def _hand_on(self, message: Message, receive: Receive) -> None:
        who = Person(PLATFORM, message.author, message.name)
        key = f"{who.key}:{message.id}"
        try:
            # It is one community; whoever sits at the machine itself is its host.
            host = await self._history.is_local(who.id)
            where, locale = protocol.heard_at(message.where), self._tabs.language(who.id)
            # Who sits alone in the room and says hello, says it to Riposte.
            greets = not where.thread and is_greeting(message.text) and self._tabs.alone(who.id)
            text = f"!{HELLO}" if greets else message.text
            incoming = IncomingMessage(*(key, who, where, text, message.at), server="room", host=host, locale=locale)
            await receive(incoming)
            await self._history.handled(message.number)
        except Exception:  # it is handed on again at the next start
            log.exception("a message could not be dealt with", number=message.number)

    async def take(self, tab: Tab, text: str) -> None:
        """Do what a tab asks for, or tell it why not."""
        try:
            request = protocol.read_request(text)
        except (msgspec.DecodeError, RecursionError) as error:
            log.info("a page sent an unknown request", error=reason(error))
            await self._refuse(tab, "", UNREADABLE)
            return
        try:
            await self._answer(tab, request)
        except OSError as error:
            said = request.id if isinstance(request, protocol.Say) else ""
            await tab.send("refused", id=said, because=explained(error, self._say, tab.language))

    async def _answer(self, tab: Tab, request: protocol.Request) -> None:
        match request:
            case protocol.Say():
                await self._write(tab, request)
            case protocol.Open():
                where = protocol.place(request, PLATFORM)
                await self._tabs.tell_place(tab, where)
                page = await self._history.page(tab.who.id, where, request.before)
                messages = [line(message, tab.who) for message in page]
                place = {"channel": where.channel, "thread": where.thread}
                await tab.send("page", **place, before=request.before, messages=messages)
            case protocol.Read():
                await self._history.mark_read(tab.who.id, protocol.place(request, PLATFORM), request.number)
            case protocol.Complete():
                others = [who for who in self._history.users.values() if who.id != tab.who.id]
                names = sorted(complete_mention(request.text, others))[:NAMES]
                where = protocol.heard_at(protocol.place(request, PLATFORM))
                texts = names or await self._complete(tab.who, where, request.text)
                await tab.send("completions", turn=request.turn, texts=list(texts))
            case protocol.Offers():
                where = protocol.heard_at(protocol.place(request, PLATFORM))
                open_ = [each for each in request.commands if await self._answerable(tab.who, where, each)]
                await tab.send("offers", turn=request.turn, commands=open_)
            case protocol.Create():
                await self._create(tab, request.channel)
            case protocol.Look():
                await self._look(tab, request)
            case protocol.Link():
                token = secrets.token_urlsafe(32)
                await self._history.make_link(tab.who.id, token, self._clock())
                await tab.send("link", token=token)
            case protocol.Tell():
                await self._tell(tab, request)
            case protocol.Enter():
                await self._refuse(tab, "", NAMED_ALREADY)

    async def _write(self, tab: Tab, request: protocol.Say) -> None:
        where = protocol.place(request, PLATFORM)
        text = clean(request.text)
        if refusal := await self._unfit(text, where, tab.who):
            await self._refuse(tab, request.id, refusal)
            return
        spans = () if request.pressed else with_mentions(text, self._history.users)
        message = Message(
            *(0, request.id, where, tab.who.id, tab.who.name),
            # What a button says may be meant for its owner alone; the bot tells the others what they may know.
            only=tab.who.id if request.quiet or request.pressed or await self._alone(tab.who, where, text) else "",
            text=text,
            body=protocol.typed(spans, request.pressed),
            at=self._clock(),
        )
        await self._history.add(message)
        self._tabs.wake()
        self._written.set()

    async def _alone(self, who: Person, where: Place, text: str) -> bool:
        if where.channel == ELSEWHERE:
            return True
        try:
            return await self._private(who, where, text)
        except OSError:  # the match cannot be read now: rather too little shown than too much
            return True

    async def _unfit(self, text: str, where: Place, who: Person) -> Text | None:
        """Why a message cannot be taken, if so."""
        if not text:
            return EMPTY
        if len(text) > LONGEST_TEXT:
            return plural(
                "The message has {count} character; the room takes {most}, so send it in parts.",
                "The message has {count} characters; the room takes {most}, so send it in parts.",
                len(text),
                most=LONGEST_TEXT,
            )
        if await self._tabs.room(who, where) is None:
            place = f"{where.channel} {where.thread}".strip()
            return Text("There is no such place as {place}; choose one from the list.", place=place)
        return None

    async def _look(self, tab: Tab, request: protocol.Look) -> None:
        where = protocol.place(request, PLATFORM)
        glance = Glance(
            *(request.picks, request.shown, request.called, request.side, request.line, request.heard),
            site=request.site,
        )
        found = await self._board(tab.who, protocol.heard_at(where), glance)
        place = {"channel": where.channel, "thread": where.thread}
        if found is None:
            await tab.send("board", turn=request.turn, **place, none=True)
            return
        told = partial(self._told, tab.language)
        if request.site:
            await tab.send("board", turn=request.turn, **place, site=request.site, told=beside(map(told, found.told)))
            return
        board = shown(found, told, request.known, request.heard)
        await tab.send("board", turn=request.turn, now=self._clock(), **place, **board)

    def _told(self, language: str, text: Text | Term) -> str:
        return str(self._say(text, language))

    async def _tell(self, tab: Tab, request: protocol.Tell) -> None:
        """Have a device told when a match waits, or no longer; the page hears which."""
        told = False
        if self._pusher is not None and request.p256dh:
            device = Device(request.endpoint, request.p256dh, request.auth, tab.language)
            told = await self._pusher.add(tab.who.key, device)
        elif self._pusher is not None:
            await self._pusher.drop(tab.who.key, request.endpoint)
        because = "" if told or not request.p256dh else str(self._say(NO_SERVICE, tab.language))
        await tab.send("told", told=told, because=because)

    async def _create(self, tab: Tab, channel: str) -> None:
        try:
            name = msgspec.convert(channel.strip().lower().replace(" ", "-"), protocol.Channel)
        except msgspec.ValidationError:
            await self._refuse(tab, "", *BAD_CHANNEL)
            return
        where = Place(PLATFORM, name)
        await self._history.create(where)
        self._tabs.wake(where)
        await tab.send("created", channel=name)

    async def _refuse(self, tab: Tab, id_: str, *because: Text) -> None:
        await tab.send("refused", id=id_, because=beside(self._say(sentence, tab.language) for sentence in because))
