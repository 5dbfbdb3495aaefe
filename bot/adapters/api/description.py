"""The OpenAPI 3.1 description of the API, and the table of docs/api.md, from the one table of operations."""

from typing import Any, Final

import msgspec

from bot.adapters.api.operations import OPERATIONS, ROOT, Operation, Parameter
from bot.adapters.api.problems import KIND
from bot.adapters.api.shapes import Event, Problem

VERSION: Final = "1"
REF: Final = "#/components/schemas/{name}"
COMMON: Final = {
    "401": "The key opens nothing.",
    "429": "That was a lot at once; `Retry-After` says how many seconds to wait. Nothing was done.",
    "503": "Nothing can be read or stored just now.",
}
"""What any request may be answered."""
READ: Final = {"400": "A parameter is not as described."}
DONE: Final = {
    "400": "The body is not as described.",
    "408": "The body took too long to arrive.",
    "413": "The body is too long.",
    "415": "The body is no JSON.",
    "422": "It was not done; `detail` is the sentence that a person would get.",
    "504": "It is still being dealt with: the same request under the same `Idempotency-Key` gets the answer.",
}


def description() -> dict[str, Any]:
    """Returns the description as an OpenAPI document."""
    bodies = [operation.body for operation in OPERATIONS if operation.body is not None]
    kinds = list(dict.fromkeys([*(operation.answer for operation in OPERATIONS), *bodies, Event, Problem]))
    _, components = msgspec.json.schema_components(kinds, ref_template=REF)
    paths: dict[str, dict[str, Any]] = {}
    for operation in OPERATIONS:
        paths.setdefault(operation.path, {})[operation.method.lower()] = _operation(operation)
    return {
        "openapi": "3.1.0",
        "info": {
            "title": "Riposte",
            "version": VERSION,
            "summary": "Play long correspondence games by program, as the person does whose key it has.",
        },
        "servers": [{"url": ROOT}],
        "security": [{"key": []}],
        "paths": paths,
        "webhooks": {"news": {"post": _webhook()}},
        "components": {
            "schemas": components,
            "securitySchemes": {
                "key": {
                    "type": "http",
                    "scheme": "bearer",
                    "description": "A key per person: say `apikey new` to Riposte. `apikey revoke` ends it.",
                }
            },
        },
    }


def _operation(operation: Operation) -> dict[str, Any]:
    kind = "text/event-stream" if operation.stream else "application/json"
    schema = {"type": "string"} if operation.stream else _ref(operation.answer)
    described: dict[str, Any] = {
        "operationId": operation.name,
        "summary": operation.gist,
        "parameters": [_parameter(each) for each in operation.parameters],
        "responses": {
            "200": {"description": (operation.answer.__doc__ or "").strip(), "content": {kind: {"schema": schema}}},
            **{status: _problem(said) for status, said in _refusals(operation).items()},
        },
    }
    if operation.body is not None:
        schema = _ref(operation.body)
        described["requestBody"] = {"required": True, "content": {"application/json": {"schema": schema}}}
    return described


def _refusals(operation: Operation) -> dict[str, str]:
    missing = {"404": "There is no such thing that you may read."} if "{" in operation.path else {}
    return dict(sorted((COMMON | missing | (DONE if operation.command else READ)).items()))


def _problem(said: str) -> dict[str, Any]:
    return {"description": said, "content": {KIND: {"schema": _ref(Problem)}}}


def _parameter(each: Parameter) -> dict[str, Any]:
    schema = msgspec.json.schema(each.kind)
    needed = {"required": True} if each.where == "path" else {}
    many = {"style": "form", "explode": True} if each.many else {}
    if each.many:
        schema["maxItems"] = 16
    return {"name": each.name, "in": each.where, "description": each.gist, **needed, **many, "schema": schema}


def _webhook() -> dict[str, Any]:
    return {
        "operationId": "news",
        "summary": "News of your matches, to the address that `/webhook` was given.",
        "parameters": [
            {
                "name": "Riposte-Signature",
                "in": "header",
                "required": True,
                "description": "`t=SECONDS,v1=HEX`: HMAC-SHA256 under your secret over SECONDS, a full stop, the body.",
                "schema": {"type": "string"},
            }
        ],
        "requestBody": {"required": True, "content": {"application/json": {"schema": _ref(Event)}}},
        "responses": {"2XX": {"description": "Taken. Anything else: it is sent again, ever more rarely, for a day."}},
    }


def _ref(kind: type) -> dict[str, str]:
    return {"$ref": REF.format(name=kind.__name__)}


def table() -> str:
    """Returns the operations as docs/api.md prints them."""
    rows = []
    for each in OPERATIONS:
        given = [f"`{one.name}`" for one in each.parameters if one.where != "path" and one.name != "Idempotency-Key"]
        if each.body is not None:
            fields = msgspec.structs.fields(each.body)
            given += [f"**`{one.name}`**" if one.required else f"`{one.name}`" for one in fields]
        rows.append(f"| `{each.method} {each.path}` | {', '.join(given)} | {each.gist} |")
    return "\n".join(["| request | takes | does |", "|---|---|---|", *rows])
