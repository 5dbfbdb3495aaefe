"""What has served its time goes in small pieces; what keeps messages from coming twice stays."""

import asyncio
from pathlib import Path
from typing import Any

import pytest

from bot.commands.people.privacy import DAY, HEARD_KEPT, WORDS_KEPT
from bot.messages.serialization import read_message
from bot.runtime.pruning import Pruning
from storage.commit import AT_ONCE
from storage.store import Change, Conflict, OutboxMessage
from tests.chat_room import ChatRoom
from tests.stores import inspected, opened, scanned
from tests.turns import NOON

pytestmark = pytest.mark.usefixtures("each_database")


async def played(path: Path) -> ChatRoom:
    """A room in which a challenge was accepted, all messages delivered under the ids p0, p1 …"""
    room = ChatRoom(await opened(path))
    await room.say("anna", "challenge @ben tokonoma side=white")
    await room.say("ben", "accept")
    await room.say("anna", "c7c5")
    return room


async def test_words_of_delivered_messages_go_after_a_month_and_what_replies_need_stays(tmp_path: Path) -> None:
    room = await played(tmp_path / "riposte.db")
    store: Any = room.store
    remotes = [one for (one,) in await store._rows("SELECT remote FROM letters WHERE done IS NOT NULL ORDER BY number")]
    before = [read_message((await store.sent(remote))[0].body) for remote in remotes]
    pauses: list[float] = []

    async def pause(seconds: float) -> None:
        pauses.append(seconds)

    await Pruning(store, lambda: room.now + WORDS_KEPT - DAY, pause).prune()
    assert [read_message((await store.sent(remote))[0].body) for remote in remotes] == before
    assert pauses == []
    await Pruning(store, lambda: room.now + WORDS_KEPT + DAY, pause).prune()
    after = [read_message((await store.sent(remote))[0].body) for remote in remotes]
    assert pauses != []
    assert any(one.picture for one in before)
    for was, is_ in zip(before, after, strict=True):
        assert (is_.key, is_.where, is_.choices, is_.only, is_.about) == (
            was.key, was.where, was.choices, was.only, was.about
        )  # fmt: skip
        assert (is_.text, is_.picture, is_.lines) == ((), None, ())
    with pytest.raises(Conflict):
        await store.commit(Change(messages=(OutboxMessage(before[0].key, "web/hall/", "{}"),)))
    await store.close()
    assert (await inspected(tmp_path / "riposte.db")).rows == ()


async def test_what_waits_keeps_its_words(tmp_path: Path) -> None:
    store = await opened(tmp_path / "riposte.db")
    await store.commit(Change(messages=(OutboxMessage("k", "web/hall/", '{"text": "whole"}'),)))
    await Pruning(store, lambda: NOON + 100 * WORDS_KEPT).prune()
    assert [one.message.body for one in await store.waiting(NOON)] == ['{"text": "whole"}']
    await store.close()


async def test_ids_of_what_was_heard_go_after_half_a_year_and_not_before(tmp_path: Path) -> None:
    store = await opened(tmp_path / "riposte.db")
    changes = [Change(heard=f"m{n:04}", at=NOON + (n % 2) * 10 * DAY) for n in range(2500)]
    await asyncio.gather(*(store.commit(change) for change in changes))
    await store.commit(Change(heard="always"))

    async def pause(_seconds: float) -> None:
        """Other work goes on between the pieces: here it takes no time."""

    await Pruning(store, lambda: NOON + HEARD_KEPT, pause).prune()
    assert await store.known("m0000")
    await Pruning(store, lambda: NOON + HEARD_KEPT + DAY, pause).prune()
    assert [await store.known(f"m{n:04}") for n in (0, 2, 2498)] == [False] * 3
    assert [await store.known(f"m{n:04}") for n in (1, 3, 2499)] == [True] * 3
    assert await store.known("always")
    await store.close()


async def test_no_piece_is_longer_than_it_says_and_none_looks_through_all_letters(tmp_path: Path) -> None:
    store = await opened(tmp_path / "riposte.db")
    many = tuple(OutboxMessage(f"k{n}", f"web/{n}/", "{}") for n in range(AT_ONCE + 5))
    await store.commit(Change(messages=many))
    for outgoing in await store.waiting(NOON):
        await store.delivered(outgoing.number, "r", NOON)
    async with scanned(store) as found:
        assert [await store.shorten(NOON + 1, str) for _ in range(3)] == [AT_ONCE, 5, 0]
    assert found == []
    await store.close()
