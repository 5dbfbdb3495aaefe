"""The people of a test: they write, call, press and fill in, and can do only what a real client would let them."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from tests.discord_standin import channels, limits, posting
from tests.discord_standin.commands import (
    BOOLEAN,
    CHANNEL,
    CHAT,
    GROUP,
    INTEGER,
    NUMBER,
    ON_MESSAGE,
    ON_USER,
    STRING,
    SUBCOMMAND,
)
from tests.discord_standin.commands import USER as USER_OPTION
from tests.discord_standin.components import BUTTON, INPUT, LINK, SELECTS, kind_of, walk
from tests.discord_standin.interactions import AUTOCOMPLETE, COMMAND, COMPONENT, SUBMIT, Interaction, Modal, context_of
from tests.discord_standin.message import REPLY, Message, label_of
from tests.discord_standin.refusal import JSON
from tests.discord_standin.world import Channel, User

if TYPE_CHECKING:
    from tests.discord_standin.server import StandIn


class NotOffered(AssertionError):  # noqa: N818  (what a test sees when its person cannot do that)
    """A real client would not let a person do this."""


@dataclass(eq=False)
class Person(User):
    """A person with a client."""

    standin: "StandIn" = field(kw_only=True)
    modals: list[Modal] = field(default_factory=list)
    """The forms that were shown to them, oldest first."""

    @property
    def dm(self) -> Channel:
        """Their private channel with the bot."""
        return self.standin.world.private(self)

    @property
    def whispers(self) -> list[Message]:
        """What only they can see, oldest first, without what is still "thinking…"."""
        mine = [one for one in self.standin.world.whispers if one.only is self]
        return [one for one in mine if not one.flags & limits.LOADING]

    @property
    def sees(self) -> list[Message]:
        """All that they can see: in their guilds, in private, and what is whispered to them."""
        world = self.standin.world
        open_to_them = [one for one in world.channels.values() if self.is_in(one)]
        seen = [message for channel in open_to_them for message in channel.messages]
        return sorted([*seen, *self.whispers], key=lambda message: message.id)

    def is_in(self, channel: Channel) -> bool:
        """Whether they may read and write there."""
        if channel.guild:
            return self in channel.guild.members
        return channel.recipient is self or self in channel.between

    def private_with(self, other: "Person") -> Channel:
        """Their private channel with somebody else, in which only commands that are installed for users work."""
        return self.standin.world.aside(self, other)

    @property
    def pings(self) -> list[Message]:
        """The messages that pinged them."""
        return [one for one in self.standin.world.everything() if self in one.mentions or one.everyone]

    def say(
        self,
        channel: Channel,
        text: str,
        *,
        mention_bot: bool = False,
        reply_to: Message | None = None,
        ping: bool = True,
        files: Mapping[str, bytes] | None = None,
    ) -> Message:
        """Write a message; a reply pings its author unless told not to."""
        self._enter(channel)
        bot = self.standin.world.bot
        message = posting.blank(channel, self)
        message.reference = reply_to
        message.type = REPLY if reply_to else message.type
        payload = {"content": f"{bot.mention} {text}" if mention_bot else text}
        uploads = {n: posting.Upload(*file) for n, file in enumerate((files or {}).items())}
        posting.compose(message, payload, uploads, 0)
        allowed = {"parse": ["users", "roles", "everyone"], "replied_user": ping}
        return posting.send(message, allowed)

    def edit(self, message: Message, text: str) -> Message:
        """Change an own message."""
        self._offered(message.author is self, "this is somebody else's message")
        return posting.edit(message, {"content": text}, {}, 0)

    def delete(self, message: Message) -> None:
        """Take a message away: an own one, or any for somebody who may do everything."""
        self._offered(message.author is self or self.admin, "this is somebody else's message")
        posting.delete(message)

    def react(self, message: Message, emoji: str) -> None:
        """Add a reaction."""
        channels.put_reaction(message, emoji, self)

    def unreact(self, message: Message, emoji: str) -> None:
        """Take it back."""
        channels.take_reaction(message, emoji, self)

    def thread(self, channel: Channel, name: str, message: Message | None = None) -> Channel:
        """Open a public thread."""
        return channels.open_thread(channel, {"name": name, "type": 11}, self, message)

    def archive(self, thread: Channel, *, locked: bool = False) -> None:
        """Close a thread, as its owner or a moderator would."""
        thread.archived, thread.locked = True, locked
        channels.tell_thread(thread, "THREAD_UPDATE")

    def remove(self, channel: Channel) -> None:
        """Delete a channel or thread for good."""
        channels.remove_channel(channel)

    def slash(self, where: Channel, command: str, /, **values: Any) -> Interaction:
        """Call a command: `anna.slash(room, "match call", match="12")`."""
        data, _ = self._command(where, command, values, "")
        return self._interact(where, COMMAND, data)

    async def autocomplete(
        self, where: Channel, command: str, option: str, typed: str = "", /, **values: Any
    ) -> list[JSON]:
        """What is proposed for an option while it is typed: the choices as shown."""
        data, kind = self._command(where, command, {**values, option: typed}, option)
        interaction = self._interact(where, AUTOCOMPLETE, data, focused=kind)
        await self.standin.until(
            lambda: interaction.answer or interaction.refused, f"choices for {option} of /{command}"
        )
        self._offered(not interaction.refused, f"the bot's choices were refused: {interaction.refused}")
        return interaction.choices

    def menu(self, name: str, target: User | Message, where: Channel | None = None) -> Interaction:
        """Choose a command from the menu of a user or a message."""
        kind = ON_USER if isinstance(target, User) else ON_MESSAGE
        where = where or (target.channel if isinstance(target, Message) else None)
        assert where, "a user's menu is opened somewhere: say where"
        command = self._find(where, kind, name)
        resolved: JSON = {}
        if isinstance(target, Message):
            resolved["messages"] = {str(target.id): target.json()}
        else:
            resolved |= _resolved_user(where, target)
        data = {"id": command["id"], "type": kind, "name": name, "target_id": str(target.id), "resolved": resolved}
        return self._interact(where, COMMAND, data)

    def press(self, message: Message, button: str) -> Interaction:
        """Press a button, named by its label or custom_id."""
        self._sees(message)
        for part in walk(message.components):
            if kind_of(part) == BUTTON and button in (part.get("label"), part.get("custom_id"), label_of(part)):
                self._offered(not part.get("disabled") and part["style"] < LINK, f"{button!r} cannot be pressed")
                return self.forge(part["custom_id"], message)
        raise NotOffered(f"there is no button {button!r}, only {message.buttons}")

    def select(self, message: Message, *labels: str, custom_id: str = "") -> Interaction:
        """Choose from a select, by labels or values; from one of users, by ids."""
        self._sees(message)
        menus = [one for one in walk(message.components) if kind_of(one) in SELECTS]
        menus = [one for one in menus if custom_id in ("", one["custom_id"])]
        self._offered(len(menus) == 1, f"there are {len(menus)} selects; name one by its custom_id")
        menu = menus[0]
        self._offered(not menu.get("disabled"), "this select is disabled")
        return self.forge(menu["custom_id"], message, kind_of(menu), _chosen(menu, labels))

    def forge(
        self, custom_id: str, message: Message, component: int = BUTTON, values: list[str] | None = None
    ) -> Interaction:
        """Send any custom_id at all, as a client that was tampered with could."""
        self._enter(message.channel)
        data: JSON = {"custom_id": custom_id, "component_type": component, "id": 1}
        if values is not None:
            data["values"] = values
        return self._interact(message.channel, COMPONENT, data, message)

    def submit(self, modal: Modal, values: Mapping[str, Any]) -> Interaction:
        """Fill in a form that was shown, fields named by label or custom_id, and send it."""
        self._offered(modal in self.modals and not modal.submitted, "this form is not before them")
        rest = dict(values)
        filled = [_filled(top, rest) for top in modal.data["components"]]
        self._offered(not rest, f"the form has no field {', '.join(rest)}")
        modal.submitted = True
        data = {"custom_id": modal.data["custom_id"], "components": filled}
        return self._interact(modal.shown_by.channel, SUBMIT, data, modal.shown_by.message)

    def _enter(self, channel: Channel) -> None:
        self._offered(self.is_in(channel), f"{self.name} is not in {channel.name or 'this private channel'}")
        self._offered(not channel.locked or self.admin, "this thread is locked")
        channels.reach(channel)

    def _sees(self, message: Message) -> None:
        self._offered(message.only in (None, self), "only somebody else can see this message")
        there = message in self.standin.world.whispers or message.id in message.channel.by_id
        self._offered(there, "this message is gone")

    def _offered(self, fine: object, words: str) -> None:
        if not fine:
            raise NotOffered(words)

    def _interact(
        self, where: Channel, kind: int, data: JSON, message: Message | None = None, focused: int = 0
    ) -> Interaction:
        return self.standin.interact(self, where, kind, data, message, focused)

    def _find(self, where: Channel, kind: int, name: str) -> JSON:
        """The registered command, if it is to be had here."""
        self._enter(where)
        guild = where.guild
        offered = list(self.standin.world.registry.available(guild.id if guild else 0))
        for command in offered:
            if (command["type"], command["name"]) == (kind, name):
                self._offered(_fits(command, where, self), f"/{name} is not offered here")
                return command
        raise NotOffered(f"no command {name!r} is registered, only {[one['name'] for one in offered]}")

    def _command(self, where: Channel, line: str, values: dict[str, Any], focused: str) -> tuple[JSON, int]:
        """The payload of a call, and the type of the option that is being completed."""
        first, *steps = line.split()
        command = self._find(where, CHAT, first)
        data: JSON = {"id": command["id"], "name": first, "type": CHAT, "options": [], "resolved": {}}
        if command.get("guild_id"):
            data["guild_id"] = command["guild_id"]
        node, inner = command, data["options"]
        for step in steps:
            node = _child(node, step)
            inner.append({"name": step, "type": node["type"], "options": []})
            inner = inner[-1]["options"]
        known = {option["name"]: option for option in node.get("options") or ()}
        nested = [name for name, option in known.items() if option["type"] in (SUBCOMMAND, GROUP)]
        self._offered(not nested, f"/{line} needs one of {nested}")
        self._offered(set(values) <= set(known), f"/{line} has only the options {list(known)}")
        missing = [name for name, option in known.items() if option.get("required") and name not in values]
        self._offered(focused or not missing, f"/{line} needs {missing}")
        kind = 0
        for name, value in values.items():
            given = {"name": name, "type": known[name]["type"]}
            if name == focused:
                self._offered(known[name].get("autocomplete"), f"{name} of /{line} is not completed")
                kind = known[name]["type"]
                inner.append({**given, "value": value, "focused": True})
            else:
                inner.append({**given, "value": _value(known[name], value, where, data["resolved"])})
        if not data["resolved"]:
            del data["resolved"]
        return data, kind


def _child(node: JSON, step: str) -> JSON:
    for option in node.get("options") or ():
        if option["name"] == step and option["type"] in (SUBCOMMAND, GROUP):
            found: JSON = option
            return found
    raise NotOffered(f"{node['name']!r} has no {step!r}")


def _fits(command: JSON, where: Channel, who: User) -> bool:
    """Whether a command shows up in this place: its contexts, how it is installed, and what it asks of members."""
    contexts = command.get("contexts")
    guild = where.guild
    placed = (
        context_of(where) in contexts if contexts is not None else bool(guild or command.get("dm_permission", True))
    )
    ways = command["integration_types"]
    installed = not where.between and (guild is None or guild.bot) and 0 in ways
    needed = int(command.get("default_member_permissions") or 0)
    free = who.admin or guild is None or guild.owner is who
    return placed and (installed or (who.installed and 1 in ways)) and (free or not needed & ~limits.EVERYONE)


def _resolved_user(where: Channel, user: User) -> JSON:
    resolved: JSON = {"users": {str(user.id): user.json()}}
    if where.guild:
        member = where.guild.membership(user) | {"permissions": str(limits.EVERYONE)}
        resolved["members"] = {str(user.id): member}
    return resolved


def _value(option: JSON, value: Any, where: Channel, resolved: JSON) -> Any:
    """What is sent for an option, as a client would after checking it."""
    kind, name = option["type"], option["name"]
    if isinstance(value, User) and kind == USER_OPTION:
        for key, found in _resolved_user(where, value).items():
            resolved.setdefault(key, {}).update(found)
        return str(value.id)
    if isinstance(value, Channel) and kind == CHANNEL:
        permissions = {"permissions": str(limits.EVERYONE)}
        resolved.setdefault("channels", {})[str(value.id)] = value.json() | permissions
        return str(value.id)
    expected: Mapping[int, tuple[type, ...]] = {STRING: (str,), INTEGER: (int,), NUMBER: (int, float), BOOLEAN: (bool,)}
    fits = isinstance(value, expected.get(kind, ())) and (kind == BOOLEAN or not isinstance(value, bool))
    if not fits:
        raise NotOffered(f"{value!r} does not fit {name}, an option of type {kind}")
    choices = option.get("choices")
    if choices:
        for choice in choices:
            if value in (choice["name"], choice["value"]):
                return choice["value"]
        raise NotOffered(f"{name} offers only {[choice['name'] for choice in choices]}")
    measure = len(value) if isinstance(value, str) else value
    low, high = ("min_length", "max_length") if kind == STRING else ("min_value", "max_value")
    most = option.get(high, 6000 if kind == STRING else None)
    if measure < option.get(low, measure) or (most is not None and measure > most):
        raise NotOffered(f"{value!r} is out of the bounds of {name}")
    return value


def _chosen(menu: JSON, labels: tuple[str, ...]) -> list[str]:
    """The values that a select sends."""
    values = list(labels)
    if menu["type"] == 3:
        by_label = {option["label"]: option["value"] for option in menu["options"]}
        known = set(by_label.values())
        values = [by_label.get(label, label) for label in labels]
        if not set(values) <= known:
            raise NotOffered(f"there is nothing but {list(by_label)}")
    if not menu.get("min_values", 1) <= len(values) <= (menu.get("max_values") or 1):
        raise NotOffered(f"so many cannot be chosen: {len(values)}")
    return values


def _preset(menu: JSON) -> list[str]:
    """What is picked in a menu already when it is shown."""
    taken = [str(one["id"]) for one in menu.get("default_values") or ()]
    return taken + [option["value"] for option in menu.get("options") or () if option.get("default")]


def _filled(top: JSON, values: dict[str, Any]) -> JSON:
    """One part of a form with what was filled in; takes that out of `values`."""
    field_ = top.get("component") or (top.get("components") or [{}])[0]
    if not field_:
        return {"type": top["type"], "id": top.get("id", 0)}
    names = (top.get("label"), field_.get("label"), field_["custom_id"])
    key = next((name for name in names if name in values), None)
    same = {"type": field_["type"], "custom_id": field_["custom_id"], "id": field_.get("id", 0)}
    if field_["type"] == INPUT:
        value = str(values.pop(key)) if key else field_.get("value") or ""
        if field_.get("required", True) and not value:
            raise NotOffered(f"{names[0] or names[1]} must be filled in")
        least, most = field_.get("min_length") or 0, field_.get("max_length") or 4000
        if value and not least <= len(value) <= most:
            raise NotOffered(f"{names[0] or names[1]} takes {least} to {most} characters")
        inner = {**same, "value": value}
    else:
        chosen = values.pop(key) if key else _preset(field_)
        inner = {**same, "values": _chosen(field_, (chosen,) if isinstance(chosen, str) else tuple(chosen))}
    wrapped = {"component": inner} if top.get("component") else {"components": [inner]}
    return {"type": top["type"], "id": top.get("id", 0), **wrapped}
