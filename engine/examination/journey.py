"""Random games to examine a game by: followed from turn to turn, with turns that somebody might try on the way."""

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

from engine.dice import Dice
from engine.game import AnyGame, NotationError
from engine.text import Text

PLIES = 60
"""How far a random game is followed."""
TRIES = 40
"""Texts that are tried at a position for turns that nobody listed."""


@dataclass(frozen=True, slots=True)
class Journey:
    """A game of random tenable turns: the positions, and the turns between them."""

    positions: tuple[Any, ...]
    turns: tuple[Any, ...]
    """With their luck resolved."""


def journey(game: AnyGame, seed: int) -> Journey:
    """A random game; the same seed gives the same one."""
    dice = Dice(seed.to_bytes(32, "big"))
    positions = [game.setup({}, dice)]
    turns: list[Any] = []
    while len(turns) < PLIES and game.outcome(positions[-1]) is None:
        listed = list(game.turns(positions[-1]))
        if not listed:
            break
        turns.append(game.roll(positions[-1], listed[dice.roll(len(listed))], dice))
        positions.append(game.play(positions[-1], turns[-1]))
    return Journey(tuple(positions), tuple(turns))


@dataclass(frozen=True, slots=True)
class Moment:
    """One position of a random game, and the luck that decides what is tried there."""

    game: AnyGame
    journey: Journey
    ply: int
    """Where in the journey; beyond its end = its end."""
    seed: int
    text: str = ""
    """Something that somebody types."""

    @property
    def position(self) -> Any:
        """The position that is examined."""
        return self.journey.positions[min(self.ply, len(self.journey.positions) - 1)]

    def dice(self) -> Dice:
        """Luck that is the same whenever it is asked for."""
        return Dice((self.seed << 64 | self.ply).to_bytes(32, "big"))

    def described(self) -> Iterator[Any]:
        """Readable turns that somebody might try: those of the whole game with other places in them."""
        game, dice = self.game, self.dice()
        said = [
            game.write(turn, before) for before, turn in zip(self.journey.positions, self.journey.turns, strict=False)
        ]
        sites = list(game.board(self.position).outlines)
        place = re.compile("|".join(map(re.escape, sorted(sites, key=len, reverse=True))))
        for _ in range(TRIES if said else 0):

            def other(found: re.Match[str]) -> str:
                return [found[0], *(sites[dice.roll(len(sites))] for _ in range(2))][dice.roll(3)]

            text = place.sub(other, said[dice.roll(len(said))])
            if dice.roll(8) == 0:  # more than one turn may hold
                text = f"{text} {said[dice.roll(len(said))]}"
            turn = tried(game.read, text, self.position)
            if not isinstance(turn, NotationError):
                yield turn

    def untenable(self) -> Iterator[Any]:
        """Those of them that break a rule."""
        return (turn for turn in self.described() if not self.game.tenable(self.position, turn))


def tried(read: Callable[..., Any], *arguments: object) -> Any:
    """What was read, or the error in people's words; any other exception is a bug."""
    try:
        return read(*arguments)
    except NotationError as error:
        return error


def same(game: AnyGame, one: Any, other: Any) -> bool:
    """Whether two positions cannot be told apart."""
    return bool(one == other and hash(one) == hash(other) and game.encode(one) == game.encode(other))


def comes_back(game: AnyGame, position: Any) -> bool:
    """Whether a position is the same after a journey through its text."""
    return same(game, game.decode(game.encode(position)), position)


def is_text(*said: object) -> bool:
    """Whether all of this is sentences that can be translated."""
    return all(isinstance(sentence, Text) for sentence in said)
