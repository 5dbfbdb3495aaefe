"""One transaction for each message or alarm: decide, compose, commit; again if the match has changed meanwhile."""

import asyncio
import errno
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator
from contextlib import asynccontextmanager, contextmanager
from typing import TypeAlias

import structlog

from bot.commands.context import Effect
from bot.logs import follow, trace_of, traced
from bot.messages.narrator import Draft
from bot.messages.unreadable import unreadable
from bot.repository import Committed, Repository
from bot.rests.vacations import named_match
from bot.service.cause import Cause
from bot.service.composition import compose
from bot.trouble import reason
from engine.text import Text
from storage.store import Conflict, Store

log = structlog.get_logger()

TRIES = 8
"""How often a message is decided again because its match has changed meanwhile."""

SORRY = (
    Text("Riposte made a mistake here, so nothing was changed."),
    Text("Whoever runs Riposte finds it in the log."),
)
"""Reply after an internal error."""

Act: TypeAlias = Callable[[], Awaitable[Effect]]
"""Decides what a cause leads to; called again after a conflict."""


class Transactions:
    """Carries out what messages and alarms lead to."""

    def __init__(self, repository: Repository, store: Store, now: Callable[[], int], committed: Committed) -> None:
        self._repository = repository
        self._store = store
        self._now = now
        self._committed = committed
        """Called after every commit."""
        self._under_way = 0
        self._free, self._quiet, self._holding = asyncio.Event(), asyncio.Event(), asyncio.Lock()
        self._free.set()
        self._quiet.set()

    @asynccontextmanager
    async def held(self) -> AsyncIterator[None]:
        """Nothing is under way meanwhile: what was loaded before is not written after."""
        async with self._holding:
            self._free.clear()
            try:
                await self._quiet.wait()
                yield
            finally:
                self._free.set()

    async def run(self, cause: Cause, act: Act) -> bool:
        """Decide and commit. Returns whether a private reply to the author is queued.

        Raises OSError where trying again later may help: the disk is full, say.
        """
        await self._free.wait()
        apology: Effect | None = None
        with self._counted(), traced(trace_of(cause.id)):
            follow("heard", cause=cause.id)
            for _ in range(TRIES):
                number = ""
                self._repository.afresh()
                try:
                    effect = apology or await act()
                    number = effect.match
                    composition = await compose(self._repository, cause, effect, self._now())
                    if composition is None:
                        return False
                    await self._repository.commit(composition.match, composition.change, self._committed)
                except Conflict:  # dealt with before, or the match has changed
                    if await self._store.known(cause.id):
                        return False
                    self._repository.forget(number)
                except Exception as error:
                    apology = self._apology(cause, number, error) if apology is None else None
                    if apology is None:
                        raise
                else:
                    return composition.answered
        raise OSError(errno.EAGAIN, f"Others were faster {TRIES} times in a row, so nothing was changed. Try again.")

    @contextmanager
    def _counted(self) -> Iterator[None]:
        self._under_way += 1
        self._quiet.clear()
        try:
            yield
        finally:
            self._under_way -= 1
            if not self._under_way:
                self._quiet.set()

    def _apology(self, cause: Cause, number: str, error: Exception) -> Effect | None:
        """What is said after an error; None where nobody asked, or where trying again later may help."""
        message = cause.message
        number = number or (named_match(message) if message else cause.match)
        if isinstance(error, OSError):
            if message is None or not (told := unreadable(error, number)):
                return None
            log.error("a match cannot be read", match=number, error=reason(error))
            return Effect(drafts=(Draft((told,), only=message.who.key),))
        if message is None:
            return None
        log.exception("internal error", cause=cause.id, match=number, after=self._repository.length(number))
        return Effect(drafts=(Draft((SORRY,)),))
