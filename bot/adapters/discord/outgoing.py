"""Takes posts to their channel, thread or person: each once, however often it has to be tried."""

import io
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime
from typing import Any, Final, cast

import discord
import structlog

from bot.adapters.discord import limits
from bot.adapters.discord.buttons import Seals, view_of
from bot.adapters.discord.errors import (
    ARCHIVED,
    CLOSED,
    NEVER,
    THREAD_EXISTS,
    UNKNOWN_CHANNEL,
    UNKNOWN_MESSAGE,
    UNREACHABLE,
    at_the_door,
    verdict,
)
from bot.adapters.discord.markup import PLATFORM, escaped, render, small, split
from bot.adapters.discord.titles import Pause, Titles
from bot.messages.model import Choice, OutgoingMessage, Person, Place, Retry, Span, Undeliverable
from bot.messages.serialization import lane, message_key
from bot.runtime.inbox import Inbox
from storage.store import Summary

log = structlog.get_logger(__name__)

FORGETFUL: Final = 120_000
"""Milliseconds for which Discord surely knows a nonce again."""
SKEW: Final = 60_000
"""Milliseconds by which our clock and Discord's may differ."""
TOKEN: Final = 14 * 60_000
"""Milliseconds for which an interaction can be answered; Discord says 15 minutes."""
LOOKED_BACK: Final = 300
"""Messages read in search of one that was sent before."""
FURTHER: Final = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ"
"""What is put behind the nonce for each further part of a long text."""
ARCHIVE: Final = 10080
"""Minutes without a message after which a thread is put away: a week, the longest there is. A post takes it out."""
HOW_TO_PLAY: Final = (
    "I can read only what is meant for me: press the button, reply to one of my messages with your turn, or mention me."
)
ORIGINAL: Final = cast("int", "@original")
"""What stands in for the id of the first answer; the library knows it by this name only in other methods."""
GONE: Final = (10008, 10015, 10062, 50027)
"""The platform's codes for an interaction that can be answered no more."""


@dataclass(slots=True)
class Asking:
    """Somebody waits for an answer that only they will see."""

    interaction: discord.Interaction[Any]
    until: int
    answered: dict[str, str] = field(default_factory=dict)
    """What was answered: the keys of posts (and of their parts), with the platform's ids."""


@dataclass(frozen=True, slots=True)
class Part:
    """One message, ready to be sent."""

    text: str
    choices: tuple[Choice, ...] = ()
    image: bytes | None = None
    alt: str = ""
    rings: tuple[Person, ...] = ()


class Delivery:
    """Knows where things are said; what hangs where is in the notebook."""

    def __init__(
        self,
        notebook: Inbox,
        clock: Callable[[], int],
        summary: Callable[[str], Awaitable[Summary | None]],
        named: Callable[[str], Awaitable[Person]],
        pause: Pause,
    ):
        self._notebook = notebook
        self._clock = clock
        self._summary = summary
        self._asking: dict[str, Asking] = {}
        self.titles = Titles(clock, summary, named, pause)
        self.seals = Seals(b"")

    def expect(self, heard: str, interaction: discord.Interaction[Any]) -> bool:
        """Whoever interacts waits for the answer to what we heard; False if they do already."""
        now = self._clock()
        while self._asking and self._asking[oldest := next(iter(self._asking))].until < now:
            del self._asking[oldest]
        if heard in self._asking:
            return False
        self._asking[heard] = Asking(interaction, now + TOKEN)
        return True

    async def settle(self, heard: str, text: str = "") -> None:
        """Nothing more will come: say so, or take the "thinking …" away."""
        asking = self._asking.pop(heard, None)
        if asking is None or asking.answered:
            return
        try:
            if text:
                await asking.interaction.edit_original_response(content=text)
                return
            try:
                await asking.interaction.delete_original_response()
            except discord.HTTPException:
                await asking.interaction.edit_original_response(content="\u2713")
        except (discord.HTTPException, *UNREACHABLE) as trouble:
            log.info("an interaction could not be settled", trouble=str(trouble))

    async def deliver(self, client: discord.Client, post: OutgoingMessage, image: bytes | None) -> str:
        """Show a post, and return the id of the message that bears its buttons."""
        with at_the_door(client):
            if post.only is not None:
                return await self._whisper(client, post, post.only, image)
            parts = await self._parts(post, image)
            remote, target = await self._at_home(client, post, parts)
            await self._copies(client, post, parts)
            if post.where.thread and target != int(post.where.channel):
                self.titles.look(client, post.where.thread, target)
            return remote

    async def _parts(self, post: OutgoingMessage, image: bytes | None) -> list[Part]:
        text = render(post.text, post.rings, await self._links(post.text)) + await self._small_print(post)
        alt = post.picture.alt if post.picture else ""
        if post.picture is not None and image is None:  # whoever cannot be shown the board is told it
            text = f"{text}\n{escaped(alt)}"
        texts = split(text)
        last = Part(texts[-1], post.choices, image, limits.cut(alt, limits.ALT), post.rings)
        return [*(Part(one, rings=post.rings) for one in texts[:-1]), last]

    async def _small_print(self, post: OutgoingMessage) -> str:
        """What people need to know here and on no other platform."""
        if post.only is None:
            private = await self._notebook.recall("private", replace(post.where, thread=""))
            return small(HOW_TO_PLAY) if post.opening and not private else ""
        if not post.where.thread:
            return ""
        thread = await self._notebook.recall("thread", post.where) or post.where.channel
        return small(f"In <#{thread}>" if thread else f"Match {post.where.thread}")

    async def _links(self, spans: Sequence[Span]) -> dict[Place, str]:
        """The ids of the places that are spoken of: a match's thread, if it has one there."""
        here = [span for span in spans if isinstance(span, Place) and span.platform == PLATFORM and span.channel]
        return {
            place: (place.thread and await self._notebook.recall("thread", place)) or place.channel for place in here
        }

    # --- in channels and threads ------------------------------------------------------------------------------
    async def _at_home(self, client: discord.Client, post: OutgoingMessage, parts: Sequence[Part]) -> tuple[str, int]:
        """Post where the match lives; the message's id, and the thread's or channel's."""
        target = await self._home(client, post)
        try:
            return await self._send(client, target, parts, post.key, post.at), target
        except discord.NotFound as error:
            if error.code != UNKNOWN_CHANNEL or target == int(post.where.channel):
                raise
            log.warning("a thread is gone, so the match gets another", match=post.where.thread)
            await self._notebook.note("thread", "", post.where)
            target = await self._home(client, post)
            return await self._send(client, target, parts, post.key, post.at), target
        except discord.HTTPException as error:
            if error.code not in ARCHIVED:
                raise
            await self._unlock(client, target, NEVER[error.code])
            return await self._send(client, target, parts, post.key, post.at), target

    async def _home(self, client: discord.Client, post: OutgoingMessage) -> int:
        if not post.where.thread:
            return int(post.where.channel)
        known = await self._notebook.recall("thread", post.where)
        return int(known) if known else await self._opened(client, post)

    async def _opened(self, client: discord.Client, post: OutgoingMessage) -> int:
        """A thread for a match, hanging from a message in its channel; the channel itself where that cannot be."""
        here = int(post.where.channel)
        channel = client.get_channel(here) or await client.fetch_channel(here)
        thread = await self._thread(client, channel, post) if isinstance(channel, discord.TextChannel) else here
        if thread != here:
            await self._notebook.note("match", lane(post.where), Place(PLATFORM, str(thread)))
        await self._notebook.note("thread", str(thread), post.where)
        return thread

    async def _thread(self, client: discord.Client, channel: discord.TextChannel, post: OutgoingMessage) -> int:
        match = post.where.thread
        text = render(post.opening) or f"**Match {match}**"
        root = await self._send(client, channel.id, [Part(text)], message_key(f"{post.key}/opening", 0), post.at)
        if not root:  # deleted already, and Discord remembers
            root = await self._send(client, channel.id, [Part(text)], message_key(f"{post.key}/opening", 1), post.at)
        name = await self.titles.title(match) or f"Match {match}"
        limits.check("thread", {"name": name})
        try:
            message = discord.PartialMessage(channel=channel, id=int(root))
            thread = await message.create_thread(name=name, auto_archive_duration=ARCHIVE)
        except discord.HTTPException as error:
            if error.code == THREAD_EXISTS:
                return int(root)
            if isinstance(verdict(error), Retry):
                raise
            log.warning("no thread can be opened, so the match is played in the channel", match=match, code=error.code)
            return channel.id
        self.titles.known(thread.id, name)
        return thread.id

    async def _unlock(self, client: discord.Client, target: int, otherwise: str) -> None:
        thread = client.get_channel(target) or await client.fetch_channel(target)
        try:
            if isinstance(thread, discord.Thread):
                await thread.edit(archived=False, locked=False)
        except discord.Forbidden:
            raise Undeliverable(otherwise) from None

    async def _copies(self, client: discord.Client, post: OutgoingMessage, parts: Sequence[Part]) -> None:
        """A match that lives in somebody's private channel is brought to the other players' as well."""
        owner = await self._notebook.recall("private", replace(post.where, thread=""))
        if not owner:
            return
        summary = await self._summary(post.where.thread) if post.where.thread else None
        players = [*(ringed.key for ringed in post.rings), *(summary.players if summary else ())]
        others = {key.partition(":")[2] for key in players if key.startswith(f"{PLATFORM}:")} - {owner}
        for other in sorted(filter(limits.is_id, others)):
            try:
                channel = await client.create_dm(discord.Object(int(other)))
                await self._send(client, channel.id, parts, message_key(f"{post.key}/copy/{other}", 0), post.at)
            except discord.Forbidden as error:
                log.warning("a player cannot be written to in private", player=other, code=error.code)

    # --- to one person ----------------------------------------------------------------------------------------
    async def _whisper(self, client: discord.Client, post: OutgoingMessage, only: Person, image: bytes | None) -> str:
        asking = self._asking.get(post.answers)
        parts = await self._parts(
            replace(post, where=replace(post.where, thread="")), image
        )  # they know where they are
        if asking is not None and str(asking.interaction.user.id) == only.id and self._clock() < asking.until:
            try:
                return await self._answer(asking, post.key, parts)
            except discord.HTTPException as error:
                if error.code not in GONE:
                    raise
                del self._asking[post.answers]
        elif post.receipt and self._clock() - post.at < TOKEN and (found := await self._fill_in(client, post, parts)):
            return found
        parts = await self._parts(post, image)
        try:
            channel = await client.create_dm(discord.Object(int(only.id)))
            return await self._send(client, channel.id, parts, post.key, post.at)
        except discord.Forbidden as error:
            if error.code not in CLOSED:
                raise
            await self._call_aside(client, post, only)
            raise Undeliverable(NEVER[error.code]) from None

    async def _answer(self, asking: Asking, key: str, parts: Sequence[Part]) -> str:
        """Fill in the message that whoever interacts already sees; what does not fit follows it."""
        remote = ""
        for n, part in enumerate(parts):
            nonce = key + FURTHER[n - 1 : n] if n else key
            if nonce not in asking.answered:
                message = await (self._follow if asking.answered else self._fill)(asking.interaction, part)
                asking.answered[nonce] = str(message.id)
            remote = asking.answered[nonce]
        return remote

    async def _fill_in(self, client: discord.Client, post: OutgoingMessage, parts: Sequence[Part]) -> str:
        """Answer what was asked of us before we were started again, unless it was; "" if that cannot be any more."""
        application, token = post.receipt.split()
        asked = discord.Webhook.partial(int(application), token, client=client)
        try:
            shown = await asked.fetch_message(ORIGINAL)
            if not shown.flags.loading and _plain(shown.content) != _plain(parts[0].text):
                return ""
            sent = {"view": None, **self._payload(parts[0])}
            message: Any = await asked.edit_message(ORIGINAL, attachments=sent.pop("files"), **sent)
            for part in parts[1:]:
                message = await asked.send(**self._payload(part), ephemeral=True, wait=True)
        except discord.HTTPException as error:
            if error.code not in GONE:
                raise
            return ""
        return str(message.id)

    async def _fill(self, interaction: discord.Interaction[Any], part: Part) -> discord.InteractionMessage:
        """Put it where "thinking …" stands: done twice, it is there once."""
        sent = {"view": None, **self._payload(part)}
        return await interaction.edit_original_response(attachments=sent.pop("files"), **sent)

    async def _follow(self, interaction: discord.Interaction[Any], part: Part) -> discord.WebhookMessage:
        return await interaction.followup.send(**self._payload(part), ephemeral=True, wait=True)

    async def _call_aside(self, client: discord.Client, post: OutgoingMessage, only: Person) -> None:
        """Say where others read along that there is something for somebody, never what; and only where that is no news.

        A whisper that is not all there is in answer may be about the turn that was just made: it is dropped in
        silence, because others could draw conclusions from its being mentioned.
        """
        if not post.where.channel or (not post.choices and post.key != message_key(post.answers, 0)):
            return
        remedy = (
            "press the button: what you write there is for me alone"
            if post.choices
            else "use my slash commands here: only you see what they answer"
        )
        text = (
            f"{render((only,), (only,))}, I have something for you alone, but I may not write to you. Please {remedy}."
        )
        aside = [Part(text, post.choices, rings=(only,))]
        try:
            public = replace(post, key=message_key(f"{post.key}/aside", 0), only=None)
            await self._at_home(client, public, aside)
        except discord.HTTPException as error:
            log.warning("somebody can be told nothing, not even that", code=error.code)

    # --- one message ------------------------------------------------------------------------------------------
    async def _send(self, client: discord.Client, target: int, parts: Sequence[Part], key: str, at: int) -> str:
        """Send what was not sent yet; the last message's id, "" if it was deleted since."""
        channel = client.get_partial_messageable(target)
        late = self._clock() - at > FORGETFUL
        remote = ""
        for n, part in enumerate(parts):
            found = await self._sent_before(client, channel, part, at) if late else ""
            remote = found or await self._sent(channel, part, key + FURTHER[n - 1 : n] if n else key)
        return remote

    async def _sent(self, channel: discord.PartialMessageable, part: Part, nonce: str) -> str:
        limits.check("message", {"nonce": nonce})
        try:
            message = await channel.send(**self._payload(part), nonce=nonce)
        except discord.NotFound as error:
            if error.code != UNKNOWN_MESSAGE:
                raise
            return ""  # it was posted under this nonce, and somebody has deleted it
        return str(message.id)

    async def _sent_before(
        self, client: discord.Client, channel: discord.PartialMessageable, part: Part, at: int
    ) -> str:
        """The message, if it was sent already and nobody had the time to write that down: Discord forgets nonces."""
        since = datetime.fromtimestamp((at - SKEW) / 1000, UTC)
        try:
            async for message in channel.history(limit=LOOKED_BACK, after=since, oldest_first=True):
                same = _plain(message.content) == _plain(part.text) and message.author == client.user
                if same and await self._notebook.post(str(message.id)) is None:
                    return str(message.id)
        except discord.Forbidden:
            log.warning("a late post cannot be looked for: Riposte lacks Read Message History", channel=channel.id)
        return ""

    def _payload(self, part: Part) -> dict[str, Any]:
        """What the library is to send; every limit of the platform is checked here."""
        view = view_of(part.choices, self.seals)
        rung = [discord.Object(int(who.id)) for who in part.rings if who.platform == PLATFORM and limits.is_id(who.id)]
        mentions = discord.AllowedMentions(everyone=False, roles=False, replied_user=False, users=rung)
        components = view.to_components() if view else []
        limits.check("message", {"content": part.text, "components": components, "allowed_mentions": {"users": rung}})
        files = []
        if part.image is not None:
            limits.check_file(part.image, part.alt)
            files = [discord.File(io.BytesIO(part.image), "board.png", description=part.alt or None)]
        return {
            "content": part.text,
            "files": files,
            "allowed_mentions": mentions,
            **({"view": view} if view else {}),
        }


def _plain(text: str) -> str:
    return "".join(text.split())
