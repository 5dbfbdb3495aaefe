"""Forms: one line to write after a command, after a game to pick where there are several."""

from collections.abc import Mapping, Sequence
from types import MappingProxyType
from typing import Any, Final

import discord

from bot.adapters.discord import limits
from bot.adapters.discord.interactions.buttons import FORM, Signer
from bot.commands.parser import LONGEST
from bot.messages.catalogue import Language, language
from engine.text import Code, Term, Text

LINE, GAME = "line", "game"
"""The fields of a form."""
NO_GAMES: Final[Mapping[str, Term]] = MappingProxyType({})


TITLES: Final = {
    "move": (Text("Your turn"), Text("Your turn · match {match}")),
    "secret": (Text("Your answer, in private"), Text("Your answer, in private · match {match}")),
    "challenge": (Text("Challenge"), Text("Challenge · match {match}")),
    "": (Text("The command {command}"), Text("The command {command} · match {match}")),
}
"""By the name of the command, those of a form without a match and with one."""


def form(
    command: str,
    blank: str,
    signer: Signer,
    games: Mapping[str, Term] = NO_GAMES,
    *,
    spoken: Language | None = None,
    given: str = "",
) -> discord.ui.Modal:
    """A form whose lines are put after the command: one to write, and a game to pick before it if there are any.

    `given` stands in the line at first.
    """
    say = (spoken or language()).say
    modal = discord.ui.Modal(title=limits.cut(say(_title(command)), limits.TITLE), custom_id=signer.sign(FORM, command))
    if games:
        options = [discord.SelectOption(label=say(name), value=key) for key, name in games.items()]
        select = discord.ui.Select[Any](custom_id=GAME, options=options[: limits.OPTIONS])
        modal.add_item(discord.ui.Label(text=say(Text("Game")), component=select))
    line = discord.ui.TextInput[Any](
        custom_id=LINE,
        required=not games,
        default=given or None,
        max_length=LONGEST - 100,  # of what is read of a line, the command takes the rest
        style=discord.TextStyle.short,
    )
    short = len(blank) <= limits.FIELD_LABEL
    label = (blank if short else "") or say(Text("Terms") if games else Text("What do you say?"))
    more = None if short else limits.cut(blank, limits.FIELD_DESCRIPTION)
    modal.add_item(discord.ui.Label(text=label, description=more, component=line))
    return modal


def filled_in(components: Sequence[Any]) -> str:
    """What somebody has written into a form, from Discord's components."""
    fields = [one for c in components for one in (c.get("components") or [c.get("component") or {}])]
    written = [(field.get("value"), *(field.get("values") or ())) for field in fields]
    return " ".join(word for some in written for one in some for word in str(one or "").split())


def _title(command: str) -> Text:
    name, _, rest = command.partition(" ")
    number = rest.partition(" ")[0]
    title = TITLES.get(name, TITLES[""])[number.isdigit()]
    return Text(title.template, command=Code(name), match=number)
