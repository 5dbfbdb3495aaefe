"""What `riposte` and `python -m bot` start."""

import gc
import sys
from collections.abc import Callable, Sequence
from functools import partial


def main() -> None:
    """The entry point of the `riposte` command."""
    gc.disable()  # nothing that is loaded goes away: to look for that meanwhile takes a tenth of a start
    command = loaded(sys.argv[1:])
    gc.freeze()
    gc.enable()
    command()


def loaded(words: Sequence[str]) -> Callable[[], object]:
    """Returns what carries a command out, once it is imported.

    What reads the other commands takes longer to load than `judge` to answer, and a good part of a start of `run`.
    """
    if words[:1] == ["judge"]:
        from bot.cli.judging import load_own_games
        from bot.cli.judging import main as judge

        load_own_games()
        return partial(judge, words[1:])
    if words == ["run"]:
        from bot.app import main as serve

        return serve
    from bot.program import app

    return app


if __name__ == "__main__":
    main()
