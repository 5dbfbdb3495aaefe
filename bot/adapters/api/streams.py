"""Streams of news: what the outbox holds for a program, from where it was; nothing waits in memory."""

import asyncio
from collections.abc import Iterator, Sequence
from typing import Final

import msgspec
from aiohttp import web

from bot.adapters.api.shapes import Event
from bot.adapters.api.words import words
from bot.messages.model import OutgoingMessage, Person
from bot.messages.serialization import address, read_message
from bot.notices.programs import holder, mailbox
from bot.repository import Repository
from storage.store import Change, Outgoing

BEAT: Final = 20.0
"""Seconds between two signs of life while there is no news; whoever's key is gone is found out then."""
SLOWEST: Final = 10.0
"""Seconds in which a program must take what is sent to it."""
PAGE: Final = 50
"""Events that are read at once."""


class Streams:
    """Told of every commit; each stream then reads on from the last number it was sent."""

    def __init__(self, repository: Repository):
        self._repository = repository
        self._waiting: dict[str, set[asyncio.Event]] = {}
        """Of each place with streams, what wakes them."""
        self._closing = False

    def committed(self, _change: Change, waiting: Sequence[Outgoing]) -> None:
        """Wake the streams that there is news for."""
        for outgoing in waiting:
            for stream in self._waiting.get(outgoing.message.ordering_key, ()):
                stream.set()

    def close(self) -> None:
        """End all streams."""
        self._closing = True
        for streams in self._waiting.values():
            for stream in streams:
                stream.set()

    async def serve(self, who: Person, request: web.Request, last: int | None) -> web.StreamResponse:
        """Send news until the program hangs up, takes too long, or its key is gone."""
        key = request.headers["Authorization"].partition(" ")[2].strip()
        place = address(mailbox(who.key))
        news = asyncio.Event()
        self._waiting.setdefault(place, set()).add(news)
        try:
            told = await self._repository.store.latest(place) if last is None else last
            response = web.StreamResponse(headers={"Cache-Control": "no-store", "X-Accel-Buffering": "no"})
            response.content_type = "text/event-stream"
            response.charset = "utf-8"
            async with asyncio.timeout(SLOWEST):
                await response.prepare(request)
                await response.write(b": hello\n\n")
            accounts = await self._repository.accounts(who.key)
            while not self._closing and await holder(self._repository, key) is not None:
                news.clear()
                found = await self._repository.store.news(place, told, PAGE)
                written = b"".join(_spelt(found, accounts))
                told = found[-1].number if found else told
                if not found:
                    try:
                        async with asyncio.timeout(BEAT):
                            await news.wait()
                        continue
                    except TimeoutError:
                        written = b": still here\n\n"
                if written:
                    async with asyncio.timeout(SLOWEST):
                        await response.write(written)
        except (TimeoutError, ConnectionError):
            if request.transport is not None:
                request.transport.abort()
        finally:
            self._waiting[place].discard(news)
            if not self._waiting[place]:
                del self._waiting[place]
        return response


def _spelt(found: Sequence[Outgoing], accounts: tuple[str, ...]) -> Iterator[bytes]:
    for outgoing in found:
        message = read_message(outgoing.message.body)
        if is_news(message):
            data = msgspec.json.encode(event(message, accounts))
            yield b"id: %d\nevent: news\ndata: %s\n\n" % (outgoing.number, data)


def is_news(message: OutgoingMessage) -> bool:
    """Returns whether something has happened in a match; not an answer to what was asked for in vain."""
    return message.about != "" and (message.done or not message.answers) and message.text != ()


def event(message: OutgoingMessage, accounts: tuple[str, ...]) -> Event:
    """Returns a message to a program as data."""
    return Event(
        message.key,
        message.about,
        message.at,
        words(message.text),
        private=not message.harmless,
        rings=any(person.key in accounts for person in message.rings),
    )
