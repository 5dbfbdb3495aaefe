"""Riposte on Matrix in a process of its own, which a test kills or which kills itself.

    python -m tests.adapters.matrix_program FOLDER HOMESERVER USER WORDS

It dies when it has delivered these words, between the homeserver's yes and our own note of it; without any it waits to
be killed.
"""

import asyncio
import os
import signal
import sys
from pathlib import Path

from bot.adapters.matrix import MatrixAdapter
from bot.messages.model import OutgoingMessage
from tests.adapters.matrix_room import Bot


class Mortal(MatrixAdapter):
    """Delivers what it is told and is no more."""

    last = ""

    async def deliver(self, post: OutgoingMessage, image: bytes | None) -> str:
        remote = await super().deliver(post, image)
        if Mortal.last and Mortal.last in str(post.text):
            os.kill(os.getpid(), signal.SIGKILL)
        return remote


class Program(Bot):
    """Riposte whose adapter is mortal."""

    kind = Mortal


async def main(folder: str, address: str, user: str, last: str) -> None:
    Mortal.last = last
    bot = Program(address, Path(folder), user)
    await bot.start()
    print("started", flush=True)
    raise await bot.ended() or AssertionError("it went away")


if __name__ == "__main__":
    asyncio.run(main(*sys.argv[1:]))
