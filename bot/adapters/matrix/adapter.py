"""The Matrix adapter: what is written in its rooms comes in, what the bot has to say goes out."""

import asyncio
from collections.abc import Callable, Mapping, Sequence
from functools import partial
from typing import Any, Final

import structlog

from bot.adapters.matrix.client import Client
from bot.adapters.matrix.courtesies import Courtesies
from bot.adapters.matrix.encryption.identity import identify
from bot.adapters.matrix.events.addressing import Addressing
from bot.adapters.matrix.events.html import ENGLISH, PLATFORM, Wording
from bot.adapters.matrix.events.reading import given
from bot.adapters.matrix.incoming import Applauded, Listener, meant_so
from bot.adapters.matrix.outgoing import Current, Delivery, settled
from bot.adapters.matrix.retrying import patiently, written
from bot.adapters.matrix.rooms import EVERYBODY, Rooms
from bot.adapters.matrix.sync.room_state import RoomState
from bot.adapters.matrix.sync.stream import Stream
from bot.messages.catalogue import beside
from bot.messages.model import (
    ClosedPlaces,
    IncomingMessage,
    Memberships,
    OutgoingMessage,
    Person,
    Place,
    Receive,
    Retry,
    Undeliverable,
)
from bot.messages.serialization import message_key
from bot.runtime.inbox import Inbox
from engine.text import Text

log = structlog.get_logger(__name__)


class MatrixAdapter:
    """One account on one homeserver. It lives as long as its client: a new start logs in again."""

    platform = PLATFORM

    def __init__(
        self,
        client: Client,
        inbox: Inbox,
        *,
        clock: Callable[[], int],
        prefix: str = "!riposte",
        invites: Sequence[str] = (EVERYBODY,),
        ignored: Sequence[str] = (),
        private: Callable[[str], bool] = lambda _text: False,
        unverified: bool = True,
        page: bool = False,
        password: str = "",
        recovery: str = "",
        show: Callable[[str], None] = lambda _key: None,
        wording: Callable[[str], Wording] = lambda _language: ENGLISH,
        places: ClosedPlaces | None = None,
        members: Memberships | None = None,
        current: Current = settled,
        applauded: Applauded = meant_so,
    ):
        """`client` is logged in, `clock` tells milliseconds since 1970 UTC, `prefix` is what a command begins with.

        `invites` tells whose invitations are accepted (everybody, own-server, ids, servers), `ignored` whose messages
        are dropped (ids, with * for whole ranges), `private` which texts nobody else should read, and `unverified`
        whether people may read encrypted rooms with devices that nobody has verified: we know nobody in person, so
        none could ever be. `page`: there is a web room.
        `show` gets the recovery key, once; some homeservers want to see the `password` for that. The `recovery` key
        brings an identity back that is lost here.
        `wording` tells how the adapter's own sentences are written in a message's language. `places` knows those that
        took no message when they were tried last, `members` is told who is put out of a room and let in, `current`
        tells whether a command below a message still leads to something, `applauded` whether a sign is no answer.
        """
        room_states: dict[str, RoomState] = {}
        self._client = client
        self._identify = partial(identify, client, password=password, recovery=recovery, show=show)
        self._inbox = inbox
        self._wording = wording
        self._rooms = Rooms(client, inbox, clock, room_states, invites)
        self._courtesies = Courtesies(client, clock, wording, self._say)
        addressing = Addressing(client.user_id, prefix, ignored)
        self._listener = Listener(client, inbox, addressing, room_states, self._rooms, applauded=applauded)
        self._places = places
        self._members = members
        self._private = private
        self._exposed: asyncio.Queue[tuple[str, IncomingMessage]] = asyncio.Queue()
        """Secrets that were written where others read them, with their rooms."""
        self._stream = Stream(
            *(client, inbox, clock, room_states),
            interpret=self._interpret,
            prepare=self._prepare,
            heard=self._courtesies.heard,
            unreadable=self._courtesies.unreadable,
        )
        self._delivery = Delivery(
            *(client, inbox, clock, self._rooms, self._stream),
            prefix=prefix,
            unverified=unverified,
            page=page,
            later=self._courtesies.add,
            wording=wording,
            current=current,
        )

    @property
    def caught_up(self) -> bool:
        """Whether all that was written while we were away has been read."""
        return self._stream.caught_up

    @property
    def synced_at(self) -> int:
        """When the homeserver last said what is new, or that nothing is."""
        return self._stream.synced_at

    async def run(self, receive: Receive) -> None:
        """Read the rooms' news and hand on what is meant for us, until cancelled.

        Raises OSError with the fact and the remedy where a person must see to it.
        """
        try:
            await self._delivery.note_device()
            await patiently(self._identify)
            async with asyncio.TaskGroup() as tasks:
                tasks.create_task(self._stream.run(), name="news of the homeserver")
                tasks.create_task(self._rooms.run(), name="invitations")
                tasks.create_task(self._warn_exposed(), name="secrets in public")
                tasks.create_task(self._reopen(), name="closed rooms")
                tasks.create_task(self._courtesies.run(), name="receipts and what is owed beside them")
                tasks.create_task(self._inbox.read_out(receive), name="messages from Matrix")
        finally:
            await self._client.close()

    async def deliver(self, message: OutgoingMessage, image: bytes | None) -> str:
        """Send a message and return its event's id. Raises Retry or Undeliverable."""
        return await self._delivery.deliver(message, image)

    async def _say(self, room: str, made: dict[str, Any], transaction: str) -> str:
        return await self._delivery.say(room, made, transaction)

    async def _prepare(self, answer: Mapping[str, Any]) -> Mapping[str, str]:
        self._courtesies.look(answer)
        return await self._rooms.prepare(answer)

    async def _interpret(self, room: str, event: dict[str, Any], at: int) -> IncomingMessage | None:
        self._courtesies.look_at(room, event)
        await self._note_member(room, event)
        message = await self._listener.read(room, event, at)
        if message is not None and self._private(message.text) and not self._rooms.alone(room):
            self._exposed.put_nowait((room, message))
        return message

    async def _note_member(self, room: str, event: dict[str, Any]) -> None:
        """Tell who was put out of a room by others, and who has come into one."""
        user, number = event.get("state_key"), event.get("event_id")
        if event.get("type") != "m.room.member" or not isinstance(user, str) or user == self._client.user_id:
            return
        if self._members is None or not isinstance(number, str):
            return
        channel = Place(PLATFORM, await self._rooms.origin(room))
        who = Person(PLATFORM, user, self._rooms.name(room, user))
        before = given(event, "unsigned", "prev_content", "membership")
        membership = given(event, "content", "membership")
        if membership == "join" and before != "join":
            await self._members.let_in(channel, who, number)
        elif membership in ("leave", "ban") and before in (None, "join") and event.get("sender") != user:
            await self._members.shut_out(channel, who, number)

    async def _reopen(self) -> None:
        """Have the matches shown again whose rooms had taken nothing, and take messages now."""
        shown: set[Place] = set()
        while self._places is not None:
            closed = {place: await self._rooms.current(place.channel) for place in await self._places.closed(PLATFORM)}
            shown &= {place for place, room in closed.items() if self._rooms.open(room)}
            for place, room in closed.items():
                if self._rooms.open(room) and place not in shown:
                    await written(partial(self._places.opened, place))
                    shown.add(place)
            await self._stream.next_round()

    async def _warn_exposed(self) -> None:
        """Warn whoever wrote a secret where others read it; this is a courtesy, and not made up for after a crash."""
        while True:
            room, message = await self._exposed.get()
            try:
                deleted = await self._rooms.redact(room, message.id.removeprefix(f"{PLATFORM}:"))
                words = beside(self._wording("").say(sentence) for sentence in EXPOSED[deleted])
                key = f"{message_key(message.id, 0)}.hush"
                warning = OutgoingMessage(
                    key, Place(PLATFORM, ""), (words,), only=message.who, answers=message.id, at=message.at
                )
                await patiently(partial(self._delivery.deliver, warning, None))
            except (OSError, Retry, Undeliverable) as trouble:
                log.info("nobody could be warned of a secret in public", error=str(trouble))


_EXPOSED: Final = Text("That was for me alone, so please do not write it where others read along.")
_NEXT_TIME: Final = Text("Next time, write to me here.")
EXPOSED: Final = {
    False: (_EXPOSED, Text("I have understood it."), _NEXT_TIME),
    True: (_EXPOSED, Text("I have understood it and deleted it."), _NEXT_TIME),
}
"""What is said about a secret in public, by whether we could delete it."""
