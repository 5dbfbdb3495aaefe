"""The command line: `riposte run` plays; the other commands serve people and programs without a chat."""

import typer

from bot.cli import admin, games, records
from bot.cli.judging import load_own_games

app = typer.Typer(
    name="riposte",
    no_args_is_help=True,
    pretty_exceptions_enable=False,
    add_completion=False,
)


@app.callback()
def load_games(context: typer.Context) -> None:
    """Long correspondence games of unusual board games, where players call out each other's untenable moves."""
    if context.invoked_subcommand not in {"run", "partner", "doctor", "check-game"}:
        load_own_games()


@app.command()
def run() -> None:
    """Start Riposte. Settings come from the environment or .env; without tokens the web room opens."""
    from bot.app import main

    main()


@app.command()
def partner() -> None:
    """Think for Riposte's own seat beside other processes on the same PostgreSQL; serves no platform."""
    from bot.cli.partner import run
    from bot.settings import settings

    run(settings())


for module in (admin, games, records):
    app.registered_commands += module.commands.registered_commands
