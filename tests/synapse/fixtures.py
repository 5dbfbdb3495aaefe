"""The homeserver that all tests of one worker share, and ones that a test may stop, kill and limit."""

import os
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator
from itertools import count
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeAlias

import pytest

from tests.synapse.server import Homeserver, interpreter

if TYPE_CHECKING:
    from tests.synapse.player import Player

Start: TypeAlias = Callable[..., Homeserver]


def python_of_synapse() -> Path:
    """Synapse's python; without one the test is skipped, or fails where nothing may be skipped."""
    found = interpreter()
    if found is None:
        missing = "no Synapse on this machine; .ci/provide installs it"
        (pytest.fail if os.environ.get("RIPOSTE_TEST_ALL") == "1" else pytest.skip)(missing)
    return found


@pytest.fixture(scope="session")
def synapse(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Homeserver]:
    """The shared homeserver, for tests that leave it running: each registers people and makes rooms of its own."""
    server = Homeserver(python_of_synapse(), tmp_path_factory.mktemp("synapse"))
    server.start()
    yield server
    server.stop()


@pytest.fixture
def own_synapse(tmp_path: Path) -> Iterator[Start]:
    """Starts homeservers for this test alone: `own_synapse(rc_message={"per_second": 0.2, "burst_count": 10})`."""
    made: list[Homeserver] = []

    def start(**config: Any) -> Homeserver:
        made.append(Homeserver(python_of_synapse(), tmp_path / f"synapse-{len(made)}", config))
        made[-1].start()
        return made[-1]

    yield start
    for server in made:
        server.kill()


@pytest.fixture
async def people(synapse: Homeserver, tmp_path: Path) -> "AsyncIterator[Callable[[str], Awaitable[Player]]]":
    """Lets people of this test's own in: `await people("anna")`; their Matrix names are longer."""
    from tests.synapse.player import Player

    inside: list[Player] = []

    async def enter(name: str) -> Player:
        inside.append(await Player.enter(synapse, f"{name}-{next(NUMBERS)}", tmp_path))
        return inside[-1]

    yield enter
    for player in inside:
        await player.close()


NUMBERS = count(1)
"""Accounts of one homeserver have names of their own."""
