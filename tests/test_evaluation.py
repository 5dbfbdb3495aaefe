"""What a position is worth is a sum of the terms that `docs/strength.md` lists: counted here once more, the plain way,
and weighed as that table says."""

import random
import re
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import cache
from pathlib import Path
from typing import Any, TypeAlias

import pytest

from engine.appraisal import Appraising
from engine.dice import Dice
from engine.games import GAMES
from engine.games.chirality.actions import muster_tiles
from engine.games.chirality.board.rosette import bits
from engine.games.chirality.evaluate import THRONE
from engine.games.chirality.position import Position as Rosettes
from engine.games.ironclad.board import COLUMNS, LINES, members
from engine.games.ironclad.board import POINTS as CROSSES
from engine.games.ironclad.evaluate import MISSING, NEAREST, SOONEST
from engine.games.ironclad.position import Position as Grids
from engine.games.tirachen.board import HOME_SPAN
from engine.games.tirachen.evaluate import OCCUPYING
from engine.games.tirachen.position import Position as Fields
from engine.games.tirachen.position import kind_of, owner_of
from engine.games.tokonoma.board import PLACES
from engine.games.tokonoma.position import Position as Tiles
from engine.games.tokonoma.position import sites_of
from engine.games.veney.board.squares import MEASURE, STEP
from engine.games.veney.pieces import BLACK, FREE, KINDS
from engine.games.veney.position import Position as Pistes

PAGE = Path(__file__).parents[1] / "docs" / "strength.md"
Counts: TypeAlias = Mapping[str, float]
"""Of one side: how often each term counts; of a term with several worths ("0, 25, 60"), which of them does."""


@cache
def weights(game: str) -> dict[str, tuple[int, ...]]:
    """What the page says that each term of a game is worth."""
    _, page = PAGE.read_text("utf-8").split("| game | what counts | points |")
    rows = re.findall(rf"^\| {game} \| (.*) \| (.*) \|$", page, re.MULTILINE)
    return {
        term: tuple(int(worth.replace(",", "")) for worth in re.split(r", (?=\d)", worths)) for term, worths in rows
    }


def worth(game: str, counts: Counts) -> int:
    """What a side's terms add up to."""
    table = weights(game)
    several = {term for term, worths in table.items() if len(worths) > 1}
    single = sum(table[term][0] * count for term, count in counts.items() if term not in several)
    return round(single) + sum(table[term][int(counts[term])] for term in several & counts.keys())


# --- the terms, counted the plain way ---------------------------------------------------------------------
def tokonoma(position: Tiles, side: int) -> Counts:
    flats, *tall = (position.white, position.black)[side]
    squares = {site: (across - 6 + 12 * side) ** 2 // 4 for site, (across, _) in PLACES.items()}
    covered = {site for tiles in tall for site in sites_of(tiles)}
    alone = [site for site in sites_of(flats) if site not in covered]
    return {
        **{name: tiles.bit_count() for name, tiles in zip(TOKONOMA, (flats, *tall), strict=True)},
        "the square of how many tiles a lone Flat has come": sum(squares[site] for site in alone),
        "the same of a Flat below another piece": sum(squares[site] for site in sites_of(flats) if site in covered),
    }


TOKONOMA = ("a Flat", "an Arm", "a Blind", "a Star")


def tirachen(position: Fields, side: int) -> Counts:
    counts: Counter[str] = Counter()
    for square, byte in enumerate(position.board):
        if owner_of(byte) != side:
            continue
        kind, file, rank = kind_of(byte), square % 9, square // 9
        forward = 8 - rank if side else rank
        counts[TIRACHEN[kind]] += 1
        if kind in "CASW":
            counts["a rank that commander or master is forward"] += forward
            counts["a file that commander or master is from the edge"] += 4 - abs(file - 4)
        if kind == "G":
            counts["a rank that the general is out"] += forward
    reserve = zip(("fort", "commander", "pike", "master"), position.pools[side], strict=True)
    home = position.board[HOME_SPAN[1 - side]]
    return {
        **counts,
        **{f"a {kind} in reserve": left for kind, left in reserve},
        "own pieces in the enemy's homeland, from 0": sum(owner_of(byte) == side for byte in home),
    }


TIRACHEN = {
    "C": "a commander",
    "S": "a master of arms",
    "A": "a master of spells",
    "W": "a master of the hunt",
    "T": "the traitor, controlled",
    "F": "a fort",
    "P": "a pike",
    "G": "the general",
}


def chirality(position: Rosettes, player: int) -> Counts:
    board, men, left = position.board, position.men[player], position.reserves[player]
    away = [min(distance(position, tile, {man}) for tile in bits(board.throne)) for man in bits(men)]
    coming = {*bits(men & ~board.throne)}
    comes = bool(muster_tiles(board, position.men, player) or (position.gates and position.gates[player]))
    return {
        "a piece on the board": men.bit_count(),
        "a piece in reserve": left if comes else 0,
        "a piece in reserve that no Gate lets in": 0 if comes else left,
        "tiles of the Throne held, from 0": (men & board.throne).bit_count(),
        "a step that a piece is nearer to the Throne than eight": sum(8 - steps for steps in away),
        "a step from an open tile of the Throne to the nearest other piece, at most eight": sum(
            distance(position, tile, coming) for tile in bits(board.throne & ~men)
        ),
        "a Star held": sum(men & star.tiles == star.tiles for star in board.stars),
    }


def distance(position: Rosettes, tile: int, ends: set[int]) -> int:
    """Steps from a tile to the nearest of some, as if nobody stood in the way; eight where there are more, or none."""
    steps, seen = 0, {tile}
    while not seen & ends and steps < 8:
        seen |= {near for one in seen for near in bits(position.board.reach[one])}
        steps += 1
    return steps


def ironclad(position: Grids, side: int) -> Counts:
    counts = max((strings(position, side, across) for across in (0, 1)), key=lambda one: worth("ironclad", one))
    free = len(CROSSES) - sum(stones.bit_count() for stones in position.stones)
    until = next(term for fewest, term in FREE_POINTS if free >= fewest)
    counts |= {f"half a stone laid less than the other side, {until}": fewer(position, side)}
    if position.discourse:
        return counts
    rows = [square // 7 for squad in position.squads[side] for square in members(squad)]
    heights = zip(("one", "two", "three"), position.squads[side], strict=True)
    return {
        **counts,
        **{f"a robot of height {height}": squad.bit_count() for height, squad in heights},
        "the square of how many rows a robot has come": sum((7 - row if side else row) ** 2 for row in rows),
        "steps over free squares from the nearest robot to the enemy's first row, from 0": away(position, side),
        "the same once more for who begins the next turn, or this one before it is begun": (
            away(position, side) if (position.owner == side) != bool(position.half) else 0
        ),
    }


def away(position: Grids, side: int) -> int:
    """Steps from the nearest robot to the enemy's first row, where no robot stands; 5 for more, or none."""
    taken = {divmod(square, 7) for squads in position.squads for squad in squads for square in members(squad)}
    reached = {divmod(square, 7) for squad in position.squads[side] for square in members(squad)}
    for steps in range(5):
        if any(row == (0 if side else 7) for row, _ in reached):
            return steps
        reached |= {
            (row, column)
            for row, column in (
                (at + up, on + right) for at, on in reached for up in (-1, 0, 1) for right in (-1, 0, 1)
            )
            if row in range(8) and column in range(len(COLUMNS)) and (row, column) not in taken
        }
    return 5


FREE_POINTS = (
    (26, "with more points free"),
    (18, "with 18 to 25"),
    (12, "with 12 to 17"),
    (8, "with 8 to 11"),
    (5, "with 5 to 7"),
    (3, "with 3 or 4"),
    (2, "with two"),
    (0, "with one point free at most"),
)


def fewer(position: Grids, side: int) -> int:
    """Halves of stones that a side has laid less than the other one, at most seven; who has to lay the next one has
    laid half of it."""
    laid = [2 * stones.bit_count() for stones in position.stones]
    laid[1 - position.owner if position.half == "stones" else position.owner] += 1
    return min(max(laid[1 - side] - laid[side], 0), 7)


def strings(position: Grids, side: int, across: int) -> dict[str, float]:
    """How many stones the shortest string one way across the grid lacks, and at how many points of the far side one
    that lacks no more can end; nothing where there is none."""
    own = {divmod(point, 7) for point in members(position.stones[side])}
    taken = {divmod(point, 7) for point in members(position.stones[1 - side])}
    grid = {divmod(point, 7) for point in range(len(CROSSES))}
    last = (len(COLUMNS), len(CROSSES) // len(LINES) - 1)[across]
    lacking = dict.fromkeys(grid, 99)
    edge = [(point, int(point not in own)) for point in grid - taken if point[1 - across] == 0]
    while edge:
        (row, line), lacks = edge.pop()
        if lacks >= lacking[row, line]:
            continue
        lacking[row, line] = lacks
        near = {(row + 1, line), (row - 1, line), (row, line + 1), (row, line - 1)} & grid - taken
        edge += [(point, lacks + (point not in own)) for point in near]
    ends = [lacks for point, lacks in lacking.items() if point[1 - across] == last]
    fewest = min(ends)
    if fewest > 9:
        return {}
    return {
        "stones missing for a string, from 0": fewest,
        "a point of the far side where such a string can end": ends.count(fewest),
    }


def veney(position: Pistes, side: int) -> Counts:
    counts: Counter[str] = Counter()
    own, dying = position.where(side), position.dying
    for at, code in enumerate(position.cells):
        if not code or code == FREE or (code >= BLACK) != bool(side):
            continue
        kind, steps = KINDS[code & 15], 17 - STEP[at] if side else STEP[at]
        here = {VENEY[kind]: 1} if kind in VENEY else {}
        if kind == "S":
            here["a step that the Self is forward, at most eight"] = min(steps, 8)
        elif kind == "e":
            here["a step that an engagement is forward"] = steps
        elif kind in "$DG" and own >= 0 and abs(MEASURE[at] - MEASURE[own]) > 1:
            here["an armament two measures or more from its Self"] = 1
        if position.caught >> at & 1:
            counts["a third of a blade that is under a Cloak"] += worth("veney", here) // 3
        counts.update(here)
    reserve = worth("veney", Counter(VENEY[kind] for kind in position.reserve[side]))
    return {
        **counts,
        "a hundred points in reserve": reserve / 100,
        "to have been touched": int(dying is not None and dying[0] == side),
    }


VENEY = {
    "$": "the Sword",
    "D": "a Dagger",
    "J": "a Jutsu",
    "G": "a Guard",
    "C": "a Cloak",
    "B": "a Balance",
    "L": "a Lantern",
    "R": "a Ruin",
    "e": "an engagement",
}


# --- what they show ---------------------------------------------------------------------------------------
GAMES_COUNTED: Mapping[str, Callable[[Any, int], Counts]] = {
    "tokonoma": tokonoma,
    "tirachen": tirachen,
    "chirality": chirality,
    "ironclad": ironclad,
    "veney": veney,
}
TERMS: Mapping[str, Sequence[Mapping[str, str]]] = {
    "chirality": ({}, {"setup": "quick"}, {"players": "3"}),
    "ironclad": ({}, {"mode": "discourse"}),
}
GIVEN: Mapping[str, Sequence[str]] = {
    "tirachen": ("R: G@e1 C@d9 / W: P@e8 / T: x / pR: - / pW: - / mob: RW / to: W",),
    "veney": (
        "W: S@W6 $@X9 / B: $@Z10 C@Y9 / dB: S / a: - / to: B / flags: dying=B@X9",
        "W: S@W2 $@X6 / B: S@Z16 $@W16 C@X6 / a: - / to: W",
    ),
}
"""Positions with what is rare: a general taken, a Self touched, a blade under a Cloak."""
SERIES = {
    ("tirachen", "own pieces in the enemy's homeland, from 0"): OCCUPYING,
    ("chirality", "tiles of the Throne held, from 0"): THRONE,
    ("ironclad", "stones missing for a string, from 0"): MISSING,
    ("ironclad", "steps over free squares from the nearest robot to the enemy's first row, from 0"): NEAREST,
    ("ironclad", "the same once more for who begins the next turn, or this one before it is begun"): SOONEST,
}


def nearly_full() -> Iterator[Grids]:
    """Grids with so few points free as play at random seldom comes to."""
    begun = GAMES["ironclad"].setup({}, Dice(bytes(32)))
    for free in (1, 2, 4, 7, 11):
        laid = random.Random(free).sample([1 << point for point in range(len(CROSSES))], len(CROSSES) - free)
        yield begun._replace(stones=(sum(laid[:30]), sum(laid[30:])))


@cache
def positions(key: str) -> tuple[Any, ...]:
    """Positions from play at random, and those that are given."""
    game, found = GAMES[key], [GAMES[key].decode(text) for text in GIVEN.get(key, ())]
    found += nearly_full() if key == "ironclad" else ()
    for number in range(8):
        rng = random.Random(number)
        options = TERMS.get(key, ({},))
        position = game.setup(options[number % len(options)], Dice(rng.randbytes(32)))
        for ply in range(120):
            if game.outcome(position) is not None:
                break
            if not ply % 11:
                found.append(position)
            turn = rng.choice(list(game.turns(position)))
            position = game.play(position, game.roll(position, turn, Dice(rng.randbytes(32))))
    return tuple(found)


def sides(key: str, position: Any) -> Iterator[tuple[str, Counts, list[Counts]]]:
    """Each side that is still in: its terms, and those of each of the others."""
    game = GAMES[key]
    every = {side: GAMES_COUNTED[key](position, game.sides.index(side)) for side in game.playing(position)}
    for side, own in every.items():
        yield side, own, [counts for other, counts in every.items() if other != side]


@pytest.mark.parametrize("key", GAMES_COUNTED)
def test_a_position_is_worth_its_terms_less_those_of_the_strongest_other(key: str) -> None:
    game = GAMES[key]
    assert isinstance(game, Appraising)
    for position in positions(key):
        for side, own, others in sides(key, position):
            expected = worth(key, own) - max(worth(key, counts) for counts in others)
            assert game.evaluate(position, side) == expected, game.encode(position)


@pytest.mark.parametrize("key", GAMES_COUNTED)
def test_every_term_of_the_page_tells_two_sides_apart_somewhere(key: str) -> None:
    """So a wrong weight on the page, or one that does not count, is found above."""
    apart: set[str] = set()
    for position in positions(key):
        for _, own, others in sides(key, position):
            apart |= {term for term in weights(key) for other in others if own.get(term, 0) != other.get(term, 0)}
    assert apart == weights(key).keys()


@pytest.mark.parametrize(("key", "term"), SERIES)
def test_what_a_term_with_several_worths_is_worth_stands_on_the_page(key: str, term: str) -> None:
    """Some of them are too rare to be met above."""
    assert weights(key)[term] == SERIES[key, term]
