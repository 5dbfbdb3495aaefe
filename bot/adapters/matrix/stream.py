"""Reads on in what the homeserver has to tell, from our own cursor: nothing is left out, whenever we die.

What an answer tells is kept in one transaction with the cursor behind it. The keys in it are on the disk before, and
the homeserver forgets nothing until it is asked for what follows. So whoever dies anywhere in here reads it again.
"""

import asyncio
import errno
from collections.abc import Awaitable, Callable, Mapping
from functools import partial
from typing import Any, TypeAlias, TypeVar
from urllib.parse import urlencode

import msgspec
import structlog
from peewee import PeeweeException  # type: ignore[import-untyped]

from bot.adapters.matrix.client import LOGGED_OUT, Client, path
from bot.adapters.matrix.events import given
from bot.adapters.matrix.intake import Charter, events_of, parts, read, take_in
from bot.adapters.matrix.session import granted
from bot.messages.model import IncomingMessage, Retry
from bot.runtime.inbox import Inbox

log = structlog.get_logger(__name__)

POLL = 20.0
"""Seconds for which the homeserver may wait for news before it answers that there are none."""
SLOW = 300.0
"""Seconds that it may take to tell everything at the start."""
PAGE = 50
"""Events of a room in one answer; what is more is fetched."""
PATIENCE = (1.0, 2.0, 5.0, 15.0, 60.0)
"""Seconds until we try again what did not work; the last one over and over."""
LATE = 500
"""Messages at most that wait for their keys."""
TOO_LATE = 14 * 24 * 3_600_000
"""Milliseconds after which a message's key will not come any more."""

Interpret: TypeAlias = Callable[[str, dict[str, Any], int], Awaitable[IncomingMessage | None]]
"""What an event in a room says to us, told when it was received. Raises Retry where that cannot be found out now."""
Prepare: TypeAlias = Callable[[Mapping[str, Any]], Awaitable[Mapping[str, str]]]
"""Sees an answer before its events are interpreted; what is to be noted together with it."""


R = TypeVar("R")


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
        notebook: Inbox,
        clock: Callable[[], int],
        charters: dict[str, Charter],
        *,
        interpret: Interpret,
        prepare: Prepare,
    ):
        self._client = client
        self._notebook = notebook
        self._clock = clock
        self._charters = charters
        self._interpret = interpret
        self._prepare = prepare
        self._late: list[Late] = []
        self._rounds = 0
        self._news = asyncio.Condition()

    @property
    def begun(self) -> bool:
        """Whether we know the rooms that we are in."""
        return self._rounds > 0

    async def run(self) -> None:
        """Read on until cancelled. Raises OSError with a sentence where a person must see to it."""
        cursor = await self._notebook.recall("cursor")
        self._late = msgspec.json.decode(await self._notebook.recall("late") or "[]", type=list[Late])
        while True:
            answer = await patiently(partial(self._asked, cursor))
            self._take_in(answer)
            cursor = await patiently(partial(self._kept, cursor, answer))
            async with self._news:
                self._rounds += 1
                self._news.notify_all()
            await self._tidy_keys()

    async def seen(self, true: Callable[[], bool], seconds: float) -> bool:
        """Wait until something is true of the rooms, at most so long."""
        try:
            async with asyncio.timeout(seconds), self._news:
                await self._news.wait_for(true)
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
        answer = await self._client.ask("GET", url, seconds=SLOW if first else POLL + 15)
        return granted(answer, self._client.folder, "to tell what is new")

    def _take_in(self, answer: Mapping[str, Any]) -> None:
        try:
            take_in(self._client, self._charters, answer)
        except PeeweeException as trouble:  # what nio remembers is not what is on the disk: begin anew from there
            raise OSError(errno.EAGAIN, f"The keys of encrypted rooms cannot be written: {trouble}.") from trouble

    async def _kept(self, since: str, answer: Mapping[str, Any]) -> str:
        """Keep what an answer tells; the cursor behind it."""
        after = answer.get("next_batch")
        if not isinstance(after, str):
            raise Retry(PATIENCE[-1])
        notes = dict(await self._prepare(answer))
        now = self._clock()
        waiting = self._late
        heard: list[IncomingMessage] = []
        late: list[Late] = []
        if since and events_of(answer, "to_device"):
            for one in waiting:
                plain = read(self._client, one.room, one.event)
                if plain is None:
                    late.append(one)
                elif words := await self._interpret(one.room, plain, now):
                    heard.append(words)
        else:
            late = list(waiting)
        for room, part in parts(answer, "join"):
            for event in await self._fresh(room, part, since):
                plain = event
                if event.get("type") == "m.room.encrypted" and "state_key" not in event:
                    unsealed = read(self._client, room, event)
                    if unsealed is None:
                        late.append(Late(room, now, event))
                        continue
                    plain = unsealed
                if words := await self._interpret(room, plain, now):
                    heard.append(words)
        late = [one for one in late if one.at > now - TOO_LATE and one.event.get("sender") != self._client.user_id]
        if len(late) > LATE:
            log.warning("too many messages wait for their keys; the oldest are given up", given_up=len(late) - LATE)
        late = late[-LATE:]
        if late != waiting:
            notes["late"] = msgspec.json.encode(late).decode() if late else ""
        await _written(lambda: self._notebook.keep(heard, **notes, cursor=after))
        self._late = late
        return after

    async def _fresh(self, room: str, part: Mapping[str, Any], since: str) -> list[dict[str, Any]]:
        """The events of a room since the cursor, in order, all of them; nothing from before we came."""
        events = events_of(part, "timeline")
        entry = self._entry(events)
        if entry is not None:
            return events[entry + 1 :]
        if not since:
            return []  # never been here before: whatever was said was said to somebody else
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
            if not page.fine and page.again is None and page.code not in LOGGED_OUT:
                log.warning("a gap in a room cannot be filled", room=room, because=page.said)  # kicked out meanwhile
                break
            listed = granted(page, self._client.folder, "what was said meanwhile").get("chunk")
            events = [event for event in listed if isinstance(event, dict)] if isinstance(listed, list) else []
            entry = self._entry(events[::-1])
            if entry is not None:
                found += events[: len(events) - 1 - entry]
                break
            found += events
            following = page.body.get("end")
            if not events or not isinstance(following, str) or following == before:
                break
            before = following
        return found[::-1]

    def _entry(self, events: list[dict[str, Any]]) -> int | None:
        """Where in a list of events we came into the room, if there."""
        for index in range(len(events) - 1, -1, -1):
            event = events[index]
            if event.get("type") == "m.room.member" and event.get("state_key") == self._client.user_id:
                was = given(event, "unsigned", "prev_content", "membership")
                if given(event, "content", "membership") == "join" and was != "join":
                    return index
        return None

    async def _tidy_keys(self) -> None:
        """Give the homeserver new keys where it has run out of them, and ask for those of others."""
        client = self._client
        try:
            if client.should_upload_keys:
                await client.keys_upload()
            if client.should_query_keys:
                await client.keys_query()
            if client.should_claim_keys:
                await client.keys_claim(client.get_users_for_key_claiming())
            await client.send_to_device_messages()
        except Exception as error:  # next time; whoever sends something asks for the keys once more
            log.warning("keys could not be exchanged", trouble=repr(error))


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


async def patiently(work: Callable[[], Awaitable[R]]) -> R:
    """Do something until the homeserver is there for it."""
    waits = iter(PATIENCE)
    while True:
        try:
            return await work()
        except Retry as later:
            pause = max(later.after, next(waits, PATIENCE[-1]))
            log.warning("the homeserver does not answer", again_in=pause)
            await asyncio.sleep(pause)


async def _written(work: Callable[[], Awaitable[None]]) -> None:
    """Write something down as soon as the disk will have it."""
    waits = iter(PATIENCE)
    while True:
        try:
            return await work()
        except OSError as trouble:
            pause = next(waits, PATIENCE[-1])
            log.error("the news wait for the disk", trouble=trouble.strerror or str(trouble), again_in=pause)
            await asyncio.sleep(pause)
