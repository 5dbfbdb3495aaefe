"""A match as a moving picture, or as a sheet of many boards: diagrams painted on boards that all lie alike."""

import io
import math
from collections.abc import Sequence
from dataclasses import replace
from itertools import groupby, pairwise

from PIL import Image, ImageChops

from engine.diagram import Diagram
from render.painter import Painter
from render.view import View

SIZE = 480
"""Longer side of a frame in pixels."""
STEP, FAULT, LAST = 900, 2500, 4000
"""Milliseconds for which a turn, what a callout points at, and the end are shown."""
CLEAR = 255
"""Number of the colour that shows the frame before."""
CHANGED = [0] + [255] * 255
MOST_ON_SHEET, COLUMNS = 24, 4
"""Boards on a sheet, and how many lie side by side."""


def animated(diagrams: Sequence[Diagram], view: View, form: str) -> bytes:
    """Returns diagrams, one after the other, as an animated WebP ("webp") or GIF ("gif")."""
    shown = [next(same) for _, same in groupby(diagrams)]
    frames = _painted(shown, view)
    times = [FAULT if any(mark.kind == "culprit" for mark in diagram.marks) else STEP for diagram in shown]
    times[-1] = LAST
    file = io.BytesIO()
    if form == "webp":
        first, *others = frames
        how = {"lossless": True, "quality": 30, "method": 2, "minimize_size": True}
        first.save(file, "WEBP", save_all=True, append_images=others, duration=times, loop=0, **how)
    else:
        first, *others = [frames[0], *map(_changes, pairwise(frames))]
        how = {"transparency": CLEAR, "disposal": 1, "optimize": False}
        first.save(file, "GIF", save_all=True, append_images=others, duration=times, loop=0, **how)
    return file.getvalue()


def _changes(pair: tuple[Image.Image, Image.Image]) -> Image.Image:
    """Returns what a frame changes on the one before it; all else is clear."""
    before, now = (Image.frombytes("L", frame.size, frame.tobytes()) for frame in pair)
    changed = ImageChops.difference(before, now).point(CHANGED, "1")
    drawn = Image.new("L", now.size, CLEAR)
    drawn.paste(now, mask=changed)
    frame = Image.frombytes("P", now.size, drawn.tobytes())
    frame.putpalette(pair[1].getpalette() or [])
    return frame


def sheet(diagrams: Sequence[Diagram], view: View) -> bytes:
    """Returns the last diagrams side by side, line by line, as PNG."""
    frames = _painted([next(same) for _, same in groupby(diagrams)][-MOST_ON_SHEET:], view)
    wide, high = frames[0].size
    columns = min(COLUMNS, len(frames))
    size = columns * wide, math.ceil(len(frames) / columns) * high
    whole = Image.new("P", size, frames[0].getpixel((0, 0)))
    whole.putpalette(frames[0].getpalette() or [])
    for number, frame in enumerate(frames):
        whole.paste(frame, (number % columns * wide, number // columns * high))
    file = io.BytesIO()
    whole.save(file, "PNG", compress_level=6)
    return file.getvalue()


def _painted(diagrams: Sequence[Diagram], view: View) -> list[Image.Image]:
    """Returns the pictures of diagrams, all of one size and with one palette."""
    painter, small = Painter(), replace(view, size=view.size or SIZE)
    lying = replace(small, room=painter.room(diagrams, small))
    return [Image.open(io.BytesIO(painter.paint(diagram, lying, hurried=True))) for diagram in diagrams]
