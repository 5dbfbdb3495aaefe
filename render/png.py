"""Palette PNGs in bands of rows: every band is deflated on its own and kept, so a new picture costs its new bands."""

import struct
import zlib
from dataclasses import dataclass

BAND = 16
"""Rows to a band beside the board; heights are multiples of it."""
ADLER = 65521
SIGNATURE = b"\x89PNG\r\n\x1a\n"
STREAM_HEAD = b"\x78\x9c"
STREAM_END = b"\x03\x00"
"""An empty last block."""
HASTY, QUICK, THOROUGH = 3, 4, 8
"""Levels of deflate: for what one picture alone shows, for what the next picture waits for, and for what is kept."""


@dataclass(frozen=True, slots=True, eq=False)
class Band:
    """One band as it stands in the file, and its share of the whole picture's check sum."""

    data: bytes
    """Deflated; ends on a whole byte, and needs nothing before it."""
    sum: int
    """Of its bytes."""
    weighted: int
    """Its share of Adler's second sum, counted to the end of the picture."""


class Deflater:
    """Deflates bands, each readable without those before it.

    One compressor serves for ever: a full flush ends a band on a byte and forgets all before it,
    and costs far less than a new compressor. `Z_FILTERED` ignores the shortest repetitions, which are not worth
    their distance where single pixels take four bits.
    """

    def __init__(self, level: int):
        self._deflate = zlib.compressobj(level, zlib.DEFLATED, -15, 8, zlib.Z_FILTERED)

    def band(self, rows: bytes | memoryview, after: int) -> Band:
        """A band with so many bytes of the picture after it."""
        data = self._deflate.compress(rows) + self._deflate.flush(zlib.Z_FULL_FLUSH)
        check = zlib.adler32(rows)
        total = (check & 0xFFFF) - 1
        return Band(data, total, (check >> 16) - len(rows) + total * after)


def chunk(name: bytes, data: bytes) -> bytes:
    """A chunk of a PNG file."""
    body = name + data
    return struct.pack(">I", len(data)) + body + struct.pack(">I", zlib.crc32(body))


def head(width: int, height: int, colours: bytes) -> bytes:
    """All before the first band."""
    size = struct.pack(">IIBBBBB", width, height, 8, 3, 0, 0, 0)
    return SIGNATURE + chunk(b"IHDR", size) + chunk(b"PLTE", colours)


def assemble(opening: bytes, bands: list[Band], size: int) -> bytes:
    """The file: its head, its bands and the check sum of all `size` bytes of scanlines."""
    low = (1 + sum(band.sum for band in bands)) % ADLER
    high = (size + sum(band.weighted for band in bands)) % ADLER
    stream = [STREAM_HEAD, *[band.data for band in bands], STREAM_END, struct.pack(">HH", high, low)]
    # One chunk for all: a chunk for each band would save no time, and cost 12 bytes each.
    return opening + chunk(b"IDAT", b"".join(stream)) + chunk(b"IEND", b"")
