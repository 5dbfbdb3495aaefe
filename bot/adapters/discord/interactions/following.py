"""What follows a press that nothing shows was heard: one whisper, sent once, though Discord gives those no nonce."""

import asyncio
from collections import OrderedDict
from typing import Any, Final

import aiohttp
import discord

from bot.adapters.discord.errors import UNREACHABLE

TOLD: Final = 3.0
"""Seconds that Discord has to tell the bot of a whisper of its own whose request has failed."""
REMEMBERED: Final = 1_000
"""Interactions of which it may yet be told that a whisper has arrived."""


class Followers:
    """Sends whispers, and hears of those that have arrived: Discord tells the bot as if they were direct messages.

    With shards only the first is told. On another one, what a failed request has sent all the same is shown again.
    """

    def __init__(self) -> None:
        self._told: OrderedDict[int, asyncio.Future[int]] = OrderedDict()
        """By interaction, the message that has followed it."""

    def arrived(self, message: discord.Message) -> None:
        """Take notice of a whisper that Discord tells of."""
        about = message.interaction_metadata
        told = self._told.get(about.id) if about else None
        if told is not None and not told.done():
            told.set_result(message.id)

    async def send(self, client: discord.Client, interaction: int, application: int, token: str, **message: Any) -> int:
        """Let a whisper follow an interaction; its id.

        Raises what the library does, where nothing is known to have arrived; sent again, it is there once if it has.
        """
        told = self._told.setdefault(interaction, asyncio.get_running_loop().create_future())
        while len(self._told) > REMEMBERED:
            self._told.popitem(last=False)
        if not told.done():
            try:
                return (await _sent(client, application, token, message)).id
            except (discord.DiscordServerError, *UNREACHABLE):
                await asyncio.wait((told,), timeout=TOLD)
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
    if response.status >= 500:
        raise aiohttp.ClientResponseError(response.request_info, response.history, status=response.status)
