"""Tournaments played by chance, without a room: results go in, whatever follows happens."""

from collections.abc import Sequence
from random import Random

from bot.club.course import begun, followed
from bot.club.events import (
    Announced,
    Decided,
    Entered,
    Form,
    Happening,
    Sheet,
    Withdrawn,
    read_happening,
    write_happening,
)
from bot.club.state import Tournament, evolve


def names(count: int) -> list[str]:
    return [f"web:p{number:02}" for number in range(1, count + 1)]


def announced(
    form: Form, players: Sequence[str], *, games: int = 1, rounds: int = 5, atonce: int = 2, seats: int = 2
) -> Tournament:
    """A tournament that these have joined."""
    terms = {"players": str(seats)} if seats > 2 else {}
    sheet = Sheet(len(players), rounds, games, atonce, 0, 0)
    of = evolve(None, Announced(0, "t1", "web:host", "Cup", form, "tokonoma", terms, sheet, "web/lounge/"))
    for number, player in enumerate(players):
        team = ("web/a/", "web/b/")[number % 2] if form == "teams" else ""
        of = evolve(of, Entered(0, player, team, team))
    return of


def after(of: Tournament, events: Sequence[Happening]) -> Tournament:
    """The tournament after events, each as it is read from what is stored."""
    for event in events:
        of = evolve(of, read_happening(write_happening(event)))
    return of


def result(of: Tournament, board: tuple[int, int], *winners: str) -> Tournament:
    """A match is over."""
    points = {player: 1 / len(winners) for player in winners}
    return after(of, followed(of, Decided(1, *board, "9", points, "played")))


def played(of: Tournament, seed: int, leaving: float = 0.0) -> Tournament:
    """The tournament at its end; how matches end and who leaves is left to chance."""
    chance = Random(seed)
    of = after(of, begun(of, of.entrants, 1))
    while of.status == "running":
        boards = of.boards()
        assert boards, "nothing is played, and yet it is not over"
        if chance.random() < leaving and len(of.active) > 1:
            of = after(of, followed(of, Withdrawn(1, chance.choice(of.active), "web:host")))
            continue
        board = chance.choice(boards)
        sitting = of.tables[board[0] - 1].players
        drawn = chance.random()
        winners = sitting if drawn < 0.2 else () if drawn < 0.25 else (chance.choice(sitting),)
        of = result(of, board, *winners)
    return of
