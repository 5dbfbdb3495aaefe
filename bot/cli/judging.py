"""`riposte judge` as it is typed: its options, and the answer in words."""

import argparse
import os
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import NoReturn

from bot.console.terminal import fail


class Options(argparse.ArgumentParser):
    """Says no as the other commands do."""

    def error(self, message: str) -> NoReturn:
        fail(message, "`riposte judge --help` lists what there is.")


def options() -> Options:
    """Returns what the command takes."""
    about = "Say whether a turn is tenable, which rules it breaks, and what follows from it."
    parser = Options("riposte judge", description=about, allow_abbrev=False)
    parser.add_argument("--game", metavar="GAME", default="", help="A key that `riposte games` lists.")
    parser.add_argument("--position", metavar="TEXT", help="Default: the start.")
    parser.add_argument("--turn", metavar="TEXT", default="", help="One turn, or several joined by ' ; '.")
    parser.add_argument("--json", action="store_true", help="Answer as one line of JSON.")
    parser.add_argument("--jsonl", action="store_true", help="Read requests as lines of JSON, answer each.")
    return parser


def load_own_games() -> None:
    """Have a host's own games at hand. Settings take a moment to load: only where there may be such games."""
    if os.environ.get("RIPOSTE_GAMES") or Path(".env").exists():
        from bot.settings import settings

        settings()


def main(words: Sequence[str]) -> None:
    """Answer what was typed behind `judge`."""
    from bot.cli.judge import ENCODER, Failure, Request, judge

    asked = options().parse_args(words)
    if asked.jsonl:
        _judge_lines()
        return
    if not asked.game or not asked.turn:
        fail("judge needs a game and a turn", "Try `riposte judge --game tokonoma --turn c7c5`.")
    answer = judge(Request(asked.game, asked.turn, asked.position))
    if isinstance(answer, Failure):
        fail(answer.error, answer.remedy)
    if asked.json:
        print(ENCODER.encode(answer).decode())
        return
    if not answer.readable:
        fail(*answer.because)
    print("tenable" if answer.tenable else "untenable")
    for ref, because in zip(answer.rules, answer.because, strict=True):
        print(f"  {because} ({ref})")
    print(f"after: {answer.after}")
    if answer.outcome is not None:
        print(f"over: {answer.outcome.rule}; winners: {', '.join(answer.outcome.winners) or 'nobody'}")


def _judge_lines() -> None:
    from bot.cli.judge import answers

    try:
        for batch in answers(sys.stdin.buffer):
            sys.stdout.buffer.write(batch)
            sys.stdout.buffer.flush()
    except BrokenPipeError:
        raise  # the reader has gone, which is no fault
    except OSError as error:
        fail(f"the answers cannot be written: {error.strerror}", "Free some space, or write them somewhere else.")
