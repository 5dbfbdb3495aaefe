"""Reads the homeserver's news from our own cursor on: nothing is left out, whenever the process ends.

The messages in an answer are written in one transaction with the cursor behind it. The keys in it are written before,
and the homeserver forgets nothing until it is asked for what follows. So an answer that was cut off is read again.

When we could not hear, since we were off or had no answer, is written down as well: by our own clock, from the last
answer to the next.
"""

import asyncio
import errno
from collections.abc import Awaitable, Callable, Mapping
from functools import partial
from typing import Any, TypeAlias
from urllib.parse import urlencode

import msgspec
import structlog
from peewee import PeeweeException  # type: ignore[import-untyped]

from bot.adapters.matrix.client import Client, path
from bot.adapters.matrix.encryption.decryption import decrypt
from bot.adapters.matrix.errors import granted
from bot.adapters.matrix.events.reading import given
from bot.adapters.matrix.retrying import PATIENCE, patiently, written
from bot.adapters.matrix.sync.intake import events_of, parts, take_in
from bot.adapters.matrix.sync.room_state import RoomState
from bot.messages.model import IncomingMessage, Retry
from bot.rests.outages import ABSENCES, ABSENCES_KEPT, add_outage
from bot.runtime.inbox import Inbox

log = structlog.get_logger(__name__)

POLL = 20.0
"""Seconds for which the homeserver may wait for news before it answers that there are none."""
LAG = 5.0
"""Seconds beyond that after which we have not been heard, or did not hear."""
SLOW = 300.0
"""Seconds that the first answer, with everything in it, may take."""
PAGE = 50
"""Events of a room in one answer; the rest is fetched."""
LATE = 500
"""Messages at most that wait for their keys."""
TOO_LATE = 14 * 24 * 3_600_000
"""Milliseconds after which we no longer wait for a message's key."""

Interpret: TypeAlias = Callable[[str, dict[str, Any], int], Awaitable[IncomingMessage | None]]
"""The message in an event of a room, given when it was received. Raises Retry where that cannot be found out now."""
Prepare: TypeAlias = Callable[[Mapping[str, Any]], Awaitable[Mapping[str, str]]]
"""Sees an answer before its events are interpreted; returns what is to be noted together with it."""


class Late(msgspec.Struct, frozen=True):
    """A message that cannot be read yet."""

    room: str
    at: int
    event: dict[str, Any]


class Stream:
    """One homeserver's news for one device."""

    def __init__(
        self,
        client: Client,
        inbox: Inbox,
        clock: Callable[[], int],
        room_states: dict[str, RoomState],
        *,
        interpret: Interpret,
        prepare: Prepare,
        heard: Callable[[str, str], None],
        unreadable: Callable[[list[Late]], None],
    ):
        self._client = client
        self._inbox = inbox
        self._clock = clock
        self._room_states = room_states
        self._interpret = interpret
        self._prepare = prepare
        self._heard = heard
        self._unreadable = unreadable
        self._late: list[Late] = []
        self._rounds = 0
        self.synced_at = 0
        """When the homeserver last answered, in milliseconds since 1970 UTC; 0 = not yet."""
        self._read_at = 0
        """When its last answer was written down, by an earlier process too; 0 = never."""
        self._absences = ""
        self._deaf = True
        """Whether something may have been said since then that it could not tell us at once."""
        self._changed = asyncio.Condition()

    @property
    def begun(self) -> bool:
        """Whether we know which rooms we are in."""
        return self._rounds > 0

    @property
    def caught_up(self) -> bool:
        """Whether the homeserver tells us at once what is said."""
        return self.begun and not self._deaf and not self._overdue(self._clock())

    async def run(self) -> None:
        """Read until cancelled. Raises OSError with a sentence where a person must see to it."""
        cursor = await self._inbox.recall("cursor")
        self._late = msgspec.json.decode(await self._inbox.recall("late") or "[]", type=list[Late])
        self._read_at = int(await self._inbox.recall("read") or 0)
        self._absences = await self._inbox.recall(ABSENCES)
        while True:
            answer = await patiently(partial(self._asked, cursor))
            self.synced_at = self._clock()
            self._deaf |= self._overdue(self.synced_at)
            self._take_in(answer)
            cursor = await patiently(partial(self._kept, cursor, answer))
            self._unreadable(self._late)
            async with self._changed:
                self._rounds += 1
                self._changed.notify_all()
            await self._tidy_keys()

    async def next_round(self) -> None:
        """Wait until the homeserver has told something more."""
        rounds = self._rounds
        async with self._changed:
            await self._changed.wait_for(lambda: self._rounds != rounds)

    async def seen(self, true: Callable[[], bool], seconds: float) -> bool:
        """Wait until something is true of the rooms, at most so many seconds; whether it is."""
        try:
            async with asyncio.timeout(seconds), self._changed:
                await self._changed.wait_for(true)
        except TimeoutError:
            return true()
        return True

    async def _asked(self, since: str) -> Mapping[str, Any]:
        first = not self._rounds
        query = {"filter": FILTER, "timeout": "0" if first else str(int(POLL * 1000))}
        if since:
            query["since"] = since
        if first:
            query["full_state"] = "true"
        url = f"/_matrix/client/v3/sync?{urlencode(query)}"
        try:
            answer = await self._client.ask("GET", url, seconds=SLOW if first else POLL + 15)
            return granted(answer, self._client.folder, "to tell what is new")
        except Retry:
            self._deaf = True
            raise

    def _overdue(self, at: int) -> bool:
        return at - self._read_at > (POLL + LAG) * 1000

    def _take_in(self, answer: Mapping[str, Any]) -> None:
        try:
            take_in(self._client, self._room_states, answer)
        except PeeweeException as trouble:  # what nio remembers is not what is on the disk: start again from there
            raise OSError(errno.EAGAIN, f"The keys of encrypted rooms cannot be written: {trouble}.") from trouble

    async def _kept(self, since: str, answer: Mapping[str, Any]) -> str:
        """Write down the messages in an answer; returns the cursor behind it."""
        after = answer.get("next_batch")
        if not isinstance(after, str):
            raise Retry(PATIENCE[-1])
        notes = dict(await self._prepare(answer))
        now = self._clock()
        waiting = self._late
        messages: list[IncomingMessage] = []
        read: dict[str, str] = {}
        late: list[Late] = []
        if since and events_of(answer, "to_device"):
            for one in waiting:
                plain = decrypt(self._client, one.room, one.event)
                if plain is None:
                    late.append(one)
                elif message := await self._interpret(one.room, plain, now):
                    messages.append(message)
        else:
            late = list(waiting)
        for room, part in parts(answer, "join"):
            for event in await self._fresh(room, part, since):
                plain = event
                if event.get("type") == "m.room.encrypted" and "state_key" not in event:
                    decrypted = decrypt(self._client, room, event)
                    if decrypted is None:
                        late.append(Late(room, now, event))
                        continue
                    plain = decrypted
                if message := await self._interpret(room, plain, now):
                    messages.append(message)
                    read[room] = str(event.get("event_id"))
        late = [one for one in late if one.at > now - TOO_LATE and one.event.get("sender") != self._client.user_id]
        if len(late) > LATE:
            log.warning("too many messages wait for their keys; the oldest are given up", given_up=len(late) - LATE)
        late = late[-LATE:]
        if late != waiting:
            notes["late"] = msgspec.json.encode(late).decode() if late else ""
        if self._deaf and self._read_at:
            self._absences = add_outage(self._absences, (self._read_at, now), ABSENCES_KEPT)
            notes[ABSENCES] = self._absences
        await written(lambda: self._inbox.keep(messages, **notes, cursor=after, read=str(now)))
        self._read_at, self._deaf = now, False
        self._late = late
        for room, last in read.items():
            self._heard(room, last)
        return after

    async def _fresh(self, room: str, part: Mapping[str, Any], since: str) -> list[dict[str, Any]]:
        """All events of a room since the cursor, in order; nothing from before we joined, which is the first one."""
        events = events_of(part, "timeline")
        entry = self._entry(events)
        if entry is not None:
            return events[entry:]
        if not since:
            return []  # we have never been here before, so nothing in it was meant for us
        before = given(part, "timeline", "prev_batch")
        if given(part, "timeline", "limited") is True and isinstance(before, str):
            events = [*await self._missed(room, before, since), *events]
        return events

    async def _missed(self, room: str, before: str, since: str) -> list[dict[str, Any]]:
        """What lies between the cursor and the answer's first event, fetched backwards, page by page."""
        found: list[dict[str, Any]] = []
        while True:
            query = urlencode({"dir": "b", "from": before, "to": since, "limit": "100"})
            page = await self._client.ask("GET", f"{path(room, 'messages')}?{query}")
            if page.refused:
                log.warning("a gap in a room cannot be filled", room=room, error=page.reason)  # kicked out meanwhile
                break
            listed = granted(page, self._client.folder, "what was said meanwhile").get("chunk")
            events = [event for event in listed if isinstance(event, dict)] if isinstance(listed, list) else []
            entry = self._entry(events[::-1])
            if entry is not None:
                found += events[: len(events) - entry]
                break
            found += events
            following = page.body.get("end")
            if not events or not isinstance(following, str) or following == before:
                break
            before = following
        return found[::-1]

    def _entry(self, events: list[dict[str, Any]]) -> int | None:
        """The index of the event with which we joined the room, if it is there."""
        for index in range(len(events) - 1, -1, -1):
            event = events[index]
            if event.get("type") == "m.room.member" and event.get("state_key") == self._client.user_id:
                was = given(event, "unsigned", "prev_content", "membership")
                if given(event, "content", "membership") == "join" and was != "join":
                    return index
        return None

    async def _tidy_keys(self) -> None:
        """Give the homeserver new keys where it runs out of them, and ask for those of others."""
        client = self._client
        try:
            if client.should_upload_keys or client.fallback_used:
                await client.keys_upload()
            if client.should_query_keys:
                await client.keys_query()
            if client.should_claim_keys:
                await client.keys_claim(client.get_users_for_key_claiming())
            await client.send_to_device_messages()
        except Exception as error:  # the next round tries again, and so does whoever sends something
            log.warning("keys could not be exchanged", error=repr(error))


FILTER = msgspec.json.encode(
    {
        "presence": {"not_types": ["*"]},
        "account_data": {"types": ["m.direct"]},
        "room": {
            "ephemeral": {"not_types": ["*"]},
            "account_data": {"not_types": ["*"]},
            "timeline": {"limit": PAGE},
        },
    }
).decode()
