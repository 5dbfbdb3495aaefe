"""Drives a stand-in over HTTP: what people do, what goes wrong, what time it is, and everything that can be seen."""

from collections.abc import Callable, Mapping
from typing import Any, Final

from aiohttp import web

from tests.discord_standin.interactions import Interaction
from tests.discord_standin.message import Message
from tests.discord_standin.people import NotOffered, Person
from tests.discord_standin.refusal import JSON, Refusal
from tests.discord_standin.server import StandIn
from tests.discord_standin.world import Channel


class Control:
    """The routes `/control/…` of one stand-in."""

    def __init__(self, standin: StandIn):
        self.standin = standin

    def routes(self) -> list[web.RouteDef]:
        """What a server has to know."""
        return [
            web.post("/control/do/{verb}", self._do),
            web.get("/control/state", self._state),
            web.get("/control/requests", self._requests),
            web.get("/control/search", self._search),
        ]

    async def _do(self, http: web.Request) -> web.Response:
        verb, given = VERBS[http.match_info["verb"]], await http.json()
        try:
            return web.json_response(await verb(self.standin, given) or {})
        except (NotOffered, Refusal) as refused:
            return web.json_response({"refused": str(refused)}, status=409)

    async def _state(self, http: web.Request) -> web.Response:
        """Everything; with `after`, once anything has changed since that revision."""
        after = int(http.query.get("after", -1))
        try:
            await self.standin.until(lambda: self.standin.revision > after, patience=float(http.query.get("wait", 10)))
        except AssertionError:
            return web.json_response({"revision": after, "same": True})
        return web.json_response(state(self.standin))

    async def _requests(self, http: web.Request) -> web.Response:
        since = int(http.query.get("since", 0))
        return web.json_response([request.json() for request in self.standin.requests[since:]])

    async def _search(self, http: web.Request) -> web.Response:
        return web.json_response(self.standin.search(http.query["needle"]))


def state(standin: StandIn) -> JSON:
    """Everything that can be seen, as JSON."""
    world, gateway = standin.world, standin.gateway
    people = [user for user in world.users.values() if isinstance(user, Person)]
    return {
        "revision": standin.revision,
        "now": standin.clock.now(),
        "people": {user.name: str(user.id) for user in people},
        "channels": [_channel(channel) for channel in world.channels.values()],
        "whispers": [_message(one) for one in world.whispers],
        "interactions": [_interaction(one) for one in standin.interactions.values()],
        "commands": {str(guild): commands for guild, commands in world.registry.by_guild.items()},
        "requests": len(standin.requests),
        "invalid": standin.traffic.invalid_total,
        "connected": sum(one.session is not None for one in gateway.connections),
        "identifies": len(gateway.identifies),
        "resumes": gateway.resumes,
    }


def _channel(channel: Channel) -> JSON:
    return {
        "id": str(channel.id),
        "name": channel.name,
        "type": channel.type,
        "parent": str(channel.parent.id) if channel.parent else None,
        "recipient": channel.recipient.name if channel.recipient else None,
        "archived": channel.archived,
        "locked": channel.locked,
        "messages": [_message(one) for one in channel.messages],
    }


def _message(message: Message) -> JSON:
    only = message.only.name if message.only else None
    pinged = [user.name for user in message.mentions]
    more = {
        "text": message.text,
        "only": only,
        "pinged": pinged,
        "buttons": message.buttons,
        "sent_with": message.nonce,
    }
    return {**message.json(), "by": message.author.name, **more}


def _interaction(interaction: Interaction) -> JSON:
    return {
        "id": str(interaction.id),
        "kind": interaction.kind,
        "user": interaction.user.name,
        "data": interaction.data,
        "at": interaction.at,
        "answer": interaction.answer,
        "loading": interaction.loading,
        "answered_at": interaction.answered_at,
        "replies": [_message(one) for one in interaction.replies],
        "modal": interaction.modal.data if interaction.modal else None,
        "choices": interaction.choices,
    }


async def _guild(standin: StandIn, given: JSON) -> JSON:
    people = [_person(standin, name) if _known(standin, name) else standin.person(name) for name in given["people"]]
    guild = standin.guild(given.get("name", "The club"), *people, bot=given.get("bot", True))
    rooms = {name: str(guild.channel(name).id) for name in given.get("channels", ["games"])}
    return {"id": str(guild.id), "channels": rooms, "people": {one.name: str(one.id) for one in people}}


async def _say(standin: StandIn, given: JSON) -> JSON:
    who, where, text = _person(standin, given["who"]), _place(standin, given["where"]), given["text"]
    reply_to = _find(standin, given["reply_to"]) if given.get("reply_to") else None
    return _message(who.say(where, text, mention_bot=given.get("mention_bot", False), reply_to=reply_to))


async def _slash(standin: StandIn, given: JSON) -> JSON:
    values = {name: _value(standin, value) for name, value in given.get("values", {}).items()}
    who, where = _person(standin, given["who"]), _place(standin, given["where"])
    return _interaction(who.slash(where, given["command"], **values))


async def _autocomplete(standin: StandIn, given: JSON) -> JSON:
    who, where = _person(standin, given["who"]), _place(standin, given["where"])
    found = await who.autocomplete(where, given["command"], given["option"], given["typed"], **given.get("values", {}))
    return {"choices": found}


async def _press(standin: StandIn, given: JSON) -> JSON:
    return _interaction(_person(standin, given["who"]).press(_find(standin, given["message"]), given["button"]))


async def _select(standin: StandIn, given: JSON) -> JSON:
    who, message = _person(standin, given["who"]), _find(standin, given["message"])
    return _interaction(who.select(message, *given["labels"], custom_id=given.get("custom_id", "")))


async def _forge(standin: StandIn, given: JSON) -> JSON:
    who = _person(standin, given["who"])
    return _interaction(who.forge(given["custom_id"], _find(standin, given["message"])))


async def _submit(standin: StandIn, given: JSON) -> JSON:
    """Sends the form that was shown last."""
    who = _person(standin, given["who"])
    return _interaction(who.submit(who.modals[-1], given["values"]))


async def _menu(standin: StandIn, given: JSON) -> JSON:
    who, where = _person(standin, given["who"]), _place(standin, given["where"])
    target = _person(standin, given["user"]) if "user" in given else _find(standin, given["message"])
    return _interaction(who.menu(given["name"], target, where))


async def _react(standin: StandIn, given: JSON) -> None:
    _person(standin, given["who"]).react(_find(standin, given["message"]), given["emoji"])


async def _change(standin: StandIn, given: JSON) -> None:
    """Closes or opens a person's door: `{"who": "Anna", "closed": true}`."""
    person = _person(standin, given["who"])
    person.closed = given.get("closed", person.closed)


async def _archive(standin: StandIn, given: JSON) -> None:
    thread = _place(standin, given["where"])
    _person(standin, given["who"]).archive(thread, locked=given.get("locked", False))


async def _permit(standin: StandIn, given: JSON) -> None:
    channel = _place(standin, given["where"])
    channel.deny(*given.get("deny", ()))
    channel.allow(*given.get("allow", ()))


async def _fail(standin: StandIn, given: JSON) -> None:
    standin.fail(**given)


async def _release(standin: StandIn, given: JSON) -> None:
    """Lets all slow answers go, and ends all faults."""
    del given
    for fault in standin.traffic.faults:
        fault.release()


async def _advance(standin: StandIn, given: JSON) -> None:
    standin.advance(given["seconds"])


async def _forget(standin: StandIn, given: JSON) -> None:
    """Forgets the requests so far and the files that came with them: a long run has no room for all."""
    del given
    standin.requests.clear()
    standin.world.files.clear()


async def _gateway(standin: StandIn, given: JSON) -> None:
    """Trouble with the sockets: cut, close, reconnect, invalidate or fall_silent."""
    gateway = standin.gateway
    troubles: Mapping[str, Callable[[], None]] = {
        "cut": gateway.cut,
        "close": gateway.close,
        "reconnect": gateway.reconnect,
        "invalidate": gateway.invalidate,
        "fall_silent": gateway.fall_silent,
    }
    troubles[given["trouble"]]()


VERBS: Final[Mapping[str, Callable[[StandIn, JSON], Any]]] = {
    "guild": _guild,
    "say": _say,
    "slash": _slash,
    "autocomplete": _autocomplete,
    "press": _press,
    "select": _select,
    "forge": _forge,
    "submit": _submit,
    "menu": _menu,
    "react": _react,
    "change": _change,
    "archive": _archive,
    "permit": _permit,
    "fail": _fail,
    "release": _release,
    "advance": _advance,
    "gateway": _gateway,
    "forget": _forget,
}
"""What can be done, each with a JSON object of the arguments' names."""


def _known(standin: StandIn, name: str) -> bool:
    return any(user.name == name for user in standin.world.users.values())


def _person(standin: StandIn, name: str) -> Person:
    for user in standin.world.users.values():
        if isinstance(user, Person) and name in (user.name, str(user.id)):
            return user
    raise NotOffered(f"there is nobody called {name}")


def _place(standin: StandIn, where: str) -> Channel:
    """A channel by its id or name; `@Anna` is her private channel."""
    if where.startswith("@"):
        return _person(standin, where[1:]).dm
    for channel in standin.world.channels.values():
        if where in (str(channel.id), channel.name):
            return channel
    raise NotOffered(f"there is no channel {where}")


def _find(standin: StandIn, message: str) -> Message:
    for one in standin.world.everything():
        if str(one.id) == message:
            return one
    raise NotOffered(f"there is no message {message}")


def _value(standin: StandIn, value: Any) -> Any:
    """An option's value; `{"user": "Ben"}` is a person."""
    return _person(standin, value["user"]) if isinstance(value, dict) else value
