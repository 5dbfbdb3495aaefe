"""Riposte's own play: the search finds what plain minimax finds, keeps its budget, and the same seed plays the same."""

import random
from itertools import pairwise
from pathlib import Path
from typing import Any

import chess
import pytest

from benchmarks.search import CHESS
from engine.appraisal import STRONGEST, WEAKEST, Appraising, Level
from engine.dice import Dice
from engine.games import GAMES
from engine.search.partner import level_of, think
from engine.search.tree import Tree
from engine.search.values import WON, Task, later, mean, worth

SEED = bytes(range(32))
TERMS: dict[str, dict[str, str]] = {
    "tokonoma": {},
    "tirachen": {},
    "chirality": {"setup": "quick"},
    "ironclad": {},
    "discourse": {"mode": "discourse"},
    "three": {"players": "3"},
    "veney": {},
}
KEYS = {"discourse": "ironclad", "three": "chirality"}
SEARCHING = 300
"""Nodes from which on a level looks at replies at all."""
TREES = [name for name in TERMS if name != "veney"]


def game_of(name: str) -> Appraising[Any, Any]:
    game = GAMES[KEYS.get(name, name)]
    assert isinstance(game, Appraising)
    return game


def positions(name: str, count: int, plies: int = 24) -> list[Any]:
    """Positions from random play, each a little further into a game."""
    game, found = game_of(name), []
    for number in range(count):
        rng = random.Random(number)
        dice = Dice(bytes([number]) * 32)
        position = game.setup(TERMS[name], dice)
        for _ in range(number * plies // count):
            if game.outcome(position) is not None:
                break
            turn = rng.choice(list(game.turns(position)))
            position = game.play(position, game.roll(position, turn, dice))
        if game.outcome(position) is None:
            found.append(position)
    return found


def plain(task: Task[Any, Any], position: Any, depth: int) -> int:
    """Minimax without any art, from the view of the side that thinks."""
    game = task.game
    end = game.outcome(position)
    if end is not None:
        return worth(task, end)
    if not depth:
        return game.evaluate(position, task.side)
    values = [
        later(mean((weight, plain(task, game.play(position, one), depth - 1)) for weight, one in chances))
        if len(chances := game.chances(position, turn)) == 1
        else mean((weight, later(plain(task, game.play(position, one), depth - 1))) for weight, one in chances)
        for turn in game.likely(position)
    ]
    return max(values) if game.to_act(position) == task.side else min(values)


@pytest.mark.parametrize("name", TREES)
def test_the_search_finds_what_plain_minimax_finds(name: str) -> None:
    game = game_of(name)
    for position in positions(name, 4):
        task = Task(game, game.to_act(position))
        found = Tree(task, nodes=2_000_000, captures=0, scouts=False)
        value = found.value(found.packing.pack(position), 2, -2 * WON, 2 * WON, 1, sign=1)
        assert value == plain(task, position, 2), game.encode(position)


@pytest.mark.parametrize("name", list(TERMS))
def test_the_same_seed_plays_the_same_turn_and_every_turn_is_tenable(name: str) -> None:
    game = game_of(name)
    for number, position in enumerate(positions(name, 6, 40)):
        level = level_of(game, 1 + number % 3)
        task = Task(game, game.to_act(position))
        first, again = (think(task, position, level, SEED) for _ in range(2))
        assert first == again
        assert game.tenable(position, first.turn)
        assert game.read(game.write(first.turn, position), position) == first.turn


@pytest.mark.parametrize("name", TREES)
def test_a_search_visits_no_more_nodes_than_its_level_allows(name: str) -> None:
    game = game_of(name)
    for position in positions(name, 3):
        for nodes in (300, 1_000):
            found = think(Task(game, game.to_act(position)), position, Level(nodes), SEED)
            assert found.nodes <= nodes + 1


def test_late_steps_that_are_looked_at_less_deep_let_a_search_go_deeper() -> None:
    game = game_of("ironclad")
    deeper = 0
    for position in positions("ironclad", 5):
        task = Task(game, game.to_act(position))
        found, plain = (Tree(task, 1_500, scouts=scouts).best(position) for scouts in (True, False))
        assert found is not None
        assert plain is not None
        assert found.depth >= plain.depth
        deeper += found.depth > plain.depth
    assert deeper


def test_the_chess_that_the_search_is_timed_beside_can_be_searched() -> None:
    board = chess.Board("6k1/5ppp/8/8/8/8/8/R5K1 w - - 0 1")
    found = Tree(Task(CHESS, "W"), 2_000).best(board)
    assert found is not None
    assert found.turn == chess.Move.from_uci("a1a8")


def test_each_level_looks_at_more_than_the_one_below_and_errs_no_more_often() -> None:
    for name in ("tokonoma", "tirachen", "chirality", "ironclad", "veney"):
        levels = game_of(name).levels
        assert len(levels) == STRONGEST - WEAKEST + 1
        assert all(low.nodes < high.nodes for low, high in pairwise(levels))
        assert all(low.blunders >= high.blunders for low, high in pairwise(levels))
        searching = [level for level in levels if level.nodes >= SEARCHING]
        assert all(low.hasty >= high.hasty for low, high in pairwise(searching))


def test_the_page_about_strength_lists_every_level() -> None:
    page = (Path(__file__).parents[1] / "docs" / "strength.md").read_text("utf-8")
    for name in ("tokonoma", "tirachen", "chirality", "ironclad", "veney"):
        levels = (f"{one.nodes:,} / {one.noise} / {one.blunders} / {one.hasty}" for one in game_of(name).levels)
        assert f"| {name} | {' | '.join(levels)} |" in page


def test_a_hasty_level_looks_at_no_reply_in_its_share_of_turns() -> None:
    game = game_of("tokonoma")
    position = positions("tokonoma", 2)[1]
    task = Task(game, game.to_act(position))
    nodes = [think(task, position, Level(300, hasty=30), bytes([number]) * 32).nodes for number in range(200)]
    hasty = [count for count in nodes if count < 300]
    assert 40 <= len(hasty) <= 80
    assert max(hasty) <= think(task, position, Level(1), SEED).nodes
    assert think(task, position, Level(300, hasty=100), SEED) == think(task, position, Level(1, hasty=100), SEED)


def test_a_house_that_stands_open_is_entered() -> None:
    game = game_of("tokonoma")
    position = game.decode("5/6/1F5/6/4f w")
    assert game.outcome(position) is None
    turn = think(Task(game, "W"), position, Level(300), SEED).turn
    assert game.outcome(game.play(position, turn)) is not None


def test_a_general_that_can_be_taken_is_taken() -> None:
    game = game_of("tirachen")
    position = game.decode("R: G@e1 C@a5 / W: G@a9 / T: x / pR: - / pW: - / mob: RW / to: R")
    assert game.write(think(Task(game, "R"), position, Level(400), SEED).turn, position) == "Ca5xa9"


def test_a_turn_that_comes_back_to_a_position_counts_as_a_draw() -> None:
    game = game_of("tokonoma")
    position = positions("tokonoma", 1)[0]
    task = Task(game, "W")
    best = Tree(task, 300).best(position)
    assert best is not None
    stood = frozenset(game.identity(game.play(position, turn)) for turn in game.turns(position))
    again = Tree(Task(game, "W", stood), 300).best(position)
    assert again is not None
    assert again.value == 0


AIMED = "W: S@X6 $@Z6 D@Y6 e@W5 / B: S@Y14 $@Z14 e@W12 / a: ^XY8 / to: W / flags: throw={}"
SECRETS = {
    "layout": ("layout", "setup=concealed", ("C$SB 5555", "SB$C 5678")),
    "hands": ("hands", "first=hands", ("left", "right")),
    "hug": ("hug", "draw=hug", ("hug", "betray")),
    "square": ("hidden", AIMED.format("guess"), ("X7", "Y9")),
    "guess": ("guessed", AIMED.format("guess"), ("3", "11")),
    "number": ("hidden", AIMED.format("paper20"), ("4", "17")),
}
"""What a side answers in private in Veney, in which position, in two ways."""


def asking(where: str) -> Any:
    """A position in which both sides are asked something."""
    game = game_of("veney")
    if "=" in where and "/" not in where:
        key, _, value = where.partition("=")
        begun = game.setup({key: value}, Dice(SEED))
        return game.agree(begun) if key == "draw" else begun
    aimed = game.decode(where)
    return game.play(aimed, game.read("DtY14~", aimed))


@pytest.mark.parametrize("kind", SECRETS)
def test_what_the_other_side_has_answered_in_private_is_not_known(kind: str) -> None:
    """Hidden facts are swapped: Riposte sees, answers and asks for the same."""
    game = game_of("veney")
    key, where, texts = SECRETS[kind]
    position = asking(where)
    asks = [ask for ask in game.asks(position) if ask.key == key]
    assert asks
    ask = asks[0]
    mine = next((other.side for other in game.asks(position) if other.side != ask.side), "WB".replace(ask.side, ""))
    one, other = (game.answer(position, ask, text, Dice(SEED)) for text in texts)
    assert game.encode(one) != game.encode(other), "else nothing is hidden"
    seen = [game.seen_by(at, mine) for at in (one, other)]
    assert game.encode(seen[0]) == game.encode(seen[1])
    own = [[question for question in game.asks(at) if question.side == mine] for at in seen]
    said = [[game.secret(at, question, Dice(SEED)) for question in some] for at, some in zip(seen, own, strict=True)]
    assert own[0] == own[1]
    assert said[0] == said[1]
