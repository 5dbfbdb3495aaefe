"""Messages and their files, and how they are written for whom."""

import struct
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Final

from tests.discord_standin.clock import written
from tests.discord_standin.components import BUTTON, WORDS, walk
from tests.discord_standin.refusal import JSON

if TYPE_CHECKING:
    from tests.discord_standin.world import Channel, User

SAID, RENAMED, STARTED_THREAD, REPLY, SLASHED, THREAD_START, MENU = 0, 4, 18, 19, 20, 21, 23
"""Types of messages: said, the thread got a new name, a thread was opened, a reply, an answer, and so on."""
SYSTEM: Final = (RENAMED, STARTED_THREAD, THREAD_START)
CONTENT_TYPES: Final[Mapping[str, str]] = {
    "png": "image/png",
    "jpg": "image/jpeg",
    "gif": "image/gif",
    "webp": "image/webp",
    "txt": "text/plain; charset=utf-8",
    "json": "application/json; charset=utf-8",
}


@dataclass(eq=False)
class Attachment:
    """A file that came with a message."""

    id: int
    name: str
    data: bytes
    url: str
    alt: str | None = None
    ephemeral: bool = False

    def json(self) -> JSON:
        """The file as messages show it."""
        kind = CONTENT_TYPES.get(self.name.rpartition(".")[2].lower())
        base = {"id": str(self.id), "filename": self.name, "size": len(self.data), "url": self.url}
        base |= {"proxy_url": self.url, "flags": 0}
        if kind:
            base["content_type"] = kind
        if self.data[:8] == b"\x89PNG\r\n\x1a\n":
            base["width"], base["height"] = struct.unpack(">II", self.data[16:24])
        if self.alt:
            base["description"] = self.alt
        return base | ({"ephemeral": True} if self.ephemeral else {})


@dataclass(eq=False)
class Message:
    """One message: said in a channel, or whispered to one person as the answer to an interaction."""

    id: int
    channel: "Channel"
    author: "User"
    at: float
    content: str = ""
    type: int = SAID
    embeds: list[JSON] = field(default_factory=list)
    attachments: list[Attachment] = field(default_factory=list)
    components: list[JSON] = field(default_factory=list)
    flags: int = 0
    nonce: str | int | None = None
    reference: "Message | None" = None
    mentions: list["User"] = field(default_factory=list)
    """Whom the message pings, after `allowed_mentions`."""
    everyone: bool = False
    reactions: dict[str, list["User"]] = field(default_factory=dict)
    edited: float | None = None
    only: "User | None" = None
    """The one person who sees it, if it is a whisper."""
    metadata: JSON | None = None
    """The interaction that it answers."""
    thread: "Channel | None" = None
    versions: list[str] = field(default_factory=list)
    """The texts before each edit."""

    @property
    def text(self) -> str:
        """All words of it, of layouts and embeds as well."""
        parts = [self.content, *(part["content"] for part in walk(self.components) if part["type"] == WORDS)]
        for embed in self.embeds:
            parts += [embed.get("title") or "", embed.get("description") or ""]
            parts += [f"{one['name']}: {one['value']}" for one in embed.get("fields") or ()]
        return "\n".join(part for part in parts if part)

    @property
    def buttons(self) -> list[str]:
        """The labels of its buttons."""
        return [label_of(part) for part in walk(self.components) if part["type"] == BUTTON]

    @property
    def link(self) -> str:
        """The address of the message."""
        where = self.channel.guild.id if self.channel.guild else "@me"
        return f"https://discord.com/channels/{where}/{self.channel.id}/{self.id}"

    def readable(self) -> bool:
        """Whether the bot may read it without the intent for message content."""
        bot = self.channel.world.bot
        return self.channel.guild is None or self.author is bot or bot in self.mentions

    def json(self, *, redacted: bool = False, fresh: bool = False) -> JSON:
        """The message as the bot gets it; `fresh` when it is just being made: only then is the nonce told."""
        known = self.channel.guild is not None and not self.author.bot
        return {
            "id": str(self.id),
            "channel_id": str(self.channel.id),
            "type": self.type,
            "author": self.author.json(),
            "content": "" if redacted else self.content,
            "embeds": [] if redacted else self.embeds,
            "attachments": [] if redacted else [one.json() for one in self.attachments],
            "components": [] if redacted else self.components,
            "timestamp": written(self.at),
            "edited_timestamp": written(self.edited) if self.edited else None,
            "flags": self.flags,
            "tts": False,
            "pinned": False,
            "mention_everyone": self.everyone,
            "mentions": [user.json() | ({"member": self._membership(user)} if known else {}) for user in self.mentions],
            "mention_roles": [],
            **({"nonce": self.nonce} if fresh and self.nonce is not None else {}),
            **({"reactions": self._reactions()} if self.reactions else {}),
            **(self._referring() if self.reference else {}),
            **({"thread": self.thread.json()} if self.thread else {}),
            **(self.metadata or {}),
        }

    def _membership(self, user: "User") -> JSON:
        assert self.channel.guild
        return self.channel.guild.membership(user)

    def _reactions(self) -> list[JSON]:
        bot = self.channel.world.bot
        return [
            {
                "emoji": {"id": None, "name": name},
                "count": len(users),
                "count_details": {"burst": 0, "normal": len(users)},
                "burst_colors": [],
                "me_burst": False,
                "me": bot in users,
            }
            for name, users in self.reactions.items()
        ]

    def _referring(self) -> JSON:
        assert self.reference
        there = self.reference.channel
        reference = {"type": 0, "channel_id": str(there.id), "message_id": str(self.reference.id)}
        gone = self.reference.id in there.deleted
        blank = not (self.reference.readable() or there.world.content_intent)
        there_was = self.reference.json(redacted=blank)
        return {
            "message_reference": reference | ({"guild_id": str(there.guild.id)} if there.guild else {}),
            "referenced_message": None if gone else {k: v for k, v in there_was.items() if k not in _NOT_TWICE},
        }


_NOT_TWICE: Final = ("thread", "message_reference", "referenced_message")
"""What a message does not repeat of the one it refers to."""


def label_of(part: JSON) -> str:
    """What stands on a button."""
    return " ".join(word for word in ((part.get("emoji") or {}).get("name"), part.get("label")) if word)
