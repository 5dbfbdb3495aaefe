"""Words without a command: a turn in its match's thread, a mistyped command, or talk."""

from contextlib import suppress
from dataclasses import replace

from bot.commands.context import Effect, MatchContext, example_command, reply
from bot.commands.info import hello
from bot.commands.parser import HELLO, PlainText, looks_like_turn, read_turn
from bot.commands.play import move
from bot.messages.model import IncomingMessage
from bot.repository import Repository
from engine.game import NotationError
from engine.match.commands import Player
from engine.match.decide import LONGEST_TEXT
from engine.match.state import Match
from engine.text import Text

NOTHING = Effect()
"""Talk that is not meant for Riposte."""

MOST_TOLD = 3
"""Times within a quarter of an hour that somebody is told that a command does not exist."""
QUARTER = 15 * 60_000


async def answer(
    repository: Repository, message: IncomingMessage, plain: PlainText, accounts: tuple[Player, ...]
) -> Effect:
    """Returns what plain text leads to: in a match's thread it is a turn if it can be one, anywhere else talk."""
    if plain.addressed and plain.text[1:].lower() == HELLO:
        return hello()
    match = await repository.match(message.where.thread) if message.where.thread else None
    if match is not None and match.position is not None and (plain.typo_of is None or _is_turn(match, plain.text)):
        context = MatchContext(message, read_turn(plain.text), match, accounts)
        effect = await move(repository, context)
        if effect.decision.events or plain.addressed:
            return effect
        return effect if looks_like_turn(plain.text, alone=match.side_of(context.who) is not None) else NOTHING
    if plain.typo_of is not None:
        return await _told(
            repository,
            message,
            accounts,
            Text("Did you mean `{command}`?", command=plain.typo_of.name),
            Text("For example: `{example}`.", example=example_command(plain.typo_of, match)),
        )
    words = plain.text.split()
    if not words or not (plain.addressed or len(words) == 1):
        return NOTHING
    unknown = Text("There is no command `{word}`.", word=words[0][:40])
    if number := await _match_of_turn(repository, plain.text, accounts):
        remedy = Text(
            "Write a turn in its match's thread, or like this: `{match}: {turn}`.", match=number, turn=plain.text
        )
        return await _told(repository, message, accounts, unknown, remedy)
    return await _told(repository, message, accounts, unknown, Text("`help` lists them."))


async def _told(
    repository: Repository, message: IncomingMessage, accounts: tuple[Player, ...], *sentences: Text
) -> Effect:
    """Returns the answer to a command that does not exist; none to whoever goes on like that, who may be a program."""
    known = (await repository.setting(accounts[0], "unknown")).split()
    recent = [at for at in known if int(at) > message.at - QUARTER]
    if len(recent) >= MOST_TOLD:
        return NOTHING
    told = " ".join((*recent, str(message.at)))
    return replace(reply(message, *sentences), settings=((accounts[0], "unknown", told),))


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
