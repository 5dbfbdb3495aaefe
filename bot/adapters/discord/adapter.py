"""The adapter: one connection to Discord, kept up whatever happens; what it hears, and what it is asked."""

import asyncio
import errno
import hashlib
import json
import logging
import secrets
from collections.abc import Awaitable, Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from typing import Any, Final, cast

import discord
import structlog
from discord import app_commands

from bot.adapters.discord import limits, slash
from bot.adapters.discord.buttons import (
    ASK,
    FOREIGN,
    FORM,
    NONE,
    SAY,
    Pick,
    Press,
    Seals,
    blank_of,
    filled_in,
    form,
    is_ours,
)
from bot.adapters.discord.catch_up import Matches
from bot.adapters.discord.errors import UNREACHABLE
from bot.adapters.discord.incoming import Ears, shown
from bot.adapters.discord.markup import PLATFORM
from bot.adapters.discord.outgoing import Delivery
from bot.adapters.discord.titles import Pause
from bot.commands.spec import Slot, is_secret
from bot.messages.model import IncomingMessage, OutgoingMessage, Person, Place, Receive, Undeliverable, absent
from bot.runtime.admission import Line, presses
from bot.runtime.inbox import Inbox
from storage.store import Summary

log = structlog.get_logger(__name__)

BACKOFF: Final = (1.0, 2.0, 5.0, 15.0, 60.0)
"""Seconds before another attempt to connect; the last one over and over."""

FAREWELL: Final = 5.0
"""Seconds that what is being dealt with has left when we close."""
ACKNOWLEDGED: Final = 16
"""Interactions that are acknowledged at the same time."""

UNKNOWN_TO_DISCORD = (
    "Discord does not take the bot's token. Make a new one (Developer Portal, your application, Bot, Reset Token) "
    "and set it: RIPOSTE_DISCORD_TOKEN=…"
)

SORRY = "Something went wrong here, and it is a mistake of Riposte's, not yours. Whoever runs it finds it in the log."


async def _nothing_to_add(
    _who: Person, _where: Place, _slot: Slot, _filled: Mapping[str, str]
) -> Sequence[tuple[str, str]]:
    return ()


async def _no_summary(_match: str) -> Summary | None:
    return None


async def _no_matches(**_which: str) -> Sequence[Summary]:
    return ()


async def _by_number(player: str) -> Person:
    platform, _, number = player.partition(":")
    return Person(platform, number, number)


class DiscordAdapter:
    """Translates between Discord and the house; what must outlive a restart is in the notebook."""

    platform = PLATFORM

    def __init__(
        self,
        token: str,
        notebook: Inbox,
        *,
        clock: Callable[[], int],
        fill: slash.Fill = _nothing_to_add,
        summary: Callable[[str], Awaitable[Summary | None]] = _no_summary,
        named: Callable[[str], Awaitable[Person]] = _by_number,
        matches: Matches = _no_matches,
        private: Callable[[str], bool] = is_secret,
        shards: tuple[int, ...] | None = None,
        shard_count: int | None = None,
        pause: Pause = asyncio.sleep,
    ):
        """`clock` tells milliseconds since 1970 UTC, `fill` how a field of a command may be filled further,
        `summary` whose turn it is in a match, `named` who is behind a player's key, `matches` which there are, and
        `private` which texts nobody else may see. `shards` are those that this process takes of `shard_count`;
        None = all. `pause` lets seconds pass."""
        self._token = token
        self.notebook = notebook
        self.clock = clock
        self.fill = fill
        self.summary = summary
        self._shards = {"shard_ids": list(shards), "shard_count": shard_count} if shards and shard_count else {}
        self._delivery = Delivery(notebook, clock, summary, named, pause)
        self._matches = matches
        self._ears = Ears(notebook, clock, private)
        self._pause = pause
        self._hear: Receive | None = None
        self._line = Line(ACKNOWLEDGED)
        self._working: set[asyncio.Task[Any]] = set()
        self._client: Client | None = None
        self._away = clock()
        """Since when there is no client."""
        self._seals = Seals(b"")
        _quiet()

    # --- the port ---------------------------------------------------------------------------------------------
    async def run(self, hear: Receive) -> None:
        """Stay connected, and tell whatever is said to us until cancelled.

        Raises OSError with a sentence for the host where the token is not, or no longer, good.
        """
        self._hear = hear
        self._seals = Seals(await self._key())
        self._delivery.seals = self._seals
        try:
            async with asyncio.TaskGroup() as tasks:
                tasks.create_task(self.notebook.read_out(hear), name="discord: kept messages")
                tasks.create_task(self._ears.listen(hear), name="discord: messages")
                tasks.create_task(self._stay_connected(), name="discord: connection")
        finally:
            self._hear = None
            await self._leave()

    async def deliver(self, post: OutgoingMessage, image: bytes | None) -> str:
        """Show a post. The same key again changes nothing."""
        where = post.where
        if where.platform != PLATFORM or not (limits.is_id(where.channel) or (post.only and not where.channel)):
            raise Undeliverable(f"Discord has no place like {where.platform} {where.channel}")
        if post.only and (post.only.platform != PLATFORM or not limits.is_id(post.only.id)):
            raise Undeliverable(f"nobody from {post.only.platform} can be written to on Discord")
        if self._client is None:
            raise absent((self.clock() - self._away) / 1000)
        return await self._delivery.deliver(self._client, post, image)

    # --- what people do ---------------------------------------------------------------------------------------
    async def command(self, interaction: discord.Interaction[Any], text: str) -> None:
        """Take what an interaction says as if it had been typed: acknowledged at once, settled once it is committed."""
        with self._at_work():
            if not interaction.response.is_done():
                user = str(interaction.user.id)
                await self._line.through(user, presses(text), lambda: self._acknowledge(interaction))
            number = f"discord:i{interaction.id}"
            if self._hear is None or not self._delivery.expect(number, interaction):
                return
            try:
                elsewhere = await self._elsewhere(interaction)
                where = elsewhere or await self.place(interaction)
                server = "" if elsewhere else str(interaction.guild_id or "")
                host = not server or interaction.permissions.manage_guild
                who = self.person(interaction.user)
                receipt = f"{interaction.application_id} {interaction.token}"
                heard = IncomingMessage(
                    number, who, where, text, self.clock(), server=server, host=host, receipt=receipt
                )
                answered = await self._hear(heard)
            except Exception:
                log.exception("an interaction could not be dealt with", id=number)
                await self._delivery.settle(number, SORRY)
                return
            if not answered:
                await self._delivery.settle(number, "I have written to you in private." if elsewhere else "")

    async def _acknowledge(self, interaction: discord.Interaction[Any]) -> None:
        """Discord waits three seconds for this: nobody's may be late because another has said a hundred things."""
        try:
            await interaction.response.defer(ephemeral=True, thinking=True)
        except (discord.HTTPException, *UNREACHABLE) as trouble:
            # Too late, or cut off; it was said all the same, and is answered by a direct message.
            log.info("an interaction could not be acknowledged", trouble=str(trouble))

    async def ask(
        self, interaction: discord.Interaction[Any], command: str, blank: str = "", games: Mapping[str, str] = NONE
    ) -> None:
        """Open a form for the line that belongs after a command, and for one of these games before it."""
        modal = form(command, blank, self._seals, games)
        limits.check("modal", modal.to_dict())
        modal.stop()  # what is sent is recognised by its seal, after a restart too; nobody waits for it here
        await interaction.response.send_modal(modal)

    async def pressed(self, interaction: discord.Interaction[Any], custom_id: str) -> None:
        """A button was pressed, something chosen from a select, or a form sent."""
        match self._seals.read(custom_id):
            case str(kind), str(command) if kind == SAY:
                await self.command(interaction, command)
            case str(kind), str(command) if kind == ASK:
                post = await self.notebook.post(str(interaction.message.id)) if interaction.message else None
                await self.ask(interaction, command, blank_of(post, command))
            case str(kind), str(command) if kind == FORM:
                line = filled_in(_data(interaction).get("components") or ())
                await self.command(interaction, f"{command} {line}")
            case _:
                log.warning("a forged or foreign button was pressed", who=interaction.user.id)
                await interaction.response.send_message(FOREIGN, ephemeral=True)

    def person(self, user: discord.User | discord.Member) -> Person:
        """Whoever uses that account, by the name they are shown with."""
        return Person(PLATFORM, str(user.id), shown(user))

    async def place(self, interaction: discord.Interaction[Any]) -> Place:
        """Where an interaction happens: in a match's thread, that match is meant."""
        return await self._ears.place(interaction.channel_id or 0)

    # --- the connection ---------------------------------------------------------------------------------------
    @contextmanager
    def _at_work(self) -> Iterator[None]:
        """What runs inside is waited for before the house is closed; discord.py lets go of its handlers."""
        task = asyncio.current_task()
        assert task is not None, "discord.py calls from tasks"
        self._working.add(task)
        try:
            yield
        finally:
            self._working.discard(task)

    async def _leave(self) -> None:
        if self._working:
            _, late = await asyncio.wait(self._working, timeout=FAREWELL)
            for task in late:
                task.cancel()
            await asyncio.gather(*late, return_exceptions=True)

    async def _stay_connected(self) -> None:
        failures = 0
        while True:
            begun = self.clock()
            client = Client(self, **self._shards)
            try:
                async with client:
                    try:
                        await client.login(self._token)
                        self._client = client
                        await client.connect()
                    finally:
                        self._client, self._away = None, self.clock()
                        self._delivery.titles.close()
            except discord.LoginFailure:
                raise OSError(errno.EACCES, UNKNOWN_TO_DISCORD) from None
            except discord.ConnectionClosed as closed:
                if closed.code == 4004:
                    raise OSError(errno.EACCES, UNKNOWN_TO_DISCORD) from None
                log.error("Discord has closed the connection", code=closed.code)
            except (discord.DiscordException, *UNREACHABLE) as trouble:
                log.error("Discord cannot be reached", trouble=str(trouble))
            failures = failures + 1 if self.clock() - begun < 60_000 else 1
            await self._pause(BACKOFF[min(failures, len(BACKOFF)) - 1])

    async def register(self, client: "Client") -> None:
        """Tell Discord our commands, if they are not those that it was told last."""
        payload = [command.to_dict(client.tree) for command in client.tree.get_commands()]
        told = hashlib.sha256(json.dumps([client.application_id, payload], sort_keys=True).encode()).hexdigest()
        failures = 0
        while await self.notebook.recall("commands") != told:
            try:
                limits.check("commands", payload)
                await client.tree.sync()
                await self.notebook.note("commands", told)
            except (discord.DiscordException, *UNREACHABLE) as trouble:
                log.error("the slash commands could not be registered", trouble=str(trouble))
                await self._pause(BACKOFF[min(failures, len(BACKOFF) - 1)])
                failures += 1
            except limits.Overstepped:
                log.exception("the slash commands stay as they were")
                return

    async def catch_up(self, client: "Client") -> None:
        """A session has begun: what was written before it, nobody has told us."""
        if self._hear is not None:
            with self._at_work():
                await self._ears.catch_up(client, self._matches)

    def heard(self, client: "Client", message: discord.Message) -> None:
        """Somebody has written something that we can see."""
        self._ears.take(client, message)

    async def _elsewhere(self, interaction: discord.Interaction[Any]) -> Place | None:
        """Where to answer somebody who has called us to a place that we are not in: in private."""
        guild = interaction.guild_id
        if guild is not None and (interaction.is_guild_integration() or interaction.client.get_guild(guild)):
            return None
        if guild is None and not interaction.context.private_channel:
            await self._ears.note_private(interaction.channel_id or 0, interaction.user.id)
            return None
        channel = await interaction.client.create_dm(interaction.user)
        await self._ears.note_private(channel.id, interaction.user.id)
        return Place(PLATFORM, str(channel.id))

    async def _key(self) -> bytes:
        """What our buttons are sealed with: made once, for all their life."""
        known = await self.notebook.recall("key")
        if not known:
            known = secrets.token_hex(32)
            await self.notebook.note("key", known)
        return bytes.fromhex(known)


class Client(discord.AutoShardedClient):
    """discord.py's client, with as little in memory and as few rights as will do."""

    def __init__(self, adapter: DiscordAdapter, **shards: Any):
        discord.VoiceClient.warn_nacl = discord.VoiceClient.warn_dave = False  # nobody speaks here
        super().__init__(
            intents=discord.Intents(guilds=True, guild_messages=True, dm_messages=True),
            allowed_mentions=discord.AllowedMentions.none(),
            member_cache_flags=discord.MemberCacheFlags.none(),
            chunk_guilds_at_startup=False,
            max_messages=None,
            max_ratelimit_timeout=30.0,
            **shards,
        )
        self.adapter = adapter
        self.tree = app_commands.CommandTree(
            self,
            allowed_contexts=app_commands.AppCommandContext(guild=True, dm_channel=True, private_channel=True),
            allowed_installs=app_commands.AppInstallationType(guild=True, user=True),
        )
        self.tree.error(self._command_failed)
        self._registering: asyncio.Task[None] | None = None

    async def setup_hook(self) -> None:
        self.add_dynamic_items(Press, Pick)
        slash.setup(self.adapter, self.tree)
        self._registering = asyncio.create_task(self.adapter.register(self), name="discord: commands")

    async def close(self) -> None:
        if self._registering is not None:
            self._registering.cancel()
        await super().close()

    async def on_ready(self) -> None:
        log.info("connected to Discord", bot=str(self.user), servers=len(self.guilds))
        await self.adapter.catch_up(self)

    async def on_message(self, message: discord.Message) -> None:
        if message.type is discord.MessageType.channel_name_change and message.author == self.user:
            with suppress(discord.HTTPException, *UNREACHABLE):
                await message.delete()  # the title says it already; a line for every turn would be in the way
            return
        self.adapter.heard(self, message)

    async def on_interaction(self, interaction: discord.Interaction[Any]) -> None:
        """Forms, which discord.py forgets when it is restarted, and what no message of ours holds."""
        custom_id = str(_data(interaction).get("custom_id", ""))
        form = interaction.type is discord.InteractionType.modal_submit
        component = interaction.type is discord.InteractionType.component
        if form or (component and not is_ours(custom_id, interaction.message)):
            await self.adapter.pressed(interaction, custom_id)

    async def on_error(self, event_method: str, /, *_args: Any, **_kwargs: Any) -> None:
        log.exception("something from Discord could not be dealt with", kind=event_method)

    async def _command_failed(self, interaction: discord.Interaction[Any], error: app_commands.AppCommandError) -> None:
        log.error("a slash command failed", error=repr(error), exc_info=error)
        if not interaction.response.is_done():
            await interaction.response.send_message(SORRY, ephemeral=True)


def _data(interaction: discord.Interaction[Any]) -> Mapping[str, Any]:
    return cast("Mapping[str, Any]", interaction.data or {})


def _quiet() -> None:
    """At DEBUG these write down whole messages, secrets and tokens included: never, whatever the log is set to."""
    for name in ("discord", "aiohttp"):
        logger = logging.getLogger(name)
        if logger.level < logging.INFO:
            logger.setLevel(logging.INFO)
