"""Requests as they go over the wire, and the parts that they are made of."""

import io
import json
from typing import Any

import aiohttp

from tests.discord_standin import StandIn
from tests.discord_standin.refusal import JSON


class Wire:
    """Raw requests to a stand-in, with the bot's token."""

    def __init__(self, standin: StandIn, http: aiohttp.ClientSession):
        self.standin, self._http = standin, http
        self.anna = standin.person("Anna")
        self.room = standin.guild("The club", self.anna).channel("games")

    async def ask(self, method: str, path: str, payload: Any = None, files: tuple[bytes, ...] = ()) -> tuple[int, Any]:
        """The status and the JSON of the answer."""
        form = aiohttp.FormData(quote_fields=False)
        form.add_field("payload_json", json.dumps(payload))
        for n, data in enumerate(files):
            form.add_field(f"files[{n}]", io.BytesIO(data), filename=f"{n}.png")
        sent: Any = {"data": form} if files else {"json": payload} if payload is not None else {}
        headers = {"Authorization": f"Bot {self.standin.token}"}
        url = f"{self.standin.base}/api/v10{path}"
        async with self._http.request(method, url, headers=headers, **sent) as answer:
            body = await answer.read()
            return answer.status, json.loads(body) if answer.content_type == "application/json" else body

    async def post(self, payload: Any, files: tuple[bytes, ...] = ()) -> tuple[int, Any]:
        """Say something in the room."""
        return await self.ask("POST", f"/channels/{self.room.id}/messages", payload, files)

    async def put(self, *commands: JSON) -> tuple[int, Any]:
        """Register commands."""
        return await self.ask("PUT", f"/applications/{self.standin.world.application}/commands", list(commands))


def command(name: str = "board", **more: Any) -> JSON:
    return {"name": name, "description": "Shows it", "type": 1, **more}


def option(name: str = "match", kind: int = 3, **more: Any) -> JSON:
    return {"name": name, "description": "Which one", "type": kind, **more}


def options(count: int, kind: int = 3) -> list[JSON]:
    return [option(f"o{n}", kind) for n in range(count)]


def choices(count: int) -> list[JSON]:
    return [{"name": f"c{n}", "value": f"c{n}"} for n in range(count)]
