"""Whatever anybody types, whenever: nothing breaks, a refusal changes nothing and is told to its speaker alone.

RIPOSTE_EXAMPLES=500 goes on for longer, with new words every time.
"""

import asyncio
import os
import tempfile
from itertools import islice
from pathlib import Path
from random import Random

from hypothesis import Phase, given, settings
from hypothesis import strategies as st

from bot.commands.parser import ParsedCommand, read_command
from bot.commands.spec import BY_NAME, COMMANDS
from bot.messages.model import OutgoingMessage
from bot.messages.serialization import read_event
from bot.service.transaction import SORRY
from engine.games import GAMES
from engine.match.alarms import alarms
from engine.match.evolve import replay
from engine.match.record.read import read_record, replayed
from engine.match.record.write import record_of
from engine.match.state import Match
from engine.match.terms import sheet
from storage.store import Alarm
from tests.chat_room import DAY, HOUR, MINUTE, ChatRoom, open_room

EXAMPLES = int(os.environ.get("RIPOSTE_EXAMPLES", "6"))
STEPS = 60
"""What happens in one evening."""

PEOPLE = ("Anna", "Ben", "Carol", "Dave")
TIMES = ("none", "1d", "3d", "1h", "5d+1h", "hourglass2d")

ODD = (
    "", "0", "1", "2", "99999", "999999999", "1 @1", "1 @2", "@1", "@", "1 draw", "takeback", "yes", "all", "legal",
    "dark", "c7c5", "c9c5", "pass", "`c7c5`", "\u202ec7c5", "a\x00b", "\u0661", "ß" * 700, "@ben", "@anna tokonoma",
    "umpire=turn", "time=", "=", "players=9", "side=w", "1 time=1d umpire=sudden", "\n", "tokonoma 1", "1: c7c5",
    "#1 c7c5", "1 " + "c7 " * 300, "''", "{}", "%s %d", "\ud800", "tokonoma start=\"", "1 sure", "/" * 9, "@@@@ veney",
)  # fmt: skip
WANTED = (
    *("call",) * 8, *("ok", "draw", "accept", "decline", "takeback") * 3, "anew", "resign yes", "abort", "export",
    "board", "board legal", "board all", "turns", "look a1", "terms", "rules", "link 1", "matches", "secret x",
)  # fmt: skip


@settings(
    max_examples=EXAMPLES,
    deadline=None,
    derandomize="RIPOSTE_EXAMPLES" not in os.environ,
    phases=(Phase.explicit, Phase.reuse, Phase.generate),  # the transcript of an evening tells more than a small one
)
@given(chance=st.randoms(use_true_random=True), odd=st.lists(st.text(max_size=12), max_size=20))
def test_nothing_that_is_said_breaks_the_house(chance: Random, odd: list[str]) -> None:
    with tempfile.TemporaryDirectory() as folder:
        asyncio.run(_spend(Path(folder), chance, (*ODD, *odd)))


async def _spend(folder: Path, chance: Random, odd: tuple[str, ...]) -> None:
    evening = Evening(await open_room(folder), chance, odd)
    try:
        await evening.begin()
        for _ in range(STEPS):
            await evening.step()
    except BaseException:
        print("\n".join(ascii(line)[1:-1] for line in evening.room.lines[-60:]))
        raise
    finally:
        await evening.room.store.close()


class Evening:
    """Four people in a room, and every promise of the house looked after at each word."""

    def __init__(self, room: ChatRoom, chance: Random, odd: tuple[str, ...]) -> None:
        self.room = room
        self.chance = chance
        self.odd = odd

    # --- what happens -------------------------------------------------------------------------------------
    async def begin(self) -> None:
        """Anna and Ben have a match."""
        game = GAMES[self.chance.choice(list(GAMES))]
        umpire = self.chance.choice(("refuse", *game.penalties))
        await self.say("Anna", f"challenge @ben {game.key} umpire={umpire} time={self.chance.choice(TIMES)}")
        await self.say("Ben", "accept 1")

    async def step(self) -> None:
        """Something happens."""
        deeds = (self.talk, self.challenge, self.join, self.want, self.press, self.wait, self.restart, self.hurry)
        await self.chance.choices((self.turn, *deeds, self.clock), (12, 4, 1, 2, 6, 3, 1, 1, 1, 1))[0]()

    async def talk(self) -> None:
        """Somebody says something, which may be anything."""
        chance, odd = self.chance, self.chance.choice(self.odd)
        number = chance.choice(("", "1 ", "2 ", "1 @1 ", "1 @2 "))
        text = chance.choice(
            (
                odd,
                f"{chance.choice(('', '', '!', '/'))}{chance.choice(sorted(BY_NAME))} {number}{odd}",
                chance.choice(COMMANDS).example,
                f"counter {number}{chance.choice(('time=5d', 'umpire=turn', 'players=3', 'side=lot'))}",
            )
        )
        await self.say(chance.choice(PEOPLE), text, chance.choice(("1", "1", "2", "")))

    async def challenge(self) -> None:
        """A challenge that will mostly do."""
        chance = self.chance
        game = GAMES[chance.choice(list(GAMES))]
        names = chance.sample([person.lower() for person in PEOPLE], chance.randrange(3))
        terms = {"umpire": chance.choice(("refuse", *game.penalties)), "time": chance.choice(TIMES)}
        for option in chance.sample(sheet(game), chance.randrange(3)):
            terms.setdefault(option.key, chance.choice((*option.values, option.default, "3")))
        words = ["challenge", game.key, *(f"@{name}" for name in names), *map("=".join, terms.items())]
        await self.say(chance.choice(PEOPLE), " ".join(words))

    async def join(self) -> None:
        """Somebody of whom it is expected accepts, or somebody else."""
        waiting = await self.matches("open")
        if waiting:
            match = self.chance.choice(waiting)
            missing = [_name(player) for player in match.parties if player not in match.joined]
            await self.say(self.chance.choice(missing or PEOPLE), f"accept {match.id}")

    async def want(self) -> None:
        """A player wants something of a match."""
        running = await self.matches("running")
        if running:
            match = self.chance.choice(running)
            who = _name(self.chance.choice(list(match.seats.values())))
            await self.say(who, self.chance.choice(WANTED), match.id)

    async def press(self) -> None:
        """Somebody presses a button, perhaps of long ago."""
        choices = [(choice, post.where.thread) for post in self.room.posts for choice in post.choices]
        if choices:
            choice, thread = self.chance.choice((*choices, *choices[-3:] * 5))
            await self.say(self.chance.choice(PEOPLE), choice.command, thread)

    async def wait(self) -> None:
        """Time passes."""
        posts = await self.room.wait(self.chance.choice((MINUTE, HOUR, DAY, 4 * DAY)))
        await self.look(posts, [match.id for match in await self.matches()])

    async def clock(self) -> None:
        """Somebody sets the machine's clock back."""
        self.room.now -= self.chance.choice((MINUTE, HOUR, DAY))

    async def restart(self) -> None:
        """The bot is started again."""
        self.room.restart()

    async def hurry(self) -> None:
        """Two speak at once, and a platform tells us of one of them twice."""
        texts = [self.chance.choice((*WANTED, *self.odd)) for _ in "ab"]
        said = [self.room.message(self.chance.choice(PEOPLE), text, "1") for text in texts]
        await asyncio.gather(*map(self.room.service.receive, (*said, said[0])))
        await self.look(await self.room.deliver(), [match.id for match in await self.matches()])

    async def turn(self) -> None:
        """Whoever is due makes some turn, tenable or not, or answers in private."""
        running = await self.matches("running")
        if not running:
            return
        match = self.chance.choice(running)
        game = match.game
        asks = game.asks(match.position)
        if asks:
            ask = self.chance.choice(asks)
            await self.say(_name(match.seats[ask.side]), f"secret {match.id} {ask.example}", match.id)
            return
        turns = list(islice(game.candidates(match.position), 200))
        if turns:
            turn = self.chance.choice(turns)
            text = game.write(turn, match.position)
            if self.chance.randrange(3) == 0:  # somewhere else instead, which is mostly untenable
                sites = tuple(game.board(match.position).outlines)
                for move in turn[:1]:
                    text = text.replace(move.target, self.chance.choice(sites)) if move.target else text
            await self.say(_name(match.seats[game.to_act(match.position)]), text, match.id)

    # --- what is promised ---------------------------------------------------------------------------------
    async def say(self, name: str, text: str, thread: str = "") -> None:
        """Somebody says something; what follows is looked at."""
        before = await self.lengths()
        posts = await self.room.say(name, text, thread)
        after = await self.lengths()
        changed = [number for number in after if after[number] != before.get(number)]
        assert len(changed) <= 1, "one message is about one match"
        if not changed:
            assert len(posts) <= 1, "what changes nothing has one answer at most"
            assert all(post.only is not None and post.only.name == name for post in posts), "and for its speaker alone"
        await self.look(posts, changed)

    async def look(self, posts: list[OutgoingMessage], changed: list[str]) -> None:
        """What is posted can be used; what is remembered is what a restart would find."""
        for post in posts:
            assert post.lines != (SORRY,), "a bug"
            assert all(isinstance(read_command(choice.command), ParsedCommand) for choice in post.choices)
            assert post.text, "no empty post"
        for number in changed:
            match = await self.match(number)
            assert await self.room.service.repository.match(number) == match
            due = {alarm for alarm in await self.room.store.due(1 << 60, 1000) if alarm.match == number}
            assert due == {Alarm(number, alarm.kind, alarm.at) for alarm in alarms(match)}
            await self.export(match)

    async def export(self, match: Match) -> None:
        """At every stage a record reads back; it plays up to the same board, unless something in it is sealed."""
        if match.status not in ("running", "over"):
            return
        events = [read_event(record.body) for record in await self.room.store.load(match.id)]
        text = record_of(events, {}, None).write()
        record = read_record(text)
        assert record.write() == text
        if not any(entry.kind == "reply" for entry in record.entries) or match.status == "over":
            *_, (_, reached) = replayed(record, 0)
            assert (reached.status, reached.position, reached.counts) == (match.status, match.position, match.counts)

    # --- helpers ------------------------------------------------------------------------------------------
    async def lengths(self) -> dict[str, int]:
        """How many events each match has."""
        return {m.match: len(await self.room.store.load(m.match)) for m in await self.room.store.matches()}

    async def match(self, number: str) -> Match:
        """A match as its log tells it."""
        match = replay((read_event(record.body) for record in await self.room.store.load(number)), check=True)
        assert match is not None
        return match

    async def matches(self, status: str = "") -> list[Match]:
        """All of them, or those of one status."""
        return [await self.match(m.match) for m in await self.room.store.matches(status=status)]


def _name(player: str) -> str:
    return player.partition(":")[2].title()
