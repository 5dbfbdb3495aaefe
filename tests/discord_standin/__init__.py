"""A Discord on loopback for tests: the unmodified discord.py client talks to it, and what Discord refuses, it refuses.

    async with StandIn() as standin, ...:
        anna, ben = standin.person("Anna"), standin.person("Ben")
        room = standin.guild("The club", anna, ben).channel("games")
        with redirected(standin):
            client = ...                                    # any discord.Client(guild_ready_timeout=0)
            ...                                             # client.start(standin.token)
            call = anna.slash(room, "match call", match="12")
            said = await call.reply()                       # the Message that the bot answered with
            anna.press(said, "Show me")                     # by label or custom_id
            await standin.until(lambda: ben in room.last.mentions)

Time is told: deadlines, tokens and the memory for nonces only move with `standin.advance(seconds)`, unless it was made
with `live=True`. Rate limits are off unless asked for with `rate_limits=True`.
"""

from tests.discord_standin.interactions import Interaction, Modal
from tests.discord_standin.message import Attachment, Message
from tests.discord_standin.people import NotOffered, Person
from tests.discord_standin.refusal import InvalidForm, Refusal
from tests.discord_standin.server import StandIn, redirected
from tests.discord_standin.traffic import Fault, Request
from tests.discord_standin.world import Channel, Guild, User

__all__ = [
    "Attachment",
    "Channel",
    "Fault",
    "Guild",
    "Interaction",
    "InvalidForm",
    "Message",
    "Modal",
    "NotOffered",
    "Person",
    "Refusal",
    "Request",
    "StandIn",
    "User",
    "redirected",
]
