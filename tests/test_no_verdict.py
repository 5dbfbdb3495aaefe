"""The silent referee: with one who knows no rule at all, every word and every picture is the same until a call.

A match of random turns, most of them untenable, is played twice: as it is, and with a judge who objects to nothing.
Whatever is then said, whispered, drawn, completed, listed, exported or set to ring may not differ at all.
"""

import os
from collections.abc import Iterator
from contextlib import contextmanager
from itertools import islice
from pathlib import Path
from random import Random
from typing import Any

import pytest

from bot.commands.spec import COMMANDS
from bot.commands.suggestions import complete, fill
from bot.messages.model import OutgoingMessage, Person, Place
from bot.messages.pictures import diagram
from engine.game import AnyGame, Ruling, Turn
from engine.games import GAMES
from engine.match.alarms import alarms
from engine.match.commands import Challenge, Join, Play, Reply
from engine.match.events import Played, Refusal
from tests.chat_room import DAY, ChatRoom, open_room
from tests.table import SEED, Table

EVENINGS = int(os.environ.get("RIPOSTE_EXAMPLES", "2"))
"""For each game, with other turns each time."""
TURNS = 8
CHOICE = 60
"""Tenable turns from which one is chosen, and spoilt."""

PEOPLE = ("anna", "ben", "carol", "dora")
ASKED = (
    *("board", "board all", "board legal", "board text", "turns", "export", "terms", "look {place}", "matches"),
    *("secret 1", "this is no turn", "draw", "decline draw", "move 1 @1 {place}", "takeback", "resign"),
)
SLOTS = tuple(dict.fromkeys(slot for command in COMMANDS for slot in command.slots))


@pytest.mark.parametrize("evening", range(EVENINGS))
@pytest.mark.parametrize(
    ("key", "others"), [*((key, ("ben",)) for key in GAMES), ("chirality", ("ben", "carol"))], ids=str
)
async def test_a_judge_who_knows_no_rule_would_not_be_noticed(
    key: str, others: tuple[str, ...], evening: int, tmp_path: Path
) -> None:
    game, penalties = GAMES[key], GAMES[key].penalties
    terms = {"umpire": penalties[evening % len(penalties)], "time": "5d", "side": game.names[game.sides[0]].lower()}
    terms |= {"players": str(1 + len(others))} if len(others) > 1 else {}
    terms |= {"first": "white"} if key == "veney" else {}  # a lot would fall otherwise in the room
    table, lines = _spoilt(key, others, terms, evening)
    real = await _noticed(table, lines, tmp_path / "real")
    with _blind(key):
        blind = await _noticed(table, lines, tmp_path / "blind")
    for line, told, otherwise in zip(lines, real, blind, strict=True):
        assert told == otherwise, line


@contextmanager
def _blind(key: str) -> Iterator[None]:
    """For a while, nobody objects to a turn of this game."""
    sighted = GAMES[key]
    taken: dict[str, AnyGame] = GAMES._taken  # type: ignore[attr-defined]
    taken[key] = type("Blind", (type(sighted),), {"judge": _nothing, "tenable": _always})()
    try:
        yield
    finally:
        taken[key] = sighted


def _nothing(self: AnyGame, position: Any, turn: Turn) -> Iterator[Ruling]:
    return iter(())


def _always(self: AnyGame, position: Any, turn: Turn) -> bool:
    return True


# --- what is said -----------------------------------------------------------------------------------------


def _spoilt(
    key: str, others: tuple[str, ...], terms: dict[str, str], evening: int
) -> tuple[Table, list[tuple[str, str]]]:
    """A match with an untenable turn in it, and who says what; in a small game that may take several attempts."""
    for attempt in range(50):
        table = _begun(key, others, terms)
        lines = _script(table, Random(evening + attempt * EVENINGS))
        if any(event.broken for event in table.events if isinstance(event, Played)):
            return table, lines
    raise AssertionError("without one it would show nothing")


def _begun(key: str, others: tuple[str, ...], terms: dict[str, str]) -> Table:
    """A match as the room will have it: the same players, with the same shares in its dice."""
    table, share = Table(), SEED[:16].hex()
    guests = tuple(f"web:{name}" for name in others)
    agreed = {"side": "white", **terms}
    table.done(Challenge("1", "web:anna", key, agreed, guests, "web/lounge/", share=share))
    for guest in guests:
        table.done(Join(guest, share=share))
    return table


def _name(player: str) -> str:
    return player.partition(":")[2]


def _script(table: Table, chance: Random) -> list[tuple[str, str]]:
    """Who says what in a match."""
    game = table.now.game
    lines: list[tuple[str, str]] = []
    while len(table.now.plies) < TURNS and table.now.status == "running" and table.now.ending is None:
        who, text = _next(table, chance)
        lines.append((who, text))
        place = chance.choice([site for site in game.board(table.now.position).outlines if site.isalnum()])
        lines += [(chance.choice(PEOPLE), asked.format(place=place)) for asked in chance.sample(ASKED, 5)]
    return lines


def _next(table: Table, chance: Random) -> tuple[str, str]:
    """A turn that stands, mostly an untenable one, or an answer in private."""
    match, game = table.now, table.now.game
    for ask in game.asks(match.position):
        table.done(Reply(match.seats[ask.side], ask.example))
        return _name(match.seats[ask.side]), f"secret 1 {ask.example}"
    sites = tuple(game.board(match.position).outlines)
    turns = list(islice(game.turns(match.position), CHOICE))
    while True:
        turn = chance.choice(turns)
        text = game.write(turn, match.position)
        place = (turn[0].target or turn[0].origin) if turn else ""
        if place and chance.random() < 0.7:
            text = text.replace(place, chance.choice(sites))
        mover = table.to_act
        if not isinstance(table.says(Play(mover, text)), Refusal):
            return _name(mover), text


# --- what is noticed --------------------------------------------------------------------------------------


async def _noticed(table: Table, lines: list[tuple[str, str]], folder: Path) -> list[object]:
    """All that anybody could have noticed after each line."""
    others, terms = (
        [_name(player) for player in table.now.parties[1:]],
        {key: value for key, value in table.now.terms.items() if value},
    )
    folder.mkdir()
    room = await open_room(folder)
    room.seed = int.from_bytes(SEED, "big")
    told: list[object] = []
    try:
        names, sheet = (" ".join(words) for words in ([f"@{name}" for name in others], map("=".join, terms.items())))
        await room.say("anna", f"challenge {names} {table.now.game.key} {sheet}")
        for name in others:
            await room.say(name, "accept 1")
        for who, text in lines:
            posts = await room.say(who, text, "1")
            told.append((_seen(posts), await _suggested(room, text), await _waiting(room)))
        match = await room.service.repository.match("1")
        assert match is not None
        assert match.game.encode(match.position) == table.position, "all of it was really played"
        told[-1] = told[-1], _seen(await room.wait(9 * DAY))
    finally:
        await room.store.close()
    return told


def _seen(posts: list[OutgoingMessage]) -> object:
    """Posts, and what their pictures show."""
    return [(post, diagram(post.picture) if post.picture else None) for post in posts]


async def _suggested(room: ChatRoom, text: str) -> object:
    """What is offered to whoever begins to type."""
    desk, place, people = (
        room.service.repository,
        Place("web", "lounge", "1"),
        [Person("web", who, who) for who in PEOPLE],
    )
    typed = ("", "m", "move ", text[:1], f"move {text[:2]}")
    whole = [await complete(desk, who, place, start) for who in people for start in typed]
    filled = {"match": "1", "turn": text[:2]}
    return whole, [await fill(desk, who, place, slot, filled) for who in people for slot in SLOTS]


async def _waiting(room: ChatRoom) -> object:
    """What rings when, and what lists tell of the match."""
    match = await room.service.repository.match("1")
    assert match is not None
    return alarms(match), await room.store.summary("1"), await room.store.due(1 << 60)
