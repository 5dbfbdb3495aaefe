"""What a room's state says about who may do what, and which room replaces which."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Final

HOST: Final = 50
"""The power level from which somebody may change settings of a room."""
GALLERY: Final = "org.riposte.gallery"
"""The state of a spectators' room: which match it is for, and where that is played."""


@dataclass(slots=True)
class RoomState:
    """What nio does not keep of a room's state."""

    creators: frozenset[str] = frozenset()
    creators_rule: bool = False
    """Whether creators stand above all power levels, as they do since room version 12."""
    predecessor: str = ""
    successor: str = ""
    """The room that a tombstone points to."""
    via: str = ""
    """The server of whoever set the tombstone."""
    powers: Mapping[str, Any] = field(default_factory=dict)
    gallery: str = ""
    """The place whose spectators talk there, as an address; "" = it is no spectators' room."""

    def speaks(self, user: str, *, encrypted: bool = False) -> bool:
        """Whether somebody may write messages in the room: in an encrypted one these are events of another kind."""
        events, default = self.powers.get("events"), self.powers.get("events_default", 0)
        kind = "m.room.encrypted" if encrypted else "m.room.message"
        needed = events.get(kind, default) if isinstance(events, dict) else default
        return self._reaches(user, needed)

    def host(self, user: str) -> bool:
        """Whether somebody may change settings of the room."""
        return self._reaches(user, self.powers.get("state_default", HOST))

    def _reaches(self, user: str, needed: object) -> bool:
        users = self.powers.get("users")
        default = self.powers.get("users_default", 0)
        level = users.get(user, default) if isinstance(users, dict) else default
        if self.creators_rule and user in self.creators:
            return True
        return isinstance(level, int) and isinstance(needed, int) and level >= needed
