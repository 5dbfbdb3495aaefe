"""A Discord on loopback for tests: the unmodified discord.py client talks to it, and what Discord refuses, it refuses.

    async with StandIn() as standin:
        anna, ben = standin.person("Anna"), standin.person("Ben")
        room = standin.guild("The club", anna, ben).channel("games")
        with redirected(standin):                            # or, for a bare client: `running` in `client.py`
            ...                                              # start the bot, with standin.token and standin.millis
            call = anna.slash(room, "match call", match="12")
            said = await call.reply()                        # also: call.form(), call.done(), call.replies
            anna.press(said, "Show me")                      # also: select, submit, menu, autocomplete, say, forge
            await standin.until(lambda: ben in room.last.mentions)
            standin.fail("POST", "/channels/*/messages", "502", after=True)
            standin.gateway.cut()                            # also: reconnect, invalidate, fall_silent, outage

What people can see is in `channel.messages`, `channel.threads`, `person.whispers`, `person.modals`, `person.dm` and
`person.sees`; what the bot ever sent, in `standin.requests`, which `standin.search` looks through.

Time is told: deadlines, tokens, the archiving of threads and the memory for nonces only move with `standin.advance`,
unless it was made with `live=True`. Rate limits are off unless asked for with `rate_limits=True`. As a process of its
own it is driven through `remote.py`.
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
