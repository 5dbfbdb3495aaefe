"""Application commands: what may be registered, and the registry of what is."""

import unicodedata
from collections.abc import Iterator
from typing import Any, Final

from tests.discord_standin import limits
from tests.discord_standin.clock import Clock
from tests.discord_standin.form import Form, Shape, among, bare, by_type, check, many, number, table, text, truth, whole
from tests.discord_standin.refusal import JSON, Path, Refusal

SUBCOMMAND, GROUP, STRING, INTEGER, BOOLEAN, USER, CHANNEL, ROLE, MENTIONABLE, NUMBER, ATTACHMENT = range(1, 12)
CHAT, ON_USER, ON_MESSAGE = 1, 2, 3
VALUES: Final = tuple(range(STRING, ATTACHMENT + 1))


def _choice(value: Shape) -> Shape:
    return table({"name": text(limits.CHOICE, 1), "value": value}, "name", "value")


CHOICE_VALUES: Final[dict[int, Shape]] = {
    STRING: text(limits.CHOICE, 1),
    INTEGER: whole(),
    NUMBER: number,
}
_NAMED: Final[dict[str, Shape]] = {
    "name": text(limits.COMMAND_NAME, 1),
    "description": text(limits.COMMAND_DESCRIPTION, 1),
}
_VALUE: Final[dict[str, Shape]] = {**_NAMED, "required": truth, "autocomplete": truth}
_MORE: Final[dict[int, dict[str, Shape]]] = {
    STRING: {"min_length": whole(0, 6000), "max_length": whole(1, 6000)},
    INTEGER: {"min_value": whole(), "max_value": whole()},
    NUMBER: {"min_value": number, "max_value": number},
    CHANNEL: {"channel_types": many(whole(0, 20), 20)},
}
_OPTIONS: Final[dict[int, Shape]] = {
    kind: table(
        {
            **_VALUE,
            **_MORE.get(kind, {}),
            **({"choices": many(_choice(CHOICE_VALUES[kind]), limits.CHOICES)} if kind in CHOICE_VALUES else {}),
        },
        "name",
        "description",
    )
    for kind in VALUES
}
_SUBCOMMAND = table(
    {**_NAMED, "options": many(by_type(_OPTIONS), limits.COMMAND_OPTIONS)},
    "name",
    "description",
)
_GROUP = table(
    {**_NAMED, "options": many(by_type({SUBCOMMAND: _SUBCOMMAND}), limits.COMMAND_OPTIONS, 1)},
    "name",
    "description",
)
COMMAND: Final = table(
    {
        "name": text(limits.COMMAND_NAME, 1),
        "description": text(limits.COMMAND_DESCRIPTION),
        "type": among((CHAT, ON_USER, ON_MESSAGE)),
        "options": many(
            by_type({**_OPTIONS, SUBCOMMAND: _SUBCOMMAND, GROUP: _GROUP}),
            limits.COMMAND_OPTIONS,
        ),
        "default_member_permissions": whole(0, 1 << 54),
        "dm_permission": truth,
        "nsfw": truth,
        "contexts": many(among((0, 1, 2), null=False), 3, 1),
        "integration_types": many(among((0, 1), null=False), 2, 1),
    },
    "name",
)


def check_command(command: Any, path: Path = ()) -> None:
    """Refuse a command that Discord would not register."""
    form = Form()
    COMMAND(form, path, command)
    form.close()
    kind = command.get("type") or CHAT
    if kind == CHAT:
        _check_name(form, path, command["name"])
        fine = command.get("description")
        form.require(fine, (*path, "description"), "BASE_TYPE_REQUIRED", "This field is required")
        _check_options(form, (*path, "options"), command.get("options") or [])
        words = f"Command exceeds maximum size ({limits.COMMAND_SIZE})"
        form.require(size(command) <= limits.COMMAND_SIZE, path, "APPLICATION_COMMAND_TOO_LARGE", words)
    else:
        for name in ("description", "options"):
            words = "Context menu commands cannot have this field"
            form.require(not command.get(name), (*path, name), f"APPLICATION_COMMAND_{name.upper()}_INVALID", words)
    for name in ("contexts", "integration_types"):
        given = command.get(name) or []
        form.require(len(set(given)) == len(given), (*path, name), "SET_TYPE_CONVERT", "Values must be unique")
    form.close()


def _check_options(form: Form, path: Path, options: list[JSON]) -> None:
    names = [option["name"] for option in options]
    code = "APPLICATION_COMMAND_OPTIONS_DUPLICATE_NAME"
    form.require(len(set(names)) == len(names), path, code, "Option names must be unique")
    nested = [option["type"] in (SUBCOMMAND, GROUP) for option in options]
    words = "Sub-command and sub-command group option types are mutually exclusive to all other types"
    form.require(all(nested) or not any(nested), path, "APPLICATION_COMMAND_OPTIONS_TYPE_INVALID", words)
    optional = False
    for n, option in enumerate(options):
        here = (*path, n)
        _check_name(form, here, option["name"])
        if option["type"] in (SUBCOMMAND, GROUP):
            _check_options(form, (*here, "options"), option.get("options") or [])
            continue
        words = "Required options must be placed before non-required options"
        required = bool(option.get("required"))
        form.require(not (required and optional), here, "APPLICATION_COMMAND_OPTIONS_REQUIRED_INVALID", words)
        optional |= not required
        _check_value(form, here, option)


def _check_value(form: Form, here: Path, option: JSON) -> None:
    choices = option.get("choices") or []
    if option.get("autocomplete"):
        words = "Autocomplete goes with strings and numbers, and never with choices"
        fine = option["type"] in CHOICE_VALUES and not choices
        form.require(fine, (*here, "autocomplete"), "APPLICATION_COMMAND_OPTION_AUTOCOMPLETE_INVALID", words)
    if choices and option["type"] not in CHOICE_VALUES:
        form.complain((*here, "choices"), "APPLICATION_COMMAND_OPTIONS_CHOICES_INVALID", "No choices for this type")
    for key in ("name", "value"):
        given = [choice[key] for choice in choices]
        code = f"APPLICATION_COMMAND_OPTIONS_CHOICE_{key.upper()}_DUPLICATE"
        form.require(len(set(given)) == len(given), (*here, "choices"), code, f"Choice {key}s must be unique")
    for low, high in (("min_length", "max_length"), ("min_value", "max_value")):
        if option.get(low) is not None and option.get(high) is not None:
            words = f"{low} must not exceed {high}"
            form.require(option[low] <= option[high], here, "APPLICATION_COMMAND_OPTION_BOUNDS_INVALID", words)


def _check_name(form: Form, path: Path, name: str) -> None:
    words = "Command name is invalid"
    form.require(is_name(name), (*path, "name"), "APPLICATION_COMMAND_INVALID_NAME", words)


def is_name(name: str) -> bool:
    """Letters and digits of any script, `-`, `_` and `'`, and no capital where there is a small letter."""
    return 1 <= len(name) <= limits.COMMAND_NAME and name == name.lower() and all(_fits(sign) for sign in name)


def _fits(sign: str) -> bool:
    marks = unicodedata.name(sign, "").startswith(("DEVANAGARI", "THAI"))
    return sign in "-_'" or unicodedata.category(sign)[0] in "LN" or marks


def size(command: JSON) -> int:
    """All characters of names, descriptions and choice values; of translations, the longest counts."""
    return sum(_own_size(one) for one in _with_options(command))


def _own_size(one: JSON) -> int:
    words = [
        max(len(text or "") for text in (one.get(key), *(one.get(f"{key}_localizations") or {}).values()))
        for key in ("name", "description")
    ]
    choices = one.get("choices") or ()
    return sum(words) + sum(len(choice["name"]) + len(str(choice["value"])) for choice in choices)


def _with_options(command: JSON) -> Iterator[JSON]:
    yield command
    for option in command.get("options") or ():
        yield from _with_options(option)


def check_choices(data: Any, kind: int) -> list[JSON]:
    """The answers to an autocomplete, for an option of this type."""
    check(
        table({"choices": many(_choice(CHOICE_VALUES[kind]), limits.CHOICES)}, "choices"),
        {"choices": [], **(data or {})},
    )
    choices: list[JSON] = (data or {}).get("choices") or []
    return choices


class Registry:
    """The commands of one application: those for everywhere (guild 0), and those of single guilds."""

    def __init__(self, clock: Clock, application: int):
        self.clock, self.application = clock, application
        self.by_guild: dict[int, list[JSON]] = {}
        self.created: dict[int, list[float]] = {}
        """When which guild got a command that it had not before."""

    def of(self, guild: int) -> list[JSON]:
        """The commands registered for a guild, or for everywhere."""
        return self.by_guild.get(guild, [])

    def available(self, guild: int) -> Iterator[JSON]:
        """What people in a guild (0: in private) are offered: a guild's own command hides a general one."""
        own = self.of(guild) if guild else []
        yield from own
        hidden = {key(command) for command in own}
        yield from (command for command in self.of(0) if key(command) not in hidden)

    def put(self, guild: int, commands: Any) -> list[JSON]:
        """All commands at once; those that are missing are gone."""
        form = Form()
        many(lambda *_: None, sum(limits.COMMANDS.values()), null=False)(form, (), commands)
        form.close()
        for n, command in enumerate(commands):
            check_command(command, (n,))
        keys = [key(command) for command in commands]
        for n, one in enumerate(keys):
            words = "Application command names must be unique"
            form.require(one not in keys[:n], (n,), "APPLICATION_COMMANDS_DUPLICATE_NAME", words)
        form.close()
        if any(sum(kind == one for one, _ in keys) > most for kind, most in limits.COMMANDS.items()):
            raise Refusal("too many commands")
        before = {key(command): command for command in self.of(guild)}
        self._count_creates(guild, sum(one not in before for one in keys))
        self.by_guild[guild] = [self._registered(guild, command, before.get(key(command))) for command in commands]
        return self.by_guild[guild]

    def _count_creates(self, guild: int, new: int) -> None:
        now = self.clock.now()
        recent = [at for at in self.created.get(guild, []) if at > now - 86400]
        if len(recent) + new > limits.COMMAND_CREATES:
            raise Refusal("too many creates")
        self.created[guild] = recent + [now] * new

    def _registered(self, guild: int, command: JSON, before: JSON | None) -> JSON:
        return {
            "default_member_permissions": None,
            "nsfw": False,
            "integration_types": [0],
            "contexts": None,
            **bare(command),
            "type": command.get("type") or CHAT,
            "description": command.get("description") or "",
            "id": before["id"] if before else str(self.clock.next_id()),
            "application_id": str(self.application),
            "version": str(self.clock.next_id()),
            **({"guild_id": str(guild)} if guild else {}),
        }


def key(command: JSON) -> tuple[int, str]:
    """What makes a command one of its kind."""
    return command.get("type") or CHAT, command["name"]
