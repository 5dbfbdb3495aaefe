"""What follows a press that nothing shows was heard: one whisper, sent once, though Discord gives those no nonce."""

import asyncio
from collections import OrderedDict
from typing import Any, Final

import aiohttp
import discord
import structlog

from bot.adapters.discord.errors import UNREACHABLE
from bot.runtime.inbox import Inbox
from bot.trouble import reason

log = structlog.get_logger(__name__)

TOLD: Final = 3.0
"""Seconds that Discord has to tell the bot of a whisper of its own whose request has failed."""
PATIENCE: Final = 30.0
"""Seconds that a whisper waits at most where Discord asks for it, as all other requests do."""
REMEMBERED: Final = 1_000
"""Interactions of which it may yet be told that a whisper has arrived."""
ELSEWHERE: Final = "whispers"
"""The key under which the process with the first shard notes which whispers of the others have arrived."""
KEPT: Final = 100
"""How many it notes: whoever looks does so after seconds."""


class Followers:
    """Sends whispers, and hears of those that have arrived: Discord tells the bot as if they were direct messages.

    Where processes share the shards only the one with the first is told, and notes it for the others.
    """

    def __init__(self, inbox: Inbox, *, shared: bool = False) -> None:
        self._inbox = inbox
        self._shared = shared
        self._elsewhere: OrderedDict[int, int] = OrderedDict()
        """By interactions of other processes, the message that has followed."""
        self._noting = asyncio.Lock()
        self._told: OrderedDict[int, asyncio.Future[int]] = OrderedDict()
        """By interaction, the message that has followed it."""

    async def arrived(self, message: discord.Message) -> None:
        """Take notice of a whisper that Discord tells of."""
        about = message.interaction_metadata
        if about is None:
            return
        told = self._told.get(about.id)
        if told is not None and not told.done():
            told.set_result(message.id)
        elif told is None and self._shared and about.original_response_message_id:
            self._elsewhere[about.id] = message.id
            while len(self._elsewhere) > KEPT:
                self._elsewhere.popitem(last=False)
            await self._note()

    def followed(self, interaction: int, message: int) -> None:
        """Know that a whisper of an earlier process has followed an interaction."""
        self._told[interaction] = asyncio.get_running_loop().create_future()
        self._told[interaction].set_result(message)

    def follower(self, interaction: int) -> int:
        """The whisper that has followed it; 0 while none is known."""
        told = self._told.get(interaction)
        return told.result() if told is not None and told.done() else 0

    async def _note(self) -> None:
        """Let the other processes know."""
        try:
            async with self._noting:
                lines = (f"{interaction} {followed}" for interaction, followed in self._elsewhere.items())
                await self._inbox.note(ELSEWHERE, "\n".join(lines))
        except OSError as error:  # then it may show twice
            log.error("delivered private replies cannot be noted", error=reason(error))

    async def noted(self) -> dict[int, int]:
        """The whispers of ours that another process was told of, by interaction."""
        if not self._shared:
            return {}
        lines = (await self._inbox.recall(ELSEWHERE)).splitlines()
        return {int(interaction): int(followed) for interaction, followed in map(str.split, lines)}

    async def _look(self, interaction: int, told: asyncio.Future[int]) -> None:
        if not told.done():
            followed = (await self.noted()).get(interaction)
            if followed is not None and not told.done():
                told.set_result(followed)

    async def send(self, client: discord.Client, interaction: int, application: int, token: str, **message: Any) -> int:
        """Let a whisper follow an interaction; its id.

        Raises what the library does, where nothing is known to have arrived; sent again, it is there once if it has.
        """
        if (told := self._told.get(interaction)) is not None:
            await self._look(interaction, told)
        else:
            told = self._told[interaction] = asyncio.get_running_loop().create_future()
        while len(self._told) > REMEMBERED:
            self._told.popitem(last=False)
        if not told.done():
            try:
                return (await _sent(client, application, token, message)).id
            except (discord.DiscordServerError, *UNREACHABLE):
                await asyncio.wait((told,), timeout=TOLD)
                await self._look(interaction, told)
                if not told.done():
                    raise
        return told.result()


async def _sent(
    client: discord.Client, application: int, token: str, message: dict[str, Any]
) -> discord.WebhookMessage:
    """Send it in one request: the library would send it again after an error that tells nothing of what was done."""
    http = client.http
    async with aiohttp.ClientSession(
        connector=http.connector,
        connector_owner=False,
        trace_configs=[http.http_trace] if http.http_trace else None,
        raise_for_status=_refuse,
    ) as once:
        webhook = discord.Webhook.partial(application, token, session=once, client=client)
        webhook.type = discord.WebhookType.application
        return await webhook.send(**message, ephemeral=True, wait=True)


async def _refuse(response: aiohttp.ClientResponse) -> None:
    """Raise what the library would wait for, as long as Discord asks: all that stands behind it would wait too."""
    if response.status == 429 and float(response.headers.get("Retry-After") or 0) > PATIENCE:
        raise discord.HTTPException(response, None)
    if response.status >= 500:
        raise aiohttp.ClientResponseError(response.request_info, response.history, status=response.status)
