"""discord.py's client, set up for this bot: its events go to the adapter."""

import asyncio
import errno
from collections.abc import Callable, Mapping
from contextlib import suppress
from types import SimpleNamespace
from typing import Any, Final, Protocol, cast

import aiohttp
import discord
import structlog
from discord import app_commands

from bot.adapters.discord.errors import UNREACHABLE
from bot.adapters.discord.history.catch_up import CatchUp
from bot.adapters.discord.interactions.buttons import CommandButton, CommandSelect, is_ours
from bot.adapters.discord.interactions.commands import CommandHandler, add_commands
from bot.adapters.discord.interactions.incoming import INTERNAL_ERROR, InteractionListener
from bot.adapters.discord.interactions.thumbs import Thumbs
from bot.adapters.discord.language import Descriptions

log = structlog.get_logger(__name__)


LATE: Final = 0.3
"""Seconds after which we wait no longer for a server of which Discord has told nothing yet: it is read when it comes.

Only then is anything heard that was said meanwhile on the others.
"""


class Events(Protocol):
    """Who is told what happens on Discord."""

    interactions: InteractionListener
    thumbs: Thumbs
    history: CatchUp
    reads_all: bool
    speaks: Callable[[], bool]

    async def look(self, client: "Client") -> None:
        """The client has logged in, and begins no session before this is done."""

    async def begun(self, client: "Client") -> None:
        """The client has logged in: settle what an earlier process has left."""

    async def register(self, client: "Client") -> None:
        """The client has logged in: register the slash commands."""

    async def reopen(self, client: "Client", guild: discord.Guild) -> None:
        """What the bot may do on a server may have changed."""


MOMENTS: Final = (0.5,) * 20
"""Seconds between two looks whether it is for this process to speak again; none after the last."""


def fenced(speaks: Callable[[], bool]) -> aiohttp.TraceConfig:
    """Has no request that changes anything go out while it is not for this process to speak.

    Asked last of all: discord.py may hold a request back, and the process may be paused meanwhile. A moment
    is waited: where the database was away, what was answered as soon as it was back is ahead of the lease.
    """

    async def begins(_: object, asked: SimpleNamespace, request: aiohttp.TraceRequestStartParams) -> None:
        asked.changes = request.method != "GET"
        await goes(_, asked, None)

    async def goes(_: object, asked: SimpleNamespace, __: object) -> None:
        waits = iter(MOMENTS)
        while asked.changes and not speaks():
            if (moment := next(waits, None)) is None:
                raise OSError(errno.ESTALE, "Another process may have taken over.")
            await asyncio.sleep(moment)

    fence = aiohttp.TraceConfig()
    fence.on_request_start.append(begins)
    fence.on_connection_create_end.append(goes)
    fence.on_connection_reuseconn.append(goes)
    return fence


def prepare() -> None:
    """Make all commands once, in every language, before they are needed: the first time takes ten times as long."""
    asyncio.run(_made())


async def _made() -> None:
    tree = app_commands.CommandTree(discord.Client(intents=discord.Intents.none()))
    translator = Descriptions()
    add_commands(cast("CommandHandler", None), tree)  # nobody gives them
    for command in tree.get_commands():
        await command.get_translated_payload(tree, translator)


class Client(discord.AutoShardedClient):
    """Keeps as little in memory and asks for as few rights as will do."""

    def __init__(self, adapter: Events, **shards: Any):
        discord.VoiceClient.warn_nacl = discord.VoiceClient.warn_dave = False  # voice is not used
        super().__init__(
            intents=discord.Intents(
                guilds=True,
                guild_messages=True,
                dm_messages=True,
                guild_reactions=True,
                dm_reactions=True,
                message_content=adapter.reads_all,
            ),
            allowed_mentions=discord.AllowedMentions.none(),
            member_cache_flags=discord.MemberCacheFlags.none(),
            chunk_guilds_at_startup=False,
            max_messages=None,
            guild_ready_timeout=LATE,
            max_ratelimit_timeout=30.0,
            http_trace=fenced(adapter.speaks),
            **shards,
        )
        self.adapter = adapter
        self.interactions = adapter.interactions
        self.history = adapter.history
        self.tree = app_commands.CommandTree(
            self,
            allowed_contexts=app_commands.AppCommandContext(guild=True, dm_channel=True, private_channel=True),
            allowed_installs=app_commands.AppInstallationType(guild=True, user=True),
        )
        self.tree.error(self._command_failed)
        self._registering: asyncio.Task[None] | None = None
        self._settling: asyncio.Task[None] | None = None

    async def setup_hook(self) -> None:
        self.add_dynamic_items(CommandButton, CommandSelect)
        add_commands(self.interactions, self.tree)
        await self.tree.set_translator(Descriptions())
        await self.adapter.look(self)
        self._registering = asyncio.create_task(self.adapter.register(self), name="discord: commands")
        self._settling = asyncio.create_task(self.adapter.begun(self), name="discord: interactions left open")

    async def close(self) -> None:
        self.history.close()  # before its requests find a closed session
        for task in (self._registering, self._settling):
            if task is not None:
                task.cancel()
        await super().close()

    async def on_ready(self) -> None:
        log.info("connected to Discord", bot=str(self.user), servers=len(self.guilds))

    async def before_identify_hook(self, shard_id: int | None, *, initial: bool = False) -> None:
        self.history.begin(self, shard_id or 0)
        await super().before_identify_hook(shard_id, initial=initial)

    async def on_guild_available(self, guild: discord.Guild) -> None:
        self.history.read_guild(self, guild)
        await self.adapter.reopen(self, guild)

    async def on_guild_join(self, guild: discord.Guild) -> None:
        self.history.read_guild(self, guild)
        await self.adapter.reopen(self, guild)

    async def on_guild_channel_update(self, _: discord.abc.GuildChannel, channel: discord.abc.GuildChannel) -> None:
        await self.adapter.reopen(self, channel.guild)

    async def on_raw_thread_update(self, change: discord.RawThreadUpdateEvent) -> None:
        if guild := self.get_guild(change.guild_id):
            await self.adapter.reopen(self, guild)

    async def on_guild_role_update(self, _: discord.Role, role: discord.Role) -> None:
        await self.adapter.reopen(self, role.guild)

    async def on_member_update(self, _: discord.Member, member: discord.Member) -> None:
        if member == member.guild.me:
            await self.adapter.reopen(self, member.guild)

    async def on_guild_unavailable(self, guild: discord.Guild) -> None:
        self.history.lose(guild.id)

    async def on_shard_ready(self, shard_id: int) -> None:
        self.history.read_shard(self, shard_id)

    async def on_guild_channel_create(self, channel: discord.abc.GuildChannel) -> None:
        self.history.created(channel.id, channel.guild.id)

    async def on_thread_create(self, thread: discord.Thread) -> None:
        self.history.created(thread.id, thread.guild.id)

    async def on_message(self, message: discord.Message) -> None:
        if message.flags.ephemeral:  # a whisper of ours, told as if it stood in a private channel
            await self.interactions.replies.whispered(message)
            return
        self.history.receive(self, message)
        if message.type is discord.MessageType.channel_name_change and message.author == self.user:
            with suppress(discord.HTTPException, *UNREACHABLE):
                await message.delete()  # the title says it already; a line for every turn would be in the way

    async def on_raw_message_edit(self, change: discord.RawMessageUpdateEvent) -> None:
        if version := change.data.get("edited_timestamp"):  # not where Discord has only added a preview
            self.history.edited(self, change.message, str(version))

    async def on_raw_reaction_add(self, change: discord.RawReactionActionEvent) -> None:
        await self.adapter.thumbs.put(self, change)

    async def on_interaction(self, interaction: discord.Interaction[Any]) -> None:
        """Handle forms, which discord.py forgets at a restart, and components that no message of ours holds."""
        custom_id = str(cast("Mapping[str, Any]", interaction.data or {}).get("custom_id", ""))
        form = interaction.type is discord.InteractionType.modal_submit
        component = interaction.type is discord.InteractionType.component
        if form or (component and not is_ours(custom_id, interaction.message)):
            await self.interactions.pressed(interaction, custom_id)

    async def on_error(self, event_method: str, /, *_args: Any, **_kwargs: Any) -> None:
        log.exception("an event from Discord could not be handled", kind=event_method)

    async def _command_failed(self, interaction: discord.Interaction[Any], error: app_commands.AppCommandError) -> None:
        log.error("a slash command failed", error=repr(error), exc_info=error)
        if not interaction.response.is_done():
            await interaction.response.send_message(INTERNAL_ERROR, ephemeral=True)
