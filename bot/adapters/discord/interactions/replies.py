"""Private replies to interactions: one message for each, which is filled in and edited, so that nothing shows twice."""

import asyncio
import io
from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass, field, replace
from typing import Any, Final, Literal, TypeAlias

import discord
import structlog

from bot.adapters.discord import limits
from bot.adapters.discord.composer.screen import Screen, laid_out, screen_of_parts
from bot.adapters.discord.errors import UNREACHABLE, is_refusal, retry_after
from bot.adapters.discord.interactions.buttons import Signer
from bot.adapters.discord.interactions.following import PATIENCE, Followers
from bot.adapters.discord.interactions.left_open import ORIGINAL, TOKEN_LIFE, LeftOpen, number_of
from bot.adapters.discord.sending import Part, payload, same_text
from bot.messages.model import OutgoingMessage, Person
from bot.runtime.inbox import Inbox
from bot.trouble import reason

log = structlog.get_logger(__name__)

EXPIRED: Final = (10008, 10015, 10062, 50027)
"""Discord's codes for an interaction that can be answered no more."""
ACKNOWLEDGED: Final = 40060
"""Discord's code for an answer that has arrived before."""
ATTEMPTS: Final = 3
"""How often that is tried which no outbox tries again."""
AGAIN: Final = 1.0
"""Seconds until then."""

Shown: TypeAlias = Literal["", "thinking", "nothing", "answer"]
"""What somebody sees of their interaction: "" before it was acknowledged, "nothing" once a press was."""


@dataclass(slots=True)
class Waiting:
    """An interaction whose user may get a private answer."""

    interaction: discord.Interaction[Any]
    until: int
    over: bool = False
    """Whether what is said takes the place of the composer that was pressed on."""
    notice: str = ""
    """What is said below whatever else is."""
    shown: Shown = ""
    """What its user sees of it."""
    remote: int = ORIGINAL
    """The message that answers it, if one is shown."""
    answers: dict[str, Sequence[Part]] = field(default_factory=dict)
    """By key of their messages."""
    lock: asyncio.Lock = field(default_factory=asyncio.Lock)
    """Discord takes one first answer."""
    seen: asyncio.Event = field(default_factory=asyncio.Event)
    """Set as soon as there is one."""

    @property
    def quiet(self) -> bool:
        """Whether it can be acknowledged without a sign, as a press can, and a form that was opened by one."""
        return self.interaction.message is not None


class PrivateReplies:
    """The interactions that wait for an answer, by the ids of their messages."""

    def __init__(self, clock: Callable[[], int], signer: Signer, inbox: Inbox, part: str = ""):
        """`part` tells the shards of this process, where others have others."""
        self._followers = Followers(inbox, shared=bool(part))
        self._left_open = LeftOpen(clock, inbox, self._followers, part)
        self.look = self._left_open.look
        self.resume = self._left_open.resume
        self.whispered = self._followers.arrived
        self._clock = clock
        self._signer = signer
        self._waiting: dict[str, Waiting] = {}

    def expect(
        self,
        incoming: str,
        interaction: discord.Interaction[Any],
        *,
        over: bool = False,
        notice: str = "",
    ) -> bool:
        """Wait for the answer to a message; False if one is waited for already."""
        now = self._clock()
        while self._waiting and self._waiting[oldest := next(iter(self._waiting))].until < now:
            del self._waiting[oldest]
        if incoming in self._waiting:
            return False
        self._waiting[incoming] = Waiting(interaction, now + TOKEN_LIFE, over, notice)
        return True

    async def answered(self, incoming: str, seconds: float) -> bool:
        """Whether an interaction is answered within so many seconds."""
        waiting = self._waiting.get(incoming)
        if waiting is not None:
            with suppress(TimeoutError):
                async with asyncio.timeout(seconds):
                    await waiting.seen.wait()
        return waiting is None or waiting.seen.is_set()

    async def acknowledge(self, incoming: str) -> None:
        """Acknowledge an interaction that is not answered: a press shows nothing, a command "thinking …".

        It is noted first, so that the next process tells whoever waits if this one dies.
        """
        waiting = self._waiting.get(incoming)
        if waiting is None or waiting.shown:
            return
        await self._left_open.begin(incoming, waiting.interaction, silent=waiting.quiet)
        async with waiting.lock:
            if not waiting.shown:
                response = waiting.interaction.response
                deferred = response.defer() if waiting.quiet else response.defer(ephemeral=True, thinking=True)
                await self._first(waiting, "nothing" if waiting.quiet else "thinking", deferred)

    async def open(self, incoming: str, interaction: discord.Interaction[Any], modal: discord.ui.Modal) -> bool:
        """Open a form, and wait for no answer any more; False where an acknowledgement went before it."""
        waiting = self._waiting.get(incoming)
        if waiting is None:
            await interaction.response.send_modal(modal)
            return True
        async with waiting.lock:
            if waiting.shown:
                return False
            try:
                await interaction.response.send_modal(modal)
            except discord.HTTPException as error:
                if not is_refusal(error):
                    raise
                log.info("a form could not be opened", error=reason(error))  # Discord itself says that it failed
            waiting.shown = "answer"
            waiting.seen.set()
        self._waiting.pop(incoming, None)
        return True

    async def show(self, incoming: str, screen: Screen) -> None:
        """Answer with a screen, in the composer's place where that was pressed."""
        waiting = self._waiting.get(incoming)
        if waiting is None:
            return
        try:
            whole_text = "\n".join(filter(None, (screen.text, waiting.notice)))
            await self._persist(waiting, lambda: _layout(replace(screen, text=whole_text)))
            await self._left_open.end(incoming)
        except (discord.HTTPException, *UNREACHABLE) as error:
            log.info("a screen could not be shown", error=reason(error))
        finally:
            waiting.answers[incoming] = ()  # there is nothing to settle

    async def settle(self, incoming: str, text: str = "") -> None:
        """Nothing more will come: say so, or take the "thinking …" away."""
        waiting = self._waiting.pop(incoming, None)
        if waiting is None or waiting.answers:
            return
        waiting.seen.set()
        text = "\n".join(filter(None, (text, waiting.notice)))
        try:
            if text:
                await self._persist(waiting, lambda: _layout(Screen(text)) if waiting.over else {"content": text})
            else:
                await self._close(waiting)
            await self._left_open.end(incoming)
        except (discord.HTTPException, *UNREACHABLE) as error:
            log.info("an interaction could not be settled", error=reason(error))

    async def _close(self, waiting: Waiting) -> None:
        """Show nothing, or no longer what is shown; what was pressed stays as it is."""
        async with waiting.lock:
            if not waiting.shown and not waiting.interaction.response.is_done():
                await self._first(waiting, "nothing", waiting.interaction.response.defer())
        async with waiting.lock:
            if waiting.shown == "thinking":
                try:
                    await waiting.interaction.delete_original_response()
                except discord.HTTPException:
                    await waiting.interaction.edit_original_response(content="\u2713")

    async def answer(
        self, client: discord.Client, message: OutgoingMessage, only: Person, parts: Sequence[Part]
    ) -> str:
        """Answer the interaction that a message answers; the answer's id, "" if that cannot be done any more."""
        waiting = self._waiting.get(message.answers)
        if waiting is not None and str(waiting.interaction.user.id) == only.id and self._clock() < waiting.until:
            try:
                return await self._answer(waiting, message, parts)
            except discord.HTTPException as error:
                if not is_refusal(error) and retry_after(error) <= PATIENCE:
                    raise
                del self._waiting[message.answers]  # the token is over, or what was pressed, or its channel
        elif message.receipt and self._clock() - message.at < TOKEN_LIFE:
            return await self._answer_after_restart(client, message, parts)
        return ""

    async def _answer(self, waiting: Waiting, message: OutgoingMessage, parts: Sequence[Part]) -> str:
        """Show an answer to whoever interacts: done twice, it is there once."""
        waiting.answers[message.key] = parts

        def made() -> dict[str, Any]:
            shown = [part for answer in waiting.answers.values() for part in answer]  # others may have come meanwhile
            if waiting.over:
                return _layout(screen_of_parts(shown, self._signer, waiting.notice))
            return whole(shown, self._signer, waiting.notice)

        remote = await self._put(waiting, made)
        self._left_open.answer(message.answers)
        return remote

    async def _persist(self, waiting: Waiting, made: Callable[[], dict[str, Any]]) -> None:
        """Show one message, tried again where Discord fails or cannot be reached."""
        for left in reversed(range(ATTEMPTS)):
            try:
                await self._put(waiting, made)
                return
            except (discord.DiscordServerError, *UNREACHABLE):
                if not left:
                    raise
                await asyncio.sleep(AGAIN)

    async def _put(self, waiting: Waiting, made: Callable[[], dict[str, Any]]) -> str:
        """Show one message: as the first answer, after one that shows nothing, or in its place; the message's id."""
        async with waiting.lock:
            if not waiting.shown and (remote := await self._put_first(waiting, made())):
                return remote
            interaction, sent = waiting.interaction, made()
            if waiting.shown == "nothing" and not waiting.over:
                application, token = interaction.application_id, interaction.token
                waiting.remote = await self._followers.send(
                    interaction.client, interaction.id, application, token, **sent
                )
            else:
                files = sent.pop("files", [])
                if not isinstance(sent.get("view"), discord.ui.LayoutView):
                    sent = {"view": None, "embeds": [], **sent}
                edited = await interaction.followup.edit_message(waiting.remote, attachments=files, **sent)
                waiting.remote = edited.id
            waiting.shown = "answer"
            waiting.seen.set()
            return str(waiting.remote)

    async def _put_first(self, waiting: Waiting, sent: dict[str, Any]) -> str:
        """Show a message as the first answer; its id, "" where an earlier attempt at another one has arrived."""
        interaction = waiting.interaction
        if waiting.over:
            files = sent.pop("files")
            await self._first(waiting, "answer", interaction.response.edit_message(attachments=files, **sent))
            return str(interaction.message.id) if waiting.shown == "answer" and interaction.message else ""
        first = await self._first(waiting, "answer", interaction.response.send_message(**sent, ephemeral=True))
        if waiting.shown != "answer":
            return ""
        return str(first.message_id if first else (await interaction.original_response()).id)

    async def _first(self, waiting: Waiting, shown: Shown, answer: Any) -> Any:
        """Give the first answer, which Discord takes once; where it has one, see which attempt that was."""
        given = None
        try:
            given = await answer
        except discord.HTTPException as error:
            if error.code != ACKNOWLEDGED:
                raise
            shown = await _shown(waiting.interaction)
        waiting.shown = shown
        waiting.seen.set()
        return given

    async def _answer_after_restart(
        self, client: discord.Client, message: OutgoingMessage, parts: Sequence[Part]
    ) -> str:
        """Answer what was asked before a restart, unless it was; "" if that cannot be done any more."""
        application, token = message.receipt.split()
        webhook = discord.Webhook.partial(int(application), token, client=client)
        follower = self._followers.follower(number_of(message.answers))
        try:
            shown = await webhook.fetch_message(follower or ORIGINAL)
            if not shown.flags.ephemeral:  # what a button was pressed on
                return ""
            if not shown.flags.loading and not _says(shown, parts[0].text):
                return ""
            if follower:
                return str(follower)
            sent = whole(parts, self._signer)
            answer: Any = await webhook.edit_message(
                ORIGINAL, attachments=sent.pop("files"), **{"view": None, "embeds": [], **sent}
            )
        except discord.HTTPException as error:
            if error.code not in EXPIRED:
                raise
            return ""
        return str(answer.id)


def _says(shown: discord.WebhookMessage, text: str) -> bool:
    """Whether a text stands in a message, alone or beside others."""
    first = shown.content.startswith(f"{text}\n") or same_text(shown.content, text)
    return first or any(same_text(below.description or "", text) for below in shown.embeds)


def whole(parts: Sequence[Part], signer: Signer, notice: str = "") -> dict[str, Any]:
    """Several parts in one message: the first as its content, the others below it; what is too long as a file."""
    rows = tuple(choice for part in parts for choice in part.choices)[: limits.BUTTONS]
    pictured = [part for part in parts if part.image is not None]
    text = parts[0].text
    below: list[str] = []
    rest: list[str] = []
    beside = bool(notice) and limits.length(text) + limits.length(notice) + 1 <= limits.CONTENT
    last = [] if beside or not notice else [notice]
    room = limits.EMBEDS - limits.length("".join(last))
    for part in parts[1:]:
        if rest or len(below) + len(last) == limits.EMBED_COUNT or limits.length(part.text) > room:
            rest.append(part.text)
        else:
            below.append(part.text)
            room -= limits.length(part.text)
    below += last
    if beside:
        text = f"{text}\n{notice}"
    sent = payload(Part(text, rows, language=parts[-1].language, file=parts[-1].file), signer)
    for part in pictured:
        sent["files"] += payload(replace(part, file=("", "")), signer)["files"]
    if rest:
        sent["files"].append(discord.File(io.BytesIO("\n".join(rest).encode()), "more.txt"))
    return sent | ({"embeds": [discord.Embed(description=one) for one in below]} if below else {})


def _layout(screen: Screen) -> dict[str, Any]:
    view, files = laid_out(screen)
    return {"view": view, "files": files, "allowed_mentions": discord.AllowedMentions.none()}


async def _shown(interaction: discord.Interaction[Any]) -> Shown:
    """What whoever interacts sees of the first answer."""
    original = await interaction.original_response()
    if interaction.message is not None and original.id == interaction.message.id:
        return "nothing"
    return "thinking" if original.flags.loading else "answer"
