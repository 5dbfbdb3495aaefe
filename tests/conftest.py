"""What every test may rely on: the log is as it was when the test began."""

import logging
import sys
from collections.abc import Iterator

import pytest
import structlog
from hypothesis import settings

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
    root.setLevel(level)
    root.handlers[:] = handlers
    sys.excepthook = told
