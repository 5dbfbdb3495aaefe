"""One screen of the composer as Discord lays it out: words, a picture, menus and buttons in one private message."""

import io
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Final

import discord

from bot.adapters.discord import limits
from bot.adapters.discord.interactions.buttons import ASK, SAY, Signer
from bot.adapters.discord.sending import Part

PICTURE: Final = "board.png"


@dataclass(frozen=True, slots=True)
class Press:
    """A button."""

    id: str
    label: str
    style: discord.ButtonStyle = discord.ButtonStyle.secondary


@dataclass(frozen=True, slots=True)
class Options:
    """A menu."""

    id: str
    placeholder: str
    options: tuple[tuple[str, str], ...]
    """Value and label of each entry."""


@dataclass(frozen=True, slots=True)
class Screen:
    """What somebody sees of what they make up."""

    text: str
    """In Discord's markup."""
    rows: tuple[Options | tuple[Press, ...], ...] = ()
    image: bytes | None = None
    alt: str = ""


def is_composer(message: discord.Message | None) -> bool:
    """Whether a message is a composer of ours: private, so that it may be changed, and a layout."""
    return message is not None and message.flags.ephemeral and message.flags.components_v2


def screen_of_parts(parts: Sequence[Part], signer: Signer, notice: str = "") -> Screen:
    """An answer of Riposte's, to be shown where the composer was."""
    choices = [choice for part in parts for choice in part.choices][: limits.ROW]
    presses = tuple(
        Press(
            signer.sign(ASK if choice.blank else SAY, choice.command),
            choice.label,
            discord.ButtonStyle.primary if n == 0 else discord.ButtonStyle.secondary,
        )
        for n, choice in enumerate(choices)
    )
    pictured = next((part for part in parts if part.image is not None), None)
    text = "\n".join(filter(None, (*(part.text for part in parts), notice)))
    return Screen(
        limits.cut(text, limits.LAYOUT_TEXT),
        (presses,) if presses else (),
        pictured.image if pictured else None,
        pictured.alt if pictured else "",
    )


def laid_out(screen: Screen) -> tuple[discord.ui.LayoutView, list[discord.File]]:
    """The screen as the library takes it; every limit of the platform is checked here."""
    view = discord.ui.LayoutView(timeout=None)
    view.add_item(discord.ui.TextDisplay[Any](screen.text))
    files = []
    if screen.image is not None:
        limits.check_file(screen.image, screen.alt)
        files = [discord.File(io.BytesIO(screen.image), PICTURE, description=screen.alt or None)]
        gallery = discord.ui.MediaGallery[Any]()
        gallery.add_item(media=f"attachment://{PICTURE}", description=screen.alt or None)
        view.add_item(gallery)
    for row in screen.rows:
        view.add_item(_select(row) if isinstance(row, Options) else _buttons(row))
    limits.check("layout", view.to_components())  # type: ignore[no-untyped-call]  # the library's
    view.stop()  # what is pressed is recognised by its seal, after a restart too: nothing waits for it here
    return view, files


def _select(row: Options) -> discord.ui.ActionRow[Any]:
    options = [
        discord.SelectOption(label=limits.cut(label, limits.OPTION_LABEL), value=value) for value, label in row.options
    ]
    placeholder = limits.cut(row.placeholder, limits.SELECT_PLACEHOLDER)
    return discord.ui.ActionRow(discord.ui.Select[Any](custom_id=row.id, placeholder=placeholder, options=options))


def _buttons(row: Sequence[Press]) -> discord.ui.ActionRow[Any]:
    return discord.ui.ActionRow(
        *(
            discord.ui.Button[Any](custom_id=one.id, label=limits.cut(one.label, limits.LABEL), style=one.style)
            for one in row
        )
    )
