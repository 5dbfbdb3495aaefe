"""The riddle of the day in a channel: answers stay sealed until the next one, which tells who has seen it."""

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import msgspec

from bot.commands.context import Context, Effect, refused, whisper
from bot.commands.learning.puzzles.solve import judge, task
from bot.commands.learning.stock import stock
from bot.messages.model import Choice, IncomingMessage
from bot.messages.narrator import Draft
from bot.messages.people_text import people
from bot.messages.serialization import channel_address
from bot.messages.showing.pictures import picture
from bot.repository import Repository
from engine.appraisal import Appraising
from engine.diagram import Mark
from engine.dice import Dice
from engine.game import AnyGame, NotationError
from engine.games import GAMES
from engine.match.commands import Player
from engine.match.events import Refusal
from engine.reading.typed import understood
from engine.search.puzzle import Puzzle, read_puzzle
from engine.search.riddle import riddle
from engine.teaching.attempt import verdict
from engine.text import Text, plural

DAILY = "daily"
"""The setting of a channel that holds its riddle; ON = the first one is still to come."""
ON = "on"
HERE, OFF = "here", "off"
CALLS, HOLDS = "call", "ok"
MOST_NAMED = 40
CALL, LET_STAND, MAKE = Text("Call it out"), Text("Let it stand"), Text("Make the turn")
SEALED = Text("Your answer is sealed until tomorrow; another one takes its place.")
NOBODY = Text("Nobody has solved it.")


class Daily(msgspec.Struct, frozen=True):
    """A riddle, and the day for which it is asked."""

    day: str
    game: str
    position: str
    turn: str = ""
    """The turn that is to be judged; "" = a puzzle is to be solved."""
    puzzle: str = ""


class Answer(msgspec.Struct, frozen=True):
    """What somebody has answered."""

    day: str
    right: bool


def answers_to(channel: str) -> str:
    """The setting of a person that holds their answer to a channel's riddle."""
    return f"{DAILY} {channel}"


# --- the riddle -------------------------------------------------------------------------------------------
def chosen(day: str, number: int, seed: bytes) -> Daily:
    """A riddle for a day: turns to judge and puzzles to solve in turn, game after game."""
    dice = Dice(seed)
    games = [game for game in GAMES.values() if isinstance(game, Appraising)]
    game = games[number // 2 % len(games)]
    puzzles = [puzzle for puzzle in stock(game.key) if puzzle.count == 1]
    puzzle = puzzles[dice.roll(len(puzzles))] if puzzles else None
    if number % 2 and puzzle:
        return Daily(day, game.key, puzzle.position, puzzle=puzzle.write())
    found = riddle(game, seed, puzzle.position if puzzle else "")
    return Daily(day, game.key, found.position, found.turn)


async def told(repository: Repository, channel: str, before: Daily | None, new: Daily) -> Effect:
    """Returns what a channel hears when a day begins: what was right yesterday and who has seen it, then the riddle."""
    drafts = [] if before is None else [await _resolved(repository, channel, before)]
    drafts.append(_asked(new))
    stored = msgspec.json.encode(new).decode()
    return Effect(drafts=tuple(replace(draft, place=channel) for draft in drafts), settings=((channel, DAILY, stored),))


def _asked(daily: Daily) -> Draft:
    game = GAMES[daily.game]
    position = game.decode(daily.position)
    title = Text("**The riddle of the day: {game}**", game=game.name)
    if daily.turn:
        side = game.names[game.to_act(position)]
        lines = (title, Text("{side} has just played `{turn}`.", side=side, turn=daily.turn))
        how = Text("Does it hold? Answer `daily call` or `daily ok`; nobody sees it before tomorrow.")
        choices = tuple(
            Choice(label, f"daily {daily.day} {word}") for label, word in ((CALL, CALLS), (LET_STAND, HOLDS))
        )
        shown = picture(game, position, None, turn=daily.turn)
        return Draft((lines, (how,)), shown, choices)
    how = Text("Answer with `daily` and your turn; nobody sees it before tomorrow.")
    blank = Text("For example: {example}", example=game.example(position))
    shown = picture(game, position, None, side=game.to_act(position))
    return Draft(((title, task(_puzzle(daily))), (how,)), shown, (Choice(MAKE, f"daily {daily.day}", blank),))


async def _resolved(repository: Repository, channel: str, daily: Daily) -> Draft:
    """What was right, and who has seen it."""
    game = GAMES[daily.game]
    position = game.decode(daily.position)
    marks: tuple[Mark, ...] = ()
    facts: tuple[Text, ...]
    turn = daily.turn or _puzzle(daily).solution
    title = Text("**Yesterday's riddle: {game}**", game=game.name)
    if daily.turn:
        broken = next(iter(game.judge(position, game.read(daily.turn, position))), None)
        facts = (Text("`{turn}` breaks no rule.", turn=daily.turn),)
        if broken is not None:
            facts = (Text("`{turn}` was untenable.", turn=daily.turn), broken.because)
            marks, turn = broken.marks, ""
    else:
        facts = (Text("The answer was `{turn}`.", turn=turn),)
    shown = picture(game, position, None, turn=turn, marks=marks)
    return Draft(((title, *facts), tuple(await _seen(repository, channel, daily))), shown)


async def _seen(repository: Repository, channel: str, daily: Daily) -> Sequence[Text]:
    """The small table: who was right, and how many were not."""
    given = [
        (player, msgspec.json.decode(stored, type=Answer))
        for player, stored in await repository.store.owners(answers_to(channel))
    ]
    of_today = [(player, answer) for player, answer in given if answer.day == daily.day]
    right = [player for player, answer in of_today if answer.right][:MOST_NAMED]
    names = {player: await repository.person(player) for player in right}
    seen = Text("Solved by {players}.", players=people(sorted(right), names)) if right else NOBODY
    wrong = len(of_today) - sum(answer.right for _, answer in of_today)
    others = plural("{count} answer was wrong.", "{count} answers were wrong.", wrong)
    return (seen, others) if wrong else (seen,)


# --- answers ----------------------------------------------------------------------------------------------
async def daily(repository: Repository, context: Context) -> Effect:
    """Takes an answer to the riddle of the day here, or shows it again."""
    message, words = context.message, context.parsed.words
    channel = channel_address(message.where)
    asked = read_daily(await repository.setting(channel, DAILY))
    if asked is None:
        return whisper(
            message,
            Text("There is no riddle of the day here."),
            Text("`settings daily here` posts one each day; `spot` and `solve` ask you alone."),
        )
    rest = context.parsed.rest
    if words and _is_day(words[0]):
        if words[0] != asked.day:
            return whisper(message, Text("That riddle is over."), Text("`daily` shows the one of today."))
        rest = rest.partition(" ")[2].strip()
    if not rest:
        return Effect(drafts=(replace(_asked(asked), only=message.who.key),))
    try:
        right = _is_right(asked, rest)
    except NotationError as error:
        return refused(replace(context, match=None), Refusal(error.because, error.remedy, readings=error.readings))
    kept = msgspec.json.encode(Answer(asked.day, right)).decode()
    owner: Player = context.accounts[0]
    return replace(whisper(message, SEALED), settings=((owner, answers_to(channel), kept),))


def _is_right(asked: Daily, said: str) -> bool:
    """Whether an answer is right. Raises NotationError for one that is none: of a turn that breaks a rule no word."""
    game = GAMES[asked.game]
    position = game.decode(asked.position)
    if asked.turn:
        if not verdict(said):
            raise NotationError(Text("Does this turn hold?"), Text("Answer `daily call` or `daily ok`."))
        return game.tenable(position, game.read(asked.turn, position)) == (verdict(said) == HOLDS)
    turn: Any = game.roll(position, understood(game, said, position), Dice(bytes(32)))
    assert isinstance(game, Appraising), "puzzles are found in its play"
    return game.tenable(position, turn) and judge(game, _puzzle(asked), position, turn).right


def _puzzle(asked: Daily) -> Puzzle:
    return read_puzzle(asked.game, asked.puzzle)


def _is_day(word: str) -> bool:
    return len(word) == 10 and word.replace("-", "").isdigit()


def read_daily(stored: str) -> Daily | None:
    """The riddle that is asked; None where there is none, or it cannot be read any more."""
    if not stored or stored == ON:
        return None
    asked = msgspec.json.decode(stored, type=Daily)
    return asked if asked.game in GAMES and _is_readable(GAMES[asked.game], asked) else None


def _is_readable(game: AnyGame, asked: Daily) -> bool:
    try:
        position = game.decode(asked.position)
        game.read(asked.turn or _puzzle(asked).solution, position)
    except (NotationError, ValueError):
        return False
    return True


# --- the setting ------------------------------------------------------------------------------------------
async def set_daily(repository: Repository, message: IncomingMessage, value: str) -> Effect:
    """Has a riddle posted each day in this channel, or none any more."""
    channel = channel_address(message.where)
    if value.lower() == OFF:
        told = whisper(message, Text("No riddle of the day is posted here any more."))
        return replace(told, settings=((channel, DAILY, ""),))
    if value.lower() != HERE:
        return whisper(message, Text("Say `settings daily here` or `settings daily off`."))
    known = await repository.setting(channel, DAILY)
    told = whisper(
        message,
        Text("A riddle is posted here each day from 8 o'clock UTC on, the first one within minutes."),
        Text("`settings daily off` ends it."),
    )
    return replace(told, settings=((channel, DAILY, known or ON),))
