"""What is new in the web room is read once for all tabs, and each tab gets what it may see, all of it, in order."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

import pytest

from bot.adapters.web.history import latest as latest_
from bot.adapters.web.history.history import History, Message, Room
from bot.adapters.web.history.latest import KEPT, Latest
from bot.messages.model import Person, Place
from tests.turns import NOON

LOUNGE = Place("web", "lounge")


@asynccontextmanager
async def opened(path: Path) -> AsyncIterator[tuple[History, Latest]]:
    history = History(path / "room.db")
    await history.open()
    try:
        yield history, Latest(history, lambda message: message.text)
    finally:
        await history.close()


async def write(history: History, text: str, *, by: str = "anna", only: str = "") -> int:
    return await history.add(Message(0, text, LOUNGE, by, by.capitalize(), only, text, "{}", NOON))


async def heard(latest: Latest, user: str, number: int) -> list[str]:
    return [told.news for told in await latest.after(user, number)]


async def test_each_sees_what_is_for_all_and_what_is_for_them_alone(tmp_path: Path) -> None:
    async with opened(tmp_path) as (history, latest):
        before = await write(history, "long ago")
        assert await heard(latest, "ben", before) == []
        await write(history, "hello")
        await write(history, "a secret", only="anna")
        latest.changed()
        found = await asyncio.gather(*(heard(latest, user, before) for user in ("anna", "ben", "carla")))
        assert found == [["hello", "a secret"], ["hello"], ["hello"]]
        assert await heard(latest, "anna", 0) == ["long ago", "hello", "a secret"]


async def test_what_is_written_while_others_are_being_told_is_told_too(tmp_path: Path) -> None:
    async with opened(tmp_path) as (history, latest):
        assert await heard(latest, "ben", 0) == []
        told = {user: list[str]() for user in ("anna", "ben", "carla")}

        async def write_more() -> None:
            for number in range(50):
                await write(history, str(number))
                latest.changed()

        async def listen(user: str) -> None:
            number = 0
            while len(told[user]) < 50:
                for one in await latest.after(user, number):
                    told[user].append(one.news)
                    number = one.message.number
                await asyncio.sleep(0)

        await asyncio.gather(write_more(), *map(listen, told))
        assert all(found == [str(number) for number in range(50)] for found in told.values())


async def test_places_that_nobody_looks_at_any_more_are_not_remembered(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(latest_, "PLACES", 2)
    async with opened(tmp_path) as (history, latest):
        places = [Place("web", "lounge", number) for number in ("1", "2", "3")]
        for place in places:
            await history.add(Message(0, place.thread, place, "anna", "Anna", "", place.thread, "{}", NOON))
        for place in (places[0], places[1], places[0], places[2]):
            assert await latest.place(place) == await history.place(place) is not None
        assert [*latest._places] == [places[0], places[2]]


async def test_a_tab_that_has_slept_reads_on_from_where_it_was(tmp_path: Path) -> None:
    async with opened(tmp_path) as (history, latest):
        asleep = await write(history, "good night")
        assert await heard(latest, "ben", asleep) == []
        for number in range(KEPT + 50):
            await write(history, str(number))
        latest.changed()
        found: list[str] = []
        while more := await latest.after("ben", asleep):
            found += [told.news for told in more]
            asleep = more[-1].message.number
        assert found == [str(number) for number in range(KEPT + 50)]


async def test_nothing_of_somebody_who_was_erased_is_at_hand(tmp_path: Path) -> None:
    async with opened(tmp_path) as (history, latest):
        await history.let_in(Person("web", "zoe", "Zoe"), "token", new=True, local=True, now=NOON)
        assert await heard(latest, "ben", 0) == []
        await write(history, "I am Zoe", by="zoe")
        latest.changed()
        assert await heard(latest, "ben", 0) == ["I am Zoe"]
        await history.forget([Person("web", "zoe", "Zoe")], NOON)
        await latest.forget()
        found = await latest.after("ben", 0)
        assert "Zoe" not in "".join(told.news + told.message.name + told.message.author for told in found)


async def test_a_place_is_as_it_was_when_it_last_changed(tmp_path: Path) -> None:
    async with opened(tmp_path) as (history, latest):
        match = Place("web", "lounge", "7")
        assert await latest.place(match) is None
        await history.create(match)
        latest.changed(match)
        for to_act in ("web:anna", "web:ben"):
            await history.describe(Room(match, "tokonoma", ("web:anna", "web:ben"), (to_act,), over=False, first=0))
            latest.changed(match)
            rooms = await asyncio.gather(*(latest.place(match) for _ in range(3)))
            assert [room and room.to_act for room in rooms] == [(to_act,)] * 3
