"""Pictures: the next one of a match, one seen before, a cold one, and how large they are."""

import gc
import io
import zlib
from collections.abc import Callable, Iterator
from random import Random
from statistics import fmean
from time import process_time
from typing import Any

import cairosvg
from PIL import Image

from benchmarks.table import SAMPLES, Row, Timing, alternate, seconds
from engine.diagram import Diagram
from engine.dice import Dice
from engine.games import GAMES
from render.animation import animated
from render.compose.png import FASTEST, STDLIB
from render.painter import Painter
from render.view import View

PLIES = 60
WARM = 3
"""Matches painted before anything is measured, as in a room where the game has been played before."""
SEEN = 20
"""Pictures that are asked for again: no more than a painter keeps whole."""
HUNDREDS = {"chirality"}
"""Games on boards of hundreds of tiles: the goal beside the peer is theirs."""
LARGE = {"chirality": 105}
"""The most that a picture may weigh, in KiB; 48 for the others."""


def rows() -> Iterator[Row]:
    """Every game on its own board; the peer draws the same tiles, names and pieces as SVG and rasters that."""
    for key in sorted(GAMES):
        matches = [_match(key, seed) for seed in range(WARM + SAMPLES)]
        # The matches that wait to be painted are not the bot's to look through for what is no longer used.
        gc.collect()
        gc.freeze()
        yield from _speed(key, matches)
        yield from _cold(key, matches[0][len(matches[0]) // 2])
        yield from _size(key, matches[0])
        yield from _moving(key, matches[0])


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
    """Each sample is a match that was not painted before, on a board that was; both painters paint it in turn, and
    draw marks ahead, as the bot does once a picture is on its way."""
    painters = {"next": Painter(), "plain": Painter(STDLIB)}
    taken: dict[str, list[float]] = {"next": [], "plain": [], "prepare": [], "again": [], "peer": []}
    for match in matches[:WARM]:
        for painter in painters.values():
            _paint(painter, match)
    for match in matches[WARM:]:
        for name, painter in painters.items():
            painter.paint(match[0])
            painter.prepare()
            painted, prepared = _paint(painter, match[1:])
            taken[name].append(painted)
            if name == "next":
                taken["prepare"].append(prepared)
        taken["again"].append(_paint(painters["next"], match[-SEEN:])[0])
        begun = process_time()
        cairosvg.svg2png(_svg(match[-1]).encode(), output_width=1024)
        taken["peer"].append(process_time() - begun)
    timed = {name: Timing(tuple(times)) for name, times in taken.items()}
    peer = timed["peer"].typical
    for name, said, most in (
        ("next", "next picture of a match", 0.4e-3 if FASTEST is not STDLIB else 1.0e-3),
        ("plain", "the same, with zlib alone", 1.0e-3),
    ):
        ours = timed[name]
        ratio = peer / ours.typical
        goal, met = f"<= {most * 1e3:g} ms", ours.typical <= most
        if key in HUNDREDS:
            goal, met = f"{goal}, >= 100x", met and ratio >= 100
        yield Row(f"{key}: {said}", str(ours), f"{seconds(peer)} SVG, cairosvg", f"{ratio:.0f}x", goal, met)
    yield Row(f"{key}: drawing marks ahead, when nobody waits", str(timed["prepare"]))
    yield Row(f"{key}: a picture seen before", str(timed["again"]))


def _svg(diagram: Diagram) -> str:
    """The same scene in its plainest form: flat tiles, their names, a disc for every piece."""
    board, shades, parts = diagram.board, ("#f3e8d0", "#dfcaa2", "#c2a578"), []
    xs, ys = zip(*(point for corners in board.outlines.values() for point in corners), strict=True)
    for site, corners in board.outlines.items():
        if len(corners) > 1:
            outline = " ".join(f"{x:.3f},{y:.3f}" for x, y in corners)
            fill = shades[board.tones.get(site, 0) % len(shades)]
            parts.append(f'<polygon points="{outline}" fill="{fill}" stroke="#75624a" stroke-width="0.02"/>')
        if site in diagram.labels:
            x, y = board.centre(site)
            parts.append(f'<text x="{x:.3f}" y="{y:.3f}" font-size="0.3" text-anchor="middle">{site}</text>')
    for figure in diagram.figures:
        x, y = board.centre(figure.site)
        parts.append(f'<circle cx="{x:.3f}" cy="{y:.3f}" r="0.3" fill="#b9473c" stroke="#571814" stroke-width="0.04"/>')
    box = f"{min(xs):.3f} {min(ys):.3f} {max(xs) - min(xs):.3f} {max(ys) - min(ys):.3f}"
    return f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="{box}">{"".join(parts)}</svg>'


def _paint(painter: Painter, match: list[Diagram]) -> tuple[float, float]:
    """CPU seconds to a picture, and those for marks that are drawn ahead."""
    painted = prepared = 0.0
    for diagram in match:
        begun = process_time()
        painter.paint(diagram)
        done = process_time()
        painter.prepare()
        painted += done - begun
        prepared += process_time() - done
    return painted / len(match), prepared / len(match)


def _cold(key: str, diagram: Diagram) -> Iterator[Row]:
    """Nothing known but the board and how pieces are drawn, which is what the goal means; then with how they look on
    their places known too, as where the game has been played. The peer only deflates the same palette bytes."""
    painter = Painter(STDLIB)
    lines = _scanlines(painter.paint(diagram))

    def cold(pieces: bool) -> Callable[[], None]:
        def paint() -> None:
            painter.forget(pieces=pieces)
            painter.paint(diagram)

        return paint

    for said, pieces in (("cold picture", True), ("the same, its pieces laid before", False)):
        ours, raw = alternate(cold(pieces), lambda: zlib.compress(lines, 6))
        ratio = ours.typical / raw.typical
        goal, met = ("<= 1.25", ratio <= 1.25) if pieces else ("", None)
        yield Row(f"{key}: {said}", str(ours), f"{seconds(raw.typical)} zlib 6", f"{ratio:.2f}", goal, met)


def _size(key: str, match: list[Diagram]) -> Iterator[Row]:
    """Beside what Pillow makes of the same pixels when one just saves them: the first picture of a match that was
    half played, and all of it as its players see it."""
    yield _weighed(f"{key}: size", key, [Painter().paint(match[len(match) // 2])])
    painter, seen = Painter(), []
    for diagram in match:
        seen.append(painter.paint(diagram))
        painter.prepare()
    yield _weighed(f"{key}: size, the mean of a match", key, seen)


def _moving(key: str, match: list[Diagram]) -> Iterator[Row]:
    """A replay, as chats get it; nobody waits for it but those who asked, in a worker of its own."""
    for form in ("webp", "gif"):
        begun = process_time()
        made = animated(match, View("light"), form)
        took = process_time() - begun
        yield Row(
            f"{key}: {form} of {len(match)} turns",
            f"{seconds(took)}, {len(made) / 1024:.0f} KiB",
            goal="<= 2 s, <= 1 MB",
            met=took <= 2 and len(made) <= 1_000_000,
        )


def _weighed(said: str, key: str, pictures: list[bytes]) -> Row:
    ours, peer = fmean(map(len, pictures)), fmean(map(_saved, pictures))
    most, ratio = LARGE.get(key, 48), ours / peer
    met = ratio <= 0.5 and ours <= most * 1024
    return Row(
        said, f"{ours / 1024:.1f} KiB", f"{peer / 1024:.1f} KiB Pillow", f"{ratio:.3f}", f"<= 0.5, <= {most} KiB", met
    )


def _saved(picture: bytes) -> int:
    out = io.BytesIO()
    Image.open(io.BytesIO(picture)).convert("RGB").save(out, "PNG")
    return out.tell()


def _scanlines(data: bytes) -> bytes:
    picture = Image.open(io.BytesIO(data))
    pixels, width = picture.tobytes(), picture.width
    return b"".join(b"\0" + pixels[at : at + width] for at in range(0, len(pixels), width))
