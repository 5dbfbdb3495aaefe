"""`python -m tools.trace_turn [game]`: the modules that a turn of chat passes on its way from message to commit.

The walk goes from function to function in the order in which they start; an arrow leads from one module to the next.
Comprehensions are part of the function they stand in, and a coroutine or generator that goes on after a pause does not
start again. What runs on the database's and the painter's threads is not followed.
"""

import asyncio
import sys
import tempfile
from collections import Counter
from pathlib import Path
from types import FrameType
from typing import Any

from bot.messages.model import IncomingMessage, Person, Place
from bot.service.service import Service
from engine.match.state import Match
from storage import open_store

ROOT = Path(__file__).parents[1]
ROOMS = ("bot", "engine", "render", "storage")
WARM_UP = 4
"""Turns before the one that is traced: by then, everything is imported and cached."""
START = 1_800_000_000_000


class Trace:
    """Notes the walk while it is installed."""

    def __init__(self) -> None:
        self.walk: list[str] = []
        self._seen: set[FrameType] = set()
        self._rooms: dict[str, str] = {}

    def __enter__(self) -> "Trace":
        sys.setprofile(self._note)
        return self

    def __exit__(self, *_: object) -> None:
        sys.setprofile(None)

    def _note(self, frame: FrameType, event: str, _argument: Any) -> None:
        if event != "call" or frame in self._seen or frame.f_code.co_name.startswith("<"):
            return
        room = self._room(frame)
        if room:
            self._seen.add(frame)
            if self.walk[-1:] != [room]:
                self.walk.append(room)

    def _room(self, frame: FrameType) -> str:
        """The module that a frame runs in, "" if it is none of ours."""
        file = frame.f_code.co_filename
        if file not in self._rooms:
            path = Path(file)
            parts = path.relative_to(ROOT).with_suffix("").parts if path.is_relative_to(ROOT) else ()
            inside = bool(parts) and parts[0] in ROOMS
            self._rooms[file] = ".".join(part for part in parts if part != "__init__") if inside else ""
        return self._rooms[file]


async def traced(game: str, folder: Path) -> Trace:
    """Returns the trace of one turn of a match that has been going on for some."""
    store = await open_store(folder / "riposte.db")
    now, number = START, 0
    service = Service(store, now=lambda: now, seed=lambda: bytes(32))

    def message(name: str, text: str, thread: str = "") -> IncomingMessage:
        nonlocal now, number
        now, number = now + 60_000, number + 1
        return IncomingMessage(f"web:{number}", Person("web", name, name), Place("web", "lounge", thread), text, now)

    async def standing() -> Match:
        match = await service.repository.match("1")
        assert match is not None, "it was challenged"
        return match

    async def next_turn() -> IncomingMessage:
        match = await standing()
        turn = match.game.write(next(iter(match.game.turns(match.position))), match.position)
        player = match.seats[match.game.to_act(match.position)]
        return message(player.partition(":")[2], turn, "1")

    try:
        await service.receive(message("anna", f"challenge @ben {game} umpire=turn"))
        await service.receive(message("ben", "accept 1"))
        for _ in range(WARM_UP):
            await service.receive(await next_turn())
        turn, before = await next_turn(), (await standing()).turns_made
        with Trace() as trace:
            await service.receive(turn)
        assert (await standing()).turns_made == before + 1, "the turn was made"
        return trace
    finally:
        await store.close()


def main(arguments: list[str]) -> None:
    """Print the walk, then how often each module is entered."""
    game = arguments[0] if arguments else "tokonoma"
    with tempfile.TemporaryDirectory() as folder:
        walk = asyncio.run(traced(game, Path(folder))).walk
    print(*walk, sep="\n")
    print(f"\n{len(walk) - 1} arrows between {len(set(walk))} modules in one turn of {game}; entered:")
    for room, times in Counter(walk).most_common():
        print(f"{times:5}  {room}")


if __name__ == "__main__":
    main(sys.argv[1:])
