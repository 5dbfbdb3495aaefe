"""The commands for people and programs who want the rules without a chat: judge, perft, render, games."""

import sys
from dataclasses import replace
from pathlib import Path
from typing import Annotated, Any

import typer

from bot.terminal import fail
from engine.game import AnyGame, NotationError, Turn

tools = typer.Typer(no_args_is_help=True)

GameKey = Annotated[str, typer.Argument(metavar="GAME", help="A key that `riposte games` lists.")]
PositionText = Annotated[str | None, typer.Option("--position", metavar="TEXT", help="Default: the start.")]


@tools.command()
def judge(
    game: Annotated[str, typer.Option("--game", metavar="GAME", help="A key that `riposte games` lists.")] = "",
    position: PositionText = None,
    turn: Annotated[str, typer.Option("--turn", metavar="TEXT", help="One turn, or several joined by ' ; '.")] = "",
    as_json: Annotated[bool, typer.Option("--json", help="Answer as one line of JSON.")] = False,
    lines: Annotated[bool, typer.Option("--jsonl", help="Read requests as lines of JSON, answer each.")] = False,
) -> None:
    """Say whether a turn is tenable, which rules it breaks, and what follows from it."""
    from bot.cli.judge import ENCODER, Failure, Request, answers
    from bot.cli.judge import judge as verdict

    if lines:
        try:
            for batch in answers(sys.stdin.buffer):
                sys.stdout.buffer.write(batch)
                sys.stdout.buffer.flush()
        except BrokenPipeError:
            raise  # whoever reads has had enough, which is no fault
        except OSError as error:
            fail(f"the answers cannot be written: {error.strerror}", "Make room, or write them somewhere else.")
        return
    if not game or not turn:
        fail("judge needs a game and a turn", "Try `riposte judge --game tokonoma --turn c7c5`.")
    answer = verdict(Request(game, turn, position))
    if isinstance(answer, Failure):
        fail(answer.error, answer.remedy)
    if as_json:
        typer.echo(ENCODER.encode(answer))
        return
    if not answer.readable:
        fail(*answer.because)
    typer.echo("tenable" if answer.tenable else "untenable")
    for ref, because in zip(answer.rules, answer.because, strict=True):
        typer.echo(f"  {because} ({ref})")
    typer.echo(f"after: {answer.after}")
    if answer.outcome is not None:
        typer.echo(f"over: {answer.outcome.rule}; winners: {', '.join(answer.outcome.winners) or 'nobody'}")


@tools.command()
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


@tools.command()
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
    """Draw a position as a PNG, and say it in words."""
    from render.painter import paint
    from render.theme import THEMES
    from render.words import describe

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
        out.write_bytes(paint(diagram, theme=theme, size=size or 0))
    except OSError as error:
        fail(
            f"the file {out} cannot be written: {error.strerror}",
            "Name a file in a folder of yours, like `-o board.png`.",
        )
    typer.echo(describe(diagram))


@tools.command()
def games() -> None:
    """List the games."""
    from engine.games import GAMES

    for game in GAMES.values():
        typer.echo(f"{game.key:<12}{game.gist}\n{'':<12}{game.credit}")


def _position(key: str, text: str | None) -> tuple[AnyGame, Any]:
    from engine.dice import Dice
    from engine.games import GAMES

    game = GAMES.get(key)
    if game is None:
        fail(f"there is no game called {key[:40]}", f"The games are {', '.join(GAMES)}.")
    try:
        return game, game.setup({}, Dice(bytes(32))) if text is None else game.decode(text)
    except NotationError as error:
        fail(f"the position cannot be read: {error.because}", error.remedy)


def _turn(game: AnyGame, text: str, position: Any) -> Turn:
    try:
        return game.read(text, position)
    except NotationError as error:
        fail(error.because, error.remedy)


def _side(game: AnyGame, said: str) -> str:
    sides = {word.lower(): side for side, name in game.names.items() for word in (side, name)}
    if said.lower() not in sides:
        fail(f"{game.name} has no side called {said[:40]}", f"Its sides are {', '.join(game.names.values())}.")
    return sides[said.lower()]
