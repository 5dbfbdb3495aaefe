"""What `riposte` and `python -m bot` start."""

import sys


def main() -> None:
    """The entry point of the `riposte` command."""
    if sys.argv[1:2] == ["judge"]:  # what reads the other commands takes longer to load than this to answer
        from bot.cli.judging import load_own_games
        from bot.cli.judging import main as judge

        load_own_games()
        judge(sys.argv[2:])
    else:
        from bot.program import app

        app()


if __name__ == "__main__":
    main()
