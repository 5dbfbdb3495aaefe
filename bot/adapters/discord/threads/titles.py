"""Thread names, kept up to date in the background: which match, who plays, whose turn it is."""

import asyncio
from collections import OrderedDict, deque
from collections.abc import Awaitable, Callable
from typing import Final, TypeAlias

import discord
import structlog

from bot.adapters.discord import limits
from bot.adapters.discord.errors import UNREACHABLE
from bot.adapters.discord.markup import name_of
from bot.messages.catalogue import language
from bot.messages.model import Person
from bot.trouble import reason
from engine.games import GAMES
from engine.text import Listing, Text
from storage.store import Summary

log = structlog.get_logger(__name__)

Pause: TypeAlias = Callable[[float], Awaitable[None]]
"""Sleeps for seconds."""

RENAMES: Final = 2
SPAN: Final = 600.0
"""Discord lets a thread be renamed so often in so many seconds."""
KEPT: Final = 500
"""Threads whose names are remembered beside discord.py, which forgets those that are archived."""
SHORT: Final = 20
"""Characters of each name."""
OVER: Final = Text("#{match} {game} · {players} · over")
TO_MOVE: Final = Text("#{match} {game} · {players} · {acting} to move")
WAITING: Final = Text("#{match} {game} · {players}")


class Titles:
    """Renames threads after changes, as often as Discord lets us; only the newest name counts."""

    def __init__(
        self,
        clock: Callable[[], int],
        summary: Callable[[str], Awaitable[Summary | None]],
        named: Callable[[str], Awaitable[Person]],
        pause: Pause,
    ):
        self._clock = clock
        self._summary = summary
        self._named = named
        self._pause = pause
        self._names: OrderedDict[int, str] = OrderedDict()
        self._renamed: OrderedDict[int, deque[int]] = OrderedDict()
        """When threads were renamed last, as long as that keeps them from it; the latest of all at the end."""
        self._tasks: dict[int, asyncio.Task[None]] = {}
        self._changed: set[int] = set()
        """Threads whose match may have changed since its title was looked up."""

    def called(self, thread: int, name: str) -> None:
        """A thread is called so."""
        self._names[thread] = name
        self._names.move_to_end(thread)
        while len(self._names) > KEPT:
            self._names.popitem(last=False)

    def refresh(self, client: discord.Client, match: str, thread: int, code: str) -> None:
        """A match has changed: rename its thread, if need be, as soon as that is allowed."""
        self._changed.add(thread)
        if thread not in self._tasks:
            self._tasks[thread] = asyncio.create_task(
                self._rename(client, match, thread, code), name=f"title of {match}"
            )

    def close(self) -> None:
        """Stop renaming."""
        for task in list(self._tasks.values()):
            task.cancel()

    async def title(self, match: str, code: str) -> str:
        """What a match's thread is to be called now, in a language."""
        summary = await self._summary(match)
        if summary is None:
            return ""
        names = {player: limits.cut(name_of(await self._named(player)), SHORT) for player in summary.players}
        kind = OVER if summary.status == "over" else TO_MOVE if summary.to_act else WAITING
        title = Text(
            kind.template,
            match=match,
            game=GAMES[summary.game].name if summary.game in GAMES else summary.game,
            players="–".join(names.values()),
            acting=Listing(tuple(names.get(player, player) for player in summary.to_act), "and"),
        )
        return limits.cut(language(code).say(title), limits.THREAD_NAME)

    async def _rename(self, client: discord.Client, match: str, thread: int, code: str) -> None:
        try:
            while thread in self._changed:
                await self._until_allowed(thread)
                self._changed.discard(thread)
                name = await self.title(match, code)
                if name and name != self._current_name(client, thread):
                    limits.check("thread", {"name": name})
                    self._note(thread)
                    target = client.get_channel(thread) or await client.fetch_channel(thread)
                    if isinstance(target, discord.Thread):
                        await target.edit(name=name)
                        self.called(thread, name)
        except (discord.DiscordException, *UNREACHABLE) as error:
            log.info("a thread could not be renamed", match=match, error=reason(error))
        finally:
            del self._tasks[thread]

    def _note(self, thread: int) -> None:
        """A thread is renamed now; those that may be renamed again are forgotten."""
        now = self._clock()
        self._renamed.setdefault(thread, deque(maxlen=RENAMES)).append(now)
        self._renamed.move_to_end(thread)
        while next(iter(self._renamed.values()))[-1] < now - SPAN * 1000:
            self._renamed.popitem(last=False)

    def _current_name(self, client: discord.Client, thread: int) -> str | None:
        found = client.get_channel(thread)
        return found.name if isinstance(found, discord.Thread) else self._names.get(thread)

    async def _until_allowed(self, thread: int) -> None:
        """Wait until the thread may be renamed once more."""
        last = self._renamed.get(thread, deque())
        if len(last) == RENAMES:
            await self._pause(SPAN - (self._clock() - last[0]) / 1000)
