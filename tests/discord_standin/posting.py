"""How messages come to be, change and go: the one way for channels, interactions and people."""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Final

from tests.discord_standin import limits
from tests.discord_standin.components import check_message, completed, media, walk
from tests.discord_standin.form import Form, Shape, bare, bits, link, many, snowflake, table, text, truth, whole
from tests.discord_standin.mentions import check_allowed, pinged
from tests.discord_standin.message import SYSTEM, Attachment, Message
from tests.discord_standin.refusal import JSON, Path, Refusal
from tests.discord_standin.world import Channel, User


@dataclass(frozen=True, slots=True)
class Upload:
    """A file of a multipart request."""

    name: str
    data: bytes


Files = Mapping[int, Upload]
"""What was sent as `files[n]`, by n."""


def nonce(form: Form, path: Path, value: Any) -> None:
    """The sender's own mark of a message."""
    if isinstance(value, str):
        words = f"Must be {limits.NONCE} or fewer in length."
        form.require(len(value) <= limits.NONCE, path, "NONCE_TYPE_TOO_LONG", words)
    else:
        whole(-(1 << 63), (1 << 63) - 1)(form, path, value)


_PICTURE = table({"url": link(2048, ("http", "https", "attachment"))})
EMBED: Final = table(
    {
        "title": text(256),
        "description": text(4096),
        "url": link(2048),
        "color": whole(0, 0xFFFFFF),
        "timestamp": text(64),
        "footer": table({"text": text(2048), "icon_url": link(2048, ("http", "https", "attachment"))}),
        "author": table({"name": text(256), "url": link(2048)}),
        "image": _PICTURE,
        "thumbnail": _PICTURE,
        "fields": many(table({"name": text(256, 1), "value": text(1024, 1), "inline": truth}, "name", "value"), 25),
    }
)
ATTACHMENT: Final = table(
    {"id": snowflake, "filename": text(1024, 1), "description": text(limits.ALT_TEXT), "title": text(1024)}, "id"
)
_FIELDS: Final[Mapping[str, Shape]] = {
    "content": text(limits.CONTENT),
    "tts": truth,
    "embeds": many(EMBED, limits.EMBEDS),
    "allowed_mentions": check_allowed,
    "attachments": many(ATTACHMENT, limits.ATTACHMENTS),
    "message_reference": table(
        {
            "message_id": snowflake,
            "channel_id": snowflake,
            "guild_id": snowflake,
            "fail_if_not_exists": truth,
            "type": whole(0, 1),
        }
    ),
    "nonce": nonce,
    "enforce_nonce": truth,
    "sticker_ids": many(snowflake, 3),
}
_ONCE: Final = ("nonce", "enforce_nonce", "tts", "message_reference")
"""What is only read when a message is made."""
_LEGACY: Final = ("content", "embeds", "sticker_ids", "poll")
"""What cannot stand beside a layout of components."""


def compose(message: Message, payload: JSON, files: Files, allowed_flags: int) -> None:
    """Write a payload into a message, new or old, or refuse all of it."""
    old = message.at > 0
    form = Form()
    fields = {name: shape for name, shape in _FIELDS.items() if not (old and name in _ONCE)}
    table({**fields, "flags": bits(allowed_flags)})(form, (), payload)
    form.close()
    flags = _flags(form, message, payload, old=old)
    content = (payload["content"] or "").strip() if "content" in payload else message.content
    embeds = payload["embeds"] or [] if "embeds" in payload else message.embeds
    components = payload["components"] or [] if "components" in payload else message.components
    attachments = _attachments(form, message, payload, files, whispered=bool(flags & limits.EPHEMERAL))
    names = {one.name for one in attachments}
    v2 = bool(flags & limits.V2)
    if v2:
        for name, value in {"content": content, "embeds": embeds, **{k: payload.get(k) for k in _LEGACY[2:]}}.items():
            words = f"The '{name}' field cannot be used when using MessageFlags.IS_COMPONENTS_V2"
            form.require(not value, (name,), "MESSAGE_CANNOT_USE_LEGACY_FIELDS_WITH_COMPONENTS_V2", words)
    written = sum(map(_size, embeds))
    words = f"Embed size exceeds maximum size of {limits.EMBED_TOTAL}"
    form.require(written <= limits.EMBED_TOTAL, ("embeds",), "MAX_EMBED_SIZE_EXCEEDED", words)
    if "components" in payload:
        check_message(form, payload["components"], v2=v2, files=names)
    form.close()
    if not (content or embeds or components or attachments or payload.get("sticker_ids")):
        raise Refusal("empty message")
    if old:
        message.versions.append(message.content)
    message.content, message.flags, message.attachments = content, flags, attachments
    message.embeds = [{**bare(embed), "type": "rich"} for embed in embeds]
    for field in (field for embed in message.embeds for field in embed.get("fields", ())):
        field.setdefault("inline", False)
    message.components = completed(bare(components))
    _resolve(message)


def _flags(form: Form, message: Message, payload: JSON, *, old: bool) -> int:
    if payload.get("flags") is None:
        return message.flags
    flags = int(payload["flags"])
    if not old:
        return flags
    words = "The flag MessageFlags.IS_COMPONENTS_V2 cannot be removed"
    kept = not message.flags & limits.V2 or flags & limits.V2
    form.require(kept, ("flags",), "MESSAGE_CANNOT_REMOVE_COMPONENTS_V2_FLAG", words)
    changeable = limits.SUPPRESS_EMBEDS | limits.V2
    return message.flags & ~changeable | flags & changeable


def _attachments(form: Form, message: Message, payload: JSON, files: Files, *, whispered: bool) -> list[Attachment]:
    """What a message will have: of the old ones those that are listed, then the new ones."""
    if any(len(upload.data) > limits.UPLOAD for upload in files.values()):
        raise Refusal("too large")
    if any(not upload.data for upload in files.values()):
        raise Refusal("empty message")
    world, channel = message.channel.world, message.channel
    listed = payload.get("attachments")
    existing = {one.id: one for one in message.attachments}
    kept = list(existing.values()) if listed is None else []
    described: dict[int, JSON] = {}
    for n, one in enumerate(listed or ()):
        id_ = int(one["id"])
        if id_ in existing:
            kept.append(existing[id_])
        elif id_ in files and id_ not in described:
            described[id_] = one
        else:
            form.complain(("attachments", n, "id"), "ATTACHMENT_NOT_FOUND", "No such file came with the request")
    form.close()
    for n, upload in sorted(files.items()):
        more = described.get(n, {})
        name = re.sub(r"[^\w.-]", "_", more.get("filename") or upload.name, flags=re.ASCII)
        kept.append(world.attach(channel, name, upload.data, more.get("description"), whispered=whispered))
    words = f"Must be {limits.ATTACHMENTS} or fewer in length."
    form.require(len(kept) <= limits.ATTACHMENTS, ("attachments",), "BASE_TYPE_BAD_LENGTH", words)
    form.close()
    return kept


def _size(embed: JSON) -> int:
    parts = [embed.get("title"), embed.get("description"), (embed.get("footer") or {}).get("text")]
    parts.append((embed.get("author") or {}).get("name"))
    parts += [part for one in embed.get("fields") or () for part in (one["name"], one["value"])]
    return sum(len(part or "") for part in parts)


def _resolve(message: Message) -> None:
    """Put real addresses where `attachment://` stands."""
    urls = {f"attachment://{one.name}": one.url for one in message.attachments}
    shown = [embed[key] for embed in message.embeds for key in ("image", "thumbnail") if embed.get(key)]
    for one in [*shown, *media(list(walk(message.components)))]:
        one["url"] = urls.get(one["url"], one["url"])


def blank(channel: Channel, author: User) -> Message:
    """A message that has yet to be written."""
    return Message(channel.world.clock.next_id(), channel, author, 0.0)


def send(message: Message, allowed: JSON | None) -> Message:
    """Bring a composed message into the world, and ping whom it may ping."""
    channel = message.channel
    message.at = channel.world.clock.now()
    replied = message.reference.author if message.reference else None
    if replied is message.author:
        replied = None
    message.mentions, message.everyone = pinged(channel, message.content, message.components, allowed, replied)
    publish(message)
    return message


def publish(message: Message) -> None:
    """Tell that a message is there: everybody, or the person it is whispered to, and the bot, as if in private."""
    channel = message.channel
    world = channel.world
    if message.only:
        world.whispers.append(message)
        data = message.json(fresh=True)
        world.publish("MESSAGE_CREATE", data, guild=None, intent="dm_messages", message=message)
    else:
        channel.by_id[message.id] = message
        if channel.parent and message.type not in SYSTEM:
            for user in (message.author, *message.mentions):
                join(channel, user)
        tell(message, "MESSAGE_CREATE", fresh=True)
    world.changed()


def join(thread: Channel, user: User) -> None:
    """Make somebody a member of a thread."""
    if user in thread.joined:
        return
    thread.joined.append(user)
    assert thread.guild
    member = {**thread.thread_member(user), "member": thread.guild.member(user), "presence": None}
    data = {"id": str(thread.id), "guild_id": str(thread.guild.id), "member_count": len(thread.joined)}
    thread.world.publish(
        "THREAD_MEMBERS_UPDATE", {**data, "added_members": [member]}, guild=thread.guild, intent="guilds"
    )


def edit(message: Message, payload: JSON, files: Files, allowed_flags: int) -> Message:
    """Change a message that is there; nobody is pinged by that, whatever it says."""
    compose(message, payload, files, allowed_flags)
    message.edited = message.channel.world.clock.now()
    changed(message)
    return message


def changed(message: Message) -> None:
    """Tell that a message has changed."""
    if not message.only:
        tell(message, "MESSAGE_UPDATE")
    message.channel.world.changed()


def delete(message: Message) -> None:
    """Take a message away."""
    channel = message.channel
    world = channel.world
    if message.only:
        world.whispers.remove(message)
    else:
        del channel.by_id[message.id]
        channel.deleted.add(message.id)
        data = {"id": str(message.id), "channel_id": str(channel.id), **_in_guild(channel)}
        world.publish("MESSAGE_DELETE", data, guild=channel.guild, intent=intent_of(channel))
    world.changed()


def tell(message: Message, event: str, *, fresh: bool = False) -> None:
    """Publish a message, as whole or as blank as each session may see it."""
    channel = message.channel
    data = message.json(fresh=fresh) | _in_guild(channel)
    if channel.guild:
        data["member"] = channel.guild.membership(message.author)
    channel.world.publish(event, data, guild=channel.guild, intent=intent_of(channel), message=message)


def _in_guild(channel: Channel) -> JSON:
    return {"guild_id": str(channel.guild.id)} if channel.guild else {}


def intent_of(channel: Channel) -> str:
    """The intent that a session needs for the messages of a channel."""
    return "guild_messages" if channel.guild else "dm_messages"
