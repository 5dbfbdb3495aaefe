"""Examines every game that is found on the shelf, unasked; RIPOSTE_EXAMPLES=20000 makes it as thorough as one likes."""

import os
import re
from collections.abc import Callable, Hashable, Iterator
from dataclasses import dataclass
from functools import lru_cache
from random import Random
from typing import Any, get_args

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engine.board import Board, Site
from engine.diagram import TINTS, Colour
from engine.dice import Dice
from engine.game import RESIGNED, AnyGame, Game, NotationError, Outcome, Penalty, Turn
from engine.games import GAMES
from render.alt_text import describe
from render.painter import paint
from render.theme import THEMES
from render.view import View

EXAMPLES = int(os.environ.get("RIPOSTE_EXAMPLES", "20"))
PLIES = 60
"""How far a random game is followed."""

every_game = pytest.mark.parametrize("game", [pytest.param(GAMES[key], id=key) for key in GAMES])
examined = settings(max_examples=EXAMPLES, deadline=None, derandomize="RIPOSTE_EXAMPLES" not in os.environ)

seeds = st.integers(0, max(4, EXAMPLES // 10))
plies = st.integers(0, PLIES)


# --- random games -----------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Walk:
    """A game of random tenable turns: the positions, and the turns between them."""

    positions: tuple[Hashable, ...]
    turns: tuple[Turn, ...]
    """With their luck resolved."""

    def at(self, ply: int) -> Hashable:
        return self.positions[min(ply, len(self.positions) - 1)]


@lru_cache(maxsize=512)
def walk(key: str, seed: int) -> Walk:
    game, chosen, dice = GAMES[key], Random(seed), Dice(seed.to_bytes(32, "big"))
    positions: list[Hashable] = [game.setup({}, dice)]
    turns: list[Turn] = []
    while len(turns) < PLIES and game.outcome(positions[-1]) is None:
        turn = chosen.choice(list(game.turns(positions[-1])))
        turns.append(game.roll(positions[-1], turn, dice))
        positions.append(game.play(positions[-1], turns[-1]))
    return Walk(tuple(positions), tuple(turns))


def described(game: AnyGame, journey: Walk, position: Hashable, chosen: Random) -> Iterator[Turn]:
    """Readable turns that somebody might try there: those of the whole game with other places and pieces in them."""
    said = [game.write(turn, before) for before, turn in zip(journey.positions, journey.turns, strict=False)]
    sites = list(game.board(position).outlines)
    place = re.compile("|".join(map(re.escape, sorted(sites, key=len, reverse=True))))
    for _ in range(40):
        text = place.sub(lambda site: chosen.choice([site[0], *chosen.sample(sites, 2)]), chosen.choice(said))
        turn = tried(game.read, text, position)
        if not isinstance(turn, NotationError):
            yield turn


def tried(read: Callable[..., Any], *arguments: object) -> Any:
    """What was read, or the error in people's words; any other exception is a bug."""
    try:
        return read(*arguments)
    except NotationError as error:
        return error


def untenable(game: AnyGame, journey: Walk, position: Hashable, chosen: Random) -> Iterator[Turn]:
    return (turn for turn in described(game, journey, position, chosen) if not game.tenable(position, turn))


def listed(game: AnyGame, position: Hashable) -> list[Turn]:
    """What `turns` must give: the candidates that `judge` has no objection to."""
    return [turn for turn in game.candidates(position) if not list(game.judge(position, turn))]


def same(game: AnyGame, one: Hashable, other: Hashable) -> bool:
    return one == other and hash(one) == hash(other) and game.encode(one) == game.encode(other)


# --- what it says of itself -------------------------------------------------------------------------------


@every_game
def test_a_game_introduces_itself(game: AnyGame) -> None:
    assert GAMES[game.key] is game, "a module is called like its game's key"
    assert re.fullmatch("[a-z]+", game.key)
    for text in (game.name, str(game.gist), str(game.credit)):
        assert text.strip() == text != ""
        assert "\n" not in text
    assert game.version >= 1
    assert len(set(game.sides)) == len(game.sides) >= 2
    for side in game.sides:
        assert game.names[side]
        assert game.colours[side] in get_args(Colour)
    assert len(set(game.names.values())) == len(game.names)


@every_game
def test_every_rule_has_a_number_a_title_and_a_gist_of_its_own(game: AnyGame) -> None:
    assert game.rules
    for told in ("ref", "title", "gist"):
        texts = [getattr(rule, told) for rule in game.rules]
        assert all(texts), told
        assert told == "title" or len(set(texts)) == len(texts), told
    assert all(str(rule.gist).endswith(".") for rule in game.rules)


@every_game
def test_the_terms_on_offer_make_sense(game: AnyGame) -> None:
    assert set(game.penalties) <= set(get_args(Penalty))
    assert game.umpire in {"refuse", *game.penalties}
    names = [name for option in game.options for name in (option.key, *option.aliases)]
    assert len(set(names)) == len(names)
    for option in game.options:
        assert re.fullmatch(r"[A-Z`].*\.", str(option.gist)), "a sentence"
        assert not option.values or option.default in option.values
        assert option.low is None or option.low <= int(option.default)
        assert option.high is None or int(option.default) <= option.high


@every_game
def test_every_value_of_an_option_gives_a_position_to_start_from(game: AnyGame) -> None:
    for option in game.options:
        for value in option.values:
            start = game.setup({option.key: value}, Dice(bytes(32)))
            assert same(game, game.decode(game.encode(start)), start), f"{option.key}={value}"
            assert set(game.seats({option.key: value})) <= set(game.sides)


@every_game
def test_the_example_is_a_tenable_first_turn(game: AnyGame) -> None:
    start = game.setup({}, Dice(bytes(32)))
    assert game.tenable(start, game.read(game.example(start), start))


@every_game
def test_the_same_dice_set_up_the_same_position(game: AnyGame) -> None:
    assert same(game, game.setup({}, Dice(bytes(32))), game.setup({}, Dice(bytes(32))))


# --- positions and turns as text --------------------------------------------------------------------------


@every_game
@examined
@given(seed=seeds, ply=plies)
def test_a_position_is_one_line_of_text_and_comes_back_from_it(game: AnyGame, seed: int, ply: int) -> None:
    position = walk(game.key, seed).at(ply)
    text = game.encode(position)
    assert "\n" not in text
    assert same(game, game.decode(text), position)


@every_game
def test_blanks_around_a_position_mean_nothing(game: AnyGame) -> None:
    start = game.setup({}, Dice(bytes(32)))
    assert same(game, game.decode(f"  {game.encode(start)}\n"), start)


@every_game
@examined
@given(seed=seeds, ply=plies)
def test_every_tenable_turn_comes_back_from_its_notation(game: AnyGame, seed: int, ply: int) -> None:
    position = walk(game.key, seed).at(ply)
    texts = {}
    for turn in game.turns(position):
        text = game.write(turn, position)
        assert game.read(text, position) == turn, text
        texts[text] = turn
    assert len(texts) == len(set(texts.values())) == len(list(game.turns(position)))


@every_game
@examined
@given(text=st.text(max_size=30) | st.from_regex(r"\A[A-Za-z0-9 *#~$^>+=:-]{1,12}\Z"), seed=seeds, ply=plies)
def test_whatever_is_typed_is_a_turn_or_gets_the_fact_and_a_remedy(
    game: AnyGame, text: str, seed: int, ply: int
) -> None:
    position = walk(game.key, seed).at(ply)
    turn = tried(game.read, text, position)
    if isinstance(turn, NotationError):
        assert turn.because
        assert turn.remedy
    else:
        game.play(position, turn)


@every_game
@examined
@given(text=st.text(max_size=60), cut=st.integers(0, 200))
def test_no_text_but_a_position_is_read_as_one(game: AnyGame, text: str, cut: int) -> None:
    start = game.encode(game.setup({}, Dice(bytes(32))))
    for broken in (text, start[:cut], start[:cut] + text + start[cut:]):
        position = tried(game.decode, broken)
        if isinstance(position, NotationError):
            assert position.because
        else:
            assert same(game, game.decode(game.encode(position)), position), broken


# --- judging and playing ----------------------------------------------------------------------------------


@every_game
@examined
@given(seed=seeds, ply=plies)
def test_the_turns_are_the_candidates_that_the_judge_lets_pass(game: AnyGame, seed: int, ply: int) -> None:
    position = walk(game.key, seed).at(ply)
    candidates = list(game.candidates(position))
    assert len(set(candidates)) == len(candidates)
    assert list(game.turns(position)) == listed(game, position)


@every_game
@examined
@given(seed=seeds, ply=plies)
def test_a_turn_that_the_judge_lets_pass_was_listed(game: AnyGame, seed: int, ply: int) -> None:
    journey = walk(game.key, seed)
    position = journey.at(ply)
    turns, dice = set(game.turns(position)), Dice(bytes(32))
    # One move may be said in several ways: then it is listed in one of them, and leads to the same position.
    reached = {game.play(position, game.roll(position, turn, Dice(bytes(32)))) for turn in turns}
    for turn in described(game, journey, position, Random(seed * 1_000 + ply)):
        if turn not in turns and game.tenable(position, turn):
            dice.counter = 0
            assert game.play(position, game.roll(position, turn, dice)) in reached, game.write(turn, position)


@every_game
@examined
@given(seed=seeds, ply=plies)
def test_a_ruling_cites_a_rule_of_the_game_in_order_and_points_at_the_board(game: AnyGame, seed: int, ply: int) -> None:
    journey = walk(game.key, seed)
    position = journey.at(ply)
    for turn in untenable(game, journey, position, Random(seed * 1_000 + ply)):
        rulings = list(game.judge(position, turn))
        places = game.board(position).outlines
        for ruling in rulings:
            assert ruling.rule in game.rules
            assert ruling.because
            assert str(ruling.because).endswith((".", "!", "?"))
            assert {site for mark in ruling.marks for site in mark.sites} <= set(places), ruling
        cited = [game.rules.index(ruling.rule) for ruling in rulings]
        assert cited == sorted(cited), "in the rulebook's order"
        assert rulings == list(game.judge(position, turn)), "the same question has the same answer"


@every_game
@examined
@given(seed=seeds, ply=plies)
def test_an_untenable_turn_can_be_carried_out_written_and_drawn(game: AnyGame, seed: int, ply: int) -> None:
    journey = walk(game.key, seed)
    position = journey.at(ply)
    for turn in untenable(game, journey, position, Random(seed * 1_000 + ply)):
        text = game.write(turn, position)
        assert game.read(text, position) == turn, text
        rolled = game.roll(position, turn, Dice(bytes(32)))
        after = game.play(position, rolled)
        assert same(game, game.decode(game.encode(after)), after), text
        game.outcome(after)
        list(game.turns(after))
        game.draw_turn(position, rolled, None)
        assert game.show(rolled, position, None)


@every_game
@examined
@given(seed=seeds, ply=plies)
def test_every_penalty_can_follow_an_untenable_turn(game: AnyGame, seed: int, ply: int) -> None:
    journey = walk(game.key, seed)
    position = journey.at(ply)
    for turn in untenable(game, journey, position, Random(seed * 1_000 + ply)):
        rulings = tuple(game.judge(position, turn))
        for penalty in game.penalties:
            follows = game.penalize(position, turn, rulings, penalty, Dice(bytes(32)))
            if isinstance(follows, Outcome):
                assert follows.winners <= set(game.sides)
            else:
                assert same(game, game.decode(game.encode(follows)), follows)
                game.draw(follows, None)


@every_game
def test_some_turns_that_people_may_try_are_untenable(game: AnyGame) -> None:
    journey = walk(game.key, 0)
    assert any(next(untenable(game, journey, journey.at(ply), Random(ply)), None) for ply in range(len(journey.turns)))


@every_game
@examined
@given(seed=seeds, ply=plies)
def test_a_game_goes_on_while_there_are_turns(game: AnyGame, seed: int, ply: int) -> None:
    position = walk(game.key, seed).at(ply)
    outcome = game.outcome(position)
    turns = list(game.turns(position))
    if outcome is None:
        assert turns
        assert game.to_act(position) in game.playing(position)
    else:
        assert not turns, "nobody has a tenable turn once the game is over"
        assert outcome.rule in game.rules
        assert outcome.winners <= set(game.sides)
    assert set(game.playing(position)) <= set(game.sides)


@every_game
@examined
@given(seed=seeds)
def test_a_stored_game_is_replayed_to_the_same_positions(game: AnyGame, seed: int) -> None:
    journey = walk(game.key, seed)
    position = journey.positions[0]
    for turn, expected in zip(journey.turns, journey.positions[1:], strict=True):
        position = game.play(position, game.read(game.write(turn, position), position))
        assert same(game, position, expected)
        assert hash(game.identity(position)) == hash(game.identity(expected))


@every_game
@examined
@given(seed=seeds, ply=plies)
def test_a_turn_taken_away_leaves_a_position_to_play_on(game: AnyGame, seed: int, ply: int) -> None:
    position = walk(game.key, seed).at(ply)
    if game.outcome(position) is None:
        skipped = game.pass_turn(position, Dice(bytes(32)))
        assert same(game, game.decode(game.encode(skipped)), skipped)
        assert game.to_act(skipped) in game.sides


@every_game
@examined
@given(seed=seeds, ply=plies)
def test_whoever_gives_up_does_not_win(game: AnyGame, seed: int, ply: int) -> None:
    position = walk(game.key, seed).at(ply)
    for side in game.playing(position):
        assert side not in game.forfeit(position, side, RESIGNED).winners


@every_game
@examined
@given(seed=seeds, ply=plies)
def test_counting_fast_is_counting_right(game: AnyGame, seed: int, ply: int) -> None:
    position = walk(game.key, seed).at(ply)
    wide = len(list(game.turns(position))) > 60
    for depth in (0, 1) if wide else (0, 1, 2):
        assert game.perft(position, depth) == Game.perft(game, position, depth)


# --- the picture ------------------------------------------------------------------------------------------


def neighbours_are_mutual(board: Board, near: dict[Site, tuple[Site, ...]]) -> bool:
    return all(site in near[other] for site, others in near.items() for other in others)


@every_game
def test_the_board_is_whole(game: AnyGame) -> None:
    board = game.board(game.setup({}, Dice(bytes(32))))
    places = set(board.outlines)
    assert all(board.outlines.values())
    for near in (dict(board.edges), dict(board.corners)):
        assert set(near) <= places
        assert neighbours_are_mutual(board, near)
    assert all(sites <= places for sites in board.zones.values())
    assert set(board.tones) <= places
    assert set(board.tones.values()) <= {0, 1, 2}
    assert set(board.tints) <= set(board.zones)
    assert set(board.tints.values()) <= set(TINTS)


@every_game
@examined
@given(seed=seeds, ply=plies)
def test_every_viewer_gets_a_picture_of_what_stands_on_the_board(game: AnyGame, seed: int, ply: int) -> None:
    journey = walk(game.key, seed)
    position = journey.at(ply)
    for viewer in (None, *game.sides):
        diagrams = [game.draw(position, viewer)]
        if ply < len(journey.turns):
            diagrams.append(game.draw_turn(position, journey.turns[ply], viewer))
        assert diagrams[0] == game.draw(game.decode(game.encode(position)), viewer)
        for diagram in diagrams:
            places = set(diagram.board.outlines)
            assert diagram.title
            assert {figure.site for figure in diagram.figures} <= places
            assert {site for mark in diagram.marks for site in mark.sites} <= places
            assert {site for link in diagram.links for site in (link.start, link.end)} <= places
            assert diagram.labels <= places
            assert {figure.side for figure in diagram.figures} <= {"", *diagram.names}
            assert diagram.to_act is None or diagram.to_act in diagram.names
            for figure in diagram.figures:
                assert figure.kind
                assert figure.name.isprintable()
                assert figure.name
            assert all(name.isprintable() for tray in diagram.trays for _, name, _ in tray.pieces)


@every_game
@pytest.mark.parametrize("theme", list(THEMES))
def test_every_picture_is_painted_and_told(game: AnyGame, theme: str) -> None:
    journey = walk(game.key, 0)
    for ply in (0, len(journey.turns) // 2, len(journey.turns) - 1):
        diagram = game.draw_turn(journey.positions[ply], journey.turns[ply], game.sides[ply % 2])
        assert paint(diagram, View(theme, 240)).startswith(b"\x89PNG")
        title, *told = map(str, describe(diagram))
        assert title == f"{diagram.title}."
        assert told
        for sentence in told:
            assert sentence.endswith((".", "!", "?"))
            assert not sentence[0].islower(), sentence
            assert "\n" not in sentence


@every_game
@examined
@given(seed=seeds, ply=plies, chosen=st.randoms(use_true_random=False))
def test_every_place_can_be_looked_at(game: AnyGame, seed: int, ply: int, chosen: Random) -> None:
    position = walk(game.key, seed).at(ply)
    site = chosen.choice(list(game.board(position).outlines))
    for viewer in (None, *game.sides):
        assert site in game.look(position, site, viewer)
    with pytest.raises(NotationError, match="nowhere"):
        game.look(position, "nowhere", None)
