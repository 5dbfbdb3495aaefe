"""Buttons, selects and forms: their ids carry a command under seal, so they work for months and cannot be forged."""

import base64
import hashlib
import hmac
import re
from collections.abc import Mapping, Sequence
from types import MappingProxyType
from typing import Any, Final, Protocol, Self

import discord
import structlog

from bot.adapters.discord import limits
from bot.commands.spec import LONGEST
from bot.messages.model import Choice, OutgoingMessage

log = structlog.get_logger(__name__)

SEAL: Final = 8
"""Signs of a seal: 6 bytes."""
SAY, ASK, FORM, LIST = "s", "a", "f", "l"
"""What an id is for: to say its command, to ask for a line first, that line's form, or a list of commands."""
LINE, GAME = "line", "game"
"""The fields of a form."""
NONE: Final[Mapping[str, str]] = MappingProxyType({})
FOREIGN = "That button is not one of mine, or not of today's: nothing was done. `/board` shows the match with new ones."


class Presser(Protocol):
    """Who deals with what was pressed."""

    async def pressed(self, interaction: discord.Interaction[Any], custom_id: str) -> None:
        """Somebody has pressed a button, chosen from a select or sent a form."""


class Seals:
    """Signs ids with a key that never leaves the house."""

    def __init__(self, key: bytes):
        self._key = key

    def seal(self, kind: str, command: str) -> str:
        """An id that says what it is for and that nobody else can make."""
        return f"r{kind}{self._mac(kind, command)}:{command}"

    def read(self, custom_id: str) -> tuple[str, str] | None:
        """What an id is for, and its command; None if it is not ours."""
        found = re.fullmatch(rf"r(\w)([\w-]{{{SEAL}}}):(.*)", custom_id, re.ASCII | re.DOTALL)
        if found is None or not hmac.compare_digest(self._mac(found[1], found[3]).encode(), found[2].encode()):
            return None
        return found[1], found[3]

    def _mac(self, kind: str, command: str) -> str:
        digest = hmac.digest(self._key, f"{kind}:{command}".encode(), hashlib.sha256)
        return base64.urlsafe_b64encode(digest)[:SEAL].decode()


class Press(discord.ui.DynamicItem[discord.ui.Button[Any]], template=r"r[^l].*"):
    """A button of ours, whichever process made it."""

    @classmethod
    async def from_custom_id(
        cls, _interaction: discord.Interaction[Any], item: discord.ui.Item[Any], _match: re.Match[str], /
    ) -> Self:
        assert isinstance(item, discord.ui.Button), "selects have ids of their own"
        return cls(item)

    async def callback(self, interaction: discord.Interaction[Any]) -> None:
        await presser(interaction).pressed(interaction, self.custom_id)


class Pick(discord.ui.DynamicItem[discord.ui.Select[Any]], template=r"rl.*"):
    """A select of ours: what is chosen is the id of a button that there was no room for."""

    @classmethod
    async def from_custom_id(
        cls, _interaction: discord.Interaction[Any], item: discord.ui.Item[Any], _match: re.Match[str], /
    ) -> Self:
        assert isinstance(item, discord.ui.Select), "buttons have ids of their own"
        return cls(item)

    async def callback(self, interaction: discord.Interaction[Any]) -> None:
        await presser(interaction).pressed(interaction, self.item.values[0])


def is_ours(custom_id: str, message: discord.Message | None) -> bool:
    """Whether a message holds a button or select with that id and discord.py will hand it to one of the above."""
    rows = message.components if message else ()
    inside = [part for row in rows if isinstance(row, discord.ActionRow) for part in row.children]
    return custom_id.startswith("r") and any(getattr(part, "custom_id", None) == custom_id for part in inside)


def presser(interaction: discord.Interaction[Any]) -> Presser:
    """Whoever the interaction's client works for."""
    found: Presser = interaction.client.adapter
    return found


def view_of(choices: Sequence[Choice], seals: Seals) -> discord.ui.View | None:
    """The choices as buttons; as selects where there are too many."""
    if not choices:
        return None
    view = discord.ui.View(timeout=None)
    if len(choices) <= limits.BUTTONS:
        for n, choice in enumerate(choices):
            button = discord.ui.Button[Any](
                label=limits.cut(choice.label, limits.LABEL),
                custom_id=seals.seal(ASK if choice.blank else SAY, choice.command),
                style=discord.ButtonStyle.primary if n == 0 else discord.ButtonStyle.secondary,
                row=n // limits.ROW,
            )
            view.add_item(Press(button))
        return view
    pages = [choices[n : n + limits.OPTIONS] for n in range(0, len(choices), limits.OPTIONS)]
    for n, page in enumerate(pages[: limits.ROWS]):
        options = [
            discord.SelectOption(
                label=limits.cut(choice.label, limits.OPTION_LABEL),
                value=seals.seal(ASK if choice.blank else SAY, choice.command),
            )
            for choice in page
        ]
        name = f"{page[0].label} … {page[-1].label}" if len(pages) > 1 else "Choose"
        placeholder = limits.cut(name, limits.SELECT_PLACEHOLDER)
        select = discord.ui.Select[Any](
            custom_id=seals.seal(LIST, str(n)), options=options, placeholder=placeholder, row=n
        )
        view.add_item(Pick(select))
    return view


def form(command: str, blank: str, seals: Seals, games: Mapping[str, str] = NONE) -> discord.ui.Modal:
    """A form whose lines are put after the command when it is sent: one to write, after a game to pick if there are."""
    short = len(blank) <= limits.FIELD_LABEL
    modal = discord.ui.Modal(title=_title(command), custom_id=seals.seal(FORM, command))
    field = discord.ui.TextInput[Any](
        custom_id=LINE,
        label=(blank if short else "") or ("Terms" if games else "What do you say?"),
        required=not games,
        placeholder=limits.cut(blank, limits.PLACEHOLDER) if not short else None,
        max_length=LONGEST - 100,  # what is read of a line, the command in front of it included
        style=discord.TextStyle.short,
    )
    if games:
        options = [discord.SelectOption(label=name, value=key) for key, name in games.items()][: limits.OPTIONS]
        modal.add_item(discord.ui.Label(text="Game", component=discord.ui.Select[Any](custom_id=GAME, options=options)))
    modal.add_item(field)
    return modal


def filled_in(components: Sequence[Any]) -> str:
    """What somebody has written into a form, as the platform hands it over."""
    fields = [one for c in components for one in (c.get("components") or [c.get("component") or {}])]
    written = [(field.get("value"), *(field.get("values") or ())) for field in fields]
    return " ".join(word for some in written for one in some for word in str(one or "").split())


def blank_of(post: OutgoingMessage | None, command: str) -> str:
    """What the button with that command asks for, as far as we still know what we said."""
    return next((choice.blank for choice in post.choices if choice.command == command), "") if post else ""


def _title(command: str) -> str:
    name, _, rest = command.partition(" ")
    number = rest.partition(" ")[0]
    words = {"move": "Your turn", "secret": "Your answer, in private"}.get(name, name.capitalize())
    return limits.cut(f"{words} · match {number}" if number.isdigit() else words, limits.TITLE)
