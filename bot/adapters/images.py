"""What kind of file a picture is, and how large: from its first bytes."""

from typing import NamedTuple


class Image(NamedTuple):
    """What platforms want to know of a picture before it is there."""

    name: str
    type: str
    width: int
    height: int


def image_of(data: bytes) -> Image:
    """Returns what a PNG, a GIF or an animated WebP is."""
    if data.startswith(b"GIF8"):
        return Image("replay.gif", "image/gif", _little(data[6:8]), _little(data[8:10]))
    if data.startswith(b"RIFF"):
        return Image("replay.webp", "image/webp", _little(data[24:27]) + 1, _little(data[27:30]) + 1)
    return Image("board.png", "image/png", int.from_bytes(data[16:20], "big"), int.from_bytes(data[20:24], "big"))


def _little(raw: bytes) -> int:
    return int.from_bytes(raw, "little")
