"""The description says what the server does: asked by schemathesis for what it allows, and for what it does not."""

import asyncio
import threading
from collections.abc import Iterator
from contextlib import AsyncExitStack
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from jsonschema import Draft202012Validator

from bot.adapters.api.description import description
from bot.adapters.api.operations import OPERATIONS, Operation
from tests.api.room import Room, open_room

ASKED = [each for each in OPERATIONS if not each.stream]


class Served:
    """A room on a loop of its own, for clients that wait."""

    def __init__(self, folder: Path):
        self._loop = asyncio.new_event_loop()
        self._stack = AsyncExitStack()
        self._thread = threading.Thread(target=self._loop.run_forever)
        self._thread.start()
        self.room: Room = self._run(self._stack.enter_async_context(open_room(folder)))
        self._run(self.room.begin())

    def _run(self, work):  # type: ignore[no-untyped-def]
        return asyncio.run_coroutine_threadsafe(work, self._loop).result(60)

    def close(self) -> None:
        self._run(self._stack.aclose())
        self._loop.call_soon_threadsafe(self._loop.stop)
        self._thread.join()
        self._loop.close()


@pytest.fixture(scope="module")
def schema() -> Any:
    """The description as schemathesis reads it, which takes seconds: no matter to who collects tests."""
    import schemathesis
    from schemathesis.checks import load_all_checks

    load_all_checks()
    return schemathesis.openapi.from_dict(description())


@pytest.fixture(scope="module")
def served(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    served = Served(tmp_path_factory.mktemp("served"))
    yield served
    served.close()


@pytest.mark.parametrize("operation", ASKED, ids=[each.name for each in ASKED])
def test_every_answer_is_as_described(operation: Operation, served: Served, schema: Any) -> None:
    from schemathesis import GenerationMode
    from schemathesis.checks import CHECKS

    accepted, rejected = map(CHECKS.get_one, ("positive_data_acceptance", "negative_data_rejection"))
    described = schema[operation.path][operation.method]
    allowed = described.as_strategy(generation_mode=GenerationMode.POSITIVE)
    wrong = described.as_strategy(generation_mode=GenerationMode.NEGATIVE)

    @settings(max_examples=6, deadline=None, database=None, suppress_health_check=list(HealthCheck))
    @given(st.one_of(allowed, wrong))
    def asked(case: Any) -> None:
        served.room.clock.at += 30_000  # nobody asks for too much
        if operation.name in ("resign", "abort"):
            case.path_parameters = {"match": "999"}
        headers = {"Authorization": f"Bearer {served.room.keys['Anna']}"}
        response = case.call(base_url=served.room.url, headers=headers, timeout=30)
        # What the referee refuses is as described all the same; and what is too long is not looked into.
        excluded = [accepted, *([rejected] if response.status_code == 413 else [])]
        case.validate_response(response, excluded_checks=excluded)
        assert response.status_code < 500

    asked()


def test_the_schemas_are_schemas() -> None:
    for schema in description()["components"]["schemas"].values():
        Draft202012Validator.check_schema(schema)
