"""Whoever was erased stays so when an older copy of the database is restored."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from bot.messages.serialization import read_event
from engine.match.evolve import replay
from tests import stores
from tests.chat_room import DAY, ChatRoom, open_room
from tests.stores import Server, opened
from tests.test_privacy import erased, left_of, lived


@pytest.fixture
def server(postgres: Server) -> Iterator[Server]:
    postgres.forget()
    stores.in_force.append(postgres)
    yield postgres
    stores.in_force.clear()


async def test_an_older_database_is_erased_again_when_it_is_restored(server: Server, tmp_path: Path) -> None:
    database, older = tmp_path / "riposte.db", tmp_path / "older.db"
    room = await open_room(tmp_path)
    await lived(room)
    await room.store.close()
    await server.copied(database, older)
    room = ChatRoom(await opened(database), now=room.now, heard=room.heard)
    await room.wait(DAY)
    await erased(room)
    await room.store.close()
    assert await left_of(tmp_path) == []
    await server.copied(older, database)
    assert await left_of(tmp_path) != []
    again = ChatRoom(await opened(database), now=room.now)
    assert await again.erasing.restored() == 2
    assert await left_of(tmp_path) == []
    assert await again.erasing.restored() == 0
    match = await again.service.repository.match("1")
    assert match is not None
    assert replay([read_event(one.body) for one in await again.store.load("1")], check=True) == match
    await again.store.close()
