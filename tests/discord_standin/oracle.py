"""Discord's published description of its API as a second judge: what was asked and answered must fit it.

The description is Discord's own and no part of the project: `RIPOSTE_DISCORD_OPENAPI` says where a copy of it is.
"""

import json
import os
import re
from collections.abc import Iterator
from functools import cached_property
from pathlib import Path
from typing import Any, Final

from jsonschema import Draft202012Validator  # type: ignore[import-untyped]  # it has no types
from referencing import Registry
from referencing.jsonschema import DRAFT202012

from tests.discord_standin.refusal import JSON
from tests.discord_standin.traffic import Request

PLACE: Final = "RIPOSTE_DISCORD_OPENAPI"
_NAME: Final = "urn:discord"


def description() -> JSON | None:
    """The description, if there is one."""
    place = os.environ.get(PLACE)
    if not place or not Path(place).is_file():
        return None
    found: JSON = json.loads(Path(place).read_text())
    return found


class Oracle:
    """Judges requests and answers by the description."""

    def __init__(self, described: JSON):
        self.described = described
        described["components"]["schemas"]["SnowflakeType"] = {"type": ["string", "integer"]}
        # Described as strings, but taken as numbers too, which is how discord.py sends them.

    def misfits(self, request: Request) -> list[str]:
        """What does not fit, in the body that was sent and in the answer to it."""
        found = self._operation(request.method.lower(), request.path)
        if found is None:
            return [f"{request.method} {request.path} is not described"]
        where, operation = found
        told = [f"{request.method} {request.path}: {words}" for words in self._of_body(where, operation, request)]
        told += [
            f"{request.method} {request.path} answered {words}" for words in self._of_answer(where, operation, request)
        ]
        return told

    def _of_body(self, where: str, operation: JSON, request: Request) -> Iterator[str]:
        if "application/json" in operation.get("requestBody", {}).get("content", {}):
            yield from self._faults(f"{where}/requestBody/content/application~1json/schema", request.payload)
        elif request.payload:
            yield "a body where none is described"

    def _of_answer(self, where: str, operation: JSON, request: Request) -> Iterator[str]:
        status = str(request.status)
        if status not in operation["responses"]:
            yield from [f"with {status}, which is not described"] if request.status < 300 else []
        elif "content" in operation["responses"][status]:
            yield from self._faults(f"{where}/responses/{status}/content/application~1json/schema", request.answer)

    def _faults(self, pointer: str, value: Any) -> Iterator[str]:
        validator = Draft202012Validator({"$ref": f"{_NAME}#{pointer}"}, registry=self._registry)
        for error in validator.iter_errors(value):
            yield f"{'.'.join(map(str, error.absolute_path))}: {error.message:.300}"

    def _operation(self, method: str, path: str) -> tuple[str, JSON] | None:
        for pattern, template in self._paths:
            if pattern.fullmatch(path) and method in self.described["paths"][template]:
                escaped = template.replace("/", "~1").replace("{", "%7B").replace("}", "%7D")
                return f"/paths/{escaped}/{method}", self.described["paths"][template][method]
        return None

    @cached_property
    def _registry(self) -> Registry[Any]:
        registry: Registry[Any] = Registry()
        known: Registry[Any] = registry.with_resource(_NAME, DRAFT202012.create_resource(self.described))
        return known

    @cached_property
    def _paths(self) -> list[tuple[re.Pattern[str], str]]:
        """The described paths, those with fewer names first: `@me` before any user."""
        templates = sorted(self.described["paths"], key=lambda one: one.count("{"))
        return [(re.compile(re.sub(r"\{\w+\}", "[^/]+", template)), template) for template in templates]
