"""Messages of the bot, taken to their channel, thread or person."""

from collections.abc import Awaitable, Callable, Sequence
from dataclasses import replace
from typing import Final

import discord
import structlog

from bot.adapters.discord import limits
from bot.adapters.discord.direct_messages import DirectMessages
from bot.adapters.discord.errors import MISSING_PERMISSIONS, TOO_LARGE, converted, converting
from bot.adapters.discord.interactions.expiry import Expiry
from bot.adapters.discord.interactions.replies import PrivateReplies
from bot.adapters.discord.language import said
from bot.adapters.discord.markup import PLATFORM, escaped, render, small, split
from bot.adapters.discord.sending import Part, Sender
from bot.adapters.discord.threads.matches import MatchThreads
from bot.adapters.discord.threads.titles import Titles
from bot.messages.catalogue import language
from bot.messages.model import OutgoingMessage, Person, Place, Retry, Span, Undeliverable
from bot.messages.serialization import message_key
from bot.messages.showing.files import as_file
from bot.runtime.inbox import Inbox
from engine.text import Text
from storage.store import Summary

log = structlog.get_logger(__name__)

HOW_TO_PLAY: Final = Text(
    "I can read only what is meant for me: press the button, reply to one of my messages with your turn, or mention me."
)

UNSEEN: Final = Text("I may not write to {player}, who has not seen this.")
INVITE: Final = Text(
    "Challenge them in a channel of a server that we share, or ask them to allow direct messages and to write to me."
)

HOW_TO_PLAY_READING: Final = Text("Write your turn here, or press the button.")


class Delivery:
    """Delivers messages: in a match's thread, in a channel, or to one person."""

    def __init__(
        self,
        inbox: Inbox,
        direct_messages: DirectMessages,
        replies: PrivateReplies,
        *,
        titles: Titles,
        sender: Sender,
        summary: Callable[[str], Awaitable[Summary | None]],
        expiry: Expiry,
        reads_all: bool,
    ):
        self._expiry = expiry
        self._how = HOW_TO_PLAY_READING if reads_all else HOW_TO_PLAY
        self._inbox = inbox
        self._direct_messages = direct_messages
        self._replies = replies
        self._summary = summary
        self.titles = titles
        self._sender = sender
        self._threads = MatchThreads(inbox, sender, titles)

    async def deliver(self, client: discord.Client, message: OutgoingMessage, image: bytes | None) -> str:
        """Show a message, and return Discord's id of the part that bears its buttons."""
        if message.where.gallery:
            return await self._in_gallery(client, message)
        try:
            return await self._shown(client, message, image)
        finally:
            self._expiry.changed(message.where.thread or message.about)

    async def _in_gallery(self, client: discord.Client, message: OutgoingMessage) -> str:
        """Show it to spectators; a failure says nothing about the place where the match is played."""
        if await self._inbox.recall("private", replace(message.where, thread="")):
            raise Undeliverable("a private channel has no threads")
        try:
            with converting(client):
                return (await self._threads.send(client, message, await self._parts(message, None)))[0]
        except Undeliverable as error:
            raise Undeliverable(str(error)) from None

    async def _shown(self, client: discord.Client, message: OutgoingMessage, image: bytes | None) -> str:
        with converting(client):
            if message.only is not None:
                return await self._to_person(client, message, message.only, image)
            owner = await self._inbox.recall("private", replace(message.where, thread=""))
            parts = await self._parts(message, image)
            try:
                remote, target = await self._threads.send(client, message, seen_by(owner, parts))
            except discord.HTTPException as error:
                if image is None or not (error.code == MISSING_PERMISSIONS or error.status == TOO_LARGE):
                    raise
                parts = await self._parts(message, None)  # Attach Files may be all that is lacking
                remote, target = await self._threads.send(client, message, seen_by(owner, parts))
            if owner:
                await self._copies(client, message, parts, owner)
            if message.where.thread and target != int(message.where.channel):
                self.titles.refresh(client, message.where.thread, target, message.language)
            return remote

    # --- the text ---------------------------------------------------------------------------------------------
    async def _parts(self, message: OutgoingMessage, image: bytes | None) -> list[Part]:
        links = await self._links(message.text)
        message, filed = as_file(message)
        file = (message.file, filed) if filed else ("", "")
        text = render(message.text, message.rings, links, language(message.language))
        text += await self._small_print(message)
        alt = message.picture.alt if message.picture else ""
        if message.picture is not None and image is None:  # the position in words instead of its picture
            text = f"{text}\n{escaped(alt)}"
        texts = split(text)
        last = Part(
            texts[-1], message.choices, image, limits.cut(alt, limits.ALT), message.rings, message.language, file
        )
        return [*(Part(one, rings=message.rings) for one in texts[:-1]), last]

    async def _small_print(self, message: OutgoingMessage) -> str:
        """What people need to know on Discord only."""
        spoken = language(message.language)
        if message.only is None:
            private = await self._inbox.recall("private", replace(message.where, thread=""))
            return small(spoken.say(self._how)) if message.opening and not private else ""
        if not message.where.thread:
            return ""
        thread = await self._inbox.recall("thread", message.where) or message.where.channel
        where = (
            Text("In {thread}", thread=f"<#{thread}>") if thread else Text("Match {match}", match=message.where.thread)
        )
        return small(spoken.say(where))

    async def _links(self, spans: Sequence[Span]) -> dict[Place, str]:
        """The ids of the places that a text names: a match's thread, if it has one."""
        here = [span for span in spans if isinstance(span, Place) and span.platform == PLATFORM and span.channel]
        return {place: (place.thread and await self._inbox.recall("thread", place)) or place.channel for place in here}

    # --- in private -------------------------------------------------------------------------------------------
    async def _copies(
        self, client: discord.Client, message: OutgoingMessage, parts: Sequence[Part], owner: str
    ) -> None:
        """Bring a match that is played in somebody's private channel to the other players' as well."""
        summary = await self._summary(message.where.thread) if message.where.thread else None
        players = [*(ringed.key for ringed in message.rings), *(summary.players if summary else ())]
        others = {key.partition(":")[2] for key in players if key.startswith(f"{PLATFORM}:")} - {owner}
        for other in sorted(filter(limits.is_id, others)):
            try:
                channel = await self._direct_messages.open(client, int(other))
                await self._sender.send(
                    client, channel.id, seen_by(other, parts), message_key(f"{message.key}/copy/{other}", 0), message.at
                )
            except discord.HTTPException as error:
                if isinstance(converted(error), Retry):
                    raise
                log.warning("a player cannot be written to in private", player=other, code=error.code)
                await self._tell_unseen(client, message, other)

    async def _tell_unseen(self, client: discord.Client, message: OutgoingMessage, other: str) -> None:
        """Tell those who play in private who of them cannot be told anything there; once for each message."""
        person = Person(PLATFORM, other, other)
        spoken = language(message.language)
        text = render(spoken.lines(((Text(UNSEEN.template, player=person), INVITE),)), spoken=spoken)
        key = message_key(f"{message.key}/unseen/{other}", 0)
        await self._sender.send(client, int(message.where.channel), [Part(text)], key, message.at)

    async def _to_person(
        self, client: discord.Client, message: OutgoingMessage, only: Person, image: bytes | None
    ) -> str:
        in_place = replace(message, where=replace(message.where, thread=""))  # whoever interacts knows where they are
        if found := await self._replies.answer(client, message, only, await self._parts(in_place, image)):
            return found
        try:
            channel = await self._direct_messages.open(client, int(only.id))
            return await self._sender.send(
                client, channel.id, await self._parts(message, image), message.key, message.at
            )
        except discord.HTTPException as error:
            refused = converted(error)
            if isinstance(refused, Retry):
                raise
            await self._ask_to_interact(client, message, only)
            raise Undeliverable(str(refused), closes="person") from None

    async def _ask_to_interact(self, client: discord.Client, message: OutgoingMessage, only: Person) -> None:
        """Offer in public what is for somebody alone, and never say what it is; and only where that reveals nothing.

        A private message that is not the whole answer may be about the turn that was just made: it is dropped in
        silence, because others could draw conclusions from its being mentioned.
        """
        if not message.where.channel or (not message.choices and message.key != message_key(message.answers, 0)):
            return
        player = render((only,), (only,))
        fact = Text("{player}, I have something for you alone, but I may not write to you.", player=player)
        text = said(
            (fact, Text("Press the button: what it shows you nobody else can see.")), language(message.language)
        )
        aside = [Part(text, rings=(only,), language=message.language, shows=message.key)]
        try:
            public = replace(message, key=message_key(f"{message.key}/aside", 0), only=None)
            await self._threads.send(client, public, aside)
        except discord.HTTPException as error:
            log.warning("somebody cannot be reached in private, nor told so in public", code=error.code)


def seen_by(reader: str, parts: Sequence[Part]) -> list[Part]:
    """The parts as somebody sees them in a private channel: without what only the others would press; "" = anybody."""
    alone = f"{PLATFORM}:{reader}"
    kept = [tuple(choice for choice in part.choices if choice.mover != alone) for part in parts]
    return [replace(part, choices=choices) for part, choices in zip(parts, kept, strict=True)]
