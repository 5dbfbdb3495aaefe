"""The commands for hosts: doctor, check, status, backup, restore, invite."""

from datetime import UTC, datetime
from pathlib import Path
from typing import Annotated

import typer

from bot.console.terminal import fail

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
def check() -> None:
    """Work every match out anew from its log, and compare what lists, alarms, snapshots and results say of it."""
    import asyncio

    from bot.cli.check import examine
    from bot.settings import settings

    async def told() -> int:
        faults = 0
        async for finding in examine(settings()):
            typer.echo(str(finding))
            faults += finding.state == "FAULT"
        return faults

    try:
        faults = asyncio.run(told())
    except OSError as error:
        fail(error.strerror or str(error))
    raise typer.Exit(1 if faults else 0)


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
def migrate(
    origin: Annotated[str, typer.Argument(metavar="FROM", help="Path or postgresql://… of the database; only read.")],
    new: Annotated[str, typer.Argument(metavar="TO", help="Path or postgresql://… of an empty one.")],
) -> None:
    """Copy a database into an empty one of any kind, and compare the log of every match."""
    import asyncio

    from bot.cli.migrate import migrate
    from bot.settings import settings

    try:
        made = asyncio.run(migrate(origin, new, settings().data))
    except OSError as error:
        fail(error.strerror or str(error))
    copied = made.copied
    count = f"{copied.matches} match{'es' if copied.matches != 1 else ''}"
    typer.echo(f"{count}, {copied.rows} rows, each log the same in both. The key stays the same.")
    if made.running:
        typer.echo("A Riposte is running on the old one: stop it, empty the new one, and migrate again.", err=True)
    else:
        typer.echo("Set RIPOSTE_DATABASE to the new one. What is played on the old one from now on is not in it.")
    if copied.damaged:
        typer.echo(f"Damaged already before it was copied: {', '.join(copied.damaged)}.", err=True)
    if made.running or copied.damaged:
        raise typer.Exit(1)


@commands.command()
def backup(
    folder: Annotated[Path, typer.Argument(metavar="FOLDER", help="Where the copy goes; it must not be there yet.")],
) -> None:
    """Copy everything that Riposte keeps into a new folder, even while it runs."""
    from bot.cli.backup import back_up
    from bot.folders import DATABASE
    from bot.settings import settings
    from storage import is_server

    here = settings()
    try:
        made = back_up(here.store, here.data, folder)
    except OSError as error:
        fail(error.strerror or str(error))
    if is_server(here.store):
        held = ", ".join(made.parts) or "nothing"
        typer.echo(f"{folder} holds {held}. The matches are in PostgreSQL, and the settings are not in it.")
        typer.echo("Copy the matches before all else, by `pg_dump --format=custom --file=riposte.dump` and the URL of")
        typer.echo("RIPOSTE_DATABASE; to restore them, `pg_restore --dbname` and the URL of an empty database.")
        typer.echo(f"Keep a copy of {here.key} elsewhere; without it they cannot be read.")
        return
    count = f"{made.matches} match{'es' if made.matches != 1 else ''}"
    typer.echo(f"{folder} holds {', '.join(made.parts)}: {count}, verified. The settings are not in it.")
    typer.echo(f"Its key is not in it either: keep a copy of {here.key} elsewhere; without it a backup cannot be read.")
    if here.database:
        typer.echo(f"To restore it: stop Riposte, move {here.data} and {here.database} (with -wal and -shm) away,")
        typer.echo(f"copy {folder} to {here.data}, and {folder / DATABASE} to {here.database}.")
    else:
        typer.echo(f"To restore it: stop Riposte, move {here.data} away, copy {folder} there in its place,")
        typer.echo("and copy riposte.erased back into it, if there was one: it says who stays erased.")
    if damaged := [*(f"match {match}" for match in made.damaged), *made.rows]:
        typer.echo(
            f"Damaged already before it was copied: {', '.join(damaged)}. "
            "An older backup may have it as it was written.",
            err=True,
        )
        raise typer.Exit(1)


@commands.command()
def restore(
    as_of: Annotated[
        datetime | None,
        typer.Option("--as-of", formats=["%Y-%m-%dT%H:%M"], help="Not the last copy, but the one of then, in UTC."),
    ] = None,
) -> None:
    """Make the data folder of what the bucket in RIPOSTE_BUCKET holds, to go on from it; the key has to be there."""
    import asyncio

    from bot.bucket.restoring import restore
    from bot.settings import settings

    here = settings()
    if not here.bucket:
        fail("RIPOSTE_BUCKET is not set", "Set it and RIPOSTE_BUCKET_KEY to what they were; docs/hosting.md says more.")
    try:
        made = asyncio.run(restore(here, None if as_of is None else as_of.replace(tzinfo=UTC).timestamp()))
    except OSError as error:
        fail(error.strerror or str(error))
    then = datetime.fromtimestamp(made.at, UTC)
    held = "" if made.found is None else f": {made.found.matches} match{'es' * (made.found.matches != 1)}"
    typer.echo(
        f"{here.data} is as it was on {then:%d %B %Y at %H:%M:%S} UTC{held}. Now `riposte doctor`, then `riposte run`."
    )
    if made.found and (damaged := [*(f"match {match}" for match in made.found.damaged), *made.found.rows]):
        typer.echo(f"Damaged already before it was copied: {', '.join(damaged)}. Try an earlier --as-of.", err=True)
        raise typer.Exit(1)
