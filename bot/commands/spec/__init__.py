"""The table of commands, from which parser, help, forms and the README's table are made."""

from collections.abc import Mapping

from bot.commands.spec import beginnings, club, info, own, people, play, time
from bot.commands.spec.parts import Command
from engine.text import Text

GROUPS: Mapping[str, Text] = {
    "match": Text("Matches: their terms, turns, offers and ends."),
    "study": Text("Learning a game, hints, and looking back at a match."),
    "club": Text("Tournaments, ladders, how people have done; roles, reports, arbiters, whom you block."),
    "riposte": Text("The games and their rules, help, time and reminders, and how Riposte looks and behaves."),
}
"""Groups of commands, where a platform lists few at the top."""

COMMANDS: tuple[Command, ...] = (
    *info.COMMANDS,
    *beginnings.COMMANDS,
    *play.COMMANDS,
    *time.COMMANDS,
    *club.COMMANDS,
    *own.COMMANDS,
    *people.COMMANDS,
)

BY_NAME: dict[str, Command] = {word: c for c in COMMANDS for word in (c.name, *c.aliases)}


def table() -> str:
    """The commands as the README prints them."""
    cells = [(f"`{f'{c.name} {c.usage}'.strip()}`", str(c.gist), f"`{c.example}`") for c in COMMANDS]
    rows = ["| " + " | ".join(cell.replace("|", "\\|") for cell in row) + " |" for row in cells]
    return "\n".join(
        [
            "| say | to | for example |",
            "|---|---|---|",
            *rows,
        ]
    )
