"""The commands for people and programs who want the rules without a chat: judge, perft, games."""

import sys
from typing import Annotated, Any, NoReturn

import typer

from engine.game import AnyGame, NotationError

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
    from bot.verdicts import ENCODER, Failure, Request, answers
    from bot.verdicts import judge as verdict

    if lines:
        for batch in answers(sys.stdin.buffer):
            sys.stdout.buffer.write(batch)
            sys.stdout.buffer.flush()
        return
    if not game or not turn:
        _fail("judge needs a game and a turn", "Try `riposte judge --game tokonoma --turn c7c5`.")
    answer = verdict(Request(game, turn, position))
    if isinstance(answer, Failure):
        _fail(answer.error, answer.remedy)
    if as_json:
        typer.echo(ENCODER.encode(answer))
        return
    if not answer.readable:
        _fail(*answer.because)
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
        _fail(f"there is no game called {key[:40]}", f"The games are {', '.join(GAMES)}.")
    try:
        return game, game.setup({}, Dice(bytes(32))) if text is None else game.decode(text)
    except NotationError as error:
        _fail(f"the position cannot be read: {error.because}", error.remedy)


def _fail(because: str, remedy: str = "") -> NoReturn:
    """The fact, then the remedy, to whoever typed it."""
    typer.echo(f"{because[:1].upper()}{because[1:]}. {remedy}".strip(), err=True)
    raise typer.Exit(2)
