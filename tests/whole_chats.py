"""Whole matches in chat at random, on whatever terms: what is typed, called, paused, given up; and their records.

    python -m tests.whole_chats [MATCHES] [SEED]

Each record, as `export` gives it, and the hashes as its thread has them, must be found true by `riposte verify` and by
`docs/verify.py`.
"""

import asyncio
import re
import sys
import tempfile
from collections import Counter
from itertools import islice
from pathlib import Path
from random import Random

from bot.commands.people.privacy import CONFIRM
from bot.messages.model import OutgoingMessage
from engine.game import NotationError
from engine.games import GAMES
from engine.match.state import Match
from engine.match.terms import settled
from tests.chat_room import DAY, HOUR, ChatRoom, open_room
from tests.test_bound_dice import COVERED, found

DUELS = (
    "W: S@W1 D@X4 $@W2 / B: S@X14 $@Z16 / a: - / to: W",
    "W: S@W1 D@X4 $@W2 C@Y2 / B: S@X14 $@Z16 D@Y12 / a: - / to: W",
    "W: S@W1 N@X4 $@W2 / B: S@X14 $@Z16 / a: - / to: W",
    "W: S@W1 C@X9 L@X4 / B: S@Z12 $@Y11 C@Z14 / a: - / to: W",
)
PEOPLE = ("Anna", "Ben", "Cleo", "Dora", "Emil")
CLOCKS = ("3d", "2d", "10d+1d", "5d/5")


def terms_of(chance: Random) -> tuple[str, dict[str, str]]:
    """A game, most often one that draws something, and some terms of it that go together."""
    key = chance.choice(
        ("veney", "veney", "veney", "ironclad", "ironclad", "chirality", "chirality", "tirachen", "tokonoma")
    )
    game = GAMES[key]
    while True:
        given = {option.key: chance.choice(option.values) for option in game.options if option.values}
        given = {name: given[name] for name in chance.sample(sorted(given), chance.randrange(1 + len(given) // 2))}
        given |= {
            "umpire": chance.choice(("refuse", "friendly", "turn", *game.penalties)),
            "takeback": chance.choice(("consent", "consent", given.get("takeback", "consent"))),
            "side": chance.choice(("lot", *map(str.lower, game.names.values()))),
            "time": chance.choice(CLOCKS),
            "callfor": chance.choice(("anything", "anything", "named")),
            "falsecall": chance.choice(("three", "none", "time", "turn")),
        }
        if key == "veney":
            given["throw"] = chance.choice(
                ("sticks", "coins", "d6", "d8", "d10", "d12", "d20", "guess", "guess-side", "paper6")
            )
            given["secondhalf"] = chance.choice(("on", "off"))
            if chance.random() < 0.6:
                given["start"] = chance.choice(DUELS)
                for name in ("setup", "whiteset", "blackset", "first"):
                    given.pop(name, None)
        if key == "ironclad" and chance.random() < 0.6:
            given |= {"start": COVERED}
        if key == "chirality":
            given |= {"players": chance.choice("22345"), "gates": chance.choice(("", "", "2,4,5"))}
            given["setup"] = chance.choice(("quick", "quick", "auto", "long"))
            given["first"] = chance.choice(("drawn", "red"))
        try:
            settled(game, given)
        except NotationError:
            continue
        return key, given


class Chat:
    """One room, and what was posted in it."""

    def __init__(self, room: ChatRoom, chance: Random) -> None:
        self.room, self.chance = room, chance
        self.posts: list[OutgoingMessage] = []
        self.did: Counter[str] = Counter()
        self.order: tuple[str, ...] = ()
        """Names of the players in the order of their shares."""

    async def say(self, name: str, text: str) -> list[OutgoingMessage]:
        self.room.seed = self.chance.getrandbits(256)  # of a match or a share that is made now
        posts = await self.room.say(name, text)
        self.posts += posts
        return posts

    async def match(self) -> Match:
        match = await self.room.service.repository.match("1")
        assert match is not None
        return match

    async def begin(self) -> tuple[str, ...]:
        """Challenged, now and then on other terms first; all share something, typed or made for them."""
        key, given = terms_of(self.chance)
        count = int(given.get("players", "2"))
        one, *others = self.chance.sample(PEOPLE, count)
        told = " ".join(f'{name}="{value}"' for name, value in given.items() if value)
        for name in (one, *others):
            await self.say(name, f"token the shell of {name}")
        posts = await self.say(one, f"challenge {' '.join(f'@{name}' for name in others)} {key} {told}{self.share()}")
        assert await self.room.service.repository.match("1"), posts[-1].text
        if self.chance.random() < 0.2:
            await self.say(others[0], f"counter 1 time=4d{self.share()}")
            others = [one, *others[1:]]
        for other in self.chance.sample(others, len(others)):
            await self.say(other, f"accept 1{self.share()}")
        self.order = tuple(player.partition(":")[2].title() for player in (await self.match()).joined)
        return one, *others

    def share(self) -> str:
        return f" share=s{self.chance.randrange(10**9)}" if self.chance.random() < 0.5 else ""

    async def act(self) -> None:
        """Somebody says something."""
        match, chance = await self.match(), self.chance
        names = {side: player.partition(":")[2].title() for side, player in match.seats.items()}
        waiting = match.sides_to_act
        anybody, mover = chance.choice(sorted(names.values())), names[waiting[0]] if waiting else "Anna"
        if match.game.asks(match.position):
            for ask in match.game.asks(match.position):
                answer = "C$SB 5555" if ask.key == "layout" else ask.example
                await self.say(names[ask.side], f"secret 1 {chance.choice((answer, answer.lower(), f' {answer}  '))}")
            return
        if match.ending is not None:
            await self.say(mover, chance.choice(("ok 1", "ok 1", "call 1 yes")))
            return
        what = chance.choice(("move",) * 12 + OTHER)
        self.did[what.split(" ")[0]] += 1
        if what == "move":
            await self.say(mover, f"move 1 {self.turn(match)} sure")
        elif what == "add":
            last = next((ply.side for ply in reversed(match.plies)), None)
            half = chance.choice(("$X6", "$Y11", "SX5", "eX6"))
            await self.say(names.get(last or "", anybody), f"add 1 {half} sure")
        elif what == "late":
            await self.say(mover, f"late 1 {chance.randrange(1, match.next_number + 1)} yes")
        elif what == "wait":
            await self.wait(chance.choice((HOUR, DAY)))
        elif what == "call":
            reason = chance.choice(("", "", " range", " geometry")) if match.terms["callfor"] == "named" else ""
            await self.say(chance.choice((mover, anybody)), f"call 1{reason} yes")
        else:
            await self.say(chance.choice((mover, anybody)), what)
            if (await self.match()).offers:
                for name in names.values():
                    await self.say(
                        name,
                        "no 1"
                        if what == "draw 1" and chance.random() < 0.7
                        else chance.choice(("yes 1", "yes 1", "no 1")),
                    )

    def turn(self, match: Match) -> str:
        turns = [match.game.write(turn, match.position) for turn in islice(match.game.turns(match.position), 200)]
        lucky = [turn for turn in turns if "~" in turn or turn.startswith("x")]
        wild = (
            ("DtX13~", "DtW12~", "CY11~", "SX9", "~LX8", "~CX9", "~LX8 ~CY9")
            if match.game.key == "veney"
            else ("xC6", "xD7", "c7c5", "F@a2")
        )
        chosen = [*(lucky if self.chance.random() < 0.6 else []), *(wild if self.chance.random() < 0.25 else [])]
        return str(self.chance.choice(chosen or turns or ["pass"]))

    async def wait(self, span: int) -> None:
        self.posts += await self.room.wait(span)

    async def end(self, people: tuple[str, ...]) -> None:
        """By giving up, calling it off, agreeing, or running out of time."""
        how = self.chance.choice(("resign", "resign", "abort", "time", "erase"))
        self.did[f"end: {how}"] += 1
        for name in people * 3:
            if (await self.match()).status != "running":
                break
            if how == "time":
                await self.wait(60 * DAY)
            if how == "abort":
                await self.say(name, "abort 1 yes")
                for other in people:
                    await self.say(other, "yes 1")
            if how == "erase" and name == people[0]:
                await self.say(name, CONFIRM)
            else:
                await self.say(name, "resign 1 yes")

    async def record(self, name: str) -> str:
        posts = await self.say(name, "export 1")
        words = ["".join(str(getattr(span, "text", span)) for span in post.text) for post in posts]
        (told,) = [text[text.index("Riposte record 1") :] for text in words if "Riposte record 1" in text]
        return told


OTHER = (
    *("call", "call", "call", "late", "wait", "add", "takeback 1", "takeback 1", "anew 1", "draw 1", "pause 1"),
    *("adjourn 1", "resume 1", "moretime 1 1d", "propose 1 time=5d", "propose 1 takeback=consent"),
    *("propose 1 falsecall=none", "propose 1 callfor=anything", "board 1", "analyse 1", "cancel 1", "turns 1"),
)


def posted(chat: Chat, record: str) -> tuple[str, ...]:
    """The hashes of the thread, with the player beside each, in the order of the record; of each player the last."""
    words = " ".join("".join(_said(span) for span in post.text) for post in chat.posts if post.only is None)
    seed = re.search(r"Dice sealed: (\w{64})", words)
    if seed is None:
        return ()
    shares = dict(re.findall(r"(\w+)'s share(?: in the dice)?: (\w{32})\b", words))
    players = re.findall(r"^Share: (\S+)", record, re.MULTILINE)  # a former one is known by the order alone
    return seed[1], *(f"{player}={shares[name]}" for player, name in zip(players, chat.order, strict=True))


def _said(span: object) -> str:
    return str(getattr(span, "name", getattr(span, "text", span)))


async def played(seed: int, folder: Path) -> tuple[str, tuple[str, ...], Chat]:
    """One match: its record and the hashes of its thread in the record's order."""
    room = await open_room(folder)
    chat = Chat(room, Random(seed))
    try:
        people = await chat.begin()
        for _ in range(60):
            if (await chat.match()).status != "running":
                break
            await chat.act()
        await chat.end(people)
        record = await chat.record(people[-1])
        return record, posted(chat, record), chat
    finally:
        await room.store.close()


async def main(matches: int, seed: int) -> int:
    """Plays, checks and counts; returns how many records were not found true."""
    failures, games, did, lucky = 0, Counter[str](), Counter[str](), 0
    for number in range(seed, seed + matches):
        with tempfile.TemporaryDirectory() as name:
            text, hashes, chat = await played(number, Path(name))
            games[re.findall(r"^Game: (.*)$", text, re.MULTILINE)[0]] += 1
            did += chat.did
            lucky += bool(re.search(r"\([^()]*\)$", text.partition("\n\n")[2], re.MULTILINE))
            if found(text, hashes, Path(name)) != (False, False):
                failures += 1
                print(number, found(text, hashes, Path(name)), hashes, text, sep="\n")
    print(f"{matches} matches, {lucky} with throws, {dict(games)}, {dict(did)}; failures: {failures}")
    return failures


if __name__ == "__main__":
    sys.exit(bool(asyncio.run(main(*map(int, sys.argv[1:3] or ("200", "1"))))))
