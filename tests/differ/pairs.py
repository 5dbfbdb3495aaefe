"""Pairs of turns that somebody could make in the same place, one of them untenable."""

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from itertools import islice
from random import Random
from typing import Any

from engine.dice import Dice
from engine.game import AnyGame, NotationError
from engine.games import GAMES


@dataclass(frozen=True, slots=True)
class Pair:
    """Two turns that somebody could make in the same place, one of them untenable."""

    before: tuple[str, ...]
    """The turns that lead there."""
    tenable: str
    untenable: str
    start: str = ""
    """Where it all began, if not at the start."""
    examples: tuple[str, ...] = ()
    """What shows after each of them how a turn is written: found by the board they lead to, and never by a judge."""


@cache
def pairs(key: str, most: int) -> tuple[Pair, ...]:
    """Turns that lead to positions in which the same is due of the same side, from further and further into a game."""
    game = GAMES[key]
    return tuple(islice((pair for seed in range(40 * most) for pair in _found(game, seed)), most))


def _found(game: AnyGame, seed: int) -> Iterator[Pair]:
    chance = Random(seed)
    position, before = game.setup({}, Dice(bytes(32))), []
    for _ in range(seed % 7):
        turn = chance.choice(list(islice(game.turns(position), 50)))
        before.append(game.write(turn, position))
        position = game.play(position, turn)
        if game.outcome(position) is not None or game.rolls(turn):
            return
    sites = tuple(game.board(position).outlines)
    turns = list(islice(game.turns(position), 50))
    for turn in turns[5::9] or turns:
        text = game.write(turn, position)
        place = (turn[0].target or turn[0].origin) if turn else ""
        for site in chance.sample(sites, min(12, len(sites))):
            other = text.replace(place, site) if place else text
            if _untenable(game, other, position) and _alike(game, position, text, other):
                yield Pair(tuple(before), text, other)
                return


def _untenable(game: AnyGame, text: str, position: Any) -> bool:
    try:
        turn = game.read(text, position)
    except NotationError:
        return False
    return not game.tenable(position, turn) and game.write(turn, position) == text and not game.rolls(turn)


def _alike(game: AnyGame, position: Any, *texts: str) -> bool:
    """Whether after each of the turns the same is due of the same side, and nothing is over."""
    reached = [game.play(position, game.read(text, position)) for text in texts]
    due = {(game.to_act(after), game.duty(after), game.asks(after), game.outcome(after)) for after in reached}
    return len(due) == 1 and all(game.outcome(after) is None for after in reached)
