"""Examines every game that is found, unasked; RIPOSTE_EXAMPLES=20000 makes it as thorough as one likes."""

import os
from functools import lru_cache

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engine.contract import contract_problems
from engine.examination.journey import PLIES, Moment, journey
from engine.examination.properties import OF_GAMES, OF_POSITIONS, OF_TEXTS, Property
from engine.game import AnyGame
from engine.games import GAMES
from render.alt_text import describe
from render.painter import paint
from render.theme import THEMES
from render.view import View
from tests.parts_of_games import OURS, PARTS

EXAMPLES = int(os.environ.get("RIPOSTE_EXAMPLES", "20"))

every_game = pytest.mark.parametrize("game", [pytest.param(GAMES[key], id=key) for key in GAMES])
examined = settings(max_examples=EXAMPLES, deadline=None, derandomize="RIPOSTE_EXAMPLES" not in os.environ)

seeds = st.integers(0, max(4, EXAMPLES // 10))
plies = st.integers(0, PLIES)


followed = lru_cache(maxsize=512)(journey)


def moment(game: AnyGame, seed: int, ply: int, text: str = "") -> Moment:
    return Moment(game, followed(game, seed), ply, seed * 1_000 + ply, text)


def claims(told: tuple[Property[AnyGame], ...] | tuple[Property[Moment], ...]) -> pytest.MarkDecorator:
    return pytest.mark.parametrize("told", [pytest.param(one, id=str(one.claim)) for one in told])


@every_game
def test_a_module_is_called_like_its_games_key(game: AnyGame) -> None:
    assert GAMES[game.key] is game


@pytest.mark.parametrize("part", PARTS)
def test_a_game_that_comes_with_riposte_has_every_part(part: str) -> None:
    """So that none is left out where a test asks for a part."""
    assert set(OURS) <= set(PARTS[part])


@every_game
def test_a_game_keeps_the_contract(game: AnyGame) -> None:
    assert list(contract_problems(game)) == []


@every_game
@claims(OF_GAMES)
def test_what_every_game_says_of_itself_is_so(game: AnyGame, told: Property[AnyGame]) -> None:
    assert [str(problem) for problem in told.problems(game)] == []


@every_game
@claims(OF_POSITIONS)
@examined
@given(seed=seeds, ply=plies)
def test_what_holds_at_every_position_of_every_game_holds(
    game: AnyGame, told: Property[Moment], seed: int, ply: int
) -> None:
    assert [str(problem) for problem in told.problems(moment(game, seed, ply))] == []


@every_game
@claims(OF_TEXTS)
@examined
@given(text=st.text(max_size=60) | st.from_regex(r"\A[A-Za-z0-9 *#~$^>+=:-]{1,12}\Z"), seed=seeds, ply=plies)
def test_what_holds_of_every_text_that_is_typed_holds(
    game: AnyGame, told: Property[Moment], text: str, seed: int, ply: int
) -> None:
    assert [str(problem) for problem in told.problems(moment(game, seed, ply, text))] == []


@every_game
@pytest.mark.parametrize("theme", list(THEMES))
def test_every_picture_is_painted_and_told(game: AnyGame, theme: str) -> None:
    walk = followed(game, 0)
    for ply in (0, len(walk.turns) // 2, len(walk.turns) - 1):
        diagram = game.draw_turn(walk.positions[ply], walk.turns[ply], game.sides[ply % 2])
        assert paint(diagram, View(theme, 240)).startswith(b"\x89PNG")
        title, *told = map(str, describe(diagram))
        assert title == f"{diagram.title}."
        assert told
        for sentence in told:
            assert sentence.endswith((".", "!", "?"))
            assert not sentence[0].islower(), sentence
            assert "\n" not in sentence
