"""Programs as a platform: what they ask for is heard like any message, what they are told waits in the outbox."""

import asyncio
from collections.abc import Callable, Sequence

import msgspec
import structlog
from aiohttp import web

from bot.adapters.api.answers import Answers
from bot.adapters.api.door import Address, Door
from bot.adapters.api.limits import Limits
from bot.adapters.api.operations import ROOT
from bot.adapters.api.streams import Streams, event, is_news
from bot.adapters.api.webhooks import Webhooks
from bot.messages.model import OutgoingMessage, Place, Receive
from bot.notices.programs import PLATFORM, WEBHOOK
from bot.repository import Repository
from storage.store import Change, Outgoing

log = structlog.get_logger(__name__)


class Programs:
    """The outbox delivers to it; the page's server serves its routes."""

    platform = PLATFORM
    caught_up = True
    """Always True: a program cannot have asked for anything while Riposte was down."""

    def __init__(
        self, repository: Repository, now: Callable[[], int], *, lobby: Place, community: str, webhooks: Webhooks
    ):
        """`lobby` is where challenges of programs are posted, `community` what it belongs to; `now` tells
        milliseconds since 1970 UTC.
        """
        self._repository = repository
        self._answers = Answers(repository.store, now)
        self._streams = Streams(repository)
        self._webhooks = webhooks
        self._door = Door(repository, self._answers, self._streams, Limits(now), now, lobby=lobby, community=community)

    def add_to(self, app: web.Application, address: Address) -> None:
        """Serve the API with a server; `address` tells from where a request comes."""
        app.add_subapp(ROOT, self._door.application(address))
        app.on_shutdown.append(self._end_streams)

    async def _end_streams(self, _app: web.Application) -> None:
        self._streams.close()

    def committed(self, change: Change, waiting: Sequence[Outgoing]) -> None:
        """Hear what has just been committed."""
        self._streams.committed(change, waiting)

    async def run(self, receive: Receive) -> None:
        """Hand on what programs ask for until cancelled."""
        self._answers.receive = receive
        try:
            await asyncio.Event().wait()
        finally:
            self._answers.receive = None
            await self._webhooks.close()

    async def deliver(self, message: OutgoingMessage, _image: bytes | None) -> str:
        """Send news where they are wanted; streams read them in the outbox. Raises Retry or Undeliverable."""
        owner = message.where.channel
        address, _, secret = (await self._repository.setting(owner, WEBHOOK)).partition(" ")
        if address and is_news(message):
            body = msgspec.json.encode(event(message, await self._repository.accounts(owner)))
            await self._webhooks.send(address, secret, body, message.at)
        return ""
