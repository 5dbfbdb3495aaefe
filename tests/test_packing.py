"""The packed forms that searches walk through lead through the same game as `likely`, `play` and `outcome`."""

import random
from collections.abc import Hashable
from typing import Any

import pytest

from engine.appraisal import Appraising, Packing
from engine.dice import Dice
from engine.games import GAMES
from engine.search.tree import Tree
from engine.search.values import Task

WALKS: dict[str, tuple[str, dict[str, str]]] = {
    "tokonoma": ("tokonoma", {}),
    "tirachen": ("tirachen", {}),
    "chirality": ("chirality", {}),
    "quick": ("chirality", {"setup": "quick"}),
    "three": ("chirality", {"players": "3"}),
    "five on 275": ("chirality", {"players": "5", "board": "275"}),
    "ironclad": ("ironclad", {}),
    "discourse": ("ironclad", {"mode": "discourse"}),
}
PLIES = 150


def game_of(name: str) -> Appraising[Any, Any]:
    game = GAMES[WALKS[name][0]]
    assert isinstance(game, Appraising)
    return game


def compare(game: Appraising[Any, Any], packing: Packing[Any, Any], node: Any, position: Any) -> None:
    """A node says of its position what the game says."""
    said = game.encode(position)
    assert packing.identity(node) == game.identity(position), said
    assert packing.ended(node) == game.outcome(position), said
    assert packing.value(node) == game.evaluate(position, packing.side), said
    assert packing.acts(node) == (game.to_act(position) == packing.side), said
    if game.outcome(position) is not None:
        return
    taking, quiet = packing.steps(node)
    promised = {turn: game.promise(position, turn) if game.captures else 0 for turn in game.likely(position)}
    assert [(gain, packing.turn(step)) for gain, step in taking] == [
        (gain, turn) for turn, gain in promised.items() if gain > 0
    ], said
    assert [packing.turn(step) for step in quiet] == [turn for turn, gain in promised.items() if gain <= 0], said
    if game.captures:
        assert packing.takes(node) == taking, said


@pytest.mark.parametrize("name", WALKS)
def test_a_walk_through_packed_nodes_is_a_walk_through_the_game(name: str) -> None:
    game = game_of(name)
    for number in range(6):
        rng = random.Random(f"{name} {number}")
        position = game.setup(WALKS[name][1], Dice(rng.randbytes(32)))
        packing = game.packing(game.sides[number % 2])
        node = packing.pack(position)
        keys: dict[Hashable, Hashable] = {}
        for ply in range(PLIES):
            compare(game, packing, node, position)
            same = game.identity(position)
            assert keys.setdefault(packing.key(node), same) == same
            if game.outcome(position) is not None:
                break
            assert packing.key(packing.pack(position)) == packing.key(node)
            taking, quiet = packing.steps(node)
            steps = [step for _, step in taking] if taking and ply % 3 == 0 else [*(s for _, s in taking), *quiet]
            step = rng.choice(steps)
            outcomes = packing.chances(node, step) if packing.luck else ((1, step),)
            assert [(weight, packing.turn(one)) for weight, one in outcomes] == list(
                game.chances(position, packing.turn(step))
            )
            _, step = rng.choice(outcomes)
            for other in rng.sample(steps, min(3, len(steps))):  # what is walked past is right as well
                for _, one in packing.chances(node, other) if packing.luck else ((1, other),):
                    compare(game, packing, packing.make(node, one), game.play(position, packing.turn(one)))
            node, position = packing.make(node, step), game.play(position, packing.turn(step))
        assert len(set(keys.values())) == len(keys)


class Plainly:
    """Stands in front of a game, so that it is searched as its positions are."""

    def __init__(self, game: Appraising[Any, Any]) -> None:
        self._game = game

    def __getattr__(self, name: str) -> Any:
        return getattr(self._game, name)

    def packing(self, side: str) -> Packing[Any, Any]:
        return Packing(self._game, side)


@pytest.mark.parametrize("name", WALKS)
def test_a_packed_search_chooses_what_a_plain_one_chooses(name: str) -> None:
    game = game_of(name)
    position = game.setup(WALKS[name][1], Dice(bytes(32)))
    rng = random.Random(name)
    for _ in range(4):
        for _ in range(7):
            if game.outcome(position) is None:
                turn = rng.choice(list(game.likely(position)))
                position = game.play(position, game.roll(position, turn, Dice(rng.randbytes(32))))
        if game.outcome(position) is not None:
            break
        side = game.to_act(position)
        plainly: Any = Plainly(game)
        packed, plain = (Tree(Task(one, side), 500).best(position) for one in (game, plainly))
        assert packed == plain, game.encode(position)
