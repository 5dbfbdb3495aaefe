"""An evening of play in which something goes wrong, drawn from a seed, and the history that it leaves.

Two people play two matches at a time, of any game. What cannot be stored is said again under its own id, as platforms
and `Patience` do; whoever speaks writes down what they say before they say it, and that it was acknowledged after.
"""

import asyncio
import time
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path
from random import Random
from typing import Any

from bot.messages.model import IncomingMessage, OutgoingMessage, Person, Place
from bot.runtime.downtime import Downtime
from bot.runtime.outbox import OutboxRelay, Paint
from bot.runtime.scheduler import Scheduler
from bot.service.service import Service
from engine.games import GAMES
from engine.match.state import Match
from storage.sqlite.store import SqliteStore
from storage.store import Change, Outgoing
from tests.faults.bot import DATABASE, KEY, Wall, append, paint
from tests.faults.history import Said
from tests.told import Clock
from tests.year.people import line

PLAYERS = ("Anna", "Ben")
MATCHES = 2
ROUNDS, BEFORE, MEANWHILE = 3, 3, 5
"""Times that trouble comes, and how much is said before and meanwhile."""
MINUTE = 60.0


class Evening:
    """One run."""

    def __init__(self, folder: Path, chance: Random, paint: Paint = paint):
        self.folder = folder
        self.chance = chance
        self.paint = paint
        self.clock = Clock()
        self.up = 10**9
        """For how many milliseconds the machine has been on; nobody sets that."""
        self.said = 0
        self.waiting: list[IncomingMessage] = []
        """What could not be stored yet."""
        self.wall: Wall = Wall(folder / "wall")
        self.pause = 0.0
        """Seconds that the disk takes for a commit."""

    async def start(self) -> None:
        """The bot starts."""
        self.store = await self.opened()
        self.service = Service(
            self.store, now=self.clock.now, seed=lambda: self.chance.randbytes(32), committed=self._committed
        )
        self.relay = OutboxRelay(self.store, {"web": self}, self.paint, self.clock.now, self.clock.wait)
        self.downtime = Downtime(self.store, self.service.credit, self.clock.now, lambda: ("start", self.up))
        self.scheduler = Scheduler(
            self.store, self.service.alarm_fired, self.clock.now, self.clock.wait, held=self.downtime.held
        )
        self.receive = self.downtime.before(self.service.receive)
        self.tasks = [asyncio.create_task(self.relay.run()), asyncio.create_task(self.scheduler.run())]

    async def opened(self) -> Any:
        """The store, on the kind of database that the evening is on."""
        return await SqliteStore.open(self.folder / DATABASE, KEY, watch=self._written)

    async def ended(self) -> None:
        """What it leaves is in the file that histories are read from."""

    async def stop(self) -> None:
        """It stops, at once: what is in flight has perhaps arrived, and is not noted."""
        for task in (*self.tasks, *self.relay._tasks):
            task.cancel()
        await asyncio.gather(*self.tasks, return_exceptions=True)
        await self.store.close()

    # --- what the bot needs -----------------------------------------------------------------------------------
    platform = "web"

    async def deliver(self, post: OutgoingMessage, image: bytes | None) -> str:
        return await self.wall.deliver(post, image)

    def _committed(self, change: Change, waiting: Sequence[Outgoing]) -> None:
        self.relay.committed(change, waiting)
        self.scheduler.committed(change, waiting)

    def _written(self, statement: str) -> None:
        if statement == "COMMIT" and self.pause:
            time.sleep(self.pause)  # on the writer's own thread: that is what a slow disk is

    # --- what people do ---------------------------------------------------------------------------------------
    async def play(self, lines: int) -> None:
        """So much is said by whoever is to act; what waits is said again first."""
        for _ in range(lines):
            await self.again()
            if message := await self._line():
                await self.say(message)
            self.pass_(MINUTE)

    async def again(self) -> None:
        """What could not be stored is said once more."""
        waiting, self.waiting = self.waiting, []
        for message in waiting:
            await self.say(message)

    async def say(self, message: IncomingMessage) -> None:
        """It is said, and acknowledged if it could be stored."""
        try:
            await self.receive(message)
        except (OSError, asyncio.CancelledError):
            self.waiting.append(message)
        else:
            append(self.folder / "acknowledged", message.id)
            self.relay.nudge()
            if self.chance.random() < 0.1:  # the platform tells of it twice
                with suppress(OSError, asyncio.CancelledError):
                    await self.receive(message)

    async def _line(self) -> IncomingMessage | None:
        """What is said next; nothing while each match waits for something that was said."""
        unheard = {message.text.split()[1] for message in self.waiting}
        matches = [match for match in await self._live() if match.id not in unheard]
        if not matches:
            busy = any(message.text.startswith("challenge") for message in self.waiting)
            return None if busy or unheard else self.message("Anna", self._challenge())
        if len(matches) + len(unheard) < MATCHES and not self.waiting:
            return self.message("Anna", self._challenge())
        match = self.chance.choice(matches)
        if match.status == "open":
            return self.message("Ben", f"accept {match.id}")
        if not match.sides_to_act:
            return None
        side = match.sides_to_act[0]
        words = line(match, side, self.chance)
        who = next(name for name in PLAYERS if match.seats[side] == f"web:{name.lower()}")
        verb, number, *text = words.removesuffix(" sure").split(" ", 2)
        return self.message(who, words, Said("", number, match.turns_made, text[0]) if verb == "move" else None)

    def message(self, who: str, text: str, turn: Said | None = None) -> IncomingMessage:
        """A line, written down."""
        self.said += 1
        id_ = f"web:{self.said}"
        (Said(id_, turn.match, turn.seen, turn.text) if turn else Said(id_)).note(self.folder)
        return IncomingMessage(
            id_, Person("web", who.lower(), who), Place("web", "lounge"), text, self.clock.now(), server="room"
        )

    def _challenge(self) -> str:
        return f"challenge @ben {self.chance.choice(sorted(GAMES))} umpire=friendly time=3d"

    async def _live(self) -> list[Match]:
        """The matches that are open or running."""
        found = []
        with suppress(OSError):
            for status in ("open", "running"):
                for summary in await self.store.matches(status=status):
                    with suppress(OSError):
                        if (match := await self.service.repository.match(summary.match)) is not None:
                            found.append(match)
        return found

    # --- time -------------------------------------------------------------------------------------------------
    def pass_(self, seconds: float) -> None:
        """So much later, by the clock and by the machine."""
        self.up += int(seconds * 1000)
        self.clock.pass_(seconds)

    async def rest(self) -> None:
        """Until all has been said, posted and seen."""
        while self.waiting:
            await self.again()
            self.pass_(1)
        while await self.store.due(self.clock.now()) or await self.store.waiting(1 << 62):
            await self.clock.asleep()
            self.pass_(1)
            self.relay.nudge()
