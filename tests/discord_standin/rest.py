"""The REST side: which route leads where, and what every request passes on its way: record, faults, limits, token."""

import json
import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, Final

from aiohttp import BodyPartReader, web

from tests.discord_standin import answers, channels, home, limits
from tests.discord_standin.call import Call
from tests.discord_standin.gateway import Gateway
from tests.discord_standin.interactions import Interaction
from tests.discord_standin.posting import Upload
from tests.discord_standin.refusal import JSON, REFUSALS, Refusal
from tests.discord_standin.traffic import Fault, Limited, Request, Traffic
from tests.discord_standin.world import World

_COMMANDS: Final = "/applications/{application}/commands"
_GUILD_COMMANDS: Final = "/applications/{application}/guilds/{guild}/commands"
_MESSAGE: Final = "/channels/{channel}/messages/{message}"
_MEMBERS: Final = "/channels/{channel}/thread-members"
_REPLY: Final = "/webhooks/{application}/{token}/messages/{message}"

ROUTES: Final[Mapping[tuple[str, str], Callable[[Call], Any]]] = {
    ("GET", "/gateway"): home.gateway,
    ("GET", "/gateway/bot"): home.gateway,
    ("GET", "/users/@me"): home.me,
    ("GET", "/users/@me/guilds"): home.my_guilds,
    ("DELETE", "/users/@me/guilds/{guild}"): home.leave_guild,
    ("POST", "/users/@me/channels"): channels.open_private,
    ("GET", "/users/{user}"): home.user,
    ("GET", "/applications/@me"): home.application,
    ("GET", "/oauth2/applications/@me"): home.application,
    ("GET", _COMMANDS): home.commands,
    ("PUT", _COMMANDS): home.put_commands,
    ("POST", _COMMANDS): home.post_command,
    ("GET", _COMMANDS + "/{command}"): home.command,
    ("DELETE", _COMMANDS + "/{command}"): home.delete_command,
    ("GET", _GUILD_COMMANDS): home.commands,
    ("PUT", _GUILD_COMMANDS): home.put_commands,
    ("POST", _GUILD_COMMANDS): home.post_command,
    ("GET", _GUILD_COMMANDS + "/{command}"): home.command,
    ("DELETE", _GUILD_COMMANDS + "/{command}"): home.delete_command,
    ("GET", "/guilds/{guild}"): home.guild,
    ("GET", "/guilds/{guild}/channels"): home.guild_channels,
    ("GET", "/guilds/{guild}/members/{user}"): home.member,
    ("GET", "/guilds/{guild}/threads/active"): channels.active_threads,
    ("GET", "/channels/{channel}"): channels.get_channel,
    ("PATCH", "/channels/{channel}"): channels.change_channel,
    ("DELETE", "/channels/{channel}"): channels.delete_channel,
    ("POST", "/channels/{channel}/typing"): channels.typing,
    ("GET", "/channels/{channel}/messages"): channels.get_messages,
    ("POST", "/channels/{channel}/messages"): channels.create_message,
    ("GET", _MESSAGE): channels.get_message,
    ("PATCH", _MESSAGE): channels.edit_message,
    ("DELETE", _MESSAGE): channels.delete_message,
    ("GET", _MESSAGE + "/reactions/{emoji}"): channels.who_reacted,
    ("PUT", _MESSAGE + "/reactions/{emoji}/@me"): channels.react,
    ("DELETE", _MESSAGE + "/reactions/{emoji}/{user}"): channels.unreact,
    ("POST", _MESSAGE + "/threads"): channels.thread_from_message,
    ("POST", "/channels/{channel}/threads"): channels.thread_alone,
    ("GET", "/channels/{channel}/threads/archived/public"): channels.archived_threads,
    ("GET", _MEMBERS): channels.thread_members,
    ("PUT", _MEMBERS + "/{user}"): channels.join_thread,
    ("DELETE", _MEMBERS + "/{user}"): channels.leave_thread,
    ("POST", "/interactions/{interaction}/{token}/callback"): answers.callback,
    ("POST", "/webhooks/{application}/{token}"): answers.follow_up,
    ("GET", _REPLY): answers.get_reply,
    ("PATCH", _REPLY): answers.edit_reply,
    ("DELETE", _REPLY): answers.delete_reply,
}
WITHOUT_TOKEN: Final = ("/interactions/", "/webhooks/")
"""Routes that need no token of the bot, because their paths hold one."""


@dataclass(frozen=True, slots=True)
class Route:
    """A route, ready to be compared with paths."""

    method: str
    template: str
    pattern: re.Pattern[str]
    handler: Callable[[Call], Any]


def _route(method: str, template: str, handler: Callable[[Call], Any]) -> Route:
    pattern = re.sub(r"\{(\w+)\}", r"(?P<\1>[^/]+)", template)
    return Route(method, template, re.compile(pattern), handler)


_BY_LENGTH: Final[dict[int, list[Route]]] = {}
for (_method, _template), _handler in ROUTES.items():
    _BY_LENGTH.setdefault(_template.count("/"), []).append(_route(_method, _template, _handler))


class Rest:
    """Answers every request under `/api/v10`."""

    def __init__(
        self, world: World, traffic: Traffic, interactions: Mapping[str, Interaction], gateway: Gateway, shards: int
    ):
        self.world, self.traffic, self.interactions = world, traffic, interactions
        self.gateway, self.shards = gateway, shards
        self.requests: list[Request] = []
        """All that ever came, in order."""

    async def handle(self, http: web.Request) -> web.StreamResponse:
        """One request."""
        path = "/" + http.match_info["path"]
        request = Request(http.method, path, dict(http.query), None, {})
        broken = await _read(http, request)
        self.requests.append(request)
        fault = self.traffic.fault(request.method, path)
        if fault:
            request.trouble = fault.trouble + (" after" if fault.after else "")
        if fault and not fault.after:
            troubled = await self._troubled(http, request, fault)
            return troubled or self._answer(http, request, broken=broken)
        answer = self._answer(http, request, broken=broken)
        return (await self._troubled(http, request, fault) if fault else None) or answer

    def _answer(self, http: web.Request, request: Request, *, broken: bool) -> web.Response:
        headers: dict[str, str] = {}
        try:
            if self.traffic.banned():
                request.status = 429
                return web.Response(status=429, body=b"error code: 1015", headers={"Content-Type": "text/html"})
            route, ids = _find(request.method, request.path)
            request.template = route.template
            authorised = http.headers.get("Authorization") == f"Bot {self.gateway.token}"
            if not authorised and not route.template.startswith(WITHOUT_TOKEN):
                raise Refusal("unauthorized")
            headers = self.traffic.admit(request.method, route.template, ids)
            if broken:
                raise Refusal("json")
            files = {n: Upload(name, data) for n, (name, data) in request.files.items()}
            if sum(len(upload.data) for upload in files.values()) > limits.REQUEST:
                raise Refusal("too large")
            told = self.gateway.information(self.shards)
            call = Call(self.world, self.traffic, self.interactions, told, ids, request.query, request.payload, files)
            request.answer = route.handler(call)
            created = request.method == "POST" and route.template.endswith("/threads")
            request.status = 204 if request.answer is None else 201 if created else 200
        except Refusal as refusal:
            request.status, request.answer = refusal.status, refusal.body()
            if isinstance(refusal, Limited):
                headers |= refusal.headers
            self.traffic.count(refusal.status, getattr(refusal, "scope", ""))
        self.world.changed()
        return _response(request.status, request.answer, headers)

    async def _troubled(self, http: web.Request, request: Request, fault: Fault) -> web.Response | None:
        """What a fault makes of a request; nothing, if it only takes its time."""
        self.world.changed()
        if fault.trouble == "slow":
            await fault.hold()
            return None
        if fault.trouble == "cut":
            if http.transport:
                http.transport.abort()
            return web.Response()
        if fault.trouble == "429":
            limited = Limited(fault.wait)
            self.traffic.count(429, limited.scope)
            request.status, request.answer = 429, limited.body()
            return _response(429, request.answer, limited.headers)
        if fault.trouble in REFUSALS:
            refusal = Refusal(fault.trouble)
            self.traffic.count(refusal.status, "")
            request.status, request.answer = refusal.status, refusal.body()
            return _response(request.status, request.answer, {})
        status = int(fault.trouble)
        request.status = request.status if fault.after else status
        return web.Response(status=status, body=b"upstream connect error", headers={"Content-Type": "text/plain"})


def _find(method: str, path: str) -> tuple[Route, Mapping[str, str]]:
    fitting = [
        (route, found) for route in _BY_LENGTH.get(path.count("/"), ()) if (found := route.pattern.fullmatch(path))
    ]
    if not fitting:
        raise Refusal("not found")
    for route, found in fitting:
        if route.method == method:
            return route, found.groupdict()
    raise Refusal("method")


async def _read(http: web.Request, request: Request) -> bool:
    """Take a request's payload and files; says whether the JSON in it is broken."""
    files: dict[int, tuple[str, bytes]] = {}
    raw = b""
    if http.content_type == "multipart/form-data":
        async for part in await http.multipart():
            assert isinstance(part, BodyPartReader)
            data = bytes(await part.read())
            index = re.fullmatch(r"files\[(\d+)\]", part.name or "")
            if index:
                files[int(index[1])] = part.filename or "unknown", data
            elif part.name == "payload_json":
                raw = data
    else:
        raw = await http.read()
        if raw and http.content_type != "application/json":
            return True
    request.files = files
    try:
        request.payload = json.loads(raw) if raw else {}
    except ValueError:
        return True
    return False


def _response(status: int, answer: JSON | list[JSON] | None, headers: dict[str, str]) -> web.Response:
    if status == 204:
        return web.Response(status=204, headers=headers)
    body = json.dumps(answer).encode()
    return web.Response(status=status, body=body, headers={**headers, "Content-Type": "application/json"})
