"""One decision of Riposte's as data in and data out, so that it can be taken in another process."""

import hashlib
from dataclasses import dataclass
from typing import Any, Literal, TypeAlias

from engine.appraisal import USUAL, Appraising
from engine.board import Side
from engine.dice import Dice
from engine.games import GAMES
from engine.search.callout import BLUFFS, SLIPS, notices, slip
from engine.search.partner import Thought, level_of, think
from engine.search.values import Task

LONG = 60
"""Turns after which a draw is welcome even where nobody stands better."""
OFFERS = 10
"""Of a hundred turns after these, with which a draw is offered where it would be welcome."""
TALKS = 8
"""Of a hundred turns, with how many something is said of how the game stands."""
AHEAD = 200
"""Points from which one side is said to stand better."""

Mood: TypeAlias = Literal["", "ahead", "even", "behind"]


@dataclass(frozen=True, slots=True)
class Job:
    """What Riposte's seat sees of a match in which it is to act."""

    match: str
    length: int
    """How many events the match has: a decision is for this moment alone."""
    game: str
    side: Side
    position: str
    """Without what is hidden from the side."""
    seed: str
    """What its noise, its slips and what it notices are drawn from."""
    level: int = USUAL
    stood: tuple[str, ...] = ()
    """The positions that stood lately."""
    standing: tuple[tuple[str, str], ...] = ()
    """The turns that can be called out: the position before, and the turn."""
    slips: bool = False
    turns: int = 0
    """How many turns have been made in the match."""
    due: bool = True
    """Whether a turn is due; else only the last word on an end."""


@dataclass(frozen=True, slots=True)
class Decided:
    """What Riposte does. Everything is thought through in any case, so that no answer takes longer than another."""

    turn: str = ""
    """"" where none is due, or none was found."""
    call: str = ""
    """The number of the rule that a standing turn breaks, as far as it was noticed."""
    resigns: bool = False
    draw: bool = False
    """Whether it offers a draw with its turn."""
    mood: Mood = ""
    """What it says of its game with its turn; mostly nothing."""


def decide(job: Job) -> Decided:
    """Looks at the standing turns, then for a turn."""
    game = GAMES[job.game]
    assert isinstance(game, Appraising), "others have no partner"
    call = ""
    for number, (before, text) in enumerate(job.standing):
        position = game.decode(before)
        rulings = tuple(game.judge(position, game.read(text, position)))
        call = notices(game, rulings, job.level, Dice(_seed(job, f"call {number}"))) or call
    if not job.due:
        return Decided(call=call)
    position = game.decode(job.position)
    stood = frozenset(game.identity(game.decode(text)) for text in job.stood)
    thought = think(Task(game, job.side, stood), position, level_of(game, job.level), _seed(job, "turn"))
    dice = Dice(_seed(job, "words"))
    offers, talks = dice.roll(100) < OFFERS, dice.roll(100) < TALKS
    return Decided(
        _text(game, position, thought, job),
        call,
        thought.hopeless,
        offers and job.turns >= LONG and thought.draws,
        mood_of(thought) if talks else "",
    )


def mood_of(thought: Thought) -> Mood:
    """How a side thinks that it stands."""
    return "ahead" if thought.standing > AHEAD else "behind" if thought.standing < -AHEAD else "even"


def _text(game: Appraising[Any, Any], position: Any, thought: Thought, job: Job) -> str:
    if thought.turn is None:
        return ""
    dice, turn = Dice(_seed(job, "slip")), thought.turn
    if job.slips and dice.roll(100) < SLIPS:
        turn = slip(game, position, turn, dice) or turn
    elif dice.roll(100) < BLUFFS:
        turn = game.bluff(position, turn, dice) or turn
    return game.write(turn, position)


def _seed(job: Job, what: str) -> bytes:
    return hashlib.sha256(f"{job.seed}|{what}".encode()).digest()
