"""Words without a command: a turn in its match's thread, a mistyped command, or talk."""

import re
from contextlib import suppress
from functools import cache

from bot.commands.context import Effect, about, example_command, reply, whisper
from bot.commands.info import WRITE, hello, how_to_move
from bot.commands.learning import lessons
from bot.commands.learning.games import page_of
from bot.commands.learning.rules import explained
from bot.commands.parser import HELLO, LONGEST_SLIP, PlainText, asks_how, fits, is_notation, read_turn, slips
from bot.commands.play import move
from bot.commands.spec import BY_NAME
from bot.commands.spec.parts import Command
from bot.messages.model import IncomingMessage
from bot.repository import Repository
from engine.board import Board
from engine.dice import Dice
from engine.game import NotationError
from engine.games import GAMES
from engine.match.commands import Player
from engine.match.state import Match
from engine.reading.limits import LONGEST_TURN
from engine.reading.typed import understood
from engine.teaching.entries import mentioned
from engine.text import Code, Listing, Text
from engine.value import replace

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
    addressed = plain.addressed or message.addressed
    plain = _with_what_it_names(plain, talk=bool(message.where.thread) and not addressed)
    if match is None:
        sure = addressed or is_notation(plain.text)
        taken = await lessons.overheard(repository, message, accounts, plain.text.lstrip("!/"), sure=sure)
        if taken is not None:
            return taken
    elif asks_how(plain.text):
        return _how(repository, message, match, plain.text)
    elif match.position is not None and (plain.typo_of is None or _is_turn(match, plain.text)):
        return await _turn(repository, message, plain, match, accounts, addressed=addressed)
    if plain.typo_of is not None:
        example = Text("For example: `{example}`.", example=example_command(plain.typo_of, match))
        return await _told(repository, message, accounts, *_not_so(plain.typo_of, plain.text), example)
    if plain.text.split() and (addressed or _is_attempt(match, plain.text)):
        return await _unknown(repository, message, plain.text, accounts)
    return NOTHING


def _with_what_it_names(plain: PlainText, *, talk: bool) -> PlainText:
    """The words with the command that they may be meant as: none where people talk and they only resemble one."""
    if plain.typo_of is None and is_notation(plain.text):  # "if 12 c7c5": the command that it names, put wrongly
        return replace(plain, typo_of=BY_NAME.get(plain.text.lstrip("!/").split()[0].lower()))
    return replace(plain, typo_of=None) if talk and _only_resembles(plain) else plain


async def _turn(
    repository: Repository,
    message: IncomingMessage,
    plain: PlainText,
    match: Match,
    accounts: tuple[Player, ...],
    *,
    addressed: bool,
) -> Effect:
    """What words in a match's thread lead to: a turn, what keeps them from being one, or nothing, if they are talk."""
    context = await about(repository, message, read_turn(plain.text), match, accounts)
    effect = await move(repository, context)
    if effect.decision.events or addressed or _is_turn(match, plain.text):
        return effect
    side = match.side_of(context.who)
    meant = _meant(match, plain.text) if side in match.sides_to_act else ""
    question = (Text("Did you mean `{turn}`?", turn=meant),) if meant else ()
    if side is None or not _is_attempt(match, plain.text):
        return whisper(message, *question) if question else NOTHING
    return _asked_too(effect, question)


async def _unknown(repository: Repository, message: IncomingMessage, text: str, accounts: tuple[Player, ...]) -> Effect:
    """The answer to words that are no command: where they would be a turn, if they would be one."""
    unknown = Text("There is no command `{word}`.", word=text.split(maxsplit=1)[0][:40])
    remedy = Text("`help` lists them.")
    if number := await _match_of_turn(repository, text, accounts):
        remedy = Text("Write a turn in its match's thread, or like this: `{match}: {turn}`.", match=number, turn=text)
    return await _told(repository, message, accounts, unknown, remedy)


def _only_resembles(plain: PlainText) -> bool:
    """Whether words are no command's, though the first is nearly one: between players that is talk, as "resing" is."""
    first, _, rest = plain.text.partition(" ")
    return plain.typo_of is not None and first.lower().rstrip(":") not in BY_NAME and not is_notation(rest)


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


def _not_so(command: Command, text: str) -> tuple[Text, ...]:
    """What is wrong with words that are almost a command: its name, or what follows it."""
    first, *others = text.lstrip("!/").split()
    if BY_NAME.get(first.lower().rstrip(":")) is not command:
        return (Text("Did you mean `{command}`?", command=command.name),)
    if command.scope == "match" and others and others[0].strip("#:.").isdigit():
        others = others[1:]
    stray = next((word for word in others if not fits(command, word)), None)
    if stray is None:
        usage = f"{command.name} {command.usage}".strip()
        return (Text("That is more than `{command}` takes: `{usage}`.", command=command.name, usage=usage),)
    fact = Text("`{word}` cannot follow `{command}`.", word=stray[:40], command=command.name)
    if not command.takes:
        return fact, Text("Only a match's number can.")
    words = Listing(tuple(Code(f"{word}…" if word.endswith("=") else word) for word in command.takes), "unit")
    return fact, Text("These can: {words}.", words=words)


def _asked_too(effect: Effect, question: tuple[Text, ...]) -> Effect:
    """The same refusal with a question after it."""
    if not question or not effect.drafts:
        return effect
    first, *others = effect.drafts
    return replace(effect, drafts=(replace(first, text=(*first.text, question)), *others))


def may_be_turn(match: Match, text: str) -> bool:
    """Whether words are a turn, or look like an attempt at one."""
    return _is_turn(match, text) or _is_attempt(match, text) or bool(_meant(match, text))


def _how(repository: Repository, message: IncomingMessage, match: Match, text: str) -> Effect:
    """The short answer to "how do I move?"; to "how does the Sword move?" what the rules say of the Sword."""
    key, how = match.game.key, how_to_move(message)
    if pieces := tuple(entry for entry in mentioned(match.game.entries, text) if entry.subject == "pieces"):
        return explained(message, match.game, pieces)
    if match.position is None:
        first = [Text("Match {match} has not begun; its turns will be written here.", match=match.id)]
    elif how is not WRITE and message.server:
        first = [how, Text("For example: `{example}`.", example=match.game.example(match.position))]
    else:
        example = match.game.example(match.position)
        first = [Text("Write your turn here, for example `{turn}`.", turn=example)]
    return whisper(
        message,
        *first,
        Text("How turns are written: `games {game}`.", game=key),
        Text("The rules in a sentence each: `rules {game}`.", game=key),
        *page_of(repository, match.game),
    )


def _meant(match: Match, text: str) -> str:
    """The one turn that a text is a slip of, by its spelling alone; "" if there is none, or are several.

    Never by what is tenable: nobody may learn that from being asked.
    """
    if len(text) > LONGEST_SLIP:
        return ""
    readings: dict[str, str] = {}
    for slip in slips(text):
        with suppress(NotationError):
            readings.setdefault(match.game.write(match.game.read(slip, match.position), match.position), slip)
    return next(iter(readings.values())) if len(readings) == 1 else ""


async def _match_of_turn(repository: Repository, text: str, accounts: tuple[Player, ...]) -> str:
    """The number of the match in which words said elsewhere would be a turn, or can only be meant as one; "" = none."""
    running = await repository.matches_of(accounts, "running")
    due_first = sorted(running, key=lambda summary: set(accounts).isdisjoint(summary.to_act))
    for summary in due_first[:10]:
        with suppress(OSError):  # a damaged one says so to whoever asks for it
            match = await repository.match(summary.match)
            if match is not None and (_is_turn(match, text) or (len(running) == 1 and _is_attempt(match, text))):
                return match.id
    return ""


def _is_attempt(match: Match | None, text: str) -> bool:
    """Whether words that are no turn can only be meant as one, here or anywhere: "x9", not "mp3": no line is a p."""
    if not is_notation(text):
        return False
    if LIKE_A_PLACE.search(text):
        return True
    lines = _any_line() if match is None or match.position is None else _lines(match.game.board(match.position))
    return SIGN.search(text) is not None or not lines.isdisjoint(PLACE.findall(text.lower()))


def _lines(board: Board) -> frozenset[str]:
    return frozenset(site[0].lower() for site in board.outlines)


@cache
def _any_line() -> frozenset[str]:
    """The lines of all games' boards."""
    starts = ((game, game.setup({}, Dice(bytes(32)))) for game in GAMES.values())
    return frozenset().union(*(_lines(game.board(position)) for game, position in starts))


SIGN = re.compile(r"[$*~#@=]")
PLACE = re.compile(r"[a-z](?=\d)")
"""The line of a place."""
LIKE_A_PLACE = re.compile(r"(?<![a-zA-Z])[a-zA-Z]\d")
"""As places of most boards are called, if not of this one."""


def _is_turn(match: Match, text: str) -> bool:
    """Whether words can be read as a turn or as one of several, though they resemble a command or stand elsewhere."""
    if len(text) > LONGEST_TURN:
        return False
    try:
        understood(match.game, read_turn(text).rest, match.position)
    except NotationError as error:
        return bool(error.readings)
    return True
