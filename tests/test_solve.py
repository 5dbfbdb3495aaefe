"""Puzzles: each has one answer, proven by trying everything; wrong ones hear what refutes them, in private."""

import os
from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from bot.commands.learning.solve import judge
from bot.commands.learning.stock import stock
from engine.appraisal import Appraising
from engine.games import GAMES
from engine.search.puzzle import Puzzle, puzzle_at, read_puzzle, solutions
from tests.chat_room import ChatRoom, open_room
from tools.puzzles import found

STOCKED = [key for key in sorted(GAMES) if stock(key)]
PROVEN = int(os.environ.get("RIPOSTE_EXAMPLES", "10"))
"""Puzzles of each game that are proven again."""


def some(key: str) -> list[Puzzle]:
    puzzles = stock(key)
    return [puzzles[at * len(puzzles) // PROVEN] for at in range(min(PROVEN, len(puzzles)))]


@pytest.fixture
async def room(tmp_path: Path) -> AsyncIterator[ChatRoom]:
    room = await open_room(tmp_path)
    yield room
    await room.store.close()


async def answer(room: ChatRoom, text: str) -> str:
    said = len(room.lines) + 1
    posts = await room.say("anna", text)
    assert all(post.only is not None for post in posts)
    return "\n".join(room.lines[said:])


async def asked(room: ChatRoom, key: str, kind: str, count: int = 1) -> Puzzle:
    """Riposte asks for a puzzle of this kind."""
    puzzle = next(one for one in stock(key) if (one.kind, one.count) == (kind, count))
    stored = f'{{"game":"{key}","line":"{puzzle.write()}"}}'
    await answer(room, f"solve {key}")
    room.service.repository.remember(None, (("web:anna", "puzzle", stored),))
    return puzzle


@pytest.mark.parametrize("puzzle", [one for key in STOCKED for one in some(key)], ids=lambda one: one.position[:40])
def test_each_puzzle_has_one_answer(puzzle: Puzzle) -> None:
    game = GAMES[puzzle.game]
    assert isinstance(game, Appraising)
    position = game.decode(puzzle.position)
    (only,) = solutions(game, position, puzzle.kind, puzzle.count)
    assert game.write(only, position) == puzzle.solution
    assert game.tenable(position, only)
    assert read_puzzle(puzzle.game, puzzle.write()) == puzzle
    assert judge(game, puzzle, position, only).right


@pytest.mark.parametrize("key", STOCKED)
def test_no_position_is_twice_in_stock_and_all_can_be_read(key: str) -> None:
    game, puzzles = GAMES[key], stock(key)
    assert len({puzzle.position for puzzle in puzzles}) == len(puzzles)
    for puzzle in puzzles:
        game.read(puzzle.solution, game.decode(puzzle.position))


def test_the_same_seed_finds_the_same_puzzles() -> None:
    game = GAMES["tokonoma"]
    assert isinstance(game, Appraising)
    assert list(found(game, 3)) == list(found(game, 3))
    assert any(list(found(game, seed)) for seed in range(6))


def test_a_position_with_two_wins_or_none_is_no_puzzle() -> None:
    game = GAMES["tokonoma"]
    assert isinstance(game, Appraising)
    one, two, none = "4f/6/1F5/6/5 w", "4f/F5/1F5/6/5 w", "f3A+/b+4S+/a+b+3B+A+/s+4B+/a+3F w"
    wins = [len(solutions(game, game.decode(text), "win", 1)) for text in (one, two, none)]
    assert wins == [1, 2, 0]
    assert [puzzle_at(game, game.decode(text)) for text in (two, none)] == [None, None]


async def test_a_win_in_one_is_solved_by_its_turn(room: ChatRoom) -> None:
    puzzle = await asked(room, "tokonoma", "win")
    said = await answer(room, f"solve {puzzle.solution}")
    assert "Right." in said
    assert "So far 1 of 1 were solved at the first try." in said
    assert await room.store.setting("web:anna", "puzzle") == ""


async def test_a_win_in_two_goes_on_after_the_reply_across_a_restart(room: ChatRoom) -> None:
    puzzle = await asked(room, "tokonoma", "win", 2)
    game = GAMES["tokonoma"]
    first = await answer(room, f"solve {puzzle.solution}")
    assert "Right." in first
    assert " answers `" in first
    side = first.split(" answers `")[0].split()[-1]
    other = next(name for name in ("White", "Black") if name != side)
    assert f"{other} is to act: win at once. " in first
    room.restart()
    reply = first.split(" answers `")[1].split("`")[0]
    position = game.decode(puzzle.position)
    for text in (puzzle.solution, reply):
        position = game.play(position, game.read(text, position))
    assert isinstance(game, Appraising)
    last = solutions(game, position, "win", 1)[0]
    assert "So far 1 of 1" in await answer(room, f"solve {game.write(last, position)}")


@pytest.mark.parametrize("kind", ["win", "take", "save"])
async def test_a_wrong_try_hears_why_and_may_try_again(kind: str, room: ChatRoom) -> None:
    puzzle = await asked(room, "tokonoma", kind)
    game = GAMES["tokonoma"]
    position = game.decode(puzzle.position)
    wrong = next(
        game.write(turn, position) for turn in game.turns(position) if game.write(turn, position) != puzzle.solution
    )
    said = await answer(room, f"solve {wrong}")
    assert "No. That turn holds, but" in said
    assert kind != "save" or " answers `" in said
    assert "Right. So far 0 of 1" in await answer(room, f"solve {puzzle.solution}")


async def test_a_turn_that_breaks_a_rule_hears_which_and_costs_nothing(room: ChatRoom) -> None:
    puzzle = await asked(room, "tokonoma", "win")
    game = GAMES["tokonoma"]
    position = game.decode(puzzle.position)
    mine = next(figure.site for figure in game.draw(position, None).figures if figure.side == game.to_act(position))
    assert "That turn is untenable." in await answer(room, f"solve {mine}{mine}")
    assert "So far 1 of 1" in await answer(room, f"solve {puzzle.solution}")


async def test_whoever_gives_up_is_told(room: ChatRoom) -> None:
    puzzle = await asked(room, "tokonoma", "win")
    assert f"The answer begins with `{puzzle.solution}`." in await answer(room, "solve answer")
    assert "There is no game `answer`." in await answer(room, "solve answer")
    puzzle = await asked(room, "tokonoma", "win")
    assert "So far 1 of 2 were solved at the first try." in await answer(room, f"solve {puzzle.solution}")


@pytest.mark.parametrize("key", STOCKED)
async def test_every_game_in_stock_asks_and_takes_the_answer(key: str, room: ChatRoom) -> None:
    await answer(room, f"solve {key}")
    stored = await room.store.setting("web:anna", "puzzle")
    puzzle = next(one for one in stock(key) if one.write() in stored.replace('\\"', '"'))
    assert "Right." in await answer(room, f"solve {puzzle.solution}")
