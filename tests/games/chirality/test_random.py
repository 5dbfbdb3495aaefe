"""Chirality on random positions of two to five players, held against a slow reading of the rules."""

import json
from pathlib import Path

import pytest

from engine.board import Site
from engine.dice import Dice
from engine.game import Move, Turn
from engine.games.chirality import GAME
from engine.games.chirality.play import acted
from engine.games.chirality.position import SIDES, Position
from tests.games.chirality.random_games import EXAMPLES, TERMS, attempts, samples, walk

DATA = json.loads(Path(__file__).with_name("r2-255.json").read_text())
GAMES_TO_PLAY = max(len(TERMS) * 2, EXAMPLES // 100)


@pytest.mark.parametrize("seed", range(GAMES_TO_PLAY))
def test_a_random_game_comes_to_an_end(seed: int) -> None:
    game = walk(seed)
    assert game.outcome.rule in GAME.rules
    assert game.outcome.winners
    assert list(GAME.turns(game.positions[-1])) == [] or game.outcome.rule.ref == "15.5"
    for before, after in zip(game.positions, game.positions[1:], strict=False):
        pieces = [[men.bit_count() + r for men, r in zip(p.men, p.reserves, strict=True)] for p in (before, after)]
        assert all(now <= was <= 16 for was, now in zip(*pieces, strict=True)), "pieces only ever leave the game"
        assert after.out & before.out == before.out, "who is out stays out"


def test_positions_and_turns_come_back_from_their_texts() -> None:
    for position, _ in samples(EXAMPLES):
        text = GAME.encode(position)
        assert GAME.decode(text) == position
        assert GAME.encode(GAME.decode(text)) == text
        for turn in GAME.turns(position):
            assert GAME.read(GAME.write(turn, position), position) == turn


def everything(position: Position) -> set[Turn]:
    """Every turn that can be described here."""
    board = position.board
    origins = board.sites(position.mine())
    moves = {(Move("move", "", origin, to),) for origin in origins for to in board.names if to != origin}
    return moves | {(Move("muster", "", "", to),) for to in board.names} | {()}


def test_the_listed_turns_are_all_that_the_judge_lets_pass() -> None:
    for position, _ in samples(max(5, EXAMPLES // 10)):
        assert {turn for turn in everything(position) if GAME.tenable(position, turn)} == set(GAME.turns(position))


def slow_captures(position: Position, stood: tuple[int, ...]) -> list[set[Site]]:
    """Who is left after captures, read off the text piece by piece."""
    board, geometry = position.board, position.board.geometry
    men = [set(board.sites(tiles)) for tiles in stood]
    stars = [(set(board.sites(star.tiles)), set(board.sites(star.moat))) for star in board.stars]
    throne = set(board.sites(board.throne))
    thick = set(board.sites(board.thick))
    left = []
    for player, own in enumerate(men):
        kept = set()
        for site in own:
            foes = [(at, enemy) for enemy, theirs in enumerate(men) if enemy != player for at in theirs]
            if site in thick:
                near = {*geometry.edges[site], *geometry.corners[site]}
                sources = sum(at in near and at not in thick for at, _ in foes)
                held = any(site in star and star <= own for star, _ in stars)
                fallen = sources >= (1 if site in throne else 2) and not held
            else:
                by_piece = any(at in geometry.edges[site] and at in thick for at, _ in foes)
                by_star = any(
                    site in moat and star <= men[e] for star, moat in stars for e in range(len(men)) if e != player
                )
                fallen = by_piece or by_star
            if not fallen:
                kept.add(site)
        left.append(kept)
    return left


def test_captures_are_those_of_a_slow_reading() -> None:
    for position, chosen in samples(EXAMPLES):
        for turn in attempts(position, chosen):
            stood, left = acted(position, turn)
            if stood[position.to] & position.board.throne == position.board.throne:
                assert left == stood
            else:
                assert [set(position.board.sites(men)) for men in left] == slow_captures(position, stood)


def test_a_position_turned_by_a_fifth_plays_the_same() -> None:
    onward = str.maketrans("ABCDE", "BCDEA")

    def turned(text: str) -> str:
        return GAME.encode(GAME.decode(text.translate(onward)))

    for position, chosen in samples(EXAMPLES):
        if position.gates:
            continue
        text = GAME.encode(position)
        around = GAME.decode(turned(text))
        turns = {GAME.write(turn, position): turn for turn in [*GAME.turns(position), *attempts(position, chosen)]}
        assert {GAME.write(turn, around) for turn in GAME.turns(around)} == {
            said.translate(onward) for said, turn in turns.items() if GAME.tenable(position, turn)
        }
        for said, turn in turns.items():
            after = GAME.play(around, GAME.read(said.translate(onward), around))
            assert GAME.encode(after) == turned(GAME.encode(GAME.play(position, turn)))


def test_what_fell_is_marked_with_what_attacked_it() -> None:
    for position, chosen in samples(EXAMPLES):
        for turn in attempts(position, chosen):
            stood, left = acted(position, turn)
            taken = [mark for mark in GAME.marks(turn, position) if mark.kind == "taken"]
            captured = [mark for mark in taken if len(mark.sites) > 1]
            fell = {
                (SIDES[player], site)
                for player in range(len(stood))
                for site in position.board.sites(stood[player] & ~left[player])
            }
            assert {(mark.side, mark.sites[0]) for mark in captured} == fell
            for mark in captured:
                needed = (
                    2 if mark.sites[0] in position.board.sites(position.board.thick & ~position.board.throne) else 1
                )
                assert len(mark.sites) > needed


def test_leaving_and_skipping_keep_the_game_going() -> None:
    for position, chosen in samples(EXAMPLES):
        playing = GAME.playing(position)
        if GAME.outcome(position) is not None:
            continue
        skipped = GAME.pass_turn(position, Dice(bytes(32)))
        assert GAME.decode(GAME.encode(skipped)) == skipped
        side = chosen.choice(playing)
        left = GAME.leave(position, side)
        assert (left is None) == (len(playing) == 2)
        if left is not None:
            assert side not in GAME.playing(left)
            assert GAME.outcome(left) is not None or list(GAME.turns(left))
            assert GAME.decode(GAME.encode(left)) == left
