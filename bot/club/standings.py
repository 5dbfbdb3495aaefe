"""The standings of a tournament: points, and what decides between equals."""

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations, groupby
from typing import Literal, TypeAlias

from bot.club.events import Decided, Form
from bot.club.state import Table, Tournament
from engine.match.commands import Player

Break: TypeAlias = Literal["direct", "buchholz", "sonneborn", "wins", "lasted"]
"""What is compared where points are equal: points against those who are equal; the points of those one has met; the
points of those whom one has beaten, and half of those with whom one has drawn; matches won; the round one reached."""

BREAKS: Mapping[Form, tuple[Break, ...]] = {
    "round-robin": ("direct", "sonneborn", "wins"),
    "swiss": ("buchholz", "sonneborn", "direct"),
    "knockout": ("lasted", "wins"),
    "double": ("lasted", "wins"),
    "teams": ("wins",),
    "ladder": (),
}
"""In this order. In a knock-out, how far one came goes before points."""
LIVES: Mapping[Form, int] = {"knockout": 1, "double": 2}
"""Lost pairings after which one is out."""


@dataclass(frozen=True, slots=True)
class Row:
    """How somebody stands."""

    rank: int
    """Equal for those between whom nothing decides."""
    player: Player
    points: float
    won: int
    drawn: int
    lost: int
    breaks: tuple[float, ...]
    """What `BREAKS` compares, in that order."""
    gone: bool
    """Whether they have withdrawn."""


def standings(of: Tournament) -> tuple[Row, ...]:
    """Returns how everybody stands, best first."""
    players = of.seeds or of.entrants
    if of.form == "ladder":
        return _rungs(of)
    points = {player: total(of, player) for player in players}
    games = [(table, one) for table in of.tables for one in table.decided.values()]
    tallies = {player: _tally(player, games) for player in players}
    measures: dict[Break, Callable[[Player], float]] = {
        "direct": lambda player: _direct(player, points, games),
        "buchholz": lambda player: _buchholz(of, player, points),
        "sonneborn": lambda player: _sonneborn(player, points, games),
        "wins": lambda player: float(tallies[player][0]),
        "lasted": lambda player: float(_lasted(of, player)),
    }
    breaks = {player: tuple(measures[key](player) for key in BREAKS[of.form]) for player in players}

    def order(player: Player) -> tuple[float, ...]:
        first, *others = breaks[player] or (0.0,)
        return (first, points[player], *others) if of.form in LIVES else (points[player], first, *others)

    rows: list[Row] = []
    best = sorted(players, key=lambda player: (tuple(-value for value in order(player)), players.index(player)))
    for _, group in groupby(best, key=order):
        rank = len(rows) + 1
        rows += [Row(rank, one, points[one], *tallies[one], breaks[one], one in of.gone) for one in group]
    return tuple(rows)


def total(of: Tournament, player: Player) -> float:
    """Returns somebody's points: those of their matches, and in Swiss rounds one for each bye."""
    byes = sum(one == player for _, one in of.byes) * of.sheet.games if of.form == "swiss" else 0
    return byes + sum(table.score.get(player, 0.0) for table in of.tables)


def beaten(of: Tournament) -> Counter[Player]:
    """Returns how many pairings each has lost, in a knock-out."""
    lost: Counter[Player] = Counter()
    for table in of.tables:
        if table.done:
            through = winner(of, table)
            lost.update(player for player in table.players if player != through)
    return lost


def winner(of: Tournament, table: Table) -> Player:
    """Returns who is through in a knock-out: whoever has more points, of equals the better seed; "" if both lost."""
    score = table.score
    best = max(score.values())
    if not best or all(player in of.gone for player in table.players):
        return ""
    return min((player for player in table.players if score[player] == best), key=of.seeds.index)


def level(of: Tournament, table: Table) -> bool:
    """Returns whether a knock-out's pairing is undecided after all its matches, and somebody scored."""
    score = tuple(table.score.values())
    return table.done and score[0] == score[1] > 0 and not of.gone & set(table.players)


def teams(of: Tournament) -> dict[str, float]:
    """Returns the points of each team, the sum of its boards, in the order in which they came."""
    found = dict.fromkeys(of.places, 0.0)
    for player in of.seeds or of.entrants:
        found[of.teams[player]] += total(of, player)
    return found


def met(of: Tournament) -> Counter[frozenset[Player]]:
    """Returns how often each two have met."""
    pairs = [frozenset(pair) for table in of.tables for pair in combinations(table.players, 2)]
    return Counter(pairs)


def _rungs(of: Tournament) -> tuple[Row, ...]:
    games = [(table, one) for table in of.tables for one in table.decided.values()]
    return tuple(
        Row(at, player, total(of, player), *_tally(player, games), (), player in of.gone)
        for at, player in enumerate(of.active, 1)
    )


def _tally(player: Player, games: Sequence[tuple[Table, Decided]]) -> tuple[int, int, int]:
    """Won, drawn and lost."""
    mine = [one.points for table, one in games if player in table.players]
    won = sum(points.get(player, 0) == 1 for points in mine)
    drawn = sum(0 < points.get(player, 0) < 1 for points in mine)
    return won, drawn, len(mine) - won - drawn


def _direct(player: Player, points: Mapping[Player, float], games: Sequence[tuple[Table, Decided]]) -> float:
    """Points against those with equal points."""
    return sum(
        one.points.get(player, 0.0)
        for table, one in games
        if player in table.players
        and all(points[other] == points[player] for other in table.players if other != player)
    )


def _buchholz(of: Tournament, player: Player, points: Mapping[Player, float]) -> float:
    """Points of those whom one has met, at a table of several their mean; a bye, or a match never played, counts as
    one's own points, so that nobody is punished for it."""
    found = sum(points[player] for _, one in of.byes if one == player)
    for table in of.tables:
        if player in table.players and table.decided:
            others = [other for other in table.players if other != player]
            played = any(one.match for one in table.decided.values())
            found += sum(points[one] for one in others) / len(others) if played else points[player]
    return found


def _sonneborn(player: Player, points: Mapping[Player, float], games: Sequence[tuple[Table, Decided]]) -> float:
    """Points of those whom one has beaten, and half of those with whom one has drawn."""
    found = 0.0
    for table, one in games:
        if player in table.players:
            others = [other for other in table.players if other != player]
            found += one.points.get(player, 0.0) * sum(points[other] for other in others) / len(others)
    return found


def _lasted(of: Tournament, player: Player) -> int:
    """The round in which somebody went out of a knock-out; of whoever is in it still, one more than were paired."""
    lives, lost = LIVES[of.form], 0
    for table in of.tables:
        if player in table.players and table.done:
            lost += winner(of, table) != player
            if lost >= lives:
                return table.round
    return of.round + 1
