"""A year of matches in minutes: people of many habits, zones and vacations, tournaments, and a clock that is told.

    python -m tests.year [MATCHES] [SEED] [FOLDER]

Everything goes through the real service and a real store. Held at every step: no reminder comes twice, none in quiet
hours but with less than four hours left, nobody runs out of time before the instant that was announced; and every
match and every tournament ends. Into FOLDER goes a report with plots.
"""

import heapq
from collections import Counter
from dataclasses import dataclass, field
from pathlib import Path
from random import Random

from bot.messages.model import OutgoingMessage
from bot.messages.serialization import read_event, read_message
from bot.rests.calendars import Calendar, quiet_until
from engine.games import GAMES
from engine.match.alarms import deadline
from engine.match.events import Flagged
from engine.match.state import Match
from storage import open_store
from tests.chat_room import DAY, HOUR, START, ChatRoom
from tests.year.people import Habit, line, people

CLOCKS = ("1d", "3d", "5d", "10d+1d", "20d+1d<30d", "5/10d", "hourglass8d")
RESTS = ("usual", "weekend", "none")
URGENT = 4 * HOUR
SEASON = 240
"""Days within which matches begin."""
CLIMBS = 0.1
"""How likely it is that somebody challenges on the ladder whenever a match begins."""
LONGEST = 1_200
"""Days after which whatever still runs would run for ever."""
CUPS = (
    "round-robin tokonoma Berger Cup seats=8 atonce=3 time=3d",
    "swiss tirachen Open seats=24 rounds=5 time=2d",
    "knockout ironclad Shield seats=16 time=3d",
    "double tokonoma Second Chance seats=11 time=2d",
    'swiss chirality name="Three at a Table" players=3 seats=12 rounds=3 time=3d',
    "ladder veney Season ends=60d time=3d",
)
"""Six tournaments."""


class Room(ChatRoom):
    """A room whose posts are delivered without being read aloud."""

    async def deliver(self) -> list[OutgoingMessage]:
        told: list[OutgoingMessage] = []
        while waiting := await self.store.waiting(self.now):
            for outgoing in waiting:
                await self.store.delivered(outgoing.number, f"remote {outgoing.number}", self.now)
                told.append(read_message(outgoing.message.body))
        self.lines.clear()
        return told

    async def think(self) -> list[OutgoingMessage]:
        return []


@dataclass
class Year:
    """What has happened."""

    room: Room
    chance: Random
    habits: dict[str, Habit]
    due: list[tuple[int, int, str, int]] = field(default_factory=list)
    """When somebody will do something in which match, if it still waits since that event; a heap."""
    turn: int = 0
    announced: dict[str, list[tuple[int, int]]] = field(default_factory=dict)
    """Of each match when it was looked at, and when its time would run out then."""
    planned: dict[str, tuple[int, bool]] = field(default_factory=dict)
    """Since which event each match waits, and whether it can be claimed, when the next to act was found."""
    gone: set[tuple[str, str]] = field(default_factory=set)
    """Who has left which match without a word."""
    rung: Counter[tuple[str, int, int]] = field(default_factory=Counter)
    """How often each reminder came: match, since which event it waits, how many were before."""
    notices: Counter[str] = field(default_factory=Counter)
    waits: list[int] = field(default_factory=list)
    endings: Counter[str] = field(default_factory=Counter)
    games: Counter[str] = field(default_factory=Counter)
    lengths: list[tuple[int, int]] = field(default_factory=list)
    """When each match was known first, and when it ended."""
    first: dict[str, int] = field(default_factory=dict)
    cups: list[str] = field(default_factory=list)

    async def say(self, name: str, text: str) -> None:
        """Somebody writes, and everybody reads what follows."""
        await self.heard(await self.room.say(name, text))

    async def settle(self) -> None:
        """Everybody says where they live and when they want quiet."""
        for name, habit in self.habits.items():
            for text in habit.says:
                await self.say(name, text)

    async def hold_cups(self, count: int) -> None:
        """Tournaments are announced, and joined by whoever likes."""
        for number, cup in enumerate(CUPS[:count], 1):
            names = [*self.habits]
            await self.say(names[number % len(names)], f"tournament {cup}")
            seats = int(next((word[6:] for word in cup.split() if word.startswith("seats=")), "10"))
            joining = self.chance.sample(names, min(seats, len(names)))
            for name in joining:
                await self.say(name, f"join {number}")
            if len(joining) < seats:
                await self.say(names[number % len(names)], f"organise {number} begin")
            self.cups.append(f"t{number}")

    async def begin(self) -> None:
        """Somebody challenges somebody, on whatever terms."""
        several = self.chance.random() < 0.1
        one, *others = self.chance.sample([*self.habits], 3 if several else 2)
        game = "chirality" if several else self.chance.choice(sorted(GAMES))
        clocks = CLOCKS[:-1] if several else CLOCKS
        terms = {
            "time": self.chance.choice(clocks),
            "rest": self.chance.choice(RESTS),
            "timeout": self.chance.choice(("flag", "flag", "claim")),
            "umpire": "friendly",
        } | ({"players": "3"} if several else {})
        invited = " ".join(f"@{other}" for other in others)
        await self.say(one, f"challenge {invited} {game} {' '.join('='.join(term) for term in terms.items())}")
        number = (await self.room.store.matches(limit=1))[0].match
        for other in others:
            await self.say(other, f"accept {number}")
        await self.note(number)

    async def climb(self) -> None:
        """Now and then somebody on a ladder challenges somebody above."""
        for cup in self.cups:
            of = await self.room.service.repository.tournament(cup)
            if of is not None and of.form == "ladder" and of.status == "running" and self.chance.random() < CLIMBS:
                await self.say(self.chance.choice(of.entrants).partition(":")[2], f"climb {of.number}")

    async def match(self, number: str) -> Match:
        match = await self.room.service.repository.match(number)
        assert match is not None
        return match

    async def note(self, number: str) -> None:
        """What is known of a match now, and when somebody will do something about it."""
        match = await self.match(number)
        if match.status == "over":
            if number in self.first:
                await self._over(match)
            return
        if number not in self.first:
            self.first[number] = self.room.now
            self.games[match.game.key] += 1
        if (limit := deadline(match)) is not None:
            self.announced.setdefault(number, []).append((self.room.now, limit))
        stands = match.awaits, bool(match.overrun)
        if not match.sides_to_act or self.planned.get(number) == stands:
            return
        self.planned[number] = stands
        for side in match.sides_to_act:
            name = match.seats[side].partition(":")[2]
            if (name, number) not in self.gone and self.chance.random() >= self.habits[name].leaves:
                self._plan(number, match.awaits, self.habits[name].next_act(self.room.now, self.chance))
                return
            self.gone.add((name, number))
        if match.overrun:
            self._plan(number, match.awaits, self.room.now + self.chance.randrange(HOUR, 3 * DAY))

    def _plan(self, number: str, awaits: int, at: int) -> None:
        self.turn += 1
        heapq.heappush(self.due, (at, self.turn, number, awaits))

    async def _over(self, match: Match) -> None:
        assert match.result is not None
        self.endings[str(match.result.title)] += 1
        self.lengths.append((self.first.pop(match.id), self.room.now))
        announced = self.announced.pop(match.id, [])
        for stored in await self.room.store.load(match.id):
            event = read_event(stored.body)
            if isinstance(event, Flagged):
                limits = [limit for since, limit in announced if since < event.at]
                assert event.at >= limits[-1], f"match {match.id}: flagged early"

    async def heard(self, posts: list[OutgoingMessage]) -> None:
        """Reminders are looked at as they come."""
        touched: dict[str, None] = {}
        for post in posts:
            if post.about:
                touched[post.about] = None
            for person in post.rings:
                self.notices[person.name] += 1
            if not any("waits for you" in text.template for one in post.lines for text in one):
                continue
            match = await self.match(post.about)
            self.rung[match.id, match.awaits, match.reminded] += 1
            assert self.rung[match.id, match.awaits, match.reminded] == 1, f"match {match.id}: a reminder came twice"
            limit = deadline(match)
            assert limit is not None
            for person in post.rings:
                calendar: Calendar = await self.room.service.repository.calendar(person.key)
                awake = quiet_until(calendar, self.room.now) == self.room.now
                assert awake or limit - self.room.now < URGENT, f"match {match.id}: {person.name} is reminded at night"
        for number in touched:
            await self.note(number)

    async def pass_by(self, until: int) -> None:
        """Time passes, alarm by alarm."""
        while (due := await self.room.store.next_alarm()) is not None and due <= until:
            self.room.now = max(self.room.now, due)
            for alarm in await self.room.store.due(self.room.now):
                await self.room.service.alarm_fired(alarm)
                posts = await self.room.deliver()
                await self.heard(posts)
                if alarm.match.isdigit() and not posts:
                    await self.note(alarm.match)
        self.room.now = max(self.room.now, until)

    async def act(self, number: str, awaits: int) -> None:
        """Whoever is awaited does something; whoever waits claims at last."""
        match = await self.match(number)
        if match.status != "running" or match.awaits != awaits or not match.sides_to_act:
            return
        side = match.sides_to_act[0]
        name = match.seats[side].partition(":")[2]
        others = [one.partition(":")[2] for one in match.seats.values() if one != match.seats[side]]
        if match.overrun or (name, number) in self.gone:
            await self.say(self.chance.choice(others), f"claim {number}")
            return
        self.waits.append(self.room.now - match.turn_started_at)
        await self.say(name, line(match, side, self.chance))
        if self.chance.random() < 0.03:
            extra = self.chance.choice(("pause 3d", "gift 1d", "moretime 1d", "propose time=4d", "takeback", "draw"))
            verb, _, rest = extra.partition(" ")
            await self.say(others[0], f"{verb} {number} {rest}".strip())
            if self.chance.random() < 0.6:
                await self.say(name, f"accept {number}")
        if self.chance.random() < 0.01:
            await self.say(name, f"vacation {self.chance.randrange(2, 12)}d")
        if (await self.match(number)).awaits == awaits:  # refused: somebody who is at a loss gives up
            await self.say(name, f"resign {number} yes")


async def year(matches: int, seed: int, folder: Path, *, persons: int = 0, cups: int = 0) -> Year:
    """A year; what must not happen fails it."""
    chance = Random(seed)
    room = Room(await open_store(folder / "riposte.db"))
    found = Year(room, chance, people(persons or max(3, min(200, matches // 2)), chance))
    begins = sorted(START + chance.randrange(1, SEASON * DAY) for _ in range(matches))
    await found.settle()
    await found.hold_cups(cups)
    while begins or found.due or await room.store.matches(status="running", limit=1):
        assert room.now < START + LONGEST * DAY, "something never ends"
        upcoming = [*begins[:1], *(one[0] for one in found.due[:1])]
        alarm = await room.store.next_alarm()
        until = min([*upcoming, *([alarm] if alarm is not None else [])])
        await found.pass_by(until)
        if begins and begins[0] <= room.now:
            begins.pop(0)
            await found.begin()
            await found.climb()
        elif found.due and found.due[0][0] <= room.now:
            _, _, number, awaits = heapq.heappop(found.due)
            await found.act(number, awaits)
    await found.pass_by(room.now + 60 * DAY)
    for cup in found.cups:
        of = await room.service.repository.tournament(cup)
        assert of is not None
        assert of.status == "over", f"{of.name} never ends"
    assert not found.first, "some matches have not ended"
    return found
