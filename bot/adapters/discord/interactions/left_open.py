"""Who waits for something after an interaction, noted so that the next process settles what this one leaves."""

import asyncio
from collections.abc import Callable, Sequence
from dataclasses import astuple, dataclass, replace
from typing import Any, Final, cast

import discord
import structlog

from bot.adapters.discord.errors import UNREACHABLE, is_refusal
from bot.adapters.discord.interactions.following import Followers
from bot.adapters.discord.interactions.replayed import Session, session, whispers
from bot.adapters.discord.language import said
from bot.messages.catalogue import language
from bot.runtime.inbox import Inbox
from bot.trouble import reason
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
NOTHING: Final = "-"
"""Stands for what is empty in a note."""
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
    gateway: str = ""
    session: str = ""
    seen: str = ""
    """Of such a press, the session then, and the last event of it: Discord tells there of what has followed."""
    followed: str = ""
    """The whisper that has followed."""


class LeftOpen:
    """The interactions that wait in this process, and those that an earlier one has left."""

    def __init__(self, clock: Callable[[], int], inbox: Inbox, followers: Followers, part: str = ""):
        """`part` tells the shards of this process, where others have others."""
        self._noted_as = f"{OPEN} {part}".strip()
        self._clock = clock
        self._inbox = inbox
        self._followers = followers
        self._open: dict[str, Open] = {}
        self._left: dict[str, Open] = {}

    async def begin(self, number: str, interaction: discord.Interaction[Any], *, silent: bool) -> None:
        """Somebody begins to wait."""
        one = Open(self._clock(), str(interaction.application_id), interaction.token)
        if silent:
            one = _heard_now(interaction.client, replace(one, pressed_by=str(interaction.user.id)))
        self._open[number] = one
        await self._note()

    async def end(self, number: str) -> None:
        """They wait no longer. Of "thinking …" Discord itself tells later whether it is there still."""
        ended = self._open.pop(number, None)
        if ended is not None and ended.pressed_by:
            await self._note()

    def answer(self, number: str) -> None:
        """Their answer has arrived. The next note says so: until the outbox knows it, the next process must look."""
        self._open.pop(number, None)

    async def look(self, client: discord.Client) -> None:
        """See which whispers of an earlier process have arrived; only before this one has a session of its own."""
        lines = [line.split() for line in (await self._inbox.recall(self._noted_as)).splitlines()]
        noted = {
            number: Open(int(at), *("" if word == NOTHING else word for word in way)) for number, at, *way in lines
        }
        self._left = left = {number: one for number, one in noted.items() if number not in self._open}
        for gateway, name in {(one.gateway, one.session) for one in left.values() if one.session}:
            there = {number_of(number): number for number, one in left.items() if one.session == name}
            before = Session(gateway, name, min(int(left[number].seen) for number in there.values()))
            for interaction, message in (await whispers(client, before, there)).items():
                number = there[interaction]
                left[number] = replace(left[number], followed=str(message))
            for number in there.values():
                left[number] = replace(left[number], gateway="", session="", seen="")
        elsewhere = await self._followers.noted() if left else {}
        for number, one in left.items():
            if one.pressed_by and not one.followed and (whisper := elsewhere.get(number_of(number))):
                left[number] = replace(one, followed=str(whisper))
        self._open |= left  # until each is settled, it must not be forgotten
        if any(one.followed for one in left.values()):
            await self._note()  # before Discord forgets that session
        for number, one in left.items():
            if one.followed:
                self._followers.followed(number_of(number), int(one.followed))

    async def resume(self, client: discord.Client, pause: Callable[[float], Any]) -> None:
        """Take away the "thinking …" that another process has left; who was not heard is told so."""
        left = self._left
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
        return self._clock() - self._left[number].at < TOKEN_LIFE and await self._inbox.answering(number)

    async def _settled(self, client: discord.Client, number: str, words: Sequence[Text]) -> bool:
        """Settle one, if Discord can be told so; False where that is to be tried again."""
        one = self._left[number]
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
                log.info("an interaction could not be settled after a restart", error=reason(error))
        except UNREACHABLE:
            return False
        await self.end(number)
        return True

    async def _tell(self, client: discord.Client, number: str, one: Open, words: str) -> None:
        """Tell somebody who sees nothing of what they have pressed."""
        if self._clock() - one.at < TOKEN_LIFE:
            if not one.followed:
                await client.wait_until_ready()  # only a session is told of whispers
            self._open[number] = one = _heard_now(client, one)
            await self._note()
            interaction = number_of(number)
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
        rows = (
            " ".join(str(word) or NOTHING for word in (number, *astuple(one))) for number, one in self._open.items()
        )
        try:
            async with asyncio.timeout(NOTED):
                await self._inbox.note(self._noted_as, "\n".join(rows))
        except OSError as error:  # or TimeoutError: the disk may be slow, and Discord waits three seconds
            log.error("unanswered interactions cannot be noted", error=reason(error))


def number_of(heard: str) -> int:
    """Discord's number of an interaction, by ours for what it says."""
    return int(heard.rpartition("i")[2])


def _heard_now(client: discord.Client, one: Open) -> Open:
    """One who waits, with the session that hears from now on what follows."""
    now = session(client)
    return replace(one, gateway=now.gateway, session=now.id, seen=str(now.seen)) if now else one


async def _fill(client: discord.Client, one: Open, words: str) -> None:
    """Put words in the place of "thinking …", or take it away."""
    webhook = discord.Webhook.partial(int(one.application), one.token, client=client)
    shown = await webhook.fetch_message(ORIGINAL)
    if shown.flags.loading and words:
        await webhook.edit_message(ORIGINAL, content=words)
    elif shown.flags.loading:
        await webhook.delete_message(ORIGINAL)
