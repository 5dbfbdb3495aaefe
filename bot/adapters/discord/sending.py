"""One message, sent under a nonce: once, however often it has to be tried."""

import io
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any, Final

import discord
import structlog

from bot.adapters.discord import limits
from bot.adapters.discord.errors import UNKNOWN_MESSAGE
from bot.adapters.discord.interactions.buttons import SHOW, Signer, is_ours, showing, view_of
from bot.adapters.discord.interactions.expiry import Expiry
from bot.adapters.discord.markup import PLATFORM
from bot.adapters.images import image_of
from bot.messages.catalogue import language
from bot.messages.model import Button, Person
from bot.runtime.inbox import Inbox

log = structlog.get_logger(__name__)

NONCE_LIFE: Final = 120_000
"""Milliseconds for which Discord surely remembers a nonce."""
SKEW: Final = 60_000
"""Milliseconds by which our clock and Discord's may differ."""
LOOKED_BACK: Final = 300
"""Messages read in search of one that was sent before."""
PART_SUFFIXES: Final = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ"
"""Put behind the nonce for each further part of a long text."""


@dataclass(frozen=True, slots=True)
class Part:
    """One message, ready to be sent."""

    text: str
    choices: tuple[Button, ...] = ()
    image: bytes | None = None
    alt: str = ""
    rings: tuple[Person, ...] = ()
    language: str = ""
    """What it is told in."""
    file: tuple[str, str] = ("", "")
    """The name and the text of a file; "" = there is none."""
    shows: str = ""
    """The key of the answer that its button shows; "" = it has none."""


class Sender:
    """Sends parts to a channel, and finds those that were sent before."""

    def __init__(self, inbox: Inbox, clock: Callable[[], int], signer: Signer, expiry: Expiry):
        self._expiry = expiry
        self._inbox = inbox
        self._clock = clock
        self._signer = signer

    async def send(self, client: discord.Client, target: int, parts: Sequence[Part], key: str, at: int) -> str:
        """Send what was not sent yet; the last message's id, "" if it was deleted since."""
        channel = client.get_partial_messageable(target)
        late = self._clock() - at > NONCE_LIFE
        remote = ""
        for n, part in enumerate(parts):
            found = await self._sent_before(client, channel, part, at) if late else ""
            remote = found or await self._send_part(channel, part, nonce_of(key, n))
            if part.choices:
                await self._expiry.posted(target, remote, part.choices)
        return remote

    async def find(self, client: discord.Client, target: int, part: Part, at: int) -> None:
        """Note the buttons of a part that was sent, if it was, before we were killed."""
        if remote := await self._sent_before(client, client.get_partial_messageable(target), part, at):
            await self._expiry.posted(target, remote, part.choices)

    async def _send_part(self, channel: discord.PartialMessageable, part: Part, nonce: str) -> str:
        limits.check("message", {"nonce": nonce})
        try:
            message = await channel.send(**payload(part, self._signer), nonce=nonce)
        except discord.NotFound as error:
            if error.code != UNKNOWN_MESSAGE:
                raise
            return ""  # it was posted under this nonce, and somebody has deleted it
        return str(message.id)

    async def _sent_before(
        self, client: discord.Client, channel: discord.PartialMessageable, part: Part, at: int
    ) -> str:
        """The message, if it was sent before a crash: Discord forgets nonces after some minutes."""
        since = datetime.fromtimestamp((at - SKEW) / 1000, UTC)
        try:
            async for message in channel.history(limit=LOOKED_BACK, after=since, oldest_first=True):
                same = same_text(message.content, part.text) and message.author == client.user
                same = same and (not part.shows or is_ours(self._signer.sign(SHOW, part.shows), message))
                if same and await self._inbox.post(str(message.id)) is None:
                    return str(message.id)
        except discord.Forbidden:
            log.warning("a late message cannot be looked for: Riposte lacks Read Message History", channel=channel.id)
        return ""


def nonce_of(key: str, n: int) -> str:
    """The nonce of the nth part of a message."""
    return key + PART_SUFFIXES[n - 1 : n] if n else key


def payload(part: Part, signer: Signer) -> dict[str, Any]:
    """What the library is to send; every limit of the platform is checked here."""
    spoken = language(part.language)
    view = showing(part.shows, signer, spoken) if part.shows else view_of(part.choices, signer, spoken)
    rung = [discord.Object(int(who.id)) for who in part.rings if who.platform == PLATFORM and limits.is_id(who.id)]
    mentions = discord.AllowedMentions(everyone=False, roles=False, replied_user=False, users=rung)
    components = view.to_components() if view else []
    limits.check("message", {"content": part.text, "components": components, "allowed_mentions": {"users": rung}})
    files = []
    if part.image is not None:
        limits.check_file(part.image, part.alt)
        files = [discord.File(io.BytesIO(part.image), image_of(part.image).name, description=part.alt or None)]
    if part.file[0]:
        files.append(discord.File(io.BytesIO(part.file[1].encode()), part.file[0]))
    return {
        "content": part.text,
        "files": files,
        "allowed_mentions": mentions,
        **({"view": view} if view else {}),
    }


def same_text(one: str, other: str) -> bool:
    """Whether two texts are the same but for blanks, of which Discord keeps not all."""
    return "".join(one.split()) == "".join(other.split())
