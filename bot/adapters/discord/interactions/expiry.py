"""Takes buttons away that lead to nothing any more: noted when they are posted, so that a restart forgets none."""

import asyncio
from collections.abc import Awaitable, Callable, Sequence
from typing import Final, TypeAlias

import discord
import structlog

from bot.adapters.discord.errors import ARCHIVED, UNREACHABLE
from bot.adapters.discord.interactions.buttons import Signer, view_of
from bot.adapters.discord.markup import PLATFORM
from bot.messages.catalogue import language
from bot.messages.model import Button, Place
from bot.runtime.inbox import Inbox
from bot.trouble import reason

log = structlog.get_logger(__name__)

Current: TypeAlias = Callable[[str], Awaitable[bool]]
"""Whether a button's command still leads to something."""

KEY: Final = "buttons"
"""With the id of a message: the key under which a match notes that its buttons are to be taken away one day.

Alone: the notes of all messages of a match together, as 0.2 wrote them, and two processes could at once.
"""
AGAIN: Final = 5.0
"""Seconds until an edit is tried again that has failed."""


class ArchivedError(Exception):
    """Nothing in a thread can be edited while it is archived."""


class Expiry:
    """Edits the messages of settled challenges and past turns, one after the other, in the background."""

    def __init__(self, inbox: Inbox, signer: Signer, current: Current, pause: Callable[[float], Awaitable[None]]):
        self._inbox = inbox
        self._signer = signer
        self._current = current
        self._pause = pause
        self._changed: asyncio.Queue[str] = asyncio.Queue()
        """Matches whose buttons may have expired."""

    async def posted(self, channel: int, remote: str, choices: Sequence[Button]) -> None:
        """A message with buttons was posted: they will expire one day."""
        if remote:
            for match in {match_of(choice.command) for choice in choices} - {""}:
                await self._inbox.note(f"{KEY} {remote}", f"{channel} {choices[0].command}", _of(match))

    def changed(self, match: str) -> None:
        """Something was posted about a match: earlier buttons may lead to nothing now."""
        if match:
            self._changed.put_nowait(match)

    async def run(self, client: discord.Client) -> None:
        """Take away what has expired, until cancelled."""
        for place in await self._inbox.noting(KEY):
            self.changed(place.thread)
        while True:
            match = await self._changed.get()
            try:
                done = await self._look_through(client, match)
            except OSError as error:
                log.error("outdated buttons cannot be looked for", error=reason(error))
                done = False
            if not done:
                await self._pause(AGAIN)
                self.changed(match)

    async def _look_through(self, client: discord.Client, match: str) -> bool:
        """Edit what has expired in a match; whether all of it could be edited."""
        complete = True
        for remote, (channel, first) in (await self.noted(match)).items():
            message = await self._inbox.post(remote)
            owner = await self._inbox.recall("private", Place(PLATFORM, str(channel)))
            shown = [one for one in message.choices if one.mover != f"{PLATFORM}:{owner}"] if message else []
            kept = [choice for choice in shown if await self._current(choice.command)]
            if len(kept) == len(shown) if message else await self._current(first):
                continue  # a hint is not recorded, nor is what has only just been posted
            try:
                edited = await self._edit(client, channel, int(remote), kept, message.language if message else "")
            except ArchivedError:  # the next post there brings the thread back, and us
                continue
            if not edited:
                complete = False
            elif not kept:
                await self._forget(match, remote)
        return complete

    async def _edit(self, client: discord.Client, channel: int, remote: int, kept: Sequence[Button], code: str) -> bool:
        """Leave a message only these buttons; False if that is to be tried again. Raises ArchivedError."""
        found = client.get_partial_messageable(channel).get_partial_message(remote)
        try:
            await found.edit(view=view_of(kept, self._signer, language(code)))
        except discord.HTTPException as error:
            if error.status >= 500 or error.status == 429:
                return False
            if error.code in ARCHIVED:
                raise ArchivedError from None
            log.info("outdated buttons could not be removed", error=reason(error))
        except (discord.RateLimited, *UNREACHABLE):
            return False
        return True

    async def noted(self, match: str) -> dict[str, tuple[int, str]]:
        """A match's messages with buttons by their ids: their channels, and what the first button says."""
        lines = await self._together(match)
        lines += [f"{remote} {value}" for remote, value in (await self._inbox.recall_each(KEY, _of(match))).items()]
        return {remote: (int(channel), first) for remote, channel, first in (line.split(" ", 2) for line in lines)}

    async def _forget(self, match: str, remote: str) -> None:
        await self._inbox.note(f"{KEY} {remote}", "", _of(match))
        together = await self._together(match)
        left = [line for line in together if not line.startswith(f"{remote} ")]
        if left != together:
            await self._inbox.note(KEY, "\n".join(left), _of(match))

    async def _together(self, match: str) -> list[str]:
        """What 0.2 has noted."""
        return (await self._inbox.recall(KEY, _of(match))).splitlines()


def _of(match: str) -> Place:
    return Place(PLATFORM, "", match)


def match_of(command: str) -> str:
    """The number of the match that a button is about; "" if it is about none."""
    number = command.partition(" ")[2].partition(" ")[0]
    return number if number.isdigit() else ""
