"""What an adapter keeps is there after a restart, and every message it kept is heard once, in its place's order."""

import asyncio
from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from bot.messages.model import IncomingMessage, OutgoingMessage, Person, Place
from bot.messages.serialization import address, write_message
from bot.runtime.inbox import Inbox
from storage.store import Change, OutboxMessage, Store
from tests.stores import opened

pytestmark = pytest.mark.usefixtures("each_database")

ANNA = Person("matrix", "@anna:example.org", "Anna")
ROOM, OTHER = Place("matrix", "!room"), Place("matrix", "!other")


@pytest.fixture
async def store(tmp_path: Path, each_database: str) -> AsyncIterator[Store]:
    store = await opened(tmp_path / "riposte.db")
    yield store
    await store.close()


def said(number: int, where: Place = ROOM) -> IncomingMessage:
    return IncomingMessage(f"matrix:${number}", ANNA, where, f"word {number}", number)


async def test_messages_and_the_cursor_survive_together_and_are_heard_once_in_order(store: Store) -> None:
    await Inbox(store, "matrix").keep([said(1), said(2), said(3, OTHER)], cursor="s1")
    book = Inbox(store, "matrix")
    assert await book.recall("cursor") == "s1"
    heard: list[str] = []
    done = asyncio.Event()

    async def hear(message: IncomingMessage) -> bool:
        await store.commit(Change(heard=message.id) if message.id != "matrix:$3" else Change())
        heard.append(message.id)
        if {"matrix:$3", "matrix:$4"} <= {*heard}:  # of two places, in either order
            done.set()
        return False

    reading = asyncio.create_task(book.read_out(hear))
    await book.keep([said(2), said(4)], cursor="s2")
    async with asyncio.timeout(60):
        await done.wait()
    reading.cancel()
    await asyncio.gather(reading, return_exceptions=True)
    assert [id_ for id_ in heard if id_ != "matrix:$3"] == ["matrix:$1", "matrix:$2", "matrix:$4"]
    assert heard.count("matrix:$3") == 1
    assert await store.arrived("matrix") == [] or heard[-1] in ("matrix:$3", "matrix:$4")


async def test_a_message_that_cannot_be_heard_keeps_no_other_waiting_and_is_tried_again_at_the_next_start(
    store: Store,
) -> None:
    await Inbox(store, "matrix").keep([said(1), said(2)], cursor="s1")
    heard: list[str] = []
    done = asyncio.Event()

    async def hear(message: IncomingMessage) -> bool:
        if message.id == "matrix:$1":
            raise RuntimeError("a bug")
        heard.append(message.id)
        done.set()
        return False

    reading = asyncio.create_task(Inbox(store, "matrix").read_out(hear))
    async with asyncio.timeout(60):
        await done.wait()
    reading.cancel()
    await asyncio.gather(reading, return_exceptions=True)
    assert "matrix:$1" in [arrival.id for arrival in await store.arrived("matrix")]


async def test_a_place_in_which_much_is_said_keeps_no_other_waiting(store: Store) -> None:
    book = Inbox(store, "matrix")
    await book.keep([said(number) for number in range(4_000)], cursor="s1")
    heard: list[str] = []
    done = asyncio.Event()

    async def hear(message: IncomingMessage) -> bool:
        heard.append(message.id)
        if message.where == OTHER:
            done.set()
        return False

    reading = asyncio.create_task(book.read_out(hear))
    while not heard:
        await asyncio.sleep(0)
    await book.keep([said(4_001, OTHER)], cursor="s2")
    async with asyncio.timeout(60):
        await done.wait()
    assert heard.index("matrix:$4001") < 1_000
    heard.remove("matrix:$4001")
    assert heard == [f"matrix:${number}" for number in range(len(heard))]
    reading.cancel()
    await asyncio.gather(reading, return_exceptions=True)


async def test_nobody_waits_in_a_place_for_what_another_has_only_asked(store: Store) -> None:
    book, ben = Inbox(store, "matrix"), Person("matrix", "@ben:example.org", "Ben")
    heard, news, thought = list[str](), asyncio.Event(), asyncio.Event()

    async def keep(*lines: tuple[Person, str]) -> None:
        await book.keep([IncomingMessage(f"matrix:{text}", who, ROOM, text, 1) for who, text in lines])

    async def hear(message: IncomingMessage) -> bool:
        if message.text == "review 1":
            await thought.wait()
        heard.append(message.text)
        news.set()
        return False

    async def until(count: int) -> list[str]:
        async with asyncio.timeout(60):
            while len(heard) < count:
                news.clear()
                await news.wait()
        return heard

    reading = asyncio.create_task(book.read_out(hear))
    await keep((ANNA, "review 1"), (ANNA, "hint"), (ben, "e1e3"))
    assert await until(1) == ["e1e3"]
    await keep((ben, "c5d5"))
    assert await until(2) == ["e1e3", "c5d5"]
    await keep((ANNA, "c7c5"))
    thought.set()
    assert await until(5) == ["e1e3", "c5d5", "review 1", "hint", "c7c5"], "one's own messages keep their order"
    reading.cancel()
    await asyncio.gather(reading, return_exceptions=True)


async def test_notes_belong_to_a_platform_or_to_one_of_its_places(store: Store) -> None:
    book = Inbox(store, "matrix")
    await book.note("root", "$7", ROOM)
    assert (await book.recall("root", ROOM), await book.recall("root", OTHER), await book.recall("root")) == (
        "$7",
        "",
        "",
    )
    assert await Inbox(store, "discord").recall("root") == ""


async def test_our_own_posts_are_known_by_the_platforms_id(store: Store) -> None:
    posts = [OutgoingMessage("a", ROOM, ("one",)), OutgoingMessage("b", Place("web", "lounge"), ("two",))]
    await store.commit(
        Change(messages=tuple(OutboxMessage(post.key, address(post.where), write_message(post)) for post in posts))
    )
    for outgoing in await store.waiting(0):
        await store.delivered(outgoing.number, "7", 0)
    assert await Inbox(store, "matrix").post("7") == posts[0]
    assert await Inbox(store, "matrix").post("8") is None
