"""Pictures: the next one of a match, one seen before, a cold one, and how large they are."""

import io
import zlib
from collections.abc import Iterator
from random import Random
from time import process_time
from typing import Any

import cairosvg
from PIL import Image

from benchmarks.table import SAMPLES, Row, Timing, alternate, seconds
from engine.diagram import Diagram
from engine.dice import Dice
from engine.games import GAMES
from render.painter import Painter

PLIES = 60
WARM = 3
"""Matches painted before anything is measured, as in a room where the game has been played before."""
HUNDREDS = {"chirality"}
"""Games on boards of hundreds of tiles: the goal for the next picture is theirs."""
LARGE = {"chirality": 105}
"""The most that a picture may weigh, in KiB; 48 for the others."""


def rows() -> Iterator[Row]:
    """Every game on its own board; the peer draws the same tiles, names and pieces as SVG and rasters that."""
    for key in sorted(GAMES):
        matches = [_match(key, seed) for seed in range(WARM + SAMPLES)]
        yield from _speed(key, matches)
        middle = matches[0][len(matches[0]) // 2]
        yield _cold(key, middle)
        yield _size(key, middle)


def _match(key: str, seed: int) -> list[Diagram]:
    """What the public sees after each turn of a random match."""
    game: Any = GAMES[key]
    lots, dice = Random(seed), Dice(seed.to_bytes(32, "big"))
    position = game.setup({}, dice)
    seen = [game.draw(position, None)]
    while len(seen) < PLIES and not game.outcome(position):
        turns = list(game.turns(position))
        turn = game.roll(position, lots.choice(turns), dice)
        seen.append(game.draw_turn(position, turn, None))
        position = game.play(position, turn)
    return seen


def _speed(key: str, matches: list[list[Diagram]]) -> Iterator[Row]:
    """Each sample is a match that was not painted before, on a board that was."""
    painter, ours, again, theirs = Painter(), [], [], []
    for match in matches[:WARM]:
        _paint(painter, match)
    for match in matches[WARM:]:
        painter.paint(match[0])
        ours.append(_paint(painter, match[1:]))
        again.append(_paint(painter, match[1:]))
        begun = process_time()
        cairosvg.svg2png(_svg(match[-1]).encode(), output_width=1024)
        theirs.append(process_time() - begun)
    next_one, seen, peer = Timing(tuple(ours)), Timing(tuple(again)), Timing(tuple(theirs))
    ratio = peer.typical / next_one.typical
    met = next_one.typical <= 1.0e-3 and ratio >= 100 if key in HUNDREDS else None
    goal = "<= 1 ms, >= 100x" if key in HUNDREDS else ""
    theirs_said = f"{seconds(peer.typical)} SVG, cairosvg"
    yield Row(f"{key}: next picture of a match", str(next_one), theirs_said, f"{ratio:.0f}x", goal, met)
    yield Row(f"{key}: a picture seen before", str(seen))


def _svg(diagram: Diagram) -> str:
    """The same scene in its plainest form: flat tiles, their names, a disc for every piece."""
    board, shades, parts = diagram.board, ("#f3e8d0", "#dfcaa2", "#c2a578"), []
    xs, ys = zip(*(point for corners in board.outlines.values() for point in corners), strict=True)
    for site, corners in board.outlines.items():
        if len(corners) > 1:
            outline = " ".join(f"{x:.3f},{y:.3f}" for x, y in corners)
            fill = shades[board.tones.get(site, 0)]
            parts.append(f'<polygon points="{outline}" fill="{fill}" stroke="#75624a" stroke-width="0.02"/>')
        if site in diagram.labels:
            x, y = board.centre(site)
            parts.append(f'<text x="{x:.3f}" y="{y:.3f}" font-size="0.3" text-anchor="middle">{site}</text>')
    for figure in diagram.figures:
        x, y = board.centre(figure.site)
        parts.append(f'<circle cx="{x:.3f}" cy="{y:.3f}" r="0.3" fill="#b9473c" stroke="#571814" stroke-width="0.04"/>')
    box = f"{min(xs):.3f} {min(ys):.3f} {max(xs) - min(xs):.3f} {max(ys) - min(ys):.3f}"
    return f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="{box}">{"".join(parts)}</svg>'


def _paint(painter: Painter, match: list[Diagram]) -> float:
    """CPU seconds to a picture."""
    begun = process_time()
    for diagram in match:
        painter.paint(diagram)
    return (process_time() - begun) / len(match)


def _cold(key: str, diagram: Diagram) -> Row:
    """Nothing known but the board and how pieces look; the peer only deflates the same palette bytes."""
    painter = Painter()
    lines = _scanlines(painter.paint(diagram))

    def cold() -> None:
        painter.forget()
        painter.paint(diagram)

    ours, raw = alternate(cold, lambda: zlib.compress(lines, 6))
    ratio = ours.typical / raw.typical
    return Row(
        f"{key}: cold picture", str(ours), f"{seconds(raw.typical)} zlib 6", f"{ratio:.2f}", "<= 1.25", ratio <= 1.25
    )


def _size(key: str, diagram: Diagram) -> Row:
    """Beside what Pillow makes of the same pixels when one just saves them."""
    data = Painter().paint(diagram)
    out = io.BytesIO()
    Image.open(io.BytesIO(data)).convert("RGB").save(out, "PNG")
    peer, most = len(out.getvalue()), LARGE.get(key, 48)
    ratio = len(data) / peer
    return Row(
        f"{key}: size",
        f"{len(data) / 1024:.1f} KiB",
        f"{peer / 1024:.1f} KiB Pillow",
        f"{ratio:.2f}",
        f"<= 0.5, <= {most} KiB",
        ratio <= 0.5 and len(data) <= most * 1024,
    )


def _scanlines(data: bytes) -> bytes:
    picture = Image.open(io.BytesIO(data))
    pixels, width = picture.tobytes(), picture.width
    return b"".join(b"\0" + pixels[at : at + width] for at in range(0, len(pixels), width))
