"""What exists on the stand-in's Discord: users, guilds, channels, threads and messages, and how each is written."""

from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from typing import Any, Final, Protocol

from tests.discord_standin import limits
from tests.discord_standin.clock import Clock, made_at, written
from tests.discord_standin.commands import Registry
from tests.discord_standin.message import SYSTEM, Attachment, Message
from tests.discord_standin.refusal import JSON, Refusal

TEXT, PRIVATE, PUBLIC_THREAD, PRIVATE_THREAD = 0, 1, 11, 12
ALL_PERMISSIONS: Final = (1 << 54) - 1


class Publish(Protocol):
    """Tells every session that may know about it."""

    def __call__(
        self, event: str, data: JSON, *, guild: "Guild | None", intent: str = "", message: Message | None = None
    ) -> None: ...


@dataclass(eq=False)
class User:
    """Somebody with an account: a person or the bot."""

    id: int
    name: str
    bot: bool = False
    closed: bool = False
    """Takes no private messages from the bot."""
    admin: bool = False
    """May do everything in every guild."""
    installed: bool = False
    """Has installed the bot for themselves."""
    locale: str = "en-US"

    def json(self) -> JSON:
        """The account, as everybody may see it."""
        return {
            "id": str(self.id),
            "username": self.name.lower().replace(" ", "_"),
            "global_name": None if self.bot else self.name,
            "discriminator": "0",
            "avatar": None,
            "bot": self.bot,
            "public_flags": 0,
            "flags": 0,
            "primary_guild": None,
        }

    @property
    def mention(self) -> str:
        """What pings them."""
        return f"<@{self.id}>"


@dataclass(eq=False)
class Guild:
    """A server: its channels, its members and what the bot may do there."""

    world: "World"
    id: int
    name: str
    owner: User
    bot: bool = True
    """The bot is a member; without it, only those who have installed it for themselves can use its commands."""
    available: bool = True
    members: list[User] = field(default_factory=list)
    channels: list["Channel"] = field(default_factory=list)
    granted: set[str] = field(default_factory=lambda: set(limits.INVITED_WITH))
    locale: str = "en-US"

    def channel(self, name: str) -> "Channel":
        """A new text channel."""
        world = self.world
        channel = Channel(world, world.clock.next_id(), TEXT, name, self)
        self.channels.append(channel)
        world.channels[channel.id] = channel
        if self.bot:
            world.publish("CHANNEL_CREATE", channel.json(), guild=self, intent="guilds")
        return channel

    def threads(self) -> list["Channel"]:
        """The threads that are not archived."""
        return [one for one in self.world.channels.values() if one.guild is self and one.parent and not one.archived]

    def member(self, user: User) -> JSON:
        """A user as a member of this guild."""
        return {"user": user.json(), **self.membership(user)}

    def membership(self, user: User) -> JSON:
        """What a guild knows about a user, without the user."""
        return {
            "nick": None,
            "avatar": None,
            "banner": None,
            "roles": [str(self.id + 1)] if user.bot else [],
            "joined_at": written(self.world.begun),
            "premium_since": None,
            "communication_disabled_until": None,
            "deaf": False,
            "mute": False,
            "pending": False,
            "flags": 0,
        }

    def json(self) -> JSON:
        """The whole guild, as it is sent after READY."""
        bits = str(sum(limits.PERMISSIONS[name] for name in self.granted))
        return {
            **self.brief(),
            "joined_at": written(self.world.begun),
            "large": False,
            "unavailable": False,
            "member_count": len(self.members) + 1,
            "voice_states": [],
            "presences": [],
            "stage_instances": [],
            "guild_scheduled_events": [],
            "soundboard_sounds": [],
            "members": [self.member(self.world.bot)],
            "channels": [channel.json() for channel in self.channels],
            "threads": [thread.json() for thread in self.threads()],
            "roles": [
                _role(self.id, "@everyone", bits),
                _role(self.id + 1, "the bot", bits, tags={"bot_id": str(self.world.bot.id)}, managed=True),
            ],
        }

    def brief(self) -> JSON:
        """The guild without what changes often."""
        nothing = dict.fromkeys(_EMPTY_IN_GUILD)
        own = {"id": str(self.id), "name": self.name, "owner_id": str(self.owner.id), "preferred_locale": self.locale}
        return {**nothing, **_SAME_IN_GUILDS, **own}


_EMPTY_IN_GUILD: Final = (
    *("icon", "description", "home_header", "splash", "discovery_splash", "banner", "application_id"),
    *("afk_channel_id", "system_channel_id", "widget_channel_id", "max_presences", "vanity_url_code"),
    *("rules_channel_id", "safety_alerts_channel_id", "public_updates_channel_id", "incidents_data"),
)
_SAME_IN_GUILDS: Final[JSON] = {
    "features": [],
    "emojis": [],
    "stickers": [],
    "roles": [],
    "region": "deprecated",
    "afk_timeout": 300,
    "system_channel_flags": 0,
    "widget_enabled": False,
    "verification_level": 0,
    "default_message_notifications": 1,
    "mfa_level": 0,
    "explicit_content_filter": 0,
    "max_members": 250000,
    "max_stage_video_channel_users": 50,
    "max_video_channel_users": 25,
    "premium_tier": 0,
    "premium_subscription_count": 0,
    "premium_progress_bar_enabled": False,
    "nsfw": False,
    "nsfw_level": 0,
}


def _role(id_: int, name: str, permissions: str, **more: Any) -> JSON:
    looks = {"color": 0, "colors": {"primary_color": 0, "secondary_color": None, "tertiary_color": None}, "flags": 0}
    same = {"hoist": False, "icon": None, "unicode_emoji": None, "position": 0, "mentionable": False, "managed": False}
    return {"id": str(id_), "name": name, "permissions": permissions, **looks, **same, **more}


@dataclass(eq=False)
class Channel:
    """A text channel, a thread in one, or the private channel of the bot and one person."""

    world: "World"
    id: int
    type: int
    name: str
    guild: Guild | None = None
    parent: "Channel | None" = None
    owner: User | None = None
    """Who opened the thread."""
    recipient: User | None = None
    """Whom the bot talks to in private."""
    between: tuple[User, ...] = ()
    """The people of a private channel that the bot is not in."""
    archived: bool = False
    locked: bool = False
    archive_minutes: int = 1440
    joined: list[User] = field(default_factory=list)
    """The members of a thread."""
    denied: set[str] = field(default_factory=set)
    by_id: dict[int, Message] = field(default_factory=dict)
    deleted: set[int] = field(default_factory=set)
    renames: list[float] = field(default_factory=list)
    archived_at: float = 0.0

    @property
    def messages(self) -> list[Message]:
        """What stands here for everybody, oldest first; notices of the platform itself included."""
        return list(self.by_id.values())

    @property
    def posts(self) -> list[Message]:
        """What the bot has said here, oldest first."""
        return [one for one in self.by_id.values() if one.author is self.world.bot and one.type not in SYSTEM]

    @property
    def last(self) -> Message:
        """The newest message."""
        return self.messages[-1]

    @property
    def threads(self) -> list["Channel"]:
        """The threads in this channel, archived ones included."""
        return [one for one in self.world.channels.values() if one.parent is self]

    @property
    def mention(self) -> str:
        """What links to it."""
        return f"<#{self.id}>"

    def idle(self) -> float:
        """Seconds since anything was said in this thread, or since it was opened or brought back."""
        said = max((one.at for one in self.by_id.values()), default=0.0)
        return self.world.clock.now() - max(said, self.archived_at)

    def permissions(self) -> int:
        """What the bot may do here, as bits."""
        if self.between or (self.guild and not self.guild.bot):
            return 0
        if self.guild is None:
            return ALL_PERMISSIONS
        return sum(limits.PERMISSIONS[name] for name in self.guild.granted - (self.parent or self).denied)

    def can(self, name: str) -> bool:
        """Whether the bot may."""
        return bool(self.permissions() & limits.PERMISSIONS[name])

    def require(self, *names: str) -> None:
        """Refuse what the bot may not do; where it cannot even look, that is the reason."""
        if not self.can("view_channel"):
            raise Refusal("missing access")
        if not all(self.can(name) for name in names):
            raise Refusal("missing permissions")

    def deny(self, *names: str) -> None:
        """From now on, the bot may not do this here."""
        self.denied |= set(names)
        self._permissions_changed()

    def allow(self, *names: str) -> None:
        """From now on, it may again."""
        self.denied -= set(names)
        self._permissions_changed()

    def _permissions_changed(self) -> None:
        self.world.publish("CHANNEL_UPDATE", self.json(), guild=self.guild, intent="guilds")

    def json_of_gone(self) -> JSON:
        """The channel when it is no longer in its guild's list."""
        assert self.guild
        same = {"id": str(self.id), "type": self.type, "name": self.name, "guild_id": str(self.guild.id)}
        return {**same, "position": 0, "flags": 0, "permission_overwrites": []}

    def message(self, id_: int) -> Message:
        """The message with this id."""
        if id_ not in self.by_id:
            raise Refusal("unknown message")
        return self.by_id[id_]

    def json(self) -> JSON:
        """The channel as the bot sees it."""
        last = str(next(reversed(self.by_id))) if self.by_id else None
        base = {"id": str(self.id), "type": self.type, "last_message_id": last, "flags": 0}
        if self.guild is None:
            with_whom = self.between or (self.recipient,)
            return {**base, "recipients": [user.json() for user in with_whom if user]}
        base |= {"guild_id": str(self.guild.id), "name": self.name, "rate_limit_per_user": 0}
        if self.parent and self.owner:
            return {**base, **self._as_thread(self.parent, self.owner)}
        deny = sum(limits.PERMISSIONS[name] for name in self.denied)
        bot = {"id": str(self.world.bot.id), "type": 1, "allow": "0", "deny": str(deny)}
        return {
            **base,
            "topic": None,
            "parent_id": None,
            "nsfw": False,
            "position": self.guild.channels.index(self),
            "permission_overwrites": [bot] if deny else [],
        }

    def _as_thread(self, parent: "Channel", owner: User) -> JSON:
        count = sum(one.type not in SYSTEM for one in self.by_id.values())
        thread = {
            "parent_id": str(parent.id),
            "owner_id": str(owner.id),
            "message_count": count,
            "total_message_sent": count,
            "member_count": len(self.joined),
            "thread_metadata": {
                "archived": self.archived,
                "archive_timestamp": written(self.archived_at),
                "auto_archive_duration": self.archive_minutes,
                "locked": self.locked,
                "create_timestamp": written(made_at(self.id)),
                **({"invitable": True} if self.type == PRIVATE_THREAD else {}),
            },
        }
        return thread | ({"member": self.thread_member(self.world.bot)} if self.world.bot in self.joined else {})

    def thread_member(self, user: User) -> JSON:
        """That a user is in this thread."""
        return {"id": str(self.id), "user_id": str(user.id), "join_timestamp": written(self.world.begun), "flags": 0}


class World:
    """Everything there is, and the ways to find it."""

    def __init__(self, clock: Clock, publish: Publish, changed: Callable[[], None], cdn: Callable[[], str]):
        self.clock, self.publish, self.changed, self.cdn = clock, publish, changed, cdn
        self.begun = clock.now()
        self.application = clock.next_id()
        self.bot = User(self.application, "Riposte", bot=True)
        self.registry = Registry(clock, self.application)
        self.users: dict[int, User] = {self.bot.id: self.bot}
        self.guilds: dict[int, Guild] = {}
        self.channels: dict[int, Channel] = {}
        self.privates: dict[int, Channel] = {}
        """The private channels, by whom they are with."""
        self.files: dict[str, bytes] = {}
        """Attachments by their path on the CDN."""
        self.whispers: list[Message] = []
        self.nonces: dict[str, tuple[Message, float]] = {}
        """What the bot has said with an enforced nonce, and when."""
        self.content_intent = False
        """Whether the application may read all messages, which it also needs for reading the history."""

    def channel(self, id_: int) -> Channel:
        """The channel with this id."""
        if id_ not in self.channels:
            raise Refusal("unknown channel")
        return self.channels[id_]

    def guild(self, id_: int) -> Guild:
        """The guild with this id, if the bot is there."""
        if id_ not in self.guilds:
            raise Refusal("unknown guild")
        if not self.guilds[id_].bot:
            raise Refusal("missing access")
        return self.guilds[id_]

    def user(self, id_: int) -> User:
        """The user with this id."""
        if id_ not in self.users:
            raise Refusal("unknown user")
        return self.users[id_]

    def acquainted(self, user: User) -> bool:
        """Whether the bot may write to somebody: they share a guild, or the user has installed the bot."""
        return user.installed or any(guild.bot and user in guild.members for guild in self.guilds.values())

    def expel(self, guild: Guild) -> None:
        """The bot is no longer in a guild."""
        self.publish("GUILD_DELETE", {"id": str(guild.id)}, guild=guild, intent="guilds")
        guild.bot = False
        self.changed()

    def private(self, user: User) -> Channel:
        """The private channel with somebody: always the same."""
        if user.id not in self.privates:
            channel = Channel(self, self.clock.next_id(), PRIVATE, "", recipient=user)
            self.privates[user.id] = self.channels[channel.id] = channel
        return self.privates[user.id]

    def aside(self, *people: User) -> Channel:
        """A new private channel of people without the bot."""
        channel = Channel(self, self.clock.next_id(), PRIVATE, "", between=people)
        self.channels[channel.id] = channel
        return channel

    def attach(self, channel: Channel, name: str, data: bytes, alt: str | None, *, whispered: bool) -> Attachment:
        """Keep a file, and give it an address."""
        id_ = self.clock.next_id()
        path = f"attachments/{channel.id}/{id_}/{name}"
        self.files[path] = data
        return Attachment(id_, name, data, f"{self.cdn()}/{path}", alt, whispered)

    def everything(self) -> Iterable[Message]:
        """All messages, whispers included."""
        for channel in self.channels.values():
            yield from channel.by_id.values()
        yield from self.whispers
