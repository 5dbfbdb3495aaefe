"""A second PNG decoder, written from the format's specification alone, to hold our files against."""

import struct
import zlib


def decode(data: bytes) -> tuple[int, int, bytes]:
    """Width, height and RGB bytes of an 8-bit palette PNG; every check sum is checked."""
    assert data[:8] == b"\x89PNG\r\n\x1a\n"
    at, stream, palette, size, names = 8, b"", b"", (0, 0), []
    while at < len(data):
        (length,) = struct.unpack(">I", data[at : at + 4])
        name, body = data[at + 4 : at + 8], data[at + 8 : at + 8 + length]
        assert struct.unpack(">I", data[at + 8 + length : at + 12 + length]) == (zlib.crc32(name + body),)
        names.append(name)
        if name == b"IHDR":
            width, height, *rest = struct.unpack(">IIBBBBB", body)
            assert rest == [8, 3, 0, 0, 0]
            size = width, height
        elif name == b"PLTE":
            palette = body
        elif name == b"IDAT":
            stream += body
        at += 12 + length
    assert names[0] == b"IHDR"
    assert names[-1] == b"IEND"
    rows = zlib.decompress(stream)
    width, height = size
    assert len(rows) == (width + 1) * height
    colours = [palette[i : i + 3] for i in range(0, len(palette), 3)]
    out = []
    for y in range(height):
        row = rows[y * (width + 1) : (y + 1) * (width + 1)]
        assert row[0] == 0, "we write no filters"
        out.extend(colours[i] for i in row[1:])
    return width, height, b"".join(out)
