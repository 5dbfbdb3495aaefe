"""A small bot on the unmodified discord.py that uses every road to the platform once, for the stand-in's own tests."""

import asyncio
import io
import re
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any, Self

import discord
from discord import app_commands, ui

from tests.discord_standin.server import TOKEN, StandIn, redirected

PIXEL = bytes.fromhex(
    "89504e470d0a1a0a0000000d4948445200000001000000010802000000907753de"
    "0000000c49444154789c63f8cfc0000003010100c9fe92ef0000000049454e44ae426082"
)
ParsedCommand = discord.Interaction[Any]


def picture(alt: str = "a board") -> discord.File:
    """A file to send: each can be sent but once."""
    return discord.File(io.BytesIO(PIXEL), "board.png", description=alt)


class Remembered(ui.DynamicItem[ui.Button[Any]], template=r"take:(?P<n>\d+)"):
    """A button that outlives the process which made it."""

    def __init__(self, n: int):
        super().__init__(ui.Button(label=f"Take {n}", custom_id=f"take:{n}"))
        self.n = n

    @classmethod
    async def from_custom_id(cls, interaction: ParsedCommand, item: ui.Item[Any], match: re.Match[str], /) -> Self:
        del interaction, item
        return cls(int(match["n"]))

    async def callback(self, interaction: ParsedCommand) -> None:
        await interaction.response.edit_message(content=f"taken {self.n}", view=None)


class Form(ui.Modal, title="Your secret"):
    """A form with one field."""

    secret: ui.Label[Any] = ui.Label(text="Secret", component=ui.TextInput(custom_id="secret", max_length=20))

    async def on_submit(self, interaction: ParsedCommand, /) -> None:
        assert isinstance(self.secret.component, ui.TextInput)
        await interaction.response.send_message(f"kept {self.secret.component.value}", ephemeral=True)


class Picker(ui.Select[Any]):
    """A select of two games."""

    def __init__(self) -> None:
        super().__init__(custom_id="game", options=[discord.SelectOption(label=name) for name in ("Veney", "Tirachen")])

    async def callback(self, interaction: ParsedCommand) -> None:
        await interaction.response.send_message(f"chosen {self.values[0]}")


def persistent() -> ui.View:
    """The view that waits for choices from before a restart."""
    return ui.View(timeout=None).add_item(Picker())


class Bot(discord.Client):
    """Answers commands, presses and mentions; `heard` keeps what it got to read."""

    def __init__(self, **more: Any):
        super().__init__(intents=discord.Intents.default(), guild_ready_timeout=0, **more)
        self.tree = app_commands.CommandTree(self)
        self.heard: list[discord.Message] = []
        self.reacted: list[str] = []
        self.pressed: list[str] = []
        self.resumed = 0

    async def before_identify_hook(self, shard_id: int | None, *, initial: bool = False) -> None:
        """Without the five seconds' rest before a second session."""

    async def setup_hook(self) -> None:
        self.add_dynamic_items(Remembered)
        self.add_view(persistent())
        for command in COMMANDS:
            self.tree.add_command(command)
        await self.tree.sync()

    async def on_message(self, message: discord.Message) -> None:
        if message.author != self.user:
            self.heard.append(message)
            if message.content.endswith("answer"):
                await message.reply("heard", mention_author=False)

    async def on_raw_reaction_add(self, payload: discord.RawReactionActionEvent) -> None:
        self.reacted.append(payload.emoji.name or "")

    async def on_interaction(self, interaction: ParsedCommand) -> None:
        if interaction.type is discord.InteractionType.component and interaction.data:
            self.pressed.append(str(interaction.data.get("custom_id")))

    async def on_resumed(self) -> None:
        self.resumed += 1


@app_commands.command(description="Shows the board")
async def board(interaction: ParsedCommand, match: app_commands.Range[int, 1, 99]) -> None:
    """Deferred, then filled with a picture, then followed up in private."""
    await interaction.response.defer(thinking=True)
    await interaction.edit_original_response(content=f"Match {match}", attachments=[picture()])
    await interaction.followup.send("more", ephemeral=True)


@app_commands.command(description="Chooses a game")
async def pick(interaction: ParsedCommand, game: str, against: discord.User | None = None) -> None:
    """With an option that is completed, and one that is a user."""
    name = against.mention if against else "nobody"
    users = discord.AllowedMentions(users=[against] if against else False)
    await interaction.response.send_message(f"{game} against {name}", allowed_mentions=users)


@pick.autocomplete("game")
async def games(interaction: ParsedCommand, typed: str) -> list[app_commands.Choice[str]]:
    """As many choices as the typed number says, or those that fit."""
    del interaction
    names = [f"game {n}" for n in range(int(typed))] if typed.isdecimal() else ["Veney", "Tirachen", "Tokonoma"]
    fitting = [name for name in names if typed.isdecimal() or name.startswith(typed)]
    return [app_commands.Choice(name=name, value=name.lower()) for name in fitting]


@app_commands.command(description="Buttons and a select")
async def choose(interaction: ParsedCommand) -> None:
    """With choices that survive a restart."""
    await interaction.response.send_message("Choose", view=persistent().add_item(Remembered(3)))


match_group = app_commands.Group(name="match", description="Matches")


@match_group.command(description="Keeps a secret")
async def secret(interaction: ParsedCommand) -> None:
    """With a form."""
    await interaction.response.send_modal(Form())


@app_commands.context_menu(name="Challenge")
async def challenge(interaction: ParsedCommand, user: discord.User) -> None:
    """Whispered."""
    await interaction.response.send_message(f"challenged {user.name}", ephemeral=True)


COMMANDS: tuple[Any, ...] = (board, pick, choose, match_group, challenge)
for _command in COMMANDS:
    app_commands.allowed_installs(guilds=True, users=True)(_command)
    app_commands.allowed_contexts(guilds=True, dms=True, private_channels=False)(_command)


@asynccontextmanager
async def running(standin: StandIn | str, client: discord.Client) -> AsyncIterator[None]:
    """The client is connected to a stand-in and ready; what ends it early is raised here."""
    with redirected(standin):
        task = asyncio.create_task(client.start(TOKEN))
        ready = asyncio.create_task(client.wait_until_ready())
        try:
            await asyncio.wait({task, ready}, return_when=asyncio.FIRST_COMPLETED)
            if task.done():
                await task
            yield
        finally:
            await client.close()
            ready.cancel()
            await asyncio.gather(task, ready, return_exceptions=True)
