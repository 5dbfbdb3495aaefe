"""Buttons and selects: their ids carry a signed command, so they work for months and cannot be forged."""

import base64
import hashlib
import hmac
import re
from collections.abc import Sequence
from typing import Any, Final, Protocol, Self

import discord

from bot.adapters.discord import limits
from bot.messages.catalogue import Language, language
from bot.messages.model import Button
from engine.text import Text

SIGNATURE: Final = 8
"""Characters of a signature: 6 bytes."""
SAY, ASK, FORM, LIST, COMPOSE, SHOW = "s", "a", "f", "l", "c", "o"
"""What an id is for: to say its command, to ask for a line first, that line's form, a list of commands, a step of the
composer, or to show an answer that could not be brought."""
SHOW_ME: Final = Text("Show me")
NOT_OURS: Final = (
    Text("That button is not one of mine, or not of today's: nothing was done."),
    Text("`{command}` shows the match with new ones.", command="/board"),
)


class PressHandler(Protocol):
    """Handles what was pressed."""

    async def pressed(self, interaction: discord.Interaction[Any], custom_id: str) -> None:
        """Take a pressed button, a choice from a select, or a form that was sent."""


class Signer:
    """Signs ids with a key that nobody else has."""

    def __init__(self, key: bytes):
        self.key = key

    def sign(self, kind: str, command: str) -> str:
        """An id that says what it is for and that nobody else can make."""
        return f"r{kind}{self._mac(kind, command)}:{command}"

    def read(self, custom_id: str) -> tuple[str, str] | None:
        """What an id is for, and its command; None if it is not ours."""
        found = re.fullmatch(rf"r(\w)([\w-]{{{SIGNATURE}}}):(.*)", custom_id, re.ASCII | re.DOTALL)
        if found is None or not hmac.compare_digest(self._mac(found[1], found[3]).encode(), found[2].encode()):
            return None
        return found[1], found[3]

    def _mac(self, kind: str, command: str) -> str:
        digest = hmac.digest(self.key, f"{kind}:{command}".encode(errors="surrogatepass"), hashlib.sha256)
        return base64.urlsafe_b64encode(digest)[:SIGNATURE].decode()


class CommandButton(discord.ui.DynamicItem[discord.ui.Button[Any]], template=r"r[^lc].*"):
    """A button of ours, whichever process made it."""

    @classmethod
    async def from_custom_id(
        cls, _interaction: discord.Interaction[Any], item: discord.ui.Item[Any], _match: re.Match[str], /
    ) -> Self:
        assert isinstance(item, discord.ui.Button), "selects have ids of their own"
        return cls(item)

    async def callback(self, interaction: discord.Interaction[Any]) -> None:
        await handler_of(interaction).pressed(interaction, self.custom_id)


class CommandSelect(discord.ui.DynamicItem[discord.ui.Select[Any]], template=r"rl.*"):
    """A select of ours: what is chosen is the id of a button that there was no room for."""

    @classmethod
    async def from_custom_id(
        cls, _interaction: discord.Interaction[Any], item: discord.ui.Item[Any], _match: re.Match[str], /
    ) -> Self:
        assert isinstance(item, discord.ui.Select), "buttons have ids of their own"
        return cls(item)

    async def callback(self, interaction: discord.Interaction[Any]) -> None:
        await handler_of(interaction).pressed(interaction, self.item.values[0])


def is_ours(custom_id: str, message: discord.Message | None) -> bool:
    """Whether a message holds a button or select with that id that discord.py hands to one of the above."""
    rows = message.components if message else ()
    inside = [part for row in rows if isinstance(row, discord.ActionRow) for part in row.children]
    return (
        custom_id.startswith("r")
        and custom_id[1:2] != COMPOSE
        and any(getattr(part, "custom_id", None) == custom_id for part in inside)
    )


def handler_of(interaction: discord.Interaction[Any]) -> PressHandler:
    """Who handles the interactions of a client."""
    found: PressHandler = interaction.client.interactions
    return found


def showing(key: str, signer: Signer, spoken: Language) -> discord.ui.View:
    """The button that shows an answer to whom it is for: it names the answer's key, and nothing of what it says."""
    view = discord.ui.View(timeout=None)
    label = limits.cut(spoken.say(SHOW_ME), limits.LABEL)
    style = discord.ButtonStyle.primary
    view.add_item(CommandButton(discord.ui.Button[Any](label=label, custom_id=signer.sign(SHOW, key), style=style)))
    return view


def view_of(choices: Sequence[Button], signer: Signer, spoken: Language | None = None) -> discord.ui.View | None:
    """The choices as buttons; as selects where there are too many."""
    if not choices:
        return None
    say = (spoken or language()).say
    view = discord.ui.View(timeout=None)
    if len(choices) <= limits.BUTTONS:
        for n, choice in enumerate(choices):
            button = discord.ui.Button[Any](
                label=limits.cut(choice.label, limits.LABEL),
                custom_id=signer.sign(ASK if choice.blank else SAY, choice.command),
                style=discord.ButtonStyle.primary if n == 0 else discord.ButtonStyle.secondary,
                row=n // limits.ROW,
            )
            view.add_item(CommandButton(button))
        return view
    pages = [choices[n : n + limits.OPTIONS] for n in range(0, len(choices), limits.OPTIONS)]
    for n, page in enumerate(pages[: limits.ROWS]):
        options = [
            discord.SelectOption(
                label=limits.cut(choice.label, limits.OPTION_LABEL),
                value=signer.sign(ASK if choice.blank else SAY, choice.command),
            )
            for choice in page
        ]
        first = n * limits.OPTIONS + 1
        last = first + len(page) - 1
        name = Text("Choices {first} to {last}", first=first, last=last) if len(pages) > 1 else Text("Choose")
        placeholder = limits.cut(say(name), limits.SELECT_PLACEHOLDER)
        select = discord.ui.Select[Any](
            custom_id=signer.sign(LIST, str(n)), options=options, placeholder=placeholder, row=n
        )
        view.add_item(CommandSelect(select))
    return view
