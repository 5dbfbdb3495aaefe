"""What every test may rely on: the log is as it was when the test began."""

import logging
import os
import sys
from collections.abc import Iterator

import pytest
import structlog
from hypothesis import settings

from bot.logs import QUIET
from tests import stores
from tests.synapse.fixtures import own_synapse, people, synapse

__all__ = ["own_synapse", "people", "synapse"]

settings.register_profile("riposte", deadline=None)  # a busy machine is no failure
settings.load_profile("riposte")


@pytest.fixture(autouse=True)
def _quiet_log() -> Iterator[None]:
    """A test that starts the program sends the log to its own stderr; the next one must not write there."""
    root = logging.getLogger()
    level, handlers, told = root.level, root.handlers[:], sys.excepthook
    yield
    structlog.reset_defaults()
    structlog.configure(wrapper_class=QUIET)
    root.setLevel(level)
    root.handlers[:] = handlers
    sys.excepthook = told


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    """What asks for `each_database` runs on each, unless it is marked as SQLite's alone."""
    if "each_database" in metafunc.fixturenames:
        alone = metafunc.definition.get_closest_marker("sqlite")
        kinds = ["sqlite"] if alone else ["sqlite", "postgresql"]
        metafunc.parametrize("each_database", kinds, indirect=True)


@pytest.fixture(scope="session")
def postgres(worker_id: str) -> Iterator[stores.Server]:
    """A PostgreSQL for the tests of this process."""
    with stores.at_hand() as url:
        yield stores.Server(url, f"{worker_id}_{os.getpid()}")


@pytest.fixture
def each_database(request: pytest.FixtureRequest) -> Iterator[str]:
    """`tests.stores.opened` opens this kind of database while the test runs."""
    if request.param == "postgresql":
        server: stores.Server = request.getfixturevalue("postgres")
        server.forget()
        stores.in_force.append(server)
    yield request.param
    stores.in_force.clear()
