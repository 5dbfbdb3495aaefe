"""A room without a platform: people talk, the real service and a real store answer, and a transcript is kept."""

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path

from bot.commands.people.privacy import CONFIRM
from bot.messages.model import IncomingMessage, OutgoingMessage, Page, Person, Place, Span, Strong
from bot.messages.serialization import read_message
from bot.messages.showing.pictures import put_into_words
from bot.notices.dailies import Dailies
from bot.notices.digests import Digests
from bot.partner.seat import Seat
from bot.privacy.erasing import Erasing
from bot.repository import Committed
from bot.service.service import Service
from engine.search.job import decide
from engine.text import Code, Instant
from storage.store import Change, Outgoing, Store
from tests.stores import opened

START = 1_800_000_000_000
"""A Friday in January 2027, in milliseconds."""

MINUTE, HOUR, DAY = 60_000, 3_600_000, 86_400_000


@dataclass
class ChatRoom:
    """Everybody is on the platform `web`; the channel is `lounge`, threads are match numbers."""

    store: Store
    folder: Path = Path()
    """Where its database lies, a file of SQLite unless a test says otherwise."""
    now: int = START
    heard: int = 0
    seed: int | None = None
    """Of the dice of matches that begin from now on; None = the number of messages heard."""
    posts: list[OutgoingMessage] = field(default_factory=list)
    listeners: list[Committed] = field(default_factory=list)
    """Told what is committed."""
    lines: list[str] = field(default_factory=list)
    locales: dict[str, str] = field(default_factory=dict)
    """The language of somebody's app, by name; that of the server under ""."""
    service: Service = field(init=False)
    erasing: Erasing = field(init=False)

    def __post_init__(self) -> None:
        self.service = Service(
            self.store, now=lambda: self.now, seed=self._seed, opponents=50, committed=self._committed
        )
        self.erasing = Erasing(self.service.repository, self.service.transactions, lambda: self.now)

    @property
    def seat(self) -> Seat:
        """Riposte as a player."""
        return Seat(self.service.repository, self.service.transactions)

    def _committed(self, change: Change, waiting: Sequence[Outgoing]) -> None:
        for listener in self.listeners:
            listener(change, waiting)

    def _seed(self) -> bytes:
        return (self.heard if self.seed is None else self.seed).to_bytes(32, "big")

    async def say(
        self,
        name: str,
        text: str,
        thread: str = "",
        channel: str = "lounge",
        platform: str = "web",
        *,
        host: bool = False,
    ) -> list[OutgoingMessage]:
        """Somebody writes; what is posted because of it comes back."""
        await self.service.receive(self.message(name, text, thread, channel, platform, host=host))
        told = [*await self.deliver(), *await self.think()]
        if text == CONFIRM:  # the program waits a moment, so that the answer arrives
            await self.erasing.work()
            told += await self.deliver()
        return told

    async def think(self) -> list[OutgoingMessage]:
        """Riposte makes the turns that are due of it, here and at once."""
        told: list[OutgoingMessage] = []
        seat = self.seat
        waiting = list(await seat.matches())
        while waiting:
            job = await seat.job(number := waiting.pop(0), self.now)
            if job is not None:
                await seat.decided(job, decide(job), self.now)
                waiting.append(number)
            told += await self.deliver()
        return told

    def message(
        self,
        name: str,
        text: str,
        thread: str = "",
        channel: str = "lounge",
        platform: str = "web",
        *,
        host: bool = False,
    ) -> IncomingMessage:
        """What is heard when somebody writes, a minute after the last message."""
        self.heard += 1
        self.now += MINUTE
        place = Place(platform, channel, thread)
        on = f" on {platform}" if platform != "web" else ""
        self.lines.append(f"{name}{' as host' if host else ''}{on}{_where(place)}: {text}")
        who = Person(platform, name.lower(), name)
        server = "room" if platform == "web" else ""
        locale, ours = self.locales.get(name, ""), self.locales.get("", "")
        return IncomingMessage(
            *(f"{platform}:{self.heard}", who, place, text, self.now),
            server=server,
            host=host,
            locale=locale,
            server_locale=ours,
        )

    def restart(self) -> None:
        """The bot is started again: what it only remembered is gone."""
        self.__post_init__()

    async def wait(self, span: int) -> list[OutgoingMessage]:
        """Time passes; whatever alarms fall due meanwhile go off in order."""
        end = self.now + span
        told: list[OutgoingMessage] = []
        while (due := await self.store.next_alarm()) is not None and due <= end:
            self.now = max(self.now, due)
            for alarm in await self.store.due(self.now):
                await self.service.alarm_fired(alarm)
            told += await self.deliver()
        self.now = end
        return told

    async def tell_riddles(self) -> list[OutgoingMessage]:
        """The riddle of the day is posted wherever it is due."""
        await Dailies(self.service.repository, self.service.transactions, lambda: self.now).tell()
        return await self.deliver()

    async def tell_lists(self) -> list[OutgoingMessage]:
        """The daily list reaches everybody whose hour has come."""
        await Digests(self.service.repository, self.service.transactions, lambda: self.now).tell()
        return await self.deliver()

    async def deliver(self) -> list[OutgoingMessage]:
        """Every message that waits is delivered."""
        told: list[OutgoingMessage] = []
        while waiting := await self.store.waiting(self.now):
            for outgoing in waiting:
                post = put_into_words(read_message(outgoing.message.body))
                await self.store.delivered(outgoing.number, f"remote {outgoing.number}", self.now)
                told.append(post)
                self.posts.append(post)
                self.lines += transcribe(post, self.now)
        return told


async def open_room(folder: Path) -> ChatRoom:
    """A room on a fresh database."""
    return ChatRoom(await opened(folder / "riposte.db"), folder)


def transcribe(post: OutgoingMessage, now: int) -> list[str]:
    """A post as a transcript shows it: its words, its picture's words, its buttons."""
    to = f" to {post.only.name}" if post.only else ""
    head = f"  Riposte{_where(post.where)}{to}: "
    first, *others = "".join(_plain(span, now) for span in post.text).split("\n")
    lines = [head + first, *(f"    {line}" for line in others)]
    if post.opening:
        around = transcribe(OutgoingMessage("", replace(post.where, thread=""), post.opening), now)
        lines = [*around, *lines]
    if post.picture is not None:
        lines += [f"    [picture: {post.picture.alt}]"]
    if post.choices:
        blanks = [" …" if choice.blank else "" for choice in post.choices]
        lines += ["    " + " ".join(f"({c.label}: {c.command}{b})" for c, b in zip(post.choices, blanks, strict=True))]
    return lines


def _plain(span: Span, now: int) -> str:
    match span:
        case str():
            return span
        case Person(name=name):
            return f"@{name}"
        case Place(channel=channel):
            return f"#{channel}"
        case Code(text=text):
            return f"`{text}`"
        case Page(address=address):
            return f"<{address}>"
        case Strong(text=text):
            return f"**{text}**"
        case Instant(at=at):
            return f"<in {_span(at - now)}>" if at >= now else f"<{_span(now - at)} ago>"


def _span(span: int) -> str:
    if 0 < span < MINUTE - 1000:
        count = round(span / 1000)
        return f"{count} second{'s' * (count != 1)}"
    days, rest = divmod(round(span / MINUTE), 24 * 60)
    hours, minutes = divmod(rest, 60)
    parts = [f"{n} {word}{'s' * (n != 1)}" for n, word in ((days, "day"), (hours, "hour"), (minutes, "minute")) if n]
    return " ".join(parts) or "no time"


def _where(place: Place) -> str:
    """Where somebody speaks, as a transcript says it; the lounge goes without saying."""
    thread = f" in match {place.thread}" if place.thread else ""
    channel = f" in {place.channel}" if place.channel != "lounge" else ""
    return thread + channel
