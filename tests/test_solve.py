"""Puzzles: each has one answer, proven by trying everything; wrong ones hear what refutes them, in private."""

import os
from collections.abc import AsyncIterator, Callable
from math import dist
from pathlib import Path
from typing import Any

import pytest

from bot.commands.learning.puzzles.solve import judge
from bot.commands.learning.stock import stock
from engine.appraisal import Appraising
from engine.dice import Dice
from engine.game import AnyGame
from engine.games import GAMES
from engine.search.puzzle import Puzzle, proof, puzzle_at, read_puzzle, solutions, wins
from engine.teaching.likeness import Standing, likenesses, standing
from tests.chat_room import ChatRoom, open_room
from tests.parts_of_games import OURS, STOCKED
from tools.puzzles import found

LEAST = dict.fromkeys(OURS, 2_000) | {"veney": 300}
PROVEN = int(os.environ.get("RIPOSTE_EXAMPLES", "50"))
"""Puzzles of each game that are proven again."""


def some(key: str) -> list[Puzzle]:
    """Drawn by lot, always the same; those that take long to prove among the others."""
    puzzles, dice = stock(key), Dice(bytes(32))
    return [puzzles[dice.roll(len(puzzles))] for _ in range(PROVEN)]


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


async def asked(
    room: ChatRoom, key: str, kind: str, count: int = 1, where: Callable[[Puzzle], bool] = lambda _: True
) -> Puzzle:
    """Riposte asks for a puzzle of this kind."""
    puzzle = next(one for one in stock(key) if (one.kind, one.count) == (kind, count) and where(one))
    stored = f'{{"game":"{key}","line":"{puzzle.write()}"}}'
    await answer(room, f"solve {key}")
    room.service.repository.remember(None, (("web:anna", "puzzle", stored),))
    return puzzle


@pytest.mark.parametrize("key", STOCKED)
def test_fifty_of_each_game_have_one_answer_and_the_proof_that_is_stored(key: str) -> None:
    game = GAMES[key]
    assert isinstance(game, Appraising)
    for puzzle in some(key):
        position = game.decode(puzzle.position)
        (only,) = solutions(game, position, puzzle.kind, puzzle.count)
        assert game.write(only, position) == puzzle.solution, puzzle.write()
        assert proof(game, position, puzzle.kind, puzzle.count, only) == puzzle.proof, puzzle.write()
        assert game.tenable(position, only)
        assert read_puzzle(puzzle.game, puzzle.write_proven()) == puzzle
        assert judge(game, puzzle, position, only).right


@pytest.mark.parametrize("key", STOCKED)
def test_enough_are_in_stock_all_can_be_read_and_none_is_another_one_mirrored(key: str) -> None:
    game, puzzles = GAMES[key], stock(key)
    assert len(puzzles) >= LEAST.get(key, 1)
    alike: dict[object, list[Puzzle]] = {}
    for puzzle in puzzles:
        position = game.decode(puzzle.position)
        game.read(puzzle.solution, position)
        alike.setdefault(_counted(game, position), []).append(puzzle)
    for group in alike.values():  # of those with as many pieces of each kind, each is held beside all others
        seen: set[Standing] = set()
        for puzzle in group if len(group) > 1 else ():
            position = game.decode(puzzle.position)
            assert standing(game, position, None) not in seen, puzzle.write()
            seen |= likenesses(game, position)


def _counted(game: AnyGame, position: Any) -> object:
    """How many pieces of each kind each side has, and how far from the middle, whichever side is which."""
    board, sides = game.board(position), dict[str, list[str]]()
    centres = [board.centre(site) for site in board.outlines]
    middle = [sum(values) / len(centres) for values in zip(*centres, strict=True)]
    for site, side, kind, under in standing(game, position, None):
        sides.setdefault(side, []).append(f"{kind}{under} {dist(board.centre(site), middle):.2f}")
    return tuple(sorted(tuple(sorted(kinds)) for kinds in sides.values()))


@pytest.mark.parametrize("key", ["tokonoma", "chirality"])
def test_a_proof_can_be_followed_turn_by_turn(key: str) -> None:
    """Each reply has its answer, and each other turn a reply that spoils it, without any search."""
    game = GAMES[key]
    assert isinstance(game, Appraising)
    for puzzle in [one for one in stock(key) if (one.kind, one.count) == ("win", 2)][:10]:
        position, follows, spoilt = game.decode(puzzle.position), *map(_pairs, puzzle.proof.split("|"))
        turns = {game.write(turn, position): game.play(position, turn) for turn in game.turns(position)}
        after = turns.pop(puzzle.solution)
        side = game.to_act(position)
        for reply in game.turns(after):
            replied = game.play(after, reply)
            won = game.play(replied, game.read(follows[game.write(reply, after)], replied))
            end = game.outcome(won)
            assert end is not None
            assert end.winners == {side}
        assert set(spoilt) == set(turns)
        for text, reply_text in spoilt.items():
            if reply_text:
                replied = game.play(turns[text], game.read(reply_text, turns[text]))
                assert not list(solutions(game, replied, "win", 1)) or game.outcome(replied) is not None


def _pairs(field: str) -> dict[str, str]:
    groups = (group.split(">") for group in field.split(";") if group)
    return {turn: answer for turns, answer in groups for turn in turns.split(",")}


def test_the_same_seed_finds_the_same_puzzles() -> None:
    game = GAMES["tokonoma"]
    assert isinstance(game, Appraising)
    assert list(found(game, 3)) == list(found(game, 3))
    assert any(list(found(game, seed)) for seed in range(6))


def test_a_position_with_two_wins_or_none_is_no_puzzle() -> None:
    game = GAMES["tokonoma"]
    assert isinstance(game, Appraising)
    one, two, none = "4f/6/1F5/6/5 w", "4f/F5/1F5/6/5 w", "f3A+/b+4S+/a+b+3B+A+/s+4B+/a+3F w"
    wins = [len(list(solutions(game, game.decode(text), "win", 1))) for text in (one, two, none)]
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
    last = next(solutions(game, position, "win", 1))
    assert "So far 1 of 1" in await answer(room, f"solve {game.write(last, position)}")


async def test_after_the_first_turn_what_wins_a_turn_later_than_asked_is_wrong(room: ChatRoom) -> None:
    puzzle = await asked(room, "tokonoma", "win", 2)
    game, position, side = await halfway(room, puzzle)
    late = next(turn for turn in game.turns(position) if not wins(game, position, turn, side, 1))
    assert wins(game, position, late, side, 2)
    said = await answer(room, f"solve {game.write(late, position)}")
    assert "No. That turn holds, but it does not win." in said
    assert " answers `" not in said, "no turn is left, so no reply has to spoil it"
    assert f"{game.names[side]} is to act: win at once." in await answer(room, "solve")
    right = next(solutions(game, position, "win", 1))
    assert "Right. So far 0 of 1" in await answer(room, f"solve {game.write(right, position)}")


async def test_a_win_in_three_counts_down_and_a_wrong_second_turn_meets_what_spoils_it(room: ChatRoom) -> None:
    puzzle = await asked(room, "tokonoma", "win", 3)
    game, position, side = await halfway(room, puzzle)
    assert f"{game.names[side]} is to act: win in 2 turns, whatever is answered." in await answer(room, "solve")
    wrong = next(turn for turn in game.turns(position) if not wins(game, position, turn, side, 2))
    said = await answer(room, f"solve {game.write(wrong, position)}")
    assert "No. That turn holds, but it does not win." in said
    after = game.play(position, wrong)
    spoilt = game.play(after, game.read(said.split(" answers `")[1].split("`")[0], after))
    assert game.outcome(spoilt) is not None or not list(solutions(game, spoilt, "win", 1))


async def halfway(room: ChatRoom, puzzle: Puzzle) -> tuple[Appraising[Any, Any], Any, str]:
    """After the first right turn and its reply: the game, the position, and who solves."""
    game = GAMES[puzzle.game]
    assert isinstance(game, Appraising)
    reply = (await answer(room, f"solve {puzzle.solution}")).split(" answers `")[1].split("`")[0]
    position = start = game.decode(puzzle.position)
    for text in (puzzle.solution, reply):
        position = game.play(position, game.read(text, position))
    return game, position, game.to_act(start)


async def test_a_wrong_try_may_throw_dice(room: ChatRoom) -> None:
    game = GAMES["ironclad"]
    puzzle = await asked(room, "ironclad", "win", where=lambda one: bool(shots(one)))
    said = await answer(room, f"solve {shots(puzzle)[0]}")
    assert "No. That turn holds, but it does not win." in said
    assert game.name in await answer(room, "solve"), "it can still be solved"


def shots(puzzle: Puzzle) -> list[str]:
    """The turns that throw dice."""
    game = GAMES[puzzle.game]
    position = game.decode(puzzle.position)
    rolled = ((turn, game.roll(position, turn, Dice(bytes(32)))) for turn in game.turns(position))
    return [game.write(turn, position) for turn, thrown in rolled if game.rolls(thrown)]


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


async def test_a_wrong_try_shows_what_spoils_it_and_how_a_turn_is_written(room: ChatRoom) -> None:
    puzzle, game = await asked(room, "tokonoma", "save"), GAMES["tokonoma"]
    position = game.decode(puzzle.position)
    wrong = next(turn for turn in game.turns(position) if game.write(turn, position) != puzzle.solution)
    said = await answer(room, f"solve {game.write(wrong, position)}")
    reply, after = said.split(" answers `")[1].split("`")[0], game.play(position, wrong)
    (post,) = room.posts[-1:]
    assert post.picture is not None
    assert (post.picture.position, post.picture.turn) == (game.encode(after), reply)
    assert post.picture.side == game.to_act(position), "seen by who solves it"
    assert post.choices[0].blank == f"For example: {game.example(position)}"


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
