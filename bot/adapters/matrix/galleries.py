"""The rooms of a match's spectators: each is invited once, and the players when the match is over."""

import structlog

from bot.adapters.matrix.client import Client, path
from bot.adapters.matrix.errors import allowed
from bot.adapters.matrix.events.html import Wording
from bot.adapters.matrix.rooms import LOOK, News, Rooms
from bot.adapters.matrix.sync.room_state import GALLERY
from bot.messages.model import GALLERY as SIGN
from bot.messages.model import OutgoingMessage, Retry
from bot.messages.serialization import address
from bot.runtime.inbox import Inbox
from engine.text import Text

log = structlog.get_logger(__name__)

SHARED = {"type": "m.room.history_visibility", "state_key": "", "content": {"history_visibility": "shared"}}
"""Whoever comes later reads what was said before: such a room is not encrypted, or the players never could."""


class Galleries:
    """Finds or makes them; which place a room belongs to is told by a state of it, so no crash makes a second one."""

    def __init__(self, client: Client, inbox: Inbox, rooms: Rooms, news: News):
        self._client = client
        self._inbox = inbox
        self._rooms = rooms
        self._news = news

    async def room(self, message: OutgoingMessage, wording: Wording) -> str:
        """The room for a message to spectators; who is let in is invited. Raises Retry or Undeliverable."""
        home = address(message.where)
        room = self._rooms.gallery(home) or await self._make(message, home, wording)
        known = (await self._inbox.recall("admitted", message.where)).split()
        for who in message.admits:
            if who.id in known:  # whoever has left does not wish to be there
                continue
            answer = await self._client.ask("POST", path(room, "invite"), {"user_id": who.id})
            if answer.again is not None:
                raise Retry(answer.again)
            if not answer.fine:
                log.warning("a spectator cannot be invited", code=answer.code)
            known.append(who.id)
            await self._inbox.note("admitted", " ".join(known), message.where)
        return room

    async def _make(self, message: OutgoingMessage, home: str, wording: Wording) -> str:
        match = message.where.thread.removeprefix(SIGN)
        wanted = {
            "preset": "private_chat",
            "name": wording.say(Text("Match {match}, looking on", match=match)),
            "initial_state": [SHARED, {"type": GALLERY, "state_key": "", "content": {"place": home}}],
            "power_level_content_override": {"invite": 100},  # else anybody in it could let a player in
        }
        answer = await self._client.ask("POST", "/_matrix/client/v3/createRoom", wanted)
        made = allowed(answer, self._client.folder, "a room for spectators", "no room for spectators")
        await self._inbox.note("admitted", "", message.where)
        if not await self._news.seen(lambda: bool(self._rooms.gallery(home)), LOOK):
            raise Retry(2)
        return str(made.get("room_id"))
