"""What was written to us while we were away: Discord tells nobody twice, but its channels can be read."""

from collections.abc import AsyncIterator, Awaitable, Callable, Sequence
from typing import Final

import discord
import structlog

from bot.adapters.discord.errors import UNREACHABLE
from bot.adapters.discord.limits import is_id
from bot.adapters.discord.markup import PLATFORM
from bot.messages.model import Place
from bot.messages.serialization import read_address
from bot.runtime.inbox import Inbox
from storage.store import Summary

log = structlog.get_logger(__name__)

Matches = Callable[..., Awaitable[Sequence[Summary]]]

MOST: Final = 1_000
"""Messages of one channel that are read again."""
OVERLAP: Final = 60_000 << 22
"""So far back one reads again what was read: ids are made of milliseconds, and messages may overtake each other."""


async def missed(client: discord.Client, inbox: Inbox, matches: Matches, seen: int) -> AsyncIterator[discord.Message]:
    """The messages where matches live that are newer than the last one seen, each channel's in order."""
    after = max(0, seen - OVERLAP)
    done: set[int] = set()
    for status in ("running", "open"):
        for summary in await matches(status=status):
            for number in await _channels(inbox, summary):
                if number not in done and await _has_news(client, inbox, number, after):
                    async for message in _read(client, number, after):
                        yield message
                done.add(number)


async def _channels(inbox: Inbox, summary: Summary) -> list[int]:
    """Where people may write about a match: in its threads and around them."""
    found: list[int] = []
    for place in map(read_address, summary.places):
        if place.platform == PLATFORM and is_id(place.channel):
            thread = await inbox.recall("thread", Place(PLATFORM, place.channel, summary.match))
            found += [int(number) for number in (thread, place.channel) if number]
    return found


async def _has_news(client: discord.Client, inbox: Inbox, number: int, after: int) -> bool:
    """Whether it is worth looking; what is put away has no news, and of private channels nobody tells us."""
    channel = client.get_channel(number)
    if isinstance(channel, discord.TextChannel | discord.Thread):
        return (channel.last_message_id or 0) > after
    return bool(await inbox.recall("private", Place(PLATFORM, str(number))))


async def _read(client: discord.Client, number: int, after: int) -> AsyncIterator[discord.Message]:
    channel = client.get_channel(number) or client.get_partial_messageable(number)
    assert isinstance(channel, discord.abc.Messageable), "matches live where one can write"
    try:
        async for message in channel.history(limit=MOST, after=discord.Object(after), oldest_first=True):
            yield message
    except (discord.HTTPException, *UNREACHABLE) as trouble:
        log.warning("a channel cannot be read for what was missed there", channel=number, trouble=str(trouble))
