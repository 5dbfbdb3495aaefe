"""The slash commands, made from the table of commands: what is filled in becomes the line that somebody would type."""

import asyncio
import inspect
import re
from collections.abc import Awaitable, Callable, Mapping, Sequence
from typing import Any, Final, Protocol, TypeAlias

import discord
import structlog
from discord import app_commands

from bot.adapters.discord import limits
from bot.adapters.discord.interactions.forms import OPPONENTS
from bot.adapters.discord.language import described, reader_language, said
from bot.commands.parser import ParsedCommand, read_command, write_command
from bot.commands.spec import BY_NAME, COMMANDS, GROUPS
from bot.commands.spec.parts import Command, Slot
from bot.messages.model import PARTNER_NAME, Person, Place
from engine.games import GAMES
from engine.text import Term, Text

log = structlog.get_logger(__name__)

LATEST: Final = 2.0
"""Seconds after which choices come too late: Discord waits three."""
FREE: Final = ("turn", "text", "reason", "number")
"""What is written freely: where it is needed and left out, a form asks for it, with room for a long line."""
LONGEST: Final = 1500


Fill: TypeAlias = Callable[[Person, Place, Slot, Mapping[str, str]], Awaitable[Sequence[tuple[str, str]]]]
"""The completions of a field, given what is filled in so far: value and label of each."""


class CommandHandler(Protocol):
    """Handles slash commands."""

    fill: Fill

    async def in_time(self, interaction: discord.Interaction[Any], work: Callable[[], Awaitable[None]]) -> None:
        """Do what an interaction leads to, and have it acknowledged if that takes long."""

    async def command(self, interaction: discord.Interaction[Any], text: str) -> None:
        """Take an interaction as if its text had been typed."""

    async def ask(self, interaction: discord.Interaction[Any], command: str, blank: Text | str = "") -> None:
        """Open a form for the line that belongs after a command; `blank` says what it is to be."""

    async def compose(self, interaction: discord.Interaction[Any], command: str, match: str) -> bool:
        """Open the composer for what is awaited in a match, or in the thread's, or say why nothing is.

        False if a form is to be opened.
        """

    async def ask_challenge(
        self, interaction: discord.Interaction[Any], command: str, games: Mapping[str, Term]
    ) -> None:
        """Open the form of a challenge with one of these games; the command may name whom."""

    def person(self, user: discord.User | discord.Member) -> Person:
        """The person of an account."""

    async def place(self, interaction: discord.Interaction[Any]) -> Place:
        """The place of an interaction."""


def add_commands(handler: CommandHandler, tree: app_commands.CommandTree[Any]) -> None:
    """Add every command to the tree, and the challenge in the menu of a person."""
    groups = {name: app_commands.Group(name=name, description=described(gist)) for name, gist in GROUPS.items()}
    for command in COMMANDS:
        made = _made(handler, command)
        if command.group:
            groups[command.group].add_command(made)
        else:
            tree.add_command(made)
    for group in groups.values():
        tree.add_command(group)
    tree.add_command(app_commands.ContextMenu(name=described(Text("Challenge")), callback=_menu(handler)))


def as_slash_command(line: str) -> str:
    """A line with a command, written as a slash command; any other line as it is."""
    command, said = BY_NAME.get(line.partition(" ")[0]), read_command(line)
    if command is None or not line.startswith(command.name):
        return line
    path = f"/{command.group} {command.name}" if command.group else f"/{command.name}"
    if line == f"{command.name} {command.usage}":
        return f"{path} {command.usage}"
    if not isinstance(said, ParsedCommand) or (command.name == "account" and said.rest):
        return line  # no command, or a code, which is for another platform
    words, fields = list(said.words), []
    for slot in command.slots:
        taken = [said.match] if slot.kind == "match" else _taken(slot, words, command)
        values = zip(_names(slot), taken, strict=False) if slot.kind == "person" else [(slot.name, " ".join(taken))]
        fields += [f"{name}:{value}" for name, value in values if value]
        words = [word for word in words if word not in taken]
    return " ".join([path, *fields]) if not words else line


def _taken(slot: Slot, words: list[str], command: Command) -> list[str]:
    """Which of the words that follow a command belong into a field."""
    match slot.kind:
        case "person":
            return [word for word in words if word.startswith("@")]
        case "game" | "command" | "word":
            known = slot.words or (GAMES if slot.kind == "game" else words)
            return [word for word in words if word in known][:1]
        case "terms":
            return [word for word in words if "=" in word]
        case "tournament":
            return [word for word in words if word.isdecimal()][:1]
        case "text" if any(other.kind == "terms" for other in command.slots):
            return [word for word in words if "=" not in word]
        case _:
            return words


def _made(handler: CommandHandler, command: Command) -> app_commands.Command[Any, ..., None]:
    """One command of the table as Discord knows them."""

    async def say(interaction: discord.Interaction[Any], **given: Any) -> None:
        filled = _filled(command, given)
        bot_user = next(
            (one for one in given.values() if isinstance(one, discord.User | discord.Member) and one.bot), None
        )
        if bot_user is not None and bot_user != interaction.client.user:
            await refuse_bot(interaction, bot_user.display_name)
        elif command.name == "challenge" and "game" not in filled:
            games = {key: game.name for key, game in GAMES.items()}
            line = named(interaction, write_command(command, filled))
            await handler.in_time(interaction, lambda: handler.ask_challenge(interaction, line, games))
        elif any(slot.needed and not filled.get(slot.name) for slot in command.slots):
            await handler.in_time(interaction, lambda: ask(interaction, filled))
        else:
            await handler.command(interaction, named(interaction, write_command(command, filled)))

    async def ask(interaction: discord.Interaction[Any], filled: dict[str, str]) -> None:
        missing = next(slot for slot in command.slots if slot.needed and not filled.get(slot.name))
        turn = command.name in ("move", "secret")
        if turn and await handler.compose(interaction, command.name, filled.get("match", "")):
            return
        # The sign says that what follows is no number of a match.
        await handler.ask(interaction, named(interaction, f"{write_command(command, filled)} #"), missing.gist)

    fields = [(slot, name) for slot in command.slots for name in _names(slot)]
    # discord.py reads a command's fields from the signature of its callback.
    say.__signature__ = inspect.Signature(  # type: ignore[attr-defined]
        [
            inspect.Parameter("interaction", inspect.Parameter.POSITIONAL_OR_KEYWORD),
            *(_parameter(slot, name, optional=command.name == "challenge") for slot, name in fields),
        ]
    )
    if fields:
        app_commands.describe(**{name: described(slot.gist) for slot, name in fields})(say)
        app_commands.choices(**{name: choices for slot, name in fields if (choices := _choices(slot))})(say)
        completing = {name: _completing(handler, command, slot) for slot, name in fields if _open(slot)}
        app_commands.autocomplete(**completing)(say)
    made = app_commands.Command[Any, ..., None](name=command.name, description=described(command.gist), callback=say)
    if command.hosts:
        made.default_permissions = discord.Permissions(manage_guild=True)
        made.allowed_contexts = app_commands.AppCommandContext(guild=True, dm_channel=False, private_channel=False)
        made.allowed_installs = app_commands.AppInstallationType(guild=True, user=False)
    return made


def _menu(handler: CommandHandler) -> Any:
    """The command that challenges somebody from the menu of their name."""

    async def challenge(interaction: discord.Interaction[Any], user: discord.User) -> None:
        if user.bot and user != interaction.client.user:
            await refuse_bot(interaction, user.display_name)
        else:
            names = {key: game.name for key, game in GAMES.items()}
            line = named(interaction, write_command(BY_NAME["challenge"], {"player": f"@{user.id}"}))
            await handler.in_time(interaction, lambda: handler.ask_challenge(interaction, line, names))

    return challenge


def named(interaction: discord.Interaction[Any], line: str) -> str:
    """The line with our own account under the name by which Riposte is challenged."""
    own = interaction.client.user
    return line if own is None else re.sub(rf"@{own.id}\b", f"@{PARTNER_NAME}", line)


async def refuse_bot(interaction: discord.Interaction[Any], shown: str) -> None:
    """Tell somebody that they cannot challenge a bot of that name."""
    name = discord.utils.escape_markdown(shown)
    sentences = (Text("{bot} is a bot, and bots do not play.", bot=name), Text("Challenge a person."))
    words = said(sentences, reader_language(interaction))
    await interaction.response.send_message(limits.cut(words, limits.CONTENT), ephemeral=True)


def _completing(handler: CommandHandler, command: Command, slot: Slot) -> Any:
    """Completes a field while it is typed; whatever goes wrong there, the command can still be sent."""

    async def offer(interaction: discord.Interaction[Any], typed: str) -> list[app_commands.Choice[str]]:
        try:
            async with asyncio.timeout(LATEST):
                filled = _filled(command, dict(iter(interaction.namespace))) | {slot.name: typed}
                where = await handler.place(interaction)
                found = await handler.fill(handler.person(interaction.user), where, slot, filled)
        except Exception:
            log.exception("a field cannot be completed", command=command.name, slot=slot.name)
            return []
        fitting = {value: label for value, label in found if 0 < limits.length(value) <= limits.CHOICE}
        choices = [app_commands.Choice(name=limits.cut(label, limits.CHOICE), value=v) for v, label in fitting.items()]
        return choices[: limits.CHOICES]

    return offer


def _names(slot: Slot) -> list[str]:
    """The fields that a slot becomes: of people, there can be several."""
    return [slot.name, *(f"{slot.name}{n}" for n in range(2, OPPONENTS + 1))] if slot.kind == "person" else [slot.name]


def _parameter(slot: Slot, name: str, *, optional: bool) -> inspect.Parameter:
    kinds: Mapping[str, Any] = {
        "person": discord.User,
        "match": app_commands.Range[str, 1, 9],
        "turn": app_commands.Range[str, 1, LONGEST],
        "text": app_commands.Range[str, 1, LONGEST],
        "reason": app_commands.Range[str, 1, LONGEST],
        "number": app_commands.Range[str, 1, LONGEST],
        "terms": app_commands.Range[str, 1, LONGEST],
        "setting": app_commands.Range[str, 1, LONGEST],
    }
    required = slot.needed and slot.kind not in FREE and not optional
    return inspect.Parameter(
        name,
        inspect.Parameter.KEYWORD_ONLY,
        default=inspect.Parameter.empty if required else None,
        annotation=kinds.get(slot.kind, str),
    )


def _open(slot: Slot) -> bool:
    """Whether what a field can hold depends on what is typed."""
    return slot.kind in ("match", "tournament", "command", "terms", "turn", "reason", "number", "setting") or (
        slot.kind == "game" and len(GAMES) > limits.CHOICES
    )


def _choices(slot: Slot) -> list[app_commands.Choice[str]]:
    words = {word: word for word in slot.words}
    if slot.kind == "game" and not _open(slot):
        words = {key: game.name for key, game in GAMES.items()}
    return [app_commands.Choice(name=name, value=value) for value, name in words.items()]


def _filled(command: Command, given: Mapping[str, Any]) -> dict[str, str]:
    """What was filled in, as somebody would type it; while a field is typed, people are known by number alone."""
    filled = {}
    for slot in command.slots:
        values = [given[name] for name in _names(slot) if given.get(name)]
        words = [f"@{value.id}" if slot.kind == "person" else str(value) for value in values]
        if words:
            filled[slot.name] = " ".join(dict.fromkeys(words))
    unsaid = [slot for slot in command.slots if filled.get("match") in (slot.usual, *slot.words)]
    return {slot.name: slot.usual for slot in unsaid if slot.usual} | filled
