"""Random games of Chirality for two to five players, the same for the same seed."""

import os
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache
from random import Random

from engine.dice import Dice
from engine.game import Move, Outcome, Turn
from engine.games.chirality import GAME
from engine.games.chirality.board.tiling import Golden, middle, square
from engine.games.chirality.position import Position

EXAMPLES = int(os.environ.get("RIPOSTE_EXAMPLES", "20"))
"""RIPOSTE_EXAMPLES=20000 makes the tests on random positions as thorough as one likes."""

TERMS: tuple[dict[str, str], ...] = (
    {"setup": "standard"},
    {"setup": "quick"},
    {"setup": "long", "first": "drawn"},
    {"players": "3"},
    {"players": "4", "first": "blue"},
    {"players": "5"},
    {"setup": "standard", "sides": "together", "board": "265"},
    {"players": "4", "board": "275"},
    {"setup": "quick", "board": "445"},
    {"setup": "standard", "board": "460"},
)


@dataclass(frozen=True, slots=True)
class Walk:
    """A whole random game."""

    positions: tuple[Position, ...]
    turns: tuple[Turn, ...]
    outcome: Outcome


@lru_cache(maxsize=64)
def walk(seed: int) -> Walk:
    """A game to its end; every second one is played by movers who like captures and the Throne."""
    chosen = Random(seed)
    position = GAME.setup(TERMS[seed // 2 % len(TERMS)], Dice(seed.to_bytes(32, "big")))
    positions, turns = [position], []
    seen = Counter([GAME.identity(position)])
    while (outcome := GAME.outcome(position, seen[GAME.identity(position)])) is None:
        listed = list(GAME.turns(position))
        turn = chosen.choice(listed)
        if seed % 2 and chosen.random() < 0.6:
            turn = max(chosen.sample(listed, min(8, len(listed))), key=lambda turn: merit(position, turn))
        turns.append(turn)
        position = GAME.play(position, turn)
        positions.append(position)
        seen[GAME.identity(position)] += 1
    return Walk(tuple(positions), tuple(turns), outcome)


def merit(position: Position, turn: Turn) -> tuple[int, Golden]:
    """How much a greedy mover likes a turn: what it wins in pieces, then how near the Throne it ends."""
    board, to, after = position.board, position.to, GAME.play(position, turn)
    gain = sum(
        (men.bit_count() - left.bit_count()) * (-2 if player == to else 1)
        for player, (men, left) in enumerate(zip(position.men, after.men, strict=True))
    )
    far = square(middle(board.rhombs[board.index[turn[0].target]]))
    return (gain, Golden(-far.a, -far.b))


def samples(count: int) -> Iterator[tuple[Position, Random]]:
    """So many positions from random games, each with luck of its own."""
    for number in range(count):
        chosen = Random(number)
        yield chosen.choice(walk(number // 40).positions), chosen


def attempts(position: Position, chosen: Random) -> list[Turn]:
    """A few turns to carry out, tenable or not."""
    board, listed = position.board, list(GAME.turns(position))
    if not listed:
        return []
    tries: list[Turn] = chosen.sample(listed, min(3, len(listed)))
    for origin in board.sites(position.mine())[:3]:
        target = chosen.choice(board.names)
        tries.append((Move("muster", "", "", target),) if target == origin else (Move("move", "", origin, target),))
    return [*tries, (Move("muster", "", "", chosen.choice(board.names)),)]
