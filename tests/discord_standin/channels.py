"""Routes of channels: messages, reactions, threads and private channels."""

from typing import Final

from tests.discord_standin import limits, posting
from tests.discord_standin.call import Call, number_in
from tests.discord_standin.emoji import is_emoji
from tests.discord_standin.form import among, check, snowflake, table, text, truth, whole
from tests.discord_standin.message import RENAMED, REPLY, STARTED_THREAD, SYSTEM, THREAD_START, Message
from tests.discord_standin.refusal import JSON, InvalidForm, Refusal
from tests.discord_standin.world import PRIVATE_THREAD, PUBLIC_THREAD, TEXT, Channel, User

_THREAD: Final = {
    "name": text(limits.THREAD_NAME, 1, null=False),
    "auto_archive_duration": among(limits.ARCHIVE_MINUTES),
    "rate_limit_per_user": whole(0, 21600),
    "type": among((PUBLIC_THREAD, PRIVATE_THREAD)),
    "invitable": truth,
}
_THREAD_CHANGE: Final = table({**_THREAD, "archived": truth, "locked": truth})


def create_message(call: Call) -> JSON:
    """Say something; with an enforced nonce, only if it has not been said in the last minutes."""
    channel, payload = call.channel(), call.body()
    _may_post(channel)
    message = posting.blank(channel, call.world.bot)
    message.nonce = payload.get("nonce")
    message.reference = _replied(call, channel, payload)
    message.type = REPLY if message.reference else message.type
    posting.compose(message, payload, call.files, limits.FLAGS_IN_CHANNEL)
    if (message.embeds and not channel.can("embed_links")) or (message.attachments and not channel.can("attach_files")):
        raise Refusal("missing permissions")
    if payload.get("enforce_nonce") and message.nonce is not None:
        known, since = call.world.nonces.get(str(message.nonce), (None, 0.0))
        if known and call.world.clock.now() < since + limits.NONCE_WINDOW:
            if known.id in known.channel.deleted:
                raise Refusal("unknown message")
            return known.json(fresh=True)
        call.world.nonces[str(message.nonce)] = message, call.world.clock.now()
    reach(channel)
    return posting.send(message, payload.get("allowed_mentions")).json(fresh=True)


def _may_post(channel: Channel) -> None:
    if channel.recipient and (channel.recipient.closed or not channel.world.acquainted(channel.recipient)):
        raise Refusal("closed door")
    channel.require("send_messages_in_threads" if channel.parent else "send_messages")
    if channel.archived and channel.locked and not channel.can("manage_threads"):
        raise Refusal("locked")


def _replied(call: Call, channel: Channel, payload: JSON) -> Message | None:
    reference = payload.get("message_reference")
    if not isinstance(reference, dict) or reference.get("message_id") is None:
        return None
    if not channel.can("read_message_history"):
        raise Refusal("reply unread")
    message = channel.by_id.get(number_in(str(reference["message_id"]), "message_id"))
    if message is None and reference.get("fail_if_not_exists", True):
        raise InvalidForm([(("message_reference",), "REPLIES_UNKNOWN_MESSAGE", "Unknown message")])
    if message and message.type in SYSTEM:
        words = "Cannot reply to a system message"
        raise InvalidForm([(("message_reference",), "REPLIES_CANNOT_REPLY_TO_SYSTEM_MESSAGE", words)])
    return message


def reach(channel: Channel) -> None:
    """Whoever writes into an archived thread brings it back."""
    if channel.archived:
        set_archived(channel, archived=False)
        tell_thread(channel, "THREAD_UPDATE")


def get_message(call: Call) -> JSON:
    """One message."""
    channel = call.channel("read_message_history")
    return _shown(channel.message(call.id("message")))


def get_messages(call: Call) -> list[JSON]:
    """Messages, newest first, before, after or around one; none where the bot may not read the history."""
    channel = call.channel()
    limit = call.query.get("limit", "50")
    check(table({"limit": whole(1, limits.HISTORY)}), {"limit": limit})
    given = [name for name in ("before", "after", "around") if name in call.query]
    if not channel.can("read_message_history"):
        return []
    there = channel.messages
    most = int(limit)
    if given:
        edge = number_in(call.query[given[0]], given[0])
        if given[0] == "before":
            there = [one for one in there if one.id < edge]
        elif given[0] == "after":
            there = [one for one in there if one.id > edge][:most]
        else:
            older = [one for one in there if one.id < edge][-(most // 2) :] if most > 1 else []
            newer = [one for one in there if one.id >= edge]
            there = (older + newer)[:most]
    return [_shown(one) for one in there[: -most - 1 : -1]]


def _shown(message: Message) -> JSON:
    world = message.channel.world
    return message.json(redacted=not (message.readable() or world.content_intent))


def edit_message(call: Call) -> JSON:
    """Change an own message."""
    channel = call.channel()
    message = channel.message(call.id("message"))
    if channel.archived:
        raise Refusal("archived")
    if message.author is not call.world.bot:
        raise Refusal("other author")
    if message.type in SYSTEM:
        raise Refusal("system message")
    return posting.edit(message, call.body(), call.files, limits.FLAGS_IN_CHANNEL | message.flags).json()


def delete_message(call: Call) -> None:
    """Take a message away."""
    channel = call.channel()
    message = channel.message(call.id("message"))
    if channel.archived:
        raise Refusal("archived")
    if message.author is not call.world.bot:
        channel.require("manage_messages")
    posting.delete(message)


def who_reacted(call: Call) -> list[JSON]:
    """Who has put an emoji below a message, by their ids."""
    channel = call.channel("read_message_history")
    message, after = channel.message(call.id("message")), number_in(call.query.get("after", "0"), "after")
    limit = call.query.get("limit", "25")
    check(table({"limit": whole(1, limits.HISTORY)}), {"limit": limit})
    there = sorted(message.reactions.get(call.ids["emoji"], []), key=lambda user: user.id)
    return [user.json() for user in there if user.id > after][: int(limit)]


def react(call: Call) -> None:
    """Add the bot's reaction."""
    channel = call.channel("read_message_history")
    message, emoji = channel.message(call.id("message")), call.ids["emoji"]
    if not is_emoji(emoji):
        raise Refusal("unknown emoji")
    if emoji not in message.reactions:
        channel.require("add_reactions")
        if len(message.reactions) >= limits.REACTIONS:
            raise Refusal("too many reactions")
    reach(channel)
    put_reaction(message, emoji, call.world.bot)


def unreact(call: Call) -> None:
    """Take a reaction away: the bot's own, or somebody else's."""
    who = call.ids.get("user", "@me")
    channel = call.channel(*(() if who == "@me" else ("manage_messages",)))
    user = call.world.bot if who == "@me" else call.world.user(number_in(who, "user"))
    message, emoji = channel.message(call.id("message")), call.ids["emoji"]
    if user not in message.reactions.get(emoji, []):
        raise Refusal("unknown emoji")
    take_reaction(message, emoji, user)


def put_reaction(message: Message, emoji: str, user: User) -> None:
    """Somebody reacts; a second time changes nothing."""
    users = message.reactions.setdefault(emoji, [])
    if user not in users:
        users.append(user)
        _tell_reaction("MESSAGE_REACTION_ADD", message, emoji, user)


def take_reaction(message: Message, emoji: str, user: User) -> None:
    """Somebody takes a reaction back."""
    message.reactions[emoji].remove(user)
    if not message.reactions[emoji]:
        del message.reactions[emoji]
    _tell_reaction("MESSAGE_REACTION_REMOVE", message, emoji, user)


def _tell_reaction(event: str, message: Message, emoji: str, user: User) -> None:
    channel = message.channel
    data: JSON = {
        "user_id": str(user.id),
        "channel_id": str(channel.id),
        "message_id": str(message.id),
        "message_author_id": str(message.author.id),
        "emoji": {"id": None, "name": emoji},
        "burst": False,
        "type": 0,
    }
    if channel.guild:
        data["guild_id"] = str(channel.guild.id)
        if event.endswith("ADD"):
            data["member"] = channel.guild.member(user)
    intent = "guild_reactions" if channel.guild else "dm_reactions"
    channel.world.publish(event, data, guild=channel.guild, intent=intent)
    channel.world.changed()


def get_channel(call: Call) -> JSON:
    """A channel or thread."""
    return call.channel().json()


def change_channel(call: Call) -> JSON:
    """Change a thread: its owner may rename and archive it, only managers may lock it."""
    channel, payload = call.channel(), call.body()
    if channel.parent is None:
        channel.require("manage_channels")
        raise Refusal("channel type")
    check(_THREAD_CHANGE, payload)
    manager = channel.can("manage_threads")
    wanted = {name: payload[name] for name in _OF_THREADS if payload.get(name) is not None}
    unarchiving = wanted.get("archived") is False
    if channel.archived and not unarchiving:
        raise Refusal("archived")
    own = channel.owner is call.world.bot
    if not manager and (
        ("locked" in wanted and wanted["locked"] != channel.locked)
        or (unarchiving and channel.archived and channel.locked)
        or (not own and set(wanted) - ({"archived"} if unarchiving else set()))
    ):
        raise Refusal("missing permissions")
    renamed = "name" in wanted and wanted["name"] != channel.name
    if renamed:
        call.traffic.rename(channel.renames)
        channel.name = wanted["name"]
    channel.locked = wanted.get("locked", channel.locked)
    channel.archive_minutes = wanted.get("auto_archive_duration", channel.archive_minutes)
    if renamed:
        notice(channel, RENAMED, channel.name, call.world.bot)
    if "archived" in wanted and wanted["archived"] != channel.archived:
        set_archived(channel, archived=wanted["archived"])
    tell_thread(channel, "THREAD_UPDATE")
    return channel.json()


_OF_THREADS: Final = ("name", "archived", "locked", "auto_archive_duration", "invitable", "rate_limit_per_user")


def delete_channel(call: Call) -> JSON:
    """Take a thread away, which only managers may; or close a private channel."""
    channel = call.channel()
    data = channel.json()
    if channel.guild:
        channel.require("manage_threads" if channel.parent else "manage_channels")
        remove_channel(channel)
    return data


def remove_channel(channel: Channel) -> None:
    """A channel or thread is gone."""
    world, guild = channel.world, channel.guild
    assert guild
    for thread in channel.threads:
        del world.channels[thread.id]
    del world.channels[channel.id]
    if channel.parent is None:
        guild.channels.remove(channel)
        world.publish("CHANNEL_DELETE", channel.json_of_gone(), guild=guild, intent="guilds")
    else:
        data = {"id": str(channel.id), "guild_id": str(guild.id), "parent_id": str(channel.parent.id)}
        world.publish("THREAD_DELETE", {**data, "type": channel.type}, guild=guild, intent="guilds")
    world.changed()


def thread_from_message(call: Call) -> JSON:
    """Open the thread of a message: it has the message's id, so there can be but one."""
    channel = call.channel("create_public_threads", "read_message_history")
    if channel.type != TEXT:
        raise Refusal("channel type")
    message = channel.message(call.id("message"))
    if message.thread or message.flags & limits.HAS_THREAD:
        raise Refusal("second thread")
    payload = call.body()
    check(table(_THREAD, "name"), payload)
    return open_thread(channel, payload, call.world.bot, message).json()


def thread_alone(call: Call) -> JSON:
    """Open a thread that hangs on no message; without a type, it is a private one."""
    channel, payload = call.channel(), call.body()
    check(table(_THREAD, "name"), payload)
    public = payload.get("type", PRIVATE_THREAD) == PUBLIC_THREAD
    channel.require("create_public_threads" if public else "create_private_threads")
    if channel.type != TEXT:
        raise Refusal("channel type")
    return open_thread(channel, payload, call.world.bot).json()


def open_thread(channel: Channel, payload: JSON, owner: User, message: Message | None = None) -> Channel:
    """A new thread, and the notices that come with it."""
    world = channel.world
    kind = PUBLIC_THREAD if message else payload.get("type", PRIVATE_THREAD)
    id_ = message.id if message else world.clock.next_id()
    thread = Channel(world, id_, kind, payload["name"].strip(), channel.guild, channel, owner)
    thread.archive_minutes = payload.get("auto_archive_duration") or 1440
    thread.archived_at = world.clock.now()
    thread.joined.append(owner)
    world.channels[id_] = thread
    data = {"newly_created": True}
    world.publish("THREAD_CREATE", thread.json() | data, guild=channel.guild, intent="guilds")
    if message:
        message.thread = thread
        message.flags |= limits.HAS_THREAD
        notice(thread, THREAD_START, "", message.author, message)
        posting.changed(message)
    elif kind == PUBLIC_THREAD:
        notice(channel, STARTED_THREAD, thread.name, owner)
    world.changed()
    return thread


def notice(channel: Channel, kind: int, text: str, author: User, about: Message | None = None) -> None:
    """The platform itself says in a channel what somebody did."""
    message = posting.blank(channel, author)
    message.type, message.content, message.reference = kind, text, about
    message.at = channel.world.clock.now()
    posting.publish(message)


def tell_thread(thread: Channel, event: str) -> None:
    """Publish how a thread is now."""
    thread.world.publish(event, thread.json(), guild=thread.guild, intent="guilds")
    thread.world.changed()


def set_archived(thread: Channel, *, archived: bool) -> None:
    """Put a thread away, or bring it back."""
    thread.archived = archived
    thread.archived_at = thread.world.clock.now()


def join_thread(call: Call) -> None:
    """Make the bot or somebody else a member of a thread."""
    thread, user = _thread_and_user(call)
    if thread.archived:
        raise Refusal("archived")
    posting.join(thread, user)
    call.world.changed()


def leave_thread(call: Call) -> None:
    """Take the bot or somebody else out of a thread."""
    thread, user = _thread_and_user(call)
    if user is not call.world.bot:
        thread.require("manage_threads")
    if user in thread.joined:
        thread.joined.remove(user)
    call.world.changed()


def _thread_and_user(call: Call) -> tuple[Channel, User]:
    thread = call.channel()
    if thread.parent is None:
        raise Refusal("channel type")
    who = call.ids.get("user", "@me")
    return thread, call.world.bot if who == "@me" else call.world.user(number_in(who, "user"))


def thread_members(call: Call) -> list[JSON]:
    """Who is in a thread."""
    thread = call.channel()
    return [thread.thread_member(user) for user in thread.joined]


def active_threads(call: Call) -> JSON:
    """The threads of a guild that are not archived."""
    threads = call.world.guild(call.id("guild")).threads()
    return {"threads": [one.json() for one in threads if one.can("view_channel")], "members": []}


def archived_threads(call: Call) -> JSON:
    """The public threads of a channel that are archived, the last archived first."""
    channel = call.channel("read_message_history")
    gone = [one for one in channel.threads if one.archived and one.type == PUBLIC_THREAD]
    gone.sort(key=lambda one: one.archived_at, reverse=True)
    return {"threads": [one.json() for one in gone], "members": [], "has_more": False}


def open_private(call: Call) -> JSON:
    """The private channel with somebody: always the same one."""
    payload = call.body()
    check(table({"recipient_id": snowflake}, "recipient_id"), payload)
    user = call.world.users.get(int(payload["recipient_id"]))
    if user is None or user.bot:
        raise Refusal("recipient")
    return call.world.private(user).json()


def typing(call: Call) -> None:
    """Show that the bot is about to say something."""
    call.channel("send_messages_in_threads" if call.world.channel(call.id("channel")).parent else "send_messages")
