"""Turns written while the bot is away, and whether they were heard."""

from collections.abc import Callable

from tests.adapters.discord_room import DiscordRoom
from tests.discord_standin import Channel, Message, Person

AWAY = 3600.0
"""Seconds between two things that happen while the bot is away: more than anybody's clocks differ."""


def missed_turn(room: DiscordRoom, who: Person, where: Channel, text: str) -> Message:
    """Somebody writes to the bot while it is away; hours pass before and after."""
    room.standin.advance(AWAY)
    said = who.say(where, text if where.recipient else f"{room.standin.bot.mention} {text}")
    room.standin.advance(AWAY)
    return said


async def heard(room: DiscordRoom, *messages: Message) -> None:
    """Time passes until the bot has heard these, and has said all that follows."""
    wanted = {key(one) for one in messages}
    await passing(room, lambda: wanted <= {one.id for one in room.heard})
    await room.calm()


async def passing(room: DiscordRoom, predicate: Callable[[], object]) -> None:
    """Time passes until something is so."""

    def so_or_later() -> bool:
        if predicate():
            return True
        room.standin.clock.advance(0.2)
        return False

    await room.until(so_or_later, "it, whatever time passes")


async def settled(room: DiscordRoom) -> None:
    """Wait until the session that has begun has read everything."""
    await room.until(lambda: room.adapter.caught_up, "everything to be read")


def heard_once(room: DiscordRoom, *messages: Message) -> bool:
    ids = [one.id for one in room.heard]
    return all(ids.count(key(one)) == 1 for one in messages)


def key(message: Message) -> str:
    return f"discord:m{message.id}"
