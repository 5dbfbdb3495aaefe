"""A tournament as it stands: the fold of what has happened in it."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Literal

from bot.club.events import (
    Announced,
    Begun,
    Decided,
    Entered,
    Form,
    Handed,
    Happening,
    Opened,
    Over,
    Paired,
    Sheet,
    Withdrawn,
)
from engine.match.commands import Player


@dataclass(frozen=True, slots=True)
class Table:
    """Some who meet, in one match or several."""

    number: int
    round: int
    players: tuple[Player, ...]
    opened: int = 0
    """Matches that were begun, or would have been."""
    decided: Mapping[int, Decided] = field(default_factory=dict)
    """By the number of the match at this table."""

    @property
    def done(self) -> bool:
        """Whether nothing is played there at the moment, and something was, or was forfeited."""
        return 0 < len(self.decided) >= self.opened

    @property
    def score(self) -> Mapping[Player, float]:
        """Points of each so far."""
        return {player: sum(one.points.get(player, 0.0) for one in self.decided.values()) for player in self.players}


@dataclass(frozen=True, slots=True)
class Tournament:
    """A tournament as it stands."""

    id: str
    name: str
    form: Form
    game: str
    terms: Mapping[str, str]
    sheet: Sheet
    place: str
    organiser: Player
    announced: int
    status: Literal["open", "running", "over"] = "open"
    called_off: bool = False
    entrants: tuple[Player, ...] = ()
    """In the order in which they came; of a ladder, its rungs from the top."""
    teams: Mapping[Player, str] = field(default_factory=dict)
    places: Mapping[str, str] = field(default_factory=dict)
    """Of teams: the channel of each."""
    gone: frozenset[Player] = frozenset()
    seeds: tuple[Player, ...] = ()
    tables: tuple[Table, ...] = ()
    """By number: the first is number 1."""
    byes: tuple[tuple[int, Player], ...] = ()
    round: int = 0
    """The last one that was paired."""
    length: int = 0
    """Events so far."""

    @property
    def number(self) -> str:
        """As people name it."""
        return self.id.removeprefix("t")

    @property
    def active(self) -> tuple[Player, ...]:
        """The entrants who have not withdrawn."""
        return tuple(player for player in self.entrants if player not in self.gone)

    def of_round(self, number: int) -> tuple[Table, ...]:
        """Returns the tables of a round."""
        return tuple(table for table in self.tables if table.round == number)

    def boards(self) -> tuple[tuple[int, int], ...]:
        """Returns the matches that have begun and are not decided: table and number there."""
        return tuple(
            (table.number, game)
            for table in self.tables
            for game in range(1, table.opened + 1)
            if game not in table.decided
        )


def evolve(before: Tournament | None, event: Happening) -> Tournament:
    """Returns the tournament after an event."""
    if isinstance(event, Announced):
        return Tournament(
            event.id,
            event.name,
            event.form,
            event.game,
            event.terms,
            event.sheet,
            event.place,
            event.by,
            event.at,
            length=1,
        )
    assert before is not None, "a tournament begins with its announcement"
    return replace(_after(before, event), length=before.length + 1)


def _after(now: Tournament, event: Happening) -> Tournament:
    match event:
        case Entered(player=player):
            teams = {**now.teams, player: event.team} if event.team else now.teams
            known = not event.team or event.team in now.places
            places = now.places if known else {**now.places, event.team: event.place}
            entrants = (*(one for one in now.entrants if one != player), player)
            return replace(now, entrants=entrants, teams=teams, places=places, gone=now.gone - {player})
        case Withdrawn(player=player) if now.status == "open":
            return replace(now, entrants=tuple(one for one in now.entrants if one != player))
        case Withdrawn(player=player):
            return replace(now, gone=now.gone | {player})
        case Handed(to=to):
            return replace(now, organiser=to)
        case Begun(seeds=seeds):
            return replace(now, status="running", seeds=seeds)
        case Paired(round=number, seatings=seatings, byes=byes):
            tables = tuple(Table(one.table, number, one.players) for one in seatings)
            byed = tuple((number, player) for player in byes)
            return replace(now, tables=(*now.tables, *tables), byes=(*now.byes, *byed), round=max(now.round, number))
        case Opened(boards=boards):
            opened = {table: max(game for one, game in boards if one == table) for table, _ in boards}
            return replace(
                now,
                tables=tuple(
                    replace(table, opened=max(table.opened, opened.get(table.number, 0))) for table in now.tables
                ),
            )
        case Decided():
            return _decided(now, event)
        case Over(by=by):
            never_begun = not (now.seeds or now.tables or now.form == "ladder")
            return replace(now, status="over", called_off=bool(by) or never_begun)
        case _:
            raise ValueError(f"{type(event).__name__} comes first or never")


def _decided(now: Tournament, event: Decided) -> Tournament:
    table = now.tables[event.table - 1]
    table = replace(table, decided={**table.decided, event.game: event})
    now = replace(now, tables=(*now.tables[: event.table - 1], table, *now.tables[event.table :]))
    if now.form != "ladder" or now.status != "running":
        return now
    return replace(now, entrants=climbed(now.entrants, table.players, event.points))


def climbed(rungs: Sequence[Player], players: tuple[Player, ...], points: Mapping[Player, float]) -> tuple[Player, ...]:
    """Returns a ladder after a challenge: whoever challenged, the first, and won, swaps with whom they challenged."""
    climber, above = players
    order = list(rungs)
    if climber not in order or above not in order or points.get(climber, 0) <= points.get(above, 0):
        return tuple(order)
    low, high = order.index(climber), order.index(above)
    if low > high:
        order[low], order[high] = order[high], order[low]
    return tuple(order)


def replayed(events: Iterable[Happening]) -> Tournament | None:
    """Returns the tournament in which these things have happened, None for none."""
    now: Tournament | None = None
    for event in events:
        now = evolve(now, event)
    return now
