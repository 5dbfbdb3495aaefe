"""Whole records are read turn by turn without a match between two turns, and in time that grows with their length."""

from collections import deque
from collections.abc import Iterator
from itertools import count, islice
from random import Random

import pytest

from engine.game import AnyGame
from engine.games import GAMES
from engine.match.events import Event
from engine.match.evolve import evolve
from engine.match.record.model import FIRST_LINE
from engine.match.record.read import played_through, read_record, replayed
from engine.match.snapshot.same import same
from engine.match.state import Match
from tests.fuzz.linear import played, steps
from tests.fuzz.readers import Reader

CLOCKS = ("3d", "5/10d", "20d+1d<30d", "hourglass10d", "none")


def record(game: AnyGame, terms: str, lines: list[str]) -> str:
    sides = game.seats({option.key: option.default for option in game.options})
    players = "".join(f"Player {game.names[side]}: {side} web:{side} {side}\n" for side in sides)
    return "\n".join([f"{FIRST_LINE}\nGame: {game.key}\nTerms: {terms}\n{players}Start: {start(game)}\n", *lines])


def start(game: AnyGame) -> str:
    return next(played(game, Random(7)))[0]


def turns(game: AnyGame, most: int) -> list[str]:
    """The longest of some matches at random, up to so many turns."""
    _, made = max(islice(played(game, Random(7)), 1), key=lambda match: len(match[1]))
    return [f"{number}. {side} {turn}" for number, (side, turn) in enumerate(made[:most], 1)]


def one_by_one(events: list[Event]) -> Iterator[Match]:
    match = None
    for event in events:
        match = evolve(match, event)
        yield match


@pytest.mark.parametrize("clock", CLOCKS)
@pytest.mark.parametrize("key", GAMES)
def test_a_run_of_turns_makes_the_match_that_one_after_another_makes(key: str, clock: str) -> None:
    game = GAMES[key]
    text = record(game, f"time={clock}", turns(game, 30))
    *events, last = played_through(read_record(text), 5_000)
    followed = [event for event, _ in [*events, last]]
    assert last[1].match == deque(one_by_one(followed), maxlen=1)[0]
    assert [match for _, match in replayed(read_record(text), 5_000)] == [*one_by_one(followed)]


@pytest.mark.parametrize("key", GAMES)
def test_a_record_that_is_only_looked_at_reaches_the_same(key: str) -> None:
    game = GAMES[key]
    lines = turns(game, 12)
    at = min(9, len(lines))
    whole = record(game, "", [*lines, f"taken back from {at}", *lines[at - 1 :]])
    (_, looked), (_, judged) = (deque(played_through(read_record(whole), 0, judged=one), maxlen=1)[0] for one in (0, 1))
    assert looked.match.position == judged.match.position
    assert [ply.turn for ply in looked.match.plies] == [ply.turn for ply in judged.match.plies]
    assert looked.match.counts == judged.match.counts


@pytest.mark.parametrize("key", GAMES)
def test_what_was_taken_back_is_counted_no_more(key: str) -> None:
    game = GAMES[key]
    lines = turns(game, 20)
    taken = [
        line for at in (20, 12, 15, 20, 3) if at <= len(lines) for line in (f"taken back from {at}", *lines[at - 1 :])
    ]
    for _, match in replayed(read_record(record(game, "", [*lines, *taken])), 0):
        if match.status == "running":
            stood = [same(game, position) for position in (match.start, *(ply.after for ply in match.plies))]
            assert match.counts == {key: stood.count(key) for key in stood}
            assert [ply.number for ply in match.plies] == [*islice(count(1), len(match.plies))]


@pytest.mark.parametrize("again", ["{last}\ntaken back from {number}", "held {number} against {other}"])
@pytest.mark.parametrize("clock", CLOCKS)
def test_a_line_takes_no_longer_the_more_are_above_it(clock: str, again: str) -> None:
    game = GAMES["chirality"]
    lines = turns(game, 59)
    side, other = (line.split()[1] for line in lines[-1:-3:-1])
    reader = Reader("", lambda text: deque(played_through(read_record(text), 0), maxlen=1), (), ())

    def spent(above: int) -> int:
        last, number = lines[above - 1], above
        more = again.format(last=last, number=number, other=other if last.split()[1] == side else side).split("\n")
        room = [record(game, f"time={clock}", [*lines[:above], *more[1:], *more * times]) for times in (10, 60)]
        few, many = (steps(reader, text) for text in room)
        return many - few

    assert spent(59) < 1.2 * spent(5)
