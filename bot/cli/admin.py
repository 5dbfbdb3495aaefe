"""The commands for hosts: doctor, backup, invite."""

from pathlib import Path
from typing import Annotated

import typer

from bot.terminal import fail

commands = typer.Typer()


@commands.command()
def doctor(
    quick: Annotated[
        bool, typer.Option("--quick", help="Only whether Riposte runs and is awake, for health checks.")
    ] = False,
) -> None:
    """Check settings, database, clock, fonts and platforms, while Riposte runs or before its first start."""
    import asyncio

    from bot.cli.doctor import report

    raise typer.Exit(1 if asyncio.run(report(quick)) else 0)


@commands.command()
def status() -> None:
    """Tell at a glance how a running Riposte is; needs RIPOSTE_METRICS."""
    from bot.cli.status import report
    from bot.settings import settings

    lines, well = report(settings())
    typer.echo("\n".join(lines))
    raise typer.Exit(0 if well else 1)


@commands.command()
def invite() -> None:
    """Print the link with which somebody puts the bot on their Discord server."""
    import asyncio

    from bot.settings import settings

    here = settings()
    if not here.discord:
        fail("Discord is not set up", "Set RIPOSTE_DISCORD_TOKEN; docs/hosting.md says where it comes from.")
    from bot.adapters.discord.doctor import invite as link

    try:
        typer.echo(asyncio.run(link(here.discord_token.get_secret_value())))
    except OSError as error:
        fail(str(error))


@commands.command()
def backup(
    folder: Annotated[Path, typer.Argument(metavar="FOLDER", help="Where the copy goes; it must not be there yet.")],
) -> None:
    """Copy everything that Riposte keeps into a new folder, even while it runs."""
    from bot.cli.backup import DATABASE, back_up
    from bot.settings import settings

    here = settings()
    try:
        made = back_up(here.store, here.data, folder)
    except OSError as error:
        fail(error.strerror or str(error))
    count = f"{made.matches} match{'es' if made.matches != 1 else ''}"
    typer.echo(f"{folder} holds {', '.join(made.parts)}: {count}, verified. The settings are not in it.")
    typer.echo(f"Its key is not in it either: keep a copy of {here.key} elsewhere; without it a backup cannot be read.")
    if here.database:
        typer.echo(f"To restore it: stop Riposte, move {here.data} and {here.database} (with -wal and -shm) away,")
        typer.echo(f"copy {folder} to {here.data}, and {folder / DATABASE} to {here.database}.")
    else:
        typer.echo(f"To restore it: stop Riposte, move {here.data} away, and copy {folder} there in its place.")
    if damaged := [*(f"match {match}" for match in made.damaged), *made.rows]:
        typer.echo(
            f"Damaged already before it was copied: {', '.join(damaged)}. "
            "An older backup may have it as it was written.",
            err=True,
        )
        raise typer.Exit(1)
