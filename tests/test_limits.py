"""Every reader of text has a limit, which it tells, or is linear."""

import io
import json
from collections.abc import Callable
from functools import cache

import pytest

from bot.cli.judge import LONGEST, MOST_TURNS, Answer, Failure, Request, answers, judge
from engine.dice import Dice
from engine.game import AnyGame, NotationError
from engine.games import GAMES
from engine.match.evolve import replay
from engine.match.record.model import FIRST_LINE
from engine.match.record.read import MOST_CHARACTERS, MOST_LINES, read_record, replayed
from engine.match.snapshot.same import same
from engine.reading.limits import LONGEST_POSITION, LONGEST_TURN
from tests.fuzz.linear import measured, records, steps, texts
from tests.fuzz.readers import of_others
from tests.sixth_game.daisy import GAME as DAISY

EVERY = (*GAMES.values(), DAISY)


@pytest.mark.parametrize("game", EVERY, ids=lambda game: game.key)
def test_a_text_that_is_far_too_long_is_refused_with_its_limit(game: object) -> None:
    start = game.setup({}, Dice(bytes(32)))  # type: ignore[attr-defined]
    for read, most in (
        (lambda text: game.read(text, start), LONGEST_TURN),  # type: ignore[attr-defined]
        (game.decode, LONGEST_POSITION),  # type: ignore[attr-defined]
    ):
        for size in (most + 1, 1 << 20):
            with pytest.raises(NotationError) as told:
                read("c" * size)
            assert str(size) in str(told.value.because)
            assert str(most) in str(told.value.remedy)


def test_the_judge_tells_its_limits() -> None:
    many = judge(Request("tokonoma", " ; ".join(["c7c5"] * (MOST_TURNS + 1))))
    assert isinstance(many, Failure)
    assert str(MOST_TURNS) in many.error
    long = judge(Request("tokonoma", "c7c5" * 200))
    assert isinstance(long, Answer)
    assert not long.readable
    assert str(LONGEST_TURN) in long.because[-1]
    assert LONGEST == 1 << 20


@cache
def shuffling(turns: int) -> list[str]:
    """Turns of Veney from its start, in which nothing but the Selves' steps to and fro happens."""
    game = GAMES["veney"]
    position = game.setup({}, Dice(bytes(32)))
    made: list[str] = []
    for at in range(turns):
        chosen = list(game.turns(position))[at % 7]
        made.append(game.write(chosen, position))
        position = game.play(position, chosen)
    return made


def lines(*turns: str) -> str:
    return "".join(json.dumps({"id": at, "game": "veney", "turn": turn}) + "\n" for at, turn in enumerate(turns))


JUDGE = next(reader for reader in of_others() if reader.name == "a line of judge")


TO_AND_FRO = ("SX5", "eY6", "SX4", "eY5")


@pytest.mark.parametrize(
    ("made", "most"),
    [
        pytest.param(lambda: (lines("SX5"), lines(*["SX5"] * 100)), 50, id="equal lines"),
        pytest.param(
            lambda: (lines(" ; ".join(TO_AND_FRO * 5)), lines(" ; ".join(TO_AND_FRO * 50))), 5, id="turns to and fro"
        ),
        pytest.param(
            lambda: (
                lines(" ; ".join(shuffling(30))),
                lines(*(" ; ".join(shuffling(30)[: at + 1]) for at in range(30))),
            ),
            6,
            id="a match that goes on from line to line",
        ),
    ],
)
def test_what_lines_have_in_common_is_judged_once(made: Callable[[], tuple[str, str]], most: int) -> None:
    few, many = made()
    assert steps(JUDGE, many) < most * steps(JUDGE, few)
    alone = [b"".join(answers(io.BytesIO(line))) for line in many.encode().splitlines(keepends=True)]
    assert b"".join(answers(io.BytesIO(many.encode()))) == b"".join(alone)


def test_a_record_tells_its_limit() -> None:
    with pytest.raises(NotationError) as told:
        read_record("x" * (MOST_CHARACTERS + 1))
    assert str(MOST_CHARACTERS) in str(told.value.because)
    line = "1. W c7c5\n"
    read_record(f"{FIRST_LINE}\n\n{line * MOST_LINES}")
    with pytest.raises(NotationError, match=f"{MOST_LINES} turns"):
        read_record(f"{FIRST_LINE}\n\n{line * (MOST_LINES + 1)}")


@pytest.mark.parametrize("game", GAMES.values(), ids=GAMES)
def test_what_a_record_is_read_into_at_once_is_what_its_events_lead_to(game: AnyGame) -> None:
    for text in records(game, 8_000, seed=5):
        events, match = [], None
        for event, reached in replayed(read_record(text), 0):
            events.append(event)
            match = reached
        assert match is not None
        assert replay(events, check=True) == match
        assert match.ending == match.game.outcome(match.position, match.counts[same(match.game, match.position)])


def test_every_reader_gets_through_long_texts() -> None:
    assert len(list(measured(3_000))) > 500


SIZE = 3_000


def test_no_reader_takes_more_than_twice_the_steps_for_twice_the_text() -> None:
    twice = {(reader.name, piece): text for reader, text, piece in texts(2 * SIZE)}
    for reader, text, piece in texts(SIZE):
        few = steps(reader, text)
        assert steps(reader, twice[reader.name, piece]) <= 2.2 * few + 500, (reader.name, piece)
        assert few <= 20 * SIZE, (reader.name, piece)
