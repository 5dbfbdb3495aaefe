"""What programs are told that something was not done: problem+json, with the sentence that a person would get."""

from http import HTTPStatus
from typing import Final

import msgspec
from aiohttp import web

from bot.adapters.api.shapes import Problem
from bot.messages.model import Person
from engine.text import Text

KIND: Final = "application/problem+json"

NO_KEY: Final = (
    Text("This key opens nothing."),
    Text("Say `apikey new` to Riposte for one, and send it as `Authorization: Bearer rip_…`."),
)
TOO_MUCH: Final = (Text("That was a lot at once."), Text("Wait as long as `Retry-After` says."))
TOO_MANY_STREAMS: Final = (Text("Too many streams are open."), Text("Close one, then try again."))
NO_MATCH: Final = (Text("There is no match {match} that you may read."), Text("`/matches` lists yours."))
"""The same for another's match and for one that never was."""
NO_TOURNAMENT: Final = Text("There is no tournament {number}.")
TOO_LONG: Final = (Text("The request is too long."), Text("It may have 8192 bytes."))
TOO_SLOW: Final = (Text("The request took too long to arrive."), Text("It may take ten seconds."))
NO_JSON: Final = (Text("The request is no JSON object."), Text("Send it as `Content-Type: application/json`."))
LATE: Final = (
    Text("It is still being dealt with."),
    Text("Send the same request again, under the same `Idempotency-Key`, for the answer."),
)
REUSED: Final = (
    Text("Something else was asked for under this `Idempotency-Key` before."),
    Text("Send it under a new one."),
)
NOWHERE: Final = (Text("There is nothing under this address."), Text("`/api/v1/openapi.json` tells what there is."))
NOT_SO: Final = (Text("This address takes no such request."), Text("`/api/v1/openapi.json` tells which."))
AMISS: Final = (Text("Riposte made a mistake here."), Text("Whoever runs Riposte finds it in the log."))


class NotDone(Exception):  # noqa: N818
    """Why a request is refused."""

    def __init__(self, status: HTTPStatus, *because: Text, wait: int = 0, wrong: str = ""):
        super().__init__(str(status))
        self.status = status
        self.because = because
        self.wait = wait
        """Seconds after which it may be tried again; 0 = that does not help."""
        self.who: Person | None = None
        """Who is told; None = nobody that is known."""
        self.wrong = wrong
        """What is wrong with which field, in the words of the description."""


def problem(status: HTTPStatus, detail: str, *, wait: int = 0, wrong: str = "") -> web.Response:
    """Returns a refusal."""
    body = Problem(status.phrase, status.value, detail, errors=[{"detail": wrong}] if wrong else [])
    headers = {"Retry-After": str(wait)} if wait else {}
    if status is HTTPStatus.UNAUTHORIZED:
        headers["WWW-Authenticate"] = "Bearer"
    return web.Response(status=status, body=msgspec.json.encode(body), content_type=KIND, headers=headers)
