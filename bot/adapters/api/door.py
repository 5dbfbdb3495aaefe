"""The routes: whose key it is, whether they may ask so much, what they ask for, and the answer."""

import asyncio
import uuid
from collections.abc import Awaitable, Callable
from http import HTTPStatus
from typing import Any, Final

import msgspec
import structlog
from aiohttp import web
from aiohttp.typedefs import Handler

from bot.adapters.api.answers import Answers, Late, Reused, Unheard, done
from bot.adapters.api.description import description
from bot.adapters.api.limits import DEEDS, GUESSES, READS, Limits
from bot.adapters.api.operations import LONGEST_BODY, NUMBER, OPERATIONS, ROOT, Operation, Parameter
from bot.adapters.api.problems import (
    AMISS,
    LATE,
    NO_JSON,
    NO_KEY,
    NO_MATCH,
    NO_TOURNAMENT,
    NOT_SO,
    NOWHERE,
    REUSED,
    TOO_LONG,
    TOO_MANY_STREAMS,
    TOO_MUCH,
    TOO_SLOW,
    NotDone,
    problem,
)
from bot.adapters.api.reading.club import Club
from bot.adapters.api.reading.matches import LISTED, Reading
from bot.adapters.api.streams import Streams
from bot.adapters.api.words import words
from bot.commands.parser import write_command
from bot.commands.people.secrecy import is_hidden
from bot.messages.model import Person, Place
from bot.messages.serialization import read_address
from bot.messages.unreadable import unreadable
from bot.notices.programs import holder
from bot.repository import Repository
from bot.runtime.admission import TOO_MUCH_AT_ONCE
from engine.text import Text

SLOWEST_BODY: Final = 10.0
"""Seconds in which a body must be here."""
PAUSE: Final = 30
"""Seconds to wait after too much at once."""

log = structlog.get_logger(__name__)

Address = Callable[[web.Request], str]
"""From where somebody asks."""


class Door:
    """Everything a program asks for comes in here."""

    def __init__(
        self,
        repository: Repository,
        answers: Answers,
        streams: Streams,
        limits: Limits,
        now: Callable[[], int],
        *,
        lobby: Place,
        community: str,
    ):
        """`lobby` is where challenges of programs are posted, `community` what it belongs to."""
        self._repository = repository
        self._reading = Reading(repository)
        self._club = Club(repository, self._reading, now, lobby=lobby, community=community)
        self._answers = answers
        self._streams = streams
        self._limits = limits
        self._lobby = lobby
        self._community = community
        self._reads: dict[str, Callable[[Person, web.Request, Asked], Awaitable[Any]]] = {
            "me": lambda who, _request, _asked: self._reading.me(who),
            "games": lambda who, _request, _asked: self._reading.games(who),
            "matches": lambda who, _request, asked: self._reading.matches(
                who, asked.get("status", ""), asked.get("limit", LISTED)
            ),
            "match": lambda who, _request, asked: self._reading.match(who, asked["match"], asked.get("shown")),
            "menu": lambda who, _request, asked: self._reading.menu(who, asked["match"], asked.get("pick", [])),
            "tournaments": lambda _who, _request, asked: self._club.tournaments(asked.get("limit", LISTED)),
            "tournament": lambda who, _request, asked: self._club.tournament(who, asked["tournament"]),
            "ladder": lambda _who, _request, asked: self._club.ladder(
                asked["game"], asked.get("limit", LISTED), several=asked.get("players") == "several"
            ),
        }

    def application(self, address: Address) -> web.Application:
        """Returns what serves everything below `ROOT`."""
        app = web.Application(middlewares=[self._guard(address)], client_max_size=LONGEST_BODY)
        described = msgspec.json.encode(description())

        async def describe(_request: web.Request) -> web.Response:
            return web.Response(body=described, content_type="application/json", charset="utf-8")

        app.router.add_get("/openapi.json", describe)
        for operation in OPERATIONS:
            app.router.add_route(operation.method, operation.path, self._handler(operation, address))
        return app

    def _guard(self, _address: Address) -> Any:
        @web.middleware
        async def guarded(request: web.Request, handler: Handler) -> web.StreamResponse:
            try:
                response = await handler(request)
            except NotDone as refusal:
                response = await self._refused(refusal)
            except web.HTTPException as error:
                status = HTTPStatus(error.status)
                because = {404: NOWHERE, 405: NOT_SO, 413: TOO_LONG}.get(error.status, NO_JSON)
                response = problem(status, _said(because))
                if "Allow" in error.headers:
                    response.headers["Allow"] = error.headers["Allow"]
            except OSError as error:
                reasons = unreadable(error, request.match_info.get("match", "")) or AMISS
                response = problem(HTTPStatus.SERVICE_UNAVAILABLE, _said(reasons), wait=PAUSE)
            except Exception:
                log.exception("a program's request could not be answered", path=request.path)
                response = problem(HTTPStatus.INTERNAL_SERVER_ERROR, _said(AMISS))
            if not response.prepared:
                response.headers["Cache-Control"] = "no-store"
            return response

        return guarded

    async def _refused(self, refusal: NotDone) -> web.Response:
        told = await self._reading.told(refusal.who) if refusal.who is not None else str
        detail = " ".join(told(sentence) for sentence in refusal.because)
        return problem(refusal.status, detail, wait=refusal.wait, wrong=refusal.wrong)

    def _handler(self, operation: Operation, address: Address) -> Handler:
        async def handled(request: web.Request) -> web.StreamResponse:
            who = await self._whose(request, address)
            try:
                return await self._answered(who, operation, request)
            except NotDone as refusal:
                refusal.who = who
                raise

        return handled

    async def _answered(self, who: Person, operation: Operation, request: web.Request) -> web.StreamResponse:
        self._allowed(who, DEEDS if operation.command else READS)
        asked = _asked(operation, request)
        if operation.stream:
            return await self._stream(who, request, asked)
        if operation.command is None:
            found = await self._reads[operation.name](who, request, asked)
            if found is None:
                raise NotDone(HTTPStatus.NOT_FOUND, *_missing(asked))
            return _json(found)
        return await self._deed(who, operation, asked, await _body(operation, request))

    async def _whose(self, request: web.Request, address: Address) -> Person:
        kind, _, key = request.headers.get("Authorization", "").partition(" ")
        who = await holder(self._repository, key.strip()) if kind.lower() == "bearer" else None
        if who is None:
            if pause := self._limits.take(f"from {address(request)}", GUESSES):
                raise NotDone(HTTPStatus.TOO_MANY_REQUESTS, *TOO_MUCH, wait=_seconds(pause))
            raise NotDone(HTTPStatus.UNAUTHORIZED, *NO_KEY)
        return who

    def _allowed(self, who: Person, size: int) -> None:
        if pause := self._limits.take(who.key, size):
            raise NotDone(HTTPStatus.TOO_MANY_REQUESTS, *TOO_MUCH, wait=_seconds(pause))

    async def _stream(self, who: Person, request: web.Request, asked: "Asked") -> web.StreamResponse:
        if not self._limits.open(who.key):
            raise NotDone(HTTPStatus.TOO_MANY_REQUESTS, *TOO_MANY_STREAMS, wait=PAUSE)
        try:
            return await self._streams.serve(who, request, asked.get("Last-Event-ID"))
        finally:
            self._limits.close(who.key)

    async def _deed(self, who: Person, operation: Operation, asked: "Asked", body: Any) -> web.Response:
        assert operation.command is not None, "it does something"
        filled = {name: value for name, value in msgspec.structs.asdict(body).items() if isinstance(value, str)}
        if "player" in filled:
            filled["player"] = " ".join(f"@{name.lstrip('@')}" for name in filled["player"].split())
        if operation.name == "webhook":
            filled["what"] = "webhook"
        filled["match"] = asked.get("match", "")
        text = write_command(operation.command, filled, getattr(body, "stamp", None))
        where = await self._where(who, asked.get("match", ""))
        server = self._community if where.platform == self._lobby.platform else ""
        try:
            told = await self._answers.ask(who, text, where, server, asked.get("Idempotency-Key", str(uuid.uuid4())))
        except Late:
            raise NotDone(HTTPStatus.GATEWAY_TIMEOUT, *LATE, wait=1) from None
        except Unheard:
            raise NotDone(HTTPStatus.TOO_MANY_REQUESTS, *TOO_MUCH, wait=PAUSE) from None
        except Reused:
            raise NotDone(HTTPStatus.UNPROCESSABLE_ENTITY, *REUSED) from None
        if (made := done(told)) is not None:
            return _json(made)
        detail = "\n".join(words(one.text) for one in told)
        first = told[0].lines[0][0].template if told[0].lines else ""
        if first == TOO_MUCH_AT_ONCE.template:
            return problem(HTTPStatus.TOO_MANY_REQUESTS, detail, wait=PAUSE)
        return problem(HTTPStatus.UNPROCESSABLE_ENTITY, detail)

    async def _where(self, who: Person, match: str) -> Place:
        """Where somebody would say it: where the match lives, unless they may not know of it."""
        found = await self._repository.match(match) if match else None
        accounts = await self._repository.accounts(who.key)
        if found is None or not found.places or await is_hidden(self._repository, found, accounts, self._lobby):
            return self._lobby
        return read_address(found.places[0])


Asked = dict[str, Any]
"""What stands in path, query and headers, by name, read as its kind."""


def _asked(operation: Operation, request: web.Request) -> Asked:
    """Returns the parameters of a request. Raises NotDone for one that is not as described."""
    asked: Asked = {}
    known = [each.name for each in operation.parameters if each.where == "query"]
    for name in request.query.keys() - {*known}:  # misspelt, it would change nothing, and nobody would be told
        sentence = Text("`{name}` is not as described.", name=name[:40])
        wrong = f"known here: {', '.join(known) or 'none'}"
        raise NotDone(HTTPStatus.BAD_REQUEST, sentence, NOWHERE[1], wrong=wrong)
    for each in operation.parameters:
        found = _given(each, request)
        if not found:
            continue
        try:
            asked[each.name] = msgspec.convert(found if each.many else found[0], each.kind, strict=False)
            if len(found) > (16 if each.many else 1):
                raise msgspec.ValidationError("given too often")
        except (msgspec.ValidationError, UnicodeEncodeError) as error:  # a header may hold bytes that are no text
            if each.where == "path":
                raise NotDone(HTTPStatus.NOT_FOUND, *_missing({each.name: found[0][:20]})) from None
            sentence = Text("`{name}` is not as described.", name=each.name)
            raise NotDone(HTTPStatus.BAD_REQUEST, sentence, NOWHERE[1], wrong=str(error)) from None
    return asked


def _given(each: Parameter, request: web.Request) -> list[str]:
    if each.where == "path":
        return [request.match_info[each.name]]
    return list((request.query if each.where == "query" else request.headers).getall(each.name, ()))


async def _body(operation: Operation, request: web.Request) -> Any:
    """Returns the body of a request. Raises NotDone for one that is not as described."""
    if request.content_type != "application/json" and request.can_read_body:
        raise NotDone(HTTPStatus.UNSUPPORTED_MEDIA_TYPE, *NO_JSON)
    body = b""
    try:
        async with asyncio.timeout(SLOWEST_BODY):
            while more := await request.content.read(LONGEST_BODY + 1 - len(body)):
                body += more
                if len(body) > LONGEST_BODY:
                    raise NotDone(HTTPStatus.REQUEST_ENTITY_TOO_LARGE, *TOO_LONG)
    except TimeoutError:
        raise NotDone(HTTPStatus.REQUEST_TIMEOUT, *TOO_SLOW) from None
    assert operation.body is not None, "it does something"
    try:
        return msgspec.json.decode(body or b"{}", type=operation.body)
    except msgspec.ValidationError as error:
        raise NotDone(HTTPStatus.BAD_REQUEST, NOT_AS_DESCRIBED, NOWHERE[1], wrong=str(error)) from None
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError):
        raise NotDone(HTTPStatus.BAD_REQUEST, *NO_JSON) from None


NOT_AS_DESCRIBED: Final = Text("The request is not as described.")


def _missing(asked: Asked) -> tuple[Text, ...]:
    """Why nothing is found: one sentence for what is not there, and for what may not be read."""
    if "match" in asked:
        return (Text(NO_MATCH[0].template, match=asked["match"]), *NO_MATCH[1:])
    return (Text(NO_TOURNAMENT.template, number=asked["tournament"]),) if "tournament" in asked else NOWHERE


def _json(found: Any) -> web.Response:
    return web.Response(body=msgspec.json.encode(found, enc_hook=str), content_type="application/json", charset="utf-8")


def _said(because: tuple[Text, ...]) -> str:
    return " ".join(map(str, because))


def _seconds(pause: int) -> int:
    return -(-pause // 1000)


__all__ = ["NUMBER", "ROOT", "Door"]
