"""Hands a program's request on as a message, and finds what it was answered."""

import asyncio
from collections.abc import Callable
from hashlib import blake2b
from typing import Final

from bot.adapters.api.shapes import Done, Told
from bot.adapters.api.words import words
from bot.messages.model import IncomingMessage, OutgoingMessage, Person, Place, Receive
from bot.messages.serialization import address, message_key, read_message
from bot.notices.programs import PLATFORM, mailbox
from storage.store import Store

PATIENCE: Final = 20.0
"""Seconds until a program is told to ask again."""
MOST: Final = 16
"""Answers to one request that are looked for."""


class Late(Exception):  # noqa: N818
    """It is still being dealt with: the same request again, under the same key, finds the answer."""


class Unheard(Exception):  # noqa: N818
    """It was too much at once; nothing was done."""


class Reused(Exception):  # noqa: N818
    """Something else was asked for under the same key before."""


class Answers:
    """What a request leads to is kept in the outbox: the same request again reads it there."""

    def __init__(self, store: Store, now: Callable[[], int]):
        self._store = store
        self._now = now
        self.receive: Receive | None = None
        """Who deals with messages; None until there is somebody."""
        self._asking: set[asyncio.Task[bool]] = set()

    async def ask(self, who: Person, text: str, where: Place, server: str, again: str) -> list[OutgoingMessage]:
        """Have a command carried out for somebody. `again` tells the request from all others of theirs.

        Raises Late, Unheard or Reused.
        """
        if self.receive is None:
            raise Late
        named = blake2b(again.encode(), digest_size=16).hexdigest()
        meant = blake2b(text.encode(), digest_size=16).hexdigest()
        home = mailbox(who.key)
        message = IncomingMessage(
            f"{PLATFORM}:{who.key}:{named}",
            who,
            where,
            text,
            self._now(),
            server=server,
            receipt=meant,
            addressed=True,
            replies=home,
        )
        asking = asyncio.ensure_future(self.receive(message))
        self._asking.add(asking)  # whoever hangs up does not stop it
        asking.add_done_callback(self._asking.discard)
        done, _ = await asyncio.wait((asking,), timeout=PATIENCE)
        if not done:
            raise Late
        await asking
        found = await self._store.told([message_key(message.id, number) for number in range(MOST)])
        told = [read_message(one.body) for one in found if one.ordering_key == address(home)]
        if any(one.receipt not in (meant, "") for one in told):
            raise Reused
        if not told and not await self._store.known(message.id):
            raise Unheard
        return told


def done(told: list[OutgoingMessage]) -> Done | None:
    """Returns what was done; None if nothing was."""
    if told and not any(one.done for one in told):
        return None
    about = next((one.about for one in told if one.about), "")
    return Done(about, [Told(words(one.text), not one.harmless) for one in told])
