"""What a command is given, and what it leads to."""

from dataclasses import dataclass

from bot.commands.spec import ParsedCommand
from bot.messages.model import IncomingMessage, Span
from bot.messages.narrator import Draft
from engine.match.events import Event, Player
from engine.match.state import Match


@dataclass(frozen=True, slots=True)
class Context:
    """One message, and what is known about it."""

    heard: IncomingMessage
    said: ParsedCommand
    match: Match | None

    accounts: tuple[Player, ...]
    """All that the speaker is known by; the first owns what is theirs in all of them."""

    @property
    def who(self) -> Player:
        """Whoever wrote it, by the account that has to do with the match."""
        parties = self.match.parties if self.match else ()
        return next((player for player in self.accounts if player in parties), self.heard.who.key)


@dataclass(frozen=True, slots=True)
class Effect:
    """What a message or an alarm leads to: events of a match, words, preferences."""

    events: tuple[Event, ...] = ()
    says: tuple[Draft, ...] = ()
    settings: tuple[tuple[str, str, str], ...] = ()
    match: str = ""


def whisper(heard: IncomingMessage, *text: Span) -> Effect:
    """An answer for whoever spoke, and nobody else."""
    return Effect(says=(Draft(text, only=heard.who.key),))
