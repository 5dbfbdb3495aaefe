"""The command line: `riposte run` plays; the other commands serve people and programs without a chat."""

import typer

from bot.records import records
from bot.tools import tools

app = typer.Typer(
    name="riposte",
    help="Long correspondence games of unusual board games, where players call out each other's untenable moves.",
    no_args_is_help=True,
    pretty_exceptions_enable=False,
    add_completion=False,
)


@app.command()
def run() -> None:
    """Start Riposte. Settings come from the environment or .env; without tokens the web room opens."""
    from bot.house import run as live
    from bot.settings import Settings

    raise typer.Exit(live(Settings()))


for commands in (tools, records):
    app.registered_commands += commands.registered_commands


def main() -> None:
    """The entry point of the `riposte` command."""
    app()


if __name__ == "__main__":
    main()
