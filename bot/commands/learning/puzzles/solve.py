"""Puzzles to solve by turns: win, touch, take or save; for one person alone, the answers proven beforehand."""

import asyncio
import hashlib
from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any

import msgspec

from bot.commands.context import Context, Effect, refused, whisper
from bot.commands.learning import asides
from bot.commands.learning.asides import aside
from bot.commands.learning.games import named_game, which_game
from bot.commands.learning.stock import stock
from bot.messages.model import Choice, Picture
from bot.messages.narrator import Draft
from bot.messages.showing.pictures import picture
from bot.repository import Repository
from engine.appraisal import Appraising
from engine.dice import Dice
from engine.game import AnyGame, NotationError, Turn
from engine.games import GAMES
from engine.match.events import Refusal
from engine.reading.typed import understood
from engine.search.puzzle import ENDS, Kind, Puzzle, defences, gain, read_puzzle, refutations, solutions, wins
from engine.text import Text, plural

ASKED = "puzzle"
"""The setting that holds the puzzle somebody is asked, and how far they are."""
SOLVED = "puzzled"
"""The setting that counts: puzzles solved at the first try, puzzles in all."""
MAKE, ANOTHER, TELL = Text("Make the turn"), Text("Another"), Text("Tell me")
RIGHT, WRONG = Text("Right."), Text("No.")
HOW = Text("Answer with `solve` and your turn; `solve answer` tells it.")
TASKS: Mapping[Kind, Text] = {
    "touch": Text("{side} is to act: touch the Self, or take the last blade."),
    "take": Text("{side} is to act: take the most, whatever is answered."),
    "save": Text("{side} is to act: only one turn does not lose at once."),
}
WRONGLY: Mapping[Kind, Text] = {
    "win": Text("That turn holds, but it does not win."),
    "touch": Text("That turn holds, but it touches nobody."),
    "take": Text("That turn holds, but another one takes more in the end."),
    "save": Text("That turn holds, but it loses."),
}


class Asked(msgspec.Struct, frozen=True):
    """A puzzle that somebody is at."""

    game: str
    line: str
    made: tuple[str, ...] = ()
    """The right turns so far, each with what was answered."""
    tried: bool = False
    """Whether a wrong answer was given."""

    @property
    def puzzle(self) -> Puzzle:
        """The puzzle."""
        return read_puzzle(self.game, self.line)


@dataclass(frozen=True, slots=True)
class Judged:
    """What an answer is worth."""

    right: bool
    reply: Any = None
    """What is answered to it: what refutes a wrong turn, or goes on after a right one."""


async def solve(repository: Repository, context: Context) -> Effect:
    """Shows a puzzle, or takes the answer to it."""
    message, words = context.message, context.parsed.words
    asked = _read(await repository.setting(context.accounts[0], ASKED))
    game = named_game(words[0]) if words else None
    if game is not None or (not words and asked is None):
        return _new(context, game or next(game for game in GAMES.values() if stock(game.key)))
    if not words and asked is not None:
        return _shown(context, asked)
    if asked is None:
        return which_game(message, words[0])
    match aside(context.parsed.rest):
        case asides.ONWARD:
            return _new(context, GAMES[asked.game])
        case asides.TOLD:
            return await _given_up(repository, context, asked)
        case asides.AGAIN | asides.BACK | asides.HINT:
            return _shown(context, asked)
    return await _answered(repository, context, asked, context.parsed.rest)


def _new(context: Context, game: AnyGame) -> Effect:
    puzzles = stock(game.key)
    if not puzzles:
        return whisper(context.message, Text("{game} has no puzzles yet.", game=game.name))
    seed = hashlib.sha256(f"solve|{context.message.who.key}|{context.message.id}".encode()).digest()
    puzzle = puzzles[Dice(seed).roll(len(puzzles))]
    return _shown(context, Asked(game.key, puzzle.write()))


def task(puzzle: Puzzle, done: int = 0) -> Text:
    """What is to be done, after so many right turns."""
    game = GAMES[puzzle.game]
    side = game.names[game.to_act(game.decode(puzzle.position))]
    if puzzle.kind == "win":
        return plural(
            "{side} is to act: win at once.",
            "{side} is to act: win in {count} turns, whatever is answered.",
            puzzle.count - done,
            side=side,
        )
    return Text(TASKS[puzzle.kind].template, side=side)


def _shown(context: Context, asked: Asked, *before: Text) -> Effect:
    """The board as it stands, and the task."""
    game, puzzle = GAMES[asked.game], asked.puzzle
    before_last, position = _reached(game, puzzle, asked.made)
    title = Text("**{game}, a puzzle**", game=game.name)
    lines = ((title,), *((before,) if before else ()), (task(puzzle, len(asked.made) // 2), HOW))
    viewer = game.to_act(position)
    turn = asked.made[-1] if asked.made else ""
    shown = picture(game, before_last if turn else position, None, turn=turn, side=viewer)
    draft = Draft(lines, shown, _choices(game, position), only=context.message.who.key)
    return Effect(drafts=(draft,), settings=((context.accounts[0], ASKED, msgspec.json.encode(asked).decode()),))


def _choices(game: AnyGame, position: Any) -> tuple[Choice, ...]:
    blank = Text("For example: {example}", example=game.example(position))
    return (Choice(MAKE, "solve", blank), Choice(TELL, f"solve {asides.TOLD}"))


async def _answered(repository: Repository, context: Context, asked: Asked, said: str) -> Effect:
    game, puzzle, message = GAMES[asked.game], asked.puzzle, context.message
    assert isinstance(game, Appraising), "puzzles are found in its play"
    _, position = _reached(game, puzzle, asked.made)
    try:
        turn = game.roll(position, understood(game, said, position), Dice(bytes(32)))
    except NotationError as error:
        return refused(replace(context, match=None), Refusal(error.because, error.remedy, readings=error.readings))
    broken = next(iter(game.judge(position, turn)), None)
    if broken is not None:
        shown = picture(game, position, None, marks=broken.marks, side=game.to_act(position))
        draft = Draft(((Text("That turn is untenable."), broken.because),), shown, _choices(game, position))
        return Effect(drafts=(replace(draft, only=message.who.key),))
    done = len(asked.made) // 2
    judged = await asyncio.to_thread(judge, game, puzzle, position, turn, done)
    if not judged.right:
        return await _wrong(repository, context, asked, position, turn, judged=judged)
    if puzzle.count - done > 1 and judged.reply is not None:
        after = game.play(position, turn)
        side, reply = game.names[game.to_act(after)], game.write(judged.reply, after)
        made = (*asked.made, game.write(turn, position), reply)
        told = Text("{side} answers `{turn}`.", side=side, turn=reply)
        return _shown(context, msgspec.structs.replace(asked, made=made), RIGHT, told)
    settings, score = await _counted(repository, context, asked, right=True)
    shown = picture(game, position, None, turn=game.write(turn, position), side=game.to_act(position))
    lines = ((RIGHT, score),)
    draft = Draft(lines, shown, (Choice(ANOTHER, f"solve {game.key}"),), only=message.who.key)
    return Effect(drafts=(draft,), settings=(*settings, (context.accounts[0], ASKED, "")))


async def _wrong(
    repository: Repository, context: Context, asked: Asked, position: Any, turn: Turn, *, judged: Judged
) -> Effect:
    """Why an answer is wrong, on the board after what refutes it; the same may be tried again."""
    game, kind = GAMES[asked.game], asked.puzzle.kind
    lines: list[tuple[Text, ...]] = [(WRONG, WRONGLY[kind])]
    after = game.play(position, turn)
    shown: Picture
    if judged.reply:
        side, reply = game.names[game.to_act(after)], game.write(judged.reply, after)
        lines.append((Text("{side} answers `{turn}`.", side=side, turn=reply),))
        shown = picture(game, after, None, turn=reply, side=game.to_act(position))
    else:
        shown = picture(game, position, None, turn=game.write(turn, position), side=game.to_act(position))
    settings, _ = await _counted(repository, context, asked, right=False)
    draft = Draft((*lines, (AGAIN,)), shown, _choices(game, position), only=context.message.who.key)
    kept = msgspec.json.encode(msgspec.structs.replace(asked, tried=True)).decode()
    return Effect(drafts=(draft,), settings=(*settings, (context.accounts[0], ASKED, kept)))


AGAIN = Text("Try again; `solve` shows the board as it was.")


async def _given_up(repository: Repository, context: Context, asked: Asked) -> Effect:
    game, puzzle = GAMES[asked.game], asked.puzzle
    position = game.decode(puzzle.position)
    told = Text("The answer begins with `{turn}`.", turn=puzzle.solution)
    settings, _ = await _counted(repository, context, asked, right=False)
    shown = picture(game, position, None, turn=puzzle.solution, side=game.to_act(position))
    draft = Draft(((told,),), shown, (Choice(ANOTHER, f"solve {game.key}"),), only=context.message.who.key)
    return Effect(drafts=(draft,), settings=(*settings, (context.accounts[0], ASKED, "")))


async def _counted(
    repository: Repository, context: Context, asked: Asked, *, right: bool
) -> tuple[tuple[tuple[str, str, str], ...], Text]:
    """The score with this answer, which counts if it is the first to its puzzle; and how it is told."""
    owner = context.accounts[0]
    first, total = [int(count) for count in (await repository.setting(owner, SOLVED)).split()] or [0, 0]
    if not asked.tried:
        first, total = first + right, total + 1
    told = Text("So far {right} of {total} were solved at the first try.", right=first, total=total)
    return ((owner, SOLVED, f"{first} {total}"),), told


# --- what an answer is worth ------------------------------------------------------------------------------
def judge(game: Appraising[Any, Any], puzzle: Puzzle, position: Any, turn: Turn, done: int = 0) -> Judged:
    """Whether a tenable turn does what is asked for, and what is answered to it."""
    side, left = game.to_act(position), puzzle.count - done
    after = game.play(position, turn)
    if puzzle.kind == "win":
        if not wins(game, position, turn, side, left):
            if game.outcome(after) is not None or left == 1:
                return Judged(False)
            return Judged(False, next(defences(game, after, side, left - 1), None))
        return Judged(True, None if game.outcome(after) is not None else _longest(game, after, side))
    if puzzle.kind == "touch":
        return Judged(game.promise(position, turn) >= ENDS)
    if game.write(turn, position) == puzzle.solution:
        return Judged(True)
    if puzzle.kind == "save":
        reply = next(refutations(game, position, turn, side), None)
        return Judged(reply is None, None if reply == turn else reply)
    if turn in solutions(game, position, "take", 1):
        return Judged(True)
    replies = () if game.outcome(after) is not None else game.turns(after)
    best = max(replies, key=lambda reply: gain(game, after, reply), default=None)
    return Judged(False, best if best is not None and gain(game, after, best) > 0 else None)


def _longest(game: Appraising[Any, Any], position: Any, side: str) -> Any:
    """The reply that does most, where all lose: what is left to the other side looks best."""
    if game.to_act(position) == side:
        return None
    return max(game.turns(position), key=lambda reply: -game.evaluate(game.play(position, reply), side), default=None)


def _reached(game: AnyGame, puzzle: Puzzle, made: tuple[str, ...]) -> tuple[Any, Any]:
    """The last two positions of a puzzle after these turns."""
    before = position = game.decode(puzzle.position)
    for text in made:
        before, position = position, game.play(position, game.read(text, position))
    return before, position


def _read(stored: str) -> Asked | None:
    """The puzzle that somebody is at; None where there is none, or it cannot be read any more."""
    asked = msgspec.json.decode(stored, type=Asked) if stored else None
    try:
        if asked is not None and asked.game in GAMES:
            _reached(GAMES[asked.game], asked.puzzle, asked.made)
            return asked
    except (NotationError, ValueError):
        pass
    return None
