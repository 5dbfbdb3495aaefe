"""What sets a transaction off: a message, or an alarm that nobody wrote."""

from bot.messages.model import IncomingMessage, Person
from engine.match.commands import Player
from engine.value import value


@value(frozen=True, slots=True)
class Cause:
    """One message or alarm."""

    id: str
    """Of the message or alarm: what it leads to is committed once."""
    at: int
    """Milliseconds since 1970 UTC."""
    message: IncomingMessage | None = None
    """None for an alarm."""
    accounts: tuple[Player, ...] = ()
    """All accounts of the message's author; the first owns their settings."""
    match: str = ""
    """The match that an alarm is about."""

    @property
    def author(self) -> Person | None:
        """Who wrote the message."""
        return self.message.who if self.message else None
