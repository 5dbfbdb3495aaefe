"""A stand-in in a process of its own, as a test sees it: it lives on while the bot's process is killed."""

import asyncio
import sys
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any, TypeVar

import aiohttp

from tests.discord_standin.people import NotOffered
from tests.discord_standin.refusal import JSON
from tests.discord_standin.server import PATIENCE

T = TypeVar("T")
HOME = Path(__file__).parents[2]


class Remote:
    """Drives a stand-in over HTTP."""

    def __init__(self, http: aiohttp.ClientSession, port: int):
        self._http = http
        self.port = port
        self.base = f"http://127.0.0.1:{port}"

    async def do(self, verb: str, **given: Any) -> JSON:
        """One of the `VERBS` of `control.py`: `await remote.do("say", who="Anna", where="games", text="hello")`."""
        async with self._http.post(f"{self.base}/control/do/{verb}", json=given) as answer:
            told: JSON = await answer.json()
            if answer.status == 409:
                raise NotOffered(told["refused"])
            return told

    async def state(self) -> JSON:
        """Everything that can be seen there now."""
        seen: JSON = await self._get("state")
        return seen

    async def requests(self, since: int = 0) -> list[JSON]:
        """The requests that came, from the given one on."""
        found: list[JSON] = await self._get("requests", since=str(since))
        return found

    async def search(self, needle: str) -> list[str]:
        """Where a string was ever sent by the bot."""
        found: list[str] = await self._get("search", needle=needle)
        return found

    async def until(self, predicate: Callable[[JSON], T], what: str = "", patience: float = PATIENCE) -> T:
        """Wait until something is so in the state there, and return it."""
        revision = -1
        try:
            async with asyncio.timeout(patience):
                while True:
                    seen = await self._get("state", after=str(revision))
                    revision = seen["revision"]
                    if not seen.get("same") and (found := predicate(seen)):
                        return found
        except TimeoutError:
            recent = [f"{one['method']} {one['path']} -> {one['status']}" for one in (await self.requests())[-8:]]
            raise AssertionError(
                "\n".join([f"waited in vain for {what or 'it'}; the last requests:", *recent])
            ) from None

    async def _get(self, what: str, **query: str) -> Any:
        async with self._http.get(f"{self.base}/control/{what}", params=query) as answer:
            return await answer.json()


@asynccontextmanager
async def separate(folder: Path, *options: str) -> AsyncIterator[Remote]:
    """Start one with the options of `__main__.py`, and end it afterwards."""
    command = (sys.executable, "-m", "tests.discord_standin", str(folder / "port"), *options)
    process = await asyncio.create_subprocess_exec(*command, cwd=HOME, stdout=asyncio.subprocess.PIPE)
    assert process.stdout
    try:
        port = int(await asyncio.wait_for(process.stdout.readline(), PATIENCE))
        async with aiohttp.ClientSession() as http:
            yield Remote(http, port)
    finally:
        if process.returncode is None:
            process.terminate()
        await process.wait()
