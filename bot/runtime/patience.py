"""Keeps dealing with messages while the disk is full or away, and tells whoever waits: no message is lost unsaid."""

import asyncio
import errno
from collections import OrderedDict
from collections.abc import Awaitable, Callable, Mapping
from contextlib import suppress
from typing import Final, Protocol, TypeAlias

import structlog

from bot.messages.model import IncomingMessage, OutgoingMessage, Receive
from bot.runtime.admission import Answer
from bot.trouble import reason
from engine.text import Text

log = structlog.get_logger(__name__)

PAUSES: Final = (1.0, 2.0, 5.0, 10.0)
"""Seconds to wait before a message is dealt with again that could not be stored; the last one over and over.

At once where something else is stored meanwhile.
"""
UNTOLD: Final = 3.0
"""Seconds for which somebody waits without being told."""
MINUTE: Final = 60_000
REMEMBERED: Final = 1_000
"""Messages that had to wait, of which a second copy is known again."""

WAITS: Final = Text("{player}, your message waits: Riposte cannot save anything just now.")
REASONS: Final = {
    errno.ENOSPC: Text("{player}, your message waits: the disk of this Riposte is full."),
    errno.EDQUOT: Text("{player}, your message waits: the disk of this Riposte is full."),
    errno.EBUSY: Text("{player}, your message waits: another program holds the database of this Riposte."),
    errno.ESTALE: Text("{player}, your message waits: the database of this Riposte was taken away."),
}
"""By the error's number; whatever else it is, the host finds it in the log."""
BUSY: Final = Text("{player}, your message takes Riposte longer than usual.")
MEANWHILE: Final = Text("It is dealt with as soon as that is over; sent again meanwhile, it counts once.")
AT_WORK: Final = Text("It is being dealt with; sent again meanwhile, it counts once.")
TWICE: Final = Text("This came again while the first one waited, so it counted once.")

Aside: TypeAlias = Callable[[IncomingMessage, Text, Text], Awaitable[OutgoingMessage]]
"""Makes a post of two sentences that answers a message and is not stored."""


class Deliverer(Protocol):
    """A platform, as far as it delivers."""

    async def deliver(self, message: OutgoingMessage, image: bytes | None, /) -> str:
        """Show a post and return the platform's id of it."""


class Patience:
    """Wraps admission from both sides: whoever waits is told, whether their message is queued or under way."""

    def __init__(self, aside: Aside, answer: Answer, now: Callable[[], int]):
        self.platforms: Mapping[str, Deliverer] = {}
        """What delivers past the outbox, which lies on the same disk as everything else."""
        self.speaks: Callable[[], bool] = lambda: True
        """Whether it is for this process to say anything, and not for another that has taken over by now."""
        self._aside = aside
        self._answer = answer
        self._now = now
        self._trouble: OSError | None = None
        """Why nothing can be stored; None as soon as something was."""
        self._over = asyncio.Event()
        """Set once something is stored; those who wait for the next time have another one."""
        self._logged = 0
        """When the log was last told."""
        self._inside: set[str] = set()
        """The ids of messages that are being dealt with."""
        self._told: set[tuple[str, str, str]] = set()
        """Who has been told where, and what their message says, since something was last stored for them."""
        self._delayed: OrderedDict[tuple[str, str, str], int] = OrderedDict()
        """When messages were stored that had to wait: the same words written before that are the same message."""

    def stored(self, receive: Receive) -> Receive:
        """Returns `receive` such that it does not give up while nothing can be stored."""

        async def patiently(message: IncomingMessage) -> bool:
            if (message.sent or message.at) <= self._delayed.get(_key(message), -1):
                return await self._answer(message, TWICE)
            pauses = iter(PAUSES)
            pause = PAUSES[-1]
            delayed = False
            self._inside.add(message.id)
            try:
                while True:
                    try:
                        done = await receive(message)
                    except OSError as error:
                        delayed, pause = True, next(pauses, pause)
                        self._stumbled(error, pause)
                        with suppress(TimeoutError):
                            await asyncio.wait_for(self._over.wait(), pause)
                    else:
                        self._went_on(message, delayed=delayed)
                        return done
            finally:
                self._inside.discard(message.id)

        return patiently

    def told(self, receive: Receive) -> Receive:
        """Returns `receive` such that whoever waits is told why: nothing can be stored, or it only takes long."""

        async def aloud(message: IncomingMessage) -> bool:
            dealing = asyncio.ensure_future(receive(message))
            try:
                while not dealing.done():
                    await asyncio.wait((dealing,), timeout=UNTOLD)
                    if not dealing.done() and (self._trouble or message.id in self._inside):
                        await self.tell(message, self._trouble)
                return await dealing
            finally:
                dealing.cancel()

        return aloud

    async def tell(self, message: IncomingMessage, trouble: OSError | None) -> None:
        """Say once where a message was written that it waits, and why; without trouble, that it takes long."""
        if self.speaks() and (key := _key(message)) not in self._told:
            self._told.add(key)
            why = REASONS.get(trouble.errno or 0, WAITS) if trouble else BUSY
            outlook = MEANWHILE if trouble else AT_WORK
            try:
                async with asyncio.timeout(UNTOLD):
                    post = await self._aside(message, Text(why.template, player=message.who), outlook)
                    await self.platforms[post.where.platform].deliver(post, None)
            except Exception as error:  # the platform is away too: whoever waits there sees that by themselves
                log.warning("somebody who waits could not be told", id=message.id, error=reason(error))

    def _stumbled(self, error: OSError, again_in: float) -> None:
        """Note why nothing can be stored; the log has it once a minute, however many wait."""
        now = self._now()
        if self._trouble is None or self._trouble.errno != error.errno or now - self._logged >= MINUTE:
            log.error("messages wait for the disk", error=reason(error), again_in=again_in)
            self._logged = now
        self._trouble = error

    def _went_on(self, message: IncomingMessage, *, delayed: bool) -> None:
        """Note that a message was stored."""
        self._trouble = None
        self._over.set()
        self._over = asyncio.Event()
        key = _key(message)
        if delayed or key in self._told:
            self._told.discard(key)
            self._delayed[key] = self._now()
            if len(self._delayed) > REMEMBERED:
                self._delayed.popitem(last=False)


def _key(message: IncomingMessage) -> tuple[str, str, str]:
    where = message.where
    return message.who.key, f"{where.platform}/{where.channel}/{where.thread}", " ".join(message.text.split())
