"""A turn to judge: does it hold? From games that might have been played, for one person alone."""

import asyncio
import hashlib
from collections.abc import Sequence
from typing import Any

from bot.commands.context import Context, Effect, reply, whisper
from bot.commands.learning.asides import ONWARD, aside
from bot.commands.learning.games import named_game, which_game
from bot.commands.learning.puzzles import difficulty
from bot.commands.learning.stock import stock
from bot.messages.model import Choice
from bot.messages.narrator import Draft
from bot.messages.showing.pictures import picture
from bot.repository import Repository
from engine.appraisal import Appraising
from engine.dice import Dice
from engine.game import AnyGame, NotationError
from engine.games import GAMES
from engine.search.riddle import Riddle, riddle
from engine.teaching.attempt import attempt, rulings_of, verdict
from engine.teaching.lessons import Step
from engine.text import Text

ASKED = "spot"
"""The setting that holds the turn somebody is asked about."""
SEEN = "spotted"
"""The setting that counts: answers that were right, answers in all."""

CALL = Text("Call it out")
LET_STAND = Text("Let it stand")
NEXT = Text("Another")
QUESTION = Text("Does it hold? Answer `spot call` or `spot ok`.")
NO_ANSWER = Text("That is neither a game nor an answer.")
RIGHT, WRONG = Text("Right."), Text("No.")


async def spot(repository: Repository, context: Context) -> Effect:
    """Asks whether a turn holds, or takes the answer."""
    message, words = context.message, context.parsed.words
    owner = context.accounts[0]
    asked = _read(await repository.setting(owner, ASKED))
    said = " ".join(words)
    if words and named_game(words[0]) is None and aside(said) != ONWARD:
        if not verdict(said):
            return which_game(message, words[0]) if asked is None else whisper(message, NO_ANSWER, QUESTION)
        if asked is None:
            return whisper(message, Text("Nothing is asked of you."), Text("`spot` shows a turn."))
        return await _answered(repository, context, asked, verdict(said))
    game = named_game(words[0]) if words else None
    game = game or (GAMES[asked.game] if asked is not None else next(iter(GAMES.values())))
    if not isinstance(game, Appraising):
        return reply(message, Text("{game} has nothing to spot yet.", game=game.name))
    fared = difficulty.read(await repository.setting(difficulty.OWNER, game.key))
    aim = difficulty.wanted(*_counted(await repository.setting(owner, SEEN)))
    found = await asyncio.to_thread(_fitting, game, f"spot|{message.who.key}|{message.id}", aim, fared)
    return _shown(context, found)


def _fitting(game: Appraising[Any, Any], seed: str, aim: float, fared: difficulty.Fared) -> Riddle:
    """Of a few turns the one whose difficulty suits somebody; where puzzles are in stock, from Riposte's own games."""
    found = []
    for number in range(difficulty.CHOICE):
        dice = Dice(hashlib.sha256(f"{seed}|{number}".encode()).digest())
        stood = stock(game.key)
        found.append(riddle(game, dice.seed, stood[dice.roll(len(stood))].position if stood else ""))
    rules = [_rule(game, one) for one in found]
    return found[difficulty.fitting(rules, aim, lambda rule: difficulty.difficulty(game, rule, fared))]


def _rule(game: AnyGame, asked: Riddle) -> str:
    """The number of the first rule that a turn breaks."""
    position = game.decode(asked.position)
    ruling = next(iter(game.judge(position, game.read(asked.turn, position))), None)
    return ruling.rule.ref if ruling else difficulty.HOLDS


def _shown(context: Context, found: Riddle) -> Effect:
    game = GAMES[found.game]
    position = game.decode(found.position)
    turn = game.read(found.turn, position)
    side = game.names[game.to_act(position)]
    lines = (
        (Text("**{game}**: {side} has just played `{turn}`.", game=game.name, side=side, turn=found.turn), QUESTION),
    )
    shown = picture(game, position, game.to_act(game.play(position, turn)), turn=found.turn)
    choices = (Choice(CALL, "spot call"), Choice(LET_STAND, "spot ok"))
    kept = (context.accounts[0], ASKED, "|".join((found.game, found.turn, found.position)))
    return Effect(drafts=(Draft(lines, shown, choices, only=context.message.who.key),), settings=(kept,))


async def _answered(repository: Repository, context: Context, asked: Riddle, word: str) -> Effect:
    """Right or not, why, and the board from which it was played with what it broke."""
    game, owner = GAMES[asked.game], context.accounts[0]
    step = Step(asked.position, (), QUESTION, "", QUESTION, turn=asked.turn)
    made = attempt(game, step, word)
    right, total = _counted(await repository.setting(owner, SEEN))
    right, total = right + made.done, total + 1
    rule = tuple(Text("Rule: {rule}.", rule=ruling.rule.title) for ruling in rulings_of(game, step)[:1])
    score = Text("So far {right} of {total} were right.", right=right, total=total)
    position = game.decode(asked.position)
    shown = picture(game, position, game.to_act(position), marks=made.marks) if made.marks else None
    lines = ((RIGHT if made.done else WRONG, *made.says, *rule), (score,))
    draft = Draft(lines, shown, (Choice(NEXT, f"spot {game.key}"),), only=context.message.who.key)
    fared = await repository.setting(difficulty.OWNER, game.key)
    learnt = (difficulty.OWNER, game.key, difficulty.after(fared, _rule(game, asked), right=made.done))
    return Effect(drafts=(draft,), settings=((owner, ASKED, ""), (owner, SEEN, f"{right} {total}"), learnt))


def _read(stored: str) -> Riddle | None:
    """What somebody is asked about; None where it cannot be read any more."""
    key, _, rest = stored.partition("|")
    turn, _, position = rest.partition("|")
    game = GAMES.get(key)
    if game is None or not _is_readable(game, position, turn):
        return None
    return Riddle(key, position, turn)


def _is_readable(game: AnyGame, position: str, turn: str) -> bool:
    try:
        game.read(turn, game.decode(position))
    except NotationError:
        return False
    return True


def _counted(stored: str) -> Sequence[int]:
    return [int(count) for count in stored.split()] or [0, 0]
