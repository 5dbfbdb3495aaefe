"""What a command is given, what it leads to, and the answers that several commands share."""

from dataclasses import replace
from typing import Any

from bot.commands.parser import ParsedCommand
from bot.commands.spec.parts import Command as CommandSpec
from bot.messages.catalogue import Language
from bot.messages.model import IncomingMessage, Lines, Place
from bot.messages.narrator import Draft, refuse
from bot.messages.serialization import address, channel_address
from bot.readers import person_language
from bot.repository import Repository
from engine.game import Turn
from engine.match.commands import Command, Player
from engine.match.decide import decide
from engine.match.events import Refusal
from engine.match.evolve import Decision
from engine.match.state import Match
from engine.text import Text
from engine.value import value
from storage.store import Alarm, OutboxMessage

NOTHING = Decision()


@value(frozen=True, slots=True)
class Context:
    """One message, and what is known about it."""

    message: IncomingMessage
    parsed: ParsedCommand
    match: Match | None
    accounts: tuple[Player, ...]
    """All accounts of the author; the first owns their settings."""

    @property
    def who(self) -> Player:
        """The author, by the account that takes part in the match."""
        parties = self.match.parties if self.match else ()
        return next((player for player in self.accounts if player in parties), self.message.who.key)


@value(frozen=True, slots=True)
class MatchContext(Context):
    """The same for a command about a match."""

    match: Match
    given: int | None = None
    """When it was given, if not when it was heard."""


async def about(
    repository: Repository,
    message: IncomingMessage,
    parsed: ParsedCommand,
    match: Match,
    accounts: tuple[Player, ...],
) -> MatchContext:
    """Returns what is known about a command about a match."""
    return MatchContext(message, parsed, match, accounts, await repository.given(match, message))


@value(frozen=True, slots=True)
class Added:
    """What is added to another log than a match's: a tournament's, or that of spectators' remarks."""

    id: str
    expected: int
    """How many events it had."""
    events: tuple[tuple[int, str], ...]
    """When, and what, as it is stored."""


@value(frozen=True, slots=True)
class Effect:
    """What a message or an alarm leads to: what happens to a match, what is said, which settings change."""

    decision: Decision = NOTHING
    drafts: tuple[Draft, ...] = ()
    settings: tuple[tuple[str, str, str], ...] = ()
    """Owner, key and value of each."""
    match: str = ""
    again: bool = False
    """Whether the match's alarms are set anew although nothing happens to it: somebody wants quiet."""
    messages: tuple[OutboxMessage, ...] = ()
    """Messages that are ready to be sent."""
    heading: Lines = ()
    """The line above the news of a match that a tournament has begun: which tournament that is."""
    added: Added | None = None
    """What happens in a tournament, or a spectator's remark; then nothing happens to a match."""
    places: tuple[str, ...] = ()
    """Where news is told that is about no match."""
    wakes: tuple[Alarm, ...] = ()
    """Alarms of tournaments that are set, and those that are done with."""
    woken: tuple[Alarm, ...] = ()


# --- answers ----------------------------------------------------------------------------------------------
def whisper(message: IncomingMessage, *sentences: Text) -> Effect:
    """Returns a private answer of one line."""
    return whisper_lines(message, (sentences,))


def whisper_lines(message: IncomingMessage, lines: Lines) -> Effect:
    """Returns a private answer."""
    return Effect(drafts=(Draft(lines, only=message.who.key),))


def reply(message: IncomingMessage, *sentences: Text) -> Effect:
    """Returns an answer of one line that anybody may read, private only where that disturbs others less."""
    return reply_lines(message, (sentences,))


def reply_lines(message: IncomingMessage, lines: Lines) -> Effect:
    """Returns an answer that anybody may read."""
    return Effect(drafts=(Draft(lines, only=message.who.key, harmless=True),))


def apply(repository: Repository, context: MatchContext, command: Command) -> Effect:
    """Returns what a command does to the match, or the answer to one that is refused."""
    match = context.match
    message = context.message
    decided = decide(match, command, message.at, repository.dice(match), written=context.given)
    return refused(context, decided) if isinstance(decided, Refusal) else Effect(decided, match=match.id)


def refused(context: Context, refusal: Refusal, *before: Text) -> Effect:
    """Returns the answer to a command that is refused, these sentences in front."""
    viewer = context.match.side_of(context.who) if context.match else None
    draft = refuse(refusal, context.match, viewer)
    first, *others = draft.text
    return Effect(drafts=(replace(draft, text=((*before, *first), *others), only=context.who),))


def not_begun(context: MatchContext) -> Effect:
    """Returns the answer to a command that needs a board, about a match without one."""
    match, message = context.match, context.message
    if match.status == "declined":
        return whisper(
            message,
            Text("Match {match} was declined.", match=match.id),
            Text("`challenge {game}` begins another.", game=match.game.key),
        )
    if context.who in match.joined:
        return whisper(
            message,
            Text("Match {match} has not begun.", match=match.id),
            Text("The others have yet to `accept`."),
        )
    return whisper(
        message,
        Text("Match {match} has not begun.", match=match.id),
        Text("`accept {match}` begins it.", match=match.id),
    )


def hosts_only(message: IncomingMessage) -> Effect:
    """Returns the answer to somebody who may not change the settings here."""
    return whisper(
        message,
        HOSTS.get(message.where.platform, Text("Only the hosts of this place can change that.")),
        Text("Ask one of them; `settings` shows how things are now."),
    )


HOSTS = {
    "discord": Text("Only those who may manage this server can change that."),
    "matrix": Text("Only those with power level 50 or more in this room can change that."),
}


def example_command(command: CommandSpec, match: Match | None) -> str:
    """Returns an example of a command, for a given match if there is one."""
    if match is None or match.position is None:
        return command.example.replace(" 12", f" {match.id}") if match else command.example
    game, position = match.game, match.position
    if command.name == "look":
        places = game.board(position).outlines
        return f"look {match.id} {next((place for place in places if place.isalnum()), next(iter(places)))}"
    if command.name == "move":
        return f"move {match.id} {game.example(position)}"
    asks = game.asks(position)
    if command.name == "secret" and asks:
        return f"secret {match.id} {asks[0].example}"
    if command.name == "if" and not asks:
        return f"if {match.id} {line_example(match)}"
    return command.example.replace(" 12", f" {match.id}")


def decided_by_luck(match: Match, position: Any, turn: Turn) -> bool:
    """Whether something is thrown for a turn."""
    return bool(match.game.rolls(turn)) or match.game.roll(position, turn, match.dice) is not turn


def line_example(match: Match) -> str:
    """Returns a line in the match's own notation: what is played next, and an answer if the next turn is one.

    Where luck decides every turn, it answers an offer.
    """
    game, position = match.game, match.position
    text = game.example(position)
    turn = game.read(text, position)
    if decided_by_luck(match, position, turn):
        return "draw then accept"  # no line holds such a turn
    if len(match.seats) == 2:
        after = game.play(position, turn)
        if game.to_act(after) != game.to_act(position) and game.outcome(after) is None and not game.asks(after):
            return f"{text} then {game.example(after)}"
    return f"{text} then resign"


# --- settings ---------------------------------------------------------------------------------------------
def community_address(message: IncomingMessage) -> str:
    """Returns the owner of the settings where a message was written: the server, or a room that belongs to none."""
    return community_of(message.where, message.server)


def community_of(where: Place, server: str) -> str:
    """Returns the same for a place, and the server that it belongs to, if any."""
    return address(Place(where.platform, "", server)) if server else channel_address(where)


async def reader_language(repository: Repository, context: Context) -> Language:
    """Returns the language of the author."""
    message = context.message
    owner = community_address(message)
    return await person_language(repository, message.who.key, owner, message.locale, message.server_locale)
