"""Private replies to interactions: they fill the "thinking …" that whoever interacts sees."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any, Final, cast

import discord
import structlog

from bot.adapters.discord.errors import UNREACHABLE
from bot.adapters.discord.interactions.buttons import Signer
from bot.adapters.discord.sending import Part, nonce_of, payload, same_text
from bot.messages.model import OutgoingMessage, Person

log = structlog.get_logger(__name__)

TOKEN_LIFE: Final = 14 * 60_000
"""Milliseconds for which an interaction can be answered; Discord says 15 minutes."""
ORIGINAL: Final = cast("int", "@original")
"""Stands for the id of the first answer; the library knows it by this name only in other methods."""
EXPIRED: Final = (10008, 10015, 10062, 50027)
"""Discord's codes for an interaction that can be answered no more."""


@dataclass(slots=True)
class Waiting:
    """An interaction whose user waits for a private answer."""

    interaction: discord.Interaction[Any]
    until: int
    answered: dict[str, str] = field(default_factory=dict)
    """The nonces of the parts that were sent, with the platform's ids."""


class PrivateReplies:
    """The interactions that wait for an answer, by the ids of their messages."""

    def __init__(self, clock: Callable[[], int], signer: Signer):
        self._clock = clock
        self._signer = signer
        self._waiting: dict[str, Waiting] = {}

    def expect(self, incoming: str, interaction: discord.Interaction[Any]) -> bool:
        """Wait for the answer to a message; False if one is waited for already."""
        now = self._clock()
        while self._waiting and self._waiting[oldest := next(iter(self._waiting))].until < now:
            del self._waiting[oldest]
        if incoming in self._waiting:
            return False
        self._waiting[incoming] = Waiting(interaction, now + TOKEN_LIFE)
        return True

    async def settle(self, incoming: str, text: str = "") -> None:
        """Nothing more will come: say so, or take the "thinking …" away."""
        waiting = self._waiting.pop(incoming, None)
        if waiting is None or waiting.answered:
            return
        try:
            if text:
                await waiting.interaction.edit_original_response(content=text)
                return
            try:
                await waiting.interaction.delete_original_response()
            except discord.HTTPException:
                await waiting.interaction.edit_original_response(content="\u2713")
        except (discord.HTTPException, *UNREACHABLE) as error:
            log.info("an interaction could not be settled", trouble=str(error))

    async def answer(
        self, client: discord.Client, message: OutgoingMessage, only: Person, parts: Sequence[Part]
    ) -> str:
        """Answer the interaction that a message answers; the answer's id, "" if that cannot be done any more."""
        waiting = self._waiting.get(message.answers)
        if waiting is not None and str(waiting.interaction.user.id) == only.id and self._clock() < waiting.until:
            try:
                return await self._answer(waiting, message.key, parts)
            except discord.HTTPException as error:
                if error.code not in EXPIRED:
                    raise
                del self._waiting[message.answers]
        elif message.receipt and self._clock() - message.at < TOKEN_LIFE:
            return await self._answer_after_restart(client, message, parts)
        return ""

    async def _answer(self, waiting: Waiting, key: str, parts: Sequence[Part]) -> str:
        """Fill in the message that whoever interacts already sees; what does not fit follows it."""
        remote = ""
        for n, part in enumerate(parts):
            nonce = nonce_of(key, n)
            if nonce not in waiting.answered:
                message = await (self._follow if waiting.answered else self._fill)(waiting.interaction, part)
                waiting.answered[nonce] = str(message.id)
            remote = waiting.answered[nonce]
        return remote

    async def _answer_after_restart(
        self, client: discord.Client, message: OutgoingMessage, parts: Sequence[Part]
    ) -> str:
        """Answer what was asked before a restart, unless it was; "" if that cannot be done any more."""
        application, token = message.receipt.split()
        webhook = discord.Webhook.partial(int(application), token, client=client)
        try:
            shown = await webhook.fetch_message(ORIGINAL)
            if not shown.flags.loading and not same_text(shown.content, parts[0].text):
                return ""
            sent = {"view": None, **payload(parts[0], self._signer)}
            answer: Any = await webhook.edit_message(ORIGINAL, attachments=sent.pop("files"), **sent)
            for part in parts[1:]:
                answer = await webhook.send(**payload(part, self._signer), ephemeral=True, wait=True)
        except discord.HTTPException as error:
            if error.code not in EXPIRED:
                raise
            return ""
        return str(answer.id)

    async def _fill(self, interaction: discord.Interaction[Any], part: Part) -> discord.InteractionMessage:
        """Put it where "thinking …" stands: done twice, it is there once."""
        sent = {"view": None, **payload(part, self._signer)}
        return await interaction.edit_original_response(attachments=sent.pop("files"), **sent)

    async def _follow(self, interaction: discord.Interaction[Any], part: Part) -> discord.WebhookMessage:
        return await interaction.followup.send(**payload(part, self._signer), ephemeral=True, wait=True)
