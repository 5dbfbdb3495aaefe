"""The commands about games and their rules, without a chat: judge, perft, render, games, check-game."""

import importlib
from dataclasses import replace
from pathlib import Path
from typing import Annotated, Any

import typer

from bot.console.terminal import fail
from engine.game import AnyGame, NotationError, Turn

commands = typer.Typer(no_args_is_help=True)

GameKey = Annotated[str, typer.Argument(metavar="GAME", help="A key that `riposte games` lists.")]
PositionText = Annotated[str | None, typer.Option("--position", metavar="TEXT", help="Default: the start.")]


@commands.command(
    add_help_option=False,
    context_settings={"allow_extra_args": True, "ignore_unknown_options": True, "allow_interspersed_args": False},
)
def judge(context: typer.Context) -> None:
    """Say whether a turn is tenable, which rules it breaks, and what follows from it."""
    from bot.cli.judging import main  # it reads its own options: programs call it often, and this library takes long

    main(context.args)


@commands.command()
def perft(
    game: GameKey,
    depth: Annotated[int, typer.Argument(min=0, help="How many turns long the lines are.")],
    position: PositionText = None,
    divide: Annotated[bool, typer.Option("--divide", help="Count apart for each first turn.")] = False,
) -> None:
    """Count the lines of tenable turns of a length."""
    rules, before = _position(game, position)
    if divide and depth > 0:
        for turn in rules.turns(before):
            typer.echo(f"{rules.write(turn, before)}: {rules.perft(rules.play(before, turn), depth - 1)}")
    typer.echo(rules.perft(before, depth))


@commands.command()
def render(  # noqa: PLR0917  (each is an option of its own)
    game: GameKey,
    out: Annotated[Path, typer.Option("-o", "--out", metavar="FILE.png", help="Where the picture goes.")],
    position: PositionText = None,
    turn: Annotated[str | None, typer.Option("--turn", metavar="TEXT", help="A turn to make and show.")] = None,
    theme: Annotated[str, typer.Option("--theme", metavar="THEME", help="light, dark or colour-blind.")] = "light",
    side: Annotated[str | None, typer.Option("--side", metavar="SIDE", help="Who looks at it; default: all.")] = None,
    size: Annotated[int | None, typer.Option("--size", min=100, max=4096, help="The longer edge in pixels.")] = None,
    labels: Annotated[bool, typer.Option("--labels", help="Print its name on every place.")] = False,
) -> None:
    """Draw a position as a PNG, and describe it in words."""
    from render.alt_text import describe
    from render.painter import paint
    from render.theme import THEMES
    from render.view import View

    rules, before = _position(game, position)
    viewer = None if side is None else _side(rules, side)
    if theme not in THEMES:
        fail(f"there is no theme called {theme[:40]}", f"The themes are {', '.join(THEMES)}.")
    if turn is None:
        diagram = rules.draw(before, viewer)
    else:
        diagram = rules.draw_turn(before, _turn(rules, turn, before), viewer)
    if labels:
        diagram = replace(diagram, labels=frozenset(diagram.board.outlines))
    try:
        out.write_bytes(paint(diagram, View(theme, size or 0)))
    except OSError as error:
        fail(
            f"the file {out} cannot be written: {error.strerror}",
            "Name a file in a folder of yours, like `-o board.png`.",
        )
    typer.echo(" ".join(map(str, describe(diagram))))


@commands.command()
def games() -> None:
    """List the games."""
    from engine.games import GAMES

    for game in GAMES.values():
        typer.echo(f"{game.key:<12}{game.gist}\n{'':<12}{game.credit}")


@commands.command(name="check-game")
def check_game(
    file: Annotated[Path, typer.Argument(metavar="FILE", help="The file or folder of a game, like daisy.py.")],
    seed: Annotated[int, typer.Option("--seed", min=0, help="Another seed examines other positions.")] = 0,
    examples: Annotated[int, typer.Option("--examples", min=1, help="How many positions are examined.")] = 50,
) -> None:
    """Examine a game of your own: whether it has the properties that Riposte relies on."""
    from engine.examination import examine_game

    game = _own_game(file)
    problems = 0
    for problem in examine_game(game, seed, examples):
        problems += 1
        typer.echo(f"{problem.claim}\n  {problem.because} {problem.remedy}")
        if problem.position:
            typer.echo(f"  position: {problem.position}")
    if problems:
        raise typer.Exit(1)
    typer.echo("Every property holds.")


def _own_game(file: Path) -> AnyGame:
    """Returns the game in a file or folder, loaded as those in RIPOSTE_GAMES are."""
    import engine.games
    from engine.contract import explained, raised

    name = file.resolve().name.removesuffix(".py")
    if not file.exists():
        fail(f"there is no file or folder {file}", "Name the file or folder of a game, like `daisy.py`.")
    if not name.isidentifier() or (file.is_file() and file.suffix != ".py"):
        fail(f"{file} cannot be the file of a game", "Call it like the game's key, `daisy.py` say.")
    engine.games.__path__.insert(0, str(file.resolve().parent))
    try:
        module = importlib.import_module(f"engine.games.{name}")
        if not hasattr(module, "GAME"):
            fail(f"the game {file} cannot be loaded: it holds no `GAME`", "End it with a line like `GAME = Daisy()`.")
        game: AnyGame = module.GAME
    except Exception as error:  # it is somebody's own code: anything can be wrong with it
        problem = explained(error) if isinstance(error, TypeError) else None
        if problem is not None:
            fail(f"the game {file} cannot be loaded: {problem.because}", str(problem.remedy))
        told = raised(error, str(file.resolve()))
        fail(f"the game {file} cannot be loaded: {told}", "docs/adding-a-game.md shows one that can.")
    if not Path(module.__file__ or "").resolve().is_relative_to(file.resolve()):
        fail(f"a game called {name} comes with Riposte", "Give yours another key.")
    if getattr(game, "key", name) != name:
        fail(f"the game in {file} has the key {game.key}", "Name the file like its key.")
    return game


def _position(key: str, text: str | None) -> tuple[AnyGame, Any]:
    from engine.dice import Dice
    from engine.games import GAMES

    game = GAMES.get(key)
    if game is None:
        fail(f"there is no game called {key[:40]}", f"The games are {', '.join(GAMES)}.")
    try:
        return game, game.setup({}, Dice(bytes(32))) if text is None else game.decode(text)
    except NotationError as error:
        fail(f"The position cannot be read. {error.because}", str(error.remedy or ""))


def _turn(game: AnyGame, text: str, position: Any) -> Turn:
    try:
        return game.read(text, position)
    except NotationError as error:
        fail(str(error.because), str(error.remedy or ""))


def _side(game: AnyGame, name: str) -> str:
    sides = {word.lower(): side for side, title in game.names.items() for word in (side, title)}
    if name.lower() not in sides:
        fail(f"{game.name} has no side called {name[:40]}", f"Its sides are {', '.join(game.names.values())}.")
    return sides[name.lower()]
