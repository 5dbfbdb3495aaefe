"""Who waits for something after an interaction, noted so that the next process settles what this one leaves."""

import asyncio
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, Final, cast

import discord
import structlog

from bot.adapters.discord.errors import UNREACHABLE, is_refusal
from bot.adapters.discord.interactions.following import Followers
from bot.adapters.discord.language import said
from bot.messages.catalogue import language
from bot.runtime.inbox import Inbox
from engine.text import Text

log = structlog.get_logger(__name__)

TOKEN_LIFE: Final = 14 * 60_000
"""Milliseconds for which an interaction can be answered; Discord says 15 minutes."""
DAY: Final = 24 * 60 * 60_000
"""Milliseconds after which nobody waits any more."""
ORIGINAL: Final = cast("int", "@original")
"""Stands for the id of the first answer; the library knows it by this name only in other methods."""
OPEN: Final = "open interactions"
"""The key under which it is noted who waits."""
SETTLING: Final = 1.0
"""Seconds between two looks for answers that wait in the outbox: "thinking …" stays until they have arrived."""
AGAIN: Final = 5.0
"""Seconds until that is tried again which Discord could not take."""
NOTED: Final = 1.0
"""Seconds that the note has to be stored."""
INTERRUPTED: Final = (
    Text("I was interrupted before I could deal with that, so nothing was done."),
    Text("Please do it again."),
)


@dataclass(frozen=True, slots=True)
class Open:
    """An interaction that was acknowledged and not answered yet."""

    at: int
    """When it was acknowledged, in milliseconds since 1970."""
    application: str
    token: str
    pressed_by: str = ""
    """The account of who has pressed and sees nothing; "" = they see "thinking …"."""


class LeftOpen:
    """The interactions that wait in this process, and those that an earlier one has left."""

    def __init__(self, clock: Callable[[], int], inbox: Inbox, followers: Followers, part: str = ""):
        """`part` tells the shards of this process, where others have others."""
        self._noted_as = f"{OPEN} {part}".strip()
        self._clock = clock
        self._inbox = inbox
        self._followers = followers
        self._open: dict[str, Open] = {}

    async def begin(self, number: str, interaction: discord.Interaction[Any], *, silent: bool) -> None:
        """Somebody begins to wait."""
        pressed_by = str(interaction.user.id) if silent else ""
        self._open[number] = Open(self._clock(), str(interaction.application_id), interaction.token, pressed_by)
        await self._note()

    async def end(self, number: str) -> None:
        """They wait no longer. Of "thinking …" Discord itself tells later whether it is there still."""
        ended = self._open.pop(number, None)
        if ended is not None and ended.pressed_by:
            await self._note()

    async def resume(self, client: discord.Client, pause: Callable[[float], Any]) -> None:
        """Take away the "thinking …" that another process has left; who was not heard is told so."""
        lines = [line.split() for line in (await self._inbox.recall(self._noted_as)).splitlines()]
        left = {number: Open(int(at), *way) for number, at, *way in lines}
        self._open = left | self._open  # until that is done, it must not be forgotten
        heard = {number for number in left if await self._inbox.known(number)}
        waiting = set(left)
        while waiting:
            answered = {number for number in waiting & heard if await self._may_be_answered(number)}
            failed = set()
            for number in waiting - answered:
                if not await self._settled(client, number, () if number in heard else INTERRUPTED):
                    failed.add(number)
            if waiting := answered | failed:
                await pause(AGAIN if failed else SETTLING)

    async def _may_be_answered(self, number: str) -> bool:
        """Whether the outbox still holds an answer that will take the place of "thinking …"."""
        return self._clock() - self._open[number].at < TOKEN_LIFE and await self._inbox.answering(number)

    async def _settled(self, client: discord.Client, number: str, words: Sequence[Text]) -> bool:
        """Settle one, if Discord can be told so; False where that is to be tried again."""
        one = self._open[number]
        try:
            if one.pressed_by:
                if words:
                    await self._tell(client, number, one, said(words, language()))
            elif self._clock() - one.at < TOKEN_LIFE:
                await _fill(client, one, said(words, language()))
        except discord.HTTPException as error:
            if not is_refusal(error):
                return False
            if not isinstance(error, discord.NotFound):  # that was never acknowledged, or is settled
                log.info("an interaction could not be settled after a restart", trouble=str(error))
        except UNREACHABLE:
            return False
        await self.end(number)
        return True

    async def _tell(self, client: discord.Client, number: str, one: Open, words: str) -> None:
        """Tell somebody who sees nothing of what they have pressed."""
        if self._clock() - one.at < TOKEN_LIFE:
            interaction = int(number.rpartition("i")[2])
            try:
                await self._followers.send(client, interaction, int(one.application), one.token, content=words)
                return
            except discord.HTTPException as error:
                if not is_refusal(error):
                    raise
        channel = await client.create_dm(discord.Object(int(one.pressed_by)))
        await channel.send(words, nonce=number.rpartition(":")[2])

    async def _note(self) -> None:
        """Store who waits; if that takes too long or fails, the log has it."""
        now = self._clock()
        self._open = {number: one for number, one in self._open.items() if now - one.at < DAY}
        rows = ((number, str(one.at), one.application, one.token, one.pressed_by) for number, one in self._open.items())
        try:
            async with asyncio.timeout(NOTED):
                await self._inbox.note(self._noted_as, "\n".join(" ".join(row).rstrip() for row in rows))
        except OSError as error:  # or TimeoutError: the disk may be slow, and Discord waits three seconds
            log.error("it cannot be noted who waits", trouble=error.strerror or str(error))


async def _fill(client: discord.Client, one: Open, words: str) -> None:
    """Put words in the place of "thinking …", or take it away."""
    webhook = discord.Webhook.partial(int(one.application), one.token, client=client)
    shown = await webhook.fetch_message(ORIGINAL)
    if shown.flags.loading and words:
        await webhook.edit_message(ORIGINAL, content=words)
    elif shown.flags.loading:
        await webhook.delete_message(ORIGINAL)
