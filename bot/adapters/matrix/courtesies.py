"""Courtesies to whoever writes to us: read receipts, and answers to what we cannot do or read.

None of it is made up for after a crash; all of it keeps its transaction, so none is said twice.
"""

import asyncio
from collections import OrderedDict
from collections.abc import Awaitable, Callable, Mapping
from functools import partial
from typing import Any, Final, TypeAlias
from urllib.parse import quote

import structlog

from bot.adapters.matrix.client import Client, path
from bot.adapters.matrix.errors import converting
from bot.adapters.matrix.events.content import related
from bot.adapters.matrix.events.html import Wording, formatted
from bot.adapters.matrix.events.reading import given
from bot.adapters.matrix.sync.intake import events_of
from bot.adapters.matrix.sync.stream import Late
from bot.messages.catalogue import beside
from bot.messages.model import Retry, Undeliverable
from engine.text import Text

log = structlog.get_logger(__name__)

PATIENCE: Final = 10_000
"""Milliseconds that a room's key may come later than what is encrypted with it."""
OLD: Final = 12 * 3_600_000
"""Milliseconds after which nobody is told any more that we could not read something."""
TOLD: Final = 4_000
"""Senders and keys of whom is remembered that they were told."""
VERIFICATION: Final = "m.key.verification.request"
BEGUN: Final = "m.key.verification.start"
"""What a client may begin with between devices, without asking for it first."""
CANCELLED: Final = {"code": "m.unknown_method", "reason": "Riposte is a program: it compares no emoji and no codes."}
CANNOT_VERIFY: Final = (
    Text("I am a program and cannot compare emoji or codes, so I have cancelled that."),
    Text("My device is signed by my own identity: that is all there is to verify."),
)
UNREADABLE: Final = (Text("I cannot read that: your client has not given me its key."), Text("Please send it again."))

Send: TypeAlias = Callable[[str, dict[str, Any], str], Awaitable[str]]
"""Sends content to a room under a transaction."""


class Courtesies:
    """Done in the background, each once."""

    def __init__(self, client: Client, clock: Callable[[], int], wording: Callable[[str], Wording], send: Send):
        self._client = client
        self._clock = clock
        self._wording = wording
        self._send = send
        self._work: asyncio.Queue[Callable[[], Awaitable[object]]] = asyncio.Queue()
        self._told: OrderedDict[tuple[str, str], None] = OrderedDict()

    async def run(self) -> None:
        """Do what was added, until cancelled."""
        while True:
            work = await self._work.get()
            try:
                await work()
            except (Retry, Undeliverable, OSError) as trouble:
                log.info("a read receipt or a courtesy could not be sent", error=str(trouble))

    def add(self, work: Callable[[], Awaitable[object]]) -> None:
        """Have a courtesy done in the background."""
        self._work.put_nowait(work)

    def heard(self, room: str, event: str) -> None:
        """Show that a message was read."""
        self._work.put_nowait(partial(self._client.ask, "POST", path(room, "receipt", "m.read", event), {}))

    def look(self, answer: Mapping[str, Any]) -> None:
        """Cancel verifications that were asked for between devices."""
        for event in events_of(answer, "to_device"):
            sender, device = event.get("sender"), given(event, "content", "from_device")
            transaction = given(event, "content", "transaction_id")
            named = isinstance(sender, str) and isinstance(device, str) and isinstance(transaction, str)
            if event.get("type") in (VERIFICATION, BEGUN) and named:
                content = {"messages": {sender: {device: {**CANCELLED, "transaction_id": transaction}}}}
                self._work.put_nowait(partial(self._to_device, "m.key.verification.cancel", transaction, content))

    def look_at(self, room: str, event: Mapping[str, Any]) -> None:
        """Cancel a verification that was asked for in a room, in words too."""
        number, sender = event.get("event_id"), event.get("sender")
        asked = given(event, "content", "msgtype") == VERIFICATION
        ours = given(event, "content", "to") == self._client.user_id != sender
        if asked and ours and isinstance(number, str):
            self._work.put_nowait(partial(self._cancel, room, number))

    def unreadable(self, waiting: list[Late]) -> None:
        """Ask for the keys of what cannot be read for a while, and tell whoever wrote it; once for each key."""
        now = self._clock()
        for late in waiting:
            sender, session = late.event.get("sender"), given(late.event, "content", "session_id")
            if not isinstance(sender, str) or not isinstance(session, str) or not PATIENCE < now - late.at < OLD:
                continue
            if (sender, session) not in self._told:
                self._told[sender, session] = None
                if len(self._told) > TOLD:
                    self._told.popitem(last=False)
                self._work.put_nowait(partial(self._ask_again, late, sender))

    async def _ask_again(self, late: Late, sender: str) -> None:
        content, number = late.event.get("content"), late.event.get("event_id")
        assert isinstance(content, dict), "looked at before"
        if not isinstance(number, str):
            return
        session = content["session_id"]
        self._client.await_key(late.room, session, sender)
        body = {name: content[name] for name in ("algorithm", "session_id", "sender_key") if name in content}
        request = {
            "action": "request",
            "body": {**body, "room_id": late.room},
            "request_id": session,
            "requesting_device_id": self._client.device_id,
        }
        await self._to_device("m.room_key_request", session, {"messages": {sender: {"*": request}}})
        relation = content.get("m.relates_to")
        root = given(relation, "event_id") if given(relation, "rel_type") == "m.thread" else ""
        words = self._notice(UNREADABLE)
        await self._send(late.room, related(words, root if isinstance(root, str) else "", number), f"unread {session}")

    async def _cancel(self, room: str, event: str) -> None:
        relation = {"m.relates_to": {"rel_type": "m.reference", "event_id": event}}
        name = f"cancel {event}"
        with converting(room):
            await self._client.room_send(
                room, "m.key.verification.cancel", {**CANCELLED, **relation}, name, ignore_unverified_devices=True
            )
        await self._send(room, related(self._notice(CANNOT_VERIFY), answers=event), f"{name} words")

    def _notice(self, sentences: tuple[Text, ...]) -> dict[str, Any]:
        wording = self._wording("")
        words = beside(wording.say(sentence) for sentence in sentences)
        return formatted((words,), self._clock(), wording=wording) | {"msgtype": "m.notice"}

    async def _to_device(self, kind: str, name: str, content: dict[str, Any]) -> None:
        url = f"/_matrix/client/v3/sendToDevice/{kind}/{quote(name, safe='')}"
        await self._client.ask("PUT", url, content)
