"""What happenings in a tournament lead to: its log, the alarms that go on with it, and what is told of it."""

from collections.abc import Sequence
from typing import Final

from bot.club.events import Happening, Opened, write_happening
from bot.club.state import Tournament, evolve
from bot.commands.context import Added, Effect
from bot.messages.club.news import news
from bot.repository import Repository
from engine.match.commands import Player
from storage.store import Alarm

BOARD: Final = "board"
"""The setting of a match that is one of a tournament: the tournament, the table, and its number there."""


def table_key(table: int, game: int) -> str:
    """A permanent key for a match of a tournament: its table and its number there."""
    return f"{table}.{game}"


async def happened(
    repository: Repository,
    of: Tournament | None,
    events: Sequence[Happening],
    at: int,
    *,
    woken: tuple[Alarm, ...] = (),
) -> Effect:
    """Returns what these events lead to: matches that begin do so by alarms, each in a transaction of its own."""
    now = of
    for event in events:
        now = evolve(now, event)
    assert now is not None, "a tournament begins with its announcement"
    wakes = [
        Alarm(now.id, f"open {table_key(*board)}", at)
        for event in events
        if isinstance(event, Opened)
        for board in event.boards
    ]
    if of is None and now.form == "ladder":
        wakes.append(Alarm(now.id, "end", now.sheet.ends))
    elif of is None and now.sheet.begins:
        wakes.append(Alarm(now.id, "begin", now.sheet.begins))
    known = (*(of.entrants if of is not None else ()), *now.entrants, now.organiser)
    names = {player: await repository.person(player) for player in known if player}
    places = tuple(dict.fromkeys((now.place, *now.places.values())))
    return Effect(
        drafts=news(of, now, events, names),
        added=Added(
            now.id,
            0 if of is None else of.length,
            tuple((event.at, write_happening(event)) for event in events),
        ),
        places=places,
        wakes=tuple(wakes),
        woken=woken,
    )


async def seeded(repository: Repository, of: Tournament, at: int) -> tuple[Player, ...]:
    """Returns the entrants by their ratings in the game, of equals whoever came first; teams board by board."""
    standings = await repository.standings(of.game)
    points = {}
    for player in of.entrants:
        owner = (await repository.accounts(player))[0]
        known = owner in standings.records
        points[player] = standings.records[owner].now(at).points if known else UNKNOWN
    if of.form == "ladder":
        return of.entrants
    return tuple(sorted(of.entrants, key=lambda player: -points[player]))


UNKNOWN = 1500.0
"""The rating of somebody who has none yet."""
