"""Private replies to interactions: one message for each, which is filled in and edited, so that nothing shows twice."""

import asyncio
import io
from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass, field, replace
from typing import Any, Final, Literal, cast

import discord
import structlog

from bot.adapters.discord import limits
from bot.adapters.discord.composer.screen import Screen, laid_out, screen_of_parts
from bot.adapters.discord.errors import UNREACHABLE
from bot.adapters.discord.interactions.buttons import Signer
from bot.adapters.discord.language import said
from bot.adapters.discord.sending import Part, payload, same_text
from bot.messages.catalogue import language
from bot.messages.model import OutgoingMessage, Person
from bot.runtime.inbox import Inbox
from engine.text import Text

log = structlog.get_logger(__name__)

TOKEN_LIFE: Final = 14 * 60_000
"""Milliseconds for which an interaction can be answered; Discord says 15 minutes."""
ORIGINAL: Final = cast("int", "@original")
"""Stands for the id of the first answer; the library knows it by this name only in other methods."""
EXPIRED: Final = (10008, 10015, 10062, 50027)
"""Discord's codes for an interaction that can be answered no more."""
ACKNOWLEDGED: Final = 40060
"""Discord's code for an answer that has arrived before."""
OPEN: Final = "open interactions"
"""The key under which it is noted who sees "thinking …": after a kill, the next process takes that away."""
SETTLING: Final = 1.0
"""Seconds between two looks for answers that wait in the outbox: "thinking …" stays until they have arrived."""
NOTED: Final = 1.0
"""Seconds that the note has to be stored."""
INTERRUPTED: Final = (
    Text("I was interrupted before I could deal with that, so nothing was done."),
    Text("Please do it again."),
)


@dataclass(slots=True)
class Waiting:
    """An interaction whose user may get a private answer."""

    interaction: discord.Interaction[Any]
    until: int
    quiet: bool
    """Whether it can be acknowledged without a sign, as a pressed button can."""
    over: bool = False
    """Whether what is said takes the place of the composer that was pressed on."""
    notice: str = ""
    """What is said below whatever else is."""
    shown: Literal["", "thinking", "nothing", "answer"] = ""
    """What its user sees of it."""
    answers: dict[str, Sequence[Part]] = field(default_factory=dict)
    """By key of their messages."""
    lock: asyncio.Lock = field(default_factory=asyncio.Lock)
    """Discord takes one first answer."""
    seen: asyncio.Event = field(default_factory=asyncio.Event)
    """Set as soon as there is one."""


class PrivateReplies:
    """The interactions that wait for an answer, by the ids of their messages."""

    def __init__(self, clock: Callable[[], int], signer: Signer, inbox: Inbox, part: str = ""):
        """`part` tells the shards of this process, where others have others."""
        self._noted_as = f"{OPEN} {part}".strip()
        self._clock = clock
        self._signer = signer
        self._inbox = inbox
        self._waiting: dict[str, Waiting] = {}
        self._open: dict[str, tuple[int, str]] = {}
        """Those who see "thinking …": since when, and what is needed to take it away."""

    def expect(
        self,
        incoming: str,
        interaction: discord.Interaction[Any],
        *,
        quiet: bool,
        over: bool = False,
        notice: str = "",
    ) -> bool:
        """Wait for the answer to a message; False if one is waited for already."""
        now = self._clock()
        while self._waiting and self._waiting[oldest := next(iter(self._waiting))].until < now:
            del self._waiting[oldest]
        if incoming in self._waiting:
            return False
        self._waiting[incoming] = Waiting(interaction, now + TOKEN_LIFE, quiet, over, notice)
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
        """Show "thinking …", unless the interaction is answered already; noted first, so that it does not stay."""
        waiting = self._waiting.get(incoming)
        if waiting is None or waiting.shown:
            return
        interaction = waiting.interaction
        if waiting.over:
            async with waiting.lock:
                if not waiting.shown:
                    await self._first(waiting, "thinking", interaction.response.defer())
            return
        self._open[incoming] = self._clock(), f"{interaction.application_id} {interaction.token}"
        try:
            async with asyncio.timeout(NOTED):
                await self._note_open()
        except OSError as error:  # or TimeoutError: the disk may be slow, and Discord waits three seconds
            log.error("it cannot be noted who waits", trouble=error.strerror or str(error))
        async with waiting.lock:
            if not waiting.shown:
                await self._first(waiting, "thinking", interaction.response.defer(ephemeral=True, thinking=True))

    async def show(self, incoming: str, screen: Screen) -> None:
        """Answer with a screen, in the composer's place where that was pressed."""
        waiting = self._waiting.get(incoming)
        if waiting is None:
            return
        try:
            text = "\n".join(filter(None, (screen.text, waiting.notice)))
            async with waiting.lock:
                await self._lay_out(waiting, replace(screen, text=text))
            self._open.pop(incoming, None)
        except (discord.HTTPException, *UNREACHABLE) as error:
            log.info("a screen could not be shown", trouble=str(error))
        finally:
            waiting.answers[incoming] = ()  # there is nothing to settle

    async def _lay_out(self, waiting: Waiting, screen: Screen) -> str:
        """Show a screen, as the first answer or in its place; the message's id."""
        interaction = waiting.interaction
        view, files = laid_out(screen)
        if waiting.shown:
            edited = await interaction.edit_original_response(attachments=files, view=view)
            waiting.shown = "answer"
            return str(edited.id)
        if waiting.over:
            await self._first(waiting, "answer", interaction.response.edit_message(attachments=files, view=view))
            return str(interaction.message.id) if interaction.message else ""
        answer = interaction.response.send_message(
            view=view, files=files, ephemeral=True, allowed_mentions=discord.AllowedMentions.none()
        )
        first = await self._first(waiting, "answer", answer)
        return str(first.message_id if first else (await interaction.original_response()).id)

    async def settle(self, incoming: str, text: str = "") -> None:
        """Nothing more will come: say so, or take the "thinking …" away."""
        waiting = self._waiting.pop(incoming, None)
        if waiting is None or waiting.answers:
            return
        waiting.seen.set()
        text = "\n".join(filter(None, (text, waiting.notice)))
        interaction = waiting.interaction
        if waiting.over:  # where nothing is to be said, it stays as it is
            await self._settle_over(waiting, text)
            return
        try:
            async with waiting.lock:
                if waiting.shown:
                    await _settled(interaction, text)
                elif text:
                    await self._first(waiting, "answer", interaction.response.send_message(text, ephemeral=True))
                else:
                    await self._first(waiting, "nothing", interaction.response.defer())
            self._open.pop(incoming, None)
        except (discord.HTTPException, *UNREACHABLE) as error:
            log.info("an interaction could not be settled", trouble=str(error))

    async def _settle_over(self, waiting: Waiting, text: str) -> None:
        try:
            async with waiting.lock:
                if text:
                    await self._lay_out(waiting, Screen(text))
                elif not waiting.shown:
                    await self._first(waiting, "nothing", waiting.interaction.response.defer())
        except (discord.HTTPException, *UNREACHABLE) as error:
            log.info("a press could not be settled", trouble=str(error))

    async def answer(
        self, client: discord.Client, message: OutgoingMessage, only: Person, parts: Sequence[Part]
    ) -> str:
        """Answer the interaction that a message answers; the answer's id, "" if that cannot be done any more."""
        waiting = self._waiting.get(message.answers)
        if waiting is not None and str(waiting.interaction.user.id) == only.id and self._clock() < waiting.until:
            try:
                return await self._answer(waiting, message, parts)
            except discord.HTTPException as error:
                if error.code not in EXPIRED:
                    raise
                del self._waiting[message.answers]
        elif message.receipt and self._clock() - message.at < TOKEN_LIFE:
            return await self._answer_after_restart(client, message, parts)
        return ""

    async def resume(self, client: discord.Client, pause: Callable[[float], Any]) -> None:
        """Take away the "thinking …" that another process has left; who was not heard is told so."""
        lines = [line.split() for line in (await self._inbox.recall(self._noted_as)).splitlines()]
        left = {number: (int(at), f"{application} {token}") for number, at, application, token in lines}
        self._open = left | self._open  # until that is done, it must not be forgotten
        heard = {number for number in left if await self._inbox.known(number)}
        for number in left.keys() - heard:
            await self._resume(client, number, INTERRUPTED)
        while heard:
            settled = {number for number in heard if not await self._may_be_answered(number)}
            for number in settled:
                await self._resume(client, number, ())
            if heard := heard - settled:
                await pause(SETTLING)

    async def _may_be_answered(self, number: str) -> bool:
        """Whether the outbox still holds an answer that will take the place of "thinking …"."""
        at, _ = self._open[number]
        return self._clock() - at < TOKEN_LIFE and await self._inbox.answering(number)

    async def _resume(self, client: discord.Client, number: str, words: Sequence[Text]) -> None:
        at, way = self._open[number]
        application, token = way.split()
        webhook = discord.Webhook.partial(int(application), token, client=client)
        try:
            if self._clock() - at < TOKEN_LIFE:
                shown = await webhook.fetch_message(ORIGINAL)
                if shown.flags.loading and words:
                    await webhook.edit_message(ORIGINAL, content=said(words, language()))
                elif shown.flags.loading:
                    await webhook.delete_message(ORIGINAL)
            self._open.pop(number, None)
        except discord.NotFound:  # it was never acknowledged, or is settled
            self._open.pop(number, None)
        except (discord.HTTPException, *UNREACHABLE) as error:
            log.info("an interaction could not be settled after a restart", trouble=str(error))

    async def _note_open(self) -> None:
        now = self._clock()
        self._open = {number: one for number, one in self._open.items() if now - one[0] < TOKEN_LIFE}
        lines = "\n".join(f"{number} {at} {way}" for number, (at, way) in self._open.items())
        await self._inbox.note(self._noted_as, lines)

    async def _answer(self, waiting: Waiting, message: OutgoingMessage, parts: Sequence[Part]) -> str:
        """Show an answer to whoever interacts: done twice, it is there once."""
        async with waiting.lock:
            if waiting.shown == "nothing":
                return ""
            waiting.answers[message.key] = parts
            shown = [part for answer in waiting.answers.values() for part in answer]
            if waiting.over:
                return await self._lay_out(waiting, screen_of_parts(shown, self._signer, waiting.notice))
            sent = whole(shown, self._signer, waiting.notice)
            interaction = waiting.interaction
            if not waiting.shown:
                first = await self._first(waiting, "answer", interaction.response.send_message(**sent, ephemeral=True))
                remote = first.message_id if first else (await interaction.original_response()).id
            else:
                edited = await interaction.edit_original_response(
                    attachments=sent.pop("files"), **{"view": None, "embeds": [], **sent}
                )
                remote, waiting.shown = edited.id, "answer"
            self._open.pop(message.answers, None)
        return str(remote)

    async def _first(self, waiting: Waiting, shown: Literal["thinking", "nothing", "answer"], answer: Any) -> Any:
        """Give the first answer, which Discord takes once, whatever becomes of the request."""
        given = None
        try:
            given = await answer
        except discord.HTTPException as error:
            if error.code != ACKNOWLEDGED:
                raise
        except discord.InteractionResponded:
            pass
        waiting.shown = shown
        waiting.seen.set()
        return given

    async def _answer_after_restart(
        self, client: discord.Client, message: OutgoingMessage, parts: Sequence[Part]
    ) -> str:
        """Answer what was asked before a restart, unless it was; "" if that cannot be done any more."""
        application, token = message.receipt.split()
        webhook = discord.Webhook.partial(int(application), token, client=client)
        try:
            shown = await webhook.fetch_message(ORIGINAL)
            if not shown.flags.ephemeral:  # what a button was pressed on
                return ""
            if not shown.flags.loading and not same_text(shown.content, parts[0].text):
                return ""
            sent = whole(parts, self._signer)
            answer: Any = await webhook.edit_message(
                ORIGINAL, attachments=sent.pop("files"), **{"view": None, "embeds": [], **sent}
            )
        except discord.HTTPException as error:
            if error.code not in EXPIRED:
                raise
            return ""
        return str(answer.id)


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


async def _settled(interaction: discord.Interaction[Any], text: str) -> None:
    if text:
        await interaction.edit_original_response(content=text)
        return
    try:
        await interaction.delete_original_response()
    except discord.HTTPException:
        await interaction.edit_original_response(content="\u2713")
