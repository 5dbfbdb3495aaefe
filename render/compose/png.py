"""Palette PNGs in bands of rows, each deflated on its own, so that a new picture costs only its new bands."""

import struct
import zlib
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from typing import Any, Literal, TypeAlias

ADLER = 65521
SIGNATURE = b"\x89PNG\r\n\x1a\n"
STREAM_HEAD = b"\x78\x9c"
STREAM_END = b"\x03\x00"
"""An empty last block."""

Use: TypeAlias = Literal["kept", "polished", "lasting", "quick"]
"""What a band is deflated for: the empty board; later pictures, once nobody waits any more; the first picture on a
board; all others, as quickly as possible."""


@dataclass(frozen=True, slots=True, eq=False)
class Codec:
    """The functions that deflate and sum up."""

    compressors: Mapping[Use, Callable[[], Any]]
    """Each begins a raw stream."""
    crc32: Callable[[bytes, int], int]
    """Continues the sum of what came before."""
    adler32: Callable[[bytes | memoryview], int]


def _zlib(level: int) -> Callable[[], Any]:
    # `Z_FILTERED` ignores the shortest repetitions, which are not worth their distance where single pixels
    # take four bits.
    return lambda: zlib.compressobj(level, zlib.DEFLATED, -15, 8, zlib.Z_FILTERED)


LEVELS: Mapping[Use, int] = {"kept": 8, "polished": 6, "lasting": 5, "quick": 2}
STDLIB = Codec({use: _zlib(level) for use, level in LEVELS.items()}, zlib.crc32, zlib.adler32)
"""In every Python."""


def _fastest() -> Codec:
    """Returns a codec with ISA-L for quick bands, where there is a build of it: as small as zlib's level 3, in a third
    to a sixth of the time."""
    try:
        from isal import isal_zlib
    except ImportError:
        return STDLIB

    def quick() -> Any:
        return isal_zlib.compressobj(1, isal_zlib.DEFLATED, -15)

    return Codec({**STDLIB.compressors, "quick": quick}, isal_zlib.crc32, isal_zlib.adler32)


FASTEST = _fastest()
"""The quickest on this machine."""


@dataclass(slots=True, eq=False)
class Band:
    """One band of the file, and its share of the whole picture's check sum."""

    data: bytes
    """Deflated; ends on a whole byte, and needs nothing before it. May be replaced by the same in fewer bytes."""
    sum: int
    """Of its bytes."""
    weighted: int
    """Its share of Adler's second sum, counted to the end of the picture."""
    weight: int
    """Bytes that it takes at most, about."""

    def before(self, more: int) -> "Band":
        """Returns the same with so many more bytes of the picture after it."""
        return replace(self, weighted=self.weighted + more * self.sum) if more else self


NOTHING = Band(b"", 0, 0, 0)
"""Stands for a band that was deflated together with the one before it."""


class Deflater:
    """Deflates bands, each readable without those before it.

    One compressor is used again and again: a full flush ends a band on a byte and forgets all before it,
    and costs far less than a new compressor.
    """

    def __init__(self, codec: Codec):
        self._codec = codec
        self._compressors = {use: begin() for use, begin in codec.compressors.items()}

    def band(self, rows: bytes | memoryview, after: int, use: Use) -> Band:
        """Deflates a band with so many bytes of the picture after it."""
        data = self._deflated(rows, use)
        check = self._codec.adler32(rows)
        total = (check & 0xFFFF) - 1
        return Band(data, total, (check >> 16) - len(rows) + total * after, len(data) + 300)

    def polish(self, band: Band) -> None:
        """Deflates a quick band again, and better."""
        rows = zlib.decompressobj(-15).decompress(band.data)
        band.data = min(band.data, self._deflated(rows, "polished"), key=len)

    def _deflated(self, rows: bytes | memoryview, use: Use) -> bytes:
        compressor = self._compressors[use]
        data: bytes = compressor.compress(rows) + compressor.flush(zlib.Z_FULL_FLUSH)
        return data

    def assemble(self, opening: bytes, bands: list[Band], size: int) -> bytes:
        """Returns the file: its head, its bands and the check sum of all `size` bytes of scanlines."""
        low = (1 + sum([band.sum for band in bands])) % ADLER
        high = (size + sum([band.weighted for band in bands])) % ADLER
        stream = [b"IDAT", STREAM_HEAD, *[band.data for band in bands], STREAM_END, struct.pack(">HH", high, low)]
        # One chunk for all: a chunk for each band would save little time, and cost 12 bytes each.
        length, check = sum(map(len, stream)) - 4, 0
        for part in stream:
            check = self._codec.crc32(part, check)
        return b"".join((opening, struct.pack(">I", length), *stream, struct.pack(">I", check), END))


def chunk(name: bytes, data: bytes) -> bytes:
    """Returns a chunk of a PNG file."""
    body = name + data
    return struct.pack(">I", len(data)) + body + struct.pack(">I", zlib.crc32(body))


END = chunk(b"IEND", b"")


def head(width: int, height: int, colours: bytes) -> bytes:
    """Returns all that stands before the first band."""
    size = struct.pack(">IIBBBBB", width, height, 8, 3, 0, 0, 0)
    return SIGNATURE + chunk(b"IHDR", size) + chunk(b"PLTE", colours)
