"""A year of matches in minutes: people of many habits, zones and vacations, and a clock that is told.

    python -m tests.year [MATCHES] [SEED]

Everything goes through the real service and a real store. Held at every step: no reminder comes twice, none in quiet
hours but with less than four hours left, nobody runs out of time before the instant that was announced; and every
match ends.
"""

import asyncio
import sys
import tempfile
from collections import Counter, defaultdict
from dataclasses import dataclass, field
from itertools import islice
from pathlib import Path
from random import Random
from statistics import median

from bot.calendars import Calendar, quiet_until
from bot.messages.model import OutgoingMessage
from bot.messages.serialization import read_event
from engine.games import GAMES
from engine.match.alarms import deadline
from engine.match.events import Flagged
from engine.match.state import Match
from tests.chat_room import DAY, HOUR, START, ChatRoom, open_room

NAMES = ("anna", "ben", "carol", "dora", "emil", "fay", "gus", "hana")
ZONES = ("Europe/Berlin", "America/New_York", "Asia/Tokyo", "Pacific/Auckland", "America/Sao_Paulo", "Asia/Kathmandu")
CLOCKS = ("1d", "3d", "10d+1d", "5/10d", "hourglass8d")
RESTS = ("usual", "weekend", "none")
URGENT = 4 * HOUR


@dataclass
class Habit:
    """How somebody plays."""

    pace: int
    """Milliseconds after which they usually answer."""
    leaves: float
    """How likely they are to answer nothing any more."""
    gone: set[str] = field(default_factory=set)
    """The matches that they have left so."""


@dataclass
class Year:
    """What has happened."""

    room: ChatRoom
    chance: Random
    habits: dict[str, Habit] = field(default_factory=dict)
    announced: dict[str, int] = field(default_factory=dict)
    """When the time of each match runs out, as it was known last."""
    rung: Counter[tuple[str, int, int]] = field(default_factory=Counter)
    """How often each reminder came: match, since which event it waits, how many were before."""
    notices: Counter[str] = field(default_factory=Counter)
    waits: list[int] = field(default_factory=list)
    endings: Counter[str] = field(default_factory=Counter)

    async def settle(self) -> None:
        """Everybody says where they live and when they want quiet."""
        for number, name in enumerate(NAMES):
            self.habits[name] = Habit(
                self.chance.choice((HOUR, 9 * HOUR, DAY, 2 * DAY)), self.chance.choice((0.0, 0.0, 0.05))
            )
            await self.room.say(name, f"zone {ZONES[number % len(ZONES)]}")
            await self.room.say(name, self.chance.choice(("quiet 22-8", "quiet 0-6", "quiet off", "quiet 23-7")))
            if self.chance.random() < 0.5:
                await self.room.say(name, "vacation auto on")

    async def begin(self, count: int) -> None:
        """Matches of all games on all kinds of terms."""
        for _ in range(count):
            one, other = self.chance.sample(NAMES, 2)
            game, clock, rest = self.chance.choice(sorted(GAMES)), self.chance.choice(CLOCKS), self.chance.choice(RESTS)
            timeout = self.chance.choice(("flag", "flag", "claim"))
            await self.room.say(
                one, f"challenge @{other} {game} time={clock} rest={rest} timeout={timeout} umpire=friendly"
            )
            number = (await self.room.store.matches(limit=1))[0].match
            await self.room.say(other, f"accept {number}")
            await self.note(number)

    async def match(self, number: str) -> Match:
        match = await self.room.service.repository.match(number)
        assert match is not None
        return match

    async def note(self, number: str) -> None:
        """What is known of a match now."""
        match = await self.match(number)
        if match.status == "over":
            assert match.result is not None
            self.endings[match.result.title] += 1
            for stored in await self.room.store.load(number):
                event = read_event(stored.body)
                if isinstance(event, Flagged):
                    assert event.at >= self.announced[number], f"match {number}: flagged early"
            self.announced.pop(number, None)
        elif (due := deadline(match)) is not None:
            self.announced[number] = due

    async def heard(self, posts: list[OutgoingMessage]) -> None:
        """Reminders are looked at as they come."""
        for post in posts:
            for person in post.rings:
                self.notices[person.name] += 1
            if not any("waits for you" in text.template for line in post.lines for text in line):
                continue
            match = await self.match(post.about)
            self.rung[match.id, match.awaits, match.reminded] += 1
            due = deadline(match)
            assert due is not None
            for person in post.rings:
                calendar: Calendar = await self.room.service.repository.calendar(person.key)
                awake = quiet_until(calendar, self.room.now) == self.room.now
                assert awake or due - self.room.now < URGENT, f"match {match.id}: {person.name} is reminded at night"

    async def pass_by(self, until: int) -> None:
        """Time passes, alarm by alarm."""
        while (due := await self.room.store.next_alarm()) is not None and due <= until:
            self.room.now = max(self.room.now, due)
            for alarm in await self.room.store.due(self.room.now):
                await self.room.service.alarm_fired(alarm)
                await self.heard(await self.room.deliver())
                await self.note(alarm.match)
        self.room.now = max(self.room.now, until)

    async def act(self, number: str) -> None:
        """Whoever is awaited does something, or has left; whoever waits claims at last."""
        match = await self.match(number)
        if not match.sides_to_act:
            return
        side = match.sides_to_act[0]
        name = match.seats[side].partition(":")[2]
        habit = self.habits[name]
        other = next((one.partition(":")[2] for one in match.seats.values() if one != match.seats[side]), name)
        if number in habit.gone or self.chance.random() < habit.leaves:
            habit.gone.add(number)
            if match.overrun or match.clock.kind == "none":
                await self.heard(await self.room.say(other, f"claim {number}"))
            await self.note(number)
            return
        self.waits.append(self.room.now - match.turn_started_at)
        await self.heard(await self.room.say(name, self.line(match, side)))
        if self.chance.random() < 0.03:
            extra = self.chance.choice(("pause 3d", "gift 1d", "moretime 1d", "propose time=4d", "takeback", "draw"))
            verb, _, rest = extra.partition(" ")
            await self.heard(await self.room.say(other, f"{verb} {number} {rest}".strip()))
            await self.heard(await self.room.say(name, f"accept {number}"))
        if self.chance.random() < 0.02:
            await self.heard(await self.room.say(name, "vacation 3d"))
        for one in [*self.announced]:
            await self.note(one)

    def line(self, match: Match, side: str) -> str:
        """A turn, or an answer that is owed, in a match."""
        asks = [ask for ask in match.game.asks(match.position) if ask.side == side]
        if asks:
            return f"secret {match.id} {asks[0].example}"
        if match.ending is not None:
            return f"ok {match.id}"
        if match.turns_made > 24:
            return f"resign {match.id} yes"
        turns = list(islice(match.game.turns(match.position), 12))
        if not turns:
            return f"resign {match.id} yes"
        return f"move {match.id} {match.game.write(self.chance.choice(turns), match.position)} sure"


async def year(matches: int, seed: int, folder: Path) -> Year:
    """A year; what must not happen fails it."""
    found = Year(await open_room(folder), Random(seed))
    room = found.room
    try:
        await found.settle()
        await found.begin(matches)
        while running := [one.match for one in await room.store.matches(status="running")]:
            assert room.now < START + 1_000 * DAY, f"these never end: {running}"
            number = found.chance.choice(running)
            match = await found.match(number)
            name = match.seats[match.sides_to_act[0]].partition(":")[2] if match.sides_to_act else NAMES[0]
            share = found.habits[name].pace // max(1, len(running))
            await found.pass_by(room.now + int(share * found.chance.uniform(0.3, 2)))
            if (await found.match(number)).status == "running":
                await found.act(number)
            await found.note(number) if number in found.announced else None
        assert all(count == 1 for count in found.rung.values()), "a reminder came twice"
    finally:
        await room.store.close()
    return found


async def main(matches: int, seed: int) -> None:
    with tempfile.TemporaryDirectory() as folder:
        found = await year(matches, seed, Path(folder))
    days = (found.room.now - START) / DAY
    print(f"{matches} matches, {days:.0f} days, {len(found.waits)} turns; every match has ended")
    print(f"usual wait for a turn: {median(found.waits) / HOUR:.1f} h; reminders: {sum(found.rung.values())}")
    told = defaultdict(float, {name: count / days for name, count in found.notices.items()})
    print("notices per person and day:", ", ".join(f"{name} {told[name]:.2f}" for name in NAMES))
    print("endings:", ", ".join(f"{title} {count}" for title, count in found.endings.most_common()))


if __name__ == "__main__":
    given = [int(word) for word in sys.argv[1:]]
    asyncio.run(main(*(given + [40, 1][len(given) :])))
