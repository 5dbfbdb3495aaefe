"""Whole games of Chirality, replayed from playthrough.txt turn by turn."""

from collections import Counter
from pathlib import Path

import pytest

from engine.dice import Dice
from engine.games.chirality import GAME

TITLES, GAMES_TOLD = zip(
    *(
        (title, lines)
        for title, *lines in (
            block.splitlines() for block in Path(__file__).with_name("playthrough.txt").read_text().split("\n## ")[1:]
        )
    ),
    strict=True,
)


@pytest.mark.parametrize("lines", GAMES_TOLD, ids=TITLES)
def test_a_whole_game_is_replayed(lines: list[str]) -> None:
    position = GAME.decode(lines[0].removeprefix("= "))
    seen = Counter([GAME.identity(position)])
    for line in filter(None, lines[1:]):
        outcome = GAME.outcome(position, seen[GAME.identity(position)])
        if line.startswith("= "):
            assert GAME.encode(position) == line.removeprefix("= ")
        elif line.startswith("over "):
            assert outcome is not None
            assert " ".join(("over", outcome.rule.ref, *sorted(outcome.winners))) == line
        else:
            assert outcome is None
            _, said, *fell = line.replace(" takes", "").split()
            turn = GAME.read(said, position)
            assert GAME.tenable(position, turn), line
            assert GAME.write(turn, position) == said
            assert [f"{m.side}@{m.sites[0]}" for m in GAME.marks(turn, position) if m.kind == "taken"] == fell
            position = GAME.play(position, turn)
            seen[GAME.identity(position)] += 1


def test_the_games_begin_where_their_terms_say() -> None:
    starts = {lines[0].removeprefix("= ") for lines in GAMES_TOLD}
    assert {GAME.encode(GAME.setup({"setup": form}, Dice(bytes(32)))) for form in ("standard", "quick")} <= starts
