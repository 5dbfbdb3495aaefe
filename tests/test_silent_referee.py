"""Twins: two matches that differ only in whether the last turn was tenable look the same to everybody until a call.

Whatever is said, offered, suggested, drawn, listed, exported or set to ring is compared, for every game and every way
of punishing: it may differ in the notation of the turn and in the board it leads to, and in nothing else.
"""

from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager
from dataclasses import replace
from itertools import islice, product
from pathlib import Path
from typing import Any

import pytest

from bot.commands.spec import COMMANDS
from bot.commands.spec.parts import Slot
from bot.commands.suggestions.forms import fill
from bot.commands.suggestions.lines import complete
from bot.messages.model import Lines, OutgoingMessage, Person, Place, Span
from bot.repository import summarize
from engine.game import AnyGame
from engine.games import GAMES
from engine.match.alarms import alarms
from engine.text import Code, Text
from tests.chat_room import DAY, ChatRoom, open_room
from tests.differ.pairs import Pair, pairs
from tests.parts_of_games import CERTAIN

PAIRS = 3
"""For each game, from positions further and further into it."""


@pytest.mark.parametrize(
    ("key", "umpire", "number"),
    [
        pytest.param(key, umpire, number % PAIRS, id=f"{key}-{umpire}")
        for key in CERTAIN  # what luck decides is compared by test_no_verdict.py
        for number, umpire in enumerate(GAMES[key].penalties)
    ],
)
async def test_nothing_tells_an_untenable_turn_from_a_tenable_one(
    key: str, umpire: str, number: int, tmp_path: Path
) -> None:
    pair = pairs(key, PAIRS)[number]
    async with _twins(key, umpire, pair, tmp_path) as (tenable, untenable, shown):
        assert await _broken(tenable) == ()
        assert await _broken(untenable) != ()
        for who, text, thread in _questions(GAMES[key]):
            said = await tenable.say(who, text, thread), await untenable.say(who, text, thread)
            assert _shapes(said[0], shown) == _shapes(said[1], shown), (who, text)
        for who in PEOPLE:
            for typed in (
                "",
                "c",
                "move ",
                f"move {pair.tenable[:1]}",
                pair.tenable,
                pair.untenable,
                "call ",
                "board ",
            ):
                offered = [await _completions(room, who, typed) for room in (tenable, untenable)]
                assert offered[0] == offered[1], (who, typed)
            for slot, typed in product(SLOTS, ("", "c", pair.tenable, pair.untenable)):
                filled = [await _fillings(room, who, slot, typed) for room in (tenable, untenable)]
                described = [await _described(room, who, slot, typed) for room in (tenable, untenable)]
                if all(described):  # what stands on the board in the open, by menus that ask no judge
                    assert [[text for text, _ in each] for each in filled] == described, (who, slot, typed)
                else:
                    assert filled[0] == filled[1], (who, slot, typed)
        assert await _waiting(tenable) == await _waiting(untenable)
        said = await tenable.wait(9 * DAY), await untenable.wait(9 * DAY)  # a reminder, and then time is over
        assert said[0]
        assert _shapes(said[0], shown) == _shapes(said[1], shown)


@pytest.mark.parametrize("umpire", GAMES["chirality"].penalties)
async def test_an_untenable_turn_that_wins_the_game_looks_like_a_tenable_one(umpire: str, tmp_path: Path) -> None:
    start = "P1: A1 B36 C44 / P2: B50 / res: 0 0 / to: P1 / quiet: 0"
    pair = Pair((), "B36-B44", "C44-B44", start)
    async with _twins("chirality", umpire, pair, tmp_path) as (tenable, untenable, shown):
        assert await _broken(tenable) == ()
        assert await _broken(untenable) != ()
        for who, text, thread in _questions(GAMES["chirality"]):
            said = await tenable.say(who, text, thread), await untenable.say(who, text, thread)
            assert _shapes(said[0], shown) == _shapes(said[1], shown), (who, text)
        assert await _waiting(tenable) == await _waiting(untenable)
        summary = await untenable.store.summary("1")
        assert summary is not None
        assert summary.status == "over"  # for the loser has said `ok` to it


PEOPLE = ("anna", "ben", "carol")
SLOTS = tuple(dict.fromkeys(slot for command in COMMANDS for slot in command.slots))


def _questions(game: AnyGame) -> Iterator[tuple[str, str, str]]:
    """What anybody may want to know of a match in which a turn has just been made, or do but for calling it out."""
    for who in PEOPLE:
        for text in (
            "board",
            "board all",
            "board legal",
            "turns",
            "export",
            "terms",
            "accept",
            "ok",
            "secret 1",
            "call @99",
        ):
            yield who, text, "1"
        yield who, "matches", ""
        yield who, "this is no turn at all", "1"
    yield from (("anna", text, "1") for text in ("draw", "decline", "takeback", "draw"))
    yield from (("ben", text, "1") for text in ("decline takeback", "decline draw", "takeback", "resign", "link 1"))


@asynccontextmanager
async def _twins(key: str, umpire: str, pair: Pair, folder: Path) -> AsyncIterator[tuple[ChatRoom, ChatRoom, Pair]]:
    """Two rooms in which the same was said, but for the last turn; and both turns as they stand, with their throws."""
    rooms = (await open_room(folder / "tenable"), await open_room(folder / "untenable"))
    try:
        said: list[list[OutgoingMessage]] = []
        for room, last in zip(rooms, (pair.tenable, pair.untenable), strict=True):
            room.seed = 0  # Ben has the first side
            start = f' start="{pair.start}" side=lot' if pair.start else ""
            await room.say("anna", f"challenge @ben {key} umpire={umpire} time=5d takeback=consent{start}")
            await room.say("ben", "accept 1")
            for text in (*pair.before, last):
                match = await room.service.repository.match("1")
                assert match is not None
                mover = match.seats[match.game.to_act(match.position)].partition(":")[2]
                posts = await room.say(mover, text, "1")
            said.append(posts)
        (tenable, after), (untenable, other) = [await _stands(room) for room in rooms]
        shown = replace(pair, tenable=tenable, untenable=untenable, examples=(after, other))
        assert _shapes(said[0], shown) == _shapes(said[1], shown)
        assert any(choice.command.startswith("call ") for post in said[1] for choice in post.choices)
        yield *rooms, shown
    finally:
        for room in rooms:
            await room.store.close()


async def _stands(room: ChatRoom) -> tuple[str, str]:
    """The last turn, and the example of how the next is written."""
    match = await room.service.repository.match("1")
    assert match is not None
    return match.plies[-1].text, match.game.example(match.position)


async def _broken(room: ChatRoom) -> tuple[str, ...]:
    """The rules that the standing turn breaks."""
    match = await room.service.repository.match("1")
    assert match is not None
    ply = match.plies[-1]
    return tuple(ruling.rule.ref for ruling in match.game.judge(ply.before, match.game.read(ply.text, ply.before)))


async def _completions(room: ChatRoom, who: str, typed: str) -> list[str]:
    return await complete(room.service.repository, Person("web", who, who), Place("web", "lounge", "1"), typed)


async def _fillings(room: ChatRoom, who: str, slot: Slot, typed: str) -> list[tuple[str, str]]:
    filled = {"match": "1", slot.name: typed}
    return await fill(room.service.repository, Person("web", who, who), Place("web", "lounge"), slot, filled)


async def _described(room: ChatRoom, who: str, slot: Slot, typed: str) -> list[str]:
    """How a turn of whoever is to act goes on by all that can be described."""
    match = await room.service.repository.match("1")
    assert match is not None
    game, position = match.game, match.position
    if slot.kind != "turn" or game.asks(position) or match.seats[game.to_act(position)] != f"web:{who}":
        return []
    return list(dict.fromkeys(text for text, _ in islice(game.going_on(position, typed.strip()), 25)))


async def _waiting(room: ChatRoom) -> object:
    """What rings when, and what lists tell of the match."""
    match = await room.service.repository.match("1")
    assert match is not None
    return alarms(match), summarize(match, room.now), await room.store.summary("1"), await room.store.due(1 << 60)


def _shapes(posts: list[OutgoingMessage], pair: Pair) -> list[OutgoingMessage]:
    """Posts without the turn itself and the board it leads to."""
    return [
        replace(
            post,
            text=_masked(post.text, pair),
            lines=_masked_lines(post.lines, pair),
            picture=_bare(post, pair),
            choices=tuple(replace(one, blank=_without(one.blank, pair)) for one in post.choices),
        )
        for post in posts
    ]


def _masked(text: tuple[Span, ...], pair: Pair) -> tuple[Span, ...]:
    return tuple(Code(_without(span.text, pair)) if isinstance(span, Code) else span for span in text)


def _masked_lines(lines: Lines, pair: Pair) -> Lines:
    return tuple(tuple(_masked_text(text, pair) for text in line) for line in lines)


def _masked_text(text: Text, pair: Pair) -> Text:
    masked = {name: _without(value, pair) if type(value) is str else value for name, value in text.values.items()}
    shape = Text(text.template, **masked)
    shape.many = text.many
    return shape


def _without(text: str, pair: Pair) -> str:
    """Each line with the notation at its end left out."""
    lines = text.split("\n")
    for ending in (pair.untenable, pair.tenable, *pair.examples):
        lines = [line.removesuffix(ending) for line in lines]
    return "\n".join(lines)


def _bare(post: OutgoingMessage, pair: Pair) -> Any:
    """The picture, but for what stands where; the words that only a callout knows are in none."""
    shown = post.picture
    if shown is None:
        return None
    assert not any(word in shown.alt for word in ("At fault", "Within reach", "In the way", "untenable"))
    return replace(shown, position="", alt="", turn=_without(shown.turn, pair))
