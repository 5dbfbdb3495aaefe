"""Ironclad counted: the known numbers of lines, and the actions found place by place."""

from pathlib import Path
from random import Random

import pytest

from engine.dice import Dice
from engine.games import GAMES
from engine.games.ironclad.board import BIT, POINTS, joins, points
from engine.games.ironclad.position import Position

IRONCLAD = GAMES["ironclad"]
LINES = (Path(__file__).parent / "perft.txt").read_text().splitlines()
ROWS = [line.split(" | ") for line in LINES if not line.startswith("#")]


@pytest.mark.parametrize(("text", "counts"), ROWS)
def test_a_position_has_its_number_of_lines(text: str, counts: str) -> None:
    position = IRONCLAD.decode(text)
    for depth, lines in enumerate(map(int, counts.split()), start=1):
        assert IRONCLAD.perft(position, depth) == lines


# --- the rules once more, place by place on the position text ----------------------------------------------

ORTHOGONAL = ((1, 0), (-1, 0), (0, 1), (0, -1))
AROUND = (*ORTHOGONAL, (1, 1), (1, -1), (-1, 1), (-1, -1))


def expected(position: Position) -> set[str]:
    """Every tenable action of a game that goes on."""
    parts = dict(part.split(": ") for part in IRONCLAD.encode(position).split(" / "))
    owner = parts["owner"]
    other = "B" if owner == "W" else "W"
    robots = {robot[:2]: (side, int(robot[3])) for side in "WB" for robot in parts[f"r{side}"].split() if robot != "-"}
    stones = {stone: side for side in "WB" for stone in parts[f"s{side}"].split() if stone != "-"}
    actions = set()
    if parts["half"] != "robots" and parts["mode"] == "full":
        actions |= robot_actions(robots, owner, other)
    if parts["half"] != "stones":
        actions |= placements(robots, stones, owner) or slides(stones, parts["last"])
    if parts.get("swap") == "now":
        actions.add("swap")
    return actions


def moved(site: str, x: int, y: int, columns: str, rows: int) -> str:
    column, row = columns.find(site[0]) + x, int(site[1]) + y
    return f"{columns[column]}{row}" if 0 <= column < len(columns) and 1 <= row <= rows else ""


def robot_actions(robots: dict[str, tuple[str, int]], owner: str, other: str) -> set[str]:
    mine = {site: height for site, (side, height) in robots.items() if side == owner}
    ends = {(site, moved(site, x, y, "ABCDEF", 8)) for site in mine for x, y in AROUND}
    actions = {f"{site}-{end}" for site, end in ends if end and end not in robots}
    for target, (side, height) in robots.items():
        power = sum(
            power
            for site, power in mine.items()
            if max(abs(ord(site[0]) - ord(target[0])), abs(int(site[1]) - int(target[1]))) <= power
        )
        if side == other and power >= height:
            actions.add(f"x{target}")
    return actions


def placements(robots: dict[str, tuple[str, int]], stones: dict[str, str], owner: str) -> set[str]:
    if list(stones.values()).count(owner) == 32:
        return set()
    negated = {moved(site.lower(), x, y, "abcdefg", 9) for site in robots for x in (0, 1) for y in (0, 1)}
    grid = {f"{line}{row}" for line in "abcdefg" for row in range(1, 10)}
    return grid - negated - set(stones)


def slides(stones: dict[str, str], last: str) -> set[str]:
    actions = set()
    for stone in set(stones) - {last}:
        for x, y in ORTHOGONAL:
            end = moved(stone, x, y, "abcdefg", 9)
            while end and end not in stones:
                actions.add(f"{stone}-{end}")
                end = moved(end, x, y, "abcdefg", 9)
    return actions


def joined(stones: set[str]) -> bool:
    """Whether a string of these stones joins two opposite sides."""
    for start, ends in (("a", "g"), ("1", "9")):
        reached = {stone for stone in stones if start in stone}
        edge = reached
        while edge:
            edge = {moved(stone, x, y, "abcdefg", 9) for stone in edge for x, y in ORTHOGONAL} & stones - reached
            reached |= edge
        if any(ends in stone for stone in reached):
            return True
    return False


@pytest.mark.parametrize("mode", ["full", "discourse"])
def test_two_hundred_random_games_follow_the_rules_to_an_end(mode: str) -> None:
    endings: dict[str, int] = {}
    for seed in range(200):
        chosen, dice = Random(seed), Dice(seed.to_bytes(32, "big"))
        position, counts = IRONCLAD.setup({"mode": mode}, dice), {}
        while True:
            same = IRONCLAD.identity(position)
            counts[same] = counts.get(same, 0) + 1
            outcome = IRONCLAD.outcome(position, counts[same])
            if outcome is not None:
                break
            turns = {IRONCLAD.write(turn, position): turn for turn in IRONCLAD.turns(position)}
            if seed % 10 == 0:
                assert set(turns) == expected(position), IRONCLAD.encode(position)
                parts = dict(part.split(": ") for part in IRONCLAD.encode(position).split(" / "))
                assert not any(joined(set(parts[f"s{side}"].split())) for side in "WB")
            turn = IRONCLAD.roll(position, turns[chosen.choice(sorted(turns))], dice)
            position = IRONCLAD.play(position, turn)
        endings[outcome.rule.ref] = endings.get(outcome.rule.ref, 0) + 1
    assert sum(endings.values()) == 200
    assert endings["string"] > 50


# --- strings ------------------------------------------------------------------------------------------------
def strings(stones: set[str]) -> list[set[str]]:
    """The stones, string by string, grown place by place."""
    found, left = [], set(stones)
    while left:
        string, grown = set[str](), {left.pop()}
        while grown:
            string |= grown
            grown = {moved(site, x, y, "abcdefg", 9) for site in grown for x, y in ORTHOGONAL} & left
            left -= grown
        found.append(string)
    return found


@pytest.mark.parametrize("seed", range(300))
def test_what_joins_two_sides_is_strings_that_do_and_no_other_stone_that_stands_on_a_side(seed: int) -> None:
    chosen = Random(seed)
    stones = {site for site in POINTS if chosen.random() < 0.45 + seed / 1000}
    across = [
        set().union(*(string for string in strings(stones) if all(any(e in site for site in string) for e in ends)))
        for ends in ("ag", "19")
    ]
    joined = set(points(joins(sum(BIT[POINTS.index(site)] for site in stones))))
    assert joined == next(filter(None, across), set())
