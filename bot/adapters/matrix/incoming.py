"""Turns a room's event into a message for the bot: its author, its match, and whether it was meant for us."""

from collections import OrderedDict
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import replace
from typing import Any, TypeAlias

from bot.adapters.matrix.client import Client, path
from bot.adapters.matrix.encryption.decryption import decrypt
from bot.adapters.matrix.errors import granted
from bot.adapters.matrix.events.addressing import Addressing, addressed
from bot.adapters.matrix.events.content import CHOICES, MATCH, MESSAGE_KEY, signs
from bot.adapters.matrix.events.html import PLATFORM
from bot.adapters.matrix.events.reading import KEYS, Message, Press, given, understood
from bot.adapters.matrix.rooms import Rooms
from bot.adapters.matrix.sync.room_state import RoomState
from bot.commands.parser import HELLO
from bot.messages.model import PARTNER_NAME, IncomingMessage, Person, Place
from bot.messages.prompts import ANSWERS
from bot.runtime.inbox import Inbox

REMEMBERED = 4_000
"""Events of which we remember whether they are ours."""


Applauded: TypeAlias = Callable[[Person, Place, str], Awaitable[bool]]
"""Whether somebody's sign below a challenge or an offer is only applause: nothing was asked of them."""


async def meant_so(_who: Person, _where: Place, _command: str) -> bool:
    """Every sign is an answer: there is nobody to ask."""
    return False


class Listener:
    """Asks the homeserver for our own events: a message may be answered before we know its event's id."""

    def __init__(
        self,
        client: Client,
        inbox: Inbox,
        addressing: Addressing,
        room_states: Mapping[str, RoomState],
        rooms: Rooms,
        *,
        applauded: Applauded,
    ):
        self._client = client
        self._inbox = inbox
        self._addressing = addressing
        self._room_states = room_states
        self._rooms = rooms
        self._applauded = applauded
        self._ours: OrderedDict[str, Mapping[str, Any]] = OrderedDict()

    async def read(self, room: str, event: dict[str, Any], at: int) -> IncomingMessage | None:
        """The message in an event, None if it is not for us. Raises Retry where that cannot be found out now."""
        if event.get("state_key") == self._client.user_id and event.get("type") == "m.room.member":
            return await self._arrived(room, event, at)
        sender, number = event.get("sender"), event.get("event_id")
        if not isinstance(sender, str) or not isinstance(number, str) or "state_key" in event:
            return None
        self._remember(number, event.get("content") if sender == self._client.user_id else None)
        message = None
        match understood(event) if self._addressing.hears(sender) else None:
            case Press() as press:
                message = await self._pressed(room, press, at)
            case Message() as typed:
                message = await self._typed(room, typed, at)
        written = event.get("origin_server_ts")
        if message and isinstance(written, int) and 0 < written <= at:
            return replace(message, sent=written, hearsay=True)
        return message

    async def _arrived(self, room: str, event: Mapping[str, Any], at: int) -> IncomingMessage | None:
        """The greeting that is owed to whoever has invited us, once a room; none in one that goes on with another."""
        by = given(event, "unsigned", "prev_sender")
        invited = given(event, "unsigned", "prev_content", "membership") == "invite"
        if not invited or given(event, "content", "membership") != "join" or await self._rooms.origin(room) != room:
            return None
        user = by if isinstance(by, str) else self._client.user_id
        who = Person(PLATFORM, user, self._rooms.name(room, user))
        return IncomingMessage(f"{PLATFORM}:greeting:{room}", who, Place(PLATFORM, room), f"!{HELLO}", at)

    async def _pressed(self, room: str, press: Press, at: int) -> IncomingMessage | None:
        ours = await self._own(room, press.target)
        choices = ours.get(CHOICES)
        commands = [command for command in choices if isinstance(command, str)] if isinstance(choices, list) else []
        pressed = dict(zip(KEYS, commands, strict=False))
        pressed |= {sign: command for sign, command in zip(signs(commands), commands, strict=True) if sign not in KEYS}
        if press.sign not in pressed:
            return None
        message = await self._message(room, press, _text(ours.get(MATCH)), pressed[press.sign], at)
        applause = press.sign in ANSWERS.values() and await self._applauded(message.who, message.where, message.text)
        return None if applause else message

    async def _typed(self, room: str, typed: Message, at: int) -> IncomingMessage | None:
        if typed.edits:
            first = understood(await self._event(room, typed.edits))
            if not isinstance(first, Message) or first.sender != typed.sender or first.edits:
                return None
            typed = replace(typed, root=first.root, answers=first.answers)
        ours = await self._own(room, typed.answers) if typed.answers else {}
        thread = ""
        if typed.root:
            thread = await self._inbox.recall("match", Place(PLATFORM, room, typed.root))
            thread = thread or _text((await self._own(room, typed.root)).get(MATCH))
        match = thread or _text(ours.get(MATCH))
        text = self._addressing.meant(
            typed,
            prefix=await self._inbox.recall("prefix", Place(PLATFORM, await self._rooms.origin(room))),
            alone=self._rooms.alone(room),
            match=bool(match),
            replied=MESSAGE_KEY in ours,
            name=self._rooms.name(room, self._client.user_id),
        )
        if text is None:
            return None
        if "@" in text:
            text = addressed(text, self._members(room), self._client.user_id.partition(":")[2])
            text = text.replace(f"@{PLATFORM}:{self._client.user_id}", f"@{PARTNER_NAME}")
        message = await self._message(room, typed, match, text, at)
        return replace(message, editable=True, edits=f"{PLATFORM}:{typed.edits}" if typed.edits else "")

    async def _message(self, room: str, of: Message | Press, match: str, text: str, at: int) -> IncomingMessage:
        origin = await self._rooms.origin(room)
        who = Person(PLATFORM, of.sender, self._rooms.name(room, of.sender))
        state = self._room_states.get(room)
        host = state is not None and state.host(of.sender)
        mentioned = isinstance(of, Message) and not of.answers and self._client.user_id in of.mentioned
        called = isinstance(of, Press) or text != of.text.strip() or mentioned  # clients mention whom they reply to
        place = Place(PLATFORM, origin, match)
        return IncomingMessage(f"{PLATFORM}:{of.id}", who, place, text, at, host=host, addressed=called)

    async def _own(self, room: str, event: str) -> Mapping[str, Any]:
        """The content of an event of ours, {} if it is somebody else's."""
        if event in self._ours:
            self._ours.move_to_end(event)
            return self._ours[event]
        found = await self._event(room, event)
        self._remember(event, found.get("content") if found.get("sender") == self._client.user_id else None)
        return self._ours[event]

    async def _event(self, room: str, event: str) -> Mapping[str, Any]:
        """An event as it was first sent, {} if it cannot be had."""
        answer = await self._client.ask("GET", path(room, "event", event))
        if answer.refused:
            return {}
        found = dict(granted(answer, self._client.folder, "an event"))
        if found.get("type") == "m.room.encrypted":
            found = decrypt(self._client, room, found) or found
        return found

    def _remember(self, event: str, content: object) -> None:
        self._ours[event] = content if isinstance(content, dict) else {}
        self._ours.move_to_end(event)
        if len(self._ours) > REMEMBERED:
            self._ours.popitem(last=False)

    def _members(self, room: str) -> dict[str, str]:
        """Ids by themselves, and by names and first parts of ids; "" where several share one."""
        found: dict[str, str] = {}
        known = self._client.rooms.get(room)
        for user in known.users if known else ():
            for name in {self._rooms.name(room, user).lower(), user[1:].partition(":")[0].lower()}:
                found[name] = user if found.get(name, user) == user else ""
        return found | {user: user for user in (known.users if known else ())}


def _text(value: object) -> str:
    return value if isinstance(value, str) else ""
