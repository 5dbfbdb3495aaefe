"""Writes the conversations of `tests/conversations` in a language, to be read aloud by whoever did not translate them.

python -m tests.read_aloud de FOLDER         # all of them
python -m tests.read_aloud de FOLDER slow    # those with "slow" in their name
"""

import asyncio
import re
import sys
import tempfile
from pathlib import Path

from storage import open_store
from storage.store import Change
from tests.test_conversations import CONVERSATIONS, replayed

IN_CHANNEL = re.compile(r"^\w+(?: as host)? in ([a-z]+):", re.MULTILINE)


async def told(script: str, code: str, folder: Path) -> list[str]:
    """A conversation's lines, those of Riposte in a language; what people type stays as it is."""
    store = await open_store(folder / "riposte.db")
    owners = ["web//room", *(f"web/{channel}/" for channel in {"lounge", *IN_CHANNEL.findall(script)})]
    await store.commit(Change("language", settings=tuple((owner, "language", code) for owner in owners)))
    await store.close()
    return (await replayed(script, folder)).lines


def main(arguments: list[str]) -> int:
    """Write them."""
    match arguments:
        case [code, folder, *part]:
            Path(folder).mkdir(parents=True, exist_ok=True)
            for path in (one for one in CONVERSATIONS if "".join(part) in one.stem):
                with tempfile.TemporaryDirectory() as database:
                    lines = asyncio.run(told(path.read_text("utf-8"), code, Path(database)))
                (Path(folder) / path.name).write_text("\n".join([*lines, ""]), "utf-8")
            return 0
        case _:
            print(__doc__)
            return 2


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
