"""Tirachen counted: the known numbers of lines, and each kind's reach found square by square."""

from pathlib import Path
from random import Random

import pytest

from engine.dice import Dice
from engine.games import GAMES
from engine.games.tirachen.position import Position

TIRACHEN = GAMES["tirachen"]
LINES = (Path(__file__).parent / "perft.txt").read_text().splitlines()
ROWS = [line.split(" | ") for line in LINES if not line.startswith("#")]


@pytest.mark.parametrize(("text", "counts"), ROWS)
def test_a_position_has_its_number_of_lines(text: str, counts: str) -> None:
    position = TIRACHEN.decode(text)
    for depth, lines in enumerate(map(int, counts.split()), start=1):
        assert TIRACHEN.perft(position, depth) == lines


# --- the rulebook's diagrams, walked square by square -----------------------------------------------------

FILES, RANKS = "abcdefghi", "123456789"
ORTHOGONAL = ((1, 0), (-1, 0), (0, 1), (0, -1))
AROUND = (*ORTHOGONAL, (1, 1), (1, -1), (-1, 1), (-1, -1))
LINES_OF = {"G": 1, "C": 8, "W": 3}
WALKS = {"S": (ORTHOGONAL, 3), "A": (AROUND, 2)}


def board_of(position: Position) -> dict[str, tuple[str, str]]:
    """Square -> side and kind, read off the position text."""
    board = {}
    parts = dict(part.split(": ") for part in TIRACHEN.encode(position).split(" / "))
    for side in "RW":
        for piece in parts[side].split():
            if piece != "-":
                board[piece[2:]] = (side, piece[0])
    if parts["T"] != "x":
        square, owner = parts["T"].split()
        board[square] = (owner, "T")
    return board


def moved(site: str, x: int, y: int) -> str:
    file, rank = FILES.find(site[0]) + x, RANKS.find(site[1]) + y
    return FILES[file] + RANKS[rank] if 0 <= file < 9 and 0 <= rank < 9 else ""


def reached(board: dict[str, tuple[str, str]], site: str) -> set[str]:
    """Where a piece can move, if there were no forts and no phases."""
    side, kind = board[site]
    found: set[str] = set()
    if kind in LINES_OF:
        for x, y in AROUND:
            for n in range(1, LINES_OF[kind] + 1):
                end = moved(site, n * x, n * y)
                found.add(end)
                if not end or end in board:
                    break
    elif kind in WALKS:
        steps, limit = WALKS[kind]
        edge = {site}
        for _ in range(limit):
            edge = {moved(at, x, y) for at in edge for x, y in steps if at == site or (at and at not in board)}
            found |= edge
    elif kind == "P":
        forward = 1 if side == "R" else -1
        found = {end for x, y in ORTHOGONAL if (end := moved(site, x, y)) not in board}
        found |= {end for x in (-1, 1) if (end := moved(site, x, forward)) in board}
    elif kind == "T":
        found = {moved(site, 3 * x, 3 * y) for x, y in AROUND}
        found |= {moved(site, x, y) for x in (-2, -1, 1, 2) for y in (-2, -1, 1, 2) if abs(x) != abs(y)}
    return {end for end in found if end and end != site and board.get(end, ("",))[0] != side}


def expected_moves(position: Position) -> set[str]:
    board, side = board_of(position), TIRACHEN.to_act(position)
    mobilized = position.mobilized[position.mover]
    area = RANKS if mobilized else "123" if side == "R" else "789"
    fort = next((site for site, piece in board.items() if piece == ("W" if side == "R" else "R", "F")), "")
    zone = {moved(fort, x, y) for x, y in AROUND} if fort else set()
    return {
        f"{kind}{site}{'x' if end in board else '-'}{end}"
        for site, (owner, kind) in board.items()
        if owner == side and site[1] in area
        for end in reached(board, site)
        if end[1] in area and end not in zone
    }


def test_every_piece_goes_where_the_diagrams_of_the_rulebook_say() -> None:
    chosen = Random(9)
    for seed in range(12):
        position = TIRACHEN.setup({}, Dice(bytes(32)))
        for _ in range(120):
            if TIRACHEN.outcome(position) is not None:
                break
            turns = list(TIRACHEN.turns(position))
            texts = {TIRACHEN.write(turn, position) for turn in turns if turn[0].verb == "move"}
            assert texts == expected_moves(position), (seed, TIRACHEN.encode(position))
            captures = [turn for turn in turns if "x" in TIRACHEN.write(turn, position)]
            pick = chosen.choice(captures if captures and chosen.random() < 0.3 else turns)
            position = TIRACHEN.play(position, pick)


def test_two_hundred_random_games_come_to_an_end() -> None:
    endings: dict[str, int] = {}
    for seed in range(200):
        chosen = Random(seed)
        position, counts = TIRACHEN.setup({}, Dice(bytes(32))), {}
        while True:
            same = TIRACHEN.identity(position)
            counts[same] = counts.get(same, 0) + 1
            outcome = TIRACHEN.outcome(position, counts[same])
            if outcome is not None:
                break
            position = TIRACHEN.play(position, chosen.choice(list(TIRACHEN.turns(position))))
        endings[outcome.rule.ref] = endings.get(outcome.rule.ref, 0) + 1
    assert sum(endings.values()) == 200
    assert endings["general"] > 100
