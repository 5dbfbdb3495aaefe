"""What has changed of files since they were last looked at, block by block, and files made of such pieces again."""

from collections.abc import Iterator, Mapping
from hashlib import blake2b
from itertools import count
from pathlib import Path
from typing import Final

import msgspec

BLOCK: Final = 16 * 1024
"""Bytes that are compared and sent as one: a turn changes some pages of 4 kB in different places."""
PART: Final = 1024 * 1024
"""Bytes of pieces that are sealed and sent as one object: few enough for a slow line."""
NONE: Final = -1
"""The block of a piece that tells only how long its file is."""


class Piece(msgspec.Struct, array_like=True):
    """A block of a file."""

    name: str
    """Its path below the folder."""
    size: int
    """Bytes of the whole file; -1 = it is gone."""
    block: int
    data: bytes


class Known(msgspec.Struct):
    """A file as it was last sent."""

    size: int
    digests: list[bytes]


def changed(name: str, path: Path, known: Known | None, looked: dict[str, Known]) -> Iterator[Piece]:
    """Yields the blocks of a file that are not as they are known; notes in `looked` how it is."""
    size, digests, told = path.stat().st_size, list[bytes](), False
    with path.open("rb") as file:
        for block in count():
            if not (data := file.read(BLOCK)):
                break
            digests.append(digest := blake2b(data, digest_size=16).digest())
            if known is None or block >= len(known.digests) or known.digests[block] != digest:
                told = True
                yield Piece(name, size, block, data)
    if not told and (known is None or known.size != size):
        yield Piece(name, size, NONE, b"")
    looked[name] = Known(size, digests)


def parts(files: Mapping[str, Path], known: Mapping[str, Known], looked: dict[str, Known]) -> Iterator[bytes]:
    """Yields what has changed of files, and which of those that are known are gone, in parts of some size."""
    pieces, size = list[Piece](), 0
    for name, path in files.items():
        for piece in changed(name, path, known.get(name), looked):
            pieces.append(piece)
            size += len(piece.data)
            if size >= PART:
                yield msgspec.msgpack.encode(pieces)
                pieces, size = [], 0
    pieces += [Piece(name, NONE, NONE, b"") for name in known if name not in files]
    if pieces:
        yield msgspec.msgpack.encode(pieces)


def put_in_place(part: bytes, folder: Path) -> None:
    """Write the pieces of a part into the files of a folder. Raises OSError for one that leads elsewhere."""
    for piece in msgspec.msgpack.decode(part, type=list[Piece]):
        path = folder / piece.name
        if not path.resolve().is_relative_to(folder.resolve()):
            raise OSError(f"{piece.name} leads out of the folder")
        if piece.size == NONE:
            path.unlink(missing_ok=True)
            continue
        path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        path.touch(mode=0o600)
        with path.open("r+b") as file:
            if piece.block != NONE:
                file.seek(piece.block * BLOCK)
                file.write(piece.data)
            file.truncate(piece.size)
