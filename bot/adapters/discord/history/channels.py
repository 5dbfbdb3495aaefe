"""Which channels may hold something that was missed: those of a server, those of matches, and the private ones."""

from collections.abc import Awaitable, Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Final, TypeAlias

import discord

from bot.adapters.discord.history.marks import id_at
from bot.adapters.discord.limits import is_id
from bot.adapters.discord.markup import PLATFORM
from bot.messages.model import Place
from bot.messages.serialization import read_address
from bot.runtime.inbox import Inbox
from storage.store import Summary

Matches: TypeAlias = Callable[..., Awaitable[Sequence[Summary]]]
"""Returns the summaries of the matches with a `status`."""

Listed: TypeAlias = discord.TextChannel | discord.VoiceChannel | discord.StageChannel | discord.Thread
"""The channels of a server in which people write."""

PRIVATE: Final = 0
"""Stands for a server's id where there is none."""
RECENT: Final = 14 * 24 * 3_600_000
"""Milliseconds for which the thread of a match that is over is looked at."""
UNREADABLE: Final = "Riposte lacks the permission View Channel or Read Message History"


@dataclass(frozen=True, slots=True)
class Target:
    """A channel to read."""

    channel: int
    guild: int
    """Its server, or PRIVATE."""
    parent: int = 0
    """The channel whose permissions count, for a thread that Discord does not list."""


@dataclass(frozen=True, slots=True)
class MatchPlaces:
    """Where matches are played on Discord, and by whom."""

    threads: dict[int, int]
    """By thread, its channel."""
    channels: frozenset[int]
    unlisted: tuple[int, ...]
    """Channels in which no thread was opened: they may be threads themselves."""
    players: tuple[int, ...]

    def __contains__(self, channel: int) -> bool:
        return channel in self.threads or channel in self.channels


async def match_places(inbox: Inbox, matches: Matches, now: int) -> MatchPlaces:
    """The places of all matches that are open, running, or have ended not long ago."""
    threads: dict[int, int] = {}
    channels: set[int] = set()
    unlisted: dict[int, None] = {}
    players: dict[int, None] = {}
    for status in ("running", "open", "over"):
        for summary in await matches(status=status):
            if status == "over" and summary.updated < now - RECENT:
                continue
            for place in map(read_address, summary.places):
                if place.platform == PLATFORM and is_id(place.channel):
                    channels.add(int(place.channel))
                    thread = await inbox.recall("thread", Place(PLATFORM, place.channel, summary.match))
                    if thread and thread != place.channel:
                        threads[int(thread)] = int(place.channel)
                    else:
                        unlisted[int(place.channel)] = None
            if status != "over":
                players |= dict.fromkeys(_people(summary.players))
    return MatchPlaces(threads, frozenset(channels), tuple(unlisted), tuple(players))


def channels_of(guild: discord.Guild) -> Iterator[Listed]:
    """The channels of a server, and its threads that are not archived."""
    yield from guild.text_channels
    yield from guild.voice_channels
    yield from guild.stage_channels
    yield from guild.threads


def joined_at(guild: discord.Guild) -> int:
    """The id of a message at the time when the bot joined a server; 0 if that is not known."""
    me: discord.Member | None = guild.me  # which the library promises, and has not while a server is unavailable
    joined = me.joined_at if me else None
    return id_at(int(joined.timestamp() * 1000)) if joined else 0


def visible(channel: Listed) -> bool:
    """Whether the bot sees a channel."""
    found = channel.parent if isinstance(channel, discord.Thread) else channel
    me: discord.Member | None = channel.guild.me
    return found is None or me is None or found.permissions_for(me).view_channel


def readable(client: discord.Client, target: Target) -> bool:
    """Whether the bot may read a channel, as far as can be told without asking Discord."""
    found = client.get_channel(target.channel) or client.get_channel(target.parent)
    if isinstance(found, discord.Thread):
        found = found.parent
    if not isinstance(found, discord.abc.GuildChannel) or found.guild.me is None:
        return True
    may = found.permissions_for(found.guild.me)
    return may.view_channel and may.read_message_history


def messageable(client: discord.Client, target: Target) -> discord.abc.Messageable:
    """The channel as discord.py reads it."""
    found = client.get_channel(target.channel)
    if isinstance(found, discord.abc.Messageable):
        return found
    if target.guild == PRIVATE:
        return client.get_partial_messageable(target.channel, type=discord.ChannelType.private)
    return client.get_partial_messageable(target.channel, guild_id=target.guild, type=discord.ChannelType.public_thread)


def guild_of(message: discord.Message) -> int:
    """The server of a message, or PRIVATE."""
    if message.channel.type is discord.ChannelType.private:
        return PRIVATE
    return message.guild.id if message.guild else getattr(message.channel, "guild_id", None) or PRIVATE


def thread_of(message: discord.Message) -> int:
    """The thread that was opened with or from a message; 0 if there is none."""
    if message.type is discord.MessageType.thread_created and message.reference:
        return message.reference.channel_id
    return message.id if message.flags.has_thread else 0


def _people(players: Sequence[str]) -> Iterator[int]:
    for player in players:
        platform, _, number = player.partition(":")
        if platform == PLATFORM and is_id(number):
            yield int(number)


def shard_of(client: discord.Client, guild: int) -> int:
    """The shard that is told of a server; of private channels, the first."""
    return (guild >> 22) % (client.shard_count or 1)
