"""What the bot may do in a channel: what it needs, what is lacking there, and who can grant it."""

from typing import Final

import discord

from engine.text import Listing, Text

NEEDED: Final = discord.Permissions(
    view_channel=True,
    send_messages=True,
    create_public_threads=True,
    send_messages_in_threads=True,
    attach_files=True,
    read_message_history=True,
)
"""All that the bot needs on a server: no privileged intent, and nothing that can do harm."""
INVITED_WITH: Final = NEEDED | discord.Permissions(create_private_threads=True)
"""What the bot asks for: without private threads only those go without who talk about others' matches."""
NAMES: Final = {"read_messages": "View Channel", "send_messages_in_threads": "Send Messages in Threads"}


def lacking(may: discord.Permissions) -> tuple[str, ...]:
    """The rights that the bot needs and does not have, as Discord's settings call them."""
    return tuple(spelled(right) for right, needed in NEEDED if needed and not getattr(may, right))


def spelled(right: str) -> str:
    """A permission as Discord's settings call it."""
    return NAMES.get(right) or right.replace("_", " ").title()


def told(missing: tuple[str, ...]) -> tuple[Text, ...]:
    """What is said to whoever uses the bot where rights are lacking."""
    return (
        Text("In this channel I lack {rights}.", rights=Listing(missing, "and")),
        Text("Whoever manages the channel can grant that: Edit Channel, Permissions, my role."),
        Text("Until then I tell you in private what I cannot show here."),
    )


def may_post(channel: discord.abc.GuildChannel | discord.Thread) -> bool:
    """Whether the bot may write in a channel or thread, as far as its client knows."""
    parent = channel.parent if isinstance(channel, discord.Thread) else channel
    me: discord.Member | None = channel.guild.me
    if parent is None or me is None:
        return False
    may = parent.permissions_for(me)
    if not isinstance(channel, discord.Thread):
        return may.view_channel and may.send_messages
    open_ = not (channel.locked and channel.archived) or may.manage_threads
    return may.view_channel and may.send_messages_in_threads and open_
