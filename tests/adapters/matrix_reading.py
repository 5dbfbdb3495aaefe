"""What a player has heard from the bot, and the room that it whispers in."""

from tests.adapters.matrix_room import Bot
from tests.synapse.player import Player


def said(player: Player, room: str, bot: Bot) -> list[str]:
    return [seen.text for seen in player.read(room) if seen.sender == bot.user]


async def whispers(player: Player) -> str:
    """The room that the bot has made for somebody, entered."""
    room = await player.see_invitation()
    await player.join(room)
    return room
