"""From an event to what is heard: whom it is from, which match it is about, and whether it was meant for us."""

from collections import OrderedDict
from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from bot.adapters.matrix.client import LOGGED_OUT, Client, path
from bot.adapters.matrix.content import CHOICES, LETTER, MATCH
from bot.adapters.matrix.events import Ears, Message, Press, addressed, understood
from bot.adapters.matrix.html import PLATFORM
from bot.adapters.matrix.intake import Charter, read
from bot.adapters.matrix.rooms import Rooms
from bot.adapters.matrix.session import granted
from bot.messages.model import IncomingMessage, Person, Place
from bot.runtime.inbox import Inbox

REMEMBERED = 4_000
"""Events of which we remember whether they are ours."""


class Listener:
    """What we have said ourselves is asked of the homeserver: a post may have been answered before we know its id."""

    def __init__(self, client: Client, notebook: Inbox, ears: Ears, charters: Mapping[str, Charter], rooms: Rooms):
        self._client = client
        self._notebook = notebook
        self._ears = ears
        self._charters = charters
        self._rooms = rooms
        self._ours: OrderedDict[str, Mapping[str, Any]] = OrderedDict()

    async def heard(self, room: str, event: dict[str, Any], at: int) -> IncomingMessage | None:
        """What an event says to us, None if nothing. Raises Retry where that cannot be found out now."""
        sender, number = event.get("sender"), event.get("event_id")
        if not isinstance(sender, str) or not isinstance(number, str) or "state_key" in event:
            return None
        self._remember(number, event.get("content") if sender == self._client.user_id else None)
        said = understood(event) if self._ears.hear(sender) else None
        heard = None
        match said:
            case Press():
                heard = await self._pressed(room, said, at)
            case Message():
                heard = await self._told(room, said, at)
        written = event.get("origin_server_ts")
        if heard and isinstance(written, int) and 0 < written <= at:
            return replace(heard, sent=written)
        return heard

    async def _pressed(self, room: str, press: Press, at: int) -> IncomingMessage | None:
        post = await self._said(room, press.target)
        choices = post.get(CHOICES)
        command = choices[press.number] if isinstance(choices, list) and press.number < len(choices) else None
        if not isinstance(command, str):
            return None
        return await self._of(room, press, _text(post.get(MATCH)), command, at)

    async def _told(self, room: str, message: Message, at: int) -> IncomingMessage | None:
        post = await self._said(room, message.answers) if message.answers else {}
        thread = ""
        if message.root:
            thread = await self._notebook.recall("match", Place(PLATFORM, room, message.root))
            thread = thread or _text((await self._said(room, message.root)).get(MATCH))
        match = thread or _text(post.get(MATCH))
        text = self._ears.meant(
            message,
            prefix=await self._notebook.recall("prefix", Place(PLATFORM, await self._rooms.origin(room))),
            alone=self._rooms.alone(room),
            match=bool(match),
            replied=LETTER in post,
            name=self._rooms.name(room, self._client.user_id),
        )
        if text is None:
            return None
        if "@" in text:
            text = addressed(text, self._members(room), self._client.user_id.partition(":")[2])
        return await self._of(room, message, match, text, at)

    async def _of(self, room: str, said: Message | Press, match: str, text: str, at: int) -> IncomingMessage:
        origin = await self._rooms.origin(room)
        who = Person(PLATFORM, said.sender, self._rooms.name(room, said.sender))
        charter = self._charters.get(room)
        host = charter is not None and charter.host(said.sender)
        return IncomingMessage(f"{PLATFORM}:{said.id}", who, Place(PLATFORM, origin, match), text, at, host=host)

    async def _said(self, room: str, event: str) -> Mapping[str, Any]:
        """What we said in an event, {} if it is not ours."""
        if event in self._ours:
            self._ours.move_to_end(event)
            return self._ours[event]
        answer = await self._client.ask("GET", path(room, "event", event))
        if answer.fine or answer.again is not None or answer.code in LOGGED_OUT:
            found = dict(granted(answer, self._client.folder, "an event"))
            if found.get("type") == "m.room.encrypted":
                found = read(self._client, room, found) or found
            ours = found.get("sender") == self._client.user_id
            self._remember(event, found.get("content") if ours else None)
        else:
            self._remember(event, None)
        return self._ours[event]

    def _remember(self, event: str, content: object) -> None:
        self._ours[event] = content if isinstance(content, dict) else {}
        self._ours.move_to_end(event)
        if len(self._ours) > REMEMBERED:
            self._ours.popitem(last=False)

    def _members(self, room: str) -> dict[str, str]:
        """Ids, and by names and first parts of ids whose they are; "" where several share one."""
        found: dict[str, str] = {}
        known = self._client.rooms.get(room)
        for user in known.users if known else ():
            for name in {self._rooms.name(room, user).lower(), user[1:].partition(":")[0].lower()}:
                found[name] = user if found.get(name, user) == user else ""
        return found | {user: user for user in (known.users if known else ())}


def _text(value: object) -> str:
    return value if isinstance(value, str) else ""
