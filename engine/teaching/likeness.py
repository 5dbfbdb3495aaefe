"""When two positions are the same but for how one looks at them: turned, mirrored, with sides swapped, counted anew."""

from collections.abc import Iterator, Mapping
from functools import lru_cache
from itertools import permutations
from math import cos, pi, sin
from typing import Any, TypeAlias

from engine.board import Board, Point, Side, Site
from engine.game import AnyGame

Standing: TypeAlias = frozenset[tuple[Site, Side, str, tuple[str, ...]]]
"""What stands where on the board: nothing of what is counted, in reserve, or whose turn it is."""
TURNS = tuple(sorted({part * pi / 6 for part in range(12)} | {part * pi / 5 for part in range(10)}))
"""By which angles a board may be turned and look the same."""
NEAR = 1e-3


def standing(game: AnyGame, position: Any, viewer: Side | None) -> Standing:
    """What somebody sees standing on the board."""
    return frozenset(
        (figure.site, figure.side, figure.kind, figure.under)
        for figure in game.draw(position, viewer).figures
        if not figure.ghost
    )


def likenesses(game: AnyGame, position: Any) -> frozenset[Standing]:
    """The standing of a position, in every way in which the board can be turned and mirrored and sides swapped."""
    placed = standing(game, position, None)
    sides = sorted({side for _, side, _, _ in placed if side})
    return frozenset(
        frozenset((moved.get(site, site), names.get(side, side), kind, under) for site, side, kind, under in placed)
        for moved in symmetries(game.board(position))
        for names in _renamed(game, sides)
    )


@lru_cache(maxsize=32)
def symmetries(board: Board) -> tuple[Mapping[Site, Site], ...]:
    """The ways in which a board falls onto itself: for each place, which place it comes to lie on."""
    centres = {site: board.centre(site) for site in board.outlines}
    middle = tuple(sum(values) / len(centres) for values in zip(*centres.values(), strict=True))
    shifted = {site: (x - middle[0], y - middle[1]) for site, (x, y) in centres.items()}
    there = {_key(point, len(board.outlines[site])): site for site, point in shifted.items()}
    return tuple(_maps(board, shifted, there))


def _maps(
    board: Board, shifted: Mapping[Site, Point], there: Mapping[tuple[int, int, int], Site]
) -> Iterator[Mapping[Site, Site]]:
    for angle in TURNS:
        for sign in (1, -1):
            found: dict[Site, Site] = {}
            for site, (x, y) in shifted.items():
                turned = (x * cos(angle) - sign * y * sin(angle), x * sin(angle) + sign * y * cos(angle))
                place = _found(there, turned, len(board.outlines[site]))
                if place is None:
                    break
                found[site] = place
            else:
                yield found


def _found(there: Mapping[tuple[int, int, int], Site], point: Point, corners: int) -> Site | None:
    """The place at a point; one that lies between two steps of the grid is looked for on both."""
    x, y, _ = _key(point, corners)
    around = ((x + right, y + down, corners) for right in (0, 1, -1) for down in (0, 1, -1))
    return next((there[key] for key in around if key in there), None)


def _key(point: Point, corners: int) -> tuple[int, int, int]:
    return (round(point[0] / NEAR), round(point[1] / NEAR), corners)


def _renamed(game: AnyGame, sides: list[Side]) -> Iterator[Mapping[Side, Side]]:
    """Every way to give the sides on the board each other's names, or those of sides that are not there."""
    for names in permutations(game.sides, len(sides)):
        yield dict(zip(sides, names, strict=True))
