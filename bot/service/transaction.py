"""One transaction for each message or alarm: decide, tell, commit; again if the match has changed meanwhile."""

import errno
from collections.abc import Awaitable, Callable
from typing import TypeAlias

import structlog

from bot.commands.context import Effect, community_address
from bot.messages.narrator import Draft, narrate
from bot.messages.serialization import channel_address, write_event
from bot.repository import Repository, Setting, summarize, unreadable
from bot.service.cause import Cause
from bot.service.dispatch import named_match
from bot.service.routing import route
from engine.match.alarms import alarms
from engine.match.state import Match, token_transfers
from engine.text import Text
from storage.store import Alarm, Change, Conflict, Store

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

    def __init__(
        self, repository: Repository, store: Store, now: Callable[[], int], committed: Callable[[], None]
    ) -> None:
        self._repository = repository
        self._store = store
        self._now = now
        self._committed = committed
        """Called after every commit: messages and alarms may be waiting."""

    async def run(self, cause: Cause, act: Act) -> bool:
        """Decide and commit. Returns whether a private reply to the author is queued.

        Raises OSError where trying again later may help: the disk is full, say.
        """
        apology: Effect | None = None
        for _ in range(TRIES):
            number = ""
            try:
                effect = apology or await act()
                number = effect.match
                before, after = await self._states(effect)
                drafts = await self._drafts(cause, effect, before, after)
                change = await self._change(cause, effect, drafts, after)
                if change is None:
                    return False
                await self._store.commit(change)
            except Conflict:  # dealt with before, or the match has changed
                if await self._store.known(cause.id):
                    return False
                self._repository.forget(number)
            except Exception as error:
                apology = self._apology(cause, number, error) if apology is None else None
                if apology is None:
                    raise
            else:
                self._repository.remember(after if effect.decision.events else None, change.settings)
                self._committed()
                return any(draft.only in cause.accounts for draft in drafts)
        raise OSError(errno.EAGAIN, f"Others were faster {TRIES} times in a row, so nothing was changed. Try again.")

    async def _states(self, effect: Effect) -> tuple[Match | None, Match | None]:
        """The match before and after. Raises Conflict if it is no longer the one that was decided on."""
        before = await self._repository.match(effect.match) if effect.match else None
        states = effect.decision.states
        if not states:
            return before, before
        if states[0].length != (before.length if before else 0) + 1:
            raise Conflict(f"match {effect.match} has changed since it was decided on")
        return before, states[-1]

    async def _drafts(
        self, cause: Cause, effect: Effect, before: Match | None, after: Match | None
    ) -> tuple[Draft, ...]:
        """All that is said: what has happened, then what the command itself answers."""
        if not effect.decision.events:
            return effect.drafts
        names = await self._repository.names(after, cause.author)
        return (*narrate(before, effect.decision, names), *effect.drafts)

    async def _change(
        self, cause: Cause, effect: Effect, drafts: tuple[Draft, ...], after: Match | None
    ) -> Change | None:
        """What is committed; None = nothing."""
        events = effect.decision.events
        if not (drafts or events or effect.settings):
            return None
        changed = after if events else None
        return Change(
            heard=cause.id,
            match=changed.id if changed else "",
            expected=changed.length - len(events) if changed else 0,
            events=tuple((event.at, write_event(event)) for event in events),
            messages=await route(self._repository, cause, drafts, after, self._now()),
            alarms=tuple(Alarm(changed.id, alarm.kind, alarm.at) for alarm in alarms(changed)) if changed else None,
            summary=summarize(changed, cause.at) if changed else None,
            settings=(*effect.settings, *await self._noted(cause), *await self._lost_tokens(changed)),
        )

    async def _noted(self, cause: Cause) -> tuple[Setting, ...]:
        """What a message tells about its author and its channel that is not known yet."""
        message = cause.message
        if message is None:
            return ()
        told: list[Setting] = [(message.who.key, "name", message.who.name)]
        if message.server:  # alarms have no message that could say so
            told.append((channel_address(message.where), "server", community_address(message)))
        return tuple([setting for setting in told if await self._repository.setting(*setting[:2]) != setting[2]])

    async def _lost_tokens(self, match: Match | None) -> tuple[Setting, ...]:
        """Whoever has just lost the token they staked has none any more."""
        if match is None or match.result is None:
            return ()
        losers = [loser for loser, _, _ in token_transfers(match)]
        return tuple([((await self._repository.accounts(loser))[0], "token", "") for loser in losers])

    def _apology(self, cause: Cause, number: str, error: Exception) -> Effect | None:
        """What is said after an error; None where nobody asked, or where trying again later may help."""
        message = cause.message
        number = number or (named_match(message) if message else cause.match)
        if isinstance(error, OSError):
            if message is None or not (reason := unreadable(error, number)):
                return None
            log.error("a match cannot be read", match=number, error=error.strerror)
            return Effect(drafts=(Draft((reason,), only=message.who.key),))
        if message is None:
            return None
        log.exception("internal error", cause=cause.id, match=number, after=self._repository.length(number))
        return Effect(drafts=(Draft((SORRY,)),))
