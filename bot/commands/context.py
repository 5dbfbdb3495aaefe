"""What a command is given, and what it leads to."""

from dataclasses import dataclass

from bot.commands.spec import ParsedCommand
from bot.messages.model import IncomingMessage, Lines
from bot.messages.narrator import Draft
from engine.match.decision import Decision
from engine.match.events import Player
from engine.match.state import Match
from engine.text import Text

NOTHING = Decision()


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
    """What a message or an alarm leads to: what happens to a match, words, preferences."""

    decision: Decision = NOTHING
    drafts: tuple[Draft, ...] = ()
    settings: tuple[tuple[str, str, str], ...] = ()
    match: str = ""


def whisper(message: IncomingMessage, *sentences: Text) -> Effect:
    """A private answer of one line."""
    return whisper_lines(message, (sentences,))


def whisper_lines(message: IncomingMessage, lines: Lines) -> Effect:
    """A private answer."""
    return Effect(drafts=(Draft(lines, only=message.who.key),))
