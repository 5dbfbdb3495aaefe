"""Forms: one line to write after a command; and a challenge, of which most is picked."""

from collections.abc import Mapping, Sequence
from typing import Any, Final

import discord

from bot.adapters.discord import limits
from bot.adapters.discord.interactions.buttons import FORM, Signer
from bot.commands.parser import LONGEST
from bot.messages.catalogue import Language, language
from engine.text import Code, Duration, Term, Text

LINE, GAME, WHOM, UMPIRE, TIME = "line", "game", "whom", "umpire", "time"
"""The fields of a form."""
DAY: Final = 86_400_000
UMPIRES: Final = {
    "umpire=refuse": Text("Refused at once"),
    "umpire=friendly": Text("Stand; called out, they are made again"),
    "umpire=turn": Text("Stand; called out, they cost the turn"),
    "umpire=sudden": Text("Stand; called out, they cost the game"),
}
"""What becomes of untenable turns, in every game."""
TIMES: Final = {
    **{f"time={days}d": Text("{time} for each turn", time=Duration(days * DAY)) for days in (1, 2, 3, 5, 7, 14)},
    "time=none": Text("No limit"),
}


TITLES: Final = {
    "move": (Text("Your turn"), Text("Your turn · match {match}")),
    "secret": (Text("Your answer, in private"), Text("Your answer, in private · match {match}")),
    "challenge": (Text("Challenge"), Text("Challenge · match {match}")),
    "": (Text("The command {command}"), Text("The command {command} · match {match}")),
}
"""By the name of the command, those of a form without a match and with one."""


OPPONENTS: Final = 4
"""Chirality seats five."""
USERS: Final = 5
"""Discord's type of a field in which people are picked."""


def form(
    command: str,
    blank: str,
    signer: Signer,
    *,
    spoken: Language | None = None,
    given: str = "",
) -> discord.ui.Modal:
    """A form whose line is put after the command; `given` stands in it at first."""
    say = (spoken or language()).say
    modal = discord.ui.Modal(title=limits.cut(say(_title(command)), limits.TITLE), custom_id=signer.sign(FORM, command))
    line = discord.ui.TextInput[Any](
        custom_id=LINE,
        default=given or None,
        max_length=LONGEST - 100,  # of what is read of a line, the command takes the rest
        style=discord.TextStyle.short,
    )
    short = len(blank) <= limits.FIELD_LABEL
    label = (blank if short else "") or limits.cut(say(Text("What do you say?")), limits.FIELD_LABEL)
    more = None if short else limits.cut(blank, limits.FIELD_DESCRIPTION)
    modal.add_item(discord.ui.Label(text=label, description=more, component=line))
    return modal


def challenge_form(
    command: str, signer: Signer, games: Mapping[str, Term], spoken: Language, *, named: bool, given: str = ""
) -> discord.ui.Modal:
    """A challenge: the game, whom unless they are `named` already, the terms that matter most, and the others.

    What was `given` before is picked and written in it already.
    """
    say, words = spoken.say, given.split()
    modal = discord.ui.Modal(title=limits.cut(say(_title(command)), limits.TITLE), custom_id=signer.sign(FORM, command))
    offered = {key: say(name) for key, name in games.items()}
    modal.add_item(_menu(say(Text("Game")), GAME, offered, _taken(words, offered), required=True))
    if not named:
        people = discord.ui.UserSelect[Any](
            custom_id=WHOM, required=False, min_values=0, max_values=OPPONENTS, default_values=_people(words)
        )
        asked, free = Text("Whom do you challenge?"), Text("Nobody named: whoever accepts first.")
        modal.add_item(_label(say(asked), say(free), people))
    for label, name, terms in (
        (Text("Untenable turns"), UMPIRE, UMPIRES),
        (Text("How long for each turn?"), TIME, TIMES),
    ):
        offered = {value: say(text) for value, text in terms.items()}
        modal.add_item(_menu(say(label), name, offered, _taken(words, offered), required=False))
    rest = " ".join(words) or None
    line = discord.ui.TextInput[Any](custom_id=LINE, required=False, default=rest, max_length=LONGEST - 200)
    more = say(Text("For example: {example}", example="side=white judge=open"))
    modal.add_item(_label(say(Text("Other terms")), more, line))
    return modal


def _label(text: str, more: str, component: discord.ui.Item[Any]) -> discord.ui.Label[Any]:
    """A field of a form with its label and what explains it, as long as Discord lets them be in any language."""
    said, told = limits.cut(text, limits.FIELD_LABEL), limits.cut(more, limits.FIELD_DESCRIPTION)
    return discord.ui.Label(text=said, description=told or None, component=component)


def _taken(words: list[str], offered: Mapping[str, str]) -> str:
    """The first of the words that a menu offers, taken out of them; "" = none."""
    found = next((word for word in words if word in offered), "")
    if found:
        words.remove(found)
    return found


def _people(words: list[str]) -> list[discord.SelectDefaultValue]:
    """Those who are named among the words, taken out of them."""
    named = [word for word in words if word.startswith("@") and limits.is_id(word[1:])][:OPPONENTS]
    words[:] = [word for word in words if word not in named]
    kind = discord.SelectDefaultValueType.user
    return [discord.SelectDefaultValue(id=int(word[1:]), type=kind) for word in dict.fromkeys(named)]


def _menu(label: str, name: str, options: Mapping[str, str], picked: str, *, required: bool) -> discord.ui.Label[Any]:
    """A menu of a form; what need not be picked has its default."""
    select = discord.ui.Select[Any](
        custom_id=name,
        required=required,
        min_values=1 if required else 0,
        options=[
            discord.SelectOption(label=limits.cut(said, limits.OPTION_LABEL), value=value, default=value == picked)
            for value, said in list(options.items())[: limits.OPTIONS]
        ],
    )
    return _label(label, "", select)


def filled_in(components: Sequence[Any]) -> str:
    """What somebody has written and picked in a form, from Discord's components; people as they are mentioned."""
    fields = [one for c in components for one in (c.get("components") or [c.get("component") or {}])]
    signs = ("@" if field.get("type") == USERS else "" for field in fields)
    written = [
        (field.get("value"), *(sign + value for value in field.get("values") or ()))
        for field, sign in zip(fields, signs, strict=True)
    ]
    return " ".join(word for some in written for one in some for word in str(one or "").split())


def _title(command: str) -> Text:
    name, _, rest = command.partition(" ")
    number = rest.partition(" ")[0]
    title = TITLES.get(name, TITLES[""])[number.isdigit()]
    return Text(title.template, command=Code(name), match=number)
