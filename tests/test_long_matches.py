"""A long match that is not at hand is read, opened and replayed beside the loop, and is what it was before."""

import threading
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import pytest

from bot import repository
from storage.seal import Sealer
from tests.chat_room import ChatRoom, open_room

TURNS = 24


@pytest.fixture
async def room(tmp_path: Path) -> AsyncIterator[ChatRoom]:
    room = await open_room(tmp_path)
    yield room
    await room.store.close()


async def test_a_long_match_is_replayed_beside_the_loop(room: ChatRoom, monkeypatch: pytest.MonkeyPatch) -> None:
    matches = room.service.repository
    await room.say("anna", "challenge @ben tokonoma side=white")
    await room.say("ben", "accept 1")
    for _ in range(TURNS):
        match = await matches.match("1")
        assert match is not None
        game, position = match.game, match.position
        name = match.seats[game.to_act(position)].partition(":")[2]
        await room.say(name, game.write(next(iter(game.turns(position))), position), "1")
    before = await matches.match("1")
    matches.forget("1")
    threads: list[threading.Thread] = []

    def noted(f: Any) -> Any:
        return lambda *args: threads.append(threading.current_thread()) or f(*args)

    monkeypatch.setattr(repository, "replayed", noted(repository.replayed))
    monkeypatch.setattr(Sealer, "open_log", noted(Sealer.open_log))
    assert await matches.match("1") == before
    assert len(threads) == 2
    assert threading.main_thread() not in threads
