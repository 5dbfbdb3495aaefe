"""The rooms we are in: who invites us, which are private, and which has replaced which."""

import asyncio
from collections import deque
from collections.abc import Callable, Mapping, Sequence
from typing import Any, Protocol
from urllib.parse import quote, urlencode

import msgspec
import structlog

from bot.adapters.matrix.client import Client, path
from bot.adapters.matrix.errors import LOGGED_OUT, Answer, allowed, granted
from bot.adapters.matrix.events.html import PLATFORM
from bot.adapters.matrix.events.reading import given, shown
from bot.adapters.matrix.sync.intake import events_of, parts
from bot.adapters.matrix.sync.room_state import RoomState
from bot.messages.model import Place, Retry, Undeliverable
from bot.runtime.inbox import Inbox

log = structlog.get_logger(__name__)

JOINS = 10
"""Rooms that we join within an hour at most because of one person; their other invitations wait."""
HOUR = 3_600_000
LOOK = 10.0
"""Seconds in which the homeserver should report what we have done ourselves."""

GONE = "gone"
"""Noted in the place of a private room that its owner has left."""

EVERYBODY, OWN_SERVER = "everybody", "own-server"
"""Whose invitations are accepted, beside single ids and servers."""

ENCRYPTED = {"type": "m.room.encryption", "state_key": "", "content": {"algorithm": "m.megolm.v1.aes-sha2"}}
SINCE_INVITED = {
    "type": "m.room.history_visibility",
    "state_key": "",
    "content": {"history_visibility": "invited"},
}


class News(Protocol):
    """The homeserver's news."""

    async def seen(self, true: Callable[[], bool], seconds: float) -> bool:
        """Wait until something is true of the rooms, at most so many seconds; whether it is."""


class Invitation(msgspec.Struct, frozen=True):
    """A room that somebody has invited us to."""

    by: str
    direct: bool


class Rooms:
    """Notes in the inbox what must outlast a restart, and remembers the rest."""

    def __init__(
        self,
        client: Client,
        inbox: Inbox,
        clock: Callable[[], int],
        room_states: Mapping[str, RoomState],
        invites: Sequence[str],
    ):
        self._client = client
        self._inbox = inbox
        self._clock = clock
        self._room_states = room_states
        self._inviters = frozenset(invites)
        self._invitations: dict[str, Invitation] | None = None
        self._direct: dict[str, list[str]] = {}
        self._moves: dict[str, str] = {}
        self._joined: dict[str, deque[int]] = {}
        """By inviter, when we joined the last rooms."""
        self._shut: set[str] = set()
        """Replacements that we could not join."""
        self._changed = asyncio.Event()
        self._locks: dict[str, asyncio.Lock] = {}

    # --- who is in a room ---------------------------------------------------------------------------------
    def alone(self, room: str) -> bool:
        """Whether nobody but one person is in a room with us, and it is no spectators' room."""
        known, state = self._client.rooms.get(room), self._room_states.get(room)
        alone = known is not None and len(known.users) == 2 and self._client.user_id in known.users
        return alone and not (state is not None and state.gallery)

    def name(self, room: str, user: str) -> str:
        """What somebody is called in a room."""
        known = self._client.rooms.get(room)
        member = known.users.get(user) if known else None
        return shown(member.display_name if member else None, user)

    async def redact(self, room: str, event: str) -> bool:
        """Delete a message, if we may; whether it was deleted."""
        state = self._room_states.get(room)
        if state is None or not state.host(self._client.user_id):
            return False
        return (await self._client.ask("PUT", path(room, "redact", event, f"hush {event}"), {})).fine

    def open(self, room: str) -> bool:
        """Whether we are in a room and may speak there."""
        state, known = self._room_states.get(room), self._client.rooms.get(room)
        if known is None or state is None:
            return False
        return state.speaks(self._client.user_id, encrypted=bool(known.encrypted))

    def encrypted(self, room: str) -> bool:
        """Whether a room that we are in is encrypted."""
        return bool(self._client.rooms[room].encrypted)

    def _private(self, room: str, user: str) -> bool:
        """Whether a room is fit for secrets: encrypted, nobody else in it, and made for the two of us."""
        known, state = self._client.rooms.get(room), self._room_states.get(room)
        return (
            known is not None
            and state is not None
            and bool(known.encrypted)
            and set(known.users) == {user, self._client.user_id}
            and known.join_rule == "invite"
            and known.history_visibility != "world_readable"
            and (room in self._direct.get(user, ()) or self._client.user_id in state.creators)
        )

    def _told_in_clear(self, room: str, user: str) -> bool:
        """Whether somebody talks to us in a direct room that is not encrypted: they are answered there."""
        known = self._client.rooms.get(room)
        return (
            known is not None
            and not known.encrypted
            and set(known.users) == {user, self._client.user_id}
            and known.join_rule == "invite"
            and room in self._direct.get(user, ())
        )

    def gallery(self, home: str) -> str:
        """The room of a match's spectators, by its place's address; "" = there is none."""
        found = (room for room, state in self._room_states.items() if state.gallery == home)
        return next((room for room in found if room in self._client.rooms), "")

    # --- rooms that were replaced ---------------------------------------------------------------------------
    async def origin(self, room: str) -> str:
        """The first of the rooms that a room replaces: matches know it by that one."""
        return await self._moved(f"origin {room}") or room

    async def current(self, origin: str) -> str:
        """The room that has replaced a room."""
        return await self._moved(f"now {origin}") or origin

    def moving(self, room: str) -> bool:
        """Whether a room has been replaced by one that we are not in yet."""
        state = self._room_states.get(room)
        return state is not None and bool(state.successor)

    async def _moved(self, note: str) -> str:
        if note not in self._moves:
            self._moves[note] = await self._inbox.recall(note)
        return self._moves[note]

    # --- news -------------------------------------------------------------------------------
    async def prepare(self, answer: Mapping[str, Any]) -> dict[str, str]:
        """Learn of invitations and replacements; returns what is to be noted with the answer."""
        invitations = await self._waiting()
        before = dict(invitations)
        for event in events_of(answer, "account_data"):
            if event.get("type") == "m.direct":
                self._direct = _directs(event.get("content"))
        for membership in ("join", "leave"):
            for room, _ in parts(answer, membership):
                invitations.pop(room, None)
        for room, part in parts(answer, "invite"):
            for event in events_of(part, "invite_state"):
                by, direct = event.get("sender"), given(event, "content", "is_direct")
                if event.get("state_key") == self._client.user_id and isinstance(by, str):
                    invitations[room] = Invitation(by, direct is True)
        notes = {}
        if invitations != before:
            notes["invitations"] = _written(invitations)
        for room, state in self._room_states.items():
            notes |= await self._taken_over(room, state)
        self._changed.set()
        return notes

    async def _taken_over(self, room: str, state: RoomState) -> dict[str, str]:
        """A room replaces another only if both say so: the old one's tombstone and the new one's first event."""
        old = self._room_states.get(state.predecessor)
        if old is None or old.successor != room or await self._moved(f"origin {room}"):
            return {}
        origin = await self.origin(state.predecessor)
        log.info("a room was replaced", room=origin, by=room)
        notes = {f"origin {room}": origin, f"now {origin}": room}
        self._moves |= notes
        return notes

    async def _waiting(self) -> dict[str, Invitation]:
        if self._invitations is None:
            kept = await self._inbox.recall("invitations")
            self._invitations = msgspec.json.decode(kept or "{}", type=dict[str, Invitation])
        return self._invitations

    # --- invitations --------------------------------------------------------------------------
    async def run(self) -> None:
        """Accept invitations and follow replacements, until cancelled."""
        while True:
            self._changed.clear()
            pause = None
            try:
                pause = await self._answer_invitations()
                await self._follow()
                await self._leave_empty()
            except Retry as later:
                pause = later.after
            try:
                async with asyncio.timeout(pause):
                    await self._changed.wait()
            except TimeoutError:
                continue

    async def _answer_invitations(self) -> float | None:
        """Join, or decline; returns in how many seconds those can be answered that wait, None if none does."""
        pauses = []
        for room, invitation in list((await self._waiting()).items()):
            if pause := self._pause(invitation.by):
                pauses.append(pause)
                continue
            if not self._wanted(room, invitation.by):
                log.info("an invitation is declined", room=room, by=invitation.by)
                await self._client.ask("POST", path(room, "leave"), {})
            else:
                if invitation.direct:
                    await self._note_direct(invitation.by, room)
                answer = await self._join(room, _server(invitation.by))
                self._joined.setdefault(invitation.by, deque()).append(self._clock())
                log.info("an invitation", room=room, by=invitation.by, accepted=answer.fine, code=answer.code)
            (await self._waiting()).pop(room, None)
            await self._inbox.note("invitations", _written(await self._waiting()))
        return min(pauses, default=None)

    def _pause(self, by: str) -> float:
        """Seconds until somebody's next invitation is accepted."""
        joined, now = self._joined.get(by, deque()), self._clock()
        while joined and joined[0] <= now - HOUR:
            joined.popleft()
        return (joined[0] + HOUR - now) / 1000 if len(joined) >= JOINS else 0.0

    async def _leave_empty(self) -> None:
        """Leave the rooms that everybody else has left; the homeserver is asked again before that."""
        for room, known in list(self._client.rooms.items()):
            if set(known.users) != {self._client.user_id}:
                continue
            answer = await self._client.ask("GET", path(room, "members"))
            events = answer.body.get("chunk") if answer.fine else None
            if not isinstance(events, list) or not all(isinstance(event, dict) for event in events):
                continue
            others = [event for event in events if event.get("state_key") != self._client.user_id]
            # Nobody else is in a room, either, that we are only just making.
            if others and all(given(event, "content", "membership") in ("leave", "ban") for event in others):
                log.info("an empty room is left", room=room)
                for user, rooms in self._direct.items():
                    if room in rooms and await self._inbox.recall("direct", Place(PLATFORM, user)) == room:
                        await self._inbox.note("direct", GONE, Place(PLATFORM, user))
                await self._client.ask("POST", path(room, "leave"), {})
                self._client.rooms.pop(room, None)

    def _wanted(self, room: str, by: str) -> bool:
        if any(state.successor == room for state in self._room_states.values()):
            return True  # it replaces one that we are in
        own = OWN_SERVER in self._inviters and _server(by) == _server(self._client.user_id)
        return own or not self._inviters.isdisjoint({EVERYBODY, by, _server(by)})

    async def _follow(self) -> None:
        for state in list(self._room_states.values()):
            new = state.successor
            if new and new not in self._client.rooms and new not in self._shut:
                answer = await self._join(new, state.via)
                if not answer.fine:
                    self._shut.add(new)  # somebody will have to invite us
                    log.warning("a room was replaced by one that we cannot join", room=new, error=answer.reason)

    async def _join(self, room: str, via: str) -> Answer:
        """Join a room. Raises Retry where that may work later, OSError after a logout."""
        servers = urlencode({"server_name": via, "via": via}) if via else ""
        answer = await self._client.ask("POST", f"/_matrix/client/v3/join/{quote(room, safe='')}?{servers}", {})
        if answer.again is not None or answer.code in LOGGED_OUT:
            granted(answer, self._client.folder, "to let us into a room")
        return answer

    # --- private rooms -------------------------------------------------------------------------------------------
    async def direct(self, user: str, news: News, *, near: str = "", asked: bool = False) -> str:
        """An encrypted room with one person; made if there is none, but not for those who have left theirs.

        `near`: the room that the message belongs to, used if it is such a room; `asked`: it answers them.
        """
        async with self._locks.setdefault(user, asyncio.Lock()):
            home = Place(PLATFORM, user)
            if self._private(near, user) or (asked and self._told_in_clear(near, user)):
                return near
            known = await self._inbox.recall("direct", home)
            fitting = sorted(room for room in self._client.rooms if self._private(room, user))
            if known in fitting:
                return known
            if fitting:
                room = fitting[0]
            elif known == GONE or self._left(known):
                if not asked:
                    raise Undeliverable(f"{user} has left the private room", closes="person")
                if known != GONE:
                    await self._invite(known, user, news)
                    return known
                room = await self._make(user, news)
            else:
                room = await self._make(user, news)
            await self._inbox.note("direct", room, home)
            return room

    def _left(self, room: str) -> bool:
        known = self._client.rooms.get(room)
        return known is not None and set(known.users) == {self._client.user_id}

    async def _invite(self, room: str, user: str, news: News) -> None:
        answer = await self._client.ask("POST", path(room, "invite"), {"user_id": user})
        allowed(answer, self._client.folder, "an invitation", f"{user} cannot be invited", "person")
        await self._awaited(room, user, news)

    async def _make(self, user: str, news: News) -> str:
        # No key keeps a second one from being made, so after a crash in here we look first: a room for two that we
        # have made ourselves counts as theirs.
        wanted = {
            "preset": "private_chat",
            "is_direct": True,
            "invite": [user],
            "initial_state": [ENCRYPTED, SINCE_INVITED],
        }
        answer = await self._client.ask("POST", "/_matrix/client/v3/createRoom", wanted)
        made = allowed(answer, self._client.folder, "a private room", f"no room with {user}", "person")
        room = str(made.get("room_id"))
        await self._note_direct(user, room)
        await self._awaited(room, user, news)
        return room

    async def _awaited(self, room: str, user: str, news: News) -> None:
        if not await news.seen(lambda: self._private(room, user), LOOK):
            raise Retry(2)

    async def _note_direct(self, user: str, room: str) -> None:
        """Note with our account which rooms are for two, as people's own clients do."""
        if room not in self._direct.setdefault(user, []):
            self._direct[user].append(room)
        url = f"/_matrix/client/v3/user/{quote(self._client.user_id, safe='')}/account_data/m.direct"
        await self._client.ask("PUT", url, self._direct)


def _directs(content: object) -> dict[str, list[str]]:
    found = content if isinstance(content, dict) else {}
    return {
        user: [room for room in rooms if isinstance(room, str)]
        for user, rooms in found.items()
        if isinstance(rooms, list)
    }


def _written(invitations: dict[str, Invitation]) -> str:
    return msgspec.json.encode(invitations).decode() if invitations else ""


def _server(user: str) -> str:
    return user.partition(":")[2]
