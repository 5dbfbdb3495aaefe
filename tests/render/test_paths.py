"""The SVG path subset of glyphs, as polylines."""

import math

import pytest

from engine.games import GAMES
from render.paths import dashes, trace


def test_lines_run_from_corner_to_corner_and_z_closes_them():
    (square,) = trace("M-1-1H1V1L-1,1Z")
    assert square.points == ((-1, -1), (1, -1), (1, 1), (-1, 1))
    assert square.closed


def test_a_second_m_begins_a_second_line_and_more_numbers_repeat_the_command():
    first, second = trace("M0 0 1 1 2 0 M5 5 L6 6")
    assert first.points == ((0, 0), (1, 1), (2, 0))
    assert second.points == ((5, 5), (6, 6))
    assert not second.closed


@pytest.mark.parametrize(("large", "sweep"), [(0, 0), (0, 1), (1, 0), (1, 1)])
def test_an_arc_keeps_its_distance_from_its_centre_and_its_ends(large, sweep):
    (arc,) = trace(f"M1 0 A1 1 0 {large} {sweep} 0 1")
    assert arc.points[0] == (1, 0)
    assert arc.points[-1] == (0, 1)
    centre = (0, 0) if large != sweep else (1, 1)
    assert all(math.isclose(math.dist(p, centre), 1, abs_tol=1e-9) for p in arc.points)
    length = sum(math.dist(a, b) for a, b in zip(arc.points, arc.points[1:], strict=False))
    assert math.isclose(length, math.pi * (1.5 if large else 0.5), rel_tol=0.01)


def test_curves_end_where_they_should_and_bend_towards_their_handles():
    (cubic,) = trace("M0 0 C0 1 1 1 1 0")
    (quadratic,) = trace("M0 0 Q1 2 2 0")
    assert cubic.points[-1] == (1, 0)
    assert math.isclose(max(y for _, y in cubic.points), 0.75)
    assert math.isclose(max(y for _, y in quadratic.points), 1.0)


@pytest.mark.parametrize("path", ["M0 0 S1 1 2 2", "M0 0 l1 1", "0 0", "M0 0 C1 1"])
def test_what_the_subset_does_not_know_is_an_error(path):
    with pytest.raises(ValueError, match="glyph's path"):
        trace(path)


def test_dashes_of_a_closed_line_cover_its_corners():
    corners = ((0.0, 0.0), (10.0, 0.0), (10.0, 10.0), (0.0, 10.0))
    pieces = dashes(corners, 2, 1, closed=True)
    assert all(any(end == corner for piece in pieces for end in piece) for corner in corners)


def test_every_glyph_of_every_game_can_be_drawn():
    for game in GAMES.values():
        for kind, glyph in game.glyphs.items():
            assert all(trace(stroke.path) for stroke in glyph), f"{game.key} {kind}"
