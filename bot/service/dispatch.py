"""What a message means: which command, about which match, a turn or talk."""

from contextlib import suppress
from dataclasses import replace

from bot.commands.context import Context, Effect, MatchContext, example_command, whisper
from bot.commands.handlers import HANDLERS, MATCH_HANDLERS, MATCH_STATUS
from bot.commands.parser import ParsedCommand, PlainText, read_command, read_turn
from bot.commands.play import move
from bot.commands.spec import BY_NAME
from bot.messages.model import IncomingMessage
from bot.messages.serialization import channel_address
from bot.repository import Repository
from engine.game import NotationError
from engine.match.commands import Command, Player
from engine.match.decide import LONGEST_TEXT, decide
from engine.match.events import Refusal
from engine.match.state import Match
from engine.text import Listing, Text
from storage.store import Summary

NOTHING = Effect()
"""Talk that is not meant for Riposte."""

NUMBER_IS_ANSWER = ("secret", "move", "look")
"""Commands that can be followed by a number which is no match's."""


async def answer(repository: Repository, message: IncomingMessage, accounts: tuple[Player, ...]) -> Effect:
    """Returns what a message leads to."""
    parsed = read_command(message.text)
    if isinstance(parsed, PlainText):
        return await _plain_text(repository, message, parsed, accounts)
    command = parsed.command
    if parsed.match and not parsed.rest and message.where.thread and command.name in NUMBER_IS_ANSWER:
        parsed = replace(parsed, match="", rest=parsed.match)  # in a thread, a lone number is the answer itself
    match = await _match(repository, parsed.match or message.where.thread)
    if match is not None and command.stamped and parsed.ply not in (None, match.stamp):
        return whisper(
            message,
            Text("That button is out of date: the match has changed since."),
            Text("`board {match}` shows where it stands.", match=match.id),
        )
    if command.scope != "match":
        return await HANDLERS[command.name](repository, Context(message, parsed, match, accounts))
    if match is None:
        return await _without_match(repository, message, parsed, accounts)
    return await MATCH_HANDLERS[command.name](repository, MatchContext(message, parsed, match, accounts))


async def apply(repository: Repository, number: str, command: Command, at: int) -> Effect:
    """Returns what a command that nobody typed does to a match."""
    match = await repository.match(number)
    if match is None:
        return NOTHING
    decision = decide(match, command, at, repository.dice(match))
    return NOTHING if isinstance(decision, Refusal) else Effect(decision, match=number)


def named_match(message: IncomingMessage) -> str:
    """Returns the number of the match that a message is about, as far as its words tell."""
    parsed = read_command(message.text)
    return (parsed.match if isinstance(parsed, ParsedCommand) else "") or message.where.thread


async def _match(repository: Repository, number: str) -> Match | None:
    return await repository.match(number) if number else None


# --- without a command ------------------------------------------------------------------------------------
async def _plain_text(
    repository: Repository, message: IncomingMessage, plain: PlainText, accounts: tuple[Player, ...]
) -> Effect:
    """In a match's thread, words are a turn if they can be one; anywhere else they are talk."""
    match = await _match(repository, message.where.thread)
    if match is not None and match.position is not None and (plain.typo_of is None or _is_turn(match, plain.text)):
        context = MatchContext(message, read_turn(plain.text), match, accounts)
        effect = await move(repository, context)
        meant = plain.addressed or _like_a_turn(plain.text, alone=match.side_of(context.who) is not None)
        return effect if effect.decision.events or meant else NOTHING
    if plain.typo_of is not None:
        return whisper(
            message,
            Text(
                "Did you mean `{command}`? For example: `{example}`.",
                command=plain.typo_of.name,
                example=example_command(plain.typo_of, match),
            ),
        )
    words = plain.text.split()
    if not words or not (plain.addressed or len(words) == 1):
        return NOTHING
    unknown = Text("There is no command `{word}`.", word=words[0][:40])
    if number := await _match_of_turn(repository, plain.text, accounts):
        remedy = Text(
            "Write a turn in its match's thread, or like this: `{match}: {turn}`.", match=number, turn=plain.text
        )
        return whisper(message, unknown, remedy)
    return whisper(message, unknown, Text("`help` lists them."))


async def _match_of_turn(repository: Repository, text: str, accounts: tuple[Player, ...]) -> str:
    """The number of the match in which words said elsewhere would be a turn, "" if there is none."""
    running = await repository.matches_of(accounts, "running")
    due = [summary for summary in running if not set(accounts).isdisjoint(summary.to_act)]
    for summary in due[:10]:
        with suppress(OSError):  # a damaged one says so to whoever asks for it
            match = await repository.match(summary.match)
            if match is not None and _is_turn(match, text):
                return match.id
    return ""


def _is_turn(match: Match, text: str) -> bool:
    """Whether words can be read as a turn, although they resemble a command or were written elsewhere."""
    if len(text) > LONGEST_TEXT:
        return False
    try:
        match.game.read(read_turn(text).rest, match.position)
    except NotationError:
        return False
    return True


def _like_a_turn(text: str, *, alone: bool) -> bool:
    """Whether words look like an attempt at notation rather than like talk; `alone`: so does any single word."""
    words = text.split()
    return 0 < len(words) <= 6 and ((alone and len(words) == 1) or any(c.isdigit() or c in "$*~#@=" for c in text))


# --- without a match --------------------------------------------------------------------------------------
async def _without_match(
    repository: Repository, message: IncomingMessage, parsed: ParsedCommand, accounts: tuple[Player, ...]
) -> Effect:
    """A command about a match that named none: the only one it can be, or a question."""
    name = parsed.command.name
    if parsed.match:
        return whisper(message, Text("There is no match {match}.", match=parsed.match), Text("`matches` lists yours."))
    fitting = await _fitting(repository, message, name, accounts)
    match = await repository.match(fitting[0].match) if len(fitting) == 1 else None
    if match is not None:
        return await MATCH_HANDLERS[name](repository, MatchContext(message, parsed, match, accounts))
    if not fitting:
        return whisper(
            message,
            Text("You have no match for that."),
            Text("Begin one: `{example}`.", example=BY_NAME["challenge"].example),
        )
    return whisper(
        message,
        Text("Which match: {matches}?", matches=Listing(tuple(summary.match for summary in fitting[:10]), "or")),
        Text("For example: `{example}`.", example=f"{name} {fitting[0].match} {parsed.rest}".strip()),
    )


async def _fitting(
    repository: Repository, message: IncomingMessage, name: str, accounts: tuple[Player, ...]
) -> list[Summary]:
    """The author's matches that a command can be about; for `accept` also challenges that anybody may accept."""
    mine = await repository.matches_of(accounts)
    fitting = [summary for summary in mine if summary.status in MATCH_STATUS.get(name, ("running",))]
    if name in ("accept", "decline"):  # others' challenges rather than one's own
        others = [one for one in fitting if one.status == "open" and one.players[0] not in accounts]
        fitting = others or fitting
    if name == "accept" and not fitting:
        fitting = await _free(repository, message)
    return fitting


async def _free(repository: Repository, message: IncomingMessage) -> list[Summary]:
    """The challenges in this channel that anybody may accept."""
    here = channel_address(message.where)
    waiting = {summary.match: summary for summary in await repository.store.matches(place=here, status="open")}
    matches = [match for number in waiting if (match := await repository.match(number)) is not None]
    return [waiting[match.id] for match in matches if len(match.parties) < len(match.game.seats(match.terms))]
