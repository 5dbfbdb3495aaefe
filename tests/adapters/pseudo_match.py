"""A match that is walked to its own end in the pseudo-language, and what must not be seen of it anywhere."""

import os
import re
from collections.abc import Awaitable, Callable, Iterable
from contextlib import suppress
from dataclasses import dataclass
from itertools import islice
from random import Random

from bot.messages.catalogue import language
from bot.messages.serialization import read_event
from bot.repository import Repository
from engine.game import NotationError
from engine.match.events import CalledOut
from engine.match.state import Match
from engine.text import Text
from storage.store import Change, Store
from tests.parts_of_games import TRANSLATED
from tests.test_pseudo_language import english_in, nested, outside
from tools.languages import COMPLETE

NAMES = ("Anna", "Ben", "anna", "ben", "Riposte", "riposte", "lounge", "everyone")


@dataclass
class Table:
    """A match on a platform, as the walk needs it."""

    say: Callable[[str, str], Awaitable[None]]
    """"anna" or "ben" says something in the match's thread, and it is dealt with and all that follows delivered."""
    match: Callable[[], Awaitable[Match]]


# Found by playing at random until somebody could win; Chirality's, which random play does not end, by hand.
ENDGAMES = {
    "chirality": (
        "P1: A1 A44 A45 A46 B1 C1 D1 E2 / P2: C44 C45 C46 C47 C50 C51 / res: 0 0 / to: P1",
        ("A44-A50", "C46-C36", "A45-A51", "C36-C26", "E2-E1"),
    ),
    "ironclad": (
        "rW: A1=1 B1=2 C1=3 D1=3 E1=1 A3=2 / rB: A7=2 F7=1 A8=1 B8=3 C8=3 D8=2 / "
        "sW: g1 a3 e3 f3 g3 b5 e5 a6 f6 c9 / sB: a4 b4 c4 d4 f4 d5 f5 c6 e7 f7 / "
        "last: - / mode: full / owner: W / half: robots / to: B",
        ("a5", "A8-B7", "e4", "g2", "A1-B2", "g4"),
    ),
    "tirachen": (
        "R: S@a1 F@b1 P@c1 G@e1 S@g1 S@h1 A@a2 C@i2 P@g3 S@h3 A@e4 A@h5 S@e6 A@f6 / "
        "W: A@a6 A@b6 P@f7 F@h7 P@h8 P@i8 W@b9 G@c9 W@e9 S@g9 W@h9 / "
        "T: x / pR: P7 / pW: P6 M3 / mob: RW / to: W / quiet: 5",
        ("P@f9", "P@f1", "Ab6-b5", "Se6-d7", "Aa6-a8", "Sd7xc9"),
    ),
    "tokonoma": ("2f2/b5/2s4/1a1f1S/4B w", ("e5c5", "d4d5", "d6b6", "d5d6", "c5e3", "d6c7")),
    "veney": (
        "W: B@W1 R@Y3 C@W5 S@X5 J@Y5 $@Z7 D@Y9 / B: e@X7 $@X8 S@Z9 C@W12 R@X16 / "
        "rW: e e e e G L / rB: e e e B D G L J / a: ^WX10 / to: B / flags: idle=3 asked=1 nocontest=30",
        ("RY13", "$Z8", "$X7 $Y6", "SX6 $Y7", "RX10", "aw SX5 $t$Y6"),
    ),
}
"""A position of each game, and turns that lead from it to an end by the game's own rules."""


def challenge(game: str) -> str:
    """The terms of the match: untenable turns can be called out, and are taken back then."""
    start, _ = ENDGAMES[game]
    return f'{game} umpire=friendly judge=advisory start="{start}"'


async def walk(table: Table) -> None:
    """A match with tenable and untenable turns, callouts and offers, to its own end."""
    dice = Random(1)
    _, turns = ENDGAMES[(await table.match()).game.key]
    for number, text in enumerate(turns):
        match = await table.match()
        mover = SEATS[match.parties.index(match.seats[match.game.to_act(match.position)])]
        other = SEATS[1 - SEATS.index(mover)]
        if number % 2:
            tenable = islice(match.game.turns(match.position), 60)
            texts = [match.game.write(turn, match.position) for turn in tenable]
            await table.say(mover, untenable(match, texts, dice))
            await table.say(other, "call")
        await table.say(mover, text)
        if number == 2:
            for name, offer in ((mover, "takeback"), (other, "decline takeback"), (other, "draw")):
                await table.say(name, offer)
            await table.say(mover, "decline draw")
        if number == 3:
            await table.say("anna", "board")
    for name in SEATS:
        await table.say(name, "ok")
    match = await table.match()
    assert match.status == "over"
    assert match.result is not None
    assert match.result.rule in [rule.ref for rule in match.game.rules]


SEATS = ("anna", "ben")


def untenable(match: Match, texts: list[str], dice: Random) -> str:
    """A turn that can be called out: one of these with another place in it."""
    game, position = match.game, match.position
    places = [name for name in game.board(position).outlines if name.isalnum()]
    named = re.compile("|".join(sorted(map(re.escape, places), key=len, reverse=True)))
    for _ in range(MOST):
        text = dice.choice(texts)
        found = dice.choice([*named.finditer(text)] or [None])
        if found is None:
            continue
        changed = text[: found.start()] + dice.choice(places) + text[found.end() :]
        with suppress(NotationError):
            turn = game.read(changed, position)
            if not game.tenable(position, turn):
                return game.write(turn, position)
    return dice.choice(texts)


MOST = 3_000


WALKS = [
    *((game, "xx") for game in TRANSLATED),
    *(
        (game, code)
        for number, code in enumerate(COMPLETE)
        for game in (TRANSLATED if os.environ.get("RIPOSTE_EXAMPLES") else (TRANSLATED[number % len(TRANSLATED)],))
    ),
]
"""Games and languages: of those that people speak a game each, or all of them with RIPOSTE_EXAMPLES set."""


def label(code: str, text: str) -> str:
    """A button's label in a language."""
    return language(code).say(Text(text))


def faults(texts: Iterable[str], allowed: Iterable[str] = NAMES, code: str = "xx") -> list[str]:
    """What is not told in a language, or in the pseudo-language in pieces; each text is one line or cell."""
    if code != "xx":
        return [f"{found} in {text}" for text in texts if (found := english_in(text, code, allowed))]
    pieces = [piece for text in texts for line in text.split("\n") for piece in CELLS.split(line)]
    names = tuple(allowed)
    return [
        *(f"{found} outside: {piece}" for piece in pieces if (found := outside(piece, names))),
        *(f"{found} nested: {piece}" for piece in pieces if (found := nested(piece))),
    ]


CELLS = re.compile(r" {3}|(?<=\]): (?=`)|(?<=`) (?=\[)|\d\ufe0f\u20e3 ")
"""Between a button's number, its label and its command: they stand beside each other and are no sentence."""


async def speak(store: Store, code: str, *owners: str) -> None:
    """These channels or servers have chosen a language."""
    await store.commit(Change("language", settings=tuple((owner, "language", code) for owner in owners)))


async def upheld(store: Store) -> bool:
    """Whether somebody has rightly called out a turn."""
    events = [read_event(record.body) for record in await store.load("1")]
    return any(isinstance(event, CalledOut) for event in events)


async def match_in(store: Store) -> Match:
    """The only match, as it is stored."""
    match = await Repository(store, lambda: bytes(32)).match("1")
    assert match is not None
    return match
